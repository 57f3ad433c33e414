"""What a person who refuses tells the caller: own words or ready-made ones, and what to do instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from console.approval.parts_view import LABEL_WIDTH, small_heading
from console.widgets import IconButton, Menu, TextLabel
from tools.calls import Advice

_PRESETS: Final = (
    ("This is not needed.", Advice.STOP),
    ("I do this myself.", Advice.STOP),
    ("Tell me first what it is for.", Advice.ASK),
    ("This takes too much. Take less.", Advice.CHANGE),
    ("Stay in the project folder.", Advice.CHANGE),
)
"""Reasons ready to be sent, and the advice that goes with each."""

_ADVICE: Final[Mapping[Advice, str]] = {
    Advice.NONE: "Nothing more",
    Advice.STOP: "Not to try this again",
    Advice.ASK: "To ask before it goes on",
    Advice.CHANGE: "To change the call and try again",
}
_BUTTON: Final = 22


class _ReasonLine(QLineEdit):
    """The field, with the button of the ready-made reasons inside."""

    def __init__(self) -> None:
        super().__init__()
        self.button = IconButton("chevron-down", "Ready-made reasons", size=_BUTTON, parent=self)
        self.setTextMargins(0, 0, _BUTTON, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the button at the end."""
        super().resizeEvent(event)
        self.button.move(QPoint(self.width() - _BUTTON - 3, (self.height() - _BUTTON) // 2))


class RefusalView(QWidget):
    """Take a reason, and what the caller is told to do.

    Args:
        hint: What the empty field says.
        parent: Its owner.
    """

    def __init__(self, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = _ReasonLine()
        self.field.setAccessibleName("Reason")
        self.field.setPlaceholderText(hint)
        self._menu = Menu("Ready-made reasons", self)
        for text, advice in _PRESETS:
            action = QAction(text, self._menu)
            action.setData((text, advice))
            action.triggered.connect(self._on_preset_triggered)
            self._menu.addAction(action)
        self._menu.addSeparator()
        told = Menu("Tell the caller", self._menu)
        group = QActionGroup(told)
        self._action_by_advice: dict[Advice, QAction] = {}
        for advice, words in _ADVICE.items():
            action = QAction(words, group)
            action.setCheckable(True)
            action.setData(advice)
            told.addAction(action)
            self._action_by_advice[advice] = action
        group.triggered.connect(self._on_group_triggered)
        self._menu.addMenu(told)
        self.field.button.setMenu(self._menu)
        self._told = TextLabel("", "small", "text3")
        row = QHBoxLayout()
        row.setSpacing(0)
        label = small_heading("Reason")
        label.setFixedWidth(LABEL_WIDTH)
        row.addWidget(label)
        row.addWidget(self.field, 1)
        self._told.setContentsMargins(LABEL_WIDTH, 4, 0, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self._told)
        self._advice = Advice.NONE
        self.advise(Advice.NONE)

    @property
    def reason(self) -> str:
        """The person's words; empty for none."""
        return self.field.text().strip()

    @property
    def advice(self) -> Advice:
        """What the caller is told to do if the call is denied."""
        return self._advice

    def advise(self, advice: Advice) -> None:
        """Choose what the caller is told to do."""
        self._advice = advice
        self._action_by_advice[advice].setChecked(True)
        words = _ADVICE[advice]
        self._told.setText(f"If you deny, the caller is also told {words[:1].lower()}{words[1:]}.")
        self._told.setVisible(advice is not Advice.NONE)

    def _on_preset_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            text, advice = action.data()
            self.field.setText(text)
            self.advise(Advice(advice))

    def _on_group_triggered(self, action: QAction) -> None:
        self.advise(Advice(action.data()))
