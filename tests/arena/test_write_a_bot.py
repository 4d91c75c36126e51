"""The bots of docs/write-a-bot.md: complete, better than random, and what the page says is so."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from critmass.arena.bot import Bot
from critmass.arena.game import Ending
from critmass.arena.records import to_json
from critmass.arena.referee import play_game
from critmass.arena.schedule import Pairing, Schedule
from critmass.arena.workers import play_all
from critmass.cli import main

from .bots import PATIENT, plain

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "write-a-bot.md").read_text("utf-8")
SOURCES = sorted((DOCS / "bots").iterdir())


def command(source: Path, folder: Path) -> str:
    """The command line of one of the bots, which is built if it has to be."""
    if source.suffix == ".py":
        return shlex.join([sys.executable, str(source)])
    if source.suffix == ".js":
        return shlex.join(["node", str(source)])
    built = folder / source.stem
    warnings = ("-Wall", "-Wextra", "-Werror")
    subprocess.run(["g++", "-std=c++17", "-O2", *warnings, "-o", built, source], check=True)
    return shlex.quote(str(built))


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Bot]:
    folder = tmp_path_factory.mktemp("bots")
    return {source.suffix: Bot(source.suffix, command(source, folder)) for source in SOURCES}


def test_there_is_one_in_each_language() -> None:
    assert [source.name for source in SOURCES] == ["greedy_bot.cpp", "greedy_bot.js", "greedy_bot.py"]
    for name in ("node", "g++"):
        assert shutil.which(name), f"{name} is missing: tests/setup installs it"


@pytest.mark.parametrize("suffix", [".cpp", ".js", ".py"])
def test_it_is_better_than_random(bots: dict[str, Bot], suffix: str) -> None:
    games = list(play_all(Schedule((bots[suffix], plain("random")), 10), PATIENT))
    assert not any(game.ending.is_fault for game in games), [game.detail for game in games]
    assert sum(game.bots[(game.winner or 1) - 1] == suffix for game in games) >= 8


@pytest.mark.parametrize("seed", range(2))
def test_all_of_them_play_the_same(bots: dict[str, Bot], seed: int) -> None:
    *_, pairing = Schedule((plain("last"), plain("last")), 2, openings=6, seed=seed)
    games = {play_game(Pairing(1, (bot, bot), pairing.opening), PATIENT).moves for bot in bots.values()}
    assert len(games) == 1


def test_the_page_has_the_python_one_in_full() -> None:
    assert f"```python\n{(DOCS / 'bots/greedy_bot.py').read_text('utf-8')}```" in PAGE


def test_the_page_links_to_files_that_exist() -> None:
    links = re.findall(r"\]\((?!https?:)([^)]+)\)", PAGE)
    assert {"bots/greedy_bot.py", "bots/greedy_bot.js", "bots/greedy_bot.cpp"} <= set(links)
    assert [link for link in links if not (DOCS / link).exists()] == []


def test_the_page_names_every_ending_and_field() -> None:
    words = set(re.findall(r"`([a-z-]+)`", PAGE))
    assert {ending.value for ending in Ending} <= words
    game = play_game(Pairing(1, (plain("random"), plain("random"))), PATIENT)
    assert set(to_json(game)) <= words


def test_the_options_on_the_page_exist() -> None:
    told = "".join(CliRunner().invoke(main, [name, "--help"]).stdout for name in ("arena", "referee"))
    mentioned = set(re.findall(r"`?(--[a-z][a-z-]+)", PAGE))
    assert mentioned
    assert {option for option in mentioned if option not in told} == set()
