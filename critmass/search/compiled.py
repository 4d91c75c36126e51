"""The kernel compiled: the very same functions, made into machine code by numba.

Nothing is written twice. Each function's own code object is compiled, with the other compiled functions in place of
those that it calls. Sets of cells become unsigned 64-bit words, so this is for boards of at most 64 cells.

Machine code is kept on disk, in a folder of its own for each version of the sources. Where no folder can be written
to, it is compiled anew in each process.
"""

import hashlib
import inspect
import math
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from critmass.engine import cascade
from critmass.engine.grid import Grid
from critmass.search import alphabeta, code_cache, evaluation, kernel
from critmass.search import dfpn as proof
from critmass.search import mcts as trees
from critmass.search.code_cache import CodeCache
from critmass.search.kernel import Array, Game

MODULES: tuple[ModuleType, ...] = (cascade, kernel, evaluation, alphabeta, trees, proof)
"""What is compiled, in the order of who calls whom."""
WORD = 64


def _folders() -> Iterator[Path]:
    """Yield where machine code may be kept, best place first."""
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(given)
    if given := os.environ.get("XDG_CACHE_HOME"):
        yield Path(given) / "critmass"
    with suppress(RuntimeError):  # There is no home.
        yield Path("~/.cache/critmass").expanduser()
    with suppress(FileNotFoundError):  # There is nowhere to put anything.
        yield Path(tempfile.gettempdir()) / f"critmass-{os.getuid()}"


def _is_ours(folder: Path) -> bool:
    """Return whether a folder is there, or can be made, that we can write to and that nobody else made."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder.stat().st_uid == os.getuid()
    except OSError:
        return False


@cache
def cache_folder() -> Path | None:
    """Return the folder that keeps the machine code of these sources; `None` where none can be written to."""
    sources = hashlib.sha256()
    for module in (*MODULES, code_cache, inspect.getmodule(cache_folder)):
        sources.update(inspect.getsource(module).encode())  # type: ignore[arg-type]
    folders = (folder / sources.hexdigest()[:16] for folder in _folders())
    return next(filter(_is_ours, folders), None)


def _instruction(name: str, emit: Callable[[Any, Any], Any], result: Any) -> Any:
    """Return a function of one word that is a machine instruction."""

    def typing(context: Any, word: Any) -> Any:  # noqa: ARG001 - numba's signature
        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            return emit(builder, arguments[0])

        return result(types.uint64), codegen

    typing.__name__ = name
    return intrinsic(typing)


_ONE = ir.Constant(ir.IntType(WORD), 1)
_ctpop = _instruction("_ctpop", lambda builder, word: builder.ctpop(word), types.int64)
_cttz = _instruction("_cttz", lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1)), types.int64)
_shift = _instruction("_shift", lambda builder, cell: builder.shl(_ONE, cell), types.uint64)


def orb_at(cell: int) -> int:
    """Return the set of one cell."""
    return _shift(cell)  # type: ignore[no-any-return]


def cell_of(orb: int) -> int:
    """Return the cell of a set of one."""
    return _cttz(orb)  # type: ignore[no-any-return]


def size_of(cells: int) -> int:
    """Return the number of cells in a set."""
    return _ctpop(cells)  # type: ignore[no-any-return]


def fold(cells: int) -> int:
    """Return a set of cells, which is a word here."""
    return cells


_INSTRUCTIONS: tuple[Any, ...] = (orb_at, cell_of, size_of, fold)
"""What stands in for `critmass.search.bits`."""


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    """Yield the functions that a module defines, in its order."""
    for value in vars(module).values():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            yield value


@cache
def image() -> dict[str, Any]:
    """Return all compiled functions by name."""
    folder = cache_folder()
    vars(numba.config)["CACHE_DIR"] = str(folder or "")
    compiled = numba.njit(nogil=True)
    names: dict[str, Any] = {"__name__": __name__, "sqrt": math.sqrt, "log": math.log}
    names.update(_shift=_shift, _ctpop=_ctpop, _cttz=_cttz)
    for module in MODULES:
        constants = {name: value for name, value in vars(module).items() if isinstance(value, int)}
        names.update(constants)
    for function in chain(_INSTRUCTIONS, *map(_functions, MODULES)):
        names[function.__name__] = dispatcher = compiled(FunctionType(function.__code__, names, function.__name__))
        with suppress(RuntimeError):  # The folder has gone, or is full.
            dispatcher._cache = CodeCache(dispatcher.py_func)  # type: ignore[attr-defined]
    return names


def words(count: int) -> Array:
    """Return that many sets of cells, all empty."""
    return np.zeros(count, np.uint64)  # type: ignore[return-value]


def numbers(count: int) -> Array:
    """Return that many numbers, all 0."""
    return np.zeros(count, np.int64)  # type: ignore[return-value]


def word(cells: int) -> int:
    """Return a set of cells as compiled functions take it."""
    return np.uint64(cells)  # type: ignore[return-value]


def game(plain: Game) -> Game:
    """Return a game as compiled functions take it."""
    return plain._replace(grid=Grid(*map(np.uint64, plain.grid)), allowed=word(plain.allowed))  # type: ignore[arg-type]
