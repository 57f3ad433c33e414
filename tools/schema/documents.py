"""Self-contained JSON Schema documents of types and callables: every title a qualified name, nothing left to look up.

Source: seed 4, "Schema generation".
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, Literal, get_args, get_origin

from tools.schema.compiled_annotations import described_core_of
from tools.schema.inlining import each_schema, for_openapi, inlined
from tools.schema.output import core_of
from tools.schema.typed import TypedArguments
from tools.schema.writer import SchemaWriter, written

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue

    from tools.schema.interfaces import Arguments, Output
    from tools.spec import Dialect

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
_MAPPING_NAMES: Final = {"dict": "dict", "frozendict": "frozendict", "ordered-dict": "collections.OrderedDict"}


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
    if kind in _MAPPING_NAMES:
        return f"{_MAPPING_NAMES[kind]}[{_inner(schema, 'keys_schema')}, {_inner(schema, 'values_schema')}]"
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


_NAMES_BY_TYPE: Final = {
    "array": "list",
    "boolean": "bool",
    "integer": "int",
    "null": "None",
    "number": "float",
    "object": "dict",
    "string": "str",
}
_COMPOSITE: Final = frozenset({"lax-or-strict", "json-or-python", "decimal"})
"""Kinds whose inner nodes are spellings of one type, not types of their own."""

_MAPPINGS: Final = frozenset({"dict", "frozendict", "ordered-dict"})
_NAMELESS: Final = frozenset(
    {
        "computed-field", "dataclass-args", "dataclass-field", "definitions", "model-field", "model-fields",
        "named-tuple-field", "typed-dict-field",
    }
)  # fmt: skip


class SchemaPart(StrEnum):
    """What of a tool is described: what it takes, what it returns, or the whole response around that."""

    INPUT = "input"
    RESULT = "result"
    RESPONSE = "response"


class SchemaStyle(StrEnum):
    """How the schema of a tool is written.

    Attributes:
        DECLARED: As the tool declares it, in JSON Schema 2020-12.
        INLINED: Without references.
        TITLED: Without references, and every title the qualified name of a type.
        OPENAPI: The same in the words of OpenAPI 3.0.
    """

    DECLARED = "2020-12"
    INLINED = "inlined"
    TITLED = "titled"
    OPENAPI = "openapi-3.0"


class _TitledWriter(SchemaWriter):
    """Write a document in which every node's title is the qualified name of its type."""

    def __init__(self) -> None:
        super().__init__()
        self._inside_one_type = 0

    def generate_inner(self, schema: Any) -> JsonSchemaValue:
        kind = schema["type"]
        composite = kind in _COMPOSITE
        self._inside_one_type += composite
        try:
            document = super().generate_inner(schema)
        finally:
            self._inside_one_type -= composite
        if self._inside_one_type or kind in _NAMELESS:
            return document
        if (
            kind in _MAPPINGS
            and isinstance(values := document.get("additionalProperties"), dict)
            and "$ref" not in values
        ):
            values["title"] = name_of(schema["values_schema"])
        target = self.resolve_ref_schema(document) if "ref" in schema else document
        if "$ref" not in target and (name := name_of(schema)):
            target["title"] = name
        return document


def for_type(
    tp: Any, *, dialect: Dialect = "2020-12", mode: Literal["validation", "serialization"] = "validation"
) -> dict[str, Any]:
    """Describe a type in one document without references.

    Raises:
        DeclarationError: The type has no JSON Schema.
    """
    core = described_core_of(tp, owner="the described value", mode=mode)
    return _finished(written(core.schema, mode, writer=_TitledWriter), dialect)


def titled_schemas(arguments: Arguments, output: Output, owner: str) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Describe what a tool takes and returns without references, every title the qualified name of a type.

    Where no Python type is known, the titles stay what they are, and otherwise name types of JSON.

    Args:
        owner: What declares it, for the title of its arguments.

    Returns:
        The schemas of both; None for a result that is never there, or of which nothing is known.
    """
    takes: Mapping[str, Any] = arguments.input_schema
    if isinstance(arguments, TypedArguments):
        takes = {**arguments.described(_TitledWriter), "title": owner}
    core = core_of(output)
    gives = output.output_schema if core is None else written(core, "serialization", writer=_TitledWriter)
    return _finished(takes, "2020-12"), None if gives is None else _finished(gives, "2020-12")


def in_form(schema: Mapping[str, Any], form: SchemaStyle) -> dict[str, Any]:
    """Return a schema in another form; its titles stay, since only types know their names."""
    if form is SchemaStyle.DECLARED:
        return dict(schema)
    if form is SchemaStyle.INLINED:
        return inlined(schema)
    return _finished(schema, "openapi-3.0" if form is SchemaStyle.OPENAPI else "2020-12")


def _finished(document: Mapping[str, Any], dialect: Dialect) -> dict[str, Any]:
    whole = _titled(inlined(document))
    finished: dict[str, Any] = for_openapi(whole) if dialect == "openapi-3.0" else whole
    return finished


def _titled(node: Any) -> Any:
    """Name the nodes that no Python type stands behind, such as the null of an optional value."""
    if not isinstance(node, Mapping):
        return node
    written = each_schema(node, _titled)
    kind = node.get("type")
    if "title" not in written and kind is not None:
        kinds = kind if isinstance(kind, list) else [kind]
        written["title"] = " | ".join(_NAMES_BY_TYPE.get(one, str(one)) for one in kinds)
    elif "title" not in written and not written:
        written["title"] = "typing.Any"
    return written


def response_schema() -> dict[str, Any]:
    """Return the JSON Schema of a whole response: how a call ended, what came, what the tool wrote on the way.

    `tool-console call --output json` writes such documents.
    """
    shipped = files("resources").joinpath("schemas", "response.json").read_text("utf-8")
    read: dict[str, Any] = json.loads(shipped)
    return read


def response_envelope(result_schema: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the JSON Schema of the responses of one tool.

    Args:
        result_schema: The schema of its result, which is written without references; None when it returns nothing,
            which leaves `result` out.
    """
    envelope = response_schema()
    if result_schema is not None:
        envelope["properties"]["result"] = inlined(result_schema)
        return {**envelope, "then": {"required": ["result"]}}
    for key in ("if", "else"):
        del envelope[key]
    del envelope["properties"]["result"]
    return envelope
