"""How a worker process finds a tool again: by the text of its plugin file, or by the name of what declares it."""

from __future__ import annotations

import importlib
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.declare import bundle_of
from tools.declare.referenced_functions import ProbeOrigin, SiblingOrigin, neighbour_of
from tools.errors import ToolConfigurationError
from tools.execution.workers.protocol import read_with_bytes, write_with_bytes
from tools.spec import Isolation
from tools.tool import Injection, PluginFile, Tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class RemotePart(StrEnum):
    """What is asked: what a file declares; of a tool its concerns, contract, probe, dry run or schemas; a prompt."""

    DECLARATIONS = "declarations"
    CONCERNS = "concerns"
    BEFORE = "before"
    AFTER = "after"
    PROMPT = "prompt"
    PROBE = "probe"
    DRY_RUN = "dry_run"
    SCHEMAS = "schemas"


class ToolReference(NamedTuple):
    """Where a tool is found in another process.

    Attributes:
        tool: The tool's name.
        module: The module that declares it; empty for a plugin file.
        qualname: The function, class or object in the module that the tool comes from.
        plugin: The plugin file; None for a module.
        beside: The method or function beside the tool that runs instead; empty when the tool itself does.
        part: What of the declaration is asked instead of running the tool; empty when it runs. See `RemotePart`.
        folder: The current folder of the process; None is that of its pool.
    """

    tool: str
    module: str = ""
    qualname: str = ""
    plugin: PluginFile | None = None
    beside: str = ""
    part: str = ""
    folder: Path | None = None


def reference_of(tool: Tool) -> ToolReference:
    """Return how a worker process finds a tool.

    Raises:
        ToolConfigurationError: It cannot; the message says why and what to do.
    """
    if any(item.kind is Injection.OBJECT and not item.optional for item in tool.injected):
        raise _unreachable(tool, "it receives objects of this program, which stay in this process")
    origin = tool.origin
    if isinstance(origin, SiblingOrigin):
        return reference_of(origin.tool)._replace(beside=origin.name)
    if isinstance(origin, ProbeOrigin):
        return reference_of(origin.tool)._replace(part=RemotePart.PROBE)
    if isinstance(origin, PluginFile):
        return ToolReference(tool.own_name, plugin=origin)
    for candidate in (tool, origin):
        named = _name_of(candidate)
        if named is not None:
            return ToolReference(tool.own_name, *named)
    owner = getattr(origin, "__module__", None) or type(origin).__module__
    if owner == "__main__":
        raise _unreachable(tool, "it is declared in the program's main script, which a worker does not run")
    raise _unreachable(tool, "what declares it has no name in a module, such as a function inside a function")


def write_reference(reference: ToolReference, number: int = 0) -> bytes:
    """Return a reference as it crosses to another process, whose system may write paths another way.

    The folder stays behind: a worker process is started in it, and a worker of a cluster has one of its own.
    """
    told: dict[str, Any] = {
        "number": number,
        "tool": reference.tool,
        "module": reference.module,
        "qualname": reference.qualname,
        "beside": reference.beside,
        "part": reference.part,
    }
    plugin = reference.plugin
    if plugin is None:
        return write_with_bytes(told, b"")
    return write_with_bytes({**told, "path": str(plugin.path), "load": plugin.number}, plugin.text)


def read_reference(body: bytes) -> tuple[int, ToolReference]:
    """Return the number and the reference that `write_reference` wrote."""
    told, text = read_with_bytes(body)
    plugin = PluginFile(Path(told["path"]), text, told["load"]) if "path" in told else None
    parts = told["tool"], told["module"], told["qualname"], plugin, told["beside"], told["part"]
    return told["number"], ToolReference(*parts)


def _unreachable(tool: Tool, reason: str) -> ToolConfigurationError:
    return ToolConfigurationError(
        f"tool {tool.name!r} cannot run in a worker process: {reason}; declare it at the top of a module that can be"
        f" imported, or say isolation={Isolation.THREAD.value!r}"
    )


def _name_of(candidate: object) -> tuple[str, str] | None:
    """Return module and name under which exactly this object is found; None when there is none."""
    if candidate is None:
        return None
    for module, qualname in _guesses(candidate):
        if module != "__main__" and _found(module, qualname) is candidate:
            return module, qualname
    return None


def _guesses(candidate: object) -> Iterator[tuple[str, str]]:
    if isinstance(candidate, Tool):
        module = getattr(candidate.function, "__module__", "")
    elif hasattr(candidate, "__qualname__"):
        module = getattr(candidate, "__module__", "")
        yield module, getattr(candidate, "__qualname__", "")
    else:
        module = type(candidate).__module__
    for name, value in list(vars(sys.modules.get(module, object)).items()):
        if value is candidate:
            yield module, name


def _found(module: str, qualname: str) -> Any:
    found: Any = sys.modules.get(module)
    for part in qualname.split("."):
        found = getattr(found, part, None)
    return found


def tool_of(reference: ToolReference) -> Tool:
    """Find a tool in this process, loading what declares it.

    Raises:
        ToolConfigurationError: It is not there.
    """
    if reference.plugin is not None:
        from tools.discovery import bundles_of_plugin  # noqa: PLC0415 -- looks through installed packages' metadata

        candidates: Iterable[Tool] = (tool for bundle in bundles_of_plugin(reference.plugin) for tool in bundle.tools)
    else:
        importlib.import_module(reference.module)
        target = _found(reference.module, reference.qualname)
        candidates = () if target is None else bundle_of(target).tools
    for tool in candidates:
        if tool.name == reference.tool:
            found = neighbour_of(tool, reference.beside) if reference.beside else tool
            if found is not None:
                return found
    where = reference.plugin.path if reference.plugin is not None else f"{reference.module}.{reference.qualname}"
    msg = f"the worker process finds no tool {reference.tool!r} in {where}; reload it"
    raise ToolConfigurationError(msg)
