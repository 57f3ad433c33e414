"""The icon beside the desktop's clock: how many questions wait, and a way back to the window."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtGui import QFont, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QSystemTrayIcon

from console.assets import application_icon
from console.language import tr, tr_count
from console.theme import theme_of
from console.widgets import Menu

_SIDE: Final = 64
_MOST: Final = 99


class TrayIcon(QObject):
    """Show that the program runs, and what waits.

    Signals:
        show_requested(): The person wants to see the window.
        quiet_toggled(bool): The person does not want to be disturbed, or wants to again.
        pause_requested(): The calls of all agents are to be held, or to go on when they are.
        quit_requested(): The person wants to end the program.
        message_clicked(): The message that was shown last was clicked.
    """

    show_requested = Signal()
    quiet_toggled = Signal(bool)
    pause_requested = Signal()
    quit_requested = Signal()
    message_clicked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._icon = QSystemTrayIcon(application_icon(), self)
        self._waiting = 0
        self._job_words = ""
        self.menu = Menu("Tool Console")
        self._job = self.menu.addAction("")
        self._job.setEnabled(False)
        self._job.setVisible(False)
        self.menu.addAction(tr("Show Tool Console")).triggered.connect(self.show_requested)
        self._quiet = self.menu.addAction(tr("Do not disturb"))
        self._quiet.setCheckable(True)
        self._quiet.toggled.connect(self.quiet_toggled)
        self._is_serving = self._is_paused = False
        self._pause = self.menu.addAction("")
        self._pause.triggered.connect(self.pause_requested)
        self.menu.addSeparator()
        self.menu.addAction(tr("Quit")).triggered.connect(self.quit_requested)
        self._icon.setContextMenu(self.menu)
        self._icon.activated.connect(self._on_icon_activated)
        self._icon.messageClicked.connect(self.message_clicked)
        self._show_pause()
        self.show_waiting(0)

    @staticmethod
    def is_available() -> bool:
        return QSystemTrayIcon.isSystemTrayAvailable()

    def show(self) -> None:
        """Take the place beside the clock."""
        self._icon.show()

    def close(self) -> None:
        self._icon.hide()
        self.menu.deleteLater()

    @property
    def tooltip(self) -> str:
        return self._icon.toolTip()

    def show_waiting(self, count: int) -> None:
        self._waiting = count
        self._say()
        self._icon.setIcon(_badged(count) if count else application_icon())

    def show_job(self, words: str) -> None:
        """Say how far something is that goes on without the window; "" when nothing does."""
        # It is said at every change of a run; the desktop is told only what is new.
        if words == self._job_words:
            return
        self._job_words = words
        self._job.setText(words.replace("&", "&&"))
        self._job.setVisible(bool(words))
        self._say()

    def _say(self) -> None:
        words = "Tool Console"
        if self._waiting:
            waiting = tr_count(self._waiting, "1 call waits for your approval", "{count} calls wait for your approval")
            words += f": {waiting}"
        self._icon.setToolTip("\n".join(filter(None, (words, self._job_words))))

    def show_quiet(self, *, quiet: bool) -> None:
        """Show whether nothing disturbs; tells nobody."""
        self._quiet.blockSignals(True)
        self._quiet.setChecked(quiet)
        self._quiet.blockSignals(False)

    def show_gateway(self, *, on: bool) -> None:
        """Offer to hold the calls of agents where some are served."""
        self._is_serving = on
        self._show_pause()

    def show_pause(self, *, paused: bool) -> None:
        """Show whether the calls of agents are held."""
        self._is_paused = paused
        self._show_pause()

    def _show_pause(self) -> None:
        self._pause.setText(tr("Let the calls of agents go on") if self._is_paused else tr("Hold the calls of agents"))
        self._pause.setVisible(self._is_serving or self._is_paused)

    def show_message(self, title: str, text: str) -> None:
        self._icon.showMessage(title, text, application_icon())

    def _on_icon_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in {QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick}:
            self.show_requested.emit()


def _badged(count: int) -> QIcon:
    """Return the program's icon with a count at its lower right."""
    theme = theme_of()
    pixmap: QPixmap = application_icon().pixmap(_SIDE, _SIDE)
    side = round(pixmap.deviceIndependentSize().width())
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    half = side * 5 // 8
    box = QRect(side - half, side - half, half, half)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color.accent)
    painter.drawEllipse(box)
    font = theme.font("body")
    font.setPixelSize(half * 5 // 8)
    font.setWeight(QFont.Weight.Bold)
    painter.setFont(font)
    painter.setPen(theme.color.on_accent)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{min(count, _MOST)}")
    painter.end()
    return QIcon(pixmap)
