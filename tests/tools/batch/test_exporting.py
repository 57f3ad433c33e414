"""What is handed to other programs: written piece by piece, and the same as if it were written at a time."""

from __future__ import annotations

import csv
import io
import json
from typing import Any
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from tools.batch import BatchPlan, BatchResult, RowCounts, Step, StepResult, StepState
from tools.batch.exporting import as_csv, as_json, as_junit
from tools.batch.result import ResultStore, RowResults
from tools.history.exporting import harmless
from tools.schema import json_text

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["a\nb", "=1+1", "ä\u2028ö"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


def _rows(values: list[Any]) -> RowResults:
    keeper = ResultStore()
    rows = RowResults(keeper)
    for number, value in enumerate(values):
        rows.put(number, keeper.end("step", number, StepResult(StepState.DONE, value)))
    return rows


def _one(value: Any) -> StepResult:
    return StepResult(StepState.DONE, value, elapsed_s=1.25, attempts=2)


def _many(values: list[Any]) -> StepResult:
    counts = RowCounts(len(values), len(values))
    return StepResult(StepState.DONE, _rows(values), elapsed_s=0.5, attempts=1, rows=counts)


def _failed(error: str) -> StepResult:
    return StepResult(StepState.FAILED, error=error)


RESULTS = st.dictionaries(
    st.text("abc-", min_size=1, max_size=4),
    st.builds(_one, VALUES)
    | st.builds(_many, st.lists(VALUES, max_size=4))
    | st.builds(_failed, st.sampled_from(["it\nbroke", "a & b <c>", "\x01"]))
    | st.just(StepResult(StepState.SKIPPED)),
    max_size=4,
).map(lambda results: BatchResult(results, 2.5))


def _plan(result: BatchResult) -> BatchPlan:
    # What it says of itself never has to be sound to be written.
    steps = tuple(Step.model_construct(id=name, tool="work") for name in result.results)
    return BatchPlan.model_construct(name='say "a" & b', steps=steps)


def _plain(item: StepResult) -> Any:
    return list(item.display) if isinstance(item.display, RowResults) else item.display


def _document(plan: BatchPlan, result: BatchResult) -> dict[str, Any]:
    steps: dict[str, Any] = {}
    for name, item in result.results.items():
        steps[name] = {"state": item.state.value, "elapsed_s": item.elapsed_s}
        if item.attempts > 1:
            steps[name]["attempts"] = item.attempts
        if item.rows is not None:
            total, done, failed, _, skipped = item.rows
            steps[name]["rows"] = {"total": total, "done": done, "failed": failed, "skipped": skipped}
        if item.error is not None:
            steps[name]["error"] = item.error
        steps[name]["result"] = _plain(item)
    return {
        "plan": plan.name,
        "success_rate": round(result.success_rate, 6),
        "successes": result.successes,
        "failures": result.failures,
        "total_duration": result.total_duration,
        "results": steps,
    }


@given(st.integers(1, 120))
def test_no_row_is_lost_between_pieces(count: int) -> None:
    result = BatchResult({"many": _many([{"n": [number]} for number in range(count)])}, 1.0)
    plan = _plan(result)
    assert "".join(as_json(plan, result)) == json.dumps(_document(plan, result), ensure_ascii=False, indent=2)


@given(RESULTS)
def test_json_is_what_the_standard_library_writes_at_a_time(result: BatchResult) -> None:
    plan = _plan(result)
    assert "".join(as_json(plan, result)) == json.dumps(_document(plan, result), ensure_ascii=False, indent=2)


@given(RESULTS)
def test_the_table_has_a_line_for_each_step(result: BatchResult) -> None:
    plan = _plan(result)
    heading, *lines = csv.reader(io.StringIO("".join(as_csv(plan, result)), newline=""))
    assert heading[0] == "step"
    assert [line[0] for line in lines] == [harmless(name) for name in result.results]
    for line, item in zip(lines, result.results.values(), strict=True):
        shown = _plain(item)
        assert line[-1] == ("" if shown is None else harmless(json_text(shown)))


@given(RESULTS)
def test_the_report_is_the_document_that_is_indented_at_a_time(result: BatchResult) -> None:
    written = "".join(as_junit(_plan(result), result))
    document = ET.fromstring(written)
    ET.indent(document)
    assert ET.tostring(document, encoding="unicode", xml_declaration=True) + "\n" == written
    assert [case.get("name") for case in document.iter("testcase")] == list(result.results)


def test_rows_are_read_as_they_are_written() -> None:
    """What was read is let go before the next one is."""
    result = BatchResult({"many": _many(list(range(5000)))}, 1.0)
    pieces = list(as_json(_plan(result), result))
    assert max(map(len, pieces)) < len("".join(pieces)) / 50


def test_skipped_rows_are_told_and_calls_of_rows_are_not_counted() -> None:
    """Ten rows are eight done and two skipped; how many calls they took nobody knows."""
    many = _many(list(range(10)))._replace(attempts=0, rows=RowCounts(10, 8, 0, 0, 2))
    result = BatchResult({"many": many, "one": _one(1)}, 1.0)
    told = json.loads("".join(as_json(_plan(result), result)))["results"]
    assert told["many"]["rows"] == {"total": 10, "done": 8, "failed": 0, "skipped": 2}
    lines = csv.DictReader(io.StringIO("".join(as_csv(_plan(result), result)), newline=""))
    assert [line["attempts"] for line in lines] == ["", "2"]


def test_build_servers_are_told_as_many_skipped_steps_as_there_are() -> None:
    """What runs, or is still to come, is among them."""
    states = StepState.RUNNING, StepState.QUEUED, StepState.CANCELLED, StepState.SKIPPED, StepState.FAILED
    result = BatchResult({state.value: StepResult(state) for state in states}, 1.0)
    suite = ET.fromstring("".join(as_junit(_plan(result), result)))
    assert suite.get("skipped") == "4" == str(len(suite.findall(".//skipped")))


def test_every_row_that_did_not_succeed_is_named_with_why() -> None:
    failed = {number: (StepState.FAILED, f"no {number}") for number in range(2, 62)}
    item = _many([0, 1])._replace(state=StepState.FAILED, error="60 rows", failed_rows=failed)
    result = BatchResult({"many": item}, 1)
    told = json.loads("".join(as_json(_plan(result), result)))["results"]["many"]
    assert told["failed_rows"][0] == {"row": 3, "state": "failed", "error": "no 2"}
    assert len(told["failed_rows"]) == 60
    (failure,) = ET.fromstring("".join(as_junit(_plan(result), result)).encode()).iter("failure")
    lines = (failure.text or "").splitlines()
    assert (lines[0], lines[1], lines[-1]) == ("60 rows", "row 3: failed: no 2", "and 10 further rows")
