"""How one program takes over from another what it serves to agents: the questions, the answers, and what runs.

The program that serves keeps a note in the data folder, which only this person can read: where its desk listens, and a
secret. Whoever knows the secret may ask for the desk, once. It is given values in lines of JSON: first all that is
held, then the outcome of each call that still runs, as it ends, in the program that started it, and its questions.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from pydantic import AwareDatetime, BaseModel, ConfigDict, JsonValue, ValidationError

from tools.calls import OnTimeout, ReviewTiming
from tools.errors import ArgumentsError, GatewayError
from tools.execution.open_questions import Refusal
from tools.execution.security import json_arguments
from tools.file_lock import claim, held
from tools.gateway.defaults import HOST, OWNER_FILE
from tools.gateway.owner_note import OwnerNote, read_note, write_note
from tools.spec import Concern

if TYPE_CHECKING:
    from tools.calls import ReviewRequest, ToolCall
    from tools.execution.executor import Executor

LOCK_FILE: Final = "gateway.lock"
"""What the one program holds that serves agents, in the data folder."""

PATIENCE_S: Final = 30.0
"""How long a program waits for the one that serves to hand over, in seconds."""

_TURN_FILE: Final = "gateway-next.lock"
_PRIVATE: Final = 0o600
_PAUSE_S: Final = 0.05
_READY_S: Final = 2.0
_MOST_BYTES: Final = 1 << 30
_LEAST_S: Final = 0.001


class KnownAnswer(NamedTuple):
    """The answer to a call that this program did not make.

    Attributes:
        answer: The result of `tools/call`.
    """

    answer: dict[str, Any]


class HandedApproval(BaseModel):
    """A person's yes to a call that waits for its agent.

    Attributes:
        digest: What it is bound to: tool, arguments, agent, project folder and policy.
        until_s: When it ends, in seconds since the epoch.
        revised: The arguments that the person put in the place of the agent's; None for none.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    digest: str
    reasons: tuple[Concern, ...]
    by: str
    until_s: float
    revised: dict[str, Any] | None = None
    feedback: str = ""


class HandedEdit(BaseModel):
    """What a person put in the place of an agent's arguments, where that gave new reasons to ask.

    Attributes:
        new_reasons: Titles of the reasons.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    arguments: dict[str, Any]
    by: str
    new_reasons: tuple[str, ...]


class HandedCall(BaseModel):
    """One held call: it waits, has its answer, or runs in the program that hands it over.

    Attributes:
        arguments: As the agent gave them.
        approval: What a person agreed to; None when nobody did yet.
        edit: What a person made of it, who is asked once more; None for nothing.
        answer: The result that no request took; None when there is none.
        runs: Whether it was started, and its outcome is to come.
        answer_until_s: When the time ends that a person has to allow it, in seconds since the epoch; None for no end,
            or when nobody was asked yet.
        is_caller_gone: Whether its agent has given up waiting.
        caller_until_s: When it is given up unless its agent asks again, in seconds since the epoch; None when it does
            not wait for that.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    held_id: str
    agent: str
    tool: str
    arguments: dict[str, Any]
    approval: HandedApproval | None = None
    edit: HandedEdit | None = None
    answer: dict[str, Any] | None = None
    runs: bool = False
    answer_until_s: float | None = None
    is_caller_gone: bool = False
    caller_until_s: float | None = None


class HandedTask(BaseModel):
    """One call that an agent asks after.

    Attributes:
        id: What the agent knows it by.
        ttl_ms: How long it is kept, in milliseconds from its beginning.
        answer: What the call is answered with; None when it is not ended.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    id: str
    agent: str
    held_id: str
    ttl_ms: int
    created_at: AwareDatetime
    answer: dict[str, Any] | None = None
    is_cancelled: bool = False


class Handover(BaseModel):
    """All that one program hands over.

    Attributes:
        name: What the program is called.
        port: Where agents reach it.
        state_key: What seals the states that clients come back with.
        tasks: What agents ask after.
        refusals: What a person refused a moment ago.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    name: str
    port: int
    state_key: str
    calls: tuple[HandedCall, ...] = ()
    tasks: tuple[HandedTask, ...] = ()
    refusals: tuple[Refusal, ...] = ()

    @property
    def questions(self) -> int:
        """How many calls wait for a person, or for their agent after that."""
        return sum(call.answer is None and not call.runs for call in self.calls)

    @property
    def running(self) -> int:
        """How many calls still run."""
        return sum(call.runs for call in self.calls)

    @property
    def words(self) -> str:
        """What came along, in a few words: `2 questions, 1 call that still runs there`."""
        asked = f"{self.questions} {'question' if self.questions == 1 else 'questions'}"
        runs = f", {self.running} {'call that still runs' if self.running == 1 else 'calls that still run'} there"
        return asked + (runs if self.running else "")


class HandedEnd(BaseModel):
    """The outcome of a call that ran on in the program that started it.

    Attributes:
        answer: Its result; None when its tool was not started after all, so that it is made where it is held now.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    held_id: str
    answer: dict[str, Any] | None


class HandedReview(BaseModel):
    """What a person is asked about a tool that runs, or about its result.

    Attributes:
        description: What it wants to do or know.
        timing: Whether it is asked while or after the tool runs.
        left_s: Seconds until silence counts; None when it never does.
        on_timeout: What silence means.
        prompt: A hint for the answer.
        why: The rule that asks, word for word; empty when the tool itself does.
        required_role: The role that may answer.
        new_reasons: Titles of the reasons for which it is asked once more after an edit.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    description: str
    timing: ReviewTiming
    left_s: float | None
    on_timeout: OnTimeout
    prompt: str
    why: str
    required_role: str
    result: JsonValue
    new_reasons: tuple[str, ...] = ()

    @property
    def changes(self) -> dict[str, Any]:
        """What is other in the question than where a tool is only about to run."""
        said = dict(self)
        del said["left_s"], said["description"]
        # A time of 0 is none.
        return {**said, "timeout_s": 0.0 if self.left_s is None else max(self.left_s, _LEAST_S)}


class HandedQuestion(BaseModel):
    """A question of a tool that runs on in the program that started it.

    Attributes:
        held_id: Which held call asks.
        client: What the agent's client is asked, by key.
        review: What a person is asked; None when the client is.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    held_id: str
    number: int
    client: dict[str, dict[str, Any]] = {}
    review: HandedReview | None = None


class HandedReply(BaseModel):
    """The answer to a question.

    Attributes:
        answers: Those of the agent's client, by key.
        kind: The kind of a person's decision.
        decision: What it says; None when no person was asked.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    number: int
    answers: dict[str, dict[str, Any]] = {}
    kind: str = ""
    decision: list[Any] | None = None
    by: str = ""


class HandedNews(BaseModel):
    """What the program is told that took over, one of these.

    Attributes:
        question: A tool asks.
        withdrawn: The number of a question that is none any more.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    end: HandedEnd | None = None
    question: HandedQuestion | None = None
    withdrawn: int = 0


class HandoverOwner(Protocol):
    """What a desk hands over."""

    async def hand_over(self) -> Handover | None:
        """Serve agents no longer, let the lock go, and return all that is held; None when the program ends anyway."""
        ...

    def is_taken_over(self) -> None:
        """Hear that the other program serves now."""
        ...

    def news(self) -> AsyncIterator[HandedNews]:
        """Yield what becomes of the calls that run on, until there are no more."""
        ...

    def take_reply(self, reply: HandedReply) -> None:
        """Hear the answer to a question."""
        ...


class HandoverServer:
    """Hand over what a program serves to the first one that asks with the right secret; on one event loop.

    Args:
        data: The data folder, which has the note.
        holder: Has what is handed over.

    Attributes:
        secret: What stands in the note, so that whoever knows it is a program of the same person.
    """

    def __init__(self, data: Path, holder: HandoverOwner) -> None:
        self.secret = secrets.token_urlsafe(32)
        self._data = data
        self._holder = holder
        self._server: asyncio.Server | None = None
        self._given: asyncio.Task[None] | None = None

    async def start(self, port: int, bridge: str | int) -> None:
        """Listen, and write the note.

        Args:
            port: Where agents reach the program.

        Raises:
            OSError: It cannot be written, or nothing can be listened on.
        """
        self._server = await asyncio.start_server(self._on_connected, HOST, 0)
        desk_port = self._server.sockets[0].getsockname()[1]
        note = OwnerNote(os.getpid(), port, desk_port, bridge, self.secret)
        await asyncio.to_thread(write_note, self._data, note)

    async def _on_connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_READY_S):
                asked = await reader.readline()
            if self._given is None and secrets.compare_digest(asked.strip(), self.secret.encode()):
                self._given = asyncio.current_task()
                await self._give(reader, writer)
        except (OSError, ValueError, TimeoutError):
            # Whoever asked is gone, or nobody who may ask.
            pass
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _give(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        handed = await self._holder.hand_over()
        if handed is None:
            return
        try:
            await _send(writer, handed)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_READY_S):
                    await reader.readline()
        finally:
            self._holder.is_taken_over()
        hearing = asyncio.create_task(self._hear(reader), name="answers of another program")
        try:
            async for said in self._holder.news():
                await _send(writer, said)
        finally:
            hearing.cancel()

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := await reader.readline():
                self._holder.take_reply(HandedReply.model_validate(json.loads(line)))

    async def finished(self) -> None:
        """Wait until all that was asked for is handed over."""
        if self._given is not None:
            await asyncio.wait({self._given})

    async def aclose(self) -> None:
        """Hand nothing over any more."""
        if self._server is not None:
            self._server.close()
            await self.finished()
            await self._server.wait_closed()
        if self._given is None:
            await asyncio.to_thread((self._data / OWNER_FILE).unlink, missing_ok=True)


class HandoverSource(Protocol):
    """What is taken over."""

    handed: Handover

    def news(self) -> AsyncIterator[HandedNews]:
        """Yield what becomes of the calls that run on elsewhere, until there are no more."""
        ...

    def reply(self, reply: HandedReply) -> None: ...

    def close(self) -> None: ...


class HandoverClient:
    """What a program took over from another one.

    Args:
        reader: Tells the ends of the calls that run on.
        writer: Hears that agents are served again.
    """

    def __init__(self, handed: Handover, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.handed = handed
        self._reader = reader
        self._writer = writer

    async def say_ready(self) -> None:
        """Tell the other program that agents are served again, so that it sends them here."""
        with contextlib.suppress(OSError):
            self._writer.write(b"ready\n")
            await self._writer.drain()

    async def news(self) -> AsyncIterator[HandedNews]:
        """Yield what becomes of the calls that run on, until there are no more or the other program dies."""
        with contextlib.suppress(OSError, ValueError):
            while line := await self._reader.readline():
                yield HandedNews.model_validate(json.loads(line))

    def reply(self, reply: HandedReply) -> None:
        """Tell the answer to a question; a program that died hears nothing."""
        self._writer.write(_line(reply))

    def close(self) -> None:
        self._writer.close()


class Ownership:
    """Be the one program that serves agents; the system lets go of it when the program dies."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._lock = -1

    @contextlib.asynccontextmanager
    async def taking(self, *, takes_over: bool) -> AsyncIterator[HandoverClient | None]:
        """Be the owner, at the latest when another program handed over; while this goes on, no third one is in between.

        Args:
            takes_over: Whether another program that serves is asked to hand over.

        Yields:
            What was handed over; None when there was no other program.

        Raises:
            GatewayError: Another program serves, and is not asked or does not hand over.
        """
        await asyncio.to_thread(self._data.mkdir, parents=True, exist_ok=True)
        try:
            with contextlib.ExitStack() as opened:
                turn = held(self._data / _TURN_FILE, PATIENCE_S)
                await asyncio.to_thread(opened.enter_context, turn)
                self._lock = os.open(self._data / LOCK_FILE, os.O_RDWR | os.O_CREAT, _PRIVATE)
                async with asyncio.timeout(PATIENCE_S):
                    taken = await self._taken(takes_over=takes_over)
                yield taken
        except TimeoutError as error:
            raise GatewayError("the program that serves agents does not hand over; end it") from error

    async def _taken(self, *, takes_over: bool) -> HandoverClient | None:
        taken: HandoverClient | None = None
        while not claim(self._lock):
            if not takes_over:
                raise GatewayError("another program serves agents already; end it, or go on there")
            taken = taken or await _asked(self._data)
            await asyncio.sleep(_PAUSE_S)
        return taken

    def let_go(self) -> None:
        """Let another program serve."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


async def _asked(data: Path) -> HandoverClient | None:
    """Ask the program that the note names; None when it is not there, or gave its desk to another one."""
    note = await asyncio.to_thread(read_note, data)
    if note is None:
        return None
    try:
        reader, writer = await asyncio.open_connection(HOST, note.desk_port, limit=_MOST_BYTES)
    except OSError:
        return None
    line = b""
    try:
        writer.write(note.secret.encode() + b"\n")
        await writer.drain()
        line = await reader.readline()
        if line:
            return HandoverClient(Handover.model_validate(json.loads(line)), reader, writer)
    except OSError:
        pass
    except ValidationError as error:
        raise GatewayError("the program that serves agents is of another version; end it") from error
    finally:
        if not line:
            writer.close()
    return None


async def _send(writer: asyncio.StreamWriter, said: BaseModel) -> None:
    writer.write(_line(said))
    await writer.drain()


def _line(said: BaseModel) -> bytes:
    # Texts of servers may hold halves of letters, which only the standard library writes and reads.
    return json.dumps(said.model_dump(), default=datetime.isoformat).encode() + b"\n"


def approval_of(executor: Executor, call: ToolCall | None) -> HandedApproval | None:
    """Return a person's yes to a call that waits for its agent; None when nobody was asked."""
    if call is None or call.approval is None or call.tool is None:
        return None
    is_changed = call.response.modified_arguments is not None
    return HandedApproval(
        digest=executor.proposals.digest(call),
        reasons=call.approved,
        by=call.approval.by,
        until_s=call.approval.until_s,
        revised=dict(json_arguments(call.tool, call.arguments)) if is_changed else None,
        feedback=call.response.feedback,
    )


def edit_of(call: ToolCall, question: ReviewRequest | None) -> HandedEdit | None:
    """Return the edit that a person is asked about once more; None when the question is about none."""
    if call.tool is None or question is None or not question.new_reasons:
        return None
    edits = [decision for decision in call.decisions if decision.answer == "edit"]
    return HandedEdit(
        arguments=dict(json_arguments(call.tool, call.arguments)),
        by=edits[-1].by if edits else "",
        new_reasons=question.new_reasons,
    )


def resume(executor: Executor, call: ToolCall, handed: HandedCall) -> None:
    """Let a call go on where it stood in the other program: a person's yes counts, and so does their edit."""
    if handed.approval is not None:
        _agree(executor, call, handed.approval)
    elif handed.edit is not None and call.pending and call.tool is not None:
        with contextlib.suppress(ArgumentsError):
            executor.proposals.revise(call, handed.edit.arguments, by=handed.edit.by)
            call.new_reasons = handed.edit.new_reasons


def _agree(executor: Executor, call: ToolCall, approval: HandedApproval) -> None:
    """Let a person's yes count for the same call in this program; where anything differs, they are asked again."""
    proposals = executor.proposals
    if not call.pending or call.tool is None or time() >= approval.until_s:
        return
    if approval.revised is not None:
        with contextlib.suppress(ArgumentsError):
            proposals.revise(call, approval.revised, by=approval.by)
    if proposals.digest(call) == approval.digest:
        proposals.approve(call, approval.reasons, by=approval.by, feedback=approval.feedback)
