"""Calls of the history as records with their attachments' bytes, for the pages that show calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from pydantic_core import from_json

from tools.calls import Attachment, CacheUse, CallRecord, LogEntry, Step, StepKind, StepNote, ToolRef
from tools.errors import HistoryError, VaultError
from tools.spec import MISSING, Isolation

if TYPE_CHECKING:
    from tools.history import CallRecord as HistoryRecord


def past_call(kept: HistoryRecord, read: Callable[[str, int], bytes]) -> CallRecord:
    """Return a call of the history as pages show it; takes time for large ones.

    Args:
        kept: What the history knows of the call.
        read: Reads the bytes of an attachment, by record and place.
    """
    logs, attachments = list(kept.logs), []
    for number, file in enumerate(kept.attachments):
        try:
            attachments.append(Attachment(file.name, file.mime_type, read(kept.id, number)))
        except (HistoryError, VaultError) as error:
            logs.append(LogEntry(kept.elapsed_s, "warning", f"the attachment {file.name} is not here: {error}"))
    return CallRecord(
        id=kept.id,
        tool=ToolRef(kept.tool, kept.version, kept.digest, kept.source, known=bool(kept.digest)),
        caller=kept.caller,
        proposed_s=kept.proposed_at.timestamp(),
        status=kept.status,
        arguments=None if kept.arguments is None else from_json(kept.arguments),
        edited_arguments=None if kept.edited_arguments is None else from_json(kept.edited_arguments),
        retry_of=kept.retry_of,
        elapsed_s=kept.elapsed_s,
        review_s=kept.review_s,
        attempts=kept.attempts,
        steps=kept.steps,
        cache_use=CacheUse.HIT if kept.from_cache else _cache_use(kept.steps),
        fallback=kept.fallback,
        fallback_reason=kept.fallback_reason,
        isolation=Isolation(kept.isolation),
        error=kept.error,
        result=MISSING if kept.result is None else from_json(kept.result),
        own_text=kept.text,
        logs=tuple(logs),
        attachments=tuple(attachments),
        feedback=kept.feedback,
        turns_to_keep=kept.turns_to_keep,
        sealed=kept.sealed,
        hidden=kept.hidden,
    )


def _cache_use(steps: Iterable[Step]) -> CacheUse:
    looked_up = next((step for step in steps if step.kind is StepKind.CACHE_LOOKUP), None)
    if looked_up is None:
        return CacheUse.NONE
    return CacheUse.MISS if looked_up.note is StepNote.MISS else CacheUse.BYPASSED
