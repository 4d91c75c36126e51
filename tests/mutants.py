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
import importlib
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
import types
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "critmass/engine"
EXPLAINED = ROOT / "docs/mutants.md"
FILES = (
    *("tests/engine/test_details.py", "tests/engine/test_rules.py", "tests/engine/test_conformance.py"),
    *("tests/engine/test_codec.py", "tests/engine/test_board.py", "tests/engine/test_play.py"),
    *("tests/engine/test_games.py", "tests/test_links.py", "tests/engine/test_termination.py"),
    "tests/engine/test_against_naive.py",
)
"""The tests that have to notice."""
FEW, MANY = 20, 100
"""The examples of a property that are tried on every mutant, and those that a survivor has to stand besides."""
OWN = {"match": ("test_play", "test_games"), "grid": ("test_board",), "errors": ("test_codec", "test_play")}
"""Which tests are a module's own, where they are not called like it."""
PATIENCE = 1200
"""The seconds after which a mutant counts as caught, however slow the machine is."""
ENOUGH = 60.0
"""The seconds of computing after which a test counts as one without an end."""
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


def survives(mutant: Mutant) -> bool:
    """Whether all tests pass on a mutant that everything is made from anew."""
    return in_a_fork(lambda: _passes(mutant))


def in_order(mutant: Mutant, files: Sequence[str]) -> list[str]:
    """These tests, first those of the very module, if there are any."""
    module = mutant.module.rpartition(".")[2]
    own = ("test_details", *OWN.get(module, (f"test_{module}",)))
    return sorted(files, key=lambda name: own.index(Path(name).stem) if Path(name).stem in own else len(own))


def _smoke() -> None:
    """Play a few of the referee's matches; most mutants fall over those, and that without pytest's ceremony."""
    signal.setitimer(signal.ITIMER_VIRTUAL, 10)
    from engine import test_conformance

    for case in test_conformance.MATCHES[::20]:
        test_conformance.test_a_match_is_played_as_the_referee_plays_it(*case.values)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _passes(mutant: Mutant) -> bool:
    sys.meta_path.insert(0, Finder(mutant))
    _smoke()
    return all(run_tests([name], MANY, Limit()) == 0 for name in in_order(mutant, FILES))


class Limit:
    """A plugin that ends this process when a test computes for too long."""

    def pytest_runtest_setup(self) -> None:
        """Start to count anew."""
        signal.setitimer(signal.ITIMER_VIRTUAL, ENOUGH)


def run_tests(files: Sequence[str], examples: int, *plugins: object) -> int:
    """Run tests, up to the first that fails; no shrinking, and always the same examples."""
    import pytest
    from hypothesis import Phase, settings

    same = settings(phases=(Phase.explicit, Phase.generate), database=None, derandomize=True, deadline=None)
    settings.register_profile("mutants", same, max_examples=examples)
    settings.load_profile("mutants")
    plain = ("-x", "-q", "-c", os.devnull, "--rootdir", str(ROOT), "-p", "no:cacheprovider", "--assert=plain")
    return int(pytest.main([*plain, "--tb=no", *(str(ROOT / name) for name in files)], plugins=[*plugins]))


# --- Testing many of them fast ------------------------------------------------------------------------------------


def functions(code: types.CodeType) -> dict[str, types.CodeType]:
    """All functions and methods in the code of a module, by their qualified name."""
    found = {}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType) and "<" not in inner.co_qualname:
            found[inner.co_qualname] = inner
            found |= functions(inner)
    return found


def patch(mutant: Mutant) -> bool:
    """Change the function that a mutant changes where it is; return whether it was only the inside of a function."""
    module = importlib.import_module(mutant.module)
    qualified = mutant.name.partition(": ")[0].partition(".")[2]
    new = functions(compile(mutant.tree, mutant.module, "exec")).get(qualified)
    target: Any = module
    for name in qualified.split("."):
        target = vars(target).get(name) if target else None
    target = getattr(target, "fget", target)
    target = getattr(target, "__func__", target)
    if isinstance(wrapped := getattr(target, "__wrapped__", None), types.FunctionType):
        target.cache_clear()
        target = wrapped
    if new is None or not isinstance(target, types.FunctionType) or target.__code__.co_freevars != new.co_freevars:
        return False
    old = target.__code__.replace(co_filename="", co_firstlineno=1, co_linetable=b"")
    if old.co_code == new.co_code and old.co_consts == new.co_consts and old.co_names == new.co_names:
        return False  # a default, or a decorator
    target.__code__ = new
    return True


class Crowd:
    """A plugin that runs the tests once, then on each mutant in a fork those that reach its function, quickest first.

    What was made before, like the rules of the three games, is not made anew. So what survives here is only suspected.
    """

    def __init__(self, crowd: Sequence[Mutant], report: Callable[[int, bool], None]) -> None:
        self.crowd = crowd
        self.report = report
        self.reached: dict[Any, set[str]] = {}
        self.seconds: dict[Any, float] = {}
        self.failed = False

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Take down that a test failed."""
        self.failed |= report.failed

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run all of it, in place of pytest's own loop."""
        for item in session.items:
            self._measure(item)
        assert not self.failed, "the tests fail on the engine as it is"
        for number, mutant in enumerate(self.crowd):
            self.report(number, in_a_fork(lambda mutant=mutant: self._stands(mutant)))
        return True

    def _measure(self, item: Any) -> None:
        ran: set[types.CodeType] = set()

        def call(frame: types.FrameType, event: str, _: object) -> None:
            if event == "call":
                ran.add(frame.f_code)

        start = time.process_time()
        sys.setprofile(call)
        self._run(item)
        sys.setprofile(None)
        self.seconds[item] = time.process_time() - start
        self.reached[item] = {
            f"{Path(code.co_filename).stem}.{code.co_qualname.partition('.<')[0]}"
            for code in ran
            if code.co_filename.startswith(str(ENGINE))
        }

    def _run(self, item: Any) -> None:
        if hasattr(item, "_request"):
            item._initrequest()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def _stands(self, mutant: Mutant) -> bool:
        """Whether the tests pass on a mutant; in a process of its own."""
        if not patch(mutant):
            return True
        where = mutant.name.partition(": ")[0]
        for item in sorted(self.seconds, key=lambda item: self.seconds[item]):
            if where in self.reached[item]:
                signal.setitimer(signal.ITIMER_VIRTUAL, 10 * self.seconds[item] + 2)
                self._run(item)
            if self.failed:
                return False
        return True


def in_a_fork(work: Callable[[], bool]) -> bool:
    """Whether some work succeeds in a process of its own, silently; it does not if it crashes or has no end."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            with Path(os.devnull).open("r+b") as nowhere:
                for number in range(3):
                    os.dup2(nowhere.fileno(), number)
            code = 0 if work() else 1
        finally:
            os._exit(code)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status == 0
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return False


def suspects(crowd: Sequence[Mutant]) -> list[Mutant]:
    """Those of many mutants that survive a fast look, which is made in a process of its own."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        with os.fdopen(writing, "w", buffering=1) as out, contextlib.redirect_stdout(io.StringIO()):
            code = run_tests(FILES, FEW, Crowd(crowd, lambda number, stands: print(number, int(stands), file=out)))
        os._exit(code)
    os.close(writing)
    found = []
    with os.fdopen(reading) as results:
        for line in results:
            number, stands = map(int, line.split())
            print(f"{number + 1}/{len(crowd)} {'suspected' if stands else 'caught'}: {crowd[number].name}", flush=True)
            if stands:
                found.append(crowd[number])
    if os.waitpid(pid, 0)[1]:
        raise SystemExit("The tests fail on the engine as it is.")
    return found


# --- All of it ----------------------------------------------------------------------------------------------------


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
        run_tests(["tests/test_nothing.py"], FEW)  # there is none, but then all of pytest is loaded
    assert not any(name.startswith("critmass") for name in sys.modules)


def main() -> int:
    """Test the mutants that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", help="modules of the engine, without .py; all by default")
    parser.add_argument("--list", action="store_true", help="print the mutants")
    parser.add_argument("--only", help="those whose name this regular expression is found in")
    arguments = parser.parse_args()
    found = [mutant for mutant in chosen(arguments.modules) if re.search(arguments.only or "", mutant.name)]
    if arguments.list:
        print("\n".join(mutant.name for mutant in found))
        return 0
    _start()
    survivors = []
    for number, mutant in enumerate(doubtful := suspects(found), 1):
        start = time.monotonic()
        if survives(mutant):
            survivors.append(mutant.name)
        verdict = "survives" if mutant.name in survivors[-1:] else "caught"
        spent = time.monotonic() - start
        print(f"suspect {number}/{len(doubtful)} {verdict} in {spent:.1f} s: {mutant.name}", flush=True)
    return _verdict(survivors, [mutant.name for mutant in found])


if __name__ == "__main__":
    sys.exit(main())
