"""Tell how much harm a call can do: from what the tool says, what it would touch, and what it would run.

A call has a class, which rules and autonomy levels are about, and a degree, which a person is shown. The class takes
the tool at its worst; the degree looks at what this very call would touch.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.card import SourceKind
from tools.declare.pipeline import ToolPipeline
from tools.declare.process import ProgramRun
from tools.paths import OUTSIDE, paths_in
from tools.policy.findings import RiskFinding, worst
from tools.policy.wording import hint_words
from tools.protected import PROTECTED
from tools.spec import Concern, RiskClass, RiskDegree
from tools.tool import Tool

if TYPE_CHECKING:
    from pydantic import JsonValue

_LOCAL: Final = frozenset({SourceKind.BUILT_IN, SourceKind.PLUGIN, SourceKind.PROGRAM})
"""Whose word may lower the risk: code that the person put on this computer. Others' claims only raise it, unless they
are trusted."""

_COMMAND: Final = "command"
_BY_CONCERN: Final = {
    "changes": RiskClass.WRITE,
    "many_files": RiskClass.WRITE,
    "sends_data": RiskClass.NETWORK,
    "private_host": RiskClass.NETWORK,
    _COMMAND: RiskClass.UNKNOWN,
    "deletes": RiskClass.DESTRUCTIVE,
    "destructive": RiskClass.DESTRUCTIVE,
    "overwrites": RiskClass.DESTRUCTIVE,
    PROTECTED: RiskClass.DESTRUCTIVE,
    "writes_database": RiskClass.DESTRUCTIVE,
}
_DEGREES: Final = {
    RiskClass.READ_ONLY: RiskDegree.LOW,
    RiskClass.BUILD_TEST: RiskDegree.LOW,
    RiskClass.WRITE: RiskDegree.MEDIUM,
    RiskClass.NETWORK: RiskDegree.MEDIUM,
    # A command line that nobody can judge; of a tool that says nothing, see `_degree_of`.
    RiskClass.UNKNOWN: RiskDegree.HIGH,
    RiskClass.DESTRUCTIVE: RiskDegree.HIGH,
    RiskClass.ESCALATION: RiskDegree.HIGH,
}
_HIGH_CONCERNS: Final = frozenset({"sends_data", PROTECTED})
"""Concerns that make a call one of high risk, whatever its class."""

_STANDING: Final = "destructive"
"""The concern that only repeats what the tool says of itself."""

_PIPELINE: Final = RiskFinding(RiskClass.READ_ONLY, "It changes nothing itself; its steps are judged one by one.")
_NOTHING: Final = RiskFinding(RiskClass.READ_ONLY, "")
"""What a call touches of which nothing is known."""


class Risk(NamedTuple):
    """How much harm a call can do.

    Attributes:
        risk: Its class: what rules and autonomy levels are about.
        why: Why that degree, in one sentence.
    """

    risk: RiskClass
    degree: RiskDegree
    why: str


def risk_of(tool: Tool, arguments: Mapping[str, JsonValue], concerns: Iterable[Concern]) -> Risk:
    """Return how much harm a call can do, and why.

    Args:
        tool: What would run.
        arguments: The arguments as JSON, by the names callers use.
        concerns: What the tool itself gives as reasons to ask.
    """
    concerns = tuple(concerns)
    commands = tuple(_commanded(tool, arguments))
    started = tuple(_started(tool))
    word = _PIPELINE if isinstance(_code_of(tool), ToolPipeline) else _word_of(tool)
    # A command line says more than the tool, but only tools of this computer are believed that they run nothing else.
    may_destroy = tool.hints.may_destroy and not tool.is_judged_by_line
    word_counts = not commands or tool.source.kind not in _LOCAL or may_destroy
    seen = [*commands, *_concerned(concerns, commands), *started]
    finding = worst([*seen, word] if word_counts else seen, word)
    # A tool that may destroy says so as a concern too, of every call alike.
    own = (item for item in concerns if not (item.kind == _STANDING and tool.hints.may_destroy))
    touched = worst([*commands, *_concerned(own, commands), *started], _NOTHING)
    shown = _narrowed(tool, arguments, finding, touched) or _degree_of(tool, finding, word, touched)
    for concern in concerns:
        shown = _raised(tool, concern, shown)
    return Risk(finding.risk, *shown)


def _narrowed(
    tool: Tool, arguments: Mapping[str, JsonValue], finding: RiskFinding, touched: RiskFinding
) -> tuple[RiskDegree, str] | None:
    """Return the degree of a call of which the tool names all that it would touch; None where that is not known.

    The catalogue's own tools do: what such a call replaces, deletes or adds to is among its concerns, and the paths
    that it writes are marked. Other people's tools need not name everything, so their word for the worst stands.
    """
    if not arguments or not _is_built_in(tool) or finding.risk not in {RiskClass.WRITE, RiskClass.DESTRUCTIVE}:
        return None
    if touched is not _NOTHING:
        return _DEGREES[touched.risk], touched.why
    written = [path for name, role in tool.path_roles if role.writes for path in paths_in(arguments.get(name))]
    if not written:
        return (RiskDegree.LOW, "With these arguments it only reads.") if tool.concerns_of is not None else None
    if any(os.path.lexists(path) for path in written):
        return RiskDegree.MEDIUM, "It changes what is there already; nothing is replaced or deleted."
    return RiskDegree.LOW, "It makes something new; nothing that is there is changed, replaced or deleted."


def _degree_of(tool: Tool, finding: RiskFinding, word: RiskFinding, touched: RiskFinding) -> tuple[RiskDegree, str]:
    """Return the degree of the worst of a call: what it would touch, else what the tool says of all its calls."""
    if touched.risk is finding.risk and touched is not _NOTHING:
        return _DEGREES[touched.risk], touched.why
    said = word.risk is not RiskClass.UNKNOWN and not (tool.hints.may_destroy and tool.hints.destructive is None)
    return (_DEGREES[word.risk] if said else RiskDegree.UNKNOWN), word.why


def _raised(tool: Tool, concern: Concern, shown: tuple[RiskDegree, str]) -> tuple[RiskDegree, str]:
    """Return a degree as a concern raises it that does not change the class."""
    if concern.kind == OUTSIDE:
        writes = any(role.writes for _, role in tool.path_roles)
        degree = RiskDegree.HIGH if writes else RiskDegree.MEDIUM
    elif concern.kind in _HIGH_CONCERNS:
        degree = RiskDegree.HIGH
    else:
        return shown
    return shown if shown[0].weight >= degree.weight else (degree, _sentence(concern))


def _code_of(tool: Tool) -> object:
    """Return what a tool runs; None for a built-in one: it is a method, whose module is not imported for this."""
    return None if _is_built_in(tool) else tool.function


def _is_built_in(tool: Tool) -> bool:
    return tool.source.kind is SourceKind.BUILT_IN


def _commanded(tool: Tool, arguments: Mapping[str, JsonValue]) -> Iterator[RiskFinding]:
    """Judge the command lines among the arguments."""
    if not tool.shell_commands:
        return
    from tools.policy.shell import read_line  # noqa: PLC0415 -- few programs have such tools, and it loads a grammar

    for name, mark in tool.shell_commands:
        line = arguments.get(name)
        if not isinstance(line, str):
            continue
        words, env = arguments.get(mark.arguments), arguments.get(mark.env)
        yield read_line(
            line,
            arguments=[str(word) for word in words] if isinstance(words, list) else (),
            shell=not mark.shell or bool(arguments.get(mark.shell)),
            env={key: str(value) for key, value in env.items()} if isinstance(env, dict) else None,
        ).worst


def _started(tool: Tool) -> Iterator[RiskFinding]:
    """Judge the program that a tool is; what is harmless about it says nothing of what it does with its arguments."""
    program = _code_of(tool)
    if isinstance(program, ProgramRun):
        from tools.policy.shell import judge_words  # noqa: PLC0415 -- as above

        found = judge_words(program.argv)
        if found.risk in {RiskClass.DESTRUCTIVE, RiskClass.ESCALATION}:
            yield found


def _word_of(tool: Tool) -> RiskFinding:
    """Return what a tool says of itself; of a stranger's tool only the bad is believed."""
    hints = tool.hints
    if hints.may_destroy:
        if hints.destructive is None:
            return RiskFinding(RiskClass.DESTRUCTIVE, f"{tool.source.name} {hint_words(hints)}.")
        return RiskFinding(RiskClass.DESTRUCTIVE, "The tool says that it may delete or overwrite something.")
    if tool.source.kind not in _LOCAL and not tool.source.is_trusted:
        return RiskFinding(RiskClass.UNKNOWN, f"{tool.source.name} {hint_words(hints)}. Nobody checked that.")
    writes = any(role.writes for _, role in tool.path_roles)
    if hints.read_only and not writes:
        if hints.reaches_out:
            return RiskFinding(RiskClass.NETWORK, "The tool only reads, but reaches beyond this computer.")
        return RiskFinding(RiskClass.READ_ONLY, "The tool says that it changes nothing.")
    if hints.destructive is None and hints.read_only is None and not writes:
        return RiskFinding(RiskClass.UNKNOWN, "The tool does not say whether it changes something.")
    if hints.reaches_out:
        return RiskFinding(RiskClass.NETWORK, "The tool changes something, and reaches beyond this computer.")
    return RiskFinding(
        RiskClass.WRITE,
        "The tool says that it changes something, but destroys nothing."
        if hints.destructive is False
        else "The tool says that it changes something.",
    )


def _concerned(concerns: Iterable[Concern], commands: tuple[RiskFinding, ...]) -> Iterator[RiskFinding]:
    for concern in concerns:
        if commands and concern.kind == _COMMAND:
            continue
        risk = _BY_CONCERN.get(concern.kind)
        if risk is not None:
            yield RiskFinding(risk, _sentence(concern))


def _sentence(concern: Concern) -> str:
    words = f"{concern.title}: {concern.detail}" if concern.detail else concern.title
    return words if words.endswith((".", "…")) else f"{words}."
