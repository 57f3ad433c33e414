"""The place beside the plan: the graph, or in its place one sheet that somebody opened."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

_RETURN_KEYS: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


def is_submit(event: QKeyEvent) -> bool:
    """Say whether a key lets hold what stands in a sheet: Ctrl+Enter."""
    return event.key() in _RETURN_KEYS and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)


_LEAST: Final = 240


class Sheet(QWidget):
    """Be something to write in beside the plan; it takes less room than it wants where there is no more.

    Args:
        wanted: How wide it is where there is room, in logical pixels.
    """

    def __init__(self, wanted: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(_LEAST)
        self.wanted = wanted


class SidePanel(QWidget):
    """Show the graph as long as no sheet is shown. Whoever owns a sheet shows and hides it; one shows at a time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._graph: QWidget | None = None
        self._sheets: list[QWidget] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.hide()

    @property
    def has_sheet(self) -> bool:
        return any(not sheet.isHidden() for sheet in self._sheets)

    def set_graph(self, graph: QWidget) -> None:
        """Let this be what shows when no sheet does."""
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
