"""The search in what a tab shows."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from console.widgets import BarFrame, IconButton, SearchField, SegmentedControl, TextLabel

_WAYS: Final = ("Text", "Names", "JMESPath")
_WIDTH: Final = 320
_WIDTH_OF_EXPRESSION: Final = 560
_EXPRESSION: Final = "Pick with JMESPath, such as items[?price > `10`].name"


class FindWay(IntEnum):
    """What the words in the field mean."""

    TEXT = 0
    NAMES = 1
    JMESPATH = 2


class FindBar(BarFrame):
    """Look for a text; Enter goes to the next place, Shift+Enter to the one before, Esc closes.

    Signals:
        find_requested(str, bool): Look for a text; True looks backwards.
        closed: The search was closed.
    """

    find_requested = Signal(str, bool)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(36, surface="surface", edge="bottom", margins=(12, 12), spacing=4, parent=parent)
        self.field = SearchField("Find")
        self.field.setFixedWidth(_WIDTH)
        self.field.installEventFilter(self)
        self._previous = IconButton("chevron-up", "Previous", shortcut_hint="Shift+Enter")
        self._next = IconButton("chevron-down", "Next", shortcut_hint="Enter")
        close = IconButton("x", "Close the search", shortcut_hint="Esc")
        self.ways = SegmentedControl(_WAYS, "Way to find", height=24)
        self.ways.hide()
        self._problem = TextLabel("", "small", "error")
        self._placeholder = ""
        self.row.addWidget(self.field)
        self.row.addWidget(self.ways)
        self.row.addWidget(self._previous)
        self.row.addWidget(self._next)
        self.row.addWidget(self._problem, 1)
        self.row.addWidget(close)
        self._previous.clicked.connect(self._on_previous_clicked)
        self._next.clicked.connect(self._on_next_clicked)
        close.clicked.connect(self.close_bar)
        self.field.textChanged.connect(self._on_field_text_changed)
        self.ways.selected.connect(self._show_way)
        self.hide()

    @property
    def way(self) -> FindWay:
        """Return what the words in the field mean."""
        return FindWay(self.ways.index) if self.ways.isVisibleTo(self) else FindWay.TEXT

    def open(self, placeholder: str, *, in_values: bool = False) -> None:
        """Show the search and put the caret into it.

        Args:
            placeholder: What it looks through.
            in_values: Whether it looks through values that have names and can be picked from.
        """
        self._placeholder = placeholder
        self.field.setAccessibleName(placeholder)
        self.ways.setVisible(in_values)
        self._show_way()
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def close_bar(self) -> None:
        self.hide()
        self.closed.emit()

    def show_found(self, *, found: bool) -> None:
        self.field.set_match_count("" if found or not self.field.text() else "not found")

    def show_problem(self, problem: str) -> None:
        """Say what is wrong with an expression; "" for nothing."""
        self._problem.setText(problem)
        self._problem.setToolTip(problem)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go on with Enter, go back with Shift+Enter, close with Esc."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                self._find(backwards=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar()
                return True
        return super().eventFilter(watched, event)

    def _find(self, *, backwards: bool) -> None:
        self.find_requested.emit(self.field.text(), backwards)

    def _show_way(self) -> None:
        picks = self.way is FindWay.JMESPATH
        self.field.setPlaceholderText(_EXPRESSION if picks else self._placeholder)
        self.field.setFixedWidth(_WIDTH_OF_EXPRESSION if picks else _WIDTH)
        self._previous.setVisible(not picks)
        self._next.setVisible(not picks)
        self.show_problem("")
        self.show_found(found=True)

    def _on_previous_clicked(self) -> None:
        self._find(backwards=True)

    def _on_next_clicked(self) -> None:
        self._find(backwards=False)

    def _on_field_text_changed(self, text: str) -> None:
        self.show_problem("")
        if not text:
            self.show_found(found=True)
