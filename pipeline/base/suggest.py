"""Guesses the name meant by an unknown one, with the same rule for every name in a command or file.

A guess is only printed, never acted on.
"""

import difflib
from collections.abc import Collection, Iterable, Iterator

from pipeline.base.settings import UsageError


def closest(given: str, known: Iterable[str], most: int = 1) -> list[str]:
    """Return the names most similar to the given one, ignoring case, best first; often none."""
    names = {name.casefold(): name for name in known}
    return [names[near] for near in difflib.get_close_matches(given.casefold(), names, n=most)]


def ask_for(near: Iterable[str]) -> str:
    """Return the guesses as a question to append to a message; empty without any."""
    names = " or ".join(dict.fromkeys(near))
    return f"; did you mean {names}?" if names else ""


def meant(given: str, known: Iterable[str]) -> str:
    """Return the question to append to a message about an unknown name; empty without a guess."""
    return ask_for(closest(given, known))


def check_names(what: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raise ``UsageError`` for unknown names, with all known ones and the guesses."""
    if strangers := sorted(set(names) - set(known)):
        there = f"expected one of {', '.join(known)}" if known else "there are none"
        guesses: Iterator[str] = (near for name in strangers for near in closest(name, known))
        raise UsageError(f"{what}: {', '.join(strangers)}; {there}{ask_for(guesses)}")
