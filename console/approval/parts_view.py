"""What the parts of a question have in common: the heading, the width of labels, growing with the width."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.theme import theme_of
from console.widgets import Button, TextLabel

ALLOW_KEYS: Final = "A, then Enter"
DENY_KEYS: Final = "D, then Enter"
"""What an answer shows where letters choose it and Enter gives it."""

_CONFIRM: Final = "Enter to confirm"

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


def grow_with_width(widget: QWidget) -> None:
    """Let a widget's height follow its width, as texts need it that break into lines."""
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    policy.setHeightForWidth(True)
    widget.setSizePolicy(policy)


class AnswerHints(QObject):
    """Say on answers which keys give them, and on one that a letter chose that Enter gives it now.

    Args:
        parent: Its owner.
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
        """Show other keys on an answer."""
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
