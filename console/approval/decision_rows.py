"""What the list of decisions shows of each: worked out without any widget."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal, NamedTuple

__all__ = ["HEADS", "DecidedRow"]

HEADS: Final = ("Time", "Tool", "Caller", "Decision", "Note", "Remembered for", "Decided by", "Time taken")
"""What stands above the columns."""


class DecidedRow(NamedTuple):
    """One decision.

    Attributes:
        key: What tells it apart.
        call_id: The id of the call's record.
        decided_at: When.
        tool: The tool.
        caller: Who called it.
        tone: How it ended: allowed, refused, or neither.
        icon: Name of a shipped icon.
        outcome: How it ended, in words.
        note: What else there is to say.
        remembered: For how long the answer is remembered.
        by: Who decided.
        taken: How long that took.
    """

    key: str
    call_id: str
    decided_at: datetime
    tool: str
    caller: str
    tone: Literal["ok", "error", "idle"]
    icon: str
    outcome: str
    note: str
    remembered: str
    by: str
    taken: str
