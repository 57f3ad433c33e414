"""The bar above a conversation: how full the context is, and how much of the conversation is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from console.assistant.rows import ContextRow, ContextSettings
from console.language import tr
from console.theme import Theme, painter_of, theme_of
from console.widgets import ElidedLabel, IconButton, SpinBox, TextLabel, hbox, paint_box, set_surface, vbox

_NAMES: Final = {
    "instructions": tr("Instructions"),
    "tools": tr("Tools"),
    "summary": tr("Summary"),
    "user": tr("You"),
    "answer": tr("Answers"),
    "result": tr("Results"),
}
_SERIES: Final = {"instructions": "s4", "tools": "s2", "summary": "s6", "user": "s1", "answer": "s3", "result": "s5"}
_MOST_TURNS: Final = 1_000


def color_of(kind: str, theme: Theme) -> QColor:
    """Return the colour of a kind of parts."""
    color: QColor = getattr(theme.plot, _SERIES[kind])
    return color


class ContextStrip(QWidget):
    """A bar whose stretches are the parts of what is sent next; the rest of it is what the model can still read."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Shares of the context"))
        self.setFixedHeight(12)
        self._tokens: dict[str, int] = {}
        self._most = 0

    def show_rows(self, rows: Sequence[ContextRow], most: int) -> None:
        """Show other parts.

        Args:
            most: Tokens that the model reads at once; 0 when nobody knows.
        """
        tokens = dict.fromkeys(_SERIES, 0)
        for row in rows:
            tokens[row.kind] += row.tokens
        self._tokens, self._most = tokens, most
        said = "; ".join(
            tr("{part} {count:,} tokens", part=_NAMES[kind], count=count) for kind, count in tokens.items() if count
        )
        self.setAccessibleDescription(said)
        self.setToolTip(said)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        paint_box(painter, self.rect(), 3, fill=theme.color.hover)
        whole = max(self._most, sum(self._tokens.values()))
        left = 0
        for kind, tokens in self._tokens.items():
            width = round(self.width() * tokens / whole) if whole else 0
            if width:
                painter.fillRect(left, 0, max(1, width - 1), self.height(), color_of(kind, theme))
                left += width


class ContextBar(QWidget):
    """Show how full the context is.

    Signals:
        turns_changed(int): Keep results, and turns beside a summary, for so many turns.
        summarises_changed(bool): Sum up older turns by itself when the context is nearly full, or not.
        summarise_requested(): Sum up older turns now.
    """

    turns_changed = Signal(int)
    summarises_changed = Signal(bool)
    summarise_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        set_surface(self, "inset")
        self.strip = ContextStrip()
        self.tokens = ElidedLabel("", "small", "text2")
        self.turns = SpinBox()
        self.turns.setAccessibleName(tr("Turns to keep"))
        self.turns.setRange(-1, _MOST_TURNS)
        self.turns.setSpecialValueText(tr("all"))
        self.turns.setKeyboardTracking(False)
        self.turns.setToolTip(
            tr("For how many turns a result is sent whose tool does not say; a summary leaves them out")
        )
        self.summarises = QCheckBox(tr("Summarise older turns"))
        self.summarises.setToolTip(tr("The model sums them up when the context is nearly full; the originals are kept"))
        self.now = IconButton("list-collapse", tr("Summarise older turns now"))
        column = vbox(self, margins=(20, 6, 20, 10), spacing=6)
        line = hbox(spacing=8)
        line.addWidget(TextLabel(tr("Context"), "heading"))
        line.addWidget(self.tokens, 1)
        line.addWidget(TextLabel(tr("Turns to keep"), "small", "text2"))
        line.addWidget(self.turns)
        line.addWidget(self.summarises)
        line.addWidget(self.now)
        column.addLayout(line)
        column.addWidget(self.strip)
        self.turns.valueChanged.connect(self.turns_changed)
        self.summarises.clicked.connect(self.summarises_changed)
        self.now.clicked.connect(self.summarise_requested)

    def show_rows(self, rows: Sequence[ContextRow], settings: ContextSettings) -> None:
        """Show other parts, and what is set."""
        tokens, most = sum(row.tokens for row in rows), settings.tokens
        self.strip.show_rows(rows, most)
        self.tokens.set_text(
            tr("about {tokens:,} tokens of {most:,}, {share:.0%}", tokens=tokens, most=most, share=tokens / most)
            if most
            else tr("about {tokens:,} tokens", tokens=tokens)
        )
        self.turns.blockSignals(True)
        self.turns.setValue(settings.turns_to_keep)
        self.turns.blockSignals(False)
        self.summarises.setChecked(settings.summarises)

    def set_open(self, *, is_open: bool) -> None:
        """Say whether there is a conversation whose turns can be summed up."""
        self.now.setEnabled(is_open)
