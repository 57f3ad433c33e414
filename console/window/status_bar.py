"""The bar below everything: how many tools there are, what runs, what waits."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QFontMetrics, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QStatusBar, QWidget

from console.assets import paint_icon
from console.language import tr, tr_count
from console.theme import painter_of, theme_of
from console.widgets import (
    STATUS,
    Divider,
    ElidedLabel,
    IconLabel,
    Menu,
    StatusGlyph,
    StatusName,
    TextLabel,
    format_count,
    hbox,
    paint_text,
)

_ICON: Final = 14
_CHEVRON: Final = 10
_UNDO_MS: Final = 12_000
"""How long something can be undone from here."""

_HEALTHS: Final[Mapping[StatusName, str]] = MappingProxyType(
    {
        "up": tr("at least 95% of their runs succeed in time"),
        "degraded": tr("they fail or take too long too often"),
        "down": tr("less than 80% of their runs succeed"),
    }
)


class _Link(IconLabel):
    """Says something, and leads to more about it."""

    clicked = Signal()

    def __init__(self, icon: str) -> None:
        super().__init__(icon, "", "caption")
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.clicked.emit()


class AutonomyLevel(NamedTuple):
    """One level of autonomy.

    Attributes:
        title: In one or two words.
        detail: What is asked about, in one sentence.
        is_bold: Whether so little is asked about that the bar warns of it.
    """

    key: str
    title: str
    detail: str
    is_bold: bool = False


class _WordButton(QAbstractButton):
    """An icon and words that do something at a click, Space or Enter.

    Args:
        icon: Name of a shipped icon.
        opens: Whether a chevron says that something opens above.
    """

    def __init__(self, icon: str, *, opens: bool = False) -> None:
        super().__init__()
        self._icon_name = icon
        self._opens = opens
        self._warns = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        """Return the size of icon, words and chevron."""
        theme = theme_of(self)
        advance = QFontMetrics(theme.font("caption")).horizontalAdvance(self.text())
        chevron = 4 + _CHEVRON if self._opens else 0
        return QSize(_ICON + 6 + advance + 1 + chevron, theme.line_height("caption"))

    def set_warning(self, *, warns: bool) -> None:
        """Show the words as a warning, or not."""
        self._warns = warns
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        ink = theme.color.text if self.underMouse() else theme.color.text2
        if self._warns:
            ink = theme.status.warn.text
        elif not self._opens:
            ink = theme.color.accent_text
        middle = (self.height() - _ICON) // 2
        paint_icon(painter, QRect(0, middle, _ICON, _ICON), self._icon_name, ink, theme)
        words = QRect(_ICON + 6, 0, self.width() - _ICON - 6, self.height())
        paint_text(painter, words, self.text(), theme.font("caption"), ink)
        if self._opens:
            chevron = QRect(self.width() - _CHEVRON, (self.height() - _CHEVRON) // 2, _CHEVRON, _CHEVRON)
            paint_icon(painter, chevron, "chevron-up", ink, theme)


class _HealthWords(TextLabel):
    """Counts tools of one health, and leads to all of them."""

    clicked = Signal()

    def __init__(self) -> None:
        super().__init__("", "caption", "text2")
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.clicked.emit()


class StatusBar(QStatusBar):
    """The bar below everything.

    Signals:
        health_clicked(): The person wants to see how the tools do.
        waiting_clicked(): The person wants to see the oldest question.
        audit_clicked(): The person wants to know about the audit log.
        gateway_clicked(): The person wants to see the gateway.
        level_chosen(str): This level of autonomy shall hold.
        undo_requested(): What the notice tells shall be taken back.
    """

    health_clicked = Signal()
    waiting_clicked = Signal()
    audit_clicked = Signal()
    gateway_clicked = Signal()
    level_chosen = Signal(str)
    undo_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(theme_of(self).size.status_bar)
        self.setSizeGripEnabled(False)
        self._tools = TextLabel("", "caption", "text2")
        self._ring = StatusGlyph("running", size=12)
        self._running = TextLabel("", "caption", "text2")
        self._healths = {status: (StatusGlyph(status, size=10), _HealthWords()) for status in _HEALTHS}
        for _, words in self._healths.values():
            words.clicked.connect(self.health_clicked)
        self._failed = IconLabel("puzzle", "")
        self._notice = ElidedLabel("", "caption", "text2")
        self._undo = _WordButton("undo-2")
        self._undo.setText(tr("Undo"))
        self._undo.clicked.connect(self._on_undo_clicked)
        self._undoing = QTimer(self, singleShot=True, interval=_UNDO_MS)
        self._undoing.timeout.connect(self._end_undo)
        self._later = ""
        self._served_at, self._is_paused = "", False
        self._gateway = _Link("radio-tower")
        self._gateway.setObjectName("gatewayState")
        self._gateway.clicked.connect(self.gateway_clicked)
        self._level = _WordButton("shield-check", opens=True)
        self._level.clicked.connect(self._on_level_clicked)
        self._levels = Menu(tr("Autonomy"), self)
        self._level_group = QActionGroup(self._levels)
        self._level_group.triggered.connect(self._on_level_group_triggered)
        self._waiting = _Link("shield-question-mark")
        self._waiting.clicked.connect(self.waiting_clicked)
        self._audit = _Link("scroll-text")
        self._audit.setObjectName("auditState")
        self._audit.clicked.connect(self.audit_clicked)
        self.addWidget(self._left(), 1)
        self.addPermanentWidget(self._right())
        self.show_health(0, 0, 0)
        self.show_counts(tools=0, broken=0, running=0, waiting=0)
        self._show_audit(is_on=False, problem="")
        self.show_gateway("")

    def _left(self) -> QWidget:
        left = QWidget()
        row = hbox(left, margins=(12, 0, 12, 0), spacing=6)
        row.addWidget(StatusGlyph("unknown", size=10))
        row.addWidget(self._tools)
        self._health_line = _line()
        row.addWidget(self._health_line)
        for glyph, words in self._healths.values():
            row.addWidget(glyph)
            row.addWidget(words)
        self._failed_line = _line()
        self._running_line = _line()
        self._gateway_line = _line()
        gateway = (self._gateway_line, self._gateway)
        for widget in (self._failed_line, self._failed, *gateway, self._running_line, self._ring, self._running):
            row.addWidget(widget)
        row.addSpacing(12)
        row.addWidget(self._notice, 1)
        row.addWidget(self._undo)
        self._undo.hide()
        return left

    def _right(self) -> QWidget:
        right = QWidget()
        row = hbox(right, margins=(0, 0, 12, 0), spacing=8)
        row.addWidget(self._waiting)
        self._waiting_line = _line()
        row.addWidget(self._waiting_line)
        row.addWidget(self._level)
        self._level_line = _line()
        row.addWidget(self._level_line)
        for widget in (self._level, self._level_line):
            widget.hide()
        row.addWidget(self._audit)
        self._audit_line = _line()
        row.addWidget(self._audit_line)
        # Until it is known, so that nothing moves when it is.
        self._keep_room_for_audit(is_kept=True)
        row.addWidget(TextLabel(tr("Python {version}", version=sys.version.split()[0]), "caption", "text2"))
        return right

    def show_counts(self, *, tools: int, broken: int, running: int, waiting: int) -> None:
        """Show how many tools there are, sources are broken, calls run, and questions are open."""
        self._tools.setText(tr_count(tools, "1 tool", "{count:,} tools"))
        words = tr_count(broken, "1 plugin did not load", "{count} plugins did not load")
        self._failed.show_state("triangle-alert", words, icon_tone="error")
        for widget in (self._failed, self._failed_line):
            widget.setVisible(broken > 0)
        self._running.setText(tr("Running {count}", count=running))
        for widget in (self._ring, self._running, self._running_line):
            widget.setVisible(running > 0)
        self._waiting.show_state(
            "shield-question-mark",
            tr_count(waiting, "1 waiting for approval", "{count} waiting for approval"),
            "text2",
            "warn",
        )
        for widget in (self._waiting, self._waiting_line):
            widget.setVisible(waiting > 0)

    @Slot(int, int, int)
    def show_health(self, up: int, degraded: int, down: int) -> None:
        """Show how many tools are up, degraded and down; what is none is not shown."""
        for count, (status, (glyph, words)) in zip((up, degraded, down), self._healths.items(), strict=True):
            words.setText(f"{STATUS[status].word.upper()} {format_count(count)}")
            words.setToolTip(
                tr(
                    "{count:,} of the tools that ran lately: {health}",
                    count=count,
                    health=_HEALTHS[status],
                )
            )
            glyph.setVisible(count > 0)
            words.setVisible(count > 0)
        self._health_line.setVisible(up + degraded + down > 0)

    @Slot(str)
    def show_gateway(self, address: str) -> None:
        """Show where agents are served; "" for nowhere."""
        self._served_at = address
        self._show_gateway()

    @Slot(bool)
    def show_pause(self, paused: bool) -> None:
        """Show whether the calls of agents wait until the person resumes."""
        self._is_paused = paused
        self._show_gateway()

    def _show_gateway(self) -> None:
        if self._is_paused:
            self._gateway.show_state("circle-pause", tr("Agents paused"), "warn")
        else:
            self._gateway.show_state("radio-tower", tr("Gateway on {address}", address=self._served_at))
        for widget in (self._gateway, self._gateway_line):
            widget.setVisible(bool(self._served_at) or self._is_paused)

    def show_audit(self, *, is_on: bool, problem: str) -> None:
        """Show whether calls are written into the audit log.

        Args:
            problem: Why it cannot be written; empty when all is well.
        """
        self._keep_room_for_audit(is_kept=False)
        self._show_audit(is_on=is_on, problem=problem)

    def _keep_room_for_audit(self, *, is_kept: bool) -> None:
        for widget in (self._audit, self._audit_line):
            policy = widget.sizePolicy()
            policy.setRetainSizeWhenHidden(is_kept)
            widget.setSizePolicy(policy)

    def _show_audit(self, *, is_on: bool, problem: str) -> None:
        if problem:
            self._audit.show_state("scroll-text", tr("Audit log not written"), "error")
        else:
            self._audit.show_state("scroll-text", tr("Audit log on"))
        self._audit.setToolTip(problem or tr("Every call is written into a log that shows whether somebody changed it"))
        for widget in (self._audit, self._audit_line):
            widget.setVisible(is_on)

    def show_level(self, level: str, levels: Sequence[AutonomyLevel], problem: str) -> None:
        """Show how much runs without a question.

        Args:
            level: The key of the one that holds.
            problem: Why the rules cannot be read; empty when all is well.
        """
        for action in self._levels.actions():
            self._levels.removeAction(action)
            action.deleteLater()
        for one in levels:
            action = QAction(f"{one.title}: {one.detail}", self._level_group)
            action.setCheckable(True)
            action.setChecked(one.key == level)
            action.setData(one.key)
            self._levels.addAction(action)
            if one.key == level:
                title = tr("Rules cannot be read") if problem else one.title
                self._level.setText(title)
                self._level.set_warning(warns=one.is_bold or bool(problem))
                self._level.setAccessibleName(tr("Autonomy: {title}", title=title))
                self._level.setToolTip(problem or tr("Autonomy. {detail}", detail=one.detail))
        self._level.updateGeometry()
        self._level.update()
        for widget in (self._level, self._level_line):
            widget.show()

    @property
    def notice(self) -> str:
        return self._notice.text

    @Slot(str)
    def show_notice(self, text: str) -> None:
        """Show one sentence until the next; it waits while something can be undone."""
        if self._undoing.isActive():
            self._later = text
        else:
            self._say(text)

    @Slot(str)
    def show_undo(self, text: str) -> None:
        """Show one sentence for some seconds, with a button that takes back what it tells."""
        self._say(text)
        self._later = ""
        self._undo.setAccessibleName(tr("Undo: {text}", text=text))
        self._undo.show()
        self._undoing.start()

    def _say(self, text: str) -> None:
        self._notice.set_text(text)

    @Slot()
    def _end_undo(self) -> None:
        self._undoing.stop()
        self._undo.hide()
        self._say(self._later)
        self._later = ""

    def _on_undo_clicked(self) -> None:
        self._end_undo()
        self.undo_requested.emit()

    def _on_level_clicked(self) -> None:
        corner = self._level.mapToGlobal(QPoint(0, 0))
        self._levels.popup(corner - QPoint(0, self._levels.sizeHint().height() + 4))

    def _on_level_group_triggered(self, action: QAction) -> None:
        self.level_chosen.emit(action.data())


def _line() -> QWidget:
    return Divider(Qt.Orientation.Vertical, length=12)
