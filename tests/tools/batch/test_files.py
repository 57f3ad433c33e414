"""Plans in files: what they say, where they are wrong, and that saving leaves a person's words alone."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    tool: query_database
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


COMMENTED = """\
# about the plan

name: nightly
limits: {parallelism: 8}   # as many as the server bears
# all of it
steps:
# about load
- id: load  # the first
  tool: a
  retries: 0
  arguments:
      x: 1   # one
      # more may follow
# about mid
# in two lines

- id: mid
  # why b
  tool: b
  arguments:
    items:
    # first item
    - 1
    # second item
    - 2

# about report
- id: report
  tool: c
  depends_on: [load]
# the end
"""

NEW = Step(id="new", tool="n", arguments={"list": [1]})


@pytest.mark.parametrize(
    "order",
    [(2, 0, 1), (1, 2, 0), (0, 2), (1,), (0, NEW, 1, 2), (NEW, 0, 1, 2), (0, 1, 2, NEW), (2, NEW), (NEW,)],
    ids=str,
)
@pytest.mark.parametrize("dash", [0, 2, 4])
def test_comments_go_with_their_steps(tmp_path: Path, order: tuple[int | Step, ...], dash: int) -> None:
    """Wherever a step is moved, its lines and the comments above it are what they were; what is gone takes its own."""
    above, below = COMMENTED.split("steps:\n")
    steps, end = below.split("# the end")
    file = written(tmp_path, f"{above}steps:\n{textwrap.indent(steps, ' ' * dash)}# the end{end}")
    plan = file.load()
    places = [item for item in order if isinstance(item, int)]

    file.save(plan.model_copy(update={"steps": tuple(plan.steps[i] if isinstance(i, int) else i for i in order)}))

    text = file.path.read_text(encoding="utf-8")
    assert [step.id for step in PlanFile(file.path).load().steps] == [
        plan.steps[item].id if isinstance(item, int) else item.id for item in order
    ]
    assert text.startswith(above)
    assert text.endswith("# the end\n")
    blocks = textwrap.dedent(text.partition("steps:\n")[2].partition("# the end")[0])
    pieces = [
        "# about load\n- id: load  # the first\n  tool: a\n  retries: 0\n  arguments:\n      x: 1   # one\n",
        "# about mid\n# in two lines\n\n- id: mid\n  # why b\n  tool: b\n",
        "# about report\n- id: report\n",
    ]
    assert [piece in blocks for piece in pieces] == [index in places for index in range(3)]
    assert ("# second item" in blocks) is (1 in places)


def test_a_changed_step_keeps_the_comments_within_it_and_leaves_the_others_alone(tmp_path: Path) -> None:
    """What is by default and stands there stays there."""
    file = written(tmp_path, COMMENTED)
    load, mid, report = file.load().steps
    load = load.model_copy(update={"tool": "d"})
    mid = mid.model_copy(update={"arguments": {"items": [1, 3]}})

    file.save(file.load().model_copy(update={"steps": (load, mid, report), "name": "daily"}))

    expected = COMMENTED.replace("tool: a", "tool: d").replace("- 2\n", "- 3\n").replace("name: nightly", "name: daily")
    # Comments keep their column.
    expected = expected.replace("      x: 1   # one", "    x: 1     # one")
    assert file.path.read_text(encoding="utf-8") == expected


def test_a_step_that_means_something_only_beside_the_others_is_saved_whole(tmp_path: Path) -> None:
    """An alias is worth less than a plan that is right."""
    text = "steps:\n  - id: a\n    tool: x\n    arguments: &same {n: 1}\n  - id: b\n    tool: x\n    arguments: *same\n"
    file = written(tmp_path, text)
    plan = file.load()

    file.save(plan.model_copy(update={"steps": (plan.steps[1], plan.steps[0])}))

    assert [step.id for step in PlanFile(file.path).load().steps] == ["b", "a"]
    assert PlanFile(file.path).load().steps[0].arguments == {"n": 1}


plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
any_steps = st.lists(
    st.builds(
        Step,
        id=st.sampled_from(["a", "b", "c", "d"]),
        tool=st.sampled_from(["x", "y"]),
        arguments=st.dictionaries(st.text(max_size=5), plain_values, max_size=2),
        description=st.text(max_size=20),
    ),
    max_size=4,
    unique_by=lambda step: step.id,
)


@given(st.lists(any_steps, min_size=2, max_size=4))
@settings(max_examples=60, deadline=None)
def test_whatever_is_saved_over_whatever_was_there_means_the_plan(
    tmp_path_factory: pytest.TempPathFactory, versions: list[list[Step]]
) -> None:
    """One after the other, into the same file."""
    file = PlanFile(tmp_path_factory.mktemp("plan") / "plan.yaml")
    for steps in versions:
        plan = BatchPlan(name="any", steps=tuple(steps))
        file.save(plan)
        assert PlanFile(file.path).load().model_dump_json() == plan.model_dump_json()


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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("steps: {a: {}}", 'steps: input should be a valid list, got {"a": {}}'),
        ("steps: [{id: a, tool: ~}]", "steps[0].tool: input should be a valid string, got null"),
        ("steps: [{id: a, tool: x, rows: r.csv}]", "steps[0].rows: input should be a valid mapping, got 'r.csv'"),
        (
            "steps: [{id: a, tool: x, arguments: [true]}]",
            "steps[0].arguments: input should be a valid mapping, got [true]",
        ),
        ("steps: [{id: a, tool: x, retries: 1.5}]", "steps[0].retries: input should be a valid integer, got 1.5"),
        (
            "steps: [{id: a, tool: x, rows: {values: {b: 1}}}]",
            'steps[0].rows.values: expected a list of rows, or an expression that means one, got {"b": 1}',
        ),
        (
            "steps: [{id: a, tool: x, depends_on: [1b]}]",
            "steps[0].depends_on[0]: expected a letter or _, then letters, digits, _, - and ., at most 100, got '1b'",
        ),
        (
            "parameters: {n: {type: str}}",
            "parameters.n.type: expected one of string, number, integer, boolean, array, object, got 'str'",
        ),
        ("approve: false", "approve: input should be 'plan' or 'step', got false"),
    ],
)
def test_what_does_not_fit_is_told_in_words_of_the_file(tmp_path: Path, text: str, said: str) -> None:
    """Not in those of Python."""
    with pytest.raises(PlanError) as caught:
        written(tmp_path, text).load()

    assert [str(problem) for problem in caught.value.problems] == [f"line 1, {said}"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"steps": [{"id": "a", "tool": "x"}], "name": "n", "steps": []}', "steps"),
        ('{"steps": [{"id": "a", "tool": "x", "arguments": {"word": 1, "word": 2}}]}', "word"),
    ],
)
@pytest.mark.parametrize("name", ["plan.json", "plan.yaml"])
def test_a_key_that_stands_twice_is_refused(tmp_path: Path, text: str, key: str, name: str) -> None:
    """The steps of the first would be lost."""
    with pytest.raises(PlanError) as caught:
        written(tmp_path, text, name).load()

    (problem,) = caught.value.problems
    assert f"key {key!r}" in problem.message.replace('"', "'")


def test_a_file_that_cannot_be_read_or_is_called_otherwise_is_refused(tmp_path: Path) -> None:
    """By name."""
    path = tmp_path / "none.yaml"
    with pytest.raises(PlanError) as caught:
        PlanFile(path).load()
    assert str(caught.value) == f"the plan {path} cannot be read: No such file or directory"
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
