"""Long and odd schedules."""

import json

HEAD = '{"schedule": {"conference": {"title": "Jam", "days": [{"date": "2026-05-01", "rooms": {"Pot": ['
TAIL = "]}}]}}}"
XML = '<schedule><conference><title>Jam</title></conference><day date="2026-05-01"><room name="Pot">'


def texts(size: int) -> list[str]:
    """Return texts of about ``size`` characters that make a careless reader look at the same text again and again."""
    event = '{"id": 1, "title": "Foam"},'
    return [
        HEAD + event * (size // 28) + '{"id": 2, "title": "Last"}' + TAIL,
        HEAD + json.dumps({"id": 1, "title": "Foam", "abstract": "<p>" * (size // 3)}) + TAIL,
        HEAD + json.dumps({"id": 1, "title": "Foam", "abstract": "<br>" * (size // 4) + "<p"}) + TAIL,
        HEAD + json.dumps({"id": 1, "title": "Foam", "duration": "1" * size, "date": "2" * size}) + TAIL,
        HEAD + json.dumps({"id": 1, "title": "Foam", "links": ["https://a.example/" + "x" * size] * 2}) + TAIL,
        HEAD + json.dumps({"id": 1, "title": "Foam", "persons": [{"name": "Ada"}] * (size // 16)}) + TAIL,
        HEAD + "[" * 900 + "]" * 900 + TAIL,
        XML + '<event id="1"><title>Foam</title></event>' * (size // 42) + "</room></day></schedule>",
        XML + '<event id="1"><persons>' + "<person>Ada</person>" * (size // 20),
        XML + f'<event id="1"><title>Foam</title></event>{"<event>" * 100}' + "x" * size,
        "<?xml" + " " * size + "?>" + XML,
        "<!--" + "-" * size + "--><schedule>",
    ]
