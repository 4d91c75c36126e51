"""`critmass bench levels`: each level against the one below, and full strength against the usual ways to play."""

from collections.abc import Iterable, Iterator, Mapping

from critmass.arena.stats import Score
from critmass.bench.duels import Player, duel
from critmass.bench.opponents import anybody, greedy, material, tree_search
from critmass.engine import CODINGAME, CRITICAL_MASS, Position, Rules
from critmass.search import choose, think, warm_up

GAMES = {"critical-mass": CRITICAL_MASS, "codingame": CODINGAME}
MILLISECONDS = 100


def level(number: int) -> Player:
    """Return the player of a level."""

    def player(position: Position) -> int:
        return choose(position, number).cell

    return player


def full_strength(position: Position) -> int:
    """Return the move of the search at full strength, by the clock."""
    return think(position, seconds=MILLISECONDS / 1000).cell


def opponents() -> dict[str, Player]:
    """Return the players to measure strength by."""
    seconds = MILLISECONDS / 1000
    return {
        "greedy": greedy(),
        "alpha-beta, depth 3, material": material(3),
        "UCT, random playouts": tree_search(seconds),
        "UCT, judged by the evaluation": tree_search(seconds, plies=0, exploration=0.3),
    }


def last(scores: Iterator[Score]) -> Score:
    """Return the last of some scores."""
    *_, score = scores
    return score


def ladder(rules: Rules, pairs: int, levels: Iterable[int]) -> Iterator[str]:
    """Yield the lines of the report on these levels."""
    warm_up()
    yield f"Levels, {rules.name}, {pairs} pairs of matches from random openings of 4 plies"
    for number in levels:
        below = level(number - 1) if number > 1 else anybody()
        name = f"level {number - 1}" if number > 1 else "random moves"
        yield f"  level {number} against {name:12}: {last(duel(rules, level(number), below, pairs))}"


def strength_report(rules: Rules, pairs: int, met: Mapping[str, Player]) -> Iterator[str]:
    """Yield the lines of the report on full strength, against each of the players met."""
    warm_up()
    yield f"{MILLISECONDS} ms a move, {rules.name}, {pairs} pairs of matches from random openings of 4 plies"
    for name, opponent in met.items():
        yield f"  against {name:29}: {last(duel(rules, full_strength, opponent, pairs))}"
