"""Two conversations on one prompt: what one of them did is not done again by the other without a person's word."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.calls import CallFinished, CallStatus, ToolCall
from tools.models.journal import shown_arguments
from tools.models.messages import CallResults, UserMessage

if TYPE_CHECKING:
    from tools.calls import Event
    from tools.execution.executor import Executor
    from tools.models.journal import KeptConversation
    from tools.tool import Tool

_DID_NOTHING: Final = frozenset(
    {CallStatus.DENIED.value, CallStatus.NOT_FOUND.value, CallStatus.REJECTED.value, CallStatus.PENDING.value}
)


ProposedCalls = Sequence[tuple[int, ToolCall]]
"""The calls of one answer, each with the id of its part in the conversation."""


class RepeatQuestion(NamedTuple):
    """A model is about to do what the model beside it did already; a person is asked.

    Attributes:
        side: The conversation whose model wants it.
        part: The id of the call's part in that conversation.
        name: The tool.
        is_same: Whether the arguments are the same, too.
        status: How the first call ended, such as `executed`.
    """

    side: str
    part: int
    name: str
    is_same: bool
    status: str


class _Made:
    """A call that may change something.

    Attributes:
        side: The conversation that it was made in.
        name: The tool.
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
    one of them did its work, a person decides whether the tool runs once more; a refusal hands the result on. What a
    person lets run passes the same rules and questions as any call.

    Args:
        executor: Runs the calls of both.
        ask: Asks the person whether a call runs once more.
    """

    wants = (CallFinished,)

    def __init__(self, executor: Executor, ask: Callable[[RepeatQuestion], Awaitable[bool]]) -> None:
        self._executor = executor
        self._ask = ask
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
            side: The conversation.
            kept: What was kept of it.
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
        """Decline the calls of an answer that a person does not want to run once more.

        Args:
            side: The conversation that they come from.
            calls: The calls.
        """
        before = [made for made in self._made if made.side != side]
        acting = [(part, call) for part, call in calls if call.pending and call.tool is not None and may_act(call.tool)]
        # All are noted before anything is waited for: so of two conversations only the later one ever waits.
        for _, call in acting:
            self._open[call] = _Made(side, call.name, shown_arguments(call.display_arguments()))
            self._made.append(self._open[call])
        for part, call in acting:
            earlier = [made for made in before if made.name == call.name]
            for made in earlier:
                await made.ended.wait()
            await self._settle(side, part, call, [made for made in earlier if made.status not in _DID_NOTHING])

    async def _settle(self, side: str, part: int, call: ToolCall, done: Sequence[_Made]) -> None:
        if not done:
            return
        wanted = _read(shown_arguments(call.display_arguments()))
        same = next((made for made in reversed(done) if _read(made.arguments) == wanted), None)
        first = same or done[-1]
        if not await self._ask(RepeatQuestion(side, part, call.name, same is not None, first.status)):
            self._executor.proposals.decline(call, _refusal(first, is_same=same is not None), by="you")


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


def _refusal(first: _Made, *, is_same: bool) -> str:
    if is_same:
        return f"The same call was made a moment ago, and this came of it ({first.status}): {first.text}"
    return f"{first.name} ran a moment ago with the arguments {first.arguments}, and is not to run once more."
