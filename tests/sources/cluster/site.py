"""An invented site of CLUSTER: the programme at a glance of a year."""

from tests.support.sites import Sites

HOST = "cluster.example"
URL = f"https://{HOST}/2026/at_a_glance.html"
STEADY = True
"""What is asked for is the same every day, and little."""
TARGETS = ({"year": 2026, "url": URL, "timezone": "America/Chicago"},)
TITLES = frozenset({"Foam in Tanks", "Queues of Cranes", "Maps of Deltas"})


def talk(title: str) -> str:
    """Return a talk of a session."""
    return (
        f'<div class="slot-wrapper"><span class="ttip_object_info_very_wide">{title}</span>'
        f'<div class="info_link_object_info" style="display:none"><b class="slot_title">{title}</b><hr/>'
        '<div class="author-names">Ada Quill (Mole Lab), Bo Ferns (Norwick)</div>Abstract'
        "<blockquote>We look at it.</blockquote></div></div>"
    )


def page(*titles: str) -> str:
    """Return the programme of a day with one session."""
    return (
        '<html><head><title>CLUSTER 2026</title></head><body><table id="program-table"><tr><td>'
        '<h2 class="section-title">Wednesday September 9th</h2><div class="timeslot">'
        '<h3 class="session-time">9:30-11:00</h3><div class="program-session">'
        '<div class="session-title">Session (1) Stores</div><div class="room-name">Great Hall</div>'
        '<div class="session-chair">Chair: Bea Sorn (Norwick)</div>'
        f'<div class="slot-title">{"".join(map(talk, titles))}</div></div></div></td></tr></table></body></html>'
    )


def fill(sites: Sites) -> None:
    """Put the page in place."""
    sites.put(URL.removeprefix("https://"), page(*sorted(TITLES)))
