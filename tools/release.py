"""Make a release, and leave it in a folder: `python tools/release.py [dist]`. Nothing is uploaded.

Wheel and sdist are built twice and have to be the same to the byte; beside them are an SBOM and the checksums of all of
it. Whoever has the same commit gets the same files.
"""

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


def main(target: Path) -> None:
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
    target.mkdir(parents=True, exist_ok=True)
    for name, content in builds[0].items():
        (target / name).write_bytes(content)
    bill = target / f"critical_mass-{version()}.cdx.json"
    told(sys.executable, ROOT / "tools/sbom.py", ROOT / "requirements.lock", bill)
    files = [*(target / name for name in builds[0]), bill]
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (target / SUMS).write_text("".join(sums), "utf-8")
    print("".join(sums), end="")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist").resolve())
