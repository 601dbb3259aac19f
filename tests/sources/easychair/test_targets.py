"""What is particular to dumps with the targets of links: those of the program itself are left out."""

from schemas.items import Person
from tests.helpers import parse_text

TOP = (
    "CRUMB2024: A CONFERENCE\nPROGRAM (index.html)AUTHORS (talk_author_index.html)\nPROGRAM FOR MONDAY, APRIL 15TH\n"
    "Days:\nnext day\n (2024-04-16.html)\n\nView: session overview (bysession-2024-04-15.html)talk overview"
    " (bytalk-2024-04-15.html)\n\n"
)
SITE = "https://easychair.org/smart-program/CRUMB2024"


def test_targets_behind_names_and_rooms() -> None:
    """Targets of the program are no affiliation, no room and no title; those of other pages are text."""
    head = f"09:00-10:00 Session 1: Heat\n ()\nChair:\nBo Two ({SITE}/person2.html)\nLocation: Hall (1F) (room3.html)\n"
    names = f"Anna Vell (person1.html) (Quill (QI), Norland)\nBo Two ({SITE}/person2.html)\n"
    tail = "Hot (#1)\nPRESENTER: Bo Two (person2.html)\n\nABSTRACT. See (https://crumb.example/a.html).\n"
    foot = "Disclaimer (https://easychair.org/disclaimer.cgi) | Powered by EasyChair Smart Program (https://easychair.org/)"
    parsed = parse_text("easychair", f"{TOP}{head}09:00\n{names}{tail}\n{foot}\n")
    (record,) = parsed.records
    assert (parsed.format, parsed.rejects, record.title, record.presenter) == ("targets", (), "Hot (#1)", "Bo Two")
    assert record.authors == (Person("Anna Vell", "Quill (QI)", "Norland"), Person("Bo Two"))
    assert (record.chairs, record.abstract) == ((Person("Bo Two"),), "See (https://crumb.example/a.html).")
    assert [slot.room for slot in record.slots or ()] == ["Hall (1F)"]
    assert (record.line_start, record.line_end) == (15, 21)
