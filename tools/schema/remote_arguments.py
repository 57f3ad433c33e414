"""Arguments whose types only another process knows: what it says of them, and how far they can be checked here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pydantic_core import SchemaValidator, ValidationError, core_schema

from tools.errors import ArgumentProblem, ArgumentsError
from tools.schema.placeholders import has_placeholders, substitute
from tools.schema.plain_json import plain
from tools.schema.problems import shortened
from tools.schema.quick_validators import quick_validator
from tools.schema.schema_arguments import SchemaArguments
from tools.schema.typed import TypedArguments

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.schema.interfaces import Arguments

_SCALARS: Final = {
    "integer": SchemaValidator(core_schema.int_schema()),
    "number": SchemaValidator(core_schema.float_schema()),
    "boolean": SchemaValidator(core_schema.bool_schema()),
}
"""What reads text as a scalar; the same code reads arguments of annotated functions."""

_DEEPEST: Final = 100
_DEFAULT_S: Final = 0.5


class SerializedParameters(NamedTuple):
    """What one process tells another of a tool's arguments.

    Attributes:
        python_names: The function's names by those that callers use, in order; None where the schema was written by
            hand, so that callers' names are all there are.
    """

    schema: dict[str, Any]
    python_names: dict[str, str] | None


def parameters_of(arguments: Arguments) -> SerializedParameters:
    """Return what another process needs to know to check arguments as far as it can."""
    names = arguments.python_names if isinstance(arguments, TypedArguments) else None
    return SerializedParameters(arguments.input_schema, names)


class RemoteArguments(SchemaArguments):
    """Check arguments by the JSON Schema of annotations that stay in another process, which converts them later.

    The values stay plain. Text stands for a number or a boolean wherever the schema asks for one, however deep. A
    default that its own schema refuses, or that is secret, is left to the other process, and so is one made anew each
    time, which no schema shows.

    Raises:
        DeclarationError: It is no valid schema of an object, or refers to something outside.
    """

    def __init__(self, told: SerializedParameters, *, owner: str) -> None:
        super().__init__(told.schema, owner=owner)
        self._told_schema = told.schema
        properties: Mapping[str, Any] = self._document.get("properties", {})
        self._python_names = {name: name for name in properties} | (told.python_names or {})
        self._names = {python_name: name for name, python_name in self._python_names.items()}
        self._templates = {name: text for name, text in self._defaults.items() if has_placeholders(text)}
        self._defaults = {
            name: default
            for name, default in self._defaults.items()
            if name not in self._templates
            and not properties[name].get("writeOnly")
            and not self._check.errors(default, part=properties[name], most=1, within_s=_DEFAULT_S).errors
        }
        self._quick = quick_validator(told.schema, self._python_names, self._defaults)

    @property
    def input_schema(self) -> dict[str, JsonValue]:
        return self._told_schema

    def is_quick(self, values: Any) -> bool:
        """Tell whether checking these values is quick; the schema was made of annotations, so it is in order."""
        return self._quick is not None or super().is_quick(values)

    def validate(self, values: Mapping[str, Any]) -> dict[str, Any]:
        if self._quick is not None:
            with suppress(ValidationError):
                return self._completed(self._quick.validate_python(values))
        given = super().validate(_plain_arguments(values))
        return self._completed({self._python_names.get(name, name): value for name, value in given.items()})

    def validate_json(self, text: str | bytes) -> dict[str, Any]:
        if self._quick is not None:
            with suppress(ValidationError):
                return self._completed(self._quick.validate_json(text))
        return super().validate_json(text)

    def _completed(self, given: dict[str, Any]) -> dict[str, Any]:
        """Fill the defaults that hold placeholders, left to right."""
        if not self._templates:
            return given
        known: dict[str, Any] = {}
        completed: dict[str, Any] = {}
        for name, python_name in self._python_names.items():
            if python_name in given:
                value = given[python_name]
            elif name in self._templates:
                value = self._from_text(name, substitute(self._templates[name], known))
            else:
                continue
            completed[python_name] = known[python_name] = known[name] = value
        return completed

    def dump(self, arguments: Mapping[str, Any]) -> dict[str, JsonValue]:
        """Return the plain values by the names callers use."""
        return {self._names.get(name, name): value for name, value in arguments.items()}

    def _from_text(self, name: str, value: Any) -> Any:
        return self._fitted(value, self._document.get("properties", {}).get(name), 0)

    def _fitted(self, value: Any, node: Any, depth: int) -> Any:
        """Return a value with text read as numbers and booleans where only these are wanted."""
        members = list(self._members(node, depth))
        if depth > _DEEPEST or not members:
            return value
        if isinstance(value, list | dict):
            kind = "array" if isinstance(value, list) else "object"
            shapes = [member for member in members if member.get("type") == kind]
            if len(shapes) == 1:
                return self._fitted_inside(value, shapes[0], depth + 1)
            return value
        kinds = [member.get("type") for member in members]
        if value is None or any(not isinstance(item, str) for item in kinds) or "string" in kinds:
            return value
        if isinstance(value, str) or kinds == ["boolean"]:
            for reader in (_SCALARS[kind] for kind in kinds if kind in _SCALARS):
                try:
                    return reader.validate_python(value)
                except ValidationError:
                    continue
        return value

    def _fitted_inside(self, value: Any, node: Mapping[str, Any], depth: int) -> Any:
        if isinstance(value, list):
            first = node.get("prefixItems", [])
            nodes = [first[at] if at < len(first) else node.get("items") for at in range(len(value))]
            return [self._fitted(item, inner, depth) for item, inner in zip(value, nodes, strict=True)]
        properties, further = node.get("properties", {}), node.get("additionalProperties")
        return {key: self._fitted(item, properties.get(key, further), depth) for key, item in value.items()}

    def _members(self, node: Any, depth: int) -> Iterator[Mapping[str, Any]]:
        """Return the alternatives of a schema, each with its reference followed."""
        while isinstance(node, Mapping) and isinstance(node.get("$ref"), str) and depth <= _DEEPEST:
            node, depth = self._check.references.target(node["$ref"]), depth + 1
        if not isinstance(node, Mapping):
            return
        alternatives = node.get("anyOf", node.get("oneOf"))
        if isinstance(alternatives, list):
            for inner in alternatives:
                if depth <= _DEEPEST:
                    yield from self._members(inner, depth + 1)
        else:
            yield node


def _plain_arguments(values: Mapping[str, Any]) -> Any:
    """Return values as JSON has them; a program may give paths, dates and models.

    Raises:
        ArgumentsError: One of them has no JSON form.
    """
    try:
        return plain(values, "the arguments")
    except TypeError as error:
        problem = ArgumentProblem("", f"values that have a JSON form ({error})", shortened(values), "no_json_form")
        raise ArgumentsError([problem]) from error


def arguments_told(told: SerializedParameters, *, owner: str) -> Arguments:
    """Return what checks arguments that another process told of.

    Raises:
        DeclarationError: What it said is no schema of arguments.
    """
    if told.python_names is None:
        return SchemaArguments(told.schema, owner=owner)
    return RemoteArguments(told, owner=owner)
