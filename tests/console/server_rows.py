"""Rows of the Servers page, and servers that only a test has: what is asked of them is written down."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from console.prompts.rows import prompt_row
from console.servers.ports import ResourceReading, ServersSnapshot, Settings
from console.servers.rows import (
    ConnectionTest,
    DefinitionChangeRow,
    Direction,
    FindingRow,
    ImportRow,
    LogRow,
    OfferedTool,
    PasteResult,
    ResourceRow,
    ServerCounts,
    ServerDetail,
    ServerHeader,
    ServerProblem,
    ServerRemedyKey,
    ServerRow,
    StartPartRow,
    StartRow,
    TemplateArgumentDraft,
)
from console.viewers import Content, ContentKind
from tools.card import PromptCard, SourceKind, ToolSource
from tools.errors import ServerConfigError

GITHUB = ServerRow(
    "github",
    "up",
    "Connected, 2 changed",
    "warn",
    "stdio",
    "2025-11-25",
    "npx @mcp/server-github",
    5,
    "212 ms",
    "14:31:40",
    ServerRemedyKey.REVIEW,
)
STAGING = ServerRow(
    "staging",
    "down",
    "Stopped, exit code 1",
    "error",
    "stdio",
    "",
    "uvx mcp-db",
    0,
    "",
    "never",
    ServerRemedyKey.RESTART,
)
FIGMA = ServerRow(
    "figma",
    "unknown",
    "Off",
    "text3",
    "SSE",
    "",
    "http://127.0.0.1:3845/sse",
    0,
    "",
    "2 days ago",
    ServerRemedyKey.CONNECT,
)
SHARED = ServerRow(
    "shared",
    "unknown",
    "Off, not allowed yet",
    "text3",
    "HTTP",
    "",
    "https://example.org/mcp",
    0,
    "",
    "never",
    ServerRemedyKey.ALLOW,
)
SERVERS = (GITHUB, STAGING, FIGMA, SHARED)

BEFORE = '{\n  "description": "Push several files to a branch in one commit."\n}'
AFTER = '{\n  "description": "Push several files to a branch in one commit, replacing its history."\n}'
CHANGES = (
    DefinitionChangeRow("push_files", "description", "Now destructive", BEFORE, AFTER, "Calls will ask.", "12 May"),
    DefinitionChangeRow("get_file", "1 argument", "", "{}", '{"a": 1}', "Calls run as before.", "12 May"),
)
TOOLS = (
    OfferedTool(
        "push_files",
        "github.push_files",
        "Push",
        "Push files.",
        "may destroy",
        "says that it may destroy something.",
        "changed",
        "Changed, paused",
        (),
        AFTER,
        True,
    ),
    OfferedTool(
        "get_me",
        "github.get_me",
        "",
        "Who am I.",
        "only reads",
        "says that it changes nothing.",
        "approved",
        "Approved",
        (),
        BEFORE,
        True,
    ),
    OfferedTool(
        "star",
        "github.star",
        "",
        "Star it.",
        "destroys nothing",
        "says that it destroys nothing.",
        "new",
        "New",
        (FindingRow("It asks for a secret, in the description", "… your API key …"),),
        "{}",
        False,
    ),
)
RESOURCES = (
    ResourceRow("file:///readme.md", "Readme", "text/markdown", "12 KB", "What it is."),
    ResourceRow("file:///{path}", "Any file", parameters=("path",)),
)
_SOURCE = ToolSource(SourceKind.SERVER, "github")
PROMPTS = (
    prompt_row(
        PromptCard(
            "github.review",
            "Review a change",
            "Look at a change.",
            None,
            {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]},
            "",
            _SOURCE,
        )
    ),
    prompt_row(PromptCard("github.hello", "", "Say hello.", None, {"type": "object", "properties": {}}, "", _SOURCE)),
)
DETAIL = ServerDetail(
    ServerHeader(
        "github",
        "v0.6.2 · process 48213 · up 3 h 12 min",
        is_running=True,
        can_ping=True,
        remedy=ServerRemedyKey.REVIEW,
    ),
    CHANGES,
    TOOLS,
    RESOURCES,
    PROMPTS,
    can_follow=True,
    can_complete=True,
)
TROUBLE = ServerProblem(
    "It ended by itself.",
    ("Request: tools/list, after 2.3 s", "Exit code 1", "no such database"),
    "Start the database.",
)
LINES = (
    LogRow(1, "14:30:02.571", "info", Direction.SENT, "tools/list #1", '{"method": "tools/list"}'),
    LogRow(2, "14:30:02.655", "info", Direction.RECEIVED, "tools/list answered in 84 ms", '{"result": {}}'),
    LogRow(3, "14:30:03.001", "warning", Direction.STDERR, "rate limit, resets in 18 min"),
    LogRow(4, "14:30:04.001", "error", Direction.NOTE, "two definitions differ"),
)
IMPORTS = (
    ImportRow("a", "github", "Cursor", "stdio", "npx @mcp/server-github", is_known=True, note="Is here already"),
    ImportRow("b", "docs", "Claude Desktop", "HTTP", "https://example.org/docs"),
    ImportRow("c", "broken", "VS Code", "stdio", "", problem="It has no command."),
)


class FakeServers:
    """Be all three ports of the page. A name of `fails` makes what is asked under it fail."""

    def __init__(self, rows: Sequence[ServerRow] = SERVERS) -> None:
        self.rows = tuple(rows)
        self.details: dict[str, ServerDetail] = {"github": DETAIL}
        self.lines: list[LogRow] = list(LINES)
        self.problem = ""
        self.profiles: tuple[str, ...] = ()
        self.profile = ""
        self.asked: list[tuple[Any, ...]] = []
        self.fails: set[str] = set()
        self.digests: dict[str, str] = {}
        self.meanings: dict[str, PasteResult] = {}
        self.start = StartRow(
            (StartPartRow("npx"), StartPartRow("-y", "Installs without asking")), (("Folder", "/project"),)
        )

    def _note(self, *what: Any) -> None:
        self.asked.append(what)
        if what[0] in self.fails:
            raise ServerConfigError(f"{what[0]} is not possible today")

    def of(self, kind: str) -> list[tuple[Any, ...]]:
        return [asked[1:] for asked in self.asked if asked[0] == kind]

    async def listing(self) -> ServersSnapshot:
        connected = sum(row.status == "up" for row in self.rows)
        summary = ServerCounts(len(self.rows), connected, sum(row.tools for row in self.rows))
        return ServersSnapshot(self.rows, summary, self.problem, self.profiles, self.profile)

    async def detail(self, name: str, /) -> ServerDetail:
        return self.details.get(name, ServerDetail(ServerHeader(name)))

    async def log(self, name: str, /, after: int) -> Sequence[LogRow]:
        return [line for line in self.lines if line.number > after] if name == "github" else []

    async def connect(self, name: str, /) -> None:
        self._note("connect", name)

    async def disconnect(self, name: str, /) -> None:
        self._note("disconnect", name)

    async def restart(self, name: str, /) -> None:
        self._note("restart", name)

    async def ping(self, name: str, /) -> str:
        self._note("ping", name)
        return f"{name} answered in 6 ms"

    async def sign_in(self, name: str, /) -> None:
        self._note("sign_in", name)

    async def approve(self, name: str, tools: Mapping[str, str], /) -> Collection[str]:
        self._note("approve", name, tuple(tools))
        self.digests = dict(tools)
        return tuple(tools)

    async def block(self, name: str, tool: str, /) -> None:
        self._note("block", name, tool)

    async def switch(self, name: str, tool: str, /, *, is_on: bool) -> None:
        self._note("switch", name, tool, is_on)

    async def read(self, name: str, uri: str, values: Mapping[str, str], /) -> ResourceReading:
        self._note("read", name, uri, dict(values))
        return ResourceReading(Content(ContentKind.TEXT, "# Hello", "readme.md", "text/markdown"), "Read in 3 ms")

    async def follow(self, name: str, uri: str, /, *, follows: bool) -> None:
        self._note("follow", name, uri, follows)

    async def complete(self, name: str, half: TemplateArgumentDraft, /) -> Sequence[str]:
        self._note("complete", name, half)
        return [value for value in ("src/agent.py", "src/tools.py") if value.startswith(half.written)]

    async def settings(self, name: str, /) -> Settings:
        return Settings({"transport": "stdio", "name": name, "command": "npx", "args": ["-y", "x"]}, "servers.json")

    async def start_of(self, name: str, /) -> StartRow:
        self._note("start_of", name)
        return self.start

    async def preview(self, value: Mapping[str, Any], /) -> StartRow:
        if not (value.get("command") or value.get("url")):
            return StartRow(problem="It needs a command.")
        return self.start._replace(missing=tuple(where for where, text in value.get("answers", {}).items() if not text))

    async def trial(self, value: Mapping[str, Any], /) -> ConnectionTest:
        self._note("trial", dict(value))
        return ConnectionTest(True, "Connected: everything 2.0, 11 tools, in 84 ms")

    async def understand(self, text: str, /) -> PasteResult:
        self._note("understand", text)
        return self.meanings.get(text, PasteResult(problem="It is no server") if text.strip() else PasteResult())

    async def add(self, values: Sequence[Mapping[str, Any]], /) -> Sequence[str]:
        self._note("add", *map(dict, values))
        return [str(value["name"]) for value in values]

    async def save(self, name: str, value: Mapping[str, Any], /) -> str:
        self._note("save", name, dict(value))
        return str(value["name"])

    async def allow(self, name: str, digest: str, /, *, trusted: bool) -> None:
        assert digest == self.start.digest
        self._note("allow", name, trusted)

    async def remove(self, name: str, /) -> None:
        self._note("remove", name)

    async def forget_folders(self, name: str, /) -> None:
        self._note("forget_folders", name)

    async def switch_server(self, name: str, /, *, is_on: bool) -> None:
        self._note("switch_server", name, is_on)

    async def choose_profile(self, name: str, /) -> None:
        self._note("choose_profile", name)
        self.profile = name

    async def keep_profile(self, name: str, servers: Collection[str], /) -> None:
        self._note("keep_profile", name, tuple(servers))
        self.profiles = (*self.profiles, name)

    async def remove_profile(self, name: str, /) -> None:
        self._note("remove_profile", name)
        self.profiles = tuple(known for known in self.profiles if known != name)
        self.profile = ""

    async def exported(self, name: str, /) -> str:
        self._note("exported", name)
        return '{"mcpServers": {}}'

    async def found(self) -> Sequence[ImportRow]:
        self._note("found")
        return IMPORTS

    async def found_in(self, path: str, /) -> Sequence[ImportRow]:
        self._note("found_in", path)
        return (ImportRow("d", "more", path, "stdio", "uvx more"),)

    async def take(self, keys: Collection[str], /) -> str:
        self._note("take", tuple(keys))
        return f"Imported {len(keys)} servers"
