"""The Batch page: a plan fails, is mended in its file, retried and exported; a run that was killed is gone on with."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.end2end.conftest import PLUGINS, copy_of_sample, open_console
from tests.end2end.person import Person

pytestmark = pytest.mark.xvfb
ENDING_S = 15.0

OWED = """# What is owed, for each ticket.
name: owed
steps:
  - id: profile
    tool: profile_table
    arguments: {path: data/tickets.csv}
  - id: share
    tool: calculate
    arguments: {expression: "10 / 0"}  # how many people share it
  - id: each
    tool: calculate
    rows: {csv: data/tickets.csv}
    arguments: {expression: "${length(row.customer)} * ${steps.share.result.value}"}
"""
WAITING = """name: waiting
steps:
  - id: hash
    tool: hash_file
    arguments: {path: README.md}
  - id: wait
    tool: wait_politely
    depends_on: [hash]
    arguments: {seconds: 600}
"""


ROUND = """name: round
steps:
  - {id: first, tool: calculate, depends_on: [last], arguments: {expression: "1"}}
  - {id: last, tool: calculate, depends_on: [first], arguments: {expression: "2"}}
"""
LOST = """name: lost
steps:
  - id: each
    tool: calculate
    rows: {csv: data/late.csv}
    arguments: {expression: "${row.hours} * 2"}
"""


def open_plan(person: Person, plan: Path) -> None:
    person.click("Batch", "check box")
    person.click("Open plan…")
    choose_file(person, plan)
    person.see_enabled("Run")


def choose_file(person: Person, plan: Path) -> None:
    person.see("^Open plan — ")
    person.focus_on("File name:")
    person.write(str(plan))
    person.press("Return")


@pytest.mark.reference("A77")
@pytest.mark.reference("A84")
def test_a_plan_fails_is_mended_in_its_file_retried_and_exported(tmp_path: Path) -> None:
    project, file = copy_of_sample(tmp_path), tmp_path / "result.json"
    plan = project / "owed.yaml"
    plan.write_text(OWED, "utf-8")
    with open_console(tmp_path, project) as person:
        open_plan(person, plan)
        person.row("Steps of the plan", "^each$")
        person.press("ctrl+Return")
        person.see("^State: Failed$")
        person.see(r"^Step 2, share\. .*division by zero")
        person.row("Steps of the plan", "^Blocked by 2$")
        plan.write_text(OWED.replace("10 / 0", "10 / 4"), "utf-8")
        person.see("^owed.yaml was changed by another program, and is shown as it is now$")
        person.see_enabled("Run")
        person.click("Retry failed (1)")
        person.see("^State: Done$")
        person.row("Steps of the plan", r"^10 of 10$")
        person.click("Export")
        # Qt tells a screen reader of a menu only what the keyboard is on: the first item.
        person.press("Down", "Return")
        person.see("^Result as JSON — ")
        person.focus_on("File name:")
        person.press("ctrl+a")
        person.write(str(file))
        person.press("Return")
        person.see("^result.json is written$")
        results = json.loads(file.read_text("utf-8"))["results"]
        assert results["each"]["rows"] == {"total": 10, "done": 10, "failed": 0, "skipped": 0}
        assert results["each"]["result"][0]["value"] == len("Okafor") * 2.5
        person.program.close_window()
        assert person.program.wait(ENDING_S) == 0
        assert person.program.complaints() == []


def test_a_run_that_was_killed_is_offered_and_gone_on_with(tmp_path: Path) -> None:
    project = copy_of_sample(tmp_path)
    plan = project / "waiting.yaml"
    plan.write_text(WAITING, "utf-8")
    with open_console(tmp_path, project, PLUGINS / "trouble.py") as person:
        open_plan(person, plan)
        person.press("ctrl+Return")
        person.row("Steps of the plan", "^Needs you$")
        person.click("Allow once")
        person.row("Steps of the plan", "^Running$")
        person.program.process.send_signal(signal.SIGKILL)
        assert person.program.wait(ENDING_S) == -signal.SIGKILL

    with open_console(tmp_path, project, PLUGINS / "trouble.py") as person:
        person.click("Batch", "check box")
        person.see(r"^A run of waiting was interrupted\.")
        person.click("Show it")
        person.see("^State: Interrupted$")
        rows = person.rows("Steps of the plan")
        assert "Success" in rows, rows
        assert "Running" not in rows, rows
        assert person.program.complaints() == []


def test_what_is_wrong_with_a_plan_is_said_where_it_is_and_mended(tmp_path: Path) -> None:
    project = copy_of_sample(tmp_path)
    plan = project / "round.yaml"
    plan.write_text("- no plan\n", "utf-8")
    with open_console(tmp_path, project) as person:
        person.click("Batch", "check box")
        person.click("Open plan…")
        choose_file(person, plan)
        person.see(r"^round\.yaml cannot be opened\. Expected a plan with steps, got a list\.$")
        plan.write_text(ROUND, "utf-8")
        person.click("Open another…")
        choose_file(person, plan)
        person.row("Steps of the plan", "^Each waits for the next one, in a circle: first → last → first")
        person.see_enabled("Run", enabled=False)
        plan.write_text(LOST, "utf-8")
        person.row("Steps of the plan", r"^Its rows are not there yet: data/late\.csv$")
        person.see_enabled("Run")
        person.click("Run")
        person.see(r"^Step 1, each\. data/late\.csv is not there\. Expected a file with rows at ")
        (project / "data" / "late.csv").write_text("hours\n20\n", "utf-8")
        person.click("Retry failed (1)")
        person.see("^State: Done$")
        plan.unlink()
        person.see(r"^round\.yaml was deleted or moved by another program; Save writes it again$")
        assert person.program.complaints() == []
