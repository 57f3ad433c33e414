"""Arguments that Python annotations describe."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from pydantic_core import (
    PydanticSerializationError,
    SchemaSerializer,
    SchemaValidator,
    ValidationError,
    core_schema,
    from_json,
)

from tools.errors import ArgumentsError, DeclarationError
from tools.schema.compiled_annotations import UNREADABLE, CompiledAnnotation, described_core_of
from tools.schema.large_results import HOLDING_MANY, is_large, patient
from tools.schema.placeholders import has_placeholders, substitute
from tools.schema.plain_json import plain
from tools.schema.problems import problems_of, unreadable_values
from tools.schema.rewriting import mentions, reads_json_otherwise, writable
from tools.schema.text import json_text
from tools.schema.writer import SchemaWriter, written
from tools.spec import MISSING

if TYPE_CHECKING:
    from pydantic import JsonValue
    from pydantic_core import CoreConfig, CoreSchema

    from tools.schema.interfaces import Arguments
    from tools.spec import Parameter

_AS_JSON_TEXT: Final[CoreConfig] = {"ser_json_inf_nan": "constants"}
"""Numbers as `json_text` writes them."""

_JSON_LIKE: Final = frozenset({str, int, float, list, dict, tuple})


class TypedArguments:
    """Check arguments against the annotations of a function's parameters.

    Raises:
        DeclarationError: A parameter's type cannot be described.
    """

    def __init__(self, parameters: Sequence[Parameter], *, owner: str) -> None:
        self._parameters = tuple(parameters)
        self._cores = tuple(
            described_core_of(item.annotation, owner=f"{owner}: parameter {item.name!r}") for item in parameters
        )
        self._defaults = tuple(map(_default, parameters, self._cores))
        self._templates = frozenset(item.python_name for item in parameters if has_placeholders(item.default))
        try:
            self._validator = SchemaValidator(
                _assembled(self._fields([core.checked for core in self._cores])), _use_prebuilt=False
            )
        except UNREADABLE as error:
            raise DeclarationError(f"{owner}: its parameters do not go together ({error})") from error
        self._document: dict[str, Any] | None = None

    @property
    def input_schema(self) -> dict[str, JsonValue]:
        if self._document is None:
            self._document = self.described()
        return self._document

    @property
    def python_names(self) -> dict[str, str]:
        """The function's names by those that callers use, in order."""
        return {item.name: item.python_name for item in self._parameters}

    def validate(self, values: Mapping[str, Any]) -> dict[str, Any]:
        try:
            result: dict[str, Any] = self._validator.validate_python(values)
        except ValidationError as error:
            result = self._read_as_json(values, error)
        except Exception as error:
            raise ArgumentsError([unreadable_values(error, values)]) from error
        return self._completed(result) if self._templates else result

    def validate_json(self, text: str | bytes) -> dict[str, Any]:
        try:
            result: dict[str, Any] = self._validator.validate_json(text)
        except ValidationError as error:
            raise ArgumentsError(problems_of(error, self.input_schema, _parsed(text))) from None
        except Exception as error:
            raise ArgumentsError([unreadable_values(error, text)]) from error
        return self._completed(result) if self._templates else result

    def dump(self, arguments: Mapping[str, Any]) -> dict[str, JsonValue]:
        serializer = self._patient_serializer if self._can_be_large and is_large(arguments) else self._serializer
        try:
            dumped = serializer.to_python(
                dict(arguments), mode="json", by_alias=True, round_trip=True, warnings=False, fallback=plain
            )
        except (PydanticSerializationError, TypeError, UnicodeDecodeError):
            # Some value is not what its annotation says; without a JSON form, this names it.
            names = {item.python_name: item.name for item in self._parameters}
            dumped = {names.get(key, key): plain(value, f"argument {key}") for key, value in arguments.items()}
        for name, python_name in self._secrets:
            reveal = getattr(arguments.get(python_name), "get_secret_value", None)
            if reveal is not None:
                dumped[name] = plain(reveal())
        return cast("dict[str, JsonValue]", dumped)

    def dump_json(self, arguments: Mapping[str, Any]) -> bytes:
        if not self._secrets:
            try:
                # Every call that is recorded passes here; by way of plain values it would take three times as long.
                return self._serializer.to_json(
                    arguments, by_alias=True, round_trip=True, warnings=False, fallback=plain
                )
            except (PydanticSerializationError, TypeError, UnicodeDecodeError):
                return json_text(self.dump(arguments)).encode()
        return json_text(self.dump(arguments)).encode()

    @cached_property
    def _serializer(self) -> SchemaSerializer:
        return SchemaSerializer(self._writable, _AS_JSON_TEXT, _use_prebuilt=False)

    @cached_property
    def _patient_serializer(self) -> SchemaSerializer:
        return SchemaSerializer(patient(self._writable), _AS_JSON_TEXT, _use_prebuilt=False)

    @property
    def _writable(self) -> CoreSchema:
        return writable(_assembled(self._fields([core.schema for core in self._cores])), for_callers=True)

    @cached_property
    def _can_be_large(self) -> bool:
        return any(mentions(core.schema, HOLDING_MANY) for core in self._cores)

    def _read_as_json(self, values: Mapping[str, Any], error: ValidationError) -> dict[str, Any]:
        """Read values again the way JSON text is read, which strict types tell from the Python one.

        Raises:
            ArgumentsError: They do not fit that way either.
        """
        if self._reads_json_otherwise and (text := _json_text(values)) is not None:
            try:
                return cast("dict[str, Any]", self._validator.validate_json(text))
            except ValidationError as stricter:
                error = stricter
        raise ArgumentsError(problems_of(error, self.input_schema, values)) from None

    @cached_property
    def _reads_json_otherwise(self) -> bool:
        return any(reads_json_otherwise(core.schema) for core in self._cores)

    @cached_property
    def _secrets(self) -> list[tuple[str, str]]:
        properties = cast("dict[str, dict[str, Any]]", self.input_schema["properties"])
        return [
            (item.name, item.python_name) for item in self._parameters if properties[item.name].get("writeOnly") is True
        ]

    def described(self, writer: type[SchemaWriter] = SchemaWriter) -> dict[str, Any]:
        document = written(_assembled(self._fields([core.schema for core in self._cores])), writer=writer)
        for item in self._parameters:
            described = document["properties"][item.name]
            if item.description:
                described["description"] = item.description
            if item.unit is not None:
                described["x-unit"] = item.unit
            if item.python_name in self._templates:
                described["default"] = item.default
        return document

    def _fields(self, schemas: Sequence[CoreSchema]) -> list[_Field]:
        return [_Field(*parts) for parts in zip(self._parameters, schemas, self._defaults, strict=True)]

    def _completed(self, result: Mapping[str, Any]) -> dict[str, Any]:
        """Fill the defaults that hold placeholders, left to right."""
        known: dict[str, Any] = {}
        completed: dict[str, Any] = {}
        for item, core in zip(self._parameters, self._cores, strict=True):
            if item.python_name in result:
                value = result[item.python_name]
            else:
                text = substitute(item.default, known)
                try:
                    value = core.validator.validate_python(text)
                except ValidationError as error:
                    raise ArgumentsError(problems_of(error, self.input_schema, text, at=item.name)) from None
            completed[item.python_name] = value
            known[item.python_name] = known[item.name] = value
        return completed


class _Field(NamedTuple):
    """One parameter with its core schema and its converted default."""

    item: Parameter
    schema: CoreSchema
    default: Any


def _default(item: Parameter, core: CompiledAnnotation) -> Any:
    """Return the default as the parameter's type has it; one that does not fit (a sentinel) stays as it is."""
    default = item.default
    if has_placeholders(default):
        return MISSING
    if type(default) not in _JSON_LIKE or type(default) is item.annotation:
        return default
    try:
        return core.validator.validate_python(default)
    except ValidationError:
        return default


def _assembled(fields: Sequence[_Field]) -> CoreSchema:
    made: dict[str, core_schema.TypedDictField] = {}
    definitions: dict[str, CoreSchema] = {}
    for field in fields:
        item, schema = field.item, field.schema
        if schema["type"] == "definitions":
            definitions.update({inner["ref"]: inner for inner in schema["definitions"]})
            schema = schema["schema"]
        if item.default_factory is not None:
            schema = core_schema.with_default_schema(schema, default_factory=item.default_factory)
        elif field.default is not MISSING:
            schema = core_schema.with_default_schema(schema, default=field.default)
        alias = item.name if item.name != item.python_name else None
        required = item.required and schema["type"] != "default"
        made[item.python_name] = core_schema.typed_dict_field(
            schema, required=required, validation_alias=alias, serialization_alias=alias
        )
    whole: CoreSchema = core_schema.typed_dict_schema(made, extra_behavior="forbid")
    return core_schema.definitions_schema(whole, [*definitions.values()]) if definitions else whole


def _json_text(values: Mapping[str, Any]) -> str | None:
    try:
        return json.dumps(values)
    except (TypeError, ValueError, RecursionError):
        return None


def _parsed(text: str | bytes) -> Any:
    try:
        return from_json(text)
    except ValueError:
        return None


def arguments_for(parameters: Sequence[Parameter], *, owner: str) -> Arguments:
    """Return what checks the arguments of these parameters.

    Raises:
        DeclarationError: A type cannot be described, or two parameters share a name.
    """
    names = [item.name for item in parameters]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DeclarationError(f"{owner}: two parameters are called {twice!r}; rename one of them")
    return TypedArguments(parameters, owner=owner)
