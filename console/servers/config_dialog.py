"""The dialogs before a server starts: adding one, importing those of other programs, allowing a start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QPlainTextEdit, QScrollArea, QStackedWidget, QWidget

from console.language import tr, tr_count
from console.schema_form import SchemaForm
from console.servers.config_form import ConfigForm, asked_schema
from console.servers.rows import ImportRow, PastedServer, PasteResult, StartRow
from console.servers.start_view import StartView
from console.theme import theme_of
from console.widgets import (
    Button,
    Cell,
    CheckableTableModel,
    Column,
    EmptyState,
    IconLabel,
    Index,
    TableView,
    TextLabel,
    WindowDialog,
    ask_open_path,
    set_surface,
    vbox,
)

_IMPORT_SIZE: Final = QSize(920, 560)
_IMPORT_MARGIN: Final = 64
_COLUMNS: Final = (
    Column(tr("Server"), 180, is_checkable=True),
    Column(tr("From"), 150),
    Column(tr("Transport"), 84),
    Column(tr("Command or address")),
    Column(tr("Note"), 200),
)
_FILES: Final = tr("Server settings (*.json *.jsonc *.properties);;All files (*)")


class ImportModel(CheckableTableModel[ImportRow]):
    """List servers with a mark before those that are taken."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_COLUMNS, self._cells_of, attrgetter("key"), parent)

    def add_rows(self, rows: Sequence[ImportRow]) -> int:
        """List further servers; those that are new here are marked. Return how many came."""
        known = {row.key for row in self.rows}
        new = [row for row in rows if row.key not in known]
        self._chosen |= {row.key for row in new if not row.is_known and not row.problem}
        self.append(new)
        self.chosen_changed.emit()
        return len(new)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        is_broken = index.isValid() and bool(self.rows[index.row()].problem)
        return flags & ~Qt.ItemFlag.ItemIsEnabled if is_broken else flags

    def _cells_of(self, row: ImportRow) -> tuple[Cell, ...]:
        if row.problem:
            # It has the whole row for itself.
            return (Cell(": ".join(filter(None, (row.origin, row.name, row.problem))), "disabled", "body"),)
        return (
            Cell(row.name, "text", "body", is_checked=row.key in self._chosen),
            Cell(row.origin, "text", "body"),
            Cell(row.transport, "text", "body"),
            Cell(row.address, "text", is_code=True),
            Cell(row.note, "text", "body"),
        )


class ImportDialog(WindowDialog):
    """Let a person choose which servers of other programs are taken over. None of them starts by that.

    Signals:
        file_chosen(str): The servers that this file names shall be listed as well.
        take_requested(tuple): The servers with these keys shall be taken over.
    """

    file_chosen = Signal(str)
    take_requested = Signal(tuple)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("Import servers"), parent)
        self.model = ImportModel(self)
        self.table = TableView(self.model, tr("Servers of other programs"), edge=8, left=8)
        self.take = Button(tr("Import"), kind="primary", large=True)
        self.file = Button(tr("Choose a file…"), icon="folder-open", large=True)
        self._problem = TextLabel("", "small", "error", wrap=True)
        self._problem.hide()
        self._empty = EmptyState(
            "file-input", tr("Looking for servers"), tr("Other programs are asked which servers they know.")
        )
        self._pages = QStackedWidget()
        self._build()
        self.model.chosen_changed.connect(self._follow)
        self.take.clicked.connect(self._on_take_clicked)
        self.file.clicked.connect(self._on_file_clicked)
        self.resize(_IMPORT_SIZE.boundedTo(parent.window().size() - QSize(_IMPORT_MARGIN, _IMPORT_MARGIN)))
        self._follow()

    def _build(self) -> None:
        self._pages.addWidget(self.table)
        self._pages.addWidget(self._empty)
        row = self.make_ends(self.take, before=[self.file])
        hint = tr("Their secrets move to the keyring. Nothing starts before you have seen what runs.")
        column = vbox(self, margins=(20, 20, 20, 16), spacing=12)
        column.addWidget(TextLabel(tr("Import servers"), "title"))
        column.addWidget(TextLabel(hint, "small", "text2", wrap=True))
        column.addWidget(self._pages, 1)
        column.addWidget(self._problem)
        column.addLayout(row)

    def show_found(self, rows: Sequence[ImportRow], *, origin: str = "") -> None:
        """List what was found.

        Args:
            origin: The file that was read; empty for all programs that are known.
        """
        came = self.model.add_rows(rows)
        self.show_problem("" if came or not origin else tr("{origin} names no further server.", origin=origin))
        if not self.model.rows:
            self._empty.show_text(
                tr("No servers found"), tr("No other program has any here. Choose a file that names some.")
            )
        self._follow()

    def show_problem(self, problem: str) -> None:
        """Say what could not be read; empty when all is well."""
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))

    def _follow(self) -> None:
        count = len(self.model.chosen)
        self._pages.setCurrentIndex(0 if self.model.rows else 1)
        self.take.setEnabled(bool(count))
        self.take.setText(tr_count(count, "Import 1 server", "Import {count:,} servers") if count else tr("Import"))
        self.take.updateGeometry()

    def _on_take_clicked(self) -> None:
        self.take_requested.emit(self.model.chosen)

    def _on_file_clicked(self) -> None:
        ask_open_path(self, tr("Choose a file that names servers"), "", _FILES, self.file_chosen)


_WIDTH: Final = 640


class ConsentDialog(WindowDialog):
    """Show a start untruncated, and let a person agree. Enter and Esc start nothing.

    Args:
        asks_trust: Whether it may be said here that the server's word about risk is believed.

    Signals:
        allowed(str, str, bool): The server of this name may start from now on, as the start with this digest; whether
            what it says of the risk of its tools is believed.
    """

    allowed = Signal(str, str, bool)

    def __init__(self, name: str, start: StartRow, parent: QWidget, *, asks_trust: bool = False) -> None:
        super().__init__(tr("Start {name}?", name=name), parent)
        self._name = name
        self._digest = start.digest
        self.setMinimumWidth(_WIDTH)
        self.start = StartView(
            tr("This runs with your rights"), tr("This is reached, and is sent what its tools are given")
        )
        self.start.show_start(start)
        self.trust = QCheckBox(tr("Believe what it says of the risk of its tools"))
        self.trust.setVisible(asks_trust)
        self.allow = Button(tr("Allow and start"), icon="play", large=True)
        self.allow.setEnabled(not start.problem)
        keep = Button(tr("Do not start"), large=True, shortcut_hint="Esc")
        keep.setDefault(True)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.allow)
        row.addWidget(keep)
        words = tr(
            "Nobody has allowed this start yet. You are asked again when the command, its folder, its variables or the"
            " address change."
        )
        column = vbox(self, margins=(20, 20, 20, 16), spacing=10)
        column.addWidget(TextLabel(tr("Start {name}?", name=name), "title", wrap=True))
        column.addWidget(TextLabel(words, "body", "text2", wrap=True))
        column.addWidget(self.start)
        column.addWidget(self.trust)
        column.addSpacing(8)
        column.addLayout(row)
        self.allow.clicked.connect(self._on_allow_clicked)
        keep.clicked.connect(self.reject)
        keep.setFocus()

    def _on_allow_clicked(self) -> None:
        self.allowed.emit(self._name, self._digest, self.trust.isChecked())
        self.accept()


class _Card(QFrame):
    """One server: a mark, what runs, and what is still to be filled in."""

    changed = Signal()

    def __init__(self, server: PastedServer, parent: QWidget) -> None:
        super().__init__(parent)
        self.server = server
        name = str(server.value["name"])
        self.mark = QCheckBox(name, self)
        self.mark.setAccessibleName(tr("Add {name}", name=name))
        self.mark.setChecked(not server.start.problem)
        self.start = StartView(tr("Runs when {name} starts", name=name), tr("{name} is reached at", name=name), self)
        self.start.show_start(server.start._replace(missing=()))
        self._fields = asked_schema(server.asked)
        column = vbox(self, spacing=6)
        column.addWidget(self.mark)
        if server.note:
            column.addWidget(TextLabel(server.note, "small", "text2", wrap=True))
        self.form: SchemaForm | None = None
        if self._fields:
            self.form = SchemaForm(parent=self)
            self.form.set_schema({"type": "object", "properties": self._fields})
            self.form.changed.connect(self.changed)
            column.addWidget(self.form)
        column.addWidget(self.start)
        self.mark.toggled.connect(self.changed)

    @property
    def open_still(self) -> str:
        """Give the words of the first value without which the server cannot start; empty for none."""
        written = {} if self.form is None else self.form.value()
        needed = {one.where for one in self.server.asked if one.is_needed}
        fields = self._fields.items()
        return next((words for words, field in fields if field["x-where"] in needed and not written.get(words)), "")

    def value(self) -> dict[str, Any]:
        """Give the settings, with what was filled in."""
        written = {} if self.form is None else self.form.value()
        answers = {field["x-where"]: str(written.get(words) or "") for words, field in self._fields.items()}
        return {**self.server.value, **({"answers": answers} if answers else {})}


class PastedView(QScrollArea):
    """List servers, each with all that it starts, so that whoever adds them has seen it.

    Signals:
        changed: Others are marked now, or something was filled in.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Servers of the pasted text"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.cards: tuple[_Card, ...] = ()
        set_surface(self, "raised")

    @property
    def can_save(self) -> bool:
        """Say whether some are marked, and nothing of those is still to be filled in."""
        marked = self._marked
        return bool(marked) and not any(card.open_still or card.server.start.problem for card in marked)

    def show_servers(self, servers: Sequence[PastedServer]) -> None:
        """List other servers, all of them marked."""
        body = QWidget()
        set_surface(body, "raised")
        column = vbox(body, margins=(0, 0, 12, 0), spacing=16)
        self.cards = tuple(_Card(server, body) for server in servers)
        for card in self.cards:
            card.changed.connect(self.changed)
            column.addWidget(card)
        column.addStretch(1)
        # The former list goes with its widget.
        self.setWidget(body)

    def values(self) -> list[dict[str, Any]]:
        return [card.value() for card in self._marked]

    def focus_open(self) -> bool:
        """Put the focus on the first value that is still to be filled in; say whether there is one."""
        for card in self._marked:
            words = card.open_still
            if words and card.form is not None:
                return card.form.focus_field((words,))
        return False

    @property
    def _marked(self) -> list[_Card]:
        return [card for card in self.cards if card.mark.isChecked()]


_SIZE: Final = QSize(820, 720)
_MARGIN: Final = 48
_PASTE_HEIGHT: Final = 64
_PAUSE_MS: Final = 100
_RETURN: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_HINT: Final = tr("Paste a command, an address, or the mcpServers block of a README")


class PasteField(QPlainTextEdit):
    """Take any text; Enter asks to go on, Shift+Enter begins another line.

    Signals:
        submitted: Enter was pressed.
    """

    submitted = Signal()

    def __init__(self) -> None:
        super().__init__()
        # Code is read so in every language.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setAccessibleName(tr("Command, address or block of settings"))
        self.setPlaceholderText(_HINT)
        self.setTabChangesFocus(True)
        self.setFont(theme_of(self).font("code"))
        self.setFixedHeight(_PASTE_HEIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in _RETURN and keys == Qt.KeyboardModifier.NoModifier:
            self.submitted.emit()
        elif event.key() in _RETURN and keys == Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            super().keyPressEvent(event)


class ConfigDialog(WindowDialog):
    """Ask for a new server, or for several that one text names. Nothing runs before it is tested or added.

    Enter in the field on top goes to what is still to be filled in, then to the button that adds; a second Enter there
    adds. Ctrl+Enter adds from anywhere.

    Args:
        value: The settings at first.

    Signals:
        meaning_wanted(str): What a text means is to be shown; `show_understood` takes it.
        trial_requested(dict): The server shall be tried with these settings.
        add_requested(list): The servers with these settings shall be kept, and started.
    """

    meaning_wanted = Signal(str)
    trial_requested = Signal(dict)
    add_requested = Signal(list)

    def __init__(self, value: Mapping[str, Any], parent: QWidget) -> None:
        super().__init__(tr("Connect a server"), parent)
        self.paste = PasteField()
        self.meaning = IconLabel("info", "", "small", "text3")
        self.form = ConfigForm()
        self.several = PastedView()
        self.problem = TextLabel("", "small", "error", wrap=True)
        self.problem.hide()
        self.trial = Button(tr("Test connection"), icon="activity", large=True)
        self.save = Button(tr("Add and connect"), kind="primary", large=True, shortcut_hint="Ctrl+Enter")
        self._pages = QStackedWidget()
        self._value = value
        self._is_busy = False
        self._goes_on = False
        self._read = ""
        self._is_nothing = False
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._build()
        self.resize(_SIZE.boundedTo(parent.window().size() - QSize(_MARGIN, _MARGIN)))
        self.paste.textChanged.connect(self._on_paste_text_changed)
        self.paste.submitted.connect(self._on_paste_submitted)
        self._pause.timeout.connect(self._on_pause_timeout)
        self.form.changed.connect(self._follow)
        self.several.changed.connect(self._follow)
        self.trial.clicked.connect(self._on_trial_clicked)
        self.save.clicked.connect(self._on_save_clicked)

    def _build(self) -> None:
        row = self.make_ends(self.save, before=[self.trial])
        self._pages.addWidget(self.form)
        self._pages.addWidget(self.several)
        column = vbox(self, margins=(20, 16, 20, 16), spacing=10)
        column.addWidget(TextLabel(tr("Connect a server"), "title"))
        column.addWidget(self.paste)
        column.addWidget(self.meaning)
        column.addWidget(self._pages, 1)
        column.addWidget(self.problem)
        column.addLayout(row)
        self._show_meaning(PasteResult())

    def begin(self, text: str = "") -> None:
        """Show the settings; whoever listens is connected by then.

        Args:
            text: What was pasted already; empty for nothing.
        """
        self.form.show_value(self._value)
        self._follow()
        self.paste.setFocus(Qt.FocusReason.OtherFocusReason)
        if text:
            self.paste.setPlainText(text)
            self.paste.selectAll()
            self._pause.stop()
            self._on_pause_timeout()

    def show_understood(self, text: str, understood: PasteResult) -> None:
        """Show what a text means, if that is still what stands there; what cannot be read changes no field."""
        # What was filled in since the same text was read must stay.
        if text != self.paste.toPlainText() or text == self._read:
            return
        self._read = text
        servers = understood.servers
        self._is_nothing = bool(understood.problem) and not servers
        self._show_meaning(understood)
        if len(servers) == 1:
            self.form.show_value(servers[0].value, servers[0].asked)
        elif servers:
            self.several.show_servers(servers)
        if servers:
            self._pages.setCurrentIndex(0 if len(servers) == 1 else 1)
            self.show_problem("")
        self._follow()

    def show_busy(self, *, busy: bool, words: str = "") -> None:
        """Show that the server is being tried or kept.

        Args:
            words: What happens meanwhile; empty leaves what was understood in sight.
        """
        self._is_busy = busy
        if words:
            self.meaning.show_state("loader-circle", words, "text2")
        self._follow()

    def show_problem(self, problem: str) -> None:
        """Say why it cannot be kept; empty when it can."""
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Add with Ctrl+Enter, or with Enter on the button that adds."""
        is_return = event.key() in _RETURN
        by_chord = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if is_return and (by_chord or self.save.hasFocus()):
            self.save.click()
        elif not is_return:
            super().keyPressEvent(event)

    @property
    def _is_several(self) -> bool:
        return self._pages.currentIndex() == 1

    def _show_meaning(self, understood: PasteResult) -> None:
        if understood.servers:
            icon, tone = ("triangle-alert", "warn") if understood.problem else ("circle-check", "ok")
            words = ". ".join(filter(None, (understood.words, understood.problem, *self._notes(understood))))
            self.meaning.show_state(icon, words, tone)  # type: ignore[arg-type]
        elif understood.problem:
            self.meaning.show_state("circle-alert", understood.problem, "error")
        else:
            self.meaning.show_state("info", tr("Or fill in the fields. Nothing runs before you have seen it."), "text3")

    @staticmethod
    def _notes(understood: PasteResult) -> tuple[str, ...]:
        # In a list each server says its own.
        return (understood.servers[0].note,) if len(understood.servers) == 1 else ()

    def _follow(self) -> None:
        # What a former text named must not be added in the place of one that is not read yet, or means nothing.
        is_read = self._read == self.paste.toPlainText()
        if self._is_several:
            can_save = is_read and not self._is_nothing and self.several.can_save
        else:
            can_save = is_read and self.form.can_save
        self.trial.setVisible(not self._is_several)
        self.trial.setEnabled(can_save and not self._is_busy)
        self.save.setEnabled(can_save and not self._is_busy)
        count = len(self.several.values()) if self._is_several else 1
        self.save.setText(
            tr("Add and connect {count:,}", count=count) if self._is_several and count else tr("Add and connect")
        )
        self.save.updateGeometry()
        if self._goes_on and not self._pause.isActive():
            self._go_on()

    def _go_on(self) -> None:
        """Go to what is still to be filled in, or to the button that adds, once what would run is in sight."""
        if self.save.isEnabled():
            self._goes_on = False
            self.save.setFocus(Qt.FocusReason.TabFocusReason)
        elif self.several.focus_open() if self._is_several else self.form.focus_open():
            self._goes_on = False

    def _on_paste_text_changed(self) -> None:
        self._goes_on = False
        self._pause.start()
        self._follow()

    def _on_paste_submitted(self) -> None:
        self._goes_on = True
        if self._pause.isActive():
            self._pause.stop()
            self._on_pause_timeout()
        else:
            self._go_on()

    def _on_pause_timeout(self) -> None:
        self.meaning_wanted.emit(self.paste.toPlainText())

    def _on_trial_clicked(self) -> None:
        if not self.form.editor.reveal_problems():
            self.trial_requested.emit(self.form.value())

    def _on_save_clicked(self) -> None:
        if self._is_several:
            self.add_requested.emit(self.several.values())
        elif not self.form.editor.reveal_problems() and self.form.can_save:
            self.add_requested.emit([self.form.value()])
