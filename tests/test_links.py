"""Links as text: read, written, mended, and found in what people paste."""

import re
import time
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import quote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from web.samples import Sample, anything, mangled, quick, samples, url

from critmass.engine import CODINGAME, CRITICAL_MASS, Fault, Match, classic
from critmass.links import Address, Link, given_names, link_to, parse_address, read, split_url
from critmass.links.names import cut, isolated, strip_names, visible, write_names
from critmass.links.paste import find_link, find_readings

SHORT = "/m/0z7c"
LONG = (
    "/classic/6x9/2/" + "b6d6f9e4c8b3d9f6a4c4d2c4c3a3a2a1f9f6f5d1d2b9e7b3b2b9c2a8a6a9a6d4b4f4e3c5e7e2c9a3e7b8a2c6c2f9"
)
DRESSED = f"{LONG}?at=3&colours=gy&names=Ada%20L,Bo"


def link_of(text: str) -> Link:
    address = split_url(text)
    assert address
    return read(address)


def found(text: str) -> str | None:
    """The link that is found in a text."""
    address = find_link(text)
    return address and address.url


queries = st.lists(
    st.tuples(st.sampled_from(["at", "AT", "names", "colours", "ring", "play", "part", "x"]), anything), max_size=4
)
paths = st.lists(
    st.sampled_from(["/", "//", "m", "M", "classic", "codingame", "6x9", "2", "0z", ".json", ".", "!", "\u200b"])
    | st.text(max_size=2),
    max_size=8,
).map(lambda parts: "/" + "".join(parts))


@quick
@given(path=paths, query=queries)
def test_what_was_cleaned_is_clean(path: str, query: list[tuple[str, str]]) -> None:
    address = parse_address(path, query)
    if address is not None:
        assert parse_address(address.path, address.options) == address


@quick
@given(sample=samples(), data=st.data())
def test_a_mangled_link_is_the_clean_one(sample: Sample, data: st.DataObject) -> None:
    assert parse_address(*data.draw(mangled(sample))) == parse_address(sample.path + sample.suffix, sample.options)


@quick
@given(path=paths, query=queries)
def test_a_link_is_read_or_has_a_fault_and_nothing_worse(path: str, query: list[tuple[str, str]]) -> None:
    address = parse_address(path, query)
    if address is None:
        return
    assert address.url.startswith(f"/{address.game}")
    assert address.url.isascii()
    try:
        link = read(address)
    except Fault:
        return
    assert 0 <= link.at <= link.length
    assert len(link.names) == len({*link.colours}) == link.rules.players


@quick
@given(sample=samples())
def test_a_link_survives_being_written(sample: Sample) -> None:
    link = link_of(sample.url)
    assert link.address.url == sample.url
    assert split_url(link.page) == replace(link.address, suffix="")
    assert link_of(link.url()).match == link.match
    assert link_of(link.url(link.at)).position == link.position
    if link.at_end and link.position.turn:
        cell = link.position.legal.bit_length() - 1
        assert link_of(link.next_url(cell)).match == link.match.play(cell)


@pytest.mark.parametrize(
    "path", ["", "/", "m/0", "/x/0", "/mm", "/open", "//m/0", "/ m/0", "/m!/0", "/ⓜ/0", "/codingame0"]
)
def test_other_paths_are_no_links(path: str) -> None:
    assert parse_address(path) is None


@pytest.mark.parametrize(
    ("match", "path"),
    [
        (Match(CRITICAL_MASS), "/m/"),
        (Match.replay(CRITICAL_MASS, (0, 35)), "/m/0z"),
        (Match.replay(CODINGAME, (0,)), "/codingame/0"),
        (Match.replay(classic(6, 9, 3), (0, 20)), "/classic/6x9/3/a1c4"),
        (Match.replay(classic(3, 4), (11,)), "/classic/3x4/2/b"),
    ],
)
def test_a_match_has_its_link(match: Match, path: str) -> None:
    link = link_to(match)
    assert link.url() == path
    assert link_of(path) == link


@pytest.mark.parametrize(
    ("names", "read"),
    [
        ("Ada,Bo", ("Ada", "Bo")),
        ("", ("Red", "Blue")),
        (",Bo", ("Red", "Bo")),
        ("Ada", ("Ada", "Blue")),
        (" Ada  L , \u200bBo", ("Ada L", "Bo")),
        ("\u202e,\u2066\u00ad", ("Red", "Blue")),
        ("Ada\n,B\x00o", ("Ada", "Bo")),
    ],
)
def test_a_player_without_a_name_has_the_colours(names: str, read: tuple[str, str]) -> None:
    assert link_of(url("/m/", [("names", quote(names, ","))])).names == read


@quick
@given(st.text(st.characters(), max_size=40))
def test_of_a_name_everything_that_stays_is_seen(name: str) -> None:
    shown = visible(name)
    # Joiners stay between what is seen; and what has no meaning yet may be an emoji of tomorrow.
    joiners = "\u200c\u200d"
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co") and c not in joiners]
    assert not {shown[:1], shown[-1:]} & {*joiners, *map(chr, range(0xFE00, 0xFE10))}
    assert shown == " ".join(shown.split())
    assert visible(shown) == shown
    assert [c for c in shown if c.isascii() and c.isalnum()] == [c for c in name if c.isascii() and c.isalnum()]


@pytest.mark.parametrize(
    "character",
    "\x00\x1b\u00ad\u034f\u061c\u115f\u180e\u200b\u200e\u202e\u2060\u2066\u2800\u3164\ufeff\uffa0\ufdd0\ufff0\U000e0041",
)
def test_of_a_name_nothing_invisible_stays(character: str) -> None:
    assert visible(f"{character}A{character}b{character}") == "Ab"
    assert visible(3 * character) == ""


@pytest.mark.parametrize("link", [SHORT, DRESSED, "/m/", "/M/0Z7C.json", "/codingame/0z?utm_source=x&at=1"])
@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "https://chain.example:8000{}",
        "  https://chain.example{}\n",
        "<https://chain.example{}>",
        "(https://chain.example{}).",
        "“chain.example{}”, your turn",
        "Your turn: https://chain.example{} - hurry up!",
        "see http://h{}\nyour turn!",
        "see http://h{}\n\nthanks",
        "> http://h{}\n> your turn!",
        "http://h{}\r\nhttp://h/m/1",
        "http://h{}\u200b",
    ],
)
def test_a_link_is_found_in_what_stands_around_it(text: str, link: str) -> None:
    clean = split_url(link)
    assert clean
    assert found(text.format(link)) == clean.url


@pytest.mark.parametrize(
    "text", ["", "hello", "0z7c", "http://h/", "http://h/n/0z7c", "/mm/0", "/m-0", "a/b", "\n/\nm"]
)
def test_a_text_without_a_link_has_none(text: str) -> None:
    assert find_link(text) is None


@pytest.mark.parametrize("host", ["localhost:5000", "localhost", "[::1]:5000", "192.0.2.1:5000", "chain.example"])
def test_a_link_is_found_without_its_scheme(host: str) -> None:
    assert found(f"{host}/m/0z7c") == "/m/0z7c"
    assert found(f"Your turn: {host}/classic/6x9/2/a1") == "/classic/6x9/2/a1"


@pytest.mark.parametrize("text", [8000 * "a", 4000 * "a.", 8000 * "/", 4000 * "/m", "/m/0\n" + 3900 * "1\n"])
def test_a_hostile_text_is_read_as_fast_as_a_kind_one(text: str) -> None:
    """As long as a request line may be, and in processor time, so that a busy machine does not matter."""
    before = time.process_time()
    find_link(text)
    assert time.process_time() - before < 0.2


def test_the_first_of_two_links_is_taken() -> None:
    assert found("http://h/m/0z or http://h/m/1y") == "/m/0z"
    assert found("http://h/m/0z\nhttp://h/m/1y") == "/m/0z"


GLUE = ["\n", "\r\n", "=\n", "=\r\n", "\n> ", "\n>> ", "\n    ", " \n"]


@st.composite
def broken(draw: st.DrawFn, link: str, times: int) -> str:
    """The link in a mail that broke it."""
    glue = draw(st.sampled_from(GLUE))
    start = link.index("/", 1) if times == 1 else link.partition("?")[0].rindex("/")
    places = st.integers(start + 1, len(link) - 1)
    if not glue.startswith("="):
        places = places.filter(lambda place: link[place - 1] != "=")
    cuts = sorted(draw(st.lists(places, min_size=times, max_size=times, unique=True)))
    # A short link that goes on with a word is not mended: it could be what somebody wrote below it.
    assume(re.search("[0-9?&=,%]", link[cuts[0] :]))
    pieces = [link[start:end] for start, end in zip([0, *cuts], [*cuts, None], strict=True)]
    assume(all(re.search("[0-9A-Za-z]", piece) for piece in pieces))
    before, after = draw(st.sampled_from([("", ""), ("Your turn:\nhttps://h", "\nyour turn!"), ("http://h", "\n\nBo")]))
    return before + glue.join(pieces) + after


long_samples = samples(suffixes=("", ".json")).filter(lambda sample: sample.length > 3)


@quick
@given(sample=long_samples, data=st.data())
def test_a_link_that_a_mail_broke_in_two_is_mended(sample: Sample, data: st.DataObject) -> None:
    assert found(data.draw(broken(sample.url, 1))) == sample.url


@pytest.mark.parametrize("glue", GLUE)
@pytest.mark.parametrize("link", [LONG, DRESSED])
def test_a_link_that_a_mail_broke_between_moves_twice_is_mended(link: str, glue: str) -> None:
    assert found(f"http://h{link[:35]}{glue}{link[35:75]}{glue}{link[75:]}\nyour turn!") == link


@quick
@given(sample=long_samples, data=st.data())
def test_a_link_that_a_mail_broke_twice_is_mended(sample: Sample, data: st.DataObject) -> None:
    """The second line is given up where it ends in half a move or half an option: two lines are no match yet."""
    assert found(data.draw(broken(sample.url, 2))) == sample.url


def test_a_link_broken_after_an_equals_sign_keeps_it() -> None:
    """It is taken for the soft break of quoted-printable without a look at whether that leaves an option."""
    assert found("http://h/m/0z?names=\nAda,Bo") == "/m/0z?names=Ada,Bo"


@pytest.mark.parametrize("host", ["m.example.org", "classic.example", "codingame.example", "m"])
def test_a_link_is_found_on_a_host_that_is_called_like_a_game(host: str) -> None:
    """`//m.` is taken for the path. With one of these as the base URL the app's own links are not found."""
    assert found(f"https://{host}/m/0z7c") == "/m/0z7c"


@pytest.mark.parametrize("line", ["thanks", "Bo", "go!", "Ada"])
def test_a_word_on_the_next_line_is_no_part_of_a_short_link(line: str) -> None:
    """Nothing breaks a line that short, and the longer match is opened without a word."""
    assert found(f"Your turn: http://h/m/0z7c\n{line}") == "/m/0z7c"


def test_a_signature_is_no_part_of_the_last_name() -> None:
    assert found(f"http://h{DRESSED}\n-- \nBo") == DRESSED


@pytest.mark.parametrize("text", ["<http://h/m>", "(http://h/m)", "http://h/codingame, your turn"])
def test_a_link_without_its_slash_is_found_before_punctuation(text: str) -> None:
    assert found(text) in ("/m/", "/codingame/")


@pytest.mark.parametrize(
    "text",
    [
        "[http://h/m/0z7c](http://h/m/0z7c)",
        "<http://h/m/0z7c|h/m/0z7c>",
        '<a href="http://h/m/0z7c">my move</a>',
        "http://h/m/0z7c<br>",
    ],
)
def test_a_link_in_markup_ends_where_the_markup_goes_on(text: str) -> None:
    """As copied from Markdown, Slack or the source of a mail: none of these characters stands in a link."""
    assert found(text) == "/m/0z7c"


def test_an_address_without_an_option_keeps_the_others() -> None:
    address = Address("m", moves="0z", options=(("at", "1"), ("names", "A"), ("part", "1")))
    assert address.without("at", "part").url == "/m/0z?names=A"
    assert address.option("names") == "A"
    assert address.option("ring") is None


# --- Links that a service wrapped -----------------------------------------------------------------------------------


def escaped(text: str, times: int = 1) -> str:
    for _ in range(times):
        text = quote(text, safe="")
    return text


def hyphenated(url: str) -> str:
    """As Proofpoint's first way of it writes a URL: a hyphen for the per cent sign, an underscore for the slash."""
    kept = re.sub("[^0-9A-Za-z./]", lambda found: f"-{ord(found[0]):02X}", url)
    return kept.replace("/", "_")


WRAPPERS: dict[str, Callable[[str], str]] = {
    "outlook": lambda it: (
        f"https://eur01.safelinks.example/?url={escaped(it)}&data=05%7C01%7C&sdata=0a1b2c%3D&reserved=0"
    ),
    "facebook": lambda it: f"https://l.chat.example/l.php?u={escaped(it)}&h=AT0z7c",
    "search": lambda it: f"https://www.search.example/url?sa=D&q={escaped(it)}&ust=170&usg=AOvVaw0z",
    "youtube": lambda it: f"https://video.example/redirect?event=comments&redir_token=QUFF&q={escaped(it)}",
    "small": lambda it: f"https://eur.example/?url={escaped(it).replace('%3A', '%3a').replace('%2F', '%2f')}&x=1",
    "path": lambda it: f"https://secure-web.example/1AbC-d_e/{escaped(it)}",
    "path-goes-on": lambda it: f"https://x.track.example/L0/{escaped(it)}/1/0100018f-0z7c/abc=375",
    "proofpoint-2": lambda it: f"https://urldefense.example/v2/url?u={hyphenated(it)}&d=DwMF&c=0z7c&e=",
    "proofpoint-3": lambda it: f"https://urldefense.example/v3/__{it}__;!!AbC!x0z7c$",
    "archive": lambda it: f"https://archive.example/web/2026/{it}",
    "a-game's-name": lambda it: f"https://m.mail.example/m/0z?url={escaped(it)}&h=0z",
    "escaped-twice": lambda it: f"https://w.example/?to={escaped(it, 2)}",
    "fragment": lambda it: f"https://w.example/#go?u={escaped(it)}",
    "html": lambda it: f"https://w.example/?a=1&amp;u={escaped(it)}&amp;h=0z",
}
LINKS = [SHORT, DRESSED, "/m/", "/m/0z?names=C%2B%2B,J%2ER%2E", "/codingame/0z.png?at=1", "/m/0z?names=Smith%2C%20J,Bo"]


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_link_is_taken_out_of_what_wraps_it(wrapper: str, link: str) -> None:
    wrapped = WRAPPERS[wrapper](f"https://chain.example{link}")
    assert found(wrapped) == link
    assert found(f"Your turn: <{wrapped}>, hurry") == link


@pytest.mark.parametrize("link", [SHORT, DRESSED, "/m/0z?names=C%2B%2B,J%2ER%2E"])
@pytest.mark.parametrize("outer", [it for it in WRAPPERS if it not in ("proofpoint-2", "proofpoint-3", "archive")])
@pytest.mark.parametrize("inner", ["outlook", "facebook", "path-goes-on", "a-game's-name"])
def test_a_link_is_taken_out_of_two_that_wrap_it(outer: str, inner: str, link: str) -> None:
    assert found(WRAPPERS[outer](WRAPPERS[inner](f"https://chain.example{link}"))) == link


@pytest.mark.parametrize("wrapped", ["https://w.example/url?q=https://h{}&sa=D&usg=0z7c", "https://h{}&sa=D&usg=0z7c"])
def test_a_wrappers_parameters_become_no_moves_of_a_link_that_is_not_escaped(wrapped: str) -> None:
    assert found(wrapped.format("/m/0z7c")) == "/m/0z7c"
    assert found(wrapped.format("/m/0z7c?at=2&names=Ada,Bo")) == "/m/0z7c?at=2&names=Ada,Bo"


def test_a_wrappers_own_option_is_none_of_the_match() -> None:
    assert found("https://w.example/?q=https://h/m/0z7c&at=noon&size=0") == "/m/0z7c"


@pytest.mark.parametrize("page", ["share", "players", "analysis", "sheet", "hint"])
@pytest.mark.parametrize("link", LINKS[:4])
def test_the_address_of_a_page_about_a_match_is_a_link_to_it(page: str, link: str) -> None:
    assert found(f"https://h/{page}?link={escaped(link)}") == link


def test_a_stranger_s_option_with_a_path_in_it_is_no_other_match() -> None:
    assert found("https://h/m/0z7c?ref=/m/1") == "/m/0z7c"


@pytest.mark.parametrize(
    ("link", "meant"),
    [
        ("/m/0z7c%3Fat%3D2", "/m/0z7c?at=2"),
        ("/m/0z7c%3Fat=2", "/m/0z7c?at=2"),
        ("/m/0z7c%3fat%3d2%26names%3dAda%2CBo", "/m/0z7c?at=2&names=Ada,Bo"),
        ("/m/0z7c?at%3D2%26names%3DAda%2CBo", "/m/0z7c?at=2&names=Ada,Bo"),
        ("/m/0z7c?at%3D2", "/m/0z7c?at=2"),
        ("/m/0z7c?at=2%26colours=gy", "/m/0z7c?at=2&colours=gy"),
        ("/m/0z7c?at=2%26colours%3Dgy", "/m/0z7c?at=2&colours=gy"),
        ("/m/0z7c%3Fnames%3DC%252B%252B%2CBo", "/m/0z7c?names=C%2B%2B,Bo"),
        ("/m/0z7c%3Fnames=C%2B%2B,Bo", "/m/0z7c?names=C%2B%2B,Bo"),
        # In a name they are meant.
        ("/m/0z7c?names=A%26at%3D2,Bo", "/m/0z7c?names=A%26at%3D2,Bo"),
    ],
)
def test_a_pasted_link_whose_marks_were_escaped_is_the_one_that_was_meant(link: str, meant: str) -> None:
    assert found(f"https://chain.example{link}") == meant


# --- Links that may go on in the next line --------------------------------------------------------------------------

CUT = f"https://chain.example{LONG[:60]}"
REST = LONG[60:]


def read_as(text: str) -> list[str]:
    return [address.url for address in find_readings(text)]


def test_the_rest_of_a_broken_link_is_taken_from_a_line_that_goes_on_with_words() -> None:
    assert read_as(f"{CUT}\n{REST} thanks") == [LONG]
    assert read_as(f"Your turn: {CUT}=\n{REST}, thanks and bye\nBo") == [LONG]
    assert read_as(f"> {CUT}\n> {REST} thanks\n> Bo") == [LONG]


def test_a_short_line_that_ends_in_a_soft_break_goes_on() -> None:
    assert read_as("http://h/m/0=\nz7c thanks") == ["/m/0z7c"]
    assert read_as("http://h/m/0=\nzab") == ["/m/0zab"]
    assert read_as("http://h/m/0=\r\nz7c") == ["/m/0z7c"]


def test_what_may_be_moves_or_a_word_is_left_to_the_reader() -> None:
    both = ["/m/0123456789abc", "/m/0123456789"]
    assert read_as("Here it is, and it is your turn again: https://chain.example/m/0123456789\nabc") == both
    assert read_as("http://h/m/0z7c\n12 minutes left") == ["/m/0z7c", "/m/0z7c12"]


def test_what_cannot_go_on_is_no_reading() -> None:
    assert read_as("http://h/m/0z7c\nz9 minutes left") == ["/m/0z7c"]
    assert read_as("http://h/m/0z7c\nthanks a lot") == ["/m/0z7c"]
    assert read_as(f"http://h{DRESSED}\nthanks a lot") == [DRESSED]


# --- Names ----------------------------------------------------------------------------------------------------------

typed = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    [
        "C++",
        "J.R.",
        "Bo!",
        "🚀",
        "Smith, J",
        ",",
        "%41",
        "a&at=1",
        "#",
        "+",
        "»Bo«",
        "Bo…",
        "می‌خواهم",
        "👨‍👩‍👧",
        "שלום!",
    ]
)


@quick
@given(names=st.lists(typed, min_size=2, max_size=8))
def test_a_name_comes_back_the_same_from_any_seat(names: list[str]) -> None:
    """As it is seen: whatever is typed, in a link as it is written and as it is cleaned."""
    value = write_names(names)
    assert re.fullmatch("(?:[0-9A-Za-z,]|%[0-9A-F]{2})*", value)
    assert strip_names(value) == value
    address = split_url(f"/classic/6x9/{len(names)}/?names={value}")
    assert address
    assert address.url == f"/classic/6x9/{len(names)}/" + f"?names={value}"
    assert given_names(address.option("names"), len(names)) == [visible(name) for name in names]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("\u200cمی\u200c", "می"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("🏳\ufe0f\u200d🌈", "🏳\ufe0f\u200d🌈"),
        ("1\ufe0f\u20e3", "1\ufe0f\u20e3"),
        ("❤\ufe0f", "❤"),
        ("A \u200d B", "A B"),
        ("A❤\ufe0f\u200d B", "A❤\ufe0f B"),
        ("A\ufe0f \ufe0f\u200d", "A"),
        ("A\u200b\u200dB", "A\u200dB"),
        ("\u200d", ""),
    ],
)
def test_joiners_stay_between_what_is_seen(name: str, shown: str) -> None:
    assert visible(name) == shown


def test_a_name_is_cut_to_what_a_link_carries_and_no_joiner_ends_it() -> None:
    assert cut(20 * "é") == 16 * "é"
    assert cut(15 * "a" + "\u200d" + "b") == 15 * "a"
    assert cut(f" {16 * 'a'} ") == 16 * "a"


@pytest.mark.parametrize(
    "value", ["Ada%2CBo", "Ada%2cBo", "Ada,Bo", "Ada,Bo,", "Ada,Bo!.,", "Ada%2CBo%2C", "Ada,Bo%E2%80%A6"]
)
def test_commas_separate_names_escaped_or_not(value: str) -> None:
    assert link_of(f"/m/0?names={value}").names == ("Ada", "Bo")


def test_a_comma_that_is_escaped_beside_others_is_part_of_a_name() -> None:
    assert link_of("/m/0?names=Smith%2C%20J,Bo").names == ("Smith, J", "Bo")
    assert link_of(f"/m/0?names={write_names(['Smith, J', ''])}").names == ("Smith, J", "Blue")


@pytest.mark.parametrize(
    ("text", "is_turned"), [("Ada", False), ("שלום", True), ("Ada שלום", True), ("١٢", True), ("!", False)]
)
def test_what_runs_from_right_to_left_is_isolated(text: str, is_turned: bool) -> None:
    assert isolated(text) == (f"\u2068{text}\u2069" if is_turned else text)
    assert visible(isolated(text)) == text
