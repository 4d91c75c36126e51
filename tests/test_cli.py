"""The command line, most of it in this process."""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient
from processes import running_server

from critmass import __version__
from critmass.cli import main
from critmass.web import create_app

LINKS = [
    *("/m/", "/m/0z7c", "/m/160287006", "/m/160287006?at=4&names=Ada,Bo&colours=gy", "/codingame/010"),
    *("/classic/6x9/3/a1b2c3", "/classic/16x16/8/", "/m/26710171"),
]


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app({"TESTING": True}).test_client()


def critmass(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a shell would."""
    return subprocess.run(
        command,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("text", ["{}", "https://chain.example:8000{}", "Your turn: <http://h{}>!"])
def test_show_says_what_the_site_says(client: FlaskClient, text: str, link: str) -> None:
    path, _, query = link.partition("?")
    shown = critmass("show", text.format(link))
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert shown.stdout == client.get(f"{path}.txt?{query}").text
    as_json = critmass("show", text.format(link), "--json")
    assert as_json.exit_code == 0
    assert list(json.loads(as_json.stdout).items()) == list(client.get(f"{path}.json?{query}").get_json().items())


def test_show_mends_what_a_chat_program_did_to_a_link() -> None:
    assert critmass("show", "HTTP://h/M/0Z7C).").stdout == critmass("show", "/m/0z7c").stdout
    assert critmass("show", "http://h/m/0z\n7c").stdout == critmass("show", "/m/0z7c").stdout


@pytest.mark.parametrize("link", LINKS)
def test_rings_are_shown_frame_by_frame(client: FlaskClient, link: str) -> None:
    path, _, query = link.partition("?")
    told = client.get(f"{path}.json?{query}").get_json()
    shown, plain = critmass("show", link, "--rings"), critmass("show", link)
    assert shown.exit_code == 0
    assert shown.stdout.endswith(plain.stdout)
    titles = re.findall(r"^(?:Orb placed|Ring \d+)$", shown.stdout, re.MULTILINE)
    expected = ["Orb placed", *(f"Ring {number}" for number in range(1, len(told["rings"]) + 1))]
    assert titles == (expected if told["at"] else [])
    last_row = re.compile(rf"^ *{told['rows']} ", re.MULTILINE)
    assert len(last_row.findall(shown.stdout)) == len(titles) + 1


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("hello", "no match link in 'hello'"),
        ("", "no match link in ''"),
        ("http://h/n/0", "One looks like /m/0z7c"),
        ("/m/00", "Move 2: Blue cannot play a1"),
        ("/m/0z?at=3", "“3” is no move"),
        ("/classic/6x9/9/", "2 to 8"),
        ("/m/0z.exe", "Move 3"),
    ],
)
@pytest.mark.parametrize("option", [[], ["--json"], ["--rings"]])
def test_show_says_what_is_wrong_with_a_link(link: str, words: str, option: list[str]) -> None:
    shown = critmass("show", link, *option)
    assert shown.exit_code == 1
    assert shown.stdout == ""
    assert shown.stderr.startswith("Error: ")
    assert words in shown.stderr


@pytest.mark.parametrize(
    "arguments",
    [["show"], ["show", "/m/0", "/m/1"], ["sho"], ["serve", "--port", "70000"], ["serve", "--port", "x"], ["--bad"]],
)
def test_what_makes_no_sense_is_refused_with_the_usage(arguments: list[str]) -> None:
    refused = critmass(*arguments)
    assert refused.exit_code == 2
    assert "Usage: " in refused.stderr


def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        refused = critmass("serve", "--port", port)
    assert refused.exit_code == 1
    assert refused.stderr.startswith("Error: ")
    assert port in refused.stderr
    assert "--port 0" in refused.stderr


def test_an_address_that_is_not_ours_is_told() -> None:
    refused = critmass("serve", "--host", "192.0.2.1", "--port", "0")
    assert refused.exit_code == 1
    assert "192.0.2.1" in refused.stderr


@pytest.mark.parametrize(
    ("old", "words"),
    [
        ("SEARCHERS", "CRITMASS_SEARCH_PROCESSES"),
        ("RATION", "CRITMASS_RATE_LIMIT"),
        ("PATIENCE", "CRITMASS_IDLE_TIMEOUT"),
        ("WORKERS", "is gone"),
        ("GRACE", "is gone"),
        ("KEEP_ALIVE", "is gone"),
    ],
)
def test_a_variable_of_an_old_name_stops_the_start(monkeypatch: pytest.MonkeyPatch, old: str, words: str) -> None:
    monkeypatch.setenv(f"CRITMASS_{old}", "3")
    refused = critmass("serve", "--port", "0")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.startswith(f"Error: CRITMASS_{old} ")
    assert words in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    known = {option.envvar for option in main.commands["serve"].params}
    assert set(re.findall(r"CRITMASS_[A-Z_]+", refused.stderr)) - {f"CRITMASS_{old}"} <= known
    assert f"CRITMASS_{old}" not in known


def test_too_few_threads_are_refused_with_the_number_that_is_enough() -> None:
    refused = critmass("serve", "--port", "0", "--threads", "4")
    assert refused.exit_code == 2
    enough = int(re.findall(r"--threads (\d+)", refused.stderr)[0])
    more = critmass("serve", "--port", "0", "--threads", str(enough), "--search-processes", "2")
    assert f"--threads {enough + 1}" in more.stderr
    with running_server("--threads", str(enough)) as server, urllib.request.urlopen(server.url, timeout=30) as page:
        assert page.status == 200


def test_more_connections_than_files_are_refused() -> None:
    refused = run("sh", "-c", f"ulimit -n 256; exec '{sys.executable}' -m critmass serve --port 0 --connections 500")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert re.search(r"500 connections need \d+ open files.* 256", refused.stderr)


def test_the_version_is_told() -> None:
    assert critmass("--version").stdout.strip() == f"Critical Mass {__version__}"


def examples_in(told: Result) -> list[str]:
    """The examples of a help text, a line each."""
    assert told.exit_code == 0
    return re.findall(r"^ +critmass (.*)$", told.stdout, re.MULTILINE)


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_has_examples_that_can_be_copied(flag: str) -> None:
    examples = examples_in(critmass(flag))
    assert len(examples) >= 2
    for example in examples:
        if example.startswith("show"):
            assert critmass(*shlex.split(example)).exit_code == 0


@pytest.mark.parametrize("command", ["show", "serve"])
def test_help_of_a_command_runs_its_examples_together(command: str) -> None:
    r"""In a raw docstring `\b` is no backspace, and Click takes that alone for "leave these lines"."""
    told = critmass(command, "--help")
    assert r"\b" not in told.stdout
    assert len(examples_in(told)) >= 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--strength", "--level", "3"], "give one of the two"),
        (["--against", "greedy"], "give both"),
        (["--strength", "--against", "zz"], "expected one of 'greedy', "),
    ],
)
def test_options_of_a_measurement_that_make_no_sense_together_are_refused(options: list[str], told: str) -> None:
    refused = critmass("bench", "levels", *options)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert told in refused.stderr


def test_help_names_every_command() -> None:
    for name in ("serve", "show", "bench"):
        assert re.search(rf"^  {name} +\S", critmass("--help").stdout, re.MULTILINE)


@pytest.mark.parametrize(
    "command", [[sys.executable, "-m", "critmass"], [str(Path(sys.executable).with_name("critmass"))]]
)
def test_the_command_is_there_after_installing(command: list[str]) -> None:
    shown = run(*command, "show", "/m/0z7c")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout == critmass("show", "/m/0z7c").stdout
    refused = run(*command, "show", "/m/00")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert len(refused.stderr.splitlines()) == 1


def test_show_goes_through_a_pipe_that_is_closed_early() -> None:
    shown = run("sh", "-c", f"'{sys.executable}' -m critmass show /m/0z7c --json | head -c 1")
    assert (shown.stdout, shown.stderr) == ("{", "")


def test_a_link_with_bytes_that_are_no_text_breaks_show() -> None:
    """They come as lone surrogates, which `quote` cannot encode where the link is written back."""
    shown = subprocess.run(
        [sys.executable, "-m", "critmass", "show", b"/m/0?names=A\xffb"], capture_output=True, check=False
    )
    assert b"Traceback" not in shown.stderr


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [(["--base-url", "https://chain.example/"], {}), ([], {"CRITMASS_BASE_URL": "https://chain.example"})],
)
def test_serve_calls_the_site_what_it_is_told(arguments: list[str], environment: dict[str, str]) -> None:
    with (
        running_server(*arguments, **environment) as server,
        urllib.request.urlopen(f"{server.url}/m/0z7c", timeout=30) as response,
    ):
        assert response.status == 200
        page = response.read().decode()
    assert 'value="https://chain.example/m/0z7c"' in page
    assert 'href="https://chain.example/m/0z7c"' in page
    assert server.url not in page


def test_serve_takes_more_names_for_the_site() -> None:
    names = ("--allowed-host", "Play.example", "--allowed-host", "größe.example")
    international = "xn--gre-6ka8i.example"
    with running_server(*names) as server:
        for host, site in (
            ("play.example", "http://play.example"),
            (international, f"http://{international}"),
            ("evil.example", ""),
        ):
            request = urllib.request.Request(f"{server.url}/m/0z7c", headers={"Host": host})
            with urllib.request.urlopen(request, timeout=30) as response:
                assert f'value="{site}/m/0z7c"' in response.read().decode()
