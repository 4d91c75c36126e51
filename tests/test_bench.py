"""The measurements: that they run and say what they measured. What comes out is for `docs/performance.md`."""

import re

from click.testing import CliRunner

from critmass.cli import main


def test_other_servers_serve_the_same_app() -> None:
    told = CliRunner().invoke(main, ["bench", "peers", "--requests", "20"])
    assert told.exit_code == 0, told.output
    rates = {
        name.strip(): [float(rate) for rate in re.findall(r"(\d+) /s", rest)]
        for name, rest in re.findall(r"^  (\S.{20})(.*/s.*)$", told.stdout, re.MULTILINE)
    }
    assert {"critmass serve", "gunicorn, sync", "gunicorn, 4 threads", "Flask's own"} <= {*rates}
    assert all(len(three) == 3 and min(three) > 0 for three in rates.values())
