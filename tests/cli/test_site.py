"""The command ``site``, and refreshes that build the pages: where they are, and that they never harm the data."""

import http.client
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from pipeline.publishing.publish import PublishError
from tests.support.said import Said
from tests.support.toy import Desk

Capture = pytest.CaptureFixture[str]
HAY = {"title": "Hay", "event": "FJORD 2026", "start": "2026-08-03T09:00", "room": "Hall"}


@pytest.fixture
def desk(tmp_path: Path, in_the_desk: None) -> Desk:
    """Put a dump of one talk below the working directory."""
    desk = Desk(tmp_path)
    desk.put("fair/a.txt", HAY)
    return desk


def test_a_site(desk: Desk, capsys: Capture) -> None:
    """Built from what is published, and named."""
    assert (said := Said(capsys, "site")).code == 1
    assert said.err == [f"failed: nothing is published below {desk.out}"]
    desk.run()
    said = Said(capsys, "site", "--event", "fjord 2026")
    assert (said.code, said.out) == (0, [f"{desk.out}/site/index.html"])
    assert "FJORD 2026" in (desk.out / "site" / "index.html").read_text()
    assert (desk.out / "site").resolve().parent.name == "sites"
    assert Said(capsys, "site", "--event", "x").code == 2
    assert Said(capsys, "verify").code == 0


def test_a_port_in_use(desk: Desk, capsys: Capture) -> None:
    """A port that is not free is refused before anything is built."""
    desk.run()
    with ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as other:
        said = Said(capsys, "site", "--serve", "--port", str(other.server_port))
        expected = f"conspectus: --port must be one that is free, not {other.server_port}: Address already in use"
    assert (said.code, said.err, (desk.out / "site").exists()) == (2, [expected], False)


def test_a_refresh_builds_it(desk: Desk, capsys: Capture) -> None:
    """If the configuration says so; the first page is named last."""
    assert not (desk.out / "site").exists()
    Path("sources.toml").write_text('[site]\nbuild = true\ntitle = "Ours"\n')
    said = Said(capsys, "refresh")
    assert (said.code, said.out[-1]) == (0, f"pages: {desk.out}/site/index.html")
    assert "<h1>Ours</h1>" in (desk.out / "site" / "index.html").read_text()
    desk.put("fair/b.txt", {**HAY, "title": "Rye"})
    assert Said(capsys, "refresh", "--quiet").out == []
    assert len(list((desk.out / "site").glob("*/rye-*.html"))) == 1


def test_a_site_that_fails(desk: Desk, capsys: Capture) -> None:
    """The data are published, the old pages stay, the exit code is 1 with one line."""
    Path("sources.toml").write_text("[site]\nbuild = true\n")
    assert Said(capsys, "refresh").code == 0
    before = (desk.out / "site").resolve()
    sites = (desk.out / "sites").rename(desk.out / "elsewhere")
    (desk.out / "sites").write_text("in the way")
    desk.put("fair/b.txt", {**HAY, "title": "Rye"})
    said = Said(capsys, "refresh")
    assert (said.code, desk.titles("fair"), said.out[-1][:8]) == (1, ["Hay", "Rye"], "dataset:")
    assert said.err[-1].startswith("failed: site: the pages are those of before: [Errno")
    (desk.out / "sites").unlink()
    sites.rename(desk.out / "sites")
    assert (desk.out / "site").resolve() == before


def test_a_night_that_publishes_nothing(desk: Desk, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of the night is built all the same, from the snapshot that there is."""

    def fail(*_: object) -> None:
        raise PublishError("the disk is full")

    Path("sources.toml").write_text("[site]\nbuild = true\n")
    assert Said(capsys, "refresh").code == 0
    monkeypatch.setattr("pipeline.run.refresh.publish", fail)
    assert Said(capsys, "refresh").code == 1
    assert "the disk is full" in (desk.out / "site" / "night.html").read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('url = "ftp://x"', "site: url = 'ftp://x': expected an address"),
        ('url = "https://[x"', "site: url = 'https://[x': expected an address with the name of a host"),
        ('title = " "', "site: title = ' ': expected a text"),
    ],
)
def test_wrong_settings(desk: Desk, capsys: Capture, text: str, said: str) -> None:
    """Each names its key."""
    Path("sources.toml").write_text(f"[site]\n{text}\n")
    found = Said(capsys, "site")
    assert (found.code, said in found.err[-1]) == (2, True)


def test_feeds_and_search(desk: Desk, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was mended is told; where the search cannot be made the old pages stay, with one line."""
    Path("sources.toml").write_text('[site]\nurl = "https://there.example"\n')
    desk.run()
    (desk.out / "feeds.json").write_text("{")
    said = Said(capsys, "site")
    assert (said.code, [line.partition(": expected")[0] for line in said.err]) == (
        0,
        [f"healed: {desk.out}/feeds.json"],
    )
    before = (desk.out / "site").resolve()
    monkeypatch.setitem(sys.modules, "pagefind_bin", None)
    Path("sources.toml").write_text("[site]\nsearch = true\n")
    said = Said(capsys, "site")
    told = "failed: the pages are those of before: search = true needs Pagefind: install conspectus[site]"
    assert (said.code, said.err, (desk.out / "site").resolve()) == (1, [told], before)


def test_a_site_of_one_event_after_one_of_all(desk: Desk, capsys: Capture) -> None:
    """Its first page lists that event alone."""
    desk.put("fair/b.txt", {**HAY, "event": "OTHER 2026"})
    desk.run()
    shown = []
    for chosen in ([], ["--event", "FJORD 2026"], []):
        assert Said(capsys, "site", *chosen).code == 0
        shown.append("OTHER 2026" in (desk.out / "site" / "index.html").read_text())
    assert shown == [True, False, True]


def test_a_site_is_served(desk: Desk, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """To this machine alone, on a port that is free."""
    desk.run()
    said, got = ask_for(monkeypatch, capsys, "/index.html")
    assert said.out[-1].startswith(f"serving {desk.out}/site at http://127.0.0.1:")
    assert [(status, b"FJORD 2026" in page) for status, page in got] == [(200, True)]


@pytest.mark.parametrize(
    ("path", "host", "expected"),
    [
        ("/index.html", "localhost:1", 200),
        ("/index.html", "evil.example", 421),
        ("/index.html", "127.0.0.1.evil.example:80", 421),
        ("/index.html", "\xe9", 421),
        ("/%00", "127.0.0.1", 404),
        ("/%ed%a0%80", "127.0.0.1", 404),
        (f"/{'x' * 5000}", "127.0.0.1", 404),
        ("/../../raw/fair/a.txt", "127.0.0.1", 404),
    ],
)
def test_strange_requests(  # noqa: PLR0917  # fixtures are arguments
    desk: Desk, capsys: Capture, monkeypatch: pytest.MonkeyPatch, path: str, host: str, expected: int
) -> None:
    """Each is answered, and told in one line."""
    desk.run()
    said, got = ask_for(monkeypatch, capsys, path, host)
    assert [(status, page.count(b"\n") if status != 200 else 1) for status, page in got] == [(expected, 1)]
    assert len([line for line in said.err if '"GET' in line]) == 1
    assert not any("Traceback" in line for line in said.err)


def ask_for(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, path: str, host: str = "127.0.0.1"
) -> tuple[Said, list[tuple[int, bytes]]]:
    """Serve the site for one request; return what was said, and the answer."""
    got: list[tuple[int, bytes]] = []

    def serve(server: ThreadingHTTPServer) -> None:
        def ask() -> None:
            connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
            connection.request("GET", path, headers={"Host": host})
            answer = connection.getresponse()
            got.append((answer.status, answer.read()))

        asking = Thread(target=ask)
        asking.start()
        server.handle_request()
        asking.join()

    monkeypatch.setattr(ThreadingHTTPServer, "serve_forever", serve)
    return Said(capsys, "site", "--serve"), got
