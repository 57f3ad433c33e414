"""What is sent next, part by part with its tokens, and what the conversation took so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QSizePolicy, QWidget

from console.assets import paint_icon
from console.assistant.rows import ContextRow, TokenCount
from console.theme import Theme, theme_of
from console.widgets import (
    BarFrame,
    Divider,
    ElidedLabel,
    IconButton,
    SpinBox,
    TextLabel,
    format_count,
    hbox,
    paint_box,
    set_surface,
    vbox,
)

_HEAD: Final = 36
_MOST_ROWS: Final = 200
_ICONS: Final = {
    "instructions": "scroll-text",
    "tools": "wrench",
    "user": "user",
    "answer": "bot",
    "result": "file-text",
}
_NAMES: Final = {
    "instructions": "Instructions",
    "tools": "Tools",
    "user": "You",
    "answer": "Answers",
    "result": "Results",
}
_KINDS: Final = {"instructions": "Instructions", "tools": "Tool definitions"}
_SERIES: Final = {"instructions": "s4", "tools": "s2", "user": "s1", "answer": "s3", "result": "s5"}


def _color(kind: str, theme: Theme) -> QColor:
    color: QColor = getattr(theme.plot, _SERIES[kind])
    return color


class ContextStrip(QWidget):
    """A bar whose stretches are the parts of what is sent next."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Shares of the context")
        self.setFixedHeight(12)
        self._tokens: dict[str, int] = {}

    def show_rows(self, rows: Sequence[ContextRow]) -> None:
        """Show other parts."""
        tokens = dict.fromkeys(_SERIES, 0)
        for row in rows:
            tokens[row.kind] += row.tokens
        self._tokens = tokens
        said = "; ".join(f"{_NAMES[kind]} {format_count(count)} tokens" for kind, count in tokens.items() if count)
        self.setAccessibleDescription(said)
        self.setToolTip(said)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        paint_box(painter, self.rect(), 3, fill=theme.color.hover)
        whole = sum(self._tokens.values())
        left = 0
        for kind, tokens in self._tokens.items():
            width = round(self.width() * tokens / whole) if whole else 0
            if width:
                painter.fillRect(left, 0, max(1, width - 1), self.height(), _color(kind, theme))
                left += width


class _Dot(QWidget):
    def __init__(self, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind = kind
        self.setFixedSize(26, 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        painter.fillRect(0, 1, 3, 14, _color(self._kind, theme))
        paint_icon(painter, self.rect().adjusted(12, 1, 0, -1), _ICONS[self._kind], theme.color.text2, theme)


class _PartRow(QWidget):
    """A part with its tokens; a result can be pinned or dropped."""

    changed = Signal(int, str)

    def __init__(self, row: ContextRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = row
        self.setFixedHeight(28)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        line = hbox(self, margins=(12, 0, 4, 0), spacing=8)
        line.addWidget(_Dot(row.kind))
        words = row.label if row.kind in {"result", "user", "answer"} else f"{_KINDS[row.kind]}, {row.label}"
        is_out = row.state == "left_out"
        line.addWidget(
            ElidedLabel(f"{words} (left out)" if is_out else words, "small", "text3" if is_out else "text"), 1
        )
        tokens = TextLabel(format_count(row.tokens), "small", "text2")
        line.addWidget(tokens)
        self.pin: IconButton | None = None
        if not row.part:
            line.addSpacing(72)
            return
        pinned = row.state == "pinned"
        self.pin = IconButton("pin", f"Unpin {row.label}" if pinned else f"Pin {row.label}")
        self.pin.setCheckable(True)
        self.pin.setChecked(pinned)
        self.drop = IconButton("plus" if is_out else "x", f"Send {row.label} again" if is_out else f"Drop {row.label}")
        line.addWidget(self.pin)
        line.addWidget(self.drop)
        self.pin.clicked.connect(self._on_pin_clicked)
        self.drop.clicked.connect(self._on_drop_clicked)

    @Slot()
    def _on_pin_clicked(self) -> None:
        self.changed.emit(self._row.part, "sent" if self._row.state == "pinned" else "pinned")

    @Slot()
    def _on_drop_clicked(self) -> None:
        self.changed.emit(self._row.part, "sent" if self._row.state == "left_out" else "left_out")


def _budget_field() -> SpinBox:
    field = SpinBox()
    field.setAccessibleName("Budget in tokens")
    field.setRange(0, 100_000_000)
    field.setSingleStep(10_000)
    field.setSpecialValueText("no limit")
    field.setGroupSeparatorShown(True)
    field.setKeyboardTracking(False)
    field.setToolTip("You are asked before the conversation takes more tokens than this")
    return field


class ContextView(QWidget):
    """Show what is sent next.

    Signals:
        part_changed(int, str): Have a result `pinned`, `left_out`, or `sent` as its age says.
    """

    part_changed = Signal(int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_surface(self, "panel")
        self.setAccessibleName("Context")
        content = QWidget()
        set_surface(content, "panel")
        self._rows = vbox(content)
        self._rows.addStretch(1)
        self.total = TextLabel("0", "heading")
        self.total.setAccessibleName("Tokens in total")
        self.budget = _budget_field()
        self._figures = {name: TextLabel("", "title") for name in ("Input", "Output", "From cache", "Cost")}
        self._lay_out(content)
        self.show_used(TokenCount())

    def _lay_out(self, content: QWidget) -> None:
        head = BarFrame(_HEAD, surface="panel", edge="none", margins=(12, 12))
        head.row.addWidget(TextLabel("Sent with the next turn", "heading"))
        head.row.addStretch(1)
        head.row.addWidget(TextLabel("tokens", "small", "text3"))
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName("Parts of the context")
        area.setProperty("focusRing", "none")
        area.setWidget(content)
        set_surface(area, "panel")
        total = hbox(margins=(12, 8, 76, 8))
        total.addWidget(TextLabel("Total", "heading"))
        total.addStretch(1)
        total.addWidget(self.total)
        column = vbox(self)
        column.addWidget(head)
        column.addWidget(area, 1)
        column.addWidget(Divider())
        column.addLayout(total)
        column.addWidget(Divider())
        column.addLayout(self._made_used())

    def _made_used(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(12, 8, 12, 12)
        grid.setVerticalSpacing(2)
        grid.addWidget(TextLabel("This conversation", "heading"), 0, 0, 1, 2)
        for at, (name, figure) in enumerate(self._figures.items()):
            grid.addWidget(TextLabel(name, "small", "text3"), 1 + 2 * (at // 2), at % 2)
            grid.addWidget(figure, 2 + 2 * (at // 2), at % 2)
            figure.setAccessibleName(name)
        grid.addWidget(TextLabel("Budget in tokens", "small", "text3"), 5, 0)
        grid.addWidget(self.budget, 5, 1)
        return grid

    def show_rows(self, rows: Sequence[ContextRow]) -> None:
        """Show other parts; of very many, the newest."""
        while self._rows.count() > 1:
            item = self._rows.takeAt(0)
            widget = None if item is None else item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for at, row in enumerate(rows[-_MOST_ROWS:]):
            shown = _PartRow(row, self)
            shown.changed.connect(self.part_changed)
            self._rows.insertWidget(at, shown)
        self.total.setText(format_count(sum(row.tokens for row in rows)))

    def show_used(self, used: TokenCount) -> None:
        """Show what the conversation took."""
        about = "~" if used.estimated else ""
        self._figures["Input"].setText(f"{about}{format_count(used.read)}")
        self._figures["Output"].setText(f"{about}{format_count(used.written)}")
        self._figures["From cache"].setText(f"{used.cached / used.read:.0%}" if used.read else "n/a")
        self._figures["Cost"].setText("n/a" if used.cost is None else f"${used.cost:.4f}")
