"""What agents need beside their work: memory, plans, notes, variables of the project, waiting, and checks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, Literal, cast

from annotated_types import Ge, Gt, Le, Len
from pydantic import JsonValue, StringConstraints
from rapidfuzz import fuzz

from tools.catalog._agent_store import AgentStore
from tools.catalog.time import now_in_utc
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.errors import ContractError, DeclarationError, ToolFailure
from tools.execution.expressions import compile_clause
from tools.paths import data_folder
from tools.spec import Param, ToolExample

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9 _.:/-]{0,119}$")]
State = Literal["todo", "doing", "done", "skipped"]

_MEMORY: Final = "memory"
_NOTES: Final = "notes"
_PLAN: Final = "plan"
_VARIABLES: Final = "variables"
_LEAST_LIKENESS: Final = 60
_REPORT_EVERY_S: Final = 1.0


@dataclass(frozen=True)
class Remembered:
    """Something that was kept.

    Attributes:
        name: What it is called by.
        text: What it says.
        changed_at: When it was kept.
    """

    name: str
    text: str
    changed_at: str


@dataclass(frozen=True)
class Kept:
    """What keeping something did.

    Attributes:
        name: What it is called by.
        replaced: Whether something of that name was there before.
    """

    name: str
    replaced: bool


@dataclass(frozen=True)
class Forgotten:
    """What forgetting something did.

    Attributes:
        name: What it was called by.
        was_there: Whether there was anything to forget.
    """

    name: str
    was_there: bool


@dataclass(frozen=True)
class PlanStep:
    """A step of a plan.

    Attributes:
        number: Its place, from 1.
        text: What is to be done.
        state: How far it is.
        note: What came of it; empty for nothing.
    """

    number: int
    text: str
    state: State
    note: str


@dataclass(frozen=True)
class Plan:
    """The plan of a project.

    Attributes:
        steps: The steps, in order; empty when there is no plan.
        done: How many are done or skipped.
        next_step: The first that is neither; None when none is left.
    """

    steps: tuple[PlanStep, ...]
    done: int
    next_step: PlanStep | None


@dataclass(frozen=True)
class Checked:
    """What came of a check that holds.

    Attributes:
        holds: Always true: a check that does not hold fails.
        expression: What was checked.
    """

    holds: bool
    expression: str


@toolkit("Agent", category="agent")
class AgentMemory:
    """Memory, plans, notes and variables that are kept for a project; waiting, and checks.

    Args:
        data_dir: Says where what is kept lies.
        now: The clock; it returns an aware time.
    """

    def __init__(self, data_dir: Callable[[], Path] = data_folder, now: Callable[[], datetime] = now_in_utc) -> None:
        self._data_dir = data_dir
        self._now = now

    @tool(
        keywords=("memory", "save", "fact", "preference", "keep"),
        latency="fast",
        read_only=False,
        destructive=False,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(
                input={"name": "release day", "text": "Releases go out on Tuesdays."},
                description="A fact that later conversations need",
                output={"name": "release day"},
            ),
            ToolExample(
                input={"name": "style", "text": "Sentences are short; one idea each."},
                description="How somebody wants things written",
            ),
        ),
    )
    def save_memory(
        self,
        name: Annotated[Name, Param("What it is called by; the same name replaces it")],
        text: Annotated[str, Len(1, 20_000), Param("What to remember, so that it is understood without this talk")],
        *,
        ctx: ToolContext,
    ) -> Kept:
        """Remember something about this project for later conversations. Secrets are refused."""
        refuse_secret(text)
        return Kept(name, self._store(ctx).put(_MEMORY, name, text, self._stamp()))

    @tool(
        keywords=("memory", "remembered", "look up", "facts"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={}, description="All that is remembered of this project"),
            ToolExample(input={"words": "release"}, description="What is known of releases"),
        ),
    )
    def recall_memory(
        self,
        words: Annotated[str, Len(0, 500), Param("What to look for; empty returns all, the newest last")] = "",
        *,
        limit: Annotated[int, Ge(1), Le(500), Param("The most entries to return")] = 20,
        ctx: ToolContext,
    ) -> list[Remembered]:
        """Recall what was remembered about this project, by words; nearly the same words count too."""
        rows = [Remembered(name, text, at) for name, text, _, at in self._store(ctx).rows(_MEMORY)]
        if not words.strip():
            return rows[-limit:]
        low = words.casefold()
        scored = [(fuzz.partial_ratio(low, f"{row.name}\n{row.text}".casefold()), row) for row in rows]
        scored.sort(key=lambda pair: -pair[0])
        return [row for score, row in scored if score >= _LEAST_LIKENESS][:limit]

    @tool(
        keywords=("memory", "delete", "remove", "outdated"),
        latency="fast",
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=30,
        examples=(ToolExample(input={"name": "release day"}, description="A fact that holds no longer"),),
    )
    def delete_memory(self, name: Annotated[Name, Param("What it is called by")], *, ctx: ToolContext) -> Forgotten:
        """Forget something that was remembered about this project; no copy is kept."""
        return Forgotten(name, self._store(ctx).remove(_MEMORY, name))

    @tool(
        keywords=("plan", "todo", "steps", "tasks", "checklist"),
        latency="fast",
        read_only=False,
        destructive=False,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(
                input={"steps": ["Find where times are parsed", "Write a failing test", "Fix it"]},
                description="Three steps",
                output={"done": 0},
            ),
        ),
    )
    def make_plan(
        self,
        steps: Annotated[
            list[Annotated[str, Len(1, 500)]], Len(1, 100), Param("The steps, in order, each one thing to do")
        ],
        *,
        ctx: ToolContext,
    ) -> Plan:
        """Write the plan of the work in this project, in place of the one before; update_plan says how far it is."""
        rows = [(f"{number:03}", text, "todo\n") for number, text in enumerate(steps, 1)]
        store = self._store(ctx)
        store.replace_all(_PLAN, rows, self._stamp())
        return _plan(store)

    @tool(
        keywords=("plan", "progress", "done", "todo", "status"),
        latency="fast",
        read_only=False,
        destructive=False,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(
                input={"number": 1, "state": "done", "note": "It is in dates.py."},
                description="The first step of the plan is done",
            ),
            ToolExample(input={"number": 1, "state": "doing"}, description="The first step is begun"),
        ),
    )
    def update_plan(
        self,
        number: Annotated[int, Ge(1), Le(100), Param("Which step")],
        state: Annotated[State, Param("How far it is")],
        note: Annotated[str, Len(0, 1000), Param("What came of it")] = "",
        *,
        ctx: ToolContext,
    ) -> Plan:
        """Say how far a step of the plan is; returns the whole plan."""
        store = self._store(ctx)
        steps = _plan(store).steps
        if number > len(steps):
            had = f"the plan has {len(steps)} steps" if steps else "there is no plan; make_plan writes one"
            raise ToolFailure(f"expected the number of a step, got {number}: {had}")
        store.put(_PLAN, f"{number:03}", steps[number - 1].text, self._stamp(), f"{state}\n{note}")
        return _plan(store)

    @tool(
        keywords=("plan", "todo", "progress", "next step"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={}, description="What is done and what comes next"),
            ToolExample(input={"open_only": True}, description="What is left"),
        ),
    )
    def show_plan(
        self, *, open_only: Annotated[bool, Param("Leave out what is done or skipped")] = False, ctx: ToolContext
    ) -> Plan:
        """Show the plan of the work in this project: each step, how far it is, and what comes next."""
        plan = _plan(self._store(ctx))
        return replace(plan, steps=tuple(filter(_is_open, plan.steps))) if open_only else plan

    @tool(
        keywords=("notes", "journal", "log", "findings", "scratchpad"),
        latency="fast",
        idempotent=False,
        read_only=False,
        destructive=False,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(
                input={"text": "The tests need Python 3.11; 3.10 has no TaskGroup."}, description="Something found out"
            ),
        ),
    )
    def add_note(
        self, text: Annotated[str, Len(1, 20_000), Param("What was found out or decided")], *, ctx: ToolContext
    ) -> Kept:
        """Add a note to the journal of this project, with the time. Secrets are refused."""
        refuse_secret(text)
        store, stamp = self._store(ctx), self._stamp()
        name = f"{len(store.rows(_NOTES)) + 1:05} {stamp}"
        return Kept(name, store.put(_NOTES, name, text, stamp))

    @tool(
        keywords=("notes", "journal", "log", "history", "findings"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={"limit": 5}, description="The five newest notes"),
            ToolExample(input={"since": "2026-01-01T00:00:00Z"}, description="All of this year"),
        ),
    )
    def read_notes(
        self,
        *,
        since: Annotated[datetime | None, Param("Only notes of this time or later")] = None,
        limit: Annotated[int, Ge(1), Le(500), Param("The most notes to return, the newest of all")] = 50,
        ctx: ToolContext,
    ) -> list[Remembered]:
        """Read the journal of this project, the oldest note first."""
        rows = [Remembered(name, text, at) for name, text, _, at in self._store(ctx).rows(_NOTES)]
        if since is not None:
            aware = since if since.tzinfo else since.astimezone()
            rows = [row for row in rows if datetime.fromisoformat(row.changed_at) >= aware]
        return rows[-limit:]

    @tool(
        keywords=("variable", "context", "setting", "project"),
        latency="fast",
        read_only=False,
        destructive=False,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(
                input={"name": "test_command", "value": "pytest -q"}, description="How this project runs its tests"
            ),
            ToolExample(input={"name": "test_command", "value": ""}, description="Taken away again"),
        ),
    )
    def set_variable(
        self,
        name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_.]{0,99}$"), Param("The variable")],
        value: Annotated[str, Len(0, 10_000), Param("Its value; empty takes the variable away")],
        *,
        ctx: ToolContext,
    ) -> Kept:
        """Set a variable of this project's context, such as its test command; an empty value removes it."""
        refuse_secret(f"{name}={value}")
        store = self._store(ctx)
        if not value:
            return Kept(name, store.remove(_VARIABLES, name))
        return Kept(name, store.put(_VARIABLES, name, value, self._stamp()))

    @tool(
        keywords=("variable", "context", "settings", "project"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={}, description="All variables of this project"),
            ToolExample(input={"beginning": "release"}, description="Those about releases"),
        ),
    )
    def list_variables(
        self, *, beginning: Annotated[str, Param("What their names begin with")] = "", ctx: ToolContext
    ) -> dict[str, str]:
        """List the variables of this project's context with their values."""
        rows = self._store(ctx).rows(_VARIABLES)
        return {name: text for name, text, _, _ in rows if name.startswith(beginning)}

    @tool(
        keywords=("sleep", "pause", "delay", "until"),
        latency="slow",
        read_only=True,
        open_world=False,
        timeout_s=3_700,
        examples=(ToolExample(input={"seconds": 0.05}, description="A moment"),),
    )
    async def wait_seconds(
        self,
        seconds: Annotated[float, Gt(0), Le(3600), Param("How long to wait", unit="s")],
        *,
        ctx: ToolContext,
    ) -> str:
        """Wait for some seconds, an hour at most, and return the time; a wait that is cancelled ends at once."""
        waited = 0.0
        while waited < seconds:
            step = min(_REPORT_EVERY_S, seconds - waited)
            await asyncio.sleep(step)
            waited += step
            ctx.progress(waited, seconds, "waiting")
        return self._stamp()

    @tool(
        keywords=("assert", "check", "verify", "condition", "guard"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=10,
        examples=(
            ToolExample(
                input={"expression": "len(rows) > 0 and rows[0]['id'] == 7", "values": {"rows": [{"id": 7}]}},
                description="What a result has to be before the work goes on",
                output={"holds": True},
            ),
            ToolExample(
                input={"expression": "count == 3", "values": {"count": 2}, "message": "three files were expected"},
                negative=True,
                description="A check that does not hold",
                why_bad="It fails, with the message, so that a plan does not go on with wrong results.",
            ),
        ),
    )
    def assert_that(
        self,
        expression: Annotated[str, Len(1, 2000), Param("What must hold: comparisons, and, or, not, in, len(), names")],
        values: Annotated[dict[str, JsonValue], Param("What the names in it stand for")] = {},  # noqa: B006
        message: Annotated[str, Len(0, 500), Param("What to say when it does not hold")] = "",
    ) -> Checked:
        """Check that a condition over values holds, and fail with a message when it does not; no code is run."""
        try:
            compile_clause(expression, kind="condition", owner="assert_that")(values)
        except (ContractError, DeclarationError) as error:
            raise ToolFailure(f"{message}: {error}" if message else str(error)) from error
        return Checked(holds=True, expression=expression)

    def _store(self, ctx: ToolContext) -> AgentStore:
        return AgentStore(self._data_dir, ctx.project_dir)

    def _stamp(self) -> str:
        return self._now().astimezone(UTC).isoformat(timespec="seconds")


def refuse_secret(text: str) -> None:
    """Refuse to keep what looks like a key or a password, which everybody who may read the memory would see.

    Raises:
        ToolFailure: It holds one.
    """
    from tools.secret_scan import SecretScan  # noqa: PLC0415 -- its rules are read when the first text is looked at

    if SecretScan().secrets_in(text):
        raise ToolFailure("the text holds what looks like a key or a password, which is not kept; leave it out")


def _plan(store: AgentStore) -> Plan:
    steps: list[PlanStep] = []
    for number, (_, text, extra, _) in enumerate(store.rows(_PLAN), 1):
        state, _, note = extra.partition("\n")
        steps.append(PlanStep(number, text, cast("State", state), note))
    left = list(filter(_is_open, steps))
    return Plan(tuple(steps), len(steps) - len(left), left[0] if left else None)


def _is_open(step: PlanStep) -> bool:
    return step.state in {"todo", "doing"}
