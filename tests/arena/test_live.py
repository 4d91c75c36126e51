"""The page of a running tournament: what it shows, that it fills up, and that nothing of it is left behind."""

import json
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from critmass.arena.bot import Limits
from critmass.arena.game import Ending, Game
from critmass.arena.records import Record, settings, to_json
from critmass.arena.schedule import Schedule
from critmass.arena.tournament import Tournament
from critmass.engine import CODINGAME, Match
from critmass.links.names import MAX_NAME
from critmass.web.http.server import listen
from critmass.web.tournament.live import PAGE, Feed, make_app, names_for_seats

from .bots import PATIENT, command, plain

MOVES = "0z0"
PART = {"HX-Request": "true"}


def game(number: int, ending: Ending = Ending.TOO_LATE, message: str = "") -> Game:
    """A game between two bots that take turns at moving first; the first player lost it by a fault."""
    bots = ("Ada", "Bo") if number % 2 else ("Bo", "Ada")
    times, messages = (700.5, 20.25, 3.0, 101.5), (message, "", "hm", "")
    return Game(number, bots, MOVES, 0, 2, ending, "late by a bit", times, messages, ("<i>err</i>\n", ""))


class Growing:
    """A record that is written game by game, and the page of its tournament."""

    def __init__(self, path: Path, total: int) -> None:
        self.path = path
        names = (plain("first"), plain("last"))
        header = settings(Schedule(names, total), Limits())
        header["bots"] = [{**bot, "name": name} for bot, name in zip(header["bots"], ("Ada", "Bo"), strict=True)]
        self.write(json.dumps(header) + "\n")
        self.client: FlaskClient = make_app(Feed(path, total)).test_client()

    def write(self, text: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text)

    def add(self, *games: Game) -> None:
        self.write("".join(json.dumps(to_json(it)) + "\n" for it in games))

    def listed(self, query: str = "", **headers: str) -> list[int]:
        answer = self.client.get(f"/arena/{query}", headers=headers)
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-store"
        return [int(number) for number in re.findall(r'<th scope="row"><a href="/arena/(\d+)">', answer.text)]


@pytest.fixture
def growing(tmp_path: Path) -> Growing:
    return Growing(tmp_path / "games.jsonl", 300)


def test_a_tournament_that_has_not_begun_has_a_page(growing: Growing) -> None:
    assert growing.listed() == []
    told = growing.client.get("/arena/").text
    assert "0 of 300 games" in told
    assert 'hx-get="/arena/?after=0"' in told


def test_a_tournament_that_has_no_record_yet_has_a_page(tmp_path: Path) -> None:
    client = make_app(Feed(tmp_path / "none.jsonl", 10)).test_client()
    assert "0 of 10 games" in client.get("/arena/").text
    assert client.get("/arena/1").status_code == 404


def test_the_list_fills_up_by_what_is_new(growing: Growing) -> None:
    growing.add(game(1), game(2))
    assert growing.listed() == [2, 1]
    growing.add(game(3))
    news = growing.client.get("/arena/?after=2", headers=PART)
    assert growing.listed("?after=2", **PART) == [3]
    assert "<html" not in news.text
    assert "HX-Request" in news.vary
    assert "3 of 300 games" in news.text
    assert 'hx-get="/arena/?after=3"' in news.text
    assert growing.listed("?after=3", **PART) == []
    assert growing.listed() == [3, 2, 1]


def test_half_a_line_waits_for_its_other_half(growing: Growing) -> None:
    line = json.dumps(to_json(game(1))) + "\n"
    growing.write(line[:40])
    assert growing.listed() == []
    growing.write(line[40:])
    assert growing.listed() == [1]


def test_games_are_shown_by_how_they_ended(growing: Growing) -> None:
    endings = list(Ending)
    growing.add(*(game(number, endings[number % len(endings)]) for number in range(1, 91)))
    for index, ending in enumerate(endings):
        assert growing.listed(f"?ending={ending.value}") == [
            it for it in range(90, 0, -1) if it % len(endings) == index
        ]
    told = growing.client.get("/arena/?ending=crashed").text
    assert 'hx-get="/arena/?after=90&amp;ending=crashed"' in told
    assert '<a href="/arena/?ending=crashed" aria-current="true">Crashed 10</a>' in told
    assert len(growing.listed("?ending=nonsense")) == 90


def test_a_long_list_has_pages(growing: Growing) -> None:
    growing.add(*map(game, range(1, 251)))
    assert growing.listed() == list(range(250, 150, -1))
    told = growing.client.get("/arena/").text
    assert '<a href="?before=151">Earlier games</a>' in told
    assert growing.listed("?before=151") == list(range(150, 50, -1))
    assert growing.listed("?before=51") == list(range(50, 0, -1))
    assert PAGE == 100


def test_it_asks_no_more_when_all_are_played(tmp_path: Path) -> None:
    short = Growing(tmp_path / "games.jsonl", 2)
    short.add(game(1), game(2))
    told = short.client.get("/arena/").text
    assert "2 of 2 games, all played" in told
    assert "hx-trigger" not in told


def test_a_game_is_replayed_beside_what_was_said(growing: Growing) -> None:
    growing.add(game(1, message="<b>mine</b> & all"))
    answer = growing.client.get("/arena/1")
    told = answer.text
    assert f'src="/codingame/{MOVES}?names=Ada,Bo&amp;embed=1&amp;at=3"' in told
    assert [int(at) for at in re.findall(r'at=(\d)" target="board"', told)] == [1, 2, 3]
    assert "&lt;b&gt;mine&lt;/b&gt; &amp; all" in told
    assert "&lt;i&gt;err&lt;/i&gt;" in told
    assert "<b>mine" not in told
    assert all(time in told for time in ("700.5", "20.2", "3.0", "101.5"))
    assert "late by a bit" in told
    assert "frame-src 'self'" in answer.headers["Content-Security-Policy"]
    assert growing.client.get(f"/codingame/{MOVES}?names=Ada,Bo&embed=1&at=3").status_code == 200


@pytest.mark.parametrize("names", [("x" * 40, "y"), ("a,b", "c"), ("Bo!", "."), ("<b>", "\u202e")])
def test_bots_of_any_name_have_a_replay(growing: Growing, names: tuple[str, str]) -> None:
    growing.write(json.dumps({**to_json(game(1)), "first": "Ada", "second": "Bo"}) + "\n")
    feed: Feed = growing.client.application.extensions["feed"]
    feed.game = lambda number: replace(game(number), bots=names)  # type: ignore[method-assign]
    source = re.search(r'src="(/codingame/[^"]*)"', growing.client.get("/arena/1").text)
    assert source
    assert growing.client.get(unescape(source[1])).status_code in (200, 308)


LONG = "python3 my_bot.py --depth "


@pytest.mark.parametrize(
    "names",
    [
        (f"{LONG}1", f"{LONG}2"),
        (f"{LONG}1 --fast", f"{LONG}22 --fast"),
        (LONG + "1", LONG + "11"),
        ("x" * 16, "x" * 17),
        ("x" * 40, "x" * 41),
        ("x" * 20 + "1" + "y" * 20, "x" * 20 + "2" + "y" * 20),
        ("x" * 15 + "…", "x" * 15 + "yz"),
        ("a,b", "a b"),
        (",", " , "),
    ],
)
def test_two_bots_have_two_names_in_a_replay(names: tuple[str, str]) -> None:
    first, second = names_for_seats(names)
    assert first != second
    assert all(0 < len(name) <= MAX_NAME for name in (first, second))
    assert names_for_seats(names[::-1]) == (second, first)


def test_short_names_stay_as_they_are() -> None:
    assert names_for_seats(("Ada", "Bo")) == ("Ada", "Bo")
    assert names_for_seats(("x" * 16, "Bo")) == ("x" * 16, "Bo")
    assert names_for_seats((f"{LONG}1", f"{LONG}2")) == ("python3…-depth 1", "python3…-depth 2")


# Numbers with gaps, and in another order than the games were written


def opened(client: FlaskClient, number: int) -> str | None:
    """The match that a game's page replays; `None` where there is none."""
    answer = client.get(f"/arena/{number}")
    if answer.status_code == 404:
        return None
    assert f"<h1>Game {number}: " in answer.text
    link = re.search(r'src="(/codingame/[^?]*)', answer.text)
    assert link
    return link[1]


@pytest.mark.parametrize("lengths", [[1], [3], [1, 2], [1, 4], [3, 5]])
def test_each_number_opens_its_own_game(tmp_path: Path, lengths: list[int]) -> None:
    """With three bots and an odd number of games there are gaps, which a longer run fills afterwards."""
    bots = (plain("random"), plain("first"), plain("last"))
    path = tmp_path / "games.jsonl"
    for length in lengths:
        schedule = Schedule(bots, length, openings=4)
        with Record(path, schedule, PATIENT) as record:
            played = [*Tournament(schedule, PATIENT, record).games(jobs=2)]
    links = {it.number: it.link for it in played}
    assert [*links] != [*range(1, len(links) + 1)]
    feed = Feed(path, len(schedule))
    client = make_app(feed).test_client()
    listed = [int(it) for it in re.findall(r'<th scope="row"><a href="/arena/(\d+)">', client.get("/arena/").text)]
    assert listed == [*links][::-1]
    assert {number: opened(client, number) for number in range(max(links) + 2)} == {
        number: links.get(number) for number in range(max(links) + 2)
    }
    ordered = sorted(links)
    for number, before, after in zip(ordered, [None, *ordered], [*ordered[1:], None], strict=False):
        nav = client.get(f"/arena/{number}").text.partition('class="between"')[2]
        assert re.findall(r'href="/arena/(\d+)"', nav) == [str(it) for it in (before, after) if it]


def test_pages_of_a_list_leave_out_no_game_whatever_its_number(growing: Growing) -> None:
    numbers = [*range(1, 300, 2), *range(2, 300, 2)]
    growing.add(*map(game, numbers[:250]))
    seen: list[int] = []
    query = ""
    while True:
        seen += growing.listed(query)
        earlier = re.search(r'href="(\?before=\d+)">Earlier', growing.client.get(f"/arena/{query}").text)
        if not earlier:
            break
        query = earlier[1]
    assert seen == numbers[:250][::-1]
    growing.add(*map(game, numbers[250:260]))
    assert growing.listed("?after=250", **PART) == numbers[250:260][::-1]


def test_a_game_that_nobody_played_breaks_no_page(growing: Growing) -> None:
    for wrong in ({"link": "/codingame/00"}, {"messages": []}, {"times": []}):
        growing.write(json.dumps({**to_json(game(1)), **wrong}) + "\n")
        assert growing.client.get("/arena/1").status_code == 200
        assert growing.client.get("/arena/").status_code == 200


@pytest.mark.parametrize("path", ["/arena/0", "/arena/2", "/arena/999999999999", "/arena/x", "/arena/-1"])
def test_a_game_that_is_not_there_is_not_found(growing: Growing, path: str) -> None:
    growing.add(game(1))
    assert growing.client.get(path).status_code == 404


@pytest.mark.parametrize("query", ["?after=-5", "?after=x", "?before=0", "?before=-1", "?after=999", "?ending=%00"])
def test_nothing_that_is_asked_for_breaks_it(growing: Growing, query: str) -> None:
    growing.add(game(1), game(2))
    assert growing.client.get(f"/arena/{query}").status_code == 200
    assert growing.client.get(f"/arena/{query}", headers=PART).status_code == 200


# The real thing: a tournament of real bots, and its page


@contextmanager
def arena(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    patient = ("--first-ms", "20000", "--later-ms", "10000", "--serve", "--port", "0")
    call = [sys.executable, "-m", "critmass", "arena", command("plain.py", "random"), command("plain.py", "first")]
    with subprocess.Popen(
        [*call, *patient, *arguments], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as it:
        try:
            assert it.stderr is not None
            yield it, it.stderr.readline().split()[-1]
        finally:
            it.kill()


def until(done: Callable[[], object], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def fetch(url: str) -> str:
    """The page; empty while nobody answers."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            text: str = answer.read().decode()
            return text
    except (urllib.error.URLError, ConnectionError):
        return ""


def test_a_tournament_is_shown_until_it_is_stopped(tmp_path: Path) -> None:
    with arena("--games", "6", "--out", str(tmp_path / "games.jsonl")) as (process, url):
        until(lambda: "6 of 6 games, all played" in fetch(url))
        link = re.search(r'src="(/codingame/[^?]*)', fetch(f"{url}2"))
        assert link
        assert Match.read(CODINGAME, link[1].removeprefix("/codingame/")).outcome
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0
        assert "Score" in out
        assert "Fatal" not in err
        until(lambda: not fetch(url))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_page_ends_with_its_tournament(tmp_path: Path, how: signal.Signals) -> None:
    with arena("--games", "100000", "--out", str(tmp_path / "games.jsonl")) as (process, url):
        until(lambda: re.search(r"[1-9]\d* of 100000 games", fetch(url)))
        process.send_signal(how)
        process.communicate(timeout=60)
        assert process.returncode == (130 if how != signal.SIGKILL else -signal.SIGKILL)
        until(lambda: not fetch(url))


def can_listen(host: str) -> bool:
    try:
        listen(host, 0).close()
    except OSError:
        return False
    return True


HOSTS = {
    "127.0.0.1": "127.0.0.1",
    "localhost": "127.0.0.1",
    "127.0.0.2": "127.0.0.2",
    "0.0.0.0": "127.0.0.1",
    **({"::1": "[::1]", "[::1]": "[::1]", "::": "[::1]"} if can_listen("::1") else {}),
}


@pytest.mark.parametrize("host", HOSTS)
def test_the_page_listens_where_it_is_told_to(host: str) -> None:
    with arena("--games", "2", "--host", host) as (process, url):
        assert url.startswith(f"http://{HOSTS[host]}:")
        until(lambda: "2 of 2 games, all played" in fetch(url))
        # A page is called by others as they reach it, where they can; on loopback a forged name leaves no trace.
        site = url.removesuffix("/arena/")
        port = site.rpartition(":")[2]
        open_to_all = host in ("0.0.0.0", "::")
        for name in ("box.example", "192.0.2.1", "[fd00::2]"):
            asked = urllib.request.Request(f"{site}/codingame/0z7c", headers={"Host": f"{name}:{port}"})
            with urllib.request.urlopen(asked, timeout=10) as answer:
                told = f'property="og:url" content="http://{name}:{port}/codingame/0z7c"' in answer.read().decode()
            assert told == open_to_all, name
        process.send_signal(signal.SIGTERM)
        assert process.stderr is not None
        assert ("Other machines" in process.stderr.read()) == open_to_all


@pytest.mark.parametrize("host", ["192.0.2.77", "no-such-host.invalid", "::1::", "a b"])
def test_an_address_that_is_not_here_is_told_before_any_game(host: str) -> None:
    call = [sys.executable, "-m", "critmass", "arena", "true", "true", "--serve", "--host", host]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"cannot be shown at {host}" in done.stderr
    assert "--host" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken_is_told_before_any_game() -> None:
    with arena("--games", "2") as (_, url):
        port = url.split(":")[2].partition("/")[0]
        call = [sys.executable, "-m", "critmass", "arena", "true", "true", "--serve", "--port", port]
        other = subprocess.run(call, capture_output=True, text=True, check=False)
        assert other.returncode == 1
        assert "--port" in other.stderr
        assert other.stdout == ""
