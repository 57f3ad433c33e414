"""Keep the list of servers and the chosen one in step with what happens; carry out what a person decides."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from console.comparison.lines import compare_texts
from console.language import tr, tr_count
from console.prompts.ports import PromptPort
from console.prompts.presenter import PromptsPresenter
from console.schema_form import Completions
from console.servers.config_presenter import ConfigPresenter
from console.servers.detail_view import CHANGES, SETTINGS, TOOLS, ServerDetailView, ServerModels
from console.servers.offers_view import ApproveDialog
from console.servers.ports import ConfigPort, OfferPort, ServerPort, ServersSnapshot
from console.servers.request_runner import RequestRunner
from console.servers.rows import (
    NOTHING,
    DefinitionChangeRow,
    ServerCounts,
    ServerDetail,
    ServerRemedyKey,
    TemplateArgumentDraft,
)
from console.servers.view import ServersView
from console.tasks import Compute, TaskScope
from console.viewers import ContentPresenter


class OffersPresenter(QObject):
    """Carry out what is asked for on the tabs of a server.

    Args:
        port: Decides and reads.
        errands: Runs what takes time.

    Signals:
        noticed(str): A sentence for the person.
        changed: Something was decided.
        tool_opened(str): The page of this tool is wanted.
    """

    noticed = Signal(str)
    changed = Signal()
    tool_opened = Signal(str)

    def __init__(
        self,
        view: ServerDetailView,
        port: OfferPort,
        prompts: PromptPort,
        errands: RequestRunner,
        *,
        scope: TaskScope,
        compute: Compute,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._port = port
        self._errands = errands
        self._compute = compute
        self._server = ""
        self._content = ContentPresenter(view.resources.content, compute, scope, notify=self.noticed.emit, parent=self)
        view.changes.change_shown.connect(self._on_changes_change_shown)
        view.changes.warning.keep.clicked.connect(self._on_changes_kept)
        for source in (view.changes, view.tools):
            source.approve_requested.connect(self._on_approve_requested)
            source.block_requested.connect(self._on_block_requested)
        view.tools.approve_all.clicked.connect(self.ask_to_approve)
        view.tools.open_requested.connect(self.tool_opened)
        view.tools.switched.connect(self._on_tools_switched)
        view.resources.read_requested.connect(self._on_resources_read_requested)
        view.resources.follow_requested.connect(self._on_resources_follow_requested)
        view.resources.completion_wanted.connect(self._on_resources_completion_wanted)
        self._prompts = PromptsPresenter(view.prompts, prompts, scope=scope, compute=compute, parent=self)

    def follow(self, server: str) -> None:
        self._server = server

    @Slot()
    def ask_to_approve(self) -> None:
        """Show the definitions of all new tools of the chosen server, and let the person approve these."""
        rows = self._view.tools.new
        if rows and self._server:
            dialog = ApproveDialog(self._server, rows, self._view)
            dialog.approved.connect(self._on_dialog_approved)
            dialog.finished.connect(self._on_dialog_finished)
            dialog.open()

    def close(self) -> None:
        self._content.close()
        self._prompts.close()

    async def _compare(self, row: DefinitionChangeRow) -> None:
        difference = await self._compute(compare_texts, row.before, row.after)
        self._view.changes.show_difference(row.tool, difference)

    async def _approve(self, server: str, tools: Mapping[str, str]) -> None:
        approved = await self._port.approve(server, tools)
        words = next(iter(approved)) if len(approved) == 1 else tr_count(len(approved), "1 tool", "{count:,} tools")
        said = [tr("Approved {words} of {server}", words=words, server=server)] if approved else []
        other = ", ".join(name for name in tools if name not in approved)
        said += [tr("Not approved, as it is not what was shown any more: {other}", other=other)] if other else []
        self.noticed.emit(". ".join(said))
        self.changed.emit()

    async def _block(self, server: str, tool: str) -> None:
        await self._port.block(server, tool)
        self.noticed.emit(tr("{tool} of {server} is blocked until you approve it", tool=tool, server=server))
        self.changed.emit()

    async def _switch(self, server: str, tool: str, is_on: bool) -> None:
        try:
            await self._port.switch(server, tool, is_on=is_on)
        finally:
            self.changed.emit()

    async def _read(self, server: str, uri: str, values: dict[str, Any]) -> None:
        view = self._view.resources
        view.show_reading(reading=True)
        try:
            reading = await self._port.read(server, uri, values)
            row = view.current
            if self._server == server and row is not None and row.uri == uri:
                view.show_content(reading.content, reading.note)
        finally:
            view.show_reading(reading=False)

    async def _follow(self, server: str, uri: str, follows: bool) -> None:
        try:
            await self._port.follow(server, uri, follows=follows)
        finally:
            self.changed.emit()

    async def _complete(self, completions: Completions, half: TemplateArgumentDraft) -> None:
        values = await self._port.complete(self._server, half)
        completions.show_values(half.argument, half.written, values)

    @Slot(str)
    def _on_changes_change_shown(self, _tool: str) -> None:
        row = self._view.changes.current
        if row is not None:
            self._errands.run(f"compare {row.tool}", self._compare, row)

    @Slot()
    def _on_changes_kept(self) -> None:
        self.noticed.emit(tr("Nothing was approved: the changed tools stay paused"))

    @Slot(tuple)
    def _on_approve_requested(self, tools: tuple[str, ...]) -> None:
        # Taken at once: a moment later the server may have changed them, or another one may be in sight.
        shown = {row.name: row.digest for row in self._view.tools.rows}
        shown |= {row.tool: row.digest for row in self._view.changes.rows}
        digests = {tool: shown[tool] for tool in tools if tool in shown}
        if digests:
            self._errands.run("approve tools", self._approve, self._server, digests)

    @Slot(str, dict)
    def _on_dialog_approved(self, server: str, digests: dict[str, str]) -> None:
        self._errands.run("approve tools", self._approve, server, digests)

    @Slot()
    def _on_dialog_finished(self) -> None:
        # What one does next is to open one of them.
        self._view.tools.table.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(str)
    def _on_block_requested(self, tool: str) -> None:
        self._errands.run(f"block {tool}", self._block, self._server, tool)

    @Slot(str, bool)
    def _on_tools_switched(self, tool: str, is_on: bool) -> None:
        self._errands.run(f"switch {tool}", self._switch, self._server, tool, is_on)

    @Slot(str, dict)
    def _on_resources_read_requested(self, uri: str, values: dict[str, Any]) -> None:
        self._errands.run(
            f"read {uri}", self._read, self._server, uri, values, failed=self._view.resources.show_problem
        )

    @Slot(str, bool)
    def _on_resources_follow_requested(self, uri: str, follows: bool) -> None:
        self._errands.run(f"follow {uri}", self._follow, self._server, uri, follows)

    @Slot(object)
    def _on_resources_completion_wanted(self, half: TemplateArgumentDraft) -> None:
        self._errands.run(f"complete {half.argument}", self._complete, self._view.resources.completions, half)


_SECOND_MS = 1_000


class ServersPresenter(QObject):
    """Stand between the servers and the page about them.

    Args:
        models: The lists of the chosen server.
        servers: Looks at servers, starts and ends them.
        offers: Decides about what they offer.
        configs: Changes their settings.

    Signals:
        noticed(str): A sentence for the person.
        tool_opened(str): The page of the tool with this name is wanted.
    """

    noticed = Signal(str)
    tool_opened = Signal(str)

    def __init__(
        self,
        models: ServerModels,
        view: ServersView,
        *,
        servers: ServerPort,
        offers: OfferPort,
        prompts: PromptPort,
        configs: ConfigPort,
        scope: TaskScope,
        compute: Compute,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._models = models
        self._view = view
        self._servers = servers
        self._compute = compute
        self._errands = RequestRunner(scope, self.noticed.emit)
        self._listing = ServersSnapshot((), ServerCounts(0, 0, 0))
        self._detail = NOTHING
        self._chosen = ""
        self._last_line = 0
        self._added = ""
        self._wanted_call = ""
        self._looking: asyncio.Task[None] | None = None
        self._is_stale = False
        self.offers = OffersPresenter(
            view.detail, offers, prompts, self._errands, scope=scope, compute=compute, parent=self
        )
        self.configs = ConfigPresenter(view, configs, self._errands, parent=self)
        # Countdowns and up times tick although nothing happens.
        self._clock = QTimer(self, interval=_SECOND_MS)
        self._clock.timeout.connect(self.look_again)
        for source in (self.offers, self.configs):
            source.noticed.connect(self.noticed)
            source.changed.connect(self.look_again)
        self.offers.tool_opened.connect(self.tool_opened)
        self.configs.saved.connect(self._on_configs_saved)
        self.configs.added.connect(self._on_configs_added)
        self._connect_view()

    def _connect_view(self) -> None:
        view, detail = self._view, self._view.detail
        view.shown.connect(self._on_view_shown)
        view.hidden.connect(self._clock.stop)
        view.table.chosen.connect(self._on_view_chosen)
        view.profile_named.connect(self._on_view_profile_named)
        view.remedy_requested.connect(self._on_view_remedy_requested)
        detail.ping.clicked.connect(self._on_detail_ping_requested)
        detail.restart.clicked.connect(self._on_detail_restart_requested)
        detail.connect_button.clicked.connect(self._on_detail_connect_requested)
        detail.disconnect_button.clicked.connect(self._on_detail_disconnect_requested)
        detail.trouble.remedy.clicked.connect(self._on_detail_remedy_requested)
        detail.log_save_chosen.connect(self._on_detail_log_save_chosen)
        detail.tabs.currentChanged.connect(self._on_tabs_current_changed)

    def close(self) -> None:
        self._clock.stop()
        self._errands.close()
        self.offers.close()

    @Slot()
    def look_again(self) -> None:
        """Show how the servers are now; what happens meanwhile is looked at once more."""
        if self._looking is not None and not self._looking.done():
            self._is_stale = True
            return
        self._looking = self._errands.run("look at the servers", self._look)

    def show_server(self, name: str) -> None:
        """Choose a server, as from elsewhere."""
        self._choose(name)
        self._view.choose(name)

    def show_messages(self, name: str, call_id: str) -> None:
        """Show what a server was sent for a call, and what it answered."""
        self.show_server(name)
        self._view.show_log()
        self._wanted_call = call_id
        self.look_again()

    async def _look(self) -> None:
        while True:
            self._is_stale = False
            self._listing = await self._servers.listing()
            names = [row.name for row in self._listing.rows]
            if self._chosen not in names:
                self._choose(names[0] if names else "")
            self._view.show_servers(self._listing.rows, self._listing.summary)
            self._view.show_problem(self._listing.problem)
            self._view.show_profiles(self._listing.profiles, self._listing.profile)
            self._view.choose(self._chosen)
            await self._look_closer()
            if not self._is_stale:
                return

    async def _look_closer(self) -> None:
        name = self._chosen
        lines = await self._servers.log(name, after=self._last_line) if name else ()
        detail = await self._servers.detail(name) if name else NOTHING
        if name != self._chosen:
            return
        self._show(detail)
        if lines:
            self._last_line = lines[-1].number
            self._models.log.add(lines)
        if self._wanted_call:
            wanted, self._wanted_call = self._wanted_call, ""
            if not self._view.detail.log.show_call(wanted):
                self.noticed.emit(
                    tr("{name} keeps no message of this call: it was answered from the cache, or long ago", name=name)
                )

    def _show(self, detail: ServerDetail) -> None:
        self._detail = detail
        self._view.detail.show_detail(detail)
        if self._added and self._added == detail.head.name:
            # Whoever just added it looks at what it offers next, unless something else is asked already.
            self._added = ""
            self._view.detail.show_tab(TOOLS)
            self._view.detail.tools.table.setFocus()
            if self._view.can_ask:
                self.offers.ask_to_approve()

    def _choose(self, name: str) -> None:
        if name == self._chosen:
            return
        self._chosen = name
        self._last_line = 0
        self._models.log.show_rows(())
        self.offers.follow(name)
        self.configs.follow(name)

    @Slot()
    def _on_view_shown(self) -> None:
        self._clock.start()
        self.look_again()

    @Slot(str)
    def _on_view_chosen(self, name: str) -> None:
        self._choose(name)
        if self._view.detail.tab == SETTINGS:
            self.configs.show_settings()
        self.look_again()

    @Slot(int)
    def _on_tabs_current_changed(self, tab: int) -> None:
        if tab == SETTINGS:
            self.configs.show_settings()

    def _do(self, key: ServerRemedyKey, name: str) -> None:
        if key is ServerRemedyKey.REVIEW:
            self.show_server(name)
            self._view.detail.show_tab(CHANGES)
        elif key is ServerRemedyKey.LOG:
            self.show_server(name)
            self._view.show_log()
        elif key is ServerRemedyKey.ALLOW:
            self.configs.ask_to_start(name)
        elif key in {ServerRemedyKey.SWITCH_ON, ServerRemedyKey.SWITCH_OFF}:
            self.configs.switch(name, is_on=key is ServerRemedyKey.SWITCH_ON)
        elif key is not ServerRemedyKey.NONE:
            self._errands.run(f"{key} {name}", self._act, key, name)

    async def _act(self, key: ServerRemedyKey, name: str) -> None:
        act = {
            ServerRemedyKey.CONNECT: self._servers.connect,
            ServerRemedyKey.DISCONNECT: self._servers.disconnect,
            ServerRemedyKey.RESTART: self._servers.restart,
            ServerRemedyKey.SIGN_IN: self._servers.sign_in,
        }[key]
        try:
            await act(name)
            if key is ServerRemedyKey.SIGN_IN:
                self.noticed.emit(tr("Signed in at {name}", name=name))
        finally:
            self.look_again()

    async def _ping(self, name: str) -> None:
        self.noticed.emit(await self._servers.ping(name))
        self.look_again()

    async def _save_log(self, path: Path) -> None:
        lines = self._models.log.total
        await self._compute(path.write_text, self._models.log.text(), "utf-8")
        self.noticed.emit(tr_count(lines, "Saved 1 line as {path}", "Saved {count:,} lines as {path}", path=path))

    @Slot(str)
    def _on_view_profile_named(self, name: str) -> None:
        self.configs.keep_profile(
            name, [row.name for row in self._listing.rows if row.remedy is not ServerRemedyKey.SWITCH_ON]
        )

    @Slot(str)
    def _on_view_remedy_requested(self, name: str) -> None:
        row = next((row for row in self._listing.rows if row.name == name), None)
        if row is not None:
            self._do(row.remedy, name)

    @Slot()
    def _on_detail_remedy_requested(self) -> None:
        self._do(self._detail.head.remedy, self._chosen)

    @Slot()
    def _on_detail_ping_requested(self) -> None:
        self._errands.run(f"ping {self._chosen}", self._ping, self._chosen)

    @Slot()
    def _on_detail_restart_requested(self) -> None:
        self._do(ServerRemedyKey.RESTART, self._chosen)

    @Slot()
    def _on_detail_connect_requested(self) -> None:
        # What nobody allowed yet is shown first.
        asks = self._detail.head.remedy is ServerRemedyKey.ALLOW
        self._do(ServerRemedyKey.ALLOW if asks else ServerRemedyKey.CONNECT, self._chosen)

    @Slot()
    def _on_detail_disconnect_requested(self) -> None:
        self._do(ServerRemedyKey.DISCONNECT, self._chosen)

    @Slot(str)
    def _on_detail_log_save_chosen(self, path: str) -> None:
        self._errands.run("save the log", self._save_log, Path(path))

    @Slot(str)
    def _on_configs_added(self, name: str) -> None:
        self._added = name
        self.look_again()

    @Slot(str)
    def _on_configs_saved(self, name: str) -> None:
        self.show_server(name)
        self.look_again()
