"""Pages, read into a tree: elements by tag and attributes, their text, and the links between them."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import urljoin

from flask.testing import FlaskClient

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Element:
    """An element, with what is in it."""

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[Element | str] = []

    def __getitem__(self, attribute: str) -> str:
        return self.attributes[attribute]

    def __iter__(self) -> Iterator["Element"]:
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child

    def all(self, tag: str = "", **attributes: str) -> list["Element"]:
        """The elements in it with this tag and these attributes, in document order."""
        wanted = attributes.items()
        return [it for it in self if tag in ("", it.tag) and wanted <= it.attributes.items()]

    def one(self, tag: str = "", **attributes: str) -> "Element":
        """The only such element."""
        (found,) = self.all(tag, **attributes)
        return found

    def link(self, label: str) -> "Element":
        """The link that is called that, by its label or its text; the first, if there are more to the same address."""
        found = [it for it in self.all("a") if it.attributes.get("aria-label", it.text).startswith(label)]
        assert len({it["href"] for it in found}) == 1, f"{label}: {[it.attributes for it in found]}"
        return found[0]

    @property
    def text(self) -> str:
        """What is written in it, runs of blanks as one."""
        return " ".join(self._text().split())

    def _text(self) -> str:
        return "".join(child if isinstance(child, str) else child._text() for child in self.children)


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(self.open[-1].children[-1])  # type: ignore[arg-type]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)

    def handle_endtag(self, tag: str) -> None:
        if any(element.tag == tag for element in self.open):
            while self.open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parse(html: str) -> Element:
    builder = _Builder()
    builder.feed(html)
    builder.close()
    return builder.open[0]


def page_at(client: FlaskClient, url: str, status: int = 200) -> Element:
    """The page of that address, which has to answer at once."""
    response = client.get(url)
    assert response.status_code == status, f"{url}: {response.status}"
    assert response.mimetype == "text/html"
    return parse(response.text)


def title_of(page: Element) -> str:
    return next(it for it in page.all("title")).text


class Cell(NamedTuple):
    """A cell of the board as a page has it."""

    label: str
    link: Element | None


def cells_of(page: Element) -> dict[str, Cell]:
    """The board's cells by name, in reading order."""
    cells = {}
    for element in page.one(role="grid").all(role="gridcell"):
        link = next(iter(element.all("a")), None)
        label = (link or element)["aria-label"]
        cells[label.partition(",")[0]] = Cell(label, link)
    return cells


def targets(page: Element, url: str) -> set[str]:
    """Every address on this site that a page at `url` leads to, path and query."""
    found = {it[name] for it in page for name in ("href", "hx-get", "action") if name in it.attributes}
    return {urljoin(url, target) for target in found if not target.startswith("#")}
