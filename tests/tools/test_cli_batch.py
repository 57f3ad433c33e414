"""Batches from the command line: run, check, resume, look at, export."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tools import ToolContext, ToolFailure, resolve_tools, security, tool
from tools.batch import BatchExecutor
from tools.batch.journal import Journal
from tools.cli import main
from tools.discovery import PluginList
from tools.masking import MASK
from tools.workbench import Workbench

PLAN = """\
name: night's work
parameters:
  word: {description: What to say}
steps:
  - id: first
    tool: say
    arguments: {word: "${parameters.word}"}
  - id: each
    tool: say
    rows: {values: [a, b, c]}
    arguments: {word: "${steps.first.result} ${row}"}
  - id: broken
    tool: fragile
    depends_on: [each]
  - id: last
    tool: say
    depends_on: [broken]
    arguments: {word: done}
"""


@tool(read_only=True)
def say(word: str) -> str:
    """Say a word."""
    return word.upper()


@tool(read_only=True)
def times(number: int) -> int:
    """Double a number."""
    return 2 * number


@tool(read_only=True)
@security(mask_fields=("key",))
def unlock(key: str, who: str) -> str:
    """Open a door."""
    return f"{who} {key}"


@tool(read_only=True)
@security(sensitive=True)
def hush(what: int, other: str) -> str:
    """Say something that nobody hears."""
    return f"{what} {other}"


@tool(idempotent=False)
async def linger() -> str:
    """Take for ever."""
    await asyncio.Event().wait()
    return "at last"


@tool(read_only=True)
@security(approval_required=True, review_timeout_s=0.05)
def patient(word: str) -> str:
    """Say a word once somebody allows it."""
    return word


@tool(idempotent=False)
async def interrupt(word: str) -> str:
    """Press Ctrl+C, and take for ever."""
    os.kill(os.getpid(), signal.SIGINT)
    await asyncio.Event().wait()
    return word


@tool(read_only=True)
def here(ctx: ToolContext) -> str:
    """Tell the project folder."""
    return str(ctx.project_dir)


class Shop:
    """A folder with a plan, and what happens to be broken there."""

    def __init__(self, folder: Path) -> None:
        self.plan = folder / "plan.yaml"
        self.plan.write_text(PLAN, encoding="utf-8")
        self.flag = folder / "mended"
        self.sent: list[str] = []
        self._list = PluginList(folder / "plugins.toml")

    @property
    def given(self) -> tuple[str, ...]:
        """The words that name the plan, its parameter and its project."""
        return str(self.plan), "--set", "word=hello", "--project", str(self.plan.parent)

    def rule(self, text: str) -> None:
        rules = self.plan.parent / ".tool-console" / "policy.toml"
        rules.parent.mkdir()
        rules.write_text(f"[[rule]]\n{text}\n", encoding="utf-8")

    def run(self, *words: str) -> int:
        flag = self.flag

        @tool(read_only=True)
        def fragile() -> str:
            """Work once it is mended."""
            if not flag.exists():
                message = "the lamp is broken"
                raise ToolFailure(message)
            return "light"

        @tool(idempotent=False)
        def send(word: str) -> str:
            """Say a word to somebody, which cannot be taken back."""
            self.sent.append(word)
            return word

        bench = Workbench(self._list)
        bench.registry.register_all(
            resolve_tools([say, times, fragile, send, unlock, hush, linger, patient, interrupt, here])
        )
        return main(["batch", *words], workbench=bench)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    return Shop(tmp_path)


def run_ids(shop: Shop, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    assert shop.run("status", "--output", "json") == 0
    return [item["run"] for item in json.loads(capsys.readouterr().out)]


def test_a_failed_run_is_kept_and_goes_on_once_the_cause_is_mended(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was done is not done again."""
    assert shop.run("run", str(shop.plan), "--set", "word=hello", "--no-history", "--format", "json") == 5
    said = capsys.readouterr()
    assert json.loads(said.out)["results"]["each"]["result"] == ["HELLO A", "HELLO B", "HELLO C"]
    assert "broken: failed: the lamp is broken" in said.err
    assert "last: skipped: it waits for 'broken', which failed" in said.err

    (run,) = run_ids(shop, capsys)
    shop.flag.touch()
    assert shop.run("resume", run, "--retry-failed", "--no-history") == 0
    assert "4 of 4 steps done" in capsys.readouterr().err


def test_a_run_is_listed_shown_and_exported(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    """As words, as a graph, and for build servers."""
    shop.run("run", str(shop.plan), "--set", "word=hello", "--no-history")
    (run,) = run_ids(shop, capsys)

    shop.run("status")
    assert f"{run}  over  2 of 4 done, 1 failed" in capsys.readouterr().out
    shop.run("status", run)
    assert "broken: failed: the lamp is broken" in capsys.readouterr().out
    shop.run("export", run)
    assert '"each" -> "broken";' in capsys.readouterr().out
    shop.run("export", run, "--format", "junit")
    suite = ET.fromstring(capsys.readouterr().out)
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("4", "1", "1")
    shop.run("export", run, "--format", "csv")
    assert "broken,fragile,failed," in capsys.readouterr().out


def test_a_plan_is_checked_without_running_anything(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    """Each step with its tool, what it waits for and its arguments, as far as they are known."""
    assert shop.run("run", str(shop.plan), "--set", "word=hello", "--check") == 0
    said = capsys.readouterr().out
    assert '    word = "hello"\n' in said
    assert "each: say after first" in said
    assert '    word = "${steps.first.result} a"\n' in said
    assert not run_ids(shop, capsys)


def test_runs_of_a_plan_without_a_name_are_called_by_its_file(
    shop: Shop, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Two such plans do not share theirs."""
    for name in ("morning", "evening"):
        plan = tmp_path / f"{name}.yaml"
        plan.write_text("steps: [{id: a, tool: say, arguments: {word: hello}}]", encoding="utf-8")
        assert shop.run("run", str(plan), "--no-history") == 0
    capsys.readouterr()
    shop.run("status", "--output", "json")
    runs = json.loads(capsys.readouterr().out)
    assert [(run["run"].rpartition("-")[2], run["file"]) for run in runs] == [
        ("evening", str((tmp_path / "evening.yaml").resolve())),
        ("morning", str((tmp_path / "morning.yaml").resolve())),
    ]


def test_a_long_look_at_what_would_ask_says_how_far_it_is(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anybody is asked; nobody is there here."""
    shop.plan.write_text(
        "steps: [{id: all, tool: send, rows: {values: " + str(list(range(1500))) + "}, arguments: {word: '${row} x'}}]",
        encoding="utf-8",
    )
    shop.run("run", str(shop.plan), "--approve", "plan", "--no-history")
    assert "looked at 1,000 of 1,500 calls that may ask" in capsys.readouterr().err
    assert shop.sent == []


SECRETS = """\
name: doors
parameters:
  key: {}
  codes: {type: array}
  who: {}
  depth: {type: integer, default: 3}
steps:
  - id: open
    tool: unlock
    arguments: {key: "k-${parameters.key}", who: "${parameters.who}"}
  - id: all
    tool: unlock
    rows: {values: "${parameters.codes}"}
    arguments: {key: "${row}", who: Ada}
  - id: tell
    tool: say
    arguments: {word: "${parameters.who} has ${parameters.key}"}
  - id: whisper
    tool: hush
    arguments: {what: "${parameters.depth}", other: plain words}
"""


def test_a_check_shows_nothing_that_tools_hide(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither in arguments nor as the parameters that they are made of, nor where a parameter stands elsewhere."""
    shop.plan.write_text(SECRETS, encoding="utf-8")
    given = "--set", "key=hunter2", "--set", 'codes:=["c-4711", "c-4712"]', "--set", "who=Ada"
    assert shop.run("run", str(shop.plan), *given, "--check") == 0
    said = capsys.readouterr().out
    for secret in ("hunter2", "c-4711", "c-4712", "plain words"):
        assert secret not in said
    assert '    who = "Ada"\n' in said
    assert f'    word = "Ada has {MASK}"\n' in said
    assert f'    what = "{MASK}"\n    other = "{MASK}"\n' in said
    (line,) = [line for line in said.splitlines() if line.startswith("with ")]
    assert set(line.removeprefix("with ").split(", ")) == {
        f"key={MASK}",
        f"codes={MASK}",
        "who='Ada'",
        f"depth={MASK}",
    }


def test_a_check_tells_what_the_rules_of_the_project_refuse(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    """Who starts a plan learns it before the night."""
    shop.rule('id = "no"\neffect = "deny"\ntool = "fragile"')
    assert shop.run("run", *shop.given, "--check") == 0
    assert "broken: fragile after each; Denied by rule: Deny fragile" in capsys.readouterr().out
    assert shop.run("run", *shop.given) != 0
    assert "Denied by rule" in capsys.readouterr().err


def test_a_plan_without_a_name_calls_by_that_of_its_file_in_a_check_and_in_a_run(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    shop.plan.write_text("steps:\n  - {id: a, tool: say, arguments: {word: a}}\n", encoding="utf-8")
    shop.rule('id = "no"\neffect = "deny"\ntool = "say"\ncaller = "batch: plan"')
    given = str(shop.plan), "--project", str(shop.plan.parent)
    assert shop.run("run", *given, "--check") == 0
    assert "a: say; Denied by rule" in capsys.readouterr().out
    assert shop.run("run", *given, "--no-history") == 3


def test_a_check_does_not_claim_that_a_step_asks_nothing_before_it_can_know(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the rules ask about may depend on arguments that only the first step's result gives."""
    plan = PLAN.replace("    tool: say\n    depends_on: [broken]\n    arguments: {word: done}", "    tool: times\n"
                        '    arguments: {number: "${steps.first.result}"}')  # fmt: skip
    shop.plan.write_text(plan, encoding="utf-8")
    shop.rule('id = "large"\neffect = "ask"\ntool = "times"\nwhere = [{path = "number", at_least = 100}]')
    assert shop.run("run", *shop.given, "--check") == 0
    assert "last: times after first; may ask when its arguments are known\n" in capsys.readouterr().out


def test_a_check_tells_what_would_ask_and_a_plan_may_be_agreed_to_at_once(
    shop: Shop, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each row is a call of its own, and one answer counts for all."""
    shop.rule('id = "say"\neffect = "ask"\ntool = "say"')
    assert shop.run("run", *shop.given, "--approve", "plan", "--check") == 0
    said = capsys.readouterr().out
    assert "first: say; asks: the policy asks\n" in said
    assert "each: say after first, 3 calls; may ask when its arguments are known\n" in said
    assert "one question for all of it before it runs" in said

    shop.flag.touch()
    monkeypatch.setattr("sys.stdin", io.StringIO("w\n"))
    assert shop.run("run", *shop.given, "--approve", "plan", "--no-history") == 0
    said = capsys.readouterr().err
    assert "night's work asks (batch: night's work): Runs 4 steps with 6 calls." in said
    assert said.count("[c]ontinue") == 1

    monkeypatch.setattr("sys.stdin", io.StringIO("x not tonight\n"))
    assert shop.run("run", *shop.given, "--approve", "plan", "--no-history") != 0
    assert "first: denied: the plan was refused before it ran: not tonight" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "parameters.word: a run needs a string for it: What to say"),
        (("--set", "word"), "--set: expected NAME=VALUE"),
        (("--set", "word:=1"), "parameters.word: expected a value of type string, got 1"),
        (("--set", "word:=["), "--set word: expected a JSON string"),
        (("--set", "word=a", "--set", "other=b"), "parameters.other: the plan has no such parameter"),
    ],
)
def test_parameters_that_do_not_fit_run_nothing(
    shop: Shop, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    """The exit code says so, and the message what was expected."""
    assert shop.run("run", str(shop.plan), "--no-history", *words) == 4
    assert said in capsys.readouterr().err
    assert not run_ids(shop, capsys)


def test_a_plan_with_mistakes_says_each_with_its_line(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing runs."""
    shop.plan.write_text("steps:\n  - id: a\n    tool: nobody\n  - id: a\n", encoding="utf-8")
    assert shop.run("run", str(shop.plan)) == 4
    assert "line 4, steps[1].tool: expected a value, got none" in capsys.readouterr().err


def test_a_run_that_is_not_there_is_named(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    """With the command that lists those that are."""
    assert shop.run("resume", "yesterday") == 5
    assert "there is no run 'yesterday'; `tool-console batch status` lists them" in capsys.readouterr().err


def test_a_plan_has_a_graph_and_a_schema(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    """Both without running it; a result it has not."""
    assert shop.run("export", str(shop.plan)) == 0
    assert '"first" -> "each";' in capsys.readouterr().out
    assert shop.run("schema") == 0
    assert "Step" in json.loads(capsys.readouterr().out)["$defs"]
    assert shop.run("export", str(shop.plan), "--format", "csv") == 2


def test_the_graph_of_a_plan_with_an_expression_that_cannot_be_read_is_refused_with_its_place(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    shop.plan.write_text("steps:\n  - {id: a, tool: price, arguments: {item: '${steps.b.result'}}\n", "utf-8")
    assert shop.run("export", str(shop.plan)) == 4
    said = capsys.readouterr()
    assert said.out == ""
    assert "steps[0]: expected a closing brace after '${steps.b.result'" in said.err


def cut(shop: Shop, run: str, line: str) -> None:
    """Cut a run's journal off behind the first line that has a text in it."""
    (path,) = shop.plan.parent.glob(f"**/{run}.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    place = next(index for index, item in enumerate(lines) if line in item)
    path.write_text("".join(lines[: place + 1]), encoding="utf-8")


def keep_begun(journal: Path) -> None:
    """Leave of a run of the plan below that a step and a row have begun, whichever of them did so first."""
    head, *lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    begun = [line for line in lines if '"begin":"once"' in line or '"begin":"each","row":0' in line]
    journal.write_text("".join([head, *begun]), encoding="utf-8")


UNSURE = """\
name: unsure
steps:
  - id: once
    tool: send
    arguments: {word: a}
  - id: each
    tool: send
    rows: {values: [b, c]}
    arguments: {word: "${row}"}
  - id: after
    tool: say
    depends_on: [once, each]
    arguments: {word: done}
"""


@pytest.mark.parametrize(
    ("choice", "sent", "states"),
    [
        ("hold", "c", {"once": "may_have_run", "each": "may_have_run", "after": "skipped"}),
        ("run", "abc", {"once": "done", "each": "done", "after": "done"}),
        ("skip", "c", {"once": "skipped", "each": "done", "after": "done"}),
    ],
)
def test_what_may_have_run_and_must_not_run_twice_is_held_run_or_skipped(
    shop: Shop, capsys: pytest.CaptureFixture[str], choice: str, sent: str, states: dict[str, str]
) -> None:
    """As somebody says; rows that had not begun run in any case."""
    shop.plan.write_text(UNSURE + "limits: {parallelism: 2}\n", encoding="utf-8")
    assert shop.run("run", str(shop.plan), "--no-history", "--yes") == 0
    (run,) = run_ids(shop, capsys)
    (path,) = shop.plan.parent.glob(f"**/{run}.jsonl")
    keep_begun(path)
    shop.sent.clear()

    # What somebody left out is no failure.
    code = 5 if choice == "hold" else 0
    assert shop.run("resume", run, "--unsure", choice, "--no-history", "--yes", "--format", "json") == code
    said = capsys.readouterr()
    told = json.loads(said.out)["results"]

    assert sorted(shop.sent) == list(sent)
    assert {name: item["state"] for name, item in told.items()} == states
    way_on = f"tool-console batch resume {run} --unsure run goes on; --unsure skip leaves out what may have run"
    assert (way_on in said.err) is (choice == "hold")
    assert ("goes on" in said.err) is (choice == "hold")


def test_what_failed_runs_again_and_what_may_have_run_stays_held(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody has to look at that one first."""
    shop.plan.write_text(UNSURE, encoding="utf-8")
    assert shop.run("run", str(shop.plan), "--no-history", "--yes") == 0
    (run,) = run_ids(shop, capsys)
    cut(shop, run, '"begin":"once"')
    shop.sent.clear()
    assert shop.run("resume", run, "--retry-failed", "--no-history", "--yes", "--format", "json") == 5
    told = json.loads(capsys.readouterr().out)["results"]
    assert "a" not in shop.sent
    assert told["once"]["state"] == "may_have_run"


def test_a_folder_that_is_none_and_words_that_are_none_are_usage(shop: Shop) -> None:
    """They exit like any other misspelled command."""
    assert shop.run("run", str(shop.plan), "--project", str(shop.plan.parent / "nowhere")) == 2
    assert shop.run("resume", "x", "--unsure", "perhaps") == 2
    assert shop.run("leave") == 2


def test_status_tells_how_far_an_interrupted_run_is(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    """Also of a step with rows."""
    shop.run("run", str(shop.plan), "--set", "word=hello", "--no-history")
    (run,) = run_ids(shop, capsys)
    cut(shop, run, '"end":"each"')

    assert shop.run("status", run, "--output", "json") == 0
    each = json.loads(capsys.readouterr().out)["results"]["each"]
    assert each["rows"]["done"] == 1
    assert each["state"] in {"queued", "may_have_run"}
    shop.run("status")
    assert f"{run}  interrupted" in capsys.readouterr().out


def test_what_is_written_down_of_a_run_is_forgotten_when_somebody_says_so(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that could be gone on with stays until that is said as well."""
    shop.run("run", *shop.given, "--no-history")
    (run,) = run_ids(shop, capsys)
    journal = shop.plan.parent / "data" / "batches" / f"{run}.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[: whole.rindex(b'{"over"')])
    assert shop.run("forget", run) == 2
    assert f"{run} was interrupted" in capsys.readouterr().err
    assert shop.run("forget", run, "--interrupted") == 0
    assert not run_ids(shop, capsys)
    assert shop.run("forget", run) != 0


def begun(shop: Shop, capsys: pytest.CaptureFixture[str]) -> tuple[str, Path]:
    """Run a plan and let its journal end where a step and a row have begun; return the run and its journal."""
    shop.plan.write_text(UNSURE + "limits: {parallelism: 2}\n", encoding="utf-8")
    assert shop.run("run", str(shop.plan), "--no-history", "--yes") == 0
    (run,) = run_ids(shop, capsys)
    journal = shop.plan.parent / "data" / "batches" / f"{run}.jsonl"
    keep_begun(journal)
    return run, journal


def test_a_run_that_is_under_way_is_told_to_run(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of it has failed only because it has not ended; once nobody is about it, it was interrupted."""
    run, journal = begun(shop, capsys)
    with Journal(journal) as held:
        held.claim()
        shop.run("status")
        assert capsys.readouterr().out == f"{run}  running  0 of 3 done, 0 failed\n"
        shop.run("status", "--output", "json")
        (listed,) = json.loads(capsys.readouterr().out)
        assert (listed["is_over"], listed["is_under_way"], listed["failed"]) == (False, True, 0)
        shop.run("status", run)
        assert capsys.readouterr().out == "once: running\neach: running\nafter: queued\n"
        for words in (("status", run, "--output", "json"), ("export", run, "--format", "json")):
            shop.run(*words)
            told = json.loads(capsys.readouterr().out)
            assert told["failures"] == 0
            assert [item["state"] for item in told["results"].values()] == ["running", "running", "queued"]
        shop.run("export", run, "--format", "junit")
        suite = ET.fromstring(capsys.readouterr().out)
        assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "0", "3")
    shop.run("status")
    assert capsys.readouterr().out == f"{run}  interrupted  0 of 3 done, 2 failed\n"


@pytest.mark.parametrize("words", [(), ("--interrupted",)])
def test_a_run_that_is_under_way_is_not_forgotten_and_not_called_interrupted(
    shop: Shop, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    run, journal = begun(shop, capsys)
    with Journal(journal) as held:
        held.claim()
        assert shop.run("forget", run, *words) == 5
        said = f"tool-console: {run} is under way in another program; wait until it ends, or end it there\n"
        assert capsys.readouterr().err == said
    assert journal.is_file()


@pytest.mark.skipif(sys.platform == "win32", reason="no signal ends a batch in good order there")
def test_a_run_that_was_interrupted_by_a_person_says_so_and_fails_nothing(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was cancelled was cancelled, later as well; whoever goes on is still asked whether anything happened."""
    shop.plan.write_text(
        "steps:\n  - {id: a, tool: say, arguments: {word: a}}\n"
        "  - {id: b, tool: interrupt, arguments: {word: b}, depends_on: [a]}\n"
        "  - {id: c, tool: say, arguments: {word: c}, depends_on: [b]}\n",
        encoding="utf-8",
    )
    assert shop.run("run", str(shop.plan), "--no-history", "--yes") == 130
    interrupted = capsys.readouterr().err
    assert "b: cancelled: interrupted" in interrupted
    (run,) = run_ids(shop, capsys)
    assert f"tool-console batch resume {run} goes on" in interrupted
    shop.run("status")
    assert f"{run}  over  1 of 3 done, 0 failed" in capsys.readouterr().out
    shop.run("status", run)
    said = capsys.readouterr().out
    assert "b: cancelled" in said
    assert "may have run" not in said
    assert shop.run("resume", run, "--no-history", "--yes") == 5
    assert "b: may have run: it was cancelled while it ran" in capsys.readouterr().err


BROKEN = "  - {id: broken, tool: fragile}\n"
DENIED = "  - {id: denied, tool: send, arguments: {word: a}}\n  - {id: w, tool: say, depends_on: [denied]}\n"
LATE = "  - {id: late, tool: linger, timeout_s: 0.05}\n"


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        ("  - {id: fine, tool: say, arguments: {word: a}}\n", 0),
        (DENIED, 3),
        (LATE, 6),
        (BROKEN, 5),
        (DENIED + LATE, 5),
        (BROKEN + LATE, 5),
    ],
)
def test_the_exit_code_says_why_a_batch_did_not_succeed_where_all_failures_have_one_cause(
    shop: Shop, capsys: pytest.CaptureFixture[str], steps: str, code: int
) -> None:
    shop.rule('id = "no"\neffect = "deny"\ntool = "send"')
    shop.plan.write_text("steps:\n" + steps.replace("tool: say, dep", "tool: say, arguments: {word: w}, dep"), "utf-8")
    given = "--no-history", "--yes", "--project", str(shop.plan.parent)
    assert shop.run("run", str(shop.plan), *given) == code
    assert ("--retry-failed goes on" in capsys.readouterr().err) is (code != 0)


def test_a_step_that_was_left_out_by_its_condition_is_no_failure_and_nothing_to_go_on_with(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    shop.plan.write_text(
        "steps:\n  - {id: a, tool: say, arguments: {word: a}, condition: '`false`'}\n"
        "  - {id: b, tool: say, arguments: {word: b}, depends_on: [a]}\n",
        "utf-8",
    )
    assert shop.run("run", str(shop.plan), "--no-history", "--yes") == 0
    said = capsys.readouterr().err
    assert ("a: skipped: its condition does not hold: `false`" in said, "goes on" in said) == (True, False)


def test_output_json_gives_the_whole_result_unless_a_format_is_named(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    shop.flag.touch()
    assert shop.run("run", *shop.given, "--no-history", "--output", "json") == 0
    assert json.loads(capsys.readouterr().out)["results"]["first"]["result"] == "HELLO"
    (run,) = run_ids(shop, capsys)
    assert shop.run("resume", run, "--no-history", "--output", "json") == 0
    assert json.loads(capsys.readouterr().out)["successes"] == 4
    assert shop.run("resume", run, "--no-history", "--output", "json", "--format", "csv") == 0
    assert len(list(csv.reader(io.StringIO(capsys.readouterr().out)))) == 5


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device is always full there")
@pytest.mark.parametrize("values", [1, 5000])
def test_a_full_disk_behind_the_output_is_told_in_a_line(shop: Shop, values: int) -> None:
    """Be it noticed while the result is written, or when the rest of it is at the end."""
    rows = f"rows: {{values: {list(range(values))}}}"
    shop.plan.write_text(f"steps:\n  - {{id: a, tool: calculate, {rows}, arguments: {{expression: '${{row}} + 1'}}}}\n")
    program = "import sys; from tools.cli import main; sys.exit(main(sys.argv[1:]))"
    words = [sys.executable, "-c", program, "batch", "run", str(shop.plan), "--no-history", "--format", "csv"]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 5
    assert "tool-console: the output cannot be written: No space left on device\n" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def closed(stream: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own, in which outputs were closed by a shell such as `>&-`."""
    program = "import sys; from tools.cli import main; sys.exit(main(sys.argv[1:]))"
    line = shlex.join([sys.executable, "-c", program, *words])
    return subprocess.run(["sh", "-c", f"{line} {stream}"], capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="its shell closes no outputs")
@pytest.mark.parametrize("stream", [">&-", "2>&-", ">&- 2>&-"])
@pytest.mark.parametrize("words", [(), ("--format", "json"), ("--check",)])
def test_an_output_that_is_closed_ends_nothing(shop: Shop, stream: str, words: tuple[str, ...]) -> None:
    """What would be said is said to nobody."""
    shop.plan.write_text("steps:\n  - {id: a, tool: calculate, arguments: {expression: 1 + 1}}\n", "utf-8")
    run = ("run", str(shop.plan), "--no-history", *words) if words else ("status",)
    done = closed(stream, "batch", *run)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert (done.stdout == "") is (">&-" in stream.split() or not words)


def test_outputs_that_are_closed_stay_so_afterwards(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert shop.run("run", *shop.given, "--no-history", "--format", "json") == 5
    assert shop.run("status", "nobody") == 5
    assert (sys.stdout, sys.stderr) == (None, None)


def test_how_a_run_goes_on_can_be_copied_as_it_is_said(
    shop: Shop, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the files, the folder and the cluster that it was given, in words that a shell leaves as they are."""
    monkeypatch.setattr("tools.cli.batch.BatchExecutor", lambda executor, backend: BatchExecutor(executor=executor))
    project = shop.plan.parent / "my project"
    project.mkdir()
    given = (
        *("--plugin", "my tools.py", "--plugin", "more.py", "--servers"),
        *("--project", str(project), "--backend", "dask://localhost:8786"),
    )
    assert shop.run("run", str(shop.plan), "--set", "word=hello", "--no-history", *given) == 5
    told = capsys.readouterr().err
    (run,) = run_ids(shop, capsys)
    (line,) = [line for line in told.splitlines() if line.endswith(" goes on")]
    program, command, *words = shlex.split(line.removeprefix("tool-console: ").removesuffix(" goes on"))
    assert (program, command, words) == ("tool-console", "batch", ["resume", run, *given, "--retry-failed"])

    # What goes on says the same of how it goes on.
    assert shop.run(*words, "--no-history") == 5
    assert line in capsys.readouterr().err.splitlines()
    shop.flag.touch()
    assert shop.run(*words, "--no-history") == 0


def test_a_run_that_a_reviewer_stops_was_denied(
    shop: Shop, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also at a row, of which its step says no more than that it was cancelled."""
    shop.rule('id = "send"\neffect = "ask"\ntool = "send"')
    shop.plan.write_text(
        "steps:\n  - id: each\n    tool: send\n    rows: {values: [a, b, c]}\n"
        "    arguments: {word: '${row}'}\n  - {id: after, tool: say, arguments: {word: a}, depends_on: [each]}\n"
        "limits: {parallelism: 1}\n",
        "utf-8",
    )
    monkeypatch.setattr("sys.stdin", io.StringIO("c\ns not tonight\n"))
    given = "--project", str(shop.plan.parent), "--no-history", "--format", "json"
    assert shop.run("run", str(shop.plan), *given) == 3
    said = capsys.readouterr()
    assert {item["state"] for item in json.loads(said.out)["results"].values()} <= {"cancelled", "skipped", "denied"}
    assert "not tonight" in said.err
    assert shop.sent == ["a"]


def test_a_check_in_json_says_what_the_text_says_and_hides_the_same(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    shop.plan.write_text(SECRETS + "  - {id: late, tool: say, arguments: {word: 2026-01-01}, depends_on: [open]}\n")
    given = "--set", "key=hunter2", "--set", 'codes:=["c-4711", "c-4712"]', "--set", "who=Ada"
    shop.rule('id = "say"\neffect = "ask"\ntool = "say"')
    check = "--check", "--output", "json", "--project", str(shop.plan.parent)
    assert shop.run("run", str(shop.plan), *given, *check, "--approve", "plan") == 0
    said = capsys.readouterr().out
    for secret in ("hunter2", "c-4711", "c-4712", "plain words"):
        assert secret not in said
    told = json.loads(said)
    assert (told["plan"], told["asks_once"]) == ("doors", True)
    assert told["parameters"] == {"key": MASK, "codes": MASK, "who": "Ada", "depth": MASK}
    steps = {step["name"]: step for step in told["steps"]}
    assert steps["tell"] == {
        "name": "tell",
        "tool": "say",
        "needs": [],
        "calls": 1,
        "calls_words": "1 call",
        "asks": "asks: the policy asks",
        "runs_here": "",
        "arguments": {"word": f"Ada has {MASK}"},
    }
    assert (steps["all"]["calls"], steps["all"]["asks"]) == (2, "")
    assert steps["whisper"]["arguments"] == {"what": MASK, "other": MASK}
    assert steps["late"]["needs"] == ["open"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--check", "--format", "csv"), "--check runs nothing, so --format csv has no result to write"),
        (("--backend", "foo"), "--backend: expected an address such as dask://host:8786, got 'foo'"),
        (("--backend", "dask://host", "--check"), "--backend: expected an address such as dask://host:8786"),
    ],
)
def test_words_that_no_run_can_have_are_usage(
    shop: Shop, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    """Whatever the plan is, which is not even read."""
    assert shop.run("run", str(shop.plan.parent / "nowhere.yaml"), *words) == 2
    told = capsys.readouterr()
    assert (told.out, said in told.err) == ("", True)


def test_yes_answers_nothing_while_a_rule_that_may_refuse_it_cannot_be_read(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody is there, so nothing runs."""
    shop.rule('id = "no"\neffect = "deny"\ntool = "send"\n[[rule]]\nid = "torn')
    shop.plan.write_text("steps:\n  - {id: a, tool: send, arguments: {word: a}}\n", "utf-8")
    given = "--project", str(shop.plan.parent), "--no-history", "--yes"
    assert shop.run("run", str(shop.plan), *given) == 3
    assert "tool-console: --yes answers nothing, because rules that cannot be read" in capsys.readouterr().err
    assert shop.sent == []


def test_yes_answers_where_only_more_was_said_than_a_project_may(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    """All that would refuse was read."""
    shop.rule('id = "yes"\neffect = "allow"\ntool = "send"')
    shop.plan.write_text("steps:\n  - {id: a, tool: send, arguments: {word: a}}\n", "utf-8")
    given = "--project", str(shop.plan.parent), "--no-history", "--yes"
    assert shop.run("run", str(shop.plan), *given) == 0
    said = capsys.readouterr().err
    assert ("a project's rules can only ask and deny" in said, "--yes" in said) == (True, False)
    assert shop.sent == ["a"]


@pytest.mark.parametrize("text", ["hello\n", '{"journal":1}\n', '{"journal":99}\n', "hello"])
def test_a_damaged_journal_is_told_with_what_to_do_about_it(
    shop: Shop, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    """Where runs are kept it can be deleted; a file elsewhere may be anybody's."""
    bad = shop.plan.parent / "data" / "batches" / "bad.jsonl"
    bad.parent.mkdir(parents=True)
    bad.write_text(text, "utf-8")
    for words, code in ((("status",), 0), (("status", "bad"), 5), (("export", "bad"), 5)):
        assert shop.run(*words) == code
        said = capsys.readouterr().err
        assert said.startswith(f"tool-console: {bad} is ")
        assert said.endswith("; delete the file to be rid of it\n")
    elsewhere = bad.rename(shop.plan.parent / "mine.jsonl")
    assert shop.run("status", str(elsewhere)) == 5
    said = capsys.readouterr().err
    assert ("delete" in said, "name a run that `tool-console batch status` lists" in said) == (False, True)


def test_what_is_no_journal_is_not_forgotten_and_told_with_what_to_do_about_it(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = shop.plan.parent / "data" / "batches" / "bad.jsonl"
    bad.parent.mkdir(parents=True)
    bad.write_text("hello\n", "utf-8")
    assert shop.run("forget", "bad") == 2
    said = f"tool-console: {bad} is no run of a batch, so it is left as it is; delete the file to be rid of it\n"
    assert capsys.readouterr().err == said
    assert bad.is_file()


@pytest.mark.parametrize("answer", ["silence", "end", "x\n", "c\n"])
def test_what_is_said_after_a_question_begins_a_line(
    shop: Shop, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    """However it was answered: nobody sees the Enter of a pipe, and silence has none."""
    shop.plan.write_text("steps:\n  - {id: a, tool: patient, arguments: {word: a}}\n", "utf-8")
    reading, writing = os.pipe()
    with os.fdopen(reading, encoding="utf-8") as answers, os.fdopen(writing, "w", encoding="utf-8") as person:
        monkeypatch.setattr(sys, "stdin", answers)
        if answer == "end":
            person.close()
        elif answer != "silence":
            person.write(answer)
            person.flush()
        shop.run("run", str(shop.plan), "--no-history")
        person.close()
        said = capsys.readouterr().err
        assert re.search(r"silence refuses\): \n1 of 1  a: ", said), said


def test_a_run_goes_on_in_the_project_it_began_in(
    shop: Shop, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever somebody stands by then, unless another folder is named; one that is gone is told."""
    mine, other = tmp_path / "mine", tmp_path / "other"
    mine.mkdir()
    other.mkdir()
    shop.plan.write_text("steps:\n  - {id: a, tool: fragile}\n  - {id: b, tool: here, depends_on: [a]}\n", "utf-8")
    monkeypatch.chdir(mine)
    assert shop.run("run", str(shop.plan), "--no-history") == 5
    (run,) = run_ids(shop, capsys)
    shop.flag.touch()
    monkeypatch.chdir(other)
    journal = tmp_path / "data" / "batches" / f"{run}.jsonl"
    whole = journal.read_bytes()

    def resumed(*words: str) -> str:
        journal.write_bytes(whole)
        assert shop.run("resume", run, "--retry-failed", "--no-history", "--format", "json", *words) == 0
        said: str = json.loads(capsys.readouterr().out)["results"]["b"]["result"]
        return said

    assert resumed() == str(mine)
    assert resumed("--project", str(other)) == str(other)
    journal.write_bytes(whole)
    mine.rmdir()
    assert shop.run("resume", run, "--retry-failed", "--no-history") == 2
    assert f"{mine} is no folder; name the project folder" in capsys.readouterr().err
