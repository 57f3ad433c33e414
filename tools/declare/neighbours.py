"""What stands beside a tool and is none: a method of the same object, or a function of the same module."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tools.declare.build import tool_from_function
from tools.declare.decorators import declaration_of
from tools.errors import DeclarationError
from tools.spec import Policies
from tools.tool import Elsewhere

if TYPE_CHECKING:
    from tools.tool import Tool


class Neighbour(NamedTuple):
    """Where a neighbour is found: the `origin` of what is made of one.

    Attributes:
        tool: The tool it stands beside.
        name: Its name.
    """

    tool: Tool
    name: str


def neighbour_of(tool: Tool, name: str) -> Tool | None:
    """Return a method or function beside a tool as a tool of its own that runs where the tool does.

    Returns:
        None when nothing of that name stands there.

    Raises:
        DeclarationError: When it is declared as a tool, or its signature cannot be read.
    """
    if isinstance(tool.function, Elsewhere):
        return tool.function.beside.get(name)
    function = inspect.unwrap(tool.function)
    owner = getattr(function, "__self__", None)
    found = getattr(owner, name, None) if owner is not None else None
    if found is None:
        found = getattr(function, "__globals__", {}).get(name)
    if not inspect.isroutine(found):
        return None
    declared = declaration_of(found)
    if declared is not None and declared.tool is not None:
        msg = f"the fallback {name!r} of {tool.name!r} is a tool of its own; register it, so that its own policies hold"
        raise DeclarationError(msg)
    return replace(tool_from_function(found), origin=Neighbour(tool, name), policies=Policies(isolation=tool.isolation))
