"""What a worker process does with a declaration besides running its tool: tell of it, and answer for its callables."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.declare import make_tool
from tools.declare.referenced_functions import tool_of_probe
from tools.discovery import bundles_of_plugin, report_of_plugin
from tools.errors import ToolConfigurationError
from tools.execution.workers.declarations import told_of
from tools.execution.workers.references import RemotePart, ToolReference, tool_of
from tools.schema import titled_schemas
from tools.tool import Prompt, Tool, ToolResult

if TYPE_CHECKING:
    from tools.tool import PluginFile


def tool_of_part(reference: ToolReference) -> Tool:
    """Return what answers about a declaration, as a tool that takes questions.

    Raises:
        ToolConfigurationError: Nothing of that name is declared.
    """
    if reference.part == RemotePart.PROBE:
        tool = tool_of(reference._replace(part=""))
        if tool.probe is None:
            msg = f"the worker process finds no probe of {tool.name!r}; reload what declares it"
            raise ToolConfigurationError(msg)
        return tool_of_probe(tool, tool.probe)
    plugin = reference.plugin
    if plugin is None:
        msg = f"only the declarations of plugin files are asked, not those of {reference.module}"
        raise ToolConfigurationError(msg)
    match RemotePart(reference.part):
        case RemotePart.DECLARATIONS:
            answer = _declarations(plugin)
        case RemotePart.PROMPT:
            answer = _prompt(plugin, reference.tool)
        case RemotePart.CONCERNS:
            answer = _concerns(tool_of(reference._replace(part="")))
        case RemotePart.DRY_RUN:
            answer = _dry_run(tool_of(reference._replace(part="")))
        case RemotePart.SCHEMAS:
            answer = _schemas(tool_of(reference._replace(part="")))
        case part:
            answer = _contract(tool_of(reference._replace(part="")), after=part is RemotePart.AFTER)
    return make_tool(reference.part, "Answer the program.", answer)


def _declarations(plugin: PluginFile) -> Callable[..., Any]:
    def declarations(application: list[tuple[str, str]] | None) -> Any:
        return told_of(report_of_plugin(plugin, application))

    return declarations


def _concerns(tool: Tool) -> Callable[..., Any]:
    def concerns(arguments: dict[str, Any], folder: Path) -> Any:
        if tool.concerns_of is None:
            return []
        return [list(concern) for concern in tool.concerns_of(tool.arguments.validate(arguments), folder)]

    return concerns


def _dry_run(tool: Tool) -> Callable[..., Any]:
    def dry_run(arguments: dict[str, Any], folder: Path) -> Any:
        return None if tool.dry_run is None else tool.dry_run(tool.arguments.validate(arguments), folder)

    return dry_run


def _schemas(tool: Tool) -> Callable[..., Any]:
    def schemas() -> Any:
        return titled_schemas(tool.arguments, tool.output, tool.owner)

    return schemas


def _contract(tool: Tool, *, after: bool) -> Callable[..., Any]:
    from tools.execution.expressions import compile_clauses  # noqa: PLC0415 -- workers that only run tools do without

    checks = compile_clauses(tool)[after]

    def check(arguments: dict[str, Any], result: Any = None) -> None:
        values = tool.arguments.validate(arguments)
        if after:
            values["result"] = _result(tool, result)
        for holds in checks:
            holds(values)

    return check


def _result(tool: Tool, told: Any) -> Any:
    kind, value = told
    match kind:
        case "bytes":
            return b64decode(value)
        case "tool_result":
            success, output, error, structured = value
            return ToolResult(success, output, error, None if structured is None else tool.output.load(structured))
        case _:
            return None if value is None else tool.output.load(value)


def _prompt(plugin: PluginFile, name: str) -> Callable[..., Any]:
    prompts = (prompt for bundle in bundles_of_plugin(plugin) for prompt in bundle.prompts)
    found: Prompt | None = next((prompt for prompt in prompts if prompt.name == name), None)
    if found is None:
        msg = f"the worker process finds no prompt {name!r} in {plugin.path}; reload it"
        raise ToolConfigurationError(msg)

    def render(arguments: dict[str, Any]) -> str:
        return found.render(arguments)

    return render
