from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import pytest

from tests.tools.command_line import command_of
from tests.tools.test_discovery import PLUGIN, write
from tools import (
    Count,
    DryRun,
    Param,
    PathRole,
    ToolContext,
    ToolExample,
    ToolFailure,
    ToolTimeoutError,
    make_tool,
    resolve_tools,
    tool,
)
from tools.cli import COMMANDS, main
from tools.discovery import PluginList
from tools.workbench import Workbench


@tool(
    category="text",
    keywords=["loud"],
    examples=[
        ToolExample(input={"word": "hi there", "times": 2}),
        ToolExample(
            input={"word": "hi", "times": 9}, description="Louder than loud", negative=True, why_bad="Nobody listens."
        ),
    ],
    read_only=True,
)
def shout(
    word: Annotated[str, Param("What to shout")], times: int = 1, tags: list[str] | None = None, *, ctx: ToolContext
) -> str:
    """Shout a word."""
    ctx.log("info", "taking a breath")
    ctx.progress(1, 2)
    return " ".join([word.upper()] * times + (tags or []))


def look(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    name = arguments["path"].relative_to(project_dir)
    return DryRun(f"Drop {name}.", (Count("files", 1, "1 file"),), (f"{name}\x1b[2K",), 2, ("It is gone then.",))


@tool(destructive=True, category="files", dry_run=look)
def drop(path: Annotated[Path, PathRole(writes=True)]) -> str:
    """Drop a file."""
    return f"dropped {path.name}"


@tool
def fail() -> None:
    """Fail."""
    raise ToolFailure("it is broken")


@tool
def crash() -> None:
    """Crash."""
    raise ValueError("boom")


@tool(timeout_s=0.01)
async def sleep(ctx: ToolContext) -> None:
    """Sleep for ever."""
    await ctx.request_approval("nothing")
    await asyncio.Event().wait()


@tool
def late() -> None:
    """Give up after a limit of its own."""
    raise ToolTimeoutError("it did not end within 0.3 s")


@tool
def paint(ctx: ToolContext) -> dict[str, int]:
    """Paint."""
    ctx.attach(b"one", name="../../a.txt")
    ctx.attach(b"two", name="a.txt")
    return {"painted": 2}


@tool(isolation="inline")
def interrupted() -> None:
    """Be interrupted, as by Ctrl+C."""
    raise KeyboardInterrupt


@tool
def odd_names() -> list[str]:
    """Name files."""
    return ["\udcff.txt"]


def bench_of(tmp_path: Path) -> Workbench:
    bench = Workbench(PluginList(tmp_path / "settings"), installed=())
    foreign = make_tool(
        "foreign",
        "Come from elsewhere.",
        lambda **given: given,
        {"type": "object", "properties": {"any": True, "many": {"type": ["array", "null"], "items": {}}}},
    )
    bench.registry.register_all(
        resolve_tools([shout, drop, fail, crash, sleep, late, paint, interrupted, odd_names, foreign])
    )
    return bench


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    return command_of(bench_of(tmp_path), capsys, monkeypatch)


class TestDryRun:
    def test_what_a_call_would_do_is_printed_and_nothing_is_done(self, cli: Any) -> None:
        code, out, err = cli("call", "drop", "path=x.txt", "--dry-run")
        assert code == 0
        assert out == "Drop x.txt. 1 file\n  x.txt\\u001b[2K\n  and 2 more\n! It is gone then.\n"
        assert err == ""
        told = json.loads(cli("call", "drop", "path=x.txt", "--dry-run", "--output", "json")[1])
        assert (told["counts"][0]["amount"], told["more"]) == (1, 2)
        assert cli("history")[1].count("drop") == 0

    def test_who_cannot_tell_says_so(self, cli: Any) -> None:
        err = cli.said(5, "call", "shout", "word=x", "--dry-run")
        assert "cannot say what it would do" in err

    def test_wrong_arguments_are_refused_as_ever(self, cli: Any) -> None:
        code, _, err = cli("call", "drop", "path:=3", "--dry-run")
        assert code == 4
        assert "path" in err


class TestOneDocument:
    """With `--output json` there is a document for every exit code."""

    @pytest.mark.parametrize(
        ("code", "kind", "words"),
        [
            (2, "usage", ("call", "nobody")),
            (2, "usage", ("call", "shout", "--nope")),
            (2, "usage", ("call", "shout", "no pair")),
            (2, "usage", ("call", "shout", "--json", "{", "times=2")),
            (2, "usage", ("call",)),
            (2, "usage", ("nonsense",)),
            (2, "usage", ("info", "nobody")),
            (2, "usage", ("list", "--category", "none")),
            (2, "usage", ("history", "show", "none")),
            (2, "usage", ("policy", "allow", "--where", "nonsense")),
            (2, "usage", ("mcp", "export", "nonsense")),
            (4, "invalid_arguments", ("batch", "run", "none.yaml")),
            (5, "failed", ("mcp", "remove", "none")),
            (5, "failed", ("policy", "remove", "none")),
            (5, "failed", ("audit", "verify", "--folder", "none")),
            (5, "failed", ("call", "shout", "word=x", "--dry-run")),
        ],
    )
    def test_a_failure_is_one(self, cli: Any, code: int, kind: str, words: tuple[str, ...]) -> None:
        found, out, err = cli(*words, "--output", "json")
        document = json.loads(out)
        assert (found, document["exit_code"], document["error"]["kind"]) == (code, code, kind)
        assert document["error"]["message"].splitlines()[-1] in err

    @pytest.mark.parametrize(
        ("code", "status", "words"),
        [
            (0, "executed", ("shout", "word=hi")),
            (3, "denied", ("drop", "path=x")),
            (4, "rejected", ("shout",)),
            (5, "failed", ("fail",)),
            (5, "failed", ("crash",)),
            (6, "timed_out", ("sleep",)),
            (6, "timed_out", ("late",)),
        ],
    )
    def test_a_call_says_how_it_ended(self, cli: Any, code: int, status: str, words: tuple[str, ...]) -> None:
        found, out, _ = cli("call", *words, "--no-history", "--output", "json")
        assert (found, json.loads(out)["status"]) == (code, status)

    def test_what_has_no_result_says_that_it_is_done(self, cli: Any) -> None:
        rule = json.loads(cli("policy", "deny", "shout", "--output", "json")[1])["rule"]["id"]
        code, out, _ = cli("policy", "remove", rule, "--output=json")
        assert code == 0
        document = json.loads(out)
        assert (document["exit_code"], document["error"]) == (0, None)
        assert document["message"].startswith("removed: ")

    def test_without_it_there_is_none(self, cli: Any) -> None:
        assert cli("call", "nobody")[:2] == (2, "")


@pytest.mark.parametrize(
    "words",
    [
        ("shout", "--no-history", "word=hi", "times=2"),
        ("--no-history", "shout", "word=hi", "times=2"),
        ("shout", "word=hi", "--no-history", "times=2"),
        ("shout", "word=hi", "times=2", "--no-history"),
        ("shout", "--no-history", "--", "word=hi", "times=2"),
    ],
)
def test_options_may_stand_anywhere_between_the_arguments(cli: Any, words: tuple[str, ...]) -> None:
    assert cli("call", *words)[:2] == (0, "HI HI\n")


class TestCall:
    def test_the_result_goes_to_standard_output_and_everything_else_does_not(self, cli: Any) -> None:
        assert cli("call", "shout", "word=hi", "times=2") == (0, "HI HI\n", "info: taking a breath\n")

    def test_values_are_text_converted_to_the_type_and_colon_equals_is_json(self, cli: Any) -> None:
        assert cli("call", "shout", "word=a=b", "times:=2")[1] == "A=B A=B\n"
        assert cli("call", "shout", 'word:="x"', 'tags:=["y", "z"]')[1] == "X y z\n"
        assert cli("call", "shout", "word=x", 'tags=["y"]')[1] == "X y\n"

    def test_a_repeated_key_makes_a_list(self, cli: Any) -> None:
        assert cli("call", "shout", "word=x", "tags=y")[1] == "X y\n"
        assert cli("call", "shout", "word=x", "tags=y", "tags=z", 'tags:=["w"]')[1] == "X y z w\n"

    def test_schemas_of_every_shape_are_understood(self, cli: Any) -> None:
        assert cli("call", "foreign", "any=1", "many=x")[1] == '{\n  "any": "1",\n  "many": [\n    "x"\n  ]\n}\n'

    def test_arguments_come_as_json_too_from_the_word_or_standard_input(self, cli: Any) -> None:
        assert cli("call", "shout", "--json", '{"word": "x"}')[1] == "X\n"
        assert cli("call", "shout", "--json", "-", typed='{"word": "x", "times": 3}')[1] == "X X X\n"
        assert cli("call", "shout", "times=2", "--json", '{"word": "x", "times": 9}')[1] == "X X\n"

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["word"], "expected key=value or key:=JSON, got 'word'"),
            (["=x"], "expected key=value"),
            (["times:=two"], "times: 'two' is not JSON"),
            (["a=1", "--json", "[1]"], "--json: expected an object"),
            (["a=1", "--json", "{"], "--json: not JSON"),
            (["--project", "nowhere"], "nowhere is no folder"),
        ],
    )
    def test_words_that_make_no_arguments_are_a_matter_of_usage(self, cli: Any, words: list[str], said: str) -> None:
        err = cli.said(2, "call", "shout", *words)
        assert said in err

    @pytest.mark.reference("E15", "E16")
    def test_arguments_that_do_not_fit_exit_with_four(self, cli: Any) -> None:
        err = cli.said(4, "call", "shout", "times=many")
        assert "rejected: word is required" in err
        assert "times" in err
        assert "run again" in err

    @pytest.mark.reference("E21")
    def test_a_failing_tool_exits_with_five_and_shows_a_traceback_only_when_it_crashed(self, cli: Any) -> None:
        assert cli("call", "fail") == (5, "", "tool-console: failed: it is broken\n")
        err = cli.said(5, "call", "crash")
        assert "failed: boom" in err
        assert "in crash" in err

    def test_a_time_limit_exits_with_six(self, cli: Any) -> None:
        code, out, err = cli("call", "sleep", "--yes")
        assert (code, out) == (6, "")
        assert "timed out: it took longer than 0.01 s" in err

    def test_an_unknown_tool_suggests_the_nearest(self, cli: Any) -> None:
        assert cli("call", "shuot", "word=x") == (
            2,
            "",
            "tool-console: no tool is called 'shuot'; did you mean 'shout'?\n",
        )

    @pytest.mark.reference("A19", "D33", "D35")
    def test_a_dangerous_tool_asks_on_standard_error_and_the_end_of_input_denies(self, cli: Any) -> None:
        err = cli.said(3, "call", "drop", "path=a")
        assert "drop asks (you): Drop a file." in err
        assert 'denied: Rejected by reviewer: path="a". no answer: the input ended' in err
        assert cli("call", "drop", "path=a", typed="c\n")[:2] == (0, "dropped a\n")
        assert cli("call", "drop", "path=a", typed="x\n")[0] == 3
        assert cli("call", "drop", "path=a", typed='e\n{"path": "b"}\n')[:2] == (0, "dropped b\n")

    def test_yes_allows_without_asking(self, cli: Any) -> None:
        assert cli("call", "drop", "path=/elsewhere", "--yes") == (0, "dropped elsewhere\n", "")

    @pytest.mark.reference("E44")
    def test_json_output_is_the_whole_response(self, cli: Any) -> None:
        code, out, _ = cli("call", "shout", "word=x", "--output", "json")
        assert code == 0
        whole = json.loads(out)
        assert (whole["status"], whole["result"], whole["error"], whole["from_cache"]) == ("executed", "X", None, False)
        assert whole["logs"][0]["text"] == "taking a breath"
        assert whole["tokens"] == {"estimated": True, "arguments": 13, "result": 1}
        code, out, _ = cli("call", "shout", "--output", "json")
        assert code == 4
        assert json.loads(out)["problems"] == [
            {"path": "word", "expected": "a text", "given": "nothing", "kind": "missing"}
        ]

    def test_attachments_are_kept_on_request_and_stay_in_the_folder(self, cli: Any, tmp_path: Path) -> None:
        code, out, err = cli("call", "paint")
        assert (code, json.loads(out)) == (0, {"painted": 2})
        assert "attachment a.txt, 3 bytes; --save DIR keeps it" in err
        folder = tmp_path / "deep" / "out"
        cli("call", "paint", "--save", str(folder))
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"a.txt": b"one", "a-2.txt": b"two"}
        assert not (tmp_path / "a.txt").exists()

    def test_names_that_are_no_text_are_shown_as_escapes(self, cli: Any) -> None:
        code, out, _ = cli("call", "odd_names")
        assert (code, out) == (0, '[\n  "\\udcff.txt"\n]\n')

    def test_the_project_folder_can_be_chosen(self, cli: Any, tmp_path: Path) -> None:
        (tmp_path / "sub").mkdir()
        assert cli("call", "drop", "path=a", "--yes", "--project", "sub")[1] == "dropped a\n"


class TestListing:
    def test_tools_are_listed_by_source_and_category(self, cli: Any) -> None:
        out = cli.printed("list")
        assert "Program › text\n  shout  Shout a word.\n" in out
        assert "drop *" in out
        assert cli("list", "--category", "TEXT")[1] == "Program › text\n  shout  Shout a word.\n"

    def test_a_plugins_tool_takes_a_built_in_ones_name_and_the_list_says_so(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        mine = write(tmp_path / "mine.py", PLUGIN, name="make_uuid", said="mine")
        plugin = ["--plugin", str(mine)]
        said = []
        for words in (["list"], ["call", "make_uuid", "word=x"], ["call", "Utility.make_uuid"], ["info", "make_uuid"]):
            assert main([*words, *plugin]) == 0
            said.append(capsys.readouterr().out)
        listed, ours, theirs, card = said
        assert "\nmine.py › general\n  make_uuid  [replaces the built-in tool, now Utility.make_uuid] Say a" in listed
        assert "\n  Utility.make_uuid  [replaced by make_uuid of mine.py] Make" in listed
        assert ours == "mine x\n"
        assert "uuids" in theirs
        assert "replaces the built-in tool, now Utility.make_uuid" in card

    @pytest.mark.reference("A55")
    def test_an_unknown_category_is_answered_with_the_known_ones(self, cli: Any) -> None:
        err = cli.said(2, "list", "--category", "games")
        assert "there are: files, general, text" in err

    @pytest.mark.reference("A56")
    def test_one_tool_is_shown_with_its_arguments_and_examples(self, cli: Any) -> None:
        out = cli.printed("info", "shout")
        assert "word*  (string)\n      What to shout" in out
        assert "times  (integer = 1)" in out
        assert "tags  (array or null = null)" in out
        assert "tool-console call shout 'word=hi there' 'times:=2'" in out
        assert "read-only" in out
        assert " tokens in each request, " in out
        assert (
            "Do not do this: Louder than loud\n  tool-console call shout word=hi 'times:=9'\n  Nobody listens." in out
        )
        tokens = json.loads(cli("info", "shout", "--output", "json")[1])["tokens"]
        assert (tokens["estimated"], len(tokens["examples"])) == (True, 2)
        assert cli("info", "foreign")[0] == 0
        assert cli("info", "shuot")[0] == 2
        assert "did you mean" in cli("info", "shuot")[2]

    def test_listings_are_json_on_request(self, cli: Any) -> None:
        listed = json.loads(cli("list", "--output", "json")[1])
        assert {item["name"] for item in listed} >= {"shout", "drop"}
        assert json.loads(cli("info", "shout", "--output", "json")[1])["input_schema"]["required"] == ["word"]
        assert json.loads(cli("search", "loud", "--output", "json")[1])[0]["name"] == "shout"

    @pytest.mark.reference("A54")
    def test_tools_are_found_by_words(self, cli: Any) -> None:
        assert cli("search", "shuot") == (0, "  shout  Shout a word.\n", "")
        code, out, err = cli("search", "qqqqqq")
        assert (code, out, err) == (0, "", "tool-console: nothing matches 'qqqqqq'\n")


class TestMain:
    @pytest.mark.parametrize("words", [[], ["call"], ["list", "--output", "xml"]])
    def test_wrong_words_exit_with_two(self, cli: Any, words: list[str]) -> None:
        err = cli.said(2, *words)
        assert "usage: tool-console" in err

    @pytest.mark.parametrize(
        ("word", "meant"), [("run", "; did you mean 'call'?"), ("lst", "; did you mean 'list'?"), ("dance", "")]
    )
    def test_an_unknown_command_is_told_in_one_line_with_the_one_that_is_meant(
        self, cli: Any, word: str, meant: str
    ) -> None:
        said = f"no command is called {word!r}{meant}; `tool-console --help` lists all"
        assert cli(word, "x=1") == (2, "", f"tool-console: {said}\n")
        code, out, _ = cli(word, "--output", "json")
        assert (code, json.loads(out)["error"]) == (2, {"kind": "usage", "message": said})

    def test_help_exits_with_zero_and_names_the_exit_codes(self, cli: Any) -> None:
        code, out, _ = cli("--help")
        assert code == 0
        assert "3 denied" in out
        assert all(command in out for command in COMMANDS)

    def test_an_interrupted_program_says_so(self, cli: Any) -> None:
        assert cli("call", "interrupted") == (130, "", "tool-console: interrupted\n")

    def test_plugins_are_loaded_for_one_run_and_broken_ones_reported(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        good = write(tmp_path / "good.py", PLUGIN, name="say", said="heard")
        bad = write(tmp_path / "bad.py", "def (")
        code = main(["call", "say", "word=x", "--plugin", str(good), "--plugin", str(bad)])
        out, err = capsys.readouterr()
        assert (code, out) == (0, "heard x\n")
        assert "bad.py did not load: SyntaxError" in err

    def test_a_plugin_that_crashes_is_reported_and_others_are_listed_and_run_where_they_were_imported(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        seen = tmp_path / "seen"
        good = write(tmp_path / "good.py", PLUGIN, name="say", said="heard")
        good.write_text(good.read_text() + f"\nwith open({str(seen)!r}, 'a') as file:\n    file.write('imported ')\n")
        falling = write(tmp_path / "falling.py", "import ctypes\nctypes.string_at(0)\n")
        plugins = ["--plugin", str(good), "--plugin", str(falling)]
        assert main(["list", *plugins]) == 0
        out, err = capsys.readouterr()
        assert "good.py › general\n  say  Say a word.\n" in out
        assert "falling.py did not load: the file ended its process: SIGSEGV" in err
        seen.unlink()
        assert main(["call", "say", "word=x", "--plugin", str(good)]) == 0
        assert capsys.readouterr().out == "heard x\n"
        assert seen.read_text() == "imported "

    def test_what_a_process_wrote_before_it_died_is_told_once(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        dying = tmp_path / "dying.py"
        dying.write_text(
            "import os, sys\nfrom tools import tool\n\n@tool\ndef die() -> None:\n    'Die.'\n"
            "    print('last words', file=sys.stderr, flush=True)\n    os._exit(7)\n",
            encoding="utf-8",
        )
        code = main(["call", "die", "--plugin", str(dying)])
        out, err = capsys.readouterr()
        assert (code, out) == (5, "")
        assert err.count("last words") == 1
        assert "ended with exit code 7\ntool-console: Only this call is lost" in err

    def test_a_reader_that_has_seen_enough_ends_the_program_quietly(self, tmp_path: Path) -> None:
        program = textwrap.dedent(
            """
            import sys
            from tools.cli import main
            sys.exit(main(["list", "--output", "json"]))
            """
        )
        done = subprocess.run(
            f"\"{sys.executable}\" -c '{program}' | true", shell=True, capture_output=True, text=True, check=False
        )
        assert done.stderr == ""
