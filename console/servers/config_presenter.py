"""Servers that are added, changed, taken over from other programs, allowed to start, and removed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from console.language import tr
from console.servers.config_dialog import ConfigDialog, ConsentDialog, ImportDialog
from console.servers.config_form import ConfigForm
from console.servers.ports import ConfigPort
from console.servers.request_runner import RequestRunner
from console.servers.view import ServersView
from tools.errors import ToolError

_NEW: Final[dict[str, Any]] = {"transport": "stdio"}


class ConfigPresenter(QObject):
    """Carry out what is asked for about the settings of servers.

    Args:
        port: Knows the settings.
        errands: Runs what takes time.

    Signals:
        noticed(str): A sentence for the person.
        changed: Something is other than it was.
        saved(str): The server of this name was added or changed.
        added(str): The server of this name was added, and a person is about to use it.
        removal_asked(str): The person wants to remove this server, and is to be asked whether they mean it.
    """

    noticed = Signal(str)
    changed = Signal()
    saved = Signal(str)
    added = Signal(str)
    removal_asked = Signal(str)

    def __init__(
        self, view: ServersView, port: ConfigPort, errands: RequestRunner, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._port = port
        self._errands = errands
        self._server = ""
        self._shown = ""
        self._dialog: ConfigDialog | None = None
        self._imports: ImportDialog | None = None
        settings = view.detail.settings
        view.add_requested.connect(self._on_view_add_requested)
        view.pasted.connect(self.add)
        view.imports.clicked.connect(self._on_view_import_requested)
        view.profile_chosen.connect(self._on_view_profile_chosen)
        view.profile_removed.connect(self._on_view_profile_removed)
        view.detail.folders_forgotten.connect(self._on_detail_folders_forgotten)
        view.detail.switched.connect(self._on_detail_switched)
        view.detail.consent_requested.connect(self._on_detail_consent_requested)
        view.detail.remove_requested.connect(self._on_remove_requested)
        view.detail.export_requested.connect(self._on_export_requested)
        settings.form.start_wanted.connect(self._on_settings_start_wanted)
        settings.trial_requested.connect(self._on_settings_trial_requested)
        settings.save_requested.connect(self._on_settings_save_requested)

    def follow(self, server: str) -> None:
        self._server = server
        self._shown = ""

    def show_settings(self) -> None:
        """Show the settings of the chosen server, unless they are shown and perhaps being changed."""
        if self._server and self._shown != self._server:
            self._shown = self._server
            self._errands.run("show the settings", self._show_settings, self._server)

    def ask_to_start(self, server: str) -> None:
        self._errands.run(f"show the start of {server}", self._ask_to_start, server)

    def remove(self, server: str) -> None:
        """Forget a server; the person meant it."""
        self._errands.run(f"remove {server}", self._remove, server)

    def switch(self, server: str, *, is_on: bool) -> None:
        """Let a server be started, now and with the program, or not."""
        self._errands.run(f"switch {server}", self._switch, server, is_on)

    def keep_profile(self, name: str, servers: Sequence[str]) -> None:
        """Keep servers as a set, which counts from then on."""
        self._errands.run(f"keep the profile {name}", self._keep_profile, name, tuple(servers))

    async def _switch(self, server: str, is_on: bool) -> None:
        try:
            await self._port.switch_server(server, is_on=is_on)
        finally:
            self.changed.emit()

    async def _forget_folders(self, server: str) -> None:
        await self._port.forget_folders(server)
        self.noticed.emit(tr("You are asked again when {server} wants to know its folders", server=server))

    async def _choose_profile(self, name: str) -> None:
        await self._port.choose_profile(name)
        self.noticed.emit(
            tr("Only the servers of {name} count now", name=name) if name else tr("All servers count now")
        )
        self.changed.emit()

    async def _keep_profile(self, name: str, servers: tuple[str, ...]) -> None:
        await self._port.keep_profile(name, servers)
        await self._choose_profile(name)

    async def _remove_profile(self, name: str) -> None:
        await self._port.remove_profile(name)
        self.noticed.emit(tr("Removed the profile {name}; its servers stay", name=name))
        self.changed.emit()

    async def _show_settings(self, server: str) -> None:
        settings = await self._port.settings(server)
        if server == self._server:
            self._view.detail.settings.show_value(settings.value, settings.note)

    async def _ask_to_start(self, server: str) -> None:
        start = await self._port.start_of(server)
        dialog = ConsentDialog(server, start, self._view, asks_trust=True)
        dialog.allowed.connect(self._on_consent_allowed)
        dialog.open()

    async def _allow(self, server: str, digest: str, trusted: bool) -> None:
        await self._port.allow(server, digest, trusted=trusted)
        self.saved.emit(server)

    async def _remove(self, server: str) -> None:
        await self._port.remove(server)
        self.noticed.emit(tr("Removed {server}", server=server))
        self.changed.emit()

    async def _export(self, server: str) -> None:
        text = await self._port.exported(server)
        QGuiApplication.clipboard().setText(text)
        self.noticed.emit(tr("The entry of {server} is on the clipboard, without its secrets", server=server))

    async def _preview(self, form: ConfigForm, value: dict[str, Any]) -> None:
        start = await self._port.preview(value)
        if self._is_there(form) and form.value() == value:
            form.show_start(start)

    async def _try(self, form: ConfigForm, value: dict[str, Any]) -> None:
        form.show_trial(None, trying=True)
        if self._dialog is not None:
            self._dialog.show_busy(busy=True)
        try:
            trial = await self._port.trial(value)
            if self._is_there(form) and form.value() == value:
                form.show_trial(trial)
        except ToolError:
            if self._is_there(form):
                form.show_trial(None)
            raise
        finally:
            if self._dialog is not None:
                self._dialog.show_busy(busy=False)

    async def _save(self, server: str, value: dict[str, Any]) -> None:
        name = await self._port.save(server, value)
        self._shown = ""
        self.noticed.emit(tr("Saved {name}", name=name))
        self.saved.emit(name)
        self.show_settings()

    async def _understand(self, dialog: ConfigDialog, text: str) -> None:
        understood = await self._port.understand(text)
        if dialog is self._dialog:
            dialog.show_understood(text, understood)

    async def _add(self, dialog: ConfigDialog, values: list[dict[str, Any]]) -> None:
        dialog.show_busy(busy=True, words=tr("Connecting. A first start may take a while, until all is loaded."))
        try:
            names = await self._port.add(values)
        finally:
            if dialog is self._dialog:
                dialog.show_busy(busy=False)
            self.changed.emit()
        if dialog is self._dialog:
            dialog.accept()
        self._shown = ""
        self.noticed.emit(tr("Added {names}", names=", ".join(names)))
        self.saved.emit(names[0])
        if len(names) == 1:
            self.added.emit(names[0])

    async def _find(self, dialog: ImportDialog) -> None:
        found = await self._port.found()
        if dialog is self._imports:
            dialog.show_found(found)

    async def _find_in(self, dialog: ImportDialog, path: str) -> None:
        found = await self._port.found_in(path)
        if dialog is self._imports:
            dialog.show_found(found, origin=path)

    async def _take(self, dialog: ImportDialog, keys: tuple[str, ...]) -> None:
        self.noticed.emit(await self._port.take(keys))
        if dialog is self._imports:
            dialog.accept()
        self.changed.emit()

    def _is_there(self, form: ConfigForm) -> bool:
        return form is self._view.detail.settings.form or (self._dialog is not None and form is self._dialog.form)

    def add(self, text: str = "") -> None:
        """Ask for a new server.

        Args:
            text: What was pasted already; empty for nothing.
        """
        if self._dialog is not None:
            return
        dialog = self._dialog = ConfigDialog(_NEW, self._view)
        dialog.meaning_wanted.connect(self._on_dialog_meaning_wanted)
        dialog.form.start_wanted.connect(self._on_dialog_start_wanted)
        dialog.trial_requested.connect(self._on_dialog_trial_requested)
        dialog.add_requested.connect(self._on_dialog_add_requested)
        dialog.finished.connect(self._on_dialog_finished)
        dialog.open()
        dialog.begin(text)

    @Slot()
    def _on_view_add_requested(self) -> None:
        self.add()

    @Slot()
    def _on_view_import_requested(self) -> None:
        dialog = self._imports = ImportDialog(self._view)
        dialog.file_chosen.connect(self._on_imports_file_chosen)
        dialog.take_requested.connect(self._on_imports_take_requested)
        dialog.finished.connect(self._on_imports_finished)
        dialog.open()
        self._errands.run("look for servers", self._find, dialog, failed=self._on_imports_failed)

    @Slot(str)
    def _on_view_profile_chosen(self, name: str) -> None:
        self._errands.run("choose a profile", self._choose_profile, name)

    @Slot(str)
    def _on_view_profile_removed(self, name: str) -> None:
        self._errands.run("remove a profile", self._remove_profile, name)

    @Slot()
    def _on_detail_folders_forgotten(self) -> None:
        self._errands.run("forget folders", self._forget_folders, self._server)

    @Slot(bool)
    def _on_detail_switched(self, is_on: bool) -> None:
        self.switch(self._server, is_on=is_on)

    @Slot()
    def _on_detail_consent_requested(self) -> None:
        self.ask_to_start(self._server)

    @Slot()
    def _on_remove_requested(self) -> None:
        self.removal_asked.emit(self._server)

    @Slot()
    def _on_export_requested(self) -> None:
        self._errands.run("export a server", self._export, self._server)

    @Slot(dict)
    def _on_settings_start_wanted(self, value: dict[str, Any]) -> None:
        self._errands.run("preview a start", self._preview, self._view.detail.settings.form, value)

    @Slot(dict)
    def _on_settings_trial_requested(self, value: dict[str, Any]) -> None:
        self._errands.run("test a connection", self._try, self._view.detail.settings.form, value)

    @Slot(dict)
    def _on_settings_save_requested(self, value: dict[str, Any]) -> None:
        self._errands.run("save a server", self._save, self._server, value)

    @Slot(str, str, bool)
    def _on_consent_allowed(self, server: str, digest: str, trusted: bool) -> None:
        self._errands.run(f"start {server}", self._allow, server, digest, trusted)

    @Slot(dict)
    def _on_dialog_start_wanted(self, value: dict[str, Any]) -> None:
        if self._dialog is not None:
            self._errands.run("preview a start", self._preview, self._dialog.form, value)

    @Slot(dict)
    def _on_dialog_trial_requested(self, value: dict[str, Any]) -> None:
        dialog = self._dialog
        if dialog is not None:
            self._errands.run("test a connection", self._try, dialog.form, value, failed=self._on_dialog_failed)

    @Slot(list)
    def _on_dialog_add_requested(self, values: list[dict[str, Any]]) -> None:
        dialog = self._dialog
        if dialog is not None:
            self._errands.run("add a server", self._add, dialog, values, failed=self._on_dialog_failed)

    @Slot(str)
    def _on_dialog_meaning_wanted(self, text: str) -> None:
        dialog = self._dialog
        if dialog is not None:
            self._errands.run("read what was pasted", self._understand, dialog, text, failed=self._on_dialog_failed)

    def _on_dialog_failed(self, problem: str) -> None:
        # The person may have closed it meanwhile.
        show = self.noticed.emit if self._dialog is None else self._dialog.show_problem
        show(problem)

    @Slot()
    def _on_dialog_finished(self) -> None:
        self._dialog = None

    @Slot(str)
    def _on_imports_file_chosen(self, path: str) -> None:
        dialog = self._imports
        if dialog is not None:
            self._errands.run("read a file of servers", self._find_in, dialog, path, failed=self._on_imports_failed)

    @Slot(tuple)
    def _on_imports_take_requested(self, keys: tuple[str, ...]) -> None:
        dialog = self._imports
        if dialog is not None:
            self._errands.run("import servers", self._take, dialog, keys, failed=self._on_imports_failed)

    def _on_imports_failed(self, problem: str) -> None:
        show = self.noticed.emit if self._imports is None else self._imports.show_problem
        show(problem)

    @Slot()
    def _on_imports_finished(self) -> None:
        self._imports = None
