"""`critmass bench engine`: how fast a link is replayed."""

from critmass.bench import links, rate
from critmass.engine import CRITICAL_MASS, Match
from critmass.links import split_url


def run(seconds: float) -> list[str]:
    """Return the lines of the report: replays a second of 60-move links, and their ratio to the baseline.

    The baseline is what any engine that goes from cell to cell cannot do without: for every ply it looks once at
    every cell of the board.
    """
    texts = [address.moves for url in links(20) if (address := split_url(url))]
    cells = list(range(CRITICAL_MASS.grid.size))

    def replay() -> None:
        for text in texts:
            Match.read(CRITICAL_MASS, text)

    def replay_with_frames() -> None:
        for text in texts:
            for ply in Match.read(CRITICAL_MASS, text).plies:
                assert len(ply.frames) == len(ply.rings) + 1  # noqa: S101 - the frames are what is measured

    def look() -> None:
        for _ in texts:
            for _ply in range(60):
                for cell in cells:
                    if cell < 0:
                        return

    plain, full, baseline = (len(texts) * rate(work, seconds / 3) for work in (replay, replay_with_frames, look))
    return [
        "Replays of 60-move Critical Mass links, one process",
        f"  replay                     {plain:8.0f} /s   {plain / baseline:5.2f} of the baseline",
        f"  replay, rings and frames   {full:8.0f} /s   {full / baseline:5.2f} of the baseline",
        f"  baseline                   {baseline:8.0f} /s   every cell looked at once a ply, nothing else",
    ]
