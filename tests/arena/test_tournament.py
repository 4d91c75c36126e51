"""Tournaments: the same whatever interrupts them, and how many games are played at a time."""

import itertools
import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from critmass.arena.bot import Bot, Limits
from critmass.arena.csv_file import csv_row, write_csv
from critmass.arena.game import Ending, Game
from critmass.arena.ratings import ratings
from critmass.arena.records import BadRecord, Record, from_json, read_records, to_json
from critmass.arena.schedule import Pairing, Schedule
from critmass.arena.standings import Standings
from critmass.arena.stats import Score, Sprt
from critmass.arena.tournament import Tournament
from critmass.arena.workers import RefereeDied, play_all
from critmass.engine import CODINGAME, Match

from .bots import PATIENT, evil, plain

BOTS = (plain("first"), plain("last"), plain("random"))
SCHEDULE = Schedule(BOTS, 6, openings=3, seed=11)


def untimed(game: Game) -> Game:
    return replace(game, times=())


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return list(Tournament(SCHEDULE, PATIENT).games(jobs=1))


def test_every_game_is_played_in_order(games: list[Game]) -> None:
    assert [game.number for game in games] == [pairing.number for pairing in SCHEDULE]
    assert [game.bots for game in games] == [tuple(bot.name for bot in pairing.bots) for pairing in SCHEDULE]
    assert len({game.moves for game in games}) > 12


def test_every_link_leads_to_the_same_end(games: list[Game]) -> None:
    for game in games:
        match = Match.read(CODINGAME, game.moves)
        assert match.outcome
        assert (match.outcome.winner, match.outcome.reason) == (game.winner, game.ending.value)
        assert len(game.times) == len(game.messages) == game.plies - game.opening
        assert game.opening == 3


def test_the_games_are_the_same_however_many_at_a_time(games: list[Game]) -> None:
    parallel = list(Tournament(SCHEDULE, PATIENT).games(jobs=2))
    assert list(map(untimed, parallel)) == list(map(untimed, games))


def test_a_tournament_that_was_stopped_goes_on_where_it_was(games: list[Game], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with (
        Record(path, SCHEDULE, PATIENT) as record,
        closing(Tournament(SCHEDULE, PATIENT, record).games(jobs=2)) as played,
    ):
        first = list(itertools.islice(played, 5))
    assert list(read_records(path)) == first
    # Half a line is what a run that was killed leaves.
    with path.open("a", encoding="utf-8") as file:
        file.write('{"number": 6, "first": "ü')
    with Record(path, SCHEDULE, PATIENT) as record:
        resumed = list(Tournament(SCHEDULE, PATIENT, record).games(jobs=1))
    assert resumed[:5] == first
    assert list(map(untimed, resumed)) == list(map(untimed, games))
    assert list(read_records(path)) == resumed


def test_a_tournament_can_be_made_longer(games: list[Game], tmp_path: Path) -> None:
    for length in (2, 6):
        schedule = replace(SCHEDULE, games=length)
        with Record(tmp_path / "games.jsonl", schedule, PATIENT) as record:
            played = list(Tournament(schedule, PATIENT, record).games(jobs=1))
    assert list(map(untimed, played)) == list(map(untimed, games))


def record_of(path: Path, schedule: Schedule = SCHEDULE, limits: Limits = PATIENT) -> None:
    with Record(path, schedule, limits) as record:
        Tournament(schedule, limits, record)


@pytest.mark.parametrize(
    ("schedule", "limits", "words"),
    [
        (replace(SCHEDULE, seed=12), PATIENT, "seed 11"),
        (replace(SCHEDULE, openings=0), PATIENT, "openings 3"),
        (replace(SCHEDULE, gauntlet=True), PATIENT, "gauntlet false"),
        (replace(SCHEDULE, bots=BOTS[::-1]), PATIENT, "bots "),
        (SCHEDULE, Limits(), "limits "),
    ],
)
def test_a_record_of_another_tournament_is_refused(
    tmp_path: Path, schedule: Schedule, limits: Limits, words: str
) -> None:
    path = tmp_path / "games.jsonl"
    record_of(path)
    before = path.read_bytes()
    with pytest.raises(BadRecord, match=words):
        record_of(path, schedule, limits)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", ["hello\n", "[]\n", "{}\n", "null\n", '{"arena": 2}\n'])
def test_a_file_that_is_no_record_is_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(content, "utf-8")
    with pytest.raises(BadRecord):
        record_of(path)
    assert path.read_text("utf-8") == content


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record_of(path)
    with path.open("a", encoding="utf-8") as file:
        file.write("{}\n")
    with pytest.raises(BadRecord, match="line 2"):
        record_of(path)


def test_two_runs_do_not_write_one_record(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with Record(path, SCHEDULE, PATIENT), pytest.raises(BadRecord, match="another run"):
        record_of(path)


def test_a_record_with_more_games_is_refused(games: list[Game], tmp_path: Path) -> None:
    short = replace(SCHEDULE, games=1)
    with Record(tmp_path / "games.jsonl", SCHEDULE, PATIENT) as record:
        for game in games:
            record.add(game)
    with pytest.raises(BadRecord, match="at most 3 games in the record: 18"):
        record_of(tmp_path / "games.jsonl", short)


def test_a_game_is_written_and_read_back(games: list[Game]) -> None:
    told = replace(games[0], messages=("a\nb", "ü\u2028 <b>"), stderr=("\x1b[31m", ""), detail='"')
    for game in (*games, told, replace(told, winner=None, ending=Ending.TURN_LIMIT)):
        line = json.dumps(to_json(game))
        assert "\n" not in line
        assert from_json(json.loads(line)) == game


def test_a_csv_file_has_a_row_a_game(games: list[Game], tmp_path: Path) -> None:
    with (tmp_path / "games.csv").open("wb") as file:
        write_csv(file, iter(games))
    header, *rows = (tmp_path / "games.csv").read_text("utf-8-sig").split("\n")[: 1 + len(games)]
    assert header.startswith("number,first,second,link,opening,winner,ending")
    assert rows[0].startswith("1,first,last,/codingame/")
    assert all(len(csv_row(game)) == len(header.split(",")) for game in games)


def test_standings_add_up(games: list[Game]) -> None:
    standings = Standings(bot.name for bot in BOTS)
    for game in games:
        standings.add(game)
    rows = standings.rows.values()
    assert sum(row.score.points for row in rows) == len(games) == standings.games
    assert [row.score.games for row in rows] == [12, 12, 12]
    assert [row.first.games for row in rows] == [6, 6, 6]
    for row in rows:
        meetings = [standings.meeting(row.name, other) for other in standings.rows]
        assert sum(meetings, Score()) == row.score
        assert row.won.total() + row.lost.total() + row.draws == row.score.games
        assert 0 < row.mean_ms <= row.worst_ms
    assert sum(standings.pairs("first", "last")) == 3
    assert standings.pairs("first", "last") == standings.pairs("last", "first")[::-1]


def result(number: int, bots: tuple[str, str], winner: int | None) -> Game:
    ending = Ending.WIPED if winner else Ending.TURN_LIMIT
    return Game(number, bots, "", 0, winner, ending, "", (), (), ("", ""))


def standings_of(wins: dict[tuple[str, str], int]) -> Standings:
    names = sorted({name for names in wins for name in names})
    standings = Standings(names)
    for bots, count in wins.items():
        for _ in range(count):
            standings.add(result(1, bots, 1))
    return standings


def test_ratings_are_those_of_bradley_and_terry() -> None:
    """With two bots the difference is Elo's, less what the one draw more takes from it."""
    rated = ratings(standings_of({("A", "B"): 299, ("B", "A"): 99}))
    assert [rating.name for rating in rated] == ["A", "B"]
    score = (299 + 0.5) / 399
    assert rated[0].elo - rated[1].elo == pytest.approx(Score(599, 0, 199).elo, abs=0.5)
    assert sum(rating.elo for rating in rated) == pytest.approx(0, abs=1e-6)
    # The error of a difference d of two is 1.96 · 400 / ln 10 / √(n p (1 − p)), and half of that is each one's.
    expected = 1.96 * 173.72 / (399 * score * (1 - score)) ** 0.5 / 2
    assert rated[0].error == pytest.approx(expected, rel=0.01)


def test_ratings_do_not_depend_on_the_order_of_games(games: list[Game]) -> None:
    one, other = (Standings(bot.name for bot in BOTS) for _ in range(2))
    for game, last in zip(games, reversed(games), strict=True):
        one.add(game)
        other.add(last)
    for rating, same in zip(ratings(one), ratings(other), strict=True):
        assert rating.name == same.name
        assert rating.elo == pytest.approx(same.elo, abs=1e-6)


def test_a_bot_that_always_wins_has_a_finite_rating() -> None:
    rated = ratings(standings_of({("A", "B"): 20, ("B", "C"): 20}))
    assert [rating.name for rating in rated] == ["A", "B", "C"]
    assert 300 < rated[0].elo < 2000


def test_a_test_ends_the_tournament(tmp_path: Path) -> None:
    schedule = Schedule((plain("random"), Bot("none", "true")), 1000)
    for _ in range(2):
        with Record(tmp_path / "games.jsonl", schedule, PATIENT) as record:
            tournament = Tournament(schedule, PATIENT, record, Sprt(0, 100))
            games = list(tournament.games(jobs=2))
        assert tournament.proven == 100
        assert 10 < len(games) < 100
        assert tournament.pairs == [0, 0, 0, 0, len(games) // 2]


def test_a_referee_that_was_killed_is_replaced() -> None:
    good = plain("random")
    pairings = [Pairing(1, (good, good)), Pairing(2, (good, evil("kill_parent"))), Pairing(3, (good, good))]
    played = play_all(pairings, PATIENT)
    assert next(played).number == 1
    with pytest.raises(RefereeDied, match="game 2, random against kill_parent"):
        next(played)
