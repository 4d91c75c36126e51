"""What the tables say."""

import math

import pytest

from critmass.arena.game import Ending, Game
from critmass.arena.standings import Standings
from critmass.arena.stats import Sprt
from critmass.arena.table import ENDINGS, percent, signed, sprt_text, table_text, tables


def game(first: str, second: str, winner: int | None, ending: Ending, times: tuple[float, ...] = ()) -> Game:
    return Game(1, (first, second), "", 0, winner, ending, "", times, ("",) * len(times), ("", ""))


def standings(*games: Game) -> Standings:
    found = Standings(sorted({name for it in games for name in it.bots}))
    for it in games:
        found.add(it)
    return found


def shown(found: Standings, title: str) -> list[dict[str, str]]:
    """The rows of the table of that title, by column."""
    (table,) = (table for table in tables(found) if table.title == title)
    return [dict(zip(table.header, row, strict=True)) for row in table.rows]


def test_every_ending_has_a_name_of_its_own() -> None:
    assert set(ENDINGS) == set(Ending)
    assert len(set(ENDINGS.values())) == len(Ending)


def test_a_draw_and_a_loss_on_time_never_look_alike() -> None:
    drawn = game("A", "B", None, Ending.TURN_LIMIT)
    late = game("A", "B", 2, Ending.TOO_LATE)
    (a, b) = shown(standings(drawn, late), "How the games ended")
    assert (a["Drawn"], a["Lost: too late"]) == ("1", "1")
    assert (b["Drawn"], b["Won: other's fault"], b["Lost: too late"]) == ("1", "1", "0")
    (a, _) = shown(standings(drawn, late), "Score")
    assert (a["Won"], a["Drawn"], a["Lost"], a["Score"]) == ("0", "1", "1", "25.0 %")


def test_scores_are_told_as_first_and_as_second_player() -> None:
    games = [game("A", "B", 1, Ending.CUT), game("B", "A", None, Ending.TURN_LIMIT), game("A", "B", 2, Ending.WIPED)]
    (a, b) = shown(standings(*games), "Score")
    assert (a["First: + = −"], a["Second: + = −"]) == ("1 0 1", "0 1 0")
    assert (b["First: + = −"], b["Second: + = −"]) == ("0 1 0", "1 0 1")


def test_times_leave_the_start_up_aside() -> None:
    found = standings(game("A", "B", 1, Ending.CUT, (500.0, 40.0, 2.0, 3.0, 4.0)))
    assert shown(found, "Time per move") == [
        {"Bot": "A", "Mean": "3.00 ms", "Worst": "4.00 ms", "Worst first turn": "500.00 ms"},
        {"Bot": "B", "Mean": "3.00 ms", "Worst": "3.00 ms", "Worst first turn": "40.00 ms"},
    ]


def test_only_more_than_two_bots_are_rated() -> None:
    two = standings(game("A", "B", 1, Ending.CUT))
    three = standings(game("A", "B", 1, Ending.CUT), game("B", "C", 1, Ending.CUT))
    assert "Ratings" not in [table.title for table in tables(two)]
    assert [row["Bot"] for row in shown(three, "Ratings")] == ["A", "B", "C"]
    cross = shown(three, "Points against each other")
    assert cross[0] == {"Bot": "1 A", "1": "–", "2": "1/1", "3": "–"}


def test_a_test_is_told() -> None:
    found = standings(*[game("A", "B", 1, Ending.CUT), game("B", "A", 2, Ending.CUT)] * 30)
    assert sprt_text(Sprt(-2.5, 100), found).startswith("SPRT −2.5 against +100 Elo to B: A is +100 Elo or more. LLR ")
    assert "undecided" in sprt_text(Sprt(0, 1), found)


def test_columns_are_aligned() -> None:
    for table in tables(standings(game("A", "a long name", 1, Ending.CUT), game("C", "A", 1, Ending.WIPED))):
        title, *lines = table_text(table).split("\n")
        assert title == table.title
        assert len({len(line) for line in lines[: 1 + len(table.rows)]}) == 1


@pytest.mark.parametrize(
    ("elo", "text"), [(0, "0"), (-0.4, "0"), (12.5, "+12"), (-7.6, "−8"), (math.inf, "+∞"), (-math.inf, "−∞")]
)
def test_differences_have_their_sign(elo: float, text: str) -> None:
    assert signed(elo) == text


def test_shares_are_per_cent() -> None:
    assert percent(2 / 3) == "66.7 %"
