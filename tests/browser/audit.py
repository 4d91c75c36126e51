"""Two audits of a page: axe for what assistive technology meets, html-validate for the markup itself."""

import json
import subprocess
import tempfile
from pathlib import Path

from playwright.sync_api import Page

HERE = Path(__file__).parent
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe(page: Page) -> list[str]:
    """Return what in the page breaks a rule of WCAG 2.2 A or AA or a best practice, a line each."""
    if not page.evaluate("'axe' in window"):
        # Evaluated, not added as a script element, which the page's own policy would refuse.
        page.evaluate((HERE / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8"))
    options = {"runOnly": {"type": "tag", "values": STANDARDS}, "resultTypes": ["violations"]}
    found = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{rule['id']} ({rule['impact']}): {rule['help']}: {node['html']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def html_validate(*pages: str | Path) -> list[str]:
    """Validate these pages, each its HTML as served or a file; return what is wrong, a line each.

    A line starts with the page's number among the arguments.
    """
    with tempfile.TemporaryDirectory() as folder:
        for number, page in enumerate(pages):
            html = page.read_text(encoding="utf-8") if isinstance(page, Path) else page
            (Path(folder) / f"{number}.html").write_text(html, encoding="utf-8")
        report = Path(folder) / "report.json"  # in a file: node cuts a pipe short when it exits
        command = [HERE / "node_modules/.bin/html-validate", "--config", HERE / ".htmlvalidate.json"]
        done = subprocess.run(
            [*command, "--formatter", f"json={report}", folder], capture_output=True, text=True, check=False
        )
        if not report.exists():
            raise RuntimeError(done.stdout + done.stderr)
        reports = json.loads(report.read_text(encoding="utf-8"))
    return [
        f"{Path(report['filePath']).stem}:{message['line']}:{message['column']} "
        f"{message['ruleId']}: {message['message']}"
        for report in reports
        for message in report["messages"]
    ]
