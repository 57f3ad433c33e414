"""Self-contained JSON Schema documents of types and callables: every title a qualified name, nothing left to look up.

Source: seed 4, "Schema generation".
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args, get_origin

from tools.errors import DeclarationError
from tools.schema.compiled_annotations import described_core_of
from tools.schema.inlining import each_schema, for_openapi, inlined
from tools.schema.names import name_of
from tools.schema.typed import TypedArguments
from tools.schema.writer import SchemaWriter, written
from tools.spec import MISSING, Param, Parameter

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue

    from tools.spec import Dialect

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
