from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.command_line import Command, command_of
from tests.tools.models.servers import SPEAKERS, ModelServer, Reply, calls, says
from tools import ToolFailure, ToolRegistry, resolve_tools, tool
from tools.settings import ToolSettings
from tools.workbench import Workbench

if TYPE_CHECKING:
    from pathlib import Path


@tool(read_only=True)
async def add(a: int, b: int = 1) -> int:
    """Add two numbers."""
    return a + b


@tool(requires_confirmation=True)
async def publish(text: str) -> str:
    """Publish a text."""
    return f"published {text}"


POSTED: list[str] = []


@tool(read_only=True)
async def post_note(text: str) -> str:
    """Post a note."""
    if text == "no":
        raise ToolFailure("it was not taken")
    POSTED.append(text)
    return "posted"


def bench() -> Workbench:
    made = Workbench()
    made.registry = ToolRegistry(resolve_tools([add, publish, post_note]))
    return made


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Return a function that runs `ask` in a project of its own, with data of its own."""
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    command = command_of(bench, capsys, monkeypatch)
    return Command(lambda *words, typed="": command("ask", *words, typed=typed))


def at(server: ModelServer) -> tuple[str, ...]:
    return ("--address", server.address, "--model", "m")


def test_the_answer_goes_to_the_output_and_the_calls_beside(ask: Command) -> None:
    with ModelServer(calls(("add", '{"a": 1}'), text="Let me see."), says("It is 2.")) as server:
        code, out, err = ask("What", "is 1 + 1?", *at(server))
    assert (code, out) == (0, "Let me see.\nIt is 2.\n")
    assert '→ 1 add {"a": 1, "b": 1}\n' in err
    assert "← 1 add executed" in err
    assert "20 tokens read, 10 written; go on with --resume" in err
    assert server.requests[0].body["messages"] == [{"role": "user", "content": "What is 1 + 1?"}]
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize(
    ("typed", "status", "told"), [("c\n", "executed", "published x"), ("x not now\n", "denied", "not now")]
)
def test_a_call_is_agreed_to_at_the_terminal(ask: Command, typed: str, status: str, told: str) -> None:
    with ModelServer(calls(("publish", '{"text": "x"}')), says("Well.")) as server:
        code, _, err = ask("Publish x", *at(server), typed=typed)
    assert code == 0
    assert f"publish {status}" in err
    assert told in server.requests[1].body["messages"][-1]["content"]


@pytest.mark.reference("B21")
def test_a_conversation_goes_on_after_a_restart(ask: Command) -> None:
    with ModelServer(calls(("add", '{"a": 1}')), says("2"), says("3")) as server:
        ask("1 + 1?", *at(server), "--always", "Be kind.")
        code, _, _ = ask("And one more?", *at(server), "--resume", "last")
    assert code == 0
    said = server.requests[2].body["messages"]
    assert [message["role"] for message in said] == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert "You must always:\n- Be kind." in said[0]["content"]


def test_the_result_is_one_json_document_on_demand(ask: Command) -> None:
    with ModelServer(calls(("add", '{"a": 1}')), says("2")) as server:
        _, out, _ = ask("1 + 1?", *at(server), "--output", "json")
    document: dict[str, Any] = json.loads(out)
    assert (document["end"], document["text"], document["model"]) == ("answered", "2", "m")
    assert [(call["name"], call["status"]) for call in document["calls"]] == [("add", "executed")]
    assert document["usage"]["input_tokens"] == 20


def test_nothing_is_sent_before_a_model_is_chosen(ask: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(Reply([b'{"data": [{"id": "small"}, {"id": "large"}]}'])) as server:
        code, out, err = ask("Hi", "--address", server.address)
    assert (code, out) == (2, "")
    assert "--provider compatible --model small" in err
    assert "no model is chosen" in err
    assert [request.path for request in server.requests] == ["/models"]


@pytest.mark.reference("B14", "E44")
def test_what_is_sent_next_is_seen_before_with_tokens(ask: Command) -> None:
    with ModelServer(calls(("add", '{"a": 1}')), says("2")) as server:
        ask("1 + 1?", *at(server))
        code, out, _ = ask(*at(server), "--resume", "last", "--drop", "1", "--preview")
    assert code == 0
    rows = [line.split()[:4] for line in out.splitlines()]
    assert ["result", "1"] in [row[:2] for row in rows]
    assert "left out" in out
    assert len(server.requests) == 2


@pytest.mark.reference("E35", "E36")
def test_the_context_is_shaped_by_the_model_and_by_options(ask: Command) -> None:
    keep = calls(("set_turns_to_keep", '{"part_id": 1, "turns": 7}'))
    summed = says("They added numbers.")
    with ModelServer(calls(("add", '{"a": 1}')), says("2"), keep, says("3"), summed, says("4")) as server:
        ask("1 + 1?", *at(server))
        _, _, err = ask("Keep it.", *at(server), "--resume", "last")
        assert ": Part 1 stays 7 turns.\n" in err
        code, _, err = ask("And?", *at(server), "--resume", "last", "--keep-turns", "1", "--sum-up", "--keep", "1=0")
    assert code == 0
    assert "summed up older turns, 1 in all; the originals are kept" in err
    assert "They added numbers." in server.requests[-1].body["messages"][0]["content"]
    names = [tool["function"]["name"] for tool in server.requests[0].body["tools"]]
    assert names == ["add", "publish", "post_note", "list_context_parts", "set_turns_to_keep"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--budget", "much"), "--budget: expected tokens such as 50000"),
        (("--budget", "$1"), "money can only be counted with --prices"),
        (("--budget", "-5"), "--budget: expected tokens such as 50000"),
        (("--budget", "$nan"), "--budget: expected tokens such as 50000"),
        (("--prices", "3"), "--prices: expected two amounts"),
        (("--prices", "nan/3"), "--prices: expected two amounts"),
        (("--max-calls", "-1"), "--max-calls: expected a whole number from 0 on, got '-1'"),
        (("--max-tokens", "few"), "--max-tokens: expected a whole number from 1 on, got 'few'"),
        (("--tools", "nothing"), "no tool is called 'nothing'"),
        (("--resume", "../x"), "expected the name of a conversation"),
        (("--key", "NO_SUCH_KEY"), "the API key 'NO_SUCH_KEY' is missing"),
        (("--provider", "nobody"), "--provider: expected one of openai"),
    ],
)
def test_what_means_nothing_is_said_in_one_line(ask: Command, words: tuple[str, ...], said: str) -> None:
    with ModelServer() as server:
        code, _, err = ask("Hi", *at(server), *words)
    assert code in {2, 5}
    assert said in err
    assert not server.requests


def test_the_budget_is_asked_about_before_it_is_passed(ask: Command) -> None:
    with ModelServer(says("Hello")) as server:
        code, _, err = ask("Hi", *at(server), "--budget", "500", typed="n\n")
        assert (code, len(server.requests)) == (3, 0)
        assert "passes the budget: 0 of 500 are used" in err
        code, _, _ = ask("Hi", *at(server), "--budget", "500", typed="y\n")
    assert (code, len(server.requests)) == (0, 1)


def test_a_conversation_is_replayed_without_its_model_and_tells_what_ends_otherwise(
    ask: Command, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = calls(("add", '{"a": 1}'), ("publish", '{"text": "x"}'), ("publish", '{"text": "y"}'))
    with ModelServer(asked, says("Done.")) as server:
        ask("Go", *at(server), typed="c\nx no\n")
    code, out, err = ask("--replay", "last", "--yes")
    assert (code, out) == (0, "Done.\n")
    assert "3 calls, 0 of them end otherwise" in err
    assert len(server.requests) == 2

    def without_add() -> Workbench:
        made = Workbench()
        made.registry = ToolRegistry(resolve_tools([publish]))
        return made

    code, out, _ = command_of(without_add, capsys, monkeypatch)("ask", "--replay", "last", "--yes", "--output", "json")
    document = json.loads(out)
    assert (code, document["differences"]) == (1, 1)
    assert [row["status"] for row in document["calls"]] == ["not_found", "executed", "denied"]


def test_a_replay_changes_skips_and_stops_as_the_record_did(ask: Command, tmp_path: Path) -> None:
    asked = calls(("publish", '{"text": "draft"}'), ("add", '{"a": 1}'), ("add", '{"a": 2}'))
    with ModelServer(asked, says("Done.")) as server:
        ask("Go", *at(server), "--max-calls", "2", typed='e\n{"text": "final"}\n')
    [record] = (tmp_path / "data" / "conversations").glob("*.jsonl")
    lines = [json.loads(line) for line in record.read_text("utf-8").splitlines()]
    results = next(line["results"] for line in lines if line["kind"] == "results")
    assert [result["status"] for result in results] == ["executed", "executed", "rejected"]
    results[1]["status"] = "interrupted"
    record.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    code, _, err = ask("--replay", "last", "--yes")
    assert code == 0
    assert "published final" in err
    assert "← 2 add cancelled" in err
    assert "← 3 add rejected" in err


def test_with_recorded_results_no_tool_runs_and_all_else_is_checked(ask: Command) -> None:
    POSTED.clear()
    asked = calls(("post_note", '{"text": "x"}'), ("post_note", '{"text": "no"}'))
    with ModelServer(asked, says("Done.")) as server:
        ask("Go", *at(server))
    assert POSTED == ["x"]
    code, _, err = ask("--replay", "last", "--recorded-results")
    assert (code, POSTED) == (0, ["x"])
    assert "← 1 post_note executed" in err
    assert "← 2 post_note failed" in err
    assert "2 calls, 0 of them end otherwise" in err
    code, _, err = ask("Hi", "--recorded-results")
    assert (code, "--recorded-results: expected --replay NAME as well" in err) == (2, True)


def test_a_conversation_becomes_a_test_of_its_calls(ask: Command, tmp_path: Path) -> None:
    with ModelServer(calls(("no_such_tool", '{"path": "a.txt"}')), says("Done.")) as server:
        ask("Go", *at(server))
    code, _, err = ask("--replay", "last", "--as-test", str(tmp_path / "test_files.py"))
    assert (code, "test_files.jsonl" in err) == (0, True)
    names: dict[str, Any] = {"__file__": str(tmp_path / "test_files.py"), "__name__": "test_files"}
    exec((tmp_path / "test_files.py").read_text("utf-8"), names)
    assert names["EXPECTED"] == [("no_such_tool", {"path": "a.txt"}, "not_found")]
    names["test_files"](tmp_path)
    assert len(list((tmp_path / "data" / "conversations").iterdir())) == 1


def test_without_a_model_a_prompt_in_yaml_names_the_tools(ask: Command) -> None:
    code, out, _ = ask("--provider", "none", "-", typed="- tool: add\n  params: {a: 1, b: 2}\n- tool: ad\n")
    assert code == 5
    assert out.splitlines() == ["3", "Error: no tool is called 'ad'", "Did you mean 'add'?"]
    code, out, _ = ask("--provider", "none", "tool: add\nparams: {a: 1}")
    assert (code, out) == (0, "2\n")
    code, _, err = ask("--provider", "none", "add one and two")
    assert code == 5
    assert "expected YAML with `tool: NAME` and `params:`" in err
    code, _, err = ask("--provider", "none", "tool: add\nparams: {a: 1")
    assert code == 5
    assert "got text that is no YAML in line 2, column 14: expected ',' or '}'" in err


@pytest.mark.reference("C32", "C35")
def test_what_openai_runs_itself_stands_beside_the_tools(ask: Command, tmp_path: Path) -> None:
    (tmp_path / "own.properties").write_text("WebSearchTool.type=web_search\n", "utf-8")
    speaker = next(one for one in SPEAKERS if one.provider == "openai")
    with ModelServer(says("Found.", speaker)) as server:
        code, out, _ = ask(
            "News?", *at(server), "--provider", "openai", "--properties", str(tmp_path / "own.properties")
        )
    assert (code, out) == (0, "Found.\n")
    speaker.check(server.requests[0].body)
    assert {"type": "web_search", "user_location": {"type": "approximate"}} in server.requests[0].body["tools"]


@pytest.mark.reference("C32")
def test_the_web_search_may_stand_in_the_persons_settings(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)

    def with_search() -> Workbench:
        made = bench()
        (tmp_path / "settings.properties").write_text("WebSearchTool.type=default\n", "utf-8")
        made.apply(ToolSettings(tmp_path / "settings.properties", environ={}).read())
        return made

    ask = partial(command_of(with_search, capsys, monkeypatch), "ask")
    speaker = next(one for one in SPEAKERS if one.provider == "openai")
    with ModelServer(says("Found.", speaker), says("Nothing.")) as server:
        ask("News?", *at(server), "--provider", "openai")
        ask("News?", *at(server))
    kinds = [[one["type"] for one in request.body["tools"]] for request in server.requests]
    assert ("web_search_preview" in kinds[0], set(kinds[1])) == (True, {"function"})


def test_pictures_and_texts_are_sent_along(ask: Command, tmp_path: Path) -> None:
    (tmp_path / "dot.png").write_bytes(b"\x89PNG\r\n\x1a\nrest")
    (tmp_path / "notes.md").write_text("A fence:\n```\n", "utf-8")
    with ModelServer(says("A dot.")) as server:
        code, _, _ = ask("What is this?", *at(server), "--attach", "dot.png", "--attach", "notes.md")
    assert code == 0
    content = server.requests[0].body["messages"][0]["content"]
    assert [part["type"] for part in content] == ["text", "image_url"]
    assert content[0]["text"] == "What is this?\n\nnotes.md:\n````\nA fence:\n```\n````"
    assert content[1]["image_url"]["url"].startswith("data:image/png;base64,")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("gone.txt", None, "gone.txt cannot be read: No such file or directory"),
        ("data.bin", b"\x00\x01\xff", "data.bin: expected a picture (PNG, JPEG, GIF, WebP) or a text in UTF-8"),
        ("long.txt", b"a" * 200_001, "expected a text of at most 200,000 bytes, got 200,001"),
        ("large.jpg", b"\xff\xd8\xff" + bytes(6 * 2**20), "expected a picture of at most 5 MB, got 6.0 MB"),
    ],
)
def test_a_file_that_cannot_be_sent_along_is_told(
    ask: Command, tmp_path: Path, name: str, content: bytes | None, said: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with ModelServer() as server:
        code, _, err = ask("What is this?", *at(server), "--attach", name)
    assert (code != 0, server.requests) == (True, [])
    assert said in err
