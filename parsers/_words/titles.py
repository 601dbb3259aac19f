"""Decorations and kinds in the titles of a programme: tags, marks of cancelled items, tracks, words for the kind.

Formats: ``[Tutorial] Toast``, ``Toast (PDF, slides)``, ``CANCELLED: Toast``, ``Track 2.1: Slicing``; and words for the
kind of an item: ``Gala Dinner at the Mill`` is social, ``Dinner-table Debates`` is not; ``Careers in Ropes Panel`` is
a panel, ``Panel Data of Ropes`` is not. How a source separates a title from times, names and rooms does not belong
here.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple


class _Kind(NamedTuple):
    """Words that name a kind, and words that programmes print beside them."""

    name: str
    words: frozenset[str]
    company: frozenset[str]


# First hit wins, in the order of the contract: a coffee break with posters is a break, a poster reception is social.
_KINDS: Final = tuple(
    _Kind(name, frozenset(words.split()), frozenset(company.split()))
    for name, words, company in (
        (
            "keynote",
            "keynote keynotes",
            "address addresses distinguished lecture lectures lightning speaker speakers speech speeches",
        ),
        (
            "social",
            "reception receptions banquet banquets dinner dinners excursion excursions social socials party parties"
            " abendessen empfang",
            "activities activity barbecue bbq beer boat bus canapes cash champagne cheese closing cocktail cocktails"
            " concert cream cruise dance drink drinks event events fair farewell food formal gala gathering get guided"
            " happy hour ice informal informational live mixer music networking night outing self show"
            " sightseeing tasting together tour tours town transfer trip visit walk walking wine",
        ),
        (
            "break",
            "coffee lunch lunches lunchtime breakfast breakfasts tea break breaks pause kaffeepause mittagspause",
            "bag bags box boxed boxes brown buffet business cake cakes career cold continental cookies drinks enjoy"
            " fair free fruit get grab group have high included job juice light long longer mentoring networking own"
            " packed pastries photo pick picture provided quick refreshment refreshments served service short snack"
            " snacks stretch time together up working",
        ),
        (
            "poster_session",
            "poster posters",
            "best breaking competition contest demo demonstration demonstrations demos display displays"
            " exhibit exhibition exhibits fast flash forward forum gallery hanging indexing interactive judging late"
            " lightning madness mounting pitch pitches preview previews progress removal research results set setup"
            " showcase slam spotlight spotlights summaries take down teaser teasers up viewing work",
        ),
        (
            "panel",
            "panel panels",
            "answer answers career careers debate debates discussion discussions editors expert experts interactive"
            " mentoring moderated panelists question questions round roundtable table",
        ),
        (
            "ceremony",
            "opening welcome closing award awards eröffnung begrüssung abschluss",
            "achievement address addresses artefact artifact artifacts awarding best career ceremonies ceremony"
            " comment comments conclusion conclusions concluding discussion dissertation distinguished doctoral drinks"
            " early event farewell final formal formalities greeting greetings handover introduction"
            " introductions introductory lecture lifetime logistics message next note notes official outlook"
            " outstanding overview paper papers plenaries preview prize prizes remark remarks"
            " researcher reviewer reviewers runner runners short speech speeches statement statements summary test"
            " thesis time up winner winners word words wrap year young",
        ),
        ("tutorial", "tutorial tutorials", "course full half hands introductory on part parts"),
    )
)
# The kinds of items without talks that their words can name; a tutorial has a tag or a label.
KINDS: Final = ("paper", "session", "workshop", *(kind.name for kind in _KINDS))
"""All kinds of records."""
_ITEM_KINDS: Final = tuple(kind.name for kind in _KINDS if kind.name != "tutorial")
_TALK_KINDS: Final = ("keynote", "panel", "tutorial")
# Kinds that the title of an item with people names by all its words: nobody gives a paper called "Opening Remarks".
_WHOLE_TITLES: Final = ("break", "ceremony")
_KIND_OF_WORD: Final = {word: kind.name for kind in _KINDS for word in kind.words}
# Two words that name a kind together, whatever each is alone.
_KIND_OF_PAIR: Final = {
    (first, last): "keynote"
    for first in ("invited", "distinguished", "plenary")
    for last in ("talk", "talks", "lecture", "lectures", "speaker", "speakers")
} | {("cash", "bar"): "social", ("happy", "hour"): "social"}
# The last words of titles that begin with a topic: "Careers in Ropes Panel", "Women in Ropes Coffee Break".
_ENDING: Final = re.compile(
    r".*\b(?:(?P<keynote>keynote(?: (?:talk|speech|address|lecture))?|invited talk)"
    r"|(?P<social>(?:welcome|opening|evening) reception|(?:conference|gala|banquet) dinner)"
    r"|(?P<break>(?:coffee|lunch|tea) breaks?)|(?P<poster_session>poster session(?: \d{1,2})?)"
    r"|(?P<panel>panel(?: (?:discussion|session))?)"
    r"|(?P<ceremony>(?:opening|closing|welcome) (?:remarks|ceremony|session)|awards? ceremony))"
)
# Panels of which no one is a member: "Sensors of a Solar Panel".
_OTHER_PANELS: Final = re.compile(
    r".*\b(?:a|an|the|control|display|flat|front|gene|household|instrument|rear|sandwich|side|solar|touch|wall) panel"
)

# Last words of the places of items: "in the Old Mill Hall".
_PLACES: Final = frozenset(
    "area atrium auditorium aula ballroom bar boat building cafe cafeteria campus canteen castle center centre chapel"
    " church club corridor courtyard deck exhibition ferry floor foyer gallery garden gardens hall halls hallway hotel"
    " house lawn level lobby lounge marquee mensa museum palace park patio pavilion plaza pub restaurant roof rooftop"
    " room rooms ship suite tent terrace theater theatre tower venue yard".split()
)
# Words printed beside any kind: conjunctions, times and days, rooms, the conference and its people.
_NEUTRAL: Final = _PLACES | frozenset(
    "& + / a all an and end for from in including inc of on or own plus q the their to until via w/ w/o with without"
    " your yours am pm h hr hrs hour hours min mins minute minutes noon midday midnight"
    " day days daily morning mornings afternoon afternoons evening evenings tonight today"
    " monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun"
    " i ii iii iv v vi vii viii ix x b c d e f one two three four five first second third last part continued cont"
    " announcement announcements arrival badge badges check checkin conference desk general industry invited joint main"
    " meeting online onsite open opens parallel plenary presentation presentations program programme registration"
    " session sessions student students symposium talk talks technical virtual workshop workshops"
    " attendees authors chair chairs committee community dean delegates everyone exhibitors graduate guests invitees"
    " members mentees mentors newcomers organisers organizers participants phd president rector speakers sponsor"
    " sponsors staff volunteers women".split()
)
# What goes on around the talks.
_AROUND_TALKS: Final = frozenset(
    "announcement announcements arrival badge badges business check checkin desk doors meeting pickup registration"
    " setup".split()
)
_ORDINALS: Final = frozenset(("", "st", "nd", "rd", "th", "am", "pm", "h", "min", "a", "b", "c"))

# Anything can follow these words: a place, a sponsor, a speaker.
_BEFORE_ANYTHING: Final = frozenset("@ at by courtesy hosted organised organized sponsored supported".split())
# Kinds whose subject follows ``on``.
_WITH_SUBJECT: Final = frozenset(("keynote", "panel", "poster_session", "tutorial"))
_BEFORE_TO: Final = frozenset("welcome excursion excursions tour tours trip visit walk".split())

# "with", a time, a word ("self-guided", "chair's"), or one sign.
_TOKEN: Final = re.compile(r"w/(?:o\b)?|\d+(?:[:.]\d+)*[^\W_]*|[^\W_]+(?:['-][^\W_]+)*|\S")
_OPENS: Final = frozenset("([")
_CLOSES: Final = frozenset(")]")
_ENDS_PART: Final = _CLOSES | frozenset(":,;.!?|–—-•·")
_JOINS: Final = frozenset(("and", "or", "&"))
# "Workshop: Small Files", "Panel (2): Whose Files?" and "(Panel) Whose Files?" begin with one.
_LABEL: Final = re.compile(
    r"(?P<opened>[(\[])?(?P<kind>tutorial|workshop|panel)(?(opened)[)\]]:?|(?: \(?\w{1,4}\)?)?:)\s", re.IGNORECASE
)

# Words that begin titles but not names, and the genitive, which no name has.
_TITLE_ONLY: Final = re.compile(
    r"(?:the|a(?!\.)|on|how|why|what|when|where|who|whose|is|are|from|to|towards?|beyond|against|after|before|between|we"
    r"|building|making|rethinking|revisiting|understanding|scaling|learning|designing|bridging|exploring|enabling"
    r"|taming|using|teaching|reasoning|thinking|solving|proving|trustworthy|responsible|sustainable|quantum|digital"
    r"|smart|human|open|big|deep|formal|generative|large|green)\b.*+|(?>.*?['’]s\b).*+",
    re.IGNORECASE,
)
DECORATIONS: Final = frozenset(
    "tutorial workshop agenda abstract slide slides short paper cancelled canceled withdrawn".split()
)
"""The words that ``read_heading`` takes off a title, in lower case."""

_TAG = re.compile(r"\[(?P<tag>tutorial|workshop)\]\s*", re.IGNORECASE)
# The words of links, in the case in which pages print them: a title can end in ``(Video)``.
_LINK: Final = r"(?:(?i:abstract)|PDF|pdf|paper|slides|video)"
# Some extractors drop the link inside a bracket, and what follows it.
_RESIDUE = re.compile(
    rf"(?:[(\[]|\(\s*(?i:agenda)\s*\)|\[\s*(?i:slides?)\s*\]|\(\s*{_LINK}(?:\s*,\s*{_LINK})*\s*\))\s*"
)
_MARK: Final = r"\b(?P<word>cancell?ed|withdrawn)\b"
# Neither the tag after the mark nor a bracket of the title before it belongs to the mark.
_MARK_FIRST = re.compile(rf"(?P<opened>\W*){_MARK}(?P<gap>[^\w\[(]*)", re.IGNORECASE)
_MARK_LAST = re.compile(rf"{_MARK}\W*\Z", re.IGNORECASE)
_SET_OFF: Final = re.compile(r"[:!.|*()\[\]–—]|-\s|\s-")
_TRACK = re.compile(r"(?P<track>Track\s+[A-Z0-9][\w.]*(?:-\d{1,2})?)\s*[:–-]\s*(?P<title>\S.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class BareTitle:
    """A title without its decorations, the tag, and the notes."""

    title: str
    tag: str | None
    notes: tuple[str, ...]


def read_heading(text: str) -> BareTitle:
    """Strip the known decorations from a title: tags, link residue, the mark of a cancelled item."""
    whole, tag = text.strip(), None
    title = _without_mark(whole)
    is_marked = title != whole
    if found := _TAG.match(title):
        tag, untagged = found["tag"].lower(), title[found.end() :]
        title = _without_mark(untagged)
        is_marked = is_marked or title != untagged
    end = len(title)
    # What is left of a link begins at the last bracket that opens.
    while _RESIDUE.fullmatch(title, last := max(title.rfind("(", 0, end), title.rfind("[", 0, end), 0), end):
        end = last
    return BareTitle(title[:end].rstrip(), tag, ("cancelled",) if is_marked else ())


def reads_as_title(text: str) -> bool:
    """True if a few capitalised words that may be a title or a name are surely a title."""
    return _TITLE_ONLY.fullmatch(text) is not None


def split_track(title: str) -> tuple[str | None, str]:
    """Split ``Track 2.1: Scheduling`` into track and title; a title without a track is returned unchanged."""
    found = _TRACK.fullmatch(title)
    return (found["track"], found["title"]) if found else (None, title)


def label_of(title: str) -> str | None:
    """Return the kind from the label of a title: ``Workshop: Files``, ``Tutorial (2): Knots``, ``(Panel) Files``."""
    found = _LABEL.match(title)
    return found["kind"].lower() if found else None


def kind_of_item(title: str, tag: str | None = None, *, break_class: bool = False) -> str:
    """Return the kind of a programme item without talks, by its tag, label or words, and the page's class for breaks.

    A word counts only if the rest of the title fits it, or at the end of a topic; in an item that the page marks as a
    break it counts anywhere, since that is never a topic.
    """
    if told := tag or label_of(title):
        return told
    kinds = _kinds_among(_words_of(title)) if break_class else _kinds_named(title) or _kinds_at_end(title)
    return next((kind for kind in _ITEM_KINDS if kind in kinds), "break" if break_class else "session")


def kind_of_own_title(title: str | None, tag: str | None = None) -> str | None:
    """Return the kind that the title of an item with authors or abstract names by itself, if any.

    By its tag or label, as a keynote or panel, or with all its words: ``Opening Remarks``, not ``Opening the Box``.
    """
    if told := tag or label_of(title or ""):
        return told
    kinds = _kinds_named(title or "") or _kinds_at_end(title or "") & {"keynote", "panel"}
    if not kinds:
        return None
    is_whole = _are_known(_words_of(title or ""), _known_beside(kinds))
    sure = ("keynote", "panel", *(_WHOLE_TITLES if is_whole else ()))
    return next((kind for kind in sure if kind in kinds), None)


def is_around_talks(title: str) -> bool:
    """True for a title of what goes on around talks: ``Registration``, ``Check-in``, ``Business Meeting (Members)``."""
    words = _words_of(title)
    return not _AROUND_TALKS.isdisjoint(words) and _are_known(words, _NEUTRAL | _AROUND_TALKS)


@lru_cache(maxsize=1024)  # called for every talk, the same for a whole session
def kind_of_talk(*headings: str | None) -> str:
    """Return the kind of an item with authors or abstract, by the words of its session's title or type."""
    kinds = frozenset[str]().union(*(_kinds_named(heading) for heading in headings if heading))
    return next((kind for kind in _TALK_KINDS if kind in kinds), "paper")


class _Part(NamedTuple):
    """The words of a title up to a sign, in lower case, and that sign; empty at the end of the title."""

    words: list[str]
    sign: str


def _kinds_named(title: str) -> frozenset[str]:
    """Return the kinds that a title names if all its words fit, or all before a sign, a place or a sponsor.

    Text after a colon is ignored: ``Panel: Coffee or Tea?``.
    """
    known = _known_beside(_kinds_among(_words_of(title)))
    told: frozenset[str] = frozenset()
    parts = _parts_of(title) if known else []
    for place, part in enumerate(parts):
        front = _front(part.words)
        if not _are_known(front, known):
            return frozenset() if _is_in_list(parts, place) else told
        told |= _kinds_among(front)
        if told and part.sign == ":":
            break
    return told


def _kinds_at_end(title: str) -> frozenset[str]:
    """Return the kind that the last words of a title name, up to a colon: ``Careers in Ropes Panel: Who Pulls?``."""
    topic = " ".join(_tokens_of(title.partition(":")[0]))
    found = _ENDING.fullmatch(topic)
    if found is None or found.lastgroup is None or _OTHER_PANELS.fullmatch(topic):
        return frozenset()
    return frozenset((found.lastgroup,))


def _is_in_list(parts: Sequence[_Part], place: int) -> bool:
    """True if a part continues a list that one word began: ``Social, Mobile, and Green Computing``."""
    before = parts[:place]
    alone = [part.sign for part in before] == [","] and len(before[0].words) == 1
    return alone and any(word in _JOINS for part in parts[place:] for word in part.words)


def _parts_of(title: str) -> list[_Part]:
    """Split a title at its signs, dropping text in brackets, unless that is all."""
    whole = title.strip()
    if whole.startswith(("(", "[")) and whole.endswith((")", "]")):
        whole = whole[1:-1]
    parts: list[_Part] = []
    words: list[str] = []
    depth = 0
    for sign in _tokens_of(whole):
        depth += (sign in _OPENS) - (sign in _CLOSES and depth > 0)
        if depth == 0 and sign in _ENDS_PART:
            parts.append(_Part(words, sign))
            words = []
        elif depth == 0 and (sign[0].isalnum() or sign in _NEUTRAL or sign in _BEFORE_ANYTHING):
            words.append(sign)
    return [*parts, _Part(words, "")]


def _words_of(title: str) -> list[str]:
    """Return all words of a title in lower case, also those in brackets."""
    return [token for token in _tokens_of(title) if token[0].isalnum()]


def _tokens_of(title: str) -> list[str]:
    """Return the words and signs of a title, in lower case, without genitives."""
    return [token.removesuffix("'s") for token in _TOKEN.findall(title.casefold().replace("’", "'"))]


def _kinds_among(words: Sequence[str]) -> frozenset[str]:
    """Return the kinds that words name, each by itself or two together."""
    pieces = (piece for word in words for piece in word.split("-"))
    alone = frozenset(_KIND_OF_WORD[piece] for piece in pieces if piece in _KIND_OF_WORD)
    return alone.union(_KIND_OF_PAIR[pair] for pair in pairwise(words) if pair in _KIND_OF_PAIR)


@lru_cache(maxsize=64)  # few kinds occur together
def _known_beside(kinds: frozenset[str]) -> frozenset[str]:
    """Return the words that fit in a title beside those of some kinds; empty without a kind."""
    beside = (kind.company for kind in _KINDS if kind.name in kinds)
    return frozenset(_KIND_OF_WORD).union(_NEUTRAL, *beside) if kinds else frozenset()


def _are_known(words: Sequence[str], known: frozenset[str]) -> bool:
    """True if each word is known, a number, or before a year, as the name of a conference."""
    return all(
        _is_number(word) or _is_year(following) or known.issuperset(word.split("-"))
        for word, following in pairwise([*words, ""])
    )


def _front(words: list[str]) -> list[str]:
    """Return the words of a part before a place, a sponsor or a subject, which can have any words."""
    named = [word for word in words if not _is_number(word) and len(word) > 1]
    in_place = bool(named) and named[-1] in _PLACES  # "in the Old Mill Hall B"
    with_subject = False
    for place, word in enumerate(words):
        if (
            word in _BEFORE_ANYTHING
            or (in_place and word in ("in", "on"))
            or (with_subject and word in ("on", "about"))
            or (word == "to" and place > 0 and words[place - 1] in _BEFORE_TO)
        ):
            return words[:place]
        with_subject = with_subject or _KIND_OF_WORD.get(word) in _WITH_SUBJECT
    return words


def _is_number(word: str) -> bool:
    """True if a word is a number or a time: ``2``, ``12:30``, ``9am``, ``1st``, but not ``3D``."""
    return word[0].isdigit() and word.lstrip("0123456789:.") in _ORDINALS


def _is_year(word: str) -> bool:
    """True if a word is a year of this century or the last."""
    return len(word) == 4 and word.isdecimal() and word.startswith(("19", "20"))


def _without_mark(title: str) -> str:
    """Strip the mark of a cancelled or withdrawn item from either end of a title, unless it is a word of the title.

    A mark is set off by a bracket, a colon or a dash, or is in capitals; ``Canceled`` may also precede a title or a tag
    with only a space between.
    """
    lowered = title.lower()  # most titles have no mark: a faster check than the patterns
    if "ancel" not in lowered and "thdrawn" not in lowered:
        return title.strip() or title
    kept = title
    if found := _MARK_FIRST.match(title):
        rest = title[found.end() :]
        glued = found["word"].startswith("C") and (rest[:1].isupper() or rest[:1] == "[")
        if glued or found["word"].isupper() or _SET_OFF.search(f"{found['opened']}{found['gap']}"):
            kept = rest
    if found := _MARK_LAST.search(kept):
        before = kept[: found.start()]
        shorter = before.rstrip(" \t:–—-([")
        if _SET_OFF.search(before[len(shorter) :]) or (found["word"].isupper() and before[-1:].isspace()):
            kept = shorter
    return kept.strip() or title
