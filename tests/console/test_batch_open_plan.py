"""Tests for `console.batch.document_presenter`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from console.batch.document_presenter import OpenPlan
from console.tasks import TaskScope
from tests.tools.running import until
from tools.batch import BatchPlan, Step
from tools.errors import PlanProblem

Run = Callable[[Coroutine[Any, Any, None]], None]
PLAN = """\
# each night
steps:
  - id: load   # from the shop
    tool: read_csv
"""


def _check(plan: BatchPlan) -> list[PlanProblem]:
    return [
        PlanProblem(f"steps[{place}].tool", "none", step.id) for place, step in enumerate(plan.steps) if not step.tool
    ]


async def _compute(function: Callable[..., Any], *args: Any) -> Any:
    return await asyncio.to_thread(function, *args)


async def _shows(plan: OpenPlan, tool: str) -> None:
    await until(lambda: plan.plan.steps[0].tool == tool)


@asynccontextmanager
async def _opened(path: Path | None = None) -> AsyncIterator[OpenPlan]:
    scope = TaskScope("test")
    plan = OpenPlan(_check, compute=_compute, scope=scope)
    try:
        if path is not None:
            await asyncio.to_thread(path.write_text, PLAN, "utf-8")
            plan.open(path)
            await until(lambda: plan.path)
        yield plan
    finally:
        plan.close()
        await scope.close()


async def test_a_plan_is_opened_changed_and_saved_with_its_comments(run_in_qt: Run, tmp_path: Path) -> None:
    path = tmp_path / "nightly.yaml"
    async with _opened(path) as plan:
        assert (plan.title, plan.document.is_dirty) == ("nightly", False)
        plan.document.change(0, timeout_s=5.0)
        assert plan.document.is_dirty
        plan.save()
        await until(lambda: not plan.document.is_dirty)
    assert path.read_text("utf-8") == PLAN + "    timeout_s: 5.0\n"


STYLED = """\
# each night
name: 'nightly'
steps:
  - {id: 'load', tool: "read_csv"}   # from the shop
"""


async def _styled(plan: OpenPlan, path: Path) -> None:
    await asyncio.to_thread(path.write_text, STYLED, "utf-8")
    plan.open(path)
    await until(lambda: plan.path == path)


async def test_a_plan_keeps_comments_quotes_and_flow_style_in_another_file(run_in_qt: Run, tmp_path: Path) -> None:
    source, other = tmp_path / "nightly.yaml", tmp_path / "weekly.yml"
    async with _opened() as plan:
        await _styled(plan, source)
        plan.document.change_plan(description="All of it")
        plan.save(other)
        await until(lambda: plan.path == other)
        assert not plan.document.is_dirty
        plan.document.change_plan(description="Some of it")
        plan.save()
        await until(lambda: not plan.document.is_dirty)
    assert source.read_text("utf-8") == STYLED
    written = other.read_text("utf-8")
    assert "description: Some of it\n" in written
    assert written.replace("description: Some of it\n", "") == STYLED


async def test_a_plan_becomes_json_and_yaml_again_in_other_files(run_in_qt: Run, tmp_path: Path) -> None:
    source, between, other = tmp_path / "nightly.yaml", tmp_path / "nightly.json", tmp_path / "again.yaml"
    async with _opened() as plan:
        await _styled(plan, source)
        plan.save(between)
        await until(lambda: plan.path == between)
        plan.save(other)
        await until(lambda: plan.path == other)
    assert json.loads(between.read_text("utf-8"))["name"] == "nightly"
    assert other.read_text("utf-8").startswith("name: nightly\nsteps:\n")


async def test_saves_that_follow_each_other_are_no_change_of_another_program(run_in_qt: Run, tmp_path: Path) -> None:
    path = tmp_path / "nightly.yaml"
    async with _opened(path) as plan:
        said: list[str] = []
        saved: list[Path] = []
        plan.noticed.connect(said.append)
        plan.opened.connect(saved.append)
        for timeout_s in (1.0, 2.0, 3.0):
            plan.document.change(0, timeout_s=timeout_s)
            plan.save()
        await until(lambda: len(saved) + len(said) == 3)
        assert (said, plan.is_changed_elsewhere, plan.document.is_dirty) == ([], False, False)
    assert path.read_text("utf-8") == PLAN + "    timeout_s: 3.0\n"


async def test_what_is_no_plan_says_where_and_the_open_one_stays(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("steps:\n  - id: 1\n    tool: x\n", "utf-8")

    async with _opened(tmp_path / "good.yaml") as plan:
        refused: list[str] = []
        plan.refused.connect(refused.append)
        plan.open(bad)
        await until(lambda: plan.errors)
        assert refused == [str(bad)]
        assert "line 2" in plan.errors[0].where
        assert plan.path == tmp_path / "good.yaml"
        plan.open(tmp_path / "good.yaml")
        await until(lambda: not plan.errors)


async def test_a_new_plan_has_no_file_until_it_is_saved_somewhere(run_in_qt: Run, tmp_path: Path) -> None:
    path = tmp_path / "new.yaml"
    async with _opened() as plan:
        plan.start_new(BatchPlan(name="two", steps=(Step(id="a", tool="t"), Step(id="b", tool="t"))))
        assert (plan.path, plan.title, plan.document.is_dirty) == (None, "two", True)
        plan.save()
        assert plan.path is None
        opened: list[Path] = []
        plan.opened.connect(opened.append)
        plan.save(path)
        await until(lambda: opened == [path])
        assert not plan.document.is_dirty
    assert path.read_text("utf-8").startswith("name: two\nsteps:\n  - id: a\n")


async def test_the_plan_of_a_run_is_nothing_that_could_be_lost() -> None:
    async with _opened() as plan:
        plan.show(BatchPlan(name="past", steps=(Step(id="a", tool="t"),)))
        assert (plan.path, plan.title, plan.document.is_dirty) == (None, "past", False)


async def test_a_file_that_another_program_changed_is_shown_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"

    async with _opened(path) as plan:
        for other in (tmp_path / "one.yaml", tmp_path / "two.yaml"):
            other.write_text(PLAN.replace("read_csv", other.stem), "utf-8")
            other.replace(path)
            await _shows(plan, other.stem)
        assert not plan.document.is_dirty
        plan.document.undo()
        assert plan.plan.steps[0].tool == "one"


async def test_changes_here_and_elsewhere_are_a_question(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"

    async with _opened(path) as plan:
        notices: list[str] = []
        plan.noticed.connect(notices.append)
        plan.document.rename(0, "mine")
        path.write_text(PLAN.replace("load", "theirs"), "utf-8")
        await until(lambda: plan.is_changed_elsewhere)
        plan.save()
        await until(lambda: notices)
        assert "theirs" in path.read_text("utf-8")
        plan.keep_mine()
        await until(lambda: not plan.is_changed_elsewhere)
        plan.save()
        await until(lambda: not plan.document.is_dirty)
        assert "id: mine" in path.read_text("utf-8")
        plan.document.rename(0, "again")
        path.write_text(PLAN.replace("load", "theirs"), "utf-8")
        await until(lambda: plan.is_changed_elsewhere)
        plan.take_over()
        await until(lambda: not plan.is_changed_elsewhere)
        assert (plan.plan.steps[0].id, plan.document.is_dirty) == ("theirs", False)


def _has(notices: list[str], count: int) -> bool:
    return len(notices) == count


async def test_a_file_that_goes_away_is_told_once_and_written_again(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"

    async with _opened(path) as plan:
        notices: list[str] = []
        plan.noticed.connect(notices.append)
        for times in (1, 2):
            path.unlink()
            (tmp_path / f"{times}.txt").touch()
            await until(partial(_has, notices, times))
            plan.save()
            await until(path.exists)
            plan.document.rename(0, f"step{times}")
            plan.save()
            await until(lambda: not plan.document.is_dirty)
        words = "p.yaml was deleted or moved by another program; Save writes it again"
        assert notices == [words, words]
        assert "id: step2" in path.read_text("utf-8")


async def test_what_cannot_be_written_is_told_and_stays_unsaved(tmp_path: Path) -> None:
    folder = tmp_path / "p.yaml"
    folder.mkdir()

    async with _opened() as plan:
        notices: list[str] = []
        plan.noticed.connect(notices.append)
        plan.document.add_step()
        plan.save(folder)
        await until(lambda: notices)
        assert "cannot be written" in notices[0]
        assert (plan.path, plan.document.is_dirty) == (None, True)


async def test_what_is_wrong_follows_each_change() -> None:
    async with _opened() as plan:
        plan.document.add_step()
        assert not plan.is_checked
        plan.document.insert([Step(id="t", tool="t")])
        await until(lambda: plan.is_checked)
        assert [problem.where for problem in plan.problems] == ["steps[0].tool"]
        plan.document.change(0, tool="t")
        await until(lambda: plan.is_checked)
        assert plan.problems == ()
