"""The closed lists of the dataset: kinds, sections, stages, note codes and quarantine reasons.

Every code of a published column is declared here once, with its exact meaning. The pandera checks, the JSON Schema and
the README table are derived from these tables; a code that is missing here fails validation. Column declarations do not
belong here (``schemas.tables``), nor does the choice of a code.
"""

from typing import Final

KINDS: Final = {
    "paper": "a talk or listing entry with authors or an abstract",
    "keynote": "an invited talk",
    "tutorial": "a tutorial, one record however many slots it fills",
    "workshop": "a workshop, one record however many slots it fills",
    "poster_session": "a session where posters are shown",
    "panel": "a panel discussion",
    "session": "any other programme item without talks",
    "ceremony": "opening, welcome, closing, awards",
    "social": "reception, banquet, dinner, excursion",
    "break": "coffee, lunch, breakfast, tea",
}

LISTING_SECTIONS: Final = {
    "new": "a first submission",
    "cross": "cross-listed from another category",
    "replacement": "a revised version",
}

LINKS: Final = {
    "attachment": "a file that belongs to the item",
    "preprint": "the paper, or an earlier form of it",
    "related": "anything else",
    "slides": "what is shown with the talk",
    "video": "a recording or stream of the talk",
}

FORMATS: Final = {
    "pdf": "PDF",
    "html": "HTML",
    "ps": "PostScript",
    "other": "the page of other formats",
}

CHANGE_KINDS: Final = {
    "added": "the snapshot before did not have the record",
    "changed": "columns differ",
    "moved": "columns differ, times or rooms among them, and both snapshots have a time or room",
    "removed": "the snapshot does not have the record any more",
    "retitled": "beside an added and a removed record: one under another title; its old record_id is in values",
}

STAGES: Final = {
    "snapshot": "the dump could not be read or decoded",
    "parse": "the parser could not make a record of it, or it is a value that its column refuses",
    "validate": "the record, or the dump as a whole, broke a check",
}

NOTES: Final = {
    "abstract_missing": "no sighting of this paper printed an abstract",
    "abstract_or_summary": "the layout does not say whether the text is the authors' abstract or an overview",
    "abstract_placeholder": "a placeholder such as TBA was printed instead of the abstract",
    "arxiv_id_from_address": "no field prints an arXiv id: an address of the paper leads to it",
    "around_rejected": "what the page prints around the record, such as its session, was rejected: that is missing",
    "authors_cut": "the page cut the author list and says so",
    "authors_missing": "no sighting of this paper printed its authors",
    "authors_uncertain": "title and authors, or authors, are glued and no safe split was found: they stand as printed",
    "authors_unordered": "the dump is known not to keep the order of the authors: the first one may not be the first",
    "bracket_unclosed": "the bracket of an affiliation is not closed: the text up to the end of the line is taken",
    "cancelled": "the item is marked as cancelled or withdrawn",
    "character_lost": "a character of it is lost: it is printed as U+FFFD, or bytes of the dump are no text",
    "controls_removed": "control characters, or such as turn the direction of a text around, were taken out of it",
    "date_invalid": "the day heading names a day that does not exist: times are null",
    "day_unread": "a line above that was not read looks like the heading of a day: times are null",
    "day_unknown": "the dump names no day: times are null",
    "doi_from_address": "no field prints a DOI: an address of the paper leads to it",
    "doi_from_text": "no field prints a DOI: it stands in the journal reference or the comments",
    "doi_invalid": "what is printed as the DOI is none: it is left out",
    "end_before_start": "the printed end is not after the start and not a night past midnight: ends_at is null",
    "end_inferred": "only a start is printed: it ends where the next talk of the session starts or the session ends",
    "event_inferred": "no event is printed or given: series name and year",
    "field_unread": "a field of the record, or of its session, is printed twice or in an invalid form: it is left out",
    "heading_unread": "a line above that was not read stands where a heading could: the record may belong below that",
    "id_repeated": "the dump prints the id of the record again, with another title or for another item",
    "key_shared": "another item has the same title and other authors or texts: those may be part of record_id",
    "specimen": "invented: it comes from a dump whose sidecar says that it is a specimen",
    "time_is_session": "the item is printed without a time of its own: it has the slot of its session",
    "time_outside_session": "the printed start of the talk is not within the printed times of its session: both stand",
    "time_unread": "a line above that was not read begins with a time: the times of the slot before it are left out",
    "title_missing": "no sighting of this record printed a title",
    "value_doubtful": "a name, room, title or line looks like something else (a label, a time, a list), or is twice",
    "weekday_disagrees": "the printed weekday is not that of the date: the date stands",
    "year_inferred": "the sidecar names no year: it comes from captured_at, the page, the path or the text",
    "year_unknown": "no year was found: times are null",
    "zone_converted": "the page gives moments of another zone than that of the venue: they are its wall clock",
}

REASONS: Final = {
    "ambiguous": "an item that can be two things, whose first line could be read otherwise at hardly more",
    "bad_bundle": "the files that belong to the dump are not there, or several are one of them",
    "bad_sidecar": "the .meta.toml beside the dump is not valid",
    "bad_table": "the table.toml by which the dump is read is missing or not valid",
    "count_mismatch": "the page declares another number of entries than was parsed from it",
    "cut": "the dump ends before the end that its format has: here, or with this item",
    "date_invalid": "the text names a day that does not exist",
    "declined": "a page of this source that holds no programme and no listing",
    "decode_error": "bytes are not text in the encoding of the dump, or all of it is not in any that was tried",
    "empty_dump": "the file holds no text",
    "empty_result": "no record came out, and the page does not say that it is empty",
    "guard_asked": "the page shows another day or category than was asked for",
    "guard_challenge": "the page asks for something, such as a captcha or a login, instead of showing anything",
    "guard_coverage": "until contract 1.4: far fewer records of the page had titles, authors or abstracts than before",
    "guard_cut": "the dump ends before the end that its format has",
    "guard_declared": "the page holds far fewer records than it declares",
    "guard_drop": "the page holds far fewer records than its last good capture",
    "guard_garbled": "most text of the page beyond ASCII was decoded wrongly",
    "guard_language": "the page says that it is in another language than before, and most of its texts are others",
    "guard_layout": "the layout of the page is not that of its last good capture",
    "guard_lost": "records of the page that were known have lost values that they had before",
    "guard_other_event": "the page is of another event than was asked for, by its title",
    "guard_other_year": "the page is of another year than was asked for, by its dates or else its title",
    "guard_replaced": "nine in ten of the known records of a programme that has not ended are gone",
    "guard_shifted": "values of known records stand inside texts of other columns than before",
    "guard_spoilt": "titles, rooms or names of known records have all gained the same words",
    "guard_stale": "the page lists a new day with the entries of the day before",
    "guard_unexplained": "most of the page is unexplained or in rejected items",
    "id_repeated": "an item has the id of another one and another title: the title of the other one stands",
    "incomplete_item": "an item is cut or lacks the parts that make it a record",
    "invalid_value": "a value broke a check of the schema",
    "layout_doubtful": "the dump is read, but its lines fit the grammar of its format badly: did the layout change?",
    "malformed": "the markup or JSON cannot be read without loss: all of it, or what is behind the last complete item",
    "not_this_source": "the content is not in any format of its source",
    "nul_byte": "the file holds NUL bytes: binary or damaged",
    "parser_failed": "the parser raised an error that it should not: a defect of the parser",
    "reader_died": "the process that read the dump died of it",
    "too_large": "the file is larger than the cap on one dump, or takes more memory than reading one may",
    "too_slow": "reading the dump takes longer than reading one may",
    "unexplained_line": "a line that no record, heading or named boilerplate pattern claimed",
    "unknown_source": "a folder or file of the raw root that belongs to no known source",
    "unpublished_text": "a record or heading claims words that no record has, and that its source does not leave out",
    "unreadable": "the file is refused by the operating system, is no regular file, or is packed and damaged",
}
