"""What the search says: legal, the same every time, and right where it is sure."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from critmass.arena.stats import Score
from critmass.bench.duels import Player, duel
from critmass.bench.opponents import anybody, greedy, material, tree_search
from critmass.engine import CODINGAME, CRITICAL_MASS, Match, Position, Rules, cells_of, classic
from critmass.links import LEVELS
from critmass.search import Thought, bot_answer, choose, think, values, winning_moves
from critmass.search.backend import PLAIN
from critmass.search.thinking import think_on

from .samples import WORD_SIZED, random_positions

SMALL = [classic(3, 3), Rules("critical-mass", 3, 3, 2, first_live_ply=8), Rules("codingame", 3, 4, 2, 2, False, 40)]


def minimax(position: Position, plies: int) -> int | None:
    """By trying everything: the plies until the end with best play, if it can be forced within so many."""
    if position.turn is None:
        return 0 if position.outcome and position.outcome.winner else None
    if not plies:
        return None
    ends = [minimax(position.play(cell).after, plies - 1) for cell in cells_of(position.legal)]
    # After an even number of plies from there, whoever moved there has won.
    wins = [end + 1 for end in ends if end is not None and end % 2 == 0]
    if wins:
        return min(wins)
    return max(end + 1 for end in ends if end is not None) if None not in ends else None


def is_legal_line(position: Position, line: tuple[int, ...]) -> bool:
    for cell in line:
        position = position.play(cell).after
    return True


def test_importing_it_is_light() -> None:
    code = "import sys, critmass.search, critmass.cli; print({'numba', 'numpy', 'llvmlite'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


@pytest.mark.parametrize("rules", SMALL)
def test_what_it_has_proven_is_so(rules: Rules) -> None:
    proven = 0
    for position in random_positions(rules, 30, seed=3, least=5):
        thoughts, thought = values(position, 300_000), think(position, nodes=300_000)
        expected = minimax(position, 4)
        if expected is not None:
            assert thought.end == expected
        if thought.end is not None:
            proven += 1
            assert thought.score == (1 if thought.end % 2 else -1)
            assert len(thought.line) == thought.end
            if thought.end <= 4:
                assert expected == thought.end
        for cell, it in thoughts.items():
            after = minimax(position.play(cell).after, 3)
            assert (None if it.end is None or it.end > 4 else it.end - 1) == after
        wins = {cell for cell, it in thoughts.items() if it.end in (1, 3)}
        assert winning_moves(position, 3, 1_000_000) == wins
    assert proven > 12


@pytest.mark.parametrize("rules", WORD_SIZED)
def test_plain_and_compiled_think_the_same(rules: Rules) -> None:
    for position in random_positions(rules, 6, seed=5):
        thought = think(position, nodes=1500)
        assert thought == think(position, nodes=1500) == think_on(PLAIN, position, 1500, None)
        assert position.legal >> thought.cell & 1
        assert is_legal_line(position, thought.line)
        assert thought.line[0] == thought.cell
        assert -1 <= thought.score <= 1


@pytest.mark.parametrize("rules", [*WORD_SIZED, classic(16, 16, 8), classic(9, 8)])
def test_every_level_plays_legally(rules: Rules) -> None:
    for position in random_positions(rules, 2, seed=6):
        for level in LEVELS[:6]:
            thought = choose(position, level)
            assert position.legal >> thought.cell & 1
            assert thought == choose(position, level)


def test_a_bot_answers_in_time_with_and_without_the_kernel() -> None:
    thought = bot_answer(Position.start(CODINGAME), 60)
    assert Position.start(CODINGAME).legal >> thought.cell & 1
    assert think_on(PLAIN, Position.start(CODINGAME), None, 0.05).depth >= 2


def points(rules: Rules, strong: int, weak: int, pairs: int) -> float:
    *_, score = duel(rules, lambda p: choose(p, strong).cell, lambda p: choose(p, weak).cell, pairs)
    return score.share


@pytest.mark.parametrize("rules", [CRITICAL_MASS, CODINGAME], ids=lambda rules: rules.name)
@pytest.mark.parametrize("level", LEVELS[1:6])
def test_levels_are_in_order(rules: Rules, level: int) -> None:
    assert points(rules, level, level - 1, 10) >= 0.5


def matches_to_the_end(rules: Rules) -> Iterator[Thought]:
    position = Position.start(rules)
    while position.turn is not None:
        thought = choose(position, 5)
        yield thought
        position = position.play(thought.cell).after


@pytest.mark.parametrize("rules", [CODINGAME, classic(5, 5, 4)])
def test_a_match_is_played_to_its_end(rules: Rules) -> None:
    cells = [thought.cell for thought in matches_to_the_end(rules)]
    assert Match.replay(rules, cells).outcome is not None


@pytest.mark.parametrize("opponent", [greedy(), material(2), tree_search(iterations=300)])
@pytest.mark.parametrize("rules", [CRITICAL_MASS, CODINGAME], ids=lambda rules: rules.name)
def test_the_opponents_to_measure_by_play_better_than_anybody(rules: Rules, opponent: Player) -> None:
    *_, score = duel(rules, opponent, anybody(), 5)
    assert score.games == 10
    assert score.share >= 0.7


def test_a_score_has_a_rate_and_an_interval() -> None:
    score = Score(wins=8, draws=1, losses=1)
    assert score.share == 0.85
    assert 0.5 < score.interval[0] < score.share < score.interval[1] < 1
    assert str(score) == " 85.0% (54.1% to 96.5%)  +8 =1 -1 of 10"


@pytest.mark.parametrize(
    ("rules", "line", "nodes", "by_level"),
    [
        (CODINGAME, (30, 5, 32, 18, 3, 18), 50000, [24, 5, 5, 30, 30, 30, 5, 5]),
        (CRITICAL_MASS, (30, 5, 6, 35, 0, 29, 12), 50000, [1, 5, 5, 30, 30, 30, 30, 30]),
        (classic(6, 6, 3), (30, 5, 6, 10, 29, 0), 50020, [4, 5, 5, 30, 30, 30, 35, 30]),
    ],
    ids=["codingame", "critical-mass", "classic"],
)
def test_every_machine_gives_these_answers(
    rules: Rules, line: tuple[int, ...], nodes: int, by_level: list[int]
) -> None:
    position = Match.read(rules, "0z7yat6n1s").position()
    thought = think(position, nodes=50_000)
    assert (thought.line, thought.nodes) == (line, nodes)
    assert [choose(position, level).cell for level in LEVELS] == by_level
