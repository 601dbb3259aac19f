"""Checks that the entries of ``sources.toml`` name all files of a dump that has several: the addresses in ``urls``.

Which files these are, say the tables of a system, or ``table.toml`` above the page. Requesting them does not belong
here.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Final

from parsers._contract import Source
from parsers._ledger.bundle import Patterns, bundles_in, wrong_names
from parsers._ledger.document import TABLES
from parsers._registry import bundles_of
from parsers._web.web import OnePage, Request, Window
from pipeline.base.secret import masked
from pipeline.base.settings import UsageError
from pipeline.config import Config
from pipeline.raw.archive import companion_name, folder_of
from pipeline.raw.dump import OF_DATA, suffix_in, tables_above
from pipeline.raw.sidecar import load_tables

_ANY_DAY: Final = Window(date(2026, 1, 1))
"""A page of its own is asked for at any time."""


def check_files(raw: Path, config: Config, known: Mapping[str, Source], names: Iterable[str]) -> None:
    """Raise ``UsageError`` for entries of these sources with wrong addresses of companions: a line for each mistake.

    ``raw`` is the raw root, where the file of tables of a page is; it need not be there.
    """
    found = (
        (f"{config.file.name}: {name}[{place}].urls", problem)
        for name in names
        for place, target in enumerate(config.targets.get(name, ()))
        if isinstance(target, OnePage) and (web := known[name].web) is not None
        for request in web.requests(target, _ANY_DAY)
        for problem in problems_of(raw, name, request)
    )
    if lines := [f"{entry}: {masked(problem)}" for entry, problem in found]:
        raise UsageError("\n".join(lines))


def problems_of(raw: Path, source: str, request: Request) -> Iterator[str]:
    """Yield what was expected of the companions of a request, and what was found."""
    names = [companion_name(name) for name, _ in request.companions]
    bundles, named_in = _bundles_of(raw, source, request)
    several = [each for each in bundles if each]
    if not several:
        if names:
            yield f"expected none, since a dump is one file if {named_in} names no others, found {', '.join(names)}"
    elif names or len(several) == len(bundles):
        odd = [name for name in names if suffix_in(name) not in OF_DATA]
        for name in odd:
            yield f"expected an address with a file name in {', '.join(sorted(OF_DATA))} at its end, found {name}"
        if not odd:
            yield from min((list(wrong_names(names, each)) for each in several), key=len)


def _bundles_of(raw: Path, source: str, request: Request) -> tuple[tuple[Patterns, ...], str]:
    """Return the patterns of the companions that a page may have, and what names them."""
    if found := bundles_of(source):
        return found, f"the file of {source}"
    file = folder_of(raw, source, request) / TABLES
    tables = tables_above(file.relative_to(raw).as_posix(), file)
    if tables is None:
        return (), f"{TABLES} in {file.parent} or above"
    try:
        return bundles_in(load_tables(tables)), str(tables)
    except ValueError as error:
        return (), f"{tables}, which is wrong ({error}),"
