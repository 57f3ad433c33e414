"""The tiles: the worst tools, of which the chosen one is drawn below."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QSizePolicy, QWidget

from console.health.model import TileModel
from console.health.tile_delegate import TILE_GAP, TILE_HEIGHT, TileDelegate

_LEAST_WIDTH: Final = 208
_MOST_COLUMNS: Final = 6


class TilesView(QListView):
    """Show tiles side by side in one or two lines, as many as there is room for.

    Args:
        model: The tiles.
        parent: Its owner.

    Signals:
        chosen(str): This tool's tile was chosen.
        remedy_requested(str): Enter was pressed on this tool's tile.
    """

    chosen = Signal(str)
    remedy_requested = Signal(str)

    def __init__(self, model: TileModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tiles = model
        self._lines = 2
        self._chosen = ""
        self._is_showing = False
        self.setModel(model)
        self._delegate = TileDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setObjectName("healthTiles")
        self.setAccessibleName("Worst tools")
        self.setProperty("surface", "")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setWrapping(True)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        for changed in (model.modelReset, model.dataChanged):
            changed.connect(self._on_model_changed)

    def set_lines(self, lines: int) -> None:
        """Show one or two lines of tiles."""
        if lines != self._lines:
            self._lines = lines
            self._fit()

    def choose(self, tool: str) -> None:
        """Mark a tool's tile, if it has one; tells nobody."""
        self._chosen = tool
        place = self._tiles.place_of(tool)
        self._is_showing = True
        if place >= 0:
            self.setCurrentIndex(self._tiles.index(place))
        else:
            self.selectionModel().clear()
        self._is_showing = False

    def sizeHint(self) -> QSize:
        """Return the height of the lines that are used."""
        columns = max(1, self._columns())
        lines = max(1, min(self._lines, -(-self._tiles.rowCount() // columns)))
        return QSize(super().sizeHint().width(), lines * (TILE_HEIGHT + TILE_GAP))

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.currentIndex().isValid():
            self.remedy_requested.emit(self._tiles.rows[self.currentIndex().row()].tool)
        else:
            super().keyPressEvent(event)

    def _columns(self) -> int:
        return max(1, min(_MOST_COLUMNS, self.width() // (_LEAST_WIDTH + TILE_GAP)))

    def _fit(self) -> None:
        columns = self._columns()
        cell = self.width() // columns
        self._delegate.cell = QSize(cell, TILE_HEIGHT + TILE_GAP)
        self.setGridSize(self._delegate.cell)
        self._tiles.set_room(columns * self._lines)
        self.updateGeometry()

    def _on_model_changed(self) -> None:
        self.choose(self._chosen)
        self.updateGeometry()

    def _on_current_changed(self, index: QModelIndex) -> None:
        if index.isValid() and not self._is_showing:
            self._chosen = self._tiles.rows[index.row()].tool
            self.chosen.emit(self._chosen)
