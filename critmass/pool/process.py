"""The process that searches for the server: a question a line on standard input, an answer a line on standard output.

It ends when its standard input does, and so with whoever asks, however that came to its end.
"""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from queue import SimpleQueue
from threading import Thread
from traceback import print_exc
from typing import Any

from critmass.engine import Position
from critmass.links import read, split_url
from critmass.search import choose, is_warm, values, warm_up, winning_moves
from critmass.search.analysis import study
from critmass.search.backend import fits
from critmass.search.levels import is_quick

_LESS_URGENT = 5
"""How much more patient than the processes that answer with pages."""


def _move(position: Position, level: int) -> dict[str, Any]:
    return asdict(choose(position, level))


def _values(position: Position, nodes: int) -> list[dict[str, Any]]:
    return [asdict(thought) for thought in values(position, nodes).values()]


def _wins(position: Position, plies: int, nodes: int) -> list[int] | None:
    found = winning_moves(position, plies, nodes)
    return None if found is None else sorted(found)


def _study(position: Position, *cells: int) -> dict[str, Any]:
    return asdict(study(position, *cells))


KINDS: dict[str, Callable[..., Any]] = {"move": _move, "values": _values, "wins": _wins, "study": _study}
"""What can be asked about the position at the end of a match; what comes back goes through JSON."""


def answer(kind: str, path: str, numbers: list[int]) -> dict[str, Any]:
    """Return the answer to a question, or, where it needs the compiled kernel, that this is not there yet."""
    address = split_url(path)
    assert address is not None  # noqa: S101 - the path of a match that was read
    position = read(address).position
    quick = kind == "move" and is_quick(numbers[0])
    if fits(position.rules) and not quick and not is_warm():
        return {"warming": True}
    return {"answer": KINDS[kind](position, *numbers)}


def _work(questions: "SimpleQueue[str]") -> None:
    try:
        while True:
            print(json.dumps(answer(**json.loads(questions.get()))), flush=True)
    except Exception:
        print_exc()
    os._exit(1)  # whoever asks sees the end, and the log has the reason


def _warm_up() -> None:
    try:
        warm_up()
    except BaseException:
        print_exc()
        os._exit(1)  # or it would be said to be warming up for ever


def main() -> None:
    """Answer until there is nobody left to ask."""
    os.nice(_LESS_URGENT)
    questions: SimpleQueue[str] = SimpleQueue()
    Thread(target=_warm_up, daemon=True).start()
    Thread(target=_work, args=(questions,), daemon=True).start()
    for line in sys.stdin:
        questions.put(line)
    os._exit(0)  # at once, in the middle of a search too


if __name__ == "__main__":
    main()
