"""Which files belong together, by patterns and stamps."""

import pytest

from parsers._ledger.bundle import by_name, capture_of, is_companion, is_like, patterns_in, patterns_of, split_name


@pytest.mark.parametrize(
    ("text", "pattern", "same"),
    [
        ("main_calendar.json", "*calendar.json", True),
        ("Calendar.JSON", "*calendar.json", True),
        ("calendar.json.bak", "*calendar.json", False),
        ("calendar.json", "calendar.json", True),
        ("a-calendar-b.json", "*calendar*.json", True),
        ("abab", "ab*ab", True),
        ("aba", "ab*ba", False),
        ("axbxc", "a*b*c", True),
        ("axcxb", "a*b*c", False),
        ("a" * 5_000, "*a" * 50 + "b", False),
    ],
)
def test_names_and_patterns(text: str, pattern: str, *, same: bool) -> None:
    """Stars stand for any text, which may be empty; parts do not overlap."""
    assert is_like(text, pattern) == same


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("x/y/papers.csv", ("", "papers.csv")),
        ("x/papers.csv.gz", ("", "papers.csv")),
        ("x/papers-20260711T0300Z.csv", ("20260711T0300Z", "papers.csv")),
        ("x/20260711T030000Z.calendar.json", ("20260711T030000Z", ".calendar.json")),
        ("x/20260711T030000Z-000012.calendar.json.zst", ("20260711T030000Z-000012", ".calendar.json")),
        ("x/papers-2026-07-11.csv", ("", "papers-2026-07-11.csv")),
        ("x/papers-20261311T0300Z.csv", ("", "papers-20261311T0300Z.csv")),
        ("x/20260711T0300Z-papers.csv", ("", "20260711T0300Z-papers.csv")),
        ("x/20260711T030000Z.papers-20260611T0300Z.csv", ("20260711T030000Z", ".papers-20260611T0300Z.csv")),
    ],
)
def test_stamps_are_no_part_of_a_name(path: str, parts: tuple[str, str]) -> None:
    """Nor is the suffix of a packed file; a day alone is a part of it, and what is no day; the first stamp counts."""
    assert split_name(path) == parts
    assert capture_of(path) == (path.rpartition("/")[0], parts[0])


def test_the_first_pattern_counts() -> None:
    """Of several patterns of one name the first that a file has; two files for it are both returned."""
    paths = ["x/a_sessions.yml", "x/b_sessions.yml", "x/calendar.json", "x/speakers.csv"]
    patterns = patterns_of({"times": ["*events.csv", "*sessions.yml", "*calendar.json"], "people": "*speakers.csv"})
    assert by_name(paths, patterns) == {"times": paths[:2], "people": paths[3:]}
    assert [is_companion(path, ["*.yml"]) for path in paths] == [True, True, False, False]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ([], "expected at most 20 rows"),
        ({"dump": "x.csv"}, "expected names of one word other than dump"),
        ({"a b": "x.csv"}, "expected names of one word"),
        ({"a": "*"}, "expected the name of a file with"),
        ({"a": "../x.csv"}, "expected the name of a file with"),
        ({"a": []}, "expected the name of a file with"),
        ({"a": [1]}, "expected the name of a file with"),
    ],
)
def test_patterns_that_are_wrong(entry: object, told: str) -> None:
    """A pattern names a file of the folder; one that any file has is none."""
    with pytest.raises(ValueError, match=told):
        patterns_of(entry)


@pytest.mark.parametrize("text", ["files = 1", "[files]\na = '*'", "= x", "layout = 3", "[[layout]]\nfiles = 2"])
def test_a_wrong_file_of_tables_has_no_companions(text: str) -> None:
    """Its reader tells what is wrong with it; the inventory goes on."""
    assert patterns_in(text) == frozenset()


def test_patterns_of_all_layouts() -> None:
    """Those of a table, or of each layout of a system."""
    text = "[files]\na = '*a.csv'\n[[layout]]\nfiles = { b = ['*b.csv', '*c.csv'] }\n[[layout]]\nname = 'x'\n"
    assert patterns_in(text) == {"*a.csv", "*b.csv", "*c.csv"}
