"""A session of a text dump while its lines are being read: what is known of it so far.

    Session (1) Stores         its heading
    Great Hall                 its room, seen even where it says ``TBA``
    Chair: Bea Sorn            its chairs
    Co-Chair: Cal Tern         may share the work of the chair right above

Which line adds what does not belong here (``slots``, ``roles``).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from parsers.cluster.headings import SOLO, SessionHeading, read_chair_label
from parsers.cluster.items import PrintedTalk, item_kind
from parsers.cluster.lines import Line, What
from parsers.cluster.parts import Part
from parsers.cluster.people import NOBODY, People


@dataclass(slots=True)
class Draft:
    """A session while its lines are being read."""

    heading: SessionHeading | None
    lines: list[Line] = field(default_factory=list)
    room: str | None = None
    room_seen: bool = False
    chairs: People = NOBODY
    chair_seen: bool = False
    chair_line: Line | None = None
    presenter: str | None = None
    points: list[str] = field(default_factory=list)
    talks: list[PrintedTalk] = field(default_factory=list)
    type_line: Line | None = None
    notes: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Say whether nothing was read that could become a record."""
        return self.heading is None and not self.talks

    @property
    def fresh(self) -> bool:
        """Say whether nothing but the title is known yet."""
        return not (self.room_seen or self.chair_seen or self.points or self.talks or self.presenter)

    @property
    def keynote(self) -> bool:
        """Say whether it is the slot of a keynote."""
        return self.heading is not None and self.heading.keynote is not None

    @property
    def solo(self) -> bool:
        """Say whether its title announces one talk."""
        return self.heading is not None and SOLO.fullmatch(self.heading.printed) is not None

    def shares_chair(self, part: Part) -> bool:
        """Say whether ``part`` names, right below the chair, who shares the work: ``Co-Chair:``, ``Discussant:``."""
        above = self.chair_line
        if above is None or self.talks or self.lines[-1] is not above or part.what is not What.CHAIR:
            return False
        first, second = [(read_chair_label(line.text) or ("", ""))[0].lower() for line in (above, part.line)]
        return second.startswith("co") or (first != second and "chair" not in second)

    @property
    def kind(self) -> str:
        """What it is by its title, should it list no talks."""
        heading = self.heading
        if heading is None or heading.code or heading.track:
            return "session"
        return item_kind(heading.title or heading.printed, heading.tag)
