"""Stricter core schemas: what pydantic lets pass silently and a tool call must not.

Three differences to pydantic's lax mode, applied to everything a signature reaches (nested models too): true and false
are not numbers, NaN and infinity are not numbers unless the annotation allows them, and text for `bytes` is always
base64. Unknown fields of nested objects are refused unless their class says otherwise.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from pydantic import EncodedBytes
from pydantic_core import PydanticCustomError, PydanticKnownError, core_schema

from tools.schema.plain_json import plain
from tools.schema.text import canonical_json, to_base64

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic_core import CoreSchema

EXACT: Final = "\0exact"
"""The label of the branch that takes a number as it is; its errors say nothing of their own."""

LENIENT: Final = "\0lenient"
"""The label of the branch that converts text to a number."""

BRANCH: Final = "\0branch"
"""What the labels of a union's other branches begin with, so that they are never mistaken for a key."""

_Node = dict[str, Any]
_CHILDREN: Final = (
    "schema",
    "items_schema",
    "keys_schema",
    "values_schema",
    "extras_schema",
    "json_schema",
    "python_schema",
    "lax_schema",
    "strict_schema",
    "var_args_schema",
    "var_kwargs_schema",
    "arguments_schema",
    "arguments",
    "choices",
    "steps",
    "definitions",
    "fields",
)
_LEAVES: Final = frozenset({"str", "bool", "none", "any", "date", "time", "datetime", "uuid", "definition-ref"})


_PYTHON_ONLY: Final = {"json-or-python": "python_schema", "lax-or-strict": "strict_schema"}


def children_rewritten(node: _Node, visit: Callable[[_Node], _Node]) -> _Node:
    """Return the node with every core schema inside it visited; the very same node when none changed."""
    changed: _Node = {}
    for key in _CHILDREN:
        if key in node:
            child = node[key]
            new = _container_rewritten(child, visit)
            if new is not child:
                changed[key] = new
    return {**node, **changed} if changed else node


def _container_rewritten(child: Any, visit: Callable[[_Node], _Node]) -> Any:
    if isinstance(child, dict):
        if "type" in child and isinstance(child["type"], str):
            return visit(child)
        new = {key: _container_rewritten(value, visit) for key, value in child.items()}
        return new if any(new[key] is not child[key] for key in child) else child
    if isinstance(child, list):
        items = [_container_rewritten(item, visit) for item in child]
        return items if any(a is not b for a, b in zip(items, child, strict=True)) else child
    if isinstance(child, tuple):
        return (visit(child[0]), *child[1:])
    return child


def mentions(schema: CoreSchema, kinds: frozenset[str]) -> bool:
    """Tell whether a core schema of one of these kinds lies anywhere inside.

    What only converts Python objects, and never JSON, does not count.
    """
    return _any_node(schema, lambda node: node["type"] in kinds)


def reads_json_otherwise(schema: CoreSchema) -> bool:
    """Tell whether something inside is strict, and so takes the text of a date from JSON but not from Python."""
    return _any_node(schema, lambda node: bool(node.get("strict") or (node.get("config") or {}).get("strict")))


def _any_node(node: Any, wanted: Callable[[_Node], bool]) -> bool:
    if isinstance(node, dict):
        kind = node.get("type")
        if isinstance(kind, str):
            if wanted(node):
                return True
            skipped = _PYTHON_ONLY.get(kind)
            return any(_any_node(node[key], wanted) for key in _CHILDREN if key in node and key != skipped)
        return any(_any_node(value, wanted) for value in node.values())
    if isinstance(node, (list, tuple)):
        return any(_any_node(item, wanted) for item in node)
    return False


def strict(schema: CoreSchema) -> CoreSchema:
    """Return the schema that validates as this module's docstring says."""
    return cast("CoreSchema", _strict(cast("_Node", schema)))


def _strict(node: _Node) -> _Node:
    kind = node["type"]
    if kind in _LEAVES:
        return node
    rule = _STRICT_RULES.get(kind)
    return rule(node) if rule is not None else children_rewritten(node, _strict)


def _number(node: _Node) -> _Node:
    if node["type"] == "float" and "allow_inf_nan" not in node:
        node = {**node, "allow_inf_nan": False}
    if node.get("strict"):
        return node
    exact = {key: value for key, value in node.items() if key not in {"metadata", "serialization", "ref"}}
    exact["strict"] = True
    lenient = core_schema.no_info_before_validator_function(_REFUSE_BOOL[node["type"]], cast("CoreSchema", node))
    return {"type": "union", "mode": "left_to_right", "choices": [(exact, EXACT), (lenient, LENIENT)]}


_Refusal = Literal["enum", "float_type", "int_type", "literal_error", "time_delta_type"]


def _refusing_bool(kind: _Refusal, **context: str) -> Callable[[Any], Any]:
    def refuse_bool(value: Any) -> Any:
        if value is True or value is False:
            raise PydanticKnownError(kind, context or None)
        return value

    return refuse_bool


_REFUSE_BOOL: Final = {
    "int": _refusing_bool("int_type"),
    "float": _refusing_bool("float_type"),
    "timedelta": _refusing_bool("time_delta_type"),
}


def _timedelta(node: _Node) -> _Node:
    return _guarded(node, _REFUSE_BOOL["timedelta"])


def _enum(node: _Node) -> _Node:
    return _guarded_if_numbers(node, [member.value for member in node["members"]], "enum")


def _literal(node: _Node) -> _Node:
    return _guarded_if_numbers(node, node["expected"], "literal_error")


def _guarded_if_numbers(node: _Node, values: list[Any], kind: _Refusal) -> _Node:
    """Tell 1 from true, which Python holds for equal."""
    kinds = {type(value) for value in values}
    if bool in kinds or not any(issubclass(inner, (int, float)) for inner in kinds):
        return node
    return _guarded(node, _refusing_bool(kind, expected=", ".join(map(repr, values))))


def _guarded(node: _Node, guard: Callable[[Any], Any]) -> _Node:
    return cast("_Node", core_schema.no_info_before_validator_function(guard, cast("CoreSchema", node)))


def _list(node: _Node) -> _Node:
    # An iterator would be checked only while the tool reads it, when nobody can tell the caller any more.
    return children_rewritten({**node, "type": "list"}, _strict)


def _bytes(node: _Node) -> _Node:
    return cast("_Node", core_schema.no_info_before_validator_function(_from_base64, cast("CoreSchema", node)))


def _from_base64(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = value.translate(_TO_STANDARD).rstrip("=")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        raise PydanticCustomError("bytes_base64", "Input should be base64 text") from None


_TO_STANDARD: Final = str.maketrans("-_", "+/")


def _function_after(node: _Node) -> _Node:
    owner = getattr(node["function"]["function"], "__self__", None)
    if isinstance(owner, EncodedBytes):
        return node
    return children_rewritten(node, _strict)


def _union(node: _Node) -> _Node:
    new = children_rewritten(node, _strict)
    choices = [
        (choice[0] if isinstance(choice, tuple) else choice, f"{BRANCH}{index}")
        for index, choice in enumerate(new["choices"])
    ]
    return {**new, "choices": choices}


def _closed(node: _Node) -> _Node:
    new = children_rewritten(node, _strict)
    config = new.get("config") or {}
    if "extra_fields_behavior" in config:
        return new
    return {**new, "config": {**config, "extra_fields_behavior": "forbid"}}


def _closed_typed_dict(node: _Node) -> _Node:
    new = children_rewritten(node, _strict)
    config = getattr(node.get("cls"), "__pydantic_config__", None) or {}
    if "extra" in config or new.get("extra_behavior", "ignore") != "ignore":
        return new
    return {**new, "extra_behavior": "forbid"}


_STRICT_RULES: Final[dict[str, Callable[[_Node], _Node]]] = {
    "int": _number,
    "float": _number,
    "timedelta": _timedelta,
    "enum": _enum,
    "literal": _literal,
    "generator": _list,
    "bytes": _bytes,
    "function-after": _function_after,
    "union": _union,
    "model": _closed,
    "dataclass": _closed,
    "typed-dict": _closed_typed_dict,
}


def writable(schema: CoreSchema, *, for_callers: bool) -> CoreSchema:
    """Return the schema that writes bytes as base64 and sets as sorted lists.

    Args:
        schema: What pydantic made of an annotation.
        for_callers: Whether what is written must fit the same schema again, every field under the name it is read by,
            and secrets as they are.
    """
    return cast("CoreSchema", _writable(cast("_Node", schema), for_callers=for_callers))


def _writable(node: _Node, *, for_callers: bool) -> _Node:
    kind = node["type"]
    if "serialization" not in node:
        if kind == "bytes":
            return {**node, "serialization": _TO_BASE64}
        if kind in _UNTYPED or (kind in _CONTAINERS and "items_schema" not in node and "values_schema" not in node):
            return {**node, "serialization": _TO_PLAIN}
    new = children_rewritten(node, lambda inner: _writable(inner, for_callers=for_callers))
    if for_callers and hides_secret(node.get("serialization")):
        # Else arguments that differ in a secret alone would be one, and an edit would put asterisks in its place.
        return {**new, "serialization": _REVEALED}
    if kind in {"set", "frozenset"} and "serialization" not in new:
        return {**new, "serialization": _TO_SORTED}
    if for_callers and kind in {"model-field", "typed-dict-field", "dataclass-field"}:
        return _named_as_read(new)
    return new


def _named_as_read(node: _Node) -> _Node:
    new = {key: value for key, value in node.items() if key not in _WRITTEN_ONLY}
    alias = node.get("validation_alias")
    if isinstance(alias, list):
        paths = alias if isinstance(alias[0], list) else [alias]
        alias = next((path[0] for path in paths if len(path) == 1), None)
    if isinstance(alias, str):
        new["serialization_alias"] = alias
    if node.get("init") is False:
        new["serialization_exclude"] = True
    return new


def hides_secret(serialization: Any) -> bool:
    """Return whether what writes a value is one of pydantic's secrets, which write asterisks."""
    function = serialization.get("function") if isinstance(serialization, dict) else None
    name = getattr(function, "__name__", "")
    # WORKAROUND pydantic 2.14: nothing public tells its secrets' own serializers.
    return name.startswith("_serialize_secret") and getattr(function, "__module__", "") == "pydantic.types"


def _revealed(value: Any) -> Any:
    reveal = getattr(value, "get_secret_value", None)
    return value if reveal is None else plain(reveal())


_CONTAINERS: Final = frozenset({"deque", "dict", "frozenset", "list", "set"})
_UNTYPED: Final = frozenset({"any", "generator"})
_WRITTEN_ONLY: Final = frozenset({"serialization_alias", "serialization_exclude", "serialization_exclude_if"})


def _sorted(value: Any, write: Callable[[Any], Any]) -> list[Any]:
    return sorted(write(value), key=canonical_json)


_TO_BASE64: Final = core_schema.plain_serializer_function_ser_schema(to_base64, when_used="json")
_TO_PLAIN: Final = core_schema.plain_serializer_function_ser_schema(plain, when_used="json")
_TO_SORTED: Final = core_schema.wrap_serializer_function_ser_schema(_sorted, when_used="json")
_REVEALED: Final = core_schema.plain_serializer_function_ser_schema(_revealed, when_used="json-unless-none")
