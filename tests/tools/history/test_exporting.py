"""Recorded calls as files for other programs."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.history.recording import executor_for, record_calls
from tests.tools.running import Answers, run
from tools import Edit
from tools.errors import HistoryError
from tools.history import History, HistoryQuery

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.history.recording import HistoryOf

pytestmark = pytest.mark.expects_log("tools.calls")


@pytest.fixture
def filled(history_of: HistoryOf, tmp_path: Path) -> History:
    history = history_of()
    executor = executor_for(history, folder=tmp_path, handler=Answers(Edit({"path": "b"}, feedback="=cmd")))
    run(executor.execute(executor.create_call("erase", {"path": "a"})))
    record_calls(history, ("fail", {"message": "=1+1"}), ("echo", {"text": '"ü", \n;'}), ("draw", {"size": 5}))
    return history


def test_lines_hold_all_that_is_kept(filled: History, tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"

    assert filled.export(HistoryQuery(), path) == 4
    drawing, echo, failure, erased = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    assert (echo["arguments"], echo["result"], echo["status"]) == (
        {"text": '"ü", \n;', "times": 1},
        '"ü", \n;',
        "executed",
    )
    assert failure["error"]["message"] == "=1+1"
    assert (failure["error"]["kind"], failure["result"]) == ("tool", None)
    assert erased["edited_arguments"] == {"path": "b"}
    assert [decision["answer"] for decision in erased["decisions"]] == ["edit"]
    assert drawing["attachments"][0]["name"] == "square.png"
    assert drawing["logs"][0]["text"] == "drawing a turquoise square of 5"
    assert drawing["steps"][0]["name"] == "Validate arguments"
    assert drawing["proposed_at"].startswith("20")


def test_a_table_has_a_row_a_call_and_no_formulas(filled: History, tmp_path: Path) -> None:
    path = tmp_path / "calls.csv"

    assert filled.export(HistoryQuery(), path, "csv") == 4
    with path.open(encoding="utf-8", newline="") as file:
        rows: list[dict[str, Any]] = list(csv.DictReader(file))

    assert [row["tool"] for row in rows] == ["draw", "echo", "fail", "erase"]
    assert rows[1]["arguments"] == '{"text":"\\"ü\\", \\n;","times":1}'
    assert rows[2]["error"] == "'=1+1"
    assert rows[3]["decisions"] == "edit by Answers (=cmd)"
    assert float(rows[0]["elapsed_s"]) > 0


def test_a_query_and_its_limit_choose(filled: History, tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"

    assert filled.export(HistoryQuery(text="turquoise"), path) == 1
    assert filled.export(HistoryQuery(limit=3), path) == 3
    assert filled.export(HistoryQuery(tools=("nobody",)), path) == 0
    assert path.read_text(encoding="utf-8") == ""


def test_more_than_one_page_is_written_without_gaps(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()
    record_calls(history, *[("echo", {"text": str(n)}) for n in range(250)])
    path = tmp_path / "calls.jsonl"

    assert history.export(HistoryQuery(limit=10_000), path) == 250
    texts = [json.loads(line)["result"] for line in path.read_text(encoding="utf-8").splitlines()]
    assert texts == [str(n) for n in range(249, -1, -1)]


def test_a_file_that_cannot_be_written_is_told(filled: History, tmp_path: Path) -> None:
    with pytest.raises(HistoryError, match="cannot be written"):
        filled.export(HistoryQuery(), tmp_path / "nowhere" / "calls.jsonl")
    with pytest.raises(HistoryError, match="expected the export format to be one of jsonl, csv, got 'xml'"):
        filled.export(HistoryQuery(), tmp_path / "calls", "xml")  # type: ignore[arg-type]
    assert not (tmp_path / "calls").exists()
