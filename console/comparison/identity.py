"""Which values are equal, and which a comparison passes over."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import Any, Final, NamedTuple

_STEP: Final = re.compile(r"""\.?\[\s*(?:"([^"]*)"|'([^']*)'|(\d+)|\*?)\s*\]|\.?([^.\[\]\s]+)""")
_ANY: Final = "*"

Trail = tuple["Trail | None", str | int]
"""Where a value stands: its name or position behind where its owner stands; the whole is None."""


class _Pattern(NamedTuple):
    """One path.

    Attributes:
        steps: Names and positions, `*` for any.
        anchored: Whether it begins at the whole; otherwise it holds at any depth.
    """

    steps: tuple[str | int, ...]
    anchored: bool


class IgnoredPaths:
    """The values that a comparison passes over.

    Args:
        texts: Paths as people write them. A path that begins with `$` stands for one place, any other for every place
            that ends like it; `*` stands for any name and `[*]` or `[]` for any position.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._patterns_by_name: dict[str | int, list[_Pattern]] = {}
        for text in texts:
            pattern = _parsed(text)
            if pattern is not None:
                self._patterns_by_name.setdefault(pattern.steps[-1], []).append(pattern)

    @classmethod
    def read(cls, text: str) -> IgnoredPaths:
        """Read paths with commas or spaces between them."""
        return cls(part for part in re.split(r"[,\s]+", text) if part)

    def __bool__(self) -> bool:
        """Tell whether anything is passed over."""
        return bool(self._patterns_by_name)

    def covers(self, owner: Trail | None, key: str | int) -> bool:
        """Tell whether the value of a name or position inside an owner is passed over."""
        known = self._patterns_by_name
        return any(_matches(pattern, owner, key) for name in (key, _ANY) for pattern in known.get(name, ()))

    def pruned(self, value: Any, owner: Trail | None = None) -> Any:
        """Return a value without what is passed over.

        Raises:
            RecursionError: When too many values are inside each other.
        """
        if isinstance(value, dict):
            return {
                name: self.pruned(part, (owner, name)) for name, part in value.items() if not self.covers(owner, name)
            }
        if isinstance(value, list | tuple):
            return [
                self.pruned(part, (owner, place)) for place, part in enumerate(value) if not self.covers(owner, place)
            ]
        return value


def _parsed(text: str) -> _Pattern | None:
    anchored = text.startswith("$")
    steps: list[str | int] = []
    for found in _STEP.finditer(text[1:] if anchored else text):
        quoted, single, position, name = found.groups()
        if position is not None:
            steps.append(int(position))
        else:
            steps.append(next((part for part in (quoted, single, name) if part is not None), _ANY))
    return _Pattern(tuple(steps), anchored) if steps else None


def _matches(pattern: _Pattern, owner: Trail | None, key: str | int) -> bool:
    here: Trail | None = (owner, key)
    for step in reversed(pattern.steps):
        if here is None or step not in {_ANY, here[1]}:
            return False
        here = here[0]
    return here is None or not pattern.anchored


CONTAINERS: Final = (dict, list, tuple)
"""What has other values inside; looked up a million times, so no abstract type."""


class Identities:
    """Equal values, and only those, have equal numbers.

    Values are equal if JSON writes them the same but for the order of names: 1, 1.0 and true are three values. What is
    ignored does not count.
    """

    def __init__(self, ignored: IgnoredPaths) -> None:
        self._ignored = ignored
        self._number_by_value: dict[Hashable, int] = {}
        # The values outlive the comparison, so what Python calls their identity stays theirs.
        self._number_by_container: dict[int, int] = {}
        # Objects of one kind have the same names, as a rule in the same order.
        self._shape_by_names: dict[tuple[str, ...], tuple[int, tuple[str, ...]]] = {}

    def learn(self, whole: Any) -> None:
        """Give a value and all inside it their numbers; any depth is no trouble."""
        if not isinstance(whole, CONTAINERS):
            return
        if self._ignored:
            self._learn_but_ignored(whole)
            return
        order: list[Any] = []
        waiting: list[Any] = [whole]
        while waiting:
            value = waiting.pop()
            order.append(value)
            parts = value.values() if isinstance(value, dict) else value
            waiting += [part for part in parts if isinstance(part, CONTAINERS)]
        of, number, known = self.of, self._number, self._number_by_container
        for value in reversed(order):
            if isinstance(value, dict):
                shape, names = self._shape(tuple(value))
                known[id(value)] = number((shape, *[of(value[name]) for name in names]))
            else:
                known[id(value)] = number(tuple([of(part) for part in value]))

    def of(self, value: Any) -> int:
        """Return the number of a value; an object or list must be inside one that `learn` was given."""
        known = self._number_by_value
        kind = type(value)
        if kind is str or kind is int:
            return known.setdefault(value, len(known))
        if isinstance(value, CONTAINERS):
            return self._number_by_container[id(value)]
        if kind is float and (value != value or value == 0):  # noqa: PLR0124 -- only what is not a number differs from itself
            # What is not a number is the same as itself for a reader, and minus zero is not zero.
            return known.setdefault((kind, repr(value)), len(known))
        return known.setdefault((kind, value), len(known))

    def _learn_but_ignored(self, whole: Any) -> None:
        covers = self._ignored.covers
        order: list[tuple[Any, Trail | None]] = []
        waiting: list[tuple[Any, Trail | None]] = [(whole, None)]
        while waiting:
            found = value, trail = waiting.pop()
            order.append(found)
            parts = value.items() if isinstance(value, dict) else enumerate(value)
            waiting += [(part, (trail, key)) for key, part in parts if isinstance(part, CONTAINERS)]
        for value, trail in reversed(order):
            content: Hashable
            if isinstance(value, dict):
                shape, names = self._shape(tuple([name for name in value if not covers(trail, name)]))
                content = (shape, *[self.of(value[name]) for name in names])
            else:
                content = tuple([-1 if covers(trail, place) else self.of(part) for place, part in enumerate(value)])
            self._number_by_container[id(value)] = self._number(content)

    def _shape(self, names: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
        """Return a number below those of values for a set of names, and the names in the order all objects use."""
        known = self._shape_by_names
        shape = known.get(names)
        if shape is None:
            ordered = tuple(sorted(names))
            shape = known[ordered] if ordered in known else (-2 - len(known), ordered)
            known[ordered] = known[names] = shape
        return shape

    def _number(self, content: Hashable) -> int:
        known = self._number_by_value
        return known.setdefault(content, len(known))
