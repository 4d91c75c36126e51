"""Machine code on disk: what numba keeps, with a seal on each file.

A file may be cut short by a crash or a full disk, or be somebody else's. numba would break on it, or run what is left
of it. Here such a file is as good as none: the function is compiled anew, and the file written anew.
"""

import os
import pickle
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, UserProvidedCacheLocator

SEAL = sha256().digest_size
"""The bytes at the beginning of a file that tell whether the others are all there."""
troubles: list[str] = []
"""Why machine code could not be kept, in this process."""


def read_sealed(path: Path) -> bytes:
    """Return what a file holds behind its seal; raise `OSError` where it is broken, or not ours."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        found = os.fstat(file.fileno())
        content = file.read() if stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid() else b""
    if sha256(content[SEAL:]).digest() != content[:SEAL]:
        raise OSError(f"expected a whole file of our own: {path}")
    return content[SEAL:]


class _Files(IndexDataCacheFile):
    """The files of one function: an index of its signatures, and one for each of them."""

    def _load_index(self) -> dict[Any, str]:
        try:
            version, stamp, names = pickle.loads(read_sealed(Path(self._index_path)))  # noqa: S301 - it is our own
        except Exception:  # or it is of another numba, and cannot even be read
            return {}
        return names if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._save(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(read_sealed(Path(self._data_path(name))))  # noqa: S301 - it is our own

    def _save_data(self, name: str, data: object) -> None:
        self._save(self._data_path(name), data)

    def _save(self, path: str, value: object) -> None:
        content = self._dump(value)
        with self._open_for_write(path) as file:
            file.write(sha256(content).digest() + content)


class _Folder(UserProvidedCacheLocator):
    """The folder that numba was given, without one in it for each folder of sources."""

    def get_cache_path(self) -> str:
        return str(vars(numba.config)["CACHE_DIR"])


class _Kept(CompileResultCacheImpl):
    _locator_classes = [_Folder]  # noqa: RUF012 - as numba has it


class CodeCache(FunctionCache):
    """What numba asks for the machine code of a function, and gives it to."""

    _impl_class = _Kept

    def __init__(self, function: object) -> None:
        """Keep the code of a function in numba's folder; raise `RuntimeError` where nothing can be written there."""
        super().__init__(function)
        file = self._cache_file
        base = self._impl.filename_base
        self._cache_file = _Files(self.cache_path, base, file._source_stamp)

    @contextmanager
    def _guard_against_spurious_io_errors(self) -> Iterator[None]:
        """Let nothing that goes wrong with a file keep a function from being compiled, and run."""
        with suppress(Exception):
            try:
                yield
            except OSError as error:  # in writing: what cannot be read counts as not there
                troubles.append(error.strerror or str(error))
