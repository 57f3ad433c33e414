"""Arguments that are secret by their type are shown to nobody, but reach the tool."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import SecretStr

from tools import Concern, Continue, Edit, Executor, PathRole, ReviewRequest, ToolRegistry, resolve_tools, tool
from tools.calls import MASK, Event


@tool(destructive=True)
def log_in(user: str, password: SecretStr) -> int:
    """Log in."""
    return len(password.get_secret_value())


def test_a_secret_reaches_the_tool_but_no_question_event_or_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "tools")
    asked: list[ReviewRequest] = []
    events: list[Event] = []

    def review(request: ReviewRequest) -> Continue:
        asked.append(request)
        return Continue()

    executor = Executor(ToolRegistry(resolve_tools([log_in])), review_handler=review, listeners=[events.append])
    response = executor.run("log_in", {"user": "mira", "password": "hunter2"})
    executor.close()
    assert response.result == 7
    assert asked[0].arguments == {"user": "mira", "password": MASK}
    assert events[-1].call.display_arguments()["password"] == MASK
    assert "hunter2" not in caplog.text


def test_an_edit_is_agreed_to_unless_it_gives_a_reason_of_another_kind(tmp_path: Path) -> None:
    def concerns(arguments: Mapping[str, Any], _project: Path) -> list[Concern]:
        return [Concern("deletes", "Deletes", f"{arguments['path'].name} is deleted")]

    @tool(concerns=concerns)
    def remove(path: Annotated[Path, PathRole(writes=True)]) -> str:
        """Remove something."""
        return path.name

    asked: list[ReviewRequest] = []

    def review_with(path: str) -> str:
        asked.clear()

        def review(request: ReviewRequest) -> Edit | Continue:
            asked.append(request)
            return Edit({"path": path}) if len(asked) == 1 else Continue()

        executor = Executor(ToolRegistry(resolve_tools([remove])), review_handler=review, project_dir=tmp_path)
        text = executor.run("remove", {"path": "a"}).text
        executor.close()
        return text

    assert review_with("b") == "b"
    assert len(asked) == 1
    assert review_with(str(tmp_path.parent / "c")) == "c"
    assert [concern.kind for concern in asked[1].concerns] == ["outside_project", "deletes"]
