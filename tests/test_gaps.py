"""In CI a run that leaves tests out fails, and says so before pytest's summary."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("marker", "options", "gap"),
    [
        ("@pytest.mark.skip", [], "1 skipped"),
        ("@pytest.mark.xfail", [], "1 xfailed"),
        ("", ["-k", "passes"], "1 deselected"),
    ],
)
@pytest.mark.parametrize("ci", ["", "true"])
def test_gaps_fail_in_ci_alone(tmp_path: Path, marker: str, options: list[str], gap: str, ci: str) -> None:
    shutil.copy(HERE / "conftest.py", tmp_path)
    test = f"import pytest\ndef test_passes(): pass\n{marker}\ndef test_gap(): assert {not marker}\n"
    (tmp_path / "test_it.py").write_text(test, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options],
        cwd=tmp_path,
        env={**os.environ, "CI": ci, "PYTHONPATH": str(HERE), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    *_, last = done.stdout.splitlines()
    assert "1 passed" in last
    assert gap in last
    assert done.returncode == (1 if ci else 0), done.stdout
    assert (f"not every test ran: {gap}" in done.stdout) == bool(ci)
