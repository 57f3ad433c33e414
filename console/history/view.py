"""The History page: search, the list of calls, and the call that is chosen beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from console.history.detail_view import ACTIONS, CallDetailView, CallSheet
from console.history.filter_view import FilterBar
from console.history.model import HistoryModel
from console.history.rows import EXPORT_KINDS, Filters
from console.language import tr
from console.widgets import (
    BarFrame,
    Button,
    CommandAction,
    ElidedLabel,
    EmptyState,
    Menu,
    TableView,
    ThinSplitter,
    ask_save_path,
    lead_focus,
    set_surface,
    vbox,
)
from console.widgets.sections import Banner

_BESIDE: Final = 1040
"""From this width on the chosen call stands beside the list, below it stands under the list."""

_LIST_SHARE: Final = 0.57
_NONE: Final = (tr("No calls yet"), tr("Every call is kept here, whoever makes it."))
_OFF: Final = (
    tr("History is off"),
    tr("Tools run as ever, but their calls cannot be searched, compared or run again later."),
)


class HistoryView(QWidget):
    """Show the calls of the past.

    Args:
        call: Shows what came of the chosen call.
        facts: Shows in a line how it ended.

    Signals:
        filters_changed: What the list is narrowed to changed.
        chosen(list): The calls with these ids are selected now.
        open_requested(str): Show the call with this id on its tool's page.
        run_requested(str): Run the tool again with the arguments of the call with this id.
        action_requested(str, list): `batch`, `pipeline`, `compare`, `json`, `command` or `delete`, for the calls with
            these ids.
        export_chosen(list, str): Write the calls with these ids, or for none all that are listed, to this file.
        shown: The page came into sight.
    """

    filters_changed = Signal()
    chosen = Signal(list)
    open_requested = Signal(str)
    run_requested = Signal(str)
    action_requested = Signal(str, list)
    export_chosen = Signal(list, str)
    shown = Signal()

    def __init__(self, model: HistoryModel, call: QWidget, facts: QWidget) -> None:
        super().__init__()
        self.setObjectName("history")
        self.setAccessibleName(tr("History"))
        set_surface(self, "surface")
        self._model = model
        self._export_ids: list[str] = []
        self._picking_from = ""
        self.filters_bar = FilterBar(self)
        self.table = TableView(model, tr("Calls"), many=True)
        self.table.setObjectName("historyTable")
        self.detail = CallDetailView(call, facts)
        self._menu = Menu(tr("Call"), self)
        lead_focus(self, self.table)
        self._build()
        self._connect_parts()
        self._add_shortcuts()
        self._choose_page()

    def _build(self) -> None:
        column = vbox(self)
        column.addWidget(self.filters_bar)
        self._banner_place = QWidget(self)
        place = QVBoxLayout(self._banner_place)
        place.setContentsMargins(20, 12, 20, 12)
        self.banner = Banner("warn", "", "", actions={"retry": tr("Try again")})
        self._retry = self.banner.findChildren(Button)[0]
        place.addWidget(self.banner)
        self._banner_place.hide()
        column.addWidget(self._banner_place)
        column.addWidget(self._make_pick_bar())
        self._splitter = ThinSplitter(Qt.Orientation.Horizontal, self)
        self._lists = QStackedWidget(self._splitter)
        self._empty = EmptyState("history", *_NONE)
        self._nothing = EmptyState("list-filter", tr("No call matches"), "", action=tr("Clear filters"))
        for widget in (self._empty, self._nothing, self.table):
            self._lists.addWidget(widget)
        self._splitter.addWidget(self._lists)
        self._splitter.addWidget(self.detail)
        self._splitter.setStretchFactor(0, 1)
        self._splitter.setStretchFactor(1, 1)
        column.addWidget(self._splitter, 1)

    def _make_pick_bar(self) -> BarFrame:
        self._pick_bar = BarFrame(36, surface="panel", edge="bottom", margins=(20, 12))
        self._pick_words = ElidedLabel("", "small", "text")
        cancel = Button(tr("Cancel"), kind="ghost", shortcut_hint="Esc")
        cancel.clicked.connect(self.stop_picking)
        self._pick_bar.row.addWidget(self._pick_words, 1)
        self._pick_bar.row.addWidget(cancel)
        self._pick_bar.hide()
        return self._pick_bar

    def _connect_parts(self) -> None:
        self.filters_bar.changed.connect(self.filters_changed)
        self.filters_bar.export.clicked.connect(self._on_export_requested)
        self.filters_bar.compare.clicked.connect(self._on_compare_shortcut_activated)
        self.filters_bar.search.down_requested.connect(self._on_down_requested)
        self._nothing.action_requested.connect(self.filters_bar.reset)
        self.table.opened.connect(self._on_table_opened)
        self.table.selected.connect(self._on_table_selected)
        self.table.menu_requested.connect(self._on_table_menu_requested)
        self.table.remove_requested.connect(self._on_table_remove_requested)
        self.detail.run.clicked.connect(self._on_run_requested)
        self.detail.open.clicked.connect(self._on_open_requested)
        self.detail.action_requested.connect(self._on_action_requested)
        self._menu.triggered.connect(self._on_menu_triggered)
        self._model.rows_changed.connect(self._choose_page)

    def _add_shortcuts(self) -> None:
        self._add_command("history.search", self.filters_bar.focus_search)
        self._of_chosen = (
            self._add_command("history.run_again", self._on_run_requested),
            self._add_command("history.compare", self._on_compare_shortcut_activated),
        )
        for action in self._of_chosen:
            action.setEnabled(False)

    def _add_command(self, command: str, slot: Callable[[], object]) -> CommandAction:
        inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
        action = CommandAction(command, self, context=inside)
        action.triggered.connect(slot)
        return action

    @property
    def filters(self) -> Filters:
        return self.filters_bar.filters

    def show_tool(self, name: str) -> None:
        self.filters_bar.reset()
        self.filters_bar.set_tool(name)

    def show_caller(self, name: str) -> None:
        self.filters_bar.reset()
        self.filters_bar.set_caller(name)

    def show_names(self, tools: Sequence[str], callers: Sequence[str]) -> None:
        """Offer tools and callers to narrow the list to."""
        self.filters_bar.show_names(tools, callers)

    def show_count(self, words: str) -> None:
        """Say how many calls fit."""
        self.filters_bar.show_count(words)
        self._choose_page()

    def show_busy(self, *, busy: bool) -> None:
        self.filters_bar.show_busy(busy=busy)

    def show_problem(self, fact: str, consequence: str, *, can_retry: bool) -> None:
        """Say what is wrong with the history.

        Args:
            fact: In a few words; "" takes the banner away.
            can_retry: Whether another try may help.
        """
        self.banner.show_text(fact, consequence)
        self._retry.setVisible(can_retry)
        self._banner_place.setVisible(bool(fact))
        self._choose_page()

    def show_sheet(self, sheet: CallSheet) -> None:
        """Show the head and the arguments of the chosen call."""
        self.detail.show_sheet(sheet)

    def show_no_call(self, fact: str = tr("No call chosen"), sentence: str = "") -> None:
        self.detail.show_nothing(fact, sentence)

    def show_first(self) -> None:
        """Choose the newest call when none is chosen."""
        if self.isVisible():
            self.table.choose_first()

    def choose(self, record_id: str) -> bool:
        return self._model.place_of(record_id) >= 0 and self.table.choose(record_id)

    def pick_other(self, words: str) -> None:
        """Let the person choose the call to compare with.

        Args:
            words: Which call it is compared with.
        """
        self._picking_from = next(iter(self.table.chosen_keys), "")
        self._pick_words.set_text(tr("Choose the call to compare with {words}", words=words))
        self._pick_bar.show()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def stop_picking(self) -> None:
        """Compare nothing after all."""
        self._picking_from = ""
        self._pick_bar.hide()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if event.spontaneous():  # the window was only covered or small
            return
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.shown.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the chosen call under the list where there is no room beside it."""
        super().resizeEvent(event)
        wanted = Qt.Orientation.Horizontal if self.width() >= _BESIDE else Qt.Orientation.Vertical
        if self._splitter.orientation() is not wanted or event.oldSize().width() <= 0:
            self._splitter.setOrientation(wanted)
            length = self.width() if wanted is Qt.Orientation.Horizontal else self.height()
            self._splitter.setSizes([round(length * _LIST_SHARE), round(length * (1 - _LIST_SHARE))])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close what is innermost with Esc: the choice of a second call."""
        if event.key() == Qt.Key.Key_Escape and self._pick_bar.isVisible():
            self.stop_picking()
        else:
            super().keyPressEvent(event)

    def _choose_page(self) -> None:
        """Show the table, or say why there is nothing in it."""
        filters = self.filters
        if self._model.rowCount():
            self._lists.setCurrentWidget(self.table)
        elif filters.narrow:
            words = filters.text.strip()
            fact = tr("Nothing matches “{words}”", words=words) if words else tr("No call matches")
            self._nothing.show_text(fact, tr("Fewer filters admit more calls."))
            self._lists.setCurrentWidget(self._nothing)
        else:
            is_off = not self._banner_place.isHidden() and not self._retry.isHidden()
            self._empty.show_text(*(_OFF if is_off else _NONE))
            self._lists.setCurrentWidget(self._empty)
        anything = bool(self._model.rowCount())
        self.detail.setVisible(anything)
        self.filters_bar.export.setEnabled(anything)

    def _on_down_requested(self) -> None:
        self.table.choose_first()
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_table_opened(self, record_id: str) -> None:
        if self._picking_from and self._picking_from != record_id:
            self.action_requested.emit("compare", [self._picking_from, record_id])
        else:
            self.open_requested.emit(record_id)

    def _on_table_selected(self, ids: Sequence[str]) -> None:
        if self._picking_from and len(ids) == 1 and ids[0] != self._picking_from:
            self.action_requested.emit("compare", [self._picking_from, ids[0]])
            return
        self.filters_bar.compare.setVisible(len(ids) == 2)
        for action in self._of_chosen:
            action.setEnabled(bool(ids))
        self.chosen.emit(list(ids))

    def _on_table_remove_requested(self) -> None:
        self._on_action_requested("delete")

    def _on_table_menu_requested(self, place: QPoint) -> None:
        count = len(self.table.chosen_keys)
        self._menu.clear()
        if count == 1:
            self._menu.add_entry("open", tr("Open on its tool's page"))
            self._menu.add_entry("run", tr("Run again"))
        self._menu.add_entry(
            "batch", tr("Add to batch") if count == 1 else tr("Run these {count} again as a batch", count=count)
        )
        if count > 1:
            self._menu.add_entry("pipeline", tr("Make a pipeline…"))
        self._menu.addSeparator()
        for key, text in ACTIONS:
            if key == "compare" and count > 2:
                continue
            words = (
                {"compare": tr("Compare the two"), "delete": tr("Delete {count} calls…", count=count)}
                if count > 1
                else {}
            )
            if key == "delete":
                self._menu.add_entry(
                    "export", tr("Export…") if count == 1 else tr("Export {count} calls…", count=count)
                )
                self._menu.addSeparator()
            if key == "command" and count > 1:
                continue
            self._menu.add_entry(key, words.get(key, text))
        self._menu.popup(place)

    def _on_menu_triggered(self, action: QAction) -> None:
        match action.data():
            case "open":
                self._on_open_requested()
            case "run":
                self._on_run_requested()
            case "export":
                self._ask_for_file(self.table.chosen_keys)
            case key:
                self._on_action_requested(key)

    def _on_open_requested(self) -> None:
        for record_id in self.table.chosen_keys[:1]:
            self.open_requested.emit(record_id)

    def _on_run_requested(self) -> None:
        for record_id in self.table.chosen_keys[:1]:
            self.run_requested.emit(record_id)

    def _on_action_requested(self, key: str) -> None:
        if ids := self.table.chosen_keys:
            self.action_requested.emit(key, ids)

    def _on_compare_shortcut_activated(self) -> None:
        self._on_action_requested("compare")

    def _on_export_requested(self) -> None:
        self._ask_for_file([])

    def _ask_for_file(self, ids: list[str]) -> None:
        self._export_ids = ids
        ask_save_path(self, tr("Export calls as"), "calls.jsonl", self._on_dialog_file_selected, EXPORT_KINDS)

    def _on_dialog_file_selected(self, path: str) -> None:
        self.export_chosen.emit(self._export_ids, path)
