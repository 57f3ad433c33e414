"""Parts that the views of a question share: headings, widths, a table of texts, hints of keys on answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from console.language import tr
from console.theme import theme_of
from console.widgets import Button, Cell, Column, TableModel, TableView, TextLabel

_CELL: Final = 12
_WIDEST: Final = 420


class CellsTable(TableView):
    """Show rows of texts under their heads; each column has the room its words need, up to a limit.

    Args:
        heads: What stands above each column.
        cells: The texts, row by row.
        name: What a screen reader calls it.
        code: The columns that are written in the code face, as arguments are.
    """

    def __init__(
        self,
        heads: Sequence[str],
        cells: Sequence[Sequence[str]],
        name: str,
        *,
        code: Collection[int],
        parent: QWidget | None = None,
    ) -> None:
        def cells_of(row: tuple[int, Sequence[str]]) -> tuple[Cell, ...]:
            return tuple(
                Cell(text, "text" if place in code else "text2", is_code=place in code)
                for place, text in enumerate(row[1])
            )

        def key_of(row: tuple[int, Sequence[str]]) -> str:
            return str(row[0])

        metrics = QFontMetrics(theme_of().font("code"))
        widths = [
            min(_WIDEST, max(map(metrics.horizontalAdvance, words)) + 2 * _CELL + 4)
            for words in zip(heads, *cells, strict=True)
        ]
        columns = [Column(head, width) for head, width in zip(heads, (*widths[:-1], 0), strict=True)]
        model = TableModel(columns, cells_of, key_of)
        model.show_rows(enumerate(cells))
        super().__init__(model, name, parent, many=True, scrolls_sideways=True)
        model.setParent(self)


ALLOW_KEYS: Final = tr("A, then Enter")
DENY_KEYS: Final = tr("D, then Enter")
"""What an answer shows where letters choose it and Enter gives it."""

_CONFIRM: Final = tr("Enter to confirm")

LABEL_WIDTH: Final = 153
"""Where the fields below the arguments begin, in logical pixels: in line with the values above."""


def small_heading(text: str, parent: QWidget | None = None) -> TextLabel:
    """Return the heading of one part of the question."""
    label = TextLabel(text, "small", parent=parent)
    font = label.font()
    font.setWeight(font.Weight.DemiBold)
    label.setFont(font)
    label.setFixedHeight(theme_of(label).line_height("small"))
    return label


class AnswerHints(QObject):
    """Say on answers which keys give them, and on one that a letter chose that Enter gives it now.

    Args:
        buttons: The answers, with the keys they show.
    """

    def __init__(self, parent: QObject, *buttons: Button) -> None:
        super().__init__(parent)
        self._keys = {button: button.shortcut_hint for button in buttons}
        self._chosen: Button | None = None
        self._is_short = False
        for button in buttons:
            button.installEventFilter(self)

    def set_keys(self, button: Button, keys: str) -> None:
        self._keys[button] = keys
        if button is not self._chosen:
            self._show(button)

    def shorten(self, *, short: bool) -> None:
        """Show the first key alone, where the answers have little room, or all of them."""
        if short == self._is_short:
            return
        self._is_short = short
        for button in self._keys:
            if button is not self._chosen:
                self._show(button)

    def _show(self, button: Button) -> None:
        keys = self._keys[button]
        button.set_shortcut_hint(keys.partition(",")[0] if self._is_short else keys)

    def choose(self, button: Button) -> None:
        """Say on an answer that Enter gives it, until the focus leaves it."""
        self._forget()
        self._chosen = button
        button.set_shortcut_hint(_CONFIRM)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice that the focus leaves the answer."""
        if watched is self._chosen and event.type() is QEvent.Type.FocusOut:
            self._forget()
        return super().eventFilter(watched, event)

    def _forget(self) -> None:
        button, self._chosen = self._chosen, None
        if button is not None:
            self._show(button)
