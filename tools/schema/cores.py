"""Annotations as core schemas: read once, kept for the next tool that says the same."""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, get_args, get_origin

from pydantic import PydanticUndefinedAnnotation, PydanticUserError, TypeAdapter
from pydantic_core import SchemaError, SchemaValidator

from tools.errors import DeclarationError
from tools.schema.rewriting import strict
from tools.schema.writer import written
from tools.spec import Param, PathRole, ProjectDir

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic_core import CoreSchema

_KEPT: Final = 2048
_MARKS: Final = (Param, PathRole, ProjectDir)
_ERRORS: Final = (PydanticUserError, PydanticUndefinedAnnotation, SchemaError, TypeError, ValueError, NameError, RecursionError)


class Core(NamedTuple):
    """One annotation, read.

    Attributes:
        schema: What pydantic made of it, for documents and for writing.
        checked: The stricter one that validates.
    """

    schema: CoreSchema
    checked: CoreSchema

    def validator(self) -> SchemaValidator:
        """Return what checks one value of the annotation alone."""
        return SchemaValidator(self.checked, _use_prebuilt=False)


class _PathMark:
    """Write `PathRole` into the JSON Schema."""

    def __init__(self, role: PathRole) -> None:
        self._writes = role.writes

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        document = handler(schema)
        for member in document.get("anyOf", [document]):
            target = member.get("items", member)
            if target.get("type") == "string":
                target["format"] = "path"
        if self._writes:
            document["x-writes"] = True
        return document


def core_of(annotation: Any, *, owner: str) -> Core:
    """Read an annotation.

    Args:
        annotation: A type with its metadata.
        owner: Who has it, for the message.

    Raises:
        DeclarationError: It cannot be an argument or result of a tool.
    """
    try:
        return _read(_unmarked(annotation))
    except _ERRORS as error:
        reason = str(error).partition("\n")[0].strip()
        raise DeclarationError(
            f"{owner} has the type {_spelled(annotation)}, which has no JSON Schema: {reason}; "
            "use plain types, enums, dataclasses, TypedDicts or pydantic models"
        ) from error


def _read(annotation: Any) -> Core:
    try:
        return _kept(annotation, repr(annotation))
    except TypeError as error:
        if "unhashable" not in str(error):
            raise
    return _made(annotation)


@lru_cache(_KEPT)
def _kept(annotation: Any, spelling: str) -> Core:
    # Equal annotations may differ in the order of a union; their spelling then differs as well.
    del spelling
    return _made(annotation)


def _made(annotation: Any) -> Core:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        adapter: TypeAdapter[Any] = TypeAdapter(annotation)
        if not adapter.pydantic_complete:
            adapter.rebuild(raise_errors=True)
    schema = adapter.core_schema
    return Core(schema, strict(schema))


def _unmarked(annotation: Any) -> Any:
    if get_origin(annotation) is not Annotated:
        return annotation
    base, *metadata = get_args(annotation)
    kept = [_PathMark(mark) if isinstance(mark, PathRole) else mark for mark in metadata if not isinstance(mark, (Param, ProjectDir))]
    return Annotated[(base, *kept)] if kept else base


def _spelled(annotation: Any) -> str:
    return getattr(annotation, "__qualname__", None) or repr(annotation)


def document_of(core: Core, *, owner: str) -> dict[str, Any]:
    """Return the JSON Schema of an annotation's values."""
    try:
        return written(core.schema)
    except _ERRORS as error:
        reason = str(error).partition("\n")[0].strip()
        raise DeclarationError(f"{owner} has a type without JSON Schema: {reason}") from error
