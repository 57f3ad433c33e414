"""Turn what people declare into `Tool`s and `Prompt`s."""

from __future__ import annotations

import functools
import inspect
import platform
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools import schema
from tools.card import PROGRAM, ToolSource
from tools.declare.abstract import AbstractTool, AgentTool, ToolMaker, is_langchain_tool, running_in
from tools.declare.checks import checked_dry_run, make_spec, owner_of, path_roles, shell_commands
from tools.declare.decorators import Declaration, declaration_of
from tools.declare.generators import collecting, is_generator
from tools.declare.probes import checked_probe, kit_probe, probe_from
from tools.declare.signature import Docs, Signature, beside, plain_function, read_docs, read_signature
from tools.errors import DeclarationError, DuplicateToolError
from tools.spec import MISSING, NAME_PATTERN, DeclaredTool, Parameter, Policies
from tools.tool import ConcernsOf, Injected, Injection, Prompt, Tool, ToolResult

if TYPE_CHECKING:
    from pydantic import JsonValue

AGENT_INPUT: Final = Parameter("input", "input", str, description="The text the tool works on.")
"""The one argument of an `AgentTool`. Source: seed 3, "Tool Specification JSON Structure"."""
CONTEXT_KEY: Final = "tool_context"
OS_NAME: Final = "${OS_NAME}"
"""Stands for the operating system's name in descriptions. Source: seed 1, "@Tool"."""


def tool_from_function(
    function: Callable[..., Any],
    *,
    source: ToolSource = PROGRAM,
    kit: Mapping[str, Any] | None = None,
    kit_policies: Policies | None = None,
) -> Tool:
    """Make a tool from a declared function or bound method; an undeclared function gets an empty card.

    Args:
        kit: The keywords of the `@toolkit` it belongs to; None when it stands alone.
        kit_policies: Policies of the whole toolkit, which the tool's own override.

    Raises:
        DeclarationError: When the declaration is wrong.
    """
    owner = owner_of(function)
    declared = declaration_of(function) or Declaration(tool={})
    made = _assemble(
        function,
        read_signature(function, owner=owner),
        dict(declared.tool or {}),
        name=getattr(function, "__name__", ""),
        policies=(kit_policies or Policies()).merged(declared.policies),
        concerns_of=declared.concerns_of,
        owner=owner,
        source=source,
        kit=kit,
    )
    return checked_probe(made)


def _assemble(
    function: Callable[..., Any],
    signature: Signature,
    card: dict[str, Any],
    *,
    name: str,
    policies: Policies,
    concerns_of: ConcernsOf | None,
    owner: str,
    source: ToolSource,
    kit: Mapping[str, Any] | None = None,
    own_schema: bool = False,
) -> Tool:
    card = {key: value for key, value in card.items() if value is not None}
    card.setdefault("name", name)
    card.setdefault("description", signature.docs.description)
    for field in ("keywords", "depends_on", "examples", "needs"):
        if field in card:
            card[field] = tuple(card[field])
    for field in ("category", "turns_to_keep", "needs", "untried", "probe"):
        if kit is not None and kit.get(field) is not None:
            card.setdefault(field, kit[field])
    on_request = bool(card.pop("probe_on_request", False))
    probe = probe_from(card.pop("probe", None), functools.partial(beside, function), owner, on_request=on_request)
    dry_run = checked_dry_run(card.pop("dry_run", None), owner)
    if isinstance(card["description"], str):
        card["description"] = card["description"].replace(OS_NAME, platform.system())
    spec = make_spec(owner, **card)
    if is_generator(function):
        function, signature = collecting(function, signature)
    is_async = inspect.iscoroutinefunction(plain_function(function))
    declared = DeclaredTool(owner, spec, policies, is_async, () if own_schema else signature.parameters)
    return Tool(
        spec=spec,
        arguments=schema.arguments_for(signature.parameters, owner=owner),
        # What a `ToolResult` carries, its own fields do not tell.
        output=schema.output_for(MISSING if signature.returns is ToolResult else signature.returns, owner=owner),
        function=function,
        is_async=is_async,
        policies=policies.fitted(declared),
        injected=signature.injected,
        concerns_of=concerns_of,
        toolkit=(kit or {}).get("title", ""),
        toolkit_description=(kit or {}).get("description", ""),
        source=source,
        owner=owner,
        path_roles=path_roles(signature.parameters),
        probe=probe,
        dry_run=dry_run,
        shell_commands=shell_commands(signature.parameters, owner),
    )


def tool_from_class(instance: AbstractTool, *, source: ToolSource = PROGRAM) -> Tool:
    """Make a tool from an `AbstractTool` object.

    Raises:
        DeclarationError: When its schema or card is wrong.
    """
    kind = type(instance)
    owner = owner_of(kind)
    declared = declaration_of(kind) or Declaration()
    if kind.do_execute is AbstractTool.do_execute:
        msg = f"{owner}: override do_execute, which does the tool's work"
        raise DeclarationError(msg)
    signature = read_signature(instance.do_execute, owner=f"{owner}.do_execute")
    signature = signature._replace(docs=read_docs(kind) if kind.__doc__ else signature.docs)
    built = instance.build_schema()
    class_card = {"name": instance.name, "description": instance.description}
    made = _assemble(
        instance.do_execute,
        signature,
        {**{key: value for key, value in class_card.items() if value}, **(declared.tool or {})},
        name=_snake_case(kind.__name__),
        policies=declared.policies,
        concerns_of=declared.concerns_of,
        owner=owner,
        source=source,
        own_schema=built is not None,
    )
    if built is not None:
        made = _with_schema(made, built, signature)
    elif len(signature.parameters) == 1 and signature.parameters[0].annotation in {str, Any}:
        made = replace(made, raw_input=signature.parameters[0].name)
    made = replace(
        made,
        function=_in_context(made.function, is_async=made.is_async),
        injected=(*made.injected, Injected(CONTEXT_KEY, Injection.CONTEXT)),
    )
    return checked_probe(made)


def _with_schema(made: Tool, built: Mapping[str, JsonValue], signature: Signature) -> Tool:
    """Let `do_execute` receive all arguments of a hand-written schema in its one parameter."""
    if len(signature.parameters) != 1:
        msg = f"{made.owner}: with build_schema(), do_execute takes one parameter: all arguments, as text or mapping"
        raise DeclarationError(msg)
    only = signature.parameters[0]
    hidden = {item.python_name for item in made.injected}
    inner = made.function

    def run(**given: Any) -> Any:
        filled = {key: given.pop(key) for key in hidden}
        whole = AbstractTool.to_json(given) if only.annotation is str else given
        return inner(**filled, **{only.python_name: whole})

    return replace(made, function=_in_place_of(inner, run), arguments=schema.SchemaArguments(built, owner=made.owner))


def _in_context(function: Callable[..., Any], *, is_async: bool) -> Callable[..., Any]:
    def run(**given: Any) -> Any:
        with running_in(given.pop(CONTEXT_KEY)):
            return function(**given)

    async def run_async(**given: Any) -> Any:
        with running_in(given.pop(CONTEXT_KEY)):
            return await function(**given)

    return _in_place_of(function, run_async if is_async else run)


def _in_place_of(function: Callable[..., Any], runs: Callable[..., Any]) -> Callable[..., Any]:
    """Let whoever looks for what stands beside a tool find it, although something else runs."""
    return functools.update_wrapper(runs, function, assigned=(), updated=())


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def tool_from_agent_tool(target: AgentTool, *, source: ToolSource = PROGRAM) -> Tool:
    """Make a tool from any object with name, description and `execute(input)`.

    Raises:
        DeclarationError: When its name is blank or badly spelled.
    """
    owner = owner_of(type(target))
    declared = declaration_of(type(target)) or Declaration()
    made = _assemble(
        target.execute,
        Signature((AGENT_INPUT,), (), inspect.Signature.empty, Docs("", {})),
        {**(declared.tool or {}), "name": target.name, "description": target.description or ""},
        name="",
        policies=declared.policies,
        concerns_of=declared.concerns_of,
        owner=owner,
        source=source,
    )
    return checked_probe(replace(made, function=_with_text(made.function), raw_input=AGENT_INPUT.name))


def _with_text(execute: Callable[[str], Any]) -> Callable[..., Any]:
    """Let `execute` receive its text by position: the protocol does not say what its parameter is called."""

    def run(**given: Any) -> Any:
        return execute(given[AGENT_INPUT.python_name])

    return _in_place_of(execute, run)


def make_tool(
    name: str,
    description: str,
    function: Callable[..., Any],
    params: Sequence[Parameter] | Mapping[str, JsonValue] | None = None,
    *,
    source: ToolSource = PROGRAM,
    **card: Any,
) -> Tool:
    """Make a tool by hand.

    Args:
        name: The unique name callers use.
        function: What runs; it receives the arguments by name. Policy decorators on it count.
        params: The arguments as parameters or as a JSON Schema; None reads the function's signature.
        **card: Further fields of `ToolSpec`, and `probe`, `probe_on_request` and `dry_run` as in `@tool`.

    Raises:
        DeclarationError: When something of it is wrong.

    Source: seed 1, "programmatic tool registration".
    """
    owner = f"make_tool({name!r})"
    signature = Signature((), (), inspect.Signature.empty, Docs("", {}))
    if params is None:
        signature = read_signature(function, owner=owner)
    elif not isinstance(params, Mapping):
        signature = signature._replace(parameters=tuple(params))
    declared = declaration_of(function) or Declaration()
    made = _assemble(
        function,
        signature,
        {"description": description, **card},
        name=name,
        policies=declared.policies,
        concerns_of=declared.concerns_of,
        owner=owner,
        source=source,
        own_schema=isinstance(params, Mapping),
    )
    if isinstance(params, Mapping):
        made = replace(made, arguments=schema.SchemaArguments(params, owner=owner))
    return checked_probe(made)


class Bundle(NamedTuple):
    """What one object contributes.

    Attributes:
        tools: Its tools, in order of definition.
    """

    tools: tuple[Tool, ...]
    prompts: tuple[Prompt, ...] = ()


def bundle_of(target: object, *, source: ToolSource = PROGRAM) -> Bundle:
    """Return the tools and prompts of one object: a tool, a function, a class, an instance, a LangChain tool.

    Raises:
        DeclarationError: When it is none of those, or declared wrongly; the message names its type.
    """
    if isinstance(target, Tool):
        return Bundle((target,))
    found = _bundle_of(_instance_of(target) if isinstance(target, type) else target, source)
    return Bundle(tuple(replace(tool, origin=target) for tool in found.tools), found.prompts)


def _bundle_of(target: object, source: ToolSource) -> Bundle:
    declared = declaration_of(target)
    if isinstance(target, AbstractTool):
        return Bundle((tool_from_class(target, source=source),))
    if isinstance(target, ToolMaker):
        return Bundle((target.as_tool(source=source),))
    if is_langchain_tool(target):
        from tools.declare.langchain import tool_from_langchain  # noqa: PLC0415 -- it needs LangChain's package

        return Bundle((tool_from_langchain(target, source=source),))
    if callable(target) and declared is not None:
        if declared.prompt is not None:
            return Bundle((), (_prompt(target, declared, "", source),))
        return Bundle((tool_from_function(target, source=source),))
    found = _members(target, source)
    if found.tools or found.prompts:
        return found
    if isinstance(target, AgentTool):
        return Bundle((tool_from_agent_tool(target, source=source),))
    msg = (
        f"an object of type {owner_of(type(target))!r} is no tool: it has no @tool method, nor name, description and"
        " execute(input) either"
    )
    raise DeclarationError(msg)


def has_tools(target: object) -> bool:
    """Return whether an object or its class has methods that are declared as tools.

    Source: seed 3, "hasToolAnnotatedMethods Utility".
    """
    kind = target if isinstance(target, type) else type(target)
    return any(
        declared.tool is not None for _, member in _methods(kind) if (declared := declaration_of(member)) is not None
    )


def _instance_of(target: type) -> object:
    try:
        return target()
    except TypeError as error:
        msg = f"{owner_of(target)}: cannot be made without arguments ({error}); register an instance instead"
        raise DeclarationError(msg) from error


def _members(target: object, source: ToolSource) -> Bundle:
    declared = declaration_of(type(target)) or Declaration()
    kit = dict(declared.toolkit) if declared.toolkit is not None else None
    if kit is not None:
        kit["title"] = kit["title"] or type(target).__name__
        kit["description"] = kit["description"] or read_docs(type(target)).description.partition("\n")[0]
        # One for all of its tools, so that it need be asked only once.
        kit["probe"] = kit_probe(kit["probe"], target, on_request=kit["probe_on_request"])
    tools: list[Tool] = []
    prompts: list[Prompt] = []
    for name, member in _methods(type(target)):
        said = declaration_of(member)
        if said is None or name.startswith("_"):
            continue
        bound = getattr(target, name)
        if said.tool is not None:
            tools.append(tool_from_function(bound, source=source, kit=kit, kit_policies=declared.policies))
        elif said.prompt is not None:
            prompts.append(_prompt(bound, said, (kit or {}).get("title", ""), source))
    return Bundle(tuple(tools), tuple(prompts))


def _methods(kind: type) -> Iterator[tuple[str, object]]:
    seen: set[str] = set()
    for base in kind.__mro__:
        for name, member in vars(base).items():
            if name not in seen:
                seen.add(name)
                yield name, member


def _prompt(function: Callable[..., str], declared: Declaration, kit_title: str, source: ToolSource) -> Prompt:
    owner = owner_of(function)
    said = declared.prompt or {}
    signature = read_signature(function, owner=owner)
    name = said["name"] or getattr(function, "__name__", "")
    if not NAME_PATTERN.fullmatch(name):
        msg = f"{owner}: a prompt's name is 1 to 64 letters, digits and underscores; it is {name!r}"
        raise DeclarationError(msg)
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        msg = f"{owner}: a prompt returns its text at once; write it as a plain function, without async and yield"
        raise DeclarationError(msg)
    if signature.injected:
        msg = f"{owner}: a prompt takes only what its caller gives; remove {signature.injected[0].python_name!r}"
        raise DeclarationError(msg)
    return Prompt(
        name=name,
        description=said["description"] if said["description"] is not None else signature.docs.description,
        role=said["role"],
        arguments=schema.arguments_for(signature.parameters, owner=owner),
        function=function,
        toolkit=kit_title,
        owner=owner,
        source=source,
    )


def resolve_tools(targets: Iterable[object], *, source: ToolSource = PROGRAM) -> list[Tool]:
    """Return the tools of a mixed list, in order.

    Args:
        targets: Tools, declared functions, toolkit objects, `AbstractTool` classes or objects, `AgentTool`s, LangChain
            `BaseTool`s.

    Raises:
        DeclarationError: When an element is no tool or declared wrongly.
        DuplicateToolError: When two of them have the same name.

    Source: seed 3, "Tool Resolution Flow".
    """
    tools: list[Tool] = []
    owner_by_name: dict[str, str] = {}
    for target in targets:
        for tool in bundle_of(target, source=source).tools:
            if tool.name in owner_by_name:
                raise DuplicateToolError(tool.name, owner_by_name[tool.name], tool.owner)
            owner_by_name[tool.name] = tool.owner
            tools.append(tool)
    return tools
