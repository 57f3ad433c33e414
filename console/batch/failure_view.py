"""The strip below the plan: what failed, why, and what can be done about it here."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from console.widgets import Button, Divider, ElidedLabel, StatusGlyph, StatusName, TextLabel, set_surface

_ACTIONS: Final = (("edit", "Edit arguments", ""), ("skip", "Skip", ""), ("retry", "Retry", "refresh-cw"))
_WORDS: Final = 300
"""Logical pixels that the words need beside the buttons."""


class StepFailure(NamedTuple):
    """What is told of a step that did not succeed.

    Attributes:
        step: Its name.
        status: Its sign.
        fact: Which step it is.
        why: What happened.
        further: What to do, and what waits for it; empty when there is nothing to say.
        is_unsure: Whether it may have run, so that nobody may run it again unasked.
        has_good_rows: Whether some of its rows succeeded, so that only those that failed need be skipped.
    """

    step: str
    status: StatusName
    fact: str
    why: str
    further: str = ""
    is_unsure: bool = False
    has_good_rows: bool = False


class FailureStrip(QWidget):
    """Tell of one step that did not succeed.

    Args:
        parent: Its owner.

    Signals:
        action_requested(str, str): `edit`, `skip`, `skip_rows` or `retry`, for this step.
    """

    action_requested = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_surface(self, "panel")
        self.setObjectName("failureStrip")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._failure: StepFailure | None = None
        self._glyph = StatusGlyph("failed", 16)
        self._fact = TextLabel("", "heading")
        self._why = ElidedLabel("", "body", "text")
        self._further = ElidedLabel("", "small", "text2")
        self.buttons: dict[str, Button] = {}
        self._build()
        self.hide()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(Divider())
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setContentsMargins(12, 8, 12, 8)
        self._row.setSpacing(12)
        told = QHBoxLayout()
        told.setSpacing(12)
        told.addWidget(self._glyph)
        words = QVBoxLayout()
        words.setSpacing(0)
        first = QHBoxLayout()
        first.setSpacing(4)
        first.addWidget(self._fact)
        first.addWidget(self._why, 1)
        words.addLayout(first)
        words.addWidget(self._further)
        told.addLayout(words, 1)
        self._row.addLayout(told, 1)
        self._actions = QHBoxLayout()
        self._actions.setSpacing(12)
        self._actions.addStretch(1)
        for key, text, icon in _ACTIONS:
            button = self.buttons[key] = Button(text, icon=icon)
            button.setProperty("actionKey", key)
            button.clicked.connect(self._on_button_clicked)
            self._actions.addWidget(button)
        self._row.addLayout(self._actions)
        column.addLayout(self._row)

    @property
    def step(self) -> str:
        """Give the step it tells of; empty when it is away."""
        return "" if self._failure is None else self._failure.step

    def show_failure(self, failure: StepFailure | None) -> None:
        """Tell of a step; None takes the strip away."""
        if failure == self._failure:
            return
        self._failure = failure
        self.setVisible(failure is not None)
        if failure is None:
            return
        self._glyph.set_status(failure.status)
        self._fact.setText(failure.fact)
        self._why.set_text(failure.why)
        self._further.set_text(failure.further)
        self._further.setVisible(bool(failure.further))
        self.buttons["retry"].setText("Run it again" if failure.is_unsure else "Retry")
        self.buttons["skip"].setText("Skip rows" if failure.has_good_rows else "Skip")
        self.buttons["skip"].setProperty("actionKey", "skip_rows" if failure.has_good_rows else "skip")
        for key in ("skip", "retry"):
            self.buttons[key].updateGeometry()
        self.setAccessibleName(f"{failure.fact} {failure.why} {failure.further}".strip())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the buttons stand below the words where there is no room beside them."""
        super().resizeEvent(event)
        is_roomy = self.width() >= self._actions.sizeHint().width() + _WORDS
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._row.setDirection(beside if is_roomy else below)
        self._row.setSpacing(12 if is_roomy else 8)

    def _on_button_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, Button) and self._failure is not None:
            self.action_requested.emit(sender.property("actionKey"), self._failure.step)
