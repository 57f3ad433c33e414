"""What came of a run is handed to other programs from the Batch page."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from console.theme import ThemeController
from tests.console.test_app_batches import SUMS, batch_page

RunInQt = Callable[[Coroutine[Any, Any, None]], None]
pytestmark = pytest.mark.expects_log("tools.calls")


@pytest.mark.reference("A84")
def test_what_came_of_a_run_is_written_in_every_form(
    theme: ThemeController, tmp_path: Path, run_in_qt: RunInQt
) -> None:
    names = {"json": "result.json", "csv": "steps.csv", "junit": "report.xml", "dot": "graph.dot"}

    async def work() -> None:
        async with batch_page(theme, tmp_path) as (start, page):
            await page.open(tmp_path / "sums.yaml", SUMS, 4)
            # What is told of a tool's health may take their place in the status bar.
            notices: list[str] = []
            start.console.batches.noticed.connect(notices.append)
            await page.press_until("Run", "Failed")
            for kind, name in names.items():
                page.view.export_chosen.emit(kind, str(tmp_path / name))
                await start.until(lambda: f"{name} is written" in notices)  # noqa: B023 -- it is waited for here
            (tmp_path / "folder").mkdir()
            page.view.export_chosen.emit("csv", str(tmp_path / "folder"))
            await start.until(lambda: any(word.startswith("folder cannot be written") for word in notices))

    run_in_qt(work())
    results = json.loads((tmp_path / "result.json").read_text("utf-8"))["results"]
    assert {name: item["state"] for name, item in results.items()} == {
        "first": "done",
        "broken": "failed",
        "after": "skipped",
        "each": "failed",
    }
    assert [row and row["result"] for row in results["each"]["result"]] == ["2", None, "4"]
    with (tmp_path / "steps.csv").open(encoding="utf-8", newline="") as file:
        assert [line["step"] for line in csv.DictReader(file)] == ["first", "broken", "after", "each"]
    suite = ET.fromstring((tmp_path / "report.xml").read_text("utf-8"))
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("4", "2", "1")
    assert '"broken" -> "after"' in (tmp_path / "graph.dot").read_text("utf-8")
