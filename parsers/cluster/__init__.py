"""IEEE CLUSTER and pages made with the same tool: the programme at a glance, and the layouts around and before it.

A page becomes blocks, a table of states says what may follow what, and what it finds becomes records (``records``).
Forms of lines are in ``forms``, the table of a programme at a glance in ``grammar``, its reading in ``glance``, its
two renditions in ``text`` and ``markup`` (with ``elements``, a page as a stream, and ``masthead``, what stands above).
``by_date_text`` reads the texts of the pages by date, room and type; ``older`` the years before, by their
``older_layouts``, from ``rows`` that are the same for a page and its text. ``unreadable`` refuses what cannot be told.

Within a line ``headings`` reads what sessions, chairs and rooms are called, ``times`` the days and times, ``people``
the names (``names`` says what could be some, ``comma_lists`` reads affiliations without brackets). ``edition`` says
whose programme it is, ``boilerplate`` what is none of it. ``web`` says which pages to ask for.
"""

from parsers._contract import Family, Format, Page, Source
from parsers.cluster import by_date_text, markup, older, text
from parsers.cluster.web import WEB

SOURCE = Source(
    name="cluster",
    title="IEEE CLUSTER programme",
    version=7,
    family=Family.PROGRAMME,
    page=Page.STATE,
    formats=(
        Format(name="html", expects=markup.EXPECTS, recognise=markup.recognise, parse=markup.parse),
        Format("unreadable_text", text.UNREADABLE, text.is_unreadable, text.refuse),
        Format(
            name="at_a_glance_text",
            expects="a line with a day such as 'Tuesday, September 11th' and below it a line with a time such as "
            "'9:30-11:00', 'TBA' or '08:00 am PT', each on its own, titles on the lines that follow",
            recognise=text.recognise,
            parse=text.parse,
        ),
        Format("by_date_text", by_date_text.EXPECTS, by_date_text.recognise, by_date_text.parse),
        *older.FORMATS,
    ),
    web=WEB,
)
