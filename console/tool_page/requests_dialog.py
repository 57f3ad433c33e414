"""The dialogs of saved requests: give the arguments a name, and look after those that have one."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedWidget, QWidget

from console.call_result.banner_view import NoticeBar
from console.language import tr
from console.schema_form import FieldMessage
from console.theme import theme_of
from console.tool_page.copy_as import summary_of
from console.tool_page.request_files import REQUESTS_FOLDER, SavedRequest, place_problem
from console.widgets import Button, Cell, Column, EmptyState, TableModel, TableView, TextLabel, WindowDialog, hbox, vbox

_REQUEST_COLUMNS: Final = (Column(tr("Name"), 240, is_editable=True), Column(tr("Arguments")))


class RequestModel(TableModel[SavedRequest]):
    """The saved requests of a tool; `edited` asks for another name."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_REQUEST_COLUMNS, _request_cells, attrgetter("place"), parent)


def _request_cells(row: SavedRequest) -> tuple[Cell, ...]:
    arguments = row.problem or summary_of(row.arguments)
    name = Cell(row.place, "text", "body", tip=arguments, spoken=f"{row.place}, {arguments}")
    return name, Cell(arguments, "text", "body")


_PLACE_WORDS: Final = tr(
    "Saved in {requests_folder} of the project. A slash makes a folder.", requests_folder=REQUESTS_FOLDER.as_posix()
)


class SaveRequestDialog(WindowDialog):
    """Ask for the name of a request.

    Args:
        place: The name it opens with.
        known: The places that are taken.
        note: What will not be saved, and why; "" for nothing.

    Signals:
        save_requested(str, bool): Save under this name; whether one that is there is replaced.
    """

    save_requested = Signal(str, bool)

    def __init__(self, place: str, known: Sequence[str], note: str, parent: QWidget) -> None:
        super().__init__(tr("Save the arguments"), parent)
        self._known = {taken.casefold() for taken in known}
        column = vbox(self, margins=(20, 20, 20, 16), spacing=8)
        column.addWidget(TextLabel(tr("Save the arguments"), "title"))
        self.line = QLineEdit(place, self)
        self.line.setMinimumWidth(420)
        self.line.setPlaceholderText(tr("billing/lost order"))
        self.line.setAccessibleName(tr("Name of the request"))
        self.line.selectAll()
        self._message = FieldMessage(self)
        column.addWidget(self.line)
        column.addWidget(self._message)
        for words in (_PLACE_WORDS, note):
            if words:
                column.addWidget(TextLabel(words, "small", "text3", wrap=True))
        column.addSpacing(12)
        self.agree = Button(tr("Save"), kind="primary", large=True, shortcut_hint="Enter")
        self.agree.setDefault(True)
        self.agree.clicked.connect(self._on_agree_clicked)
        column.addLayout(self.make_ends(self.agree))
        self.line.textChanged.connect(self._on_line_text_changed)
        self._on_line_text_changed(place)
        self.line.setFocus()

    def show_problem(self, text: str) -> None:
        self._show_message(text)

    def _show_message(self, text: str) -> None:
        self._message.show_text(text)
        self.line.setAccessibleDescription(text)

    def _on_line_text_changed(self, text: str) -> None:
        place = text.strip()
        problem = place_problem(place)
        self._show_message(problem if text else "")
        self.agree.setEnabled(not problem)
        self.agree.setText(tr("Replace") if place.casefold() in self._known else tr("Save"))

    def _on_agree_clicked(self) -> None:
        place = self.line.text().strip()
        self.save_requested.emit(place, place.casefold() in self._known)


class RequestsDialog(WindowDialog):
    """List the saved requests of a tool: open, rename and delete them, and take a deletion back.

    Signals:
        open_requested(str): Fill the form with the request of this place.
        rename_requested(str, str): Move a request to another place.
        delete_requested(str): Delete a request.
        undo_requested: Bring the request back that was deleted last.
    """

    open_requested = Signal(str)
    rename_requested = Signal(str, str)
    delete_requested = Signal(str)
    undo_requested = Signal()

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(tr("Saved requests of {title}", title=title), parent)
        self._wanted = ""
        column = vbox(self, margins=(20, 20, 20, 16), spacing=8)
        column.addWidget(TextLabel(self.windowTitle(), "title"))
        self.model = RequestModel(self)
        self._pages = QStackedWidget(self)
        self.table = self._make_table()
        self._empty = EmptyState(
            "save", tr("No saved requests"), tr("Save… in the menu keeps the arguments under a name.")
        )
        self._pages.addWidget(self.table)
        self._pages.addWidget(self._empty)
        self.notice = NoticeBar(self)
        self.notice.undo_requested.connect(self.undo_requested)
        column.addWidget(self._pages, 1)
        column.addWidget(self.notice)
        column.addSpacing(4)
        column.addLayout(self._make_buttons())
        self.model.edited.connect(self._on_model_edited)
        self.table.selectionModel().currentRowChanged.connect(self._follow_selection)
        self.resize(640, 420)
        self.show_requests(())

    def show_requests(self, requests: Sequence[SavedRequest]) -> None:
        """List other requests; the one that was selected stays selected, under its new name too."""
        chosen = self._wanted or self.table.chosen_key
        row = max(self.table.currentIndex().row(), 0)
        self.model.show_rows(requests)
        self._pages.setCurrentWidget(self.table if requests else self._empty)
        if requests and not self.table.choose(chosen):
            self.table.choose(self.model.key_at(min(row, len(requests) - 1)))
        self._wanted = ""
        self._follow_selection()

    def select_next(self, place: str) -> None:
        self._wanted = place

    def show_notice(self, text: str, *, undo: bool = False) -> None:
        """Say what was done, or why it was not."""
        self.notice.show_text(text, undo=undo)

    def _make_table(self) -> TableView:
        table = TableView(
            self.model, tr("Saved requests"), self._pages, surface="raised", edge=8, left=8, scrolls_sideways=True
        )
        table.set_row_height(theme_of(self).size.control)
        table.setEditTriggers(TableView.EditTrigger.EditKeyPressed)
        table.opened.connect(self._on_open_clicked)
        table.remove_requested.connect(self._on_delete_clicked)
        return table

    def _make_buttons(self) -> QHBoxLayout:
        row = hbox(spacing=8)
        self.open_button = Button(tr("Open"), kind="primary", large=True, shortcut_hint="Enter")
        self.open_button.clicked.connect(self._on_open_clicked)
        self.rename_button = Button(tr("Rename"), large=True, shortcut_hint="F2")
        self.rename_button.clicked.connect(self._on_rename_clicked)
        self.delete_button = Button(tr("Delete"), kind="danger", large=True, shortcut_hint="Del")
        self.delete_button.clicked.connect(self._on_delete_clicked)
        close = Button(tr("Close"), large=True, shortcut_hint="Esc")
        close.clicked.connect(self.reject)
        row.addWidget(self.rename_button)
        row.addWidget(self.delete_button)
        row.addStretch(1)
        row.addWidget(close)
        row.addWidget(self.open_button)
        return row

    def _follow_selection(self) -> None:
        request = self.table.chosen_row
        self.open_button.setEnabled(request is not None and not request.problem)
        self.open_button.setToolTip(request.problem if request is not None else "")
        for button in (self.rename_button, self.delete_button):
            button.setEnabled(request is not None)

    def _on_open_clicked(self) -> None:
        if self.open_button.isEnabled():
            self.open_requested.emit(self.table.chosen_key)
            self.accept()

    def _on_model_edited(self, place: str, new: str) -> None:
        # The list is read anew, and the editor in it goes with all that had the focus.
        self.table.setFocus()
        self.rename_requested.emit(place, new)

    def _on_rename_clicked(self) -> None:
        self.table.setFocus()
        self.table.edit(self.model.index(self.table.currentIndex().row(), 0))

    def _on_delete_clicked(self) -> None:
        if self.delete_button.isEnabled():
            self.delete_requested.emit(self.table.chosen_key)
