"""Ask in a terminal: c continues, e edits, x refuses; silence and the end of input refuse as well."""

from __future__ import annotations

import asyncio
import sys
import threading
from datetime import UTC, datetime
from typing import Final, TextIO

from pydantic_core import from_json, to_json

from tools.calls import Continue, Edit, ExitEarly, OnTimeout, ReviewDecision, ReviewRequest

TICK_S: Final = 1.0
_CONTINUE: Final = frozenset({"c", "continue", "y", "yes"})
_EDIT: Final = frozenset({"e", "edit"})
_REFUSE: Final = frozenset({"x", "exit", "n", "no"})


class TerminalReviewHandler:
    """Answer questions from a terminal, one at a time for all tools that share it.

    Args:
        answers: Where answers are read from; None is standard input.
        questions: Where questions are written to; None is standard error, so that results alone go to standard output.

    Source: seed 3, "CONSOLE_APPROVAL_LOCK". The reference goes on when nobody answers; this handler refuses.
    """

    def __init__(self, answers: TextIO | None = None, questions: TextIO | None = None) -> None:
        self._answers = answers or sys.stdin
        self._questions = questions or sys.stderr
        self._lock = asyncio.Lock()
        self._lines: asyncio.Queue[str | None] | None = None
        self._ended = False

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        """Ask, and return the answer."""
        async with self._lock:
            self._show(request)
            while True:
                answer = await self._read("[c]ontinue, [e]dit, e[x]it without running", request)
                if answer is None:
                    return ExitEarly("no answer: the input ended")
                word = answer.strip().casefold()
                if word in _CONTINUE:
                    return Continue()
                if word in _REFUSE:
                    return ExitEarly()
                if word in _EDIT:
                    decision = await self._edit(request)
                    if decision is not None:
                        return decision
                else:
                    self._write(f"Expected c, e or x, got {answer.strip()!r}.\n")

    def _show(self, request: ReviewRequest) -> None:
        self._write(f"\n{request.call.name} asks ({request.call.caller}): {request.description}\n")
        for concern in request.concerns:
            self._write(f"  ! {concern.title}" + (f": {concern.detail}\n" if concern.detail else "\n"))
        for name, value in (request.arguments or {}).items():
            self._write(f"  {name} = {to_json(value).decode()}\n")
        if request.prompt:
            self._write(f"  {request.prompt}\n")

    async def _edit(self, request: ReviewRequest) -> ReviewDecision | None:
        if request.arguments is None:
            text = await self._read("your answer", request)
            return ExitEarly("no answer: the input ended") if text is None else Edit(text)
        text = await self._read("new arguments as one line of JSON", request)
        if text is None:
            return ExitEarly("no answer: the input ended")
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
        if self._lines is None:
            self._lines = asyncio.Queue()
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._pump, args=(loop, self._lines), name="terminal", daemon=True).start()
        if self._ended and self._lines.empty():
            return None
        redraw = self._questions.isatty()
        self._write(f"  {question}{_left(request)}: ")
        while True:
            try:
                line = await asyncio.wait_for(self._lines.get(), TICK_S)
            except TimeoutError:
                if redraw:
                    self._write(f"\r  {question}{_left(request)}: ")
                continue
            return None if line is None else line.rstrip("\n")

    def _pump(self, loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[str | None]) -> None:
        while not self._ended:
            line = self._answers.readline()
            self._ended = not line
            if loop.is_closed():
                return
            loop.call_soon_threadsafe(lines.put_nowait, line or None)

    def _write(self, text: str) -> None:
        self._questions.write(text)
        self._questions.flush()


def _left(request: ReviewRequest) -> str:
    if request.expires_at is None:
        return ""
    seconds = max(0, round((request.expires_at - datetime.now(UTC)).total_seconds()))
    then = "continues" if request.on_timeout is OnTimeout.CONTINUE else "refuses"
    return f" (in {seconds // 60}:{seconds % 60:02d} silence {then})"
