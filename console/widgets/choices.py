"""Choices that act at once: the segmented control and the switch."""

from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from console.theme import painter_of, theme_of
from console.widgets.painting import paint_box, paint_text
from console.widgets.status import StatusName, paint_status

_CENTER: Final = Qt.AlignmentFlag.AlignCenter
_GLYPH: Final = 10
_GLYPH_GAP: Final = 6


class _Segment(QAbstractButton):
    """One choice of a segmented control."""

    def __init__(self, text: str, height: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._dense = height < theme_of(self).size.table_header
        self.setText(text)
        self.setCheckable(True)
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.status: StatusName | None = None

    def _font(self) -> QFont:
        theme = theme_of(self)
        if self._dense:
            return theme.font("caption")
        font = theme.font("small")
        font.setWeight(font.Weight.Medium)
        return font

    def sizeHint(self) -> QSize:
        padding = 16 if self._dense else 22
        return QSize(self._content_width() + padding, self.height())

    def minimumSizeHint(self) -> QSize:
        """Return the size hint: a choice never hides part of its text."""
        return self.sizeHint()

    def _content_width(self) -> int:
        glyph = _GLYPH + _GLYPH_GAP if self.status is not None else 0
        return glyph + QFontMetrics(self._font()).horizontalAdvance(self.text())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        if self.isChecked() and self.isEnabled():
            color = theme.color
            paint_box(painter, self.rect(), theme.radius.small, fill=color.surface, border=color.border_strong)
        font = self._font()
        ink = theme.color.text if self.isChecked() or self.underMouse() else theme.color.text2
        if not self.isEnabled():
            ink = theme.color.text_disabled
        words = self.rect()
        if self.status is not None:
            left = (self.width() - self._content_width()) // 2
            paint_status(painter, QRect(left, (self.height() - _GLYPH) // 2, _GLYPH, _GLYPH), self.status, theme)
            words.setLeft(left + _GLYPH + _GLYPH_GAP)
        align = _CENTER if self.status is None else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        paint_text(painter, words, self.text(), font, ink, align=align, elide=Qt.TextElideMode.ElideNone)


class SegmentedControl(QWidget):
    """Choose exactly one of a few views. Left and Right move the choice; it is one stop of Tab.

    Args:
        choices: The words, left to right.
        name: Accessible name: what is chosen.
        height: 28, or 24 in a panel's header.

    Signals:
        selected(int): The user or `select` chose the choice at this index.
    """

    selected = Signal(int)

    def __init__(self, choices: tuple[str, ...], name: str, *, height: int = 28) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(height)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(2, 2, 2, 2)
        self._row.setSpacing(0)
        self.choices: tuple[str, ...] = ()
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self.set_choices(choices)
        self._group.idToggled.connect(self._on_group_id_toggled)

    def set_choices(self, choices: tuple[str, ...], index: int = 0) -> None:
        """Offer other choices; nothing is told."""
        self._group.blockSignals(True)
        if choices != self.choices:
            self.choices = choices
            for segment in self._group.buttons():
                self._group.removeButton(segment)
                self._row.removeWidget(segment)
                segment.deleteLater()
            for number, choice in enumerate(choices):
                segment = _Segment(choice, self.height() - 4, self)
                self._group.addButton(segment, number)
                self._row.addWidget(segment)
        for number, segment in enumerate(self._group.buttons()):
            segment.setChecked(number == index)
            segment.setFocusPolicy(Qt.FocusPolicy.TabFocus if number == index else Qt.FocusPolicy.NoFocus)
        self._group.blockSignals(False)

    @property
    def index(self) -> int:
        """Give the index of the choice; -1 when none is marked."""
        return self._group.checkedId()

    def select(self, index: int) -> None:
        self._group.button(index).setChecked(True)

    def select_none(self) -> None:
        """Mark no choice, as where what is chosen is none of them; tells nobody."""
        chosen = self._group.checkedButton()
        if chosen is not None:
            self._group.setExclusive(False)
            self._group.blockSignals(True)
            chosen.setChecked(False)
            self._group.blockSignals(False)
            self._group.setExclusive(True)

    def set_text(self, index: int, text: str, name: str = "") -> None:
        """Change the word of a choice, as for a count.

        Args:
            name: What it is called where the word alone does not say it; it is the tooltip then.
        """
        segment = self._group.button(index)
        segment.setText(text)
        segment.setAccessibleName(name or text)
        segment.setToolTip(name)
        segment.updateGeometry()

    def set_status(self, index: int, status: StatusName) -> None:
        """Show the glyph of a status before the word of a choice."""
        segment = self._group.button(index)
        if isinstance(segment, _Segment):
            segment.status = status
            segment.updateGeometry()
            segment.update()

    def set_choice_enabled(self, index: int, *, enabled: bool, reason: str = "") -> None:
        """Allow or forbid one choice; `reason` is its tooltip."""
        segment = self._group.button(index)
        segment.setEnabled(enabled)
        segment.setToolTip(reason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        target = self._group.button(self.index + step) if step is not None else None
        if target is None or not target.isEnabled():
            super().keyPressEvent(event)
            return
        target.setChecked(True)
        target.setFocus(Qt.FocusReason.TabFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        paint_box(painter_of(self), self.rect(), theme.radius.medium, fill=theme.color.pressed)

    def _on_group_id_toggled(self, index: int, checked: bool) -> None:
        segment = self._group.button(index)
        segment.setFocusPolicy(Qt.FocusPolicy.TabFocus if checked else Qt.FocusPolicy.NoFocus)
        if checked:
            self.selected.emit(index)


class Switch(QAbstractButton):
    """Switch something on or off at once; Space toggles it. Listen to `toggled`.

    Args:
        name: Accessible name: what is on or off.
    """

    def __init__(self, name: str, *, checked: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setCheckable(True)
        self.setChecked(checked)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        return QSize(32, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        color = theme.color
        painter = painter_of(self)
        track = QRect(0, (self.height() - 18) // 2, 32, 18)
        if not self.isEnabled():
            paint_box(painter, track, 9, fill=color.border)
        elif self.isChecked():
            paint_box(painter, track, 9, fill=color.accent_hover if self.underMouse() else color.accent)
        else:
            paint_box(painter, track, 9, fill=color.text3 if self.underMouse() else color.border_field)
        left = track.right() - 15 if self.isChecked() else 2
        knob = color.on_accent if self.isEnabled() else color.surface
        paint_box(painter, QRect(left, track.y() + 2, 14, 14), 7, fill=knob)
