"""What a server asks a person, as the window shows it; the answer is a value too, and there is exactly one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

Outcome = str
"""`accepted`, `declined` or `cancelled`: closing a question is no refusal."""

_LONGEST: Final = 2_000
_WEB: Final = frozenset({"http", "https"})


class FormRequest(NamedTuple):
    """A server wants to know something.

    Attributes:
        server: Which.
        tool: During a call of which tool; empty when that cannot be told.
        message: Why, in its own words.
        schema: JSON Schema of the answer.
    """

    server: str
    tool: str
    message: str
    schema: Mapping[str, Any]


class AddressRequest(NamedTuple):
    """A server wants a person to go to an address.

    Attributes:
        server: Which.
        tool: During a call of which tool; empty when that cannot be told.
        message: Why, in its own words.
        url: The whole address.
    """

    server: str
    tool: str
    message: str
    url: str


class TextRequest(NamedTuple):
    """A server wants a language model to write something.

    Attributes:
        server: Which.
        tool: During a call of which tool; empty when that cannot be told.
        system_prompt: What the model is to be told first; empty for nothing.
        messages: Who says what, in order.
        most_tokens: The longest answer.
    """

    server: str
    tool: str
    system_prompt: str
    messages: tuple[tuple[str, str], ...]
    most_tokens: int


class FolderChoice(NamedTuple):
    """A folder that a server may know of.

    Attributes:
        path: The folder.
        name: What it is called.
    """

    path: str
    name: str


class FoldersRequest(NamedTuple):
    """A server wants to know which folders it may work in.

    Attributes:
        server: Which.
        folders: What is offered to it at first.
    """

    server: str
    folders: tuple[FolderChoice, ...]


Asked = FormRequest | AddressRequest | TextRequest | FoldersRequest


class ServerAnswer(NamedTuple):
    """What a person said.

    Attributes:
        outcome: `accepted`, `declined` or `cancelled`.
        values: What they filled in.
        text: What they wrote.
        folders: What the server may know of.
    """

    outcome: Outcome
    values: Mapping[str, Any] = {}
    text: str = ""
    folders: tuple[FolderChoice, ...] = ()


def asked_by(server: str, tool: str) -> str:
    """Say who asks."""
    return f"{server}, during {tool}" if tool else server


def shortened(text: str) -> str:
    """Give the beginning of a text that is too long to be read in a dialog, and say how much is left out."""
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]}… ({len(text) - _LONGEST:,} more letters)"


def address_parts(url: str) -> tuple[str, str, str, str]:
    """Take an address apart for people.

    Returns:
        What stands before the host, the host as computers read it, what stands behind it, and why one should not go
        there or look twice; the last is empty when nothing is strange. A host with other letters is given in its
        `xn--` form, so that it cannot look like another one.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = parts.port
    except ValueError as error:
        return "", "", url, f"This is no address: {error}."
    if parts.scheme.lower() not in _WEB or not host:
        return "", "", url, "Only addresses that begin with http:// or https:// are opened."
    try:
        plain = host.encode("idna").decode("ascii") if not host.isascii() else host
    except UnicodeError:
        return "", host, url, "The host of this address is no valid name."
    before = f"{parts.scheme}://{'…@' if parts.username is not None else ''}"
    authority = parts.netloc.rpartition("@")[2]
    rest = url[url.index(parts.netloc) + len(parts.netloc) :]
    after = (f":{port}" if port is not None else "") + rest
    warning = ""
    if parts.username is not None:
        warning = f"A name stands before the host, which can mislead: the address leads to {plain}."
    elif plain != authority.partition(":")[0].lower() and not authority.startswith("["):
        warning = f"The host has letters that can look like others: it is {plain}."
    elif "xn--" in plain:
        warning = f"The host stands for other letters: {host.encode('ascii').decode('idna')}."
    elif parts.scheme.lower() == "http" and host not in {"localhost", "127.0.0.1", "::1"}:
        warning = "The connection is not encrypted."
    return before, plain, after, warning
