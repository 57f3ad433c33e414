"""What a command reads and says beside its result: standard input as text, and standard error."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, TextIO, cast

from tools.cli.exits import Exit

if TYPE_CHECKING:
    from collections.abc import Callable

_heard: ContextVar[list[str] | None] = ContextVar("_heard", default=None)


class UsageError(Exception):
    """The words of a command line, or what it is given to read, make no command."""


def say(text: str) -> None:
    """Tell something beside the result."""
    note(text)
    print(f"tool-console: {text}", file=sys.stderr)


def note(text: str) -> None:
    """Have something in the document of a command that failed, which is told otherwise."""
    heard = _heard.get()
    if heard is not None:
        heard.append(text)


def read_input() -> str:
    """Return all of standard input.

    Raises:
        UsageError: When it is no UTF-8 text.
    """
    return _read(sys.stdin.read)


def read_line() -> str:
    """Return the next line of standard input; empty at its end.

    Raises:
        UsageError: When it is no UTF-8 text.
    """
    return _read(sys.stdin.readline)


def _read(read: Callable[[], str]) -> str:
    try:
        return read()
    except UnicodeDecodeError as error:
        found = f"got the byte 0x{error.object[error.start]:02x} at {error.start:,}"
        raise UsageError(f"standard input: expected UTF-8 text, {found}") from error


class _Watched:
    """Standard output that knows whether anything was written to it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.is_used = False

    def write(self, text: str) -> int:
        self.is_used = self.is_used or bool(text)
        return self._stream.write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


FAILURE_SCHEMA: Final = {
    "title": "A command that came to no call",
    "type": "object",
    "properties": {
        "exit_code": {"type": "integer", "minimum": 1},
        "error": {
            "type": "object",
            "properties": {
                "kind": {"type": "string", "description": "What the exit code means."},
                "message": {"type": "string"},
            },
            "required": ["kind", "message"],
            "additionalProperties": False,
        },
    },
    "required": ["exit_code", "error"],
    "additionalProperties": False,
}
"""The JSON Schema of the document of a command that could not do what it was told, as with a misspelt name."""


@contextmanager
def one_document(*, wanted: bool) -> Iterator[Callable[[Exit], None]]:
    """Let a command write a JSON document whatever becomes of it, where one is wanted.

    Yields:
        What is called with the exit code at the end: where nothing was written it writes the code, and what was said.
    """
    if not wanted:
        yield lambda _code: None
        return
    heard: list[str] = []
    token = _heard.set(heard)
    watched = _Watched(sys.stdout)

    def finish(code: Exit) -> None:
        if not watched.is_used:
            said = "\n".join(heard)
            error = {"kind": code.name.lower(), "message": said} if code else None
            document = {"exit_code": int(code), "error": error, **({} if code else {"message": said})}
            print(json.dumps(document, indent=2, ensure_ascii=False))

    try:
        with redirect_stdout(cast("TextIO", watched)):
            yield finish
    finally:
        _heard.reset(token)


def wants_json(options: argparse.Namespace) -> bool:
    """Return whether a command's result is to be JSON."""
    return vars(options).get("output") == "json"


def agrees(question: str) -> bool:
    """Ask the person at the terminal; no answer is no."""
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return read_line().strip().casefold() in {"y", "yes"}
