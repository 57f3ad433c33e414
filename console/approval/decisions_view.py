"""The list of decisions with its head: what was decided today, a filter, and a file of it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from console.approval.decision_model import DecisionModel
from console.language import tr
from console.widgets import (
    Button,
    ElidedLabel,
    EmptyState,
    PanelHeader,
    SearchField,
    TableView,
    ask_save_path,
    set_surface,
    vbox,
)

_NONE: Final = (tr("No decisions yet"), tr("Every answer is kept here, whoever or whatever gave it."))


class DecisionsView(QWidget):
    """Show decisions.

    Signals:
        opened(str): The call with this id is to be shown.
        export_chosen(str): Write what is listed to this file.
    """

    opened = Signal(str)
    export_chosen = Signal(str)

    def __init__(self, model: DecisionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        set_surface(self, "panel")
        header = PanelHeader(tr("History"), height=40)
        self._summary = ElidedLabel("", "caption", "text3")
        header.add_label(self._summary)
        self.search = SearchField(tr("Filter"))
        self.search.setAccessibleName(tr("Filter the decisions"))
        self.search.setFixedWidth(200)
        self.export = Button(tr("Export"), kind="ghost", icon="download")
        header.add_button(self.search)
        header.add_button(self.export)
        self.table = TableView(model, tr("Decisions"), surface="panel", fill="panel")
        self.table.setObjectName("decisionsTable")
        self._empty = EmptyState("history", *_NONE)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.table)
        column = vbox(self)
        column.addWidget(header)
        column.addWidget(self._pages, 1)
        self.search.down_requested.connect(self.focus_list)
        self.export.clicked.connect(self._on_export_clicked)
        self.table.opened.connect(self._on_table_opened)
        model.rows_changed.connect(self._choose_page)
        self._choose_page()

    def show_summary(self, words: str) -> None:
        self._summary.set_text(words)

    def show_problem(self, sentence: str) -> None:
        """Say why there is no list; empty when there is."""
        self._empty.show_text(*((tr("The history cannot be read"), sentence) if sentence else _NONE))
        self._choose_page()

    def focus_list(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose_page(self) -> None:
        has_rows = self.model.rowCount() > 0
        text = self.search.text().strip()
        if not has_rows and text:
            self._empty.show_text(tr("Nothing matches “{text}”", text=text), tr("Fewer words admit more decisions."))
        self._pages.setCurrentWidget(self.table if has_rows else self._empty)
        self.export.setEnabled(has_rows)

    def _on_table_opened(self) -> None:
        self.opened.emit(self.table.chosen_row.call_id)

    def _on_export_clicked(self) -> None:
        ask_save_path(self, tr("Export decisions as"), "decisions.csv", self.export_chosen, [tr("Table (*.csv)")])
