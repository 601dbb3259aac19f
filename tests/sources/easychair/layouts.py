"""Invented programmes, rendered to every layout of a Smart Program, with the records that must come back.

``markup`` renders the same programmes to HTML: of every year, to be parsed as it is, and in the plainest way, to hold
these layouts against what text extractors make of a page.
"""

from collections.abc import Iterable

from hypothesis import strategies as st

from parsers._ledger.document import Facts
from schemas.items import Person, Record
from tests.sources.easychair import markup
from tests.sources.easychair.pieces import scatter
from tests.sources.easychair.programme import (
    LAYOUTS_OF_PAGES,
    Layout,
    Programme,
    Session,
    Talk,
    clock,
    days_of,
    expected,
    names_on_one_line,
    printed_day,
    programmes,
)
from tests.support.layouts import Case

MENU = "PROGRAMAUTHORSKEYWORDS"
FOOT = "Disclaimer | Powered by EasyChair Smart Program"


def render(programme: Programme, layout: Layout) -> str:
    """Render the first day, or the index of all days, as the text of a page."""
    lines = [f"{programme.acronym}: {programme.name}", *([MENU] if layout.links else [])]
    if not layout.index:
        day, sessions = programme.days[0]
        lines += [f"PROGRAM FOR {printed_day(day).upper()}", "Days:", "previous day", "next day", "all days", ""]
        lines += ["View: session overviewtalk overview", "", *render_sessions(sessions, layout)]
        return "\n".join([*lines, FOOT])
    lines += ["PROGRAM", "", "Days:"]
    for day, _ in programme.days:
        lines += ["", printed_day(day)]
    for place, (day, sessions) in enumerate(programme.days):
        lines += [*([""] if place == 0 else []), printed_day(day), ""]
        lines += [
            "View this program: with abstractssession overviewtalk overview",
            "",
            *render_sessions(sessions, layout),
        ]
    return "\n".join([*lines, FOOT])


def render_sessions(sessions: Iterable[Session], layout: Layout) -> list[str]:
    """Render sessions with their talks."""
    lines: list[str] = []
    for session in sessions:
        gap = "" if session.is_break else " "
        lines.append(f"{clock(session.start)}-{clock(session.end)}{gap}{session.heading}")
        if session.chairs:
            lines += [session.role, *render_people(session.chairs, layout)]
        if session.room:
            lines.append(f"Location: {session.room}")
        for paragraph in session.description:
            lines += ["", paragraph]
        lines += [""] if session.description else []
        for talk in session.talks:
            lines += render_talk(talk, layout)
    return lines


def render_talk(talk: Talk, layout: Layout) -> list[str]:
    """Render one talk."""
    lines = [clock(talk.at), *render_people(talk.authors, layout)]
    lines.append(f"{talk.title} (abstract)" if layout.index else talk.title)
    if talk.presenter and (layout.links or talk.presenter == "unknown"):
        lines.append(f"PRESENTER: {talk.presenter}")
    if talk.paragraphs and not layout.index:
        lines += ["", f"ABSTRACT. {talk.paragraphs[0]}", ""]
        for paragraph in talk.paragraphs[1:]:
            lines += [paragraph, ""]
    return lines


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
