"""The Logs tab: the lines of a call, a virtual list of them, its levels and its search."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from typing import Final, NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QStackedLayout, QWidget

from console.language import tr
from console.theme import Theme, painter_of, theme_of
from console.widgets import BarFrame, Button, EmptyState, SegmentedControl, TextLabel, format_count, vbox
from console.widgets.painting import paint_box
from tools.calls import LogEntry

LEVELS: Final = ("debug", "info", "warning", "error")
"""The levels, the least first; a word that is none of them counts as `info`."""


class LogLine(NamedTuple):
    """One line as it is shown.

    Attributes:
        offset_s: Seconds since the call was proposed; None for the further lines of one entry.
        level: One of `LEVELS`.
        text: The line, without its line break.
    """

    offset_s: float | None
    level: str
    text: str


class LogLines:
    """Hold all lines of a log and know which of them have a level that is shown.

    Adding costs only what is added, whatever there is already: a flood of lines must not slow the window.
    """

    def __init__(self) -> None:
        self._lines: list[LogLine] = []
        self._shown: list[int] = []
        self.levels = frozenset(LEVELS)
        self._count_by_level: Counter[str] = Counter()
        self.entries = 0
        self.longest = 0

    def __len__(self) -> int:
        return len(self._shown)

    def __getitem__(self, row: int) -> LogLine:
        return self._lines[self._shown[row]]

    def count(self, level: str) -> int:
        return self._count_by_level[level]

    def clear(self) -> None:
        """Forget all lines; the chosen levels stay."""
        self._lines = []
        self._shown = []
        self._count_by_level.clear()
        self.entries = 0
        self.longest = 0

    def add(self, entries: Iterable[LogEntry]) -> None:
        """Append entries; one with line breaks becomes several lines."""
        for entry in entries:
            level = entry.level if entry.level in LEVELS else "info"
            self.entries += 1
            self._count_by_level[level] += 1
            offset_s: float | None = entry.offset_s
            for text in entry.text.splitlines() or [""]:
                if level in self.levels:
                    self._shown.append(len(self._lines))
                self._lines.append(LogLine(offset_s, level, text))
                self.longest = max(self.longest, len(text))
                offset_s = None

    def replace_last(self, entry: LogEntry) -> None:
        """Put another entry in the place of the last one, as when it counts what was not kept."""
        while self._lines:
            line = self._lines.pop()
            if self._shown and self._shown[-1] == len(self._lines):
                self._shown.pop()
            if line.offset_s is not None:
                self.entries -= 1
                self._count_by_level[line.level] -= 1
                break
        self.add((entry,))

    def show_levels(self, levels: Iterable[str]) -> None:
        self.levels = frozenset(levels)
        self._shown = [index for index, line in enumerate(self._lines) if line.level in self.levels]

    def text(self, first: int = 0, last: int | None = None) -> str:
        """Write shown lines as text.

        Args:
            first: The first row.
            last: The last row; None for the end.
        """
        end = len(self) if last is None else last + 1
        return "\n".join(_written(self[row]) for row in range(first, min(end, len(self))))

    def find(self, needle: str, start: int, *, backwards: bool = False) -> int | None:
        """Return the next shown row that holds a text, in any case; None when none does.

        Args:
            needle: What to look for; empty finds nothing.
            start: The row to begin with; the search goes round.
            backwards: Whether to look upwards.
        """
        count = len(self)
        folded = needle.casefold()
        if not folded or not count:
            return None
        step = -1 if backwards else 1
        for distance in range(count):
            row = (start + step * distance) % count
            if folded in self[row].text.casefold():
                return row
        return None


def _written(line: LogLine) -> str:
    if line.offset_s is None:
        return f"{'':18}{line.text}"
    return f"{line.offset_s:9.3f} {line.level:<7} {line.text}"


_ROW_HEIGHT: Final = 20
_TIME_WIDTH: Final = 72
_LEVEL_WIDTH: Final = 68
_LEFT: Final = 12
_LONGEST_PAINTED: Final = 4000
_SPARE_LETTERS: Final = 8
_LAST_SAID: Final = 3
_AT_ONCE: Final = 2000
_MORE_MS: Final = 10


class LogList(QAbstractScrollArea):
    """Show the lines of a log; ten thousand more a second cost no more than the few that are seen.

    The end is followed until the person scrolls up, and again once they scroll back to it.
    """

    follow_changed = Signal(bool)
    count_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Code is read from left to right by everybody.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setObjectName("logs")
        self.setAccessibleName(tr("Logs"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.lines = LogLines()
        self._following = True
        self._anchor = -1
        self._current = -1
        self._settling = False
        self._pending: deque[LogEntry] = deque()
        self._more = QTimer(self, singleShot=True, interval=_MORE_MS)
        self._more.timeout.connect(self._on_more_timeout)
        self.verticalScrollBar().valueChanged.connect(self._on_bar_value_changed)
        self.verticalScrollBar().setSingleStep(1)

    def clear(self) -> None:
        """Forget all lines and follow the end again."""
        self.lines.clear()
        self._pending.clear()
        self._anchor = self._current = -1
        self._set_following(following=True)
        self._settle()
        self.count_changed.emit(0)

    def add(self, entries: Iterable[LogEntry]) -> None:
        """Append entries; of a flood some at a time, so that the window goes on meanwhile."""
        pending = self._pending
        pending.extend(entries)
        if pending:
            self.lines.add(pending.popleft() for _ in range(min(len(pending), _AT_ONCE)))
            self._settle()
            self.count_changed.emit(self.lines.entries)
        if pending:
            self._more.start()

    def replace_last(self, entry: LogEntry) -> None:
        if self._pending:
            self._pending[-1] = entry
        else:
            self.lines.replace_last(entry)
            self._settle()

    def show_levels(self, levels: Iterable[str]) -> None:
        self.lines.show_levels(levels)
        self._anchor = self._current = -1
        self._settle()

    def follow(self) -> None:
        """Go to the end and stay there."""
        self._set_following(following=True)
        self._settle()

    def select_row(self, row: int, *, extend: bool = False) -> None:
        """Put the keyboard on a row and show it.

        Args:
            row: Which; kept inside the list.
        """
        if not len(self.lines):
            return
        self._current = max(0, min(row, len(self.lines) - 1))
        if not extend or self._anchor < 0:
            self._anchor = self._current
        bar = self.verticalScrollBar()
        if self._current < bar.value():
            bar.setValue(self._current)
        elif self._current >= bar.value() + self._page():
            bar.setValue(self._current - self._page() + 1)
        self.viewport().update()

    def find_text(self, needle: str, *, backwards: bool = False) -> bool:
        """Select the next line that holds a text.

        Returns:
            Whether there is one.
        """
        start = self._current + (-1 if backwards else 1)
        row = self.lines.find(needle, start, backwards=backwards)
        if row is not None:
            self.select_row(row)
        return row is not None

    def selected_text(self) -> str:
        """Write the selected lines, or all when none is."""
        if self._current < 0:
            return self.lines.text()
        return self.lines.text(*sorted((self._anchor, self._current)))

    def sizeHint(self) -> QSize:
        return QSize(480, 8 * _ROW_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self.viewport())
        painter.fillRect(event.rect(), theme.color.surface)
        painter.setFont(theme.font("code"))
        first = self.verticalScrollBar().value()
        low, high = sorted((self._anchor, self._current))
        for place in range(self._page() + 2):
            row = first + place
            if row >= len(self.lines):
                break
            rect = QRect(0, 4 + place * _ROW_HEIGHT, self.viewport().width(), _ROW_HEIGHT)
            if self._current >= 0 and low <= row <= high:
                painter.fillRect(rect, theme.color.selected if self.hasFocus() else theme.color.selected_inactive)
            self._paint_line(painter, rect, self.lines[row], theme)
        if self.hasFocus() and self._current < 0:
            paint_box(painter, self.viewport().rect(), 0, border=theme.color.focus, width=theme.size.focus_ring)

    def _paint_line(self, painter: QPainter, rect: QRect, line: LogLine, theme: Theme) -> None:
        metrics = painter.fontMetrics()
        advance = metrics.horizontalAdvance("0")
        base = rect.y() + (rect.height() + metrics.ascent() - metrics.descent()) // 2
        left = _LEFT - self.horizontalScrollBar().value()
        if line.offset_s is not None:
            words = f"{line.offset_s:.3f}"
            painter.setPen(theme.color.text3)
            painter.drawText(left + _TIME_WIDTH - 12 - advance * len(words), base, words)
            painter.setPen(_level_color(line.level, theme))
            painter.drawText(left + _TIME_WIDTH, base, line.level)
        painter.setPen(_text_color(line.level, theme))
        start = left + _TIME_WIDTH + _LEVEL_WIDTH
        # Only the letters in sight are shaped; the code face gives each the same room.
        text = line.text[:_LONGEST_PAINTED].expandtabs(8)
        skipped = max(0, -start // advance - _SPARE_LETTERS)
        seen = text[skipped : skipped + rect.width() // advance + 2 * _SPARE_LETTERS + 1]
        painter.drawText(start + skipped * advance, base, seen)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the end in sight while it is followed."""
        super().resizeEvent(event)
        self._settle()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._select_at(event.position().toPoint(), extend=extend)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._select_at(event.position().toPoint(), extend=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move through the lines, copy them, go to the ends."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.selected_text())
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._anchor, self._current = 0, len(self.lines) - 1
            self.viewport().update()
        elif not self._move_by_key(event):
            super().keyPressEvent(event)

    def _move_by_key(self, event: QKeyEvent) -> bool:
        end = len(self.lines) - 1
        targets = {
            Qt.Key.Key_Up: self._current - 1,
            Qt.Key.Key_Down: self._current + 1,
            Qt.Key.Key_PageUp: self._current - self._page(),
            Qt.Key.Key_PageDown: self._current + self._page(),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: end,
        }
        target = targets.get(Qt.Key(event.key()))
        if target is None or end < 0:
            return False
        self.select_row(target, extend=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        return True

    def _select_at(self, point: QPoint, *, extend: bool) -> None:
        row = self.verticalScrollBar().value() + (point.y() - 4) // _ROW_HEIGHT
        if 0 <= row < len(self.lines):
            self.select_row(row, extend=extend)

    def _page(self) -> int:
        return max(1, (self.viewport().height() - 8) // _ROW_HEIGHT)

    def _settle(self) -> None:
        """Fit the scroll bars to the lines, and stay at the end while it is followed."""
        self._settling = True
        bar = self.verticalScrollBar()
        bar.setPageStep(self._page())
        bar.setRange(0, max(0, len(self.lines) - self._page()))
        if self._following:
            bar.setValue(bar.maximum())
        advance = QFontMetrics(theme_of(self).font("code")).horizontalAdvance("0")
        letters = min(self.lines.longest, _LONGEST_PAINTED)
        width = _LEFT * 2 + _TIME_WIDTH + _LEVEL_WIDTH + letters * advance
        across = self.horizontalScrollBar()
        across.setPageStep(self.viewport().width())
        across.setSingleStep(advance * 4)
        across.setRange(0, max(0, width - self.viewport().width()))
        self._settling = False
        self._say_last()
        self.viewport().update()

    def _say_last(self) -> None:
        count = len(self.lines)
        last = " · ".join(self.lines[row].text for row in range(max(0, count - _LAST_SAID), count))
        self.setAccessibleDescription(
            tr("{entries:,} entries. {last}", entries=self.lines.entries, last=last[:500])
            if count
            else tr("No entries")
        )

    def _set_following(self, *, following: bool) -> None:
        if following != self._following:
            self._following = following
            self.follow_changed.emit(following)

    def _on_more_timeout(self) -> None:
        self.add(())

    def _on_bar_value_changed(self, value: int) -> None:
        if not self._settling:
            self._set_following(following=value >= self.verticalScrollBar().maximum())
        self.viewport().update()


def _level_color(level: str, theme: Theme) -> QColor:
    if level == "error":
        return theme.status.error.text
    if level == "warning":
        return theme.status.warn.text
    return theme.color.text3 if level == "debug" else theme.color.text2


def _text_color(level: str, theme: Theme) -> QColor:
    if level == "error":
        return theme.status.error.text
    return theme.color.text3 if level == "debug" else theme.color.text


_CHOICES: Final = (tr("All"), tr("Info and above"), tr("Warnings"), tr("Errors"))


class LogsView(QWidget):
    """Show what a tool writes while it runs."""

    count_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stack = QStackedLayout(self)
        self._empty = EmptyState(
            "scroll-text", tr("No log lines"), tr("What the tool writes while it runs is shown here.")
        )
        self._stack.addWidget(self._empty)
        page = QWidget()
        self._stack.addWidget(page)
        column = vbox(page)
        bar = BarFrame(36, surface="surface", margins=(12, 12))
        self.levels = SegmentedControl(_CHOICES, tr("Levels shown"), height=24)
        self.levels.selected.connect(self._on_levels_selected)
        self._shown = TextLabel("", "small", "text3")
        self._follow = Button(tr("Follow the end"), kind="ghost", icon="arrow-down-to-line")
        self._follow.setToolTip(tr("Go to the newest line and stay there"))
        self._follow.hide()
        bar.row.addWidget(self.levels)
        bar.row.addWidget(self._shown)
        bar.row.addStretch(1)
        bar.row.addWidget(self._follow)
        column.addWidget(bar)
        self.list = LogList(page)
        column.addWidget(self.list, 1)
        self._follow.clicked.connect(self.list.follow)
        self.list.follow_changed.connect(self._on_list_follow_changed)
        self.list.count_changed.connect(self._on_list_count_changed)

    def clear(self) -> None:
        self.list.clear()

    def _describe(self) -> None:
        lines = self.list.lines
        if len(lines.levels) == len(LEVELS):
            self._shown.setText("")
            return
        shown = sum(lines.count(level) for level in lines.levels)
        self._shown.setText(tr("{shown} of {entries}", shown=format_count(shown), entries=format_count(lines.entries)))

    def _on_levels_selected(self, index: int) -> None:
        self.list.show_levels(LEVELS[index:])
        self._describe()

    def _on_list_follow_changed(self, following: bool) -> None:
        self._follow.setVisible(not following)

    def _on_list_count_changed(self, count: int) -> None:
        self._stack.setCurrentIndex(1 if count else 0)
        self._describe()
        self.count_changed.emit(count)
