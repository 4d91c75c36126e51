"""Rule sets, matches and boards for the property tests."""

import random
from collections.abc import Iterator
from itertools import islice

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from critmass.engine import (
    CODINGAME,
    CRITICAL_MASS,
    Board,
    Grid,
    Match,
    Ply,
    Position,
    Rules,
    cells_of,
    classic,
    make_grid,
)

from . import naive

patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

seeds = st.integers(0, 2**32 - 1)


def grids(largest: int = 16) -> st.SearchStrategy[Grid]:
    return st.builds(make_grid, st.integers(3, largest), st.integers(3, largest))


@st.composite
def house_rules(draw: st.DrawFn, largest: int) -> Rules:
    """Rules that nobody plays by: any grace that leaves a cell free, any surplus, any turn limit."""
    grid, players = draw(grids(largest)), draw(st.integers(2, 8))
    live = draw(st.integers(players, grid.size))
    keeps_surplus = draw(st.booleans())
    limits = st.sampled_from([live, grid.edges, 3 * grid.size])
    limit = draw(st.none() | limits if keeps_surplus else limits)
    return Rules("house", grid.columns, grid.rows, players, live, keeps_surplus, limit)


def rule_sets(largest: int = 16) -> st.SearchStrategy[Rules]:
    sides = st.integers(3, largest)
    return st.one_of(
        st.just(CRITICAL_MASS),
        st.just(CODINGAME),
        st.builds(classic, sides, sides, st.integers(2, 8)),
        house_rules(largest),
    )


def random_plies(rules: Rules, seed: int, caution: float) -> Iterator[Ply]:
    """Play at random until the match is over; with caution, cells that would detonate are left alone."""
    rng = random.Random(seed)
    position = Position.start(rules)
    while position.turn is not None:
        legal = position.legal
        quiet = legal & ~position.board.tense
        ply = position.play(rng.choice(list(cells_of(quiet if quiet and rng.random() < caution else legal))))
        yield ply
        position = ply.after


def random_match(rules: Rules, seed: int, caution: float, length: int) -> Match:
    return Match(rules, tuple(islice(random_plies(rules, seed, caution), length)))


small_games = rule_sets(largest=9)


def matches(rules: st.SearchStrategy[Rules] = small_games) -> st.SearchStrategy[Match]:
    """Matches of any length, most of them played to the end, on boards small enough to have many."""
    cautions = st.sampled_from([0.0, 0.5, 0.9, 1.0])
    lengths = st.just(1000) | st.integers(0, 150)
    return st.builds(random_match, rules, seeds, cautions, lengths)


def most_orbs(grid: Grid) -> int:
    """The orbs of a board on which every cell holds as many as it ever can."""
    return sum(2 * grid.capacity(cell) - 1 for cell in cells_of(grid.cells))


def random_cells(grid: Grid, orbs: int, seed: int, lumpiness: float, owners: int = 1) -> naive.Cells:
    """Scatter orbs, some in heaps, up to the most that a cell ever holds; player 1 has the critical cells."""
    rng = random.Random(seed)
    capacities = {grid.column_row(cell): grid.capacity(cell) for cell in cells_of(grid.cells)}
    room = {cell: 2 * capacity - 1 for cell, capacity in capacities.items()}
    counts: dict[naive.Cell, int] = {}
    while orbs:
        cell = rng.choice([*room])
        heap = min(orbs, room[cell]) if rng.random() < lumpiness else 1
        counts[cell] = counts.get(cell, 0) + heap
        orbs -= heap
        room[cell] -= heap
        if not room[cell]:
            del room[cell]
    return {cell: (1 if count >= capacities[cell] else rng.randint(1, owners), count) for cell, count in counts.items()}


def board_of(grid: Grid, cells: naive.Cells, players: int = 2) -> Board:
    return Board.parse(naive.text(grid.columns, grid.rows, cells), players)
