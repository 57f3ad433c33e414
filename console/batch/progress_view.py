"""How far a run is, above the plan; what failed, below it; and what becomes of it when the window is closed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QHBoxLayout, QSizePolicy, QWidget

from console.batch.rows import GROUPS, Group, StepFailure
from console.language import tr
from console.theme import painter_of, theme_of
from console.widgets import (
    STATUS,
    Button,
    Divider,
    ElidedLabel,
    StatusGlyph,
    TextLabel,
    WindowDialog,
    format_count,
    hbox,
    paint_box,
    paint_focus_ring,
    paint_status,
    paint_text,
    set_surface,
    spinner_clock,
    status_color,
    text_face,
    vbox,
)

_GLYPH: Final = 14
_GAP: Final = 6
_BAR: Final = 8
_HEIGHT: Final = 64


class _Count(QAbstractButton):
    """How many steps stand in one way; pressed, they alone are listed."""

    def __init__(self, group: Group, parent: QWidget) -> None:
        super().__init__(parent)
        self.meant = group
        self.count = 0
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_count(self, count: int) -> None:
        if count != self.count or not self.text():
            self.count = count
            before = self.sizeHint()
            words = GROUPS[self.meant].words
            self.setText(f"{format_count(count)} {words}")
            self.setAccessibleName(tr("{steps}, show these steps only", steps=self.text()))
            self.setToolTip(tr("Show only what is {words}", words=words))
            # All figures are equally wide: what stands beside it moves only when there is one more.
            if self.sizeHint() != before:
                self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        width = text_face(theme_of(self).font("small", tabular=True)).advance(self.text())
        return QSize(width + _GLYPH + _GAP + 13, 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        if self.isChecked():
            fill, border = theme.color.accent_soft, theme.color.accent_border
            paint_box(painter, self.rect(), theme.radius.small, fill=fill, border=border)
        elif self.underMouse():
            paint_box(painter, self.rect(), theme.radius.small, fill=theme.color.hover)
        status = GROUPS[self.meant].status
        glyph = QRect(6, (self.height() - _GLYPH) // 2, _GLYPH, _GLYPH)
        paint_status(painter, glyph, status, theme, turn=spinner_clock().turn)
        words = QRect(6 + _GLYPH + _GAP, 0, self.width(), self.height())
        paint_text(painter, words, self.text(), theme.font("small", tabular=True), status_color(status, theme))
        if self.hasFocus():
            paint_focus_ring(painter, self.rect(), theme.radius.small, theme)


class _Bar(QWidget):
    """One bar for the whole plan: done, running, waiting, failed, skipped; the rest is to come."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: tuple[tuple[Group, float], ...] = ()
        self.setFixedHeight(_BAR)
        self.setAccessibleName(tr("Progress of the whole plan"))

    def show_parts(self, parts: tuple[tuple[Group, float], ...]) -> None:
        if parts != self._parts:
            self._parts = parts
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_box(painter, self.rect(), _BAR / 2, fill=theme.color.pressed)
        painter.setClipRect(self.rect())
        left, begun = 0.0, False
        for group, share in self._parts:
            right = left + share * self.width()
            first, last = round(left), round(right)
            if last > first:
                tone = theme.tone(STATUS[GROUPS[group].status].tone)
                place = QRect(first, 0, last - first, _BAR)
                place = place.adjusted(1, 0, 0, 0) if begun else place
                is_last = last >= self.width()
                # The bar begins and ends round; what is between is straight.
                if begun and not is_last:
                    painter.fillRect(place, tone.fill)
                else:
                    paint_box(painter, place, _BAR / 2, fill=tone.fill)
                    inside = place.adjusted(0 if begun else _BAR // 2, 0, -_BAR // 2 if is_last else 0, 0)
                    if place.width() > _BAR:
                        painter.fillRect(inside, tone.fill)
                begun = True
            left = right


class ProgressStrip(QWidget):
    """Show how far a run is.

    Signals:
        groups_chosen(tuple): List only steps of these groups; empty lists all.
    """

    groups_chosen = Signal(tuple)

    def __init__(self) -> None:
        super().__init__()
        set_surface(self, "surface")
        self.setFixedHeight(_HEIGHT)
        self._percent = TextLabel("", "heading")
        self._percent.setFont(theme_of(self).font("heading", tabular=True))
        self.counts = {group: _Count(group, self) for group in GROUPS}
        self._elapsed_word = TextLabel(f"{tr('Elapsed')} ", "small", "text2")
        self._elapsed = TextLabel("", "small")
        self._about = TextLabel(f"{tr('About', 'a time')} ", "small", "text2")
        self._left = TextLabel("", "small")
        self._end = TextLabel("", "small", "text2")
        self._bar = _Bar()
        self._build()
        for count in self.counts.values():
            count.hide()
            count.toggled.connect(self._on_count_toggled)

    def _build(self) -> None:
        column = vbox(self)
        inner = vbox(margins=(20, 8, 20, 15), spacing=4)
        row = hbox(spacing=2)
        row.addWidget(self._percent)
        row.addSpacing(8)
        for count in self.counts.values():
            row.addWidget(count)
        row.addStretch(1)
        row.addLayout(self._make_times())
        inner.addLayout(row, 1)
        inner.addWidget(self._bar)
        column.addLayout(inner, 1)
        column.addWidget(Divider())

    def _make_times(self) -> QHBoxLayout:
        row = hbox()
        for part in (self._elapsed_word, self._elapsed):
            row.addWidget(part)
        row.addSpacing(16)
        for part in (self._about, self._left, self._end):
            row.addWidget(part)
        for strong in (self._elapsed, self._left):
            font = theme_of(self).font("small", tabular=True)
            font.setWeight(QFont.Weight.DemiBold)
            strong.setFont(font)
        self.show_elapsed("")
        self.show_left("")
        return row

    def show_counts(self, counts: Mapping[Group, int], share: float, running_share: float) -> None:
        """Show how many steps stand how.

        Args:
            share: How much of the plan is done, from 0 to 1.
            running_share: How much is done of the steps that run, in steps.
        """
        total = sum(counts.values())
        self._percent.setText(tr("{percent:.0f}%", percent=int(share * 100)) if total else "")
        for group, button in self.counts.items():
            count = counts.get(group, 0)
            button.show_count(count)
            is_shown = bool(count) or button.isChecked()
            if is_shown == button.isHidden():
                button.setVisible(is_shown)
        parts: list[tuple[Group, float]] = []
        for group in (Group.DONE, Group.RUNNING, Group.FAILED, Group.UNSURE, Group.SKIPPED, Group.CANCELLED):
            amount = running_share if group is Group.RUNNING else counts.get(group, 0)
            if amount and total:
                parts.append((group, amount / total))
        self._bar.show_parts(tuple(parts))
        self._bar.setAccessibleDescription(self._percent.text())
        running = self.counts[Group.RUNNING]
        spinner_clock().set_turning(running, turning=bool(counts.get(Group.RUNNING)) and self.isVisible())

    def show_elapsed(self, elapsed: str) -> None:
        """Say how long it took so far, such as `1:53`; empty when nothing ran."""
        self._elapsed.setText(elapsed)
        self._elapsed_word.setVisible(bool(elapsed))

    def show_left(self, left: str, done_near: str = "") -> None:
        """Say how long it will still take.

        Args:
            left: Such as `1:57`; empty when nobody knows.
            done_near: The time of day when it will be over; empty to leave it out.
        """
        self._left.setText(tr("{left} left", left=left) if left else "")
        self._end.setText(tr(", done near {done_near}", done_near=done_near) if left and done_near else "")
        for part in (self._about, self._left, self._end):
            part.setVisible(bool(left))

    def show_groups(self, groups: tuple[Group, ...]) -> None:
        """Mark what the list is narrowed to; tells nobody."""
        for group, button in self.counts.items():
            button.blockSignals(True)
            button.setChecked(group in groups)
            button.blockSignals(False)

    def _on_count_toggled(self) -> None:
        self.groups_chosen.emit(tuple(group for group, button in self.counts.items() if button.isChecked()))


_ACTIONS: Final = (("edit", tr("Edit arguments"), ""), ("skip", tr("Skip"), ""), ("retry", tr("Retry"), "refresh-cw"))
_WORDS: Final = 300
"""Logical pixels that the words need beside the buttons."""


class FailureStrip(QWidget):
    """Tell of one step that did not succeed.

    Signals:
        action_requested(str, str): `edit`, `skip`, `skip_rows` or `retry`, for this step.
    """

    action_requested = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        set_surface(self, "panel")
        self.setObjectName("failureStrip")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._failure: StepFailure | None = None
        self._glyph = StatusGlyph("failed", 16)
        self._fact = TextLabel("", "heading")
        self._why = ElidedLabel("", "body", "text")
        self._further = ElidedLabel("", "small", "text2")
        self.buttons: dict[str, Button] = {}
        self._build()
        self.hide()

    def _build(self) -> None:
        column = vbox(self)
        column.addWidget(Divider())
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setContentsMargins(12, 8, 12, 8)
        self._row.setSpacing(12)
        told = hbox(spacing=12)
        told.addWidget(self._glyph)
        words = vbox()
        first = hbox(spacing=4)
        first.addWidget(self._fact)
        first.addWidget(self._why, 1)
        words.addLayout(first)
        words.addWidget(self._further)
        told.addLayout(words, 1)
        self._row.addLayout(told, 1)
        self._actions = hbox(spacing=12)
        self._actions.addStretch(1)
        for key, text, icon in _ACTIONS:
            button = self.buttons[key] = Button(text, icon=icon)
            button.setProperty("actionKey", key)
            button.clicked.connect(self._on_button_clicked)
            self._actions.addWidget(button)
        self._row.addLayout(self._actions)
        column.addLayout(self._row)

    @property
    def step(self) -> str:
        """Give the step it tells of; empty when it is away."""
        return "" if self._failure is None else self._failure.step

    def show_failure(self, failure: StepFailure | None) -> None:
        """Tell of a step; None takes the strip away."""
        if failure == self._failure:
            return
        self._failure = failure
        self.setVisible(failure is not None)
        if failure is None:
            return
        self._glyph.set_status(failure.status)
        self._fact.setText(failure.fact)
        self._why.set_text(failure.why)
        self._further.set_text(failure.further)
        self._further.setVisible(bool(failure.further))
        self.buttons["retry"].setText(tr("Run it again") if failure.is_unsure else tr("Retry"))
        self.buttons["skip"].setText(tr("Skip rows") if failure.has_good_rows else tr("Skip"))
        self.buttons["skip"].setProperty("actionKey", "skip_rows" if failure.has_good_rows else "skip")
        for key in ("skip", "retry"):
            self.buttons[key].updateGeometry()
        self.setAccessibleName(f"{failure.fact} {failure.why} {failure.further}".strip())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the buttons stand below the words where there is no room beside them."""
        super().resizeEvent(event)
        is_roomy = self.width() >= self._actions.sizeHint().width() + _WORDS
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._row.setDirection(beside if is_roomy else below)
        self._row.setSpacing(12 if is_roomy else 8)

    def _on_button_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, Button) and self._failure is not None:
            self.action_requested.emit(sender.property("actionKey"), self._failure.step)


_WIDTH: Final = 460


class ClosingBox(WindowDialog):
    """Ask what becomes of a run; Esc keeps the window open.

    Args:
        background: What happens when it goes on without the window.
        further: What else becomes of what is open, one paragraph each.

    Signals:
        background_chosen(): Let it finish without the window.
        stop_chosen(): Stop it, and end the program.
    """

    background_chosen = Signal()
    stop_chosen = Signal()

    def __init__(self, text: str, background: str, parent: QWidget, further: Sequence[str] = ()) -> None:
        super().__init__(tr("A plan is running"), parent)
        column = vbox(self, margins=(20, 20, 20, 16), spacing=8)
        column.addWidget(TextLabel(tr("A plan is running"), "title"))
        self._text = TextLabel(text, "body", "text", wrap=True)
        self._text.setMinimumWidth(_WIDTH)
        column.addWidget(self._text)
        stopped = tr("Stopped, it can go on where it was when the program is started again.")
        for words in (background, stopped, *further):
            column.addWidget(TextLabel(words, "body", "text2", wrap=True))
        column.addSpacing(12)
        self.stop = Button(tr("Stop and quit"), kind="danger", large=True)
        self.stop.clicked.connect(self._on_stop_clicked)
        self.background = Button(tr("Finish in the background"), kind="primary", large=True)
        self.background.clicked.connect(self._on_background_clicked)
        self.background.setDefault(True)
        column.addLayout(self.make_ends(self.background, before=[self.stop]))
        self.background.setFocus()

    def show_text(self, text: str) -> None:
        self._text.setText(text)

    @Slot()
    def _on_stop_clicked(self) -> None:
        self.accept()
        self.stop_chosen.emit()

    @Slot()
    def _on_background_clicked(self) -> None:
        self.accept()
        self.background_chosen.emit()
