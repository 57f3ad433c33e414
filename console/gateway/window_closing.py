"""What becomes of agents when the window is closed: they are served on in the background, or no longer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from PySide6.QtCore import QObject, Signal, Slot

from console.gateway.closing_dialog import LeavingDialog
from console.gateway.engine_gateway import Gateway
from console.language import tr
from console.preferences import Preferences
from console.tasks import TaskScope

_CHOICE: Final = "gateway_without_window"
_ASK: Final = "ask"
_KEEP: Final = "keep"
_STOP: Final = "stop"
LEAVING_ANSWERS: Final = ((_ASK, tr("Ask")), (_KEEP, tr("Go on")), (_STOP, tr("Stop")))
"""What can become of agents when the window closes; the first counts as long as nothing was said."""


class LeavingDialogMaker(Protocol):
    """Makes the dialog over the window."""

    def __call__(self, agents: Sequence[str]) -> LeavingDialog: ...


class Leaving(QObject):
    """Ask once what becomes of agents that are there, and remember it if the person says so.

    Args:
        preferences: Remember the answer.

    Attributes:
        goes_on: Whether agents are to be served on without the window.

    Signals:
        agreed(): The window may be closed.
    """

    agreed = Signal()

    def __init__(
        self,
        gateway: Gateway,
        dialog: LeavingDialogMaker,
        *,
        preferences: Preferences,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.goes_on = False
        self._gateway = gateway
        self._make_dialog = dialog
        self._preferences = preferences
        self._scope = scope
        self._dialog: LeavingDialog | None = None

    @Slot()
    def ask(self) -> None:
        """Ask what is to become of the agents that are there, if there are some and nothing was remembered."""
        if not self._gateway.is_on:
            self.agreed.emit()
        elif self._dialog is None:
            self._scope.start(self._ask(), "ask what becomes of agents")  # type: ignore[unused-awaitable]

    @property
    def answer(self) -> str:
        """Give what becomes of agents when the window closes: a key of `LEAVING_ANSWERS`."""
        return self._preferences.choice(_CHOICE, tuple(key for key, _ in LEAVING_ANSWERS), _ASK)

    def set_answer(self, answer: str) -> None:
        """Let something else become of agents when the window closes."""
        self._preferences.set_choice(_CHOICE, answer)

    async def _ask(self) -> None:
        agents = await self._gateway.connected()
        choice = self.answer
        if not agents or choice != _ASK:
            self.goes_on = bool(agents) and choice == _KEEP
            self.agreed.emit()
            return
        self._dialog = self._make_dialog(agents)
        self._dialog.chosen.connect(self._on_dialog_chosen)
        self._dialog.finished.connect(self._on_dialog_finished)
        self._dialog.open()

    @Slot(bool, bool)
    def _on_dialog_chosen(self, goes_on: bool, remembered: bool) -> None:
        if remembered:
            self.set_answer(_KEEP if goes_on else _STOP)
        self.goes_on = goes_on
        self.agreed.emit()

    @Slot()
    def _on_dialog_finished(self) -> None:
        self._dialog = None

    def close(self) -> None:
        """Close the dialog, if it is open."""
        if self._dialog is not None:
            self._dialog.close()
