"""What people have decided, as it stands in ``works.toml``."""

import tomllib

import pytest

from pipeline.works.forced import NOTHING, read_forced

WHOLE = 'why = "one talk"\nby = "Ada"\non = 2026-05-01\n'


def test_pairs() -> None:
    """An entry of several records is all pairs of them, the smaller id first."""
    same = f'[[same]]\nrecords = ["b:1", "a:1", "c:1"]\n{WHOLE}'
    different = f'[[different]]\nrecords = ["a:1", "d:1"]\n{WHOLE}'
    found = read_forced(tomllib.loads(same + different))
    assert found.same == dict.fromkeys([("a:1", "b:1"), ("a:1", "c:1"), ("b:1", "c:1")], "one talk")
    assert found.different == {("a:1", "d:1"): "one talk"}


def test_nothing() -> None:
    """A file without entries decides nothing."""
    assert read_forced({}) == NOTHING


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[alike]]\n", r"expected \[\[same\]\] and \[\[different\]\], found alike"),
        ("same = 1\n", r"expected \[\[same\]\], found same of another kind"),
        ('[[same]]\nrecords = ["a:1", "b:1"]\nwhy = "x"\nby = "Ada"\n', "number 1: expected by, on, records, why"),
        (f'[[same]]\nrecords = ["a:1", "b:1"]\nmore = 1\n{WHOLE}', "number 1: expected by, on, records, why"),
        (
            '[[same]]\nrecords = ["a:1", "b:1"]\nwhy = " "\nby = "Ada"\non = 2026-05-01\n',
            "expected texts in why and by",
        ),
        ('[[same]]\nrecords = ["a:1", "b:1"]\nwhy = "x"\nby = "Ada"\non = "May"\n', "and a day in on"),
        (f'[[same]]\nrecords = "a:1"\n{WHOLE}', "expected a list of record ids"),
        (f'[[same]]\nrecords = ["a:1", 1]\n{WHOLE}', "expected a list of record ids"),
        (f'[[same]]\nrecords = ["a:1", "a:1"]\n{WHOLE}', "at least two different records"),
    ],
)
def test_faults(text: str, message: str) -> None:
    """What is no whole entry is an error that names it."""
    with pytest.raises(ValueError, match=message):
        read_forced(tomllib.loads(text))


@pytest.mark.parametrize("third", ["b:1", "c:1"])
def test_contradictions(third: str) -> None:
    """Records that are one work, also through a third one, are not different."""
    one = f'[[same]]\nrecords = ["a:1", "b:1"]\n{WHOLE}[[same]]\nrecords = ["b:1", "c:1"]\n{WHOLE}'
    with pytest.raises(ValueError, match=rf"a:1 and {third} are in \[\[different\]\], and one work by \[\[same\]\]"):
        read_forced(tomllib.loads(f'{one}[[different]]\nrecords = ["a:1", "{third}"]\n{WHOLE}'))
