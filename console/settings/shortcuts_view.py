"""The list of shortcuts, and the dialog that waits for keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from console.keymap import portable
from console.language import tr
from console.settings.shortcuts import ShortcutRow, ShortcutsModel
from console.settings.view import SectionPart
from console.widgets import Button, CentredDialog, TableView, TextLabel, hbox, vbox

_MOST_HEIGHT: Final = 480
_WIDTH: Final = 440
_MODIFIERS: Final = {
    Qt.Key.Key_Control,
    Qt.Key.Key_Shift,
    Qt.Key.Key_Alt,
    Qt.Key.Key_AltGr,
    Qt.Key.Key_Meta,
    Qt.Key.Key_CapsLock,
    Qt.Key.Key_NumLock,
}
_PLAIN: Final = {Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Backtab}
"""Alone, or with Shift, these move in the dialog and end it."""


class ShortcutsView(SectionPart):
    """List commands with their keys.

    Signals:
        change_requested(str): This command shall have other keys.
        remove_requested(str): This command shall have no keys.
        reset_requested(str): This command shall have its shipped keys.
        reset_all_requested(): All commands shall have them.
    """

    change_requested = Signal(str)
    remove_requested = Signal(str)
    reset_requested = Signal(str)
    reset_all_requested = Signal()

    def __init__(self, model: ShortcutsModel) -> None:
        super().__init__()
        self.model = model
        model.setParent(self)
        self._count = 0
        self.table = TableView(model, tr("Shortcuts"))
        self.change = Button(tr("Change…"), kind="primary", icon="pencil")
        self.remove = Button(tr("No keys"), icon="x")
        self.reset = Button(tr("Reset"), icon="rotate-ccw")
        self.reset_all = Button(tr("Reset all"), kind="ghost", icon="rotate-ccw")
        self._problem = TextLabel("", "small", "error", wrap=True)
        self._problem.hide()
        buttons = hbox(spacing=8)
        for button in (self.change, self.remove, self.reset):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.reset_all)
        column = vbox(self, spacing=8)
        column.addWidget(self.table)
        column.addWidget(self._problem)
        column.addLayout(buttons)
        self.table.opened.connect(self._on_change_clicked)
        self.table.selected.connect(self._show_buttons)
        self.table.remove_requested.connect(self._on_remove_clicked)
        model.rows_changed.connect(self._fit)
        self.change.clicked.connect(self._on_change_clicked)
        self.remove.clicked.connect(self._on_remove_clicked)
        self.reset.clicked.connect(self._on_reset_clicked)
        self.reset_all.clicked.connect(self.reset_all_requested)
        self._show_buttons()

    def show_rows(self, rows: Sequence[ShortcutRow], *, has_own: bool) -> None:
        self._count = len(rows)
        self.model.show_rows(rows)
        self.reset_all.setEnabled(has_own)
        self._show_buttons()

    def show_problem(self, problem: str) -> None:
        """Say what is wrong; "" takes it away."""
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))

    def ask_keys(self, name: str, keys: str) -> ShortcutDialog:
        """Wait for the keys of a command; the dialog is open then."""
        dialog = ShortcutDialog(name, keys, self)
        dialog.open()
        return dialog

    def narrow(self, wanted: Sequence[str]) -> tuple[int, int]:
        """List only what is found by these words."""
        self.model.narrow((lambda row: row.matches(wanted)) if wanted else None)
        return self.model.rowCount(), self._count

    @property
    def _chosen(self) -> ShortcutRow | None:
        row: ShortcutRow | None = self.table.chosen_row
        return row

    @Slot()
    def _fit(self) -> None:
        self.table.setFixedHeight(min(_MOST_HEIGHT, self.table.rows_height + 2))

    @Slot()
    def _show_buttons(self) -> None:
        row = self._chosen
        can_change = row is not None and bool(row.key)
        self.change.setEnabled(can_change)
        self.remove.setEnabled(can_change and row is not None and bool(row.keys))
        self.reset.setEnabled(can_change and row is not None and row.is_own)
        fixed = "" if row is None or row.key else tr("These keys are fixed")
        for button in (self.change, self.remove, self.reset):
            button.setToolTip(fixed)

    @Slot()
    def _on_change_clicked(self) -> None:
        if (row := self._chosen) is not None and row.key:
            self.change_requested.emit(row.key)

    @Slot()
    def _on_remove_clicked(self) -> None:
        if (row := self._chosen) is not None and row.key and row.keys:
            self.remove_requested.emit(row.key)

    @Slot()
    def _on_reset_clicked(self) -> None:
        if (row := self._chosen) is not None and row.key:
            self.reset_requested.emit(row.key)


class _KeyField(QLineEdit):
    """Shows the keys that were pressed in it.

    Signals:
        pressed(str): These keys were pressed, in Qt's portable form.
    """

    pressed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)

    def event(self, event: QEvent) -> bool:
        """Take every key for itself before a shortcut does."""
        if isinstance(event, QKeyEvent) and self._takes(event):
            if event.type() is QEvent.Type.KeyPress:
                modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
                self.pressed.emit(portable(QKeySequence(QKeyCombination(modifiers, Qt.Key(event.key())))))
            event.accept()
            return True
        return super().event(event)

    @staticmethod
    def _takes(event: QKeyEvent) -> bool:
        if event.type() not in {QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride}:
            return False
        is_plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier & ~Qt.KeyboardModifier.KeypadModifier
        return event.key() not in _MODIFIERS and not (is_plain and event.key() in _PLAIN)


class ShortcutDialog(CentredDialog):
    """Wait for the keys of a command.

    Args:
        keys: What it has now; empty for none.
        parent: What it stands over.

    Signals:
        pressed(str): These keys were pressed; `show_keys` answers.
        agreed(str): The command shall have these.
    """

    pressed = Signal(str)
    agreed = Signal(str)

    def __init__(self, name: str, keys: str, parent: QWidget) -> None:
        super().__init__(tr("Keys for “{name}”", name=name), parent)
        self.setMinimumWidth(_WIDTH)
        self._keys = ""
        self.field = _KeyField()
        self.field.setAccessibleName(tr("Press the keys"))
        self.field.setPlaceholderText(tr("Now {keys}", keys=keys) if keys else tr("None yet"))
        self.words = TextLabel("", "body", "warn", wrap=True)
        self.problem = TextLabel("", "body", "error", wrap=True)
        self.keep = Button(tr("Use these keys"), kind="primary", large=True)
        self.keep.setEnabled(False)
        self.keep.setDefault(True)
        column = vbox(self, margins=(20, 20, 20, 16), spacing=8)
        column.addWidget(TextLabel(tr("Keys for “{name}”", name=name), "title"))
        column.addWidget(TextLabel(tr("Press them. Nothing changes before you agree."), "body", "text2", wrap=True))
        column.addWidget(self.field)
        column.addWidget(self.words)
        column.addWidget(self.problem)
        column.addSpacing(8)
        column.addLayout(self.make_ends(self.keep))
        self.words.hide()
        self.problem.hide()
        self.field.pressed.connect(self.pressed)
        self.keep.clicked.connect(self._on_keep_clicked)
        self.field.setFocus()

    def show_keys(self, keys: str, shown: str, words: str, problem: str) -> None:
        """Show keys that were pressed.

        Args:
            keys: They, in Qt's portable form.
            shown: They, as people read them.
            words: What they call now; empty for nothing.
            problem: Why they cannot be had; empty when they can.
        """
        self._keys = keys
        self.field.setText(shown)
        for label, text in ((self.words, words), (self.problem, problem)):
            label.setText(text)
            label.setVisible(bool(text))
        self.keep.setText(tr("Take these keys") if words else tr("Use these keys"))
        self.keep.setEnabled(not problem)
        self.adjustSize()

    @Slot()
    def _on_keep_clicked(self) -> None:
        self.accept()
        self.agreed.emit(self._keys)
