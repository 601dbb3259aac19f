"""Guesses which name was meant where one is given that is not there: the same rule for every name of a command or file.

What is done about it does not belong here: a guess is told and never acted on.
"""

import difflib
from collections.abc import Collection, Iterable, Iterator

from pipeline.settings import UsageError


def closest(given: str, known: Iterable[str], most: int = 1) -> list[str]:
    """Return the names that look most like the given one, whatever its case, the best first; often none."""
    names = {name.casefold(): name for name in known}
    return [names[near] for near in difflib.get_close_matches(given.casefold(), names, n=most)]


def ask_for(near: Iterable[str]) -> str:
    """Return what is added to a message where there is a guess; nothing where there is none."""
    names = " or ".join(dict.fromkeys(near))
    return f"; did you mean {names}?" if names else ""


def meant(given: str, known: Iterable[str]) -> str:
    """Return what is added to a message about one name that is not there."""
    return ask_for(closest(given, known))


def check_names(what: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raise ``UsageError`` where a name is none of those that are known: it has all of these, and a guess."""
    if strangers := sorted(set(names) - set(known)):
        there = f"expected one of {', '.join(known)}" if known else "there are none"
        guesses: Iterator[str] = (near for name in strangers for near in closest(name, known))
        raise UsageError(f"{what}: {', '.join(strangers)}; {there}{ask_for(guesses)}")
