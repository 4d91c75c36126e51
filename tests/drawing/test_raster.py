"""Pictures as pixels, read back: boards, cards and films."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from math import hypot, pi
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageSequence, ImageStat

from critmass.bench import links
from critmass.drawing import lettering
from critmass.drawing.card import HEIGHT, WIDTH
from critmass.drawing.colours import SURFACES
from critmass.drawing.film import END, PLACED, REST, RING, START, Frame, film, script
from critmass.drawing.geometry import CELL, MARKS, PLACES
from critmass.drawing.indexed import mixed, palette
from critmass.drawing.outline import polygons
from critmass.drawing.raster import Plan, Rgb, looks, picture, rgb, shade_of
from critmass.engine import Board, cells_of, classic, make_grid
from critmass.formats.pictures import gif, png
from critmass.links import COLOUR_NAMES, Link, read, split_url

SIXTY = links(3)


def vector(rules: str, reason: str) -> str:
    """The path of the first match of the conformance vectors that ended so."""
    file = Path(__file__).parents[1] / "conformance" / f"{rules}.jsonl"
    matches = map(json.loads, file.read_text().splitlines())
    return str(next(it["path"] for it in matches if it["plies"] and it["plies"][-1].get("reason") == reason))


FOCUS = (-5.6, -8)
REACH = 31.2
"""Where the light falls on an orb, and how far it reaches, in units from its middle."""

BOARDS = {
    "6×6": SIXTY[0],
    "6×6, own colours": f"{SIXTY[1]}?colours=nc",
    "3×3": links(1, 8, classic(3, 3, 2))[0],
    "6×9, three": links(1, 50, classic(6, 9, 3))[0],
    "16×3, five": links(1, 60, classic(16, 3, 5))[0],
    "8×8, eight": links(1, 100, classic(8, 8, 8))[0],
    "8×8, other eight": links(1, 100, classic(8, 8, 8), seed=7)[0] + "?colours=slncptvo",
    "before the first move": "/m/",
    "cut": vector("critical-mass", "cut"),
    "wiped": vector("classic", "wiped"),
}


def linked(url: str, **changes: Any) -> Link:
    address = split_url(url)
    assert address is not None
    return replace(read(address), **changes)


def opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


def apart(one: Rgb, other: Rgb) -> int:
    return max(abs(first - second) for first, second in zip(one, other, strict=True))


class Reader:
    """Reads a board's picture by cells and units."""

    def __init__(self, image: Image.Image, link: Link) -> None:
        self.image = image.convert("RGB")
        self.plan = Plan.of_size(link.rules.grid, max(image.size))
        self.link = link

    def at(self, cell: int, x: float, y: float) -> Rgb:
        """The pixel so many units from the middle of a cell."""
        left, top = self.plan.corner(cell)
        half, unit = self.plan.pitch / 2, self.plan.pitch / CELL
        pixel = self.image.getpixel((int(left + half + x * unit), int(top + half + y * unit)))
        assert isinstance(pixel, tuple)
        red, green, blue = pixel
        return red, green, blue


def body(letter: str, scheme: str, x: float, y: float) -> Rgb:
    """The colour of an orb so many units from its middle, by the formula of a radial gradient."""
    shade = shade_of(letter, scheme)
    light, fill, deep = rgb(shade.light), rgb(shade.fill), rgb(shade.deep)
    share = hypot(x - FOCUS[0], y - FOCUS[1]) / REACH
    return mixed(light, fill, 2 * share) if share < 0.5 else mixed(fill, deep, 2 * share - 1)


def check(image: Image.Image, link: Link, near: int) -> None:
    """Check that a picture shows the position of a link; colours may be off by `near` in each part."""
    board, grid, surface = link.position.board, link.rules.grid, SURFACES[link.scheme]
    seen, hot = Reader(image, link), board.hot
    for cell, look in enumerate(looks(board, None)):
        owner = board.owner(cell)
        if owner is None:
            if look.glows == (0, 0, 0, 0):
                assert seen.at(cell, 0, 0) == rgb(surface.tile), cell
                assert seen.at(cell, 30, -30) == rgb(surface.tile), cell
            continue
        letter, (x, y) = link.colours[owner - 1], PLACES[board.orbs_at(cell)][-1]
        for down in (15, 17):
            assert apart(seen.at(cell, x, y + down), body(letter, link.scheme, 0, down)) <= near, cell
        if owner == 1:  # whose mark is a dot
            assert apart(seen.at(cell, x, y), rgb(shade_of(letter, link.scheme).ink)) <= 4, cell
        light, rim = rgb(shade_of(letter, link.scheme).light), seen.at(cell, x + 15.5, y + 15.5)
        assert (apart(rim, light) <= near) == bool(hot >> cell & 1), cell
    if link.ply:
        cell = link.ply.cell
        look = looks(board, cell)[cell]
        edge = min(apart(seen.at(cell, x, 0), rgb(surface.accent)) for x in (-48, -47, -46))
        assert edge <= (70 if look.hot or any(look.glows) else near)
    assert seen.at(grid.cell(0, 0), -57, 57) == rgb(surface.frame)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("url", BOARDS.values(), ids=BOARDS)
def test_a_board_shows_its_position(url: str, scheme: str) -> None:
    link = linked(url, scheme=scheme)
    image = opened(png(link))
    assert image.format == "PNG"
    assert image.mode == "P"
    assert max(image.size) == 1024
    check(image, link, 24 if link.rules.players <= 3 else 48)


@pytest.mark.parametrize("size", [128, 129, 200, 333, 480, 1024, 2047, 2048])
@pytest.mark.parametrize(("columns", "rows"), [(6, 6), (3, 3), (16, 16), (3, 16), (16, 3), (6, 9)])
def test_the_longer_side_is_the_size(columns: int, rows: int, size: int) -> None:
    plan = Plan.of_size(make_grid(columns, rows), size)
    assert max(plan.width, plan.height) == size
    assert (plan.width < plan.height) == (columns < rows)
    areas = [plan.area(cell) for cell in range(columns * rows)]
    assert sum((right - left) * (bottom - top) for left, top, right, bottom in areas) == plan.width * plan.height


def test_cells_keep_their_orbs_to_themselves() -> None:
    """What is painted into one cell is all of its orbs: seven fit as well."""
    board = Board.parse("a1a2a3a4/a5a6a7../......../........", 2)
    plan = Plan.of_size(board.grid, 800)
    full = picture(plan, board, None, "rb", "light")
    for cell in cells_of(board.occupied):
        single = "/".join(
            "".join(f"a{board.orbs_at(at)}" if at == cell else ".." for at in range(row * 4, row * 4 + 4))
            for row in range(3, -1, -1)
        )
        alone = picture(plan, Board.parse(single, 2), None, "rb", "light")
        left, top = plan.corner(cell)
        orbs = (left + 60, top + 60, left + plan.pitch - 60, top + plan.pitch - 60)
        assert full.crop(orbs).tobytes() == alone.crop(orbs).tobytes()


def test_options_change_what_they_say() -> None:
    link = linked(SIXTY[0])
    pictures = [
        png(link),
        png(replace(link, scheme="dark")),
        png(replace(link, colours="gy")),
        png(replace(link, at=30)),
        png(replace(link, size=512)),
        png(replace(link, card=True)),
        png(replace(link, card=True, names=("Ada", "Bo"))),
        png(replace(link, card=True, at=30)),
        png(replace(link, card=True, scheme="dark")),
    ]
    assert len(set(pictures)) == len(pictures)
    assert png(replace(link, names=("Ada", "Bo"))) == pictures[0]


CODE = """
from hashlib import sha256
from dataclasses import replace
from critmass.links import read, split_url
from critmass.formats.pictures import gif, png
link = read(split_url({url!r}))
for data in (png(link), png(replace(link, card=True, scheme="dark")), gif(replace(link, start=50))):
    print(sha256(data).hexdigest())
"""


def test_pictures_are_the_same_to_the_byte() -> None:
    link = linked(SIXTY[2])
    mine = [png(link), png(replace(link, card=True, scheme="dark")), gif(replace(link, start=50))]
    again = [png(link), png(replace(link, card=True, scheme="dark")), gif(replace(link, start=50))]
    assert mine == again
    code = CODE.format(url=SIXTY[2])
    other = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert other.stdout.split() == [hashlib.sha256(data).hexdigest() for data in mine]


def test_a_png_says_nothing_but_its_pixels() -> None:
    data = png(linked(SIXTY[0]))
    kinds, at = [], 8
    while at < len(data):
        kinds.append(data[at + 4 : at + 8])
        at += 12 + int.from_bytes(data[at : at + 4])
    assert set(kinds) == {b"IHDR", b"PLTE", b"IDAT", b"IEND"}
    assert len(data) < 150_000
    assert len(png(linked(SIXTY[0], card=True))) < 100_000


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("colours", ["rb", "ns", "rbg", "rbgyvotp", "slncptvo"])
@pytest.mark.parametrize("limit", [63, 256])
def test_a_palette_holds_what_lies_flat(colours: str, scheme: str, limit: int) -> None:
    surface = SURFACES[scheme]
    found = palette(colours, scheme, limit, lettered=limit == 256)
    assert limit * 0.9 < len(found) <= limit
    assert len(set(found)) == len(found)
    flat = [surface.tile, surface.frame] + ([surface.page] if limit == 256 else [])
    assert {rgb(colour) for colour in flat} <= set(found)
    assert rgb(surface.accent) in found
    for letter in colours:
        assert rgb(shade_of(letter, scheme).fill) in found


# Cards


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("url", BOARDS.values(), ids=BOARDS)
def test_a_card_shows_board_turn_and_page(url: str, scheme: str) -> None:
    link = linked(url, scheme=scheme, card=True)
    image = opened(png(link)).convert("RGB")
    assert image.size == (WIDTH, HEIGHT) == (1200, 630)
    surface, position = SURFACES[scheme], link.position
    assert image.getpixel((WIDTH - 5, 5)) == rgb(surface.page)
    about = position.turn or (position.outcome and position.outcome.winner)
    assert about
    stripe = image.getpixel((3, 315))
    assert isinstance(stripe, tuple)
    assert apart((stripe[0], stripe[1], stripe[2]), rgb(shade_of(link.colours[about - 1], scheme).fill)) <= 8
    colours = {colour for _, colour in image.getcolors(1 << 16) or []}
    assert {rgb(surface.tile), rgb(surface.frame), rgb(surface.text), rgb(surface.muted)} <= colours


@pytest.mark.parametrize("url", BOARDS.values(), ids=BOARDS)
@pytest.mark.parametrize("name", ["W" * 16, "W W W W W W W W ", "i", "Ыыы"])
def test_the_words_of_a_card_stay_on_it(url: str, name: str) -> None:
    link = linked(url, card=True)
    image = opened(png(replace(link, names=(name,) * link.rules.players))).convert("RGB")
    page = rgb(SURFACES["light"].page)
    for box in ((WIDTH - 45, 0, WIDTH, HEIGHT), (20, 0, WIDTH, 45), (20, HEIGHT - 45, WIDTH, HEIGHT)):
        assert image.crop(box).getcolors(1) == [((box[2] - box[0]) * (box[3] - box[1]), page)]


def test_a_name_the_font_lacks_falls_back() -> None:
    link = linked(SIXTY[0], card=True)
    plain = png(link)
    assert png(replace(link, names=("李小龙", "אבא"))) == plain
    assert png(replace(link, names=("Red 🦊", "♛ Blue"))) == plain
    # Joiners and selectors are what emoji need: the words beside them stay.
    assert png(replace(link, names=("Red ❤\ufe0f", "👨\u200d👩\u200d👧 Blue"))) == plain
    assert png(replace(link, names=("Zoe\u0308", "Blue"))) == png(replace(link, names=("Zoë", "Blue"))) != plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ada", "Ada"),
        ("Zoë Żółć", "Zoë Żółć"),
        ("Βασιλική", "Βασιλική"),
        ("Ярослав", "Ярослав"),
        ("Nguyễn", "Nguyễn"),
        ("e\u0301", "é"),
        ("Bo 🦊", "Bo"),
        ("🦊", ""),
        ("李小龙", ""),
        ("Ada 李", ""),
        ("מיכל", ""),
        ("सीता", ""),
        ("x\u0301", ""),
        ("6×9, “it’s” – 1½ €…", "6×9, “it’s” – 1½ €…"),
    ],
)
def test_legible(text: str, shown: str) -> None:
    assert lettering.legible(text) == shown


def test_every_colour_has_a_name_that_can_be_written() -> None:
    assert all(lettering.legible(name) == name for name in COLOUR_NAMES.values())


def test_text_is_broken_and_shortened_to_its_room() -> None:
    words = "a chain of seven rings and thirty captured cells"
    lines = lettering.broken(words, 27, 200)
    assert " ".join(lines) == words
    assert all(lettering.width(line, 27) <= 200 for line in lines)
    assert lettering.halved("one two three four", 20) == ("one two", "three four")
    assert lettering.halved("one", 20) == ("one",)
    assert lettering.shortened("short", 20, 200) == "short"
    cut = lettering.shortened("m" * 40, 20, 200)
    assert cut.endswith("m…")
    assert lettering.width(cut, 20) <= 200


def test_pairs_of_letters_are_kerned() -> None:
    assert lettering.width("To", 64) < lettering.width("T", 64) + lettering.width("o", 64)


# Outlines


def area(figure: list[tuple[float, float]]) -> float:
    pairs = zip(figure, figure[1:] + figure[:1], strict=True)
    return abs(sum(x * other_y - other_x * y for (x, y), (other_x, other_y) in pairs)) / 2


def test_outlines_have_the_areas_of_the_marks() -> None:
    areas = [[area(figure) for figure in polygons(mark)] for mark in MARKS]
    assert areas[0] == [pytest.approx(pi * 81, rel=0.01)]
    assert areas[1] == [pytest.approx(pi * 121, rel=0.01), pytest.approx(pi * 25, rel=0.01)]
    assert areas[2] == [22 * 20 / 2]
    assert areas[3] == [18 * 18]
    assert areas[4] == [24 * 24 - 4 * 64]
    assert areas[5] == [22 * 26 / 2]
    assert areas[6] == [22 * 6, 22 * 6]
    assert all(abs(x) <= 13 and abs(y) <= 13 for mark in MARKS for figure in polygons(mark) for x, y in figure)


def test_outlines_understand_both_cases() -> None:
    square = polygons("M1 2H5V6H1z")
    assert polygons("m1 2h4v4h-4z") == polygons("M1 2L5 2 5 6 1 6Z") == square
    assert polygons("M1 2l4 0 0 4-4 0z") == square
    assert area(polygons("M-5 0A5 5 0 0 1 5 0z")[0]) == pytest.approx(pi * 25 / 2, rel=0.01)
    assert min(y for _, y in polygons("M-5 0A5 5 0 0 1 5 0z")[0]) == pytest.approx(-5)
    assert max(y for _, y in polygons("M-5 0a5 5 0 0 0 10 0z")[0]) == pytest.approx(5)


@pytest.mark.parametrize("path", ["M0 0q1 1 2 2", "M0 0a1 2 0 0 0 1 1"])
def test_outlines_refuse_what_they_do_not_know(path: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        polygons(path)


# Films


class Block:
    """A frame of a GIF as it is stored."""

    def __init__(self, delay: int, box: tuple[int, int, int, int], flags: int) -> None:
        self.delay, self.box, self.flags = delay, box, flags


def blocks(data: bytes) -> Iterator[Block]:
    """Yield the frames of a GIF; check on the way that it is built as it should be."""
    assert data[:6] == b"GIF89a"
    assert data[10] & 0x87 == 0x85, "a palette of 64 colours for all frames"
    at, delay = 13 + 3 * 64, 0
    while data[at : at + 1] != b";":
        if data[at : at + 2] == b"!\xf9":
            assert data[at + 3] == 1 << 2 | 1
            delay, at = int.from_bytes(data[at + 4 : at + 6], "little"), at + 8
        elif data[at : at + 2] == b"!\xff":
            assert data[at + 3 : at + 14] == b"NETSCAPE2.0"
            assert data[at + 14 : at + 19] == b"\x03\x01\0\0\0", "for ever"
            at += 19
        else:
            assert data[at : at + 1] == b","
            x, y, width, height = (int.from_bytes(data[at + i : at + i + 2], "little") for i in (1, 3, 5, 7))
            yield Block(delay, (x, y, x + width, y + height), data[at + 9])
            at += 11
            while data[at]:
                at += data[at] + 1
            at += 1
    assert at == len(data) - 1


def frames_of(data: bytes) -> list[Image.Image]:
    return [frame.convert("RGB") for frame in ImageSequence.Iterator(opened(data))]


@pytest.fixture(scope="module")
def long() -> Link:
    """The match with the most rings of some."""
    return max((linked(url) for url in links(40)), key=lambda link: sum(len(ply.rings) for ply in link.match.plies))


def test_a_film_has_a_frame_for_every_orb_and_ring(long: Link) -> None:
    data = gif(long)
    plies = long.match.plies
    assert len(plies) == 60
    rings = sum(len(ply.rings) for ply in plies)
    assert rings > 30
    image = opened(data)
    assert image.format == "GIF"
    assert image.size == (480, 480)
    assert image.info["loop"] == 0
    stored = list(blocks(data))
    assert len(stored) == image.n_frames == 1 + len(plies) + rings  # type: ignore[attr-defined]
    assert not any(block.flags for block in stored), "no frame has a palette of its own"
    assert len(data) < 1_500_000
    assert stored[0].box == (0, 0, 480, 480)
    assert stored[1].box != (0, 0, 480, 480)


def test_a_film_takes_its_time(long: Link) -> None:
    stays = [START]
    for ply in long.match.plies:
        stays += [PLACED, *[RING] * (len(ply.rings) - 1), REST][-1 - len(ply.rings) :]
    stays[-1] = END
    assert [10 * block.delay for block in blocks(gif(long))] == stays


def test_a_film_ends_with_the_position() -> None:
    for scheme, colours in (("light", "rb"), ("dark", "yt")):
        link = linked(SIXTY[0], scheme=scheme, colours=colours, start=50)
        last = frames_of(gif(link))[-1]
        check(last, link, 64)
        still = opened(png(replace(link, size=480))).convert("RGB")
        assert max(ImageStat.Stat(ImageChops.difference(last, still)).mean) < 4


@pytest.mark.parametrize("url", [SIXTY[1], BOARDS["cut"], links(1, 40, classic(6, 9, 3))[0], BOARDS["8×8, eight"]])
def test_what_stands_still_is_left_as_it_was(url: str) -> None:
    """Every frame, put together from the changes, is the frame that is painted whole."""
    link = linked(url)
    plan = Plan.of_size(link.rules.grid, 200)
    shown = script(Frame(link.match.position(0).board, None, START), link.match.plies, 1500)
    put_together = frames_of(film(plan, shown, link.colours, "light"))
    assert len(put_together) == len(shown)
    for number in range(0, len(shown), 3):
        whole = frames_of(film(plan, shown[number : number + 1], link.colours, "light"))[0]
        assert put_together[number].tobytes() == whole.tobytes(), number


def test_a_part_of_a_film(long: Link) -> None:
    plies = long.match.plies
    whole = frames_of(gif(long))
    for start in (0, 20, 59, 60):
        part = frames_of(gif(replace(long, start=start)))
        assert len(part) == 1 + sum(1 + len(ply.rings) for ply in plies[start:])
        assert [frame.tobytes() for frame in part] == [frame.tobytes() for frame in whole[-len(part) :]]
    until = frames_of(gif(replace(long, at=20)))
    assert [frame.tobytes() for frame in until] == [frame.tobytes() for frame in whole[: len(until)]]


@pytest.mark.parametrize("most", [2, 3, 10, 30, 60, 61, 62, 70, 80, 90])
def test_a_film_that_is_too_long_is_thinned(long: Link, most: int) -> None:
    plies, before = long.match.plies, Frame(long.match.position(0).board, None, START)
    full, thin = script(before, plies, 1500), script(before, plies, most)
    assert thin == script(before, plies, most)
    assert len(thin) <= most
    assert thin[0] == full[0]
    assert (thin[-1].board, thin[-1].last, thin[-1].stays) == (full[-1].board, full[-1].last, END)
    rests = [ply.after.board for ply in plies]
    shown = iter(frame.board for frame in thin)
    if most > len(plies):
        assert all(board in shown for board in rests), "every ply's end is there, in order"
    boards = iter(frame.board for frame in full)
    assert all(frame.board in boards for frame in thin), "nothing else is shown, and in order"
    assert len(thin) > most * 0.6 - 1


def test_long_chains_and_long_matches_hurry() -> None:
    file = Path(__file__).parents[1] / "conformance" / "classic.jsonl"
    matches = [linked(json.loads(line)["path"], size=128) for line in file.read_text().splitlines()]
    link = max(matches, key=lambda link: max(len(ply.rings) for ply in link.match.plies))
    rings = max(len(ply.rings) for ply in link.match.plies)
    assert rings > 60
    assert link.length > 120
    stays = [block.delay * 10 for block in blocks(gif(link))]
    assert min(stays) == 60
    assert stays.count(REST) == 1, "only the start stays as long as ever"
    assert sum(stays) < 200 * link.length + RING * sum(len(ply.rings) for ply in link.match.plies)
    assert stays[-1] == END


def test_an_empty_film_is_a_single_frame() -> None:
    data = gif(linked("/m/"))
    assert [block.delay * 10 for block in blocks(data)] == [END]
