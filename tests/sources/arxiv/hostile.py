"""Long and odd listings, pages, feeds and mails of arXiv."""

from tests.sources.arxiv.feeds import DECLARATION

ENTRY = "[1] arXiv:2602.00001 [pdf]\nTitle: Foam\nSubjects: Fluid Dynamics (physics.flu-dyn)\n"


def texts(size: int) -> list[str]:
    """Return texts of about ``size`` characters, each with what a careless reader looks at again and again."""
    return [
        ENTRY + "a b " * (size // 4),
        ENTRY.replace("Foam", "aB" * (size // 2) + " Foo, Bar BazSubjects: Optics (physics.optics)"),
        ENTRY.replace("Foam", "Ax Bx, " * (size // 7) + "CSubjects: Optics (physics.optics)"),
        ENTRY.replace("Foam", "xComments: " * (size // 11)),
        ENTRY.replace("Fluid Dynamics", "Optics (physics.optics); " * (size // 25)),
        ENTRY.replace("Subjects", "A Foo (" * (size // 7) + "\nSubjects"),
        ENTRY.replace("Subjects", "Authors: A" + "(x)" * (size // 3) + "\nSubjects"),
        ENTRY.replace("Subjects", "Authors: " + "A for " * (size // 6) + "\nSubjects"),
        ENTRY + " - [1] arXiv:" * (size // 13),
        ENTRY + "[" * size,
        ENTRY.replace("[1] arXiv:2602.00001", "[1] [ arXiv:2602.00001 ](/abs/1)") + "[a](" * (size // 4),
        ENTRY + "\n" * size,
        "[1] arXiv:2602.00001" + " " * size + "x\n" + ENTRY,
        ENTRY.replace("Title: ", "Title:\n").replace("Subjects", "a,\n" * (size // 3) + "Subjects"),
        ENTRY.replace("Title: ", "Title:\n") + "this https URL\n" * (size // 15),
        ENTRY.replace("Title: ", "Title:\n") + "[1]\n" * (size // 4),
        ENTRY + "    Title: " + ("x" * 60 + " y\n    ") * (size // 66),
        "[1] [2]arXiv:2602.00001 " + "[3]" * (size // 3) + "\n" + ENTRY,
        "Title: Foam" + "\n" * (size // 4) + "URL Source: x\n" + ENTRY,
        ENTRY.replace("[1] arXiv:", "\\[1\\] arXiv:").replace("[pdf", "\\[pdf") + "\\\\a" * (size // 3),
        "<dl><dt>[1] <a href='/abs/2602.00001'>arXiv:2602.00001</a></dt><dd><div class='list-title'>Foam</div>"
        "<div class='list-authors'>"
        + "A, " * (size // 3)
        + "</div><div class='list-subjects'>Optics (a.b)</div></dd></dl>",
        "<dl><div class='list-title'>" * 100 + "<dt>[1]" * (size // 7),
        "<dl>" + "<dd><p>" * (size // 7) + "<div class='list-title'>",
        "<dt>" + "(replaced) " * (size // 11) + "<div class='list-title'>",
        DECLARATION
        + "<rss><channel><title>arXiv</title><item><title>"
        + "(arXiv:" * (size // 7)
        + "</title></item></channel></rss>",
        DECLARATION
        + "<rss><channel><title>arXiv</title><item><link>arxiv.org/abs/2602.00001</link><title>x</title><creator>"
        + "&lt;a " * (size // 6)
        + "</creator></item></channel></rss>",
        "\\\\\narXiv:2602.00001\nTitle: a\nAuthors: " + "A and " * (size // 6) + "\nCategories: a.b\n\\\\\n\\\\ (",
        "\\\\\narXiv:2602.00001\n" + "Date: " * (size // 12) + "\n" + "\\\\ (" * (size // 8),
    ]
