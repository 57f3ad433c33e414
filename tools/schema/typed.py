"""Arguments that Python annotations describe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from pydantic_core import SchemaSerializer, SchemaValidator, ValidationError, core_schema, from_json

from tools.errors import ArgumentsError, DeclarationError
from tools.schema.cores import Core, core_of
from tools.schema.plain import plain
from tools.schema.problems import problems_of
from tools.schema.rewriting import writable
from tools.schema.text import has_placeholders, substitute
from tools.schema.writer import written
from tools.spec import MISSING

if TYPE_CHECKING:
    from pydantic import JsonValue
    from pydantic_core import CoreSchema

    from tools.spec import Parameter
    from tools.schema.ports import Arguments


class TypedArguments:
    """Check arguments against the annotations of a function's parameters.

    Args:
        parameters: The parameters callers may give.
        owner: Who has them, for messages.

    Raises:
        DeclarationError: A parameter's type cannot be described.
    """

    def __init__(self, parameters: Sequence[Parameter], *, owner: str) -> None:
        self._parameters = tuple(parameters)
        self._owner = owner
        self._cores = tuple(core_of(item.annotation, owner=f"{owner}: parameter {item.name!r}") for item in parameters)
        self._templates = {item.python_name: item for item in parameters if has_placeholders(item.default)}
        self._validator = SchemaValidator(self._assembled("checked"), _use_prebuilt=False)
        self._document: dict[str, Any] | None = None
        self._serializer: SchemaSerializer | None = None

    @property
    def input_schema(self) -> dict[str, JsonValue]:
        """The JSON Schema of the arguments."""
        if self._document is None:
            self._document = self._described()
        return self._document

    def validate(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Convert arguments and fill in the defaults; see `Arguments.validate`."""
        try:
            result: dict[str, Any] = self._validator.validate_python(values)
        except ValidationError as error:
            raise ArgumentsError(problems_of(error, self.input_schema, values)) from None
        return self._completed(result) if self._templates else result

    def validate_json(self, text: str | bytes) -> dict[str, Any]:
        """Convert arguments from JSON text; see `Arguments.validate_json`."""
        try:
            result: dict[str, Any] = self._validator.validate_json(text)
        except ValidationError as error:
            try:
                given = from_json(text)
            except ValueError:
                given = None
            raise ArgumentsError(problems_of(error, self.input_schema, given)) from None
        return self._completed(result) if self._templates else result

    def dump(self, arguments: Mapping[str, Any]) -> dict[str, JsonValue]:
        """Turn converted arguments back into plain values; see `Arguments.dump`."""
        if self._serializer is None:
            self._serializer = SchemaSerializer(writable(self._assembled("schema")))
        return cast(
            "dict[str, JsonValue]",
            self._serializer.to_python(dict(arguments), mode="json", by_alias=True, warnings=False, fallback=plain),
        )

    def _assembled(self, which: str) -> CoreSchema:
        fields: dict[str, core_schema.TypedDictField] = {}
        definitions: dict[str, CoreSchema] = {}
        for item, core in zip(self._parameters, self._cores, strict=True):
            schema: CoreSchema = getattr(core, which)
            if schema["type"] == "definitions":
                definitions.update({inner["ref"]: inner for inner in schema["definitions"]})  # type: ignore[typeddict-item]
                schema = schema["schema"]
            alias = item.name if item.name != item.python_name else None
            if item.default_factory is not None:
                schema = core_schema.with_default_schema(schema, default_factory=item.default_factory)
            elif item.default is not MISSING and item.python_name not in self._templates:
                schema = core_schema.with_default_schema(schema, default=item.default)
            fields[item.python_name] = core_schema.typed_dict_field(
                schema, required=item.required, validation_alias=alias, serialization_alias=alias
            )
        whole: CoreSchema = core_schema.typed_dict_schema(fields, extra_behavior="forbid")
        return core_schema.definitions_schema(whole, [*definitions.values()]) if definitions else whole

    def _described(self) -> dict[str, Any]:
        document = written(self._assembled("schema"))
        document.pop("title", None)
        for item in self._parameters:
            described = document["properties"][item.name]
            if item.description:
                described["description"] = item.description
            if item.unit is not None:
                described["x-unit"] = item.unit
            if item.python_name in self._templates:
                described["default"] = item.default
        return document

    def _completed(self, result: dict[str, Any]) -> dict[str, Any]:
        """Fill the defaults that hold placeholders, left to right."""
        known: dict[str, Any] = {}
        ordered: dict[str, Any] = {}
        for item, core in zip(self._parameters, self._cores, strict=True):
            if item.python_name in result:
                value = result[item.python_name]
            else:
                text = substitute(item.default, known)
                try:
                    value = core.validator().validate_python(text)
                except ValidationError as error:
                    raise ArgumentsError(problems_of(error, self.input_schema["properties"][item.name], text)) from None  # type: ignore[arg-type,index,call-overload]
            ordered[item.python_name] = value
            known[item.python_name] = known[item.name] = value
        return ordered


def arguments_for(parameters: Sequence[Parameter], *, owner: str) -> Arguments:
    """Return what checks the arguments of these parameters.

    Args:
        parameters: What callers may give, in order.
        owner: Who declares them, for messages.

    Raises:
        DeclarationError: A type cannot be described, or two parameters share a name.
    """
    names = [item.name for item in parameters]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise DeclarationError(f"{owner}: two parameters are called {twice[0]!r}; rename one of them")
    return TypedArguments(parameters, owner=owner)
