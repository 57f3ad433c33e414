"""The graph of a plan with its head: what the thick line means, zoom, fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAction, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QFileDialog, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from console.batch.graph_canvas_view import GraphCanvas
from console.batch.graph_files import drawing_of, picture_of
from console.batch.graph_layout import Layout
from console.batch.graph_painting import GraphPainting
from console.batch.graph_rows import Graph, NodeState
from console.theme import theme_of
from console.widgets import (
    EmptyState,
    IconButton,
    Menu,
    PanelHeader,
    TextLabel,
    format_count,
    format_duration_ms,
    set_surface,
)

_LINE: Final = (18, 3)
_NO_STEPS: Final = ("No steps yet", "Steps and what they wait for will show here.")
_LONG_FROM: Final = 1000
"""From how many steps on it takes so long to lay them out that somebody wonders."""
_MOST_DRAWN: Final = 3000
"""How many steps are drawn; the picture of more would hold the window up, and nobody could read it."""


_SIGHTS: Final = {"fit": GraphCanvas.fit, "in": GraphCanvas.zoom_in, "out": GraphCanvas.zoom_out}
_ACTIONS: Final = (
    ("fit", "Fit the graph"),
    ("in", "Zoom in"),
    ("out", "Zoom out"),
    ("png", "Save as PNG…"),
    ("svg", "Save as SVG…"),
    ("dot", "Save as DOT…"),
)
_BEFORE_EXPORTS: Final = 3


class _ThickLine(QWidget):
    """The sign of the way that takes longest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(*_LINE)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(QRect(0, 0, self.width(), self.height()), theme_of(self).color.accent)


class GraphView(QWidget):
    """Show the graph of a plan.

    Args:
        parent: Its owner.

    Attributes:
        canvas: The surface with the graph; it takes the focus.

    Signals:
        layout_wanted(Graph): Whoever lays out shall do so and answer with `show_painting`.
        selected(str): Another step was selected here.
        opened(str): More about this step is wanted.
        menu_requested(str, QPoint): What can be done with this step, or with none, is wanted at a place of the screen.
        laid_out: Another graph is on show; states of its steps can be shown.
        connect_requested(str, str): The second step shall wait for the first.
    """

    layout_wanted = Signal(object)
    selected = Signal(str)
    opened = Signal(str)
    menu_requested = Signal(str, QPoint)
    laid_out = Signal()
    connect_requested = Signal(str, str)
    export_chosen = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("graphPanel")
        set_surface(self, "panel")
        self.setMinimumSize(180, 120)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._graph = Graph()
        self.canvas = GraphCanvas()
        self._line, self._legend = _ThickLine(), TextLabel("", "small", "text2")
        self._empty = EmptyState("workflow", *_NO_STEPS)
        self._pages = QStackedWidget()
        self._zoom_out = IconButton("zoom-out", "Zoom out", shortcut_hint="-")
        self._zoom_in = IconButton("zoom-in", "Zoom in", shortcut_hint="+")
        self._fit = IconButton("maximize", "Fit the graph", shortcut_hint="F")
        self._menu = Menu("Graph", self)
        self._export = ""
        self._build()
        self.setFocusProxy(self.canvas)

    def _build(self) -> None:
        head = PanelHeader("Graph")
        for part in (self._line, self._legend):
            head.add_label(part)
        for button in (self._zoom_out, self._zoom_in, self._fit):
            head.add_button(button)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.canvas)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._pages, 1)
        self._menu.triggered.connect(self._on_menu_triggered)
        self.canvas.menu_requested.connect(self._on_canvas_menu_requested)
        self._zoom_out.clicked.connect(self.canvas.zoom_out)
        self._zoom_in.clicked.connect(self.canvas.zoom_in)
        self._fit.clicked.connect(self.canvas.fit)
        for mine, theirs in (
            (self.selected, self.canvas.selected),
            (self.opened, self.canvas.opened),
            (self.connect_requested, self.canvas.connect_requested),
        ):
            theirs.connect(mine)
        self.show_critical((), None)
        self._choose_page()

    @property
    def graph(self) -> Graph:
        """The graph that is wanted on show; its layout may be under way."""
        return self._graph

    @property
    def states(self) -> Mapping[str, NodeState]:
        """How far the steps are, by name; what is not there is queued."""
        return self.canvas.painting.states

    @property
    def wanted(self) -> Graph | None:
        """The graph that is to be laid out, or is; None when it has too many steps to be drawn."""
        return self._graph if len(self._graph.nodes) <= _MOST_DRAWN else None

    def show_graph(self, graph: Graph) -> None:
        """Show another graph as soon as it is laid out; until then, the one before stays."""
        if graph != self._graph:
            self._graph = graph
            if self.wanted is None:
                self.canvas.show_painting(GraphPainting(Layout()))
            else:
                self.layout_wanted.emit(graph)
            self._choose_page()

    def show_painting(self, painting: GraphPainting) -> None:
        """Show a graph that is laid out."""
        self.canvas.show_painting(painting)
        self._choose_page()
        self.laid_out.emit()

    def draws(self, name: str) -> bool:
        """Return whether a step is drawn."""
        return name in self.canvas.painting.layout.places

    def show_states(self, states: Mapping[str, NodeState]) -> None:
        """Show how far some steps are; the others stay as they are."""
        self.canvas.show_states(states)

    def show_critical(self, names: Sequence[str], length_s: float | None) -> None:
        """Show the way that takes longest.

        Args:
            names: Its steps, first to last; empty when nobody knows.
            length_s: How long it takes, or is expected to; None when nobody knows.
        """
        self.canvas.show_critical(names)
        words = "critical path"
        if length_s is not None:
            words += f", {format_duration_ms(length_s * 1000)}"
        self._legend.setText(words)
        for part in (self._line, self._legend):
            part.setVisible(bool(names))

    def select(self, name: str) -> None:
        """Select a step, and bring it into sight; empty selects none."""
        self.canvas.select(name)

    def set_editable(self, *, editable: bool) -> None:
        """Let steps be connected here, or not."""
        self.canvas.set_editable(editable=editable)

    def show_refusal(self, words: str) -> None:
        """Say where the pointer is why two steps were not connected; empty says nothing."""
        self.canvas.show_refusal(words)

    def picture(self) -> QImage:
        return picture_of(self.canvas.painting, theme_of(self))

    def drawing(self) -> str:
        """Return all of the graph as an SVG document."""
        return drawing_of(self.canvas.painting, theme_of(self))

    def _on_canvas_menu_requested(self, name: str, place: QPoint) -> None:
        if name:
            self.menu_requested.emit(name, place)
            return
        self._menu.clear()
        for key, words in _ACTIONS:
            action = QAction(words, self._menu)
            action.setData(key)
            self._menu.addAction(action)
        self._menu.insertSeparator(self._menu.actions()[_BEFORE_EXPORTS])
        self._menu.popup(place)

    def _on_menu_triggered(self, action: QAction) -> None:
        key = action.data()
        if key in _SIGHTS:
            _SIGHTS[key](self.canvas)
            return
        self._export = key
        dialog = QFileDialog(self, f"Save the graph as {key.upper()}")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(key)
        dialog.selectFile(f"graph.{key}")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._on_dialog_file_selected)
        dialog.open()

    def _on_dialog_file_selected(self, path: str) -> None:
        self.export_chosen.emit(self._export, path)

    def _choose_page(self) -> None:
        has_steps, steps = bool(self.canvas.painting.layout.places), len(self._graph.nodes)
        if steps > _MOST_DRAWN:
            self._empty.show_text(f"{format_count(steps)} steps are too many to draw", "The graph can be saved as DOT.")
        elif steps > _LONG_FROM:
            self._empty.show_text(f"Laying out {format_count(steps)} steps", "The plan can be used meanwhile.")
        else:
            self._empty.show_text(*_NO_STEPS)
        self._pages.setCurrentWidget(self.canvas if has_steps or 0 < steps <= _LONG_FROM else self._empty)
        for button in (self._zoom_out, self._zoom_in, self._fit):
            button.setEnabled(has_steps)
