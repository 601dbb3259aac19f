"""What of a record is compared: its folded title and parts of it, people, words, numbers, dates, ids.

A feature is made of one record alone, so that those of an unchanged data file can be kept. Names, words and texts are
hashes, which save two thirds of the memory; null has none, since a hash of null would equal another one. The hash of
Polars is not promised to stay: what is kept is keyed by ``VERSION``.
"""

from typing import Any, Final

import polars as pl

FOLDING: Final = 1
VERSION: Final = f"{FOLDING}/{pl.__version__}"
"""What kept features are keyed by: this folding, and the hash of this Polars."""


def words_of(listed: str) -> str:
    """Return a pattern of one of the words, or texts, between commas."""
    return rf"\b(?:{'|'.join(each.strip() for each in listed.split(','))})\b"


COMPARED_KINDS: Final = ("paper", "keynote", "tutorial")
COMPARED: Final = (
    *("record_id", "source", "kind", "title", "subtitle", "abstract", "authors", "event", "dump", "starts_at"),
    *("published_on", "listed_on", "arxiv_id", "doi", "other_ids"),
)
"""The columns that features are made of: where they have not changed, features have not."""

_AT_ONCE: Final = 50_000  # records
LEAST_LETTERS: Final = 10
"""Letters of a title, of the part before or behind its colon, that mean something."""

_TYPES: Final[dict[str, Any]] = {
    "record_id": pl.String,
    "kind": pl.String,
    "source": pl.String,
    "edition": pl.UInt64,
    "stage": pl.String,
    "year": pl.Int32,
    "date": pl.Date,
    "title": pl.String,
    "head": pl.String,
    "tail": pl.String,
    "is_serial": pl.Boolean,
    "marks": pl.String,
    "core": pl.UInt64,
    "letters": pl.UInt64,
    "bare": pl.UInt64,
    "numbers": pl.String,
    "words": pl.List(pl.UInt64),
    "longest": pl.List(pl.UInt64),
    "authors": pl.List(pl.UInt64),
    "surnames": pl.List(pl.UInt64),
    "abstract": pl.UInt64,
    "arxiv_id": pl.String,
    "doi": pl.String,
    "ids": pl.List(pl.UInt64),
}
FEATURES: Final = pl.Schema(_TYPES)

_MARKUP: Final = r"\\[a-zA-Z]+\*?|[\\${}~]|</?[a-zA-Z]{1,6}>"
_APOSTROPHE: Final = r"['’‘ʼ`´]"
_SEPARATORS: Final = r"[^\p{L}\p{N}]+"
_PARTS: Final = r"^(.{4,}?)(?:\s*:\s+|\s+[-–—]+\s+|\?\s+|\s*[–—]\s*)(.{4,})$"
_NUMBER: Final = (
    r"^(?:\p{N}+\p{L}{0,3}|\p{L}?\p{N}+|i{2,3}|iv|vi{0,3}|ix|first|second|third|fourth|fifth|one|two|three|four|five)$"
)
_MARKS: Final = words_of(
    """
    addendum, book review, comments? on, comments? to, correction, corrigend(?:um|a), demo, demonstration,
    errat(?:um|a), extended abstract, extended version, full version, guest editors foreword, invited paper,
    invited talk, keynote, panel, part, poster, proceedings, proposal, reply, response to, retract(?:ed|ion),
    revisited, short paper, special issue, tutorial, vol, volume, workshop
    """
)
"""What makes of a title that of another thing: an erratum of a paper, its demo, its second part, the volume."""

_SMALL: Final = words_of("a, an, and, at, by, for, from, in, into, of, on, or, the, to, via, with")
_CLASS: Final = (
    r" (?:(?:experience|full|industrial|industry|regular|research|technical) paper|(?:panel )?summary"
    r"|abstract(?: only)?|session)$| session\b"
)
"""What a programme says of a paper in its title, and not what it is about."""

_SERIAL_WORDS: Final = r"""
    a, abstracts?, an, and, awards?, book, business, by, call, career, ceremony, chairs?, chat, closing, column,
    committee, conference, contents, corrigendum, day, demonstrations?, demos?, discussion, editorial, editors?,
    errata, erratum, fireside, for, foreword, from, general, guest, hall, in, index, industry, influential,
    introduction, invited, issue, keynote, letters?, lightning, meeting, message, news, notes?, of, on, opening,
    organization, overview, panel, papers?, plenary, posters?, preface, program, programme, q, references,
    remarks, reminiscences, report, research, reviews?, session, special, summary, symposium, table, talks?,
    tba, tbd, technical, the, to, town, track, tutorial, untitled, welcome, workshop, \p{N}+(?:st|nd|rd|th)?
"""
_SERIAL: Final = rf"^(?:{words_of(_SERIAL_WORDS)} ?)+$"
"""A title of such words alone comes again each year, or in each volume."""

_OF_AUTHOR: Final = r"\s+(?:jr|sr|i{2,3}|iv|\p{N}+)$"
_LOST: Final = r"[?\u{FFFD}]"  # a letter of which a wrong decoding left nothing
_NOT_ASCII: Final = r"[^a-z]"
_VOWEL: Final = r"[aeiou]|[^a-z]"
_OLD_ARXIV: Final = r"^[a-z-]+/(\d{2})(\d{2})"
_NEW_ARXIV: Final = r"^(\d{2})(\d{2})\."
_ABSTRACT: Final = 200  # letters of the beginning that are compared
_READ: Final = 500  # of which that are made
_LEAST_ABSTRACT: Final = 80


def fold(text: pl.Expr) -> pl.Expr:
    """Return a text in lower case without accents, markup and signs; null for one without letters."""
    plain = text.str.replace_all(_MARKUP, "").str.normalize("NFKD").str.replace_all(r"\p{M}", "").str.to_lowercase()
    words = plain.str.replace_all(_APOSTROPHE, "").str.replace_all(_SEPARATORS, " ").str.strip_chars(" ")
    return pl.when(words != "").then(words)


def make_features(records: pl.DataFrame) -> pl.DataFrame:
    """Return the features of the papers, keynotes and tutorials among records, by ``record_id``.

    They are made part by part: texts take more memory than what is made of them.
    """
    texts, order = records.select(COMPARED), records["record_id"].arg_sort()
    parts = (texts[order[start : start + _AT_ONCE]] for start in range(0, records.height, _AT_ONCE))
    is_compared = pl.col("kind").is_in(COMPARED_KINDS)
    made = [_features_of(part.filter(is_compared)) for part in parts]
    return pl.concat([pl.DataFrame(schema=FEATURES), *made])


def _features_of(records: pl.DataFrame) -> pl.DataFrame:
    """Return the features of some records."""
    rows = records.with_row_index("row")
    whole = pl.concat_str("title", "subtitle", separator=": ", ignore_nulls=True)
    full = pl.when(pl.col("title").is_not_null()).then(whole)
    made = rows.select(
        "row",
        "record_id",
        "kind",
        "source",
        *_dates(),
        edition=_edition(),
        title=fold(full),
        head=fold(pl.coalesce(full.str.extract(_PARTS, 1), pl.when(pl.col("subtitle").is_not_null()).then("title"))),
        tail=fold(full.str.extract(_PARTS, 2)),
        abstract=_beginning(fold(pl.col("abstract").str.slice(0, _READ))),
        arxiv_id="arxiv_id",
        doi="doi",
        ids=_ids(),
    )
    plain = pl.col("title").str.replace_all(_CLASS, "").str.replace_all(_SMALL, " ")
    made = made.with_columns(
        *(pl.when(pl.col(name).str.len_chars() >= LEAST_LETTERS).then(name) for name in ("head", "tail")),
        is_serial=(pl.col("title").str.len_chars() < LEAST_LETTERS) | pl.col("title").str.contains(_SERIAL),
        marks=pl.col("title")
        .str.replace_all(_CLASS, "")
        .str.extract_all(_MARKS)
        .list.unique()
        .list.sort()
        .list.join(" "),
        letters=_hash_of_words(pl.col("title")),
        bare=_hash_of_words(plain),
        core=_hash_of_words(plain.str.replace_all(_MARKS, " ")),
        numbers=pl.col("title")
        .str.split(" ")
        .list.eval(pl.element().filter(pl.element().str.contains(_NUMBER)))
        .list.join(" "),
    )
    made = made.join(_words(made), on="row", how="left", maintain_order="left")
    made = made.join(_people(rows), on="row", how="left", maintain_order="left")
    return made.select(FEATURES.names()).match_to_schema(FEATURES)


def _hash_of_words(text: pl.Expr) -> pl.Expr:
    """Return a hash of the letters of some words, however they are divided; null where too few are left."""
    letters = text.str.replace_all(" ", "")
    return pl.when(letters.str.len_chars() >= LEAST_LETTERS).then(letters.hash(7))


def _edition() -> pl.Expr:
    """Return a hash of what prints a work once: a programme, or where no event is known a page; null without either."""
    named = pl.concat_str("source", pl.coalesce("event", "dump"), separator="\n")
    return pl.when(named.is_not_null()).then(named.hash(1))


def _dates() -> tuple[pl.Expr, ...]:
    """Return the stage of a record, its year, and the day by which the oldest one is known.

    A talk has the year of its programme; of a preprint the month in its id is the oldest date, since listings show new
    versions.
    """
    month = pl.coalesce(*(_month(pattern) for pattern in (_NEW_ARXIV, _OLD_ARXIV)))
    is_talk = pl.col("event").is_not_null() | pl.col("starts_at").is_not_null()
    is_preprint = pl.col("arxiv_id").is_not_null() | pl.col("listed_on").is_not_null()
    stage = pl.when(is_talk).then(pl.lit("talk")).when(is_preprint).then(pl.lit("preprint")).otherwise(pl.lit("print"))
    of_event = pl.col("event").str.extract(r"\b((?:19|20)\d\d)\b").cast(pl.Int32)
    starts = pl.col("starts_at").dt.date()
    of_talk = pl.coalesce(starts.dt.year(), of_event, pl.col("published_on").dt.year())
    other = pl.coalesce(month, "published_on", "listed_on").dt.year()
    return (
        stage.alias("stage"),
        pl.when(is_talk).then(of_talk).otherwise(other).alias("year"),
        pl.coalesce(month, "published_on", starts, "listed_on", pl.date(of_event, 12, 31)).alias("date"),
    )


def _month(pattern: str) -> pl.Expr:
    """Return the first day of the month in an arXiv id: of ``9901001`` that is January 1999."""
    year, month = (pl.col("arxiv_id").str.extract(pattern, part).cast(pl.Int32) for part in (1, 2))
    is_month = month.is_between(1, 12)
    return pl.when(is_month).then(pl.date(year + pl.when(year > 90).then(1900).otherwise(2000), month, 1))


def _beginning(text: pl.Expr) -> pl.Expr:
    """Return a hash of the beginning of an abstract; null for one that is too short to tell anything."""
    return pl.when(text.str.len_chars() >= _LEAST_ABSTRACT).then(text.str.slice(0, _ABSTRACT).hash(2))


def _ids() -> pl.Expr:
    """Return the hashes of all ids of a record, each with its scheme."""
    named = [pl.format(f"{name}:{{}}", name) for name in ("arxiv_id", "doi")]
    every = pl.concat_list(*named, pl.col("other_ids").fill_null([])).list.drop_nulls()
    return every.list.eval(pl.element().hash(3))


def _words(made: pl.DataFrame) -> pl.DataFrame:
    """Return the hashes of the different words of each title, and of the four longest."""
    words = (
        made.lazy()
        .select("row", word=pl.col("title").str.split(" "))
        .explode("word")
        .drop_nulls()
        .unique()
        .sort("row", -pl.col("word").str.len_chars().cast(pl.Int32), "word")
        .select("row", pl.col("word").hash(4))
    )
    return (
        words.group_by("row", maintain_order=True).agg(words=pl.col("word"), longest=pl.col("word").head(4)).collect()
    )


def _skeleton(surname: pl.Expr) -> pl.Expr:
    """Return the consonants of a last name, if there are three: `Böhm`, `Boehm` and `B?hm` are one; else all of it."""
    consonants = surname.str.replace_all(_VOWEL, "")
    return pl.when(consonants.str.len_chars() >= 3).then(consonants).otherwise(surname)


def _people(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the hashes of last name and initial of each author, and of the last names."""
    printed = rows.lazy().select("row", "authors").explode("authors").drop_nulls()
    names = printed.select("row", pl.col("authors").struct.field("name"))
    turned = pl.col("name").str.replace(r"^([^,]+),\s*(\S.*)$", "$2 $1")
    words = fold(turned.str.replace_all(_LOST, "ø")).str.replace(_OF_AUTHOR, "").str.split(" ")
    first, last = pl.col("words").list.first(), pl.col("words").list.last()
    is_turned = (last.str.len_chars() == 1) & (first.str.len_chars() > 1)  # `Quill A`
    surname, given = (pl.when(is_turned).then(a).otherwise(b) for a, b in ((first, last), (last, first)))
    return (
        names.with_columns(words=words)
        .drop_nulls("words")
        .select("row", surname=_skeleton(surname), initial=given.str.slice(0, 1).str.replace(_NOT_ASCII, ""))
        .group_by("row", maintain_order=True)
        .agg(
            authors=pl.format("{} {}", "surname", "initial").hash(5).unique().sort(),
            surnames=pl.col("surname").hash(6).unique().sort(),
        )
        .collect()
    )
