"""What the Servers page shows: frozen values, worked out by whoever knows the servers."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from console.assets import Picture
from console.language import tr, tr_count, translated
from console.prompts.rows import PromptRow
from console.widgets import StatusName, TextTone
from tools.sentences import begin_sentence


class ServerRemedyKey(StrEnum):
    """What can be done about a server right now."""

    NONE = ""
    CONNECT = "connect"
    DISCONNECT = "disconnect"
    RESTART = "restart"
    REVIEW = "review"
    ALLOW = "allow"
    SIGN_IN = "sign in"
    SWITCH_ON = "switch on"
    SWITCH_OFF = "switch off"
    LOG = "log"


_REMEDY_WORDS: Final[Mapping[ServerRemedyKey, str]] = MappingProxyType(
    {
        ServerRemedyKey.NONE: "",
        ServerRemedyKey.CONNECT: tr("Connect"),
        ServerRemedyKey.DISCONNECT: tr("Disconnect"),
        ServerRemedyKey.RESTART: tr("Restart"),
        ServerRemedyKey.REVIEW: tr("Review"),
        ServerRemedyKey.ALLOW: tr("Look and allow…"),
        ServerRemedyKey.SIGN_IN: tr("Sign in"),
        ServerRemedyKey.SWITCH_ON: tr("Switch on"),
        ServerRemedyKey.SWITCH_OFF: tr("Switch off"),
        ServerRemedyKey.LOG: tr("View log"),
    }
)


def remedy_words(key: ServerRemedyKey) -> str:
    """Give the words of what can be done."""
    return _REMEDY_WORDS[key]


class ServerRow(NamedTuple):
    """One server, as the list shows it.

    Attributes:
        tone: The colour of these words.
        transport: `stdio`, `HTTP` or `SSE`.
        protocol: The revision of the protocol it speaks; empty before that is known.
        address: The command line, or the address.
        tools: How many tools it offers.
        latency: How long its last answer took, in words; empty before there was one.
        last_call: When it was called last, in words; `never` before that.
        icon: The name of an icon of ours before its name; empty for none.
        picture: Its own icon in place of ours; None while there is none.
    """

    name: str
    status: StatusName
    words: str
    tone: TextTone
    transport: str
    protocol: str
    address: str
    tools: int
    latency: str
    last_call: str
    remedy: ServerRemedyKey = ServerRemedyKey.NONE
    icon: str = ""
    picture: Picture | None = None


class ServerProblem(NamedTuple):
    """What went wrong with a server.

    Attributes:
        fact: What happened, in one sentence.
        details: Which request, after how long, the last words of its error output: one line each.
    """

    fact: str
    details: tuple[str, ...] = ()
    advice: str = ""


class ServerHeader(NamedTuple):
    """What stands above the tabs of a server.

    Attributes:
        facts: Version, process, up time, protocol.
        is_running: Whether it is connected, or about to be.
        is_on: Whether the person left it switched on.
        trouble: What went wrong last; None when nothing did.
        picture: Its own icon; None while there is none.
    """

    name: str
    facts: str = ""
    is_running: bool = False
    is_on: bool = True
    can_ping: bool = False
    trouble: ServerProblem | None = None
    remedy: ServerRemedyKey = ServerRemedyKey.NONE
    picture: Picture | None = None


class FindingRow(NamedTuple):
    """Something in a definition that may be meant to mislead a model.

    Attributes:
        excerpt: The text around it, with what is invisible written out.
    """

    words: str
    excerpt: str


class OfferedTool(NamedTuple):
    """A tool that a server offers.

    Attributes:
        name: What the server calls it.
        full_name: What it is called here; empty when it cannot be called.
        title: A name for people; empty for none.
        said_of_risk: What the server says of its risk, in two or three words.
        risk_words: The same as a sentence without its subject, with what the tool is taken as.
        verdict: `new`, `approved`, `changed`, `blocked` or `off`.
        verdict_words: The same for people.
        findings: What looks as if it were meant to mislead.
        definition: All that the server sent, as JSON text.
        is_on: Whether the person left it switched on.
        digest: Stands for exactly this definition, so that no other is approved in its place.
        is_examined: Whether it was looked through for what may be meant to mislead.
        icon: The name of an icon of ours before its name; empty for none.
        picture: Its own icon in place of ours; None while there is none.
    """

    name: str
    full_name: str
    title: str
    description: str
    said_of_risk: str
    risk_words: str
    verdict: str
    verdict_words: str
    findings: tuple[FindingRow, ...]
    definition: str
    is_on: bool
    digest: str = ""
    is_examined: bool = True
    icon: str = ""
    picture: Picture | None = None


class DefinitionChangeRow(NamedTuple):
    """A definition that is not what was approved.

    Attributes:
        tool: What the server calls it.
        parts: What changed, such as `description and 1 argument`.
        danger: What is worse now, such as `Now destructive`; empty for nothing.
        before: The definition as it was approved, as text.
        consequence: What follows from approving it.
        is_blocked: Whether the person decided to keep it from running.
        digest: Stands for exactly the definition as it is now.
        picture: Its own icon; None while there is none.
    """

    tool: str
    parts: str
    danger: str
    before: str
    after: str
    consequence: str
    approved_on: str
    is_blocked: bool = False
    digest: str = ""
    picture: Picture | None = None


class ResourceRow(NamedTuple):
    """Something a server lets one read.

    Attributes:
        uri: Its address, or the template of one.
        mime_type: What kind of content it has; empty when the server does not say.
        size: How large it is, in words; empty when the server does not say.
        parameters: The names in the template; empty when it is none.
        is_followed: Whether changes of it are told.
        picture: Its own icon in place of ours; None while there is none.
    """

    uri: str
    name: str
    mime_type: str = ""
    size: str = ""
    description: str = ""
    parameters: tuple[str, ...] = ()
    is_followed: bool = False
    picture: Picture | None = None


class Direction(StrEnum):
    """Where a line of the log comes from."""

    SENT = "sent"
    RECEIVED = "received"
    STDERR = "stderr"
    HTTP = "http"
    LOG = "log"
    NOTE = "note"


class TemplateArgumentDraft(NamedTuple):
    """An argument of a template that a person is writing."""

    uri_template: str
    argument: str
    written: str
    others: Mapping[str, str]


class LogRow(NamedTuple):
    """One line of a server's log.

    Attributes:
        number: Counts the lines of this server.
        level: `debug`, `info`, `warning` or `error`.
        body: All of it, secrets masked; empty when the line is all.
        call_id: The call of a tool that it was sent for, or answers; empty for any other.
    """

    number: int
    time: str
    level: str
    direction: Direction
    text: str
    body: str = ""
    call_id: str = ""


class ServerDetail(NamedTuple):
    """All that is shown of the chosen server, but its log.

    Attributes:
        head: What stands above the tabs.
        changes: Definitions that are not what was approved.
        resources: What it lets one read.
        can_follow: Whether it tells when a resource changes.
        can_complete: Whether it proposes what an argument may be.
    """

    head: ServerHeader
    changes: tuple[DefinitionChangeRow, ...] = ()
    tools: tuple[OfferedTool, ...] = ()
    resources: tuple[ResourceRow, ...] = ()
    prompts: tuple[PromptRow, ...] = ()
    can_follow: bool = False
    can_complete: bool = False


NOTHING: Final = ServerDetail(ServerHeader(""))
"""No server is chosen."""


class ImportRow(NamedTuple):
    """A server that another program knows.

    Attributes:
        key: Tells it apart from all others.
        name: What it would be called here.
        transport: `stdio`, `HTTP` or `SSE`.
        address: The command line, or the address.
        note: Why it cannot be taken, or what becomes of it; empty for nothing.
        is_known: Whether a server of this name exists here.
        problem: Why it cannot be taken; empty when it can.
    """

    key: str
    name: str
    origin: str
    transport: str
    address: str
    note: str = ""
    is_known: bool = False
    problem: str = ""


class StartPartRow(NamedTuple):
    """A part of what runs when a server starts.

    Attributes:
        text: The part, to the letter; what cannot be seen is written out.
        risk: Why one should look twice; empty for nothing.
    """

    text: str
    risk: str = ""


class StartRow(NamedTuple):
    """What happens when a server starts, as a person has to see it before they agree.

    Attributes:
        parts: The command, word by word, or the address.
        facts: Folder, variables, headers: a name and what it is.
        notes: Why one should look twice, whatever the words are.
        problem: Why it cannot start; empty when it can.
        digest: Stands for exactly this start, so that no other is allowed in its place.
        is_program: Whether a program is started; else an address is reached.
        missing: What has to be filled in before it can start.
    """

    parts: tuple[StartPartRow, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""
    digest: str = ""
    is_program: bool = True
    missing: tuple[str, ...] = ()


class MissingValue(NamedTuple):
    """A value that a pasted text leaves for the person to fill in.

    Attributes:
        where: Its place in the settings.
        is_secret: Whether nobody is to read it over a shoulder.
        is_needed: Whether the server cannot start without it.
    """

    where: str
    name: str
    note: str
    is_secret: bool
    is_needed: bool


class PastedServer(NamedTuple):
    """A server that a pasted text names.

    Attributes:
        value: Its settings as the form takes them.
        asked: What is left to be filled in.
        note: What becomes of it here; empty for nothing.
    """

    value: Mapping[str, Any]
    asked: tuple[MissingValue, ...]
    start: StartRow
    note: str = ""


class PasteResult(NamedTuple):
    """What was made of a text that somebody pasted.

    Attributes:
        words: What it was taken for; empty while nothing stands there.
        problem: What of it cannot be taken; empty when all can.
    """

    words: str = ""
    problem: str = ""
    servers: tuple[PastedServer, ...] = ()


class ConnectionTest(NamedTuple):
    """What came of trying to reach a server.

    Attributes:
        words: What it is and offers, or what went wrong.
        details: More about what went wrong, a line each.
    """

    success: bool
    words: str
    details: tuple[str, ...] = ()


class ServerCounts(NamedTuple):
    """How many there are."""

    servers: int
    connected: int
    tools: int


def summary_words(summary: ServerCounts) -> str:
    """Say how many servers and tools there are."""
    if not summary.servers:
        return ""
    servers = tr_count(summary.servers, "1 MCP server", "{count:,} MCP servers")
    tools = tr_count(summary.tools, "1 tool", "{count:,} tools")
    return tr("{servers}, {connected:,} connected, {tools}", servers=servers, connected=summary.connected, tools=tools)


def as_sentence(text: str, *names: str) -> str:
    """Begin a message as a sentence does, unless it begins with the name of a server or the like.

    Args:
        names: What keeps its first letter.
    """
    text = translated(text)
    first = text.partition(" ")[0].rstrip(":")
    return text if first in names else begin_sentence(text)
