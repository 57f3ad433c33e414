"""What is wrong with a plan is told before anything runs, all of it at once."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from tools import ToolRegistry, resolve_tools, tool
from tools.batch import BatchPlan, Rows, Step
from tools.batch.checking import checked, plan_problems
from tools.batch.files import PlanFile
from tools.batch.rows import RowError, missing_file, open_rows
from tools.errors import PlanError


@tool(read_only=True, idempotent=True)
def say(word: str = "") -> str:
    """Say a word."""
    return word


REGISTRY = ToolRegistry(resolve_tools([say]))


def waiting(**needs: str) -> BatchPlan:
    return BatchPlan(steps=tuple(Step(id=name, tool="say", depends_on=(other,)) for name, other in needs.items()))


def test_every_circle_is_told() -> None:
    problems = plan_problems(waiting(a="c", b="a", c="b", d="d", e="a"), REGISTRY)
    assert {problem.step for problem in problems} == {"a", "d"}
    assert sorted(problem.message for problem in problems) == [
        "each waits for the next one, in a circle: a → c → b → a; take one dependency out",
        "each waits for the next one, in a circle: d → d; take one dependency out",
    ]


def test_very_many_circles_are_told_as_far_as_anybody_reads() -> None:
    plan = waiting(**{f"s{number}": f"s{number}" for number in range(50)})
    assert len(plan_problems(plan, REGISTRY)) == 20


@pytest.mark.parametrize(
    ("kind", "default"),
    [("integer", "many"), ("integer", 1.5), ("integer", True), ("boolean", 1), ("array", "a"), ("object", [1])],
)
def test_a_default_that_is_none_of_its_kind_is_told_before_a_run_takes_it(kind: str, default: object) -> None:
    plan = BatchPlan.model_validate(
        {"parameters": {"n": {"type": kind, "default": default}}, "steps": [{"id": "a", "tool": "say"}]}
    )
    (problem,) = plan_problems(plan, REGISTRY)
    assert problem.where == "parameters.n.default"
    assert problem.message == f"expected a value of type {kind}, got {default!r}"
    with pytest.raises(PlanError):
        checked(plan, REGISTRY, {})


def test_a_file_in_another_encoding_is_told_in_words_that_people_know(tmp_path: Path) -> None:
    plan, rows = tmp_path / "plan.yaml", tmp_path / "rows.csv"
    for path in (plan, rows):
        path.write_bytes("name\ncafé\n".encode("latin-1"))
    with pytest.raises(PlanError, match="expected text in UTF-8, got something else; save it as UTF-8"):
        PlanFile(plan).load()
    with pytest.raises(RowError, match=r"rows\.csv cannot be read as CSV: it is no text in UTF-8; save it as such"):
        list(open_rows(Rows(csv="rows.csv"), tmp_path).read())


def test_a_file_with_rows_that_is_not_there_is_named_as_the_plan_names_it(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "rows.csv").touch()
    assert missing_file(Rows(csv="data/none.csv"), tmp_path) == "data/none.csv"
    assert missing_file(Rows(csv="folder.csv"), tmp_path) == "folder.csv"
    assert missing_file(Rows(csv="rows.csv"), tmp_path) == ""
    assert missing_file(Rows(values=[1]), tmp_path) == ""
    with pytest.raises(RowError, match=r"^folder\.csv is a folder; expected a file with rows at "):
        open_rows(Rows(csv="folder.csv"), tmp_path)


def test_whoever_goes_first_is_let_go_first_before_each_step() -> None:
    plan, waits = waiting(a="b", b="c", c="nobody"), count()
    found = plan_problems(plan, REGISTRY, give_way=waits.__next__)
    assert found == plan_problems(plan, REGISTRY)
    assert next(waits) == len(plan.steps)
