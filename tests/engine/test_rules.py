"""Which games there are, and the faults that are not one."""

import pytest

from critmass.engine import CODINGAME, CRITICAL_MASS, Fault, Rules, RulesFault, classic, errors
from critmass.engine.errors import BadBoard, BadPlayers

CODES = {
    "BadBoard": "bad-board",
    "BadPlayers": "bad-players",
    "MatchOver": "over",
    "BadCharacter": "bad-character",
    "HalfMove": "half-move",
    "OutsideBoard": "outside",
    "OwnedCell": "owned",
}


def house(
    columns: int = 3,
    rows: int = 4,
    players: int = 2,
    live: int = 2,
    keeps_surplus: bool = True,
    turn_limit: int | None = None,
) -> Rules:
    return Rules("house", columns, rows, players, live, keeps_surplus, turn_limit)


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (CRITICAL_MASS, ("critical-mass", 6, 6, 2, 8, True, None)),
        (CODINGAME, ("codingame", 6, 6, 2, 2, False, 200)),
        (classic(), ("classic", 6, 9, 2, 2, True, None)),
        (classic(16, 3, 8), ("classic", 16, 3, 8, 8, True, None)),
    ],
)
def test_the_three_games_are_the_contracts(rules: Rules, told: tuple[object, ...]) -> None:
    assert told == (
        rules.name,
        rules.columns,
        rules.rows,
        rules.players,
        rules.first_live_ply,
        rules.keeps_surplus,
        rules.turn_limit,
    )


@pytest.mark.parametrize("columns", [3, 16])
@pytest.mark.parametrize("rows", [3, 16])
@pytest.mark.parametrize("players", [2, 8])
def test_classic_is_played_up_to_every_bound(columns: int, rows: int, players: int) -> None:
    rules = classic(columns, rows, players)
    assert (rules.grid.columns, rules.grid.rows, rules.players) == (columns, rows, players)


@pytest.mark.parametrize(("columns", "rows"), [(2, 9), (17, 9), (6, 2), (6, 17), (0, 9), (6, -1), (99, 99)])
@pytest.mark.parametrize("players", [2, 1, 99])
def test_a_board_that_is_not_played_on_is_the_first_fault(columns: int, rows: int, players: int) -> None:
    with pytest.raises(BadBoard, match=f"3 to 16 columns and rows: {columns}x{rows}"):
        classic(columns, rows, players)


@pytest.mark.parametrize("players", [-1, 0, 1, 9, 99])
def test_a_number_of_players_that_is_not_played_with_is_the_next(players: int) -> None:
    with pytest.raises(BadPlayers, match=f"2 to 8 players: {players}"):
        house(players=players, live=0)


@pytest.mark.parametrize("live", [3, 17])
def test_the_whole_grace_is_below_the_number_of_edges(live: int) -> None:
    assert house(players=3, live=live).grid.edges == 17
    assert house(players=3, live=live).first_live_ply == live


@pytest.mark.parametrize("live", [-1, 2, 18])
def test_a_grace_that_could_go_on_for_ever_or_misses_a_player_is_refused(live: int) -> None:
    with pytest.raises(ValueError, match=f"first live ply from 3 to 17: {live}"):
        house(players=3, live=live)


def test_a_turn_limit_is_not_in_the_grace() -> None:
    assert house(live=5, turn_limit=5).turn_limit == 5
    with pytest.raises(ValueError, match="turn limit of at least 5: 4"):
        house(live=5, turn_limit=4)


def test_the_grace_ends_with_the_first_live_ply() -> None:
    assert [CRITICAL_MASS.is_live(ply) for ply in (1, 7, 8, 9)] == [False, False, True, True]
    assert [CODINGAME.is_live(ply) for ply in (1, 2)] == [False, True]
    assert [classic(players=5).is_live(ply) for ply in (4, 5)] == [False, True]


@pytest.mark.parametrize(
    ("rules", "longest"),
    [
        (CRITICAL_MASS, 85),
        (CODINGAME, 200),
        (classic(6, 9), 133),
        (classic(16, 16), 705),
        (classic(16, 16, 8), 705),
        (classic(3, 3), 16),
        (house(turn_limit=22), 22),
        (house(turn_limit=23), 23),
        (house(turn_limit=24), 23),
        (house(keeps_surplus=False, turn_limit=24), 24),
    ],
)
def test_the_longest_match_is_the_contracts(rules: Rules, longest: int) -> None:
    assert rules.longest == longest


def test_every_fault_has_the_contracts_word() -> None:
    faults = {
        name: kind.code
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, Fault) and hasattr(kind, "code")
    }
    assert faults == CODES


def test_a_fault_of_the_rules_is_at_no_ply() -> None:
    with pytest.raises(RulesFault) as caught:
        classic(2, 2)
    assert caught.value.ply is None


def test_every_fault_is_a_value_error() -> None:
    assert issubclass(Fault, ValueError)
