"""Tell how much harm a call can do: from what the tool claims, what it would touch, and what it would run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from tools.declare.process import ProgramRun
from tools.policy.findings import Finding, worst
from tools.spec import Concern, RiskClass
from tools.tool import SourceKind, Tool

if TYPE_CHECKING:
    from pydantic import JsonValue

_LOCAL: Final = frozenset({SourceKind.BUILT_IN, SourceKind.PLUGIN, SourceKind.PROGRAM})
"""Whose word may lower the risk: code that the person put on this computer. Others' claims only raise it, unless they
are trusted."""

_COMMAND: Final = "command"
_BY_CONCERN: Final = {
    "changes": RiskClass.WRITE,
    "sends_data": RiskClass.NETWORK,
    "private_host": RiskClass.NETWORK,
    _COMMAND: RiskClass.UNKNOWN,
    "deletes": RiskClass.DESTRUCTIVE,
    "destructive": RiskClass.DESTRUCTIVE,
    "overwrites": RiskClass.DESTRUCTIVE,
    "writes_database": RiskClass.DESTRUCTIVE,
}


def risk_of(tool: Tool, arguments: Mapping[str, JsonValue], concerns: Iterable[Concern]) -> Finding:
    """Return the risk class of a call, and why it is that one, in one sentence.

    Args:
        tool: What would run.
        arguments: The arguments as JSON, by the names callers use.
        concerns: What the tool itself gives as reasons to ask.
    """
    commands = tuple(_commanded(tool, arguments))
    claimed = _claimed(tool) if not commands or tool.source.kind not in _LOCAL or tool.spec.destructive_hint else None
    found = [*commands, *_concerned(concerns, commands), *_started(tool)]
    if claimed is not None:
        found.append(claimed)
    return worst(found, _claimed(tool))


def _commanded(tool: Tool, arguments: Mapping[str, JsonValue]) -> Iterator[Finding]:
    """Judge the command lines among the arguments."""
    if not tool.shell_commands:
        return
    from tools.policy.shell import judge_line  # noqa: PLC0415 -- few programs have such tools, and it loads a grammar

    for name, mark in tool.shell_commands:
        line = arguments.get(name)
        if not isinstance(line, str):
            continue
        words, env = arguments.get(mark.arguments), arguments.get(mark.env)
        yield judge_line(
            line,
            arguments=[str(word) for word in words] if isinstance(words, list) else (),
            shell=not mark.shell or bool(arguments.get(mark.shell)),
            env={key: str(value) for key, value in env.items()} if isinstance(env, dict) else None,
        )


def _started(tool: Tool) -> Iterator[Finding]:
    """Judge the program that a tool is; what is harmless about it says nothing of what it does with its arguments."""
    if isinstance(tool.function, ProgramRun):
        from tools.policy.shell import judge_words  # noqa: PLC0415 -- as above

        found = judge_words(tool.function.argv)
        if found.risk in {RiskClass.DESTRUCTIVE, RiskClass.ESCALATION}:
            yield found


def _claimed(tool: Tool) -> Finding:
    """Return what a tool says of itself; of a stranger's tool only the bad is believed."""
    spec = tool.spec
    if spec.destructive_hint:
        return Finding(RiskClass.DESTRUCTIVE, "The tool says that it may delete or overwrite something.")
    if tool.source.kind not in _LOCAL and not tool.source.is_trusted:
        return Finding(RiskClass.UNKNOWN, f"What {tool.source.name} says of its tools cannot be checked.")
    writes = any(role.writes for _, role in tool.path_roles)
    if spec.read_only_hint and not writes:
        if spec.open_world_hint:
            return Finding(RiskClass.NETWORK, "The tool only reads, but reaches beyond this computer.")
        return Finding(RiskClass.READ_ONLY, "The tool says that it changes nothing.")
    if spec.destructive_hint is None and spec.read_only_hint is None and not writes:
        return Finding(RiskClass.UNKNOWN, "The tool does not say whether it changes something.")
    if spec.open_world_hint:
        return Finding(RiskClass.NETWORK, "The tool changes something, and reaches beyond this computer.")
    harmless = ", but destroys nothing" if spec.destructive_hint is False else ""
    return Finding(RiskClass.WRITE, f"The tool says that it changes something{harmless}.")


def _concerned(concerns: Iterable[Concern], commands: tuple[Finding, ...]) -> Iterator[Finding]:
    for concern in concerns:
        if commands and concern.kind == _COMMAND:
            continue
        risk = _BY_CONCERN.get(concern.kind)
        if risk is not None:
            yield Finding(risk, f"{concern.title}: {concern.detail}" if concern.detail else f"{concern.title}.")
