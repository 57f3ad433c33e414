"""The field of a number: exact at any size, with its unit inside and its range beside it."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QSizePolicy, QWidget

from console.language import tr
from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor
from console.schema_form.expectations import must_be
from console.schema_form.fields import Field, FieldKind, range_words
from console.schema_form.flat_schema import Schema
from console.schema_form.numbers import number_from_text, stepped
from console.schema_form.paths import ABSENT, label
from console.theme import theme_of
from console.widgets import ElidedLabel, TextLabel, hbox

_BUTTONS: Final = 22
_WIDE: Final = 132
_NARROW: Final = 88
_WIDEST: Final = 320
_TEXT_LEFT: Final = 7


class NumberSpin(QAbstractSpinBox):
    """A spin box over text, so that numbers of any length stay exact and wrong text stays as typed.

    Signals:
        text_edited(str): A person changed the text, by letters.
        step_requested(int): Go that many steps up, or down if negative.
    """

    text_edited = Signal(str)
    step_requested = Signal(int)

    def __init__(self, unit: str = "", *, narrow: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._narrow = narrow
        # Numbers are read from left to right by everybody.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setFont(theme_of(self).font("code"))
        self.lineEdit().setFont(theme_of(self).font("code"))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._unit = TextLabel(unit, "small", "text3", parent=self) if unit else None
        if self._unit is not None:
            self._unit.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.lineEdit().setTextMargins(_TEXT_LEFT, 0, 0, 0)
        self.lineEdit().textEdited.connect(self.text_edited)
        self.lineEdit().textChanged.connect(self._on_line_text_changed)

    def show_text(self, text: str) -> None:
        if self.lineEdit().text() != text:
            self.lineEdit().setText(text)

    def stepBy(self, steps: int) -> None:
        """Ask for steps; who listens knows the bounds."""
        self.step_requested.emit(steps)

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        return QAbstractSpinBox.StepEnabledFlag.StepUpEnabled | QAbstractSpinBox.StepEnabledFlag.StepDownEnabled

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Let everything be typed; what is wrong with it is said below the field."""
        return QValidator.State.Acceptable, text, position

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step only while it has the focus, so that scrolling a form changes nothing."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def sizeHint(self) -> QSize:
        text = QFontMetrics(self.font()).horizontalAdvance(self.lineEdit().text())
        unit = 0 if self._unit is None else self._unit.sizeHint().width() + 8
        fixed = _NARROW if self._narrow else _WIDE
        return QSize(min(_WIDEST, max(fixed, text + unit + _BUTTONS + 14)), theme_of(self).size.control)

    def minimumSizeHint(self) -> QSize:
        return QSize(_NARROW if self._narrow else _WIDE, theme_of(self).size.control)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._unit is None:
            return
        width = self._unit.sizeHint().width()
        self._unit.setGeometry(self.width() - _BUTTONS - width - 7, 0, width, self.height())
        self.lineEdit().setTextMargins(_TEXT_LEFT, 0, width + 8, 0)

    def _on_line_text_changed(self) -> None:
        self.updateGeometry()


class NumberEditor(FieldEditor):
    """A number with its bounds."""

    def __init__(
        self, field: Field, document: Document, *, narrow: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(field, document, parent)
        self._is_whole = field.kind is FieldKind.INTEGER
        self.spin = NumberSpin(field.unit, narrow=narrow, parent=self)
        row = hbox(self, spacing=9)
        row.addWidget(self.spin)
        hint = _hint_of(field.schema)
        if hint and not narrow:
            row.addWidget(ElidedLabel(hint, "small", "text3", parent=self))
        if not narrow:
            row.addStretch(1)
        elif hint:
            self.spin.setToolTip(hint)
        self.adopt(self.spin)
        self.spin.lineEdit().installEventFilter(self)
        self.spin.text_edited.connect(self._on_spin_text_edited)
        self.spin.step_requested.connect(self._on_spin_step_requested)
        self.refresh()

    def show_value(self, value: Any) -> None:
        line = self.spin.lineEdit()
        line.setPlaceholderText(self.placeholder(value))
        shown = number_from_text(line.text(), whole=self._is_whole)
        # A number stays as it is typed: 1e3 does not become 1000.0 under the caret.
        if shown is None or shown != value or type(shown) is not type(value) or self.document.draft(self.field.path):
            self.spin.show_text(self.text_of(value))

    def placeholder(self, value: Any) -> str:
        """Return the default alone: there is room for a number only."""
        default = self.field.default
        return "null" if value is None else "" if default is ABSENT or default is None else str(default)

    def _on_spin_text_edited(self, text: str) -> None:
        if not text.strip():
            self.clear()
            return
        number = number_from_text(text, whole=self._is_whole)
        if number is None:
            kind = tr("a whole number") if self._is_whole else tr("a number")
            self.reject(text, str(must_be(label(self.field.path), kind, text)))
        else:
            self.write(number)

    def _on_spin_step_requested(self, steps: int) -> None:
        number = number_from_text(self.spin.lineEdit().text(), whole=self._is_whole)
        if number is not None:
            self.write(self._stepped(number, steps))
            return
        default, (low, _) = self.field.default, self._bounds()
        is_number = isinstance(default, int | float) and not isinstance(default, bool)
        self.write(default if is_number else self._stepped(0 if low is None else low, 0))

    def _stepped(self, number: float, steps: int) -> float:
        """Return the number some steps away; where only multiples are allowed, it is one of them."""
        low, high = self._bounds()
        step = self.field.schema.get("multipleOf")
        if not isinstance(step, int | float) or step <= 0:
            return stepped(number, steps, 1 if self._is_whole or isinstance(number, int) else 0.1, low, high)
        size = Fraction(repr(step))
        at = Fraction(repr(number)) / size
        place = (math.floor(at) if steps > 0 else math.ceil(at)) + steps
        if low is not None:
            place = max(place, math.ceil(Fraction(repr(low)) / size))
        if high is not None:
            place = min(place, math.floor(Fraction(repr(high)) / size))
        return stepped(0, place, step, None, None)

    def _bounds(self) -> tuple[Any, Any]:
        """Return the smallest and the largest number that steps lead to; None for no limit."""
        schema = self.field.schema
        low, high = schema.get("minimum"), schema.get("maximum")
        above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
        if self._is_whole and above is not None:
            low = max(math.floor(above) + 1, above if low is None else low)
        if self._is_whole and below is not None:
            high = min(math.ceil(below) - 1, below if high is None else high)
        return low, high


def _hint_of(schema: Schema) -> str:
    """Say which numbers are allowed: `1 to 5000`, `at least 0, steps of 5`; "" for all, and for whole ones."""
    step = schema.get("multipleOf")
    parts = (range_words(schema), tr("steps of {step}", step=step) if step is not None and step != 1 else "")
    return ", ".join(part for part in parts if part)
