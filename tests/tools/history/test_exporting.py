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
from tools.history.exporting import document_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.history.recording import HistoryOf
    from tools.calls import CallRecord


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
    assert drawing["steps"][0]["kind"] == "validation"
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


def test_more_than_one_page_is_written_without_gaps(
    history_of: HistoryOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.history.history._SELECTED_AT_ONCE", 120)
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


def test_chosen_calls_are_written_newest_first_and_other_filters_still_hold(filled: History, tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    draw, echo, _, erase = filled.search().rows

    def written(query: HistoryQuery) -> list[str]:
        count = filled.export(query, path)
        ids = [json.loads(line)["id"] for line in path.read_text(encoding="utf-8").splitlines()]
        assert len(ids) == count
        return ids

    chosen = (erase.id, draw.id, "gone-1", "nonsense")
    assert written(HistoryQuery(ids=chosen)) == [draw.id, erase.id]
    assert written(HistoryQuery(ids=chosen, limit=1)) == [draw.id]
    assert written(HistoryQuery(ids=chosen, tools=("erase", "echo"))) == [erase.id]
    filled.flush()
    assert written(HistoryQuery(ids=chosen, text="turquoise")) == [draw.id]
    assert written(HistoryQuery(ids=(echo.id,), text="turquoise")) == []
    assert written(HistoryQuery(ids=("gone-1",))) == []


def test_chosen_calls_are_searched_like_any_others(filled: History) -> None:
    draw, _, failure, _ = filled.search().rows

    page = filled.search(HistoryQuery(ids=(failure.id, draw.id), limit=1))

    assert (page.rows, page.total) == ((draw,), 2)
    assert filled.search(HistoryQuery(ids=(failure.id, draw.id), before=page.next_before)).rows == (failure,)


def test_the_name_of_a_file_says_what_is_written_into_it(filled: History, tmp_path: Path) -> None:
    filled.export(HistoryQuery(), tmp_path / "calls.CSV")
    filled.export(HistoryQuery(), tmp_path / "calls.csv", "jsonl")

    assert (tmp_path / "calls.CSV").read_text(encoding="utf-8").startswith("id,proposed_at,")
    assert (tmp_path / "calls.csv").read_text(encoding="utf-8").startswith('{"id":')


def test_a_document_is_set_out_like_any_json(filled: History) -> None:
    draw, echo, failure, erase = (_whole(filled, row.id) for row in filled.search().rows)
    result = {"a": [], "] , {": "\\", "n": 2**80 + 1, "x": 0.1 + 0.2, "text": '"ü[:,'}

    one, several = document_of([echo._replace(result=result)]), document_of([draw, echo, failure, erase])

    for text in (one, several):
        assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    assert [part["id"] for part in json.loads(several)] == [draw.id, echo.id, failure.id, erase.id]
    assert json.loads(one)["result"] == result


def _whole(history: History, record_id: str) -> CallRecord:
    record = history.get(record_id)
    assert record is not None
    return record
