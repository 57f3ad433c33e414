from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from tests.tools.audit.logs import KEY, bodies_in, documents_in, kinds_in, lines_in
from tests.tools.running import Answers, ExecutorOf, execute, run
from tools import Advice, AuditLevel, Continue, Edit, ExitEarly, ToolContext, security, tool
from tools.audit import AuditLog, read_head, verify
from tools.audit import log as log_module
from tools.audit.describing import Note, draft_of, note_of
from tools.audit.folder import HEAD
from tools.calls import CallProposed, Event
from tools.policy import Autonomy, Effect, Policy, Rule, RuleLocation

LONG = "x" * 3000


@tool(isolation="inline")
def add(a: int, b: int) -> int:
    """Add."""
    return a + b


@tool(isolation="inline")
@security(audit="none")
def unseen() -> str:
    """Leave no trace."""
    return "seen"


@tool(isolation="inline")
@security(audit="basic")
def brief(word: str) -> str:
    """Say little."""
    raise ValueError(word)


@tool(isolation="inline")
@security(audit="standard", mask_fields=["token"])
def usual(text: str, token: str = "") -> str:
    """Say the usual."""
    return text


@tool(isolation="inline")
@security(audit="full", mask_fields=["token"])
def whole(text: str, token: str = "") -> str:
    """Say all."""
    return text


@tool(isolation="inline")
@security(audit="full", sensitive=True)
async def secret(word: str, ctx: ToolContext) -> str:
    """Keep a secret."""
    await ctx.request_approval(f"may I say {word}?")
    return word


@tool(isolation="inline")
@security(audit="full", encrypt=True)
def encrypted(word: str) -> str:
    """Keep it encrypted."""
    return word


@tool(isolation="inline", requires_confirmation=True)
def guarded(word: str) -> str:
    """Ask first."""
    return word


@tool(isolation="inline")
def change(words: list[str]) -> int:
    """Change its argument."""
    words.clear()
    return 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "audit"


@pytest.fixture
def audited(folder: Path, executor_of: ExecutorOf) -> Any:
    """Run one call under an audit log, and return what the entries say."""

    def call(
        target: Any, arguments: dict[str, Any], *, decisions: Any = (), policy: Policy | None = None, **options: Any
    ) -> list[dict[str, Any]]:
        with AuditLog(folder, **options) as audit:
            executor = executor_of(target, review_handler=Answers(*decisions), listeners=[audit], policy=policy)
            run(execute(executor, target.__name__, arguments))
            assert audit.flush()
            assert verify(folder).entries == len(documents_in(folder))
        assert verify(folder, key=options.get("key")).intact
        return list(bodies_in(folder))

    return call


def test_its_thread_lets_whoever_goes_first_go_before_each_entry(audited: Any) -> None:
    asked_by: list[str] = []
    entries = audited(add, {"a": 1, "b": 2}, yield_to_ui=lambda: asked_by.append(threading.current_thread().name))
    assert set(asked_by) == {"audit"}
    assert len(asked_by) >= len(entries)


class TestLevels:
    @pytest.mark.reference("A28", "A37")
    def test_a_call_is_proposed_executed_and_returned(self, audited: Any) -> None:
        proposed, executed, returned = audited(add, {"a": 1, "b": 2}, run="run-1")
        assert proposed == {
            "time": proposed["time"],
            "kind": "proposed",
            "run": "run-1",
            "call": "1",
            "caller": "you",
            "tool": "add",
            "version": "1.0.0",
            "digest": proposed["digest"],
            "level": "standard",
            "arguments": {"a": 1, "b": 2},
        }
        assert proposed["time"].endswith("Z")
        assert len(proposed["digest"]) == 64
        assert (executed["kind"], executed["step"], executed["outcome"]) == ("executed", "attempt", "ok")
        assert (returned["kind"], returned["status"], returned["attempts"]) == ("returned", "executed", 1)
        assert "result" not in returned

    @pytest.mark.reference("A28")
    def test_none_writes_nothing(self, audited: Any) -> None:
        assert audited(unseen, {}) == []

    @pytest.mark.reference("A28")
    def test_basic_has_no_arguments_and_no_words(self, audited: Any, folder: Path) -> None:
        audited(brief, {"word": "hush"})
        assert kinds_in(folder) == ["proposed", "executed", "returned"]
        assert b"hush" not in b"".join(lines_in(folder))
        assert list(bodies_in(folder))[2]["error_kind"] == "tool"

    @pytest.mark.reference("A28", "A37")
    def test_standard_shortens_and_masks(self, audited: Any, folder: Path) -> None:
        proposed, *_ = audited(usual, {"text": LONG, "token": "hush"})
        assert proposed["arguments"]["text"] == "x" * 199 + "…"
        assert b"hush" not in b"".join(lines_in(folder))

    @pytest.mark.reference("A28", "A37")
    def test_full_has_everything_but_what_is_masked(self, audited: Any, folder: Path) -> None:
        proposed, _, returned = audited(whole, {"text": LONG, "token": "hush"})
        assert proposed["arguments"]["text"] == returned["result"] == LONG
        assert len(returned["result_digest"]) == 64
        assert b"hush" not in b"".join(lines_in(folder))

    def test_a_result_that_is_too_large_has_its_beginning_and_its_digest(self, audited: Any) -> None:
        _, _, returned = audited(whole, {"text": "y" * 3_000_000})
        assert len(returned["result"]["beginning"]) == 1 << 20
        assert len(returned["result_digest"]) == 64

    def test_of_a_sensitive_tool_there_are_only_commitments(self, audited: Any, folder: Path) -> None:
        audited(secret, {"word": "hush"}, decisions=[Continue()])
        assert b"hush" not in b"".join(lines_in(folder))
        documents = documents_in(folder)
        assert [document["body"]["kind"] for document in documents] == [
            "proposed",
            "shown",
            "decided",
            "executed",
            "returned",
        ]
        assert set(documents[0]["withheld"]) == {"arguments"}
        assert set(documents[4]["withheld"]) == {"result", "result_digest"}

    def test_what_is_stored_encrypted_is_not_written_here(self, audited: Any, folder: Path) -> None:
        audited(encrypted, {"word": "hush"})
        assert b"hush" not in b"".join(lines_in(folder))

    @pytest.mark.parametrize(("level", "entries"), [("none", 0), ("basic", 3), ("standard", 3), ("full", 3)])
    def test_the_log_has_a_level_for_tools_that_say_nothing(self, audited: Any, level: str, entries: int) -> None:
        said = audited(add, {"a": 1, "b": 2}, level=AuditLevel(level))
        assert len(said) == entries
        assert [("arguments" in body, "result" in body) for body in said[::2]] == {
            "none": [],
            "basic": [(False, False), (False, False)],
            "standard": [(True, False), (False, False)],
            "full": [(True, False), (False, True)],
        }[level]


class TestReviews:
    def test_what_was_shown_and_decided_are_entries(self, audited: Any) -> None:
        proposed, shown, decided, executed, returned = audited(
            guarded, {"word": "a"}, decisions=[Edit({"word": "b"}, feedback="better so")]
        )
        assert proposed["arguments"] == shown["arguments"] == {"word": "a"}
        assert (shown["kind"], shown["timing"], shown["reasons"]) == ("shown", "before_execution", ["confirmation"])
        assert (decided["kind"], decided["decision"], decided["words"]) == ("decided", "edit", "better so")
        assert decided["arguments"] == returned["arguments"] == {"word": "b"}
        assert decided["review"] == shown["review"]
        assert decided["by"] == "Answers"
        assert executed["kind"] == "executed"

    def test_what_judged_a_call_is_in_both(self, audited: Any) -> None:
        policy = Policy(autonomy=Autonomy.SUPERVISED)
        policy.add(Rule(id="asks", effect=Effect.ASK, tool="guarded", required_role=""), RuleLocation.SESSION)
        refusal = ExitEarly("not now", advice=Advice.STOP, remembered="rule-7")
        _, shown, decided, _ = audited(guarded, {"word": "a"}, decisions=[refusal], policy=policy)
        assert (shown["rule"], shown["risk"], len(shown["bound_to"])) == ("asks", "unknown", 64)
        assert "guarded" in shown["why"]
        assert (decided["advice"], decided["remembered"]) == ("stop", "rule-7")

    def test_what_a_rule_decides_is_told_like_any_other_decision(self, audited: Any) -> None:
        policy = Policy(autonomy=Autonomy.SUPERVISED)
        policy.add(Rule(id="never", effect=Effect.DENY, tool="guarded"), RuleLocation.SESSION)
        _, shown, decided, returned = audited(guarded, {"word": "a"}, policy=policy)
        assert (shown["kind"], shown["rule"]) == ("shown", "never")
        assert (decided["decision"], decided["by"]) == ("exit_early", "rule never")
        assert (returned["status"], returned["attempts"]) == ("denied", 0)

    def test_a_refused_call_was_never_executed(self, audited: Any) -> None:
        *_, decided, returned = audited(guarded, {"word": "a"}, decisions=[ExitEarly("not now")])
        assert (decided["decision"], decided["timed_out"], decided["words"]) == ("exit_early", False, "not now")
        assert (returned["kind"], returned["status"]) == ("returned", "denied")

    def test_the_arguments_are_those_that_were_proposed_whatever_the_tool_makes_of_them(self, audited: Any) -> None:
        proposed, *_ = audited(change, {"words": ["a", "b"]})
        assert proposed["arguments"] == {"words": ["a", "b"]}


class TestWriting:
    def test_a_key_seals_what_is_written(self, audited: Any, folder: Path) -> None:
        audited(add, {"a": 1, "b": 2}, key=KEY)
        assert all("seal" in document for document in documents_in(folder))

    def test_a_log_goes_on_where_the_last_one_ended(self, audited: Any, folder: Path) -> None:
        audited(add, {"a": 1, "b": 2})
        audited(add, {"a": 1, "b": 2})
        documents = documents_in(folder)
        assert [document["seq"] for document in documents] == list(range(1, 7))
        assert documents[0]["body"]["run"] != documents[3]["body"]["run"]

    def test_several_logs_write_into_one_folder_at_a_time(self, folder: Path, executor_of: ExecutorOf) -> None:
        logs = [AuditLog(folder, run=f"run-{number}") for number in range(3)]

        def work(audit: AuditLog) -> None:
            with audit:
                executor = executor_of(add, listeners=[audit])
                for number in range(30):
                    executor.run("add", {"a": number, "b": 0})

        threads = [threading.Thread(target=work, args=(audit,)) for audit in logs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        report = verify(folder)
        assert report.intact
        assert report.entries == 3 * 30 * 3
        own = [body["call"] for body in bodies_in(folder) if body["run"] == "run-1" and body["kind"] == "proposed"]
        assert own == [str(number) for number in range(1, 31)]

    def test_an_empty_log_leaves_an_anchor(self, folder: Path) -> None:
        with AuditLog(folder) as audit:
            assert audit.flush()
        head = read_head(folder)
        assert head is not None
        assert head.seq == 0

    def test_closing_writes_what_is_left_and_closing_twice_is_fine(self, folder: Path, executor_of: ExecutorOf) -> None:
        audit = AuditLog(folder)
        audit.open()
        executor = executor_of(add, listeners=[audit])
        for _ in range(50):
            executor.run("add", {"a": 1, "b": 2})
        audit.close()
        audit.close()
        assert verify(folder).entries == 150


class TestFaults:
    @pytest.fixture
    def broken(self, folder: Path) -> Any:
        """Make a folder whose anchor cannot be moved, until it is mended."""
        folder.mkdir()
        stone = folder / f"{HEAD}.new"
        stone.mkdir()
        return stone.rmdir

    @pytest.mark.expects_log("tools.audit.log")
    def test_a_log_that_cannot_be_written_says_so_and_calls_go_on(
        self, folder: Path, broken: Any, executor_of: ExecutorOf, monkeypatch: pytest.MonkeyPatch, caplog: Any
    ) -> None:
        monkeypatch.setattr(log_module, "RETRY_S", 0.01)
        with AuditLog(folder) as audit:
            executor = executor_of(add, listeners=[audit])
            assert executor.run("add", {"a": 1, "b": 2}).result == 3
            assert not audit.flush()
            assert not audit.flush()
            assert f"the audit log in {folder} cannot be written" in audit.problem
            assert len([record for record in caplog.records if record.levelname == "ERROR"]) == 1
            broken()
            while audit.problem:
                audit.flush()
            assert executor.run("add", {"a": 1, "b": 2}).result == 3
        assert kinds_in(folder) == ["proposed", "executed", "returned"] * 2
        assert verify(folder).intact

    @pytest.mark.expects_log("tools.audit.log")
    def test_events_that_do_not_fit_any_more_are_counted(
        self, folder: Path, broken: Any, executor_of: ExecutorOf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(log_module, "CROWDED", 10)
        with AuditLog(folder) as audit:
            executor = executor_of(add, listeners=[audit])
            audit.flush()
            for _ in range(10):
                executor.run("add", {"a": 1, "b": 2})
            broken()
            while not audit.flush():
                pass
        bodies = list(bodies_in(folder))
        lost = sum(body["count"] for body in bodies if body["kind"] == "lost")
        assert lost >= 10
        assert lost + sum(body["kind"] != "lost" for body in bodies) == 30
        assert verify(folder).intact

    @pytest.mark.expects_log("tools.audit.log")
    def test_what_was_never_written_is_told_at_the_end(
        self, folder: Path, broken: Any, executor_of: ExecutorOf, caplog: Any
    ) -> None:
        with AuditLog(folder) as audit:
            executor_of(add, listeners=[audit]).run("add", {"a": 1, "b": 2})
        assert "3 audit events were never written" in caplog.text

    @pytest.mark.expects_log("tools.audit.log")
    def test_a_folder_that_is_a_file_is_a_problem_and_no_end(self, folder: Path, executor_of: ExecutorOf) -> None:
        folder.write_text("a file", encoding="utf-8")
        with AuditLog(folder) as audit:
            assert "cannot be written" in audit.problem
            assert executor_of(add, listeners=[audit]).run("add", {"a": 1, "b": 2}).result == 3
        assert folder.read_text(encoding="utf-8") == "a file"

    def test_calls_that_are_faster_than_the_disk_wait_for_it(
        self, folder: Path, executor_of: ExecutorOf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(log_module, "CROWDED", 10)
        monkeypatch.setattr(log_module, "BATCH", 5)
        with AuditLog(folder) as audit:
            executor = executor_of(add, listeners=[audit])
            for _ in range(40):
                executor.run("add", {"a": 1, "b": 2})
        assert kinds_in(folder) == ["proposed", "executed", "returned"] * 40

    @pytest.mark.expects_log("tools.audit.log")
    def test_an_event_that_nobody_foresaw_is_lost_and_counted(
        self, folder: Path, executor_of: ExecutorOf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(note: Any, run_name: str, level: AuditLevel) -> Any:
            if type(note.event).__name__ == "StepFinished":
                raise RuntimeError("unforeseen")
            return draft_of(note, run_name, level)

        monkeypatch.setattr(log_module, "draft_of", broken)
        with AuditLog(folder) as audit:
            executor = executor_of(add, listeners=[audit])
            executor.run("add", {"a": 1, "b": 2})
            assert audit.flush()
        assert kinds_in(folder) == ["proposed", "returned", "lost"]

    @pytest.mark.expects_log("tools.execution.services")
    def test_an_event_that_cannot_be_noted_is_a_loss_that_is_counted(
        self, folder: Path, executor_of: ExecutorOf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(event: Event, time: float, level: AuditLevel) -> Note | None:
            if isinstance(event, CallProposed):
                raise TypeError("unforeseen")
            return note_of(event, time, level)

        with AuditLog(folder) as audit:
            executor = executor_of(add, listeners=[audit])
            monkeypatch.setattr(log_module, "note_of", broken)
            assert executor.run("add", {"a": 1, "b": 2}).result == 3
        assert sorted(kinds_in(folder)) == ["executed", "lost", "returned"]

    def test_a_log_that_is_not_open_keeps_nobody_waiting(
        self, folder: Path, executor_of: ExecutorOf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(log_module, "CROWDED", 10)
        monkeypatch.setattr(log_module, "CROWDED_WAIT_S", 600.0)
        executor = executor_of(add, listeners=[AuditLog(folder)])
        for _ in range(10):
            executor.run("add", {"a": 1, "b": 2})
        assert not folder.exists()

    @pytest.mark.expects_log("tools.audit.log")
    def test_a_log_changed_from_outside_is_told_to_the_programs_log(
        self, audited: Any, folder: Path, caplog: Any
    ) -> None:
        audited(add, {"a": 1, "b": 2})
        (folder / HEAD).unlink()
        with AuditLog(folder) as audit:
            assert not audit.problem
        assert "was changed from outside: the anchor was missing" in caplog.text
