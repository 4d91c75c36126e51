"""The process that thinks beside the one that answers."""

import time

from critmass.engine import CODINGAME, Position, classic
from critmass.pool.companion import Companion


def test_it_answers_at_once_and_better_once_the_child_is_ready() -> None:
    companion = Companion()
    position = Position.start(CODINGAME)
    try:
        first = companion.answer(position, 200)
        assert position.legal >> first.cell & 1
        deadline, nodes = time.monotonic() + 100, 0
        while nodes < 100_000 and time.monotonic() < deadline:
            if companion.is_ready:
                nodes = companion.answer(position, 1000).nodes
            time.sleep(0.1)
        assert nodes >= 100_000
        assert companion.answer(Position.start(classic(16, 16)), 50).cell in range(256)
        companion._child.kill()
        companion._child.join()
        assert position.legal >> companion.answer(position, 60).cell & 1
    finally:
        companion.close()
