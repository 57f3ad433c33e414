"""What is known of servers, in the words and values that the Servers page shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from console.servers.ports import Reading
from console.servers.rows import (
    ChangeRow,
    Direction,
    FindingRow,
    Head,
    LogRow,
    OfferedTool,
    PromptRow,
    RemedyKey,
    ResourceRow,
    ServerRow,
    Trouble,
)
from console.viewers import Content, ContentKind, file_content
from console.widgets import StatusName, TextTone, format_duration_ms, format_size, format_time
from console.widgets.formats import format_countdown
from tools.mcp.config import Transport
from tools.mcp.definitions import Definition
from tools.mcp.differences import Change
from tools.mcp.offered import Content as ReadContent
from tools.mcp.offered import RemotePrompt, Resource, ResourceTemplate
from tools.mcp.pins import Judgement, Verdict
from tools.mcp.poisoning import Suspicion
from tools.mcp.state import Fault, FaultKind, ServerState, ServerStatus
from tools.mcp.wire_log import Channel, LogLine

__all__ = [
    "TRANSPORT_WORDS",
    "Standing",
    "change_row",
    "content_of",
    "finding_row",
    "head_of",
    "log_row",
    "offered_tool",
    "parts_of",
    "prompt_row",
    "resource_row",
    "server_row",
    "template_row",
    "trouble_of",
    "written",
]

TRANSPORT_WORDS: Final[Mapping[Transport, str]] = MappingProxyType(
    {Transport.STDIO: "stdio", Transport.HTTP: "HTTP", Transport.SSE: "SSE"}
)
_GLYPHS: Final[Mapping[ServerStatus, tuple[StatusName, TextTone]]] = MappingProxyType(
    {
        ServerStatus.OFF: ("unknown", "text3"),
        ServerStatus.STARTING: ("running", "run"),
        ServerStatus.CONNECTED: ("up", "text2"),
        ServerStatus.RECONNECTING: ("running", "run"),
        ServerStatus.FAILED: ("down", "error"),
        ServerStatus.STOPPED: ("unknown", "text3"),
    }
)
_AT_REST: Final = frozenset({ServerStatus.OFF, ServerStatus.STOPPED})
_DIRECTIONS: Final[Mapping[Channel, Direction]] = MappingProxyType(
    {
        Channel.SENT: Direction.SENT,
        Channel.RECEIVED: Direction.RECEIVED,
        Channel.STDERR: Direction.STDERR,
        Channel.HTTP: Direction.HTTP,
        Channel.LOG: Direction.LOG,
        Channel.NOTE: Direction.NOTE,
    }
)
_VERDICTS: Final[Mapping[Verdict, tuple[str, str]]] = MappingProxyType(
    {
        Verdict.NEW: ("new", "New"),
        Verdict.SAME: ("approved", "Approved"),
        Verdict.CHANGED: ("changed", "Changed, paused"),
        Verdict.BLOCKED: ("blocked", "Blocked"),
    }
)
_DANGERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "annotations.destructiveHint": "Now destructive",
        "annotations.readOnlyHint": "Now changes things",
        "annotations.idempotentHint": "Not to be repeated now",
        "annotations.openWorldHint": "Now reaches out",
    }
)
_ARGUMENT: Final = re.compile(r"inputSchema\.properties\.[^.]+")
_LEVELS: Final = frozenset({"debug", "info", "warning", "error"})
_LONGEST_LINE: Final = 400
_MOST_LAST_WORDS: Final = 6
_LINE: Final = 88
"""Letters of a line that holds a whole value."""

_DEEPEST: Final = 64
"""Letters of the deepest indentation; what is inside that stands on one line."""

_DAY_S: Final = 86_400


class Standing(NamedTuple):
    """What decides how a server is shown, besides its state.

    Attributes:
        changed: How many of its definitions are not what was approved.
        may_start: Whether a person has allowed its start.
        is_enabled: Whether the person left it switched on.
        is_in_profile: Whether it belongs to the set of servers that counts.
        now: The moment that counts as now.
    """

    changed: int
    may_start: bool
    is_enabled: bool
    is_in_profile: bool
    now: datetime


def server_row(state: ServerState, standing: Standing) -> ServerRow:
    """Give the row of a server."""
    status, tone = _GLYPHS[state.status]
    words = _words(state, standing)
    if state.status is ServerStatus.CONNECTED and standing.changed:
        tone = "warn"
    return ServerRow(
        name=state.name,
        status=status,
        words=words,
        tone=tone,
        transport=TRANSPORT_WORDS[state.transport],
        era=state.protocol_version,
        address=state.address,
        tools=state.tool_count,
        latency="" if state.latency_s is None else format_duration_ms(state.latency_s * 1_000),
        last_call="never" if state.last_call_at is None else format_time(state.last_call_at, standing.now),
        remedy=_remedy(state, standing),
    )


def head_of(state: ServerState, standing: Standing) -> Head:
    """Give what stands above the tabs of a server."""
    facts = []
    if state.identity is not None and state.identity.version:
        facts.append(f"v{state.identity.version.removeprefix('v')}")
    if state.pid is not None:
        facts.append(f"process {state.pid}")
    if state.status is ServerStatus.CONNECTED:
        facts.append(f"up {_span((standing.now - state.since).total_seconds())}")
    if state.era is not None:
        facts.append(f"{state.era} era")
    running = state.status in {ServerStatus.STARTING, ServerStatus.CONNECTED, ServerStatus.RECONNECTING}
    trouble = None if state.fault is None or state.status is ServerStatus.CONNECTED else trouble_of(state.fault)
    remedy = _remedy(state, standing)
    return Head(
        name=state.name,
        facts=" · ".join(facts),
        is_running=running,
        is_on=standing.is_enabled,
        can_ping=state.status is ServerStatus.CONNECTED,
        trouble=trouble,
        remedy=remedy,
    )


def trouble_of(fault: Fault) -> Trouble:
    """Give what went wrong, and what to do."""
    details = []
    elapsed = format_duration_ms(fault.elapsed_s * 1_000)
    if fault.request:
        details.append(f"Request: {fault.request}, after {elapsed}")
    elif fault.elapsed_s:
        details.append(f"After {elapsed}")
    if fault.exit_code is not None and str(abs(fault.exit_code)) not in fault.message:
        ending = f"Signal {-fault.exit_code}" if fault.exit_code < 0 else f"Exit code {fault.exit_code}"
        details.append(ending)
    last = [line.rstrip() for line in fault.last_words.strip().splitlines() if line.strip()][-_MOST_LAST_WORDS:]
    details += [line[:_LONGEST_LINE] for line in last]
    return Trouble(fault.message, tuple(details), fault.remedy)


def log_row(line: LogLine) -> LogRow:
    """Give the row of a line of the log."""
    local = line.at.astimezone()
    level = line.level if line.level in _LEVELS else "info"
    direction = _DIRECTIONS[line.channel]
    text = _line_words(line)
    body = line.text if text != line.text else ""
    time = f"{local:%H:%M:%S}.{local.microsecond // 1000:03}"
    return LogRow(line.number, time, level, direction, text, body)


def offered_tool(judgement: Judgement, full_name: str, findings: Iterable[FindingRow], *, is_on: bool) -> OfferedTool:
    """Give the row of a tool that a server offers."""
    definition = judgement.definition
    verdict, words = _VERDICTS[judgement.verdict]
    if not is_on and verdict in {"new", "approved"}:
        verdict, words = "off", "Switched off"
    return OfferedTool(
        name=definition.name,
        full_name=full_name,
        title=definition.title if definition.title != definition.name else "",
        description=definition.description,
        claims=_claims(definition),
        verdict=verdict,
        verdict_words=words,
        findings=tuple(findings),
        definition=written(definition.raw),
        is_on=is_on,
    )


def change_row(judgement: Judgement, parts: str, dangers: Sequence[str]) -> ChangeRow:
    """Give the row of a definition that is not what was approved.

    Args:
        judgement: How it stands.
        parts: What changed, in words.
        dangers: What is worse now.
    """
    now, approved = judgement.definition, judgement.approved
    when = None if judgement.approved_at is None else judgement.approved_at.astimezone()
    consequence = "Calls run as before once you approve it."
    if now.hint("destructiveHint") and not now.hint("readOnlyHint"):
        consequence = "Calls will ask for approval while the tool counts as destructive."
    return ChangeRow(
        tool=now.name,
        parts=parts,
        danger=dangers[0] if dangers else "",
        before="" if approved is None else written(approved.judged),
        after=written(now.judged),
        consequence=consequence,
        approved_on="" if when is None else f"{when.day} {when:%B}",
        is_blocked=judgement.verdict is Verdict.BLOCKED,
    )


def finding_row(found: Suspicion) -> FindingRow:
    """Give the row of something that looks like a trick."""
    return FindingRow(f"{found.words[:1].upper()}{found.words[1:]}, in {found.where}", found.excerpt)


def parts_of(changes: Sequence[Change]) -> tuple[str, tuple[str, ...]]:
    """Say in a few words what changed, and what is worse now."""
    arguments = {change.where for change in changes if _ARGUMENT.fullmatch(change.where)}
    texts = [key for key in ("title", "description") if any(change.where == key for change in changes)]
    hints = [change for change in changes if change.where.startswith("annotations.")]
    rest = [change for change in changes if change.where.startswith("outputSchema")]
    words = list(texts)
    if arguments:
        words.append("1 argument" if len(arguments) == 1 else f"{len(arguments)} arguments")
    elif any(change.where.startswith("inputSchema") for change in changes):
        words.append("the arguments")
    words += ["the result"] if rest else []
    words += ["what it claims"] if hints else []
    dangers = tuple(_DANGERS.get(change.where, "More dangerous") for change in changes if change.is_riskier)
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:]))), dangers


def resource_row(resource: Resource) -> ResourceRow:
    """Give the row of a resource."""
    size = "" if resource.size_bytes is None else format_size(resource.size_bytes)
    return ResourceRow(resource.uri, resource.title or resource.uri, resource.mime_type, size, resource.description)


def template_row(template: ResourceTemplate) -> ResourceRow:
    """Give the row of a template of resources."""
    return ResourceRow(
        template.uri_template,
        template.title or template.uri_template,
        template.mime_type,
        "",
        template.description,
        template.variables,
    )


def prompt_row(prompt: RemotePrompt) -> PromptRow:
    """Give the row of a prompt; its arguments are texts, whatever they mean."""
    properties = {
        argument.name: {"type": "string", "title": argument.title, "description": argument.description}
        for argument in prompt.arguments
    }
    needed = [argument.name for argument in prompt.arguments if argument.required]
    title = prompt.title if prompt.title != prompt.name else ""
    schema = {"type": "object", "properties": properties, "required": needed}
    return PromptRow(prompt.name, title, prompt.description, schema, ", ".join(properties))


def content_of(contents: Sequence[ReadContent], uri: str, elapsed: str) -> Reading:
    """Give what was read of a resource.

    Args:
        contents: Its parts.
        uri: Its address.
        elapsed: How long reading took, in words.
    """
    if not contents:
        return Reading(None, f"{uri} is empty; read in {elapsed}")
    first = contents[0]
    name = PurePosixPath(urlsplit(uri).path).name
    if all(part.text is not None for part in contents):
        text = "\n\n".join(part.text or "" for part in contents)
        content = Content(ContentKind.TEXT, text, name, first.mime_type)
    else:
        content = file_content(name, first.mime_type, first.data or b"")
    parts = "" if len(contents) == 1 else f" in {len(contents):,} parts"
    return Reading(content, f"{uri} read in {elapsed}{parts}")


def written(value: Any, indent: int = 0) -> str:
    """Write a definition as text that is compared and read: what is short on one line, all else one name a line."""
    short = json.dumps(value, ensure_ascii=False)
    if len(short) + indent <= _LINE or not isinstance(value, dict | list) or not value or indent >= _DEEPEST:
        return short
    inside = " " * (indent + 2)
    if isinstance(value, dict):
        lines = [
            f"{inside}{json.dumps(name, ensure_ascii=False)}: {written(item, indent + 2)}"
            for name, item in value.items()
        ]
    else:
        lines = [f"{inside}{written(item, indent + 2)}" for item in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    content = ",\n".join(lines)
    return f"{opening}\n{content}\n{' ' * indent}{closing}"


def _words(state: ServerState, standing: Standing) -> str:
    status, fault = state.status, state.fault
    if status in _AT_REST:
        return _rest_words(state, standing)
    if status is ServerStatus.STARTING:
        return f"Connecting, attempt {state.attempt}" if state.attempt > 1 else "Connecting"
    if status is ServerStatus.CONNECTED:
        return f"Connected, {standing.changed} changed" if standing.changed else "Connected"
    if status is ServerStatus.RECONNECTING:
        return _countdown(state, standing)
    return "Failed" if fault is None else _fault_words(fault)


def _rest_words(state: ServerState, standing: Standing) -> str:
    """Say why a server that is not wanted at the moment does not run."""
    if not standing.is_enabled:
        return "Switched off"
    if not standing.is_in_profile:
        return "Not in this profile"
    if not standing.may_start:
        return "Off, not allowed yet"
    if state.status is ServerStatus.STOPPED:
        return "Disconnected"
    return "Off, starts with a call" if state.tool_count else "Off"


def _countdown(state: ServerState, standing: Standing) -> str:
    if state.next_attempt_at is None:
        return f"Connecting, attempt {state.attempt}"
    left = max(0.0, (state.next_attempt_at - standing.now).total_seconds())
    return f"Attempt {state.attempt} in {format_countdown(left)}"


def _fault_words(fault: Fault) -> str:
    if fault.kind is FaultKind.NO_CONSENT:
        return "Not allowed yet"
    if fault.exit_code is not None:
        return f"Stopped, {'signal' if fault.exit_code < 0 else 'exit code'} {abs(fault.exit_code)}"
    return {
        FaultKind.COMMAND_MISSING: "Command not found",
        FaultKind.NOT_STARTED: "Did not start",
        FaultKind.EXITED: "Stopped",
        FaultKind.UNREACHABLE: "Not reachable",
        FaultKind.SIGN_IN: "Needs you to sign in",
        FaultKind.TIMED_OUT: "No answer in time",
        FaultKind.GARBAGE: "Sends no protocol",
        FaultKind.TOO_LARGE: "Sent too much",
        FaultKind.PROTOCOL: "Wrong answer",
        FaultKind.CONFIGURATION: "Settings are wrong",
    }.get(fault.kind, "Failed")


def _remedy(state: ServerState, standing: Standing) -> RemedyKey:
    fault = state.fault
    if state.status is ServerStatus.CONNECTED:
        return RemedyKey.REVIEW if standing.changed else RemedyKey.NONE
    if state.status in _AT_REST and not standing.is_enabled:
        return RemedyKey.SWITCH_ON
    if not standing.may_start or (fault is not None and fault.kind is FaultKind.NO_CONSENT):
        return RemedyKey.ALLOW
    if fault is not None and fault.kind is FaultKind.SIGN_IN:
        return RemedyKey.SIGN_IN
    if state.status in {ServerStatus.STARTING, ServerStatus.RECONNECTING}:
        return RemedyKey.LOG
    return RemedyKey.RESTART if state.status is ServerStatus.FAILED else RemedyKey.CONNECT


def _span(seconds: float) -> str:
    """Write how long something lasts: 42 s, 12 min, 3 h 12 min, 2 d 4 h."""
    whole = max(0, int(seconds))
    minutes, hours, days = whole // 60, whole // 3_600, whole // _DAY_S
    if days:
        return f"{days} d {hours % 24} h"
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min" if minutes else f"{whole} s"


def _line_words(line: LogLine) -> str:
    """Say in one line what a line of the log is about."""
    if not line.method or line.channel not in {Channel.SENT, Channel.RECEIVED}:
        return " ".join(line.text[: 4 * _LONGEST_LINE].split())[:_LONGEST_LINE]
    answer = "" if line.elapsed_s is None else f" answered in {format_duration_ms(line.elapsed_s * 1_000)}"
    number = f" #{line.request_id}" if line.request_id else ""
    return f"{line.method}{number}{answer}"


def _claims(definition: Definition) -> str:
    """Say what a server claims about the risk of a tool; what it leaves out counts as the worse."""
    if definition.hint("readOnlyHint"):
        claims = ["only reads"]
    else:
        claims = ["may destroy" if definition.hint("destructiveHint") else "only adds"]
        claims += ["may be repeated"] if definition.hint("idempotentHint") else []
    claims += ["reaches out"] if definition.hint("openWorldHint") else []
    return ", ".join(claims)
