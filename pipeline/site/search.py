"""What ``search.html`` finds in the whole site: an index by Pagefind for each source and year, where it is asked for.

An index is made of a small page for each record, in a temporary folder, and only where its records have changed.
"""

import os
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import polars as pl
from markupsafe import Markup

from pipeline.base.disk import temporary_folder
from pipeline.base.escape import harmless
from pipeline.base.settings import FailedError
from pipeline.publishing.sites import SitePage, SiteSection
from pipeline.site.listing import listing_links
from pipeline.site.model import affiliations_of, file_of, first_time, paragraphs, short_ids
from pipeline.viewing.selection import Row
from pipeline.viewing.texts import heading_of, label_of, names_of, people

SEARCH_FOLDER: Final = "search"
KEPT: Final = ("pagefind.js", "pagefind-entry.json", "wasm.en.pagefind")
"""The files of an index that the page of the search needs, beside those of its data; the others are for other faces."""

_DATA: Final = frozenset({".pf_meta", ".pf_index", ".pf_fragment", ".pf_filter"})
_PATIENCE: Final = 600
_PAGE: Final = Markup(
    '<!doctype html><html lang="en"><head><title>{title}</title></head><body><h1>{title}</h1>'
    '<p data-pagefind-ignore data-pagefind-meta="page">{page}</p>'
    '<p data-pagefind-ignore data-pagefind-meta="about">{about}</p><p>{text}</p></body></html>'
)


@dataclass(frozen=True, slots=True)
class SearchItem:
    """What is found of a record: the path of its page below the root, its title, a line about it, and all its words."""

    page: str
    title: str
    about: str
    text: str


@dataclass
class SearchBook:
    """The indexes of a site: of each, by its folder, the hashes of what it holds, and what makes its items."""

    keys: dict[str, list[str]] = field(default_factory=dict)
    makers: dict[str, list[Callable[[], Iterable[SearchItem]]]] = field(default_factory=dict)

    def add_programme(self, source: str, begins: date | None, folder: str, key: str, frame: pl.DataFrame) -> None:
        """Add a programme: the key of its pages, and its records."""
        self._add(source, begins.year if begins else None, key, lambda: programme_items(frame, folder))

    def add_listing(self, source: str, folder: str, records: pl.DataFrame) -> None:
        """Add the records of a listing, by the years of their days."""
        years = records.with_columns(year=pl.coalesce("listed_on", "published_on").dt.year())
        for (year,), some in sorted(years.partition_by("year", as_dict=True, include_key=False).items(), key=str):
            key = str(some.sort("record_id").hash_rows().to_list())

            def make(some: pl.DataFrame = some) -> Iterable[SearchItem]:
                return listed_items(some, folder)

            self._add(source, year, key, make)

    def _add(self, source: str, year: int | None, key: str, make: Callable[[], Iterable[SearchItem]]) -> None:
        """Add items to an index."""
        name = f"{source}-{year or 'undated'}"
        self.keys.setdefault(name, []).append(key)
        self.makers.setdefault(name, []).append(make)

    @property
    def names(self) -> list[str]:
        """The folders of the indexes below that of the search, sorted."""
        return sorted(self.makers)

    def sections(self, digest: Callable[..., str]) -> Iterator[SiteSection]:
        """Yield the section of each index. Raises ``FailedError`` where Pagefind is not installed."""
        program = find_program()
        for name, makers in sorted(self.makers.items()):
            key = digest(version("pagefind_bin"), self.keys[name])
            yield SiteSection(f"{SEARCH_FOLDER}/{name}", key, _Index(program, makers, digest))


@dataclass(frozen=True)
class _Index:
    """Makes the files of an index."""

    program: Path
    makers: Sequence[Callable[[], Iterable[SearchItem]]]
    digest: Callable[..., str]

    def __call__(self) -> Iterator[SitePage]:
        """Yield each file with its bytes."""
        items = (item for make in self.makers for item in make())
        for name, data in index_items(self.program, items):
            yield SitePage(self.digest(data), [name], lambda data=data: [data])  # type: ignore[misc]


def find_program() -> Path:
    """Return the program of Pagefind. Raises ``FailedError`` where it is not installed."""
    try:
        from pagefind_bin import get_executable  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise FailedError("search = true needs Pagefind: install conspectus[site]") from error
    return Path(get_executable())


def index_items(program: Path, items: Iterable[SearchItem]) -> list[tuple[str, bytes]]:
    """Return the files of an index of items by name, sorted. Raises ``FailedError`` where Pagefind fails."""
    with temporary_folder("conspectus-search-") as name:
        folder = Path(name)
        (folder / "in").mkdir()
        for number, item in enumerate(items):
            shown = {"page": item.page, "title": item.title, "about": item.about, "text": item.text}
            (folder / "in" / f"{number}.html").write_text(_PAGE.format(**shown), "utf-8")
        command = [str(program), "--site", "in", "--output-path", "out", "--force-language", "en", "--silent"]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PAGEFIND_")}
        try:
            ran = subprocess.run(  # noqa: S603  # the program of a package, with no words of others
                command,
                check=False,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PATIENCE,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise FailedError(f"{program}: expected an index for the search: {error}") from error
        if ran.returncode or not (folder / "out").is_dir():
            said = (ran.stderr or ran.stdout).decode("utf-8", "replace").strip().splitlines() or ["it said nothing"]
            raise FailedError(f"{program}: expected an index for the search: {said[-1]}")
        files = sorted(file for file in (folder / "out").rglob("*") if file.name in KEPT or file.suffix in _DATA)
        return [(file.relative_to(folder / "out").as_posix(), file.read_bytes()) for file in files]


def programme_items(frame: pl.DataFrame, folder: str) -> Iterator[SearchItem]:
    """Yield what is found of the records of a programme."""
    ids = short_ids(frame["record_id"])
    for row in map(harmless, frame.iter_rows(named=True)):
        yield _item(row, f"{folder}/{file_of(row, ids)}.html", row["event"], first_time(row))


def listed_items(frame: pl.DataFrame, folder: str) -> Iterator[SearchItem]:
    """Yield what is found of the records of a listing."""
    places = listing_links(frame.lazy(), folder, frame["record_id"])
    for row in map(harmless, frame.iter_rows(named=True)):
        day = row["listed_on"] or row["published_on"]
        yield _item(row, places[row["record_id"]], row["source"], day and str(day))


def _item(row: Row, page: str, *about: Any) -> SearchItem:  # noqa: ANN401  # texts, or none
    """Return what is found of a record."""
    texts = (names_of(row), heading_of(row), people(row["chairs"]), affiliations_of(row), row["track"], *about)
    words = [*texts, row["subtitle"], *(row["keywords"] or ()), *(row["categories"] or ())]
    long = (text for name in ("abstract", "description", "summary") for text in paragraphs(row[name]))
    line = "; ".join(filter(None, (*about, names_of(row))))
    return SearchItem(page, label_of(row), line, " . ".join(filter(None, (*words, *long))))
