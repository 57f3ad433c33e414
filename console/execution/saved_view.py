"""The button of the saved requests: its menu, and the dialogs it opens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from console.execution.request_files import SavedRequest
from console.execution.requests_dialog import RequestsDialog, SaveRequestDialog
from console.widgets import Button, Menu

_MOST_IN_MENU: Final = 200


class SavedButton(Button):
    """Offer to save the arguments, to open saved ones, and to look after them.

    Signals:
        wanted: The requests are about to be shown; they may have changed on the disk.
        name_wanted: The arguments are to be saved; `ask_name` asks for the name.
        save_requested(str, bool): Save under this name; whether one that is there is replaced.
        open_requested(str): Fill the form with the request of this place.
        rename_requested(str, str): Move a request to another place.
        delete_requested(str): Delete a request.
        undo_requested: Bring the request back that was deleted last.
    """

    wanted = Signal()
    name_wanted = Signal()
    save_requested = Signal(str, bool)
    open_requested = Signal(str)
    rename_requested = Signal(str, str)
    delete_requested = Signal(str)
    undo_requested = Signal()

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__("Saved", icon="save", chevron=True, parent=parent)
        self._title = title
        self.requests: tuple[SavedRequest, ...] = ()
        self._menus: list[Menu] = []
        self._naming: SaveRequestDialog | None = None
        self._listing: RequestsDialog | None = None
        self.setToolTip("Save the arguments under a name (Ctrl+S), or open saved ones")
        self._menu = Menu("Saved requests", self)
        self._menu.aboutToShow.connect(self.wanted)
        self._menu.triggered.connect(self._on_menu_triggered)
        self._save = QAction("Save…", self._menu)
        self._save.setObjectName("save request")
        self._manage = QAction("All saved requests…", self._menu)
        self._fill_menu()
        self.setMenu(self._menu)

    def show_requests(self, requests: Sequence[SavedRequest]) -> None:
        """List the requests, in the menu and in the dialog if it is open."""
        if tuple(requests) != self.requests:
            self.requests = tuple(requests)
            self._fill_menu()
        if self._listing is not None:
            self._listing.show_requests(self.requests)

    def ask_name(self, place: str, note: str) -> None:
        """Ask under which name the arguments are to be saved.

        Args:
            place: The name offered first.
            note: What will not be saved, and why; "" for nothing.
        """
        known = [request.place for request in self.requests]
        self._naming = SaveRequestDialog(place, known, note, self.window())
        self._naming.save_requested.connect(self.save_requested)
        self._naming.finished.connect(self._on_naming_finished)
        self._naming.open()

    def show_saved(self) -> None:
        """Close the question for a name: what was asked for is done."""
        if self._naming is not None:
            self._naming.accept()

    def show_moved(self, place: str) -> None:
        """Keep a renamed request selected."""
        if self._listing is not None:
            self._listing.select_next(place)

    def show_outcome(self, text: str, *, undo: bool = False) -> bool:
        """Say in the dialog that is open what was done, or why it was not.

        Returns:
            Whether a dialog is open.
        """
        if self._naming is not None:
            self._naming.show_problem(text)
        elif self._listing is not None:
            self._listing.show_notice(text, undo=undo)
        return self._naming is not None or self._listing is not None

    def manage(self) -> None:
        """Open the list of the requests."""
        self._listing = RequestsDialog(self._title, self.window())
        self._listing.open_requested.connect(self.open_requested)
        self._listing.rename_requested.connect(self.rename_requested)
        self._listing.delete_requested.connect(self.delete_requested)
        self._listing.undo_requested.connect(self.undo_requested)
        self._listing.finished.connect(self._on_listing_finished)
        self._listing.show_requests(self.requests)
        self._listing.open()

    def _fill_menu(self) -> None:
        """Write the menu anew; it may be open while the files are read."""
        for menu in self._menus:
            menu.deleteLater()
        self._menus.clear()
        for action in self._menu.actions():
            self._menu.removeAction(action)
            if action not in {self._save, self._manage}:
                action.deleteLater()
        self._menu.addActions([self._save, self._manage])
        self._manage.setEnabled(bool(self.requests))
        if self.requests:
            self._menu.addSeparator()
        menu_by_folder: dict[str, Menu] = {"": self._menu}
        for request in self.requests[:_MOST_IN_MENU]:
            menu = self._submenu(request.folder, menu_by_folder)
            action = QAction(request.name.replace("&", "&&"), menu)
            action.setData(request.place)
            action.setEnabled(not request.problem)
            action.setToolTip(request.problem or request.place)
            menu.addAction(action)

    def _submenu(self, folder: str, menu_by_folder: dict[str, Menu]) -> Menu:
        if folder not in menu_by_folder:
            around, _, name = folder.rpartition("/")
            menu = Menu(name.replace("&", "&&"), self._menu)
            self._submenu(around, menu_by_folder).addMenu(menu)
            self._menus.append(menu)
            menu_by_folder[folder] = menu
        return menu_by_folder[folder]

    def _on_menu_triggered(self, action: QAction) -> None:
        if action is self._save:
            self.name_wanted.emit()
        elif action is self._manage:
            self.manage()
        else:
            self.open_requested.emit(str(action.data()))

    def _on_naming_finished(self, _result: int) -> None:
        self._naming = None

    def _on_listing_finished(self, _result: int) -> None:
        self._listing = None
