"""Near titles: folded texts that differ by a slip, and not by what they say.

``3 super`` and ``3 ultra``, ``supervised`` and ``unsupervised`` differ by few letters and name other things: the words
that differ must look alike from their beginning.
"""

from typing import Final

_SHARE: Final = 0.96  # of the letters that are the same
_ALIKE: Final = 0.75  # of the letters of the words that differ
_BEGINNING: Final = 3
_LONG: Final = 5  # letters of a word in which one may be wrong
_SMALL: Final = frozenset("a an and at by for from in into of on or the to via with".split())


def distance(first: str, second: str, most: int) -> int | None:
    """Return the number of letters to put in, leave out or replace; None if it is more than ``most``.

    Only the cells within ``most`` of the diagonal are looked at: the time is that of the length times ``most``.
    """
    if abs(len(first) - len(second)) > most:
        return None
    far = most + 1
    row = [min(place, far) for place in range(len(second) + 1)]
    for number, letter in enumerate(first, 1):
        start, end = max(1, number - most), min(len(second), number + most)
        diagonal, before = row[start - 1], far
        row[start - 1] = number if start == 1 and number <= most else far
        before = row[start - 1]
        for place in range(start, end + 1):
            cost = min(before + 1, row[place] + 1, diagonal + (letter != second[place - 1]))
            diagonal, row[place] = row[place], cost
            before = cost
        if end < len(second):
            row[end + 1] = far
        if min(row[start - 1 : end + 1]) > most:
            return None
    return row[-1] if row[-1] <= most else None


def similarity(first: str, second: str) -> float:
    """Return the share of letters that two near titles have in common; 0 if they are not near."""
    longest = max(len(first), len(second))
    most = int(longest * (1 - _SHARE))
    letters = distance(first, second, most) if most or first == second else None
    if letters is None or not _is_slip(first.split(" "), second.split(" ")):
        return 0.0
    return 1 - letters / longest


def _is_slip(first: list[str], second: list[str]) -> bool:
    """True if the words in which two titles differ look alike, are divided otherwise, or say nothing."""
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    end = 0
    while end < min(len(first), len(second)) - start and first[-1 - end] == second[-1 - end]:
        end += 1
    one, other = first[start : len(first) - end], second[start : len(second) - end]
    if "".join(one) == "".join(other) or {*one, *other} <= _SMALL:
        return True
    if len(one) != len(other):
        one, other = ([word for word in words if word not in _SMALL] for words in (one, other))
        if len(one) != len(other):
            one, other = ["".join(one)], ["".join(other)]
    return all(_look_alike(*pair) for pair in zip(one, other, strict=True))


def _look_alike(first: str, second: str) -> bool:
    """True if two words begin alike and have most letters in common, or differ by one slip behind the first letter."""
    if first == second:
        return True
    longest = max(len(first), len(second))
    if first[:_BEGINNING] == second[:_BEGINNING]:
        return distance(first, second, int(longest * (1 - _ALIKE))) is not None
    return first[:1] == second[:1] and longest >= _LONG and _is_one_slip(first, second)


def _is_one_slip(first: str, second: str) -> bool:
    """True if two words differ by one letter, or by two that have changed places."""
    if distance(first, second, 1) is not None:
        return True
    differ = [place for place, (one, other) in enumerate(zip(first, second, strict=False)) if one != other]
    if len(first) != len(second) or len(differ) != 2 or differ[1] - differ[0] != 1:
        return False
    return first[differ[0]] == second[differ[1]] and first[differ[1]] == second[differ[0]]
