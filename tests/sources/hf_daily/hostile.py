"""Long and odd answers, pages and texts of Hugging Face papers."""

TOP = "Daily Papers\nbyAK and the research community\n"
ABSTRACT = "We fill tanks of growing size with foam and measure how long all of the bubbles live."


def texts(size: int) -> list[str]:
    """Return texts of about ``size`` characters that make a careless reader look at the same text again and again."""
    return [
        "[" + '{"paper": {}},' * (size // 14) + "1]",
        '["' + "{'paper': {" * (size // 11) + '"]',
        "[\"{'paper': " + "-" * size + '1}"]',
        "[\"{'paper': " + "(" * 150 + "1" * (size // 4) + ")" * 150 + '}"]',
        '[{"paper": {"id": ' + "1" * size + "}}]",
        '[{"paper": {"id": ' + "[" * size,
        '[{"paper": {"id": ' + "[" * 900 + "]" * 900 + "}}]",
        "<main>" + "<article><h3><a href='/papers/2511.00001'>Foam</a></h3>" * (size // 60),
        "<main><article><h3><a href='/papers/2511.00001'>Foam</a></h3>" + "<b>x</b>" * (size // 8),
        '<div data-target="DailyPapers" data-props="' + "&quot;" * (size // 6) + '">',
        "<h3" + " <h3" * (size // 4) + 'data-target="DailyPapers"',
        f"{TOP}Foam\n" + "a b " * (size // 4),
        f"{TOP}Foam\n{ABSTRACT}\n" + "·\n" * (size // 2),
        f"{TOP}Foam\n{ABSTRACT}\n" + "Foam\n" * (size // 5),
        f"{TOP}Foam\n{ABSTRACT}\n" + " " * size + "x",
        "Submitted by quill 24 Foam" + " · 5 authors" * (size // 12),
        "Submitted by quill\n24\nFoam\n" + "1" * size,
        "### [Foam](/papers/2603.01234)\n" + "[a](" * (size // 4),
        "### [Foam](/papers/2603.01234)\n" + "a](b) " * (size // 6),
        "### [Foam](/papers/2603.01234)\n" + "### [a\n" * (size // 7),
        "### [Foam](/papers/2603.01234)\n" + "### [" + "](/papers/" * (size // 10),
        "### [Foam](/papers/2603.01234)\n" + "* " * (size // 2),
        "### [Foam](/papers/2603.01234)\n" + "[" * size + "](b)",
        "\n" * (size // 26) + f"{TOP}Foam\n{ABSTRACT}\n",
    ]
