"""Tools that work, that fail, and one that says how to find out whether it works."""

from __future__ import annotations

from tools import ToolContext, tool


@tool(read_only=True)
def answer(word: str) -> str:
    """Return a word.

    Args:
        word: Any.
    """
    return word


@tool(read_only=True)
def refuse(word: str) -> str:
    """Fail, whatever it is given.

    Args:
        word: Stands in what it says.
    """
    raise RuntimeError(f"the word was {word}")


@tool(read_only=True, probe={})
def reach_the_shelf(ctx: ToolContext) -> str:
    """Work as long as the project has a file `shelf`."""
    if not (ctx.project_dir / "shelf").exists():
        raise RuntimeError("there is no shelf")
    return "reached"
