"""Shortcuts on the page of settings: listed, searched, changed by pressing keys, and put back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject, Slot

from console.keymap import COMMANDS, FIXED_KEYS, Keymap, readable, why_no_shortcut
from console.language import in_english, tr, tr_count
from console.widgets import Cell, Column, TableModel

if TYPE_CHECKING:
    from console.settings.shortcuts_view import ShortcutDialog, ShortcutsView

_FIXED: Final = Cell(tr("Fixed"), "text3")
_CHANGED: Final = Cell(tr("Changed"), "accent")
_COLUMNS: Final = (
    Column(tr("Command"), least=240),
    Column(tr("Where"), 120),
    Column(tr("Keys"), 170),
    Column("", 120, samples=(_FIXED, _CHANGED)),
)


class ShortcutRow(NamedTuple):
    """A command and its keys.

    Attributes:
        key: What the command is called in code; empty for fixed keys.
        name: What people call it.
        keys: They, as people read them.
        english: What the command is called in English, where the window speaks another language.
    """

    key: str
    name: str
    place: str
    keys: str
    is_own: bool = False
    english: str = ""

    def matches(self, wanted: Sequence[str]) -> bool:
        """Say whether it is found by these words, in small letters."""
        said = (self.name, self.place, tr("shortcut"))
        searched = " ".join((*said, self.keys, self.english, *map(in_english, said))).casefold()
        return all(word in searched for word in wanted)


class ShortcutsModel(TableModel[ShortcutRow]):
    """List commands as they stand in the list of all of them, fixed keys last."""

    def __init__(self) -> None:
        super().__init__(_COLUMNS, _cells, _row_key)


class Shortcuts(QObject):
    """List the shortcuts, and change them."""

    def __init__(self, keys: Keymap, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self._view: ShortcutsView | None = None
        self._asked = ""
        self._dialog: ShortcutDialog | None = None
        keys.changed.connect(self._show)

    def make_view(self) -> ShortcutsView:
        """Return the list, which takes what is asked for there."""
        from console.settings.shortcuts_view import ShortcutsView  # noqa: PLC0415 -- see console.startup.loading

        view = self._view = ShortcutsView(ShortcutsModel())
        view.change_requested.connect(self._on_view_change_requested)
        view.remove_requested.connect(self._on_view_remove_requested)
        view.reset_requested.connect(self._on_view_reset_requested)
        view.reset_all_requested.connect(self._on_view_reset_all_requested)
        self._show()
        return view

    @Slot()
    def _show(self) -> None:
        if self._view is not None:
            self._view.show_rows(list(self._rows()), has_own=self._keys.has_own)

    def _rows(self) -> Iterator[ShortcutRow]:
        for command in COMMANDS.values():
            key = command.key
            english = in_english(command.text)
            yield ShortcutRow(key, command.name, command.place, self._keys.shown(key), self._keys.is_own(key), english)
        for fixed in FIXED_KEYS:
            yield ShortcutRow("", fixed.name, fixed.place, readable(fixed.keys))

    def _try(self, change: Callable[[], None]) -> None:
        if self._view is None:
            return
        problem = ""
        try:
            change()
        except ValueError as error:
            problem = f"{error}."
        except OSError as error:
            problem = tr(
                "The shortcuts could not be kept, and nothing changed: {error}.", error=error.strerror or error
            )
        self._view.show_problem(problem)

    @Slot(str)
    def _on_view_change_requested(self, key: str) -> None:
        if self._view is not None:
            self._asked = key
            self._dialog = dialog = self._view.ask_keys(COMMANDS[key].name, self._keys.shown(key))
            dialog.pressed.connect(self._on_dialog_pressed)
            dialog.agreed.connect(self._on_dialog_agreed)
            dialog.finished.connect(self._on_dialog_finished)

    @Slot(str)
    def _on_dialog_pressed(self, keys: str) -> None:
        """Say what these keys do now, before anything changes."""
        if self._dialog is None:
            return
        name = COMMANDS[self._asked].name
        problem, words = why_no_shortcut(keys), ""
        others = [] if problem else self._keys.holders(self._asked, keys)
        if others and others[0].command is None:
            problem = tr("{keys} is fixed: {name}. Press others", keys=readable(keys), name=others[0].name)
        elif others:
            words = tr_count(
                len(others),
                "{keys} is already used by {named}. It loses these keys if you give them to “{name}”.",
                "{keys} is already used by {named}. They lose these keys if you give them to “{name}”.",
                keys=readable(keys),
                named=tr(" and ").join(tr("“{name}”", name=other.name) for other in others),
                name=name,
            )
        self._dialog.show_keys(keys, readable(keys), words, f"{problem}." if problem else "")

    @Slot(str)
    def _on_dialog_agreed(self, keys: str) -> None:
        self._try(lambda: self._keys.assign(self._asked, keys))

    @Slot()
    def _on_dialog_finished(self) -> None:
        self._dialog = None

    @Slot(str)
    def _on_view_remove_requested(self, key: str) -> None:
        self._try(lambda: self._keys.assign(key, ""))

    @Slot(str)
    def _on_view_reset_requested(self, key: str) -> None:
        others = [other for other in self._keys.holders(key, COMMANDS[key].keys) if other.command is not None]
        if others and self._view is not None:
            # The same question as for keys that were pressed.
            self._on_view_change_requested(key)
            self._on_dialog_pressed(COMMANDS[key].keys)
        else:
            self._try(lambda: self._keys.reset(key))

    @Slot()
    def _on_view_reset_all_requested(self) -> None:
        self._try(self._keys.reset_all)


def _row_key(row: ShortcutRow) -> str:
    return row.key or f"{row.place} {row.keys}"


def _cells(row: ShortcutRow) -> tuple[Cell, ...]:
    if not row.key:
        return Cell(row.name), Cell(row.place, "text3"), Cell(row.keys, "text3"), _FIXED
    return (
        Cell(row.name, "text"),
        Cell(row.place),
        Cell(row.keys or tr("None", "keys"), "text" if row.keys else "text3"),
        _CHANGED if row.is_own else Cell(""),
    )
