"""What is wrong with a plan is told before anything runs, all of it at once."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from tools import ToolRegistry, resolve_tools, tool
from tools.batch import BatchPlan, Limits, Rows, Step
from tools.batch.checking import checked, plan_problems
from tools.batch.expressions import Expression, ExpressionError
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
    found = plan_problems(plan, REGISTRY, yield_to_ui=waits.__next__)
    assert found == plan_problems(plan, REGISTRY)
    assert next(waits) == len(plan.steps)


def over(rows: Rows, *needs: str) -> BatchPlan:
    """Return a plan with a step over rows, which waits for others."""
    others = tuple(Step(id=name, tool="say") for name in needs)
    return BatchPlan(steps=(Step(id="each", tool="say", rows=rows, depends_on=needs), *others))


@pytest.mark.parametrize(
    "rows", [Rows(csv="${parameters.name}.csv"), Rows(json="${parameters.name}"), Rows(files="${parameters.name}/*")]
)
def test_an_expression_in_the_name_of_a_file_is_told(rows: Rows, tmp_path: Path) -> None:
    (problem,) = plan_problems(over(rows), REGISTRY, tmp_path)
    assert (problem.where, problem.step) == ("steps[0].rows", "each")
    assert problem.message.startswith("expected the name of a file, got an expression in '${parameters.name}")
    assert problem.message.endswith("; only rows.values takes expressions")


BROKEN = [
    ("rows.csv", "name\ncafé\n".encode("latin-1"), "it is no text in UTF-8; save it as such"),
    ("rows.csv", b"name,name\n", "expected a heading whose names differ, got name, name"),
    ("rows.csv", b"a,b\n1\n", "line 2: expected 2 cells, got 1"),
    ("rows.csv", b"", "rows.csv: expected a heading with the names of the columns, got an empty file"),
    ("rows.csv", b"\xef\xbb\xbf\r\n", "expected a heading with the names of the columns, got an empty file"),
    ("rows.json", b'{\n"a": 1\n}', "line 1: expected a list of rows, or one JSON value a line"),
    ("rows.json", b"[1, 2", "rows.json cannot be read as JSON"),
    ("rows.json", b"[" * 5000 + b"]" * 5000, "rows.json cannot be read as JSON: it is nested too deeply"),
    (
        "rows.json",
        b'{"a":' * 5000 + b"1" + b"}" * 5000,
        "line 1: expected a list of rows, or one JSON value a line: it is",
    ),
]


@pytest.mark.parametrize(("name", "text", "said"), BROKEN)
def test_a_file_with_rows_that_cannot_be_read_is_told_unless_a_step_before_may_write_it(
    tmp_path: Path, name: str, text: bytes, said: str
) -> None:
    """Without a folder nobody looks; a file that is not there may still come."""
    rows = Rows(csv=name) if name.endswith(".csv") else Rows(json=name)
    assert plan_problems(over(rows), REGISTRY, tmp_path) == []
    (tmp_path / name).write_bytes(text)
    (problem,) = plan_problems(over(rows), REGISTRY, tmp_path)
    assert (problem.where, problem.step) == ("steps[0].rows", "each")
    assert said in problem.message
    assert plan_problems(over(rows), REGISTRY) == []
    assert plan_problems(over(rows, "before"), REGISTRY, tmp_path) == []
    with pytest.raises(RowError):
        list(open_rows(rows, tmp_path).read())


def test_a_heading_without_rows_is_no_problem(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("\nname,town\n", encoding="utf-8")
    assert plan_problems(over(Rows(csv="rows.csv")), REGISTRY, tmp_path) == []
    assert list(open_rows(Rows(csv="rows.csv"), tmp_path).read()) == []


def test_a_cell_of_a_csv_file_that_is_too_long_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("text\n" + "x" * 200_000 + "\n", "utf-8")
    plan = BatchPlan(steps=(Step(id="a", tool="say", arguments={"word": "${row.text}"}, rows=Rows(csv="rows.csv")),))
    (problem,) = plan_problems(plan, REGISTRY, tmp_path)
    assert "a cell has more than 131,072 letters; put long texts into files of their own" in problem.message


def test_limits_of_tools_and_sources_that_there_are_not_are_told() -> None:
    steps = (Step(id="a", tool="say"),)
    known = BatchPlan(steps=steps, limits=Limits(tools={"say": 1}, sources={"Program": 2}))
    assert plan_problems(known, REGISTRY) == []
    wrong = BatchPlan(steps=steps, limits=Limits(tools={"sya": 1, "else": 1}, sources={"Programme": 2}))
    assert [str(problem) for problem in plan_problems(wrong, REGISTRY)] == [
        "limits.tools.sya: no tool is called 'sya'; did you mean 'say'?",
        "limits.tools.else: no tool is called 'else'; list the tools to see their names",
        "limits.sources.Programme: no source is called 'Programme'; there are Program",
    ]


@pytest.mark.parametrize(
    "text", ["(" * 3000 + "row" + ")" * 3000, "!" * 3000 + "row", "row" + " || row" * 400, "row" + "[]" * 300]
)
def test_an_expression_that_is_nested_too_deeply_is_told(text: str) -> None:
    """Whoever looks at it goes down by calling itself."""
    with pytest.raises(
        ExpressionError, match=r"^expected a JMESPath expression, got '.{,79}: it is nested too deeply$"
    ):
        Expression(text)
    step = Step(id="a", tool="say", rows=Rows(values=[1]), arguments={"word": f"${{{text}}}"})
    (problem,) = plan_problems(BatchPlan(steps=(step,)), REGISTRY)
    assert problem.where == "steps[0].arguments.word"


def test_a_value_that_is_nested_too_deeply_for_an_expression_is_told() -> None:
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(ExpressionError, match="what it looks at is nested too deeply"):
        Expression("to_string(row)").value({"row": value})


def test_a_step_without_a_tool_says_that_one_is_to_be_chosen() -> None:
    (problem,) = plan_problems(BatchPlan(steps=(Step.model_construct(id="new", tool=""),)), REGISTRY)
    assert (problem.step, problem.message) == ("new", "expected the name of a tool, got none; choose one")
