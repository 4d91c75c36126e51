"""The board of a match page: the picture in layers, and over it the grid of links that is played on."""

from dataclasses import replace
from typing import NamedTuple

from markupsafe import Markup, escape

from critmass.drawing import svg
from critmass.drawing.svg import Pen
from critmass.engine import Board, cell_names
from critmass.engine.codec import move_texts, width
from critmass.formats.wording import cells_told, standing
from critmass.links import Link, format_query, write_levels

_COMPASS = ("north", "south", "east", "west")


def at_rest(link: Link) -> Link:
    """Return the view of the same board without the chain that led to it."""
    return replace(link, ring=len(link.ply.steps) - 1) if link.ply else link


def scene(link: Link) -> Markup:
    """Return the picture of the position shown, with the last move's chain in layers for the style sheet to play."""
    grid, board = link.rules.grid, link.board
    ply = link.ply if link.ring is None else None
    last = link.ply.cell if link.ply else None
    pen = Pen(link.colours, skins=True)
    layers = [
        _layer(link, "ground", svg.ground(grid, last)),
        _layer(link, "halo rest", pen.halos(board)),
        _layer(link, "rest", pen.orbs(board, grid.cells)),
    ]
    if ply:
        boards, flashes, flights = pen.chain(ply)
        layers += [_layer(link, "chain", boards), _layer(link, "chain flash", flashes)]
        layers += [
            _layer(link, f"chain fly {direction}", flight) for direction, flight in zip(_COMPASS, flights, strict=True)
        ]
    return Markup(_definitions(pen) + "".join(layers))


def _definitions(pen: Pen) -> str:
    return f'<svg class="defs" aria-hidden="true">{pen.definitions()}</svg>'


def _layer(link: Link, name: str, content: str) -> str:
    if not content:
        return ""
    return f'<svg class="{name}" viewBox="{svg.view_box(link.rules.grid)}" aria-hidden="true">{content}</svg>'


def preview(link: Link) -> Markup:
    """Return the empty board of a match to be, with the definitions of its players' orbs."""
    pen = Pen(link.colours, skins=True)
    return Markup(_definitions(pen) + _layer(link, "ground", svg.ground(link.rules.grid)))


class Figures:
    """The small boards at rest of one page, which share their definitions."""

    def __init__(self, colours: str) -> None:
        self._pen = Pen(colours, skins=True)

    def draw(self, board: Board, last: int | None, title: str, hint: int | None = None) -> Markup:
        """Return a board; a cell can be marked as a hint."""
        grid = board.grid
        marked = f'<path class="advised" d="{svg.tiles(grid, 1 << hint)}"/>' if hint is not None else ""
        drawn = svg.ground(grid, last) + self._pen.halos(board) + self._pen.orbs(board, grid.cells) + marked
        label = escape(title)
        return Markup(
            f'<svg class="figure" viewBox="{svg.view_box(grid)}" role="img" aria-label="{label}">{drawn}</svg>'
        )

    def definitions(self) -> Markup:
        """Return what the boards drawn so far need to be on the page once."""
        return Markup(_definitions(self._pen))


def cells(link: Link, *, playable: bool, swap: bool = True, path: str | None = None) -> Markup:
    """Return the grid over the picture, row by row from the top: every cell told, every legal one a link.

    With `swap` the links put the next position into the page that is open; without, they open its page. A `path` is
    what the paths of the next positions begin with where they are no matches.
    """
    grid, position = link.rules.grid, link.position
    legal = position.legal if playable else 0
    path, query = str(escape(path or link.next_path)), str(escape(link.query))
    part = str(escape(format_query((*link.dress, ("part", "1")))))
    just = link.ply.cell if link.ply else None
    told = str(escape("\n".join(cells_told(link)))).split("\n")
    names, texts = cell_names(grid), move_texts(grid)
    rows = []
    for row in range(grid.rows - 1, -1, -1):
        drawn = []
        for cell in range(row * grid.columns, (row + 1) * grid.columns):
            name, label, marked = names[cell], told[cell], ""
            if cell == just:
                label, marked = f"{label}, just played", " data-just"
            if legal >> cell & 1:
                href = path + texts[cell]
                get = f' hx-get="{href}{part}"' if swap else ""
                drawn.append(
                    f'<div role="gridcell"{marked}><a id="{name}" href="{href}{query}" rel="nofollow"{get} '
                    f'aria-label="{label}"></a></div>'
                )
            else:
                drawn.append(f'<div role="gridcell" id="{name}"{marked} aria-label="{label}"></div>')
        rows.append(f'<div role="row">{"".join(drawn)}</div>')
    label = f"Board, {grid.columns} columns, {grid.rows} rows"
    return Markup(f'<div role="grid" aria-label="{label}">{"".join(rows)}</div>')


def page_title(link: Link, at: int) -> Markup:
    """Return the title of the page of a match after a ply: like the rest of a page, in ASCII where names are."""
    return Markup(f"{escape(standing(link, link.match.position(at)))} &middot; move {at}")


def facts(link: Link) -> Markup:
    """Return what a script may know of the match, as data attributes: its words, none of its rules."""
    position = link.match.position()
    known = {
        "game": link.game,
        "moves": link.address.moves,
        "width": width(link.rules.grid),
        "query": link.query,
        "title": page_title(link, link.length),
        "turn": position.turn or "",
        "computer": write_levels(link.levels),
    }
    drawn = "".join(f' data-{name}="{escape(value)}"' for name, value in known.items())
    at_end = " data-at-end" if link.at_end and link.ring is None else ""
    return Markup(drawn + at_end + (" data-alone" if link.people < 2 else ""))


def standings(link: Link) -> list[tuple[str, str, int | None]]:
    """Return the players from the first to the last: name, colour, the ply on which they went out if they did."""
    gone = {player: ply.number for ply in link.match.plies for player in ply.eliminated}
    order = sorted(range(1, link.rules.players + 1), key=lambda player: -gone.get(player, link.length + 1))
    return [(link.names[player - 1], link.colours[player - 1], gone.get(player)) for player in order]


def move_list(link: Link) -> Markup:
    """Return the items of the move list: every ply a link to the match as it stood after it."""
    tail, names = str(escape(link.tail)), cell_names(link.rules.grid)
    items = []
    for number, ply in enumerate(link.match.plies, 1):
        rings = len(ply.steps) - 1
        shown = ' aria-current="true"' if number == link.at else ""
        word = "ring" if rings == 1 else "rings"
        more = f'<small>{rings}<span class="unseen"> {word}</span></small>' if rings else ""
        items.append(
            f'<li class="{link.colours[ply.player - 1]}"><a href="?at={number}{tail}" '
            f'hx-get="?at={number}{tail}&amp;part=1"{shown}>{names[ply.cell]}{more}</a></li>'
        )
    return Markup("".join(items))


class Holding(NamedTuple):
    """What a player holds on the board shown, as the status bar shows it."""

    name: str
    level: int | None
    letter: str
    player: int
    orbs: int
    cells: int
    turn: bool
    out: bool


def holdings(link: Link) -> list[Holding]:
    """Return what each player holds on the board shown, in turn order."""
    board, position = link.board, link.position
    return [
        Holding(
            name,
            level,
            letter,
            player,
            orbs=board.orbs_of(player),
            cells=board.cells_of(player).bit_count(),
            turn=position.turn == player,
            out=player in position.out and not board.cells_of(player),
        )
        for player, (name, level, letter) in enumerate(zip(link.names, link.levels, link.colours, strict=True), 1)
    ]
