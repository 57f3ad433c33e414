"""`schema` on the command line, and the responses that `call --output json` writes against the schema it ships."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Annotated, Any

import jsonschema
import pytest
from annotated_types import Ge

from tests.tools.command_line import Command, command_of
from tests.tools.test_cli import bench_of
from tools import Param, ToolContext, ToolResult, cached, resolve_tools, tool
from tools.cli import main
from tools.schema import response_schema

SERVER = Path(__file__).parents[1] / "mcp_servers" / "from_file.py"
RESPONSE = response_schema()
PLUGIN = textwrap.dedent(
    '''
    from pydantic import BaseModel
    from tools import ToolContext, tool

    class Branch(BaseModel):
        name: str
        twigs: list["Branch"] = []

    @tool
    def climb(start: Branch, ctx: ToolContext, depth: int = 1) -> dict[str, Branch]:
        """Climb a tree."""
        return {"end": start}

    @tool
    def rest() -> None:
        """Rest."""
    '''
)


@tool
def maybe(number: int) -> int | None:
    """Give a number back, or nothing for zero."""
    return number or None


@tool
def unsaid(text: str):  # type: ignore[no-untyped-def]  # noqa: ANN201 -- nobody says what it returns
    """Give a text back."""
    return text or None


@tool
@cached(ttl_s=60)
def carried(ctx: ToolContext) -> ToolResult:
    """Return a value of its own choice."""
    ctx.log("warning", "careful")
    return ToolResult.ok("text")


@tool
def hush() -> None:
    """Say nothing."""


@tool
def odd(word: Annotated[str, Param(name="two words")], count: Annotated[int, Ge(1)] = 1) -> str:
    """Have an argument of two words."""
    return word * count


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    bench = bench_of(tmp_path)
    bench.registry.register_all(resolve_tools([maybe, unsaid, carried, hush, odd]))
    return command_of(bench, capsys, monkeypatch)


def schema_of(cli: Command, *words: str) -> dict[str, Any]:
    out = cli.printed("schema", *words)
    read: dict[str, Any] = json.loads(out)
    return read


@pytest.mark.reference("E7", "E8")
def test_each_form_is_printed(cli: Command) -> None:
    declared, titled = schema_of(cli, "shout"), schema_of(cli, "shout", "--form", "titled")
    assert declared["properties"]["word"] == {"type": "string", "description": "What to shout"}
    assert titled["title"].endswith("test_cli.shout")
    assert {name: part["title"] for name, part in titled["properties"].items()} == {
        "word": "str",
        "times": "int",
        "tags": "list[str] | None",
    }
    tags = schema_of(cli, "shout", "--form", "openapi-3.0")["properties"]["tags"]
    assert (tags["type"], tags["nullable"], tags["items"]) == ("array", True, {"type": "string", "title": "str"})
    assert schema_of(cli, "Shout", "--result", "--output", "json") == {"type": "string"}
    assert schema_of(cli, "shout", "--form", "inlined") == declared


@pytest.mark.reference("E9", "E10")
def test_the_envelope_is_a_switch_and_has_no_result_where_nothing_is_returned(cli: Command) -> None:
    envelope = schema_of(cli, "shout", "--envelope")
    assert envelope["properties"]["result"] == {"type": "string"}
    assert "result" not in schema_of(cli, "fail", "--envelope")["properties"]
    assert schema_of(cli, "unsaid", "--envelope")["properties"]["result"] == {}
    assert schema_of(cli, "--envelope")["anyOf"][0] == RESPONSE
    jsonschema.Draft202012Validator.check_schema(RESPONSE)


@pytest.mark.reference("E8", "E12")
def test_a_plugin_file_tells_the_names_of_its_types_from_its_worker_process(
    cli: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert schema_of(cli, "--envelope")["anyOf"][0] == RESPONSE  # in this test's own folders
    (tmp_path / "trees.py").write_text(PLUGIN)
    assert main(["schema", "climb", "--plugin", "trees.py", "--form", "openapi-3.0"]) == 0
    start = json.loads(capsys.readouterr().out)["properties"]["start"]
    assert start["title"].endswith(".Branch")
    twig = start["properties"]["twigs"]["items"]
    assert twig["title"] == start["title"]
    assert twig["description"].startswith("Recursive reference to ")
    assert main(["schema", "climb", "--plugin", "trees.py", "--form", "titled", "--result"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == f"dict[str, {start['title']}]"
    assert main(["schema", "rest", "--plugin", "trees.py", "--envelope"]) == 0
    assert "result" not in json.loads(capsys.readouterr().out)["properties"]


def test_what_a_provider_takes_is_printed_as_it_takes_it(cli: Command) -> None:
    assert "additionalProperties" not in schema_of(cli, "shout", "--provider", "gemini")
    strict = schema_of(cli, "shout", "--provider", "openai", "--strict")
    assert strict["required"] == ["word", "times", "tags"]
    code, out, err = cli("schema", "odd", "--provider", "anthropic")
    assert (code, list(json.loads(out)["properties"])) == (5, ["two words", "count"])
    assert "Anthropic refuses 'odd'; change what `wire anthropic odd --report` says" in err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "expected the NAME of a tool, or --envelope"),
        (("shuot",), 2, "did you mean 'shout'"),
        (("shout", "--form", "xml"), 2, "invalid choice: 'xml'"),
        (("shout", "--result", "--envelope"), 2, "not allowed with argument"),
        (("shout", "--strict"), 2, "--strict: expected --provider"),
        (("shout", "--provider", "groq", "--strict"), 2, "Groq holds no model to a schema"),
        (("shout", "--provider", "groq", "--form", "titled"), 2, "Groq takes its own"),
        (("fail", "--result"), 5, "fail returns nothing; --envelope prints"),
        (("unsaid", "--result"), 5, "unsaid does not say what it returns; --envelope prints"),
    ],
)
def test_what_cannot_be_printed_is_told(cli: Command, words: tuple[str, ...], code: int, said: str) -> None:
    found, out, err = cli("schema", *words)
    assert (found, out) == (code, "")
    assert said in err
    assert "Traceback" not in err


def response(cli: Command, *words: str, typed: str = "") -> dict[str, Any]:
    out = cli("call", *words, "--output", "json", typed=typed)[1]
    read: dict[str, Any] = json.loads(out)
    return read


@pytest.mark.reference("E9", "E10")
@pytest.mark.parametrize(
    ("words", "typed", "status"),
    [
        (("shout", "word=x"), "", "executed"),
        (("hush",), "", "executed"),
        (("maybe", "number=0"), "", "executed"),
        (("maybe", "number=2"), "", "executed"),
        (("unsaid", "text="), "", "executed"),
        (("unsaid", "text=a"), "", "executed"),
        (("carried",), "", "executed"),
        (("paint",), "", "executed"),
        (("odd_names",), "", "executed"),
        (("foreign", "any:=[1]"), "", "executed"),
        (("drop", "path=a"), 'e\n{"path": "b"}\n', "executed"),
        (("drop", "path=a"), "x\n", "denied"),
        (("drop", "path=a"), "", "denied"),
        (("fail",), "", "failed"),
        (("crash",), "", "failed"),
        (("shout", "times:=[]"), "", "rejected"),
        (("sleep",), "", "timed_out"),
        (("late",), "", "timed_out"),
    ],
    ids=str,
)
def test_every_response_is_as_its_schema_says(cli: Command, words: tuple[str, ...], typed: str, status: str) -> None:
    whole = response(cli, *words, typed=typed)
    assert whole["status"] == status
    for schema in (RESPONSE, schema_of(cli, "--envelope"), schema_of(cli, words[0], "--envelope")):
        jsonschema.Draft202012Validator(schema).validate(whole)
    assert ("result" in whole) == (status == "executed" and words != ("hush",))


@pytest.mark.parametrize(
    "words", [("nobody",), ("shout", "no pair"), ("shout", "--nope"), (), ("shout", "word=x", "--dry-run")], ids=str
)
def test_what_comes_to_no_call_is_as_the_schema_says_too(cli: Command, words: tuple[str, ...]) -> None:
    whole = response(cli, *words)
    assert whole["error"]["message"]
    assert jsonschema.Draft202012Validator(schema_of(cli, "--envelope")).is_valid(whole)
    assert not jsonschema.Draft202012Validator(RESPONSE).is_valid(whole)


def test_a_response_that_is_no_response_is_found_out(cli: Command) -> None:
    whole = response(cli, "shout", "word=x")
    check = jsonschema.Draft202012Validator(RESPONSE)
    for wrong in (
        {**whole, "status": "great"},
        {**whole, "status": "failed"},
        {**whole, "surprise": 1},
        {**whole, "elapsed_s": -1},
        {key: value for key, value in whole.items() if key != "logs"},
    ):
        assert not check.is_valid(wrong)


@pytest.mark.reference("E7", "E11")
def test_the_tools_of_a_server_have_every_form(cli: Command, tmp_path: Path, capsys: Any) -> None:
    tools = tmp_path / "tools.json"
    listed = {
        "name": "say",
        "inputSchema": {
            "type": "object",
            "definitions": {"Word": {"type": ["string", "null"], "minLength": 1}},
            "properties": {"word": {"$ref": "#/definitions/Word"}},
        },
    }
    tools.write_text(json.dumps([listed]))
    assert main(["mcp", "add", "clock", "--", sys.executable, "-S", "-E", str(SERVER), str(tools)]) == 0
    assert main(["mcp", "allow", "clock", "--yes"]) == 0
    capsys.readouterr()
    code, out, _ = cli("schema", "clock.say", "--form", "openapi-3.0")
    assert code == 0
    word = json.loads(out[out.index("{\n") :])["properties"]["word"]
    assert word == {"type": "string", "minLength": 1, "nullable": True, "title": "str | None"}
