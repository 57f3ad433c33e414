"""Arguments known by their JSON Schema alone: programmatic tools, remote tools, executables."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import from_json

from tools.errors import UNCHECKED, ArgumentProblem, ArgumentsError, DeclarationError
from tools.schema.problems import malformed, path_text, shortened, unknown_argument
from tools.schema.quick_validators import certain_check
from tools.schema.text import json_text
from tools.schema.words import ANYTHING, words

if TYPE_CHECKING:
    import jsonschema
    from pydantic import JsonValue

    from tools.schema.bounded import BoundedCheck
    from tools.schema.interfaces import Arguments
    from tools.schema.soundness import SharedParts

CHECK_S: Final = 2.0
"""How long the check of one call's arguments may take, in seconds."""

_MEMBERS: Final = frozenset({"anyOf", "oneOf"})
_CLOSING: Final = frozenset({"additionalProperties", "unevaluatedProperties"})
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

    Raises:
        DeclarationError: It is no valid schema of an object, or refers to something outside.
    """

    def __init__(
        self,
        schema: Mapping[str, JsonValue],
        *,
        owner: str,
        within_s: float | None = None,
        shared: SharedParts | None = None,
    ) -> None:
        self._owner = owner
        self._within_s = CHECK_S if within_s is None else min(CHECK_S, within_s)
        self._document, self._check = _checked(schema, owner, shared)
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
        return self._document

    def validate(self, values: Mapping[str, Any]) -> dict[str, Any]:
        if not isinstance(values, Mapping):
            raise ArgumentsError([_not_an_object(values, self._document)])
        given = {name: self._from_text(name, value) for name, value in values.items()}
        if not self._is_certain(given):
            self._check_slowly(given)
        for name, default in self._defaults.items():
            if name not in given:
                given[name] = copy.deepcopy(default)
        return given

    def is_quick(self, values: Any) -> bool:
        """Tell whether checking these values takes less than a millisecond, as it does for nearly all that fit."""
        if not isinstance(values, Mapping):
            return False
        return self._is_certain({name: self._from_text(name, value) for name, value in values.items()})

    def _is_certain(self, given: Any) -> bool:
        return self._certain is not None and self._certain(given)

    def _check_slowly(self, given: Mapping[str, Any]) -> None:
        checked = self._check.errors(given, within_s=self._within_s)
        problems = list(dict.fromkeys(_problems(checked.errors, self._document)))
        if checked.fault is not None and not problems:
            place = f" at {checked.fault.place}" if checked.fault.place else ""
            words = f"the schema of {self._owner}{place} {checked.fault.words}"
            problems = [ArgumentProblem("", words, shortened(given), UNCHECKED)]
        if problems:
            raise ArgumentsError(problems)

    def validate_json(self, text: str | bytes) -> dict[str, Any]:
        try:
            values = from_json(text, allow_inf_nan=False)
        except ValueError as error:
            raise ArgumentsError([malformed(str(error), text)]) from None
        return self.validate(values)

    def dump(self, arguments: Mapping[str, Any]) -> dict[str, JsonValue]:
        return dict(arguments)

    def dump_json(self, arguments: Mapping[str, Any]) -> bytes:
        return json_text(self.dump(arguments)).encode()

    def _from_text(self, name: str, value: Any) -> Any:
        kinds = self._converted.get(name)
        if kinds is None or not isinstance(value, str):
            return value
        try:
            parsed = from_json(value.lower() if bool in kinds else value, allow_inf_nan=False)
        except (TypeError, ValueError):  # it is a TypeError where half of a surrogate pair is no text for the parser
            return value
        return parsed if type(parsed) in kinds else value


def is_quick(arguments: Arguments, given: Any) -> bool:
    """Tell whether a check takes far less than a frame; another one belongs in a thread."""
    return not isinstance(arguments, SchemaArguments) or arguments.is_quick(given)


def _checked(
    schema: Mapping[str, JsonValue], owner: str, shared: SharedParts | None
) -> tuple[dict[str, Any], BoundedCheck]:
    # Only tools that are known by their schema alone need the library, which takes a tenth of a second.
    from tools.schema.bounded import BoundedCheck, UnsoundSchemaError  # noqa: PLC0415 -- see above

    document: dict[str, Any] = {"type": "object", **schema}
    if document["type"] != "object":
        given = shortened(document["type"])
        raise DeclarationError(
            f"{owner}: expected a schema of type 'object', got {given}; put the value into a property"
        )
    try:
        return document, BoundedCheck(document, shared=shared)
    except UnsoundSchemaError as error:
        raise DeclarationError(f"{owner}: not a valid JSON Schema {error}") from error


def _not_an_object(value: Any, document: Mapping[str, Any]) -> ArgumentProblem:
    return ArgumentProblem("", words(document, document), shortened(value), "dict_type")


def _problems(errors: Iterable[jsonschema.ValidationError], document: Mapping[str, Any]) -> Iterable[ArgumentProblem]:
    for error in errors:
        path: list[str | int] = list(error.absolute_path)
        schema: Any = error.schema
        instance: Any = error.instance
        if error.validator == "required":
            name = str(error.validator_value)
            expected = words(schema.get("properties", {}).get(name), document)
            yield ArgumentProblem(path_text([*path, name]), expected, "nothing", "missing")
        elif error.validator in _CLOSING:
            yield unknown_argument(path, document, instance[path[-1]])
        elif error.validator == "propertyNames":
            for inner in _problems(error.context or (), document):
                yield inner._replace(path=path_text(path[:-1]))
        elif error.validator in _MEMBERS and (nearest := _nearest(error)):
            yield from _problems(nearest, document)
        else:
            expected = words(schema, document)
            is_said = error.validator in _SAID_IN_WORDS or error.validator in _MEMBERS
            if not is_said or expected == ANYTHING:
                expected = f"{expected} ({shortened(error.message)[1:-1]})"
            yield ArgumentProblem(path_text(path), expected, shortened(instance), str(error.validator))


def _nearest(error: jsonschema.ValidationError) -> list[jsonschema.ValidationError]:
    """Return what one branch of a union finds wrong inside the value, when a branch fits its shape at all."""
    by_branch: dict[Any, list[jsonschema.ValidationError]] = {}
    for inner in error.context or ():
        by_branch.setdefault(inner.schema_path[0], []).append(inner)
    entered = [
        group for group in by_branch.values() if all(item.path or item.validator == "required" for item in group)
    ]
    return min(entered, key=len, default=[])
