"""The fields of the parts of a long list or object, asked anew only for parts that have changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from console.schema_form.document import Document
from console.schema_form.fields import Field
from console.schema_form.paths import Path, value_at

__all__ = ["PartFields"]


class PartFields:
    """Describe the parts of one value; as long as nothing about them changed the answer is the same tuple.

    Values in a document are never changed in place, so a part that is the same object has the same field, unless the
    field around it is another.

    Args:
        document: What is edited.
        path: Where the list or object stands.
    """

    def __init__(self, document: Document, path: Path) -> None:
        self._document = document
        self._path = path
        self._owner: Field | None = None
        self._known: dict[str | int, tuple[Any, Field]] = {}
        self._fields: tuple[Field, ...] = ()

    def of(self, names: Iterable[str | int]) -> tuple[Field, ...]:
        """Return the fields of some parts.

        Args:
            names: Their names, or their places.
        """
        owner, held = self._document.field(self._path), self._document.get(self._path)
        known = self._known if owner == self._owner else {}
        made: dict[str | int, tuple[Any, Field]] = {}
        for name in names:
            value = value_at(held, (name,))
            old = known.get(name)
            if old is None or old[0] is not value:
                old = (value, self._document.field((*self._path, name)))
            made[name] = old
        self._owner, self._known = owner, made
        fields = tuple(field for _, field in made.values())
        if fields != self._fields:
            self._fields = fields
        return self._fields
