"""How servers stand and what they say, in the words and values that the Servers page shows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Final, NamedTuple

from console.servers.rows import Direction, LogRow, ServerHeader, ServerProblem, ServerRemedyKey, ServerRow
from console.widgets import StatusName, TextTone, format_duration_ms, format_time
from console.widgets.formats import format_countdown
from tools.mcp.config import Transport
from tools.mcp.message_log import Channel, MessageLogLine
from tools.mcp.state import FaultKind, ServerFault, ServerState, ServerStatus

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
_LEVELS: Final = frozenset({"debug", "info", "warning", "error"})
_LONGEST_LINE: Final = 400
_MOST_LAST_WORDS: Final = 6
_DAY_S: Final = 86_400


class ServerRowContext(NamedTuple):
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


def server_row(state: ServerState, standing: ServerRowContext) -> ServerRow:
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


def head_of(state: ServerState, standing: ServerRowContext) -> ServerHeader:
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
    return ServerHeader(
        name=state.name,
        facts=" · ".join(facts),
        is_running=running,
        is_on=standing.is_enabled,
        can_ping=state.status is ServerStatus.CONNECTED,
        trouble=trouble,
        remedy=remedy,
    )


def trouble_of(fault: ServerFault) -> ServerProblem:
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
    return ServerProblem(fault.message, tuple(details), fault.remedy)


def log_row(line: MessageLogLine) -> LogRow:
    """Give the row of a line of the log."""
    local = line.at.astimezone()
    level = line.level if line.level in _LEVELS else "info"
    direction = _DIRECTIONS[line.channel]
    text = _line_words(line)
    body = line.text if text != line.text else ""
    time = f"{local:%H:%M:%S}.{local.microsecond // 1000:03}"
    return LogRow(line.number, time, level, direction, text, body, line.call_id)


def _words(state: ServerState, standing: ServerRowContext) -> str:
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


def _rest_words(state: ServerState, standing: ServerRowContext) -> str:
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


def _countdown(state: ServerState, standing: ServerRowContext) -> str:
    if state.next_attempt_at is None:
        return f"Connecting, attempt {state.attempt}"
    left = max(0.0, (state.next_attempt_at - standing.now).total_seconds())
    return f"Attempt {state.attempt} in {format_countdown(left)}"


def _fault_words(fault: ServerFault) -> str:
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


def _remedy(state: ServerState, standing: ServerRowContext) -> ServerRemedyKey:
    fault = state.fault
    if state.status is ServerStatus.CONNECTED:
        return ServerRemedyKey.REVIEW if standing.changed else ServerRemedyKey.NONE
    if state.status in _AT_REST and not standing.is_enabled:
        return ServerRemedyKey.SWITCH_ON
    if not standing.may_start or (fault is not None and fault.kind is FaultKind.NO_CONSENT):
        return ServerRemedyKey.ALLOW
    if fault is not None and fault.kind is FaultKind.SIGN_IN:
        return ServerRemedyKey.SIGN_IN
    if state.status in {ServerStatus.STARTING, ServerStatus.RECONNECTING}:
        return ServerRemedyKey.LOG
    return ServerRemedyKey.RESTART if state.status is ServerStatus.FAILED else ServerRemedyKey.CONNECT


def _span(seconds: float) -> str:
    """Write how long something lasts: 42 s, 12 min, 3 h 12 min, 2 d 4 h."""
    whole = max(0, int(seconds))
    minutes, hours, days = whole // 60, whole // 3_600, whole // _DAY_S
    if days:
        return f"{days} d {hours % 24} h"
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min" if minutes else f"{whole} s"


def _line_words(line: MessageLogLine) -> str:
    """Say in one line what a line of the log is about."""
    if not line.method or line.channel not in {Channel.SENT, Channel.RECEIVED}:
        return " ".join(line.text[: 4 * _LONGEST_LINE].split())[:_LONGEST_LINE]
    answer = "" if line.elapsed_s is None else f" answered in {format_duration_ms(line.elapsed_s * 1_000)}"
    number = f" #{line.request_id}" if line.request_id else ""
    return f"{line.method}{number}{answer}"
