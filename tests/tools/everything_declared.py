"""A plugin file that declares one of everything, for tests that load it where nobody else imports it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, field_validator

from tools import (
    AbstractTool,
    CircuitBreaker,
    Concern,
    Count,
    DryRun,
    Param,
    PathRole,
    Role,
    ShellCommand,
    ToolContext,
    ToolExample,
    ToolResult,
    cached,
    contract,
    make_tool,
    process_tool,
    prompt,
    rate_limit,
    resilience,
    retry,
    security,
    tool,
    toolkit,
)


class FlakyError(Exception):
    """Nobody but this file knows it."""


class SteadyError(FlakyError):
    pass


class Even(BaseModel):
    number: int

    @field_validator("number")
    @classmethod
    def check(cls, number: int) -> int:
        if number % 2:
            raise ValueError("odd numbers are not welcome")
        return number


tried: list[str] = []


@retry(max_attempts=3, initial_delay_s=0, retry_on=(FlakyError,), no_retry_on=(SteadyError,))
@tool
def flaky(kind: str) -> int:
    "Fail twice."
    tried.append(kind)
    if tried.count(kind) < 3:
        raise {"own": FlakyError, "steady": SteadyError, "other": KeyError}[kind]("not yet")
    return len(tried)


@resilience(circuit_breaker=CircuitBreaker(failure_threshold=1, ignore=(FlakyError,)))
@tool
def guarded(harmless: bool) -> None:
    "Fail."
    raise FlakyError("harmless") if harmless else ValueError("harmful")


def old(arguments: Mapping[str, Any], project_dir: Path) -> Iterator[Concern]:
    if arguments["when"].year < 2000:
        yield Concern("old", "Very old", f"{arguments['when']:%Y} in {project_dir.name}", grants="old")


@tool(concerns=old)
def dated(when: date, ctx: ToolContext) -> list[str]:
    "Tell what was granted."
    return sorted(ctx.grants)


def looked(arguments: Mapping[str, Any], project_dir: Path) -> DryRun | None:
    if arguments["when"].year == 1970:
        raise FlakyError("looked")
    if arguments["when"].year == 1971:
        return None
    counts = (Count("years", arguments["when"].year, f"{arguments['when']:%Y} years"),)
    return DryRun(f"Would go back in {project_dir.name}", counts, ("a", "b"), 3, ("Long ago.",))


@tool(dry_run=looked)
def returning(when: date) -> None:
    "Go back."


@tool
def starting(
    line: Annotated[str, ShellCommand(arguments="words", env="around")],
    words: list[str] | None = None,
    around: dict[str, str] | None = None,
) -> None:
    "Start something."


def worried(arguments: Mapping[str, Any], project_dir: Path) -> list[Concern]:
    if arguments["how"] == "raise":
        raise RuntimeError("worried")
    os._exit(6)


@tool(concerns=worried)
def worrying(how: str) -> None:
    "Worry."


def positive(amount: Decimal) -> None:
    assert amount > 0, "nothing comes from nothing"


@contract(
    pre=["amount < 1000", positive],
    post=["result.scale > 0", lambda result, amount: result.value >= amount],
    invariants="when.year > 1900",
)
@tool
def typed(amount: Decimal, when: date = date(2026, 11, 22), less: bool = False) -> Sum:
    "Add one."
    return Sum(value=amount - 1 if less else amount + 1, scale=2)


class Sum(BaseModel):
    value: Decimal
    scale: int


@contract(post="len(result.output) == 3")
@tool
def tool_result(text: str) -> ToolResult:
    "Return a result."
    return ToolResult.ok(text, structured={"text": text})


@contract(post="len(result) == 3")
@tool
def in_bytes(size: int) -> bytes:
    "Return bytes."
    return b"x" * size


@security(mask_fields=["key"])
@contract(pre="len(key) > 3")
@tool
def masked(key: str) -> str:
    "Hide."
    return "ok"


def spare(amount: int, ctx: ToolContext) -> str:
    ctx.log("info", f"spare runs in {os.getpid()}")
    return f"spare {amount}"


@resilience(fallback="spare")
@tool
def falling(amount: int) -> str:
    "Fail."
    raise RuntimeError("no")


@resilience(fallback="cached_number")
@tool
def falling_to_tool(seed: int) -> int:
    "Fail."
    raise RuntimeError("no")


runs: list[int] = []


@cached(ttl_s=60)
@tool
def cached_number(seed: int) -> int:
    "Count."
    runs.append(seed)
    return len(runs)


@tool(requires_confirmation=True)
def welcome_if_agreed(even: Even) -> int:
    "Welcome even numbers."
    return even.number


@tool
def welcome(even: Even) -> int:
    "Welcome even numbers."
    return even.number


@tool
def copy(source: Annotated[Path, PathRole()], target: Annotated[str, Param(default="${source}.bak")]) -> str:
    "Copy."
    return f"{source.name} to {target.rpartition('/')[2]}"


@toolkit("Counting", category="numbers", turns_to_keep=4)
class Counting:
    """Count together."""

    def __init__(self) -> None:
        self.count = 0

    @tool(
        name="count_up",
        title="Up",
        keywords=["more"],
        priority=70,
        latency="fast",
        version="2.0.1",
        idempotent=False,
        read_only=False,
        depends_on=["cached_number"],
        examples=[
            ToolExample(input={"by": 2}, description="Two"),
            ToolExample(input={"by": 0}, negative=True, why_bad="idle"),
        ],
    )
    @rate_limit(requests=100, key="shared")
    def up(self, by: Annotated[int, Param("How much", unit="steps")] = 1) -> int:
        """Count up.

        Args:
            by: How much.
        """
        self.count += by
        return self.count

    @tool
    def total(self) -> int:
        "Tell the count."
        return self.count

    @prompt(role=Role.USER)
    def cheer(self, name: str, times: int = 2) -> str:
        "Cheer."
        return " ".join(["Go", name] * times)


@tool(probe={"by": 3})
def doubled(by: int) -> int:
    "Double."
    return by * 2


async def is_alive(ctx: ToolContext) -> bool:
    ctx.log("info", f"{ctx.call.caller} asks in {os.getpid()}")
    return os.environ.get("WORD") is None


@tool(probe=is_alive, probe_on_request=True)
def alive() -> None:
    "Be alive."


def is_gone() -> ToolResult:
    return ToolResult.failure("nobody is there")


@tool(probe="is_gone")
def gone() -> None:
    "Be gone."


@toolkit("Two", probe="ping")
class Two:
    """Have one probe for both."""

    def __init__(self) -> None:
        self.pinged = 0

    @tool
    def left(self) -> int:
        "Tell how often both were asked."
        return self.pinged

    @tool
    def right(self) -> None:
        "Do nothing."

    def ping(self) -> None:
        self.pinged += 1


class Shout(AbstractTool):
    """Shout a text."""

    def do_execute(self, text: str) -> str:
        if self.context is not None:
            self.context.log("info", "shouting")
        return text.upper()


class ByHand(AbstractTool):
    """Take what a schema by hand says."""

    def build_schema(self) -> Mapping[str, Any]:
        return {"type": "object", "properties": {"n": {"type": "integer", "default": 3}}}

    def do_execute(self, given: dict[str, Any]) -> dict[str, Any]:
        return given


made = make_tool("made", "Be made.", lambda **given: given, {"properties": {"x": {"type": "number"}}})
SCRIPT = """
import json, os, sys
sys.stdin.read()
print(os.environ["WORD"], file=sys.stderr)
print(json.dumps({"output": "hi", "success": True}))
"""
program = process_tool("program", [sys.executable, "-c", SCRIPT], "Say hi.", env={"WORD": "hush hush"})
