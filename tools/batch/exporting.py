"""A batch's result for other programs: JSON, CSV, and JUnit's XML, which build servers read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from tools.batch.journal import RowResults
from tools.batch.states import StepState
from tools.history.exporting import harmless
from tools.schema import json_text

if TYPE_CHECKING:
    from tools.batch.plan import BatchPlan
    from tools.batch.result import BatchResult, StepResult

_COLUMNS = ("step", "tool", "state", "seconds", "attempts", "rows_done", "rows_failed", "error", "result")
_NOT_XML = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF), "\ufffd")
"""Letters that no XML document may have, however they are written."""


def as_json(plan: BatchPlan, result: BatchResult) -> str:
    """Return everything that came of a batch as a JSON document."""
    document = {
        "plan": plan.name,
        "success_rate": round(result.success_rate, 6),
        "successes": result.successes,
        "failures": result.failures,
        "total_duration": round(result.total_duration, 6),
        "results": {name: _step_document(item) for name, item in result.results.items()},
    }
    return json.dumps(document, ensure_ascii=False, indent=2)


def as_csv(plan: BatchPlan, result: BatchResult) -> str:
    """Return a line for each step, with a heading; results as JSON text.

    A cell that a spreadsheet would take for a formula has an apostrophe before it.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for step in plan.steps:
        item = result.results[step.id]
        rows = ("", "") if item.rows is None else (item.rows.done, item.rows.failed)
        text = "" if _plain(item) is None else json_text(_plain(item))
        cells = (step.id, step.tool, item.state.value, f"{item.elapsed_s:.6f}", item.attempts, *rows, item.error, text)
        writer.writerow(["" if cell is None else harmless(str(cell)) for cell in cells])
    return stream.getvalue()


def as_junit(plan: BatchPlan, result: BatchResult) -> str:
    """Return what build servers show: a case for each step."""
    skipped = sum(item.state in {StepState.SKIPPED, StepState.CANCELLED} for item in result.results.values())
    facts = {
        "name": plan.name,
        "tests": str(len(plan.steps)),
        "failures": str(result.failures),
        "skipped": str(skipped),
        "time": f"{result.total_duration:.3f}",
    }
    suites = ET.Element("testsuites", {**facts})
    suite = ET.SubElement(suites, "testsuite", {**facts})
    for step in plan.steps:
        item = result.results[step.id]
        case = ET.SubElement(
            suite, "testcase", {"name": step.id, "classname": step.tool, "time": f"{item.elapsed_s:.3f}"}
        )
        words = _xml(item.error or item.state.value.replace("_", " "))
        if item.state.failed:
            ET.SubElement(case, "failure", {"message": words, "type": item.state.value}).text = words
        elif not item.success:
            ET.SubElement(case, "skipped", {"message": words})
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _step_document(item: StepResult) -> dict[str, Any]:
    document: dict[str, Any] = {"state": item.state.value, "elapsed_s": round(item.elapsed_s, 6)}
    if item.attempts > 1:
        document["attempts"] = item.attempts
    if item.rows is not None:
        document["rows"] = {"total": item.rows.total, "done": item.rows.done, "failed": item.rows.failed}
    if item.error is not None:
        document["error"] = item.error
    return {**document, "result": _plain(item)}


def _plain(item: StepResult) -> Any:
    shown = item.display
    return list(shown) if isinstance(shown, RowResults) else shown


def _xml(text: str) -> str:
    return text.translate(_NOT_XML)


def lines_of(result: BatchResult) -> Iterator[str]:
    """Go through the steps that are not as they should be, a line each."""
    for name, item in result.results.items():
        if not item.success:
            yield f"{name}: {item.state.value.replace('_', ' ')}" + (f": {item.error}" if item.error else "")
