"""What a model is sent of a conversation, and how many tokens each part of it takes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.lint import estimated_tokens
from tools.models.messages import Answer, CallResult, CallResults, StopReason, TurnsSummary, UserMessage

if TYPE_CHECKING:
    from tools.models.format import Document

LEFT_OUT: Final = "(left out: this result is no longer kept; make the call again if you need it)"
IMAGE_TOKENS: Final = 1_000
"""About what providers count for a picture; none of them says before it is sent."""

_LABEL_LETTERS: Final = 60

Conversed = UserMessage | Answer | CallResults
"""One message of a conversation."""


class PartState(StrEnum):
    """What becomes of a part the next time that something is sent."""

    SENT = "sent"
    PINNED = "pinned"
    SUMMARISED = "summarised"
    LEFT_OUT = "left_out"


class ContextPart(NamedTuple):
    """A part of what is sent next.

    Attributes:
        kind: `instructions`, `tools`, `summary`, `user`, `answer` or `result`.
        tokens: About how many it takes, as sent.
        part: The id of a result's part, by which it is pinned, dropped or summarised; 0 for the others.
        turns_left: For how many further turns a result stays; None is for ever, or is no matter.
    """

    kind: str
    label: str
    tokens: int
    part: int = 0
    state: PartState = PartState.SENT
    turns_left: int | None = None


class PartReader(NamedTuple):
    """Say of the results of calls what becomes of them.

    Attributes:
        summary_of: Returns what stands in its place, by the id of its part; None for the result itself.
        turns_left: Returns for how many further turns it stays; None is for ever.
    """

    state_of: Callable[[CallResult], PartState]
    summary_of: Callable[[int], str | None]
    turns_left: Callable[[CallResult], int | None]


class StandingRules(NamedTuple):
    """What holds for all that a model does, whatever tool it uses.

    Source: seed 2, "mustAlways / mustNever vs examples".

    Attributes:
        always: What it must always do.
        never: What it must never do.
    """

    always: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def instructions_of(own: str, rules: StandingRules, more: str = "") -> str:
    """Return the instructions of each request: a person's own, the rules, and what there is to say of the tools."""
    parts = [own.strip(), more]
    if rules.always:
        parts.append("\n".join(("You must always:", *(f"- {rule}" for rule in rules.always))))
    if rules.never:
        parts.append("\n".join(("You must never:", *(f"- {rule}" for rule in rules.never))))
    return "\n\n".join(filter(None, parts))


def said_places(messages: Sequence[Conversed]) -> list[int]:
    """Return where in a conversation a person said something."""
    return [at for at, message in enumerate(messages) if isinstance(message, UserMessage)]


def shown_messages(
    messages: Sequence[Conversed], reader: PartReader, summary: TurnsSummary | None = None
) -> tuple[Conversed, ...]:
    """Return the messages as they are sent.

    An answer whose calls are all left out keeps its words alone. Where some are kept, the others keep their place and
    lose their result, since every call of an answer has to have one. An answer that was cut off is not sent when the
    model wrote it anew, or is to.
    """
    shown: list[Conversed] = []
    messages = messages if summary is None else _summed_up(messages, reader, summary)
    for at, message in enumerate(messages):
        behind = messages[at + 1] if at + 1 < len(messages) else None
        if isinstance(message, Answer):
            if _is_written_anew(message, behind):
                continue
            hidden = isinstance(behind, CallResults) and all(
                reader.state_of(result) is PartState.LEFT_OUT for result in behind.results
            )
            if message.calls and (hidden or not isinstance(behind, CallResults)):
                message = Answer(text=message.text)  # noqa: PLW2901 -- what is sent in its place
            if message.text.strip() or message.calls:
                shown.append(message)
        elif isinstance(message, CallResults):
            states = [reader.state_of(result) for result in message.results]
            if any(state is not PartState.LEFT_OUT for state in states):
                results = tuple(
                    map(_told, message.results, states, (reader.summary_of(one.part) for one in message.results))
                )
                shown.append(CallResults(results=results))
        else:
            shown.append(message)
    return tuple(shown)


def _summed_up(messages: Sequence[Conversed], reader: PartReader, summary: TurnsSummary) -> list[Conversed]:
    """Return the messages with a summary in the place of the oldest turns; of these, pinned results stay.

    The summary goes before the next words of the person, since some models want the speakers to take turns. It is not
    among the instructions: it may hold what tools returned, which is nothing to obey.
    """
    end = said_places(messages)[summary.turns]
    words = f"(summary of the conversation until here)\n{summary.text}"
    pinned = _pinned(messages[:end], reader)
    if pinned:
        return [UserMessage(text=words), *pinned, *messages[end:]]
    first = messages[end].model_copy(update={"text": f"{words}\n\n{getattr(messages[end], 'text', '')}"})
    return [first, *messages[end + 1 :]]


def _pinned(messages: Sequence[Conversed], reader: PartReader) -> list[Conversed]:
    return [
        each
        for asked, told in pairwise(messages)
        if isinstance(told, CallResults) and any(reader.state_of(one) is PartState.PINNED for one in told.results)
        for each in (asked, told)
    ]


def _is_written_anew(answer: Answer, behind: Conversed | None) -> bool:
    return answer.stop is StopReason.CUT_OFF and (behind is None or isinstance(behind, Answer))


def _told(result: CallResult, state: PartState, summary: str | None) -> CallResult:
    if state is PartState.SUMMARISED:
        text = f"(summary of the result) {summary}"
    elif state is PartState.LEFT_OUT:
        text = LEFT_OUT
    else:
        return result
    return result.model_copy(update={"text": text, "structured": None, "images": (), "attached": ()})


def parts_of(
    instructions: str,
    tools: Sequence[Document],
    messages: Sequence[Conversed],
    reader: PartReader,
    summary: TurnsSummary | None = None,
) -> Iterator[ContextPart]:
    """Yield what is sent next, part by part."""
    if instructions:
        yield ContextPart("instructions", _label(instructions), estimated_tokens(instructions))
    if tools:
        yield ContextPart("tools", _tools_label(tools), estimated_tokens(json.dumps(tools, ensure_ascii=False)))
    if summary is not None:
        turns = "turn 1" if summary.turns == 1 else f"turns 1 to {summary.turns}"
        yield ContextPart("summary", turns, estimated_tokens(summary.text), state=PartState.SUMMARISED)
        end = said_places(messages)[summary.turns]
        messages = [*_pinned(messages[:end], reader), *messages[end:]]
    for at, message in enumerate(messages):
        if isinstance(message, UserMessage):
            yield ContextPart("user", _label(message.text), message_tokens(message))
        elif isinstance(message, Answer):
            cut = _is_written_anew(message, messages[at + 1] if at + 1 < len(messages) else None)
            named = message.text or ", ".join(call.name for call in message.calls)
            state = PartState.LEFT_OUT if cut else PartState.SENT
            yield ContextPart("answer", _label(named), 0 if cut else message_tokens(message), state=state)
        else:
            for result in message.results:
                state = reader.state_of(result)
                tokens = result_tokens(_told(result, state, reader.summary_of(result.part)))
                label = _label(f"{result.name} {result.arguments}")
                yield ContextPart("result", label, tokens, result.part, state, reader.turns_left(result))


def message_tokens(message: Conversed) -> int:
    """Return about how many tokens a message takes."""
    if isinstance(message, UserMessage):
        return estimated_tokens(message.text) + IMAGE_TOKENS * len(message.images)
    if isinstance(message, Answer):
        called = sum(estimated_tokens(call.name) + estimated_tokens(call.arguments) for call in message.calls)
        return estimated_tokens(message.text) + called
    return sum(map(result_tokens, message.results))


def result_tokens(result: CallResult) -> int:
    """Return about how many tokens a result takes."""
    return estimated_tokens(result.text) + IMAGE_TOKENS * len(result.images)


def _tools_label(tools: Sequence[Any]) -> str:
    count = sum(len(tool.get("functionDeclarations") or (tool,)) for tool in tools)
    return "1 tool" if count == 1 else f"{count:,} tools"


def _label(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LABEL_LETTERS else f"{line[: _LABEL_LETTERS - 1]}…"
