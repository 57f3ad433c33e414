"""The Batch page: head, progress, the plan as a table, what failed, and beside it what else there is to see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QVBoxLayout, QWidget

from console.batch.header_view import EXPORTS, BatchHeader
from console.batch.model import PlanModel
from console.batch.progress_view import FailureStrip, ProgressStrip
from console.batch.rows import Phase, step_actions
from console.batch.side_view import SidePanel
from console.batch.table_view import PlanTableView
from console.language import tr
from console.theme import Tone
from console.widgets import (
    Banner,
    CommandAction,
    EmptyState,
    Menu,
    PanelHeader,
    ThinSplitter,
    ask_open_path,
    ask_save_path,
    lead_focus,
    set_surface,
    vbox,
)

_PLANS: Final = tr("Plans (*.yaml *.yml *.json)")
_TABLES: Final = f"{tr('Tables (*.csv)')};;{tr('All files (*)')}"
_TITLES: Final = {"open": tr("Open plan"), "save as": tr("Save plan as"), "table": tr("New plan from a CSV file")}
_NO_FOLDERS: Final = str.maketrans("/\\", "--")
"""A plan may have any name; that of a file tells of no folders."""
_SIDE_SHARES: Final = (856, 536)
_BOTTOM_SHARES: Final = (520, 190)


class BatchView(QWidget):
    """Show a plan and its run.

    Attributes:
        header: Plan, state and what can be asked of the run.
        strip: How far the run is.
        side: What stands beside the plan: the graph, or a sheet in its place.
        plan_head: The head of the table; further buttons stand in it.
        row_actions: Further actions of a row's menu, in groups.
        panels: What shows the plan as well: its graph, its timeline.
        dialog_folder: Takes the folder of the file that was chosen last, and gives the one in which dialogs begin;
            None as long as nobody knows.

    Signals:
        step_action_requested(str, str): `edit`, `skip`, `skip_rows`, `retry`, `rerun` or `cancel`, for this step.
        file_chosen(str, str): `open`, `new`, `save` or `save as`, and the file; empty for `new` and `save`.
        table_chosen(str): The rows of this file are to become a plan.
        file_given_up: No file is chosen after all.
        export_chosen(str, str): Write this, one of the keys of `EXPORTS`, to this file.
    """

    step_action_requested = Signal(str, str)
    file_chosen = Signal(str, str)
    table_chosen = Signal(str)
    file_given_up = Signal()
    export_chosen = Signal(str, str)
    shown = Signal()

    def __init__(self, model: PlanModel) -> None:
        super().__init__()
        self.setObjectName("batch")
        self.setAccessibleName(tr("Batch"))
        set_surface(self, "surface")
        self._model = model
        self._asked_file = ""
        self._has_plan = False
        self._proposed = ""
        self._last_folder: Path | None = None
        self.dialog_folder: Callable[[Path | None], Path | None] | None = None
        self._phase = Phase.READY
        self.row_actions: Sequence[Sequence[QAction]] = ()
        self.panels: list[QWidget] = []
        self.header = BatchHeader()
        self.strip = ProgressStrip()
        self.plan_head = PanelHeader(tr("Plan"), surface="surface")
        self.table = PlanTableView(model)
        self.failure = FailureStrip()
        self._menu = Menu(tr("Step"), self)
        lead_focus(self, self.table)
        self._build()
        self._connect_parts()
        self.choose_page()

    def _build(self) -> None:
        column = vbox(self)
        column.addWidget(self.header)
        self._banner_place = QWidget()
        place = QVBoxLayout(self._banner_place)
        place.setContentsMargins(20, 12, 20, 0)
        self.banner = Banner("warn", "", "", actions={"first": "", "second": ""})
        place.addWidget(self.banner)
        self._banner_place.hide()
        column.addWidget(self._banner_place)
        self._pages = QStackedWidget()
        self.empty = EmptyState(
            "workflow",
            tr("No plan is open"),
            tr("A plan runs many tools over many inputs, in the right order."),
            action=tr("New plan"),
            other=tr("Open plan…"),
        )
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._make_content())
        column.addWidget(self._pages, 1)

    def _make_content(self) -> QWidget:
        content = QWidget()
        column = vbox(content)
        column.addWidget(self.strip)
        self.upright = ThinSplitter(Qt.Orientation.Vertical)
        self.upright.setObjectName("batchTimeline")
        self.beside = ThinSplitter(Qt.Orientation.Horizontal)
        self.beside.setObjectName("batchGraph")
        self.beside.addWidget(self._make_plan())
        self.side = SidePanel()
        self.beside.addWidget(self.side)
        self.beside.setStretchFactor(0, 1)
        self.upright.addWidget(self.beside)
        self.upright.setStretchFactor(0, 1)
        column.addWidget(self.upright, 1)
        return content

    def _make_plan(self) -> QWidget:
        panel = QWidget()
        panel.setMinimumWidth(420)
        column = vbox(panel)
        column.addWidget(self.plan_head)
        self._lists = QStackedWidget()
        self.nothing = EmptyState("list-filter", tr("No step stands like that"), "", action=tr("Show all steps"))
        self._lists.addWidget(self.table)
        self._lists.addWidget(self.nothing)
        column.addWidget(self._lists, 1)
        column.addWidget(self.failure)
        return panel

    def _connect_parts(self) -> None:
        self.header.file_requested.connect(self._on_header_file_requested)
        self.header.export_requested.connect(self._on_header_export_requested)
        self.empty.action_requested.connect(self._on_empty_action_requested)
        self.empty.other_requested.connect(self._on_empty_other_requested)
        self.nothing.action_requested.connect(self._on_nothing_action_requested)
        self.table.menu_requested.connect(self.show_step_menu)
        self.failure.action_requested.connect(self.step_action_requested)
        self._menu.triggered.connect(self._on_menu_triggered)
        for changed in (self._model.rowsInserted, self._model.rowsRemoved, self._model.modelReset):
            changed.connect(self.choose_page)
        for command, button in (
            ("run", self.header.run),
            ("pause", self.header.pause),
            ("resume", self.header.resume),
            ("cancel", self.header.cancel),
            ("retry", self.header.retry),
        ):
            inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
            CommandAction(f"batch.{command}", self, context=inside, button=button)

    def show_plan(self, name: str, *, is_dirty: bool = False, file: Path | None = None) -> None:
        """Say which plan is on the page.

        Args:
            name: What people call it; an empty name takes it away.
            is_dirty: Whether it has changes that are not saved.
            file: Where it stands; None before it is saved for the first time.
        """
        self._has_plan = bool(name)
        self._proposed = file.name if file is not None else f"{name.translate(_NO_FOLDERS)}.yaml"
        self.header.show_plan(name, is_dirty=is_dirty)
        self.choose_page()

    def show_banner(
        self, fact: str, consequence: str = "", *, tone: Tone = "warn", first: str = "", second: str = ""
    ) -> None:
        """Say what is wrong, or what can be gone on with.

        Args:
            fact: In a few words; empty takes the banner away.
            tone: `warn` or `error`.
            first: The words of its first button; empty for none.
            second: The words of its second button.
        """
        self.banner.set_tone(tone)
        self.banner.show_text(fact, consequence)
        for key, words in (("first", first), ("second", second)):
            self.banner.buttons[key].setText(words)
            self.banner.buttons[key].setVisible(bool(words))
            self.banner.buttons[key].updateGeometry()
        self._banner_place.setVisible(bool(fact))

    def show_phase(self, phase: Phase, *, failed: int, unsure: int, is_wrong: bool) -> None:
        self._phase = phase
        self.header.badge.show_phase(phase, failed=failed, unsure=unsure, is_wrong=is_wrong)

    def show_run(self) -> None:
        self.strip.show_counts(self._model.counts, self._model.share, self._model.running_share)

    def place_graph(self, graph: QWidget) -> None:
        self.panels.append(graph)
        self.side.set_graph(graph)
        self.beside.begin_with(_SIDE_SHARES)

    def place_timeline(self, timeline: QWidget) -> None:
        self.panels.append(timeline)
        self.upright.addWidget(timeline)
        self.upright.setStretchFactor(1, 0)
        self.upright.begin_with(_BOTTOM_SHARES)

    @property
    def splitters(self) -> tuple[ThinSplitter, ...]:
        """Give what shares the room, to be remembered by its name."""
        return self.beside, self.upright

    def choose_page(self) -> None:
        """Show the plan, or say why there is nothing."""
        self._pages.setCurrentIndex(1 if self._has_plan else 0)
        self._lists.setCurrentIndex(1 if self._model.groups and not self._model.rowCount() else 0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
            self.show_run()
            self.shown.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.show_run()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._model.groups:
            self._on_nothing_action_requested()
        else:
            super().keyPressEvent(event)

    def _on_nothing_action_requested(self) -> None:
        self.strip.show_groups(())
        self.strip.groups_chosen.emit(())

    def _on_empty_action_requested(self) -> None:
        self.file_chosen.emit("new", "")

    def _on_empty_other_requested(self) -> None:
        self.ask_for_file("open")

    def _on_header_file_requested(self, key: str) -> None:
        if key == "save as" and not self._has_plan:
            return
        if key in {"open", "save as"}:
            self.ask_for_file(key)
        else:
            self.file_chosen.emit(key, "")

    def ask_for_file(self, key: str) -> None:
        """Let a person choose the file of a plan.

        Args:
            key: `open`, `save as`, or `table` for one whose rows become a plan.
        """
        title = _TITLES[key]
        if key == "save as":
            self._ask_save_path(key, title, self._proposed, _PLANS).setDefaultSuffix("yaml")
            return
        self._asked_file = key
        kinds = _TABLES if key == "table" else _PLANS
        dialog = ask_open_path(self, title, self._folder(), kinds, self._on_dialog_file_selected)
        dialog.rejected.connect(self.file_given_up)

    def _on_header_export_requested(self, kind: str) -> None:
        _, words, filters, name = next(export for export in EXPORTS if export[0] == kind)
        self._ask_save_path(kind, words.removesuffix("…"), name, filters)

    def _ask_save_path(self, key: str, title: str, name: str, kind: str) -> QFileDialog:
        self._asked_file = key
        proposed = str(Path(self._folder(), name))
        dialog = ask_save_path(self, title, proposed, self._on_dialog_file_selected, [kind])
        dialog.rejected.connect(self.file_given_up)
        return dialog

    def _folder(self) -> str:
        folder = None if self.dialog_folder is None else self.dialog_folder(self._last_folder)
        return "" if folder is None else str(folder)

    def _on_dialog_file_selected(self, path: str) -> None:
        self._last_folder = Path(path).parent
        if self._asked_file == "table":
            self.table_chosen.emit(path)
        elif self._asked_file in _TITLES:
            self.file_chosen.emit(self._asked_file, path)
        else:
            self.export_chosen.emit(self._asked_file, path)

    def show_step_menu(self, place: QPoint) -> None:
        self._menu.clear()
        row = self._model.row_of(self.table.chosen_key)
        for key, words in () if row is None else step_actions(row.facts, self._phase):
            self._menu.addAction(words).setData(key)
        for group in self.row_actions:
            self._menu.addSeparator()
            self._menu.addActions(list(group))
        self._menu.popup(place)

    def _on_menu_triggered(self, action: QAction) -> None:
        key, step = action.data(), self.table.chosen_key
        if key is None:
            return
        if key == "open":
            self.table.opened.emit(step)
        elif step:
            self.step_action_requested.emit(key, step)
