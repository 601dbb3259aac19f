"""BibTeX: one entry per citable record, for LaTeX and reference managers.

A talk with an event is ``@inproceedings``, everything else ``@misc``, the arXiv id as ``eprint``, also where another
record of the same work has it. Keys are the ids of the records. Text is UTF-8 with LaTeX for special characters
(``pipeline.export._latex``); DOI and URL are not escaped, since their fields are read verbatim.
"""

from collections import Counter
from pathlib import Path
from typing import Final

from bibtexparser.library import Library
from bibtexparser.model import Entry, Field
from bibtexparser.writer import write as write_blocks

from pipeline.export._citation import Name, citable, issued, remarks, split_name
from pipeline.export._format import ExportError, ExportFormat, Report
from pipeline.export._latex import to_latex, to_title
from pipeline.viewing.selection import Row, Selection
from pipeline.viewing.texts import printable

MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_VERBATIM: Final = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})


def write(selection: Selection, file: Path) -> Report:
    """Write the bibliography. Raises ``ExportError`` where nothing of the selection can be cited."""
    written, left_out = 0, Counter[str]()
    with file.open("w", encoding="utf-8", newline="\n") as out:
        for key, row in citable(selection, left_out):
            out.write(("\n" if written else "") + write_blocks(Library([make_entry(key, row)])))
            written += 1
    if not written:
        raise ExportError(f"nothing to cite: {'; '.join(f'{n} records {why}' for why, n in sorted(left_out.items()))}")
    return Report(written, "entries", left_out)


def make_entry(key: str, row: Row) -> Entry:
    """Make the entry of a record."""
    talk = row["kind"] == "paper" and row["event"]
    date = issued(row) or ()
    texts = {
        "author": authors(row),
        "title": row["title"] and to_title(printable(row["title"])),
        "booktitle": talk and to_title(printable(row["event"])),
        "howpublished": not talk and _how(row),
        "year": date and str(date[0]),
        "doi": row["doi"] and row["doi"].translate(_VERBATIM),
        "url": row["url"] and row["url"].translate(_VERBATIM),
        "eprint": row["eprint"],
        "archiveprefix": row["eprint"] and "arXiv",
        "primaryclass": row["arxiv_id"] and row["categories"] and row["categories"][0],
        "keywords": row["keywords"] and to_latex(printable(", ".join(row["keywords"]))),
        "note": to_latex(printable(". ".join(remarks(row)))),
        "abstract": row["abstract"] and to_latex(printable(row["abstract"])),
    }
    fields = [Field(name, f"{{{text}}}") for name, text in texts.items() if text]
    if len(date) > 1:
        fields.append(Field("month", MONTHS[date[1] - 1]))  # a macro of BibTeX styles, hence without braces
    return Entry("inproceedings" if talk else "misc", key, fields)


def authors(row: Row) -> str:
    """Return the authors separated by ``and``, with ``others`` if the page cut the list."""
    names = [_name(split_name(printable(author["name"]))) for author in row["authors"] or ()]
    return " and ".join([*names, "others"] if "authors_cut" in row["notes"] and names else names)


def _name(name: Name) -> str:
    """Return one name; one that was not split is put in braces, or BibTeX would split it."""
    if name.given is None:
        return f"{{{to_latex(name.family)}}}"
    return ", ".join(to_latex(part) for part in (name.family, name.suffix, name.given) if part)


def _how(row: Row) -> str | None:
    """Return the kind and the event of a talk that is not a paper; None for a paper."""
    if row["kind"] == "paper":
        return None
    kind = row["kind"].capitalize()
    return f"{kind} at {to_latex(printable(row['event']))}" if row["event"] else str(kind)


FORMAT = ExportFormat("bibtex", ".bib", write)
