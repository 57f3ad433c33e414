"""What a batch and the workers of a cluster say to each other about a call."""

from __future__ import annotations

from typing import Final

GO: Final = "go"
HALT: Final = "halt"
CANCEL: Final = "cancel"
SAY: Final = "say"

BEGUN_BEFORE: Final = b""
"""What a call comes to that must not run twice, and that the program did not let run: it had begun elsewhere."""

TOO_LATE: Final = b"\0"
"""What such a call comes to when the program did not say in time that it may run; nothing of it ran."""
