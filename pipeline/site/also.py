"""The other records of the work of a talk, as its page shows them: where they are listed, with a link."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import polars as pl

from pipeline.site.model import file_of, programme_folder, safe_link, short_ids
from pipeline.viewing.selection import Row, Selection
from pipeline.viewing.works import load_works

Also = Mapping[str, Sequence[tuple[str, str | None]]]
"""Of each record of a work of several: where the others are listed, each with a link if there is one."""


def also_listed(selection: Selection) -> Also:
    """Return where else the records of a snapshot are listed. Raises ``StoreError`` for a damaged file."""
    members = load_works(selection.snapshot, "work_members").filter(pl.len().over("work_id") > 1)
    if members.is_empty():
        return {}
    rows = {row["record_id"]: row for row in Selection(selection.snapshot).rows(members["record_id"])}
    works: dict[str, list[Row]] = defaultdict(list)
    for work_id, record_id in members.select("work_id", "record_id").sort("work_id", "record_id").iter_rows():
        if record_id in rows:  # works that could not be made anew may name records that are gone
            works[work_id].append(rows[record_id])
    has_pages = selection.event is None
    return {
        row["record_id"]: [_told(other, has_page=has_pages) for other in work if other is not row]
        for work in works.values()
        for row in work
    }


def _told(row: Row, *, has_page: bool) -> tuple[str, str | None]:
    """Return where a record is listed, and a link: to its page, else to its address or that of its arXiv id."""
    name = f"{row['event']} ({row['source']})" if row["event"] else row["source"]
    if row["event"] and has_page:
        file = file_of(row, short_ids([row["record_id"]]))
        return name, f"../{programme_folder(row['source'], row['event'])}/{file}.html"
    arxiv = f"https://arxiv.org/abs/{row['arxiv_id']}" if row["arxiv_id"] else None
    return name, safe_link(row["url"]) or arxiv
