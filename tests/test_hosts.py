"""Hosts and addresses of sites: two spellings of one host are one; what is no address is refused with a sentence."""

import subprocess
import sys
import unicodedata

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from critmass.cli import main
from critmass.links.hosts import (
    AddressError,
    origin_of,
    read_allowed_host,
    read_base_url,
    read_host,
    read_listening_host,
)
from critmass.web import create_app

INTERNATIONAL = {
    "größe.example": "xn--gre-6ka8i.example",
    "grosse.example": "grosse.example",
    "straße.example": "xn--strae-oqa.example",
    "βόλος.example": "xn--nxasmm1c.example",
    "例え.テスト": "xn--r8jz45g.xn--zckzah",
    "пример.испытание": "xn--e1afmkfd.xn--80akhbyknj4f",
    "مثال.إختبار": "xn--mgbh0fb.xn--kgbechtv",
    "דוגמה.example": "xn--6dbbec0c.example",
    "نامه‌ای.example": "xn--mgba3gch31f060k.example",
    "නාම‍.example": None,  # a joiner that joins nothing
    "☃.example": "xn--n3h.example",
    "i❤️.example": "xn--i-7iq.example",
}
"""Hosts as people write them, and as they are in the domain name system; `None` where there can be none."""

SAME = [
    ("Chain.Example", "chain.example"),
    ("chain.example.", "chain.example"),
    ("GRÖẞE.example", "xn--gre-6ka8i.example"),
    ("XN--GRE-6KA8I.Example", "xn--gre-6ka8i.example"),
    ("gro\u0308ße.example", "xn--gre-6ka8i.example"),
    ("gr%C3%B6%C3%9Fe.example", "xn--gre-6ka8i.example"),
    ("größe。example", "xn--gre-6ka8i.example"),
    ("ｃｈａｉｎ．ｅｘａｍｐｌｅ", "chain.example"),
    ("cha\u00adin\u200b.example", "chain.example"),
    ("my_app", "my_app"),
    ("１２７.0.0.1", "127.0.0.1"),
    ("[0:0:0:0:0:0:0:1]", "[::1]"),
    ("[2001:DB8::0A]", "[2001:db8::a]"),
]
NO_HOSTS = [
    *("", ".", "..", "a..b", ".a", "a b", "a\nb", "a/b", "a%2Fb", "a%FFb", "a@b", "a?b", "a#b", "a\\b", 'a"b', "a<b"),
    *("a:80", "::1", "[::1", "[]", "[::g]", "[fe80::1%eth0]", "[127.0.0.1]", "1.2.3", "1.2.3.256", "127.1", "4711"),
    *("a" * 64, "a." * 126 + "aa", "é" * 60, "℀.example", "a\u200cb.example", "a\ud800b", "*.example", "x" * 9000),
]
NO_BASE_URLS = {
    "": "empty",
    "   ": "a blank",
    "https://chain.example ": "a blank",
    "https://chain .example": "a blank",
    "https://chain.example\n": "a blank",
    "chain.example": "does not begin with https://",
    "chain.example:8000": "does not begin with https://",
    "localhost:5000": "does not begin with https://",
    "//chain.example": "does not begin with https://",
    "https:chain.example": "does not begin with https://",
    "https:/chain.example": "does not begin with https://",
    "ftp://chain.example": "It begins with 'ftp'",
    "javascript://chain.example": "It begins with 'javascript'",
    "\ufeffhttps://chain.example": r"It begins with '\ufeffhttps'",
    "https://ada@chain.example": "a user name or a password",
    "https://ada:secret@chain.example": "a user name or a password",
    "https://": "no host in it",
    "https:///m/": "no host in it",
    "https://:8000": "no host in it",
    "https://a..b": "'a..b' is no host",
    "https://::1": "'::1' is no host",
    "https://chain.example:0": "'0' is no port",
    "https://chain.example:65536": "'65536' is no port",
    "https://chain.example:http": "'http' is no port",
    "https://chain.example:٨٠": "'٨٠' is no port",
    "https://chain.example:-1": "'-1' is no port",
    "https://chain.example?colours=gy": "a query",
    "https://chain.example/?": "a query",
    "https://chain.example/#x": "a fragment",
    "https://chain.example/chain": "a path in it, '/chain'",
    "https://chain.example/chain/": "the root of a host alone",
    "https://chain.example\\chain": "a path in it",
}
"""What is no address of a site, and what is said of it."""
BASE_URLS = {
    "https://chain.example": "https://chain.example",
    "https://chain.example/": "https://chain.example",
    "https://chain.example//": "https://chain.example",
    "HTTPS://Chain.Example": "https://chain.example",
    "https://chain.example:443": "https://chain.example",
    "http://chain.example:80/": "http://chain.example",
    "http://chain.example:443": "http://chain.example:443",
    "https://chain.example:08443": "https://chain.example:8443",
    "https://chain.example:": "https://chain.example",
    "http://192.0.2.1:8000": "http://192.0.2.1:8000",
    "http://[2001:DB8::1]:8000": "http://[2001:db8::1]:8000",
    "https://größe.example": "https://xn--gre-6ka8i.example",
}


def refusal(read: object, text: str) -> str:
    with pytest.raises(AddressError) as refused:
        read(text)  # type: ignore[operator]
    return str(refused.value)


@pytest.mark.parametrize(("written", "known"), INTERNATIONAL.items())
def test_an_international_host_is_written_as_it_is_known(written: str, known: str | None) -> None:
    if known is None:
        refusal(read_host, written)
        return
    for spelling in (written, unicodedata.normalize("NFD", written), known, known.upper()):
        assert read_host(spelling) == known
    assert known.upper().lower() == known


@pytest.mark.parametrize(("written", "known"), SAME)
def test_spellings_of_one_host(written: str, known: str) -> None:
    assert read_host(written) == known


@pytest.mark.parametrize("text", NO_HOSTS)
def test_what_is_no_host(text: str) -> None:
    assert "host" in refusal(read_host, text)
    assert origin_of(f"http://{text}/m/0") is None or set(text) & set(":/?#\\")


@given(st.text(max_size=30))
def test_every_text_is_a_host_or_none(text: str) -> None:
    """What is written is itself again when it is read, and nothing but what a URL may have there."""
    try:
        host = read_host(text)
    except AddressError:
        return
    assert host.isascii()
    assert host == host.lower()
    assert not set(host) & set("/?#@\\ %")
    assert read_host(host) == host


@pytest.mark.parametrize(("text", "url"), BASE_URLS.items())
def test_a_base_url_is_put_in_order(text: str, url: str) -> None:
    assert read_base_url(text) == url
    assert create_app({"BASE_URL": text}).config["BASE_URL"] == url


@pytest.mark.parametrize(("text", "told"), NO_BASE_URLS.items())
def test_what_is_no_base_url_is_refused_wherever_it_is_given(text: str, told: str) -> None:
    said = refusal(read_base_url, text)
    assert told in said
    assert "https://chain.example" in said
    assert "secret" not in said
    with pytest.raises(ValueError, match=r"^BASE_URL: ") as refused:
        create_app({"BASE_URL": text})
    assert said in str(refused.value)
    commands: list[tuple[list[str], dict[str, str]]] = [
        (["serve", "--base-url", text], {}),
        (["arena", "critmass bot random", "critmass bot random", "--base-url", text], {}),
    ]
    if text.strip():  # a variable without a value is none
        commands.append((["serve"], {"CRITMASS_BASE_URL": text}))
    for command, environment in commands:
        done = CliRunner().invoke(main, command, env=environment)
        assert done.exit_code == 2
        assert said in done.output


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("Play.example", "play.example"),
        ("größe.example", "xn--gre-6ka8i.example"),
        ("::1", "[::1]"),
        ("[2001:db8::0]", "[2001:db8::]"),
        ("192.0.2.1", "192.0.2.1"),
    ],
)
def test_an_allowed_host(text: str, host: str) -> None:
    assert read_allowed_host(text) == host
    for config in ((text,), [text, "localhost"], text):
        assert host in create_app({"ALLOWED_HOSTS": config}).config["ALLOWED_HOSTS"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("https://play.example", "more than a host"),
        ("play.example/", "more than a host"),
        ("play.example:8000", "a port in it"),
        ("[::1]:8000", "a port in it"),
        ("play .example", "a blank"),
        ("*.example", "a pattern"),
        (".example", "a pattern"),
        ("a..b", "is no host"),
        ("ada@play.example", "is no host"),
        ("", "no host in it"),
    ],
)
def test_what_is_no_allowed_host_is_refused_wherever_it_is_given(text: str, told: str) -> None:
    said = refusal(read_allowed_host, text)
    assert told in said
    with pytest.raises(ValueError, match=r"^ALLOWED_HOSTS: "):
        create_app({"ALLOWED_HOSTS": ("play.example", text)})
    done = CliRunner().invoke(main, ["serve", "--allowed-host", text])
    assert done.exit_code == 2
    assert said in done.output


@pytest.mark.parametrize(
    ("text", "host"),
    [("::", "::"), ("[::1]", "::1"), ("0.0.0.0", "0.0.0.0"), ("größe.example", "xn--gre-6ka8i.example")],
)
def test_a_host_to_listen_on(text: str, host: str) -> None:
    assert read_listening_host(text) == host


@pytest.mark.parametrize("text", ["", "http://127.0.0.1", "127.0.0.1:5000", "a b", ":", "[::1]:5000", "a" * 64])
@pytest.mark.parametrize("option", ["--host", "--metrics-host"])
def test_what_cannot_be_listened_on_is_refused(option: str, text: str) -> None:
    done = CliRunner().invoke(main, ["serve", option, text])
    assert done.exit_code == 2
    assert "Write a host alone" in done.output


@pytest.mark.parametrize("option", ["--host", "--metrics-host"])
@pytest.mark.parametrize("text", ["192.0.2.1", "nowhere.invalid"])
def test_an_address_of_another_machine_is_the_fault_of_its_option(option: str, text: str) -> None:
    command = [sys.executable, "-m", "critmass", "serve", "--port", "0", "--metrics-port", "0", option, text]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith(f"Choose an address of this machine with {option}.")
