"""Files that are written where people say: whole or not at all, and never over what somebody else made."""

import errno
import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO

Check = Callable[[IO[bytes]], None]
"""Raises `ValueError`, saying what is wrong, where a file holds anything that whoever writes it did not write."""
Fill = Callable[[IO[bytes]], object]
"""Writes what a file is to hold."""


class NotOverwritten(ValueError):
    """A file that is left as it is, and why."""


class Unwritable(OSError):
    """A file that cannot be read or written; it is the one that was meant, whatever stood in for it."""

    def __str__(self) -> str:
        return f"{self.filename} cannot be written: {self.strerror}."


def resolved(path: Path) -> Path:
    """Return where a path leads, past all symbolic links; there may be nothing yet."""
    return Path(os.path.realpath(path))


def are_one(path: Path, other: Path) -> bool:
    """Return whether two paths are those of one file, whether it is there already or not."""
    with suppress(OSError):
        return path.samefile(other)
    return resolved(path) == resolved(other)


def standard_stream(path: Path) -> int | None:
    """Return the descriptor of standard output or error where a path is that of one, like `/dev/stdout`."""
    for descriptor in (1, 2):
        with suppress(OSError):
            if os.path.samestat(path.stat(), os.fstat(descriptor)):
                return descriptor
    return None


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Raise `Unwritable` for a file where something goes wrong with it."""
    try:
        yield
    except OSError as error:
        raise Unwritable(error.errno, error.strerror or str(error), str(path)) from error


def check(path: Path, understood: Check, force: bool = False) -> None:
    """See whether a file can be written, and what is lost by it.

    Raise `NotOverwritten` where it holds what `understood` does not take, unless that is to be overwritten by `force`;
    `Unwritable` where that cannot be. Nothing is changed.
    """
    with naming(path):
        _check(path, understood, force)


def _check(path: Path, understood: Check, force: bool) -> None:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        with tempfile.TemporaryFile(dir=resolved(path).parent):
            return
    if stat.S_ISDIR(mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not os.access(path, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))
    if stat.S_ISREG(mode) and standard_stream(path) is None and not force:
        _check_content(path, understood)


def _check_content(path: Path, understood: Check) -> None:
    with path.open("rb") as file:
        if not file.read(1):
            return
        file.seek(0)
        try:
            understood(file)
        except ValueError as error:
            message = f"{path} is not overwritten: {error}. Choose another file, or have it overwritten by --force."
            raise NotOverwritten(message) from error


def write(path: Path, fill: Fill, understood: Check, force: bool = False) -> Path:
    """Write a file anew, and return where it is.

    If it cannot be written to the end, what was there stays. If meanwhile something is there that `understood` does not
    take, the file is written beside it. What is no file, like a pipe or a terminal, is written to. Raise `Unwritable`
    where that cannot be.
    """
    with naming(path):
        if standard_stream(path) is None and (not path.exists() or _is_replaceable(path)):
            return _replace(path, resolved(path), fill, understood, force)
        with tempfile.TemporaryFile() as draft:
            fill(draft)
            _check(path, understood, force)
            _copy(draft, path)
        return path


def _replace(path: Path, target: Path, fill: Fill, understood: Check, force: bool) -> Path:
    """Write beside a file, and put that in its place when it is finished."""
    draft = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with draft.open("xb") as file:
            _take_over_mode(file, target)
            fill(file)
        return _put(draft, path, understood, force)
    finally:
        draft.unlink(missing_ok=True)


def _is_replaceable(path: Path) -> bool:
    return path.is_file() and os.access(resolved(path).parent, os.W_OK | os.X_OK)


def _copy(draft: IO[bytes], path: Path) -> None:
    """Write into what is there, be it a file or not."""
    draft.seek(0)
    sys.stdout.flush()
    stream = standard_stream(path)
    with path.open("wb") if stream is None else os.fdopen(os.dup(stream), "wb") as out:
        shutil.copyfileobj(draft, out)


def _take_over_mode(file: IO[bytes], target: Path) -> None:
    """Give a new file the owner and the permissions of the one whose place it takes, as far as that may be."""
    with suppress(OSError):
        old = target.stat()
        with suppress(OSError):
            os.fchown(file.fileno(), old.st_uid, old.st_gid)
        os.fchmod(file.fileno(), stat.S_IMODE(old.st_mode))


def _put(draft: Path, path: Path, understood: Check, force: bool) -> Path:
    """Put a finished file in its place; beside it where something else came to be there."""
    target = resolved(path)
    with suppress(FileExistsError):
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        _check(path, understood, force)
    except NotOverwritten:
        target = path = _claim(target, "new")
    try:
        draft.replace(target)
    except OSError as error:
        if error.errno != errno.EBUSY:  # a file that is mounted by itself, as into a container
            raise
        with draft.open("rb") as file:
            _copy(file, target)
    return path


def keep_beside(path: Path, content: bytes, suffix: str) -> Path:
    """Write something into a new file beside another, down to the disk, and return where it is."""
    beside = _claim(resolved(path), suffix)
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return beside


def _claim(target: Path, suffix: str) -> Path:
    """Make an empty file beside another, of a name that no other has."""
    for name in _names(target.name, suffix):
        with suppress(FileExistsError):
            beside = target.with_name(name)
            beside.touch(exist_ok=False)
            return beside
    raise AssertionError  # there is always another number


def _names(name: str, suffix: str) -> Iterator[str]:
    yield f"{name}.{suffix}"
    for number in count(2):
        yield f"{name}.{suffix}{number}"
