"""State, offers and log of servers at one moment, and the rows that the Servers page shows of them."""

from __future__ import annotations

import json
import re
from asyncio import Task
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from console.assets import Picture
from console.language import dated, tr, tr_count, translated
from console.prompts.rows import PromptRow
from console.servers.pictures import OfferedIcons, Pictures, ServerPictures
from console.servers.ports import ResourceReading, ServersSnapshot
from console.servers.rows import (
    DefinitionChangeRow,
    Direction,
    FindingRow,
    LogRow,
    OfferedTool,
    ResourceRow,
    ServerCounts,
    ServerDetail,
    ServerHeader,
    ServerProblem,
    ServerRemedyKey,
    ServerRow,
    as_sentence,
)
from console.viewers import Content, ContentKind, file_content
from console.widgets import StatusName, TextTone, format_duration_ms, format_size, format_time
from console.widgets.formats import format_countdown
from tools.mcp.config import ServerConfig, Transport
from tools.mcp.definitions import Definition
from tools.mcp.differences import ChangeKind, DefinitionChange, differences
from tools.mcp.message_log import Channel, MessageLogLine
from tools.mcp.pins import DefinitionJudgement, PinVerdict
from tools.mcp.poisoning import PoisoningFinding, suspicions
from tools.mcp.secrets import address_of
from tools.mcp.server_primitives import Resource, ResourceContent, ResourceTemplate
from tools.mcp.state import FaultKind, ProtocolEra, ServerFault, ServerState, ServerStatus
from tools.mcp.store import ServerStore
from tools.policy import hint_words

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
_ERAS: Final[Mapping[ProtocolEra, str]] = MappingProxyType(
    {ProtocolEra.NEWER: tr("newer protocol"), ProtocolEra.OLDER: tr("older protocol")}
)
_LEVELS: Final = frozenset({"debug", "info", "warning", "error"})
_LONGEST_LINE: Final = 400
_MOST_LAST_WORDS: Final = 6
_DAY_S: Final = 86_400


class ServerRowContext(NamedTuple):
    """What decides how a server is shown, besides its state.

    Attributes:
        changed: How many of its definitions are not what was approved.
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
        protocol=state.protocol_version,
        address=state.address,
        tools=state.tool_count,
        latency="" if state.latency_s is None else format_duration_ms(state.latency_s * 1_000),
        last_call=tr("never") if state.last_call_at is None else format_time(state.last_call_at, standing.now),
        remedy=_remedy(state, standing),
    )


def head_of(state: ServerState, standing: ServerRowContext) -> ServerHeader:
    """Give what stands above the tabs of a server."""
    facts = []
    if state.identity is not None and state.identity.version:
        facts.append(f"v{state.identity.version.removeprefix('v')}")
    if state.pid is not None:
        facts.append(tr("process {pid}", pid=state.pid))
    if state.status is ServerStatus.CONNECTED:
        facts.append(tr("up {span}", span=_span((standing.now - state.since).total_seconds())))
    if state.protocol is not None:
        facts.append(_ERAS[state.protocol])
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
        details.append(tr("Request: {request}, after {elapsed}", request=fault.request, elapsed=elapsed))
    elif fault.elapsed_s:
        details.append(tr("After {elapsed}", elapsed=elapsed))
    if fault.exit_code is not None and str(abs(fault.exit_code)) not in fault.message:
        ending = (
            tr("Signal {signal}", signal=-fault.exit_code)
            if fault.exit_code < 0
            else tr("Exit code {exit_code}", exit_code=fault.exit_code)
        )
        details.append(ending)
    last = [line.rstrip() for line in fault.last_words.strip().splitlines() if line.strip()][-_MOST_LAST_WORDS:]
    details += [line[:_LONGEST_LINE] for line in last]
    return ServerProblem(translated(fault.message), tuple(details), translated(fault.remedy))


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
        return tr("Connecting, attempt {attempt}", attempt=state.attempt) if state.attempt > 1 else tr("Connecting")
    if status is ServerStatus.CONNECTED:
        return tr("Connected, {changed} changed", changed=standing.changed) if standing.changed else tr("Connected")
    if status is ServerStatus.RECONNECTING:
        return _countdown(state, standing)
    return tr("Failed") if fault is None else _fault_words(fault)


def _rest_words(state: ServerState, standing: ServerRowContext) -> str:
    """Say why a server that is not wanted at the moment does not run."""
    if not standing.is_enabled:
        return tr("Switched off")
    if not standing.is_in_profile:
        return tr("Not in this profile")
    if not standing.may_start:
        return tr("Off, not allowed yet")
    if state.status is ServerStatus.STOPPED:
        return tr("Disconnected")
    return tr("Off, starts with a call") if state.tool_count else tr("Off")


def _countdown(state: ServerState, standing: ServerRowContext) -> str:
    if state.next_attempt_at is None:
        return tr("Connecting, attempt {attempt}", attempt=state.attempt)
    left = max(0.0, (state.next_attempt_at - standing.now).total_seconds())
    return tr("Attempt {attempt} in {left}", attempt=state.attempt, left=format_countdown(left))


def _fault_words(fault: ServerFault) -> str:
    if fault.kind is FaultKind.NO_CONSENT:
        return tr("Not allowed yet")
    if fault.exit_code is not None:
        if fault.exit_code < 0:
            return tr("Stopped, signal {signal}", signal=-fault.exit_code)
        return tr("Stopped, exit code {exit_code}", exit_code=fault.exit_code)
    return {
        FaultKind.COMMAND_MISSING: tr("Command not found"),
        FaultKind.NOT_STARTED: tr("Did not start"),
        FaultKind.EXITED: tr("Stopped"),
        FaultKind.UNREACHABLE: tr("Not reachable"),
        FaultKind.SIGN_IN: tr("Needs you to sign in"),
        FaultKind.TIMED_OUT: tr("No answer in time"),
        FaultKind.GARBAGE: tr("Sends no protocol"),
        FaultKind.TOO_LARGE: tr("Sent too much"),
        FaultKind.PROTOCOL: tr("Wrong answer"),
        FaultKind.CONFIGURATION: tr("Settings are wrong"),
    }.get(fault.kind, tr("Failed"))


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
        return tr("{days} d {hours} h", days=days, hours=hours % 24)
    if hours:
        return tr("{hours} h {minutes} min", hours=hours, minutes=minutes % 60)
    return tr("{minutes} min", minutes=minutes) if minutes else tr("{seconds} s", seconds=whole)


def _line_words(line: MessageLogLine) -> str:
    if not line.method or line.channel not in {Channel.SENT, Channel.RECEIVED}:
        return " ".join(line.text[: 4 * _LONGEST_LINE].split())[:_LONGEST_LINE]
    request = f"{line.method} #{line.request_id}" if line.request_id else line.method
    if line.elapsed_s is None:
        return request
    return tr("{request} answered in {elapsed}", request=request, elapsed=format_duration_ms(line.elapsed_s * 1000))


_VERDICTS: Final[Mapping[PinVerdict, tuple[str, str]]] = MappingProxyType(
    {
        PinVerdict.NEW: ("new", tr("New")),
        PinVerdict.SAME: ("approved", tr("Approved")),
        PinVerdict.CHANGED: ("changed", tr("Changed, paused")),
        PinVerdict.BLOCKED: ("blocked", tr("Blocked")),
    }
)
_DANGERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "annotations.destructiveHint": tr("Now destructive"),
        "annotations.readOnlyHint": tr("Now changes things"),
        "annotations.idempotentHint": tr("Not to be repeated now"),
        "annotations.openWorldHint": tr("Now reaches out"),
    }
)
_TEXTS: Final[Mapping[str, str]] = MappingProxyType({"title": tr("title"), "description": tr("description")})
_ARGUMENT: Final = re.compile(r"inputSchema\.properties\.[^.]+")
_LINE: Final = 88
"""Letters of a line that holds a whole value."""

_DEEPEST: Final = 64
"""Letters of the deepest indentation; what is inside that stands on one line."""


def offered_tool(
    judgement: DefinitionJudgement, full_name: str, findings: Iterable[FindingRow], *, is_on: bool
) -> OfferedTool:
    """Give the row of a tool that a server offers."""
    definition = judgement.definition
    verdict, words = _VERDICTS[judgement.verdict]
    if not is_on and verdict in {"new", "approved"}:
        verdict, words = "off", tr("Switched off")
    return OfferedTool(
        name=definition.name,
        full_name=full_name,
        title=definition.title if definition.title != definition.name else "",
        description=definition.description,
        said_of_risk=_said_of_risk(definition),
        risk_words=f"{hint_words(definition.hints, translated)}.",
        verdict=verdict,
        verdict_words=words,
        findings=tuple(findings),
        definition=written(definition.raw),
        is_on=is_on,
        digest=definition.digest,
    )


def change_row(judgement: DefinitionJudgement, parts: str, dangers: Sequence[str]) -> DefinitionChangeRow:
    """Give the row of a definition that is not what was approved."""
    now, approved = judgement.definition, judgement.approved
    when = None if judgement.approved_at is None else judgement.approved_at.astimezone()
    consequence = tr("Calls run as before once you approve it.")
    if now.hint("destructiveHint") and not now.hint("readOnlyHint"):
        consequence = tr("Calls will ask for approval while the tool counts as destructive.")
    return DefinitionChangeRow(
        tool=now.name,
        parts=parts,
        danger=dangers[0] if dangers else "",
        before="" if approved is None else written(approved.judged),
        after=written(now.judged),
        consequence=consequence,
        approved_on="" if when is None else tr("{day} {month}", day=when.day, month=dated(when, "%B")),
        is_blocked=judgement.verdict is PinVerdict.BLOCKED,
        digest=now.digest,
    )


def finding_row(found: PoisoningFinding) -> FindingRow:
    """Give the row of something that looks like a trick."""
    return FindingRow(
        tr("{finding}, in {where}", finding=as_sentence(found.words), where=found.where),
        found.excerpt,
    )


def parts_of(changes: Sequence[DefinitionChange]) -> tuple[str, tuple[str, ...]]:
    """Say in a few words what changed, and what is worse now."""
    arguments = {change.where for change in changes if _ARGUMENT.fullmatch(change.where)}
    texts = [text for key, text in _TEXTS.items() if any(change.where == key for change in changes)]
    hints = [change for change in changes if change.where.startswith("annotations.")]
    rest = [change for change in changes if change.where.startswith("outputSchema")]
    words = list(texts)
    if arguments:
        words.append(tr_count(len(arguments), "1 argument", "{count} arguments"))
    elif any(change.where.startswith("inputSchema") for change in changes):
        words.append(tr("the arguments"))
    words += [tr("the result")] if rest else []
    words += [tr("what it says of its risk")] if hints else []
    # A hint that is gone says nothing: what the tool is taken as then is no word of the server's.
    dangers = tuple(
        tr("Says less of its risk")
        if change.kind is ChangeKind.REMOVED
        else _DANGERS.get(change.where, tr("More dangerous"))
        for change in changes
        if change.is_riskier
    )
    *first, last = words or ("",)
    return (tr("{first} and {last}", first=", ".join(first), last=last) if first else last), dangers


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


def content_of(contents: Sequence[ResourceContent], uri: str, elapsed: str) -> ResourceReading:
    """Give what was read of a resource.

    Args:
        elapsed: How long reading took, in words.
    """
    if not contents:
        return ResourceReading(None, tr("{uri} is empty; read in {elapsed}", uri=uri, elapsed=elapsed))
    first = contents[0]
    name = PurePosixPath(urlsplit(uri).path).name
    if all(part.text is not None for part in contents):
        text = "\n\n".join(part.text or "" for part in contents)
        content = Content(ContentKind.TEXT, text, name, first.mime_type)
    else:
        content = file_content(name, first.mime_type, first.data or b"")
    words = tr_count(
        len(contents),
        "{uri} read in {elapsed}",
        "{uri} read in {elapsed} in {count:,} parts",
        uri=uri,
        elapsed=elapsed,
    )
    return ResourceReading(content, words)


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


def _said_of_risk(definition: Definition) -> str:
    """Say in two or three words what a server says of the risk of a tool; what it leaves out is no word of its."""
    hints = definition.hints
    if hints.says_nothing and definition.said("idempotentHint") is None:
        return tr("says nothing")
    words = [tr("only reads")] if hints.read_only else []
    if hints.destructive is not None:
        words.append(tr("may destroy") if hints.destructive else tr("destroys nothing"))
    elif hints.read_only is False:
        words.append(tr("changes something"))
    words += [tr("may be repeated")] if definition.said("idempotentHint") and not hints.read_only else []
    if hints.open_world is not None:
        words.append(tr("reaches out") if hints.open_world else tr("stays here"))
    return ", ".join(words) or tr("says nothing")


_MOST_JUDGED: Final = 400
"""Definitions that are looked at for tricks at a time: a millisecond each, and a server may have thousands."""


class ServerOfferings(NamedTuple):
    """What a connected server offers besides tools.

    Attributes:
        resources: What it lets one read.
        icons: What resources and prompts name for themselves.
    """

    resources: tuple[ResourceRow, ...] = ()
    prompts: tuple[PromptRow, ...] = ()
    templates: Mapping[str, ResourceTemplate] = MappingProxyType({})
    icons: OfferedIcons = MappingProxyType({})


@dataclass(eq=False)
class CachedServer:
    """Be what is kept of one server as long as it is there; each part is written by one thread only.

    Attributes:
        offers: What it offers, and since when the connection stands that told it; by the engine's thread.
        fetching: Asks for that; by the engine's thread.
        is_stale: Whether the server announced since it was asked that it offers something else; by the engine's thread.
        followed: Which resources are followed, until the connection ends that was asked for it, which began then; by
            the window's thread.
        tool_rows: The rows of its tools, and what they were made of; by whoever makes rows, one at a time.
    """

    offers: tuple[datetime, ServerOfferings] | None = None
    fetching: Task[None] | None = None
    is_stale: bool = False
    followed: dict[str, datetime] = field(default_factory=dict)
    tool_rows: dict[str, tuple[tuple[object, ...], OfferedTool]] = field(default_factory=dict)
    change_rows: dict[str, tuple[DefinitionJudgement, DefinitionChangeRow]] = field(default_factory=dict)


class ServerSnapshot(NamedTuple):
    """What is known of one server at one moment.

    Attributes:
        judgements: Its tools, and how each stands to what was approved.
        others: What the tools of other servers are called, by server: a definition that speaks of them is suspicious.
    """

    state: ServerState
    judgements: tuple[DefinitionJudgement, ...]
    names: Mapping[str, str]
    others: Mapping[str, tuple[str, ...]]
    kept: CachedServer


class ServersNews(NamedTuple):
    """What the rest of the window shows of servers.

    Attributes:
        troubles: Why servers are not connected that should be, by name.
        waiting: How many definitions are not what was approved, and not decided about.
    """

    troubles: Mapping[str, str]
    waiting: int
    pictures: Pictures


class ServerRowFactory:
    """Make rows of what is known of servers. It waits for a disk, so it belongs into a thread of its own.

    Args:
        store: What the disk knows of them.
        again: Is called when there is more to show.
    """

    def __init__(self, store: ServerStore, pictures: ServerPictures, again: Callable[[], None]) -> None:
        self._store = store
        self._pictures = pictures
        self._again = again

    def listing(self, seen: Mapping[str, ServerSnapshot]) -> ServersSnapshot:
        rows, store = [], self._store
        allowed, now = store.may_start(), datetime.now(UTC)
        wanted = {config.name for config in store.wanted if config.enabled}
        for config in store.configs:
            known = seen.get(config.name)
            state = known.state if known is not None else _off(config, now)
            judgements = known.judgements if known is not None else ()
            standing = _standing(config, judgements, now, wanted, may_start=allowed[config.name])
            row = server_row(state.model_copy(update={"tool_count": len(judgements)}), standing)
            rows.append(row._replace(picture=self._pictures.of_server(state)))
        # One that has no icon of its own stands in line with those that have.
        if any(row.picture for row in rows):
            rows = [row._replace(icon="server") for row in rows]
        connected = sum(known.state.status is ServerStatus.CONNECTED for known in seen.values())
        summary = ServerCounts(len(rows), connected, sum(row.tools for row in rows))
        profile = "" if store.profile is None else store.profile.name
        return ServersSnapshot(
            tuple(rows), summary, translated(store.problem), tuple(known.name for known in store.profiles), profile
        )

    def detail(self, name: str, seen: ServerSnapshot) -> ServerDetail:
        """Return what is shown of a server without what it offers besides tools."""
        config = self._store.find(name)
        allowed = self._store.consents.may_start(config)
        wanted = {known.name for known in self._store.wanted if known.enabled}
        standing = _standing(config, seen.judgements, datetime.now(UTC), wanted, may_start=allowed)
        tools = tuple(self._tools(name, seen, set(config.disabled_tools)))
        changes = tuple(
            _change(judgement, seen.kept)._replace(picture=self._pictures.of_tool(name, judgement))
            for judgement in seen.judgements
            if judgement.is_suspended
        )
        if any(row.picture for row in tools):
            tools = tuple(row._replace(icon="wrench") for row in tools)
        head = head_of(seen.state, standing)._replace(picture=self._pictures.of_server(seen.state))
        return ServerDetail(head, changes, tools)

    def with_offers(self, detail: ServerDetail, seen: ServerSnapshot, offers: ServerOfferings) -> ServerDetail:
        state, kept, pictures = seen.state, seen.kept, self._pictures
        resources = tuple(
            row._replace(
                is_followed=kept.followed.get(row.uri) == state.since,
                picture=pictures.of_resource(state.name, row.uri, offers.icons),
            )
            for row in offers.resources
        )
        prompts = tuple(
            row._replace(picture=pictures.of_prompt(state.name, row.label, offers.icons)) for row in offers.prompts
        )
        return detail._replace(
            resources=resources,
            prompts=prompts,
            can_follow=state.offers.subscriptions,
            can_complete=state.offers.completions,
        )

    def news(self, seen: Mapping[str, ServerSnapshot]) -> ServersNews:
        known, tools = self._pictures, dict[str, Picture]()
        servers = {name: picture for name, one in seen.items() if (picture := known.of_server(one.state))}
        for name, one in seen.items():
            tools |= known.of_tools(name, one.judgements, one.names)
        troubles = {
            name: translated(one.state.fault.message)
            for name, one in seen.items()
            if one.state.fault is not None and one.state.status is not ServerStatus.CONNECTED
        }
        judgements = (judgement for one in seen.values() for judgement in one.judgements)
        waiting = sum(judgement.verdict is PinVerdict.CHANGED for judgement in judgements)
        return ServersNews(troubles, waiting, Pictures(servers, tools))

    def _tools(self, server: str, seen: ServerSnapshot, disabled: Collection[str]) -> Iterator[OfferedTool]:
        """Give the rows of a server's tools; of very many, some are looked at for tricks with each look."""
        left, kept = _MOST_JUDGED, seen.kept.tool_rows
        for judgement in seen.judgements:
            name = judgement.definition.name
            is_on, full_name = name not in disabled, seen.names.get(name, "")
            picture = self._pictures.of_tool(server, judgement)
            made_of = (judgement, full_name, is_on, seen.others)
            known = kept.get(name)
            if known is not None and known[0] == made_of:
                yield known[1]._replace(picture=picture)
            elif left:
                left -= 1
                findings = suspicions(judgement.definition, seen.others)
                row = offered_tool(judgement, full_name, map(finding_row, findings), is_on=is_on)
                kept[name] = made_of, row
                yield row._replace(picture=picture)
            else:
                row = offered_tool(judgement, full_name, (), is_on=is_on)
                yield row._replace(picture=picture, is_examined=False)
        if not left:
            self._again()


def _change(judgement: DefinitionJudgement, kept: CachedServer) -> DefinitionChangeRow:
    name = judgement.definition.name
    known = kept.change_rows.get(name)
    if known is not None and known[0] == judgement:
        return known[1]
    found = () if judgement.approved is None else differences(judgement.approved, judgement.definition)
    row = change_row(judgement, *parts_of(found))
    kept.change_rows[name] = judgement, row
    return row


def _standing(
    config: ServerConfig,
    judgements: Iterable[DefinitionJudgement],
    now: datetime,
    wanted: Collection[str],
    *,
    may_start: bool,
) -> ServerRowContext:
    changed = sum(judgement.verdict is PinVerdict.CHANGED for judgement in judgements)
    return ServerRowContext(changed, may_start, config.enabled, config.name in wanted, now)


def _off(config: ServerConfig, now: datetime) -> ServerState:
    return ServerState(name=config.name, transport=config.transport, address=address_of(config), since=now)
