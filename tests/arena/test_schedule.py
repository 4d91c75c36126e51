"""Which games are played, and from which openings."""

import pytest

from critmass.arena.bot import Bot, NoSuchCommand, enter
from critmass.arena.schedule import Schedule
from critmass.engine import CODINGAME, Match

BOTS = tuple(Bot(name, name) for name in "ABCD")


def seats(schedule: Schedule) -> list[str]:
    return ["".join(bot.name for bot in pairing.bots) for pairing in schedule]


@pytest.mark.parametrize(
    ("bots", "games", "gauntlet", "expected"),
    [
        (2, 4, False, "AB BA AB BA"),
        (2, 1, False, "AB"),
        (2, 3, False, "AB BA AB"),
        (3, 2, False, "AB BA AC CA BC CB"),
        (3, 3, False, "AB BA AC CA BC CB AB AC BC"),
        (4, 2, True, "AB BA AC CA AD DA"),
    ],
)
def test_sides_are_swapped_every_game(bots: int, games: int, gauntlet: bool, expected: str) -> None:
    schedule = Schedule(BOTS[:bots], games, gauntlet=gauntlet)
    assert seats(schedule) == expected.split()
    assert len(schedule) == len(seats(schedule))


def test_both_sides_play_an_opening_and_each_round_has_another() -> None:
    pairings = list(Schedule(BOTS[:3], 20, openings=5, seed=3))
    rounds = [{pairing.opening for pairing in pairings[start : start + 6]} for start in range(0, 60, 6)]
    assert {len(openings) for openings in rounds} == {1}
    assert len(set.union(*rounds)) == 10
    for pairing in pairings:
        match = Match.replay(CODINGAME, pairing.opening)
        assert len(match.plies) == 5
        assert match.outcome is None


@pytest.mark.parametrize("openings", [0, 1, 30])
def test_the_same_seed_gives_the_same_games(openings: int) -> None:
    one, same, other = (list(Schedule(BOTS, 4, openings, seed)) for seed in (1, 1, 2))
    assert one == same
    assert one != other


@pytest.mark.parametrize("bots", [2, 3])
@pytest.mark.parametrize("games", [1, 2, 5, 6])
def test_a_longer_tournament_begins_like_the_shorter_one(bots: int, games: int) -> None:
    short = {pairing.number: pairing for pairing in Schedule(BOTS[:bots], games, 2)}
    long = {pairing.number: pairing for pairing in Schedule(BOTS[:bots], games + 3, 2)}
    assert len(long) == (games + 3) * bots * (bots - 1) // 2
    assert short.items() <= long.items()


def test_every_bot_has_a_name_of_its_own() -> None:
    bots = enter(["/bin/cat -u", "cat", "cat", "true", "sh -c 'a very long line of words to be cut'"], ["first"])
    assert [bot.name for bot in bots] == ["first", "cat #2", "cat #3", "true", "sh -c 'a very long line of word…"]
    assert [bot.name for bot in enter(["true", "true"], ["same", "same"])] == ["same #1", "same #2"]


@pytest.mark.parametrize("command", ["", "  ", "./no-such-bot", "no-such-bot --fast", "true 'unclosed", "/etc/passwd"])
def test_a_command_that_cannot_be_started_is_refused(command: str) -> None:
    with pytest.raises(NoSuchCommand):
        enter(["true", command])
    assert len(enter(["true", command], shell=True)) == 2
