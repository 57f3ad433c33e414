"""Calls as providers send them, and results as they want them, before a provider's format."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.schema import canonical_json, referenced
from tools.spec import MISSING

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.calls import ToolResponse

_IMAGES = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})


class MalformedArguments(NamedTuple):
    """Arguments of a model that are no JSON object; nothing runs, and the model is told.

    Attributes:
        problem: What is wrong about it, in one line.
    """

    text: str
    problem: str


class ReceivedCall(NamedTuple):
    """A call as a model asks for it.

    Attributes:
        id: What its result has to name; empty where the provider gives none.
        name: The tool's name on the wire.
    """

    id: str
    name: str
    arguments: dict[str, JsonValue] | MalformedArguments


class Image(NamedTuple):
    """A picture that a model may see.

    Attributes:
        mime_type: Such as `image/png`.
    """

    mime_type: str
    data: bytes

    @property
    def base64(self) -> str:
        return base64.b64encode(self.data).decode()

    @property
    def url(self) -> str:
        return f"data:{self.mime_type};base64,{self.base64}"


class Result(NamedTuple):
    """What a model is told of a call that ended.

    Attributes:
        text: The result, or what went wrong.
        is_error: Whether the call did not succeed.
        structured: The result as a JSON object; None when it is none.
        images: The pictures among the attachments.
        attached: The other attachments, a few words each; they stand at the end of the text as well.
    """

    call: ReceivedCall
    text: str
    is_error: bool = False
    structured: dict[str, JsonValue] | None = None
    images: tuple[Image, ...] = ()
    attached: tuple[str, ...] = ()


def result_of(call: ReceivedCall, response: ToolResponse, text: str | None = None) -> Result:
    """Return what a model is told of a response; attachments that are no pictures are named in the text.

    Args:
        text: What the model reads; None for the response's own text.
    """
    images = tuple(Image(item.mime_type, item.data) for item in response.attachments if item.mime_type in _IMAGES)
    others = [item for item in response.attachments if item.mime_type not in _IMAGES]
    named = tuple(f"[attached: {item.name}, {item.mime_type}, {item.size_bytes:,} bytes]" for item in others)
    value = response.json_result
    return Result(
        call,
        "\n".join(filter(None, (response.text if text is None else text, *named))),
        is_error=not response.succeeded,
        structured=value if response.succeeded and value is not MISSING and isinstance(value, dict) else None,
        images=images,
        attached=named,
    )


def unread_result(call: ReceivedCall) -> Result:
    """Return what a model is told of a call that was not made, such as one whose arguments cannot be read."""
    problem = call.arguments.problem if isinstance(call.arguments, MalformedArguments) else f"{call.name!r} did not run"
    return Result(call, f"Error: {problem}", is_error=True)


def read_arguments(given: Any) -> dict[str, JsonValue] | MalformedArguments:
    """Return the arguments of a call, which providers send as JSON text or as an object; nothing at all is none."""
    if isinstance(given, Mapping):
        return dict(given)
    text = given if isinstance(given, str) else canonical_json(given)
    if given is None or not text.strip():
        return {}
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as error:
        said = str(error) if isinstance(error, ValueError) else "nested too deeply"
        return MalformedArguments(text, f"expected the arguments as a JSON object, got text that is no JSON: {said}")
    if not isinstance(read, dict):
        kind = "null" if read is None else "a list" if isinstance(read, list) else f"a {type(read).__name__}"
        return MalformedArguments(text, f"expected the arguments as a JSON object, got {kind}")
    return read


def restored(arguments: Mapping[str, JsonValue], schema: Mapping[str, Any]) -> dict[str, JsonValue]:
    """Return arguments as the tool's own schema has them, whatever the provider's had to look like.

    A null goes where the tool takes none and the argument may be left out, because strict schemas require all. A text
    is read where the tool takes an object or a list, because some providers have no objects without a known shape.
    """
    return _restored_object(arguments, [*_options(schema, schema)], schema)


def _restored(value: JsonValue, schemas: Iterable[Any], document: Mapping[str, Any]) -> JsonValue:
    options = [option for schema in schemas for option in _options(schema, document)]
    if isinstance(value, str):
        return _read(value, options)
    if isinstance(value, list):
        items = [option["items"] for option in options if "items" in option]
        return [_restored(item, items, document) for item in value]
    return _restored_object(value, options, document) if isinstance(value, dict) else value


def _restored_object(
    value: Mapping[str, JsonValue], options: list[Mapping[str, Any]], document: Mapping[str, Any]
) -> dict[str, JsonValue]:
    required = {name for option in options for name in option.get("required", ())}
    written: dict[str, JsonValue] = {}
    for name, inner in value.items():
        known = [option["properties"][name] for option in options if name in option.get("properties", {})]
        more = known or [option["additionalProperties"] for option in options if "additionalProperties" in option]
        if inner is None and known and name not in required and not _takes(known, document, "null"):
            continue
        written[name] = _restored(inner, more, document)
    return written


def _read(text: str, options: list[Mapping[str, Any]]) -> JsonValue:
    kinds = {kind for option in options for kind in _kinds(option)}
    if not options or "string" in kinds or not kinds & {"object", "array"} or text.lstrip()[:1] not in {"{", "["}:
        return text
    try:
        read: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return read


def _takes(schemas: Iterable[Any], document: Mapping[str, Any], kind: str) -> bool:
    options = [option for schema in schemas for option in _options(schema, document)]
    return any(kind in _kinds(option) for option in options)


def _kinds(option: Mapping[str, Any]) -> frozenset[str]:
    """Return the types that a schema takes, which are all where it says nothing."""
    if "const" in option or "enum" in option:
        values = option.get("enum", [option.get("const")])
        return frozenset(
            "null" if value is None else "string" if isinstance(value, str) else "other" for value in values
        )
    kind = option.get("type")
    if kind is None:
        implied = {"properties": "object", "additionalProperties": "object", "items": "array"}
        found = {name for key, name in implied.items() if key in option}
        return frozenset(found or {"null", "string", "object", "array", "number", "boolean"})
    return frozenset(kind if isinstance(kind, list) else [kind])


def _options(schema: Any, document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Return the schemas that a value may have: what references and unions lead to."""
    seen: set[int] = set()
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Mapping) or id(node) in seen:
            continue
        seen.add(id(node))
        reference = node.get("$ref")
        if isinstance(reference, str) and reference.startswith("#"):
            waiting.append(referenced(reference, document))
            continue
        members = [member for key in ("anyOf", "oneOf", "allOf") for member in node.get(key, ())]
        waiting += members
        if not members or "properties" in node or "type" in node:
            yield node
