"""Files of ours that a crash, a disk or another program damaged: told, never taken for what they are not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tools import Executor, ToolRegistry, resolve_tools, tool
from tools.batch import BatchExecutor, BatchPlan, Step
from tools.batch.runs import is_over, past_run
from tools.cli import main
from tools.errors import HistoryError
from tools.history import History, HistoryQuery
from tools.policy import Effect, Policy, Rule

Command = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.expects_log("tools.calls")


@tool(read_only=True)
def note(text: str) -> str:
    """Say something again."""
    return text


@tool(destructive=True)
def drop(path: str) -> str:
    """Drop something."""
    return path


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("TOOL_CONSOLE_CONFIG", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> tuple[int, str, str]:
        code = main(words)
        return code, *capsys.readouterr()

    return call


def journal_in(folder: Path) -> Path:
    """Run a plan, and return its journal."""
    path = folder / "run.jsonl"
    steps = [Step(id=f"s{number}", tool="note", arguments={"text": f"text {number}"}) for number in range(3)]

    async def work() -> None:
        registry = ToolRegistry()
        registry.register_all(resolve_tools([note]))
        executor = Executor(registry)
        try:
            await BatchExecutor(executor=executor).run(BatchPlan(name="notes", steps=tuple(steps)), journal=path)
        finally:
            await executor.aclose()

    asyncio.run(work())
    return path


def damages(lines: list[bytes]) -> Iterator[tuple[str, list[bytes]]]:
    """Give every journal in which one line is gone, twice there, in another place, or says something else."""
    # Without its last line it is that of a run that was interrupted then, which nothing is wrong with.
    for at in range(len(lines) - 1):
        yield f"line {at} gone", [*lines[:at], *lines[at + 1 :]]
        yield f"lines {at} and {at + 1} swapped", [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
    for at, line in enumerate(lines):
        yield f"line {at} twice", [*lines[: at + 1], *lines[at:]]
        yield f"line {at} emptied", [*lines[:at], b"\n", *lines[at + 1 :]]
        yield f"line {at} of zeros", [*lines[:at], b"\0" * (len(line) - 1) + b"\n", *lines[at + 1 :]]
        for place in range(3, len(line) - 1, 7):
            flipped = line[:place] + bytes([line[place] ^ 0x01]) + line[place + 1 :]
            yield f"line {at} flipped at {place}", [*lines[:at], flipped, *lines[at + 1 :]]


def test_a_journal_with_any_line_gone_moved_or_changed_is_told(tmp_path: Path) -> None:
    path = journal_in(tmp_path)
    whole = path.read_bytes()
    assert past_run(path).is_over
    assert is_over(path)
    for name, lines in damages(whole.splitlines(keepends=True)):
        path.write_bytes(b"".join(lines))
        with pytest.raises(HistoryError):
            pytest.fail(f"{name}: {past_run(path)!r}")


def test_a_journal_that_is_cut_off_anywhere_counts_up_to_its_last_whole_line(tmp_path: Path) -> None:
    path = journal_in(tmp_path)
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for size in range(first, len(whole), 11):
        path.write_bytes(whole[:size])
        assert set(past_run(path).ended) <= {"s0", "s1", "s2"}
    path.write_bytes(b"")
    with pytest.raises(HistoryError, match="is empty"):
        past_run(path)


def test_a_damaged_run_is_told_by_the_command_line_and_stays(tmp_path: Path, cli: Command) -> None:
    folder = tmp_path / "data" / "batches"
    folder.mkdir(parents=True)
    path = journal_in(folder)
    lines = path.read_bytes().splitlines(keepends=True)
    damaged = b"".join([*lines[:2], *lines[3:]])
    path.write_bytes(damaged)
    code, _, said = cli("batch", "status", "run")
    assert code == 5
    assert "does not follow the one before it: one is missing or changed" in said
    code, _, said = cli("batch", "resume", "run")
    assert code == 5
    assert path.read_bytes() == damaged


@pytest.mark.parametrize("left", [b"", b"\n\n", b" \t\r\n", b"\0" * 512, b"\xef\xbb\xbf"])
@pytest.mark.parametrize("whose", ["person", "project"])
def test_an_emptied_policy_asks_about_everything_and_says_so(tmp_path: Path, left: bytes, whose: str) -> None:
    mine, project = tmp_path / "policy.toml", tmp_path / "project"
    theirs = project / ".tool-console" / "policy.toml"
    theirs.parent.mkdir(parents=True)
    (mine if whose == "person" else theirs).write_bytes(left)
    policy = Policy(user_file=mine, project_dir=project)
    (problem,) = policy.problems
    assert "it is empty; bring its rules back, or delete the file" in problem
    assert policy.explain(resolve_tools([note])[0], {"text": "x"}, "you", ()).effect is Effect.ASK


def test_rules_that_were_emptied_while_the_program_runs_are_missed(tmp_path: Path) -> None:
    mine = tmp_path / "policy.toml"
    policy = Policy(user_file=mine)
    policy.add(Rule(id="no", effect=Effect.DENY, tool="drop"))
    mine.write_bytes(b"")
    policy.refresh()
    assert policy.problems
    assert policy.explain(resolve_tools([note])[0], {"text": "x"}, "you", ()).effect is Effect.ASK


def test_a_policy_without_any_rules_left_is_not_an_emptied_one(tmp_path: Path) -> None:
    mine = tmp_path / "policy.toml"
    policy = Policy(user_file=mine)
    policy.add(Rule(id="no", effect=Effect.DENY, tool="drop"))
    policy.remove("no")
    again = Policy(user_file=mine)
    assert (again.problems, again.rules) == ((), ())
    assert mine.read_bytes()
    again.add(Rule(id="yes", effect=Effect.DENY, tool="drop"))
    assert [placed.rule.id for placed in Policy(user_file=mine).rules] == ["yes"]


def test_an_emptied_policy_is_told_by_the_command_line(tmp_path: Path, cli: Command) -> None:
    assert cli("policy", "deny", "delete_file")[0] == 0
    (tmp_path / "config" / "policy.toml").write_bytes(b"")
    code, _, said = cli("policy", "list")
    assert code == 0
    assert "so every call is asked about: it is empty" in said
    assert cli("policy", "deny", "write_file")[0] == 5
    assert cli("call", "calculate", "expression=1", "--yes")[0] == 3


def test_an_emptied_history_is_told_and_a_new_one_begun(tmp_path: Path, cli: Command) -> None:
    assert cli("call", "calculate", "expression=6*7")[0] == 0
    file = tmp_path / "data" / "history" / "history.sqlite"
    file.write_bytes(b"")
    code, out, said = cli("history", "--output", "json")
    assert (code, json.loads(out)) == (0, [])
    assert "The history was emptied by another program or a crash: the calls before now are gone from it." in said
    assert cli("call", "calculate", "expression=1")[0] == 0
    code, out, said = cli("history", "--output", "json")
    assert (len(json.loads(out)), said) == (1, "")


def test_the_first_history_of_all_is_none_that_was_emptied(tmp_path: Path) -> None:
    (tmp_path / "history.sqlite").touch()
    history = History(tmp_path)
    assert history.open().message == ""
    assert history.search(HistoryQuery()).rows == ()
    history.close()
