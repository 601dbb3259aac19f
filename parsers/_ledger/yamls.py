"""YAML as the objects and lists that JSON would have; by itself, since importing PyYAML takes a tenth of a second.

Every scalar is a text or null, as in ``formats``.
"""

from __future__ import annotations

from typing import Any, Final

import yaml

from parsers._ledger.formats import Decoded, FormError

_NULLS: Final = frozenset(("", "~", "null", "Null", "NULL"))
_DEEPEST: Final = 100
_MORE: Final = 10_000
"""How many values of YAML the aliases may add, beyond as many as are written."""
_MERGES: Final = "<<"


def decode(text: str) -> Decoded:
    """Read YAML without its types: a plain scalar is a text or null. Raises ``FormError``."""
    maker = _OfYaml()
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            maker.add(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise FormError(mark.line + 1 if mark else 1, f"expected YAML: {error.problem or error.context}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise FormError(1, f"expected YAML: {str(error)[:100]}") from error
    return Decoded(maker.root[0] if maker.root else None, maker.lines, tuple(maker.faults))


class _OfYaml:
    """Makes values of events, an own one for each alias.

    Events, since the nodes of deep values are made by a recursion in C that overflows its stack.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.root: list[Any] = []
        self.lines: dict[int, tuple[int, int]] = {}
        self.faults: list[tuple[int, str, str]] = []
        self._open: list[tuple[Any, str | None, int]] = [(self.root, None, 1)]
        self._keys: list[str | None] = [None]
        self._anchors: dict[str, Any] = {}
        self._written = self._copied = 0
        self._last = 1

    def add(self, event: yaml.Event) -> None:
        """Add an event. Raises ``FormError``."""
        line = event.start_mark.line + 1
        if isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            self._last = event.end_mark.line + (
                event.end_mark.column > 0 or event.end_mark.line == event.start_mark.line
            )
        if isinstance(event, yaml.ScalarEvent):
            self._written += 1
            is_null = event.implicit[0] and event.style in (None, "") and event.value in _NULLS
            self._put(None if is_null else event.value, event.value, event.anchor, line)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise FormError(line, f"expected a value before the alias {event.anchor!r}, found none")
            self._put(self._copy(self._anchors[event.anchor], line), None, None, line)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._written += 1
            if len(self._open) > _DEEPEST:
                raise FormError(line, f"expected values at most {_DEEPEST} deep, found more")
            self._open.append(({} if isinstance(event, yaml.MappingStartEvent) else [], event.anchor, line))
            self._keys.append(None)
        elif isinstance(event, yaml.CollectionEndEvent):
            value, anchor, begins = self._open.pop()
            self._keys.pop()
            if isinstance(value, dict):
                self.lines[id(value)] = begins, max(begins, self._last)
            self._put(value, None, anchor, begins)
        elif isinstance(event, yaml.DocumentStartEvent) and self.root:
            raise FormError(line, "expected one document, found another")

    def _put(self, value: Any, printed: str | None, anchor: str | None, line: int) -> None:  # noqa: ANN401
        """Put a value into what is open: as a key, if that waits for one."""
        if anchor:
            self._anchors[anchor] = value
        holder = self._open[-1][0]
        if isinstance(holder, list):
            holder.append(value)
        elif (key := self._keys[-1]) is None:
            if printed is None:
                raise FormError(line, "expected a text as key, found several values")
            if printed in holder and printed != _MERGES:
                expected = f"expected {printed!r} once: the last value is read"
                self.faults.append((line, printed, expected))
            self._keys[-1] = printed
        else:
            self._keys[-1] = None
            if key == _MERGES:
                for other in value if isinstance(value, list) else [value]:
                    if isinstance(other, dict):
                        holder |= {name: each for name, each in other.items() if name not in holder}
            else:
                holder[key] = value

    def _copy(self, value: Any, line: int) -> Any:  # noqa: ANN401  # as JSON would have it
        """Return a copy of a value, with its lines. Raises ``FormError`` for more copies than a text can mean."""
        self._copied += 1
        if self._copied > self._written + _MORE:
            raise FormError(line, "expected no more values by aliases than are written, found more")
        if isinstance(value, list):
            return [self._copy(each, line) for each in value]
        if isinstance(value, dict):
            made = {key: self._copy(each, line) for key, each in value.items()}
            self.lines[id(made)] = self.lines.get(id(value), (line, line))
            return made
        return value
