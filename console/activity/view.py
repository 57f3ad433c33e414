"""The Activity dock: header, table, and what stands there while there is nothing to list."""

from typing import Final

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QWidget

from console.activity.model import ActivityModel, Show
from console.activity.rows import ActivityRow, indented
from console.language import tr, tr_count
from console.theme import theme_of
from console.widgets import (
    Button,
    CountPill,
    EmptyState,
    IconButton,
    Menu,
    PanelHeader,
    SearchField,
    SegmentedControl,
    TableView,
    TextLabel,
    set_margins,
    set_surface,
    vbox,
)

_HEADER_HEIGHT: Final = 32
_SHOWS: Final[tuple[Show, ...]] = ("all", "running", "failed", "waiting")
_NOTHING: Final[dict[Show, str]] = {
    "all": tr("No call matches"),
    "running": tr("No call is running"),
    "failed": tr("No call failed"),
    "waiting": tr("No call waits for approval"),
}


class ActivityView(QWidget):
    """Show every call, newest first.

    New calls appear at the top; when the person has scrolled down they wait behind a button that says how many.

    Signals:
        call_opened(str): The call with this id shall be shown.
        tool_opened(str): The tool of this name shall be shown.
        stop_requested(str): The call with this id shall be stopped.
        compare_requested(str, str): The calls with these ids shall be shown beside each other, the older one first.
        pipeline_requested(list): The calls with these ids, the oldest first, shall be steps of a pipeline.
        collapsed(bool): The list was closed up to its header, or opened again.
    """

    call_opened = Signal(str)
    tool_opened = Signal(str)
    stop_requested = Signal(str)
    compare_requested = Signal(str, str)
    pipeline_requested = Signal(list)
    collapsed = Signal(bool)

    def __init__(self, model: ActivityModel) -> None:
        super().__init__()
        self.setObjectName("activity")
        set_surface(self, "panel")
        self._model = model
        self._menu_row: ActivityRow | None = None
        self._table = TableView(model, tr("Activity"), surface="panel", dense=True, many=True)
        self._table.setObjectName("activityTable")
        self._empty = EmptyState(
            "list-start", tr("No calls yet"), tr("Every call shows here, whoever made it: you, an agent or a batch.")
        )
        # Above the middle, as the header belongs to the block that is centred.
        self._empty.setContentsMargins(0, 0, 0, 16)
        self._nothing = EmptyState("list-filter", tr("No call matches"), "")
        self._pages = QStackedWidget()
        for page in (self._empty, self._nothing, self._table):
            self._pages.addWidget(page)
        column = vbox(self)
        column.addWidget(self._make_header())
        column.addWidget(self._pages, 1)
        self._menu = Menu(tr("Call"), self)
        self._connect()
        self._choose_page()

    @property
    def is_collapsed(self) -> bool:
        """Say whether only the header is shown."""
        return self._pages.isHidden()

    def set_collapsed(self, *, collapsed: bool) -> None:
        """Show only the header, or the list as well."""
        if collapsed == self.is_collapsed:
            return
        self._pages.setHidden(collapsed)
        self._chevron.set_icon("chevron-up" if collapsed else "chevron-down")
        self._chevron.set_name(tr("Open Activity") if collapsed else tr("Close Activity"))
        self.collapsed.emit(collapsed)

    def set_counts(self, running: int, in_last_hour: int) -> None:
        """Say in the header how many calls run now, and how many were made in the last hour."""
        self._running.set_text(tr("{count:,} running", count=running) if running and self._model.total else "")
        self._summary.setText(tr_count(in_last_hour, "1 call in the last hour", "{count:,} calls in the last hour"))
        self._on_selection_changed()  # a chosen call may have ended

    def _make_header(self) -> PanelHeader:
        header = PanelHeader(tr("Activity"), height=_HEADER_HEIGHT)
        set_margins(header.row, 12, 0, 8, 0)
        self._running = CountPill()
        self._running.hide()
        self._summary = TextLabel("", "caption", "text3")
        font = theme_of(self).font("caption", tabular=True)
        font.setWeight(font.Weight.Normal)
        self._summary.setFont(font)
        self._summary.setObjectName("activitySummary")
        self._new = Button("", kind="soft", icon="arrow-up")
        self._new.setFixedHeight(24)
        self._new.hide()
        for widget in (self._running, self._summary, self._new):
            header.add_label(widget)
        self._filter = SearchField(tr("Filter calls"))
        self._filter.setAccessibleName(tr("Activity filter"))
        self._filter.setFixedWidth(220)
        self._filter.hide()
        self._show = SegmentedControl(
            (tr("All", "calls"), tr("Running"), tr("Failed"), tr("Waiting")), tr("Calls shown"), height=24
        )
        self._filter_button = IconButton("list-filter", tr("Filter calls"))
        self._filter_button.setCheckable(True)
        self._compare = Button(tr("Compare"), kind="soft", icon="git-compare")
        self._compare.setFixedHeight(24)
        self._compare.setToolTip(tr("Show the two chosen calls beside each other"))
        self._compare.hide()
        self._chevron = IconButton("chevron-down", tr("Close Activity"), command="bottom_panel")
        for control in (self._compare, self._filter, self._show, self._filter_button, self._chevron):
            header.add_button(control)
        return header

    def _connect(self) -> None:
        self._new.clicked.connect(self._on_new_clicked)
        self._compare.clicked.connect(self._on_compare_clicked)
        self._table.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self._show.selected.connect(self._on_show_selected)
        self._filter_button.toggled.connect(self._on_filter_button_toggled)
        self._filter.textChanged.connect(self._on_filter_text_changed)
        self._filter.down_requested.connect(self._on_filter_down_requested)
        self._chevron.clicked.connect(self._on_chevron_clicked)
        self._table.opened.connect(self.call_opened)
        self._table.menu_requested.connect(self._on_table_menu_requested)
        self._table.verticalScrollBar().valueChanged.connect(self._on_table_scrolled)
        self._menu.triggered.connect(self._on_menu_triggered)
        self._model.held_changed.connect(self._on_model_held_changed)
        for changed in (self._model.rowsInserted, self._model.rowsRemoved, self._model.modelReset):
            changed.connect(self._choose_page)

    def _choose_page(self) -> None:
        """Show the table, or say why there is nothing in it; before the first call the header is bare."""
        anything = self._model.total > 0
        for widget in (self._summary, self._show, self._filter_button):
            widget.setVisible(anything)
        page: QWidget = self._table if self._model.rowCount() else self._nothing if anything else self._empty
        if page is self._nothing:
            words = self._filter.text().strip()
            fact = tr("Nothing matches “{words}”", words=words) if words else _NOTHING[_SHOWS[self._show.index]]
            self._nothing.show_text(fact, "")
        self._pages.setCurrentWidget(page)
        self._on_selection_changed()

    def _chosen(self) -> list[ActivityRow]:
        found = [self._model.rows[index.row()] for index in self._table.selectionModel().selectedRows()]
        return sorted(found, key=lambda row: row.proposed_at)

    def _can_compare(self) -> bool:
        chosen = self._chosen()
        return len(chosen) == 2 and not any(row.live for row in chosen)

    def _can_pipe(self) -> bool:
        chosen = self._chosen()
        return len(chosen) > 1 and not any(row.live for row in chosen)

    def _on_selection_changed(self) -> None:
        self._compare.setVisible(self._can_compare())

    def _on_compare_clicked(self) -> None:
        if self._can_compare():
            older, newer = self._chosen()
            self.compare_requested.emit(older.call_id, newer.call_id)

    def _on_show_selected(self, index: int) -> None:
        self._model.set_show(_SHOWS[index])

    def _on_filter_button_toggled(self, checked: bool) -> None:
        self._filter.setVisible(checked)
        if checked:
            self._filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self._filter.clear()

    def _on_filter_text_changed(self, text: str) -> None:
        self._model.set_filter(text)
        self._filter.set_match_count(
            tr("{count:,} of {total:,}", count=self._model.rowCount(), total=self._model.total) if text.strip() else ""
        )
        self._choose_page()

    def _on_filter_down_requested(self) -> None:
        self._table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._table.choose_first()

    def _on_chevron_clicked(self) -> None:
        self.set_collapsed(collapsed=not self.is_collapsed)

    def _on_table_scrolled(self, value: int) -> None:
        self._model.set_held(held=value > 0)

    def _on_model_held_changed(self, count: int) -> None:
        self._new.setText(tr("{count:,} new", count=count))
        self._new.setAccessibleName(tr_count(count, "Show 1 new call", "Show {count:,} new calls"))
        self._new.setVisible(count > 0)

    def _on_new_clicked(self) -> None:
        self._table.scrollToTop()
        self._model.set_held(held=False)

    def _on_table_menu_requested(self, place: QPoint, index: QModelIndex) -> None:
        row = self._menu_row = self._model.rows[index.row()]
        self._menu.clear()
        if self._can_compare():
            self._menu.add_entry("compare", tr("Compare the two"))
        if self._can_pipe():
            self._menu.add_entry("pipeline", tr("Make a pipeline…"))
        if not self._menu.isEmpty():
            self._menu.addSeparator()
        self._menu.add_entry("call", tr("Open call"))
        self._menu.add_entry("tool", tr("Open tool"))
        self._menu.addSeparator()
        copy = self._menu.add_entry("arguments", tr("Copy arguments"))
        if not row.given.json:
            copy.setEnabled(False)
            copy.setToolTip(tr("The arguments are not kept in this list; open the call to copy them."))
        self._menu.add_entry("row", tr("Copy row"))
        if row.live:
            self._menu.addSeparator()
            self._menu.add_entry("stop", tr("Stop"))
        self._menu.popup(place)

    def _on_menu_triggered(self, action: QAction) -> None:
        row = self._menu_row
        if row is None:
            return
        match action.data():
            case "call":
                self.call_opened.emit(row.call_id)
            case "compare":
                self._on_compare_clicked()
            case "pipeline":
                self.pipeline_requested.emit([chosen.call_id for chosen in self._chosen()])
            case "tool":
                self.tool_opened.emit(row.tool)
            case "arguments":
                QGuiApplication.clipboard().setText(indented(row.given.json))
            case "row":
                QGuiApplication.clipboard().setText(self._model.line_of(row))
            case "stop":
                self.stop_requested.emit(row.call_id)
