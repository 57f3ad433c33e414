"""The dialog that connects the program of an agent: which one, what changes in its file, and whether it called."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from console.comparison.text_view import DifferenceText
from console.gateway.client_model import ClientModel, ClientRow, ConnectedClient, ConnectionPreview
from console.language import tr
from console.theme import theme_of
from console.widgets import (
    BarFrame,
    Button,
    ElidedLabel,
    IconButton,
    IconLabel,
    StatusGlyph,
    TableView,
    TextLabel,
    ToneFrame,
    WindowDialog,
    format_time,
    hbox,
    vbox,
)

_SIZE: Final = QSize(960, 620)
_MARGIN: Final = 48
_LIST_WIDTH: Final = 300
_RETURN: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_IN_FILE: Final = tr("The agent’s token will stand in this file, which only you can read then.")
_AS_VARIABLE: Final = tr("This file may come to other people, so it gets a variable; the token is shown once.")
_VARIABLE: Final = "TOOL_CONSOLE_TOKEN"
_AGAIN: Final = tr("{name} gets another token; the one it has now is good until the file is written.")
_TRANSPORTS: Final = (
    (tr("HTTP, while the gateway is on"), False),
    (tr("Bridge, a program that it starts (stdio)"), True),
)
_ONLY_BRIDGE: Final = tr("This program only starts programs, so it gets the bridge.")
_BRIDGE: Final = tr("It starts tool-console bridge, which has agents served in the background when no gateway is on.")
_UNDO: Final = tr("Undo")
_ENTRY_ONLY: Final = tr("Take the entry out")


class ConnectDialog(WindowDialog):
    """Show the programs that are here, what connecting one changes, and when its first request comes.

    Args:
        parent: The window it stands over.

    Signals:
        preview_requested(str): What connecting this program would change is to be shown.
        transport_chosen(str, bool): This program is to start the bridge to reach the gateway, or to use HTTP.
        connect_requested(str, str, str): This program is to be connected, its agent called this, with this profile.
        undo_requested(str, bool): What was written for this program is to be taken back; whether only the entry.
        copy_requested(str): What goes into the settings of this program, by its words, is to be copied.
    """

    preview_requested = Signal(str)
    transport_chosen = Signal(str, bool)
    connect_requested = Signal(str, str, str)
    undo_requested = Signal(str, bool)
    copy_requested = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("Connect an agent"), parent)
        self.setObjectName("connectDialog")
        self.model = ClientModel(self)
        self.table = TableView(self.model, tr("Programs"), edge=12, left=12)
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Name of the agent"))
        self.name.setMaxLength(40)
        self.profile = QComboBox()
        self.profile.setAccessibleName(tr("Profile of the agent"))
        self.transport = QComboBox()
        self.transport.setAccessibleName(tr("How it reaches the gateway"))
        for title, over_bridge in _TRANSPORTS:
            self.transport.addItem(title, over_bridge)
        self.text = DifferenceText()
        self.text.setAccessibleName(tr("Change of the file"))
        self.problem = TextLabel("", "small", "error", wrap=True)
        self.token = QLineEdit()
        self.token.setReadOnly(True)
        self.token.setAccessibleName(tr("Token"))
        self.token.setFont(theme_of(self).font("code"))
        self.copy_token = IconButton("copy", tr("Copy the token"), outlined=True)
        self.waiting = TextLabel("", "heading", wrap=True)
        self.hint = TextLabel("", "small", "text2", wrap=True)
        self.undo = Button(_UNDO, icon="undo-2", large=True)
        self.copy = Button(tr("Copy the entry"), icon="copy", large=True)
        self.write = Button(tr("Write"), kind="primary", icon="file-input", large=True, shortcut_hint="Ctrl+Enter")
        self._glyph = StatusGlyph("running", 16)
        self._program = TextLabel("", "title")
        self._path = ElidedLabel("", "code", "text2", elide=Qt.TextElideMode.ElideMiddle)
        self._note = IconLabel("lock", "")
        self._is_waiting = False
        self._preview: ConnectionPreview | None = None
        self._is_busy = False
        self._lay_out()
        self._connect()
        self.resize(_SIZE.boundedTo(parent.window().size() - QSize(_MARGIN, _MARGIN)))
        self._follow()

    def _connect(self) -> None:
        self.table.chosen.connect(self._on_table_chosen)
        self.name.textChanged.connect(self._follow)
        self.transport.activated.connect(self._on_transport_activated)
        self.undo.clicked.connect(self._on_undo_clicked)
        self.copy.clicked.connect(self._on_copy_clicked)
        self.write.clicked.connect(self._on_write_clicked)
        self.copy_token.clicked.connect(self._on_copy_token_clicked)

    def _lay_out(self) -> None:
        for button in (self.undo, self.copy, self.write):
            button.setAutoDefault(False)
        self.table.setFixedWidth(_LIST_WIDTH)
        middle = hbox(spacing=20)
        middle.addWidget(self._in_card(self.table))
        middle.addLayout(self._made_column(), 1)
        column = vbox(self, margins=(20, 20, 20, 16), spacing=12)
        column.addWidget(TextLabel(tr("Connect an agent"), "title"))
        lead = tr("Its program is told of the gateway in its own settings. Nothing is written before you have seen it.")
        column.addWidget(TextLabel(lead, "small", "text2", wrap=True))
        column.addLayout(middle, 1)
        column.addLayout(self.make_ends(self.copy, self.write, decline=tr("Close"), before=[self.undo]))

    def _in_card(self, inside: QWidget) -> QFrame:
        card = QFrame()
        card.setProperty("card", "true")
        vbox(card, margins=(1, 1, 1, 1)).addWidget(inside)
        return card

    def _made_column(self) -> QVBoxLayout:
        self._fields = QWidget()
        fields = QGridLayout(self._fields)
        fields.setContentsMargins(0, 0, 0, 0)
        fields.setHorizontalSpacing(12)
        fields.setVerticalSpacing(8)
        rows = ((tr("Name"), self.name), (tr("Profile"), self.profile), (tr("Reached by"), self.transport))
        for row, (title, field) in enumerate(rows):
            fields.addWidget(TextLabel(title, "small", "text2"), row, 0)
            fields.addWidget(field, row, 1)
        head = BarFrame(36, surface="inset", margins=(12, 12))
        head.row.addWidget(IconLabel("file-diff", ""))
        head.row.addWidget(self._path, 1)
        changed = QWidget()
        inside = vbox(changed)
        inside.addWidget(head)
        inside.addWidget(self.text, 1)
        self._card = self._in_card(changed)
        column = vbox(spacing=12)
        column.addWidget(self._program)
        for part in (self._fields, self._made_wait(), self._token_box):
            column.addWidget(part)
        column.addWidget(self._card, 1)
        column.addWidget(self._note)
        column.addWidget(self.problem)
        column.addStretch(0)
        return column

    def _made_wait(self) -> QWidget:
        self._wait = ToneFrame("run")
        row = hbox(self._wait, margins=(12, 12, 12, 12), spacing=12)
        row.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignTop)
        words = vbox(spacing=4)
        words.addWidget(self.waiting)
        words.addWidget(self.hint)
        row.addLayout(words, 1)
        self._token_box = QWidget()
        box = vbox(self._token_box, spacing=8)
        box.addWidget(
            IconLabel(
                "key-round", tr("{variable} is this token. It is shown once; a hash of it is kept.", variable=_VARIABLE)
            )
        )
        line = hbox(spacing=8)
        line.addWidget(self.token, 1)
        line.addWidget(self.copy_token)
        box.addLayout(line)
        return self._wait

    @property
    def chosen(self) -> ClientRow | None:
        """The program that is looked at; None before there is one."""
        row: ClientRow | None = self.table.chosen_row
        return row

    @property
    def over_bridge(self) -> bool:
        """Whether the program that is looked at shall start the bridge."""
        return bool(self.transport.currentData())

    @property
    def is_waiting(self) -> bool:
        """Whether a program was connected just now, and its first request is waited for."""
        return self._is_waiting

    def show_clients(self, rows: Sequence[ClientRow]) -> None:
        """List the programs; the one that is looked at stays."""
        is_first = not self.model.rows
        self.model.show_rows(rows)
        if is_first and rows:
            first = next((row for row in rows if not row.problem), rows[0])
            self.table.choose(first.key)
            self.table.setFocus()
            self.preview_requested.emit(first.key)

    def show_preview(self, preview: ConnectionPreview) -> None:
        """Show what connecting the program that is looked at would change; of another one it comes too late."""
        row = self.chosen
        if row is None or row.key != preview.key:
            return
        is_other = self._preview is None or (self._preview.key, self._preview.name) != (preview.key, preview.name)
        self._preview = preview
        self._program.setText(row.title)
        self._path.set_text(row.path)
        if is_other:
            self._show_agent(preview)
        self.transport.setCurrentIndex(self.transport.findData(preview.over_bridge))
        self.transport.setEnabled(preview.takes_http)
        tip = _ONLY_BRIDGE if not preview.takes_http else _BRIDGE if preview.over_bridge else ""
        self.transport.setToolTip(tip)
        self.transport.setAccessibleDescription(tip)
        self.text.show_difference(preview.difference)
        self.undo.setText(_UNDO)
        self.show_problem(preview.problem)

    def _show_agent(self, preview: ConnectionPreview) -> None:
        self.name.setText(preview.name)
        self.profile.clear()
        for profile in ("", *preview.profiles):
            self.profile.addItem(profile or tr("All tools"), profile)
        self.profile.setCurrentIndex(self.profile.findData(preview.profile))

    def show_problem(self, problem: str, *, can_take_out: bool = False) -> None:
        """Say what cannot be done; empty for nothing.

        Args:
            can_take_out: Whether the entry alone can still be taken out.
        """
        self._is_busy = self._is_waiting = False
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        if can_take_out:
            self.undo.setText(_ENTRY_ONLY)
        self._follow()

    def show_waiting(self, connection: ConnectedClient) -> None:
        """Say that a program is connected, and that its first request is waited for."""
        self._is_busy, self._is_waiting = False, True
        self._wait.tone = "run"
        self._glyph.set_status("running")
        self.waiting.setText(tr("Waiting for the first call of {agent}", agent=connection.agent))
        self.hint.setText(connection.next_step)
        self._note.show_state("circle-check", tr("Written into {path}", path=connection.path), icon_tone="ok")
        self.token.setText(connection.token)
        self._follow()
        self.table.setFocus()

    def show_silence(self, advice: str) -> None:
        """Say what may be wrong, as nothing came for a while; it is waited on."""
        self.hint.setText(advice)

    def show_called(self, agent: str, at: datetime) -> None:
        self._wait.tone = "ok"
        self._wait.update()
        self._glyph.set_status("success")
        self.waiting.setText(tr("{agent} is connected", agent=agent))
        self.hint.setText(
            tr("Its first request came at {at}. Its calls pass your rules, and ask you here.", at=format_time(at))
        )

    @Slot()
    def _follow(self) -> None:
        preview = self._preview
        is_waiting, preview = self._is_waiting, self._preview
        can_change = preview is not None and preview.difference is not None
        self._fields.setVisible(can_change and not is_waiting)
        self._wait.setVisible(is_waiting)
        self._token_box.setVisible(is_waiting and bool(self.token.text()))
        self._card.setVisible(can_change)
        self._note.setVisible(can_change)
        if preview is not None and not is_waiting:
            name = self.name.text().strip()
            note = _AS_VARIABLE if preview.needs_variable else _IN_FILE
            again = f" {_AGAIN.format(name=name)}" if name in preview.agents else ""
            self._note.show_state("lock", f"{note}{again}")
        self.write.setVisible(not is_waiting)
        self.write.setEnabled(not self._is_busy and can_change and bool(self.name.text().strip()))
        self.copy.setVisible(not is_waiting)
        self.copy.setEnabled(self.chosen is not None)
        self.undo.setVisible(is_waiting or (preview is not None and preview.can_undo))
        self.undo.setEnabled(not self._is_busy)

    @Slot(str)
    def _on_table_chosen(self, key: str) -> None:
        self._preview = None
        self._follow()
        self.preview_requested.emit(key)

    @Slot(int)
    def _on_transport_activated(self, _: int) -> None:
        if self._preview is not None and self._preview.over_bridge != self.over_bridge:
            self.transport_chosen.emit(self._preview.key, self.over_bridge)

    @Slot()
    def _on_write_clicked(self) -> None:
        if self._preview is not None:
            self._is_busy = True
            self._follow()
            self.connect_requested.emit(self._preview.key, self.name.text().strip(), self.profile.currentData())

    @Slot()
    def _on_undo_clicked(self) -> None:
        if (row := self.chosen) is not None:
            self._is_busy = True
            self._follow()
            self.undo_requested.emit(row.key, self.undo.text() == _ENTRY_ONLY)

    @Slot()
    def _on_copy_clicked(self) -> None:
        if (row := self.chosen) is not None:
            self.copy_requested.emit(row.words)

    @Slot()
    def _on_copy_token_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.token.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Write with Ctrl+Enter."""
        is_return = event.key() in _RETURN and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if is_return and self.write.isVisible() and self.write.isEnabled():
            self._on_write_clicked()
        elif event.key() not in _RETURN:
            super().keyPressEvent(event)
