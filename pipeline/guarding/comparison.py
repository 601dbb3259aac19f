"""Compares the records of a page with those that it showed before: what was lost, spoilt or shifted, what moved.

The same records are compared, column by column: shares over all rows would take growth for damage, and would not see
that every record has lost the same field. Which records are the same belongs to ``pipeline.guarding.pairing``.

Pure functions of frames of records, as ``pipeline.reading.frames`` makes them. Which frames are compared, and what
follows from it, belongs to other modules.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import reduce
from html import unescape
from itertools import starmap
from typing import Any, Final

import polars as pl

from pipeline.guarding.listings import COMPARED, find_emptied, find_other_form
from pipeline.guarding.pairing import OLD, PARTS, Pair, Pairs, pair_records

LEAST: Final = 5
"""Known records that must differ alike for an alarm: in 312 real versions of pages never more than 3 lost a field."""

_SHARE: Final = 0.2  # of the known records that had the value
_ALL: Final = 4  # if all of them lose it, fewer are enough
FEW: Final = 3
"""The fewest records that a person is told of."""
AMBER: Final = 0.1
"""Share of the known records that must have changed for a person to look: 8 of 206 real versions."""
_HALF: Final = 0.5
_ALMOST_ALL: Final = 0.8
_MOST_EDITED: Final = 0.25
"""Share of the known records that have another value in a column: below it programmes and lists are edited."""
_ALIKE: Final = 20
"""Known records that share a fate, of a page of which an import may have failed: the same shift, or all of a room."""
_MOST_SHIFTED: Final = 500  # values that are looked for inside texts
_SHOWN: Final = 3
_CUT: Final = 60

_COMPARED: Final = (*COMPARED, *PARTS)
_REWRITTEN: Final = tuple(name for name in COMPARED if name != "native_id")
"""A native id that changes while the record stays is one that its source does not go by: some are new every night."""
_INFERRED: Final = {
    "starts_at": frozenset({"time_is_session"}),
    "ends_at": frozenset({"time_is_session", "end_inferred"}),
}
"""Notes which say that a value was not printed with the item."""

_PEOPLE: Final = ("authors", "chairs", "presenter")
_MAY_BE_SPOILT: Final = ("title", "room", *_PEOPLE)
_MAY_SHIFT: Final = (*_PEOPLE, "comments", "room")
_PROSE: Final = ("title", "abstract", "session_title", "session_description", *_PEOPLE)
_TEXTS: Final = (*_PROSE, "summary", "description", "comments")
_INTO: Final = ("title", "session_title", "room", "abstract")
_ADDRESSES: Final = ("url", "links")
_MARKS: Final = re.compile(r"[\W_]+")
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_NOT_LATIN: Final = re.compile(r"[^A-Za-z0-9]")
_AROUND: Final = 20


@dataclass(frozen=True, slots=True)
class Comparison:
    """How records differ from those before.

    ``known`` counts the pairs, ``moved`` those with another start, ``rekeyed`` those with another id, ``displaced``
    those with either, and ``harmed`` also those that have lost a value; ``new`` and ``gone`` count the records without
    a partner. ``retitled`` has the ids, old and new, of pairs with other titles, ``poorer`` the new ids of those that
    have lost a value.

    ``garbled`` counts the pairs with text that was decoded wrongly; ``is_over`` is True if the last day of the records
    before was over when the capture was taken. ``found`` has a message for each signal that the records themselves
    tell, by its name.
    """

    known: int = 0
    new: int = 0
    gone: int = 0
    moved: int = 0
    rekeyed: int = 0
    displaced: int = 0
    harmed: int = 0
    retitled: tuple[tuple[str, str], ...] = ()
    poorer: frozenset[str] = frozenset()
    garbled: int = 0
    is_over: bool = False
    found: Mapping[str, str] = field(default_factory=dict)

    @property
    def stays(self) -> bool:
        """True if most records that were known are there with the titles and texts that they had."""
        return self.known - len(self.retitled) > self.gone + len(self.retitled) and "rewritten" not in self.found


def compare(before: pl.DataFrame, now: pl.DataFrame, others: int = 0) -> Comparison:
    """Compare records with those of an earlier state; ``others`` are known records that are certainly the same."""
    both = pair_records(before, now, others)
    if not both.differing and not both.gone and not both.new:
        return Comparison(known=both.known)
    pairs = both.differing
    moves = _find_moves(both)
    moved = {pair["record_id"] for pair in moves}
    rekeyed, poorer = ({pair["record_id"] for pair in pairs if test(pair)} for test in (_has_other_id, _has_lost))
    return Comparison(
        known=both.known,
        new=len(both.new),
        gone=len(both.gone),
        moved=len(moved),
        rekeyed=len(rekeyed),
        displaced=len(moved | rekeyed),
        harmed=len(moved | rekeyed | poorer),
        retitled=tuple(
            (pair["record_id" + OLD], pair["record_id"])
            for pair in pairs
            if _has_other_id(pair) and pair["title"] != pair["title" + OLD]
        ),
        poorer=frozenset(poorer),
        garbled=sum(any(starmap(_is_garbled, _changed_texts(pair))) for pair in pairs),
        found={name: detail for name, detail in _find_signs(both, moves) if detail is not None},
    )


def _find_signs(both: Pairs, moves: Sequence[Pair]) -> Iterator[tuple[str, str | None]]:
    """Yield the name of each signal that the records themselves tell, with its message or None."""
    pairs = both.differing
    yield "lost", (lost := _find_lost(both, _is_much))
    yield "spoilt", _find_spoilt(both)
    yield "shifted", _find_shifted(both) if len(pairs) >= LEAST else None
    yield "astray", _find_lost_day(both) or _find_same_move(moves) or _find_lost_room(both)
    yield "thinned", _find_lost(both, is_some) if lost is None else None
    yield "rewritten", _find_rewritten(pairs, both.known)
    yield "remarked", _tell(pairs, both.known, _is_remarked, "have the same words with other marks")
    yield "shortened", _tell(pairs, both.known, _is_shortened, "have only a part of a text")
    yield "letters", _find_lost_letters(pairs)


def join_comparisons(parts: Iterable[Comparison]) -> Comparison:
    """Return the comparison of a source that was compared part by part: all counts, the first of each message."""

    def join(one: Any, other: Any) -> Any:  # noqa: ANN401  # a count, ids, alarms or a message
        match one:
            case None | bool() | str():
                return one or other
            case Mapping():
                return {**other, **one}
            case frozenset():
                return one | other
            case _:
                return one + other

    names = Comparison.__dataclass_fields__
    return reduce(
        lambda one, other: Comparison(**{name: join(getattr(one, name), getattr(other, name)) for name in names}), parts
    )


def compare_capture(
    former: Sequence[pl.DataFrame],
    now: pl.DataFrame,
    *,
    log: bool,
    taken: datetime | None = None,
    late: Collection[str] = (),
) -> Comparison:
    """Compare the records of a capture with those of the last good ones of its page, the newest of them last.

    On a log page, which lists other records each day, how they are printed counts too. ``taken`` is when the capture
    was taken, ``late`` are the columns that its site may still fill.
    """
    last = former[-1]["starts_at"].max()
    is_over = taken is not None and isinstance(last, datetime) and last.date() < taken.date()
    compared = replace(compare(former[-1], now), is_over=is_over)
    if not log:
        return compared
    lost = "; ".join(filter(None, (compared.found.get("lost"), find_emptied(now, former, late))))
    signs = {"lost": lost, "other_form": find_other_form(now, former, late)}
    return replace(compared, found={**compared.found, **{name: sign for name, sign in signs.items() if sign}})


def _is_lost(pair: Pair, name: str) -> bool:
    """True if a record has no value any more, or only an inferred one where one was printed.

    An address that is now the record's own or one of its links is not lost, nor an id that its source does not go by.
    """
    before, now = pair[name + OLD], pair[name]
    if before is None or now is None:
        if before is None or (name == "native_id" and not _has_other_id(pair)):
            return False
        return name not in _ADDRESSES or not _addresses(before) <= {
            each for other in _ADDRESSES for each in _addresses(pair[other])
        }
    inferred = _INFERRED.get(name, frozenset())
    return inferred.isdisjoint(pair["notes" + OLD]) and not inferred.isdisjoint(pair["notes"])


def _addresses(value: Any) -> set[str]:  # noqa: ANN401  # an address, links or None
    """Return the addresses in a cell."""
    return {each["url"] for each in value} if isinstance(value, list) else {value} - {None}


def _has_moved(pair: Pair) -> bool:
    """True if a record starts at another time than before."""
    before, now = pair["starts_at" + OLD], pair["starts_at"]
    return before is not None and now is not None and before != now


def _find_moves(both: Pairs) -> list[Pair]:
    """Return the pairs that have moved, but for events of one title that have only changed their ids among them."""
    moved = [pair for pair in both.differing if _has_moved(pair)]
    if not moved:
        return []
    was, stands = (set(zip(each["title"], each["starts_at"], strict=True)) for each in (both.before, both.now))
    return [
        pair
        for pair in moved
        if (pair["title"], pair["starts_at"]) not in was or (pair["title"], pair["starts_at" + OLD]) not in stands
    ]


def _has_other_id(pair: Pair) -> bool:
    """True if a record has another id than before."""
    return bool(pair["record_id"] != pair["record_id" + OLD])


def _has_lost(pair: Pair) -> bool:
    """True if a record has lost a value."""
    return any(_is_lost(pair, name) for name in _COMPARED)


def _find_lost(both: Pairs, enough: Callable[[int, int], bool]) -> str | None:
    """Return a message on columns that enough known records had and have no more, or only inferred."""
    lost = []
    for name in _COMPARED:
        gone = [pair for pair in both.differing if _is_lost(pair, name)]
        if len(gone) < FEW:
            continue
        if name == "url" and len(gone) > 1 and len({pair["url" + OLD] for pair in gone}) == 1:
            continue  # the address of the page says nothing of a record
        if enough(len(gone), had := both.had(name)):
            such_as = _listed(pair["title" + OLD] or pair["record_id" + OLD] for pair in gone)
            lost.append(f"{name}: {len(gone)} of {had} known records have lost it, such as {such_as}")
    return "; ".join(lost) or None


def _is_much(count: int, of: int) -> bool:
    """True if so many known records differ alike that it is the page, not the programme, that has changed."""
    return (count >= LEAST and count >= _SHARE * of) or (count >= _ALL and count == of)


def is_some(count: int, of: int, share: float = AMBER) -> bool:
    """True if so many known records differ alike that a person should look: edits of programmes seldom do that.

    Of few records, as on a page of one session, it is half of them.
    """
    return (count >= LEAST and count >= share * of) or (count >= FEW and count >= _HALF * of)


def _find_spoilt(both: Pairs) -> str | None:
    """Return a message on titles, rooms or names that have gained the same words before or behind the old text.

    One room that is renamed is in many records: so the old texts must differ, or every record must have a new one.
    """
    spoilt: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    texts: dict[tuple[str, str], set[str]] = defaultdict(set)
    for pair in both.differing:
        for name in _MAY_BE_SPOILT:
            for before, now in zip(_texts(pair[name + OLD]), _texts(pair[name]), strict=False):
                if (words := _added_words(before, now)) is not None:
                    spoilt[name, words][pair["record_id"]] = now
                    texts[name, words].add(before)
    found = []
    for (name, words), alike in spoilt.items():
        varied = len(texts[name, words])
        if varied < 2 or len(alike) < FEW:  # one text that is in many records, as a room
            continue
        had = both.had(name)
        if _is_much(len(alike), had) and (varied >= LEAST or len(alike) == had):
            such_as = _listed(alike.values())
            found.append(f"{name}: {len(alike)} of {had} known records have gained {words}, such as {such_as}")
    return "; ".join(found) or None


def _added_words(before: str, now: str) -> str | None:
    """Return where a text has gained words around its old self, and the first of them; None if it has not."""
    if len(now) <= len(before):
        return None
    if now.endswith(before) and (words := now.removesuffix(before).split()):
        return f"{words[0]!r} before them"
    if now.startswith(before) and (words := now.removeprefix(before).split()):
        return f"{words[0]!r} behind them"
    return None


def _find_rewritten(pairs: Sequence[Pair], known: int) -> str | None:
    """Return a message on columns with other values in many known records; an end that moves with its start is none."""
    changed = Counter(
        name
        for pair in pairs
        for name in _REWRITTEN
        if _is_rewritten(pair[name + OLD], pair[name]) and not (name in {"starts_at", "ends_at"} and _has_moved(pair))
    )
    many = {name: count for name, count in changed.items() if is_some(count, known, _MOST_EDITED)}
    told = (f"{name} in {many[name]}" for name in _REWRITTEN if name in many)
    return f"of {known} known records have other values: {', '.join(told)}" if many else None


def _is_rewritten(before: Any, now: Any) -> bool:  # noqa: ANN401  # whatever a column holds
    """True if a value is another one; a list that has more elements, or people of whom more is known, is not."""
    if before is None or now is None or before == now:
        return False
    if isinstance(before, str) and isinstance(now, str) and _is_remarked(before, now):
        return False  # told as such
    return not isinstance(before, list) or not _elements(before) <= _elements(now)


def _changed_texts(pair: Pair) -> Iterator[tuple[str, str]]:
    """Yield the texts of a record that are other ones than before, each with the old one."""
    for name in (each for each in _TEXTS if pair[each] != pair[each + OLD]):
        for whole in (False, True) if name in _PEOPLE else (False,):
            alike = zip(_texts(pair[name + OLD], whole=whole), _texts(pair[name], whole=whole), strict=False)
            yield from (texts for texts in alike if texts[0] != texts[1])


def _tell(pairs: Sequence[Pair], known: int, changed: Callable[[str, str], bool], what: str) -> str | None:
    """Return a message on the known records with a text that has changed in some way, if they are many."""
    found = []
    for pair in pairs:
        texts = next((texts for texts in _changed_texts(pair) if changed(*texts)), None)
        found += [_around(*texts)] if texts is not None else []
    if not is_some(len(found), known):
        return None
    return f"{len(found)} of {known} known records {what}, such as {_listed(found)}"


def _around(before: str, now: str) -> str:
    """Return a text from shortly before the first place where it is not as before."""
    place = next((at for at, two in enumerate(zip(before, now, strict=False)) if two[0] != two[1]), 0)
    return now[max(0, place - _AROUND) :]


def _is_remarked(before: str, now: str) -> bool:
    """True if two texts differ only in marks, blanks or case."""
    return _MARKS.sub("", before).casefold() == _MARKS.sub("", now).casefold()


def _is_shortened(before: str, now: str) -> bool:
    """True if a text is the beginning of the old one, up to a word or with an ellipsis behind, or its last words."""
    cut = now.removesuffix("…").removesuffix("...").rstrip()
    if cut and before.endswith(f" {cut}"):
        return True
    if not cut or not before.startswith(cut):
        return False
    rest = before.removeprefix(cut)
    return bool(rest.strip("….")) and (rest[0].isspace() or cut != now)


def _is_garbled(before: str, now: str) -> bool:
    """True if a text was decoded or escaped wrongly: all ASCII letters are there, and others have become more signs.

    That is what UTF-8 read as Latin-1 looks like, once or twice, and what is lost in ASCII has question marks. A letter
    or dash that is spelt otherwise is no such thing.
    """
    if (plain := unescape(now)) != now:
        return unescape(before) == before and _is_remarked(before, plain)
    was, other = _NOT_ASCII.findall(before), _NOT_ASCII.findall(now)
    asked = now.count("?") - before.count("?")
    if was == other or _NOT_LATIN.sub("", before) != _NOT_LATIN.sub("", now):
        return False
    if not was:
        return "Â" in now or "Ã" in now  # a blank or a sign that cleaning had taken out
    return len(other) > len(was) if other else asked == len(was)


def _find_lost_letters(pairs: Iterable[Pair]) -> str | None:
    """Return a message on texts in which letters have become question marks: one says how the page was written."""
    found = [now for pair in pairs for before, now in _changed_texts(pair) if _has_lost_letters(before, now)]
    such_as = _listed(dict.fromkeys(found))
    return f"letters beyond ASCII have become question marks, such as in {such_as}" if found else None


def _has_lost_letters(before: str, now: str) -> bool:
    """True if a text is the old one, but for letters beyond ASCII that are question marks."""
    lost = [was for was, other in zip(before, now, strict=False) if was != other]
    if not lost or len(before) != len(now):
        return False
    asked = now.count("?") - before.count("?")
    return asked == len(lost) and all(each.isalpha() and not each.isascii() for each in lost)


def _find_same_move(moves: Sequence[Pair]) -> str | None:
    """Return a message on many records that have moved by the same hours: a zone or a clock, more often than a plan."""
    spans = Counter(pair["starts_at"] - pair["starts_at" + OLD] for pair in moves)
    span, count = max(spans.items(), key=lambda each: each[1], default=(timedelta(), 0))
    if count < max(_ALIKE, _ALMOST_ALL * len(moves)) or span % timedelta(hours=1):
        return None
    return f"{count} known records start {abs(span)} {'later' if span > timedelta() else 'earlier'} than before"


def _find_lost_room(both: Pairs) -> str | None:
    """Return a message on rooms that are gone with all their records, as where a site fails to import them."""
    if len(both.gone) < _ALIKE:
        return None
    counts, had = Counter(both.before["room"][list(both.gone)]), Counter(both.before["room"])
    left = {None, *both.now["room"]}
    lost = [room for room, count in counts.items() if count >= LEAST and count == had[room] and room not in left]
    records = sum(counts[room] for room in lost)
    if records < _ALIKE:
        return None
    return f"{records} known records are gone with their rooms: {_listed(sorted(lost))}"


def _find_lost_day(both: Pairs) -> str | None:
    """Return a message on a day that is gone although its records are there, at the same time of other days.

    That is what a page looks like whose heading of a day was not read.
    """
    lost = Counter(
        before.date()
        for pair in both.differing
        if (before := pair["starts_at" + OLD]) and (starts := pair["starts_at"])
        if before.time() == starts.time() and before.date() != starts.date()
    )
    left = {starts.date() for starts in both.now["starts_at"] if starts is not None} if lost else set()
    lost = Counter({day: count for day, count in lost.items() if day not in left})
    day, count = max(lost.items(), key=lambda each: each[1], default=(None, 0))
    told = f"{count} known records of {day} now start at the same time of other days, and none is left on it"
    return told if count > 1 else None


def _elements(values: Iterable[Any]) -> set[Any]:
    """Return the elements of a list; of people and links their parts."""
    return {part for value in values for part in (value.values() if isinstance(value, dict) else (value,))} - {None}


def _find_shifted(both: Pairs) -> str | None:
    """Return a message on values that are gone from their column and now stand inside texts of other columns.

    Only texts that are new or have changed can hold them. A name that is still one of a person has not shifted: chairs
    become authors.
    """
    gone = [
        (value, pair)
        for pair in both.differing
        for name in _MAY_SHIFT
        for value in set(_texts(pair[name + OLD])).difference(_texts(pair[name]))
    ]
    if len({value for value, _ in gone}) < LEAST:
        return None
    shifted = _shifted_into(both, gone[:_MOST_SHIFTED])
    found = [
        f"{len(values)} values of other columns now stand in {name}, such as {_listed(values)}"
        for name, values in shifted.items()
        if len(values) >= LEAST
    ]
    return "; ".join(found) or None


def _shifted_into(both: Pairs, gone: Iterable[tuple[str, Pair]]) -> dict[str, dict[str, None]]:
    """Return which of the values that are gone now stand in new or changed texts, by the column of these."""
    people = {value for name in _PEOPLE for cell in both.now[name].to_list() for value in _texts(cell)}
    new = list(both.new)
    texts = {name: "\n".join({*_changed(both.differing, name), *filter(None, both.now[name][new])}) for name in _INTO}
    shifted: dict[str, dict[str, None]] = defaultdict(dict)
    for value, pair in gone:
        for name in _INTO if value not in people and len(value) > _ALL else ():
            if value in texts[name] and value != pair[name] and value not in (pair[name + OLD] or ""):
                shifted[name][value] = None
    return shifted


def _changed(pairs: Iterable[Pair], name: str) -> Iterator[str]:
    """Yield the texts of a column that are other ones than before."""
    return (pair[name] for pair in pairs if pair[name] is not None and pair[name] != pair[name + OLD])


def _texts(value: object, *, whole: bool = False) -> list[str]:
    """Return the texts of a cell: names of people, with all that is known of them if whole, or a text by itself."""
    if isinstance(value, list):
        return [" ".join(filter(None, each.values())) if whole else each["name"] for each in value]
    return [value] if isinstance(value, str) else []


def _listed(texts: Iterable[str]) -> str:
    """Return a few texts, each cut to one short line, in quotes."""
    every = list(texts)
    shown = [" ".join(text.split()) for text in every[:_SHOWN]]
    cut = [repr(text if len(text) <= _CUT else f"{text[:_CUT]}…") for text in shown]
    return ", ".join(cut) + (" .." if len(every) > _SHOWN else "")
