"""Calls of the history as calls again, so that everything that shows a call shows them too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from tools.calls import Attachment, CacheUse, LogEntry, Step, StepKind, StepNote, ToolCall
from tools.errors import HistoryError, VaultError
from tools.spec import MISSING, Isolation
from tools.tool import Tool

if TYPE_CHECKING:
    from tools.history import CallRecord


class PastCall(ToolCall):
    """A call that ended long ago; it never runs.

    Args:
        record: What the history knows of it.
        tool: The tool as it is today; None when it is gone.
    """

    def __init__(self, record: CallRecord, tool: Tool | None) -> None:
        super().__init__(record.id, tool, record.tool, record.final_arguments or "{}", record.caller, 0.0)
        self._moment = record.proposed_at

    @property
    def proposed_at(self) -> datetime:
        """When it was made."""
        return self._moment.astimezone(UTC)

    def display_arguments(self) -> dict[str, Any]:
        """Return the arguments as they were kept: masked already."""
        values = from_json(self.given) if isinstance(self.given, str | bytes) else dict(self.given)
        return values if isinstance(values, dict) else {"input": values}


def past_call(record: CallRecord, tool: Tool | None, read: Callable[[str, int], bytes]) -> ToolCall:
    """Return a call of the history as a call with its response; takes time for large ones.

    Args:
        record: What the history knows of it.
        tool: The tool as it is today; None when it is gone.
        read: Reads the bytes of an attachment, by record and place.
    """
    call = PastCall(record, tool)
    response = call.response
    response.status = record.status
    response.json_result = from_json(record.result) if record.result is not None else MISSING
    response.text = record.text
    response.error = record.error
    response.logs = list(record.logs)
    response.steps = list(record.steps)
    for number, file in enumerate(record.attachments):
        try:
            response.attachments.append(Attachment(file.name, file.mime_type, read(record.id, number)))
        except (HistoryError, VaultError) as error:
            response.logs.append(
                LogEntry(record.elapsed_s, "warning", f"the attachment {file.name} is not here: {error}")
            )
    response.elapsed_s = record.elapsed_s
    response.review_s = record.review_s
    response.attempts = list(record.attempts)
    response.cache_use = CacheUse.HIT if record.from_cache else _cache_use(record.steps)
    response.fallback, response.fallback_reason = record.fallback, record.fallback_reason
    response.isolation = Isolation(record.isolation)
    response.feedback = record.feedback
    response.turns_to_keep = record.turns_to_keep
    if record.edited_arguments is not None:
        response.modified_arguments = from_json(record.edited_arguments)
    return call


def _cache_use(steps: Iterable[Step]) -> CacheUse:
    looked_up = next((step for step in steps if step.kind is StepKind.CACHE_LOOKUP), None)
    if looked_up is None:
        return CacheUse.NONE
    return CacheUse.MISS if looked_up.note is StepNote.MISS else CacheUse.BYPASSED
