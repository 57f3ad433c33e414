"""What is known of servers, in the words of the page."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.servers.config_adapter import config_from, form_value
from console.servers.log_view import body_text
from console.servers.rows import Direction, ServerRemedyKey
from console.servers.snapshots import (
    ServerRowContext,
    change_row,
    content_of,
    head_of,
    log_row,
    offered_tool,
    parts_of,
    server_row,
    trouble_of,
    written,
)
from console.viewers import ContentKind
from tools.errors import ServerConfigError
from tools.mcp.config import ServerConfig, Transport
from tools.mcp.definitions import Definition
from tools.mcp.differences import differences
from tools.mcp.message_log import Channel, MessageLogLine
from tools.mcp.pins import DefinitionJudgement, PinVerdict
from tools.mcp.server_primitives import ResourceContent
from tools.mcp.state import FaultKind, ProtocolEra, ServerFault, ServerIdentity, ServerState, ServerStatus

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


def state(status: ServerStatus, **more: Any) -> ServerState:
    since = more.pop("since", NOW - timedelta(hours=3, minutes=12))
    return ServerState(name="github", transport=Transport.STDIO, status=status, since=since, **more)


def standing(changed: int = 0, **more: bool) -> ServerRowContext:
    said = {"may_start": True, "is_enabled": True, "is_in_profile": True, **more}
    return ServerRowContext(changed, said["may_start"], said["is_enabled"], said["is_in_profile"], NOW)


def fault(kind: FaultKind, **more: Any) -> ServerFault:
    return ServerFault(kind=kind, message="It ended by itself.", at=NOW, **more)


@pytest.mark.parametrize(
    ("known", "stands", "words", "remedy"),
    [
        (state(ServerStatus.OFF), standing(), "Off", ServerRemedyKey.CONNECT),
        (state(ServerStatus.OFF, tool_count=2), standing(), "Off, starts with a call", ServerRemedyKey.CONNECT),
        (state(ServerStatus.OFF), standing(may_start=False), "Off, not allowed yet", ServerRemedyKey.ALLOW),
        (state(ServerStatus.OFF), standing(is_enabled=False), "Switched off", ServerRemedyKey.SWITCH_ON),
        (state(ServerStatus.OFF), standing(is_in_profile=False), "Not in this profile", ServerRemedyKey.CONNECT),
        (state(ServerStatus.STARTING, attempt=1), standing(), "Connecting", ServerRemedyKey.LOG),
        (state(ServerStatus.STARTING, attempt=2), standing(), "Connecting, attempt 2", ServerRemedyKey.LOG),
        (state(ServerStatus.CONNECTED), standing(), "Connected", ServerRemedyKey.NONE),
        (state(ServerStatus.CONNECTED), standing(2), "Connected, 2 changed", ServerRemedyKey.REVIEW),
        (
            state(ServerStatus.RECONNECTING, attempt=3, next_attempt_at=NOW + timedelta(seconds=5)),
            standing(),
            "Attempt 3 in 0:05",
            ServerRemedyKey.LOG,
        ),
        (
            state(ServerStatus.FAILED, fault=fault(FaultKind.EXITED, exit_code=1)),
            standing(),
            "Stopped, exit code 1",
            ServerRemedyKey.RESTART,
        ),
        (
            state(ServerStatus.FAILED, fault=fault(FaultKind.EXITED, exit_code=-9)),
            standing(),
            "Stopped, signal 9",
            ServerRemedyKey.RESTART,
        ),
        (
            state(ServerStatus.FAILED, fault=fault(FaultKind.SIGN_IN)),
            standing(),
            "Needs you to sign in",
            ServerRemedyKey.SIGN_IN,
        ),
        (
            state(ServerStatus.FAILED, fault=fault(FaultKind.NO_CONSENT)),
            standing(),
            "Not allowed yet",
            ServerRemedyKey.ALLOW,
        ),
        (state(ServerStatus.STOPPED), standing(), "Disconnected", ServerRemedyKey.CONNECT),
    ],
)
def test_how_a_server_stands_and_what_helps(
    known: ServerState, stands: ServerRowContext, words: str, remedy: ServerRemedyKey
) -> None:
    row = server_row(known, stands)
    assert (row.words, row.remedy) == (words, remedy)


@pytest.mark.parametrize("kind", list(FaultKind))
def test_every_kind_of_trouble_has_words(kind: FaultKind) -> None:
    assert server_row(state(ServerStatus.FAILED, fault=fault(kind)), standing()).words != "Failed"


def test_the_head_says_version_process_up_time_and_era() -> None:
    known = state(
        ServerStatus.CONNECTED, identity=ServerIdentity(version="v0.6.2"), pid=48213, protocol=ProtocolEra.OLDER
    )
    head = head_of(known, standing())
    assert head.facts == "v0.6.2 · process 48213 · up 3 h 12 min · older protocol"
    assert head.trouble is None
    broken = head_of(state(ServerStatus.FAILED, fault=fault(FaultKind.EXITED)), standing())
    assert broken.trouble is not None


def test_trouble_has_the_request_the_time_the_last_words_and_advice() -> None:
    said = "one\ntwo\n" + "x" * 5_000
    told = trouble_of(
        fault(FaultKind.EXITED, request="tools/list", elapsed_s=2.3, exit_code=1, last_words=said, remedy="Look at it.")
    )
    assert told.details[:4] == ("Request: tools/list, after 2.30 s", "Exit code 1", "one", "two")
    assert len(told.details[4]) == 400
    assert told.advice == "Look at it."


def test_a_message_on_the_wire_is_one_line_and_pretty_when_it_is_looked_at() -> None:
    sent = log_row(MessageLogLine(1, NOW, Channel.SENT, "info", '{"method":"tools/list","id":1}', "tools/list", "1"))
    answer = log_row(MessageLogLine(2, NOW, Channel.RECEIVED, "info", '{"id":1}', "tools/list", "1", 8, 0.084))
    said = log_row(MessageLogLine(3, NOW, Channel.STDERR, "info", "two\twords"))
    assert (sent.text, sent.direction) == ("tools/list #1", Direction.SENT)
    assert body_text(sent) == '{\n  "method": "tools/list",\n  "id": 1\n}'
    assert answer.text == "tools/list #1 answered in 84 ms"
    assert (said.text, said.body) == ("two words", "two\twords")


TEXT: dict[str, Any] = {"type": "string"}


def definition(**more: Any) -> Definition:
    return Definition({"name": "push", "inputSchema": {"type": "object", "properties": {"branch": TEXT}}, **more})


@pytest.mark.parametrize(
    ("annotations", "short", "words"),
    [
        (
            None,
            "says nothing",
            (
                "says nothing of its risk; taken as one that may change or destroy something and reaches beyond this"
                " computer."
            ),
        ),
        (
            {"readOnlyHint": True},
            "only reads",
            "says that it changes nothing; of the rest nothing, taken as one that reaches beyond this computer.",
        ),
        (
            {"destructiveHint": False, "openWorldHint": False},
            "destroys nothing, stays here",
            (
                "says that it destroys nothing and stays on this computer; of the rest nothing, taken as one that may"
                " change something."
            ),
        ),
        (
            {"readOnlyHint": False},
            "changes something",
            (
                "says that it changes something; of the rest nothing, taken as one that may destroy something and"
                " reaches beyond this computer."
            ),
        ),
        (
            {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True, "idempotentHint": True},
            "may destroy, may be repeated, reaches out",
            "says that it changes something, may destroy something and reaches beyond this computer.",
        ),
        ({"readOnlyHint": "yes"}, "says nothing", "says nothing of its risk; taken as one that may change or destroy"),
    ],
)
def test_what_a_server_says_of_its_risk_stands_apart_from_what_it_is_taken_as(
    annotations: dict[str, Any] | None, short: str, words: str
) -> None:
    said = {} if annotations is None else {"annotations": annotations}
    row = offered_tool(DefinitionJudgement(definition(**said), PinVerdict.NEW), "github.push", (), is_on=True)
    assert (row.said_of_risk, row.verdict_words) == (short, "New")
    assert row.risk_words.startswith(words)


def test_a_hint_that_is_gone_is_no_word_of_the_servers() -> None:
    before = definition(annotations={"destructiveHint": False})
    assert parts_of(differences(before, definition(annotations={})))[1] == ("Says less of its risk",)


def test_a_change_is_told_in_a_few_words() -> None:
    before = definition(description="Push.", annotations={"destructiveHint": False})
    properties = {"branch": TEXT, "force": {"type": "boolean"}}
    now = definition(
        description="Push it all.",
        inputSchema={"type": "object", "properties": properties},
        annotations={"destructiveHint": True},
    )
    parts, dangers = parts_of(differences(before, now))
    assert parts == "description, 1 argument and what it says of its risk"
    assert dangers == ("Now destructive",)
    row = change_row(DefinitionJudgement(now, PinVerdict.CHANGED, before, NOW), parts, dangers)
    assert row.approved_on == "22 November"
    assert "ask for approval" in row.consequence


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=20), inner, max_size=6),
    max_leaves=40,
)


@given(JSON)
def test_a_definition_is_written_so_that_it_can_be_read_back(value: Any) -> None:
    assert json.loads(written(value)) == value


def test_what_is_deep_is_written_on_one_line() -> None:
    value: Any = "x" * 100
    for _ in range(500):
        value = [value]
    assert json.loads(written(value)) == value


def test_what_is_short_stands_on_one_line() -> None:
    assert written({"a": {"type": "string"}, "b": "x" * 90}).splitlines()[1] == '  "a": {"type": "string"},'


def test_what_was_read_is_text_a_picture_or_nothing() -> None:
    reading = content_of(
        [ResourceContent("repo://a/README.md", "text/markdown", "# A", None)], "repo://a/README.md", "3 ms"
    )
    assert reading.content is not None
    assert (reading.content.kind, reading.content.name) == (ContentKind.TEXT, "README.md")
    picture = content_of([ResourceContent("repo://a/b.png", "image/png", None, b"\x89PNG")], "repo://a/b.png", "3 ms")
    assert picture.content is not None
    assert picture.content.kind is ContentKind.BYTES
    assert content_of([], "repo://a", "3 ms").content is None


def test_settings_come_back_as_they_were() -> None:
    config = ServerConfig(
        name="github",
        transport=Transport.STDIO,
        command="npx",
        args=("-y", "x"),
        env={"GITHUB_TOKEN": "ghp_" + "a" * 36, "LANG": "C"},
        disabled_tools=("push",),
        unknown={"icon": "x"},
    )
    value = form_value(config)
    assert "ghp_" not in json.dumps(value)
    assert config_from(value, config) == config
    other = config_from({**value, "env": {"GITHUB_TOKEN": "ghp_" + "b" * 36}}, config)
    assert other.env == {"GITHUB_TOKEN": "ghp_" + "b" * 36}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"transport": "stdio", "name": "a"}, "a stdio server needs a command"),
        ({"transport": "http", "name": "a"}, "needs a url"),
        ({"transport": "stdio", "name": "", "command": "npx"}, "name"),
        ({"transport": "stdio", "name": "a", "command": "npx", "timeout_s": 1e9}, "timeout_s"),
    ],
)
def test_settings_that_mean_nothing_say_why(value: dict[str, Any], words: str) -> None:
    with pytest.raises(ServerConfigError, match=words):
        config_from(value)
