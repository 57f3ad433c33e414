"""What stands beside a tool and is none: a method of the same object, or a function of the same module."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, NamedTuple

from tools.declare.build import make_tool, tool_from_function
from tools.declare.decorators import declaration_of
from tools.declare.signature import beside
from tools.errors import DeclarationError, ToolFailure
from tools.spec import Policies, Security
from tools.tool import Probe, RemoteFunction, Tool

PROBE_TIMEOUT_S: Final = 10.0
"""How long a probe function may take."""


class SiblingOrigin(NamedTuple):
    """Where a neighbour is found: the `origin` of what is made of one.

    Attributes:
        tool: The tool it stands beside.
    """

    tool: Tool
    name: str


class ProbeOrigin(NamedTuple):
    """Where a probe function is found: the `origin` of what is made of one."""

    tool: Tool


def neighbour_of(tool: Tool, name: str) -> Tool | None:
    """Return a method or function beside a tool as a tool of its own that runs where the tool does.

    Returns:
        None when nothing of that name stands there.

    Raises:
        DeclarationError: When it is declared as a tool, or its signature cannot be read.
    """
    if isinstance(tool.function, RemoteFunction):
        return tool.function.beside.get(name)
    found = beside(tool.function, name)
    if not inspect.isroutine(found):
        return None
    declared = declaration_of(found)
    if declared is not None and declared.tool is not None:
        msg = f"the fallback {name!r} of {tool.name!r} is a tool of its own; register it, so that its own policies hold"
        raise DeclarationError(msg)
    return replace(
        tool_from_function(found), origin=SiblingOrigin(tool, name), policies=Policies(isolation=tool.isolation)
    )


def tool_of_probe(tool: Tool, probe: Probe) -> Tool:
    """Return what a probe runs: the tool itself, or a probe function as a tool that runs where the tool does."""
    function = probe.function
    if function is None:
        return tool
    purpose = f"Find out whether {tool.name} works."
    if isinstance(function, Tool):
        made = function
    else:
        # Names of tools of servers need not be such as ours may have; the name is put right below.
        made = make_tool("probe", purpose, function)
        made = replace(made, function=_refusing_false(made.function, is_async=made.is_async))
    security = tool.security
    hidden = None if security is None else Security(sensitive=security.sensitive, encrypt=security.encrypt)
    policies = Policies(isolation=tool.isolation, timeout_s=PROBE_TIMEOUT_S, security=hidden)
    # What tools share answers for each of them under its own name.
    spec = made.spec.model_copy(update={"name": tool.name})
    return replace(made, spec=spec, source=tool.source, policies=policies, origin=ProbeOrigin(tool))


def _refusing_false(function: Callable[..., Any], *, is_async: bool) -> Callable[..., Any]:
    def run(**given: Any) -> Any:
        return _refused(function(**given))

    async def run_async(**given: Any) -> Any:
        return _refused(await function(**given))

    return run_async if is_async else run


def _refused(result: Any) -> Any:
    if result is False:
        raise ToolFailure("its probe returned False")
    return result
