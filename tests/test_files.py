"""Files that are written where people say: whole or not at all, and never over what somebody else made."""

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

import pytest

from critmass.files import NotOverwritten, Unwritable, are_one, check, keep_beside, write

OURS = b"ours: "


def understood(file: IO[bytes]) -> None:
    if not file.read().startswith(OURS):
        raise ValueError("it is not ours")


def put(path: Path, content: bytes = OURS + b"new", force: bool = False) -> Path:
    return write(path, lambda file: file.write(content), understood, force)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("before", [None, b"", OURS + b"old"])
def test_what_is_new_empty_or_ours_is_written(tmp_path: Path, before: bytes | None) -> None:
    path = tmp_path / "file"
    if before is not None:
        path.write_bytes(before)
    check(path, understood)
    assert path.exists() == (before is not None)
    assert put(path) == path
    assert path.read_bytes() == OURS + b"new"
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("content", [b"theirs", b"\n", b"\0", b"theirs\n" * 100_000])
def test_what_is_not_ours_stays_unless_forced(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(NotOverwritten, match=r"it is not ours.*--force"):
        check(path, understood)
    assert path.read_bytes() == content
    check(path, understood, force=True)
    assert put(path, force=True) == path
    assert path.read_bytes() == OURS + b"new"


def test_what_comes_to_be_there_meanwhile_stays_too(tmp_path: Path) -> None:
    path = tmp_path / "file"
    check(path, understood)
    path.write_bytes(b"theirs")
    assert put(path) == tmp_path / "file.new"
    assert put(path, OURS + b"newer") == tmp_path / "file.new2"
    assert path.read_bytes() == b"theirs"
    assert (tmp_path / "file.new").read_bytes() == OURS + b"new"
    assert (tmp_path / "file.new2").read_bytes() == OURS + b"newer"


def test_half_a_file_takes_nobodys_place(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(OURS)

    def break_off(file: IO[bytes]) -> None:
        file.write(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(Unwritable, match=f"{path} cannot be written: No space left"):
        write(path, break_off, understood)
    assert path.read_bytes() == OURS
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664])
def test_a_file_keeps_its_permissions_and_a_new_one_has_those_of_the_user(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "file"
    old = os.umask(0o027)
    try:
        put(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(mode)
        put(path)
        assert stat.S_IMODE(path.stat().st_mode) == mode
    finally:
        os.umask(old)


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_one_and_leads_to_the_file(tmp_path: Path, there: bool) -> None:
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    target.parent.mkdir()
    link.symlink_to(target)
    if there:
        target.write_bytes(b"theirs")
        with pytest.raises(NotOverwritten):
            check(link, understood)
        target.write_bytes(OURS)
    check(link, understood)
    assert put(link) == link
    assert link.is_symlink()
    assert target.read_bytes() == OURS + b"new"


def test_where_no_file_can_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path, tmp_path / "none" / "file", tmp_path / "loop", tmp_path / ("x" * 300)):
        with pytest.raises(Unwritable, match="cannot be written"):
            check(path, understood, force=True)
    assert names(tmp_path) == ["loop"]


def test_a_file_that_may_only_be_read_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though its folder would let it be replaced. Root may write everything, so the answer is given for it."""
    path = tmp_path / "file"
    path.write_bytes(OURS)
    monkeypatch.setattr(os, "access", lambda _, mode: not mode & os.W_OK)
    with pytest.raises(Unwritable, match="Permission denied"):
        check(path, understood, force=True)


def test_in_a_folder_that_may_only_be_read_a_file_is_written_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(OURS + b"much longer than what comes")
    monkeypatch.setattr(os, "access", lambda asked, _: Path(asked) == path)
    inode = path.stat().st_ino
    put(path)
    assert (path.read_bytes(), path.stat().st_ino) == (OURS + b"new", inode)
    path.write_bytes(b"theirs")
    with pytest.raises(NotOverwritten):
        put(path)
    assert path.read_bytes() == b"theirs"


def test_a_file_that_is_mounted_by_itself_is_written_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(OURS + b"much longer than what comes")

    def busy(*_: object) -> Path:
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))

    monkeypatch.setattr(Path, "replace", busy)
    put(path)
    assert path.read_bytes() == OURS + b"new"
    assert names(tmp_path) == ["file"]


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    check(pipe, understood)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    assert put(pipe) == pipe
    reader.join()
    assert got == [OURS + b"new"]


def test_a_full_device_is_told() -> None:
    with pytest.raises(Unwritable, match="/dev/full cannot be written: No space left"):
        put(Path("/dev/full"))


@pytest.mark.parametrize("device", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_goes_on_where_it_is(tmp_path: Path, device: str) -> None:
    """Even if it was sent into a file, which has a name of its own."""
    code = f"""
import sys
from pathlib import Path
from critmass.files import check, write
print("before")
path = Path({device!r})
check(path, lambda file: 1 / 0)
write(path, lambda file: file.write(b"between\\n"), lambda file: 1 / 0)
print("after")
"""
    with (tmp_path / "file").open("wb") as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True)
    assert (tmp_path / "file").read_text("utf-8") == "before\nbetween\nafter\n"
    piped = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    assert piped.stdout == b"before\nbetween\nafter\n"


def test_one_file_has_many_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "file"
    Path("link").symlink_to(file)
    for name in ("file", "./file", "link", "none/../file"):
        assert are_one(Path(name), file), name
    file.touch()
    Path("hard").hardlink_to(file)
    assert are_one(Path("hard"), file)
    assert not are_one(Path("other"), file)


def test_what_is_kept_beside_takes_nobodys_name(tmp_path: Path) -> None:
    kept = [keep_beside(tmp_path / "file", content, "cut") for content in (b"a", b"b", b"c")]
    assert [path.name for path in kept] == ["file.cut", "file.cut2", "file.cut3"]
    assert [path.read_bytes() for path in kept] == [b"a", b"b", b"c"]
