"""Long and odd feeds, pages and texts of alphaXiv."""

TEXT = (
    "We fill tanks of growing size with foam and measure how long the bubbles live; walls matter more than we thought."
)


def texts(size: int) -> list[str]:
    """Return texts of about ``size`` characters that make a careless reader look at the same text again and again."""
    return [
        f"foam-tanks\n{TEXT} A.\n" + "a b " * (size // 4),
        f"foam-tanks\n{TEXT} A.\n" + "1" * size,
        f"foam-tanks\n{TEXT} A.\n" + "1\n" * (size // 2),
        f"foam-tanks\n{TEXT} A.\n" + "a-" * (size // 2),
        f"foam-tanks\n{TEXT} A.\n" + " " * size + "x",
        f"foam-tanks\n{TEXT} A.\n" + "\n" * size,
        '[{"universal_paper_id": "' + "1" * size + '", "title": "Foam"}]',
        '[{"universal_paper_id": "2603.01234", "title": "' + " " * size + 'x"}]',
        '[{"universal_paper_id": "2603.01234", "topics": ' + "[" * 900 + "]" * 900 + "}]",
        '[{"universal_paper_id": ' + "[" * size,
        '{"papers": [' + '{"canonical_id": 1},' * (size // 20) + "1]}",
        '[{"universal_paper_id": "1", "title": "x", "publication_date": "' + "Mon Mar 02 2026 " * (size // 16) + '"}]',
        '{"papers"' + " " * size + ":",
        "<html>alphaXiv<script>$_TSR$R[0]={papers:" + "[" * size,
        "<html>alphaXiv<script>$_TSR$R[0]={papers:" + "[$R[1]" * (size // 6),
        '<html>alphaXiv<script>$_TSR$R[0]={papers:["' + "\\\\" * size,
        "<html>alphaXiv<script>$_TSR"
        + "".join(f"$R[{n}]=[$R[{n + 1}],$R[{n + 1}]];" for n in range(30))
        + "$R[30]=1;papers:[$R[0]]",
        "<html>alphaXiv<script>$_TSR$R[0]={papers:["
        + "$R[5]," * min(9_999, size // 12)
        + "$R[5]=["
        + "1," * (size // 8)
        + "1]]",
        '[{"universal_paper_id": "1", "title": "x", "publication_date": 1e300}]',
        "<html>" + "alphaXi" * (size // 7) + "self._" * (size // 6),
    ]
