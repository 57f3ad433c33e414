"""Annotations as core schemas: read once, kept for the next tool that says the same."""

from __future__ import annotations

import warnings
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

from pydantic import PydanticUndefinedAnnotation, PydanticUserError, TypeAdapter
from pydantic_core import SchemaError, SchemaValidator

from tools.errors import DeclarationError
from tools.schema.annotations import prepared, spelled
from tools.schema.rewriting import mentions, strict
from tools.schema.writer import written

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaMode
    from pydantic_core import CoreSchema

_KEPT: Final = 2048
_DOUBTFUL: Final = frozenset(
    {"callable", "is-instance", "is-subclass", "function-plain", "invalid", "arguments", "call"}
)
_NEVER_JSON: Final = frozenset({"is-subclass"})
UNREADABLE: Final = (
    PydanticUserError,
    PydanticUndefinedAnnotation,
    SchemaError,
    TypeError,
    ValueError,
    NameError,
    RecursionError,
)
"""What reading an annotation or writing its JSON Schema may raise."""


class CompiledAnnotation:
    """One annotation, read.

    Attributes:
        schema: What pydantic made of it, for documents and for writing.
        checked: The stricter one that validates.
    """

    def __init__(self, schema: CoreSchema) -> None:
        self.schema = schema
        self.checked = strict(schema)

    @cached_property
    def validator(self) -> SchemaValidator:
        """What checks one value of the annotation alone."""
        return SchemaValidator(self.checked, _use_prebuilt=False)

    @cached_property
    def doubtful(self) -> bool:
        """Whether the JSON Schema has to be tried before anybody relies on it."""
        return mentions(self.schema, _DOUBTFUL)


def core_of(annotation: Any, *, owner: str) -> CompiledAnnotation:
    """Read an annotation.

    Raises:
        DeclarationError: It cannot be an argument or result of a tool.
    """
    try:
        core = _read(prepared(annotation))
    except UNREADABLE as error:
        raise unreadable(annotation, error, owner) from error
    return core


def described_core_of(annotation: Any, *, owner: str, mode: JsonSchemaMode = "validation") -> CompiledAnnotation:
    """Read an annotation that must have a JSON Schema, and make sure that it has one.

    Args:
        annotation: A type with its metadata.
        owner: Who has it, for the message.
        mode: Whether it goes in or comes out.

    Raises:
        DeclarationError: It cannot be an argument of a tool.
    """
    core = core_of(annotation, owner=owner)
    if core.doubtful:
        try:
            if mentions(core.schema, _NEVER_JSON):
                raise TypeError("no JSON value is a class")
            written(core.schema, mode)
        except UNREADABLE as error:
            raise unreadable(annotation, error, owner) from error
    return core


def unreadable(annotation: Any, error: BaseException, owner: str) -> DeclarationError:
    """Return the refusal of an annotation."""
    reason = str(error).partition("\n")[0].partition(". ")[0].strip()
    return DeclarationError(
        f"{owner} has the type {spelled(annotation)}, which has no JSON Schema ({reason}); "
        "use plain types, enums, dataclasses, TypedDicts or pydantic models"
    )


def _read(annotation: Any) -> CompiledAnnotation:
    try:
        hash(annotation)
    except TypeError:
        return _made(annotation)
    return _kept(annotation, repr(annotation))


@lru_cache(_KEPT)
def _kept(annotation: Any, spelling: str) -> CompiledAnnotation:
    # Equal annotations may differ in the order of a union; their spelling then differs as well.
    del spelling
    return _made(annotation)


def _made(annotation: Any) -> CompiledAnnotation:
    with warnings.catch_warnings():
        # What pydantic warns of, such as a field's alias that has no effect on a bare type, is settled by `Parameter`.
        warnings.simplefilter("ignore")
        adapter: TypeAdapter[Any] = TypeAdapter(annotation)
        if not adapter.pydantic_complete:
            adapter.rebuild(raise_errors=True)
    return CompiledAnnotation(adapter.core_schema)
