"""The other records of the work of a talk, as its page shows them: where they are listed, with a link."""

from collections.abc import Mapping, Sequence

from pipeline.site.model import file_of, programme_folder, safe_link, short_ids
from pipeline.viewing.selection import Row, Selection
from pipeline.viewing.texts import address_of, where_listed
from pipeline.viewing.works import other_listings

OtherListings = Mapping[str, Sequence[tuple[str, str | None]]]
"""Of each record of a work of several: where the others are listed, each with a link if there is one."""


def other_listings_of(selection: Selection) -> OtherListings:
    """Return where else the records of a selection are listed. Raises ``StoreError`` for a damaged file."""
    has_pages = selection.event is None
    return {
        record_id: [(where_listed(other), _link_to(other, has_page=has_pages)) for other in others]
        for record_id, others in other_listings(selection).items()
    }


def _link_to(row: Row, *, has_page: bool) -> str | None:
    """Return a link to the page of a record, else to its address or that of its arXiv id."""
    if row["event"] and has_page:
        file = file_of(row, short_ids([row["record_id"]]))
        return f"../{programme_folder(row['source'], row['event'])}/{file}.html"
    return safe_link(row["url"]) or safe_link(address_of({**row, "url": None}))
