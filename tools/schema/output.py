"""Results of tools: their schema, and how typed values become plain ones."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Never, NoReturn, cast

from pydantic_core import PydanticSerializationError, SchemaSerializer, ValidationError, from_json

from tools.errors import DeclarationError
from tools.schema.compiled_annotations import CompiledAnnotation, described_core_of
from tools.schema.large_results import HOLDING_MANY, MANY, is_large, is_plain, patient
from tools.schema.plain_json import plain
from tools.schema.rewriting import mentions, writable
from tools.schema.text import json_text
from tools.schema.writer import written
from tools.spec import MISSING

if TYPE_CHECKING:
    from pydantic import JsonValue
    from pydantic_core import CoreSchema

    from tools.schema.interfaces import Output

_AS_THEY_ARE: Final = {"str": str, "int": int, "bool": bool, "none": type(None)}
_FLOATS: Final = frozenset({"float"})
_NOTHING: Final = (None, type(None), NoReturn, Never)
_UNSAID: Final = (inspect.Signature.empty, MISSING)


class PlainOutput:
    """Write results of which nothing is known beforehand."""

    def __init__(self, schema: Mapping[str, JsonValue] | None = None, *, returns_nothing: bool = False) -> None:
        self._schema = None if schema is None else dict(schema)
        self.returns_nothing: Final = returns_nothing

    @property
    def output_schema(self) -> dict[str, JsonValue] | None:
        return self._schema

    def dump(self, value: Any) -> JsonValue:
        return plain(value)

    def load(self, value: JsonValue) -> Any:
        return value


class TypedOutput:
    """Write results as their annotation says."""

    returns_nothing: Final = False

    def __init__(self, core: CompiledAnnotation) -> None:
        self.core = core
        self._as_it_is = None if "serialization" in core.schema else _AS_THEY_ARE.get(core.schema["type"])
        self._is_plain = is_plain(core.schema)
        self._has_floats = mentions(core.schema, _FLOATS)
        self._can_be_large = mentions(core.schema, HOLDING_MANY)
        parts = core.schema.get("items_schema") if core.schema["type"] == "list" else core.schema
        self._parts_can_be_large = mentions(cast("CoreSchema", parts or {}), HOLDING_MANY)

    @cached_property
    def output_schema(self) -> dict[str, JsonValue] | None:
        return written(self.core.schema, "serialization")

    def dump(self, value: Any) -> JsonValue:
        if type(value) is self._as_it_is:
            return cast("JsonValue", value)
        if self._is_plain:
            return plain(value)
        try:
            if self._can_be_large and self._is_large(value):
                dumped = _to_python(self._patient_serializer, value)
                return plain(dumped) if self._has_floats else dumped
            if self._has_floats:
                # Only the text writer minds NaN and infinity.
                text = self._serializer.to_json(value, by_alias=True, warnings=False, fallback=plain)
                return cast("JsonValue", from_json(text))
            return _to_python(self._serializer, value)
        except (PydanticSerializationError, TypeError, UnicodeDecodeError):
            # A value that is not what the annotation promised is still a result; without a JSON form, this says where.
            return plain(value)

    def load(self, value: JsonValue) -> Any:
        try:
            return self.core.validator.validate_json(json_text(value))
        except ValidationError:
            return value

    def _is_large(self, value: Any) -> bool:
        # A list of small parts needs no look at each of them: of two models, that took as long as their writing.
        small_parts = type(value) is list and not self._parts_can_be_large
        return len(value) > MANY if small_parts else is_large(value)

    @cached_property
    def _serializer(self) -> SchemaSerializer:
        return _serializer(writable(self.core.schema, for_callers=False))

    @cached_property
    def _patient_serializer(self) -> SchemaSerializer:
        return _serializer(patient(writable(self.core.schema, for_callers=False)))


def _serializer(schema: CoreSchema) -> SchemaSerializer:
    return SchemaSerializer(schema, {"ser_json_inf_nan": "strings"}, _use_prebuilt=False)


def _to_python(serializer: SchemaSerializer, value: Any) -> JsonValue:
    written: JsonValue = serializer.to_python(value, mode="json", by_alias=True, warnings=False, fallback=plain)
    return written


class DeclaredOutput:
    """Write results as an annotation says, which is read when it is first needed: that takes milliseconds."""

    returns_nothing: Final = False

    def __init__(self, annotation: Any, owner: str) -> None:
        self._annotation = annotation
        self._owner = owner

    @cached_property
    def read(self) -> Output:
        owner = f"{self._owner}: the result"
        try:
            return TypedOutput(described_core_of(self._annotation, owner=owner, mode="serialization"))
        except DeclarationError:
            return PlainOutput({})

    @property
    def output_schema(self) -> dict[str, JsonValue] | None:
        return self.read.output_schema

    def dump(self, value: Any) -> JsonValue:
        # The next call goes straight there: each one counts in nanoseconds.
        self.dump = self.read.dump  # type: ignore[method-assign]
        return self.dump(value)

    def load(self, value: JsonValue) -> Any:
        return self.read.load(value)


def output_for(annotation: Any, *, owner: str) -> Output:
    """Return what writes the results of a function.

    Args:
        annotation: What it is annotated to return; None, `inspect.Signature.empty` and the like have no schema.
        owner: Whose it is, for messages.
    """
    if any(annotation is nothing for nothing in (*_NOTHING, *_UNSAID)):
        return PlainOutput(returns_nothing=any(annotation is nothing for nothing in _NOTHING))
    return DeclaredOutput(annotation, owner)


def core_of(output: Output) -> CoreSchema | None:
    """Return what the annotation of a result says; None where there is none."""
    if isinstance(output, DeclaredOutput):
        return core_of(output.read)
    return output.core.schema if isinstance(output, TypedOutput) else None
