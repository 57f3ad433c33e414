"""What a person decides about the tools of a server, and what they read and make of its resources and prompts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from console.comparison.lines import compare_texts
from console.prompts.ports import PromptPort
from console.prompts.presenter import PromptsPresenter
from console.schema_form import Completions
from console.servers.approve_dialog import ApproveDialog
from console.servers.detail_view import ServerDetailView
from console.servers.ports import OfferPort
from console.servers.request_runner import RequestRunner
from console.servers.rows import DefinitionChangeRow, TemplateArgumentDraft
from console.tasks import Compute, TaskScope
from console.viewers import ContentPresenter


class OffersPresenter(QObject):
    """Carry out what is asked for on the tabs of a server.

    Args:
        view: The chosen server.
        port: Decides and reads.
        prompts: Makes the texts of prompts.
        errands: Runs what takes time.
        scope: Owns the tasks.
        compute: Runs what takes more than a frame.
        parent: Its owner.

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
        view.changes.kept.connect(self._on_changes_kept)
        for source in (view.changes, view.tools):
            source.approve_requested.connect(self._on_approve_requested)
            source.block_requested.connect(self._on_block_requested)
        view.tools.all_requested.connect(self.ask_to_approve)
        view.tools.open_requested.connect(self.tool_opened)
        view.tools.switched.connect(self._on_tools_switched)
        view.resources.read_requested.connect(self._on_resources_read_requested)
        view.resources.follow_requested.connect(self._on_resources_follow_requested)
        view.resources.completion_wanted.connect(self._on_resources_completion_wanted)
        self._prompts = PromptsPresenter(view.prompts, prompts, scope=scope, compute=compute, parent=self)

    def follow(self, server: str) -> None:
        """Turn to another server."""
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
        """Let go of what is under way."""
        self._content.close()
        self._prompts.close()

    async def _compare(self, row: DefinitionChangeRow) -> None:
        difference = await self._compute(compare_texts, row.before, row.after)
        self._view.changes.show_difference(row.tool, difference)

    async def _approve(self, server: str, tools: Mapping[str, str]) -> None:
        approved = await self._port.approve(server, tools)
        words = next(iter(approved)) if len(approved) == 1 else f"{len(approved):,} tools"
        said = [f"Approved {words} of {server}"] if approved else []
        other = ", ".join(name for name in tools if name not in approved)
        said += [f"Not approved, as it is not what was shown any more: {other}"] if other else []
        self.noticed.emit(". ".join(said))
        self.changed.emit()

    async def _block(self, server: str, tool: str) -> None:
        await self._port.block(server, tool)
        self.noticed.emit(f"{tool} of {server} is blocked until you approve it")
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
        self.noticed.emit("Nothing was approved: the changed tools stay paused")

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
