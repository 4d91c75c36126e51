"""The checkout is in order, and what is built from it runs elsewhere."""

import re
import subprocess
import sys
import sysconfig
import urllib.request
import venv
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from processes import Child

from critmass import __version__
from critmass.web import create_app

ROOT = Path(__file__).parents[1]


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command, which has to succeed, and return what it says."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# --- The checkout -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("check", ["ruff check .", "ruff format --check .", "mypy"])
def test_the_linters_are_content(check: str) -> None:
    run(sys.executable, "-m", *check.split())


def test_no_import_runs_upward_or_in_a_circle() -> None:
    """As `[tool.importlinter]` of pyproject.toml says."""
    run(sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")


def test_every_template_compiles() -> None:
    app = create_app()
    names = app.jinja_env.list_templates(extensions=["html"])
    assert len(names) == len([*(ROOT / "templates").rglob("*.html")]) > 5
    for name in names:
        app.jinja_env.get_template(name)


def test_the_conformance_vectors_are_complete() -> None:
    vectors = {path.name: len(path.read_text("utf-8").splitlines()) for path in (ROOT / "tests/conformance").iterdir()}
    assert vectors == {"bad-links.jsonl": 88, "classic.jsonl": 23, "codingame.jsonl": 23, "critical-mass.jsonl": 30}


@pytest.mark.parametrize(
    "foreign",
    [
        r"(?<![\w.~/-])/(?:home|Users|root|work|workspaces?)/\w",  # somebody's own folders
        r"//[\w.-]*(?:pypi|npmjs|pythonhosted|registry|artifactory|nexus|mirror)[\w-]*\.[\w.]+",  # a registry's host
        r"(?:index|registry)[-_]?(?:url)? *= *http",
    ],
)
def test_nothing_ties_it_to_the_machine_it_was_made_on(foreign: str) -> None:
    files = run("git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    paths = [ROOT / name for name in files.split("\0") if name]
    assert ROOT / "pyproject.toml" in paths
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in paths
        if path.is_file() and path != Path(__file__)
        for match in re.finditer(foreign, path.read_text("utf-8", errors="replace"))
    ]
    assert found == []


# --- The wheel ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is built from the checkout."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    (built,) = folder.iterdir()
    return built


def test_the_wheel_has_all_that_it_needs_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    info = f"critical_mass-{__version__}.dist-info"
    assert {name.split("/")[0] for name in names} == {"critmass", info}
    assert {f"{info}/licenses/LICENSE", f"{info}/licenses/static/htmx.LICENSE", "critmass/py.typed"} <= names
    for folder in ("templates", "static"):
        files = {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file()}
        assert {f"critmass/{name}" for name in files} <= names


def test_the_wheel_serves_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    environment, empty = tmp_path / "venv", tmp_path / "empty"
    empty.mkdir()
    venv.create(environment, with_pip=False, symlinks=True)
    python = environment / "bin/python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps", wheel)
    # What it depends on is taken from here, only afterwards, or pip would find the checkout's own installation too.
    (site,) = environment.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    assert Path(run(python, "-c", "import critmass; print(critmass.__file__)", cwd=empty)).is_relative_to(site)

    child = Child(
        "sh", "-c", 'cd "$0" && exec "$@"', str(empty), *(str(environment / "bin/critmass"), "serve", "--port=0")
    )
    try:
        while not (found := re.search(r"http://127\.0\.0\.1:\d+", child.next_line(timeout=30))):
            pass
        page = fetch(f"{found[0]}/m/0z7c")
        assert "<h1" in page
        static = set(re.findall(r'"(/static/[^"]+)"', page))
        assert len(static) == 7  # two of them are loaded when they are wanted
        for path in static:
            assert fetch(found[0] + path)
        assert "How to play" in fetch(f"{found[0]}/how-to-play")
    finally:
        code = child.stop()
    assert code == 0, str(child)
    assert list(empty.iterdir()) == []


def fetch(url: str) -> str:
    """What is answered there, which has to be a success."""
    with closing(urllib.request.urlopen(url, timeout=30)) as answer:
        return answer.read().decode()
