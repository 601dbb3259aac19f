"""IEEE CLUSTER and pages made with the same tool, Linklings: the programme at a glance, and other and older layouts.

A page becomes blocks, a state table defines which block may follow which, and the result becomes records. Start reading
with ``glance``, the table of a programme at a glance, then ``forms``, the forms of its lines. ``text`` and ``html``
make the blocks of its two renditions. ``by_date_text`` reads texts of the pages by date, room and type; ``older`` the
programmes of 2014, 2015 and 2017 by their ``older_layouts``, from ``rows``, which are the same for a page and its text.

All of them cut a page into an outline, which ``items`` turns into records. Within a line ``headings`` reads days, times
and the headings of sessions, ``people`` the names; ``chrome`` reads what is around a programme. ``web`` lists the pages
to fetch. ``docs/adr/0016`` explains the design.
"""

from parsers._contract import Family, Format, LeftOut, PageKind, Source
from parsers._words.titles import DECORATIONS
from parsers.cluster import by_date_text, html, older, text
from parsers.cluster.chrome import BOILERPLATE
from parsers.cluster.web import WEB

GLANCE = Format(
    name="at_a_glance_text",
    expects="a line with a day such as 'Tuesday, September 11th' and below it a line with a time such as "
    "'9:30-11:00', 'TBA' or '08:00 am PT', each on its own line, followed by titles",
    recognise=text.recognise,
    parse=text.parse,
)
BY_DATE = Format("by_date_text", by_date_text.EXPECTS, by_date_text.recognise, by_date_text.parse)
UNREADABLE = Format("unreadable_text", text.UNREADABLE, text.is_unreadable, text.refuse, refuses=True)

SOURCE = Source(
    name="cluster",
    title="IEEE CLUSTER programme, and others in the layout of Linklings",
    version=14,
    leaves_out=LeftOut(
        DECORATIONS
        | frozenset(
            "abstract agenda author authors award best biography canceled cancelled chair chaired chairs conference"
            " location moderator noon onwards organizer organizers panelists panellists paper parallel poster posters"
            " presenter room session sessions short speaker speakers student track tutorial tutorials workshop"
            " workshops".split()
        )
    ),
    family=Family.PROGRAMME,
    page=PageKind.STATE,
    formats=(
        Format(name="html", expects=html.EXPECTS, recognise=html.recognise, parse=html.parse),
        text.plain(UNREADABLE, BOILERPLATE),
        older.MARKED,
        *older.FORMATS,
        text.plain(GLANCE, BOILERPLATE),
        text.plain(BY_DATE, BOILERPLATE),
    ),
    web=WEB,
)
