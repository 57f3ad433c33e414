"""Two conversations on one prompt: what one of them did is not done again by the other without a person's word."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tools.calls import CallFinished, CallStatus, Objection, ToolCall
from tools.models.journal import shown_arguments
from tools.models.messages import CallResults, UserMessage
from tools.spec import Concern

if TYPE_CHECKING:
    from tools.calls import Event
    from tools.execution.executor import Executor
    from tools.models.journal import KeptConversation
    from tools.tool import Tool

ProposedCalls = Sequence[ToolCall]
"""The calls of one answer."""

REPEATED: Final = "repeated"
"""The kind of the reason to ask about a call that another model made already."""

_DID_NOTHING: Final = frozenset(
    {CallStatus.DENIED.value, CallStatus.NOT_FOUND.value, CallStatus.REJECTED.value, CallStatus.PENDING.value}
)


class _Made:
    """A call that may change something.

    Attributes:
        arguments: As JSON text, secrets hidden.
        status: How it ended.
        text: The result for people; empty until it ended.
        ended: Set when it has.
    """

    def __init__(self, side: str, name: str, arguments: str) -> None:
        self.side = side
        self.name = name
        self.arguments = arguments
        self.status = CallStatus.PENDING.value
        self.text = ""
        self.ended = asyncio.Event()

    def end(self, status: str, text: str) -> None:
        self.status, self.text = status, text
        self.ended.set()


class SideBySide:
    """Look at the calls of two conversations that answer the same.

    Of a tool that may change something, a call of the second model waits for those that the first one made before. If
    one of them did its work, that is a reason to ask a person, which no rule settles; a refusal hands the result on.

    Args:
        executor: Runs the calls of both.
    """

    wants = (CallFinished,)

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._made: list[_Made] = []
        self._open: dict[ToolCall, _Made] = {}
        self.close = executor.add_listener(self)

    def __call__(self, event: Event) -> None:
        if isinstance(event, CallFinished) and (made := self._open.pop(event.call, None)) is not None:
            # A person may have changed the arguments before it ran.
            made.arguments = shown_arguments(event.call.display_arguments())
            made.end(event.call.response.status.value, event.call.display_text())

    def remember(self, side: str, kept: KeptConversation, said: int) -> None:
        """Know of the calls that a conversation made before the program started anew.

        Args:
            said: With which of the things that the person said both began, from 0.
        """
        places = [at for at, message in enumerate(kept.messages) if isinstance(message, UserMessage)]
        for message in kept.messages[places[said] :] if said < len(places) else ():
            for result in message.results if isinstance(message, CallResults) else ():
                tool = self._executor.registry.find(result.name)
                if tool is None or may_act(tool):
                    made = _Made(side, result.name, result.arguments)
                    made.end(result.status, result.text)
                    self._made.append(made)

    async def admit(self, side: str, calls: ProposedCalls) -> None:
        """Object to the calls of an answer that repeat what the other conversation did.

        Args:
            side: The conversation that they come from.
        """
        before = [made for made in self._made if made.side != side]
        acting = [call for call in calls if call.pending and call.tool is not None and may_act(call.tool)]
        # All are noted before anything is waited for: so of two conversations only the later one ever waits.
        for call in acting:
            self._open[call] = _Made(side, call.name, shown_arguments(call.display_arguments()))
            self._made.append(self._open[call])
        for call in acting:
            earlier = [made for made in before if made.name == call.name]
            for made in earlier:
                await made.ended.wait()
            done = [made for made in earlier if made.status not in _DID_NOTHING]
            if done:
                call.objection = _objection(call, done)


def may_act(tool: Tool) -> bool:
    """Return whether a call of a tool may change something.

    A tool counts as one that does unless its author says that it only reads.
    """
    hints = tool.hints
    return not hints.read_only or hints.may_destroy


def _read(arguments: str) -> object:
    try:
        value: object = json.loads(arguments)
    except ValueError:
        return arguments
    return value


def _objection(call: ToolCall, done: Sequence[_Made]) -> Objection:
    wanted = _read(shown_arguments(call.display_arguments()))
    same = next((made for made in reversed(done) if _read(made.arguments) == wanted), None)
    if same is not None:
        detail = (
            f"The other model made this same call ({same.status}). To run it again does its work twice; if you refuse,"
            " this model is told what came of the first one."
        )
        told = f"The same call was made a moment ago, and this came of it ({same.status}): {same.text}"
        return Objection(Concern(REPEATED, "Done already by the other model", detail), told)
    other = done[-1]
    detail = f"The other model ran {other.name} with other arguments. If both run, both do their work."
    told = f"{other.name} ran a moment ago with the arguments {other.arguments}, and is not to run once more."
    return Objection(Concern(REPEATED, "Run already by the other model", detail), told)
