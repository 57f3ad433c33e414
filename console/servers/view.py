"""The Servers page: all servers as a list, and the chosen one below."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QStackedWidget, QWidget

from console.language import tr
from console.servers.detail_view import LOG, ServerDetailView, ServerModels
from console.servers.model import ServerModel
from console.servers.rows import ServerCounts, ServerRemedyKey, ServerRow, remedy_words, summary_words
from console.widgets import (
    Banner,
    BarFrame,
    Button,
    ElidedLabel,
    EmptyState,
    Menu,
    TableView,
    TextLabel,
    ThinSplitter,
    WindowDialog,
    lead_focus,
    set_surface,
    vbox,
)


class NameDialog(WindowDialog):
    """Let a person name something.

    Args:
        taken: Names that would be replaced.

    Signals:
        named(str): It shall be called so.
    """

    named = Signal(str)

    def __init__(self, title: str, hint: str, taken: Collection[str], parent: QWidget) -> None:
        super().__init__(title, parent)
        self._taken = frozenset(taken)
        self.setMinimumWidth(440)
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Name"))
        self.name.setMaxLength(128)
        self.save = Button(tr("Save"), kind="primary", large=True)
        self._note = TextLabel("", "small", "warn", wrap=True)
        row = self.make_ends(self.save)
        column = vbox(self, margins=(20, 20, 20, 16), spacing=8)
        column.addWidget(TextLabel(title, "title"))
        column.addWidget(TextLabel(hint, "small", "text2", wrap=True))
        column.addWidget(self.name)
        column.addWidget(self._note)
        column.addLayout(row)
        self.name.textChanged.connect(self._on_name_text_changed)
        self.name.returnPressed.connect(self._on_save_clicked)
        self.save.clicked.connect(self._on_save_clicked)
        self._on_name_text_changed("")
        self.name.setFocus()

    def _on_name_text_changed(self, text: str) -> None:
        self.save.setEnabled(bool(text.strip()))
        is_taken = text.strip() in self._taken
        self._note.setText(tr("Takes the place of {text}", text=text.strip()) if is_taken else "")
        self._note.setVisible(is_taken)

    def _on_save_clicked(self) -> None:
        if self.name.text().strip():
            self.named.emit(self.name.text().strip())
            self.accept()


_HEIGHT: Final = 52
_MOST_ROWS: Final = 8
_NONE: Final = (
    tr("No servers yet"),
    tr(
        "The tools of an MCP server become tools here. Paste its command, its address or its README's block with"
        " Ctrl+V."
    ),
)


class ServersView(QWidget):
    """Show servers, and take what a person wants of them.

    Args:
        models: The lists of the chosen one.
        in_pieces: Whether whoever makes it goes through `pieces`, and lets the window paint between two of them: all at
            once take longer than a frame.

    Signals:
        remedy_requested(str): What helps this server most shall be done.
        add_requested: A server shall be added.
        pasted(str): This text was pasted onto the page: a server shall be added with it.
        api_requested: An API shall be added in the place of a server.
        profile_chosen(str): This set of servers shall count; empty lets all of them.
        profile_named(str): The servers that are on now shall be a set of this name.
        profile_removed(str): This set shall be forgotten.
        shown: The page came into sight.
        hidden: It left.
    """

    remedy_requested = Signal(str)
    add_requested = Signal()
    pasted = Signal(str)
    api_requested = Signal()
    profile_chosen = Signal(str)
    profile_named = Signal(str)
    profile_removed = Signal(str)
    shown = Signal()
    hidden = Signal()

    def __init__(self, model: ServerModel, models: ServerModels, *, in_pieces: bool = False) -> None:
        super().__init__()
        self.setObjectName("servers")
        self.setAccessibleName(tr("Servers"))
        set_surface(self, "surface")
        self._model = model
        self.pieces: Final = self._make(models)
        if not in_pieces:
            deque(self.pieces, 0)

    def _make(self, models: ServerModels) -> Iterator[None]:
        # Each part begins where it will stand: a widget with much in it that is moved is styled anew.
        self._pages = QStackedWidget(self)
        self._split = ThinSplitter(Qt.Orientation.Vertical, self._pages)
        self.table = TableView(self._model, tr("MCP servers"), self._split, edge=20, glyph=10)
        self.detail = ServerDetailView(models, in_pieces=True, parent=self._split)
        yield from self.detail.pieces
        self.api = Button(tr("Add an API…"), icon="globe")
        self.imports = Button(tr("Import config…"), icon="file-input")
        self.profiles = Button(tr("All servers"), icon="layers", chevron=True)
        self._profiles: tuple[str, ...] = ()
        self._profile = ""
        self.add = Button(tr("Connect a server"), kind="primary", icon="plus")
        self.problem = Banner("error", tr("The servers cannot be read."), "")
        self.problem.hide()
        self._summary = ElidedLabel("", "small", "text2")
        self._menu = Menu(tr("Server"), self)
        self._profile_menu = Menu(tr("Profiles"), self)
        self._fitted = 0
        lead_focus(self, self.table)
        self._build()
        self.table.opened.connect(self.remedy_requested)
        self.table.action_clicked.connect(self.remedy_requested)
        self.table.menu_requested.connect(self._on_table_menu_requested)
        self._menu.triggered.connect(self._on_menu_triggered)
        self.profiles.clicked.connect(self._on_profiles_clicked)
        self._profile_menu.triggered.connect(self._on_profile_menu_triggered)
        self.add.clicked.connect(self.add_requested)
        self.api.clicked.connect(self.api_requested)
        self._empty.action_requested.connect(self.add_requested)
        # A field that has the focus takes what is pasted for itself.
        paste = QShortcut(QKeySequence(QKeySequence.StandardKey.Paste), self)
        paste.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        paste.activated.connect(self._on_paste_activated)
        self.show_servers((), ServerCounts(0, 0, 0))

    def _build(self) -> None:
        head = BarFrame(_HEIGHT, margins=(20, 20))
        head.row.addWidget(TextLabel(tr("Servers"), "title"))
        head.row.addSpacing(8)
        head.row.addWidget(self._summary, 1)
        head.row.addWidget(self.profiles)
        head.row.addWidget(self.api)
        head.row.addWidget(self.imports)
        head.row.addWidget(self.add)
        self._split.setObjectName("serversSplitter")
        self._split.addWidget(self.table)
        self._split.addWidget(self.detail)
        self._split.setStretchFactor(0, 0)
        self._split.setStretchFactor(1, 1)
        self.table.setMinimumHeight(80)
        self._empty = EmptyState("server", *_NONE, action=tr("Connect a server"))
        self._pages.addWidget(self._split)
        self._pages.addWidget(self._empty)
        column = vbox(self)
        column.addWidget(head)
        column.addWidget(self.problem)
        column.addWidget(self._pages, 1)

    @property
    def can_ask(self) -> bool:
        """Say whether the page is in sight and no other dialog stands before it."""
        return self.isVisible() and QApplication.activeModalWidget() is None

    def show_servers(self, rows: Sequence[ServerRow], summary: ServerCounts) -> None:
        self._model.show_rows(rows)
        self._summary.set_text(summary_words(summary))
        is_first = bool(rows) and self._pages.currentIndex() == 1
        self._pages.setCurrentIndex(0 if rows else 1)
        if is_first and self.add.hasFocus():
            # It had the focus only while there was nothing else.
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self._fit()

    def show_problem(self, problem: str) -> None:
        """Say why a file of servers cannot be read; empty when all is well."""
        self.problem.show_text(tr("Some servers are missing."), problem)
        self.problem.setVisible(bool(problem))

    def show_profiles(self, names: Sequence[str], chosen: str) -> None:
        self._profiles, self._profile = tuple(names), chosen
        self.profiles.setText(chosen or tr("All servers"))
        self.profiles.setAccessibleName(tr("Profile: {chosen}", chosen=chosen or tr("all servers")))
        self.profiles.updateGeometry()

    def choose(self, name: str) -> None:
        """Choose a server; tells nobody."""
        self.table.choose(name)

    def show_log(self) -> None:
        """Bring the log of the chosen server to the front."""
        self.detail.show_tab(LOG)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self._fit()
            place = self.table if self._model.rowCount() else self.add
            place.setFocus(Qt.FocusReason.OtherFocusReason)
            self.shown.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.hidden.emit()

    def _fit(self) -> None:
        """Give the list the height of its rows, as long as nobody moved the line."""
        count = min(self._model.rowCount(), _MOST_ROWS)
        if count == self._fitted or not self.isVisible():
            return
        self._fitted = count
        size = (
            self.table.rows_height
            if self._model.rowCount() <= _MOST_ROWS
            else self.table.rows_height * _MOST_ROWS // self._model.rowCount()
        )
        self._split.setSizes([size, max(1, self._split.height() - size)])

    def _on_paste_activated(self) -> None:
        text = QGuiApplication.clipboard().text()
        if text.strip():
            self.pasted.emit(text)

    def _on_profiles_clicked(self) -> None:
        menu = self._profile_menu
        menu.clear()
        for name in ("", *self._profiles):
            action = menu.add_entry(("choose", name), name or tr("All servers"))
            action.setCheckable(True)
            action.setChecked(name == self._profile)
        menu.addSeparator()
        words = [("keep", tr("Save what is on as a profile…"))]
        words += [("remove", tr("Remove the profile {profile}", profile=self._profile))] if self._profile else []
        for key, text in words:
            menu.add_entry((key, self._profile), text)
        menu.popup(self.profiles.mapToGlobal(self.profiles.rect().bottomLeft()))

    def _on_profile_menu_triggered(self, action: QAction) -> None:
        key, name = action.data()
        if key == "choose":
            self.profile_chosen.emit(name)
        elif key == "remove":
            self.profile_removed.emit(name)
        else:
            hint = tr("Servers that are switched on now belong to it; all others stay off while it counts.")
            dialog = NameDialog(tr("New profile"), hint, self._profiles, self)
            dialog.named.connect(self.profile_named)
            dialog.open()

    def _on_table_menu_requested(self, place: QPoint) -> None:
        rows = self._model.rows
        at = self._model.place_of(self.table.chosen_key)
        self._menu.clear()
        first = [rows[at].remedy] if at >= 0 and rows[at].remedy else []
        for key in dict.fromkeys((*first, ServerRemedyKey.RESTART, ServerRemedyKey.DISCONNECT, ServerRemedyKey.LOG)):
            self._menu.add_entry(key, remedy_words(key))
        self._menu.popup(place)

    def _on_menu_triggered(self, action: QAction) -> None:
        key = action.data()
        if key == ServerRemedyKey.LOG:
            self.show_log()
        elif key == ServerRemedyKey.RESTART:
            self.detail.restart.click()
        elif key == ServerRemedyKey.DISCONNECT:
            self.detail.disconnect_button.click()
        else:
            self.remedy_requested.emit(self.table.chosen_key)
