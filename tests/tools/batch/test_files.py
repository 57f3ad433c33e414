"""Plans in files: what they say, where they are wrong, and that saving leaves a person's words alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.batch import BatchPlan, Limits, Rows, Step, plan_schema
from tools.batch.checking import plan_problems
from tools.batch.files import PlanFile
from tools.batch.renaming import with_renamed_step
from tools.catalog import builtin_tools
from tools.errors import PlanError
from tools.registry import ToolRegistry

PLAN = """\
# what runs each night
name: nightly
limits: {parallelism: 8}   # as many as the server bears
steps:
  # first the tickets
  - id: load
    tool: query_sqlite
    arguments:
      sql: "SELECT 1"    # keep it small
  - id: report
    tool: write_file
    depends_on: [load]
    arguments: {path: out.txt, text: "${steps.load.result}"}
"""


def written(folder: Path, text: str, name: str = "plan.yaml") -> PlanFile:
    """Return a plan's file with a text in it."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return PlanFile(path)


def test_yaml_and_json_mean_the_same_plan(tmp_path: Path) -> None:
    """The form of the file is no part of the plan."""
    from_yaml = written(tmp_path, PLAN)
    plan = from_yaml.load()
    as_json = PlanFile(tmp_path / "plan.json")
    as_json.save(plan)

    assert as_json.load() == plan
    assert plan.limits == Limits(parallelism=8)
    assert [step.id for step in plan.steps] == ["load", "report"]


def test_a_change_leaves_comments_order_and_quotes_as_they_were(tmp_path: Path) -> None:
    """Only the line that changed is another one."""
    file = written(tmp_path, PLAN)
    plan = file.load()
    load, report = plan.steps

    file.save(plan.model_copy(update={"steps": (load, report.model_copy(update={"timeout_s": 5.0}))}))

    assert file.path.read_text(encoding="utf-8") == PLAN + "    timeout_s: 5.0\n"


def test_an_unchanged_plan_is_saved_as_it_was(tmp_path: Path) -> None:
    """To the letter."""
    file = written(tmp_path, PLAN)
    file.save(file.load())

    assert file.path.read_text(encoding="utf-8") == PLAN


def test_every_value_of_a_plan_survives_its_file(tmp_path: Path) -> None:
    """Also what looks like something else in YAML."""
    step = Step(
        id="a",
        tool="echo",
        arguments={"no": "no", "one": 1, "yes": True, "text": "1", "date": "2026-01-01", "deep": [{"x": None}, [1.5]]},
        rows=Rows(json="rows.json"),
        condition="steps.b.result > `3`",
    )
    plan = BatchPlan(name="odd: #name", steps=(step, Step(id="b", tool="echo")))
    file = PlanFile(tmp_path / "new.yaml")
    file.save(plan)

    assert PlanFile(file.path).load() == plan


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("steps: [", "line 1, column 9: expected YAML"),
        ("- a\n- b\n", "expected a plan with steps, got a list"),
        ("", "expected a plan with steps, got nothing"),
        ("steps:\n  - id: lo ad\n    tool: x\n", "line 2, steps[0].id: expected a letter or _"),
        ("steps:\n  - id: a\n    tool: x\n    retries: many\n", "line 4, steps[0].retries: "),
        ("steps:\n  - id: a\n    tool: x\n    colour: red\n", "line 4, steps[0].colour: there is no 'colour' here"),
        ("steps:\n  - id: a\n", "line 2, steps[0].tool: expected a value, got none"),
        ("steps:\n  - id: a\n    tool: x\n    rows: {csv: a, files: b}\n", "expected exactly one of csv, json, files"),
        ("steps:\n  - id: a\n    tool: x\n    arguments: {1: x}\n", "expected names that are texts, got 1"),
        ("name: " + "[" * 200 + "]" * 200, "expected values at most 100 deep"),
    ],
)
def test_a_file_that_is_no_plan_says_where_and_why(tmp_path: Path, text: str, said: str) -> None:
    """The line, what was expected, what came."""
    with pytest.raises(PlanError) as caught:
        written(tmp_path, text).load()

    assert any(said in str(problem) for problem in caught.value.problems), caught.value.problems


def test_a_file_that_cannot_be_read_or_is_called_otherwise_is_refused(tmp_path: Path) -> None:
    """By name."""
    with pytest.raises(PlanError, match="cannot be read: No such file"):
        PlanFile(tmp_path / "none.yaml").load()
    with pytest.raises(PlanError, match=r"expected a name that ends in \.yaml"):
        written(tmp_path, PLAN, "plan.txt").load()


def test_the_schema_of_a_plan_is_published() -> None:
    """It names what a step may have."""
    schema = plan_schema()

    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert {"id", "tool", "arguments", "depends_on", "condition", "rows"} <= set(schema["$defs"]["Step"]["properties"])


def test_the_plan_of_the_help_page_fits_the_built_in_tools(tmp_path: Path) -> None:
    """Whoever copies it can run it."""
    page = (Path(__file__).parents[3] / "resources" / "help" / "batches.md").read_text(encoding="utf-8")
    plan = written(tmp_path, page.partition("```yaml\n")[2].partition("```")[0]).load()

    assert plan_problems(plan, ToolRegistry(builtin_tools())) == []


def test_a_renamed_step_keeps_its_comments(tmp_path: Path) -> None:
    """It is the same step, although it is called otherwise."""
    file = written(tmp_path, PLAN)

    file.save(with_renamed_step(file.load(), "load", "tickets"))

    expected = PLAN.replace("id: load", "id: tickets").replace("[load]", "[tickets]").replace("s.load", "s.tickets")
    assert file.path.read_text(encoding="utf-8") == expected
