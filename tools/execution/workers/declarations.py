"""What a plugin file declares, told by the worker process that imported it to a program that does not.

Whatever is data crosses as data: the card with its examples, hints and isolation, both schemas, the policies, paths,
masks and what is injected. What cannot is answered for in a worker, or made anew here:

| declared | in the program |
|---|---|
| functions, methods, classes | `RemoteFunction`: they run in worker processes only |
| types, validators, converters | the JSON Schema is checked here, types before anybody is asked and as it begins |
| defaults | filled in here when the schema shows them; those of `default_factory` and secrets by the worker |
| `${earlier}` in defaults | replaced here, by plain values |
| `concerns=` | asked of a worker when the call is judged (`RemotePart.CONCERNS`) |
| contract clauses, text or callable | checked in a worker, which has the types (`RemotePart.BEFORE`, `.AFTER`) |
| exception classes of `retry` and `circuit_breaker` | known by their names, see `exception_class` |
| `fallback=` a method or function beside the tool | told like a tool, and run in a worker |
| `fallback=` another tool | as ever: its own call, through its own steps |
| masked paths, cache keys, rate limits, roles, command lines | data: nothing of them is a function |
| `@supported_for(Application)` | compared in the worker, with the names of the application's class and its bases |
| `process_tool(...)` | its command is data; the program starts it itself, as ever |
| `ToolPipeline` | data, its adapters as expressions; the program runs the steps |
| names of types | asked of a worker when somebody wants a titled schema (`RemotePart.SCHEMAS`) |
| `dry_run=` | asked of a worker when somebody wants to know (`RemotePart.DRY_RUN`) |
| `probe=` arguments | data: the probe is a call of the tool |
| `probe=` a function | told like a tool, and run in a worker (`RemotePart.PROBE`); what tools share stays shared |
| prompts | rendered in a worker, see `rendered` |
| a parameter that receives an object of the program | refused: such objects stay in the program |
| `isolation="thread"` or `"inline"` on a tool | the file says so itself, and is imported by the program after all |

What comes from a worker is foreign: it is read into checked values, and what does not fit refuses the file.
"""

from __future__ import annotations

import inspect
from dataclasses import replace
from functools import partial
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from tools import schema
from tools.declare import class_name
from tools.declare.checks import make_spec
from tools.declare.pipeline import ToolPipeline
from tools.declare.process import ProgramRun
from tools.declare.referenced_functions import SiblingOrigin, neighbour_of, tool_of_probe
from tools.discovery import SourcePlace, SourceReport
from tools.errors import DeclarationError
from tools.execution.workers.failures import exception_class
from tools.schema import SerializedParameters
from tools.spec import Isolation, PathRole, Policies, Role, ShellCommand
from tools.tool import Injected, Injection, PluginFile, Probe, Prompt, RemoteFunction, Tool

_RUN_HERE: Final = (ProgramRun, ToolPipeline)
"""What is data, and is run by the program itself."""


class _Told(BaseModel):
    # Built when the first plugin file is told of: a start without one needs none of them.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class _ToldProbe(_Told):
    arguments: dict[str, Any] | None = None
    function: _ToldTool | None = None
    on_request: bool = False
    number: int


class _ToldTool(_Told):
    card: dict[str, Any]
    arguments: SerializedParameters
    output_schema: dict[str, Any] | None
    returns_nothing: bool = False
    is_async: bool
    parameters: tuple[str, ...]
    injected: tuple[tuple[str, str, bool], ...]
    policies: Policies
    has_concerns: bool
    has_dry_run: bool = False
    shell_commands: tuple[tuple[str, ShellCommand], ...] = ()
    toolkit: str
    toolkit_description: str
    owner: str
    path_roles: tuple[tuple[str, PathRole], ...]
    raw_input: str | None
    program: ProgramRun | ToolPipeline | None
    fallback: _ToldTool | None
    probe: _ToldProbe | None = None


class _ToldPrompt(_Told):
    name: str
    description: str
    role: Role | None
    arguments: SerializedParameters
    toolkit: str
    owner: str


class Declarations(_Told):
    """What a worker tells of a plugin file.

    Attributes:
        error: Why it did not load, in one line; empty when it did.
        place: The line where it failed; None when there is none.
        at_home: Whether tools of it say that they run in the program.
    """

    error: str = ""
    traceback: str = ""
    place: SourcePlace | None = None
    at_home: bool = False
    tools: tuple[_ToldTool, ...] = ()
    prompts: tuple[_ToldPrompt, ...] = ()


def told_of(report: SourceReport) -> dict[str, Any]:
    """Return what a worker tells of a plugin file that it imported, or failed to."""
    return _declarations(report).model_dump(mode="json", exclude_unset=True, fallback=_named)


def _named(value: Any) -> Any:
    """Return what is told of a class or function, which stays here: its name, as `_standing_for` reads it."""
    return class_name(value) if isinstance(value, type) else {"function": getattr(value, "__name__", repr(value))}


def _declarations(report: SourceReport) -> Declarations:
    if report.error:
        return Declarations(error=report.error, traceback=report.traceback, place=report.place)
    if any(_runs_at_home(tool) for tool in report.tools):
        return Declarations(at_home=True)
    try:
        for tool in report.tools:
            _refuse_objects(tool)
        tools = tuple(_told_tool(tool) for tool in report.tools)
        prompts = tuple(_told_prompt(prompt) for prompt in report.prompts)
    except DeclarationError as error:
        return Declarations(error=str(error), traceback=f"{type(error).__name__}: {error}")
    return Declarations(tools=tools, prompts=prompts)


def _runs_at_home(tool: Tool) -> bool:
    said = tool.policies.isolation or tool.spec.isolation
    return said not in {None, Isolation.PROCESS} and not isinstance(tool.function, _RUN_HERE)


def _refuse_objects(tool: Tool) -> None:
    """Let nobody wait for an object that cannot come, not even who would do without it."""
    received = [item for item in tool.injected if item.kind is Injection.OBJECT]
    asked_for = tool.policies.isolation or tool.spec.isolation
    if isinstance(tool.function, ToolPipeline):
        for step in tool.function.steps:
            if callable(step.adapter):
                msg = (
                    f"{tool.owner}: the adapter of {step.tool!r} is a function, but plugin files are loaded in worker"
                    " processes; write it as a JMESPath expression, or say isolation='thread' for the file"
                )
                raise DeclarationError(msg)
    for item in received:
        if asked_for is None or not item.optional:
            kind = item.type.__qualname__ if item.type is not None else "an object"
            msg = (
                f"{tool.owner}: {item.python_name!r} receives an object of the program ({kind}), which stays in the"
                " program, but plugin files are loaded in worker processes; say isolation='inline' or 'thread' in"
                " @tool, or for the file or its folder"
            )
            raise DeclarationError(msg)


def _told_tool(tool: Tool) -> _ToldTool:
    runs = tool.function
    return _ToldTool(
        card=tool.spec.model_dump(mode="json", exclude_unset=True),
        arguments=schema.parameters_of(tool.arguments),
        output_schema=tool.output_schema,
        returns_nothing=tool.output.returns_nothing,
        is_async=tool.is_async,
        parameters=tuple(inspect.signature(inspect.unwrap(runs)).parameters),
        injected=tuple((item.python_name, item.kind.name, item.optional) for item in tool.injected),
        policies=tool.policies,
        has_concerns=tool.concerns_of is not None,
        has_dry_run=tool.dry_run is not None,
        shell_commands=tool.shell_commands,
        toolkit=tool.toolkit,
        toolkit_description=tool.toolkit_description,
        owner=tool.owner,
        path_roles=tool.path_roles,
        raw_input=tool.raw_input,
        program=runs if isinstance(runs, _RUN_HERE) else None,
        fallback=_told_fallback(tool),
        probe=None if tool.probe is None else _told_probe(tool, tool.probe),
    )


def _told_probe(tool: Tool, probe: Probe) -> _ToldProbe:
    # By its number, the tools that share one share one in the program as well.
    if probe.function is None:
        return _ToldProbe(arguments=dict(probe.arguments or {}), on_request=probe.on_request, number=id(probe))
    made = replace(tool_of_probe(tool, probe), policies=Policies())
    return _ToldProbe(function=_told_tool(made), on_request=probe.on_request, number=id(probe))


def _told_fallback(tool: Tool) -> _ToldTool | None:
    name = tool.policies.fallback
    try:
        made = neighbour_of(tool, name) if name is not None else None
    except DeclarationError:
        # It is a tool of its own, so the program looks for it among its tools.
        return None
    return None if made is None else _told_tool(replace(made, policies=Policies()))


def _told_prompt(prompt: Prompt) -> _ToldPrompt:
    return _ToldPrompt(
        name=prompt.name,
        description=prompt.description,
        role=prompt.role,
        arguments=schema.parameters_of(prompt.arguments),
        toolkit=prompt.toolkit,
        owner=prompt.owner,
    )


def read_declarations(told: object, plugin: PluginFile) -> Declarations:
    """Return what a worker told of a file, checked.

    Raises:
        ValueError: It is something else.
    """
    return Declarations.model_validate(told, context=partial(_standing_for, plugin))


def _standing_for(plugin: PluginFile, told: object) -> object:
    """Return what stands here for a class or function that a worker named; anything else as it is."""
    match told:
        case [str(module), str(qualname)]:
            return exception_class((module, qualname))
        case {"function": str(name)}:
            return RemoteFunction(plugin, name)
    return told


def declared(told: Declarations, plugin: PluginFile, opened: SourceReport) -> SourceReport:
    """Return the tools and prompts that a worker told of."""
    if told.error:
        return opened._replace(error=told.error, traceback=told.traceback, place=told.place)
    try:
        probes: dict[int, Probe] = {}
        tools = tuple(
            replace(_tool(item, plugin), source=opened.source, probe=_probe(item.probe, plugin, probes))
            for item in told.tools
        )
        prompts = tuple(_prompt(item, plugin).with_source(opened.source) for item in told.prompts)
    except (DeclarationError, ValidationError, KeyError) as error:
        reason = f"what its worker process told of it cannot be read: {error}".splitlines()[0]
        return opened._replace(error=reason, traceback=str(error))
    return opened._replace(tools=tools, prompts=prompts)


def _tool(told: _ToldTool, plugin: PluginFile) -> Tool:
    card = {key: tuple(value) if isinstance(value, list) else value for key, value in told.card.items()}
    spec = make_spec(told.owner, **card)
    injected = tuple(Injected(name, Injection[kind], optional=optional) for name, kind, optional in told.injected)
    runs = RemoteFunction(plugin, spec.name, told.parameters)
    tool = Tool(
        spec=spec,
        arguments=schema.arguments_told(told.arguments, owner=told.owner),
        output=schema.PlainOutput(told.output_schema, returns_nothing=told.returns_nothing),
        function=told.program or runs,
        is_async=told.is_async,
        policies=told.policies,
        injected=injected,
        concerns_of=RemoteFunction(plugin, f"concerns of {spec.name}") if told.has_concerns else None,
        dry_run=RemoteFunction(plugin, f"dry run of {spec.name}") if told.has_dry_run else None,
        shell_commands=told.shell_commands,
        toolkit=told.toolkit,
        toolkit_description=told.toolkit_description,
        owner=told.owner,
        path_roles=told.path_roles,
        raw_input=told.raw_input,
        origin=plugin,
    )
    if told.fallback is not None and tool.policies.fallback is not None:
        beside = _tool(told.fallback, plugin)
        name = tool.policies.fallback
        runs.beside[name] = replace(
            beside, origin=SiblingOrigin(tool, name), policies=Policies(isolation=Isolation.PROCESS)
        )
    return tool


def _probe(told: _ToldProbe | None, plugin: PluginFile, known: dict[int, Probe]) -> Probe | None:
    if told is None:
        return None
    if told.number not in known:
        function = None if told.function is None else _tool(told.function, plugin)
        known[told.number] = Probe(told.arguments, function, told.on_request)
    return known[told.number]


def _prompt(told: _ToldPrompt, plugin: PluginFile) -> Prompt:
    return Prompt(
        name=told.name,
        description=told.description,
        role=told.role,
        arguments=schema.arguments_told(told.arguments, owner=told.owner),
        function=RemoteFunction(plugin, told.name, told.arguments.python_names or ()),
        toolkit=told.toolkit,
        owner=told.owner,
    )
