"""Make a release, and leave it in a folder: `python tools/release.py [--force] [dist]`. Nothing is uploaded.

Wheel and sdist are built twice and have to be the same to the byte; beside them are an SBOM and the checksums of all of
it. Whoever has the same commit gets the same files. What is in the folder already is overwritten where an earlier
release left it just so; anything else only with --force.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from sbom import version  # noqa: E402 - beside this file

GIT = ("git", "-c", "safe.directory=*")
SUMS = "SHA256SUMS"


def told(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command, which has to succeed, and return what it says."""
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603


def check() -> None:
    """Stop where the checkout is no release."""
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    first = re.search(r"^## (\S+)", changes, re.MULTILINE)
    if not first or first[1] != version():
        sys.exit(f"CHANGELOG.md does not begin with {version()}")
    if not re.fullmatch(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?", version()):
        sys.exit(f"{version()} is no semantic version")
    if told(*GIT, "status", "--porcelain"):
        sys.exit("There are changes that are not committed")


def checkout(folder: Path) -> None:
    """Put the files of the commit there, and nothing else."""
    archive = folder.with_suffix(".tar")
    told(*GIT, "archive", "--output", archive, "HEAD")
    folder.mkdir()
    shutil.unpack_archive(archive, folder, filter="data")


def build(folder: Path) -> dict[str, bytes]:
    """Return the wheel and the sdist of a checkout, by name."""
    told(sys.executable, "-m", "hatchling", "build", "--directory", folder / "dist", cwd=folder)
    return {path.name: path.read_bytes() for path in sorted((folder / "dist").iterdir())}


def spare_others(target: Path, names: list[str]) -> None:
    """Stop where a file would be overwritten that is not as an earlier release left it."""
    sums = target / SUMS
    lines = sums.read_text("utf-8", "replace").splitlines() if sums.exists() else []
    known = dict(
        reversed(line.split("  ", 1)) for line in lines if re.fullmatch(r"[0-9a-f]{64}  critical_mass-\S+", line)
    )
    changed = [SUMS] if len(known) < len(lines) else []
    for name in names:
        path = target / name
        if path.exists() and known.get(name) != hashlib.sha256(path.read_bytes()).hexdigest():
            changed.append(name)
    if changed:
        sys.exit(f"{target} has files of other making, {', '.join(changed)}: choose another folder, or --force")


def main(target: Path, force: bool) -> None:
    """Make the release."""
    check()
    os.environ["SOURCE_DATE_EPOCH"] = told(*GIT, "log", "-1", "--format=%ct")
    with tempfile.TemporaryDirectory() as work:
        builds = []
        for name in ("one", "two"):
            checkout(Path(work, name))
            builds.append(build(Path(work, name)))
        if builds[0] != builds[1]:
            sys.exit("Two builds are not the same")
    bill = target / f"critical_mass-{version()}.cdx.json"
    if not force:
        spare_others(target, [*builds[0], bill.name])
    target.mkdir(parents=True, exist_ok=True)
    for name, content in builds[0].items():
        (target / name).write_bytes(content)
    told(sys.executable, ROOT / "tools/sbom.py", "--force", ROOT / "requirements.lock", bill)
    files = [*(target / name for name in builds[0]), bill]
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (target / SUMS).write_text("".join(sums), "utf-8")
    print("".join(sums), end="")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Make a release.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist")
    parser.add_argument("--force", action="store_true", help="overwrite files that no release has left there")
    arguments = parser.parse_args()
    main(arguments.folder.resolve(), arguments.force)
