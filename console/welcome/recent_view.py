"""The project folders used last, on the first page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from console.language import tr
from console.preferences import RecentProject
from console.theme import painter_of, theme_of
from console.widgets import (
    IconButton,
    TextLabel,
    elide_middle,
    format_full_time,
    format_time,
    hbox,
    home_short,
    paint_box,
    paint_focus_ring,
    paint_text,
    vbox,
)

_MOST: Final = 5
_ROW: Final = 28
_NAME: Final = 176
_WHEN: Final = 96


class _Row(QAbstractButton):
    """One folder: its name, where it is, when it was opened last or that it is missing.

    Signals:
        step_requested(int): The focus shall go to the next row, or with -1 to the one before.
        removed(): The person pressed Delete.
    """

    step_requested = Signal(int)
    removed = Signal()

    def __init__(self, project: RecentProject, now: datetime, parent: QWidget) -> None:
        super().__init__(parent)
        self.project = project
        self.setFixedHeight(_ROW)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        folder, opened, is_missing = project
        self._name = folder.name or str(folder)
        self._by_key = False
        self._path = home_short(folder)
        self._when = tr("Missing") if is_missing else format_time(opened, now)
        said = (
            tr("the folder is missing")
            if is_missing
            else tr("opened {when}", when=self._when)
            if self._when
            else tr("opened before")
        )
        self.setAccessibleName(f"{self._name}, {said}")
        self.setAccessibleDescription(str(folder))
        moment = tr("Opened {time}", time=format_full_time(opened)) if opened is not None else ""
        missing = tr("The folder is gone. Remove it from the list with Delete.") if is_missing else ""
        self.setToolTip("\n".join(filter(None, (str(folder), moment, missing))))

    def sizeHint(self) -> QSize:
        """Return the least that shows name and moment."""
        return QSize(_NAME + _WHEN, _ROW)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        color = theme.color
        if self.underMouse() and not self.project.is_missing:
            paint_box(painter, self.rect(), theme.radius.medium, fill=color.pressed if self.isDown() else color.hover)
        heading, small = theme.font("heading"), theme.font("small")
        is_missing = self.project.is_missing
        name = QFontMetrics(heading).elidedText(self._name, Qt.TextElideMode.ElideRight, _NAME - 16)
        whole = QRect(8, 0, self.width() - 16, self.height())
        tone = color.text3 if is_missing else color.accent_text
        paint_text(painter, QRect(whole.left(), 0, _NAME, whole.height()), name, heading, tone)
        metrics = QFontMetrics(small)
        room = QRect(whole.left() + _NAME, 0, whole.width() - _NAME - _WHEN, whole.height())
        paint_text(painter, room, elide_middle(self._path, metrics, room.width()), small, color.text3)
        width = metrics.horizontalAdvance(self._when) + 1
        at = QRect(whole.right() + 1 - width, 0, width, whole.height())
        paint_text(painter, at, self._when, small, theme.tone("warn").text if is_missing else color.text3)
        if self.hasFocus() and self._by_key:
            paint_focus_ring(painter, self.rect(), theme.radius.medium, theme)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus of the keyboard only."""
        self._by_key = event.reason() in {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason}
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter, remove with Delete, go on with Up and Down."""
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.click()
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self.removed.emit()
            case Qt.Key.Key_Down | Qt.Key.Key_Up:
                self.step_requested.emit(1 if event.key() == Qt.Key.Key_Down else -1)
            case _:
                super().keyPressEvent(event)


class RecentProjects(QWidget):
    """List the project folders used last; hidden while there is none.

    Signals:
        chosen(Path): This folder shall be opened.
        removed(Path): This folder shall be forgotten.
    """

    chosen = Signal(object)
    removed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("recent projects")
        self.setAccessibleName(tr("Recent projects"))
        self._rows: list[_Row] = []
        self._lines: list[QWidget] = []
        self._column = vbox(self)
        title = TextLabel(tr("Recent projects"), "heading")
        title.setFixedHeight(_ROW)
        self._column.addWidget(title)
        self.hide()

    def show_projects(self, projects: Sequence[RecentProject], now: datetime) -> None:
        """List folders, latest first; the oldest beyond five stay in the project menu."""
        focused = next((number for number, row in enumerate(self._rows) if row.hasFocus()), None)
        for line in self._lines:
            self._column.removeWidget(line)
            line.hide()
            line.deleteLater()
        self._rows, self._lines = [], []
        for project in projects[:_MOST]:
            self._add(project, now)
        self.setVisible(bool(self._rows))
        if focused is not None and self._rows:
            self._rows[min(focused, len(self._rows) - 1)].setFocus(Qt.FocusReason.TabFocusReason)

    def _add(self, project: RecentProject, now: datetime) -> None:
        line = QWidget(self)
        across = hbox(line, spacing=4)
        row = _Row(project, now, line)
        remove = IconButton("x", tr("Remove {name} from the list", name=project.folder.name))
        row.clicked.connect(self._on_row_clicked)
        row.removed.connect(self._on_row_removed)
        row.step_requested.connect(self._on_row_step_requested)
        remove.clicked.connect(row.removed)
        across.addWidget(row)
        across.addWidget(remove)
        self._column.addWidget(line)
        self._rows.append(row)
        self._lines.append(line)

    @Slot()
    def _on_row_clicked(self) -> None:
        row = self.sender()
        if isinstance(row, _Row):
            self.chosen.emit(row.project.folder)

    @Slot()
    def _on_row_removed(self) -> None:
        row = self.sender()
        if isinstance(row, _Row):
            self.removed.emit(row.project.folder)

    @Slot(int)
    def _on_row_step_requested(self, step: int) -> None:
        row = self.sender()
        if isinstance(row, _Row):
            place = max(0, min(len(self._rows) - 1, self._rows.index(row) + step))
            self._rows[place].setFocus(Qt.FocusReason.TabFocusReason)
