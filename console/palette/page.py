"""The palette put together: it opens over the window, and says what was chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from console.language import in_english, tr
from console.palette.presenter import PalettePorts, PalettePresenter
from console.palette.rows import SETTINGS, PaletteRow, RowKind
from console.palette.view import PaletteView
from console.tasks import TaskScope
from console.widgets import CommandAction

_EVERYWHERE: Final = (tr("Page"), tr("Window"), SETTINGS, tr("Approvals"), tr("Help"))


class PalettePage(QObject):
    """Own the palette of a window.

    Args:
        window: Whose commands are offered.
        ports: Where the other rows come from; its `commands` are those of the window.

    Signals:
        chosen(PaletteRow): A tool, call or server is to be shown; commands were carried out.
        repeat_requested(PaletteRow): A tool or call is to run again.
        picked(str): What the palette is to remember of a choice.
    """

    chosen = Signal(object)
    repeat_requested = Signal(object)
    picked = Signal(str)

    def __init__(
        self,
        window: QWidget,
        ports: Callable[[Callable[[], Sequence[PaletteRow]]], PalettePorts],
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._action_by_key: dict[str, CommandAction] = {}
        self.view: Final = PaletteView(window)
        self._presenter = PalettePresenter(self.view, ports(self._commands), scope, self)
        self.view.chosen.connect(self._on_view_chosen)
        self.view.repeat_requested.connect(self._on_view_repeat_requested)

    def toggle(self) -> None:
        """Open the palette, or close it."""
        if self.view.isVisible():
            self.view.close_palette()
            return
        # Before the focus is in the palette: what can be done depends on what is on show, not on the focus.
        self.view.open_with()
        self._presenter.open()

    def _commands(self) -> list[PaletteRow]:
        # Looked for by a class of Qt's own: for one of ours each widget of the window would get a Python object.
        found = [action for action in self._window.findChildren(QAction) if isinstance(action, CommandAction)]
        self._action_by_key = {action.command.key: action for action in found if action.is_on_offer}
        rows = [_command_row(key, action) for key, action in self._action_by_key.items()]
        # What belongs to the page in front comes first.
        return sorted(rows, key=lambda row: _EVERYWHERE.index(row.detail) if row.detail in _EVERYWHERE else -1)

    @Slot(object)
    def _on_view_chosen(self, row: PaletteRow) -> None:
        self.view.close_palette()
        if row.kind is not RowKind.CALL:
            self.picked.emit(row.pick)
        if row.kind not in {RowKind.COMMAND, RowKind.SETTING}:
            self.chosen.emit(row)
            return
        # The page of a command can have been closed since it was listed.
        self._commands()
        if (action := self._action_by_key.get(row.key)) is not None:
            action.trigger()

    @Slot(object)
    def _on_view_repeat_requested(self, row: PaletteRow) -> None:
        self.view.close_palette()
        self.repeat_requested.emit(row)


def _command_row(key: str, action: CommandAction) -> PaletteRow:
    is_setting = action.command.place == SETTINGS
    is_switch = is_setting and action.isCheckable()
    english = (in_english(action.command.name), in_english(action.command.text))
    return PaletteRow(
        RowKind.SETTING if is_setting else RowKind.COMMAND,
        key,
        action.command.name,
        detail=action.command.place,
        keys=action.keys,
        words=tuple(filter(None, english)),
        is_on=action.isChecked() if is_switch else None,
    )
