"""The qualified names of types, as core schemas know them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, get_args, get_origin

_ID: Final = re.compile(r":\d+(?=[\[\],]|$)")
_BUILTIN: Final = re.compile(r"\bbuiltins\.")
_Node = Mapping[str, Any]

_LEAVES: Final = {
    "any": "typing.Any",
    "bool": "bool",
    "bytes": "bytes",
    "callable": "collections.abc.Callable",
    "complex": "complex",
    "date": "datetime.date",
    "datetime": "datetime.datetime",
    "decimal": "decimal.Decimal",
    "float": "float",
    "fraction": "fractions.Fraction",
    "int": "int",
    "multi-host-url": "pydantic.networks.MultiHostUrl",
    "none": "None",
    "str": "str",
    "time": "datetime.time",
    "timedelta": "datetime.timedelta",
    "url": "pydantic.networks.AnyUrl",
    "uuid": "uuid.UUID",
}
_COLLECTIONS: Final = {
    "deque": "collections.deque",
    "frozenset": "frozenset",
    "generator": "collections.abc.Iterable",
    "list": "list",
    "set": "set",
}
_MAPPINGS: Final = {"dict": "dict", "frozendict": "frozendict", "ordered-dict": "collections.OrderedDict"}


def qualified(tp: Any) -> str:
    """Return a type's module and name, those of its arguments included; built-in ones need no module."""
    if not isinstance(tp, type) or get_args(tp):
        arguments = get_args(tp)
        if not arguments:
            return str(tp)
        origin = get_origin(tp)
        spelled = ", ".join("..." if inner is Ellipsis else qualified(inner) for inner in arguments)
        return f"{qualified(origin)}[{spelled}]"
    generic = getattr(tp, "__pydantic_generic_metadata__", None) or {}
    if origin := generic.get("origin"):
        return f"{qualified(origin)}[{', '.join(map(qualified, generic['args']))}]"
    if tp.__module__ == "builtins":
        return tp.__qualname__
    # Python 3.13 tells where the class is written, not where people import it from.
    return f"{tp.__module__.removesuffix('._local')}.{tp.__qualname__}"


def name_of(schema: _Node) -> str:
    """Return the qualified name of the type a core schema was made from; empty when it does not tell."""
    kind = schema["type"]
    if kind != "model" and (reference := schema.get("schema_ref") or schema.get("ref")):
        return _BUILTIN.sub("", _ID.sub("", reference))
    if kind in _LEAVES:
        return _LEAVES[kind]
    if kind in _COLLECTIONS:
        return f"{_COLLECTIONS[kind]}[{_inner(schema, 'items_schema')}]"
    if kind in _MAPPINGS:
        return f"{_MAPPINGS[kind]}[{_inner(schema, 'keys_schema')}, {_inner(schema, 'values_schema')}]"
    rule = _RULES.get(kind)
    if rule is not None:
        return rule(schema)
    inner = schema.get("schema")
    return name_of(inner) if isinstance(inner, Mapping) else ""


def _inner(schema: _Node, key: str) -> str:
    return (name_of(schema[key]) if key in schema else "") or "typing.Any"


def _tuple(schema: _Node) -> str:
    names = [name_of(item) or "typing.Any" for item in schema["items_schema"]]
    if (variadic := schema.get("variadic_item_index")) is not None:
        names.insert(variadic + 1, "...")
    return f"tuple[{', '.join(names) or '()'}]"


def _union(schema: _Node) -> str:
    choices = schema["choices"]
    members = choices.values() if isinstance(choices, Mapping) else choices
    plain = (member[0] if isinstance(member, tuple) else member for member in members)
    return " | ".join(dict.fromkeys(name for name in map(name_of, plain) if name))


def _class(schema: _Node) -> str:
    cls = schema["cls"]
    return qualified(cls) if isinstance(cls, type) else ""


def _literal(schema: _Node) -> str:
    return f"typing.Literal[{', '.join(map(repr, schema['expected']))}]"


def _nullable(schema: _Node) -> str:
    return f"{name_of(schema['schema']) or 'typing.Any'} | None"


def _json_or_python(schema: _Node) -> str:
    python = schema["python_schema"]
    return name_of(python if python["type"] != "chain" else schema["json_schema"])


def _chain(schema: _Node) -> str:
    return name_of(schema["steps"][-1])


def _lax_or_strict(schema: _Node) -> str:
    return name_of(schema["strict_schema"])


_RULES: Final[dict[str, Callable[[_Node], str]]] = {
    "chain": _chain,
    "dataclass": _class,
    "enum": _class,
    "is-instance": _class,
    "json-or-python": _json_or_python,
    "lax-or-strict": _lax_or_strict,
    "literal": _literal,
    "model": _class,
    "named-tuple": _class,
    "nullable": _nullable,
    "tagged-union": _union,
    "tuple": _tuple,
    "union": _union,
}
