"""The bell and its menu: what happened, newest first, and whether notices may disturb."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtGui import QAction, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from console.assets import icon
from console.theme import theme_of
from console.widgets import IconButton, Menu, format_full_time, format_time

_MOST: Final = 12
_MOST_COUNT: Final = 99
_LONGEST: Final = 56
_COUNT: Final = 14


class Notification(NamedTuple):
    """Something that happened.

    Attributes:
        key: What tells it apart.
        at: When.
        icon: Name of a shipped icon.
        title: What happened, in a few words.
        detail: Why; empty when nothing more is known.
    """

    key: int
    at: datetime
    icon: str
    title: str
    detail: str = ""


class NotificationBell(IconButton):
    """Count what happened since the person looked last, and list it.

    Signals:
        chosen(int): The person wants to see where this happened.
        read(): The person has seen the list.
        quiet_toggled(bool): Nothing shall disturb on the desktop, or it may again.
        sounds_toggled(bool): Notices on the desktop may sound, or not.
    """

    chosen = Signal(int)
    read = Signal()
    quiet_toggled = Signal(bool)
    sounds_toggled = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("bell", "What happened", parent=parent)
        self._unread: frozenset[int] = frozenset()
        self._is_quiet = False
        self._entries: list[QAction] = []
        self._menu = Menu("What happened", self)
        self._nothing = self._menu.addAction("Nothing happened yet")
        self._nothing.setEnabled(False)
        self._line = self._menu.addSeparator()
        self._quiet = self._menu.addAction("Do not disturb")
        self._sounds = self._menu.addAction("Sound with notices")
        for action, toggled in ((self._quiet, self.quiet_toggled), (self._sounds, self.sounds_toggled)):
            action.setCheckable(True)
            action.toggled.connect(toggled)
        self._menu.aboutToHide.connect(self.read)
        self.setMenu(self._menu)
        self._name()

    @property
    def entries(self) -> tuple[QAction, ...]:
        """What the menu lists, newest first."""
        return tuple(self._entries)

    def show_notifications(self, kept: Sequence[Notification], unread: Collection[int]) -> None:
        """List what happened.

        Args:
            kept: Newest first; the oldest beyond a dozen are left out.
            unread: The keys of what nobody has seen.
        """
        for action in self._entries:
            self._menu.removeAction(action)
            action.deleteLater()
        self._entries = [self._entry(item, is_new=item.key in unread) for item in kept[:_MOST]]
        self._menu.insertActions(self._line, self._entries)
        self._nothing.setVisible(not kept)
        self._unread = frozenset(unread)
        self._name()
        self.update()

    def show_settings(self, *, quiet: bool, sounds: bool) -> None:
        """Show whether nothing disturbs, and whether notices sound; tells nobody."""
        for action, checked in ((self._quiet, quiet), (self._sounds, sounds)):
            action.blockSignals(True)
            action.setChecked(checked)
            action.blockSignals(False)
        self._is_quiet = quiet
        self.set_icon("bell-off" if quiet else "bell")
        self._name()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bell, and over it how much is new."""
        super().paintEvent(event)
        if not self._unread:
            return
        theme = theme_of(self)
        text = str(len(self._unread)) if len(self._unread) <= _MOST_COUNT else f"{_MOST_COUNT}+"
        font = theme.font("caption", tabular=True)
        font.setPixelSize(10)
        font.setWeight(QFont.Weight.DemiBold)
        width = max(_COUNT, QFontMetrics(font).horizontalAdvance(text) + 6)
        badge = QRect(self.width() - width, 0, width, _COUNT)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color.accent)
        painter.drawRoundedRect(badge, _COUNT / 2, _COUNT / 2)
        painter.setFont(font)
        painter.setPen(theme.color.on_accent)
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, text)

    def _name(self) -> None:
        news = f", {len(self._unread)} new" if self._unread else ""
        self.set_name(f"What happened{news}{'; do not disturb' if self._is_quiet else ''}")

    def _entry(self, item: Notification, *, is_new: bool) -> QAction:
        words = f"{item.title}: {item.detail}" if item.detail else item.title
        short = words if len(words) <= _LONGEST else f"{words[:_LONGEST].rstrip()}…"
        # What follows a tabulator stands at the right, as shortcuts do.
        action = QAction(icon(item.icon), f"{short.replace('&', '&&')}\t{format_time(item.at)}", self)
        action.setToolTip(f"{words}\n{format_full_time(item.at)}{'; new' if is_new else ''}")
        font = action.font()
        font.setBold(is_new)
        action.setFont(font)
        action.setData(item.key)
        action.triggered.connect(self._on_entry_triggered)
        return action

    @Slot()
    def _on_entry_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.chosen.emit(action.data())
