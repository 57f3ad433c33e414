"""Calls that a person changed, and the time a person took: what ran is shown, and what was asked for is kept beside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tools.history.recording import record_of
from tests.tools.running import Answers, run
from tools import Continue, Edit, Executor, ReviewDecision, ToolRegistry, resolve_tools, security, tool
from tools.cli import main
from tools.history import History, HistoryQuery

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.history.recording import HistoryOf


@tool(requires_confirmation=True)
def wipe(path: str, deep: bool = False) -> str:
    """Wipe something."""
    return f"wiped {path}{' and below' if deep else ''}"


@tool(requires_confirmation=True)
@security(encrypt=True)
def sealed(path: str) -> str:
    """Do something that is kept sealed, or not at all without a key."""
    return path


def record_one(history: History, folder: Path, *decisions: ReviewDecision, name: str = "wipe") -> Executor:
    registry = ToolRegistry(resolve_tools([wipe, sealed]))
    executor = Executor(registry, history=history, project_dir=folder, review_handler=Answers(*decisions))
    executor.run(name, {"path": "everything"}, caller="agent:mira")
    history.flush()
    return executor


def test_a_list_shows_the_arguments_that_ran_and_those_that_were_asked_for(
    history_of: HistoryOf, tmp_path: Path
) -> None:
    history = history_of()
    executor = record_one(history, tmp_path, Edit({"path": "exports", "deep": True}))
    (row,) = history.search(HistoryQuery()).rows
    assert (row.edited, row.arguments_text) == (True, 'path="exports" deep=true')
    assert row.asked_text.startswith('path="everything"')
    record = history.get(row.id)
    assert record is not None
    assert record.edits[0].words() == 'path: "everything" → "exports"'
    assert [edit.after for edit in record.edits] == ['"exports"', "true"]
    assert record.final_arguments == {"path": "exports", "deep": True}
    executor.close()


@pytest.mark.parametrize("word", ["everything", "exports"])
def test_both_are_found(history_of: HistoryOf, tmp_path: Path, word: str) -> None:
    history = history_of()
    executor = record_one(history, tmp_path, Edit({"path": "exports"}))
    assert len(history.search(HistoryQuery(text=word)).rows) == 1
    executor.close()


def test_an_edit_too_large_for_the_row_is_listed_all_the_same(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()
    executor = record_one(history, tmp_path, Edit({"path": "x" * 300_000}))
    (row,) = history.search(HistoryQuery()).rows
    assert "xxxx" in row.arguments_text
    assert row.asked_text.startswith('path="everything"')
    assert row.review_s > 0
    executor.close()


def test_waiting_for_a_person_is_kept_apart_from_the_time_a_call_took(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()
    executor = record_one(history, tmp_path, Continue())
    (row,) = history.search(HistoryQuery()).rows
    record = history.get(row.id)
    assert record is not None
    assert 0 < row.review_s <= row.elapsed_s
    assert row.own_s == pytest.approx(row.elapsed_s - row.review_s)
    assert (record.review_s, record.own_s) == (row.review_s, row.own_s)
    executor.close()


def test_a_call_that_nobody_was_asked_about_waited_for_nobody(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()

    @tool(read_only=True)
    def look(path: str) -> str:
        """Look."""
        return path

    executor = Executor(ToolRegistry(resolve_tools([look])), history=history, project_dir=tmp_path)
    call = executor.create_call("look", {"path": "a"}, caller="you")
    run(executor.execute(call))
    history.flush()
    record = record_of(history, call)
    assert (record.review_s, record.own_s) == (0.0, record.elapsed_s)
    executor.close()


def test_the_command_shows_what_ran_first_and_marks_the_edit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    history = History(tmp_path / "history")
    history.open()
    executor = record_one(history, tmp_path, Edit({"path": "exports"}, feedback="only these"))
    executor.close()
    history.close()
    folder = ("--folder", str(tmp_path / "history"))
    assert main(["history", "show", "last", *folder]) == 0
    shown = capsys.readouterr().out
    places = [shown.index(title) for title in ("\nArguments\n", "\nEdited\n", "\nAsked for\n", "\nAsked: ")]
    assert places == sorted(places)
    assert 'path: "everything" → "exports"' in shown
    assert main(["history", *folder]) == 0
    listed = capsys.readouterr().out
    assert listed.index('path="exports"') < listed.index('asked for path="everything"')
