"""A tool's context in a worker process: what a tool says and asks goes to the program, live."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from concurrent.futures import Future
from itertools import count
from pathlib import Path
from typing import Any, Final

from tools.calls import Advice, Continue, Edit, ExitEarly, Measurement, ReviewDecision, ToolCall
from tools.config import Configurator
from tools.context import AskReview, LogLevel, PendingReview, ToolContext, file_of
from tools.errors import DeniedError
from tools.execution.workers.protocol import FrameKind, write_with_bytes
from tools.http import HttpClients
from tools.schema import json_bytes

_questions: Final = count(1)
"""Numbers the questions of a worker's whole life, so that a late answer finds no other one."""

Send = Callable[[FrameKind, bytes], None]


class WorkerReview(PendingReview):
    """A question that travels to the program; the answer comes back to whoever waits, in a loop or in a thread."""

    def __init__(self, ask: Callable[[], Future[ReviewDecision]]) -> None:
        self._put = ask

    def __await__(self) -> Generator[Any, None, ReviewDecision]:
        return asyncio.wrap_future(self._put()).__await__()

    def wait(self) -> ReviewDecision:
        if asyncio._get_running_loop() is not None:  # noqa: SLF001 -- the public one raises instead of answering
            msg = "wait() would block the event loop; await the review instead"
            raise RuntimeError(msg)
        return self._put().result()


class WorkerCallContext:
    """What surrounds calls and is the same for most of them, so that it is told only when it changes."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.project_dir = Path(told.get("project_dir", "."))
        self.config = Configurator(told.get("config"))
        self.grants: frozenset[str] = frozenset(told.get("grants", ()))
        self.has_reviewer: bool = told.get("has_reviewer", False)


class WorkerContext(ToolContext):
    """Be a tool's line to the program, from inside a worker process.

    Attributes:
        listen: Lets somebody read what the program says about the call.
    """

    def __init__(self, call: ToolCall, surroundings: WorkerCallContext, http: HttpClients, send: Send) -> None:
        self.call = call
        self._project_dir = surroundings.project_dir
        self.config = surroundings.config
        self.grants = surroundings.grants
        self.has_reviewer = surroundings.has_reviewer
        self._http = http
        self._send = send
        self._stopped = False
        self._given_up = False
        self._run_tool = self._find_tool = None
        self._attached = count(1)
        self._attachments: list[str] = []
        self._open: dict[int, Future[ReviewDecision]] = {}
        self.listen: Callable[[], None] = _nobody_listens

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked to stop; long synchronous tools look now and then."""
        self.listen()
        return self._stopped or self._given_up

    def stop(self) -> None:
        """Let the tool see that it is to stop, and wait for no answer any more."""
        self._stopped = True
        for number in list(self._open):
            self.answer(number, DeniedError("the call ended before the question was answered"))

    def give_up(self) -> None:
        """Let nothing out any more: the call is over."""
        self._given_up = True

    def log(self, level: LogLevel, text: str) -> None:
        self._say("log", level, str(text))

    def progress(self, done: float, total: float | None = None, text: str = "") -> None:
        self._say("progress", _number(done), None if total is None else _number(total), str(text))

    def write(self, text: str) -> None:
        self._say("write", str(text))

    def keep_for(self, turns: int) -> None:
        self._say("keep_for", int(turns))

    def attach(self, content: bytes | Path, mime_type: str | None = None, name: str | None = None) -> None:
        file = file_of(content, mime_type, name, next(self._attached))
        if not self._given_up:
            self._attachments.append(file.name)
            self._send(FrameKind.ATTACH, write_with_bytes([file.mime_type, file.name], bytes(file.data)))

    def detach(self, name: str) -> bool:
        if self._given_up or name not in self._attachments:
            return False
        self._attachments.remove(name)
        self._say("detach", name)
        return True

    def _tell_measured(self, measurement: Measurement) -> None:
        self._say("count" if measurement.counted else "observe", str(measurement.name), _number(measurement.value))

    def _pending(self, ask: AskReview) -> PendingReview:
        return WorkerReview(lambda: self._ask_program(ask))

    def _ask_program(self, question: AskReview) -> Future[ReviewDecision]:
        number = next(_questions)
        answer: Future[ReviewDecision] = Future()
        self._open[number] = answer
        self.listen()
        if not self._given_up:
            self._send(FrameKind.ASK, json_bytes([number, [*question[:3], question.on_timeout.value]]))
        return answer

    def answer(self, number: int, decision: ReviewDecision | BaseException) -> None:
        """Give an answer to whoever asked; from the thread that listens to the program."""
        answer = self._open.pop(number, None)
        if answer is not None and answer.set_running_or_notify_cancel():
            if isinstance(decision, BaseException):
                answer.set_exception(decision)
            else:
                answer.set_result(decision)

    def _say(self, method: str, *words: Any) -> None:
        """Have the program call a method of the call's context there."""
        if not self._given_up:
            self._send(FrameKind.SAY, json_bytes([method, *words]))


def decision_of(words: Any) -> ReviewDecision:
    """Return the decision that travelled as JSON."""
    kind, *fields = words
    if kind == "exit_early":
        refused = ExitEarly(*fields)
        return refused._replace(advice=Advice(refused.advice))
    return Continue(*fields) if kind == "continue" else Edit(*fields)


def words_of(decision: ReviewDecision) -> list[Any]:
    """Return a decision as JSON."""
    if isinstance(decision, Edit):
        revised = decision.revised if isinstance(decision.revised, str) else dict(decision.revised)
        return ["edit", revised, *decision[1:]]
    if isinstance(decision, Continue):
        return ["continue", decision.feedback, decision.remembered]
    return ["exit_early", *decision]


def _nobody_listens() -> None:
    """Do nothing, until the worker says who listens."""


def _number(value: Any) -> float:
    return value if isinstance(value, int | float) else float(value)
