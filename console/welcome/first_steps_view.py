"""The first steps: a bar above the status bar that leads through five things, each ticked when it happened."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSizePolicy, QToolBar, QWidget

from console.language import tr
from console.preferences import Preferences
from console.widgets import Button, ElidedLabel, IconButton, Menu, TextLabel, hbox

_HEIGHT: Final = 44


class FirstStep(NamedTuple):
    """One thing that somebody new does once.

    Attributes:
        key: What it is called in code and in the preferences.
        sentence: What the button does and what ticks the step.
    """

    key: str
    text: str
    sentence: str


FIRST_STEPS: Final = (
    FirstStep("run", tr("Run a tool"), tr("Opens a tool with an example filled in. Press Run there.")),
    FirstStep(
        "approve", tr("Approve a call"), tr("Deletes a scratch folder made for this. Run it, and allow what it asks.")
    ),
    FirstStep("health", tr("See health move"), tr("Opens the Health page and runs the tool again.")),
    FirstStep("batch", tr("Run a batch"), tr("Opens the sample batch. Press Run there.")),
    FirstStep("own", tr("Bring your own"), tr("Connect an agent or a server, or write a tool from a template.")),
)
"""The steps in the order in which they are proposed."""

_OWN: Final = (
    ("agent", tr("Connect an agent…")),
    ("server", tr("Connect an MCP server…")),
    ("tool", tr("Write a tool from a template…")),
)


def flag_of(key: str) -> str:
    """Return the preference that says whether a step is done."""
    return f"first_step_{key}"


def done_steps(preferences: Preferences) -> set[str]:
    """Return the keys of the steps that are done."""
    return {step.key for step in FIRST_STEPS if preferences.flag(flag_of(step.key), default=False)}


class FirstStepsBar(QToolBar):
    """Show the five steps, which are done, and which is next.

    Attributes:
        skip: The button that takes the bar away.

    Signals:
        step_requested(str): The person wants to be led to this step.
        own_requested(str): The person wants to connect an "agent" or a "server", or to write a "tool".
        skipped(): The person wants to see the steps no more.
    """

    step_requested = Signal(str)
    own_requested = Signal(str)
    skipped = Signal()

    def __init__(self) -> None:
        super().__init__(tr("First steps"))
        self.setObjectName("firstSteps")
        self.setAccessibleName(tr("First steps"))
        self.setProperty("edge", "top")
        self.setMovable(False)
        self.setFixedHeight(_HEIGHT)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        row = QWidget()
        row.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        line = hbox(row, margins=(16, 0, 10, 0), spacing=4)
        line.addWidget(TextLabel(tr("First steps"), "heading"))
        line.addSpacing(8)
        self._buttons: dict[str, Button] = {}
        for step in FIRST_STEPS:
            button = self._buttons[step.key] = Button(step.text, kind="ghost", icon="circle-dashed")
            button.setToolTip(step.sentence)
            button.setAccessibleDescription(step.sentence)
            line.addWidget(button)
        for key in self._buttons.keys() - {"own"}:
            self._buttons[key].clicked.connect(self._on_button_clicked)
        menu = Menu(tr("Bring your own"), self._buttons["own"])
        for own, text in _OWN:
            menu.add_entry(own, text)
        menu.triggered.connect(self._on_menu_triggered)
        self._buttons["own"].setMenu(menu)
        self._sentence = ElidedLabel("", "small", "text2")
        line.addSpacing(8)
        line.addWidget(self._sentence, 1)
        self.skip = IconButton("x", tr("Skip the first steps"))
        self.skip.clicked.connect(self.skipped)
        line.addWidget(self.skip)
        self.addWidget(row)
        self.hide()

    @property
    def sentence(self) -> str:
        return self._sentence.text

    def show_done(self, done: Collection[str]) -> None:
        """Show which steps are done; the first of the others is the next one.

        Args:
            done: The keys of steps.
        """
        following = next((step for step in FIRST_STEPS if step.key not in done), None)
        for step in FIRST_STEPS:
            button = self._buttons[step.key]
            is_next, is_done = step is following, step.key in done
            button.set_kind("soft" if is_next else "ghost")
            button.set_icon("circle-check" if is_done else "circle-dashed")
            state = tr("done") if is_done else tr("next") if is_next else tr("to do")
            button.setAccessibleName(f"{step.text}, {state}")
        if following is None:
            self._sentence.set_text(tr("All five steps are done. Help has them again."))
        else:
            self._sentence.set_text(following.sentence)
        self.skip.set_name(tr("Close the first steps") if following is None else tr("Skip the first steps"))

    def focus_next(self, done: Collection[str]) -> None:
        following = next((step.key for step in FIRST_STEPS if step.key not in done), None)
        button = self.skip if following is None else self._buttons[following]
        button.setFocus(Qt.FocusReason.TabFocusReason)

    @Slot()
    def _on_button_clicked(self) -> None:
        sender = self.sender()
        key = next((key for key, button in self._buttons.items() if button is sender), None)
        if key is not None:
            self.step_requested.emit(key)

    @Slot(QAction)
    def _on_menu_triggered(self, action: QAction) -> None:
        self.own_requested.emit(action.data())
