"""Tools that are exported in the tests of this folder, and what is to come of their calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

from tools import Executor, Param, ToolContext, ToolExample, ToolFailure, make_tool, resolve_tools, tool
from tools.calls import CallFinished
from tools.tool import Tool

PICTURE = b"\x89PNG\r\n\x1a\n"


@tool(
    examples=(
        ToolExample(input={"word": "tea"}, description="A word", output="TEA"),
        ToolExample(input={"word": ""}, negative=True, why_bad="Nothing to shout."),
    ),
    keywords=("loud",),
)
def shout(word: Annotated[str, Param("What to shout")], times: int = 1) -> str:
    """Shout a word."""
    return word.upper() * times


@tool
async def count(words: list[str]) -> dict[str, int]:
    """Count words."""
    return {word: words.count(word) for word in words}


@tool
async def draw(what: str, context: ToolContext) -> str:
    """Draw something."""
    context.attach(PICTURE, "image/png", "drawing.png")
    context.attach(b"a,b\n", "text/csv", "points.csv")
    return f"a {what}"


@tool
def photograph() -> bytes:
    """Return a picture alone."""
    return PICTURE


@tool
def fail(word: str) -> str:
    """Fail."""
    raise ToolFailure(f"expected no word, got {word}")


@tool(requires_confirmation=True)
def pay(amount: int) -> str:
    """Pay."""
    return f"paid {amount}"


def echo_of(*names: str) -> Tool:
    """Return a tool whose arguments have these names."""
    schema: dict[str, Any] = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    return make_tool("echo", "Echo.", lambda **given: given, schema)


def named(name: str) -> Tool:
    """Return a tool with a name that only a server's tool can have."""
    (made,) = resolve_tools([shout])
    return replace(made, spec=made.spec.model_copy(update={"name": name}))


ALL = (shout, count, draw, photograph, fail, pay)

DESCRIBED = (
    "Shout a word.\n\n"
    'Examples:\n- A word: {"word": "tea"} → TEA\n\n'
    'Do not call it like this:\n- {"word": ""} (Nothing to shout.)'
)


class Outcome(NamedTuple):
    """What a framework made of a call.

    Attributes:
        text: What the model reads; empty where it gets a value instead.
        is_error: Whether it counts as failed there.
        value: What it gets besides the text, or instead.
        images: The pictures it sees.
    """

    text: str
    is_error: bool = False
    value: Any = None
    images: tuple[bytes, ...] = ()


def finished(executor: Executor) -> list[tuple[str, str, str]]:
    """Return a list that takes caller, name and status of each call that ends."""
    ended: list[tuple[str, str, str]] = []

    def listen(event: Any) -> None:
        ended.append((event.call.caller, event.call.name, event.call.response.status.value))

    listen.wants = (CallFinished,)  # type: ignore[attr-defined]  # which events it is told of
    executor.add_listener(listen)
    return ended


Arguments = Mapping[str, Any]
