"""A coverage-guided fuzzer: inputs that reach new lines of the program are kept and changed further.

    python -m tests.torture.fuzz link --seconds 60

It is Atheris, libFuzzer for Python, where that can be installed; elsewhere the corpus is changed at random. It starts
from tests/torture/corpus: an input a line, written like the inside of a bytes literal. An input that breaks a target
is printed like that, to be added there.
"""

import argparse
import importlib.util
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from torture import TESTS

CORPUS = TESTS / "torture/corpus"
HANG = 30
"""The seconds that an input may take."""
LONGEST = 4096


class Broken(AssertionError):
    """An input that a target does not stand."""


def corpus(target: str) -> list[bytes]:
    """The inputs that are known to be interesting."""
    lines = (CORPUS / f"{target}.txt").read_text("ascii").splitlines()
    return [unescaped(line) for line in lines if not line.startswith("#")]


def unescaped(line: str) -> bytes:
    """The bytes of a line of the corpus."""
    return line.encode("ascii").decode("unicode_escape").encode("latin-1")


def escaped(data: bytes) -> str:
    """A line of the corpus."""
    return data.decode("latin-1").encode("unicode_escape").decode("ascii")


def fuzz(target: str, seconds: float, seed: int = 1) -> str:
    """Fuzz a target; return what was done, or raise `Broken` with the input."""
    if importlib.util.find_spec("atheris") is None:
        return _changed_at_random(target, seconds, seed)
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder, "found")
        found.mkdir()
        for number, data in enumerate(corpus(target)):
            (found / f"{number}").write_bytes(data)
        limits = (f"-max_total_time={seconds:.0f}", f"-timeout={HANG}", "-rss_limit_mb=1024", f"-max_len={LONGEST}")
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "torture.fuzz",
                target,
                *limits,
                f"-seed={seed}",
                f"-artifact_prefix={folder}/",
                found,
            ],
            cwd=TESTS,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        broken = [path for path in Path(folder).iterdir() if path.is_file()]
        if done.returncode or broken:
            inputs = "\n".join(escaped(path.read_bytes()) for path in broken)
            told = done.stdout[-4000:] + done.stderr[-500:]
            raise Broken(f"{target}: ended with {done.returncode}\n{told}\nThe input:\n{inputs}")
        last = [line for line in done.stderr.splitlines() if "DONE" in line]
        kept = sum(1 for _ in found.iterdir())
        return f"{target}: {' '.join(last[-1].split()[:6]) if last else 'done'}, {kept} inputs kept"


def run_atheris(target: str, arguments: list[str]) -> None:
    """Fuzz in this process, as libFuzzer's own options say, and end it."""
    import atheris

    with atheris.instrument_imports(include=["critmass"]):
        from torture.targets import TARGETS
    atheris.Setup([target, *arguments], TARGETS[target])
    atheris.Fuzz()


def _changed_at_random(target: str, seconds: float, seed: int) -> str:
    from torture.targets import TARGETS

    rng, known = random.Random(seed), corpus(target)
    until, runs = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        data = changed(rng, rng.choice(known), known)[:LONGEST]
        runs += 1
        try:
            TARGETS[target](data)
        except Exception as error:
            raise Broken(f"{target}: {error!r}\nThe input:\n{escaped(data)}") from error
    return f"{target}: {runs} inputs, changed at random"


def changed(rng: random.Random, data: bytes, others: list[bytes]) -> bytes:
    """An input with a few changes: bytes put in, taken out, turned, doubled, or taken from another input."""
    for _ in range(rng.choice([1, 1, 2, 4, 8])):
        at, end = sorted(rng.randint(0, len(data)) for _ in range(2))
        other = rng.choice(others)
        piece = rng.choice(
            [
                b"",
                rng.randbytes(rng.randint(1, 4)),
                2 * data[at:end],
                other[: rng.randint(0, len(other))],
                bytes([data[at] ^ 1 << rng.randint(0, 7)]) + data[at + 1 : end] if at < end else b"~",
            ]
        )
        data = data[:at] + piece + data[end:]
    return data


def main() -> None:
    """Fuzz one target; options that begin with one dash are libFuzzer's."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    if any(word.startswith("-max_total_time") for word in sys.argv):
        run_atheris(sys.argv[1], sys.argv[2:])
    arguments = parser.parse_args()
    print(fuzz(arguments.target, arguments.seconds, arguments.seed))


if __name__ == "__main__":
    main()
