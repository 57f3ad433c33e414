"""The left column below the head: what the call will do, counted by a dry run where the tool offers one."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.approval.model import ApprovalModel, Estimate
from console.approval.parts_view import small_heading
from console.approval.spans_view import FullText, LinkButton, LongText
from console.assets import paint_icon
from console.language import tr
from console.schema_form.layouts import FlowLayout
from console.theme import painter_of, theme_of
from console.widgets import IconLabel, TextLabel, TextTone, grow_with_width, tone_color, vbox

_COUNTED: Final = frozenset({"deletes", "overwrites", "changes", "many_files"})
"""The kinds of reasons that say roughly what a dry run counts."""

_AS_ASKED: Final = tr("This describes the call as asked. If your edit gives a new reason, you are asked again.")


class IconRow(QWidget):
    """An icon before a text that may break into lines.

    Args:
        size: Its edge in logical pixels.
        gap: Between icon and text.
    """

    def __init__(self, icon: str, size: int, gap: int, tone: TextTone, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon
        self._size = size
        self._tone: TextTone = tone
        grow_with_width(self)
        self.column = vbox(self, margins=(size + gap, 0, 0, 0))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the icon before the first line."""
        theme = theme_of(self)
        rect = QRect(0, (16 - self._size) // 2 + (3 if self._size == theme.size.icon else 0), self._size, self._size)
        paint_icon(painter_of(self), rect, self._icon_name, tone_color(theme, self._tone), theme)


class _TextLine(QWidget):
    """A small icon and a text, with room above."""

    def __init__(self, row: IconRow, text: LongText) -> None:
        super().__init__()
        grow_with_width(self)
        self.text = text
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        row.column.addWidget(text)
        column.addWidget(row)


def _line(icon: str, tone: TextTone, name: str, said: str, words: tuple[str, ...]) -> _TextLine:
    text = LongText(name, "small", "text2")
    text.show_text(said, words)
    return _TextLine(IconRow(icon, 14, 6, tone), text)


class EffectsView(QWidget):
    """Say what the call will do, as asked and as edited."""

    def __init__(self, model: ApprovalModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grow_with_width(self)
        self._model = model
        self._asked = model.estimate
        self._words = model.words
        self._is_edited = False
        self._has_details = any(reason.details for reason in model.reasons)
        column = vbox(self)
        column.addWidget(small_heading(tr("What it will do") if model.result is None else tr("What it did")))
        column.addSpacing(4)
        self.description = LongText(tr("what it will do"))
        column.addWidget(self.description)
        self.texts = [self.description]
        self._counts = QWidget()
        self._flow = FlowLayout(16, self._counts)
        self._flow.setContentsMargins(0, 6, 0, 0)
        self._link = LinkButton(tr("Show list"), tr("Show the list of what it will touch"))
        self._link.clicked.connect(self._on_link_clicked)
        self._list = FullText(tr("what it will touch"))
        self._list.hide()
        column.addWidget(self._counts)
        column.addWidget(self._list)
        self._warnings = vbox()
        column.addLayout(self._warnings)
        self._counted: list[QWidget] = []
        for effect in model.effects:
            line = _line(effect.icon, "text2", effect.tag, "\n".join(effect.details), model.words)
            self.texts.append(line.text)
            if effect.kind in _COUNTED:
                self._counted.append(line)
            column.addWidget(line)
        self._as_asked = TextLabel("", "small", "text3", wrap=True)
        self._as_asked.setContentsMargins(0, 6, 0, 0)
        column.addWidget(self._as_asked)
        column.addStretch(1)
        self._show_estimate(model.estimate)
        self._as_asked.hide()

    def show_edited(self, *, edited: bool) -> None:
        """Say that what stands here belongs to the call as asked, once that is edited; what it would do follows."""
        if edited == self._is_edited:
            return
        self._is_edited = edited
        self._as_asked.setText(self._words_as_asked())
        self._as_asked.setVisible(edited and bool(self._as_asked.text()))
        if not edited:
            self._show_estimate(self._asked)

    def show_estimate(self, estimate: Estimate | None, words: tuple[str, ...] = ()) -> None:
        """Show what the call would do, as it is now.

        Args:
            estimate: What a dry run of it found out; None when it found out nothing.
            words: The arguments as they are now that are text, which sentences show as code.
        """
        self._words = words or self._model.words
        if not self._is_edited:
            self._asked = estimate or self._asked
            self._show_estimate(self._asked)
            return
        self._show_estimate(estimate)
        asked = self._asked
        if asked is not None and estimate is not None:
            self._as_asked.setText(tr("As asked, before your edit: {short}.", short=asked.short))
        elif asked is not None:
            self._as_asked.setText(tr("As asked: {short}. Nobody can tell what the edit would do.", short=asked.short))

    def _words_as_asked(self) -> str:
        if self._asked is not None:
            return tr("As asked: {short}. Looking at what your edit would do.", short=self._asked.short)
        return _AS_ASKED if self._has_details else ""

    def _show_estimate(self, estimate: Estimate | None) -> None:
        text = (estimate.text if estimate is not None else "") or self._model.description
        self.description.show_text(text, self._words)
        self._flow.removeWidget(self._link)
        for old in self._counts.findChildren(IconLabel):
            self._flow.removeWidget(old)
            old.hide()
            old.deleteLater()
        counts = estimate.counts if estimate is not None else ()
        for icon, words in counts:
            self._flow.addWidget(IconLabel(icon, words, parent=self._counts))
        listed = estimate.listed if estimate is not None else ""
        self._flow.addWidget(self._link)
        self._link.setVisible(bool(listed))
        self._counts.setVisible(bool(counts or listed))
        for line in self._counted:
            line.setVisible(not counts)
        self._list.show_text(listed)
        self._list.setVisible(bool(listed) and not self._list.isHidden())
        self._name_link()
        self._show_warnings(estimate.warnings if estimate is not None else ())

    def _show_warnings(self, warnings: tuple[str, ...]) -> None:
        while (item := self._warnings.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for warning in warnings:
            self._warnings.addWidget(_line("triangle-alert", "warn", tr("a warning"), warning, self._model.words))

    def _name_link(self) -> None:
        if self._list.isHidden():
            self._link.show_text(tr("Show list"), tr("Show list of what it will touch"))
        else:
            self._link.show_text(tr("Hide list"), tr("Hide list of what it will touch"))

    def _on_link_clicked(self) -> None:
        self._list.setVisible(self._list.isHidden())
        self._name_link()
