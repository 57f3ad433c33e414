"""What few calls have: questions, edits, log lines, attachments, a text of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tools.calls import Advice, Continue, Edit, ExitEarly
from tools.history.writing import json_of

if TYPE_CHECKING:
    from tools.calls import ToolCall, ToolResponse
    from tools.history.capture import Asked, Capture

MOST_LETTERS: Final = 4_000
"""How much of the log and of people's words a call is found by."""


def rare_facts(capture: Capture, result: str | None) -> dict[str, Any] | None:
    """Return what few calls have; None when this one has nothing of it.

    Args:
        capture: The call.
        result: Its result as JSON text; None when there is none.
    """
    response = capture.call.response
    facts: dict[str, Any] = {}
    if capture.decisions:
        facts["decisions"] = [_decision(asked) for asked in capture.decisions]
    if response.modified_arguments is not None:
        facts["edited"] = json_of(response.modified_arguments)
    if response.review_s:
        facts["review_s"] = round(response.review_s, 6)
    if response.logs:
        facts["logs"] = response.logs.copy()
    if response.attachments:
        facts["attachments"] = [[item.name, item.mime_type, len(item.data), ""] for item in response.attachments]
    if (text := own_text(capture.call, result)) is not None:
        facts["text"] = text
    if response.feedback:
        facts["feedback"] = response.feedback
    if response.turns_to_keep is not None:
        facts["turns_to_keep"] = response.turns_to_keep
    if response.fallback:
        facts["fallback"] = response.fallback
        facts["fallback_reason"] = response.fallback_reason
    if len(response.attempts) > 1:
        facts["attempts"] = response.attempts.copy()
    if capture.call.origin is not None and capture.call.origin.retry_of:
        facts["retry_of"] = capture.call.origin.retry_of
    return facts or None


def has_rare_facts(capture: Capture) -> bool:
    """Return whether a call has anything of what few calls have; a text of its own is not looked for."""
    response = capture.call.response
    return bool(
        capture.decisions
        or response.modified_arguments is not None
        or response.logs
        or response.attachments
        or response.feedback
        or response.turns_to_keep is not None
        or response.fallback
        or len(response.attempts) > 1
        or capture.call.origin is not None
    )


def is_own(written: str, response: ToolResponse, result: str | None) -> bool:
    """Return whether a written text is more than the result or the error once again."""
    # It may have been written on the way, as JSON, for somebody who asked.
    return response.error is None and written not in (result, response.json_result)


def own_text(call: ToolCall, result: str | None) -> str | None:
    """Return what a model reads of a result when it is not simply the result; None when it is."""
    response = call.response
    if response.written is None or not is_own(response.written, response, result):
        return None
    text = call.display_text()
    return None if text in (result, call.display_result()) else text or None


def _decision(asked: Asked) -> dict[str, Any]:
    request, decision = asked.request, asked.decision
    revised = decision.revised if isinstance(decision, Edit) else None
    reason = ""
    if decision is not None:
        reason = decision.reason if isinstance(decision, ExitEarly) else decision.feedback
    return {
        "question": request.description,
        "timing": request.timing,
        "concerns": [
            f"{concern.title}: {concern.detail}" if concern.detail else concern.title for concern in request.concerns
        ],
        "shown": None if request.arguments is None else json_of(dict(request.arguments)),
        "asked_s": request.asked_at.timestamp(),
        "decided_s": asked.decided_s or None,
        "answer": ANSWERS.get(type(decision), ""),
        "by": asked.by,
        "reason": reason,
        "revised": None if revised is None else json_of(revised if isinstance(revised, str) else dict(revised)),
        "timed_out": isinstance(decision, ExitEarly) and decision.timed_out,
        **{name: value for name, value in _judged(asked).items() if value},
    }


def _judged(asked: Asked) -> dict[str, str | bool]:
    """Return what few questions have, by the names of a `Decision`."""
    request, decision = asked.request, asked.decision
    return {
        "risk": "" if request.risk is None else request.risk.value,
        "degree": "" if request.degree is None else request.degree.value,
        "risk_why": request.risk_why,
        "why": request.why,
        "rule": request.rule,
        "required_role": request.required_role,
        "advice": decision.advice.value
        if isinstance(decision, ExitEarly) and decision.advice is not Advice.NONE
        else "",
        "digest": request.digest,
        "remembered": "" if decision is None else decision.remembered,
        "attached_to": request.attached_to,
        "void": asked.void,
        "stopped_run": isinstance(decision, ExitEarly) and decision.stop_run,
    }


ANSWERS: Final[dict[type, str]] = {Continue: "continue", Edit: "edit", ExitEarly: "exit_early"}


def words_of(facts: dict[str, Any]) -> str:
    """Return what else a call is found by: its log lines, and the words and names that came with it.

    The same facts give the same words, before they are stored and after: entries leave the index by their text.
    """
    if "words" in facts:
        known: str = facts["words"]
        return known
    words: list[str] = [facts.get("feedback", ""), *(item[0] for item in facts.get("attachments", ()))]
    letters = 0
    for entry in facts.get("logs", ()):
        words.append(entry[2])
        letters += len(entry[2])
        if letters > MOST_LETTERS:
            break
    words.append(facts.get("edited", ""))
    text = " ".join(words)[:MOST_LETTERS]
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
