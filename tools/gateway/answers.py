"""What an agent is told of its calls, beyond the result: what a person changed or said, and what to do now."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tools.calls import CallStatus, ReviewTiming
from tools.gateway.defaults import MOVES_KEY
from tools.gateway.verbatim_results import without_envelope
from tools.schema import json_bytes
from tools.tool import ToolResult
from tools.wire import PROVIDERS, ReceivedCall, result_of

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.calls import ToolCall
    from tools.gateway.held_calls import Waiting

_MCP = PROVIDERS["mcp"]
_ROOM_FOR_WORDS: Final = 1_000
_WAITING: Final = {
    ReviewTiming.BEFORE_EXECUTION: "waiting for approval",
    ReviewTiming.DURING_EXECUTION: "waiting for an answer of a person",
    ReviewTiming.AFTER_EXECUTION: "waiting for a person to look at the result",
}

_MOVES: Final = (
    "Pending: another program begins to serve the tools. The call is kept. Call the tool again with exactly the same"
    " arguments, now, to take its result; it runs at most once."
)


def answer_of(call: ToolCall) -> dict[str, JsonValue]:
    """Return the result of `tools/call` for a call that ended; that of a server as the server wrote it.

    A result that a person or the policy changed is none of a server any more.
    """
    response = call.response
    if isinstance(response.result, ToolResult) and response.result.written is not None:
        return _with_remarks(without_envelope(response.result.written), call)
    received = ReceivedCall("", call.name, {})
    (written,) = _MCP.results([result_of(received, response, "\n\n".join(filter(None, _parts(call))))])
    return written


def fitted(answer: dict[str, JsonValue], call: ToolCall, largest_bytes: int, whole_at: str) -> dict[str, JsonValue]:
    """Return an answer that is not larger than is handed on, and says what is left out.

    Args:
        answer: What would be handed on.
        largest_bytes: The size of the largest answer, as JSON.
        whole_at: Where a person finds the whole result; empty for nowhere.
    """
    size = _size(answer)
    if size <= largest_bytes:
        return answer
    advice = "Ask for less, such as a part of it or fewer rows."
    if whole_at:
        advice += f" The whole of it is in {whole_at}."
    content: Any = answer.get("content")
    texts = [part["text"] for part in content if part.get("type") == "text"]
    longest = max(texts, key=len, default="")
    room = largest_bytes - (size - _size(longest)) - _ROOM_FOR_WORDS
    if "structuredContent" in answer or room <= 0:
        return refusal_answer(
            f"{call.name} ran, but its result has {size:,} bytes, more than the {largest_bytes:,} that are handed on."
            f" {advice}"
        )
    kept = longest[:room]
    while _size(kept) > room:
        kept = kept[: int(len(kept) * room / _size(kept))]
    words = f"\n\n[Shortened: these are the first {len(kept):,} of {len(longest):,} characters. {advice}]"
    shown = [{**part, "text": kept + words} if part.get("text") is longest else part for part in content]
    return {**answer, "content": shown}


def _size(value: Any) -> int:
    return len(json_bytes(value))


def _with_remarks(result: dict[str, Any], call: ToolCall) -> dict[str, JsonValue]:
    said = [{"type": "text", "text": remark} for remark in _remarks(call)]
    return {**result, "content": [*(result.get("content") or ()), *said]}


def waiting_answer(waiting: Waiting, *, has_output: bool = False) -> dict[str, JsonValue]:
    """Return the result of `tools/call` for a call that waits for a person longer than its request is held.

    Args:
        has_output: Whether the tool says how its output looks. Clients take no other output from it unless it is an
            error, so that is what it is called then.
    """
    left = "" if waiting.left_s is None else f", for at most {_minutes(waiting.left_s)} more"
    again = "Call the tool again with exactly the same arguments to wait on; it"
    if waiting.moves:
        text = _MOVES
    elif waiting.is_paused:
        text = f"Pending: a person paused the calls of agents. Nothing ran yet. {again} will run at most once."
    elif waiting.timing is ReviewTiming.AFTER_EXECUTION:
        text = f"Pending: the tool ran, and a person looks at its result first{left}. {again} will not run again."
    elif waiting.timing is ReviewTiming.DURING_EXECUTION:
        text = f"Pending: the tool runs, and a person is asked about it{left}. {again} will not run again."
    else:
        asked = f"a person is asked whether this call may run{left}"
        text = f"Pending: {asked}. Nothing ran yet. {again} will run at most once."
    answer: dict[str, JsonValue] = {"content": [{"type": "text", "text": text}], "isError": has_output}
    return {**answer, "_meta": {MOVES_KEY: True}} if waiting.moves else answer


def waiting_words(waiting: Waiting) -> str:
    """Return what a request is told while it waits."""
    if waiting.is_paused:
        return "paused by a person"
    left = "" if waiting.left_s is None else f", {_minutes(waiting.left_s)} left"
    return f"{_WAITING[waiting.timing]}{left}"


def refusal_answer(text: str) -> dict[str, JsonValue]:
    """Return the result of `tools/call` for a call that is not made."""
    return {"content": [{"type": "text", "text": text}], "isError": True}


def _parts(call: ToolCall) -> list[str]:
    """Return the text of a result, part by part; an agent must not repeat what a person decided."""
    parts = [call.response.text]
    if call.response.status is CallStatus.DENIED:
        parts.append(
            "This was decided outside of this conversation. Do not repeat the call; it would be refused again."
        )
    if call.response.status is CallStatus.CANCELLED:
        parts.append("A person stopped it. Do not repeat the call unless you are told to.")
    return parts + _remarks(call)


def _remarks(call: ToolCall) -> list[str]:
    response = call.response
    parts = []
    if response.feedback and response.feedback not in response.text:
        parts.append(f"The person said: {response.feedback}")
    if response.modified_arguments is not None:
        parts.append(f"The arguments were changed before it ran. It ran with: {_json(call.display_arguments())}")
    return parts


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
