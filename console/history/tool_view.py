"""The History tab of one tool: its calls, to look at, run again, compare and export."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from console.call_table import CallColumn
from console.history.model import HistoryModel
from console.history.rows import EXPORT_KINDS, Filters
from console.language import tr
from console.lazy_page import LazyPage
from console.widgets import (
    BarFrame,
    Button,
    CommandAction,
    EmptyState,
    Menu,
    SearchField,
    TableView,
    TextLabel,
    ask_save_path,
    lead_focus,
    order_focus,
    vbox,
)


class ToolHistoryView(LazyPage):
    """Show the calls of one tool; made when it comes into sight for the first time.

    Signals:
        filters_changed: What the list is narrowed to changed.
        open_requested(str): Show the call with this id on this page.
        run_requested(str): Run the tool again with the arguments of the call with this id.
        action_requested(str, list): `batch`, `compare`, `json`, `command` or `delete`, for the calls with these ids.
        export_chosen(list, str): Write the calls with these ids, or for none all that are listed, to this file.
        all_requested: The calls of this tool are to be shown on the History page.
        shown: The tab came into sight.
    """

    filters_changed = Signal()
    open_requested = Signal(str)
    run_requested = Signal(str)
    action_requested = Signal(str, list)
    export_chosen = Signal(list, str)
    all_requested = Signal()
    shown = Signal()

    def __init__(self, tool: str, model: HistoryModel) -> None:
        super().__init__(tr("Calls of {tool}", tool=tool))
        self._tool = tool
        self._model = model
        self._export_ids: list[str] = []
        self._count = self._trouble = ""
        self.setObjectName(f"history {tool}")
        self.wanted.connect(self._make)

    def _make(self) -> None:
        page = QWidget(self)
        column = vbox(page)
        column.addWidget(self._make_bar())
        self._pages = QStackedWidget(page)
        self.table = TableView(
            self._model, tr("Calls of {tool}", tool=self._tool), self._pages, left_out=(CallColumn.TOOL,), many=True
        )
        self.table.setObjectName("historyTable")
        self._empty = EmptyState(
            "history", tr("No calls yet"), tr("Every call of this tool is listed here, whoever makes it.")
        )
        self._nothing = EmptyState("list-filter", tr("No call matches"), "")
        for widget in (self._empty, self._nothing, self.table):
            self._pages.addWidget(widget)
        column.addWidget(self._pages, 1)
        self._menu = Menu(tr("Call"), self)
        self._connect_parts()
        self.fill(page)
        order_focus(self, page)
        lead_focus(self, self.search)
        self.show_problem(self._trouble)
        self.show_count(self._count)
        self._fit()

    def _make_bar(self) -> BarFrame:
        bar = BarFrame(40, surface="surface", edge="none", margins=(20, 12), spacing=8)
        self.search = SearchField(tr("Search these calls"), command="tool.find")
        self.search.setAccessibleName(tr("Search the calls of {tool}", tool=self._tool))
        self._problem = TextLabel("", "small", "warn")
        self.open = Button(tr("Open"), kind="ghost", icon="eye")
        self.open.setToolTip(tr("Show what came of the chosen call (Enter)"))
        self.run = Button(tr("Run again"), kind="ghost", icon="rotate-ccw", command="tool.run_again")
        self.run.setToolTip(tr("Run the tool with the arguments of the chosen call"))
        self.compare = Button(tr("Compare"), kind="ghost", icon="git-compare")
        self.export = Button(tr("Export…"), kind="ghost", icon="download")
        self.all = Button(tr("All in History"), kind="ghost", icon="external-link")
        bar.row.addWidget(self.search)
        bar.row.addWidget(self._problem)
        bar.row.addStretch(1)
        for button in (self.open, self.run, self.compare, self.export, self.all):
            bar.row.addWidget(button)
        return bar

    def _connect_parts(self) -> None:
        self.search.textChanged.connect(self.filters_changed)
        self.search.down_requested.connect(self._on_search_down_requested)
        self.open.clicked.connect(self._on_open_clicked)
        self.run.clicked.connect(self._on_run_clicked)
        self.compare.clicked.connect(self._on_compare_clicked)
        self.all.clicked.connect(self.all_requested)
        self.export.clicked.connect(self._on_export_clicked)
        self.table.opened.connect(self.open_requested)
        self.table.selected.connect(self._show_buttons)
        self.table.menu_requested.connect(self._on_table_menu_requested)
        self.table.remove_requested.connect(self._on_table_remove_requested)
        self._menu.triggered.connect(self._on_menu_triggered)
        self._model.rows_changed.connect(self._choose_page)
        inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
        CommandAction("tool.run_again", self, context=inside, button=self.run)

    @property
    def filters(self) -> Filters:
        return Filters(text=self.search.text() if self.is_filled else "", tool=self._tool)

    def show_count(self, words: str) -> None:
        """Say how many calls fit."""
        self._count = words
        if self.is_filled:
            self.search.set_match_count(words)
            self._choose_page()

    def show_problem(self, problem: str) -> None:
        """Say what is wrong with the history; "" takes it away."""
        self._trouble = problem
        if self.is_filled:
            self._problem.setText(problem)
            self._problem.setToolTip(problem)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out words where there is no room."""
        if self.is_filled:
            self.all.setVisible(self.width() >= 860)
            self.search.setFixedWidth(280 if self.width() >= 720 else 200)

    def _choose_page(self) -> None:
        if self._model.rowCount():
            self._pages.setCurrentWidget(self.table)
        elif words := self.search.text().strip():
            self._nothing.show_text(tr("Nothing matches “{words}”", words=words), tr("Fewer words admit more calls."))
            self._pages.setCurrentWidget(self._nothing)
        else:
            self._pages.setCurrentWidget(self._empty)
        self._show_buttons()

    def _show_buttons(self) -> None:
        chosen = len(self.table.chosen_keys)
        self.open.setEnabled(chosen == 1)
        self.run.setEnabled(chosen == 1)
        self.compare.setEnabled(chosen == 2)
        self.compare.setToolTip("" if chosen == 2 else tr("Choose two calls, the second one with Ctrl"))
        self.export.setEnabled(bool(self._model.rowCount()))

    def _on_search_down_requested(self) -> None:
        self.table.choose_first()
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_table_remove_requested(self) -> None:
        self._act("delete")

    def _on_open_clicked(self) -> None:
        self._act("open")

    def _on_run_clicked(self) -> None:
        self._act("run")

    def _on_compare_clicked(self) -> None:
        self._act("compare")

    def _on_export_clicked(self) -> None:
        self._ask_for_file([])

    def _act(self, key: str) -> None:
        ids = self.table.chosen_keys
        if not ids:
            return
        match key:
            case "open":
                self.open_requested.emit(ids[0])
            case "run":
                self.run_requested.emit(ids[0])
            case "export":
                self._ask_for_file(ids)
            case _:
                self.action_requested.emit(key, ids)

    def _on_table_menu_requested(self, place: QPoint) -> None:
        count = len(self.table.chosen_keys)
        self._menu.clear()
        batch = ("batch", tr("Add to batch") if count == 1 else tr("Run these {count} again as a batch", count=count))
        copy = ("json", tr("Copy as JSON"))
        one = [("open", tr("Open")), ("run", tr("Run again")), batch, copy, ("command", tr("Copy as command line"))]
        two = [batch, ("compare", tr("Compare the two")), copy]
        for key, text in one if count == 1 else two if count == 2 else [batch, copy]:
            self._menu.add_entry(key, text)
        self._menu.add_entry("export", tr("Export…") if count == 1 else tr("Export {count} calls…", count=count))
        self._menu.addSeparator()
        self._menu.add_entry("delete", tr("Delete…") if count == 1 else tr("Delete {count} calls…", count=count))
        self._menu.popup(place)

    def _on_menu_triggered(self, action: QAction) -> None:
        self._act(action.data())

    def _ask_for_file(self, ids: list[str]) -> None:
        self._export_ids = ids
        ask_save_path(
            self,
            tr("Export calls of {tool} as", tool=self._tool),
            f"{self._tool}.jsonl",
            self._on_dialog_file_selected,
            EXPORT_KINDS,
        )

    def _on_dialog_file_selected(self, path: str) -> None:
        self.export_chosen.emit(self._export_ids, path)
