"""Secrets in addresses: what is masked, what is not, and that a page stays the same page."""

from urllib.parse import urljoin

import pytest

from pipeline.base.secret import masked, masked_as, masked_name

WORD = "s3cr3tw0rd"
MARK = "…eobinoaa"
HEX = "0123456789abcdef"


@pytest.mark.parametrize(
    "address",
    [
        "https://h.example/x.ics?token={}",
        "https://h.example/?a=1&key={}&b=2",
        "https://h.example/?apikey={}",
        "https://h.example/?api_key={}",
        "https://h.example/?access_token={}#here",
        "https://h.example/?auth={}",
        "https://h.example/?authToken={}",
        "https://h.example/?accessKey={}",
        "https://h.example/?filter[token]={}",
        "https://h.example/?sig={}",
        "https://h.example/?X-Amz-Signature={}&X-Amz-Date=2",
        "https://h.example/?PASSWORD={}",
        "https://h.example/?pwd={}",
        "https://h.example/;jsessionid={}",
        "https://h.example/#access_token={}",
        "https://h.example/?url=https%3A%2F%2Fg.example%2F%3Ftoken%3D{}",
        'a page, "https://h.example/?token={}"',
        "failed: https://h.example/?token={}: 404",
        "expected a page, found 'https://h.example/?token={}', see https://h.example/",
        '{{"url": "https://h.example/?token={}\\u0026a=1"}}',
    ],
)
def test_a_secret_is_masked(address: str) -> None:
    """The rest of an address, or of a message around it, stays; masking again changes nothing."""
    assert masked(address.format(WORD)) == address.format(MARK)
    assert masked(address.format(MARK)) == address.format(MARK)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://ann:s3cr3t@h.example/x", "https://…kijdgiih@h.example/x"),
        (r'"https:\/\/ann:s3cr3t@h.example\/x"', r'"https:\/\/…kijdgiih@h.example\/x"'),
        ("https://tok_Ab0Cd1Ef2Gh3Ij4@h.example/x", "https://…fgnkkomm@h.example/x"),
        ("https://ann:p@ss@h.example/x", "https://…ajnlkhma@h.example/x"),
        (f"https://h.example/ical/a%40b/private-{HEX}/basic.ics", "https://h.example/ical/a%40b/private-…pfpflhhh/basic.ics"),
        ("https://h.example/feeds/user_Ab0Cd1Ef2Gh3Ij4Kl5.ics", "https://h.example/feeds/user_…neenkfhb.ics"),
        ("https://h.example/?token=a&sig=b%2Fc", "https://h.example/?token=…capnohhi&sig=…mlggaojn"),
    ],
)  # fmt: skip
def test_where_secrets_stand(address: str, shown: str) -> None:
    """User and password go together, part of a path may be one, and an address may have several."""
    assert masked(address) == shown


@pytest.mark.parametrize(
    "address",
    [
        "https://h.example/program.html",
        "https://h.example/?keyword=ropes&keywords=a&author=Ann&signup=1&design=2&monkey=3&pass_rate=1&bypass=2",
        "https://h.example/?date=2026-06-17&p=2&v=dQw4w9WgXcQ&id=a1&hash=7",
        "https://h.example/@ann/feed",
        "https://ann@h.example/feed",
        "https://h.example/private-events/2026/",
        "https://h.example/private-session-2026-06-17/",
        "https://h.example/user-12345678/key_20260617/",
        f"https://h.example/raw/{HEX}{HEX}/list.json",
        "https://h.example/?token=&key=",
        "fair/day/20261121T030000Z.txt",
        "ask ann@fair.example",
    ],
)
def test_what_is_no_secret_stays(address: str) -> None:
    """Pages without secrets keep their identity byte for byte."""
    assert masked(address) == address


def test_pages_that_differ_by_their_tokens_stay_two() -> None:
    """A page keeps its identity from night to night, another has another."""
    first, second = "https://h.example/?token=a1", "https://h.example/?token=a2"
    assert (masked(first) == masked(first), masked(first) == masked(second)) == (True, False)


@pytest.mark.parametrize(
    ("base", "further"),
    [
        (f"https://h.example/x/list.html?token={WORD}", "https://h.example/x/talk/1"),
        (f"https://h.example/private-{HEX}/list.html", "https://h.example/private-…pfpflhhh/talk/1"),
        ("https://ann:s3cr3t@h.example/list.html", "https://…kijdgiih@h.example/talk/1"),
    ],
)
def test_what_is_relative_to_a_masked_address_has_no_secret(base: str, further: str) -> None:
    """The address of a record is resolved against the masked address of its page."""
    assert urljoin(masked(base), "talk/1") == further


def test_a_page_that_prints_its_own_address() -> None:
    """Its secrets are masked in its text too; those of other addresses are its public content."""
    own, other = f"https://h.example/?token={WORD}&day=2", "https://g.example/?key=open"
    assert masked_as(masked(own), f"{own} {other}") == f"https://h.example/?token={MARK}&day=2 {other}"
    assert masked_as("https://h.example/", f"{own} {other}") == f"{own} {other}"


def test_the_name_of_a_file_has_no_secret() -> None:
    """The last part of an address becomes the folder of its captures."""
    names = ("jam/program", f"jam/private-{HEX}", f"private-{HEX}")
    assert list(map(masked_name, names)) == ["jam/program", "jam/private-pfpflhhh", "private-pfpflhhh"]
