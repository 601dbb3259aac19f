"""Invented nights for ``benchmarks.night_costs``: what fetching a listing and a list of cards leaves behind, for years.

Each night brings 60 new arXiv entries in two captures of the page of that day, and 40 cards of Hugging Face in three,
each capture with what was added since the one before: five captures with their sidecars and two logs, as fetching
writes them. Some nights also show 20 papers again, with another comment, as replaced ones: half of them were new within
the last three months, half at any time before.

A night depends on the seed and its number alone: it can be written without those before it. Nothing but the standard
library is imported, since the peak memory of a process is at least that of its parent.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

FIRST: Final = date(2019, 1, 1)
"""The day of night 0."""

ENTRIES: Final = 60
CARDS: Final = 40
REPLACED: Final = 20
RECORDS: Final = ENTRIES + CARDS
"""Records that a night adds."""

CAPTURES: Final = 5
CATEGORY: Final = "cs.DC"

_RECENT: Final = 90
_SYLLABLES: Final = "ba do fen gil hor ka lum mi nor pel qua ros sel tur vik wen yar zim".split()
_SMALL: Final = "a and are by data for from in is of on our systems that the this time to we with".split()


@dataclass(frozen=True, slots=True)
class Paper:
    """An invented paper: its number as arXiv prints it, and its texts."""

    number: str
    title: str
    authors: tuple[str, ...]
    abstract: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page showed at a moment: its address, the suffix and type of the file, the text, facts for the sidecar."""

    moment: datetime
    url: str
    suffix: str
    kind: str
    text: str
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Nights:
    """The nights of a seed; ``replaced`` papers are shown again in each."""

    seed: int = 1
    replaced: int = 0
    rare: Sequence[str] = field(init=False, repr=False)
    words: Sequence[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Make the words of all texts: half of each text are small words, as in every language."""
        random = Random(self.seed)  # noqa: S311  # seeded, no secret
        rare = ["".join(random.choices(_SYLLABLES, k=2 + number % 2)) for number in range(4000)]
        object.__setattr__(self, "rare", rare)
        object.__setattr__(self, "words", rare + _SMALL * (len(rare) // len(_SMALL)))

    def write(self, raw: Path, number: int) -> None:
        """Write the captures of a night below a raw root, with their sidecars and logs."""
        for source, key, captures in (self._listing(number), self._cards(number)):
            folder = raw / source / key
            folder.mkdir(parents=True)
            lines = [_keep(folder, shown) for shown in captures]
            (folder / "captures.ndjson").write_text("".join(lines), encoding="utf-8")

    def new_entries(self, number: int) -> list[str]:
        """Return the numbers of the papers that a night announces first."""
        return _numbers(number, 0, ENTRIES)

    def shown_again(self, number: int) -> list[str]:
        """Return the numbers of the papers that a night shows as replaced: half are new, half of any age."""
        random = Random(f"{self.seed} {number} replaced")  # noqa: S311  # seeded, no secret
        most = min(self.replaced, ENTRIES * number)
        chosen: dict[str, None] = {}
        while len(chosen) < most:
            first = max(0, number - _RECENT) if len(chosen) < self.replaced // 2 else 0
            chosen[random.choice(self.new_entries(random.randrange(first, number)))] = None
        return list(chosen)

    def _listing(self, number: int) -> tuple[str, str, Iterator[Shown]]:
        """Return source, key and captures of the page of a day."""
        day = _day_of(number)
        url = f"https://arxiv.org/catchup/{CATEGORY}/{day}?abs=True"
        new, again = self.new_entries(number), self.shown_again(number)
        parts = ((new[place::2], again[place::2]) for place in range(2))
        captures = (
            Shown(_moment(day, place), url, ".html", "text/html", self._page(day, *part), {"category": CATEGORY})
            for place, part in enumerate(parts)
        )
        return "arxiv", f"{CATEGORY}/catchup-{day}", captures

    def _cards(self, number: int) -> tuple[str, str, Iterator[Shown]]:
        """Return source, key and captures of the list of a day."""
        day = _day_of(number)
        url = f"https://huggingface.co/api/daily_papers?date={day}&limit=100"
        cards = _numbers(number, 50_000, CARDS)
        captures = (
            Shown(_moment(day, 2 + place), url, ".json", "application/json", self._answer(day, cards[place::3]))
            for place in range(3)
        )
        return "hf_daily", f"daily/{day}", captures

    def _page(self, day: date, new: Sequence[str], again: Sequence[str]) -> str:
        """Return a page of new and replaced entries."""
        top = f"{day:%a, %d %b %Y}"
        texts = (self._entry(place, paper, "8 pages") for place, paper in enumerate(map(self.paper, new), 1))
        parts = [f"<h3>New submissions (showing {len(new)} of {len(new)} entries)</h3>\n", *texts]
        if again:
            papers = enumerate(map(self.paper, again), 1 + len(new))
            parts.append(f"<h3>Replacement submissions (showing {len(again)} of {len(again)} entries)</h3>\n")
            parts += [self._entry(place, paper, f"9 pages, revised on {day}") for place, paper in papers]
        return (
            "<!DOCTYPE html>\n<html lang='en'><head><title>Distributed, Parallel, and Cluster Computing</title></head>"
            f"<body><div id='dlpage'>\n<h1>Catchup results for Computing on {top}</h1>\n"
            f"<p>Total of {len(new) + len(again)} entries for {top}</p>\n<dl id='articles'>"
            f"{''.join(parts)}</dl></div></body></html>\n"
        )

    def _entry(self, place: int, paper: Paper, comment: str) -> str:
        """Return dt and dd of an entry."""
        own = paper.number
        names = ",\n".join(
            f'<a href="https://arxiv.org/search/?query={name.split()[1]}">{name}</a>' for name in paper.authors
        )
        return (
            f'<dt><a name=\'item{place}\'>[{place}]</a> <a href ="/abs/{own}" title="Abstract" id="{own}">\n'
            f'arXiv:{own}\n</a> [<a href="/pdf/{own}" title="Download PDF" id="pdf-{own}">pdf</a>, '
            f'<a href="/format/{own}" title="Other formats" id="oth-{own}">other</a>]</dt>\n'
            "<dd><div class='meta'><div class='list-title mathjax'><span class='descriptor'>Title:</span>\n"
            f"{paper.title}\n</div><div class='list-authors'>{names}</div>\n"
            f"<div class='list-comments mathjax'><span class='descriptor'>Comments:</span> {comment}</div>\n"
            "<div class='list-subjects'><span class='descriptor'>Subjects:</span> <span class=\"primary-subject\">"
            "Distributed, Parallel, and Cluster Computing (cs.DC)</span>; Machine Learning (cs.LG)</div>\n"
            f"<p class='mathjax'>\n{paper.abstract}\n</p></div></dd>\n"
        )

    def _answer(self, day: date, numbers: Sequence[str]) -> str:
        """Return an answer with cards."""
        return json.dumps([_card(day, self.paper(number)) for number in numbers], separators=(",", ":"))

    def paper(self, number: str) -> Paper:
        """Return the paper of a number."""
        random = Random(f"{self.seed} {number}")  # noqa: S311  # seeded, no secret
        pick = random.choices
        names = [" ".join(pick(self.rare, k=2)).title() for _ in range(random.randint(2, 8))]
        title = " ".join(pick(self.rare, k=random.randint(4, 9))).title()
        sentences = (" ".join(pick(self.words, k=20)).capitalize() for _ in range(11))
        return Paper(number, f"{title} {number[2:4]}{number[5:]}", tuple(names), ". ".join(sentences) + ".")


def write_nights(nights: Nights, raw: Path, wanted: range) -> None:
    """Write some nights below a raw root."""
    for number in wanted:
        nights.write(raw, number)


def _day_of(number: int) -> date:
    """Return the day of a night."""
    return FIRST + timedelta(days=number)


def _moment(day: date, place: int) -> datetime:
    """Return when a capture of a day was taken."""
    return datetime(day.year, day.month, day.day, 18 + place, tzinfo=UTC)


def _numbers(number: int, above: int, count: int) -> list[str]:
    """Return the numbers of ``count`` papers of a night, which no other night has."""
    day = _day_of(number)
    first = above + (day.day - 1) * count
    return [f"{day:%y%m}.{first + place:05}" for place in range(1, count + 1)]


def _card(day: date, paper: Paper) -> dict[str, Any]:
    """Return a card."""
    people = [{"_id": f"{place:024}", "name": name, "hidden": False} for place, name in enumerate(paper.authors)]
    return {
        "paper": {
            "id": paper.number,
            "authors": people,
            "publishedAt": f"{day - timedelta(days=2)}T17:15:04.000Z",
            "submittedOnDailyAt": f"{day}T03:55:12.777Z",
            "title": paper.title,
            "summary": paper.abstract,
            "upvotes": int(paper.number[-2:]),
        },
        "publishedAt": f"{day - timedelta(days=2)}T12:15:04.000Z",
        "title": paper.title,
        "summary": paper.abstract,
        "numComments": 2,
    }


def _keep(folder: Path, shown: Shown) -> str:
    """Write a capture and its sidecar; return its line of the log."""
    data = shown.text.encode()
    digest = sha256(data).hexdigest()
    name = f"{shown.moment:%Y%m%dT%H%M%SZ}{shown.suffix}"
    told = {"status": 200, "etag": f'"{digest[:16]}"', "last_modified": None}
    first = {"url": shown.url, "captured_at": shown.moment, **told}
    sidecar = {**first, "content_type": shown.kind, "sha256": digest, **shown.facts}
    lines = (f"{key} = {_as_toml(value)}\n" for key, value in sidecar.items() if value is not None)
    (folder / name).write_bytes(data)
    (folder / f"{name}.meta.toml").write_text("".join(lines), encoding="utf-8")
    asked = {"at": _stamp(shown.moment), "url": shown.url, "outcome": "new", **told}
    return json.dumps({**asked, "sha256": digest, "file": name, "seconds": 0.2, "error": None}) + "\n"


def _as_toml(value: object) -> str:
    """Return a value as TOML."""
    return _stamp(value) if isinstance(value, datetime) else json.dumps(value)


def _stamp(moment: datetime) -> str:
    """Return a moment as sidecars and logs have it."""
    return moment.isoformat().replace("+00:00", "Z")
