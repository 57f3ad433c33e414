"""Self-contained JSON Schema documents of types and callables: every title a qualified name, nothing left to look up.

Source: seed 4, "Schema generation".
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args, get_origin

from tools.errors import DeclarationError
from tools.schema.compiled_annotations import described_core_of
from tools.schema.inlining import each_schema, for_openapi, inlined
from tools.schema.typed import TypedArguments
from tools.schema.writer import SchemaWriter, written
from tools.spec import MISSING, Param, Parameter

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue

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
_STATUSES: Final = (
    "pending",
    "waiting_for_review",
    "executing",
    "executed",
    "failed",
    "denied",
    "cancelled",
    "timed_out",
    "not_found",
    "rejected",
    "aborted",
)


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

    Args:
        tp: Any type that can stand in a tool's signature.
        dialect: The flavour of JSON Schema.
        mode: Whether what goes in or what comes out is described.

    Raises:
        DeclarationError: The type has no JSON Schema.
    """
    core = described_core_of(tp, owner="the described value", mode=mode)
    return _finished(written(core.schema, mode, writer=_TitledWriter), dialect)


def for_callable(fn: Callable[..., Any], *, dialect: Dialect = "2020-12") -> dict[str, Any]:
    """Describe what a callable takes, as one object without references.

    Args:
        fn: A function or method with annotations; what it takes as `*args` or `**kwargs` is left out.
        dialect: The flavour of JSON Schema.

    Raises:
        DeclarationError: A parameter's type has no JSON Schema.
    """
    owner = f"{getattr(fn, '__module__', '?')}.{getattr(fn, '__qualname__', repr(fn))}"
    document = TypedArguments(_parameters(fn, owner), owner=owner).described(_TitledWriter)
    document["title"] = owner
    return _finished(document, dialect)


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
    if "title" not in written and isinstance(kind, str):
        written["title"] = _NAMES_BY_TYPE[kind]
    elif "title" not in written and not written:
        written["title"] = "typing.Any"
    return written


def _parameters(fn: Callable[..., Any], owner: str) -> list[Parameter]:
    try:
        hints = typing.get_type_hints(fn, include_extras=True)
    except (NameError, TypeError, AttributeError) as error:
        raise DeclarationError(
            f"{owner}: its type hints cannot be read ({error}); import the names they use at module level"
        ) from error
    return [
        _parameter(item, hints.get(item.name, Any))
        for item in inspect.signature(fn).parameters.values()
        if item.kind not in (item.VAR_POSITIONAL, item.VAR_KEYWORD)
    ]


def _parameter(item: inspect.Parameter, annotation: Any) -> Parameter:
    metadata = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    note = next((mark for mark in metadata if isinstance(mark, Param)), Param())
    default = MISSING if item.default is item.empty else item.default
    return Parameter(
        note.name or item.name,
        item.name,
        annotation,
        default if note.default is MISSING else note.default,
        description=note.description,
        unit=note.unit,
    )


def response_envelope(
    result_schema: Mapping[str, Any] | None, *, statuses: Sequence[str] = _STATUSES, dialect: Dialect = "2020-12"
) -> dict[str, Any]:
    """Describe a whole response around a result: how it ended, what came, what the tool wrote on the way.

    Args:
        result_schema: The schema of the result; None when nothing is returned, which leaves `result` out.
        statuses: How a call may end.
        dialect: The flavour of JSON Schema.
    """
    text = {"type": "string", "title": "str"}
    properties: dict[str, Any] = {
        "status": {**text, "enum": list(statuses), "description": "How the call ended."},
        "result": None,
        "error": {
            "anyOf": [
                _record({"kind": text, "message": text, "remedy": text}, required=("kind", "message")),
                {"type": "null", "title": "None"},
            ],
            "description": "Why there is no result; null when there is one.",
        },
        "logs": _list(
            _record({"offset_s": {"type": "number", "title": "float"}, "level": text, "text": text}),
            "What the tool wrote while it ran.",
        ),
        "attachments": _list(
            _record({"name": text, "mime_type": text, "data": {**text, "contentEncoding": "base64"}}),
            "Files that came with the result.",
        ),
        "elapsed_s": {
            "type": "number",
            "minimum": 0,
            "title": "float",
            "description": "Seconds from the request to the end.",
        },
        "feedback": {**text, "description": "What the reviewer said; empty for nothing."},
        "modified_arguments": {
            "anyOf": [{"type": "object", "title": "dict[str, typing.Any]"}, {"type": "null", "title": "None"}],
            "description": "The arguments that really ran, when a reviewer changed them.",
        },
        "turns_to_keep": {
            "anyOf": [{"type": "integer", "title": "int"}, {"type": "null", "title": "None"}],
            "description": "How many turns it stays in the conversation; negative is for ever, null inherits.",
        },
    }
    required = ["status", "error", "logs", "attachments", "elapsed_s"]
    definitions: dict[str, Any] = {}
    if result_schema is None:
        del properties["result"]
    else:
        definitions = dict(result_schema.get("$defs", {}))
        properties["result"] = {key: value for key, value in result_schema.items() if key != "$defs"}
        required.insert(1, "result")
    envelope = _record(properties, required=required)
    envelope["title"] = "tools.calls.ToolResponse"
    if definitions:
        envelope["$defs"] = definitions
    return _finished(envelope, dialect)


def _record(properties: Mapping[str, Any], required: Sequence[str] | None = None) -> dict[str, Any]:
    names = list(properties) if required is None else list(required)
    return {
        "type": "object",
        "title": "dict",
        "properties": dict(properties),
        "required": names,
        "additionalProperties": False,
    }


def _list(items: Mapping[str, Any], description: str) -> dict[str, Any]:
    return {"type": "array", "title": "list[dict]", "items": dict(items), "description": description}
