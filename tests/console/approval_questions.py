"""Questions to ask in tests: tools worth asking about, requests about them, and a clock that stands still."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, TypedDict

from annotated_types import Ge, Le
from pydantic import AfterValidator

from tools import (
    Executor,
    OnTimeout,
    Param,
    PathRole,
    ReviewRequest,
    ReviewTiming,
    RiskClass,
    ToolCall,
    ToolContext,
    ToolRegistry,
    resolve_tools,
    security,
    tool,
)
from tools.calls import PlannedStep, record_of
from tools.errors import ArgumentProblem
from tools.spec import Concern

START = datetime(2026, 5, 12, 14, 32, 7, tzinfo=UTC)
DESTRUCTIVE = Concern("destructive", "Destructive", "The tool deletes files and keeps no copy.")
OUTSIDE = Concern("outside_project", "Outside the project folder", "Writes below /home/mira/exports")


def _not_odd(value: int) -> int:
    if value > 1_000:
        raise ZeroDivisionError("too much for this tool")
    if value % 2:
        raise ValueError("expected an even number")
    return value


@tool(destructive=True)
def delete_file(
    path: Annotated[Path, Param("What to delete"), PathRole(writes=True)],
    recursive: bool = True,
    missing_ok: bool = False,
) -> str:
    """Delete the folder `tmp` with everything in it. This cannot be undone."""
    return f"{path.name} {recursive} {missing_ok}"


@tool(requires_confirmation=True)
def repeat(text: str, times: Annotated[int, Ge(1), Le(50)] = 1) -> str:
    """Say something several times."""
    return text * times


@tool(requires_confirmation=True)
def pair(count: Annotated[int, AfterValidator(_not_odd)]) -> int:
    """Take an even number."""
    return count


@tool(requires_confirmation=True)
def notify(
    text: str,
    *,
    channel: str = "general",
    retries: Annotated[int, Ge(0), Le(9)] = 3,
    silent: bool = False,
    everybody: bool = True,
    footer: str = "Sent by a tool, on behalf of somebody who is not there to ask",
    tags: Annotated[list[str], Param("Words to find it by")] = [],  # noqa: B006 -- nobody changes it
    thread: str | None = None,
) -> str:
    """Tell people something."""
    return f"{text} {channel} {retries} {silent} {everybody} {footer} {tags} {thread}"


@tool(requires_confirmation=True)
@security(mask_fields=("api_key",))
def upload(url: str, api_key: str) -> str:
    """Send a file to a server."""
    return f"{url} with {api_key}"


class Account(TypedDict):
    """Who signs in."""

    user: str
    pin: Annotated[int, Ge(1_000)]


@tool(requires_confirmation=True)
@security(mask_fields=("account.pin", "headers.Authorization"))
def sign_in(account: Account, headers: dict[str, str]) -> str:
    """Sign in."""
    return f"{account['user']} with {account['pin']} and {headers}"


@tool
async def ask_month(ctx: ToolContext) -> str:
    """Ask which month is meant."""
    decision = await ctx.request_approval("Which month?", prompt="Its name is enough")
    return repr(decision)


TOOLS = (delete_file, repeat, pair, notify, upload, sign_in, ask_month)
_numbers = itertools.count(1)
_call_by_question: dict[str, ToolCall] = {}


def call_of(request: ReviewRequest) -> ToolCall:
    """Return the call that a question was made about, as the engine has it."""
    return _call_by_question[request.id]


def objections(request: ReviewRequest, values: Mapping[str, Any]) -> tuple[ArgumentProblem, ...]:
    """Look whether edited arguments fit, as the executor does."""
    return call_of(request).objections(values)


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.s = 0.0

    def seconds(self) -> float:
        return self.s

    def now(self) -> datetime:
        return START + timedelta(seconds=self.s)


def question(
    name: str = "delete_file",
    arguments: Mapping[str, Any] | None = None,
    *concerns: Concern,
    caller: str = "agent:claude-desktop",
    timeout_s: float = 300.0,
    on_timeout: OnTimeout = OnTimeout.EXIT_EARLY,
    asks: str = "",
    prompt: str = "",
) -> ReviewRequest:
    """Make a request as the executor does.

    Args:
        name: The tool.
        arguments: What it is called with; None deletes a folder.
        concerns: Why a person is asked.
        caller: Who asks.
        timeout_s: How long it stays open.
        on_timeout: What silence means.
        asks: The tool's own question; "" asks whether the call may run.
        prompt: A hint for the answer.
    """
    if arguments is None:
        arguments = {"path": "/home/mira/exports/2023"} if name == "delete_file" else {}
    call = Executor(ToolRegistry(resolve_tools(list(TOOLS)))).create_call(name, arguments, caller=caller)
    assert not call.response.status.final, call.response.error
    assert call.tool is not None
    number = f"review-{next(_numbers)}"
    _call_by_question[number] = call
    return ReviewRequest(
        id=number,
        call=record_of(call),
        description=asks or call.tool.description,
        arguments=None if asks else call.display_arguments(),
        timing=ReviewTiming.DURING_EXECUTION if asks else ReviewTiming.BEFORE_EXECUTION,
        concerns=concerns,
        timeout_s=timeout_s,
        on_timeout=on_timeout,
        prompt=prompt,
        asked_at=START,
        tool=call.tool.card,
    )


ALWAYS = Concern("confirmation", "Always asks", "The tool asks a person before each call.")
PLAN = (
    PlannedStep("read", "list_files", 1, 1, 0, ({},)),
    PlannedStep("notes", "repeat", 7, 7, 7, tuple({"text": str(number)} for number in range(7)), (ALWAYS,)),
    PlannedStep("later", "repeat", 1, 0, 0, ({"text": "${steps.read.result}"},), (ALWAYS,), is_open=True),
)


def plan_question(*steps: PlannedStep, risk: RiskClass | None = None) -> ReviewRequest:
    """Make a request about a whole plan as the executor does."""
    return ReviewRequest(
        id=f"review-{next(_numbers)}",
        call=record_of(ToolCall("1", None, "tidy up", {}, "batch: tidy up", 0.0)),
        description="Runs 3 steps with 9 calls.",
        arguments=None,
        concerns=(ALWAYS,),
        timeout_s=300.0,
        asked_at=START,
        risk=risk,
        plan=steps or PLAN,
    )
