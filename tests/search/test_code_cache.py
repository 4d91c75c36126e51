"""Files of machine code that are broken, or somebody else's: they lead to a new compilation, and to nothing else."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numba
import pytest

from critmass.pool.companion import Companion
from critmass.search import code_cache
from critmass.search.code_cache import CodeCache, read_sealed


def twice(number: int) -> int:
    return 2 * number


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(vars(numba.config), "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(code_cache, "troubles", [])
    return tmp_path


def compiled() -> int:
    """Have a function compiled, or its machine code loaded; return how often it was loaded, 0 or 1."""
    dispatcher = numba.njit(twice)
    dispatcher._cache = CodeCache(twice)  # type: ignore[attr-defined]
    assert dispatcher(21) == 42
    return sum(dispatcher.stats.cache_hits.values())


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def halved(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def zeroed(path: Path) -> None:
    """As a file system may leave it after a crash: as long as it was, its second half zeros."""
    size = path.stat().st_size
    path.write_bytes(path.read_bytes()[: size // 2].ljust(size, b"\0"))


def flipped(path: Path) -> None:
    """What would still be read, and run."""
    content = bytearray(path.read_bytes())
    content[-8] ^= 1
    path.write_bytes(content)


def piped(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def scribbled(path: Path) -> None:
    path.write_text("hello", "utf-8")


def removed(path: Path) -> None:
    path.unlink()


SPOILS = (emptied, cut, halved, zeroed, flipped, piped, scribbled, removed)


def files(folder: Path, kinds: str) -> list[Path]:
    found = [path for path in folder.iterdir() if path.suffix.strip(".") in kinds.split()]
    assert len(found) == len(kinds.split())
    return found


@pytest.mark.parametrize("kinds", ["nbi", "nbc", "nbi nbc"])
@pytest.mark.parametrize("spoil", SPOILS)
def test_a_broken_file_leads_to_a_new_compilation(folder: Path, spoil: Callable[[Path], None], kinds: str) -> None:
    assert compiled() == 0
    assert compiled() == 1
    for path in files(folder, kinds):
        spoil(path)
    assert compiled() == 0
    assert compiled() == 1, "it was not kept anew"
    assert code_cache.troubles == []


@pytest.mark.parametrize("kinds", ["nbi", "nbc"])
def test_a_file_of_somebody_else_is_not_even_looked_into(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kinds: str
) -> None:
    compiled()
    (path,) = files(folder, kinds)
    assert read_sealed(path)
    with monkeypatch.context() as other:
        other.setattr(os, "getuid", lambda: path.stat().st_uid + 1)
        with pytest.raises(OSError, match="of our own"):
            read_sealed(path)
        assert compiled() == 0


@pytest.mark.parametrize("kinds", ["nbi", "nbc"])
def test_where_a_file_cannot_be_written_it_runs_all_the_same_and_that_is_told(folder: Path, kinds: str) -> None:
    compiled()
    (path,) = files(folder, kinds)
    path.unlink()
    path.mkdir()
    (path / "in-the-way").touch()
    assert compiled() == 0
    assert code_cache.troubles == ["Is a directory"]


def test_a_folder_that_is_full_or_gone_keeps_nobody_from_compiling(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "file").touch()
    monkeypatch.setitem(vars(numba.config), "CACHE_DIR", str(folder / "file"))
    with pytest.raises(RuntimeError):
        CodeCache(twice)


# --- The whole search, and whoever waits for it --------------------------------------------------------------------


def environment_of(home: Path) -> dict[str, str]:
    return {**os.environ, "NUMBA_CACHE_DIR": str(home)}


def warm_up(home: Path) -> str:
    command = [sys.executable, "-m", "critmass", "warm-up"]
    return subprocess.run(command, env=environment_of(home), check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has all machine code."""
    home = tmp_path_factory.mktemp("whole")
    warm_up(home)
    return home


@pytest.fixture
def spoilt(whole: Path, tmp_path: Path) -> Path:
    """A folder that has all machine code, and each file of it is broken in another way."""
    home = tmp_path / "spoilt"
    shutil.copytree(whole, home)
    kept = sorted([*home.rglob("*.nbi"), *home.rglob("*.nbc")])
    assert len(kept) > 50
    for number, path in enumerate(kept):
        SPOILS[number % len(SPOILS)](path)
    return home


def test_warming_up_mends_what_is_broken(spoilt: Path) -> None:
    assert "; kept in " in warm_up(spoilt)
    kept = [*spoilt.rglob("*.nbi"), *spoilt.rglob("*.nbc")]
    assert len(kept) > 50
    assert all(read_sealed(path) for path in kept)


def test_warming_up_says_what_could_not_be_kept(whole: Path, tmp_path: Path) -> None:
    home = tmp_path / "stubborn"
    shutil.copytree(whole, home)
    path = next(home.rglob("alphabeta.search-*.nbi"))
    path.unlink()
    (path / "in-the-way").mkdir(parents=True)
    assert "not all of it could be kept" in warm_up(home)


def test_the_process_that_searches_for_the_server_gets_warm(spoilt: Path) -> None:
    question = json.dumps({"kind": "move", "path": "/m/", "numbers": [8]}) + "\n"
    command = [sys.executable, "-m", "critmass.pool.process"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment_of(spoilt), **pipes) as searcher:  # type: ignore[call-overload]
        deadline, told = time.monotonic() + 200, {"warming": True}
        while "warming" in told:
            assert time.monotonic() < deadline
            time.sleep(0.2)
            searcher.stdin.write(question)
            searcher.stdin.flush()
            told = json.loads(searcher.stdout.readline())
        assert told["answer"]["cell"] in range(36)
        searcher.stdin.close()


def test_a_process_that_cannot_get_warm_ends_and_says_why() -> None:
    code = "import critmass.pool.process as it; it.warm_up = lambda: 1 / 0; it.main()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stderr=subprocess.PIPE) as searcher:
        assert searcher.stderr is not None
        assert searcher.wait(60) == 1
        assert b"ZeroDivisionError" in searcher.stderr.read()


def test_the_bot_gets_ready(spoilt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(spoilt))
    companion = Companion()
    try:
        companion.wait(200)
        assert companion.is_ready
    finally:
        companion.close()
