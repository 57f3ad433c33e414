"""The head of the History page: search, and what the list is narrowed to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QSizePolicy, QWidget

from console.call_table import caller_words
from console.history.rows import SPAN_WORDS, STATUS_CHOICES, Filters, StatusChoice, TimeRange
from console.language import in_sentence, tr
from console.theme import painter_of, theme_of
from console.widgets import (
    BarFrame,
    Button,
    KeyTip,
    SearchField,
    SegmentedControl,
    StatusGlyph,
    TextLabel,
    paint_box,
    paint_focus_ring,
    paint_status,
    paint_text,
    status_color,
    vbox,
)

_GLYPH: Final = 12
_LEFT: Final = 8
_GAP: Final = 5
_RIGHT: Final = 9


class StatusChip(QAbstractButton):
    """Switch one ending on or off; Space toggles it."""

    def __init__(self, choice: StatusChoice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choice = choice
        self._is_compact = False
        self.setText(choice.word)
        self.setToolTip(tr("Show only calls that ended so: {word}", word=in_sentence(choice.word)))
        self.setAccessibleName(tr("Only {word}", word=in_sentence(choice.word)))
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def set_compact(self, *, compact: bool) -> None:
        """Show the glyph alone, where there is no room for the words of all chips."""
        if compact != self._is_compact:
            self._is_compact = compact
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(_LEFT + _GLYPH + _LEFT if self._is_compact else self.width_of_words, 24)

    @property
    def width_of_words(self) -> int:
        """The width that glyph and word take together."""
        advance = QFontMetrics(theme_of(self).font("small")).horizontalAdvance(self.text())
        return _LEFT + _GLYPH + _GAP + advance + 1 + _RIGHT

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        color = theme.color
        painter = painter_of(self)
        if self.isChecked():
            paint_box(painter, self.rect(), theme.radius.large, fill=color.accent_soft, border=color.accent_border)
        else:
            fill = color.hover if self.underMouse() else None
            paint_box(painter, self.rect(), theme.radius.large, fill=fill, border=color.border_strong)
        glyph = QRect(_LEFT, (self.height() - _GLYPH) // 2, _GLYPH, _GLYPH)
        paint_status(painter, glyph, self.choice.status, theme, color=status_color(self.choice.status, theme))
        left = self.width() if self._is_compact else _LEFT + _GLYPH + _GAP
        words = QRect(left, 0, self.width() - left - _RIGHT + 1, self.height())
        ink = color.accent_text if self.isChecked() else color.text2
        paint_text(painter, words, self.text(), theme.font("small"), ink)
        if self.hasFocus() and self.window().isActiveWindow():
            paint_focus_ring(painter, self.rect(), theme.radius.large, theme)


_HEAD: Final = 52
_BAR: Final = 40
_SIDE: Final = 20
_BETWEEN: Final = 6
_COMBO_WIDTH: Final = 148

_SPANS: Final = tuple(TimeRange)


class FilterBar(QWidget):
    """Let a person say which calls to list.

    Signals:
        changed: The filters changed.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = vbox(self)
        column.addWidget(self._make_head())
        column.addWidget(self._make_bar())
        self._connect_parts()

    def _make_head(self) -> BarFrame:
        head = BarFrame(_HEAD, surface="surface", edge="none", margins=(20, 20), spacing=12, parent=self)
        title = TextLabel(tr("History"), "title")
        self.search = SearchField(
            tr("Search arguments, results, errors and logs"), command="history.search", parent=head
        )
        self.search.setAccessibleName(tr("Search the history"))
        self.search.setMaximumWidth(440)
        self.search.setMinimumWidth(200)
        self._ring = StatusGlyph("running", size=14, parent=head)
        self._ring.hide()
        self.span = SegmentedControl(tuple(SPAN_WORDS[span] for span in _SPANS), tr("Time"))
        self.span.setAccessibleDescription(tr("How far back the list goes"))
        self.since = self._make_day(tr("From", "day"), head)
        self.until = self._make_day(tr("To", "day"), head)
        self.compare = Button(tr("Compare"), icon="git-compare")
        KeyTip(self.compare, tr("Show the two chosen calls beside each other"), "history.compare")
        self.compare.hide()
        self.export = Button(tr("Export…"), icon="download")
        head.row.addWidget(title)
        head.row.addSpacing(8)
        head.row.addWidget(self.search, 1)
        head.row.addWidget(self._ring)
        head.row.addStretch(0)
        head.row.addWidget(self.since)
        head.row.addWidget(self.until)
        head.row.addWidget(self.span)
        head.row.addWidget(self.compare)
        head.row.addWidget(self.export)
        return head

    def _make_bar(self) -> BarFrame:
        bar = BarFrame(_BAR, surface="surface", edge="bottom", margins=(_SIDE, _SIDE), spacing=_BETWEEN, parent=self)
        self.chips = tuple(StatusChip(choice, bar) for choice in STATUS_CHOICES)
        for chip in self.chips:
            bar.row.addWidget(chip)
        bar.row.addSpacing(_SIDE // 2)
        self.tool = self._make_combo(tr("All tools"), tr("Tool"), bar)
        self.caller = self._make_combo(tr("All callers"), tr("Caller"), bar)
        self._count = TextLabel("", "small", "text3")
        self._count.setObjectName("historyCount")
        self._count.setFont(theme_of(self).font("small", tabular=True))
        self.clear = Button(tr("Clear filters"), kind="ghost", icon="x")
        self.clear.hide()
        bar.row.addWidget(self.tool)
        bar.row.addWidget(self.caller)
        bar.row.addStretch(1)
        bar.row.addWidget(self.clear)
        bar.row.addWidget(self._count)
        return bar

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_chips()

    def _fit_chips(self) -> None:
        """Leave out the words of the chips where there is no room for them beside all else."""
        others = 2 * _COMBO_WIDTH + self.clear.sizeHint().width() + self._count.sizeHint().width()
        gaps = 2 * _SIDE + _SIDE // 2 + _BETWEEN * (len(self.chips) + 6)
        wanted = sum(chip.width_of_words for chip in self.chips) + others + gaps
        for chip in self.chips:
            chip.set_compact(compact=self.width() < wanted)

    def _make_combo(self, everything: str, name: str, parent: QWidget) -> QComboBox:
        combo = QComboBox(parent)
        combo.setAccessibleName(tr("{name} filter", name=name))
        combo.setMaxVisibleItems(16)
        combo.addItem(everything, "")
        combo.setFixedWidth(_COMBO_WIDTH)
        combo.setFont(theme_of(self).font("small"))
        return combo

    def _make_day(self, name: str, parent: QWidget) -> QLineEdit:
        field = QLineEdit(parent)
        field.setAccessibleName(tr("{name} day", name=name))
        field.setPlaceholderText(f"{name} 2026-03-31")
        field.setFont(theme_of(self).font("small", tabular=True))
        field.setFixedWidth(124)
        field.hide()
        return field

    def _connect_parts(self) -> None:
        self.search.textChanged.connect(self._on_changed)
        self.span.selected.connect(self._on_span_selected)
        for chip in self.chips:
            chip.toggled.connect(self._on_changed)
        for combo in (self.tool, self.caller):
            combo.currentIndexChanged.connect(self._on_changed)
        for field in (self.since, self.until):
            field.textChanged.connect(self._on_changed)
        self.clear.clicked.connect(self.reset)

    @property
    def filters(self) -> Filters:
        until = _day(self.until.text())
        return Filters(
            text=self.search.text(),
            tool=self.tool.currentData(),
            caller=self.caller.currentData(),
            statuses=tuple(status for chip in self.chips if chip.isChecked() for status in chip.choice.statuses),
            span=_SPANS[self.span.index],
            since=_day(self.since.text()),
            until=None if until is None else until + timedelta(days=1),
        )

    def reset(self) -> None:
        """List everything again."""
        self.blockSignals(True)
        self.search.clear()
        self.span.select(0)
        for chip in self.chips:
            chip.setChecked(False)
        for combo in (self.tool, self.caller):
            combo.setCurrentIndex(0)
        self.since.clear()
        self.until.clear()
        self.blockSignals(False)
        self._on_changed()

    def set_tool(self, name: str) -> None:
        _choose(self.tool, name)

    def set_caller(self, name: str) -> None:
        _choose(self.caller, name)

    def show_names(self, tools: Sequence[str], callers: Sequence[str]) -> None:
        """Offer tools and callers; what is chosen stays chosen."""
        for combo, choices in ((self.tool, tools), (self.caller, callers)):
            chosen = combo.currentData()
            if [combo.itemData(place) for place in range(1, combo.count())] == list(choices):
                continue
            combo.blockSignals(True)
            while combo.count() > 1:
                combo.removeItem(1)
            for name in choices if not chosen or chosen in choices else (*choices, chosen):
                combo.addItem(caller_words(name) if combo is self.caller else name, name)
            combo.setCurrentIndex(max(0, combo.findData(chosen)))
            combo.blockSignals(False)

    def show_count(self, words: str) -> None:
        """Say how many calls fit."""
        self._count.setText(words)
        self._fit_chips()
        self.search.setAccessibleDescription(words)

    def show_busy(self, *, busy: bool) -> None:
        self._ring.setVisible(busy)

    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _on_span_selected(self, index: int) -> None:
        custom = _SPANS[index] is TimeRange.CUSTOM
        self.since.setVisible(custom)
        self.until.setVisible(custom)
        if custom:
            self.since.setFocus(Qt.FocusReason.OtherFocusReason)
        self._on_changed()

    def _on_changed(self) -> None:
        for field in (self.since, self.until):
            wrong = bool(field.text()) and _day(field.text()) is None
            if field.property("error") != wrong:
                field.setProperty("error", wrong)
                field.setToolTip(tr("A day such as 2026-03-31") if wrong else "")
                field.style().unpolish(field)
                field.style().polish(field)
        self.clear.setVisible(self.filters.narrow)
        self.changed.emit()


def _choose(combo: QComboBox, name: str) -> None:
    if combo.findData(name) < 0:
        combo.addItem(name, name)
    combo.setCurrentIndex(combo.findData(name))


def _day(text: str) -> datetime | None:
    """Give the first moment of a day in the local time zone; None when the text is no day."""
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        return None
    return datetime(day.year, day.month, day.day).astimezone().astimezone(UTC)
