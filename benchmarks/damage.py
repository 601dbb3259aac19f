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
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from multiprocessing import Pool
from pathlib import Path, PurePosixPath
from random import Random
from typing import Final, NamedTuple

from benchmarks.bulk import ROOT
from benchmarks.damages import KINDS, Kind, Sheet, write_json
from benchmarks.verdicts import SIGNS, Change, Judged, form_of, read, shown
from parsers._registry import sources
from pipeline.raw.inventory import SUFFIXES, Dump, describe

CLASSES: Final = ("same", "faithful", "told", "noted", "silent", "crashed")
WANTED: Final = 5000
"""Damages of a run, about, unless ``--trials`` says otherwise."""

TARGETS: Final = {"silent": 50, "with a sign": 8}
"""At most, of 1,000 damages."""

SHOWN: Final = 3
"""Differences of a listed damage."""

SHOWN_OF_ERROR: Final = 100


class Fate(NamedTuple):
    """What became of one damage; ``lines`` say it to people."""

    source: str
    path: str
    kind: str
    trial: int
    verdict: str
    signs: tuple[str, ...]
    lines: tuple[str, ...]


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
    for kind in (each for each in KINDS if each.name in work.kinds):
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
            dump = describe(PurePosixPath(file.parent.name, file.name), file)
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


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.damage", allow_abbrev=False)
    parser.add_argument("--pages", type=Path, nargs="+", default=[], metavar="FOLDER", help="folders of more dumps")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trials", type=int, metavar="N", help=f"of each kind and dump; by default {WANTED} in all")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes")
    parser.add_argument("--most-bytes", type=int, default=400_000, metavar="N", help="of a dump")
    parser.add_argument("--only", choices=[kind.name for kind in KINDS], nargs="+", metavar="KIND")
    parser.add_argument("--dump", metavar="PATH", help="only the dump <source>/<file>")
    parser.add_argument("--trial", type=int, metavar="N", help="only this one, counted from 0")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the dump of one --only, --dump and --trial")
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
    kinds = tuple(given.only or (kind.name for kind in KINDS))
    trials = range(given.trials or max(1, round(WANTED / (len(KINDS) * len(dumps)))))
    trials = trials if given.trial is None else range(given.trial, given.trial + 1)
    work = [each for each in make_work(dumps, kinds, trials, given.seed) if given.dump in {None, each.dump.path}]
    if not work:
        parser.error(f"{given.dump}: expected a dump as <source>/<file> of raw/ or the folders of --pages")
    if given.write is None:
        run(work, given.jobs, given.most_bytes, ["silent"] if given.list == [] else given.list or [])
    elif len(work) != 1 or len(kinds) != 1 or given.trial is None:
        parser.error("--write: expected --only with one kind, --dump and --trial")
    elif not write(work[0], given.write):
        parser.error(f"{kinds[0]} does not apply to {given.dump}")


def run(work: Sequence[Work], jobs: int, most_bytes: int, listed: Sequence[str]) -> None:
    """Do all damages and print what became of them."""
    results: list[Fate] = []
    for each in (each for each in work if each.dump.file.stat().st_size > most_bytes):
        say(f"skipped: {each.dump.path} is larger than {most_bytes} bytes")
    work = [each for each in work if each.dump.file.stat().st_size <= most_bytes]
    with Pool(jobs) as pool:
        for each, done in zip(work, pool.imap(do, work), strict=True):
            if isinstance(done, str):
                say(f"skipped: {each.dump.path} is not read undamaged: {done[:SHOWN_OF_ERROR]}")
            else:
                results += done
    if results:
        report(results, listed)


def write(work: Work, file: Path) -> bool:
    """Write one damaged dump; False if its kind does not apply."""
    kind = next(each for each in KINDS if each.name in work.kinds)
    texts = [read(dump, load(dump)).text if dump else None for dump in (work.dump, work.other)]
    data = damage(work, kind, work.trials.start, texts[0] or "", texts[1])
    if data is not None:
        file.write_bytes(data)
    return data is not None


if __name__ == "__main__":
    main()
