"""A batch's result for other programs: JSON, CSV, and JUnit's XML, which build servers read.

All of it is written piece by piece: results of many rows are read where they are kept, and never held at a time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

from tools.batch.result import RowResults
from tools.history.exporting import csv_line, harmless
from tools.schema import json_text

if TYPE_CHECKING:
    from tools.batch.plan import BatchPlan, Step
    from tools.batch.result import BatchResult, StepResult

_COLUMNS: Final = ("step", "tool", "state", "seconds", "attempts", "rows_done", "rows_failed", "error", "result")
_NAMED_ROWS: Final = 50
"""How many rows that did not succeed are named in a case for build servers."""
_TOKENS: Final = 50
"""How many tokens of a JSON document are written at a time."""
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, indent=2)
_NOT_XML: Final = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF), "\ufffd")
"""Letters that no XML document may have, however they are written."""


class _Streamed(list[Any]):
    """A list that JSON's encoder reads item by item, from wherever they are kept."""

    def __init__(self, items: Sequence[Any]) -> None:
        self._items = items

    def __bool__(self) -> bool:
        return bool(self._items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)


def as_json(plan: BatchPlan, result: BatchResult) -> Iterator[str]:
    """Go through the pieces of a JSON document with everything that came of a batch."""
    pieces = _ENCODER.iterencode(
        {
            "plan": plan.name,
            "success_rate": round(result.success_rate, 6),
            "successes": result.successes,
            "failures": result.failures,
            "total_duration": round(result.total_duration, 6),
            "results": {name: _step_document(item) for name, item in result.results.items()},
        }
    )
    while piece := "".join(islice(pieces, _TOKENS)):
        yield piece


def as_csv(plan: BatchPlan, result: BatchResult) -> Iterator[str]:
    """Go through the lines of a table: a heading, and one for each step; results as JSON text.

    A cell that a spreadsheet would take for a formula has an apostrophe before it.
    """
    yield csv_line(_COLUMNS, "\n")
    for step in plan.steps:
        item = result.results[step.id]
        # How many calls rows took is not counted.
        calls = (item.attempts, "", "") if item.rows is None else ("", item.rows.done, item.rows.failed)
        facts = step.id, step.tool, item.state.value, f"{item.elapsed_s:.6f}", *calls, item.error
        cells = *facts, _json_cell(item.display)
        yield csv_line(("" if cell is None else harmless(str(cell)) for cell in cells), "\n")


def as_junit(plan: BatchPlan, result: BatchResult) -> Iterator[str]:
    """Go through the pieces of what build servers show: a case for each step."""
    skipped = sum(not item.success and not item.state.failed for item in result.results.values())
    facts = {
        "name": plan.name,
        "tests": str(len(plan.steps)),
        "failures": str(result.failures),
        "skipped": str(skipped),
        "time": f"{result.total_duration:.3f}",
    }
    yield "<?xml version='1.0' encoding='utf-8'?>\n"
    yield _opened(ET.Element("testsuites", facts)) + "\n  "
    suite = ET.Element("testsuite", facts)
    if not plan.steps:
        yield ET.tostring(suite, encoding="unicode") + "\n</testsuites>\n"
        return
    yield _opened(suite)
    for step in plan.steps:
        case = _case(step, result.results[step.id])
        ET.indent(case, level=2)
        yield "\n    " + ET.tostring(case, encoding="unicode")
    yield "\n  </testsuite>\n</testsuites>\n"


WRITERS: Final[Mapping[str, Callable[[BatchPlan, BatchResult], Iterator[str]]]] = {
    "json": as_json,
    "csv": as_csv,
    "junit": as_junit,
}
"""What can be written, by its form; results are read as they are written."""


def _json_cell(shown: Any) -> str:
    if isinstance(shown, RowResults):
        return f"[{','.join(map(json_text, shown))}]"
    return "" if shown is None else json_text(shown)


def _opened(element: ET.Element) -> str:
    """Write how an element begins, for what follows to stand in it."""
    return ET.tostring(element, encoding="unicode").removesuffix(" />") + ">"


def _case(step: Step, item: StepResult) -> ET.Element:
    case = ET.Element("testcase", {"name": step.id, "classname": step.tool, "time": f"{item.own_s:.3f}"})
    words = _xml(item.error or item.state.value.replace("_", " "))
    if item.state.failed:
        lines = [words, *(_xml(line) for line in islice(_row_lines(item), _NAMED_ROWS))]
        if len(item.failed_rows) > _NAMED_ROWS:
            lines.append(f"and {len(item.failed_rows) - _NAMED_ROWS} further rows")
        ET.SubElement(case, "failure", {"message": words, "type": item.state.value}).text = "\n".join(lines)
    elif not item.success:
        ET.SubElement(case, "skipped", {"message": words})
    return case


def _step_document(item: StepResult) -> dict[str, Any]:
    document: dict[str, Any] = {"state": item.state.value, "elapsed_s": round(item.elapsed_s, 6)}
    if item.review_s:
        document["review_s"] = round(item.review_s, 6)
    if item.attempts > 1:
        document["attempts"] = item.attempts
    if item.rows is not None:
        rows = item.rows
        document["rows"] = {"total": rows.total, "done": rows.done, "failed": rows.failed, "skipped": rows.skipped}
    if item.failed_rows:
        document["failed_rows"] = [
            {"row": row + 1, "state": state.value, "error": error}
            for row, (state, error) in sorted(item.failed_rows.items())
        ]
    if item.error is not None:
        document["error"] = item.error
    shown = item.display
    document["result"] = _Streamed(shown) if isinstance(shown, RowResults) else shown
    return document


def _row_lines(item: StepResult) -> Iterator[str]:
    for row, (state, error) in sorted(item.failed_rows.items()):
        yield f"row {row + 1}: {state.value.replace('_', ' ')}" + (f": {error}" if error else "")


def _xml(text: str) -> str:
    return text.translate(_NOT_XML)


def lines_of(result: BatchResult) -> Iterator[str]:
    """Go through the steps that are not as they should be, a line each."""
    for name, item in result.results.items():
        if not item.success:
            yield f"{name}: {item.state.value.replace('_', ' ')}" + (f": {item.error}" if item.error else "")
