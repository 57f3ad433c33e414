from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.audit.logs import kinds_in
from tests.tools.running import ExecutorOf
from tools import CallStatus, ToolCall, tool
from tools.audit import AuditLog
from tools.audit.folder import HEAD
from tools.execution.audit import only_audited
from tools.execution.filters import Allow, Block, CallAction


@tool(isolation="inline")
def act(word: str) -> str:
    """Act."""
    return word


def refuse(call: ToolCall, /) -> CallAction:
    return Block("not today")


async def allow(call: ToolCall, /) -> CallAction:
    return Allow()


def test_a_call_runs_when_its_proposal_is_on_the_disk(tmp_path: Path, executor_of: ExecutorOf) -> None:
    seen: list[list[str]] = []

    def look(call: ToolCall, /) -> CallAction:
        seen.append(kinds_in(tmp_path / "audit"))
        return Allow()

    with AuditLog(tmp_path / "audit") as audit:
        executor = executor_of(act, audit=audit, call_filter=only_audited(audit, look))
        assert executor.run("act", {"word": "a"}).result == "a"
    assert seen == [["proposed"]]


@pytest.mark.expects_log("tools.audit.log")
def test_nothing_runs_while_the_log_cannot_be_written(tmp_path: Path, executor_of: ExecutorOf) -> None:
    with AuditLog(tmp_path / "audit") as audit:
        executor = executor_of(act, audit=audit, call_filter=only_audited(audit))
        stone = tmp_path / "audit" / f"{HEAD}.new"
        stone.mkdir()
        response = executor.run("act", {"word": "a"})
        assert response.status is CallStatus.DENIED
        assert response.error is not None
        assert "nothing runs unseen, and the audit log in" in response.error.message
        stone.rmdir()
        while audit.problem:
            audit.flush()
        assert executor.run("act", {"word": "a"}).result == "a"
    assert kinds_in(tmp_path / "audit") == ["proposed", "returned", "proposed", "executed", "returned"]


def test_a_log_that_is_closed_takes_no_call(tmp_path: Path, executor_of: ExecutorOf) -> None:
    audit = AuditLog(tmp_path / "audit")
    executor = executor_of(act, audit=audit, call_filter=only_audited(audit))
    assert executor.run("act", {"word": "a"}).status is CallStatus.DENIED


def test_another_filter_decides_after_it(tmp_path: Path, executor_of: ExecutorOf) -> None:
    with AuditLog(tmp_path / "audit") as audit:
        refusing = executor_of(act, audit=audit, call_filter=only_audited(audit, refuse))
        assert refusing.run("act", {"word": "a"}).status is CallStatus.DENIED
        allowing = executor_of(act, audit=audit, call_filter=only_audited(audit, allow))
        assert allowing.run("act", {"word": "a"}).result == "a"
