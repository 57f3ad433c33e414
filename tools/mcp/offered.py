"""What servers have besides tools: resources, templates of them, and prompts; as values with the raw form beside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.mcp.content import bytes_in

if TYPE_CHECKING:
    from pydantic import JsonValue


class Resource(NamedTuple):
    """Something that a server lets people read.

    Attributes:
        uri: Its address.
        name: Its name.
        title: Its name for people; its name when it has none.
        description: What it is; empty when nothing is said.
        mime_type: Of what kind; empty when nothing is said.
        size_bytes: How long; None when nothing is said.
        raw: As the server wrote it.
    """

    uri: str
    name: str
    title: str
    description: str
    mime_type: str
    size_bytes: int | None
    raw: Mapping[str, JsonValue]


class ResourceTemplate(NamedTuple):
    """Addresses of resources with places to fill in.

    Attributes:
        uri_template: The addresses, as RFC 6570 writes them.
        name: Its name.
        title: Its name for people; its name when it has none.
        description: What it is; empty when nothing is said.
        mime_type: Of what kind; empty when nothing is said.
        variables: The places to fill in, in order.
        raw: As the server wrote it.
    """

    uri_template: str
    name: str
    title: str
    description: str
    mime_type: str
    variables: tuple[str, ...]
    raw: Mapping[str, JsonValue]

    def filled(self, values: Mapping[str, str]) -> str:
        """Return the address with these values.

        Raises:
            ValueError: The template is not one of RFC 6570.
        """
        from mcp.shared.uri_template import UriTemplate  # noqa: PLC0415 -- the SDK takes a second to import

        return UriTemplate.parse(self.uri_template).expand(dict(values))


class ResourceContent(NamedTuple):
    """One part of a resource's content.

    Attributes:
        uri: Its address.
        mime_type: Of what kind; empty when nothing is said.
        text: The text; None when it is no text.
        data: The bytes; None when it is a text.
    """

    uri: str
    mime_type: str
    text: str | None
    data: bytes | None


class PromptArgument(NamedTuple):
    """A place of a prompt to fill in.

    Attributes:
        name: Its name.
        title: Its name for people; its name when it has none.
        description: What it means; empty when nothing is said.
        required: Whether it must be filled in.
    """

    name: str
    title: str
    description: str
    required: bool


class RemotePrompt(NamedTuple):
    """A text with parameters that a server has.

    Attributes:
        name: Its name.
        title: Its name for people; its name when it has none.
        description: What it is for; empty when nothing is said.
        arguments: The places to fill in.
        raw: As the server wrote it.
    """

    name: str
    title: str
    description: str
    arguments: tuple[PromptArgument, ...]
    raw: Mapping[str, JsonValue]


class PromptText(NamedTuple):
    """What a prompt says.

    Attributes:
        description: What it is; empty when nothing is said.
        messages: Role and content of each message, as the server wrote them.
    """

    description: str
    messages: tuple[Mapping[str, JsonValue], ...]

    @property
    def text(self) -> str:
        """The texts of all messages, each with its role before it."""
        return "\n\n".join(f"{message.get('role', '')}: {_words(message.get('content'))}" for message in self.messages)


class Completion(NamedTuple):
    """What a half-written argument may become.

    Attributes:
        values: At most a hundred.
        total: How many there are; None when nothing is said.
        has_more: Whether there are more.
    """

    values: tuple[str, ...]
    total: int | None
    has_more: bool


def resource_of(raw: Mapping[str, Any]) -> Resource:
    """Return a resource as the server wrote it."""
    size = raw.get("size")
    return Resource(
        uri=_text(raw, "uri"),
        name=_text(raw, "name"),
        title=_text(raw, "title") or _text(raw, "name"),
        description=_text(raw, "description"),
        mime_type=_text(raw, "mimeType"),
        size_bytes=size if isinstance(size, int) else None,
        raw=raw,
    )


def template_of(raw: Mapping[str, Any]) -> ResourceTemplate:
    """Return a template as the server wrote it; one that is not of RFC 6570 has no variables."""
    from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate  # noqa: PLC0415 -- see `filled`

    uri_template = _text(raw, "uriTemplate")
    try:
        variables = tuple(UriTemplate.parse(uri_template).variable_names)
    except InvalidUriTemplate:
        variables = ()
    return ResourceTemplate(
        uri_template=uri_template,
        name=_text(raw, "name"),
        title=_text(raw, "title") or _text(raw, "name"),
        description=_text(raw, "description"),
        mime_type=_text(raw, "mimeType"),
        variables=variables,
        raw=raw,
    )


def content_of(raw: Mapping[str, Any]) -> ResourceContent:
    """Return a part of a content as the server wrote it."""
    text = raw.get("text")
    is_text = isinstance(text, str)
    return ResourceContent(
        uri=_text(raw, "uri"),
        mime_type=_text(raw, "mimeType"),
        text=text if is_text else None,
        data=None if is_text else bytes_in(raw) or b"",
    )


def prompt_of(raw: Mapping[str, Any]) -> RemotePrompt:
    """Return a prompt as the server wrote it."""
    arguments = raw.get("arguments")
    return RemotePrompt(
        name=_text(raw, "name"),
        title=_text(raw, "title") or _text(raw, "name"),
        description=_text(raw, "description"),
        arguments=tuple(
            PromptArgument(
                name=_text(item, "name"),
                title=_text(item, "title") or _text(item, "name"),
                description=_text(item, "description"),
                required=item.get("required") is True,
            )
            for item in (arguments if isinstance(arguments, list) else ())
            if isinstance(item, dict)
        ),
        raw=raw,
    )


def _text(raw: Mapping[str, Any], key: str) -> str:
    value = raw.get(key)
    return value if isinstance(value, str) else ""


def _words(content: Any) -> str:
    parts = content if isinstance(content, list) else [content]
    return "\n".join(_part(part) for part in parts if isinstance(part, dict))


def _part(part: Mapping[str, Any]) -> str:
    inner = part.get("resource")
    holder = inner if isinstance(inner, dict) else part
    return _text(holder, "text") or f"[{part.get('type')}: {holder.get('uri') or holder.get('mimeType') or ''}]"
