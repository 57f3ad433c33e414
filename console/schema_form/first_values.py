"""What stands in a place that cannot be empty, such as a new item of a list, before anybody has typed anything."""

from __future__ import annotations

from typing import Any, Final

from console.schema_form.document import Document
from console.schema_form.kinds import FieldKind
from console.schema_form.paths import ABSENT, Path

_LISTS: Final = frozenset({FieldKind.LIST, FieldKind.SELECTION, FieldKind.TABLE, FieldKind.ROWS, FieldKind.TUPLE})
_OBJECTS: Final = frozenset({FieldKind.OBJECT, FieldKind.MAP})
_TEXTS: Final = frozenset({FieldKind.TEXT, FieldKind.LINES, FieldKind.SECRET, FieldKind.FILE, FieldKind.PATH})


def first_value(document: Document, path: Path) -> Any:
    """Return the value of a new place: its default, nothing of its kind, or null where its kind has no such value.

    Args:
        document: Where the place is to be.
        path: Where; nothing need stand there yet.
    """
    value = document.initial_value(path)
    if value is not ABSENT:
        return value
    kind = document.branch(path).kind
    if kind is FieldKind.TUPLE:
        return [first_value(document, field.path) for field in document.fields(path)]
    return False if kind is FieldKind.BOOLEAN else empty_value(kind)


def empty_value(kind: FieldKind) -> Any:
    """Return what a field leaves behind that was emptied and cannot be left out.

    Args:
        kind: Of the field.
    """
    if kind in _TEXTS:
        return ""
    if kind in _LISTS:
        return []
    return {} if kind in _OBJECTS else None
