"""What happened while the person looked elsewhere, for the bell: health, questions, runs and servers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot

from console.batch.page import end_words
from console.call_events import CallEnded, QuestionDecided, WindowEvent
from console.health.controller import change_words
from console.language import tr, translated
from console.window.top_bar import Notification
from tools.calls import TIME_LIMIT, CallError, Edit, ErrorKind, ExitEarly
from tools.health import HealthStatus

if TYPE_CHECKING:
    from console.batch.page import BatchPage
    from console.batch.rows import RunFacts
    from console.window.top_bar import TopBar
    from tools.health import HealthChange


_KEPT: Final = 50
_YOU: Final = "you"
_RULE: Final = "rule "


class Notifications(QObject):
    """Keep what happened, newest first, and lead to the place where it can be looked at.

    Args:
        top_bar: Has the bell.
        batches: Tell how far a run is.
        now: Tells the time.
        parent: Its owner.

    Signals:
        page_requested(str): The page with this key shall come to the front.
        tool_calls_requested(str): The calls of this tool shall be shown.
        server_requested(str): This server shall be shown.
    """

    page_requested = Signal(str)
    tool_calls_requested = Signal(str)
    server_requested = Signal(str)

    def __init__(
        self,
        top_bar: TopBar,
        batches: BatchPage,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._top_bar = top_bar
        self._batches = batches
        self._now = now
        self._keys = count(1)
        self._kept: list[Notification] = []
        self._unread: set[int] = set()
        self._leads: dict[int, tuple[SignalInstance, str]] = {}
        self._went_on = False
        self._troubles: Mapping[str, str] = {}
        batches.updated.connect(self._on_batches_updated)
        top_bar.notification_chosen.connect(self._on_top_bar_notification_chosen)
        top_bar.notifications_read.connect(self._on_top_bar_notifications_read)

    @property
    def kept(self) -> tuple[Notification, ...]:
        """What happened, newest first."""
        return tuple(self._kept)

    def take(self, events: Sequence[WindowEvent]) -> None:
        """Take a batch of events: questions that were answered, or not in time, and allowed calls that expired."""
        for event in events:
            if isinstance(event, QuestionDecided) and event.by and not event.by.startswith(_RULE):
                self._take_decision(event)
            elif isinstance(event, CallEnded) and event.record.error is not None:
                self._take_failure(event.record.tool.name, event.record.error)

    def _take_decision(self, event: QuestionDecided) -> None:
        name, decision = event.tool, event.decision
        who = "" if event.by in {_YOU, TIME_LIMIT} else tr("by {name}", name=event.by)
        lead = (self.tool_calls_requested, name)
        if event.by == TIME_LIMIT:
            self._add("timer-off", tr("{name}: nobody answered in time", name=name), "", lead)
        elif isinstance(decision, ExitEarly):
            detail = decision.reason or who
            self._add("circle-x", tr("{name} was denied", name=name), detail, lead, is_read=event.by == _YOU)
        else:
            title = tr("{name} was allowed", name=name)
            if isinstance(decision, Edit):
                title = tr("{name} was allowed with an edit", name=name)
            self._add("circle-check", title, who, lead, is_read=event.by == _YOU)

    def _take_failure(self, name: str, error: CallError) -> None:
        if error.kind is ErrorKind.EXPIRED:
            title = tr("{name} was allowed and never ran", name=name)
            self._add("timer-off", title, translated(error.message), (self.tool_calls_requested, name))

    @Slot(object)
    def take_health(self, change: HealthChange) -> None:
        """Take a change of a tool's health."""
        icon = "circle-check" if change.after is HealthStatus.UP else "triangle-alert"
        self._add(
            icon, change_words(change), translated(change.reason or ""), (self.page_requested, "health"), at=change.at
        )

    @Slot(dict)
    def take_troubles(self, troubles: Mapping[str, str]) -> None:
        """Take why servers are not connected; those that were in trouble before are no news."""
        before, self._troubles = self._troubles, dict(troubles)
        for name in troubles.keys() - before.keys():
            self._add("server", tr("Server {name} failed", name=name), troubles[name], (self.server_requested, name))
        for name in before.keys() - troubles.keys():
            self._add(
                "server", tr("Server {name} has no trouble any more", name=name), "", (self.server_requested, name)
            )

    @Slot(object)
    def _on_batches_updated(self, facts: RunFacts) -> None:
        if facts.phase.goes_on:
            self._went_on = True
        elif self._went_on:
            self._went_on = False
            progress = self._batches.progress
            self._add("workflow", end_words(progress), progress.troubles, (self.page_requested, "batch"))

    def _add(
        self,
        icon: str,
        title: str,
        detail: str,
        lead: tuple[SignalInstance, str],
        *,
        at: datetime | None = None,
        is_read: bool = False,
    ) -> None:
        key = next(self._keys)
        self._kept.insert(0, Notification(key, at or self._now(), icon, title, detail))
        self._leads[key] = lead
        if not is_read:
            self._unread.add(key)
        for old in self._kept[_KEPT:]:
            self._leads.pop(old.key, None)
            self._unread.discard(old.key)
        del self._kept[_KEPT:]
        self._show()

    def _show(self) -> None:
        self._top_bar.show_notifications(self._kept, self._unread)

    @Slot(int)
    def _on_top_bar_notification_chosen(self, key: int) -> None:
        signal, value = self._leads[key]
        signal.emit(value)

    @Slot()
    def _on_top_bar_notifications_read(self) -> None:
        if self._unread:
            self._unread.clear()
            self._show()
