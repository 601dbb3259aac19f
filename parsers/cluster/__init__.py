"""IEEE CLUSTER and pages made with the same tool: the programme at a glance, one column a day, edited by hand.

Shared: ``headings`` reads what sessions, chairs and rooms are called, ``times`` the days and time lines, ``people`` the
names (``names`` says what could be some, ``comma_lists`` reads affiliations without brackets). ``items`` is what the
readers hand over, ``records`` what becomes of it, ``timed_talks`` the talks with times within their session's.
``edition`` says whose programme it is, ``boilerplate`` what is none of it. ``web`` says which pages to ask for.

Text: ``text`` reads it by its ``lines`` (``filled`` joins those that a terminal broke, ``wording`` and ``page_facts``
tell them apart), a slot at a time: ``parts`` are cut, ``talks`` read, ``roles`` given to other lines by their
``places`` (``keynotes``, ``bare_chairs``, ``drafts``), and all is put together in ``slots``, or in ``room_first``.
``glued`` reads cells that are one line each, cut by ``glued_pieces``, with the rooms that ``glued_rooms`` finds;
``by_date_text`` the texts of the pages by date, with ``entries`` and their ``talk_heads``.

Markup: ``html`` and ``by_date`` read the two kinds of pages, with ``elements`` (a page as a stream) and ``page_lines``
(what is done with its lines), ``outline`` (a page at a glance cut at its days and slots), ``boxes`` and ``printed``
(the sessions in it, by ``box_titles`` and ``box_talks``) and ``masthead`` (what stands above them).

Older years and sister conferences are read from ``rows``, cut into ``cells`` the same for a page and its text:
``timetable`` (2014, with ``timetable_cells``), ``grids`` (2015), ``lists`` (2017), ``numbered``.
"""

from parsers._contract import Family, Format, Page, Source
from parsers.cluster import by_date, by_date_text, glued, grids, html, lists, numbered, timetable
from parsers.cluster.text import parse, recognise
from parsers.cluster.web import WEB

SOURCE = Source(
    name="cluster",
    title="IEEE CLUSTER programme",
    version=7,
    family=Family.PROGRAMME,
    page=Page.STATE,
    formats=(
        Format(name="at_a_glance_html", expects=html.EXPECTS, recognise=html.recognise, parse=html.parse),
        Format(name="by_date_html", expects=by_date.EXPECTS, recognise=by_date.recognise, parse=by_date.parse),
        Format(
            name="by_date_text",
            expects=by_date_text.EXPECTS,
            recognise=by_date_text.recognise,
            parse=by_date_text.parse,
        ),
        Format(name="numbered", expects=numbered.EXPECTS, recognise=numbered.recognise, parse=numbered.parse),
        Format(name="timetable", expects=timetable.EXPECTS, recognise=timetable.recognise, parse=timetable.parse),
        Format(name="grids", expects=grids.EXPECTS, recognise=grids.recognise, parse=grids.parse),
        Format(name="lists", expects=lists.EXPECTS, recognise=lists.recognise, parse=lists.parse),
        Format(name="glued_cells_text", expects=glued.EXPECTS, recognise=glued.recognise, parse=glued.parse),
        Format(
            name="at_a_glance_text",
            expects="a line with a day such as 'Tuesday, September 11th' and below it a line with a time such as "
            "'9:30-11:00', 'TBA' or '08:00 am PT', each on its own, titles on the lines that follow",
            recognise=recognise,
            parse=parse,
        ),
    ),
    web=WEB,
)
