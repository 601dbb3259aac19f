"""Checks captures: one function for each signal of ``pipeline.base.signals`` that looks at a capture as a whole.

Each is a pure function of a case, which holds what is known of a capture and of earlier good ones of its page, and the
settings. It returns what is wrong, or None. Measuring and comparing captures, and what follows from a sign, belong to
other modules.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pipeline.base.signals import Guards, Policy, Sign, overrules
from pipeline.guarding.baseline import GoodCapture
from pipeline.guarding.comparison import FEW, Comparison, is_some
from pipeline.reading.measure import HASH, SAMPLE, Measure


@dataclass(frozen=True, slots=True)
class Case:
    """What is known of one capture: its measure, those of earlier good captures of its page, the oldest first.

    ``of_source`` are those of good captures of all pages of the source, ``parts`` those of the newest captures of the
    other pages that one list was divided into; ``compared`` are its records beside those of the last good capture, None
    if there is none to compare with; ``repeated_by`` is an earlier capture that has its records under a later day.
    """

    now: Measure
    past: Sequence[Measure] = ()
    of_source: Sequence[Measure] = ()
    parts: Sequence[Measure] = ()
    compared: Comparison | None = None
    repeated_by: GoodCapture | None = None


Check = Callable[[Case, Guards], str | None]

_ROUNDING: Final = 1e-9
_MIN_GARBLED: Final = 3  # records: fewer say nothing of a page
_MIN_PROGRAMME: Final = 10  # records: fewer may be placeholders
_REPLACED: Final = 0.9  # of 582 versions of a programme in the making, the worst lost 0.56
_TELL_MORE: Final = frozenset({"astray", "thinned", "lost"})
"""What says of the same records more than that they differ."""
_CAPTURES_OF_A_WEEK: Final = 7  # captures: a page that is empty at weekends was so in one of as many


def judge(case: Case, settings: Guards, accepted: Collection[str] = ()) -> tuple[Sign, ...]:
    """Return the signs of a capture, except those that are off or that a person has accepted."""
    signs = []
    for name, check in CHECKS.items():
        policy = settings.policy(name)
        if policy is Policy.OFF or overrules(accepted, name):
            continue
        if (detail := check(case, settings)) is not None:
            signs.append(Sign(name, detail, policy))
    return tuple(signs)


def look_at(compared: Comparison, settings: Guards) -> tuple[Sign, ...]:
    """Return what a person should look at in the records of a source, compared with those that they replace."""
    return tuple(sign for sign in judge(Case(Measure(), compared=compared), settings) if sign.does is Policy.LOOK)


def check_challenge(case: Case, _settings: Guards) -> str | None:
    """Detect a page that shows a challenge instead of content."""
    now = case.now
    return f"the page shows {now.challenge} instead of content" if now.challenge and not now.records else None


def check_cut(case: Case, _settings: Guards) -> str | None:
    """Detect a dump that ends before the end that its format has."""
    return f"the dump is cut: {case.now.cut}" if case.now.cut else None


def check_empty(case: Case, _settings: Guards) -> str | None:
    """Detect a page without records that does not declare itself empty."""
    now = case.now
    if now.records or now.says_empty or now.format is None:
        return None
    return f"recognised as {now.format}, but no records were found and the page does not say that it is empty"


def check_declared(case: Case, settings: Guards) -> str | None:
    """Detect a page that has fewer records than it declares."""
    now = case.now
    if not _shrinks(now.declared, now.found, settings.declared_limit):
        return None
    return f"the page declares {now.declared} entries but shows {now.found}"


def check_drop(case: Case, settings: Guards) -> str | None:
    """Detect a page with far fewer records than before.

    On a log page, declared totals that match prove that a short or empty day is real. The list of one day takes nothing
    away from its earlier captures, of which any may have been that of another day: see ``check_short_list``.
    """
    now, past = case.now, case.past
    limit = settings.drop_limit_log if now.log else settings.drop_limit
    proven = now.log and (now.asked is not None or now.complete or now.says_empty)
    if not past or proven or not _shrinks(past[-1].records, now.records, limit):
        return None
    return f"{now.records} records, down from {past[-1].records} in the last good capture"


def _of_comparison(name: str) -> Check:
    """Return the check that repeats what the comparison of the records says for a signal."""

    def check(case: Case, _settings: Guards) -> str | None:
        return case.compared.found.get(name) if case.compared is not None else None

    return check


def check_unexplained(case: Case, settings: Guards) -> str | None:
    """Detect a page most of whose items were rejected, or with too many lines that are unexplained or of such items."""
    now = case.now
    items = now.held + now.records
    if now.held > 1 and now.held > settings.unexplained_limit * items:
        return f"{now.held} of {items} items were rejected, expected at most {settings.unexplained_limit:.0%}"
    unread = now.unexplained + now.rejected
    if now.lines < settings.unexplained_from or unread <= settings.unexplained_limit * now.lines:
        return None
    where = "unexplained or in rejected items" if now.rejected else "unexplained"
    return f"{unread} of {now.lines} lines are {where}, expected at most {settings.unexplained_limit:.0%}"


def check_asked(case: Case, _settings: Guards) -> str | None:
    """Detect a page that shows another day or category than was asked for."""
    return case.now.other


def check_other_year(case: Case, _settings: Guards) -> str | None:
    """Detect a programme of another year than was asked for."""
    return case.now.other_year


def check_other_event(case: Case, _settings: Guards) -> str | None:
    """Detect a programme of another event than was asked for."""
    return case.now.other_event


def check_replaced(case: Case, _settings: Guards) -> str | None:
    """Detect a page that shows another programme: nine in ten of the known records are gone before their days are over.

    A capture that was of another year itself, and was accepted, is not defended against the right one.
    """
    compared, past = case.compared, case.past
    if compared is None or case.now.log or compared.is_over or not past or _is_other(past[-1]):
        return None
    before = compared.known + compared.gone
    if before < _MIN_PROGRAMME or compared.gone < _REPLACED * before:
        return None
    return f"{compared.gone} of {before} known records are gone, {compared.new} others are there"


def _is_other(measure: Measure) -> bool:
    """True if a capture was of another programme itself."""
    return bool(measure.other_year or measure.other_event)


def check_language(case: Case, _settings: Guards) -> str | None:
    """Detect a page that says it is in another language than before; of a first one, than the others of its source.

    A page of which most known records stay as they were has only put right what it says.
    """
    past = (*reversed(case.past), *reversed(case.of_source))
    now, before = case.now.language, next((each.language for each in past if each.language), None)
    if not now or not before or now == before or (case.compared is not None and case.compared.stays):
        return None
    return f"the page says it is in {now!r}, in {before!r} before"


def check_garbled(case: Case, settings: Guards) -> str | None:
    """Detect a page most of whose text beyond ASCII was decoded wrongly, more than a few texts that people pasted."""
    now = case.now
    if now.garbled < _MIN_GARBLED or now.garbled < max(now.foreign / 2, settings.garbled_limit * now.records):
        return None
    return f"{now.garbled} of {now.foreign} records with letters beyond ASCII have text that was decoded wrongly"


def check_stale(case: Case, settings: Guards) -> str | None:
    """Detect a listing of a new day that repeats most records of an earlier one, and a part that repeats another.

    It is compared with all earlier captures: the last one may have only part of that day.
    """
    now = case.now
    if not now.log or not now.records:
        return None
    if now.records >= settings.stale_from and any(each.ids == now.ids for each in case.parts):
        return f"the page has the same {now.records} records as another part of its list"
    if now.listed_on is None:
        return None
    of_source, here = ([each for each in past if _is_earlier(each, now)] for past in (case.of_source, case.past))
    same = [each.listed_on for each in here if each.ids == now.ids]
    if same:
        return f"the listing of {now.listed_on} has the same {now.records} records as that of {same[-1]}"
    # Where each day has a page of its own, a page repeats another; two with few records may well have the same ones.
    most = [each.listed_on for each in (*of_source, *here) if repeats(now.day_ids, each.day_ids, settings)]
    return f"the listing of {now.listed_on} repeats records of {most[-1]}" if most else None


def _is_earlier(one: Measure, other: Measure) -> bool:
    """True if one listing is of an earlier day than another."""
    return bool(one.listed_on and other.listed_on and one.listed_on < other.listed_on)


def check_layout(case: Case, _settings: Guards) -> str | None:
    """Detect a page whose layout has changed."""
    now, past = case.now, case.past
    before = next(reversed(past), None)
    if before is None or now.format != before.format or None in {now.fingerprint, before.fingerprint}:
        return None
    if now.fingerprint == before.fingerprint:
        return None
    return f"the layout has changed: fingerprint {now.fingerprint}, {before.fingerprint} in the last good capture"


def check_displaced(case: Case, _settings: Guards) -> str | None:
    """Detect a page of whose known records many start at another time, have another id or are gone.

    A log page lists other records each day: none is gone there, and none moves.
    """
    compared, log = case.compared, case.now.log
    if compared is None:
        return None
    before = compared.known + (0 if log else compared.gone)
    changed = compared.rekeyed if log else compared.displaced + compared.gone
    how = "have another id" if log else "start at another time, have another id or are gone"
    return f"{changed} of {before} known records {how}" if is_some(changed, before) else None


def check_astray(case: Case, settings: Guards) -> str | None:
    """Detect a day or a room that is gone, or many records that have moved alike."""
    return None if check_displaced(case, settings) else _of_comparison("astray")(case, settings)


def check_harmed(case: Case, settings: Guards) -> str | None:
    """Detect a page of whose known records many differ for the worse, each in its own way."""
    compared = case.compared
    if (
        compared is None
        or case.now.log
        or check_displaced(case, settings)
        or not compared.found.keys().isdisjoint(_TELL_MORE)
    ):
        return None
    before, harmed = compared.known + compared.gone, compared.harmed + compared.gone
    if not is_some(harmed, before):
        return None
    return f"{harmed} of {before} known records start at another time, have another id, lost a value or are gone"


def check_misread(case: Case, _settings: Guards) -> str | None:
    """Detect a page some of whose known records have text that was decoded wrongly."""
    if case.compared is None or case.compared.garbled < FEW:
        return None
    return f"{case.compared.garbled} known records have text that was decoded wrongly, such as 'Ã©', '?' or '&eacute;'"


def check_letters(case: Case, settings: Guards) -> str | None:
    """Detect a page in which letters have become question marks."""
    return None if check_misread(case, settings) else _of_comparison("letters")(case, settings)


def check_other_format(case: Case, _settings: Guards) -> str | None:
    """Detect a page in another format than before: its records were not compared."""
    before, now = (case.past[-1].format if case.past else None), case.now.format
    if case.compared is not None or before is None or now is None or before == now:
        return None
    return f"the page is now {now}, before {before}: its records were not compared with those before"


def check_short_list(case: Case, settings: Guards) -> str | None:
    """Detect the list of a day that is far shorter than it was, and a feed that is empty and never was.

    Both captures of the list may be wrong, and both count.
    """
    now, past = case.now, case.past
    if now.asked is not None and past and _shrinks(past[-1].records, now.records, settings.drop_limit):
        return (
            f"the list of {now.asked} has {now.records} records, down from {past[-1].records}: one of the two is wrong"
        )
    if now.log and now.asked is None and not now.records and len(past) >= _CAPTURES_OF_A_WEEK:
        return (
            None
            if any(not each.records for each in past[-_CAPTURES_OF_A_WEEK:])
            else "the page is empty, which it was in none of its last captures"
        )
    return None


def check_repeated(case: Case, _settings: Guards) -> str | None:
    """Detect a listing whose records an earlier capture has under a later day: that one was wrong."""
    if (other := case.repeated_by) is None:
        return None
    day, later = case.now.listed_on, other.measure.listed_on
    return f"the list of {day} has records that {other.path} lists on {later}: that one is asked for again"


CHECKS: Final[Mapping[str, Check]] = {
    "challenge": check_challenge,
    "asked": check_asked,
    "other_year": check_other_year,
    "other_event": check_other_event,
    "language": check_language,
    "cut": check_cut,
    "empty": check_empty,
    "declared": check_declared,
    "drop": check_drop,
    "replaced": check_replaced,
    **{name: _of_comparison(name) for name in ("lost", "spoilt", "shifted")},
    "garbled": check_garbled,
    "unexplained": check_unexplained,
    "stale": check_stale,
    "layout": check_layout,
    "displaced": check_displaced,
    "astray": check_astray,
    "harmed": check_harmed,
    **{name: _of_comparison(name) for name in ("thinned", "rewritten", "remarked", "shortened", "other_form")},
    "misread": check_misread,
    "letters": check_letters,
    "other_format": check_other_format,
    "short_list": check_short_list,
    "repeated": check_repeated,
}
"""The checks by the name of their signal, in the order of the table; what a reading tells by itself has none."""


def repeats(one: str, other: str, settings: Guards) -> bool:
    """True if one of two samples of ids has most of the other, as far as both reach: they are the smallest hashes.

    The list of a day that has only begun is a part of what another may repeat.
    """
    both = _hashes(one), _hashes(other)
    if both[0].isdisjoint(both[1]):  # as most are
        return False
    end = min((max(hashes) for hashes in both if len(hashes) == SAMPLE), default="g")
    fewest = min(sum(each <= end for each in hashes) for hashes in both)
    common = sum(each <= end for each in both[0] & both[1])
    return fewest >= max(settings.stale_from, 1) and common >= settings.stale_limit * fewest - _ROUNDING


@lru_cache(maxsize=1024)
def _hashes(sample: str) -> frozenset[str]:
    """Return the hashes of a sample."""
    return frozenset(sample[place : place + HASH] for place in range(0, len(sample), HASH))


def _shrinks(before: int, now: int, limit: float) -> bool:
    """True if more than the share ``limit`` of the records is missing; a single one is never too many."""
    lost = before - now
    return lost > 1 and lost > limit * before
