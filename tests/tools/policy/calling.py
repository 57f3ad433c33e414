"""Tools and calls that policies are asked about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools import Concern, Tool, resolve_tools, tool
from tools.policy import Facts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

PROJECT = Path("/project")


@tool(read_only=True)
def look(path: str = "", n: float = 0) -> str:
    """Look at something."""
    return path


@tool(read_only=False, destructive=False)
def write(path: str = "", n: float = 0) -> str:
    """Write something."""
    return path


@tool(destructive=True)
def wipe(path: str = "", n: float = 0) -> str:
    """Wipe something."""
    return path


@tool
def poke(path: str = "", n: float = 0) -> str:
    """Do nobody knows what."""
    return path


LOOK, WRITE, WIPE, POKE = resolve_tools([look, write, wipe, poke])
TOOLS = {item.name: item for item in (LOOK, WRITE, WIPE, POKE)}

DELETES = Concern("deletes", "Deletes a file", "It is gone then")
CHANGES = Concern("changes", "Changes a file")
OUTSIDE = Concern("outside_project", "Outside the project folder", "Reads /x", grants="path:/x")


def facts(
    of: Tool = POKE,
    arguments: Mapping[str, JsonValue] | None = None,
    *concerns: Concern,
    caller: str = "agent:mira",
    project_dir: Path = PROJECT,
) -> Facts:
    return Facts(of, {"path": "a.txt", "n": 1.0} if arguments is None else arguments, caller, concerns, project_dir)


def where(path: str, **comparison: Any) -> dict[str, Any]:
    return {"path": path, **{name.rstrip("_"): value for name, value in comparison.items()}}
