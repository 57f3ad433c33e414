"""The drawer where limits are set: for which tools, from where on they are degraded or down, what that would change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from console.assets import icon
from console.charts import Histogram
from console.health.snapshot import WINDOWS_S, LimitsForm, PreviewSheet, ScopeRow, window_words
from console.language import tr, tr_count
from console.theme import theme_of
from console.widgets import (
    BarFrame,
    Button,
    Divider,
    DoubleSpinBox,
    IconButton,
    IconLabel,
    PanelHeader,
    SpinBox,
    StatusGlyph,
    StatusName,
    Switch,
    TextLabel,
    hbox,
    set_margins,
    set_surface,
    vbox,
)

_PADDING: Final = 16
_FIELD: Final = 112
_MOST_MS: Final = 86_400_000.0


class _Number(DoubleSpinBox):
    """A number with as many decimals as it needs."""

    def __init__(self, least_decimals: int) -> None:
        super().__init__()
        self._least_decimals = least_decimals
        self.setDecimals(3)

    def textFromValue(self, value: float) -> str:
        short = f"{value:.3f}".rstrip("0")
        decimals = max(self._least_decimals, len(short.partition(".")[2]))
        return f"{value:.{decimals}f}".replace(".", self.locale().decimalPoint())


class LimitsView(QWidget):
    """Let a person set limits.

    Signals:
        save_requested: Let what stands in the fields hold.
        closed: The drawer is to be closed; what was not saved is given up.
    """

    edited = Signal()
    save_requested = Signal()
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("healthLimits")
        self.setAccessibleName(tr("Thresholds"))
        set_surface(self, "panel")
        self._make_fields()
        column = vbox(self)
        head = PanelHeader(tr("Thresholds"), height=40, edge="bottom")
        set_margins(head.row, _PADDING, 0, 8, 0)
        close = IconButton("x", tr("Close the thresholds"), shortcut_hint="Esc")
        close.clicked.connect(self.closed)
        head.add_button(close)
        column.addWidget(head)
        column.addWidget(self._make_scroll(), 1)
        column.addWidget(self._make_notice())
        column.addWidget(self._make_foot())

    def _make_fields(self) -> None:
        self.scope = QComboBox()
        self.scope.setAccessibleName(tr("Applies to"))
        self.scope.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._note = IconLabel("info", "", "small", "text3")
        self._note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.p95 = self._number(" ms", tr("P95 is above"), 100.0, 0, _MOST_MS)
        self.p95.setMinimum(0.001)
        self.degraded = self._number(" %", tr("Degraded when success is below"), 1.0, 1, 100.0)
        self.down = self._number(" %", tr("Down when success is below"), 1.0, 1, 100.0)
        self.checks = self._count("", tr("Failed checks in a row"), 100)
        self.least = self._count("", tr("Need at least"), 1000)
        self.least.valueChanged.connect(self._on_least_value_changed)
        self.window_s = QComboBox()
        self.window_s.setAccessibleName(tr("Look at the last"))
        self.window_s.setFixedWidth(_FIELD)
        for seconds in WINDOWS_S:
            self.window_s.addItem(window_words(seconds), seconds)
        self.window_s.currentIndexChanged.connect(self.edited)
        self.notify = Switch(tr("Tell me when it changes"), checked=True)
        self.notify.toggled.connect(self.edited)

    def _number(self, unit: str, name: str, step: float, decimals: int, most: float) -> DoubleSpinBox:
        box = _Number(decimals)
        box.setMaximum(most)
        box.setSingleStep(step)
        self._prepare(box, name)
        box.setSuffix(unit)
        box.valueChanged.connect(self.edited)
        return box

    def _count(self, unit: str, name: str, most: int) -> SpinBox:
        box = SpinBox()
        box.setRange(1, most)
        self._prepare(box, name)
        box.setSuffix(unit)
        box.valueChanged.connect(self.edited)
        return box

    def _prepare(self, box: QAbstractSpinBox, name: str) -> None:
        box.setAccessibleName(name)
        box.setFixedWidth(_FIELD)
        box.setFont(theme_of(self).font("code"))
        box.setKeyboardTracking(True)

    def _make_scroll(self) -> QScrollArea:
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget()
        set_surface(body, "panel")
        column = vbox(body, margins=(0, 12, 0, 12), spacing=12)
        self._add(column, TextLabel(tr("Applies to"), "small", "text2"), self.scope, self._note)
        column.addWidget(Divider())
        self._add(column, self._title("degraded", tr("Degraded when")))
        self._add_field(column, tr("P95 is above"), self.p95)
        self._add_field(column, tr("Success is below"), self.degraded)
        column.addWidget(Divider())
        self._add(column, self._title("down", tr("Down when")))
        self._add_field(column, tr("Success is below"), self.down)
        self._add_field(column, tr("Failed checks in a row"), self.checks)
        column.addWidget(Divider())
        self._add_field(column, tr("Look at the last"), self.window_s)
        self._add_field(column, tr("Need at least"), self.least)
        self._add_field(column, tr("Tell me when it changes"), self.notify)
        column.addWidget(Divider())
        self._problem = TextLabel("", "small", "error", wrap=True)
        self._problem.hide()
        self._words = TextLabel("", "small", "text2", wrap=True)
        self._words.setObjectName("limitsPreview")
        self.histogram = Histogram()
        self._add(column, TextLabel(tr("With these limits"), "heading"), self._problem, self._words, self.histogram)
        column.addStretch(1)
        scroll.setWidget(body)
        return scroll

    def _add(self, column: QVBoxLayout, *widgets: QWidget) -> None:
        place = vbox(margins=(_PADDING, 0, _PADDING, 0), spacing=8)
        for widget in widgets:
            place.addWidget(widget)
        column.addLayout(place)

    def _add_field(self, column: QVBoxLayout, words: str, field: QWidget) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(_PADDING, 0, _PADDING, 0)
        row.addWidget(TextLabel(words, "small", "text"))
        row.addStretch(1)
        row.addWidget(field)
        column.addLayout(row)

    def _title(self, status: StatusName, words: str) -> QWidget:
        title = QWidget()
        row = hbox(title, spacing=8)
        row.addWidget(StatusGlyph(status))
        row.addWidget(TextLabel(words, "heading"))
        row.addStretch(1)
        return title

    def _make_notice(self) -> QWidget:
        self._notice = QWidget()
        column = vbox(self._notice)
        column.addWidget(Divider())
        row = QHBoxLayout()
        set_margins(row, _PADDING, 4, 8, 4)
        self._said = TextLabel("", "small", "text2", wrap=True)
        self._said.setMinimumHeight(theme_of(self).size.control)
        self.undo = Button(tr("Undo"), kind="ghost", icon="undo-2")
        row.addWidget(self._said, 1)
        row.addWidget(self.undo)
        column.addLayout(row)
        self._notice.hide()
        return self._notice

    def _make_foot(self) -> BarFrame:
        foot = BarFrame(52, surface="panel", edge="top", margins=(8, _PADDING))
        self.defaults = Button(tr("Use defaults"), kind="ghost", icon="rotate-ccw")
        self.cancel = Button(tr("Cancel"))
        self.save = Button(tr("Save"), kind="primary")
        self.cancel.clicked.connect(self.closed)
        self.save.clicked.connect(self.save_requested)
        foot.row.addWidget(self.defaults)
        foot.row.addStretch(1)
        foot.row.addWidget(self.cancel)
        foot.row.addWidget(self.save)
        return foot

    def _on_least_value_changed(self, count: int) -> None:
        self.least.setSuffix(f" {tr_count(count, 'run', 'runs')}")

    @property
    def form(self) -> LimitsForm:
        return LimitsForm(
            p95_ms=self.p95.value(),
            degraded_percent=self.degraded.value(),
            down_percent=self.down.value(),
            failed_checks=self.checks.value(),
            window_s=self.window_s.currentData(),
            least_calls=self.least.value(),
            notify=self.notify.isChecked(),
        )

    def show_form(self, form: LimitsForm) -> None:
        """Fill the fields; tells nobody."""
        blockers = [
            QSignalBlocker(field)
            for field in (self.p95, self.degraded, self.down, self.checks, self.window_s, self.least, self.notify)
        ]
        self.p95.setValue(form.p95_ms)
        self.degraded.setValue(form.degraded_percent)
        self.down.setValue(form.down_percent)
        self.checks.setValue(form.failed_checks)
        if self.window_s.findData(form.window_s) < 0:
            self.window_s.addItem(window_words(form.window_s), form.window_s)
        self.window_s.setCurrentIndex(self.window_s.findData(form.window_s))
        self.least.setMaximum(max(self.least.maximum(), form.least_calls))
        self.least.setValue(form.least_calls)
        self._on_least_value_changed(form.least_calls)
        self.notify.setChecked(form.notify)
        self.notify.update()
        for blocker in blockers:
            blocker.unblock()

    def show_scopes(self, scopes: Sequence[ScopeRow], chosen: int) -> None:
        """Offer scopes; tells nobody.

        Args:
            scopes: From the narrowest to the widest.
        """
        self.scope.clear()
        for scope in scopes:
            self.scope.addItem(icon(scope.icon), scope.words)
        self.scope.setCurrentIndex(chosen)
        self._note.show_state("info", scopes[chosen].note, "text3")
        self._note.setToolTip(scopes[chosen].note)

    def show_state(self, *, can_save: bool, has_own: bool) -> None:
        """Say what can be done.

        Args:
            can_save: Whether what stands in the fields differs from what holds, and is valid.
            has_own: Whether there is something to give up for the defaults.
        """
        self.save.setEnabled(can_save)
        self.defaults.setEnabled(has_own)

    def show_preview(self, sheet: PreviewSheet | None) -> None:
        """Show what the limits would come to; None while they are none."""
        self._words.setVisible(sheet is not None)
        self.histogram.setVisible(sheet is not None)
        if sheet is not None:
            self._words.setText(sheet.words)
            self.histogram.show_counts(sheet.counts, sheet.end_ms, sheet.limit_ms)

    def show_problem(self, problem: str) -> None:
        """Say why the limits cannot be saved; "" takes it away."""
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))

    def show_notice(self, text: str, *, undo: bool) -> None:
        """Say what became of the last change; "" takes the line away."""
        self._said.setText(text)
        self.undo.setVisible(undo)
        self._notice.setVisible(bool(text))

    def focus_first(self) -> None:
        self.p95.setFocus(Qt.FocusReason.OtherFocusReason)
        self.p95.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Save with Enter in a field, close with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.save.isEnabled():
            self.save_requested.emit()
        else:
            super().keyPressEvent(event)
