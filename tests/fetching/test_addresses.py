"""Where a request may go: public addresses, names that a proxy looks up, pages within a site; also names of folders."""

import pytest

from parsers._web.layout import data_layout
from parsers._web.web import as_name, query_number, stem_of
from pipeline.fetching.addresses import (
    AddressError,
    further_address,
    is_public,
    limited_as,
    look_up,
    origin_of,
    uses_proxy,
)

PRIVATE = (
    "0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 192.168.1.1 198.18.0.1 224.0.0.1 240.0.0.1 "
    "255.255.255.255 :: ::1 fe80::1%eth0 fc00::1 ff02::1 ::ffff:10.0.0.1 ::ffff:127.0.0.1 64:ff9b::a00:1 2002:7f00:1:: "
    "2001:db8::1 febf::1 fdff::1 fec0::1 ff0e::1 3fff::1 5f00::1 ::10.0.0.1 ::127.0.0.1 ::ffff:0:10.0.0.1 "
    "::ffff:169.254.169.254 64:ff9b::7f00:1 64:ff9b:1::a00:1 2002:a00:1:: 2002:c0a8:101::1 2001:0:a00:1::"
).split()
PUBLIC = "1.1.1.1 93.184.216.34 2606:4700::1111 ::ffff:1.1.1.1 64:ff9b::101:101 2002:101:101:: 2a00::1".split()


@pytest.mark.parametrize("number", PRIVATE)
def test_private_numbers(number: str) -> None:
    """Addresses of this machine, of a network of its own, of groups, of examples; also wrapped in another one."""
    assert not is_public(number)


@pytest.mark.parametrize("number", PUBLIC)
def test_public_numbers(number: str) -> None:
    """Addresses of the whole internet, in either form."""
    assert is_public(number)


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "0x7f.1", "localhost"])
def test_numbers_behind_a_host(host: str) -> None:
    """However this machine is written, it is found out."""
    assert [is_public(number) for number in look_up(host)] == [False] * len(look_up(host)) != []


@pytest.mark.parametrize("host", ["nowhere.invalid", "a..b", "x" * 70 + ".example"])
def test_a_host_that_is_unknown(host: str) -> None:
    """It has no numbers; that it cannot be reached is told when it is asked."""
    assert look_up(host) == []


@pytest.mark.parametrize(
    ("url", "through"),
    [
        ("https://fair.example/", True),
        ("http://fair.example/", False),
        ("https://inner.example/", False),
        ("https://127.0.0.1/", False),
        ("https://localhost:8080/", False),
        ("https://[::1]/", False),
    ],
)
def test_proxies(monkeypatch: pytest.MonkeyPatch, url: str, *, through: bool) -> None:
    """What the environment says counts, but for this machine."""
    monkeypatch.delenv("http_proxy", raising=False)
    monkeypatch.delenv("HTTP_PROXY", raising=False)
    monkeypatch.delenv("all_proxy", raising=False)
    monkeypatch.delenv("ALL_PROXY", raising=False)
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", "inner.example")
    assert uses_proxy(url) is through


@pytest.mark.parametrize(
    ("url", "origin", "together"),
    [
        ("https://WWW.Fair.example:8443/x", "https://www.fair.example:8443", "fair.example"),
        ("http://export.fair.example/x", "http://export.fair.example", "fair.example"),
        ("http://10.0.0.7/x", "http://10.0.0.7", "10.0.0.7"),
        ("http://fair/x", "http://fair", "fair"),
    ],
)
def test_what_is_asked_as_one(url: str, origin: str, together: str) -> None:
    """robots.txt is that of a host; the pause is that of all hosts of a site."""
    assert (origin_of(url), limited_as(url)) == (origin, together)


@pytest.mark.parametrize(
    ("start", "target", "found"),
    [
        ("https://fair.example/a/b", "c?d=1#e", "https://fair.example/a/c?d=1"),
        ("http://fair.example/", "https://fair.example/x", "https://fair.example/x"),
        ("https://www.fair.example/", "https://fair.example/", "https://fair.example/"),
        ("https://www.fair.example/", "https://m.fair.example/", "https://m.fair.example/"),
        ("http://127.0.0.1:8000/", "/x", "http://127.0.0.1:8000/x"),
    ],
)
def test_within_a_site(start: str, target: str, found: str) -> None:
    """The host with or without www., hosts below it, http to https."""
    assert further_address(start, start, target) == found


@pytest.mark.parametrize(
    ("start", "target"),
    [
        ("https://m.fair.example/", "https://fair.example/"),
        ("https://fair.example/", "https://unfair.example/"),
        ("https://fair.example/", "https://[/"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8001/"),
        ("http://127.0.0.1/", "http://x.127.0.0.1/"),
    ],
)
def test_outside_of_a_site(start: str, target: str) -> None:
    """Hosts above or beside it, other ports, what is no address."""
    with pytest.raises(AddressError, match="leads to"):
        further_address(start, start, target)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("FJORD 2026", "FJORD-2026"),
        ("../x", "x"),
        ("a/b\\c", "a-b-c"),
        ("日本 2026", "日本-2026"),
        ("!!!", "e84c538e7fe2"),
        ("x" * 90, f"{'x' * 80}-efdfd9ee977c"),
    ],
)
def test_names_of_folders(text: str, name: str) -> None:
    """What is no letter or digit becomes a hyphen; nothing is ever hidden, empty or too long."""
    assert as_name(text) == name


@pytest.mark.parametrize(
    ("url", "stem"),
    [("https://x.example/a/b.html?c", "b"), ("https://x.example/a/", "index"), ("https://x.example/a/b", "b")],
)
def test_names_of_pages(url: str, stem: str) -> None:
    """The last part of the path without its ending."""
    assert stem_of(url) == stem


@pytest.mark.parametrize(("url", "number"), [("?a=12", 12), ("?a=x", None), ("?b=1", None), ("?a=1&a=2", 1)])
def test_numbers_in_a_query(url: str, number: int | None) -> None:
    """The first of the name, if it is whole."""
    assert query_number(f"https://x.example/{url}", "a") == number


def test_kinds_of_values() -> None:
    """Each path with the kind that most of its values have; what is not there differs from null."""
    paths = ["a", "b[]", "b[].c"]
    values: list[object] = [{"a": 1}, {"a": None}, {"a": "x", "b": [{"c": True}]}, {}, []]
    prints = [data_layout(value, paths) for value in values]
    assert (len(set(prints)), prints[3:], data_layout({"a": 1.5}, paths)) == (4, ["", ""], prints[0])
