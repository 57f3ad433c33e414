"""Say which values a comparison passes over: `.elapsed_s`, `$.stats.time`, `items[*].id`."""

from __future__ import annotations

import re
from collections.abc import Iterable
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
        """Tell whether a value is passed over.

        Args:
            owner: Where the object or list stands that it is in.
            key: Its name or position there.
        """
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
