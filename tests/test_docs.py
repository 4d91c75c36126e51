"""What README.md and CHANGELOG.md say is so."""

import doctest
import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from critmass import __version__
from critmass.cli import main
from critmass.links import OPTIONS
from critmass.web import create_app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
DEPLOY = (ROOT / "docs/deploy.md").read_text("utf-8")
COMMANDS = re.findall(r"^critmass (.+)$", README, re.MULTILINE)


def command_of(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command that some words of a command line lead to, and the words left over."""
    command: click.Command = main
    while isinstance(command, click.Group) and words:
        command, words = command.commands[words[0]], words[1:]
    return command, words


def options_of(command: click.Command) -> set[str]:
    return {option for parameter in command.params for option in parameter.opts if option.startswith("--")}


def variables_of(command: click.Command) -> set[object]:
    return {parameter.envvar for parameter in command.params if parameter.envvar}


def test_its_examples_in_python_work() -> None:
    done = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert done.attempted > 3
    assert done.failed == 0


def test_there_are_commands() -> None:
    assert {command.split()[0] for command in COMMANDS} == set(main.commands)


@pytest.mark.parametrize("line", COMMANDS)
def test_its_commands_exist(line: str) -> None:
    command, rest = command_of(shlex.split(line))
    given = {word for word in rest if word.startswith("--")}
    assert given <= options_of(command)
    if command.name == "show":
        done = CliRunner().invoke(main, shlex.split(line))
        assert done.exit_code == 0, done.output


def test_its_options_exist() -> None:
    mentioned = set(re.findall(r"`(--[a-z-]+)", README)) - {"--help"}
    assert {"--base-url"} <= mentioned <= options_of(main.commands["serve"])
    variables = set(re.findall(r"`([A-Z]+_[A-Z_]+)`", README))
    assert {"CRITMASS_BASE_URL"} <= variables <= variables_of(main.commands["serve"])


def test_every_setting_of_the_server_is_documented_and_no_other() -> None:
    """A row of the table in docs/deploy.md has the option, its variable, what it is without, and what it does."""
    rows = re.findall(r"^\| `(--[a-z-]+)` \| `(CRITMASS_[A-Z_]+)` \| (.*?) \| .{20,} \|$", DEPLOY, re.MULTILINE)
    serve = main.commands["serve"]
    settings = {option.opts[0]: option for option in serve.params}
    assert {(option, variable) for option, variable, _ in rows} == {
        (name, option.envvar) for name, option in settings.items()
    }
    without = serve.make_context("serve", []).params
    for option, _, default in rows:
        told = without[settings[option].name or ""]
        assert default.strip("`") == ("" if told in (None, ()) else str(told)), option
    assert set(re.findall(r"CRITMASS_[A-Z_]+", DEPLOY)) == variables_of(serve)


def test_its_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    mentioned = set(re.findall(r"^make ([a-z]+)", README, re.MULTILINE))
    assert {"run", "test"} <= mentioned <= set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))


def test_its_links_to_matches_are_links_to_matches() -> None:
    client = create_app().test_client()
    paths = re.findall(r"`(?:curl http://127\.0\.0\.1:5000)?(/[^\s`]*)`", README)
    assert len(paths) > 5
    assert {path: client.get(path).status_code for path in paths} == dict.fromkeys(paths, 200)
    options = set(re.findall(r"`\?([a-z]+)=", README))
    assert {"at", "ring", "play", "colours", "names"} <= options <= set(OPTIONS)


def test_its_pictures_and_files_exist() -> None:
    pictures = re.findall(r"!\[.+?\]\((.+?)\)|<img src=\"(.+?)\"", README)
    files = re.findall(r"`((?:critmass|templates|static|tests)/[^`]*)`", README)
    assert len(pictures) > 3
    assert len(files) > 5
    named = [*map("".join, pictures), *files]
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_pictures_are_described() -> None:
    assert re.findall(r"!\[\]|<img (?![^>]*alt=\"[^\"]+\")", README) == []


def test_the_changelog_begins_with_this_version() -> None:
    versions = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert versions[0] == __version__
