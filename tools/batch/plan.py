"""`BatchPlan`: what runs, with which arguments, after what. A frozen value; a file is one form of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field, JsonValue, StringConstraints, model_validator

from tools.spec import Frozen

StepId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_.-]{0,99}$")]
"""A step's name: a letter or `_`, then letters, digits, `_`, `-` and `.`, at most 100."""

DEFAULT_PARALLELISM: Final = 4
"""How many steps run at a time. Source: seed 0, "Configuration"."""

DEFAULT_TIMEOUT_S: Final = 60.0
"""How long a batch may take that `BatchExecutor` is asked for; a plan has no limit unless it says so.
Source: seed 0, "Configuration"."""


UNNAMED: Final = "batch"
"""What a plan is called that has no name."""


class OnFailure(StrEnum):
    """What a failed step means to those that do not wait for it."""

    CONTINUE = "continue"
    STOP = "stop"


class Approve(StrEnum):
    """How a person is asked: once about the whole plan before it runs, or about each call that asks."""

    PLAN = "plan"
    STEP = "step"


class Rows(Frozen):
    """Say over what a step is repeated: exactly one of these.

    Attributes:
        csv: A CSV file with a heading; each row is an object of texts.
        json_file: A JSON file with a list, or one JSON value a line.
        files: A pattern of file names, such as `data/*.csv`; each row has `path`, `name` and `size_bytes`.
        values: The rows themselves, or one expression that means a list.
    """

    csv: str | None = None
    json_file: str | None = Field(None, alias="json")
    files: str | None = None
    values: list[JsonValue] | str | None = None

    @model_validator(mode="after")
    def _one(self) -> Rows:
        given = [name for name in ("csv", "json_file", "files", "values") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"expected exactly one of csv, json, files, values, got {len(given)}")
        return self


class Step(Frozen):
    """Be one step of a plan: a call of a tool, or many of one tool, one for each row.

    Attributes:
        id: Its name in the plan; other steps take its result by it.
        arguments: By name. A text may hold expressions between `${` and `}`; a text that is one expression alone means
            its value, of whatever type.
        depends_on: The steps that must have ended before; those whose results the arguments use are added.
        condition: An expression that must hold, or the step is skipped; empty always holds.
        rows: What it is repeated over; None runs it once.
        timeout_s: Seconds one call may take, besides what the tool allows itself; None has no further limit.
        retries: How often a call that failed is made again; only where the tool is idempotent.
        continue_on_failure: Whether those that wait for it go on when it fails or is skipped; its result is null then.
    """

    id: StepId
    tool: str
    arguments: Mapping[str, JsonValue] = Field(default_factory=dict)
    depends_on: tuple[StepId, ...] = ()
    condition: str = ""
    rows: Rows | None = None
    timeout_s: float | None = Field(None, gt=0)
    retries: int = Field(0, ge=0, le=100)
    continue_on_failure: bool = False
    description: str = ""


class Limits(Frozen):
    """Say how much may happen at a time, and for how long.

    Attributes:
        parallelism: How many calls of the batch run at a time, of those in worker processes no more than there are.
        timeout_s: Seconds until what is unfinished is timed out; None never is.
        tools: How many calls of a tool run at a time, by its name.
        sources: How many calls of a source's tools run at a time, by the source's name.
    """

    parallelism: int = Field(DEFAULT_PARALLELISM, ge=1, le=1000)
    timeout_s: float | None = Field(None, gt=0)
    tools: Mapping[str, Annotated[int, Field(ge=1)]] = Field(default_factory=dict)
    sources: Mapping[str, Annotated[int, Field(ge=1)]] = Field(default_factory=dict)


class BatchParameter(Frozen):
    """Describe one value that a run of the plan is given.

    Attributes:
        default: What counts when none is given; None when one must be given.
    """

    type: str = Field("string", pattern="^(string|number|integer|boolean|array|object)$")
    default: JsonValue = None
    description: str = ""


class BatchPlan(Frozen):
    """Be a plan: steps, what each waits for, and what holds for all of them.

    Attributes:
        name: What people call it.
        parameters: What a run is given, by name.
        limits: How much may happen at a time.
        on_failure: What a failed step means to those that do not wait for it.
        steps: The steps, in the order in which people see them.
    """

    name: str = UNNAMED
    description: str = ""
    parameters: Mapping[str, BatchParameter] = Field(default_factory=dict)
    limits: Limits = Field(default_factory=Limits)
    on_failure: OnFailure = OnFailure.CONTINUE
    approve: Approve = Approve.STEP
    steps: tuple[Step, ...] = Field(default=())


def title_of(name: str, file: Path | None) -> str:
    """Return what people call a plan: its own name, else that of its file."""
    return name if name != UNNAMED or file is None else file.stem


def plan_schema() -> dict[str, Any]:
    """Return the JSON Schema of a plan's file."""
    schema = BatchPlan.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
