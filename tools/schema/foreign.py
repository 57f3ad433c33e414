"""Arguments known by their JSON Schema alone: programmatic tools, remote tools, executables."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import from_json

from tools.errors import ArgumentProblem, ArgumentsError, DeclarationError
from tools.schema.problems import malformed, path_text, shortened, unknown_argument
from tools.schema.quick import certain_check
from tools.schema.text import json_text
from tools.schema.words import words

if TYPE_CHECKING:
    import jsonschema
    from jsonschema.protocols import Validator
    from pydantic import JsonValue

    from tools.schema.ports import Arguments

_ANCHORS: Final = frozenset({"$anchor", "$dynamicAnchor"})
_REFERENCES: Final = frozenset({"$ref", "$dynamicRef"})
_VALUES: Final = frozenset({"const", "default", "enum", "examples"})
_MEMBERS: Final = frozenset({"anyOf", "oneOf"})
_SAID_IN_WORDS: Final = frozenset(
    {
        "const", "enum", "exclusiveMaximum", "exclusiveMinimum", "maxItems", "maxLength", "maximum", "minItems",
        "minLength", "minimum", "multipleOf", "pattern", "type", "uniqueItems",
    }
)  # fmt: skip
_TEXT_CONVERTS_TO: Final[dict[str, tuple[type, ...]]] = {"integer": (int,), "number": (int, float), "boolean": (bool,)}


class SchemaArguments:
    """Check arguments against a JSON Schema, whose draft `$schema` names (2020-12 when it does not).

    References are followed inside the document only; nothing is ever fetched. Text stands for a number or a boolean
    where the top level asks for one, as in the arguments of a command line; nothing else is converted.

    Args:
        schema: The schema of the arguments.
        owner: Whose it is, for messages.

    Raises:
        DeclarationError: It is no valid schema of an object, or refers to something outside.
    """

    def __init__(self, schema: Mapping[str, JsonValue], *, owner: str) -> None:
        # Only tools that are known by their schema alone need these, which take a tenth of a second.
        import jsonschema  # noqa: PLC0415 -- see above
        from jsonschema.validators import validator_for  # noqa: PLC0415 -- see above
        from referencing import Registry  # noqa: PLC0415 -- see above

        self._document = _checked(schema, owner)
        kind = validator_for(self._document, default=jsonschema.Draft202012Validator)
        self._validator: Validator = kind(self._document, registry=Registry())
        self._certain = certain_check(self._document)
        properties = {
            name: inner for name, inner in self._document.get("properties", {}).items() if isinstance(inner, Mapping)
        }
        self._defaults = {name: inner["default"] for name, inner in properties.items() if "default" in inner}
        self._converted = {
            name: _TEXT_CONVERTS_TO[inner["type"]]
            for name, inner in properties.items()
            if isinstance(inner.get("type"), str) and inner["type"] in _TEXT_CONVERTS_TO
        }

    @property
    def input_schema(self) -> dict[str, JsonValue]:
        """The JSON Schema as it was given."""
        return self._document

    def validate(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Check plain values and fill in the defaults of the top level; see `Arguments.validate`."""
        if not isinstance(values, Mapping):
            raise ArgumentsError([_not_an_object(values, self._document)])
        given = {name: self._from_text(name, value) for name, value in values.items()}
        is_certain = self._certain is not None and self._certain(given)
        errors = () if is_certain else self._validator.iter_errors(given)
        if problems := list(dict.fromkeys(_problems(errors, self._document))):
            raise ArgumentsError(problems)
        for name, default in self._defaults.items():
            if name not in given:
                given[name] = copy.deepcopy(default)
        return given

    def validate_json(self, text: str | bytes) -> dict[str, Any]:
        """Check JSON text; see `Arguments.validate_json`."""
        try:
            values = from_json(text, allow_inf_nan=False)
        except ValueError as error:
            raise ArgumentsError([malformed(str(error), text)]) from None
        return self.validate(values)

    def dump(self, arguments: Mapping[str, Any]) -> dict[str, JsonValue]:
        """Return the values as they are: they were never converted."""
        return dict(arguments)

    def dump_json(self, arguments: Mapping[str, Any]) -> bytes:
        """Return the values as JSON text; see `Arguments.dump_json`."""
        return json_text(self.dump(arguments)).encode()

    def _from_text(self, name: str, value: Any) -> Any:
        kinds = self._converted.get(name)
        if kinds is None or not isinstance(value, str):
            return value
        try:
            parsed = from_json(value.lower() if bool in kinds else value, allow_inf_nan=False)
        except ValueError:
            return value
        return parsed if type(parsed) in kinds else value


def arguments_from_schema(schema: Mapping[str, JsonValue], *, owner: str) -> Arguments:
    """Return what checks arguments against a JSON Schema.

    Args:
        schema: The schema of the arguments, of type object.
        owner: Whose it is, for messages.

    Raises:
        DeclarationError: It is no valid schema, or refers to something outside.
    """
    return SchemaArguments(schema, owner=owner)


def _checked(schema: Mapping[str, JsonValue], owner: str) -> dict[str, Any]:
    import jsonschema  # noqa: PLC0415 -- see SchemaArguments
    from jsonschema.validators import validator_for  # noqa: PLC0415 -- see SchemaArguments

    document: dict[str, Any] = {"type": "object", **schema}
    if document["type"] != "object":
        raise DeclarationError(
            f"{owner}: expected a schema of type 'object', got {document['type']!r}; put the value into a property"
        )
    kind = validator_for(document, default=jsonschema.Draft202012Validator)
    try:
        kind.check_schema(document)
    except jsonschema.SchemaError as error:
        where = path_text(list(error.path)) or "the top level"
        raise DeclarationError(f"{owner}: not a valid JSON Schema at {where}: {error.message}") from error
    for reference in _texts_under(document, _REFERENCES):
        _check_reference(reference, document, owner)
    return document


def _check_reference(reference: str, document: Mapping[str, Any], owner: str) -> None:
    if not reference.startswith("#"):
        raise DeclarationError(
            f"{owner}: expected references inside the schema, got {reference!r}; nothing is fetched, copy it into $defs"
        )
    if reference != "#" and not reference.startswith("#/"):
        _check_anchor(reference, document, owner)
        return
    target: Any = document
    for part in reference[1:].split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(target, list) and name.isdecimal() and int(name) < len(target):
            target = target[int(name)]
        elif isinstance(target, Mapping) and name in target:
            target = target[name]
        else:
            raise DeclarationError(f"{owner}: the reference {reference!r} leads nowhere; add its target to the schema")


def _check_anchor(reference: str, document: Mapping[str, Any], owner: str) -> None:
    if reference[1:] not in set(_texts_under(document, _ANCHORS)):
        raise DeclarationError(f"{owner}: the reference {reference!r} leads nowhere; add its anchor to the schema")


def _texts_under(node: Any, keys: frozenset[str]) -> Iterable[str]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            if key in keys and isinstance(value, str):
                yield value
            elif key not in _VALUES:
                yield from _texts_under(value, keys)
    elif isinstance(node, list):
        for value in node:
            yield from _texts_under(value, keys)


def _not_an_object(value: Any, document: Mapping[str, Any]) -> ArgumentProblem:
    return ArgumentProblem("", words(document, document), shortened(value), "dict_type")


def _problems(errors: Iterable[jsonschema.ValidationError], document: Mapping[str, Any]) -> Iterable[ArgumentProblem]:
    for error in errors:
        path: list[str | int] = list(error.absolute_path)
        schema: Any = error.schema
        instance: Any = error.instance
        if error.validator == "required":
            # Each missing name is an error of its own, so only the one this error is about is told.
            for name in schema["required"]:
                if name not in instance and error.message.startswith(f"{name!r} "):
                    expected = words(schema.get("properties", {}).get(name), document)
                    yield ArgumentProblem(path_text([*path, name]), expected, "nothing", "missing")
        elif error.validator == "additionalProperties" and schema["additionalProperties"] is False:
            yield from (unknown_argument([*path, name], document, instance[name]) for name in _extra(instance, schema))
        elif error.validator in _MEMBERS and (nearest := _nearest(error)):
            yield from _problems(nearest, document)
        else:
            expected = words(schema, document)
            if error.validator not in _SAID_IN_WORDS and error.validator not in _MEMBERS:
                expected = f"{expected} ({shortened(error.message)[1:-1]})"
            yield ArgumentProblem(path_text(path), expected, shortened(instance), str(error.validator))


def _extra(instance: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    patterns = schema.get("patternProperties", {})
    return [
        name
        for name in instance
        if name not in schema.get("properties", {}) and not any(re.search(pattern, name) for pattern in patterns)
    ]


def _nearest(error: jsonschema.ValidationError) -> list[jsonschema.ValidationError]:
    """Return what one branch of a union finds wrong inside the value, when a branch fits its shape at all."""
    by_branch: dict[Any, list[jsonschema.ValidationError]] = {}
    for inner in error.context or ():
        by_branch.setdefault(inner.schema_path[0], []).append(inner)
    entered = [
        group for group in by_branch.values() if all(item.path or item.validator == "required" for item in group)
    ]
    return min(entered, key=len, default=[])
