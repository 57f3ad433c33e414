"""What the Health page needs of the rest of the program, as small protocols."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from console.health.snapshot import HealthRequest, HealthSnapshot
    from tools.health import Check, HealthChange, HealthLimits, LimitsPreview, LimitsScope


class CheckTimes(NamedTuple):
    """When the tools are looked at.

    Attributes:
        at: When they were looked at last; None for never.
        next_at: When the next round of probes begins; None when none is planned.
    """

    at: datetime | None = None
    next_at: datetime | None = None


class HealthPort(Protocol):
    """Tell how the tools do, somewhere else than on the window's thread."""

    @property
    def times(self) -> CheckTimes: ...

    async def survey(self, question: HealthRequest) -> HealthSnapshot:
        """Look at all tools.

        Raises:
            sqlite3.Error: How they did cannot be read.
        """
        ...

    async def changes(self) -> Sequence[HealthChange]:
        """Return the newest changes of health, newest first.

        Raises:
            sqlite3.Error: They cannot be read.
        """
        ...

    async def check_now(self, names: Collection[str] | None = None) -> Sequence[Check]:
        """Probe tools and judge all of them.

        Args:
            names: The tools; None for all that can be asked, of those on request the ones that ran lately.
        """
        ...

    async def reset(self, tool: str) -> int:
        """Let a tool run again that its guards hold back; return how many did."""
        ...

    async def find_call(self, tool: str, *, before: datetime | None = None, failed: bool = False) -> str:
        """Return the id of the newest record of a tool's call; empty when there is none.

        Args:
            before: Only calls that were made before this moment.

        Raises:
            HistoryError: The history cannot be read.
        """
        ...

    async def text(self, kind: str) -> str:
        """Return how the tools do for other programs, as `json` or `prometheus`."""
        ...


class LimitsPort(Protocol):
    """Know from where on tools are degraded or down, and change it."""

    @property
    def problem(self) -> str:
        """What of the limits that were kept does not count, and what to do; empty when all of it does."""
        ...

    def scopes(self, tool: str) -> Sequence[LimitsScope]:
        """Return the scopes that limits of a tool can have, the narrowest first."""
        ...

    def own(self, scope: LimitsScope) -> HealthLimits | None:
        """Return the limits somebody set for exactly this scope; None when nobody did."""
        ...

    def inherited(self, scope: LimitsScope) -> HealthLimits:
        """Return what holds where nobody set anything for this scope."""
        ...

    async def preview(self, limits: HealthLimits, scope: LimitsScope) -> LimitsPreview: ...

    async def save(self, scope: LimitsScope, limits: HealthLimits | None) -> HealthLimits | None:
        """Keep limits and let them hold, or with None those of the wider scope; return what was kept before.

        Raises:
            OSError: They cannot be kept; nothing is changed.
        """
        ...


class HealthSignals(QObject):
    """What a person wants of the rest of the program, said by the presenter and by the page that owns it.

    Signals:
        history_opened(str): The calls of this tool are wanted.
        call_opened(str): The call with this record's id is wanted.
        restart_requested(str): The server of this tool is to be restarted.
    """

    tool_opened = Signal(str)
    history_opened = Signal(str)
    call_opened = Signal(str)
    restart_requested = Signal(str)
    tools_requested = Signal()
    noticed = Signal(str)

    def pass_on(self, other: HealthSignals) -> None:
        other.tool_opened.connect(self.tool_opened)
        other.history_opened.connect(self.history_opened)
        other.call_opened.connect(self.call_opened)
        other.restart_requested.connect(self.restart_requested)
        other.tools_requested.connect(self.tools_requested)
        other.noticed.connect(self.noticed)
