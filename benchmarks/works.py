"""Which records are found to be one work, on pairs with known truth: precision, recall, review, CPU, memory.

``python -m benchmarks.works FOLDER`` reads what lies below FOLDER; what is not there is left out. Nothing is fetched.

``dblp-acm/``     ``dblp.csv``, ``acm.csv`` and ``gt.csv`` between ``%``: ``data/ccer/D4`` of pyJedAI
``dblp-scholar/`` ``test.txt``, ``valid.txt`` and others: ``data/er_magellan/Structured/DBLP-GoogleScholar`` of Ditto
``hf-arxiv/``     ``hf/*.json``, days of Hugging Face as its interface gives them, and ``arxiv/*.json``, lists of papers
                  with ``title``, ``authors``, ``arxiv_id``, ``summary``; the ids of Hugging Face are hidden: the truth

``--records N`` also measures N invented records, each fifth printed twice with slips.
"""

import argparse
import csv
import json
import re
import resource
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from html import unescape
from pathlib import Path
from random import Random
from typing import Any, Final

import polars as pl

from benchmarks.said import say
from pipeline.works.works import find_works
from schemas.tables import RECORDS, polars_schema

_TYPES: Final = polars_schema(RECORDS)
_DITTO: Final = re.compile(r"COL (\w+) VAL (.*?)(?=\s*COL \w+ VAL |\s*$)")

Pair = tuple[str, str]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Known:
    """Records and the pairs of them that are one work; ``asked`` are the only pairs that are judged, None for all."""

    records: pl.DataFrame
    same: set[Pair]
    asked: set[Pair] | None = None


def _ordered(first: str, second: str) -> Pair:
    """Return a pair of ids, the smaller first."""
    return (first, second) if first < second else (second, first)


def _record(source: str, key: str, title: str, people: Iterable[str], **columns: object) -> Row:
    """Return a paper of a list, which has each paper once."""
    authors = [{"name": name.strip()} for name in people if name.strip()]
    made = {"kind": "paper", "event": source, "notes": [], **columns}
    return {
        "record_id": f"{source}:{key}",
        "source": source,
        "title": title or None,
        "authors": authors or None,
        **made,
    }


def _frame(rows: Iterable[Row]) -> pl.DataFrame:
    """Return records with all columns."""
    return pl.DataFrame(list(rows), schema=_TYPES)


def _day_of(year: str) -> date | None:
    """Return the first day of a printed year."""
    found = re.match(r"\d{4}", year)
    return date(int(found[0]), 1, 1) if found else None


def dblp_acm(folder: Path) -> Known:
    """Read DBLP and ACM: titles, authors and years of four venues."""
    rows = []
    for source in ("dblp", "acm"):
        with (folder / f"{source}.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="%"):
                title, people = unescape(row["title"]), unescape(row["authors"] or "").split(", ")
                rows.append(_record(source, row["id"], title, people, published_on=_day_of(row["year"] or "")))
    with (folder / "gt.csv").open(encoding="utf-8", newline="") as file:
        same = {_ordered(f"dblp:{row['D1']}", f"acm:{row['D2']}") for row in csv.DictReader(file, delimiter="%")}
    return Known(_frame(rows), same)


def dblp_scholar(folder: Path) -> Known:
    """Read the pairs of Ditto: records are told apart by what they print, since the pairs give no ids."""
    rows: dict[str, Row] = {}
    same, asked = set(), set()
    for file in sorted(folder.glob("*.txt*")):
        for line in file.read_text(encoding="utf-8").splitlines():
            first, second, label = line.split("\t")
            pair = _ordered(*(_of_ditto(source, text, rows) for source, text in (("dblp", first), ("scholar", second))))
            asked.add(pair)
            same |= {pair} if label == "1" else set()
    return Known(_frame(rows.values()), same, asked)


def _of_ditto(source: str, text: str, rows: dict[str, Row]) -> str:
    """Return the id of a record that a pair prints, and keep the record."""
    printed = dict(_DITTO.findall(text.strip()))
    number = f"{source}:{text.strip()}"
    if number not in rows:
        people = unescape(re.sub(r"& (\w+) ;", r"&\1;", printed.get("authors", ""))).split(" , ")
        title = unescape(re.sub(r"& (\w+) ;", r"&\1;", printed.get("title", "")))
        day = _day_of(printed.get("year", ""))
        event = source if source == "dblp" else None  # Scholar has a paper several times
        rows[number] = _record(source, str(len(rows)), title, people, published_on=day, event=event)
    record_id: str = rows[number]["record_id"]
    return record_id


def hf_arxiv(folder: Path, leave_out: str | None = None) -> Known:
    """Read days of Hugging Face and lists of arXiv; ``leave_out`` is a column that Hugging Face then lacks."""
    rows: dict[str, Row] = {}
    for file in sorted((folder / "arxiv").glob("*.json")):
        for paper in json.loads(file.read_text(encoding="utf-8"))["papers"]:
            key = re.sub(r"v\d+$", "", paper["arxiv_id"])
            facts = {"arxiv_id": key, "abstract": paper["summary"], "event": None}
            rows[f"arxiv:{key}"] = _record("arxiv", key, paper["title"], paper["authors"], **facts)
    same = set()
    for file in sorted((folder / "hf").glob("*.json")):
        entries = json.loads(file.read_text(encoding="utf-8"))
        for paper in (entry["paper"] for entry in entries if isinstance(entry, dict) and "paper" in entry):
            key = paper["id"]
            listed = date.fromisoformat(paper["publishedAt"][:10])
            facts = {"abstract": paper.get("summary"), "event": None, "listed_on": listed}
            people = [each["name"] for each in paper.get("authors", [])]
            row = _record("hf", f"h{key}", paper["title"], people, **facts)
            rows[f"hf:{key}"] = {**row, **({leave_out: None} if leave_out else {})}
            same |= {_ordered(f"arxiv:{key}", f"hf:h{key}")} if f"arxiv:{key}" in rows else set()
    return Known(_frame(rows.values()), same)


def invented(number: int) -> Known:
    """Make papers of invented words, of which each fifth is printed again with a slip or without some authors."""
    random = Random(1)  # noqa: S311  # the same each time
    words = ["".join(random.choices("bcdfghklmnprst" + "aeiou" * 3, k=random.randint(3, 10))) for _ in range(20_000)]
    rows: list[Row] = []
    while len(rows) < number:
        key, title = str(len(rows)), " ".join(random.choices(words, k=random.randint(5, 12)))
        people = [" ".join(random.choices(words, k=2)) for _ in range(random.randint(1, 6))]
        rows.append(_record("one", key, title, people, event=None, published_on=date(2000 + len(rows) % 25, 1, 1)))
        if len(rows) % 5 == 0:
            rows.append({**rows[-1], "record_id": f"two:{key}", "source": "two", "title": f"The {title}"})
    return Known(
        _frame(rows),
        {_ordered(f"one:{row['record_id'][4:]}", row["record_id"]) for row in rows if row["source"] == "two"},
    )


def measure(name: str, known: Known) -> Iterator[str]:
    """Yield what is found of known pairs, and at which cost."""
    began = time.process_time()
    works = find_works(known.records)
    seconds = time.process_time() - began
    members = works.members.select("work_id", "record_id")
    both = members.join(members, on="work_id").filter(pl.col("record_id") < pl.col("record_id_right"))
    joined = {_ordered(*pair) for pair in both.select("record_id", "record_id_right").rows()}
    review = {_ordered(*pair) for pair in works.reviews.select("record_id", "partner").rows()}
    if known.asked is not None:
        joined, review = joined & known.asked, review & known.asked
    of = max(1, len(known.same))
    right, found = len(joined & known.same), len((joined | review) & known.same)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    precision, recall, with_review = right / max(1, len(joined)), right / of, found / of
    yield (
        f"{name:24s} {known.records.height:9,} records, {of:7,} pairs: precision {precision:.4f} ({right:,} of "
        f"{len(joined):,}), recall {recall:.4f}, with {len(review - joined):,} for review {with_review:.4f}; "
        f"{seconds:.2f} CPU-s, {megabytes:,.0f} MB"
    )
    yield from (f"    wrong: {first} {second}" for first, second in sorted(joined - known.same)[:20])


def report(name: str, known: Known) -> None:
    """Print what is found of known pairs."""
    for line in measure(name, known):
        say(line)


def main() -> None:
    """Measure what is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="the data, which are no part of the project")
    parser.add_argument("--records", type=int, action="append", default=[], help="also this number of invented records")
    arguments = parser.parse_args()
    readers: dict[str, Callable[[Path], Known]] = {
        "dblp-acm": dblp_acm,
        "dblp-scholar": dblp_scholar,
        "hf-arxiv": hf_arxiv,
        "hf-arxiv: no abstract": lambda folder: hf_arxiv(folder, "abstract"),
        "hf-arxiv: no authors": lambda folder: hf_arxiv(folder, "authors"),
    }
    for name, read in readers.items():
        data = arguments.folder / name.split(":")[0] if arguments.folder else None
        if data is not None and data.is_dir():
            report(name, read(data))
    for number in arguments.records:
        report("invented", invented(number))


if __name__ == "__main__":
    main()
