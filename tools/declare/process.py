"""Tools that are programs: an executable that reads one JSON object and writes one."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, ConfigDict, JsonValue, StrictBool, ValidationError
from pydantic_core import to_json

from tools.calls import MASK
from tools.card import PROGRAM, ToolSource
from tools.context import ToolContext
from tools.declare.build import AGENT_INPUT, make_tool
from tools.errors import DeclarationError, ToolFailure
from tools.programs import Captured, ProgramEnd, ending_of, run_program
from tools.spec import Isolation, Policies
from tools.tool import Injected, Injection, Tool, ToolResult

if TYPE_CHECKING:
    from tools.programs import OnLine

TIMEOUT_S: Final = 30.0
MAX_OUTPUT_BYTES: Final = 16 * 1024 * 1024
_GRACE_S: Final = 1.0
_MOST_REMARKS_BYTES: Final = 4096
_SHORTEST_SECRET: Final = 4
"""Values of the environment below this length are words of everyday use; hiding them would make holes in any text."""
_CONTEXT: Final = "tool_context"
_EXPECTED: Final = '{"output": ..., "success": true or false}'


class _Answer(BaseModel):
    """What a program writes."""

    model_config = ConfigDict(defer_build=True)

    success: StrictBool
    output: JsonValue = None
    error: str | None = None
    structured: JsonValue = None


def process_tool(
    name: str,
    command: Sequence[str | os.PathLike[str]],
    description: str,
    *,
    input_schema: Mapping[str, JsonValue] | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout_s: float | None = TIMEOUT_S,
    max_output_bytes: int = MAX_OUTPUT_BYTES,
    policies: Policies | None = None,
    source: ToolSource = PROGRAM,
    **card: Any,
) -> Tool:
    """Make a tool of a program that speaks JSON on its standard streams.

    It is started anew for each call and reads `{"input": ...}`: a text, or with `input_schema` all arguments as an
    object. It writes `{"output": ..., "success": true}`, or `{"success": false, "error": "why"}`; `structured` may hold
    a value beside a text output. What it writes to its error output appears in the call's log, line by line. When its
    time is over or the call is stopped, it is ended with everything it started.

    Args:
        name: The unique name callers use.
        command: The program and its arguments; no shell reads them.
        input_schema: The JSON Schema of its arguments; None is one text.
        env: Variables on top of this program's own; their values never reach a log or a message.
        cwd: Where it starts; None is the project folder.
        timeout_s: How long it may run, in seconds; None as long as it wants.
        max_output_bytes: The longest answer that is read.
        policies: What surrounds each call; its own time limit wins over `timeout_s`.
        **card: Further fields of `ToolSpec`.

    Raises:
        DeclarationError: When something of it is wrong.

    Source: the reference's protocol of process tools.
    """
    if isinstance(command, str) or not command:
        msg = f"process_tool({name!r}): command is a list, the program first; it is {command!r}"
        raise DeclarationError(msg)
    limits = (Policies() if timeout_s is None else Policies(timeout_s=timeout_s)).merged(policies or Policies())
    if Isolation.PROCESS in {card.setdefault("isolation", Isolation.INLINE), limits.isolation}:
        # Ended with a worker process, nobody would be left to end what it started.
        msg = f"process_tool({name!r}): a program has a process of its own; leave isolation out"
        raise DeclarationError(msg)
    argv = tuple(os.fspath(part) for part in command)
    made = make_tool(
        name,
        description,
        ProgramRun(argv, dict(env or {}), cwd, max_output_bytes, whole=input_schema is not None),
        (AGENT_INPUT,) if input_schema is None else input_schema,
        source=source,
        **card,
    )
    return replace(
        made,
        policies=limits,
        injected=(Injected(_CONTEXT, Injection.CONTEXT),),
        raw_input=AGENT_INPUT.name if input_schema is None else None,
        owner=f"process_tool({name!r}, {shlex.join(argv)})",
    )


@dataclass(frozen=True, eq=False)
class ProgramRun:
    """Run one program for each call.

    Attributes:
        env: Variables on top of this program's own.
        cwd: Where it starts; None is the project folder.
        max_output_bytes: The longest answer that is read.
        whole: Whether it reads all arguments as an object, rather than one text.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: Path | None
    max_output_bytes: int
    whole: bool

    @cached_property
    def _hide(self) -> Callable[[str], str]:
        return _hiding(self.env)

    async def __call__(self, **given: Any) -> ToolResult:
        """Start the program, and return what it answered."""
        context: ToolContext = given.pop(_CONTEXT)
        stdout = Captured(self.max_output_bytes)
        stderr = Captured(_MOST_REMARKS_BYTES, keep_end=True, on_line=_logging(context, self._hide))
        ended = await run_program(
            self.argv,
            cwd=self.cwd or context.project_dir,
            env={**os.environ, **self.env},
            stdout=stdout,
            stderr=stderr,
            timeout_s=None,
            stdin=to_json({"input": given if self.whole else given[AGENT_INPUT.python_name]}) + b"\n",
            grace_s=_GRACE_S,
        )
        try:
            return _result(self.argv[0], ended, stdout, stderr.text)
        except ToolFailure as error:
            raise ToolFailure(self._hide(str(error))) from None


def _hiding(env: Mapping[str, str]) -> Callable[[str], str]:
    """Return what takes the values of variables out of a text, the longest first."""
    secrets = sorted({value for value in env.values() if len(value) >= _SHORTEST_SECRET}, key=len, reverse=True)

    def hide(text: str) -> str:
        for secret in secrets:
            text = text.replace(secret, MASK)
        return text

    return hide


def _logging(context: ToolContext, hide: Callable[[str], str]) -> OnLine:
    def log(line: str) -> None:
        context.log("info", hide(line))

    return log


def _result(program: str, ended: ProgramEnd, stdout: Captured, remarks: str) -> ToolResult:
    answer = _answer(program, stdout) if stdout.total_bytes or not ended.exit_code else None
    if ended.exit_code:
        said = answer.error if isinstance(answer, _Answer) else None
        raise ToolFailure(_how_it_ended(program, ended.exit_code, said or remarks))
    if isinstance(answer, str):
        raise ToolFailure(answer)
    if answer is None or not answer.success:
        said = (answer.error or _text(answer.output)) if answer is not None else ""
        raise ToolFailure(said or "The tool failed and gave no reason.")
    structured = answer.structured
    if structured is None and not isinstance(answer.output, str):
        structured = answer.output
    return ToolResult.ok(_text(answer.output), structured)


def _answer(program: str, stdout: Captured) -> _Answer | str:
    """Return what a program answered; as text, what is wrong with the answer."""
    if stdout.truncated:
        return f"{program!r} wrote {stdout.total_bytes:,} bytes, more than an answer may have"
    try:
        return _Answer.model_validate_json(stdout.content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        reason = f"{where}: {first['msg']}" if where else first["msg"]
    if not stdout.content.strip():
        return f"{program!r} answered nothing; expected {_EXPECTED} on its standard output"
    beginning = " ".join(stdout.text[:200].split())
    return f"{program!r} should answer {_EXPECTED}, but its output begins with {beginning!r} ({reason})"


def _text(output: JsonValue) -> str:
    if output is None:
        return ""
    return output if isinstance(output, str) else to_json(output).decode()


def _how_it_ended(program: str, exit_code: int, remarks: str) -> str:
    how = f"{program!r} {'was ended by' if exit_code < 0 else 'ended with'} {ending_of(exit_code)}"
    last = remarks.strip()
    return f"{how}: {last}" if last else how
