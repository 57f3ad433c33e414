"""Secrets in batches: what is written down is sealed, and nobody is shown what a tool hides."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict

import pytest

from tests.tools.batch.test_journal import chained
from tests.tools.running import run
from tools import Executor, ToolFailure, ToolRegistry, resolve_tools, security, tool
from tools.batch import BatchExecutor, BatchListener, BatchPlan, BatchResult, BatchRun, Rows, Step, StepState
from tools.batch.exporting import WRITERS, lines_of
from tools.batch.journal import Journal
from tools.batch.runs import PastRun, read_journal
from tools.calls import MASK
from tools.cli import main
from tools.discovery import PluginList
from tools.errors import HistoryError, VaultError
from tools.vault import Vault
from tools.workbench import Workbench

pytestmark = pytest.mark.expects_log("tools.batch.listener")

CANARY = "canary-7f3a"
KEY = bytes(range(32))


class Account(TypedDict):
    """Somebody, and what opens their door."""

    user: str
    token: str


@security(mask_fields=("token", "result.token"))
@tool(idempotent=True)
def sign_in(user: str, token: str) -> Account:
    """Sign in."""
    return {"user": user, "token": token}


@security(sensitive=True)
@tool(idempotent=True)
def open_door(key: str) -> str:
    """Open a door."""
    return f"opened with {key}"


@security(sensitive=True)
@tool(idempotent=True)
def jam(key: str) -> str:
    """Fail, and say what with."""
    message = f"the key {key} does not fit"
    raise ToolFailure(message)


@tool(idempotent=True)
def length(text: str) -> int:
    """Count letters."""
    return len(text)


class Said(BatchListener):
    """Keep every word that a listener is told."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def on_tool_complete(self, name: str, success: bool, completed: int, total: int) -> None:
        self.words.append(f"{name} {success}")

    def on_state_change(self, name: str, state: StepState, reason: str) -> None:
        self.words.append(f"{name} {state} {reason}")


PLAN = BatchPlan(
    name="doors",
    steps=(
        Step(id="account", tool="sign_in", arguments={"user": "ann", "token": CANARY}),
        Step(id="door", tool="open_door", arguments={"key": "${steps.account.result.token}"}),
        Step(id="doors", tool="open_door", rows=Rows(values=[CANARY, f"{CANARY}-2"]), arguments={"key": "${row}"}),
        Step(id="accounts", tool="sign_in", rows=Rows(values=[CANARY]), arguments={"user": "bob", "token": "${row}"}),
        Step(id="jammed", tool="jam", arguments={"key": CANARY}),
        Step(id="letters", tool="length", arguments={"text": "${steps.account.result.token}"}),
        Step(id="odd", tool="length", condition="length(steps.letters.result) > `1`", arguments={"text": "a"}),
        Step(id="odder", tool="length", arguments={"text": "${to_string(abs(steps.account.result.token))}"}),
    ),
)


def registry() -> ToolRegistry:
    return ToolRegistry(resolve_tools([sign_in, open_door, jam, length]))


def going(act: Callable[[BatchExecutor], BatchRun], vault: Vault | None, folder: Path) -> tuple[BatchRun, BatchResult]:
    async def body() -> tuple[BatchRun, BatchResult]:
        executor = Executor(registry(), project_dir=folder)
        begun = act(BatchExecutor(executor=executor, vault=vault))
        try:
            return begun, await begun.go()
        finally:
            begun.close()
            await executor.aclose()

    done: tuple[BatchRun, BatchResult] = run(body())
    return done


def past_of(path: Path) -> PastRun:
    with Journal(path, Vault(KEY)) as journal:
        return read_journal(journal)


def test_the_real_results_go_on_and_nobody_is_shown_them(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, said = tmp_path / "run.jsonl", Said()
    _, result = going(lambda batches: batches.prepare(PLAN, listener=said, journal=path), Vault(KEY), tmp_path)

    assert result.results["letters"].result == len(CANARY)
    assert result.results["account"].result == {"user": "ann", "token": CANARY}
    assert result.results["account"].display == {"user": "ann", "token": MASK}
    assert result.results["door"].display == MASK
    assert list(result.results["doors"].display) == [MASK, MASK]
    assert list(result.results["accounts"].display) == [{"user": "bob", "token": MASK}]
    assert result.results["jammed"].error == "it failed; its tool is sensitive, so no more is told"
    assert result.results["odder"].error == (
        "${to_string(abs(steps.account.result.token))} cannot be worked out: abs() expects number, got string"
    )

    assert CANARY not in path.read_text("utf-8")
    assert CANARY not in "\n".join(said.words)
    assert CANARY not in caplog.text
    for past in (result, past_of(path).result):
        for written in (*(form(PLAN, past) for form in WRITERS.values()), lines_of(past)):
            assert CANARY not in "".join(written)


def test_a_sealed_run_goes_on_with_the_real_values(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    going(lambda batches: batches.prepare(PLAN, journal=path), Vault(KEY), tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if b'"letters"' not in line and b"over" not in line))
    # What is sealed belongs to its place, so only the end may be gone.
    path.write_bytes(b"".join(lines[: next(at for at, line in enumerate(lines) if b'"end":"letters"' in line)]))

    run_, result = going(lambda batches: batches.resume(path), Vault(KEY), tmp_path)
    assert result.results["letters"].result == len(CANARY)
    assert result.results["account"].display == {"user": "ann", "token": MASK}
    assert run_.plan == PLAN
    assert CANARY not in path.read_text("utf-8")


def test_sealed_lines_open_only_in_their_place_and_with_their_key(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    going(lambda batches: batches.prepare(PLAN, journal=path), Vault(KEY), tmp_path)
    with Journal(path, Vault(bytes(32))) as journal, pytest.raises(HistoryError, match=r"is sealed, .* another key"):
        read_journal(journal)
    lines = path.read_bytes().splitlines(keepends=True)
    ends = [at for at, line in enumerate(lines) if b'"sealed"' in line and b'"end"' in line]
    first, second = ends[:2]
    lines[first], lines[second] = lines[second], lines[first]
    path.write_bytes(chained(map(json.loads, lines)))
    with Journal(path, Vault(KEY)) as journal, pytest.raises(HistoryError, match="is sealed"):
        read_journal(journal)


def test_a_plan_that_hides_nothing_is_written_in_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    plain = BatchPlan(steps=(Step(id="one", tool="length", arguments={"text": "abc"}),))
    going(lambda batches: batches.prepare(plain, journal=path), None, tmp_path)
    assert json.loads(path.read_text("utf-8").splitlines()[0])["plan"]["steps"][0]["arguments"] == {"text": "abc"}


@pytest.mark.parametrize("goes_on_later", [False, True], ids=["at once", "in the next program"])
async def test_a_plan_that_is_mended_with_a_secret_is_sealed_from_then_on(tmp_path: Path, goes_on_later: bool) -> None:
    path = tmp_path / "run.jsonl"
    plain = BatchPlan(steps=(Step(id="one", tool="length", arguments={"text": 3}),))
    mended = BatchPlan(steps=(Step(id="one", tool="open_door", arguments={"key": CANARY}),))
    executor = Executor(registry())
    begun = BatchExecutor(executor=executor, vault=Vault(KEY)).prepare(
        BatchPlan(steps=(plain.steps[0].model_copy(update={"arguments": {"text": "${to_string(abs('a'))}"}}),)),
        journal=path,
    )
    await begun.go()
    begun.revise(mended)
    begun.retry("one")
    if goes_on_later:
        begun.close()
        begun = BatchExecutor(executor=executor, vault=Vault(KEY)).resume(path)
    await begun.go()
    begun.close()
    await executor.aclose()
    assert CANARY not in path.read_text("utf-8")
    assert past_of(path).plan.steps == mended.steps


async def test_without_a_key_a_run_is_neither_mended_with_a_secret_nor_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    plain = BatchPlan(steps=(Step(id="one", tool="length", arguments={"text": "${to_string(abs('a'))}"}),))
    mended = BatchPlan(steps=(Step(id="one", tool="open_door", arguments={"key": CANARY}),))
    executor = Executor(registry())
    keyless = BatchExecutor(executor=executor)
    begun = keyless.prepare(plain, journal=path)
    await begun.go()
    with pytest.raises(VaultError, match="no key for encryption"):
        begun.revise(mended)
    assert begun.plan == plain
    begun.close()
    begun = BatchExecutor(executor=executor, vault=Vault(KEY)).resume(path)
    begun.revise(mended)
    begun.close()
    with pytest.raises(HistoryError, match="no key for encryption"):
        keyless.resume(path)
    await executor.aclose()
    assert CANARY not in path.read_text("utf-8")


def test_without_a_key_nothing_runs_and_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with pytest.raises(VaultError, match="no key for encryption"):
        going(lambda batches: batches.prepare(PLAN, journal=path), None, tmp_path)
    assert not path.exists()


def test_the_command_line_says_how_to_go_on_without_a_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps(PLAN.model_dump(mode="json", by_alias=True, exclude_defaults=True)), "utf-8")

    def obey(*words: str) -> int:
        bench = Workbench(PluginList(tmp_path / "plugins.toml"))
        bench.registry.register_all(resolve_tools([sign_in, open_door, jam, length]))
        return main(["batch", *words], workbench=bench)

    assert obey("run", str(plan), "--no-history") == 5
    assert "--no-journal runs it without writing anything down" in capsys.readouterr().err
    assert obey("run", str(plan), "--no-history", "--no-journal", "--yes", "--format", "json") == 5
    said: Any = capsys.readouterr()
    assert json.loads(said.out)["results"]["letters"]["result"] == len(CANARY)
    assert CANARY not in said.out + said.err
    assert "goes on" not in said.err
    assert obey("status") == 0
    assert not capsys.readouterr().out
