"""The command ``works``: the records that are one work, and why; the pairs for a person to decide. To an exit code."""

import argparse
import os
import sys
from collections.abc import Iterable
from typing import Final

import polars as pl

from pipeline.base.settings import UsageError
from pipeline.cli.console import out, say
from pipeline.cli.dataset import published
from pipeline.config import roots_given
from pipeline.publishing.plain import for_json
from pipeline.publishing.store import Snapshot
from pipeline.raw.archive import as_toml
from pipeline.viewing.selection import Row, Selection
from pipeline.viewing.texts import label_of, names_of
from pipeline.viewing.works import reviews_of, work_of, works_of
from schemas.works import RULES

MOST: Final = 20
"""Works, or pairs for review, that are printed for people."""


def works(options: argparse.Namespace) -> int:
    """Print works of several records, one work, or the pairs for review: 0, or 1 if nothing is published."""
    snapshot = published(options)
    if snapshot is None:
        return 1
    if snapshot.works.get("error"):
        say(f"warning: {snapshot.works['error']}")
    if options.review:
        _show_reviews(snapshot, as_json=options.json)
    elif options.what is None:
        _show_works(works_of(snapshot), as_json=options.json)
    elif (found := work_of(snapshot, options.what)) is not None:
        _show_work(snapshot, *found, as_json=options.json)
    else:
        roots = roots_given(os.environ, options.raw, options.out, options.config)
        raise UsageError(
            f"no such work: {options.what}: expected the id of a work, or of a paper, keynote or tutorial\n"
            f"next: conspectus works {roots}"
        )
    return 0


def _show_works(found: pl.DataFrame, *, as_json: bool) -> None:
    """Print the works of several records."""
    if as_json:
        _print_rows(found)
        return
    for work in found.head(MOST).iter_rows(named=True):
        out(work["title"] or "(no title)")
        out(f"    {work['work_id']}: {work['records']} records of {', '.join(work['sources'])}")
    more = f"; these are the first {MOST} (--json prints all)" if found.height > MOST else ""
    say(f"works of several records: {found.height}{more}; works ID says why, works --review asks")


def _show_work(snapshot: Snapshot, work: pl.DataFrame, members: pl.DataFrame, *, as_json: bool) -> None:
    """Print a work and why each of its records is of it."""
    if as_json:
        _print_rows(members)
        return
    (row,) = work.iter_rows(named=True)
    out(row["title"] or "(no title)")
    ids = (row["first_on"] and f"since {row['first_on']}", row["arxiv_id"] and f"arXiv {row['arxiv_id']}", row["doi"])
    out(", ".join([row["work_id"], row["kind"], *filter(None, ids)]))
    printed = _lines_of(snapshot, members["record_id"])
    for member in members.iter_rows(named=True):
        out("")
        out(f"  {member['record_id']}")
        out(f"    {printed[member['record_id']]}")
        if member["rule"] is not None:
            score = f", score {member['score']:.2f}" if member["score"] is not None else ""
            out(f"    {RULES[member['rule']]}: {member['partner']} (found by {member['key']}{score})")


def _show_reviews(snapshot: Snapshot, *, as_json: bool) -> None:
    """Print the pairs for review, as entries of ``works.toml`` to complete."""
    found = reviews_of(snapshot)
    if as_json:
        _print_rows(found)
        return
    shown = found.head(MOST)
    printed = _lines_of(snapshot, pl.concat([shown["record_id"], shown["partner"]]).unique())
    for pair in shown.iter_rows(named=True):
        ids = [pair["record_id"], pair["partner"]]
        for each in ids:
            out(f"# {printed[each]}")
        out(f"# {RULES[pair['rule']]}" + (f": {pair['why']}" if pair["why"] else ""))
        out("[[same]]  # or [[different]]")
        out(f"records = {as_toml(ids)}")
        out('why = ""')
        out('by = ""')
        out(f"on = {snapshot.made_at.date()}")
        out("")
    more = f"; these are the first {MOST} (--json prints all)" if found.height > MOST else ""
    say(f"pairs that may be one work: {found.height}{more}; what you decide goes into works.toml, beside sources.toml")


def _lines_of(snapshot: Snapshot, ids: Iterable[str]) -> dict[str, str]:
    """Return a line on each record, by its id."""
    wanted = frozenset(ids)
    shown = dict.fromkeys(wanted, "no longer published")  # of works that could not be made anew
    return shown | {row["record_id"]: _shown(row) for row in Selection(snapshot, only=wanted).rows()}


def _shown(row: Row) -> str:
    """Return title, people, event or source, and the first day of a record."""
    day = row["starts_at"] or row["published_on"] or row["listed_on"]
    facts = (label_of(row), names_of(row), row["event"] or row["source"], day and f"{day:%Y-%m-%d}")
    return "; ".join(filter(None, facts)).replace("\n", " ")


def _print_rows(rows: pl.DataFrame) -> None:
    """Print rows as the NDJSON files would have them."""
    sys.stdout.write(for_json(rows).write_ndjson())
