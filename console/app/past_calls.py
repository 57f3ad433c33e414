"""Calls of the history with the bytes of their attachments, for the pages that show calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tools.calls import LogEntry
from tools.errors import HistoryError, VaultError

if TYPE_CHECKING:
    from tools.calls import CallRecord


def past_call(kept: CallRecord, read: Callable[[str, int], bytes]) -> CallRecord:
    """Return a call of the history with its attachments; takes time for large ones.

    Args:
        kept: What the history knows of the call.
        read: Reads the bytes of an attachment, by record and place.
    """
    logs, attachments = list(kept.logs), []
    for number, file in enumerate(kept.attachments):
        try:
            attachments.append(file._replace(data=read(kept.id, number)))
        except (HistoryError, VaultError) as error:
            logs.append(LogEntry(kept.elapsed_s, "warning", f"the attachment {file.name} is not here: {error}"))
    return kept._replace(logs=tuple(logs), attachments=tuple(attachments))
