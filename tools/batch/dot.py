"""The dependency graph as Graphviz reads it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from tools.batch.result import StepState

_COLOURS: Final[Mapping[StepState, tuple[str, str]]] = {
    StepState.QUEUED: ("#ffffff", "#8b8fa3"),
    StepState.RUNNING: ("#e4e8fb", "#4053d6"),
    StepState.DONE: ("#e2f4ec", "#0b8a5f"),
    StepState.CACHED: ("#e2f4ec", "#0b8a5f"),
    StepState.FAILED: ("#fbe7ec", "#b3123e"),
    StepState.DENIED: ("#fbe7ec", "#b3123e"),
    StepState.TIMED_OUT: ("#fbe7ec", "#b3123e"),
    StepState.MAY_HAVE_RUN: ("#fdf1dc", "#a86a00"),
    StepState.CANCELLED: ("#f1f2f6", "#8b8fa3"),
    StepState.SKIPPED: ("#f1f2f6", "#8b8fa3"),
}
"""Fill and line of a step by its state; colour is not the only sign, the state is written below the name."""


def dot_text(
    names: Iterable[str], edges: Iterable[tuple[str, str]], states: Mapping[str, StepState] | None = None
) -> str:
    """Return a graph in Graphviz's language, an arrow from each name to those that wait for it."""
    lines = ["digraph {", "  rankdir=TB;", '  node [shape=box, style="rounded,filled", fillcolor="#ffffff"];']
    for name in names:
        state = (states or {}).get(name)
        lines.append(f"  {_quoted(name)} [{_look(name, state)}];")
    lines += [f"  {_quoted(needed)} -> {_quoted(name)};" for name, needed in edges]
    return "\n".join([*lines, "}", ""])


def _look(name: str, state: StepState | None) -> str:
    shown = name.replace("&", "&amp;")
    if state is None:
        return f"label={_quoted(shown)}"
    fill, line = _COLOURS[state]
    dashed = ', style="rounded,filled,dashed"' if state is StepState.QUEUED else ""
    label = _quoted(f"{shown}\n{state.value.replace('_', ' ')}")
    return f'label={label}, fillcolor="{fill}", color="{line}"{dashed}'


def _quoted(text: str) -> str:
    """Return a text as one quoted identifier: nothing in it ends the quotes or means anything to the label."""
    safe = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "").replace("\0", "\ufffd")
    return f'"{safe}"'
