"""Actions that people can find by name."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget

_WINDOW: Final = Qt.ShortcutContext.WindowShortcut


class CommandAction(QAction):
    """An action that the command palette offers as long as a widget that has it is on show.

    Args:
        text: What it does, as a menu says it.
        owner: The widget that has it.
        keys: Its shortcuts; the first one is shown.
        place: Where it belongs: "Window", "Tool"; those of "Settings" are listed apart.
        context: Where the shortcuts count.
        title: The same where no menu stands around it; empty for the text.
        button: What it presses; it is offered as long as that can be pressed.

    Attributes:
        place: As given.
        title: What the palette says.
    """

    def __init__(
        self,
        text: str,
        owner: QWidget,
        *keys: str,
        place: str,
        context: Qt.ShortcutContext = _WINDOW,
        title: str = "",
        button: QAbstractButton | None = None,
    ) -> None:
        super().__init__(text, owner)
        self.place = place
        self.title = (title or text).removesuffix("…")
        self.setShortcuts([QKeySequence(key) for key in keys])
        self.setShortcutContext(context)
        owner.addAction(self)
        self._button = button
        if button is not None:
            self.triggered.connect(button.click)

    @property
    def keys(self) -> str:
        """The shortcut as people read it: `Ctrl+Enter`; empty for none."""
        shortcut = self.shortcut()
        if shortcut.isEmpty():
            return ""
        return shortcut.toString(QKeySequence.SequenceFormat.PortableText).replace("Return", "Enter")

    @property
    def is_on_offer(self) -> bool:
        """Whether it would do something now."""
        if not self.isEnabled() or (self._button is not None and not self._button.isEnabled()):
            return False
        owners = (owner for owner in self.associatedObjects() if not isinstance(owner, QMenu))
        return any(isinstance(owner, QWidget) and owner.isVisible() for owner in owners)
