"""The fields of the parts of a long list or object, asked anew only for parts that have changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from console.schema_form.document import Document
from console.schema_form.fields import Field
from console.schema_form.paths import ABSENT, Path, value_at


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
        self._held: Any = ABSENT
        self._known: dict[str | int, tuple[Any, Field]] = {}
        self._fields: tuple[Field, ...] = ()

    def of(self, names: Callable[[], Iterable[str | int]]) -> tuple[Field, ...]:
        """Return the fields of some parts.

        Args:
            names: Returns their names, or their places; the same ones for the same value in the same field.
        """
        owner, held = self._document.field(self._path), self._document.get(self._path)
        is_same_owner = owner == self._owner
        if is_same_owner and held is self._held:
            return self._fields
        known = self._known if is_same_owner else {}
        made: dict[str | int, tuple[Any, Field]] = {}
        for name in names():
            value = value_at(held, (name,))
            old = known.get(name)
            if old is None or old[0] is not value:
                old = (value, self._document.field((*self._path, name)))
            made[name] = old
        self._owner, self._held, self._known = owner, held, made
        fields = tuple(field for _, field in made.values())
        if fields != self._fields:
            self._fields = fields
        return self._fields
