"""Call one toolkit's tools the way everybody does: through an `Executor`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.tools.catalog.sample_project import snapshot
from tools import (
    CallStatus,
    Continue,
    DryRun,
    Executor,
    ReviewDecision,
    ReviewRequest,
    ToolRegistry,
    ToolResponse,
    resolve_tools,
)

if TYPE_CHECKING:
    from pathlib import Path


class Reviewer:
    """Answer with the decisions given, then with Continue, and remember what was asked."""

    def __init__(self, *decisions: ReviewDecision) -> None:
        self._decisions = list(decisions)
        self.requests: list[ReviewRequest] = []

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        self.requests.append(request)
        return self._decisions.pop(0) if self._decisions else Continue()

    @property
    def kinds(self) -> list[str]:
        return [concern.kind for request in self.requests for concern in request.concerns]


def executor_for(kit: object, project_dir: Path, reviewer: Reviewer | None = None) -> Executor:
    return Executor(ToolRegistry(resolve_tools([kit])), project_dir=project_dir, review_handler=reviewer)


def call(
    kit: object, name: str, arguments: dict[str, Any], project_dir: Path, reviewer: Reviewer | None = None
) -> ToolResponse:
    executor = executor_for(kit, project_dir, reviewer)
    try:
        return executor.run(name, arguments)
    finally:
        executor.close()


def result_of(
    kit: object, name: str, arguments: dict[str, Any], project_dir: Path, reviewer: Reviewer | None = None
) -> Any:
    response = call(kit, name, arguments, project_dir, reviewer)
    assert response.status is CallStatus.EXECUTED, response.text
    return response.result


def failure_of(
    kit: object,
    name: str,
    arguments: dict[str, Any],
    project_dir: Path,
    reviewer: Reviewer | None = None,
    *,
    status: CallStatus = CallStatus.FAILED,
) -> str:
    """Return the message of a call whose tool fails, or ends in another way that is no success."""
    response = call(kit, name, arguments, project_dir, reviewer)
    assert response.status is status, response.text
    assert response.error is not None
    assert not response.error.traceback, response.error.traceback
    return response.error.message


def refusal_of(kit: object, name: str, arguments: dict[str, Any], project_dir: Path) -> str:
    """Return the message of a call that fails and leaves the project as it was."""
    before = snapshot(project_dir)
    message = failure_of(kit, name, arguments, project_dir, Reviewer())
    assert snapshot(project_dir) == before
    return message


def dry_run_of(kit: object, name: str, arguments: dict[str, Any], project_dir: Path) -> DryRun:
    """Return the dry run of a call, which leaves the project as it was."""
    before = snapshot(project_dir)
    executor = executor_for(kit, project_dir)
    try:
        found = asyncio.run(executor.preview(name, arguments))
    finally:
        executor.close()
    assert snapshot(project_dir) == before
    assert found is not None
    return found
