"""`ToolDefinition`: a tool as any model can be told of it, before a provider's format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from tools.spec import ToolExample

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.card import ToolFacts


class ToolDefinition(NamedTuple):
    """What a model may know of a tool.

    Source: seed 2, "Wire format and provider compatibility".

    Attributes:
        name: The tool's own name, or the one that the provider allows.
        parameters: The JSON Schema of its arguments.
        examples: Calls to learn from.
        results: The JSON Schema of its result, which MCP alone carries; None when nobody said.
        title: Its name for people; empty when it has none.
        hints: What it says of its risk, as MCP's annotations.
    """

    name: str
    description: str
    parameters: dict[str, JsonValue]
    examples: tuple[ToolExample, ...] = ()
    results: dict[str, JsonValue] | None = None
    title: str = ""
    hints: tuple[tuple[str, bool], ...] = ()


def definition_of(tool: ToolFacts) -> ToolDefinition:
    """Return what a model may know of one of our tools."""
    spec = tool.spec
    hints = {
        "readOnlyHint": spec.read_only_hint,
        "destructiveHint": spec.destructive_hint,
        "idempotentHint": spec.idempotent,
        "openWorldHint": spec.open_world_hint,
    }
    return ToolDefinition(
        name=spec.name,
        description=spec.description,
        parameters=tool.input_schema,
        examples=spec.examples,
        results=tool.output_schema,
        title=spec.title,
        hints=tuple((name, said) for name, said in hints.items() if said is not None),
    )


def with_examples(description: str, examples: tuple[ToolExample, ...]) -> str:
    """Return a description that ends with examples, the bad ones with what is wrong about them.

    Source: seed 2, "Wire format and provider compatibility" (what a provider has no place for stands here).
    """
    good = [_line(example) for example in examples if not example.negative]
    bad = [_line(example) for example in examples if example.negative]
    parts = [description] if description else []
    if good:
        parts.append("\n".join(("Examples:", *good)))
    if bad:
        parts.append("\n".join(("Do not call it like this:", *bad)))
    return "\n\n".join(parts)


def _line(example: ToolExample) -> str:
    framing = f"{example.description}: " if example.description else ""
    gives = "" if example.output is None else f" → {_text(example.output)}"
    why = f" ({example.why_bad.strip()})" if example.why_bad.strip() else ""
    return f"- {framing}{_text(dict(example.input))}{gives}{why}"


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
