"""The tables of a tournament, as rows of texts: for the terminal here, for a page elsewhere."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from critmass.arena.game import Ending
from critmass.arena.standings import Row, Standings
from critmass.arena.stats import Score, Sprt

ENDINGS = {
    Ending.CUT: "chain cut",
    Ending.WIPED: "wiped out",
    Ending.TURN_LIMIT: "draw",
    Ending.TOO_LATE: "too late",
    Ending.NO_OUTPUT: "no output",
    Ending.CRASHED: "crashed",
    Ending.NO_CELL: "no cell",
    Ending.OUTSIDE: "off the board",
    Ending.OWNED: "opponent's cell",
}
"""What each ending is called."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: in each row what it is of, then its values."""

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""


def tables(standings: Standings) -> list[Table]:
    """Return all tables of the standings."""
    many = [ratings_table(standings), cross_table(standings)] if len(standings.rows) > 2 else []
    return [
        score_table(standings),
        *many,
        meetings_table(standings),
        endings_table(standings),
        times_table(standings),
    ]


def score_table(standings: Standings) -> Table:
    """Return the bots' scores, altogether and by who moved first."""
    header = ("Bot", "Games", "Won", "Drawn", "Lost", "First: + = −", "Second: + = −", "Score", "95 %")
    return Table("Score", header, [_score_row(row) for row in standings.rows.values()])


def _score_row(row: Row) -> tuple[str, ...]:
    score = row.score
    counts = (score.games, score.wins, score.draws, score.losses)
    sides = (_counts(row.first), _counts(row.second))
    return row.name, *map(str, counts), *sides, percent(score.share), _span(percent(end) for end in score.interval)


def meetings_table(standings: Standings) -> Table:
    """Return what every two bots that met came to, as the first of them sees it."""
    header = ("Meeting", "+ = −", "Score", "95 %", "Elo", "95 %", "Better")
    rows = [
        _meeting_row(f"{name} – {other}", score)
        for name, other in combinations(standings.rows, 2)
        if (score := standings.meeting(name, other)).games
    ]
    note = "Better: the likelihood that the first named is the stronger one."
    return Table("Head to head", header, rows, note)


def _meeting_row(title: str, score: Score) -> tuple[str, ...]:
    share, chance = percent(score.share), percent(score.superiority)
    shares, elos = (_span(map(*it)) for it in ((percent, score.interval), (signed, score.elo_interval)))
    return title, _counts(score), share, shares, signed(score.elo), elos, chance


def endings_table(standings: Standings) -> Table:
    """Return how each bot's games ended: those won, drawn, and lost, each by its kind."""
    rows = list(standings.rows.values())
    won = [ending for ending in Ending if any(row.won[ending] for row in rows)]
    lost = [ending for ending in Ending if any(row.lost[ending] for row in rows)]
    header = (
        "Bot",
        *(f"Won: {ENDINGS[ending]}" for ending in won if not ending.is_fault),
        "Won: other's fault",
        "Drawn",
        *(f"Lost: {ENDINGS[ending]}" for ending in lost),
    )
    return Table("How the games ended", header, [_ending_row(row, won, lost) for row in rows])


def _ending_row(row: Row, won: list[Ending], lost: list[Ending]) -> tuple[str, ...]:
    on_board = [row.won[ending] for ending in won if not ending.is_fault]
    by_fault = sum(row.won[ending] for ending in won if ending.is_fault)
    return row.name, *map(str, [*on_board, by_fault, row.draws, *(row.lost[ending] for ending in lost)])


def times_table(standings: Standings) -> Table:
    """Return how long the bots took."""
    header = ("Bot", "Mean", "Worst", "Worst first turn")
    rows = [
        (row.name, *(f"{time:.2f} ms" for time in (row.mean_ms, row.worst_ms, row.start_ms)))
        for row in standings.rows.values()
    ]
    return Table("Time per move", header, rows, "The first turn, with the start-up, is not in mean and worst.")


def ratings_table(standings: Standings) -> Table:
    """Return the ratings of all bots."""
    from critmass.arena.ratings import ratings  # it takes half a second to load

    rows = [
        (it.name, signed(it.elo), f"± {it.error:.0f}", percent(standings.rows[it.name].score.share))
        for it in ratings(standings)
    ]
    note = "Bradley–Terry, the mean of all bots is 0; the error is that of 95 % confidence."
    return Table("Ratings", ("Bot", "Elo", "Error", "Score"), rows, note)


def cross_table(standings: Standings) -> Table:
    """Return every bot's points against every other."""
    names = list(standings.rows)
    rows = [
        (f"{number} {name}", *(_points(standings.meeting(name, other)) for other in names))
        for number, name in enumerate(names, 1)
    ]
    return Table("Points against each other", ("Bot", *(str(number) for number in range(1, len(names) + 1))), rows)


def sprt_text(sprt: Sprt, standings: Standings) -> str:
    """Return how a test of the first bot against the second stands, and what is proven."""
    names = list(standings.rows)
    pairs = standings.pairs(*names[:2])
    low, high = sprt.bounds
    accepted = sprt.accepted(pairs)
    verdict = "undecided"
    if accepted == sprt.elo1:
        verdict = f"{names[0]} is {_number(sprt.elo1)} Elo or more"
    elif accepted == sprt.elo0:
        verdict = f"{names[0]} is {_number(sprt.elo0)} Elo or less"
    test = f"SPRT {_number(sprt.elo0)} against {_number(sprt.elo1)} Elo to {names[1]}"
    return (
        f"{test}: {verdict}. LLR {sprt.ratio(pairs):.2f} ({low:.2f} to {high:.2f}), pairs {'-'.join(map(str, pairs))}"
    )


def table_text(table: Table) -> str:
    """Return a table as lines of text, the first column to the left and the others to the right."""
    lines = [table.header, *table.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    shown = [
        "  ".join(
            [line[0].ljust(widths[0]), *(text.rjust(width) for text, width in zip(line[1:], widths[1:], strict=True))]
        )
        for line in lines
    ]
    return "\n".join(
        [table.title, *(f"  {line.rstrip()}" for line in shown), *([f"  {table.note}"] if table.note else [])]
    )


def percent(share: float) -> str:
    """Return a share of 1 in per cent."""
    return f"{100 * share:.1f} %"


def signed(elo: float) -> str:
    """Return an Elo difference with its sign."""
    if math.isinf(elo):
        return "+∞" if elo > 0 else "−∞"
    return _number(round(elo))


def _number(value: float) -> str:
    """Return a number with its sign, 0 without any."""
    return f"{value:+g}".replace("-", "−") if value else "0"


def _span(ends: Iterable[str]) -> str:
    return " to ".join(ends)


def _counts(score: Score) -> str:
    return f"{score.wins} {score.draws} {score.losses}"


def _points(score: Score) -> str:
    return f"{score.points:g}/{score.games}" if score.games else "–"
