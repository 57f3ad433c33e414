"""What is known of one past call: its head, its arguments, what was decided, and what came of it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QWidget

from console.history.rows import DecisionLine
from console.json_view import JsonTreeView
from console.language import tr
from console.widgets import (
    Badge,
    BarFrame,
    Button,
    Divider,
    ElidedLabel,
    EmptyState,
    IconButton,
    Menu,
    SegmentedControl,
    StatusGlyph,
    TextLabel,
    ThinSplitter,
    hbox,
    set_surface,
    vbox,
)

_MOST_DECISIONS: Final = 168
_LEAST_ARGUMENTS: Final = 64
"""The heading of the arguments and a row of them, in logical pixels."""
_RAN: Final = 0
_WIDE: Final = 520
ACTIONS: Final = (
    ("compare", tr("Compare with…")),
    ("json", tr("Copy as JSON")),
    ("command", tr("Copy as command line")),
    ("delete", tr("Delete…")),
)


class CallSheet(NamedTuple):
    """What stands in the head of a past call and above its result.

    Attributes:
        subtitle: When and by whom it was made.
        arguments: Those that ran; None when they are not kept.
        proposed: Those that were asked for, when a person changed them; else None.
        not_kept: Why there are no arguments; empty when there are.
        decisions: What was decided, oldest first.
        edits: Each argument that a person changed, as it was asked for and as it ran.
        can_open: Whether the tool still exists.
    """

    title: str
    subtitle: str
    arguments: dict[str, Any] | None
    proposed: dict[str, Any] | None
    not_kept: str
    decisions: tuple[DecisionLine, ...]
    can_open: bool
    edits: tuple[str, ...] = ()


class _Decisions(QScrollArea):
    """The decisions about a call, as high as they are up to a limit."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Decisions"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hide()

    def show_lines(self, decisions: tuple[DecisionLine, ...]) -> None:
        self.setVisible(bool(decisions))
        page = QWidget()
        set_surface(page, "panel")
        column = vbox(page, margins=(20, 10, 16, 10), spacing=10)
        for decision in decisions:
            column.addLayout(self._block(decision))
        column.addStretch(1)
        self.setWidget(page)
        self.setAccessibleDescription("\n".join(decision.headline for decision in decisions))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _fit(self) -> None:
        page = self.widget()
        layout = page.layout() if page is not None else None
        if layout is not None and layout.hasHeightForWidth():
            self.setFixedHeight(min(_MOST_DECISIONS, layout.totalHeightForWidth(max(self.viewport().width(), 200))))

    def _block(self, decision: DecisionLine) -> QHBoxLayout:
        row = hbox(spacing=8)
        glyph = StatusGlyph(decision.status, size=14)
        row.addWidget(glyph, 0, Qt.AlignmentFlag.AlignTop)
        words = vbox(spacing=2)
        words.addWidget(TextLabel(decision.headline, "small", "text"))
        for line in decision.lines:
            words.addWidget(TextLabel(line, "small", "text2", wrap=True, selectable=True))
        for edit in decision.edits:
            words.addWidget(TextLabel(edit, "code", "warn", wrap=True, selectable=True))
        row.addLayout(words, 1)
        return row


class ArgumentsPanel(QWidget):
    """The arguments of a past call as a tree, and what was decided about them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = vbox(self)
        bar = BarFrame(32, surface="surface", edge="none", margins=(20, 16))
        bar.row.addWidget(TextLabel(tr("Arguments"), "heading"))
        self.sides = SegmentedControl((tr("As they ran"), tr("As proposed")), tr("Arguments shown"), height=24)
        self.sides.hide()
        self.sides.selected.connect(self._show_side)
        bar.row.addWidget(self.sides)
        self.edited = Badge(tr("Edited"), icon="pencil", tone="warn")
        self.edited.hide()
        bar.row.addWidget(self.edited)
        self.edits = ElidedLabel("", "code", "warn")
        self.edits.setMinimumWidth(40)
        bar.row.addWidget(self.edits, 1)
        column.addWidget(bar)
        self._stack = QStackedWidget(self)
        self.tree = JsonTreeView(self._stack)
        self.tree.setObjectName("past arguments")
        self.tree.setAccessibleName(tr("Arguments of the call"))
        self._nothing = EmptyState("lock", "", "")
        self._stack.addWidget(self.tree)
        self._stack.addWidget(self._nothing)
        column.addWidget(self._stack, 1)
        self._line = Divider(Qt.Orientation.Horizontal)
        column.addWidget(self._line)
        self.decisions = _Decisions(self)
        column.addWidget(self.decisions)
        self._sheet: CallSheet | None = None

    def show_sheet(self, sheet: CallSheet) -> None:
        self._sheet = sheet
        self.sides.setVisible(sheet.proposed is not None)
        self.sides.select(_RAN)
        words = "; ".join(sheet.edits)
        self.edited.setVisible(sheet.proposed is not None)
        self.edited.setToolTip("\n".join(sheet.edits))
        self.edits.set_text(words)
        self.edits.setAccessibleName(tr("Edited: {words}", words=words) if words else "")
        self._show_side()
        self.decisions.show_lines(sheet.decisions)
        self._fit_decisions()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_decisions()

    def _fit_decisions(self) -> None:
        """Leave the decisions out where only half of them or of the arguments could be seen; the head tells the end."""
        needed = _LEAST_ARGUMENTS + self.decisions.height()
        is_shown = self._sheet is not None and bool(self._sheet.decisions) and self.height() >= needed
        self._line.setVisible(is_shown)
        self.decisions.setVisible(is_shown)

    def _show_side(self) -> None:
        sheet = self._sheet
        if sheet is None:
            return
        arguments = sheet.arguments if self.sides.index == _RAN else sheet.proposed
        if arguments:
            self.tree.set_value(arguments)
            self._stack.setCurrentWidget(self.tree)
            return
        if sheet.not_kept:
            self._nothing.show_text(tr("The arguments are not here"), sheet.not_kept)
        else:
            self._nothing.show_text(tr("No arguments"), tr("The tool was called without any."))
        self.tree.clear()
        self._stack.setCurrentWidget(self._nothing)


class CallDetailView(QWidget):
    """Show one past call.

    Args:
        call: Shows what came of it: result, log, attachments, timing.
        facts: Shows in a line how it ended.

    Signals:
        action_requested(str): One of the further actions: `compare`, `json`, `command` or `delete`.
    """

    action_requested = Signal(str)

    def __init__(self, call: QWidget, facts: QWidget) -> None:
        super().__init__()
        self.setAccessibleName(tr("Call"))
        set_surface(self, "surface")
        column = vbox(self)
        self._stack = QStackedWidget(self)
        column.addWidget(self._stack)
        self._empty = EmptyState(
            "history", tr("No call chosen"), tr("Choose a call to see what was asked, decided and returned.")
        )
        self._stack.addWidget(self._empty)
        page = QWidget(self._stack)
        self._stack.addWidget(page)
        rows = vbox(page)
        rows.addWidget(self._make_head(facts))
        self._splitter = ThinSplitter(Qt.Orientation.Vertical, page)
        self.arguments = ArgumentsPanel(self._splitter)
        self.arguments.setMinimumHeight(_LEAST_ARGUMENTS)
        call.setMinimumHeight(96)
        self._splitter.addWidget(self.arguments)
        self._splitter.addWidget(call)
        self._splitter.setStretchFactor(0, 2)
        self._splitter.setStretchFactor(1, 3)
        rows.addWidget(self._splitter, 1)

    def _make_head(self, facts: QWidget) -> QWidget:
        head = BarFrame(72, surface="surface", edge="bottom", margins=(20, 12), spacing=0)
        # The facts have the whole width below the buttons.
        rows = vbox(margins=(0, 6, 0, 8), spacing=0)
        upper = hbox(spacing=6)
        self._title = ElidedLabel("", "title", elide=Qt.TextElideMode.ElideMiddle)
        self._title.setMinimumWidth(80)
        self._subtitle = ElidedLabel("", "small", "text2")
        line = hbox(spacing=12)
        line.addWidget(facts)
        line.addWidget(self._subtitle, 1)
        upper.addWidget(self._title, 1)
        self.more = IconButton("ellipsis", tr("More actions"))
        self._menu = Menu(tr("More actions"), self)
        for key, text in ACTIONS:
            action = QAction(text, self._menu)
            action.setData(key)
            action.setObjectName(f"action {key}")
            if key == "delete":
                self._menu.addSeparator()
            self._menu.addAction(action)
        self._menu.triggered.connect(self._on_menu_triggered)
        self.more.setMenu(self._menu)
        self.open = Button(tr("Open"), icon="external-link")
        self.open.setAccessibleName(tr("Open the tool's page"))
        self.run = Button(tr("Run again"), icon="rotate-ccw", command="history.run_again")
        self.run.setAccessibleName(tr("Run again"))
        for button in (self.more, self.open, self.run):
            upper.addWidget(button)
        rows.addLayout(upper)
        rows.addLayout(line)
        head.row.addLayout(rows, 1)
        return head

    def show_nothing(self, fact: str = tr("No call chosen"), sentence: str = "") -> None:
        self._empty.show_text(fact, sentence or tr("Choose a call to see what was asked, decided and returned."))
        self._stack.setCurrentIndex(0)

    def show_sheet(self, sheet: CallSheet) -> None:
        """Show a call's head and arguments."""
        self._title.set_text(sheet.title)
        self._subtitle.set_text(sheet.subtitle)
        for button in (self.open, self.run):
            button.setEnabled(sheet.can_open)
        self.open.setToolTip(tr("Show this call on its tool's page") if sheet.can_open else tr("The tool is gone"))
        self.run.setToolTip(tr("Run the tool with these arguments") if sheet.can_open else tr("The tool is gone"))
        self.arguments.show_sheet(sheet)
        self._stack.setCurrentIndex(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out the word of a button where there is no room for it."""
        super().resizeEvent(event)
        self.open.setText(tr("Open") if self.width() >= _WIDE else "")

    def _on_menu_triggered(self, action: QAction) -> None:
        self.action_requested.emit(action.data())
