"""CSL-JSON: one item per citable record, for Zotero, pandoc and other tools that read CSL.

A paper with an event is ``paper-conference``, a keynote, tutorial or panel ``speech``, any other paper ``article``, as
preprints are. The ids of the items are the keys of the BibTeX format. Texts are as printed, but for the words of a
title that keep their capitals (``nocase``): they are those that have braces in BibTeX.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from pipeline.export._citation import Name, citable, issued, remarks, split_name
from pipeline.export._format import ExportError, ExportFormat, Report
from pipeline.export._latex import to_marked_title
from pipeline.viewing.selection import Row, Selection

Json = dict[str, Any]


def write(selection: Selection, file: Path) -> Report:
    """Write the items. Raises ``ExportError`` where nothing of the selection can be cited."""
    written, left_out = 0, Counter[str]()
    with file.open("w", encoding="utf-8", newline="\n") as out:
        out.write("[")
        for key, row in citable(selection, left_out):
            out.write((",\n" if written else "\n") + json.dumps(make_item(key, row), ensure_ascii=False))
            written += 1
        out.write("\n]\n")
    if not written:
        raise ExportError(f"nothing to cite: {'; '.join(f'{n} records {why}' for why, n in sorted(left_out.items()))}")
    return Report(written, "items", left_out)


def make_item(key: str, row: Row) -> Json:
    """Return the item of a record; unknown fields are left out."""
    paper = row["kind"] == "paper"
    date = issued(row)
    item = {
        "id": key,
        "type": ("paper-conference" if row["event"] else "article") if paper else "speech",
        "genre": None if paper else row["kind"].capitalize(),
        "title": row["title"] and to_marked_title(row["title"]),
        "author": [_name(split_name(author["name"])) for author in row["authors"] or ()],
        "issued": {"date-parts": [list(date)]} if date else None,
        "container-title": row["event"] if paper else None,
        "event-title": row["event"],
        "DOI": row["doi"],
        "URL": row["url"],
        "number": row["eprint"] and f"arXiv:{row['eprint']}",
        "publisher": row["arxiv_id"] and not row["event"] and "arXiv",
        "abstract": row["abstract"],
        "keyword": ", ".join(row["keywords"] or ()),
        "note": "\n".join(remarks(row)),
    }
    return {name: value for name, value in item.items() if value}


def _name(name: Name) -> Json:
    """Return a name in CSL: in parts, or whole as a literal."""
    if name.given is None:
        return {"literal": name.family}
    parts = {"family": name.family, "given": name.given, "suffix": name.suffix}
    return {key: part for key, part in parts.items() if part}


FORMAT = ExportFormat("csl-json", ".json", write)
