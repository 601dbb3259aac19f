"""What becomes of the records of damaged dumps: the measure of silence.

``python -m benchmarks.damage [--pages FOLDER ...]`` damages every dump below ``raw/`` and the given folders in each of
the kinds of ``benchmarks.damages``, reads the result as ``conspectus parse`` does and compares the records with those
of the undamaged dump. A dump is ``FOLDER/<source>/<file>``, with or without a sidecar; without one, the year of its
event may stand in ``<name>.truth.json`` beside it. Guards are left out: the first capture of a page has none.

Each damage ends in one class, that of its worst difference:

``same``      all records are as before
``faithful``  what differs is what the damaged dump says, by the rule of its kind
``told``      the dump is refused, or quarantine or attention name the place or the words
``noted``     the notes of the record doubt the column that differs
``silent``    records are lost or differ, and nothing says so
``crashed``   the parser failed with another exception than ``DumpError``

A silent damage may have signs: faults that a reader of the rows, who knows nothing of the damage, could find.
``--list`` prints each silent damage; ``--only KIND --dump PATH --trial N --write FILE`` writes one for a closer look.
JSON is indented first, so that its damages are comparable.

``--nights`` does the damages that are changes of a site's form (``FORMS`` of ``benchmarks.damages``: those that change
a page everywhere) to captures instead. Night one has the good dump, night two the damaged one as a new capture of its
page; each is one refresh in a temporary folder, with guards. A change counts if it alters a tenth of the records that
the page gave, and three. Its night is

``red``       refused, by its parser or a guard; the good rows stay
``amber``     published, and a person is told to look
``green``     published as if nothing were

Titles and names that print alike in another case or order count as altered, too. ``--list`` prints each green one with
three altered values, and each red one with its reason and next command. ``make damage NIGHTS=1`` runs it.
"""

import argparse
import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from itertools import zip_longest
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, TypeVar

from benchmarks.bulk import ROOT
from benchmarks.damages import FORMS, KINDS, Kind, Sheet, write_json
from benchmarks.nights import Night, pass_night
from benchmarks.said import say
from benchmarks.signals import Names, table_of
from benchmarks.verdicts import SIGNS, Change, Judged, form_of, read, shown
from parsers._registry import sources
from pipeline.base.settings import Settings
from pipeline.raw.dump import SUFFIXES, Dump, describe
from pipeline.raw.sidecar import SIDECAR_SUFFIX

T = TypeVar("T")

CLASSES: Final = ("same", "faithful", "told", "noted", "silent", "crashed")
WANTED: Final = 5000
"""Damages of a run, about, unless ``--trials`` says otherwise."""

TARGETS: Final = {"silent": 50, "with a sign": 8}
"""At most, of 1,000 damages."""

SHOWN: Final = 3
"""Differences of a listed damage."""

SHOWN_OF_ERROR: Final = 100

LEAST: Final = 3
SHARE: Final = 0.1
"""Records that a change of form must alter to count, and their share of the page."""

BY_NAME: Final = {kind.name: kind for kind in (*KINDS, *FORMS)}
LIGHTS: Final = ("red", "amber", "green")
LIGHT_OF: Final = {"ok": "green", "amber": "amber"}
"""The light of a night, by its status; red for all others."""

TRIALS: Final = 3
"""Of each change of form and dump: most do the same each time, which counts once."""


class Fate(NamedTuple):
    """What became of one damage; ``lines`` say it to people."""

    source: str
    path: str
    kind: str
    trial: int
    verdict: str
    signs: tuple[str, ...]
    lines: tuple[str, ...]


class Reform(NamedTuple):
    """What became of a change of form: how many of the page's records it alters, its light and its signals."""

    source: str
    path: str
    kind: str
    trial: int
    altered: int
    records: int
    light: str
    lines: tuple[str, ...]
    signals: Names = frozenset()

    @property
    def counts(self) -> bool:
        """True if it alters enough records to be told."""
        return self.altered >= max(LEAST, SHARE * self.records)


class Work(NamedTuple):
    """The damages of one dump: another dump of its source, if there is one, the kinds, the trials and the seed."""

    dump: Dump
    other: Dump | None
    kinds: tuple[str, ...]
    trials: range
    seed: int


def load(dump: Dump) -> bytes:
    """Return the bytes to damage: those of the file, JSON indented."""
    data = dump.file.read_bytes()
    return write_json(json.loads(data)).encode() if form_of(dump) == "json" else data


def damage(work: Work, kind: Kind, trial: int, text: str, other: str | None) -> bytes | None:
    """Return the damaged bytes of a dump; None if the kind does not apply."""
    random = Random(f"{work.seed} {kind.name} {work.dump.path} {trial}")  # noqa: S311  # seeded, no secret
    made = kind.damage(Sheet(text, form_of(work.dump), other), random)
    return made.encode() if isinstance(made, str) else made


def do(work: Work) -> list[Fate] | str:
    """Do all damages of a dump; returns why not, if it cannot be read undamaged."""
    before = read(work.dump, load(work.dump))
    if before.error or before.crash or not before.rows:
        return before.error or before.crash or "no records"
    other = read(work.other, load(work.other)) if work.other else None
    results = []
    for kind in (BY_NAME[each] for each in work.kinds):
        for trial in work.trials:
            data = damage(work, kind, trial, before.text, other.text if other else None)
            if data is not None:
                case = Judged(kind, before, read(work.dump, data), other)
                results.append(conclude(work, case, trial))
    return results


def conclude(work: Work, case: Judged, trial: int) -> Fate:
    """Return what became of a damage."""
    signs: tuple[str, ...] = ()
    if case.verdict == "silent":
        signs = tuple(name for name, has in SIGNS.items() if has(case))
    failed = case.after.crash or case.after.error
    changes = [] if failed else [change for verdict, change in case.changes if verdict == case.verdict]
    told = (failed,) if failed else tuple(map(describe_change, changes[:SHOWN]))
    told += (f"and {len(changes) - SHOWN} more",) if len(changes) > SHOWN else ()
    return Fate(work.dump.source, work.dump.path, case.kind.name, trial, case.verdict, signs, told)


def reform(work: Work) -> list[Reform] | str:
    """Pass two nights for each change of form of a dump, good and changed; returns why not, if the good one is not."""
    before = read(work.dump, load(work.dump))
    other = read(work.other, load(work.other)) if work.other else None
    results, seen = [], {load(work.dump)}
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        first = pass_capture(work.dump, load(work.dump), root / "good", 1)
        if first.status != "ok":
            return f"{first.status}: {first.told}"
        for kind in (BY_NAME[each] for each in work.kinds):
            for trial in work.trials:
                data = damage(work, kind, trial, before.text, other.text if other else None)
                if data is None or data in seen:
                    continue
                seen.add(data)
                shutil.copytree(root / "good", root / "next", symlinks=True)
                night = pass_capture(work.dump, data, root / "next", 2)
                shutil.rmtree(root / "next")
                results.append(weigh(work, Judged(kind, before, read(work.dump, data)), trial, night))
    return results


def pass_capture(dump: Dump, data: bytes, root: Path, day: int) -> Night:
    """Refresh with a new capture of a page, with a sidecar of its facts, and return what became of it."""
    stem = dump.page.rpartition("/")[2].removesuffix(dump.file.suffix)
    file = root / "raw" / dump.source / f"{stem}-{datetime(2026, 11, day, tzinfo=UTC):%Y%m%dT%H%MZ}{dump.file.suffix}"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    facts = {key: fact for key, fact in asdict(dump.facts).items() if isinstance(fact, str | int) and fact}
    facts.pop("specimen", None)
    sidecar = "".join(f"{key} = {json.dumps(fact, ensure_ascii=False)}\n" for key, fact in facts.items())
    file.with_name(file.name + SIDECAR_SUFFIX).write_text(sidecar, encoding="utf-8")
    return pass_night(Settings(root / "raw", root / "out"), dump.source)


def weigh(work: Work, case: Judged, trial: int, night: Night) -> Reform:
    """Count the records that a change of form alters or loses; a page that is refused has lost them all."""
    before, after = case.before, case.after
    altered = {id(change.before or change.after) for change in case.differences} if after.rows else before.rows
    light = LIGHT_OF.get(night.status, "red")
    lines = [*map(describe_change, case.differences[:SHOWN]), *([night.told] if night.told else [])]
    lines = list(night.steps) or [night.told] if light == "red" else lines
    counts = (len(altered), len(before.rows))
    return Reform(work.dump.source, work.dump.path, case.kind.name, trial, *counts, light, tuple(lines), night.signals)


def describe_change(change: Change) -> str:
    """Return a difference in one line."""
    if change.before is None or change.after is None:
        return f"{'new' if change.before is None else 'lost'} record: {shown(change.new or change.old)[:90]!r}"
    old, new = (shown(value) for value in (change.old, change.new))
    alike = zip_longest(old, new)
    start = max(0, next((place for place, (one, other) in enumerate(alike) if one != other), 0) - 20)
    name = shown(change.after["title"])[:40]
    return f"{name!r} {change.column}: {old[start : start + 80]!r} -> {new[start : start + 80]!r}"


def find_dumps(folder: Path) -> Iterator[Dump]:
    """Yield the dumps of known sources below a folder, with the year of the truth beside one if nothing else has it."""
    for file in sorted(folder.rglob("*")):
        if file.suffix in SUFFIXES and not file.name.endswith(".truth.json") and file.parent.name in sources():
            dump = describe(f"{file.parent.name}/{file.name}", file)
            year = dump.facts.year or find_year(file)
            yield replace(dump, facts=replace(dump.facts, year=year))


def page_of(file: Path) -> str:
    """Return the name of the page that a text was made of."""
    return re.sub(r"(?:__|\.)\w+$", "", file.stem)


def find_year(file: Path) -> int | None:
    """Return the year of the event in the truth of a page, or of the page that a text was made of."""
    for stem in (file.stem, page_of(file)):
        truth = file.with_name(f"{stem}.truth.json")
        if truth.is_file():
            year = (json.loads(truth.read_text(encoding="utf-8")).get("event") or {}).get("year")
            return int(year) if year else None
    return None


def make_work(dumps: Sequence[Dump], kinds: Iterable[str], trials: range, seed: int) -> list[Work]:
    """Return the work on each dump; the other page of a source is the next one in the same form."""
    work = []
    for dump in dumps:
        alike = [each for each in dumps if (each.source, each.file.suffix) == (dump.source, dump.file.suffix)]
        place = alike.index(dump)
        others = [each for each in alike[place:] + alike[:place] if page_of(each.file) != page_of(dump.file)]
        work.append(Work(dump, others[0] if others else None, tuple(kinds), trials, seed))
    return work


def make_table(results: Sequence[Fate], of: Callable[[Fate], str]) -> Iterator[str]:
    """Yield the rows of a table of classes, by what ``of`` returns."""
    for name in sorted({of(result) for result in results}):
        chosen = [result for result in results if of(result) == name]
        yield make_line(name, chosen)


def make_line(name: str, results: Sequence[Fate]) -> str:
    """Return the counts of some damages."""
    counts = Counter(result.verdict for result in results)
    signed = sum(bool(result.signs) for result in results)
    columns = "".join(f"{counts[each]:>9}" for each in CLASSES)
    return f"{name:<20}{len(results):>8}{columns}{signed:>13}"


HEAD: Final = f"{'':<20}{'damages':>8}{''.join(f'{each:>9}' for each in CLASSES)}{'with a sign':>13}"


def report(results: Sequence[Fate], listed: Sequence[str]) -> None:
    """Print the tables, the totals and each damage of the listed classes."""
    for result in results:
        if result.verdict in {"crashed", *listed}:
            place = f"--only {result.kind} --dump {result.path} --trial {result.trial}"
            say("\n    ".join((f"{result.verdict} [{', '.join(result.signs)}] {place}", *result.lines)))
    say(f"\nby kind\n{HEAD}")
    for line in make_table(results, lambda result: result.kind):
        say(line)
    say(f"\nby source\n{HEAD}")
    for line in make_table(results, lambda result: result.source):
        say(line)
    say(make_line("all", results))
    say("\nsigns: " + ", ".join(f"{name} {sum(name in result.signs for result in results)}" for name in SIGNS))
    thousandth = len(results) / 1000
    silent = [result for result in results if result.verdict == "silent"]
    figures = {"silent": len(silent), "with a sign": sum(bool(result.signs) for result in silent)}
    for name, most in TARGETS.items():
        say(f"{name}: {figures[name] / thousandth:.1f} of 1,000 damages (target: at most {most})")


def report_nights(results: Sequence[Reform], *, listed: bool) -> None:
    """Print what became of the changes of form: tables of lights by kind and source, and of source alone."""
    for each in sorted(results, key=lambda each: LIGHTS.index(each.light)) if listed else ():
        if each.counts and each.light != "amber":
            place = f"--only {each.kind} --dump {each.path} --trial {each.trial}"
            say("\n    ".join((f"{each.light} [{each.altered} of {each.records}] {place}", *each.lines)))
    counted = [each for each in results if each.counts]
    head = f"{'':<34}{'changes':>8}{'records':>9}{'altered':>9}{''.join(f'{light:>9}' for light in LIGHTS)}"
    tables: tuple[tuple[str, Sequence[Reform], Callable[[Reform], str]], ...] = (
        (
            "those that alter something, by kind and source",
            [each for each in results if each.altered],
            lambda each: f"{each.kind} {each.source}",
        ),
        ("those that alter a tenth of the records, by source", counted, lambda each: each.source),
        ("all of these", counted, lambda _: "all"),
    )
    for title, chosen, of in tables:
        say(f"\n{title}\n{head}")
        for name in sorted(set(map(of, chosen))):
            rows = [each for each in chosen if of(each) == name]
            lights = Counter(each.light for each in rows)
            sums = f"{sum(each.records for each in rows):>9}{sum(each.altered for each in rows):>9}"
            say(f"{name:<34}{len(rows):>8}{sums}{''.join(f'{lights[light]:>9}' for light in LIGHTS)}")
    say("")
    for line in table_of(each.signals for each in counted):
        say(line)
    green = sum(each.light == "green" for each in counted)
    say(f"green: {green} of {len(counted)} changes that alter a tenth of the records (target: none)")


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.damage", allow_abbrev=False)
    parser.add_argument("--pages", type=Path, nargs="+", default=[], metavar="FOLDER", help="folders of more dumps")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trials", type=int, metavar="N", help=f"of each kind and dump; by default {WANTED} in all")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes")
    parser.add_argument("--most-bytes", type=int, default=400_000, metavar="N", help="of a dump")
    parser.add_argument("--only", choices=list(BY_NAME), nargs="+", metavar="KIND")
    parser.add_argument("--dump", metavar="PATH", help="only the dump <source>/<file>")
    parser.add_argument("--trial", type=int, metavar="N", help="only this one, counted from 0")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the dump of one --only, --dump and --trial")
    parser.add_argument("--nights", action="store_true", help="pass nights with changes of form")
    parser.add_argument("--list", nargs="*", choices=CLASSES, help="print each silent damage, or those of classes")
    return parser


def main() -> None:
    """Damage the dumps and print what became of them, or write one damaged dump."""
    parser = make_parser()
    given = parser.parse_args()
    for folder in given.pages:
        if not folder.is_dir():
            parser.error(f"{folder}: expected a folder, found none")
    if (
        min(each for each in (given.trials, given.jobs, given.most_bytes) if each is not None) < 1
        or (given.trial or 0) < 0
    ):
        parser.error("expected positive numbers")
    dumps = [dump for folder in (ROOT / "raw", *given.pages) for dump in find_dumps(folder)]
    kinds = tuple(given.only or (kind.name for kind in (FORMS if given.nights else KINDS)))
    trials = range(given.trials or (TRIALS if given.nights else max(1, round(WANTED / (len(KINDS) * len(dumps))))))
    trials = trials if given.trial is None else range(given.trial, given.trial + 1)
    work = [each for each in make_work(dumps, kinds, trials, given.seed) if given.dump in {None, each.dump.path}]
    if not work:
        parser.error(f"{given.dump}: expected a dump as <source>/<file> of raw/ or the folders of --pages")
    if given.nights and given.write is None:
        results = spread(work, reform, given.jobs, given.most_bytes)
        report_nights(results, listed=given.list is not None)
    elif given.write is None:
        run(work, given.jobs, given.most_bytes, ["silent"] if given.list == [] else given.list or [])
    elif len(work) != 1 or len(kinds) != 1 or given.trial is None:
        parser.error("--write: expected --only with one kind, --dump and --trial")
    elif not write(work[0], given.write):
        parser.error(f"{kinds[0]} does not apply to {given.dump}")


def run(work: Sequence[Work], jobs: int, most_bytes: int, listed: Sequence[str]) -> None:
    """Do all damages and print what became of them."""
    results = spread(work, do, jobs, most_bytes)
    if results:
        report(results, listed)


def spread(work: Sequence[Work], do: Callable[[Work], list[T] | str], jobs: int, most_bytes: int) -> list[T]:
    """Do the work on each dump in processes, and return what they return; dumps that are too large are named."""
    results: list[T] = []
    for each in (each for each in work if each.dump.file.stat().st_size > most_bytes):
        say(f"skipped: {each.dump.path} is larger than {most_bytes} bytes")
    work = [each for each in work if each.dump.file.stat().st_size <= most_bytes]
    with Pool(jobs) as pool:
        for each, done in zip(work, pool.imap(do, work), strict=True):
            if isinstance(done, str):
                say(f"skipped: {each.dump.path} is not read undamaged: {done[:SHOWN_OF_ERROR]}")
            else:
                results += done
    return results


def write(work: Work, file: Path) -> bool:
    """Write one damaged dump; False if its kind does not apply."""
    kind = BY_NAME[work.kinds[0]]
    texts = [read(dump, load(dump)).text if dump else None for dump in (work.dump, work.other)]
    data = damage(work, kind, work.trials.start, texts[0] or "", texts[1])
    if data is not None:
        file.write_bytes(data)
    return data is not None


if __name__ == "__main__":
    main()
