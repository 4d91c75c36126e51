"""Write what a release is made of, as a CycloneDX file: `python tools/sbom.py requirements.lock sbom.json`.

The packages are those of the lock file, with all their hashes; what lies in the repository itself is named here.
The same lock file makes the same file. Such a file is overwritten where there is one, anything else only with --force.
"""

import argparse
import json
import re
import sys
import uuid
from datetime import UTC, datetime
from os import environ
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
_PIN = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; (.*?))? \\$")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def version() -> str:
    """Return the version of the program, which is written down in one place."""
    found = re.search(r'^__version__ = "(.+)"$', (ROOT / "critmass/__init__.py").read_text("utf-8"), re.MULTILINE)
    assert found, "no version"  # noqa: S101 - a script
    return found[1]


def locked(text: str) -> list[dict[str, Any]]:
    """Return the packages of a lock file."""
    components: list[dict[str, Any]] = []
    for line in text.splitlines():
        if pin := _PIN.match(line):
            name, number, marker = pin.groups()
            purl = f"pkg:pypi/{name}@{number}"
            components.append(
                {"type": "library", "bom-ref": purl, "name": name, "version": number, "purl": purl, "hashes": []}
            )
            if marker:
                components[-1]["properties"] = [{"name": "marker", "value": marker}]
        if components:
            components[-1]["hashes"].extend({"alg": "SHA-256", "content": digest} for digest in _HASH.findall(line))
    return components


def vendored() -> list[dict[str, Any]]:
    """Return what others made and the repository holds."""
    htmx = re.search(r'version="([\d.]+)"', (ROOT / "static/htmx.js").read_text("utf-8"))
    assert htmx, "htmx does not say its version"  # noqa: S101 - a script
    return [
        {
            "type": "library",
            "bom-ref": "htmx",
            "name": "htmx.org",
            "version": htmx[1],
            "purl": f"pkg:npm/htmx.org@{htmx[1]}",
            "licenses": [{"license": {"id": "0BSD"}}],
        },
        {
            "type": "file",
            "bom-ref": "inter",
            "name": "Inter (Regular and SemiBold)",
            "licenses": [{"license": {"id": "OFL-1.1"}}],
        },
    ]


def sbom(lock: str) -> dict[str, Any]:
    """Return the file's content."""
    made = datetime.fromtimestamp(int(environ.get("SOURCE_DATE_EPOCH", "0")), UTC)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{version()} {lock}')}",
        "version": 1,
        "metadata": {
            "timestamp": made.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": "critical-mass",
                "name": "critical-mass",
                "version": version(),
                "purl": f"pkg:pypi/critical-mass@{version()}",
                "licenses": [{"license": {"id": "MIT"}}],
            },
        },
        "components": locked(lock) + vendored(),
    }


def is_sbom(path: Path) -> bool:
    """Return whether a file is the bill of this program."""
    try:
        bill = json.loads(path.read_bytes())
        return bill["bomFormat"] == "CycloneDX" and bill["metadata"]["component"]["name"] == "critical-mass"
    except (ValueError, LookupError, TypeError):
        return False


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write what a release is made of.")
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--force", action="store_true", help="overwrite the target whatever it is")
    given = parser.parse_args()
    if given.target.is_file() and given.target.stat().st_size and not given.force and not is_sbom(given.target):
        sys.exit(f"{given.target} holds something else: choose another file, or --force")
    given.target.write_text(json.dumps(sbom(given.source.read_text("utf-8")), indent=1) + "\n", "utf-8")
