"""Every source against its invented site: from the web into the archive, and from there into the dataset."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from parsers._contract import Source
from parsers._ledger.document import Document
from parsers._registry import sources
from parsers._web.web import Request, Window
from pipeline.base.settings import MAX_BYTES, Settings
from pipeline.config import load_config
from pipeline.fetching.fetch import Fetched
from pipeline.publishing.store import open_snapshot
from pipeline.raw.inventory import take_inventory
from pipeline.raw.load import load
from pipeline.run.refresh import refresh
from tests.support.of_sources import fetched, specimens
from tests.support.sites import Nights, Reply, Sites, as_toml, quickly, serving, site_of

pytestmark = pytest.mark.untraced


@pytest.fixture(scope="module")
def server() -> Iterator[Sites]:
    """Serve for all tests of this file."""
    with serving() as sites:
        yield sites


@dataclass(frozen=True)
class Play:
    """A source, its invented site, and nights in which it is fetched."""

    source: Source
    site: Any
    nights: Nights
    targets: tuple[object, ...]

    def fetch(self) -> Fetched:
        """Fetch all targets."""
        return self.nights.fetch(*self.targets, source=self.source)

    def outcomes(self) -> list[str]:
        """Fetch and return how every page ended."""
        return [page.outcome.value for page in self.fetch().pages]

    def refresh(self) -> tuple[set[str | None], int]:
        """Refresh from the archive; return the titles, and the number of quarantined rows."""
        result = refresh(Settings(self.nights.raw, self.nights.raw.parent / "out"), sources(), [self.source.name])
        (outcome,) = result.outcomes
        assert (outcome.error, dict(result.unknown)) == (None, {})
        published = open_snapshot(result.publication.folder).table("records", self.source.name)
        assert published is not None
        return set(published["title"]), outcome.quarantine.height


@pytest.fixture(params=fetched())
def play(request: pytest.FixtureRequest, server: Sites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Put the site of a source in place and read its targets from a configuration."""
    monkeypatch.setattr("pipeline.fetching.fetch.make_manners", quickly({"attempts": 2}))
    site = site_of(request.param)
    server.pages.clear()
    server.asked.clear()
    site.fill(server)
    file = tmp_path / "sources.toml"
    file.write_text("".join(f"[[{request.param}]]\n{as_toml(target)}" for target in site.TARGETS))
    targets = load_config(file, sources()).targets[request.param]
    for specimen in specimens():
        if specimen.source == request.param and not specimen.companions:  # these are fetched, too
            specimen.put_beside(tmp_path / "raw" / request.param)
    return Play(sources()[request.param], site, Nights(tmp_path / "raw", server), targets)


def test_three_nights(play: Play) -> None:
    """All titles of a site are published, one without news makes no second copy, and the last stays when all is gone.

    Nothing is quarantined, no page of the site is left out, and the run is red for every page that is gone.
    """
    fetched, whole = play.fetch(), (set(play.site.TITLES), 0)
    assert (fetched.failures, play.refresh()) == ([], whole)
    assert sorted(play.nights.sites.pages_asked()) == sorted(play.nights.sites.pages)
    before = play.nights.captures()
    assert (set(play.outcomes()), play.nights.captures()) == ({"unchanged"}, before)
    for page in play.nights.sites.pages:
        play.nights.sites.put(page, Reply("gone", 410))
    assert ({page.error for page in play.fetch().pages}, play.refresh()) == ({"410 Gone"}, whole)


def test_a_challenge_page(play: Play) -> None:
    """It is archived as it came; no further page is asked for."""
    for page in play.nights.sites.pages:
        play.nights.sites.put(page, "<html><title>Just a moment...</title><p>Verify that you are human</p></html>")
    kept = [page for page in play.fetch().pages if page.outcome.value == "new"]
    first = {request.key for target in play.targets for request in first_requests(play, target)}
    assert {page.key for page in kept} == first


def first_requests(play: Play, target: object) -> Iterator[Request]:
    """Return what a target asks for first."""
    assert play.source.web is not None
    yield from play.source.web.requests(target, Window(play.nights.clock.now().date()))


def test_pages_of_one_layout_have_one_fingerprint(play: Play) -> None:
    """Of each kind of page one: other content makes no difference, and what is no page of the source has none."""
    play.fetch()
    assert play.source.web is not None
    raw = play.nights.raw
    captures = [each for each in take_inventory(raw, [play.source.name]).dumps[play.source.name] if each.facts.url]
    found = {each.path: play.source.web.fingerprint(load(each, MAX_BYTES)) for each in captures}
    strange = play.source.web.fingerprint(Document.from_bytes("x", b"<html><p>Verify that you are human</p></html>"))
    assert ("" in found.values(), strange) == (False, "")
