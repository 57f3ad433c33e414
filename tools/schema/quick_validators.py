"""JSON Schemas as validators that take microseconds; those of annotations are nearly always of a kind that can be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic_core import SchemaError, SchemaValidator, core_schema

from tools.schema.rewriting import children_rewritten, mentions

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

_NOTES: Final = frozenset(
    {"$comment", "contentEncoding", "contentMediaType", "default", "deprecated", "description", "examples", "format"}
    | {"readOnly", "title", "writeOnly"}
)
"""Keywords that say something and check nothing."""

_STRICT_INT: Final = core_schema.int_schema(strict=True)
_REFERENCE: Final = "#/$defs/"
_REFERENCES: Final = frozenset({"definition-ref"})

_Node = dict[str, Any]


class _UnknownError(Exception):
    """Report a schema that says more than is understood here."""


def quick_validator(
    schema: Mapping[str, Any], python_names: Mapping[str, str], defaults: Mapping[str, Any]
) -> SchemaValidator | None:
    """Return what checks an object against its schema and returns it by its Python names, with defaults filled in.

    What it takes fits the schema, where text may stand for numbers and booleans. What it refuses may fit all the same,
    and its messages are not for people: whoever uses it asks somebody slower then.

    Returns:
        None when the schema says more than is understood here.
    """
    required = schema.get("required", ())
    try:
        if set(schema) - _NOTES - {"$defs", "additionalProperties", "properties", "required", "type"}:
            return None
        if schema.get("additionalProperties") is not False:
            return None
        fields: dict[str, core_schema.TypedDictField] = {}
        for name, inner in schema.get("properties", {}).items():
            core = _core(inner)
            if name in defaults:
                core = core_schema.with_default_schema(core, default=defaults[name])
            fields[python_names[name]] = core_schema.typed_dict_field(
                core, required=name in required, validation_alias=name
            )
        whole: Any = core_schema.typed_dict_schema(fields, extra_behavior="forbid")
        return _validator(whole, _definitions(schema))
    except (_UnknownError, SchemaError, KeyError, TypeError):
        return None


def certain_check(schema: Mapping[str, Any], *, in_pieces: bool = False) -> Callable[[Any], bool] | None:
    """Return what tells of many values within a microsecond that they fit a schema of any draft from 7 on.

    What it takes fits surely, nothing converted. What it refuses may fit all the same: whoever uses it asks somebody
    slower then.

    Args:
        in_pieces: Whether other threads get the interpreter between two parts of a large value. The validator keeps it
            otherwise until it is done: 130 ms for half a million objects.

    Returns:
        None when the schema says more than is understood here.
    """
    node = {key: value for key, value in schema.items() if key not in {"$schema", "$defs"}}
    try:
        core, definitions = cast("_Node", _core(node)), _definitions(schema)
        for part in (core, *definitions):
            _refuse_doubling(part)
        fits = _fits(core, definitions)
    except (_UnknownError, SchemaError, KeyError, TypeError):
        return None
    return _Pieces(definitions).fits(core) if in_pieces else fits


def _refuse_doubling(core: _Node) -> _Node:
    """Refuse unions of several references: all members are tried, so that dozens of them would take for ever."""
    if core["type"] == "union" and sum(mentions(member, _REFERENCES) for member in core["choices"]) > 1:
        raise _UnknownError
    return children_rewritten(core, _refuse_doubling)


def _definitions(schema: Mapping[str, Any]) -> list[_Node]:
    return [{**_core(inner), "ref": _REFERENCE + name} for name, inner in schema.get("$defs", {}).items()]


def _validator(core: _Node, definitions: Sequence[_Node]) -> SchemaValidator:
    whole: Any = core_schema.definitions_schema(cast("CoreSchema", core), cast("Any", definitions))
    return SchemaValidator(whole if definitions else cast("CoreSchema", core), _use_prebuilt=False)


def _fits(core: _Node, definitions: Sequence[_Node] = ()) -> Callable[[Any], bool]:
    # The strictness of a configuration would end where an object begins.
    return partial(_validator(core, definitions).isinstance_python, strict=True)


class _Pieces:
    """Make checks that ask Python for each part of a list or of a map, and for what a reference leads to.

    They keep no copy of what they look through: to let go of one would hold the interpreter as well.
    """

    def __init__(self, definitions: Sequence[_Node]) -> None:
        self._core_by_reference = {definition["ref"]: definition for definition in definitions}
        self._fits_by_reference: dict[str, Callable[[Any], bool]] = {}

    def fits(self, core: _Node) -> Callable[[Any], bool]:
        return _fits(self._cut(core))

    def _cut(self, core: _Node) -> _Node:
        if core["type"] == "definition-ref":
            return _asking(partial(self._fits_definition, core["schema_ref"]))
        new = children_rewritten(core, self._cut)
        parts = {"list": "items_schema", "dict": "values_schema"}.get(new["type"])
        return new if parts is None else {**new, parts: _asking(_fits(new[parts]))}

    def _fits_definition(self, reference: str, value: Any) -> bool:
        fits = self._fits_by_reference.get(reference)
        if fits is None:
            core = {key: part for key, part in self._core_by_reference[reference].items() if key != "ref"}
            fits = self._fits_by_reference[reference] = self.fits(core)
        return fits(value)


def _asking(fits: Callable[[Any], bool]) -> _Node:
    def check(part: Any) -> None:
        if not fits(part):
            raise ValueError

    return cast("_Node", core_schema.no_info_plain_validator_function(check))


def _core(node: Any) -> CoreSchema:
    if node is True:
        return core_schema.any_schema()
    if not isinstance(node, Mapping):
        raise _UnknownError
    says = {key: value for key, value in node.items() if key not in _NOTES and not key.startswith("x-")}
    if not says:
        return core_schema.any_schema()
    if "$ref" in says:
        return _reference(says)
    if "anyOf" in says:
        _only(says, "anyOf")
        return core_schema.union_schema([_core(member) for member in says["anyOf"]])
    if "enum" in says or "const" in says:
        return _one_of(says)
    kind = says.pop("type", None)
    if isinstance(kind, list):
        return core_schema.union_schema([_core({**says, "type": item}) for item in kind])
    if kind not in _MAKERS:
        raise _UnknownError
    return _MAKERS[kind](says)


def _only(says: Mapping[str, Any], *keys: str) -> None:
    if not says.keys() <= set(keys):
        raise _UnknownError


def _reference(says: Mapping[str, Any]) -> CoreSchema:
    _only(says, "$ref")
    if not says["$ref"].startswith(_REFERENCE):
        raise _UnknownError
    return core_schema.definition_reference_schema(says["$ref"])


def _one_of(says: Mapping[str, Any]) -> CoreSchema:
    _only(says, "enum" if "enum" in says else "const", "type")
    if says.get("type", "string") != "string":
        raise _UnknownError
    values = list(says["enum"]) if "enum" in says else [says["const"]]
    if not all(isinstance(value, str) for value in values):
        # Numbers and booleans are taken for one another in ways of their own.
        raise _UnknownError
    return core_schema.literal_schema(values)


def _text(says: Mapping[str, Any]) -> CoreSchema:
    _only(says, "maxLength", "minLength")
    return core_schema.str_schema(strict=True, min_length=says.get("minLength"), max_length=says.get("maxLength"))


def _bounds(says: Mapping[str, Any]) -> dict[str, Any]:
    _only(says, "exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum")
    words = {"exclusiveMaximum": "lt", "exclusiveMinimum": "gt", "maximum": "le", "minimum": "ge"}
    return {words[key]: value for key, value in says.items()}


def _integer(says: Mapping[str, Any]) -> CoreSchema:
    return core_schema.int_schema(**_bounds(says))


def _number(says: Mapping[str, Any]) -> CoreSchema:
    if says:
        return core_schema.float_schema(**_bounds(says))
    # A whole number stays one: a float may be too coarse for it.
    return core_schema.union_schema([_STRICT_INT, core_schema.float_schema()], mode="left_to_right")


def _boolean(says: Mapping[str, Any]) -> CoreSchema:
    _only(says)
    return core_schema.bool_schema()


def _null(says: Mapping[str, Any]) -> CoreSchema:
    _only(says)
    return core_schema.none_schema()


def _array(says: Mapping[str, Any]) -> CoreSchema:
    if "prefixItems" in says:
        return _fixed_array(says)
    _only(says, "items", "maxItems", "minItems")
    items = _core(says.get("items", True))
    return core_schema.list_schema(items, min_length=says.get("minItems"), max_length=says.get("maxItems"))


def _fixed_array(says: Mapping[str, Any]) -> CoreSchema:
    """Return what checks a list of so many values, as a named tuple is written."""
    _only(says, "maxItems", "minItems", "prefixItems")
    items = [_core(item) for item in says["prefixItems"]]
    if not says.get("minItems") == says.get("maxItems") == len(items):
        raise _UnknownError
    return core_schema.no_info_wrap_validator_function(_list_of_parts, core_schema.tuple_schema(items))


def _list_of_parts(value: Any, validate: Callable[[Any], Sequence[Any]]) -> list[Any]:
    if type(value) is not list:
        raise ValueError
    return list(validate(tuple(value)))


def _object(says: Mapping[str, Any]) -> CoreSchema:
    _only(says, "additionalProperties", "properties", "required")
    further = says.get("additionalProperties", True)
    properties = says.get("properties", {})
    if not properties and not says.get("required"):
        if further is False:
            raise _UnknownError
        return core_schema.dict_schema(core_schema.str_schema(strict=True), _core(further))
    if not isinstance(further, bool):
        raise _UnknownError
    required = says.get("required", ())
    if not set(required) <= set(properties):
        raise _UnknownError
    fields = {
        name: core_schema.typed_dict_field(_core(inner), required=name in required)
        for name, inner in properties.items()
    }
    return core_schema.typed_dict_schema(fields, extra_behavior="allow" if further else "forbid")


_MAKERS: Final[Mapping[Any, Callable[[Mapping[str, Any]], CoreSchema]]] = {
    "array": _array,
    "boolean": _boolean,
    "integer": _integer,
    "null": _null,
    "number": _number,
    "object": _object,
    "string": _text,
}
