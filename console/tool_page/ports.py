"""What the page of a tool needs of the rest of the program, as small protocols."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import SignalInstance

from console.call_result.recent import RecentCall
from console.tasks import Compute, TaskScope
from tools.calls import CallRecord, GuardState


class CallPort(Protocol):
    """Run, look at and stop calls somewhere else than on the window's thread."""

    async def run(
        self,
        name: str,
        arguments: Mapping[str, Any] | str,
        begun: Callable[[CallRecord], None],
        *,
        bypass_cache: bool = False,
    ) -> CallRecord:
        """Run a call to its end and return its record; cancelling the wait stops the call.

        Args:
            arguments: Its arguments; when they do not fit, the call ends at once.
            begun: Called with what is known of the call before it runs.
            bypass_cache: Whether a known result is passed over.
        """
        ...

    async def record(self, call_id: str) -> CallRecord | None:
        """Return the record of a call that runs, as it stands; None when no such call runs."""
        ...

    def stop(self, call_id: str) -> None:
        """Ask a call to stop; that it did comes with its record."""
        ...


class GuardPort(Protocol):
    """Look at what stands between calls and their tool, and set it back."""

    async def states(self, name: str) -> Sequence[GuardState]: ...

    async def reset(self, name: str) -> int:
        """Let a tool run again; return how many guards held it back."""
        ...

    async def clear_cache(self, name: str) -> int:
        """Forget a tool's known results; return how many there were."""
        ...


class ArgumentDrafts(Protocol):
    """Keep the arguments of each tool from one start of the program to the next."""

    def last_run(self, tool: str) -> str | None:
        """Return the arguments of the last run as JSON; None when there was none."""
        ...

    def set_last_run(self, tool: str, text: str) -> None: ...

    def draft(self, tool: str) -> str | None:
        """Return what stood in the form last, as `Document.kept` wrote it; None when nothing was kept."""
        ...

    def set_draft(self, tool: str, text: str) -> None:
        """Keep what stands in the form."""
        ...


@dataclass(frozen=True)
class ExecutionPorts:
    """What the page needs of the rest of the program.

    Attributes:
        calls: Makes, runs and stops calls.
        events: Brings batches of `WindowEvent`s, oldest first.
        scope: Owns the tasks of the window.
        compute: Runs what takes more than a frame.
        recent: The last calls of a tool, oldest first.
        clock: Seconds, to count what has passed.
        project_dir: The folder that relative paths start from; None while no project is open.
        guards: What stands between calls and their tools.
    """

    calls: CallPort
    events: SignalInstance
    scope: TaskScope
    compute: Compute
    drafts: ArgumentDrafts
    recent: Callable[[str], Sequence[RecentCall]]
    clock: Callable[[], float]
    project_dir: Callable[[], Path | None]
    guards: GuardPort
