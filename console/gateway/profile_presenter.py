"""What stands behind the dialog of the profiles: it previews what is edited, and keeps it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject, Signal, Slot

from console.gateway.engine_profiles import ProfilesPort
from console.gateway.profile_model import ProfileDraft
from console.language import tr, translated
from console.tasks import TaskScope
from tools.errors import GatewayError

if TYPE_CHECKING:
    from console.gateway.profile_dialog import ProfileDialog

_QUIET_S: Final = 0.1
"""So long nothing more is typed before what it comes to is made."""


class ProfileDialogMaker(Protocol):
    """Makes the dialog over the window."""

    def __call__(self) -> ProfileDialog: ...


class ProfilePresenter(QObject):
    """Show profiles in a dialog, and change them.

    Args:
        profiles: Knows and keeps them.

    Signals:
        noticed(str): A sentence for the person.
        changed(): Profiles are others now.
    """

    noticed = Signal(str)
    changed = Signal()

    def __init__(
        self, profiles: ProfilesPort, dialog: ProfileDialogMaker, *, scope: TaskScope, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._profiles = profiles
        self._make_dialog = dialog
        self._scope = scope
        self._dialog: ProfileDialog | None = None
        self._previewing: asyncio.Task[None] | None = None

    def open(self, name: str = "") -> None:
        """Show a profile; the first one, or a new one, for ""."""
        if self._dialog is None:
            dialog = self._dialog = self._make_dialog()
            dialog.chosen.connect(self._on_dialog_chosen)
            dialog.new_requested.connect(self._on_dialog_new_requested)
            dialog.changed.connect(self._on_dialog_changed)
            dialog.keep_requested.connect(self._on_dialog_keep_requested)
            dialog.suited_requested.connect(self._on_dialog_suited_requested)
            dialog.remove_requested.connect(self._on_dialog_remove_requested)
            dialog.finished.connect(self._on_dialog_finished)
            dialog.open()
        self._begin_showing(name)

    def _begin_showing(self, name: str) -> None:
        self._scope.start(self._show(name), "show a profile")  # type: ignore[unused-awaitable]

    async def _show(self, name: str) -> None:
        names: tuple[str, ...] = ()
        draft = ProfileDraft(is_new=True)
        try:
            names = await self._profiles.names()
            if name or names:
                draft = await self._profiles.draft(name or names[0])
        except GatewayError as error:
            self.noticed.emit(translated(error))
        if self._dialog is not None:
            self._dialog.show_profiles(names, draft)

    async def _preview(self) -> None:
        await asyncio.sleep(_QUIET_S)
        if self._dialog is not None:
            preview = await self._profiles.preview(self._dialog.draft)
            if self._dialog is not None:
                self._dialog.show_preview(preview)

    async def _keep(self, draft: ProfileDraft) -> None:
        try:
            await self._profiles.keep(draft)
        except GatewayError as error:
            if self._dialog is not None:
                self._dialog.show_problem(translated(error))
            return
        self.noticed.emit(tr("The profile {name} is kept; agents that have it are told.", name=draft.name))
        self.changed.emit()
        await self._show(draft.name)

    async def _remove(self, name: str) -> None:
        try:
            await self._profiles.remove(name)
        except GatewayError as error:
            if self._dialog is not None:
                self._dialog.show_problem(translated(error))
            return
        self.changed.emit()
        await self._show("")

    @Slot(str)
    def _on_dialog_chosen(self, name: str) -> None:
        self._begin_showing(name)

    @Slot()
    def _on_dialog_new_requested(self) -> None:
        if self._dialog is not None:
            self._dialog.show_profiles((), ProfileDraft(is_new=True))

    @Slot()
    def _on_dialog_changed(self) -> None:
        if self._previewing is not None:
            self._previewing.cancel()
        self._previewing = self._scope.start(self._preview(), "preview a profile")

    @Slot()
    def _on_dialog_keep_requested(self) -> None:
        if self._dialog is not None:
            self._scope.start(self._keep(self._dialog.draft), "keep a profile")  # type: ignore[unused-awaitable]

    @Slot(str)
    def _on_dialog_remove_requested(self, name: str) -> None:
        self._scope.start(self._remove(name), "remove a profile")  # type: ignore[unused-awaitable]

    @Slot()
    def _on_dialog_suited_requested(self) -> None:
        self._scope.start(self._show_suited(), "choose tools for a profile")  # type: ignore[unused-awaitable]

    async def _show_suited(self) -> None:
        tools = await self._profiles.suited()
        if self._dialog is not None:
            self._dialog.show_suited(tools)

    @Slot()
    def _on_dialog_finished(self) -> None:
        self._dialog = None

    def close(self) -> None:
        """Close the dialog, if it is open."""
        if self._dialog is not None:
            self._dialog.close()
