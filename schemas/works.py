"""The tables of works: which records are one work, and why. Declared as those of ``schemas.tables`` are."""

from typing import Final

import polars as pl

from schemas.tables import ARXIV_ID, DOI, Table, column, matches, one_of
from schemas.vocabulary import KINDS

WORK_ID: Final = r"^work:[a-z][a-z0-9_]*:\S+$"

RULES: Final = {
    "forced": "a person has said so",
    "id": "one arXiv id, DOI or other id",
    "title": "the same title and authors, in years that are not apart",
    "near_title": "nearly the same title, and the same authors, in years that are not apart",
    "subtitle": "one has the title of the other without or as its subtitle, and the same authors",
    "abstract": "the same beginning of the abstract, and the same title, or authors and many words of the title",
    "version": "title and authors, but of another kind, part, version or year",
    "serial": "a title that comes again, as `Editorial` does, and the same authors",
    "title_alone": "the same title or nearly, and authors that are others or unknown",
    "abstract_alone": "the same beginning of the abstract, as a second paper may have that of the first",
    "words": "many words of the title, and the same authors",
    "ambiguous": "a rule that joins, but another record of the same source fits as well or better",
    "refused": "a rule that joins, but the two works contradict each other",
}
"""Why two records are one work, or may be, from the strongest rule to the weakest."""

LEVELS: Final = {
    "same_id": "an id in common",
    "same_title": "the same folded title",
    "near": "titles that differ by a slip, or by words that say nothing",
    "same_part": "the title of one is the part of the other before or behind its colon",
    "same_abstract": "the same beginning of the abstract",
    "alike_words": "at least two fifths of the words of the longer title in common",
    "same_authors": "at least half of the authors of the shorter list in common",
}
"""On what two records agree."""

_SCORE: Final = "mean of the share of the title and that of the authors that agree"

WORKS: Final = Table(
    "works",
    "One row per work: a paper, keynote or tutorial, wherever it is listed.",
    {
        "work_id": column(
            pl.String, "`work:` and the record_id of its oldest record", matches("a work", WORK_ID), nullable=False
        ),
        "kind": column(pl.String, "kind of its oldest record", one_of(KINDS), nullable=False),
        "title": column(pl.String, "title of its oldest record"),
        "first_on": column(pl.Date, "the day by which its oldest record is the oldest"),
        "arxiv_id": column(pl.String, "the arXiv id of its records", matches("an arXiv id", ARXIV_ID)),
        "doi": column(pl.String, "the DOI of its oldest record that has one", matches("a DOI", DOI)),
        "records": column(pl.UInt32, "number of its records", nullable=False, unit="count"),
        "sources": column(pl.List(pl.String), "the sources of its records, sorted", nullable=False),
    },
    unique=("work_id",),
)

WORK_MEMBERS: Final = Table(
    "work_members",
    "One row per record of a work, with the strongest rule that joins it with another one.",
    {
        "work_id": column(pl.String, "its work", matches("a work", WORK_ID), nullable=False),
        "record_id": column(pl.String, "the record", nullable=False),
        "source": column(pl.String, "name of the parser's source", nullable=False),
        "rule": column(pl.String, "why it is of the work; null for the only one", one_of(RULES)),
        "partner": column(pl.String, "the record that the rule joins it with"),
        "key": column(pl.String, "what the two were found by"),
        "score": column(pl.Float64, _SCORE),
        "levels": column(pl.List(pl.String), "on what the two agree", empty=True),
    },
    unique=("record_id",),
)

WORK_REVIEWS: Final = Table(
    "work_reviews",
    "One row per two records that may be one work, for a person to decide.",
    {
        "record_id": column(pl.String, "one of the records", nullable=False),
        "partner": column(pl.String, "the other one, whose record_id is the larger one", nullable=False),
        "rule": column(pl.String, "why they may be one work, or were not joined", one_of(RULES), nullable=False),
        "why": column(pl.String, "what contradicts a pair that was refused"),
        "key": column(pl.String, "what the two were found by"),
        "score": column(pl.Float64, _SCORE),
        "levels": column(pl.List(pl.String), "on what the two agree", empty=True),
    },
    unique=("record_id", "partner"),
)

WORK_CHANGE_KINDS: Final = {
    "merged": "its records were of several works",
    "split": "records of the work that it was are now another one",
    "grown": "records have come to it",
    "shrunk": "records of it are gone",
    "renamed": "the same records, of which another one is now the oldest",
}
"""What became of a work since the snapshot before; of several the first one is told."""

WORK_CHANGES: Final = Table(
    "work_changes",
    "One row per work that was made of other records in the snapshot before; not of one whose records are all new.",
    {
        "work_id": column(pl.String, "the work", matches("a work", WORK_ID), nullable=False),
        "change": column(pl.String, "what happened", one_of(WORK_CHANGE_KINDS), nullable=False),
        "title": column(pl.String, "title of the work"),
        "before": column(pl.List(pl.String), "the works that its records were of, sorted", nullable=False),
        "added": column(pl.List(pl.String), "its records that were of none of its name before", empty=True),
        "removed": column(pl.List(pl.String), "records that were of its name before and no longer are", empty=True),
    },
    unique=("work_id",),
)

WORK_TABLES: Final = {table.name: table for table in (WORKS, WORK_MEMBERS, WORK_REVIEWS, WORK_CHANGES)}
