"""What a person changed of a call's arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple


class ArgumentEdit(NamedTuple):
    """One argument that a person changed.

    Attributes:
        name: The argument.
        before: As it was asked for, as JSON text; None when it was left out.
        after: As it ran, likewise.
    """

    name: str
    before: str | None
    after: str | None

    def words(self, longest: int = 80) -> str:
        """Return the change on one line: `path: "exports" → "exports/2023"`."""
        return f"{self.name}: {_cut(self.before, longest)} → {_cut(self.after, longest)}"


def edits_between(before: object, after: object) -> tuple[ArgumentEdit, ...]:
    """Return what differs between two sets of arguments, in the order of the names; nothing unless both are objects."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return ()
    names = dict.fromkeys((*before, *after))
    return tuple(
        ArgumentEdit(name, _written(before, name), _written(after, name))
        for name in names
        if name not in before or name not in after or before[name] != after[name]
    )


def _written(values: Mapping[str, Any], name: str) -> str | None:
    return json.dumps(values[name], ensure_ascii=False) if name in values else None


def _cut(text: str | None, longest: int) -> str:
    if text is None:
        return "(left out)"
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
