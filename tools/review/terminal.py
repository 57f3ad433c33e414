"""Ask in a terminal: c continues, e edits, x refuses; the end of input refuses, and silence as the question says."""

from __future__ import annotations

import asyncio
import contextlib
import io
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final, TextIO
from weakref import WeakKeyDictionary

from pydantic_core import from_json, to_json

from tools.calls import Continue, Edit, ExitEarly, OnTimeout, PlannedStep, ReviewDecision, ReviewRequest, ReviewTiming
from tools.review.plain_text import caller_gone_words, plan_lines, preview_lines, visible
from tools.review.terminal_device import device_of, drop_typed

TICK_S: Final = 1.0
_LONGEST_RESULT: Final = 2000
_STOP: Final = frozenset({"s", "stop"})
_CONTINUE: Final = frozenset({"c", "continue", "y", "yes"})
_EDIT: Final = frozenset({"e", "edit"})
_WHATEVER: Final = frozenset({"w", "whatever"})
_REFUSE: Final = frozenset({"x", "exit", "n", "no"})


class TerminalReviewHandler:
    """Answer questions from a terminal, one at a time for all handlers of the process that share it, in any loop.

    Args:
        answers: Where answers are read from; None is standard input.
        questions: Where questions are written to; None is standard error, so that results alone go to standard output.

    Words behind c and x reach the caller: `x use the copy in build instead`. s refuses and stops all that the call
    belongs to. Of a whole plan, w agrees to steps with whatever arguments they will have: to those it names, or to all.

    Source: seed 3, "CONSOLE_APPROVAL_LOCK". The reference goes on when nobody answers; this handler refuses.
    """

    name = "terminal"

    def __init__(self, answers: TextIO | None = None, questions: TextIO | None = None) -> None:
        self._questions = questions or sys.stderr
        # A program started without any input has no sys.stdin at all.
        self._terminal = _terminal_of(answers or sys.stdin or io.StringIO())
        self._lines = self._terminal.lines
        self._shows_enter = self._lines.is_typed and self._questions.isatty()

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        """Ask, and return the answer."""
        async with self._terminal.turn:
            self._lines.drop_stale()
            self._show(request)
            while True:
                answer = await self._read(_choices(request), request)
                if answer is None:
                    return ExitEarly(f"no answer: {self._lines.end}")
                word, _, rest = answer.strip().partition(" ")
                word, said = word.casefold(), rest.strip()
                if word in _CONTINUE:
                    return Continue(said)
                if word in _REFUSE | _STOP:
                    return ExitEarly(said, stop_run=word in _STOP)
                if word in _WHATEVER and request.plan:
                    if (whatever := self._named(request.plan, said)) is not None:
                        return Continue(whatever=whatever)
                elif word in _EDIT and not said and not request.plan:
                    decision = await self._edit(request)
                    if decision is not None:
                        return decision
                else:
                    expected = "c, w or x" if request.plan else "c, e, x or s"
                    self._write(f"Expected {expected}, got {answer.strip()!r}.\n")

    def _show(self, request: ReviewRequest) -> None:
        self._write("\n")
        for line in _lines_of(request):
            self._write(f"{visible(line)}\n")

    def _named(self, plan: Iterable[PlannedStep], said: str) -> tuple[str, ...] | None:
        """Return the steps that somebody named, all that are open when none; None when one is not among them."""
        open_steps = [step.name for step in plan if step.is_open]
        names = said.replace(",", " ").split() or open_steps
        strange = [name for name in names if name not in open_steps]
        if not strange and names:
            return tuple(names)
        known = ", ".join(open_steps) or "none"
        self._write(f"Expected names of steps whose arguments are known later ({known}), got {said!r}.\n")
        return None

    async def _edit(self, request: ReviewRequest) -> ReviewDecision | None:
        if request.arguments is None:
            text = await self._read("your answer", request)
            return ExitEarly(f"no answer: {self._lines.end}") if text is None else Edit(text)
        text = await self._read("new arguments as one line of JSON", request)
        if text is None:
            return ExitEarly(f"no answer: {self._lines.end}")
        try:
            revised = from_json(text)
        except ValueError as error:
            self._write(f"Not JSON: {error}. Nothing was changed.\n")
            return None
        if not isinstance(revised, dict):
            self._write(f"Expected a JSON object with the arguments, got {text!r}. Nothing was changed.\n")
            return None
        return Edit({**request.arguments, **revised})

    async def _read(self, question: str, request: ReviewRequest) -> str | None:
        redraw = self._questions.isatty()
        self._write(f"  {question}{_left(request)}: ")
        while True:
            try:
                line = await asyncio.wait_for(self._lines.next(), TICK_S)
            except TimeoutError:
                if redraw:
                    self._write(f"\r  {question}{_left(request)}: ")
                continue
            except asyncio.CancelledError:
                # Nobody answers any more; what is written next begins a line.
                with contextlib.suppress(OSError, ValueError):
                    self._write("\n")
                raise
            if line is None or not self._shows_enter:
                self._write("\n")
            return None if line is None else line.rstrip("\n")

    def _write(self, text: str) -> None:
        self._questions.write(text)
        self._questions.flush()


class _Turn:
    """Let one task in at a time, of whatever event loop and thread; the others wait in order."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holder: asyncio.AbstractEventLoop | None = None
        self._waiting: deque[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = deque()

    async def __aenter__(self) -> None:
        loop = asyncio.get_running_loop()
        with self._lock:
            # A loop that was closed in the middle of a question gives nothing back any more.
            if self._holder is None or self._holder.is_closed():
                self._holder = loop
                return
            place = (loop, loop.create_future())
            self._waiting.append(place)
        try:
            await place[1]
        except asyncio.CancelledError:
            with self._lock:
                was_waiting = place in self._waiting
                if was_waiting:
                    self._waiting.remove(place)
            if not was_waiting:
                # It was let in at the same moment.
                self._pass_on()
            raise

    async def __aexit__(self, *_: object) -> None:
        self._pass_on()

    def _pass_on(self) -> None:
        with self._lock:
            while self._waiting:
                loop, place = self._waiting.popleft()
                with contextlib.suppress(RuntimeError):  # that loop has closed; the next one has its turn
                    loop.call_soon_threadsafe(_let_in, place)
                    self._holder = loop
                    return
            self._holder = None


def _let_in(place: asyncio.Future[None]) -> None:
    if not place.done():
        place.set_result(None)


class _Terminal:
    """Be where a person types: one reader of its lines, and one question at a time."""

    def __init__(self, source: TextIO) -> None:
        self.lines = _Lines(source)
        self.turn = _Turn()


_terminals: WeakKeyDictionary[TextIO, _Terminal] = WeakKeyDictionary()
_by_device: dict[int, _Terminal] = {}
_terminals_lock = threading.Lock()
"""A terminal belongs to the whole process, so what shares it is known to all of it."""


def _terminal_of(source: TextIO) -> _Terminal:
    """Return the terminal that a stream reads from; streams of one device share it."""
    device = device_of(source)
    with _terminals_lock:
        if device is None:
            found = _terminals.get(source)
            if found is None:
                found = _terminals[source] = _Terminal(source)
            return found
        known = _by_device.get(device)
        if known is None or known.lines.is_over:
            known = _by_device[device] = _Terminal(source)
        return known


class _Lines:
    """Read lines in a thread of their own, from the first wait for one on; no wait that ends early loses any.

    Attributes:
        end: Why no line comes any more, in words.
    """

    def __init__(self, source: TextIO) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._read: deque[str | None] = deque()
        self._waiting: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None
        self._started = False
        self.end = "the input ended"

    @property
    def is_typed(self) -> bool:
        return not self._source.closed and self._source.isatty()

    @property
    def is_over(self) -> bool:
        with self._lock:
            return self._source.closed or None in self._read

    def drop_stale(self) -> None:
        """Forget what was typed before the question: a late answer to the last one is none to the next.

        Lines from a file or a pipe were all written beforehand, so they stay.
        """
        if self.is_typed:
            drop_typed(self._source)
            with self._lock:
                self._read = deque(line for line in self._read if line is None)

    async def next(self) -> str | None:
        """Return the next line; None at the end of the input, and ever after."""
        arrived = asyncio.Event()
        with self._lock:
            self._waiting = (asyncio.get_running_loop(), arrived)
            if not self._started:
                self._started = True
                threading.Thread(target=self._pump, name="terminal", daemon=True).start()
        while not self._read:
            await arrived.wait()
            arrived.clear()
        with self._lock:
            line = self._read[0]
            if line is not None:
                self._read.popleft()
        return line

    def _pump(self) -> None:
        line: str | None = ""
        while line is not None:
            try:
                line = self._source.readline() or None
            except UnicodeDecodeError:
                line, self.end = None, "the input is no UTF-8 text"
            except (OSError, ValueError):  # closed: nobody can answer
                line = None
            with self._lock:
                self._read.append(line)
                if self._waiting is not None:
                    loop, arrived = self._waiting
                    with contextlib.suppress(RuntimeError):  # that loop has closed; the next one looks by itself
                        loop.call_soon_threadsafe(arrived.set)


def _choices(request: ReviewRequest) -> str:
    if not request.plan:
        return "[c]ontinue, [e]dit, e[x]it without running, [s]top the run"
    if any(step.is_open for step in request.plan):
        return "[c]ontinue, [w]ith whatever arguments, e[x]it without running"
    return "[c]ontinue, e[x]it without running"


def _left(request: ReviewRequest) -> str:
    if request.expires_at is None:
        return ""
    seconds = max(0, round((request.expires_at - datetime.now(UTC)).total_seconds()))
    return f" (in {seconds // 60}:{seconds % 60:02d} silence {_SILENCE[request.on_timeout]})"


_SILENCE: Final = {
    OnTimeout.CONTINUE: "continues",
    OnTimeout.EXIT_EARLY: "refuses",
    OnTimeout.FAIL: "fails the call",
}


def _how_it_stands(request: ReviewRequest) -> Iterator[str]:
    if gone := caller_gone_words(request):
        yield f"  {gone}"
    if request.new_reasons:
        yield f"  ! Asked once more, because the edit gives new reasons: {', '.join(request.new_reasons)}"


def _lines_of(request: ReviewRequest) -> Iterator[str]:
    """Yield what a person should know to decide."""
    yield f"{request.call.tool.name} asks ({request.call.caller}): {request.description}"
    if request.attached > 1:
        yield f"  The answer counts for {request.attached} identical calls."
    if request.preview is not None:
        first, *others = preview_lines(request.preview)
        yield f"  What it will do: {first}"
        yield from (f"  {line}" for line in others)
    yield from _how_it_stands(request)
    for concern in request.concerns:
        yield f"  ! {concern.title}" + (f": {concern.detail}" if concern.detail else "")
    if request.why:
        yield f"  ! {request.why}"
    if request.degree is not None:
        yield f"  Risk: {request.degree.value}. {request.risk_why}"
    if request.required_role:
        yield f"  Only somebody with the role {request.required_role!r} may allow it."
    for name, value in (request.arguments or {}).items():
        yield f"  {name} = {to_json(value).decode()}"
    yield from (f"  {line}" for line in plan_lines(request.plan))
    if any(step.is_open for step in request.plan):
        yield "  c asks again about arguments that are known later; w does not, for all such steps or those it names."
    if request.timing is ReviewTiming.AFTER_EXECUTION:
        result = to_json(request.result).decode()
        cut = f"… ({len(result):,} characters)" if len(result) > _LONGEST_RESULT else ""
        yield f"  result = {result[:_LONGEST_RESULT]}{cut}"
    if request.prompt:
        yield f"  {request.prompt}"
