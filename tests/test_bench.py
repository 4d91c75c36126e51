"""The measurements: that they run and say what they measured. What comes out is for `docs/performance.md`."""

import re
from pathlib import Path

from click.testing import CliRunner

from critmass.bench.peers import PEERS
from critmass.cli import main
from critmass.resources import HOME


def test_other_servers_serve_the_same_app() -> None:
    told = CliRunner().invoke(main, ["bench", "peers", "--requests", "20"])
    assert told.exit_code == 0, told.output
    rates = {
        name.strip(): [float(rate) for rate in re.findall(r"(\d+) /s", rest)]
        for name, rest in re.findall(r"^  (\S.{20})(.*/s.*)$", told.stdout, re.MULTILINE)
    }
    assert {"critmass serve", "Flask's own"} <= {*rates} <= {"critmass serve", *PEERS}
    assert all(len(three) == 3 and min(three) > 0 for three in rates.values())


def test_a_checkout_is_measured_against_another() -> None:
    told = CliRunner().invoke(main, ["bench", "web", "--requests", "20", "--against", str(HOME)])
    assert told.exit_code == 0, told.output
    rows = re.findall(r"^  (p.{22}) +(\d+) /s +(\d+) /s +(\d+\.\d\d)$", told.stdout, re.MULTILINE)
    assert len(rows) == 4
    assert all(int(before) > 0 < int(after) and float(ratio) > 0 for _, before, after, ratio in rows)


def test_a_folder_without_the_program_is_told(tmp_path: Path) -> None:
    package = tmp_path / "critmass"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('half written')\n", "utf-8")
    told = CliRunner().invoke(main, ["bench", "web", "--against", str(tmp_path)])
    assert told.exit_code == 1
    assert "half written" in told.stderr
    missing = CliRunner().invoke(main, ["bench", "web", "--against", str(tmp_path / "nowhere")])
    assert missing.exit_code == 2
