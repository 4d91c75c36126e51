"""What a page is under a finger: whether quick taps zoom, whether a field makes the phone zoom in."""

from playwright.sync_api import Page

# The controls on which two quick taps zoom. What an element allows holds up to the next element that scrolls, and what
# is no box of its own allows what its parent does.
ZOOMING = """() => {
  const controls = "a, button, input:not([type=hidden]), select, textarea, summary, label, [role=gridcell]";
  const boxless = /^(inline|contents|table-(row|row-group|header-group|footer-group|column|column-group))$/;
  const zooms = (it) => {
    for (let at = it; at; at = at.parentElement) {
      const { touchAction, display, overflowX, overflowY } = getComputedStyle(at);
      if (!boxless.test(display) && touchAction !== "auto") return touchAction !== "manipulation";
      if (at !== it && /auto|scroll/.test(overflowX + overflowY)) return true;
    }
    return true;
  };
  const all = [...document.querySelectorAll(controls)].filter((it) => it.checkVisibility());
  return [all.length, all.filter(zooms).map((it) => it.outerHTML.slice(0, 120))];
}"""
SMALL = """() => [...document.querySelectorAll("input:not([type=hidden]), select, textarea")]
  .filter((it) => parseFloat(getComputedStyle(it).fontSize) < 16).map((it) => it.outerHTML.slice(0, 120))"""


def zooming(page: Page) -> list[str]:
    """The controls of a page on which two quick taps zoom."""
    count, found = page.evaluate(ZOOMING)
    assert count, page.url
    return found  # type: ignore[no-any-return]


def small_fields(page: Page) -> list[str]:
    """The fields whose letters are so small that a phone zooms in on them, at the browser's size of letters or less."""
    found = page.evaluate(SMALL)
    page.evaluate("document.documentElement.style.fontSize = '11px'")
    found += page.evaluate(SMALL)
    page.evaluate("document.documentElement.style.fontSize = ''")
    return found  # type: ignore[no-any-return]
