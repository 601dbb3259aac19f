"""Each source has everything that the common tests need; missing parts are reported once, by name."""

import re
import tomllib
from datetime import date
from pathlib import Path

import pytest

from parsers._registry import sources
from parsers._web.web import OnePage, Window
from pipeline.config import load_config
from tests.support import of_sources
from tests.support.of_sources import each_source, lacking, part

PARTS = ("bounds", "bulk", "hostile", "layouts", "patterns", "site")


@each_source()
def test_the_source_is_finished(source: str) -> None:
    """All files that docs/adding-a-source.md asks for are there and can be imported."""
    found = list(lacking(source))
    modules = {name: part(source, name) for name in PARTS}
    web = sources()[source].web
    if web is not None and web.target is not OnePage and modules["site"] is None:
        found.append(f"tests/sources/{source}/site.py")
    if not getattr(modules["layouts"], "LAYOUTS", True):
        found.append(f"tests/sources/{source}/layouts.py with at least one layout in LAYOUTS")
    assert found == [], f"{source} lacks {', '.join(found)}: see docs/adding-a-source.md"


@each_source()
def test_the_example_of_its_targets(source: str, tmp_path: Path) -> None:
    """What it shows in ``sources.toml`` asks for something and has each key that a page may need."""
    web = sources()[source].web
    shown = web.example if web else ""
    (tmp_path / "sources.toml").write_text(shown, encoding="utf-8")
    targets = load_config(tmp_path / "sources.toml", sources()).targets.get(source, ())
    first = [next(web.requests(target, Window(date(2026, 3, 2))), None) for target in targets if web]
    keys = {key for target in targets for key in target.__dataclass_fields__}
    assert (None in first, list(tomllib.loads(shown))) == (False, [source] if shown else [])
    assert keys - set(re.findall(r"^(\w+) = ", shown, re.MULTILINE)) <= {
        *("base", "organizations"),  # mirrors, and what two sources share
        "urls",  # of files beside a page, which most have none of
    }


def test_what_a_new_source_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a module alone, every missing file is listed, and nothing is imported."""
    monkeypatch.setattr(of_sources, "ROOT", tmp_path)
    monkeypatch.setattr(of_sources, "sources", lambda: ["orchard"])
    assert list(lacking("orchard")) == [
        "tests/sources/orchard/__init__.py",
        "tests/sources/orchard/layouts.py",
        "tests/sources/orchard/fixtures/<case>.<txt, html, xml or json>",
        "raw/orchard/<name>.<txt, html, xml or json>",
    ]
    assert (part("orchard", "layouts"), list(of_sources.parts("layouts", "LAYOUTS"))) == (None, [])


def test_a_specimen_without_a_sidecar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A specimen without its sidecar is reported."""
    monkeypatch.setattr(of_sources, "ROOT", tmp_path)
    monkeypatch.setattr(of_sources, "sources", lambda: ["orchard"])
    (tmp_path / "raw" / "orchard").mkdir(parents=True)
    (tmp_path / "raw" / "orchard" / "talks.html").touch()
    assert list(lacking("orchard"))[-1] == "raw/orchard/talks.html.meta.toml"
