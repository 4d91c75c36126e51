"""What is installed and what is released: pinned to the byte, built the same by anybody, and set up as documented."""

import configparser
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from processes import running_server

from critmass import __version__
from critmass.cli import main

ROOT = Path(__file__).parents[1]
LOCKS = {name: (ROOT / name).read_text("utf-8") for name in ("requirements.lock", "requirements-dev.lock")}
PIN = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; .*?)? \\$((?:\n    --hash=sha256:[0-9a-f]{64}(?: \\)?)+)$", re.MULTILINE)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
NEEDED = [Requirement(text) for text in PROJECT["project"]["dependencies"]]
FOR_TESTS = [Requirement(text) for text in PROJECT["dependency-groups"]["dev"] if isinstance(text, str)]


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def pins(lock: str) -> dict[tuple[str, str], str]:
    """The hashes of each version of each package."""
    return {(name, version): hashes for name, version, hashes in PIN.findall(LOCKS[lock])}


@pytest.mark.parametrize("lock", LOCKS)
def test_everything_is_pinned_with_its_hashes(lock: str) -> None:
    """And `make lock` has been run after the last change of pyproject.toml."""
    lines = [line for line in LOCKS[lock].splitlines() if "==" in line]
    assert len(lines) == len(pins(lock)) > 5
    versions = dict(pins(lock).keys())
    for needed in NEEDED + (FOR_TESTS if "dev" in lock else []):
        assert needed.specifier.contains(versions[canonicalize_name(needed.name)]), needed


def test_what_is_tested_is_what_runs() -> None:
    assert pins("requirements.lock").items() <= pins("requirements-dev.lock").items()


# --- Releases -----------------------------------------------------------------------------------------------------


def repository(folder: Path, umask: int) -> Path:
    """The checkout as it is, committed in a repository of its own."""
    files = run("git", "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard", cwd=ROOT).stdout
    old = os.umask(umask)
    try:
        for name in filter(None, files.split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, folder / name)
    finally:
        os.umask(old)
    stamp = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in WHO.items()}
    for command in ("init -q", "add --all", "commit -q -m All"):
        assert run("git", "-c", "safe.directory=*", *command.split(), cwd=folder, **stamp).returncode == 0
    return folder


WHO = {"NAME": "Nobody", "EMAIL": "nobody@chain.example", "DATE": "2026-11-30T07:00:49Z"}


def release(folder: Path, target: Path) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, folder / "tools/release.py", target, cwd=folder)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    for name, umask in (("one", 0o022), ("another", 0o077)):
        (folder / name).mkdir()
        done = release(repository(folder / name, umask), folder / f"{name}.dist")
        assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_two_builds_are_the_same_to_the_byte(released: Path) -> None:
    one, another = (
        {path.name: path.read_bytes() for path in (released / name).iterdir()} for name in ("one.dist", "another.dist")
    )
    assert one == another
    assert sorted(one) == [
        "SHA256SUMS",
        f"critical_mass-{__version__}-py3-none-any.whl",
        f"critical_mass-{__version__}.cdx.json",
        f"critical_mass-{__version__}.tar.gz",
    ]


def test_the_checksums_are_right(released: Path) -> None:
    done = run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=released / "one.dist")
    assert done.returncode == 0
    assert done.stdout.count(": OK") == 3


def test_the_bill_of_materials_names_all_of_it(released: Path) -> None:
    bill = json.loads((released / f"one.dist/critical_mass-{__version__}.cdx.json").read_text("utf-8"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["version"] == __version__
    components = {(it["name"], it.get("version")): it for it in bill["components"]}
    assert {*pins("requirements.lock")} <= {*components}
    assert {"htmx.org", "flask"} <= {name for name, _ in components}
    assert all(it["hashes"] for it in bill["components"] if it.get("purl", "").startswith("pkg:pypi/"))
    references = [it["bom-ref"] for it in bill["components"]]
    assert len(references) == len({*references})


def test_a_release_overwrites_only_what_a_release_has_left(released: Path, tmp_path: Path) -> None:
    source, target = released / "another", tmp_path / "dist"
    shutil.copytree(released / "another.dist", target)
    (target / "notes.txt").write_text("mine", "utf-8")
    whole = {path.name: path.read_bytes() for path in target.iterdir()}
    assert release(source, target).returncode == 0
    assert {path.name: path.read_bytes() for path in target.iterdir()} == whole
    for name in whole.keys() - {"notes.txt"}:
        (target / name).write_bytes(b"mine\n")
        done = release(source, target)
        assert done.returncode == 1
        assert name in done.stderr
        assert "--force" in done.stderr
        assert (target / name).read_bytes() == b"mine\n"
        forced = run(sys.executable, source / "tools/release.py", "--force", target, cwd=source)
        assert forced.returncode == 0, forced.stderr
        assert {path.name: path.read_bytes() for path in target.iterdir()} == whole


@pytest.mark.parametrize("content", ["mine", "{}", "[]", '{"bomFormat": "CycloneDX"}'])
def test_a_bill_of_materials_takes_the_place_of_another_alone(tmp_path: Path, content: str) -> None:
    target = tmp_path / "sbom.json"
    call = (sys.executable, ROOT / "tools/sbom.py", ROOT / "requirements.lock", target)
    assert run(*call, cwd=ROOT).returncode == 0
    assert run(*call, cwd=ROOT).returncode == 0
    made = target.read_bytes()
    target.write_text(content, "utf-8")
    done = run(*call, cwd=ROOT)
    assert done.returncode == 1
    assert "--force" in done.stderr
    assert target.read_text("utf-8") == content
    assert run(*call, "--force", cwd=ROOT).returncode == 0
    assert target.read_bytes() == made


def test_a_checkout_with_changes_is_no_release(released: Path, tmp_path: Path) -> None:
    (released / "one/more").write_text("", "utf-8")
    done = release(released / "one", tmp_path / "dist")
    assert done.returncode != 0
    assert "not committed" in done.stderr
    assert not (tmp_path / "dist").exists()


def test_the_version_is_in_one_place() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert re.fullmatch(r"\d+\.\d+\.\d+(-[\w.-]+)?", __version__)


def test_the_container_is_built_from_what_it_needs(released: Path, tmp_path: Path) -> None:
    """And not from whatever else lies about in the folder."""
    source = released / "one"
    for line in re.findall(r"^COPY (?!--)(.*)$", (source / "deploy/Containerfile").read_text("utf-8"), re.MULTILINE):
        *names, target = line.split()
        for name in names:
            if (source / name).is_dir():
                shutil.copytree(source / name, tmp_path / target)
            else:
                shutil.copy(source / name, tmp_path / target)
    done = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "dist", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (built,) = (tmp_path / "dist").iterdir()
    with zipfile.ZipFile(built) as wheel, zipfile.ZipFile(released / "one.dist" / built.name) as same:
        assert {it.filename: it.CRC for it in wheel.infolist()} == {it.filename: it.CRC for it in same.infolist()}


# --- Setting it up ------------------------------------------------------------------------------------------------


def test_the_unit_starts_the_server_and_gives_it_nothing_else() -> None:
    unit = configparser.RawConfigParser(strict=False, comment_prefixes="#", interpolation=None)
    unit.optionxform = str  # type: ignore[assignment]
    unit.read(ROOT / "deploy/critmass@.service", "utf-8")
    command, name, *arguments = shlex.split(unit["Service"]["ExecStart"])
    assert (Path(command).name, name) == ("critmass", "serve")
    main.commands["serve"].make_context("serve", arguments)
    assert unit["Service"]["ProtectSystem"] == "strict"
    for key in ("DynamicUser", "NoNewPrivileges", "PrivateTmp", "PrivateDevices", "ProtectHome"):
        assert unit["Service"][key] == "yes"
    assert unit["Service"]["CapabilityBoundingSet"] == ""
    seconds_to_end = 5
    assert int(unit["Service"]["TimeoutStopSec"]) > seconds_to_end
    connections = main.commands["serve"].make_context("serve", []).params["connections"]
    assert int(unit["Service"]["LimitNOFILE"]) > connections


def test_the_sockets_of_the_units_are_the_ports_that_nginx_asks() -> None:
    unit = configparser.RawConfigParser(strict=False, comment_prefixes="#", interpolation=None)
    unit.read(ROOT / "deploy/critmass@.socket", "utf-8")
    named = re.findall(r"critmass@(\d+)\.socket", (ROOT / "deploy/critmass@.service").read_text("utf-8"))
    asked = re.findall(r"^ +server (\S+)", (ROOT / "deploy/nginx.conf").read_text("utf-8"), re.MULTILINE)
    assert [unit["Socket"]["ListenStream"].replace("%i", port) for port in named] == asked


def test_nothing_that_is_deployed_overrides_a_variable() -> None:
    """Options win over variables: where there are any, CRITMASS_PORT says nothing."""
    container = (ROOT / "deploy/Containerfile").read_text("utf-8")
    assert json.loads(re.findall("^ENTRYPOINT (.*)$", container, re.MULTILINE)[0])[1:] == ["serve"]
    unit = (ROOT / "deploy/critmass@.service").read_text("utf-8")
    assert re.findall("^ExecStart=(.*)$", unit, re.MULTILINE) == ["/opt/critmass/bin/critmass serve"]
    # What stands in the file of this machine comes later, and wins.
    assert unit.index("Environment=CRITMASS_ACCESS_LOG") < unit.index("EnvironmentFile=")


def health(**variables: str) -> int:
    """What the container's health check says."""
    container = (ROOT / "deploy/Containerfile").read_text("utf-8")
    program, *arguments = json.loads(re.findall("^HEALTHCHECK CMD (.*)$", container, re.MULTILINE)[0])
    assert Path(program).name == "python"
    nowhere = {"http_proxy": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9"}
    return run(sys.executable, *arguments, cwd=ROOT, **nowhere, **variables).returncode


def test_the_health_of_a_container_is_asked_for_where_it_listens() -> None:
    with running_server() as server:
        port = str(server.port)
        for host in ("0.0.0.0", "127.0.0.1", "localhost"):
            assert health(CRITMASS_HOST=host, CRITMASS_PORT=port) == 0
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            other = str(closed.getsockname()[1])
            assert health(CRITMASS_HOST="0.0.0.0", CRITMASS_PORT=other) != 0
    assert health(CRITMASS_HOST="0.0.0.0", CRITMASS_PORT=port) != 0


def test_an_answer_that_is_none_is_no_health() -> None:
    with socket.create_server(("127.0.0.1", 0)) as broken:

        def answer() -> None:
            client, _ = broken.accept()
            with client:
                client.recv(4096)
                client.sendall(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        assert health(CRITMASS_HOST="0.0.0.0", CRITMASS_PORT=str(broken.getsockname()[1])) == 1
        thread.join()


def test_what_is_deployed_knows_only_settings_that_there_are() -> None:
    variables = {parameter.envvar for parameter in main.commands["serve"].params}
    options = {option for parameter in main.commands["serve"].params for option in parameter.opts}
    for name in ("critmass@.service", "critmass@.socket", "Containerfile", "nginx.conf"):
        text = (ROOT / "deploy" / name).read_text("utf-8")
        assert {*re.findall(r"CRITMASS_[A-Z_]+", text)} <= variables
        for line in re.findall(r"critmass serve (.*)", text):
            assert {*re.findall(r"--[a-z-]+", line)} <= options
