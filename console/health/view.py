"""The Health page: the worst in a sentence and as tiles, how the chosen tool did, all tools, the drawer of limits."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFont, QHideEvent, QImage, QKeyEvent, QPainter, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QSizePolicy,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from console.charts import paint_sparkline
from console.health.header_view import EXPORTS, HealthHeader
from console.health.limits_view import LimitsView
from console.health.model import LINE_ROLE, HealthChangesModel, HealthModel, TileModel
from console.health.plots_view import PlotsView
from console.health.rows import (
    STATUSES,
    Headline,
    HealthColumn,
    HealthRow,
    Status,
    counts_of,
    headline_of,
    status_word,
    words_of,
)
from console.language import in_sentence, tr
from console.theme import Theme, mirror, theme_of
from console.widgets import (
    ROW_ROLE,
    Banner,
    BarFrame,
    EmptyState,
    IconButton,
    Menu,
    TableView,
    TextLabel,
    ThinSplitter,
    ask_save_path,
    format_count,
    lead_focus,
    paint_box,
    paint_status,
    paint_text,
    set_margins,
    set_surface,
    status_color,
    vbox,
)

TILE_HEIGHT: Final = 72
TILE_GAP: Final = 8
_PADDING: Final = 12
_NUMBERS: Final = ((HealthColumn.SUCCESS, tr("Success"), 52), (HealthColumn.P95, "P95", 68))
_LEAST_CURVE: Final = 40
_MOST_CURVE: Final = 88
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TileDelegate(QStyledItemDelegate):
    """Paint a tile, with the gap to the next at its right and below it.

    Attributes:
        cell: What a tile and its gap take.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cell = QSize(208, TILE_HEIGHT + TILE_GAP)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return self.cell

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: HealthRow = index.data(ROW_ROLE)
        theme = theme_of()
        painter.save()
        mirror(painter, option.rect)
        tile: QRect = option.rect.adjusted(0, 0, -TILE_GAP, -TILE_GAP)
        _paint_box(painter, tile, option, theme)
        box = tile.adjusted(_PADDING, 0, -_PADDING, 0)
        word, font = words_of(row, HealthColumn.STATUS), theme.font("small")
        painter.setFont(font)
        width = painter.fontMetrics().horizontalAdvance(word) + 1
        line = QRect(box.x(), box.y() + 8, box.width(), 20)
        paint_text(painter, line, word, font, status_color(row.status, theme), align=_RIGHT)
        paint_status(painter, QRect(line.x(), line.y() + 5, 10, 10), row.status, theme)
        name = theme.font("body")
        name.setWeight(QFont.Weight.DemiBold)
        paint_text(painter, line.adjusted(18, 0, -width - 8, 0), row.tool, name, theme.color.text)
        left = box.x()
        for column, title, room in _NUMBERS:
            place = QRect(left, box.y() + 31, room, 16)
            paint_text(painter, place, title, theme.font("caption"), theme.color.text3)
            paint_text(painter, place.translated(0, 17), words_of(row, column), _bold(theme), theme.color.text)
            left += room
        curve = min(_MOST_CURVE, box.right() + 1 - left)
        if curve >= _LEAST_CURVE:
            inside = QRectF(box.right() + 1 - curve, box.y() + 40, curve, 24)
            paint_sparkline(painter, inside, index.data(LINE_ROLE), _curve_color(row, theme))
        painter.restore()


def _paint_box(painter: QPainter, tile: QRect, option: QStyleOptionViewItem, theme: Theme) -> None:
    color = theme.color
    if option.state & QStyle.StateFlag.State_Selected:
        paint_box(painter, tile, theme.radius.medium, fill=color.surface, border=color.accent, width=2.0)
    else:
        over = option.state & QStyle.StateFlag.State_MouseOver
        fill = color.hover if over else color.surface
        paint_box(painter, tile, theme.radius.medium, fill=fill, border=color.border)


def _curve_color(row: HealthRow, theme: Theme) -> QColor:
    match row.status:
        case "down":
            return theme.status.error.fill
        case "degraded":
            return theme.status.warn.fill
        case _:
            return theme.plot.s1


def _bold(theme: Theme) -> QFont:
    font = theme.font("body", tabular=True)
    font.setWeight(QFont.Weight.DemiBold)
    return font


_LEAST_WIDTH: Final = 208
_MOST_COLUMNS: Final = 6


class TilesView(QListView):
    """Show tiles side by side in one or two lines, as many as there is room for.

    Signals:
        chosen(str): This tool's tile was chosen.
        remedy_requested(str): Enter was pressed on this tool's tile.
    """

    chosen = Signal(str)
    remedy_requested = Signal(str)

    def __init__(self, model: TileModel) -> None:
        super().__init__()
        self._tiles = model
        self._lines = 2
        self._chosen = ""
        self._is_showing = False
        self.setModel(model)
        self._delegate = TileDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setObjectName("healthTiles")
        self.setAccessibleName(tr("Worst tools"))
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
        for changed in (model.rows_changed, model.dataChanged):
            changed.connect(self._on_model_changed)

    def set_lines(self, lines: int) -> None:
        if lines != self._lines:
            self._lines = lines
            self._fit()

    def choose(self, tool: str) -> None:
        """Mark a tool's tile, if it has one; tells nobody."""
        self._chosen = tool
        place = self._tiles.place_of(tool)
        self._is_showing = True
        if place >= 0:
            self.setCurrentIndex(self._tiles.index(place, 0))
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


class HealthChangesView(QWidget):
    """Show the changes of the tools' health, newest first.

    Signals:
        tool_chosen(str): The tool of a change was chosen.
    """

    tool_chosen = Signal(str)
    closed = Signal()

    def __init__(self, model: HealthChangesModel) -> None:
        super().__init__()
        self._model = model
        set_surface(self, "surface")
        column = vbox(self)
        bar = BarFrame(36, surface="inset", edge="none", margins=(_SIDE, 12))
        self._title = TextLabel(tr("Changes of health"), "heading")
        self._count = TextLabel("", "small", "text3")
        close = IconButton("x", tr("Close the list of changes"), shortcut_hint="Esc")
        close.clicked.connect(self.closed)
        for widget in (self._title, self._count):
            bar.row.addWidget(widget)
        bar.row.addStretch(1)
        bar.row.addWidget(close)
        column.addWidget(bar)
        self._pages = QStackedWidget()
        self.table = TableView(model, tr("Changes of health"), edge=_SIDE, left=8, glyph=10)
        self.table.setObjectName("healthChanges")
        self.table.horizontalHeader().hide()
        self.table.chosen.connect(self._on_table_chosen)
        empty = EmptyState(
            "activity", tr("No change yet"), tr("When a tool begins to fail, or works again, it is listed here.")
        )
        self._pages.addWidget(self.table)
        self._pages.addWidget(empty)
        column.addWidget(self._pages, 1)
        lead_focus(self, self.table)
        model.rows_changed.connect(self._on_model_changed)
        self._on_model_changed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _on_model_changed(self) -> None:
        count = self._model.rowCount()
        self._count.setText(format_count(count) if count else "")
        self._pages.setCurrentIndex(0 if count else 1)

    def _on_table_chosen(self) -> None:
        self.tool_chosen.emit(self.table.chosen_row.tool)


_SIDE: Final = 20
_GAP: Final = 12
_BANNER: Final = 44
_TALL: Final = 760
"""From this height on there is room for two lines of tiles."""

_WITH_DRAWER: Final = 1130
"""Below this width the drawer closes by itself."""

_LEAST_CONTENT: Final = 560
_SHARES: Final = (264, 10_000)
"""The heights of plots and table at first; the table has what there is."""

_TROUBLED: Final[tuple[Status, ...]] = ("degraded", "down")


class HealthView(QWidget):
    """Show how the tools do.

    Args:
        in_pieces: Whether whoever makes it goes through `pieces`, and lets the window paint between two of them: all at
            once take longer than a frame.

    Signals:
        statuses_chosen(tuple): Show tools with these statuses only; empty admits all.
        tool_chosen(str): Draw this tool.
        action_requested(str, str): Do this for a tool: a `HealthRemedyKey`, or `history`.
        remedy_requested(str): Do what helps this tool most.
        export_chosen(str, str): Write this, one of the keys of `EXPORTS`, to a file.
        limits_shown(bool): The drawer was opened or closed.
        changes_shown(bool): The list of changes was opened or closed.
        tools_requested: Show the tools, so that one can be run.
    """

    statuses_chosen = Signal(tuple)
    tool_chosen = Signal(str)
    action_requested = Signal(str, str)
    remedy_requested = Signal(str)
    export_chosen = Signal(str, str)
    limits_shown = Signal(bool)
    changes_shown = Signal(bool)
    tools_requested = Signal()
    shown = Signal()
    hidden = Signal()

    def __init__(
        self,
        model: HealthModel,
        tiles: TileModel,
        changes: HealthChangesModel,
        spans: tuple[str, ...],
        *,
        in_pieces: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("health")
        self.setAccessibleName(tr("Health"))
        set_surface(self, "surface")
        self._model = model
        self._tile_model = tiles
        self._exporting = ""
        self._closed_for_room = False
        self._rows: Sequence[HealthRow] = ()
        self._span = ""
        self._statuses: tuple[Status, ...] = ()
        self.pieces: Final = self._make(tiles, changes, spans)
        if not in_pieces:
            deque(self.pieces, 0)

    def _make(self, tiles: TileModel, changes: HealthChangesModel, spans: tuple[str, ...]) -> Iterator[None]:
        # From the outside in: a part that changes its place once more is styled once more, with all that is in it.
        self._make_frame(spans)
        yield
        self._make_top(tiles)
        yield
        self.plots = PlotsView()
        self.plots.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._around_plots.addWidget(self.plots)
        self._nothing = EmptyState("activity", tr("No calls yet"), "", action=tr("Show the tools"))
        self._upper.addWidget(self._nothing)
        yield
        self.table = TableView(self._model, tr("Tools by health"), edge=_SIDE, glyph=10, many=True)
        self.table.setObjectName("healthTable")
        self._lower.addWidget(self.table)
        lead_focus(self, self.table)
        yield
        self._none_fits = EmptyState("list-filter", tr("No tool"), "", action=tr("Show all tools"))
        self._lower.addWidget(self._none_fits)
        self.changes = HealthChangesView(changes)
        self._lower.addWidget(self.changes)
        self._menu = Menu(tr("Tool"), self)
        yield
        self.limits = LimitsView()
        yield
        self._add_drawer()
        self._connect_parts()
        self.show_rows((), {})

    def _make_frame(self, spans: tuple[str, ...]) -> None:
        column = vbox(self)
        self.header = HealthHeader(spans)
        column.addWidget(self.header)
        self._beside = ThinSplitter(Qt.Orientation.Horizontal)
        self._beside.setObjectName("healthDrawer")
        column.addWidget(self._beside, 1)
        self._make_content()

    def _make_top(self, tiles: TileModel) -> None:
        self.banner = Banner("ok", "", "", actions={"changes": tr("Changes"), "show": ""})
        for button in self.banner.buttons.values():
            button.set_kind("ghost")
        self.banner.setFixedHeight(_BANNER)
        self.tiles = TilesView(tiles)
        # Each tile has the gap to the next at its right and below, the outermost too.
        for part, gap in ((self.banner, 0), (self.tiles, TILE_GAP)):
            place = QVBoxLayout()
            set_margins(place, _SIDE, 0, _SIDE - gap, 0)
            place.addWidget(part)
            self._top_column.addLayout(place)

    def _add_drawer(self) -> None:
        self.limits.hide()
        self._beside.addWidget(self.limits)
        self._beside.setStretchFactor(0, 1)
        self._beside.setStretchFactor(1, 0)
        width = theme_of(self).size.drawer_width
        self.limits.setMinimumWidth(width - 24)
        self.limits.setMaximumWidth(width + 176)

    def _make_content(self) -> None:
        content = QWidget()
        self._beside.addWidget(content)
        # What is in it can do with less than it would like, so that the drawer never keeps the window wide.
        content.setMinimumWidth(_LEAST_CONTENT)
        column = vbox(content, margins=(0, _GAP, 0, 0), spacing=_GAP - TILE_GAP)
        self._top = QWidget()
        column.addWidget(self._top)
        self._top.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._top_column = vbox(self._top, spacing=_GAP)
        self.splitter = ThinSplitter(Qt.Orientation.Vertical)
        self.splitter.setObjectName("healthSplitter")
        column.addWidget(self.splitter, 1)
        self._upper, self._lower = QStackedWidget(), QStackedWidget()
        for number, stack in enumerate((self._upper, self._lower)):
            self.splitter.addWidget(stack)
            self.splitter.setStretchFactor(number, number)
        self.splitter.begin_with(_SHARES)
        self._upper.setMinimumHeight(148)
        self._lower.setMinimumHeight(80)
        plots = QWidget()
        self._upper.addWidget(plots)
        self._around_plots = QVBoxLayout(plots)
        self._around_plots.setContentsMargins(_SIDE, 0, _SIDE, _GAP)

    def _connect_parts(self) -> None:
        header = self.header
        header.statuses_chosen.connect(self.statuses_chosen)
        header.export_requested.connect(self._ask_for_file)
        header.limits.clicked.connect(self._on_header_limits_toggled)
        self.banner.action_requested.connect(self._on_banner_action_requested)
        self._nothing.action_requested.connect(self.tools_requested)
        self._none_fits.action_requested.connect(self._on_none_fits_action_requested)
        for chosen in (self.tiles.chosen, self.table.chosen):
            chosen.connect(self.tool_chosen)
        for wanted in (self.tiles.remedy_requested, self.table.opened, self.table.action_clicked):
            wanted.connect(self.remedy_requested)
        self.table.menu_requested.connect(self._on_table_menu_requested)
        self.plots.save_requested.connect(self._on_plots_save_requested)
        self.changes.tool_chosen.connect(self.tool_chosen)
        self.changes.closed.connect(self._on_changes_closed)
        self.limits.closed.connect(self._on_limits_closed)
        self._menu.triggered.connect(self._on_menu_triggered)

    @property
    def is_limits_open(self) -> bool:
        return not self.limits.isHidden()

    def show_span(self, span: str) -> None:
        self._span = span
        self.header.set_span(span)

    def show_statuses(self, statuses: tuple[Status, ...]) -> None:
        """Narrow tiles and table to some statuses; empty admits all."""
        self._statuses = statuses
        self._show_headline(headline_of(self._rows))
        self.header.set_statuses(statuses)
        self._model.set_statuses(statuses)
        self._tile_model.set_statuses(statuses)
        words = tr(" or ").join(in_sentence(status_word(status)) for status in STATUSES if status in statuses)
        self._none_fits.show_text(
            tr("No tool: {statuses}", statuses=words) if words else tr("No tool"),
            tr("Every other tool is one click away."),
        )
        self._choose_pages()

    def show_rows(self, rows: Sequence[HealthRow], lines: Mapping[str, tuple[float | None, ...]]) -> None:
        """Show how the tools do.

        Args:
            rows: All tools, the worst first.
            lines: The curves of those with tiles, by tool.
        """
        self._rows = rows
        self._model.show_rows(rows)
        self._tile_model.show(rows, lines)
        self.header.show_counts(counts_of(rows))
        self._show_headline(headline_of(rows))
        self._choose_pages()

    def _show_headline(self, headline: Headline) -> None:
        self.banner.set_tone(headline.tone)
        self.banner.show_text(headline.fact, headline.consequence)
        button = self.banner.buttons["show"]
        button.setText(tr("Show all tools") if self._statuses == _TROUBLED else headline.action)
        button.setVisible(bool(headline.action))

    def show_checked(self, words: str) -> None:
        """Say when the tools were looked at, and when they are looked at next."""
        self.banner.show_aside(words)

    def show_checking(self, *, checking: bool) -> None:
        """Show that tools are being looked at."""
        self.header.show_checking(checking=checking)

    def choose(self, tool: str) -> None:
        """Mark a tool in tiles and table."""
        self.tiles.choose(tool)
        self.table.choose(tool)

    def show_limits(self, *, is_open: bool) -> None:
        self._closed_for_room = False
        self._set_limits_open(is_open=is_open)

    @property
    def is_changes_open(self) -> bool:
        """Say whether changes are listed in the place of the tools."""
        return self._lower.currentWidget() is self.changes

    def show_changes(self, *, is_open: bool) -> None:
        """List the changes of health, or the tools again."""
        if is_open == self.is_changes_open:
            return
        shown: QWidget = self.changes if is_open else self.table
        self._lower.setCurrentWidget(shown)
        self._choose_pages()
        shown.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changes_shown.emit(is_open)

    def plots_image(self) -> QImage:
        return self.plots.image()

    def sizes(self) -> tuple[int, ...]:
        """Give the heights of plots and table in logical pixels."""
        return tuple(self.splitter.sizes())

    def set_sizes(self, sizes: tuple[int, ...]) -> None:
        """Share the room as it was shared before."""
        if len(sizes) == len(_SHARES) and all(sizes):
            self.splitter.setSizes(list(sizes))

    def _choose_pages(self) -> None:
        has_run = any(row.has_run for row in self._rows)
        self.tiles.setVisible(has_run)
        self.banner.setVisible(has_run)
        self._top.setVisible(has_run)
        self._upper.setCurrentIndex(0 if has_run else 1)
        if not has_run:
            if self._span == "1 h":
                title = tr("No calls in the last hour")
            else:
                title = tr("No calls in the last {span}", span=self._span) if self._span else tr("No calls")
            self._nothing.show_text(
                title,
                tr("Run a tool, or choose a longer range: how it does shows here."),
            )
        if self._lower.currentWidget() is not self.changes:
            self._lower.setCurrentIndex(0 if self._model.rowCount() or not self._rows else 1)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
            self.shown.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.hidden.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what there is no room for: the second line of tiles, then the drawer."""
        super().resizeEvent(event)
        self.tiles.set_lines(2 if self.height() >= _TALL else 1)
        if self.width() < _WITH_DRAWER and self.is_limits_open and event.oldSize().width() >= _WITH_DRAWER:
            self._closed_for_room = True
            self._set_limits_open(is_open=False)
        elif self.width() >= _WITH_DRAWER and self._closed_for_room:
            self._closed_for_room = False
            self._set_limits_open(is_open=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close what is innermost with Esc: the drawer."""
        if event.key() == Qt.Key.Key_Escape and self.is_limits_open:
            self._on_limits_closed()
        else:
            super().keyPressEvent(event)

    def _set_limits_open(self, *, is_open: bool) -> None:
        if is_open == self.is_limits_open:
            return
        had_focus = self.limits.isAncestorOf(self.focusWidget()) if self.focusWidget() is not None else False
        self.limits.setVisible(is_open)
        if is_open:
            drawer = theme_of(self).size.drawer_width
            self._beside.setSizes([max(1, self.width() - drawer), drawer])
        elif had_focus:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.header.show_limits_open(is_open=is_open)
        self.limits_shown.emit(is_open)

    def _on_header_limits_toggled(self) -> None:
        self.show_limits(is_open=not self.is_limits_open)
        if self.is_limits_open:
            self.limits.focus_first()

    def _on_limits_closed(self) -> None:
        self.show_limits(is_open=False)

    def _on_changes_closed(self) -> None:
        self.show_changes(is_open=False)

    def _on_banner_action_requested(self, key: str) -> None:
        if key == "changes":
            self.show_changes(is_open=not self.is_changes_open)
            return
        self.show_changes(is_open=False)
        self.statuses_chosen.emit(() if self._statuses == _TROUBLED else _TROUBLED)

    def _on_none_fits_action_requested(self) -> None:
        self.statuses_chosen.emit(())

    def _on_table_menu_requested(self, place: QPoint) -> None:
        row = self.table.chosen_row
        if row is None:
            return
        self._menu.clear()
        if row.remedy is not None:
            self._menu.add_entry(row.remedy.key, row.remedy.words)
            self._menu.addSeparator()
        for key, words in (
            ("open_tool", tr("Open tool")),
            ("history", tr("Show its calls in the history")),
            ("check", tr("Check now")),
            ("limits", tr("Set thresholds…")),
        ):
            if row.remedy is None or row.remedy.key != key:
                self._menu.add_entry(key, words)
        self._menu.addSeparator()
        self._menu.add_entry("copy", tr("Copy"))
        self._menu.popup(place)

    def _on_menu_triggered(self, action: QAction) -> None:
        row = self.table.chosen_row
        if action.data() == "copy":
            self.table.copy()
        elif row is not None:
            self.action_requested.emit(action.data(), row.tool)

    def _on_plots_save_requested(self) -> None:
        self._ask_for_file("png")

    def _ask_for_file(self, key: str) -> None:
        self._exporting = key
        kind, name = next((kind, name) for known, _, kind, name in EXPORTS if known == key)
        ask_save_path(self, tr("Export health as"), name, self._on_dialog_file_selected, [kind])

    def _on_dialog_file_selected(self, path: str) -> None:
        self.export_chosen.emit(self._exporting, path)
