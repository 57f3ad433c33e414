"""Plans looked at before they run: what can never fit, and what steps will be given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tools import tool
from tools.batch import BatchParameter, BatchPlan, Rows, Step, StepResult, StepState
from tools.batch.checking import plan_problems
from tools.batch.step_previews import preview
from tools.declare import resolve_tools
from tools.registry import ToolRegistry
from tools.spec import MISSING


@dataclass
class Person:
    """Somebody."""

    name: str
    age: int
    towns: list[str]
    boss: Person | None = None


@tool
def find(who: str = "") -> Person:
    """Find somebody."""
    return Person(who, 1, [])


@tool
def people() -> list[Person]:
    """List everybody."""
    return []


@tool
def greet(name: str) -> str:
    """Greet somebody."""
    return name


@tool
def add(number: int, others: list[int] | None = None) -> int:
    """Add."""
    return number + len(others or [])


@tool
def visit(who: Person) -> dict[str, int]:
    """Visit somebody."""
    return {who.name: 1}


@tool
def anything(value: Any = None) -> Any:
    """Take and give whatever it is."""
    return value


REGISTRY = ToolRegistry(resolve_tools([find, people, greet, add, visit, anything]))


def problems(*steps: Step, folder: Path | None = None, **more: Any) -> list[str]:
    """Return what is wrong with a plan of these steps behind those that the tests take results of."""
    before = [Step(id=name, tool=name) for name in ("find", "people", "anything")]
    given = BatchPlan(steps=(*before, *steps), parameters={"count": BatchParameter(type="integer")}, **more)
    return [str(problem) for problem in plan_problems(given, REGISTRY, folder)]


def step(tool_name: str, *, rows: Rows | None = None, condition: str = "", **arguments: Any) -> Step:
    """Return a step that calls a tool."""
    return Step(id="it", tool=tool_name, arguments=arguments, rows=rows, condition=condition)


@pytest.mark.parametrize(
    ("checked", "said"),
    [
        (step("greet", name="${steps.find.result.nmae}"), "there is no 'nmae' there; there are name, age, towns, boss"),
        (step("greet", name="Hi ${steps.find.result.nmae}"), "there is no 'nmae' there"),
        (step("greet", name="${steps.find.result.boss.boss.nmae}"), "there is no 'nmae' there"),
        (step("greet", name="${steps.find.result.age}"), "expected string, and what comes is integer"),
        (step("greet", name="${steps.find.result}"), "expected string, and what comes is object"),
        (step("greet", name="${parameters.count}"), "expected string, and what comes is integer"),
        (step("greet", name="${steps.people.result[0].age}"), "expected string, and what comes is integer"),
        (step("greet", name="${steps.people.result.name}"), "'name' is looked for in a list; take it of each item"),
        (step("greet", name="${steps.find.result.name.first}"), "'first' is looked for in what is string"),
        (step("greet", name="${steps.find.result.age[0]}"), "an item of a list is taken from what is integer"),
        (step("greet", name="${length(steps.people.result)}"), "expected string, and what comes is number"),
        (step("add", number=1, others="${steps.people.result[].name}"), ""),
        (step("add", number=1, others="${steps.people.result[].towns}"), "expected integer at [], and what comes is a"),
        (step("add", number=1, others="${steps.people.result[?age > `3`].nmae}"), "there is no 'nmae' there"),
        (step("add", number=1, others=["${steps.find.result}"]), "expected integer at [], and what comes is object"),
        (step("visit", who={"name": "${steps.find.result.name}"}), "expected a field 'age', and what comes has none"),
        (step("visit", who="${steps.find.result.{name: name, age: towns, towns: towns}}"), "expected integer at age"),
        (step("greet", name="a", condition="steps.find.result.nmae == `1`"), "condition: "),
        (step("greet", name="${row.nmae}", rows=Rows(values="${steps.people.result}")), "there is no 'nmae' there"),
        (step("greet", name="${row.b}", rows=Rows(values=[{"a": 1}])), "there is no 'b' there; there are a"),
        (step("greet", name="a", rows=Rows(values="${steps.find.result.name}")), "expected a list of rows, and what"),
        (step("add", number="${index}", rows=Rows(values=[1])), ""),
        (step("greet", name="${index}", rows=Rows(values=[1])), "expected string, and what comes is integer"),
    ],
)
def test_what_can_never_fit_is_told_before_anything_runs(checked: Step, said: str) -> None:
    """The expression or the argument is named; nothing is said of what may fit."""
    found = problems(checked)
    assert [said in problem for problem in found] == ([True] if said else [])


@pytest.mark.parametrize(
    "checked",
    [
        step("greet", name="${steps.find.result.name}"),
        step("greet", name="${steps.find.result.boss.name}"),
        step("greet", name="${steps.anything.result.whatever[0].it.is}"),
        step("greet", name="${steps.find.status}"),
        step("greet", name="${steps.people.result[0].towns | [0]}"),
        step("greet", name="${steps.people.result[-1:].name | [0]}"),
        step("greet", name="${join(', ', sort(steps.people.result[].towns[]))}"),
        step("greet", name="${max_by(steps.people.result, &age).name}"),
        step("greet", name="${steps.anything.result || steps.find.result.name}"),
        step("add", number="${steps.find.result.name}"),
        step("add", number="${length(steps.people.result)}", others="${steps.people.result[*].age}"),
        step("visit", who="${steps.people.result[0]}"),
        step("visit", who={"name": "${row}", "age": "${index}", "towns": []}, rows=Rows(values=["a", "b"])),
        step("anything", value="${steps.find.result.*}", condition="steps.find.result.boss != `null`"),
    ],
)
def test_nothing_is_said_against_what_may_fit(checked: Step) -> None:
    """Texts are read where numbers are wanted, and of what nobody knows everything may come."""
    assert problems(checked) == []


def test_columns_of_a_csv_file_are_known_when_it_is_there(tmp_path: Path) -> None:
    """It may also come from an earlier step; then nobody knows."""
    checked = step("greet", name="${row.town}", rows=Rows(csv="people.csv"))
    assert problems(checked, folder=tmp_path) == []
    (tmp_path / "people.csv").write_text("name,city\nMira,Bonn\n", encoding="utf-8")
    assert problems(checked) == []
    (found,) = problems(checked, folder=tmp_path)
    assert found == "steps[3].arguments.name: ${row.town}: there is no 'town' there; there are name, city"


def test_a_row_of_a_json_file_may_have_what_the_first_has_not(tmp_path: Path) -> None:
    """Only a heading holds for all rows."""
    (tmp_path / "people.json").write_text('[{"name": "Mira"}, {"town": "Bonn"}]', encoding="utf-8")
    assert problems(step("greet", name="${row.town}", rows=Rows(json="people.json")), folder=tmp_path) == []


def test_a_result_over_rows_is_a_list() -> None:
    """Whoever takes it takes of each item."""
    each = Step(id="each", tool="find", rows=Rows(values=[1, 2]))
    assert problems(each, step("greet", name="${steps.each.result[0].name}")) == []
    (found,) = problems(each, step("greet", name="${steps.each.result.name}"))
    assert "take it of each item, as in [].name" in found


def test_arguments_are_shown_as_far_as_they_are_known(tmp_path: Path) -> None:
    """Parameters and the first row are; results are once there are some."""
    (tmp_path / "people.csv").write_text("name\nMira\nJan\n", encoding="utf-8")
    read = Step(id="read", tool="people")
    greet_all = Step(
        id="greet",
        tool="anything",
        rows=Rows(csv="people.csv"),
        arguments={
            "hello": "${parameters.word} ${row.name}, number ${index}",
            "first": "${steps.read.result[0].name}",
            "deep": ["${parameters.word}", {"of": "${length(steps.read.result)} people"}],
            "plain": "$${as it is}",
        },
    )
    plan = BatchPlan(steps=(read, greet_all), parameters={"word": BatchParameter(default="Hi")})

    shown = preview(plan, greet_all, folder=tmp_path)

    assert shown.row == {"name": "Mira"}
    assert shown.later == ("first", "deep")
    assert shown.arguments == {
        "hello": "Hi Mira, number 0",
        "first": "${steps.read.result[0].name}",
        "deep": ["Hi", {"of": "${length(steps.read.result)} people"}],
        "plain": "${as it is}",
    }

    done = {"read": StepResult(StepState.DONE, [{"name": "Ada"}])}
    later = preview(plan, greet_all, folder=tmp_path, parameters={"word": "Ho"}, results=done)

    assert later.later == ()
    assert later.arguments["first"] == "Ada"
    assert later.arguments["deep"] == ["Ho", {"of": "1 people"}]


def test_a_preview_says_what_cannot_be_worked_out() -> None:
    """Everything for it was known."""
    broken = Step(id="a", tool="greet", arguments={"name": "${join(', ', parameters.word)}"})
    plan = BatchPlan(steps=(broken,), parameters={"word": BatchParameter(default="Hi")})

    shown = preview(plan, broken)

    assert shown.row is MISSING
    assert shown.later == ("name",)
    assert shown.problems[0].startswith("${join(', ', parameters.word)} cannot be worked out")
