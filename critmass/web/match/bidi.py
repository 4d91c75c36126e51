"""Names of any direction in pages: the isolating characters of plain text become elements."""

from markupsafe import Markup, escape

from critmass.links.names import END_ISOLATE, ISOLATE


def with_bdi(text: object) -> Markup:
    """Return a text as markup in which what is isolated stands in `<bdi>`; for text alone, not for attributes."""
    return Markup(escape(text).replace(ISOLATE, Markup("<bdi>")).replace(END_ISOLATE, Markup("</bdi>")))
