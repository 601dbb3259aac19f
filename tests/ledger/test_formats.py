"""CSV, YAML and JSON behind a name, as objects and lists with their lines."""

from typing import Any

import pytest

from parsers._ledger.data import Data, DataError
from parsers._ledger.formats import form_of, names_key
from tests.support.cost import LIMIT, growth


def lines_of(data: Data) -> list[tuple[int, int]]:
    """Return the lines of the objects of a list."""
    return [data.lines[id(each)] for each in data.value]


@pytest.mark.parametrize(
    ("text", "value", "lines"),
    [
        ("a,b\n1,2\n", [{"a": "1", "b": "2"}], [(2, 2)]),
        ("\ufeffa;b\n1;2,5\n", [{"a": "1", "b": "2,5"}], [(2, 2)]),
        ("a\tb\n1\t2\n", [{"a": "1", "b": "2"}], [(2, 2)]),
        ('a,b\n"x\ny","say ""no"""\n\n3,4\n', [{"a": "x\ny", "b": 'say "no"'}, {"a": "3", "b": "4"}], [(2, 3), (5, 5)]),
        ("a,,b\n1,2,3\n,,\n", [{"a": "1", "column 2": "2", "b": "3"}], [(2, 2)]),
    ],
)
def test_csv(text: str, value: list[dict[str, str]], lines: list[tuple[int, int]]) -> None:
    """Rows have the names of the first line, and the lines that they stand in."""
    data = Data.of_form(text, "csv")
    assert (data.value, lines_of(data)) == (value, lines)


def test_a_row_that_does_not_fit() -> None:
    """A row with other cells than the first line is told, and costs itself alone."""
    data = Data.of_form("a,b\n1\n3,4\n5,6,7\n", "csv")
    told = [(each.line_start, each.text, each.detail) for each in data.account().rest]
    assert data.value == [{"a": "3", "b": "4"}]
    assert told == [
        (2, "1", "expected 2 cells, as line 1 has, found 1"),
        (4, "5,6,7", "expected 2 cells, as line 1 has, found 3"),
    ]


@pytest.mark.parametrize(
    ("text", "value", "lines"),
    [
        ("- a: 8:30\n- a: no\n- a: 0123\n", [{"a": "8:30"}, {"a": "no"}, {"a": "0123"}], [(1, 1), (2, 2), (3, 3)]),
        (
            "- a: null\n  b: 'null'\n- a: ~\n  b:\n\n",
            [{"a": None, "b": "null"}, {"a": None, "b": None}],
            [(1, 2), (3, 4)],
        ),
        ("- &x {a: [1, 2]}\n- *x\n", [{"a": ["1", "2"]}, {"a": ["1", "2"]}], [(1, 1), (1, 1)]),
        ("- &x {a: 1, b: 2}\n- <<: *x\n  b: 3\n", [{"a": "1", "b": "2"}, {"a": "1", "b": "3"}], [(1, 1), (2, 3)]),
        ("- a: |\n    one\n    two\n- b: 2026-06-17\n", [{"a": "one\ntwo\n"}, {"b": "2026-06-17"}], [(1, 3), (4, 4)]),
    ],
)
def test_yaml(text: str, value: list[dict[str, Any]], lines: list[tuple[int, int]]) -> None:
    """Scalars are texts or null; objects have the lines from their first key to their last value."""
    data = Data.of_form(text, "yaml")
    assert (data.value, lines_of(data)) == (value, lines)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('jams = {"a": 1};\n', {"a": 1}),
        ('var jams = [1];\nconst pots={"a": 2}', {"jams": [1], "pots": {"a": 2}}),
        ('window.jams = [{"a": NaN}]', None),
        ('[{"a": "1",}, {"a": "2"},\n]', [{"a": "1"}, {"a": "2"}]),
        ('{"a": 8}', {"a": 8}),
    ],
)
def test_json_of_scripts(text: str, value: object) -> None:
    """JSON stands behind a name, several under theirs, or has commas before brackets."""
    data = Data.of_form(text, "json")
    assert str(data.value) == str(value or [{"a": float("nan")}])


@pytest.mark.parametrize(
    ("text", "form", "said"),
    [
        ('a,b\n"1,2\n', "csv", "2: expected CSV: unexpected end of data"),
        ("a,a\n1,2\n", "csv", "1: expected each column once, found 'a' twice"),
        (",".join(map(str, range(1001))), "csv", "1: expected at most 1000 columns, found 1001"),
        ("a: [1, 2\nb: 3", "yaml", "2: expected YAML: "),
        ("a: 'b", "yaml", "1: expected YAML: "),
        ("? [a, b]\n: c", "yaml", "1: expected a text as key, found several values"),
        ("a: &a [*a]", "yaml", "1: expected a value before the alias 'a', found none"),
        ("a: 1\n---\nb: 2\n", "yaml", "2: expected one document, found another"),
        ("[" * 100_000, "yaml", "1: expected values at most 100 deep, found more"),
        ("- " * 100_000, "yaml", "1: expected values at most 100 deep, found more"),
        ("a = {", "json", "1: expected JSON: "),
        ('[{"a": 1}, {"a"', "json", "1: expected JSON: "),
        ("[" * 100_000, "json", "1: expected JSON"),
    ],
)
def test_what_is_refused(text: str, form: str, said: str) -> None:
    """The error names the line and what was expected."""
    with pytest.raises(DataError) as error:
        Data.of_form(text, form)
    assert str(error.value).startswith(said)


def test_a_key_twice() -> None:
    """The last value is read, and the other is told."""
    data = Data.of_form("a: 1\na: 2\n", "yaml")
    assert (data.value, [each.detail for each in data.account().rest]) == (
        {"a": "2"},
        ["expected 'a' once: the last value is read"],
    )


def test_aliases_are_counted() -> None:
    """Aliases of aliases, which would be a billion values, are an error at once."""
    text = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    with pytest.raises(DataError, match="expected no more values by aliases than are written, found more"):
        Data.of_form(text, "yaml")


@pytest.mark.untraced
@pytest.mark.parametrize(
    ("form", "unit"),
    [("csv", "a,b,c\n"), ("yaml", "- a: 1\n"), ("yaml", "- &a x\n- *a\n"), ("yaml", "a: 1\n"), ("csv", '"\n",b,c\n')],
)
def test_time_is_in_proportion(form: str, unit: str) -> None:
    """Reading takes linear time."""

    def read(size: int) -> None:
        Data.of_form(unit * (size // len(unit)), form)

    assert growth(read, 20_000) < LIMIT


@pytest.mark.parametrize(
    ("path", "text", "form"),
    [
        ("x/a.csv", "a,b\n", "csv"),
        ("x/a.tsv.gz", "a\tb\n", "csv"),
        ("x/a.yml", "a: 1", "yaml"),
        ("x/a.yaml", "[1]", "json"),
        ("x/a", ' \ufeff{"a": 1}', "json"),
        ("x/a.js", "var a = [1]", "json"),
        ("x/a.html", "<p>a = [1]</p>", None),
        ("x/a.txt", "a = b", None),
    ],
)
def test_forms(path: str, text: str, form: str | None) -> None:
    """JSON is known by its first sign, CSV and YAML by the suffix of the path."""
    assert form_of(path, text) == form


@pytest.mark.parametrize(
    ("form", "text", "has"),
    [
        ("json", '{"jam": 1}', True),
        ("json", '{"pot": "jam"}', False),
        ("csv", '"jam";pot\n', True),
        ("csv", "pot\njam\n", False),
        ("yaml", "- jam: 1", True),
        ("yaml", "pot: jam", False),
        ("json", '{"pot": "' + "x" * 100_000 + '", "jam": 1}', True),
    ],
)
def test_keys(form: str, text: str, has: bool) -> None:  # a row of a table
    """A key is looked for where its form has keys, at the beginning and the end."""
    assert names_key(form, text, "jam") is has
