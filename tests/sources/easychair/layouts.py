"""Invented programmes, in every layout of a Smart Program, with the records that must come back.

``markup`` renders them to HTML: of every year, to be parsed as it is, and in the plainest way, for a text extractor.
"""

import re

from hypothesis import strategies as st
from resiliparse.extract.html2text import extract_plain_text

from parsers._ledger.document import Facts
from schemas.items import Person, Record
from tests.sources.easychair import markup
from tests.sources.easychair.pieces import scatter
from tests.sources.easychair.programme import (
    LAYOUTS_OF_PAGES,
    Layout,
    Programme,
    clock,
    days_of,
    expected,
    names_on_one_line,
    programmes,
)
from tests.support.layouts import Case


def render(programme: Programme, layout: Layout) -> str:
    """Return what the extractor leaves of the page of the first day, or of the index of all days.

    Of the main content without the presenters: it keeps those that it likes.
    """
    page = markup.render_page(programme, layout)
    if layout.links:
        return extract_plain_text(page)
    return re.sub(r"^PRESENTER: (?!unknown$).*\n", "", extract_plain_text(page, main_content=True), flags=re.MULTILINE)


def render_people(people: tuple[Person, ...], layout: Layout) -> list[str]:
    """Render names: each on a line with affiliation, or all on one line, which is lost where it is only links."""
    if layout.affiliations:
        return [f"{person.name} ({person.affiliation}, {person.country})" for person in people]
    return [names_on_one_line(people)] if layout.links and people else []


def render_table(programme: Programme) -> str:
    """Render the talks of the first day as a table without headings, blank lines or authors."""
    lines = ["View: session overviewtalk overview"]
    for talk in (talk for session in programme.days[0][1] for talk in session.talks):
        lines += [f"|{clock(talk.at)}", talk.title]
        lines += [f"SPEAKER: {talk.presenter}"] if talk.presenter else []
        if talk.paragraphs:
            lines += [f"ABSTRACT. {talk.paragraphs[0]}", *talk.paragraphs[1:]]
    return "\n".join(lines)


def render_rows(programme: Programme) -> str:
    """Render the talks of the first day with each on one line, without headings or authors."""
    lines = ["View: session overviewtalk overview"]
    for talk in (talk for session in programme.days[0][1] for talk in session.talks):
        presenter = f" PRESENTER: {talk.presenter}" if talk.presenter else ""
        abstract = f" ABSTRACT. {' '.join(talk.paragraphs)}" if talk.paragraphs else ""
        lines.append(f"| {clock(talk.at)} | {talk.title}{presenter}{abstract} |")
    return "\n".join(lines)


def expected_of_table(programme: Programme, facts: Facts) -> tuple[Record, ...]:
    """Return the records of the table: nothing but titles, presenters and abstracts."""
    return tuple(
        Record(
            line_start=None,
            line_end=None,
            title=talk.title,
            presenter=None if talk.presenter == "unknown" else talk.presenter,
            abstract="\n\n".join(talk.paragraphs) or None,
            event=facts.event,
            notes=("day_unknown",),
        )
        for session in programme.days[0][1]
        for talk in session.talks
    )


def has_talks(programme: Programme) -> bool:
    """True if the first day has a talk with an abstract."""
    return any(talk.paragraphs for session in programme.days[0][1] for talk in session.talks)


def has_plain_breaks(programme: Programme) -> bool:
    """True if every break of the first day is one by its title."""
    return all(session.title != "Walk to the Harbour" for session in programme.days[0][1])


def cases(layout: Layout) -> st.SearchStrategy[Case]:
    """Make dumps of one layout; the sidecar is silent or names event and year."""

    def make(programme: Programme, *, told: bool) -> Case:
        facts = Facts(event="Told 1", year=programme.days[0][0].year) if told else Facts()
        return Case(render(programme, layout), expected(programme, layout, facts), facts)

    return st.builds(make, programmes(days_of(layout)), told=st.booleans())


def tables() -> st.SearchStrategy[Case]:
    """Make dumps whose talks are table cells."""

    def make(programme: Programme, event: str | None) -> Case:
        facts = Facts(event=event)
        return Case(render_table(programme), expected_of_table(programme, facts), facts)

    return st.builds(make, programmes(1).filter(has_talks), st.sampled_from([None, "Told 1"]))


def rows() -> st.SearchStrategy[Case]:
    """Make dumps whose talks are one line each; the paragraphs of an abstract are glued together."""

    def make(programme: Programme, event: str | None) -> Case:
        facts = Facts(event=event)
        records = expected_of_table(programme, facts)
        glued = (record._replace(abstract=(record.abstract or "").replace("\n\n", " ") or None) for record in records)
        return Case(render_rows(programme), tuple(glued), facts)

    return st.builds(make, programmes(1).filter(has_talks), st.sampled_from([None, "Told 1"]))


def scattered(layout: Layout) -> st.SearchStrategy[Case]:
    """Make dumps in pieces, without breaks that only the blank tells which is missing behind their interval."""

    def make(programme: Programme) -> Case:
        sessions = programme.days[0][1]
        groups = [*(session.chairs for session in sessions)]
        groups += [talk.authors for session in sessions for talk in session.talks]
        names = {line for people in groups for line in render_people(people, layout)}
        facts = Facts(year=programme.days[0][0].year)
        return Case(scatter(render(programme, layout), names), expected(programme, layout, facts), facts)

    return st.builds(make, programmes(1).filter(has_plain_breaks))


LAYOUTS: dict[str, st.SearchStrategy[Case]] = {
    **{name: cases(layout) for name, layout in LAYOUTS_OF_PAGES.items()},
    "table": tables(),
    "rows": rows(),
    "scattered_names": scattered(Layout()),
    "scattered_affiliations": scattered(Layout(affiliations=True)),
    **markup.LAYOUTS,
}
