"""EasyChair Smart Program: the day pages and index pages of conferences whose programme EasyChair prints.

``headings`` reads the structural lines, ``people`` the names, ``items`` turns the printed pieces of sessions and talks
into records, whatever kind of page they were read from. ``text`` reads a text dump: ``marks`` finds its structural
lines, ``tops`` reads what stands above the sessions, ``details``, ``descriptions`` and ``talks`` what is between the
lines, ``groups`` puts the talks into their sessions; ``rows`` reads a dump with each talk on one line, with or without
``markdown``, ``scattered`` one with each piece of text on its own, ``columns`` and ``tabs`` one laid out as a table,
``targets`` one with the addresses of links (all by way of ``relined``), ``likeness`` one of a program that looks like
a Smart Program. ``html`` reads a page: ``chrome`` what stands around the programme, ``days`` its days, ``sections``
finds which elements belong together, by their ``parts``, ``pieces`` reads them with the help of ``elements`` and
``names``. ``web`` says which pages to ask for.
"""

from parsers._contract import Family, Format, Page, Source
from parsers.easychair import cells, columns, html, likeness, rows, scattered, tabs, targets, text
from parsers.easychair.web import WEB

SOURCE = Source(
    name="easychair",
    title="EasyChair Smart Program",
    version=7,
    family=Family.PROGRAMME,
    page=Page.STATE,
    formats=(
        Format("html", html.EXPECTS, html.recognise, html.parse),
        Format("likeness", likeness.EXPECTS, likeness.recognise, likeness.parse),
        Format("cells", cells.EXPECTS, cells.recognise, cells.parse),
        Format("targets", targets.EXPECTS, targets.recognise, targets.parse),
        Format("columns", columns.EXPECTS, columns.recognise, columns.parse),
        Format("tabs", tabs.EXPECTS, tabs.recognise, tabs.parse),
        Format("rows", rows.EXPECTS, rows.recognise, rows.parse),
        Format("scattered", scattered.EXPECTS, scattered.recognise, scattered.parse),
        Format(
            name="text",
            expects="a Smart Program as text: 'PROGRAM FOR ..' or its view links, and sessions '09:00-10:00 Title'"
            " or talks that begin with a line '09:00' or '|09:00'",
            recognise=text.recognise,
            parse=text.parse,
        ),
    ),
    web=WEB,
)
