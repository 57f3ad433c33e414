"""A call written down for elsewhere: as Python, for a terminal, as JSON."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pprint import pformat
from typing import Any, Final

__all__ = ["COPY_KINDS", "as_command_line", "as_json", "as_python", "copy_of", "summary_of"]

COPY_KINDS: Final = ("python", "command", "json")
"""What a call can be copied as."""

_LONGEST_VALUE: Final = 60


def as_python(name: str, arguments: Mapping[str, Any]) -> str:
    """Write a call as a Python program runs it.

    Args:
        name: The tool.
        arguments: Plain values.
    """
    if not arguments:
        return f"response = executor.run({name!r}, {{}})\n"
    lines = [f"response = executor.run(\n    {name!r},\n    {{\n"]
    for key, value in arguments.items():
        written = pformat(value, width=88, sort_dicts=False).replace("\n", "\n        ")
        lines.append(f"        {key!r}: {written},\n")
    return "".join([*lines, "    },\n)\n"])


def as_command_line(name: str, arguments: Mapping[str, Any]) -> str:
    """Write a call as a POSIX shell runs it.

    Args:
        name: The tool.
        arguments: Plain values.
    """
    words = ["tool-console", "call", name]
    if arguments:
        words += ["--json", json.dumps(dict(arguments), ensure_ascii=False)]
    return shlex.join(words)


def as_json(arguments: Mapping[str, Any]) -> str:
    """Write arguments as indented JSON."""
    return json.dumps(dict(arguments), indent=2, ensure_ascii=False)


def copy_of(kind: str, name: str, arguments: Mapping[str, Any]) -> str:
    """Write a call as one of `COPY_KINDS`.

    Args:
        kind: Which.
        name: The tool.
        arguments: Plain values.
    """
    if kind == "python":
        return as_python(name, arguments)
    return as_command_line(name, arguments) if kind == "command" else as_json(arguments)


def summary_of(arguments: Mapping[str, Any]) -> str:
    """Write arguments on one line: `url="https://…"  retries=1`; long values are shortened.

    Args:
        arguments: Plain values.
    """
    return "  ".join(f"{name}={_short(value)}" for name, value in arguments.items())


def _short(value: Any) -> str:
    if isinstance(value, str) and len(value) > _LONGEST_VALUE:
        value = value[: _LONGEST_VALUE - 1] + "…"
    written = json.dumps(value, ensure_ascii=False)
    return written if len(written) <= _LONGEST_VALUE + 2 else written[:_LONGEST_VALUE] + "…"
