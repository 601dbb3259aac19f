"""Long and odd programmes of researchr."""

TOP = '<div class="program-container">'
TABLE = '<table class="session-table" data-facet-date="Fri 1 May 2026"><tr><td><div class="session-info-in-table">Jams'
EVENT = '<tr data-slot-id="1"><td><a data-event-modal="1">Foam</a>'


def texts(size: int) -> list[str]:
    """Return texts of about ``size`` characters that make a careless reader look at the same text again and again."""
    return [
        TOP + TABLE + EVENT * (size // 60),
        TOP + (TABLE + EVENT) * (size // 180),
        TOP + '<div class="day-wrapper">' * 200 + (TABLE + EVENT) * (size // 180),
        TOP + TABLE + EVENT + '<div class="performers">' + "<a>Ada</a><span class=prog-aff>Bay</span>, " * (size // 45),
        TOP + TABLE + EVENT + '<span class="role">' + "<a>Ada</a>" * (size // 10),
        TOP + TABLE + '<tr data-slot-id="1">' + "<td>" * (size // 4) + '<a data-event-modal="1">Foam</a>',
        TOP + TABLE + f'<tr data-slot-id="1"><td><a data-event-modal="1">{"a b " * (size // 4)}</a>',
        TOP + TABLE + EVENT + f'<div class="start-time">{"1" * size}</div><strong>{"1h" * 9}</strong>',
        f'<div class="session-table" data-event-modal="{"1" * size}">',
    ]
