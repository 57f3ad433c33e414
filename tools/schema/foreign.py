"""Arguments known by their JSON Schema alone: programmatic tools, remote tools, executables."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

import jsonschema
from jsonschema.validators import validator_for
from pydantic_core import from_json
from referencing import Registry
from referencing.exceptions import NoSuchResource, Unresolvable

from tools.errors import ArgumentProblem, ArgumentsError, DeclarationError
from tools.schema.problems import malformed, path_text, shortened, unknown_argument
from tools.schema.words import words

if TYPE_CHECKING:
    from jsonschema.protocols import Validator
    from pydantic import JsonValue

    from tools.schema.ports import Arguments

_NO_DEFAULT: Final = object()


class SchemaArguments:
    """Check arguments against a JSON Schema, whose draft `$schema` names (2020-12 when it does not).

    References are followed inside the document only; nothing is ever fetched.

    Args:
        schema: The schema of the arguments.
        owner: Whose it is, for messages.

    Raises:
        DeclarationError: It is no valid schema of an object, or refers to something outside.
    """

    def __init__(self, schema: Mapping[str, JsonValue], *, owner: str) -> None:
        self._document = _checked(schema, owner)
        kind = validator_for(self._document, default=jsonschema.Draft202012Validator)
        self._validator: Validator = kind(self._document, registry=_closed_registry())
        properties = self._document.get("properties", {})
        self._defaults = {
            name: inner["default"] for name, inner in properties.items() if isinstance(inner, Mapping) and "default" in inner
        }

    @property
    def input_schema(self) -> dict[str, JsonValue]:
        """The JSON Schema as it was given."""
        return self._document

    def validate(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Check plain values and fill in the defaults of the top level; see `Arguments.validate`."""
        given = dict(values)
        problems = [problem for error in self._validator.iter_errors(given) for problem in _problems(error, self._document)]
        if problems:
            raise ArgumentsError(list(dict.fromkeys(problems)))
        for name, default in self._defaults.items():
            if name not in given:
                given[name] = copy.deepcopy(default)
        return given

    def validate_json(self, text: str | bytes) -> dict[str, Any]:
        """Check JSON text; see `Arguments.validate_json`."""
        try:
            values = from_json(text)
        except ValueError as error:
            raise ArgumentsError([malformed(str(error), text)]) from None
        if not isinstance(values, dict):
            expected = words(self._document, self._document)
            raise ArgumentsError([ArgumentProblem("", expected, shortened(values), "dict_type")])
        return self.validate(values)

    def dump(self, arguments: Mapping[str, Any]) -> dict[str, JsonValue]:
        """Return the values as they are: they were never converted."""
        return dict(arguments)


def _checked(schema: Mapping[str, JsonValue], owner: str) -> dict[str, Any]:
    document: dict[str, Any] = {"type": "object", **schema}
    if document["type"] != "object":
        raise DeclarationError(f"{owner}: expected a schema of type 'object', got {document['type']!r}; wrap the value in a property")
    kind = validator_for(document, default=jsonschema.Draft202012Validator)
    try:
        kind.check_schema(document)
    except jsonschema.SchemaError as error:
        raise DeclarationError(f"{owner}: not a valid JSON Schema at {path_text(list(error.path)) or 'the top'}: {error.message}") from error
    for reference in _references(document):
        if not reference.startswith("#"):
            raise DeclarationError(f"{owner}: expected references inside the schema, got {reference!r}; nothing is fetched, so copy it in")
    return document


def _references(node: Any) -> list[str]:
    if isinstance(node, Mapping):
        own = [value for key, value in node.items() if key in {"$ref", "$dynamicRef"} and isinstance(value, str)]
        return own + [found for value in node.values() for found in _references(value)]
    if isinstance(node, list):
        return [found for value in node for found in _references(value)]
    return []


def _closed_registry() -> Registry[Any]:
    def refuse(uri: str) -> Any:
        raise NoSuchResource(uri)

    return Registry(retrieve=refuse)  # type: ignore[call-arg]


def _problems(error: jsonschema.ValidationError, document: Mapping[str, Any]) -> list[ArgumentProblem]:
    path = list(error.absolute_path)
    if error.validator == "required":
        schema = cast("Mapping[str, Any]", error.schema)
        return [
            ArgumentProblem(
                path_text([*path, name]), words(schema.get("properties", {}).get(name), document), "nothing", "missing"
            )
            for name in error.validator_value
            if name not in error.instance and f"{name!r} is" in error.message
        ]
    if error.validator == "additionalProperties" and error.validator_value is False:
        known = cast("Mapping[str, Any]", error.schema).get("properties", {})
        return [unknown_argument([*path, name], document, value) for name, value in error.instance.items() if name not in known]
    expected = words(error.schema, document)
    return [ArgumentProblem(path_text(path), expected, shortened(error.instance), str(error.validator))]


def arguments_from_schema(schema: Mapping[str, JsonValue], *, owner: str) -> Arguments:
    """Return what checks arguments against a JSON Schema.

    Args:
        schema: The schema of the arguments, of type object.
        owner: Whose it is, for messages.

    Raises:
        DeclarationError: It is no valid schema, or refers to something outside.
    """
    return SchemaArguments(schema, owner=owner)
