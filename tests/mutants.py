"""Every small change to the engine has to be noticed by its tests, or be explained in docs/mutants.md.

    python -m tests.mutants                     all of the engine
    python -m tests.mutants cascade codec       some of its modules
    python -m tests.mutants --list              the changes, without testing them

A mutant is the engine with one operator, number, text, condition or statement changed. It is named by its module, the
function, and the change, so that a name outlives changes elsewhere. Each is tested in a process of its own, which has
the changed module in memory alone: no file is touched. It is caught when a test fails or nothing ends. What survives
is compared with the list in docs/mutants.md: the run fails if a mutant survives that is not explained there, and if
one is explained that does not survive.
"""

import argparse
import ast
import contextlib
import copy
import importlib.abc
import importlib.machinery
import io
import os
import re
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "critmass/engine"
EXPLAINED = ROOT / "docs/mutants.md"
QUICK = (
    *("tests/engine/test_details.py", "tests/engine/test_rules.py", "tests/engine/test_conformance.py"),
    *("tests/engine/test_codec.py", "tests/engine/test_board.py", "tests/engine/test_play.py"),
    "tests/engine/test_games.py",
)
"""The tests that notice nearly all of it, in the order in which they are asked."""
SLOW = ("tests/test_links.py", "tests/engine/test_termination.py", "tests/engine/test_against_naive.py")
"""Those that are asked when none of the quick ones noticed."""
PATIENCE = 1200
"""The seconds after which a mutant counts as caught, however slow the machine is."""
ENOUGH = 5.0
"""The seconds of computing after which a test counts as one without an end; the slow ones have ten times that."""
MEMORY = 6 << 30

SWAPS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.Add,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.Lt: (ast.LtE,),
    ast.LtE: (ast.Lt,),
    ast.Gt: (ast.GtE,),
    ast.GtE: (ast.Gt,),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}
"""What stands in for each operator."""


class Mutant(NamedTuple):
    """The engine with one change."""

    name: str
    """Module, function and change: `cascade.place: ones ^ orb → ones | orb`."""
    module: str
    tree: ast.Module


# --- Making them --------------------------------------------------------------------------------------------------


def mutants(path: Path) -> Iterator[Mutant]:
    """All changes of one module."""
    tree = ast.parse(path.read_text("utf-8"))
    seen: Counter[str] = Counter()
    for where, holder, change in _changes(tree, path.stem):
        name = f"{where}: {change.before} → {change.after}"
        seen[name] += 1
        name += f" #{seen[name]}" if seen[name] > 1 else ""
        field, index = holder
        yield Mutant(name, f"critmass.engine.{path.stem}", _changed(tree, change.at, field, index, change.new))


class Change(NamedTuple):
    """A node, what it becomes, and both as text."""

    at: ast.AST
    new: object
    before: str
    after: str


Holder = tuple[str, int | None]


def _changes(tree: ast.Module, stem: str) -> Iterator[tuple[str, Holder, Change]]:
    """Every change of a tree: the function it is in, the field that holds it, and the change itself."""
    for where, node in _walk(tree, stem):
        for field, index, old in _running(node):
            for new in _instead(node, field, old):
                before, after = _texts(node, field, index, old, new)
                yield where, (field, index), Change(node, new, before, after)


def _walk(node: ast.AST, where: str) -> Iterator[tuple[str, ast.AST]]:
    """All nodes that run, with the name of the function they are in; no annotations, docstrings or imports."""
    yield where, node
    for _, _, child in _running(node):
        if not isinstance(child, ast.AST):
            continue
        named = isinstance(child, ast.FunctionDef | ast.ClassDef)
        yield from _walk(child, f"{where}.{child.name}" if named else where)  # type: ignore[attr-defined]


def _running(node: ast.AST) -> Iterator[tuple[str, int | None, object]]:
    """What a node holds, each with its field: all that runs, so no annotations, imports or docstrings."""
    for field, index, child in _held(node):
        if field in ("annotation", "returns") or isinstance(child, ast.Import | ast.ImportFrom):
            continue
        if isinstance(child, ast.AST) and (_is_docstring(child) or _is_typing(child)):
            continue
        yield field, index, child


def _held(node: ast.AST) -> Iterator[tuple[str, int | None, object]]:
    for field, value in ast.iter_fields(node):
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield field, index, item
        else:
            yield field, None, value


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_typing(node: ast.AST) -> bool:
    """Whether a statement is for readers and type checkers, or says what `import *` takes."""
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"


def _instead(node: ast.AST, field: str, old: object) -> Iterator[object]:
    """What may stand in a field of a node instead of what is there."""
    if isinstance(old, ast.operator | ast.cmpop | ast.boolop):
        yield from (new() for new in SWAPS.get(type(old), ()))
    elif isinstance(old, ast.UnaryOp):
        yield old.operand
    elif isinstance(old, ast.Constant):
        yield from (ast.Constant(value) for value in _other_values(old.value))
    elif isinstance(old, ast.stmt):
        yield from _other_statements(old)
    if field in ("test", "ifs") and isinstance(old, ast.expr) and not isinstance(old, ast.UnaryOp):
        yield ast.UnaryOp(ast.Not(), old)


def _other_values(value: object) -> Iterator[object]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, str):
        yield value + "~"
    elif value is None:
        yield 0


def _other_statements(old: ast.stmt) -> Iterator[ast.stmt]:
    if isinstance(old, ast.Assign | ast.AugAssign | ast.Raise) or (
        isinstance(old, ast.Expr) and not isinstance(old.value, ast.Constant)
    ):
        yield ast.Pass()
    elif isinstance(old, ast.Return) and old.value is not None:
        if not (isinstance(old.value, ast.Constant) and old.value.value is None):
            yield ast.Return(ast.Constant(None))
    elif isinstance(old, ast.Break | ast.Continue):
        yield ast.Pass()


def _texts(node: ast.AST, field: str, index: int | None, old: object, new: object) -> tuple[str, str]:
    """A change as two pieces of source: of the smallest expression or statement around it."""
    if isinstance(old, ast.stmt) and isinstance(new, ast.stmt):
        return _line(old), _line(new)
    shown = node if isinstance(node, ast.expr | ast.stmt | ast.keyword | ast.comprehension) else old
    changed = copy.deepcopy(shown)
    if shown is node:
        _put(changed, field, index, new)
        return _line(shown), _line(changed)
    return _line(shown), _line(new)


def _line(node: object) -> str:
    """The first line of a node's source: of a statement with others in it only its head."""
    assert isinstance(node, ast.AST)
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        bare = copy.deepcopy(node)
        bare.body, bare.decorator_list = [ast.Pass()], []
        return ast.unparse(ast.fix_missing_locations(bare)).splitlines()[0]
    if isinstance(node, ast.comprehension):
        return ast.unparse(ast.ListComp(ast.Name("_"), [node]))
    if isinstance(node, ast.keyword):
        return f"{node.arg}={ast.unparse(node.value)}"
    return ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))).splitlines()[0]


def _put(node: ast.AST, field: str, index: int | None, new: object) -> None:
    if index is None:
        setattr(node, field, new)
    else:
        getattr(node, field)[index] = new


def _changed(tree: ast.Module, at: ast.AST, field: str, index: int | None, new: object) -> ast.Module:
    """A copy of the tree in which one field of one node is another."""
    number = next(number for number, node in enumerate(ast.walk(tree)) if node is at)
    changed = copy.deepcopy(tree)
    node = next(node for count, node in enumerate(ast.walk(changed)) if count == number)
    _put(node, field, index, new)
    return ast.fix_missing_locations(changed)


# --- Testing them -------------------------------------------------------------------------------------------------


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from a tree."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        if name != self.mutant.module:
            return None
        path = ENGINE / f"{name.rpartition('.')[2]}.py"
        return importlib.machinery.ModuleSpec(name, self, origin=str(path), is_package=path.stem == "__init__")

    def exec_module(self, module: object) -> None:
        exec(compile(self.mutant.tree, self.mutant.module, "exec"), vars(module))


def survives(mutant: Mutant, files: Sequence[str]) -> bool:
    """Whether all of these tests pass on a mutant."""
    pid = os.fork()
    if pid == 0:
        _test(mutant, files)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status == 0
        time.sleep(0.02)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return False


def in_order(mutant: Mutant, files: Sequence[str]) -> list[str]:
    """These tests, first those of the very module, if there are any."""
    own = f"test_{mutant.module.rpartition('.')[2]}.py"
    return sorted(files, key=lambda name: Path(name).name != own)


def _smoke() -> None:
    """Play a few of the referee's matches; most mutants fall over those, and that without pytest's ceremony."""
    signal.setitimer(signal.ITIMER_VIRTUAL, ENOUGH)
    from engine import test_conformance

    for case in test_conformance.MATCHES[::6]:
        test_conformance.test_a_match_is_played_as_the_referee_plays_it(*case.values)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _test(mutant: Mutant, files: Sequence[str]) -> None:
    """Run the tests on a mutant in this process, and end it: with 0 when all have passed."""
    code = 1
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        with Path(os.devnull).open("r+b") as nowhere:
            for number in range(3):
                os.dup2(nowhere.fileno(), number)
        sys.meta_path.insert(0, Finder(mutant))
        _smoke()
        code = run_tests(in_order(mutant, files))
    finally:
        os._exit(code)


class Limit:
    """A plugin that ends this process when a test computes for too long."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def pytest_runtest_setup(self) -> None:
        """Start to count anew."""
        signal.setitimer(signal.ITIMER_VIRTUAL, self.seconds)


def run_tests(files: Sequence[str]) -> int:
    """Run the tests that have to notice, up to the first that fails; no shrinking, and always the same examples."""
    import pytest
    from hypothesis import Phase, settings

    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutants", phases=phases, database=None, derandomize=True, deadline=None)
    settings.load_profile("mutants")
    plain = (
        "-x",
        "-q",
        "-c",
        os.devnull,
        "--rootdir",
        str(ROOT),
        "-p",
        "no:cacheprovider",
        "--assert=plain",
        "--tb=no",
        "--no-header",
    )
    for name in files:
        limit = ENOUGH if name in QUICK else 10 * ENOUGH
        if code := int(pytest.main([*plain, str(ROOT / name)], plugins=[Limit(limit)])):
            return code
    return 0


def explained() -> set[str]:
    """The mutants that docs/mutants.md explains."""
    return set(re.findall(r"^- `(.+?)`: \S", EXPLAINED.read_text("utf-8"), re.MULTILINE))


def paths() -> list[Path]:
    """The modules of the engine."""
    return sorted(ENGINE.glob("*.py"))


def chosen(modules: Sequence[str]) -> list[Mutant]:
    """The mutants of these modules, by default of all."""
    return [mutant for path in paths() if path.stem in modules or not modules for mutant in mutants(path)]


def _verdict(survivors: list[str], tested: list[str]) -> int:
    known = explained()
    new = [name for name in survivors if name not in known]
    gone = [name for name in tested if name in known and name not in survivors]
    for name in new:
        print(f"SURVIVES, not explained: {name}")
    for name in gone:
        print(f"EXPLAINED, but caught: {name}")
    print(f"{len(tested)} mutants, {len(tested) - len(survivors)} caught, {len(survivors) - len(new)} explained.")
    return 1 if new or gone else 0


def _start() -> None:
    """Get ready what all mutants need and none changes, so that it is loaded once."""
    os.chdir(ROOT)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = tempfile.mkdtemp(prefix="mutants-")
    sys.dont_write_bytecode = True
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    with contextlib.suppress(ImportError):
        import numpy  # noqa: F401
    import hypothesis.strategies  # noqa: F401

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        run_tests(["tests/test_nothing.py"])  # there is none, but then all of pytest is loaded
    assert not any(name.startswith("critmass") for name in sys.modules)


def main() -> int:
    """Test the mutants that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", help="modules of the engine, without .py; all by default")
    parser.add_argument("--list", action="store_true", help="print the mutants")
    parser.add_argument("--quick", action="store_true", help="run the quick tests alone, which let more survive")
    parser.add_argument("--only", help="those whose name this regular expression is found in")
    arguments = parser.parse_args()
    found = [mutant for mutant in chosen(arguments.modules) if re.search(arguments.only or "", mutant.name)]
    if arguments.list:
        print("\n".join(mutant.name for mutant in found))
        return 0
    _start()
    unchanged = Mutant(
        "nothing changed", f"critmass.engine.{paths()[0].stem}", ast.parse(paths()[0].read_text("utf-8"))
    )
    files = QUICK if arguments.quick else (*QUICK, *SLOW)
    if not survives(unchanged, files):
        print("The tests fail on the engine as it is.")
        return 2
    survivors = []
    for number, mutant in enumerate(found, 1):
        start = time.monotonic()
        if survives(mutant, files):
            survivors.append(mutant.name)
        verdict = "survives" if mutant.name in survivors[-1:] else "caught"
        print(f"{number}/{len(found)} {verdict} in {time.monotonic() - start:.1f} s: {mutant.name}", flush=True)
    return _verdict(survivors, [mutant.name for mutant in found])


if __name__ == "__main__":
    sys.exit(main())
