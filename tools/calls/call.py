"""`ToolCall` and the `ToolResponse` it is paired with."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pydantic_core import from_json

from tools.calls.outcome import Attachment, CallError, CallStatus, LogEntry, Step
from tools.schema import json_text
from tools.spec import MISSING

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.spec import Concern
    from tools.tool import Tool


class ToolResponse:
    """What came of a call; pending until the `Executor` ran it.

    Attributes:
        status: Where the call is, or how it ended.
        result: The tool's return value, typed; `MISSING` when there is none.
        json_result: The same as JSON; `MISSING` when there is none.
        written: The text, if it was written already: it takes time and memory, and few results are read by a model.
        error: Why it did not succeed; None on success.
        logs: The lines the tool wrote.
        attachments: What came with the result.
        elapsed_s: Seconds from the proposal to the end, waiting included.
        feedback: The reviewer's words; empty for none.
        modified_arguments: The arguments that really ran, as JSON, when a reviewer changed them; else None.
        turns_to_keep: How many turns to keep the result; None inherits.
        steps: The trace.
        from_cache: Whether nothing ran because the result was known.
        attempts: How often the tool was started.
        fallback: What answered in the tool's place; empty when the tool itself did.
    """

    # The defaults stand on the class: most calls change few of them, and a call costs microseconds in all.
    status: CallStatus = CallStatus.PENDING
    result: Any = MISSING
    json_result: Any = MISSING
    written: str | None = None
    error: CallError | None = None
    elapsed_s: float = 0.0
    feedback: str = ""
    modified_arguments: dict[str, JsonValue] | None = None
    turns_to_keep: int | None = None
    from_cache: bool = False
    attempts: int = 0
    fallback: str = ""

    def __init__(self) -> None:
        self.logs: list[LogEntry] = []
        self.attachments: list[Attachment] = []
        self.steps: list[Step] = []

    @property
    def text(self) -> str:
        """What a model reads: the result as text, or `Error: ...`; written when somebody asks for it."""
        if self.written is None and self.json_result is not MISSING:
            self.written = json_text(self.json_result)
        return self.written or ""

    @text.setter
    def text(self, text: str) -> None:
        self.written = text

    @property
    def succeeded(self) -> bool:
        """Whether the tool ran, or its cached result was used, without failing."""
        return self.status is CallStatus.EXECUTED

    def __repr__(self) -> str:
        """Return status and text, shortened."""
        return f"<ToolResponse {self.status.value} {(self.written or '')[:60]!r}>"


class CallOrigin(NamedTuple):
    """Where a call comes from when it is not alone.

    Attributes:
        owner: What it belongs to, such as a `Session`; tools that act upon that find it here.
        retry_of: The id of the call that it repeats; empty when it repeats none.
    """

    owner: object | None = None
    retry_of: str = ""


class ToolCall:
    """One request to run a tool. Made by `Executor.create_call`, which has already checked it.

    Attributes:
        id: Unique within the executor, in order of creation.
        tool: The tool; None when no tool has that name.
        name: The name asked for.
        given: The arguments as they came.
        arguments: The converted arguments by Python name; empty when they did not fit.
        caller: Who asks: `you`, `agent:name`, `batch: name`.
        started: The clock's reading at that moment, for offsets.
        response: What came of it.
        bypass_cache: Whether a cached result is passed over.
        task: The task that runs it; None when it does not run. The executor sets it, so that `cancel` finds it.
        cancel_requested: Whether somebody asked to stop it.
        aborted: Whether it was the program that asked, because it ends.
        approved: What a person was told of these arguments and agreed to before the start.
        origin: Where it comes from; None when it stands alone.
    """

    arguments: dict[str, Any]
    bypass_cache: bool = False
    task: asyncio.Task[Any] | None = None
    cancel_requested: bool = False
    aborted: bool = False
    approved: tuple[Concern, ...] = ()
    origin: CallOrigin | None = None

    def __init__(  # noqa: PLR0917 -- made in one place, where keywords would cost more than the object
        self,
        id_: str,
        tool: Tool | None,
        name: str,
        given: Mapping[str, Any] | str | bytes,
        caller: str,
        started: float,
    ) -> None:
        self.id = id_
        self.tool = tool
        self.name = name
        self.given = given
        self.arguments = {}
        self.caller = caller
        self.started = started
        self.response = ToolResponse()
        self._proposed = time()

    @property
    def proposed_at(self) -> datetime:
        """When it was made."""
        return datetime.fromtimestamp(self._proposed, UTC)

    def cancel(self) -> bool:
        """Ask to stop the call; from the event loop that runs it.

        Returns:
            Whether there was anything left to stop.
        """
        if self.response.status.final or self.cancel_requested:
            return False
        # A call that has not begun ends as soon as somebody executes it.
        self.cancel_requested = True
        if self.task is not None:
            self.task.cancel()
        return True

    def display_arguments(self) -> dict[str, JsonValue]:
        """Return the arguments as JSON for people: converted when they fit, as given when not, masked fields hidden."""
        if self.tool is None:
            return self._as_given(())
        masked = self.tool.masked
        if not self.arguments and self.response.status is CallStatus.REJECTED:
            return self._as_given(masked)
        try:
            shown = self.tool.arguments.dump(self.arguments)
        except TypeError:
            # A program may pass objects that have no JSON form; people see what Python says of them.
            shown = {name: repr(value) for name, value in self.arguments.items()}
        return mask(shown, masked) if masked else shown

    def unmasked(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return edited arguments with each secret put back that the person saw, and left, as bullets."""
        if self.tool is None:
            return dict(values)
        hidden = [name for name in self.tool.masked if values.get(name) == MASK]
        if not hidden:
            return dict(values)
        real = self.tool.arguments.dump(self.arguments)
        return {**values, **{name: real[name] for name in hidden if name in real}}

    def _as_given(self, masked: tuple[str, ...]) -> dict[str, JsonValue]:
        given = self.given
        if isinstance(given, Mapping):
            return mask(given, masked)
        if not masked:
            return {"input": given.decode(errors="replace") if isinstance(given, bytes) else given}
        try:
            values = from_json(given)
        except ValueError:
            values = None
        # Where in a text that is no object a secret stands, nobody can tell.
        return mask(values, masked) if isinstance(values, dict) else {"input": MASK}

    def __repr__(self) -> str:
        """Return id, name and status."""
        return f"<ToolCall {self.id} {self.name} {self.response.status.value}>"


MASK: Final = "••••••"


def mask(values: Mapping[str, JsonValue], fields: tuple[str, ...]) -> dict[str, JsonValue]:
    """Return a copy in which the named arguments are hidden."""
    return {name: MASK if name in fields else value for name, value in values.items()}
