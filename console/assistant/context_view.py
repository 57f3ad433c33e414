"""What is sent next, part by part with its tokens, and what the conversation took so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import shiboken6
from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QSizePolicy, QWidget

from console.assets import paint_icon
from console.assistant.context_bar_view import color_of
from console.assistant.rows import ContextRow, TokenCount
from console.language import number, tr
from console.theme import painter_of, theme_of
from console.widgets import (
    BarFrame,
    Button,
    Divider,
    ElidedLabel,
    IconButton,
    Menu,
    SpinBox,
    TextLabel,
    format_count,
    hbox,
    set_surface,
    vbox,
)

_HEAD: Final = 36
_MOST_ROWS: Final = 200
_ICONS: Final = {
    "instructions": "scroll-text",
    "tools": "wrench",
    "summary": "list-collapse",
    "user": "user",
    "answer": "bot",
    "result": "file-text",
}
_KEEP: Final = (
    (0, tr("Gone next turn")),
    (1, tr("1 turn")),
    (5, tr("5 turns")),
    (20, tr("20 turns")),
    (-1, tr("For ever")),
)
_AS_TOOL: Final = "tool"
_FIGURES: Final = {"read": tr("Input"), "written": tr("Output"), "cached": tr("From cache"), "cost": tr("Cost")}
_TURNS_WIDTH: Final = 28
_SLICE_MS: Final = 4


class _Dot(QWidget):
    def __init__(self, kind: str) -> None:
        super().__init__()
        self._kind = kind
        self.setFixedSize(26, 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        painter.fillRect(0, 1, 3, 14, color_of(self._kind, theme))
        paint_icon(painter, self.rect().adjusted(12, 1, 0, -1), _ICONS[self._kind], theme.color.text2, theme)


class _TurnsButton(Button):
    """For how many further turns a result is sent; others are chosen from its menu."""

    chosen = Signal(object)

    def __init__(self, row: ContextRow) -> None:
        left = "∞" if row.turns_left is None else str(max(0, row.turns_left))
        super().__init__(left, kind="ghost")
        self.setFixedWidth(_TURNS_WIDTH)
        self.setAccessibleName(tr("Turns to keep {label}: {state}", label=row.label, state=_turns_words(row)))
        self.setToolTip(_turns_words(row))
        self._menu = Menu(tr("Turns to keep"), self)
        for turns, text in _KEEP:
            self._menu.add_entry(turns, text)
        self._menu.addSeparator()
        self._menu.add_entry(_AS_TOOL, tr("As its tool says"))
        self._menu.triggered.connect(self._on_menu_triggered)
        self.clicked.connect(self._on_clicked)

    @Slot()
    def _on_clicked(self) -> None:
        self._menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    @Slot(QAction)
    def _on_menu_triggered(self, action: QAction) -> None:
        key = action.data()
        self.chosen.emit(None if key == _AS_TOOL else key)


class _PartRow(QWidget):
    """A part with its tokens; a result can be pinned, dropped and kept for other turns, some parts can be changed."""

    changed = Signal(int, str)
    turns_changed = Signal(int, object)
    edit_requested = Signal(str)

    def __init__(self, row: ContextRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = row
        self.setFixedHeight(28)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        line = hbox(self, margins=(12, 0, 4, 0), spacing=8)
        line.addWidget(_Dot(row.kind))
        words = _words(row)
        is_out = row.state == "left_out"
        line.addWidget(
            ElidedLabel(
                tr("{part} (left out)", part=words) if is_out else words, "small", "text3" if is_out else "text"
            ),
            1,
        )
        tokens = TextLabel(format_count(row.tokens), "small", "text2")
        line.addWidget(tokens)
        self.pin: IconButton | None = None
        if not row.part:
            if row.kind in {"instructions", "summary"}:
                line.addSpacing(3 * _TURNS_WIDTH - 12)
                label = row.label.lower()
                name = (
                    tr("Change instructions, {label}", label=label)
                    if row.kind == "instructions"
                    else tr("Change summary of {label}", label=label)
                )
                self.edit = IconButton("pencil", name)
                self.edit.clicked.connect(self._on_edit_clicked)
                line.addWidget(self.edit)
            else:
                line.addSpacing(4 * _TURNS_WIDTH - 4)
            return
        self.turns = _TurnsButton(row)
        self.turns.chosen.connect(self._on_turns_chosen)
        line.addWidget(self.turns)
        pinned = row.state == "pinned"
        self.pin = IconButton(
            "pin", tr("Unpin {label}", label=row.label) if pinned else tr("Pin {label}", label=row.label)
        )
        self.pin.setCheckable(True)
        self.pin.setChecked(pinned)
        self.drop = IconButton(
            "plus" if is_out else "x",
            tr("Send {label} again", label=row.label) if is_out else tr("Drop {label}", label=row.label),
        )
        line.addWidget(self.pin)
        line.addWidget(self.drop)
        self.pin.clicked.connect(self._on_pin_clicked)
        self.drop.clicked.connect(self._on_drop_clicked)

    @Slot()
    def _on_edit_clicked(self) -> None:
        self.edit_requested.emit(self._row.kind)

    @Slot(object)
    def _on_turns_chosen(self, turns: int | None) -> None:
        self.turns_changed.emit(self._row.part, turns)

    @Slot()
    def _on_pin_clicked(self) -> None:
        self.changed.emit(self._row.part, "sent" if self._row.state == "pinned" else "pinned")

    @Slot()
    def _on_drop_clicked(self) -> None:
        self.changed.emit(self._row.part, "sent" if self._row.state == "left_out" else "left_out")


def _words(row: ContextRow) -> str:
    match row.kind:
        case "instructions":
            return tr("Instructions, {label}", label=row.label)
        case "tools":
            return tr("Tool definitions, {label}", label=row.label)
        case "summary":
            return tr("Summary of {turns}", turns=row.label)
    return row.label


def _turns_words(row: ContextRow) -> str:
    if row.state == "pinned":
        return tr("Pinned: sent until it is unpinned")
    if row.state == "left_out":
        return tr("Not sent any more")
    if row.turns_left is None:
        return tr("Sent for ever")
    if row.turns_left <= 0:
        return tr("Gone next turn")
    return tr("Sent for {count} more turns", count=row.turns_left)


def _tokens_field(name: str, none: str, tip: str, step: int) -> SpinBox:
    field = SpinBox()
    field.setAccessibleName(name)
    field.setRange(0, 100_000_000)
    field.setSingleStep(step)
    field.setSpecialValueText(none)
    field.setGroupSeparatorShown(True)
    field.setKeyboardTracking(False)
    field.setToolTip(tip)
    return field


class ContextView(QWidget):
    """Show what is sent next.

    Signals:
        part_changed(int, str): Have a result `pinned`, `left_out`, or `sent` as its age says.
        turns_changed(int, object): Have a result sent for so many turns; None leaves it to its tool.
        limit_changed(int): The model reads about so many tokens at once; 0 when nobody knows.
        instructions_requested(): The instructions are to be changed.
        summary_requested(): The summary of older turns is to be read or changed.
    """

    part_changed = Signal(int, str)
    turns_changed = Signal(int, object)
    limit_changed = Signal(int)
    instructions_requested = Signal()
    summary_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        set_surface(self, "panel")
        self.setAccessibleName(tr("Context"))
        content = QWidget()
        set_surface(content, "panel")
        self._shown: list[ContextRow] = []
        self._waiting: list[ContextRow] = []
        self._gone: list[QWidget] = []
        self._filling = QTimer(self, interval=0)
        self._filling.timeout.connect(self._fill)
        self._rows = vbox(content)
        self._rows.addStretch(1)
        self.total = TextLabel("0", "heading")
        self.total.setAccessibleName(tr("Tokens in total"))
        asked = tr("You are asked before the conversation takes more tokens than this")
        self.budget = _tokens_field(tr("Budget in tokens"), tr("no limit"), asked, 10_000)
        summed = tr("About how much the model reads at once; older turns are summed up before it is full")
        self.limit = _tokens_field(tr("Context in tokens"), tr("not known"), summed, 1_000)
        self.limit.valueChanged.connect(self.limit_changed)
        self._figures = {key: TextLabel("", "title") for key in _FIGURES}
        self._lay_out(content)
        self.show_used(TokenCount())

    def _lay_out(self, content: QWidget) -> None:
        head = BarFrame(_HEAD, surface="panel", edge="none", margins=(12, 4 * _TURNS_WIDTH))
        head.row.addWidget(TextLabel(tr("Sent with the next turn"), "heading"))
        head.row.addStretch(1)
        head.row.addWidget(TextLabel(tr("tokens"), "small", "text3"))
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(tr("Parts of the context"))
        area.setProperty("focusRing", "none")
        area.setWidget(content)
        set_surface(area, "panel")
        total = hbox(margins=(12, 8, 4 * _TURNS_WIDTH, 8))
        total.addWidget(TextLabel(tr("Total"), "heading"))
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
        grid.addWidget(TextLabel(tr("This conversation"), "heading"), 0, 0, 1, 2)
        for at, (key, figure) in enumerate(self._figures.items()):
            grid.addWidget(TextLabel(_FIGURES[key], "small", "text3"), 1 + 2 * (at // 2), at % 2)
            grid.addWidget(figure, 2 + 2 * (at // 2), at % 2)
            figure.setAccessibleName(_FIGURES[key])
        grid.addWidget(TextLabel(tr("Budget in tokens"), "small", "text3"), 5, 0)
        grid.addWidget(self.budget, 5, 1)
        grid.addWidget(TextLabel(tr("Context in tokens"), "small", "text3"), 6, 0)
        grid.addWidget(self.limit, 6, 1)
        return grid

    def show_rows(self, rows: Sequence[ContextRow]) -> None:
        """Show other parts; of very many, the newest. Those that are as they were stay, the others come bit by bit."""
        self.total.setText(format_count(sum(row.tokens for row in rows)))
        wanted = list(rows[-_MOST_ROWS:])
        pairs = enumerate(zip(self._shown, wanted, strict=False))
        first = next((at for at, (former, row) in pairs if former != row), min(len(self._shown), len(wanted)))
        for at in range(len(self._shown) - 1, first - 1, -1):
            item = self._rows.takeAt(at)
            widget = None if item is None else item.widget()
            if widget is not None:
                widget.hide()
                self._gone.append(widget)
        self._shown, self._waiting = self._shown[:first], wanted[first:]
        self._filling.start()
        self._fill()

    @Slot()
    def _fill(self) -> None:
        """Add some rows and let go of some former ones: all at once would hold the window up."""
        clock = QElapsedTimer()
        clock.start()
        while (self._waiting or self._gone) and clock.elapsed() < _SLICE_MS:
            if not self._waiting:
                shiboken6.delete(self._gone.pop())
                continue
            row = self._waiting.pop(0)
            shown = _PartRow(row, self)
            shown.changed.connect(self.part_changed)
            shown.turns_changed.connect(self.turns_changed)
            shown.edit_requested.connect(self._on_row_edit_requested)
            self._rows.insertWidget(len(self._shown), shown)
            self._shown.append(row)
        if not self._waiting and not self._gone:
            self._filling.stop()

    def show_limit(self, tokens: int) -> None:
        """Show how much the model reads at once."""
        self.limit.blockSignals(True)
        self.limit.setValue(tokens)
        self.limit.blockSignals(False)

    @Slot(str)
    def _on_row_edit_requested(self, kind: str) -> None:
        if kind == "summary":
            self.summary_requested.emit()
        else:
            self.instructions_requested.emit()

    def show_used(self, used: TokenCount) -> None:
        about = "~" if used.estimated else ""
        self._figures["read"].setText(f"{about}{format_count(used.read)}")
        self._figures["written"].setText(f"{about}{format_count(used.written)}")
        self._figures["cached"].setText(f"{used.cached / used.read:.0%}" if used.read else tr("n/a"))
        self._figures["cost"].setText(tr("n/a") if used.cost is None else f"${number(used.cost, '.4f')}")
