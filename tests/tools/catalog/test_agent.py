"""What agents keep for a project: memories, a plan, notes and variables."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, failure_of, result_of
from tools.catalog.agent import AgentMemory


class Kept:
    """What is kept for one project, at times that a test sets."""

    def __init__(self, folder: Path) -> None:
        self.at = datetime(2026, 3, 10, 9, tzinfo=UTC)
        self._project, data = folder / "project", folder / "data"
        self._project.mkdir()
        self._kit = AgentMemory(lambda: data, lambda: self.at)

    def run(self, name: str, /, **arguments: Any) -> Any:
        return result_of(self._kit, name, arguments, self._project, Reviewer())

    def failure(self, name: str, /, **arguments: Any) -> str:
        return failure_of(self._kit, name, arguments, self._project, Reviewer())


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


def test_a_memory_is_recalled_by_its_words_until_it_is_deleted(kept: Kept) -> None:
    assert not kept.run("save_memory", name="release day", text="Releases go out on Thursdays.").replaced
    kept.run("save_memory", name="tests", text="Run make test.")

    assert [one.name for one in kept.run("recall_memory", words="thursday")] == ["release day"]
    assert kept.run("save_memory", name="release day", text="Fridays now.").replaced
    assert {one.name: one.text for one in kept.run("recall_memory")} == {
        "release day": "Fridays now.",
        "tests": "Run make test.",
    }
    assert kept.run("delete_memory", name="tests").was_there
    assert not kept.run("delete_memory", name="tests").was_there
    assert [one.name for one in kept.run("recall_memory")] == ["release day"]


def test_a_secret_is_not_remembered(kept: Kept) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    assert secret not in kept.failure("save_memory", name="token", text=f"It is {secret}")
    assert kept.run("recall_memory") == []


def test_a_plan_knows_what_comes_next(kept: Kept) -> None:
    kept.run("make_plan", steps=["look", "write", "test"])
    kept.run("update_plan", number=1, state="done", note="seen")
    plan = kept.run("update_plan", number=2, state="skipped")

    assert [(one.number, one.text, one.state, one.note) for one in plan.steps] == [
        (1, "look", "done", "seen"),
        (2, "write", "skipped", ""),
        (3, "test", "todo", ""),
    ]
    assert (plan.done, plan.next_step.text) == (2, "test")
    assert [one.text for one in kept.run("show_plan", open_only=True).steps] == ["test"]
    assert kept.failure("update_plan", number=4, state="done") == (
        "expected the number of a step, got 4: the plan has 3 steps"
    )
    assert kept.run("make_plan", steps=["again"]).done == 0


def test_notes_are_read_in_order_and_since_a_time(kept: Kept) -> None:
    kept.run("add_note", text="first")
    kept.at += timedelta(hours=1)
    kept.run("add_note", text="second")

    assert [one.text for one in kept.run("read_notes")] == ["first", "second"]
    assert [one.text for one in kept.run("read_notes", since="2026-03-10T10:00:00Z")] == ["second"]
    assert [one.text for one in kept.run("read_notes", limit=1)] == ["second"]


def test_variables_are_set_listed_and_taken_away(kept: Kept) -> None:
    kept.run("set_variable", name="test.command", value="make test")
    kept.run("set_variable", name="language", value="Python")

    assert kept.run("list_variables") == {"test.command": "make test", "language": "Python"}
    assert kept.run("list_variables", beginning="test.") == {"test.command": "make test"}
    assert kept.run("set_variable", name="language", value="").replaced
    assert kept.run("list_variables") == {"test.command": "make test"}


def test_a_condition_holds_or_fails_with_the_message(kept: Kept) -> None:
    assert kept.run("assert_that", expression="len(rows) == 2 and rows[0] > 1", values={"rows": [2, 1]}).holds
    failed = kept.failure("assert_that", expression="n > 3", values={"n": 2}, message="too few")
    assert failed.startswith("too few: ")
