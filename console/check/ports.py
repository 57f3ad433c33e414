"""What the Check tab needs of the rest of the program, as a small protocol."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tools.check import CheckOptions, CheckProgress, CheckReport, CheckSkip

Ask = Callable[[str, str, str, Callable[[], None]], None]
"""Asks before something is lost: the question, what is lost, the verb that agrees, and what is done then."""


class CheckPort(Protocol):
    """Check tools somewhere else than on the window's thread."""

    async def skip(self, name: str, options: CheckOptions, scratch: Path | None) -> CheckSkip | None:
        """Return why a tool would not be checked; None when it would.

        Raises:
            ToolNotFoundError: When no tool has that name.
        """
        ...

    async def check(
        self, name: str, options: CheckOptions, scratch: Path | None, told: Callable[[CheckProgress], None]
    ) -> CheckReport:
        """Check a tool.

        Args:
            scratch: The folder that a person confirmed for a tool that changes things; None for no such folder.
            told: Is told how far the check is, on another thread.

        Raises:
            ToolNotFoundError: When no tool has that name.
            OSError: When the folder cannot be used, or is not empty.
        """
        ...

    def stop(self, name: str) -> None:
        """End the check of a tool; its report has what was found so far."""
        ...
