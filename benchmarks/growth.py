"""Time that grows faster than the input: ``conspectus parse`` of texts of every layout and of none, at two sizes.

``python -m benchmarks.growth [--only WORD ...] [--size BYTES]`` prints a row for each text: the CPU seconds of a text
of ``--size`` bytes, of one four times as long, and their ratio. ``!`` marks what is over a limit: a ratio of 5, or 4 s
for 400 kB. These rows are printed again at the end, and the exit code is then 1.

``bulk``      a layout of ``tests/sources/<source>/bulk.py``, its items all different
``repeated``  a specimen or fixture of each format, whose longest list is repeated
``shuffled``  its lines in any order, mostly refused
``line``      one of its lines again and again
``behind``    a text of none behind it, which its parser has to read
``none``      words, names, dates, headings and the like, as text, page and data of no source

The second column names the source that is asked for, with ``--lines``: a text that it refuses is then tried on all of
its formats, as red runs recommend. ``-`` asks for none, so that each source is asked whether it knows the text, and how
near it is. Each run is a process of its own, which remembers nothing of the one before; where the ratio is steep, the
fastest of three counts.
"""

import argparse
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final

from lxml import etree

from benchmarks.bulk import ROOT, SIDECAR, layouts, make_dump
from benchmarks.said import say
from parsers._ledger.document import TABLES, Document, DumpError
from parsers._ledger.markup import make_parser
from parsers._registry import sources
from pipeline.__main__ import main as conspectus
from pipeline.cli import dumps  # noqa: F401  # once, before the processes begin
from pipeline.raw.sidecar import SIDECAR_SUFFIX
from tests.support.bulk import Bulk, Words
from tests.support.of_sources import SUFFIXES, facts_of, part

SIZE: Final = 100_000
TIMES: Final = 4
STEEPEST: Final = 5.0
LONGEST: Final = 4.0 / 400_000
"""Seconds for a byte: 4 s for 400 kB."""

FELT: Final = 0.2
"""Seconds of a run whose growth can be told from noise."""

MOST: Final = 30
"""Seconds after which a run is stopped."""

HEAD: Final = f"{'text':<52} {'read by':<14} {'s':>7} {f's x{TIMES}':>7} {'ratio':>6}"


@dataclass(frozen=True, slots=True)
class Growing:
    """A text of any size: how it grows, its suffix, who reads it, and the file whose sidecar and tables go with it.

    So do the companions of that file; ``beside`` has others, by name.
    """

    name: str
    grow: Callable[[int], str]
    suffix: str = ".txt"
    model: Path | None = None
    source: str | None = None
    beside: Mapping[str, str] = field(default_factory=dict)

    def measure(self, folder: Path, size: int) -> float:
        """Return the CPU seconds of a text of a size; infinity if they are too many."""
        file = folder / f"dump{self.suffix}"
        beside = file.with_name(file.name + SIDECAR_SUFFIX)
        file.write_text(self.grow(size), encoding="utf-8")
        beside.write_text(SIDECAR)
        for name, text in self.beside.items():
            (folder / name).write_text(text, encoding="utf-8")
        if self.model:
            for path, _ in facts_of(self.model).companions:
                shutil.copy(self.model.with_name(path.rpartition("/")[2]), folder)
            for own, place in ((self.model.name + SIDECAR_SUFFIX, beside.name), (TABLES, TABLES)):
                if (found := self.model.with_name(own)).exists():
                    shutil.copy(found, folder / place)
        arguments = ["parse", str(file), "--raw", str(folder.parent)]
        arguments += ["--source", self.source, "--lines"] if self.source else []
        return spend(arguments)


def spend(arguments: list[str]) -> float:
    """Run a command in a process of its own; return its CPU seconds, infinity if it was stopped."""
    come, go = os.pipe()
    if (child := os.fork()) == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (MOST, MOST))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        start = process_time()
        conspectus(arguments)
        os.write(go, str(process_time() - start).encode())
        os._exit(0)
    os.close(go)
    with os.fdopen(come) as told:
        seconds = told.read()
    _, status = os.waitpid(child, 0)
    if not seconds and os.waitstatus_to_exitcode(status) not in {-signal.SIGXCPU, -signal.SIGKILL}:
        raise SystemExit(f"conspectus {' '.join(arguments)}: expected an exit code, found a failure")
    return float(seconds or "inf")


def cases() -> Iterator[Growing]:
    """Yield all texts."""
    for source, layout in layouts():
        bulk: Bulk = part(source, "bulk").BULK[layout]
        longer = partial(grow_bulk, source, layout)
        yield Growing(f"{source} {layout} bulk", longer, bulk.suffix, None, source, bulk.beside)
    for name, file in models():
        source = name.split()[0]
        text = file.read_text(encoding="utf-8")
        yield Growing(f"{name} repeated", partial(repeat, text, file.suffix), file.suffix, file, source)
        for what in BEHIND if file.suffix in {".txt", ".html"} else ():
            yield Growing(
                f"{name} {what} behind", partial(add_behind, text, file.suffix, what), file.suffix, file, source
            )
        lines = sorted((line for line in text.split("\n") if line.strip()), key=len)
        broken = {"shuffled": lines, "line, the longest": lines[-1:], "line, the shortest": lines[:1]}
        broken["line of middle length"] = [lines[len(lines) // 2]]
        for how, chosen in broken.items():
            for reader in (None, source):
                yield Growing(f"{name} {how}", partial(shuffle, chosen), file.suffix, file, reader)
    for name, (suffix, grow) in NONE.items():
        yield from (Growing(f"none, {name}", grow, suffix, None, reader) for reader in (None, *sources()))


def models() -> Iterator[tuple[str, Path]]:
    """Yield a file for each format of each source: the longest specimen, else fixture, that it recognises."""
    for source in sources().values():
        folders = (ROOT / "raw" / source.name, ROOT / "tests" / "sources" / source.name / "fixtures")
        found: dict[str, Path] = {}
        for folder in folders:
            files = [each for each in folder.rglob("*") if each.suffix in SUFFIXES and "golden" not in each.name]
            for file in sorted(files, key=lambda each: (-each.stat().st_size, each.name)):
                try:
                    document = Document.from_bytes(f"x/{file.name}", file.read_bytes(), facts_of(file))
                    found.setdefault(source.recognise(document).name, file)
                except DumpError:
                    continue
        yield from ((f"{source.name} {name}", file) for name, file in found.items())


def grow_bulk(source: str, layout: str, size: int) -> str:
    """Return a generated dump of a layout."""
    return make_dump(source, layout, size)[1]


def repeat(text: str, suffix: str, size: int) -> str:
    """Repeat what a document has most of: the elements of an element, the members of a list, the events, the lines."""
    times = size // len(text) + 1
    if suffix == ".json":
        data = json.loads(text)
        longest = max(_lists(data), key=lambda each: len(json.dumps(each)), default=[])
        longest *= times
        return json.dumps(data)
    if suffix in {".html", ".xml"}:
        root = etree.fromstring(text.encode(), make_parser() if suffix == ".html" else etree.XMLParser(recover=True))
        most = max(root.iter("*"), key=len)
        copies = [etree.tostring(each, encoding="unicode") for each in most]
        most.append(etree.Comment("more"))
        whole = etree.tostring(root, encoding="unicode", method="xml" if suffix == ".xml" else "html")
        return whole.replace("<!--more-->", "".join(copies) * (times - 1), 1)
    head, begin, rest = text.partition("BEGIN:VEVENT")
    events, end, foot = rest.rpartition("END:VCALENDAR")
    return head + (begin + events) * times + end + foot if events else f"{text}\n" * times


def _lists(value: object) -> Iterator[list[Any]]:
    """Yield the lists of some data, outer ones first."""
    if isinstance(value, list):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _lists(each)


def add_behind(text: str, suffix: str, what: str, size: int) -> str:
    """Return a document with lines of no source at its end: on a page, as paragraphs in its last element."""
    more = NONE[what][1](size)
    if suffix == ".txt":
        return f"{text}\n{more}"
    before, mark, end = text.rpartition("</body>" if "</body>" in text else "</")
    return before + "".join(f"<p>{line}</p>\n" for line in more.split("\n")) + mark + end


def shuffle(lines: list[str], size: int) -> str:
    """Return lines in any order, again and again."""
    random = Random(7)  # noqa: S311  # not for secrets
    return fill(lambda: random.choice(lines), size)


def fill(make: Callable[[], str], size: int, end: str = "\n") -> str:
    """Make parts until there are enough of them."""
    parts, length = [], 0
    while length < size:
        parts.append(make() + end)
        length += len(parts[-1])
    return "".join(parts)


def _each(make: Callable[[Words], str], head: str = "", end: str = "\n", foot: str = "") -> Callable[[int], str]:
    """Return how a text grows whose parts are made of invented words."""
    return lambda size: head + fill(partial(make, Words()), size, end) + foot


def _day(words: Words) -> str:
    """Return a day in words."""
    return f"{words.pick('Monday', 'Tuesday', 'Friday')}, June {next(words.number) % 30 + 1}, 2031"


def _hours(words: Words) -> str:
    """Return a range of hours."""
    return f"{next(words.number) % 12 + 8:02}:30-{next(words.number) % 12 + 9:02}:00"


NONE: Final[dict[str, tuple[str, Callable[[int], str]]]] = {
    "one long line": (".txt", _each(Words.word, end=" ")),
    "one long word": (".txt", lambda size: "a" * size),
    "one long list of names": (".txt", _each(Words.name, end=", ")),
    "short lines": (".txt", _each(Words.word)),
    "words": (".txt", _each(Words.title)),
    "prose": (".txt", _each(Words.paragraph)),
    "wrapped prose": (".txt", _each(lambda words: words.paragraph(0).lower()[:70])),
    "a name a line": (".txt", _each(Words.name)),
    "names": (".txt", _each(lambda words: ", ".join(words.names()))),
    "names and places": (".txt", _each(lambda words: f"{words.name()} ({words.place()})")),
    "days": (".txt", _each(_day)),
    "dates": (".txt", _each(lambda words: words.moment(next(words.number))[:10])),
    "hours": (".txt", _each(_hours)),
    "days and hours": (".txt", _each(lambda words: f"{_day(words)}\n{_hours(words)}")),
    "hours and titles": (".txt", _each(lambda words: f"{_hours(words)} {words.title()}")),
    "weekdays with hours": (".txt", _each(lambda words: f"Tuesday {_hours(words)}\n{words.title()}")),
    "one heading": (".txt", lambda size: fill(lambda: "Session 1: Stores", size)),
    "headings": (".txt", _each(lambda words: f"## Session {words.title()}")),
    "numbers": (".txt", _each(lambda words: f"{next(words.number):,}")),
    "addresses": (".txt", _each(lambda words: f"https://{words.word()}.example/{next(words.number)}")),
    "blank lines": (".txt", lambda size: "x" + "\n" * size + "y"),
    "brackets": (".txt", lambda size: "[(" * (size // 2)),
    "links": (".txt", _each(lambda words: f"* [{words.title()}](https://a.example/{next(words.number)})")),
    "a table": (".txt", _each(lambda words: f"| {_hours(words)} | {words.title()} | {words.name()} |")),
    "values": (".csv.txt", _each(lambda words: f"{next(words.number)},{words.name()},{words.title()}")),
    "paragraphs": (".html", _each(lambda words: f"<p>{words.title()}</p>", "<html><body>", foot="</body></html>")),
    "divisions": (
        ".html",
        _each(lambda words: f"<div class={words.word()}><b>{_hours(words)}</b> {words.title()}</div>"),
    ),
    "rows": (".html", _each(lambda words: f"<tr><td>{_hours(words)}<td>{words.name()}", "<table>", foot="</table>")),
    "unclosed elements": (".html", lambda size: "<p><b>" * (size // 6)),
    "angles": (".html", lambda size: "<html>" + "<" * size),
    "one script": (".html", _each(Words.word, "<html><script>", foot="</script></html>")),
    "items": (
        ".xml",
        _each(lambda words: f"<item><title>{words.title()}</title></item>", "<rss><channel>", foot="</channel></rss>"),
    ),
    "objects": (".json", lambda size: json.dumps([{"id": n, "title": f"a {n}"} for n in range(size // 28)])),
    "lists": (".json", lambda size: "[" * (size // 2) + "]" * (size // 2)),
    "broken objects": (".json", _each(lambda words: f'{{"title": "{words.title()}"', "[", end=",")),
}
"""Texts of no source, with their suffixes."""

BEHIND: Final = ("short lines", "words", "names", "days and hours", "hours and titles", "one heading", "links")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", allow_abbrev=False)
    parser.add_argument("--only", nargs="+", default=(), metavar="WORD", help="only texts that have all these words")
    parser.add_argument("--size", type=int, default=SIZE, metavar="BYTES", help="of the smaller text")
    given = parser.parse_args()
    for source in sources():
        sources()[source]  # imported once, before the processes begin
    say(HEAD)
    over = []
    chosen = [case for case in cases() if all(word in f"{case.name} {case.source or '-'}" for word in given.only)]
    with tempfile.TemporaryDirectory() as root:
        os.chdir(root)  # without a sources.toml, which takes longer to load than most of these texts
        for case in chosen:
            small, large = (measure_in(Path(root), case, given.size * times) for times in (1, TIMES))
            if FELT < large < MOST and large > STEEPEST * small:  # again: what the machine does besides adds to either
                small, large = (
                    min(found, *(measure_in(Path(root), case, given.size * times) for _ in range(2)))
                    for found, times in ((small, 1), (large, TIMES))
                )
            is_over = (large > STEEPEST * small and large > FELT) or large > LONGEST * given.size * TIMES
            row = f"{case.name:<52} {case.source or '-':<14} {small:>7.2f} {large:>7.2f} {large / small:>6.1f}"
            over += [row] * is_over
            say(row + " !" * is_over)
    say(f"\n{len(over)} over the limits\n" + "\n".join(over))
    return 1 if over else 0


def measure_in(root: Path, case: Growing, size: int) -> float:
    """Measure a text in a folder of its own."""
    with tempfile.TemporaryDirectory(dir=root) as folder:
        return case.measure(Path(folder), size)


if __name__ == "__main__":
    sys.exit(main())
