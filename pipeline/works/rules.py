"""An ordered table of rules decides on each pair of records: the first one that holds.

A rule joins two records, or asks a person. What an id says is never overruled by a title. No model and no weights: the
same pair is judged alike in every night, and the rule says why.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any, Final

import polars as pl

from pipeline.works.near import similarity

AMBIGUOUS: Final = "ambiguous"
FORCED: Final = "forced"
SAME_ID: Final = "id"

_HALF: Final = 0.5
_YEARS: Final = 2  # years between a programme and its preprint
_LETTERS: Final = 0.04
_SHARED: Final = 0.4  # of the words of the longer title
_CONTAINED: Final = 0.75  # of those of the shorter one, if that has four
_FEW_WORDS: Final = 4
_RIGHT: Final = "_right"

_TYPES: Final[dict[str, Any]] = {
    "left": pl.UInt32,
    "right": pl.UInt32,
    "key": pl.String,
    "rule": pl.String,
    "joins": pl.Boolean,
    "rank": pl.UInt8,
    "score": pl.Float64,
    "levels": pl.List(pl.String),
}
DECIDED: Final = pl.Schema(_TYPES)


@dataclass(frozen=True, slots=True)
class WorkRule:
    """A row of the table: ``when`` is true of the pairs that it decides, ``joins`` says if they are one work.

    What each says is in ``schemas.works.RULES``.
    """

    name: str
    joins: bool
    when: pl.Expr


def _level(name: str) -> pl.Expr:
    """Return a level as a column, false where it is unknown."""
    return pl.col(name).fill_null(value=False)


_ABSTRACT, _AUTHORS, _NEAR, _TITLE, _PART, _WORDS, _APART = (
    _level(name)
    for name in ("same_abstract", "same_authors", "near", "same_title", "same_part", "alike_words", "apart")
)
_NAMED: Final = ~_level("is_serial")
_SAME_THING: Final = _level("same_kind") & _level("same_marks") & ~_APART
"""Of one kind, not the second part or the erratum of the other, and of years that are not apart."""

_MAY_JOIN: Final = _NAMED & _SAME_THING
"""What title and people may join: a title that comes again says nothing."""

RULES: Final = (
    WorkRule(SAME_ID, joins=True, when=_level("same_id")),
    WorkRule("title", joins=True, when=_MAY_JOIN & _TITLE & _AUTHORS),
    WorkRule("near_title", joins=True, when=_MAY_JOIN & _NEAR & _AUTHORS),
    WorkRule("subtitle", joins=True, when=_MAY_JOIN & _PART & _AUTHORS),
    WorkRule(
        "abstract", joins=True, when=_SAME_THING & _ABSTRACT & (_TITLE | (_AUTHORS & _WORDS & _level("same_numbers")))
    ),
    WorkRule("version", joins=False, when=_NAMED & (_TITLE | _NEAR | _PART | _level("same_core")) & _AUTHORS),
    WorkRule("serial", joins=False, when=~_APART & _TITLE & _AUTHORS),
    WorkRule("title_alone", joins=False, when=_NAMED & ~_APART & (_TITLE | _NEAR | _PART | _level("same_core"))),
    WorkRule("abstract_alone", joins=False, when=_ABSTRACT),
    WorkRule("words", joins=False, when=_NAMED & ~_APART & _WORDS & _AUTHORS),
)
"""From the strongest to the weakest; a pair of which none holds is no candidate for a person either."""

RANKS: Final[Mapping[str, int]] = {rule.name: rank for rank, rule in enumerate(RULES, 1)}
_LEVELS: Final = ("same_id", "same_title", "near", "same_part", "same_abstract", "alike_words", "same_authors")


def decide(features: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs that a rule decides: the rule, its rank, if it joins, their score and the levels that hold."""
    compared = _compare(features, pairs)
    rank = reduce(
        lambda otherwise, rule: pl.when(rule.when).then(RANKS[rule.name]).otherwise(otherwise),
        reversed(RULES),
        pl.lit(None),
    )
    levels = pl.concat_list(pl.when(_level(name)).then(pl.lit(name)) for name in _LEVELS).list.drop_nulls()
    ranked = compared.with_columns(rank.cast(pl.UInt8).alias("rank"), levels.alias("levels")).drop_nulls("rank")
    names = {rank: name for name, rank in RANKS.items()}
    joining = [rank for rank, rule in enumerate(RULES, 1) if rule.joins]
    return ranked.select(
        "left",
        "right",
        "key",
        rule=pl.col("rank").replace_strict(names, return_dtype=pl.String),
        joins=pl.col("rank").is_in(joining),
        rank="rank",
        score=pl.mean_horizontal("title_share", "author_share").round(3),
        levels="levels",
    ).match_to_schema(DECIDED)


def _compare(features: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs with the levels on which they agree, each true, false or null."""
    columns = features.drop("record_id", "source", "date", "longest", "surnames")
    sides = columns[pairs["left"]].hstack(columns[pairs["right"]].select(pl.all().name.suffix(_RIGHT)))
    both = pairs.hstack(sides).lazy()
    shared = both.with_columns(
        people=pl.col("authors").list.set_intersection("authors_right").list.len(),
        common=pl.col("words").list.set_intersection("words_right").list.len(),
        fewest=pl.min_horizontal(pl.col("authors").list.len(), pl.col("authors_right").list.len()),
        most=pl.max_horizontal(pl.col("words").list.len(), pl.col("words_right").list.len()),
    )
    title, other = pl.col("title"), pl.col("title_right")
    levels = shared.select(
        "left",
        "right",
        "key",
        "title",
        "title_right",
        same_id=pl.col("ids").list.set_intersection("ids_right").list.len() > 0,
        same_title=title == other,
        same_part=_one_of(
            title == pl.col("head_right"),
            pl.col("head") == other,
            title == pl.col("tail_right"),
            pl.col("tail") == other,
        ),
        same_letters=_one_of(*(pl.col(name) == pl.col(name + _RIGHT) for name in ("letters", "bare"))),
        same_core=pl.col("core") == pl.col("core_right"),
        same_abstract=pl.col("abstract") == pl.col("abstract_right"),
        same_authors=(pl.col("people") > 0) & (pl.col("people") >= _HALF * pl.col("fewest")),
        alike_words=(pl.col("common") >= _SHARED * pl.col("most")) | _contained(),
        same_numbers=pl.col("numbers") == pl.col("numbers_right"),
        same_kind=pl.col("kind") == pl.col("kind_right"),
        same_marks=pl.col("marks").fill_null("") == pl.col("marks_right").fill_null(""),
        is_serial=pl.col("is_serial") | pl.col("is_serial_right"),
        apart=_are_apart(),
        may_be_near=_may_be_near(),
        title_share=pl.col("common") / pl.col("most"),
        author_share=pl.col("people") / pl.col("fewest"),
    ).collect()
    return _with_near(levels).drop("title", "title_right", "may_be_near", "same_letters")


def _contained() -> pl.Expr:
    """True if most words of the shorter title are in the other one."""
    fewest = pl.min_horizontal(pl.col("words").list.len(), pl.col("words_right").list.len())
    return (fewest >= _FEW_WORDS) & (pl.col("common") >= _CONTAINED * fewest)


def _one_of(*conditions: pl.Expr) -> pl.Expr:
    """True if one of the conditions holds; what is unknown does not."""
    return reduce(or_, (each.fill_null(value=False) for each in conditions))


def _are_apart() -> pl.Expr:
    """True if the years of two records are too far apart: a talk of each year has the same title and people."""
    preprint = (pl.col("stage") == "preprint") | (pl.col("stage_right") == "preprint")
    between = (pl.col("year") - pl.col("year_right")).abs()
    return between > pl.when(preprint).then(_YEARS).otherwise(0)


def _may_be_near() -> pl.Expr:
    """True if so few words differ that letters are worth counting: a slip costs at most a word, or divides one."""
    length, other = pl.col("title").str.len_chars(), pl.col("title_right").str.len_chars()
    slips = (pl.max_horizontal(length, other) * _LETTERS).floor()
    conditions = (
        pl.col("title") != pl.col("title_right"),
        pl.col("numbers") == pl.col("numbers_right"),
        (length.cast(pl.Int32) - other.cast(pl.Int32)).abs() <= slips,
        pl.col("most") - pl.col("common") <= 2 * slips,
    )
    return reduce(and_, (each.fill_null(value=False) for each in conditions))


def _with_near(levels: pl.DataFrame) -> pl.DataFrame:
    """Return the levels with ``near``, and the share of letters in place of that of words."""
    counted = pl.col("may_be_near") & ~_level("same_letters")  # those are near as they are
    rows = levels.with_row_index("row").filter(counted).select("row", "title", "title_right")
    shares = [similarity(first, second) for first, second in zip(rows["title"], rows["title_right"], strict=True)]
    near = rows.select("row").with_columns(pl.Series("letters", shares, pl.Float64)).filter(pl.col("letters") > 0)
    joined = levels.with_row_index("row").join(near, on="row", how="left", maintain_order="left").drop("row")
    equal = pl.when("same_title").then(1.0)
    return joined.with_columns(
        near=pl.col("letters").is_not_null()
        | (~pl.col("same_title") & (pl.col("same_letters") | pl.col("same_core") & pl.col("same_marks"))),
        title_share=pl.coalesce(equal, "letters", "title_share"),
    ).drop("letters")


def without_ambiguous(decided: pl.DataFrame, sources: pl.Series) -> pl.DataFrame:
    """Return the pairs; those with an equally good partner in one source are ``ambiguous``, which joins nothing.

    ``sources`` is the source of each row. Of partners in one source the one by the strongest rule counts, and its score
    by that rule; partners that are joined with one another are one. An id is never ambiguous.
    """
    joins = decided.with_row_index("pair").filter("joins")
    sides = pl.concat(
        joins.select("pair", "rank", "score", own=own, other=other)
        for own, other in (("left", "right"), ("right", "left"))
    )
    partners = _joined_within(joins, sources)
    sides = sides.with_columns(source=sources.gather(sides["other"]), partner=partners.gather(sides["other"]))
    quality = pl.col("rank") - pl.col("score") / 2  # a score is at most one
    sides = sides.with_columns(is_best=quality == quality.min().over("own", "source"))
    best = pl.col("partner").filter("is_best")
    rivals = (best.n_unique() > 1).over("own", "source") | (pl.col("partner") != best.first().over("own", "source"))
    doubtful = sides.filter(rivals & (pl.col("rank") > RANKS[SAME_ID]))["pair"].unique()
    is_doubtful = pl.int_range(pl.len()).is_in(doubtful.implode())
    return decided.with_columns(
        rule=pl.when(is_doubtful).then(pl.lit(AMBIGUOUS)).otherwise("rule"), joins=pl.col("joins") & ~is_doubtful
    )


def _joined_within(joins: pl.DataFrame, sources: pl.Series) -> pl.Series:
    """Return a number for each row that it shares with those of its source that it is joined with."""
    inside = joins.filter(sources.gather(joins["left"]) == sources.gather(joins["right"]))
    if inside.is_empty():
        return pl.int_range(sources.len(), eager=True)
    from pipeline.works.clusters import components  # noqa: PLC0415  # numpy is imported where there is something to join

    return components(sources.len(), inside["left"], inside["right"])
