"""A call written down for elsewhere: as Python, for a terminal, as curl, as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pprint import pformat
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from console.language import tr
from console.schema_form import write_json

COPY_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {"python": tr("Python"), "command": tr("Command line"), "curl": "curl", "json": "JSON"}
)
"""What a call can be copied as, and what people call that."""

_LONGEST_VALUE: Final = 60


def as_python(name: str, arguments: Mapping[str, Any]) -> str:
    """Write a call as a Python program runs it."""
    if not arguments:
        return f"response = executor.run({name!r}, {{}})\n"
    lines = [f"response = executor.run(\n    {name!r},\n    {{\n"]
    for key, value in arguments.items():
        written = pformat(value, width=88, sort_dicts=False).replace("\n", "\n        ")
        lines.append(f"        {key!r}: {written},\n")
    return "".join([*lines, "    },\n)\n"])


def as_command_line(name: str, arguments: Mapping[str, Any]) -> str:
    """Write a call as a POSIX shell runs it."""
    words = ["tool-console", "call", name]
    if arguments:
        words += ["--json", write_json(dict(arguments), indent=None)]
    return shlex.join(words)


def as_json(arguments: Mapping[str, Any]) -> str:
    """Write arguments as indented JSON."""
    return write_json(dict(arguments))


def as_curl(arguments: Mapping[str, Any]) -> str:
    """Write a web request as curl sends it from a POSIX shell, one option a line.

    Args:
        arguments: Of a tool that takes `url`, and perhaps `method`, `query`, `headers`, `json`, `text`, `timeout_s` and
            `follow_redirects`.
    """
    method = str(arguments.get("method") or "GET")
    words: list[tuple[str, ...]] = [("curl",)]
    has_body = arguments.get("json") is not None or arguments.get("text") is not None
    if method == "HEAD":
        words.append(("--head",))
    elif method != "GET" or has_body:
        words.append(("--request", method))
    if arguments.get("follow_redirects", True):
        words.append(("--location",))
    if arguments.get("timeout_s") is not None:
        words.append(("--max-time", str(arguments["timeout_s"])))
    headers = dict(arguments.get("headers") or {})
    if arguments.get("json") is not None:
        headers.setdefault("Content-Type", "application/json")
    words += [("--header", f"{name}: {value}") for name, value in headers.items()]
    if arguments.get("json") is not None:
        words.append(("--data-raw", write_json(arguments["json"], indent=None)))
    elif arguments.get("text") is not None:
        words.append(("--data-raw", str(arguments["text"])))
    words.append((_address(str(arguments.get("url", "")), arguments.get("query") or {}),))
    return " \\\n  ".join(shlex.join(part) for part in words)


def copy_kinds_of(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the `COPY_KINDS` that make sense for a tool.

    Args:
        schema: Of its arguments: one called `url` that holds an address makes it a web request.
    """
    properties = schema.get("properties")
    url = properties.get("url") if isinstance(properties, Mapping) else None
    is_web = isinstance(url, Mapping) and url.get("format") in {"uri", "url", "iri"}
    return tuple(kind for kind in COPY_KINDS if kind != "curl" or is_web)


def copy_of(kind: str, name: str, arguments: Mapping[str, Any]) -> str:
    """Write a call as one of `COPY_KINDS`."""
    if kind == "python":
        return as_python(name, arguments)
    if kind == "curl":
        return as_curl(arguments)
    return as_command_line(name, arguments) if kind == "command" else as_json(arguments)


def summary_of(arguments: Mapping[str, Any]) -> str:
    """Write arguments on one line: `url="https://…"  retries=1`; long values are shortened."""
    return "  ".join(f"{name}={_short(value)}" for name, value in arguments.items())


def _short(value: Any) -> str:
    if isinstance(value, str) and len(value) > _LONGEST_VALUE:
        value = value[: _LONGEST_VALUE - 1] + "…"
    written = write_json(value, indent=None)
    return written if len(written) <= _LONGEST_VALUE + 2 else written[:_LONGEST_VALUE] + "…"


def _address(url: str, query: Mapping[str, Any]) -> str:
    """Return an address with parameters in the place of those of the same name."""
    if not query:
        return url
    try:
        parts = urlsplit(url)
    except ValueError:  # being typed
        return url
    kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name not in query]
    return urlunsplit(parts._replace(query=urlencode([*kept, *query.items()])))
