"""What people paste to add a server, of the shapes that READMEs have, and texts that are nothing of it."""

from __future__ import annotations

import base64
import json
import shlex
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tools.mcp.config import ServerConfig, Transport
from tools.mcp.consent import start_digest
from tools.mcp.entries import entry_of
from tools.mcp.pasted import EXPECTED, Paste, PasteKind, name_for, read_paste, unused_name
from tools.mcp.start_preview import start_preview

ENTRY = {"command": "npx", "args": ["-y", "@acme/mcp-server-notes@1.2.0"], "env": {"NOTES_TOKEN": "<YOUR_TOKEN>"}}
BLOCK = json.dumps({"mcpServers": {"notes": ENTRY}}, indent=2)
ENCODED = base64.b64encode(json.dumps(ENTRY).encode()).decode()


class Row(NamedTuple):
    text: str
    kind: PasteKind
    name: str
    words: tuple[str, ...] = ()
    env: dict[str, str] = {}  # noqa: RUF012 -- nobody changes it
    url: str = ""
    transport: Transport = Transport.STDIO
    cwd: str = ""
    headers: dict[str, str] = {}  # noqa: RUF012 -- as above


def command(text: str, name: str, *words: str, **more: Any) -> Row:
    return Row(text, PasteKind.COMMAND, name, words, **more)


def address(text: str, name: str, url: str, **more: Any) -> Row:
    return Row(text, PasteKind.ADDRESS, name, url=url, **{"transport": Transport.HTTP, **more})


def notes(text: str, kind: PasteKind = PasteKind.BLOCK, name: str = "notes") -> Row:
    return Row(text, kind, name, (ENTRY["command"], *ENTRY["args"]), dict(ENTRY["env"]))  # type: ignore[arg-type]


COMMANDS = (
    command("npx -y @acme/mcp-server-notes", "notes", "npx", "-y", "@acme/mcp-server-notes"),
    command("$ npx -y @acme/server-notes@latest", "notes", "npx", "-y", "@acme/server-notes@latest"),
    command("> uvx mcp-server-clock --zone=UTC", "clock", "uvx", "mcp-server-clock", "--zone=UTC"),
    command("user@host:~/code$ uvx clock-mcp", "clock", "uvx", "clock-mcp"),
    command("PS C:\\Users\\me> npx -y notes-mcp", "notes", "npx", "-y", "notes-mcp"),
    command("C:\\work> npx notes-mcp", "notes", "npx", "notes-mcp"),
    command("uv tool run mcp-clock", "clock", "uv", "tool", "run", "mcp-clock"),
    command("uvx --from git+https://example.org/acme/clock.git clock", "clock",
            "uvx", "--from", "git+https://example.org/acme/clock.git", "clock"),
    command("uv --directory /srv/clock run server.py", "server", "uv", "--directory", "/srv/clock", "run", "server.py"),
    command("pipx run mcp-server-files ~/notes", "files", "pipx", "run", "mcp-server-files", "${userHome}/notes"),
    command("python -m mcp_server_files --root .", "files", "python", "-m", "mcp_server_files", "--root", "."),
    command("node ./dist/index.js", "index", "node", "./dist/index.js"),
    command("node /opt/notes/dist/index.js --stdio", "notes", "node", "/opt/notes/dist/index.js", "--stdio"),
    command('node "/opt/my notes/build/index.js"', "my-notes", "node", "/opt/my notes/build/index.js"),
    command("deno run -A jsr:@acme/notes", "notes", "deno", "run", "-A", "jsr:@acme/notes"),
    command("bunx @acme/notes-mcp", "notes", "bunx", "@acme/notes-mcp"),
    command("github-mcp-server stdio", "github", "github-mcp-server", "stdio"),
    command("/usr/local/bin/notes-mcp --stdio", "notes", "/usr/local/bin/notes-mcp", "--stdio"),
    command("docker run -i --rm -e NOTES_TOKEN ghcr.io/acme/notes-mcp:1.4", "notes",
            "docker", "run", "-i", "--rm", "-e", "NOTES_TOKEN", "ghcr.io/acme/notes-mcp:1.4"),
    command("docker run -i --rm -v $(pwd):/data -e KEY=${KEY} acme/notes", "notes",
            "docker", "run", "-i", "--rm", "-v", "${workspaceFolder}:/data", "-e", "KEY=${KEY}", "acme/notes"),
    command('docker run -i --rm \\\n  -v "$PWD/notes:/notes" \\\n  acme/mcp-notes', "notes",
            "docker", "run", "-i", "--rm", "-v", "${workspaceFolder}/notes:/notes", "acme/mcp-notes"),
    command("NOTES_TOKEN=abc npx notes-mcp", "notes", "npx", "notes-mcp", env={"NOTES_TOKEN": "abc"}),
    command("A=1 B='two words' npx notes-mcp", "notes", "npx", "notes-mcp", env={"A": "1", "B": "two words"}),
    command("env A=1 npx notes-mcp", "notes", "npx", "notes-mcp", env={"A": "1"}),
    command('export TOKEN="a b"\nnpx notes-mcp', "notes", "npx", "notes-mcp", env={"TOKEN": "a b"}),
    command("set TOKEN=abc\nnpx notes-mcp", "notes", "npx", "notes-mcp", env={"TOKEN": "abc"}),
    command('$env:TOKEN="abc"; npx notes-mcp', "notes", "npx", "notes-mcp", env={"TOKEN": "abc"}),
    command('$env:TOKEN = "abc"\nnpx notes-mcp', "notes", "npx", "notes-mcp", env={"TOKEN": "abc"}),
    command("cd /srv/notes && uv run notes.py", "notes", "uv", "run", "notes.py", cwd="/srv/notes"),
    command("# start it\nnpx notes-mcp   # over stdio", "notes", "npx", "notes-mcp"),
    command("npx notes-mcp --token $NOTES_TOKEN", "notes", "npx", "notes-mcp", "--token", "${NOTES_TOKEN}"),
    command("npx notes-mcp --token <YOUR_TOKEN>", "notes", "npx", "notes-mcp", "--token", "<YOUR_TOKEN>"),
    command("npx -y notes-mcp --url 'https://example.org/a?b=1&c=2'", "notes",
            "npx", "-y", "notes-mcp", "--url", "https://example.org/a?b=1&c=2"),
    command("npx -y mcp-remote https://example.org/mcp?a=1&b=2", "remote",
            "npx", "-y", "mcp-remote", "https://example.org/mcp?a=1&b=2"),
    command("cmd /c npx -y notes-mcp", "notes", "cmd", "/c", "npx", "-y", "notes-mcp"),
    command('"C:\\Program Files\\nodejs\\npx.cmd" -y notes-mcp', "notes",
            "C:\\Program Files\\nodejs\\npx.cmd", "-y", "notes-mcp"),
    command("C:\\tools\\notes.exe --root C:\\data\\new", "notes", "C:\\tools\\notes.exe", "--root", "C:\\data\\new"),
    command("uvx notes-mcp --dir %APPDATA%\\notes", "notes", "uvx", "notes-mcp", "--dir", "${APPDATA}\\notes"),
    command("npx `\n  -y notes-mcp", "notes", "npx", "-y", "notes-mcp"),
    command("`npx -y notes-mcp`", "notes", "npx", "-y", "notes-mcp"),
    command("```bash\nnpx -y notes-mcp\n```", "notes", "npx", "-y", "notes-mcp"),
    command("Start it like this:\n\n```sh\n$ uvx clock-mcp\n```\n\nThen look.", "clock", "uvx", "clock-mcp"),
    command("Run `uvx clock-mcp` and be happy.", "clock", "uvx", "clock-mcp"),
    command("npx -y notes-mcp --say \u201ctwo words\u201d", "notes", "npx", "-y", "notes-mcp", "--say", "two words"),
)  # fmt: skip
ADDRESSES = (
    address("https://mcp.acme.dev/mcp", "acme", "https://mcp.acme.dev/mcp"),
    address("  <https://mcp.acme.dev/mcp>  ", "acme", "https://mcp.acme.dev/mcp"),
    address("https://api.acme.co.uk/v1/sse", "co", "https://api.acme.co.uk/v1/sse", transport=Transport.SSE),
    address("http://localhost:3000/mcp", "local", "http://localhost:3000/mcp"),
    address("localhost:3000/sse", "local", "http://localhost:3000/sse", transport=Transport.SSE),
    address("localhost:3000", "local", "http://localhost:3000/mcp"),
    address("127.0.0.1:8931/mcp", "local", "http://127.0.0.1:8931/mcp"),
    address("[::1]:3000/mcp", "local", "http://[::1]:3000/mcp"),
    address("devbox:8080", "devbox", "http://devbox:8080/mcp"),
    address("mcp.acme.dev/mcp", "acme", "https://mcp.acme.dev/mcp"),
    address("https://mcp.acme.dev/mcp\nAuthorization: Bearer <token>", "acme", "https://mcp.acme.dev/mcp",
            headers={"Authorization": "Bearer <token>"}),
    address("The hosted server is at https://mcp.acme.dev/mcp.", "acme", "https://mcp.acme.dev/mcp"),
)  # fmt: skip
BLOCKS = (
    notes(BLOCK),
    notes(f"Put this into your settings:\n\n```json\n{BLOCK}\n```\n\nand restart."),
    notes(f"Put this into your settings {BLOCK} and restart."),
    notes(BLOCK.replace('"notes": {', '// the server\n"notes": { /* here */').replace("\n}", ",\n}")),
    notes(json.dumps({"servers": {"notes": {"type": "stdio", **ENTRY}}})),
    notes(json.dumps({"mcp": {"servers": {"notes": ENTRY}}})),
    notes(json.dumps({"mcp": {"notes": {"type": "local", "command": [ENTRY["command"], *ENTRY["args"]],
                                         "environment": ENTRY["env"]}}})),
    notes(json.dumps({"context_servers": {"notes": {"source": "custom", **ENTRY}}})),
    notes(json.dumps({"notes": ENTRY})),
    notes(json.dumps(ENTRY)),
    notes(json.dumps({"name": "mine", **ENTRY}), name="mine"),
    notes(f'"notes": {json.dumps(ENTRY)},'),
    notes(f'"mcpServers": {json.dumps({"notes": ENTRY})}'),
    notes(json.dumps({"mcpServers": {"notes": {"command": " ".join([ENTRY["command"], *ENTRY["args"]]),  # type: ignore[list-item]
                                               "env": ENTRY["env"]}}})),
    notes('[mcp_servers.notes]\ncommand = "npx"\nargs = ["-y", "@acme/mcp-server-notes@1.2.0"]\n'
          'env = { NOTES_TOKEN = "<YOUR_TOKEN>" }'),
    Row(json.dumps({"mcpServers": {"far": {"url": "https://example.org/mcp", "headers": {"X": "1"}}}}),
        PasteKind.BLOCK, "far", url="https://example.org/mcp", transport=Transport.HTTP, headers={"X": "1"}),
    Row(json.dumps({"mcpServers": {"far": {"serverUrl": "https://example.org/sse", "type": "sse"}}}),
        PasteKind.BLOCK, "far", url="https://example.org/sse", transport=Transport.SSE),
)  # fmt: skip
ADDERS = (
    notes("claude mcp add notes -e NOTES_TOKEN='<YOUR_TOKEN>' -- npx -y @acme/mcp-server-notes@1.2.0",
          PasteKind.ADD_COMMAND),
    notes("claude mcp add --scope user --env NOTES_TOKEN=<YOUR_TOKEN> notes -- npx -y @acme/mcp-server-notes@1.2.0",
          PasteKind.ADD_COMMAND),
    notes("codex mcp add notes --env NOTES_TOKEN=<YOUR_TOKEN> -- npx -y @acme/mcp-server-notes@1.2.0",
          PasteKind.ADD_COMMAND),
    notes("gemini mcp add -e NOTES_TOKEN=<YOUR_TOKEN> notes npx -y @acme/mcp-server-notes@1.2.0",
          PasteKind.ADD_COMMAND),
    notes(f"claude mcp add-json notes '{json.dumps(ENTRY)}'", PasteKind.ADD_COMMAND),
    notes(f"code --add-mcp '{json.dumps({'name': 'notes', **ENTRY})}'", PasteKind.ADD_COMMAND),
    Row('claude mcp add --transport http far https://example.org/mcp --header "X-Key: abc"', PasteKind.ADD_COMMAND,
        "far", url="https://example.org/mcp", transport=Transport.HTTP, headers={"X-Key": "abc"}),
    Row("claude mcp add --transport sse far https://example.org/events", PasteKind.ADD_COMMAND,
        "far", url="https://example.org/events", transport=Transport.SSE),
    Row("$ codex mcp add far --url https://example.org/mcp", PasteKind.ADD_COMMAND, "far",
        url="https://example.org/mcp", transport=Transport.HTTP),
)  # fmt: skip
LINKS = (
    notes(f"cursor://anysphere.cursor-deeplink/mcp/install?name=notes&config={quote(ENCODED)}", PasteKind.LINK),
    notes(f"cursor://anysphere.cursor-deeplink/mcp/install?name=notes&config={ENCODED.rstrip('=')}", PasteKind.LINK),
    notes(f"https://cursor.com/en/install-mcp?name=notes&config={quote(ENCODED)}", PasteKind.LINK),
    notes(f"vscode:mcp/install?{quote(json.dumps({'name': 'notes', **ENTRY}))}", PasteKind.LINK),
    notes(f"vscode-insiders:mcp/install?{quote(json.dumps({'name': 'notes', **ENTRY}))}", PasteKind.LINK),
    notes(f"https://insiders.vscode.dev/redirect/mcp/install?name=notes&config={quote(json.dumps(ENTRY))}",
          PasteKind.LINK),
    notes("https://vscode.dev/redirect?url="
          + quote(f"vscode:mcp/install?{quote(json.dumps({'name': 'notes', **ENTRY}))}", safe=""), PasteKind.LINK),
    notes("[![Install](https://example.org/badge.svg)](cursor://anysphere.cursor-deeplink/mcp/install?name=notes"
          f"&config={quote(ENCODED)})", PasteKind.LINK),
)  # fmt: skip
ROWS = (*COMMANDS, *ADDRESSES, *BLOCKS, *ADDERS, *LINKS)


@pytest.mark.parametrize("row", ROWS, ids=[f"{place}-{row.text[:30]!r}" for place, row in enumerate(ROWS)])
def test_a_paste_means_the_server_that_its_readme_means(row: Row) -> None:
    paste = read_paste(row.text)
    assert paste.problems == ()
    (config,) = paste.servers
    assert (paste.kind, config.name, config.transport) == (row.kind, row.name, row.transport)
    assert tuple(filter(None, (config.command, *config.args))) == row.words
    assert (config.env, config.url, config.cwd, config.headers) == (row.env, row.url, row.cwd, row.headers)
    assert not config.trusted


NOTHING = (
    "Hello there", "What is this?", "please connect my github server, thanks.", "{", "{}", "[1, 2]", "{'a': 1}",
    '{"name": "x", "version": "1.0.0"}', "<html><body>Hi</body></html>", "SELECT * FROM users;", "42", "---",
    "cursor://settings", "vscode:mcp/install?nothing", "https://", "http://[", "localhost:99999", "ws://example.org",
    "npm install -g notes-mcp\nnotes-mcp --stdio", "npx notes-mcp | tee log.txt", "npx notes-mcp > out.txt",
    "npx notes-mcp $(cat token)", 'npx "notes-mcp', "export A=1", "claude mcp add", "claude mcp add --weird notes x",
    '{"mcpServers": {}}', '{"mcpServers": {"a": {}}}', '{"mcpServers": {"a": {"command": "x"}', "x" * 200_001,
    "npx a --key ${keyring:user/other/env/TOKEN}",
)  # fmt: skip


@pytest.mark.parametrize("text", NOTHING, ids=[text[:30] for text in NOTHING])
def test_what_is_no_server_gets_one_sentence_that_says_why(text: str) -> None:
    paste = read_paste(text)
    assert paste.servers == ()
    assert paste.problems
    assert all("\n" not in problem and problem for problem in paste.problems)


def test_nothing_is_said_of_an_empty_field_and_what_is_expected_of_a_greeting() -> None:
    assert read_paste(" \n ") == Paste(PasteKind.EMPTY)
    assert read_paste("Hello there").problems == (EXPECTED,)


def test_several_servers_of_a_block_come_in_order_and_a_broken_one_stops_none() -> None:
    entries = {"b": ENTRY, "broken": {"command": "x", "url": "https://example.org"}, "a": {"url": "localhost/mcp"}}
    paste = read_paste(json.dumps({"mcpServers": entries}))
    assert [config.name for config in paste.servers] == ["b", "a"]
    assert "broken" in paste.problems[0]


def test_a_value_that_vs_code_would_propose_is_taken_and_a_password_is_left_open() -> None:
    block = {
        "inputs": [
            {"id": "region", "type": "promptString", "default": "eu"},
            {"id": "key", "type": "promptString", "password": True, "default": "no"},
        ],
        "servers": {"far": {"command": "x", "args": ["${input:region}", "${input:key}"]}},
    }
    (config,) = read_paste(json.dumps(block)).servers
    assert config.args == ("eu", "${input:key}")


def test_what_a_paste_says_of_trust_is_not_believed() -> None:
    (config,) = read_paste(json.dumps({"mcpServers": {"x": {"command": "y", "trusted": True, "signIn": True}}})).servers
    assert (config.trusted, config.signs_in) == (False, False)


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert unused_name("a", ["b"]) == "a"
    assert unused_name("a", ["a", "a-2"]) == "a-3"


WORDS = st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=12), max_size=5)
SHAPES = st.sampled_from(
    ["{}", "npx {}", "```\n{}\n```", "$ {}", '{{"mcpServers": {}}}', '{{"command": "{}"}}', "x:{}"]
)


@given(st.text(max_size=300) | st.builds(lambda shape, text: shape.format(text), SHAPES, st.text(max_size=80)))
@example("<" * 50)
@example("{" * 300)
@example('{"a":' * 150)
@example("`" * 300)
@example("$(" * 100)
@example("vscode:mcp/install?%")
@example("https://[::1")
@settings(max_examples=400, deadline=None)
def test_any_text_is_read_without_an_exception_and_says_something(text: str) -> None:
    paste = read_paste(text)
    assert paste.servers or paste.problems or paste.kind is PasteKind.EMPTY
    for config in paste.servers:
        assert start_preview(config).parts
        assert name_for(config)


@given(WORDS)
@example(["--token", "a b", ""])
@example(["it's", '"', "\\", "~", "*", "#", "&&"])
@settings(max_examples=400, deadline=None)
def test_a_quoted_command_line_means_exactly_its_words(words: list[str]) -> None:
    if any(sign in "".join(words) for sign in ("$", "`", "%", "\\", "<", ".exe", ".cmd", ".bat", ".ps1")):
        return
    if any(ord(letter) in {0x85, 0xA0, 0x2028, 0x2029, 0xFEFF} for letter in "".join(words)):
        return
    paste = read_paste(shlex.join(["npx", *words]))
    if paste.servers:
        (config,) = paste.servers
        assert (config.command, *config.args) == ("npx", *words)


@given(st.sampled_from([row for row in ROWS if row.words]), st.text(max_size=30))
@settings(max_examples=100, deadline=None)
def test_what_is_kept_of_a_paste_starts_as_its_preview_says(row: Row, name: str) -> None:
    (config,) = read_paste(row.text).servers
    again = read_paste(json.dumps({"mcpServers": {name or "x": entry_of(config)}}))
    for same in again.servers:
        assert start_digest(same) == start_digest(config)
        assert start_preview(same) == start_preview(config)


@pytest.mark.parametrize("row", [row for row in ROWS if row.words], ids=lambda row: str(row.text)[:30])
def test_a_preview_is_quoted_so_that_a_shell_would_read_the_same_words(row: Row) -> None:
    (config,) = read_paste(row.text).servers
    shown = [part.text for part in start_preview(_plain(config)).parts]
    assert tuple(shlex.split(" ".join(shown))) == (_plain(config).command, *_plain(config).args)


def _plain(config: ServerConfig) -> ServerConfig:
    """Return an entry without the secrets that a preview hides."""
    hidden = [word for word in config.args if word.startswith(("<YOUR", "KEY="))]
    return config.model_copy(update={"args": tuple(word for word in config.args if word not in hidden)})
