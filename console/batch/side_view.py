"""The place beside the plan: the graph, or in its place one sheet that somebody opened."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLayout, QLineEdit, QScrollArea, QSplitter, QVBoxLayout, QWidget

from console.language import tr
from console.widgets import (
    BarFrame,
    Button,
    Completer,
    IconButton,
    PanelHeader,
    TextLabel,
    set_margins,
    set_surface,
    vbox,
)
from console.widgets.labels import Surface

_RETURN_KEYS: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


def is_submit(event: QKeyEvent) -> bool:
    """Say whether a key lets hold what stands in a sheet: Ctrl+Enter."""
    return event.key() in _RETURN_KEYS and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)


_LEAST: Final = 240
_PADDING: Final = 16


class Sheet(QWidget):
    """Be something to write in beside the plan; it takes less room than it wants where there is no more.

    Args:
        wanted: How wide it is where there is room, in logical pixels.

    Signals:
        applied: Let what stands in the fields hold, or answer with `refuse`.
        closed: The sheet is to be closed; what was not applied is given up.
    """

    applied = Signal()
    closed = Signal()

    def __init__(self, title: str, closes: str, wanted: int) -> None:
        super().__init__()
        self.setMinimumWidth(_LEAST)
        self.setAccessibleName(title)
        set_surface(self, "surface")
        self.wanted = wanted
        self.head = PanelHeader(title, height=36, edge="bottom")
        set_margins(self.head.row, _PADDING, 0, 8, 0)
        close = IconButton("x", closes, shortcut_hint="Esc")
        close.clicked.connect(self.closed)
        self.head.add_button(close)
        self._refusal = TextLabel("", "small", "error", wrap=True)
        self._refusal.setContentsMargins(_PADDING, 8, _PADDING, 8)
        self._refusal.hide()
        self._parts = vbox(self)
        self._parts.addWidget(self.head)
        self._parts.addWidget(self._refusal)
        self._parts.addWidget(self._make_foot())

    def fill(self, body: QWidget | QLayout) -> None:
        """Put in what is written in; it scrolls."""
        self._parts.insertWidget(1, scrolled(body, (_PADDING, 12)), 1)

    def _make_foot(self) -> BarFrame:
        foot = BarFrame(52, surface="surface", edge="top", margins=(_PADDING, _PADDING))
        self.cancel = Button(tr("Cancel"))
        self.apply = Button(tr("Apply"), kind="primary", shortcut_hint="Ctrl+Enter")
        self.cancel.clicked.connect(self.closed)
        self.apply.clicked.connect(self._on_apply_clicked)
        foot.row.addStretch(1)
        foot.row.addWidget(self.cancel)
        foot.row.addWidget(self.apply)
        return foot

    def refuse(self, words: str) -> None:
        """Say why what stands there cannot hold; "" takes it away."""
        self._refusal.setText(words)
        self._refusal.setVisible(bool(words))

    def event(self, event: QEvent) -> bool:
        """Keep Ctrl+Enter here, which runs the plan elsewhere on the page."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and is_submit(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Apply with Ctrl+Enter, close with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif is_submit(event):
            self._on_apply_clicked()
        else:
            super().keyPressEvent(event)

    def _on_apply_clicked(self) -> None:
        if self.apply.isEnabled():
            self.applied.emit()


def scrolled(body: QWidget | QLayout, margins: tuple[int, int], surface: Surface = "surface") -> QScrollArea:
    """Return what scrolls fields, with so many logical pixels beside and above them."""
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    page = QWidget()
    set_surface(page, surface)
    column = QVBoxLayout(page)
    column.setContentsMargins(margins[0], margins[1], margins[0], margins[1])
    if isinstance(body, QLayout):
        column.addLayout(body)
    else:
        column.addWidget(body)
    column.addStretch(1)
    scroll.setWidget(page)
    return scroll


def complete_names(field: QLineEdit, names: QStringListModel) -> None:
    """Offer the names that have what is written in a field anywhere in them."""
    completer = Completer(names, field)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    popup = completer.popup()
    if popup is not None:
        popup.setProperty("popup", True)
    field.setCompleter(completer)


class SidePanel(QWidget):
    """Show the graph as long as no sheet is shown. Whoever owns a sheet shows and hides it; one shows at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._graph: QWidget | None = None
        self._sheets: list[QWidget] = []
        self._column = vbox(self)
        self.hide()

    @property
    def has_sheet(self) -> bool:
        return any(not sheet.isHidden() for sheet in self._sheets)

    def set_graph(self, graph: QWidget) -> None:
        self._graph = graph
        self._column.addWidget(graph)
        self._arrange(None)

    def add_sheet(self, sheet: QWidget) -> None:
        sheet.hide()
        self._sheets.append(sheet)
        self._column.addWidget(sheet)
        sheet.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Make room for the sheet that is shown, and give it back."""
        kind = event.type()
        if isinstance(watched, QWidget) and kind in {QEvent.Type.ShowToParent, QEvent.Type.HideToParent}:
            self._arrange(watched if kind == QEvent.Type.ShowToParent else None)
            if kind == QEvent.Type.ShowToParent and isinstance(watched, Sheet):
                self._widen(watched.wanted)
        return super().eventFilter(watched, event)

    def _widen(self, wanted: int) -> None:
        """Be this wide, or as wide as what stands beside it allows; what is wider stays so."""
        splitter = self.parentWidget()
        if not isinstance(splitter, QSplitter):
            return
        sizes, place = splitter.sizes(), splitter.indexOf(self)
        lacking = wanted - sizes[place]
        if sum(sizes) > wanted and lacking > 0:
            sizes[place] += lacking
            sizes[place - 1] -= lacking
            splitter.setSizes(sizes)

    def _arrange(self, shown: QWidget | None) -> None:
        for sheet in self._sheets:
            if shown is not None and sheet is not shown:
                sheet.hide()
        if self._graph is not None:
            self._graph.setVisible(not self.has_sheet)
        self.setVisible(self._graph is not None or self.has_sheet)
