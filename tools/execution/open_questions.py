"""The questions that are open: each gets exactly one outcome, however many calls wait for it and whoever is quicker.

A question belongs to no single call: identical calls share its outcome, and it is withdrawn when it no longer
applies. A new event in the life of a question gets a test in `tests/tools/test_review_races.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Callable
from time import time
from typing import Final, NamedTuple

from tools.calls import TIME_LIMIT, Continue, ExitEarly, OnTimeout, ReviewDecision, ReviewRequest, ToolCall
from tools.errors import ToolConfigurationError
from tools.listeners import listening
from tools.review import ReviewHandler, ask_handler, handler_name
from tools.review.handlers import ReviewFunction, RunInThread
from tools.spec import Concern

_log = logging.getLogger(__name__)

REFUSAL_HOLDS_S: Final = 60.0
"""How long a person's refusal answers identical calls as well."""
MOST_REFUSALS: Final = 1_000
"""The most refusals that are remembered; the oldest is forgotten first."""

LOOK_S: Final = 5.0
"""How often an open question compares two clocks, of which only one goes on while the computer sleeps."""
SLEPT_S: Final = 2.0
"""By how much the clocks have to differ, so that nobody takes a corrected clock for a sleep."""
GESTURE_S: Final = 0.1
"""How long after a change an open question is looked at: whoever answers and makes a rule of it does both at once, and
the answer is to count, not the rule."""
LETTING_GO_S: Final = 1.0
"""How long a handler whose question is over may take to let go of it."""

Still = Callable[[], str]
"""Looks whether a question is still the one to ask: why not, or nothing."""

Watcher = Callable[[ReviewRequest], None]
"""Is told of an open question that another number of identical calls waits for, or whose caller left or came back."""


class QuestionOutcome(NamedTuple):
    """What came of a question.

    Attributes:
        by: Whose it is; empty when the question was withdrawn.
        void: Why the question counts no more; empty when it does.
        fails: Whether silence is an error.
    """

    decision: ReviewDecision
    by: str = ""
    void: str = ""
    fails: bool = False


WITHDRAWN: Final = QuestionOutcome(ExitEarly("the question was withdrawn"))
"""What came of a question that nobody waits for any more."""


class OpenQuestion:
    """One question that somebody was asked, until it has its outcome.

    Args:
        call: The call it is about; None when it is about no call that can be changed.
        still: Looks whether it is still to be asked; None when nothing can change that.
        clock: The time in seconds since the epoch, which goes on while the computer sleeps.
        tell: Is told when another number of calls waits for the answer, or the caller left or came back.

    Attributes:
        request: What is asked, with the time it has by now, and how many calls wait for the answer.
    """

    def __init__(
        self,
        request: ReviewRequest,
        call: ToolCall | None,
        still: Still | None,
        clock: Callable[[], float],
        tell: Watcher,
    ) -> None:
        self.request = request
        self.call = call
        self._waiting = 0
        self._tell = tell
        self._still = still
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._outcome: asyncio.Future[QuestionOutcome] = self._loop.create_future()
        self._asked_s = self._loop.time()
        self._asked_clock_s = clock()
        self._timer: asyncio.TimerHandle | None = None
        self._looking: asyncio.TimerHandle | None = None
        self._handling: asyncio.Task[ReviewDecision] | None = None
        self._by = ""

    @property
    def is_open(self) -> bool:
        return not self._outcome.done()

    def put(self, handler: ReviewHandler | ReviewFunction, run_in_thread: RunInThread) -> None:
        self._by = handler_name(handler)
        self._handling = asyncio.ensure_future(ask_handler(handler, self.request, run_in_thread))
        self._handling.add_done_callback(self._on_handling_done)
        self._set_timer()

    async def outcome(self) -> QuestionOutcome:
        """Wait for what comes of it; once nobody waits any more, it is withdrawn."""
        self._count(1)
        try:
            return await asyncio.shield(self._outcome)
        finally:
            self._count(-1)
            if not self._waiting:
                self.settle(WITHDRAWN)
            if self._handling is not None and not self._handling.done() and not self.is_open:
                await asyncio.wait([self._handling], timeout=LETTING_GO_S)

    def reschedule(self, left_s: float, on_timeout: OnTimeout | None = None) -> ReviewRequest:
        """Give it another time, counted from now; 0 lets it wait for ever.

        Silence never means yes to what the policy asks.

        Returns:
            The question as it is now.
        """
        timeout_s = self._loop.time() - self._asked_s + left_s if left_s else 0.0
        means = self.request.on_timeout if on_timeout is None else on_timeout
        if means is OnTimeout.CONTINUE and self.request.why:
            means = OnTimeout.EXIT_EARLY
        self.request = self.request._replace(timeout_s=timeout_s, on_timeout=means)
        self._set_timer()
        return self.request

    def _count(self, more: int) -> None:
        self._waiting += more
        if self._waiting and self._waiting != self.request.attached and self.is_open:
            self.request = self.request._replace(attached=self._waiting)
            self._tell(self.request)

    def note_caller(self, back_within_s: float | None) -> None:
        """Show whether the caller still waits; see `ReviewRequest.caller_back_within_s`."""
        if self.is_open and back_within_s != self.request.caller_back_within_s:
            self.request = self.request._replace(caller_back_within_s=back_within_s)
            self._tell(self.request)

    def look_again(self) -> None:
        if self._still is not None:
            # A loop that is closed has nobody left who could run the call.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._look_soon)

    def _look_soon(self) -> None:
        if self._looking is None and self.is_open:
            self._looking = self._loop.call_later(GESTURE_S, self._look)

    def hold(self) -> None:
        """Stay open until the answer comes: it is on its way, with the rule that keeps it."""
        self._still = None

    def _look(self) -> None:
        self._looking = None
        if self._still is None or not self.is_open:
            return
        try:
            why = self._still()
        except Exception as error:  # noqa: BLE001 -- what cannot be judged is not asked on
            why = f"whether it may still be asked cannot be told ({type(error).__name__})"
        if why:
            self.settle(QuestionOutcome(ExitEarly(why), void=why))

    def _on_handling_done(self, handling: asyncio.Task[ReviewDecision]) -> None:
        if handling.cancelled():
            if self.is_open:
                self._fail(ToolConfigurationError("the review handler gave the question up; nothing runs"))
            return
        error = handling.exception()
        if error is not None:
            self._fail(error)
        elif self._has_overslept():
            self.settle(self._overslept())
        else:
            self.settle(QuestionOutcome(handling.result(), self._by))

    def settle(self, outcome: QuestionOutcome) -> None:
        """Give it its outcome, unless it has one."""
        if self.is_open:
            self._outcome.set_result(outcome)
            self._end()

    def _fail(self, error: BaseException) -> None:
        if self.is_open:
            self._outcome.set_exception(error)
            self._end()

    def _end(self) -> None:
        for timer in (self._timer, self._looking):
            if timer is not None:
                timer.cancel()
        if self._handling is not None:
            self._handling.cancel()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.request.timeout_s and self.is_open:
            left_s = self._asked_s + self.request.timeout_s - self._loop.time()
            self._timer = self._loop.call_later(max(min(left_s, LOOK_S), 0.0), self._on_timer)

    def _on_timer(self) -> None:
        if self._loop.time() - self._asked_s >= self.request.timeout_s:
            self.settle(self._silence())
        elif self._has_overslept():
            self.settle(self._overslept())
        else:
            self._set_timer()

    def _silence(self) -> QuestionOutcome:
        limit = _seconds(self.request.timeout_s)
        match self.request.on_timeout:
            case OnTimeout.CONTINUE:
                return QuestionOutcome(Continue(), TIME_LIMIT)
            case OnTimeout.FAIL:
                why = f"nobody answered within {limit} whether {self.request.call.tool.name} may run"
                return QuestionOutcome(ExitEarly(why, timed_out=True), TIME_LIMIT, fails=True)
            case OnTimeout.EXIT_EARLY:
                return QuestionOutcome(ExitEarly(f"nobody answered within {limit}", timed_out=True), TIME_LIMIT)

    def _has_overslept(self) -> bool:
        elapsed_s = self._clock() - self._asked_clock_s
        return bool(self.request.timeout_s) and elapsed_s >= self.request.timeout_s + SLEPT_S

    def _overslept(self) -> QuestionOutcome:
        # Nobody could answer meanwhile, so silence does not mean what it would have meant.
        why = f"the computer slept while nobody had answered, and the {_seconds(self.request.timeout_s)} are over"
        return QuestionOutcome(ExitEarly(why, timed_out=True), TIME_LIMIT)


def _seconds(amount_s: float) -> str:
    """Return a time as people say it: that it was prolonged makes odd fractions."""
    return f"{round(amount_s, 1) if amount_s >= 1 else amount_s:g} s"


class QuestionKey(NamedTuple):
    """What identical calls have in common, so that one answer counts for all of them.

    Attributes:
        digest: A hash of tool, real arguments, caller and project folder.
        role: The role that may answer; empty admits everybody.
    """

    digest: str
    reasons: tuple[Concern, ...]
    role: str


class Refusal(NamedTuple):
    """A refusal that answers identical calls as well.

    Attributes:
        key: What those calls have in common.
        version: The policy's that it holds for.
        request_id: The question that was answered with it.
        at_s: When it was given, in seconds since the epoch.
    """

    key: QuestionKey
    version: str
    request_id: str
    decision: ExitEarly
    by: str
    at_s: float


class OpenQuestions:
    """Hold the open questions of an executor, and the refusals of the last minute.

    Everything but `look_again` belongs to the loop that runs the calls.

    Args:
        clock: The time in seconds since the epoch, which goes on while the computer sleeps.
    """

    def __init__(self, clock: Callable[[], float] = time) -> None:
        self._clock = clock
        self._by_id: dict[str, OpenQuestion] = {}
        self._by_key: dict[QuestionKey, OpenQuestion] = {}
        self._refusals: OrderedDict[tuple[QuestionKey, str], Refusal] = OrderedDict()
        self._watchers: list[Watcher] = []

    def __len__(self) -> int:
        return len(self._by_id)

    def alike(self, key: QuestionKey | None) -> OpenQuestion | None:
        question = None if key is None else self._by_key.get(key)
        return question if question is not None and question.is_open else None

    def call_of(self, request_id: str) -> ToolCall | None:
        """Return the call that an open question is about; None when it is open no more, or about a whole plan."""
        question = self._by_id.get(request_id)
        return None if question is None else question.call

    def request_of(self, request_id: str) -> ReviewRequest | None:
        """Return an open question with the time that it has by now; None when it is open no more."""
        question = self._by_id.get(request_id)
        return None if question is None else question.request

    def settle(self, request_id: str, decision: ReviewDecision, by: str) -> None:
        """Answer an open question in the place of its handler."""
        question = self._by_id.get(request_id)
        if question is not None:
            question.settle(QuestionOutcome(decision, by))

    def hold(self, request_id: str) -> None:
        question = self._by_id.get(request_id)
        if question is not None:
            question.hold()

    def refusal(self, key: QuestionKey | None, version: str) -> Refusal | None:
        """Return how an identical call was refused a moment ago under the same policy; None when it was not."""
        refusal = None if key is None else self._refusals.get((key, version))
        return refusal if refusal is not None and 0 <= self._clock() - refusal.at_s < REFUSAL_HOLDS_S else None

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """What was refused a moment ago, oldest first; another program that goes on may heed it."""
        return tuple(self._refusals.values())

    def heed(self, refusal: Refusal) -> None:
        """Refuse identical calls for the rest of the minute."""
        self._refusals.pop((refusal.key, refusal.version), None)
        self._refusals[refusal.key, refusal.version] = refusal
        while len(self._refusals) > MOST_REFUSALS:
            self._refusals.popitem(last=False)

    async def ask(
        self,
        request: ReviewRequest,
        handler: ReviewHandler | ReviewFunction,
        run_in_thread: RunInThread,
        *,
        call: ToolCall | None = None,
        key: QuestionKey | None = None,
        version: str = "",
        still: Still | None = None,
    ) -> QuestionOutcome:
        """Ask a handler, or share in what was asked about an identical call, and wait for what comes of it.

        Args:
            run_in_thread: Where a plain function answers.
            call: The call it is about; None when it is about no call that can be changed.
            key: What identical calls have in common; None when no other call may share the answer.
            version: The policy's; a refusal is remembered for it alone.
            still: Looks whether it is still to be asked; None when nothing can change that.

        Raises:
            ToolConfigurationError: When the handler breaks.
        """
        question = self.alike(key)
        if question is None:
            question = self._by_id[request.id] = OpenQuestion(request, call, still, self._clock, self._tell)
            if key is not None:
                self._by_key[key] = question
            question.put(handler, run_in_thread)
        outcome = WITHDRAWN
        try:
            outcome = await question.outcome()
        finally:
            if not question.is_open:
                self._conclude(question, outcome, key, version)
        return outcome

    def reschedule(self, request_id: str, left_s: float, on_timeout: OnTimeout | None = None) -> ReviewRequest | None:
        """Give an open question another time, counted from now, and another meaning to silence.

        Returns:
            The question as it is now; None when it is not open any more.
        """
        question = self._by_id.get(request_id)
        if question is None or not question.is_open:
            return None
        return question.reschedule(left_s, on_timeout)

    def note_caller(self, request_id: str, back_within_s: float | None) -> None:
        """Show with an open question whether its caller still waits.

        Args:
            back_within_s: How long the call waits for its caller once it is allowed, in seconds; None while the caller
                waits.
        """
        question = self._by_id.get(request_id)
        if question is not None:
            question.note_caller(back_within_s)

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Tell a function, on the loop that runs the calls, what changes of an open question but its time.

        That is how many identical calls wait for the answer, and whether the caller still waits.

        Returns:
            The undo.
        """
        return listening(self._watchers, watcher)

    def _tell(self, request: ReviewRequest) -> None:
        for watcher in tuple(self._watchers):
            try:
                watcher(request)
            except Exception:  # noqa: BLE001 -- a watcher is foreign code, and the call goes on
                _log.exception("somebody who watches the open questions failed")

    def look_again(self) -> None:
        """Withdraw the questions that are not to be asked any more; from any thread."""
        for question in tuple(self._by_id.values()):
            question.look_again()

    def _conclude(
        self, question: OpenQuestion, outcome: QuestionOutcome, key: QuestionKey | None, version: str
    ) -> None:
        """Take a question off the list, and remember a person's refusal."""
        self._by_id.pop(question.request.id, None)
        if key is None:
            return
        if self._by_key.get(key) is question:
            del self._by_key[key]
        decision = outcome.decision
        if outcome.by and isinstance(decision, ExitEarly) and not decision.timed_out:
            self.heed(Refusal(key, version, question.request.id, decision, outcome.by, self._clock()))
