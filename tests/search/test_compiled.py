"""Where the machine code is kept."""

import subprocess
import sys
from pathlib import Path

import pytest

from critmass.search import compiled


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A machine on which no folder can be written to."""
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, "/proc/nowhere")
    monkeypatch.setattr("tempfile.tempdir", "/proc/nowhere")
    compiled.cache_folder.cache_clear()
    return monkeypatch


@pytest.fixture(autouse=True)
def _forget() -> None:
    compiled.cache_folder.cache_clear()


def test_without_a_folder_to_write_to_nothing_is_kept(nowhere: pytest.MonkeyPatch) -> None:
    assert compiled.cache_folder() is None


@pytest.mark.parametrize("name", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"])
def test_a_folder_that_was_given_is_used(nowhere: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    nowhere.setenv(name, str(tmp_path))
    folder = compiled.cache_folder()
    assert folder is not None
    assert folder.is_dir()
    assert folder.is_relative_to(tmp_path)


def test_it_compiles_without_a_folder(nowhere: pytest.MonkeyPatch) -> None:
    code = (
        "import tempfile; tempfile.tempdir = '/proc/nowhere'\n"
        "from critmass.search import compiled\n"
        "print(compiled.image()['spin'](compiled.word(1)), compiled.cache_folder())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["1082269761", "None"], done.stderr
