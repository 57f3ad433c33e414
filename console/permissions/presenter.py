"""Keep the lists of rules and permissions in step with the policy, and bring changes to it."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QObject, Signal, Slot

from console.permissions.model import PermissionModel, RuleModel
from console.permissions.rows import PermissionMode, PolicyPort, RuleExpiry
from console.permissions.view import PermissionsView
from console.tasks import TaskScope


class PermissionsPresenter(QObject):
    """Stand between the policy and the view of it."""

    counted = Signal(int)

    def __init__(
        self,
        rules: RuleModel,
        tools: PermissionModel,
        view: PermissionsView,
        port: PolicyPort,
        *,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._rules = rules
        self._tools = tools
        self._view = view
        self._port = port
        self._scope = scope
        self._looking: asyncio.Task[None] | None = None
        self._is_stale = False
        view.shown.connect(self.look_again)
        view.file.clicked.connect(self._on_view_file_requested)
        view.rule_begun.connect(self._on_view_rule_begun)
        view.rule_written.connect(self._on_view_rule_written)
        view.rules.edit_requested.connect(self._on_rules_edit_requested)
        view.rules.remove_requested.connect(self._on_rules_remove_requested)
        view.rules.effect_chosen.connect(self._on_rules_effect_chosen)
        view.rules.switched.connect(self._on_rules_switched)
        view.rules.end_chosen.connect(self._on_rules_end_chosen)
        view.tools.wish_chosen.connect(self._on_tools_wish_chosen)

    @Slot()
    def look_again(self) -> None:
        """Show how the policy is now; changes that come meanwhile are looked at once more."""
        if self._looking is not None and not self._looking.done():
            self._is_stale = True
            return
        self._looking = self._scope.start(self._look(), "look at the policy")

    def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()

    async def _look(self) -> None:
        while True:
            self._is_stale = False
            state = await self._port.state()
            self._rules.show_rows(state.rules)
            self._tools.show_sources(state.sources)
            self._view.show_level(state.level)
            self._view.show_problem(state.problem)
            self.counted.emit(len(state.rules))
            if not self._is_stale:
                return

    def _on_view_file_requested(self) -> None:
        self._port.open_file()

    def _on_view_rule_begun(self, text: str) -> None:
        self._view.edit("", text, self._port.meaning_of)

    def _on_rules_edit_requested(self, rule_id: str) -> None:
        self._view.edit(rule_id, self._port.text_of(rule_id), self._port.meaning_of)

    def _on_view_rule_written(self, rule_id: str, text: str) -> None:
        self._port.write(rule_id, text)
        self.look_again()

    def _on_rules_remove_requested(self, rule_id: str) -> None:
        self._port.remove(rule_id)

    def _on_rules_effect_chosen(self, rule_id: str, effect: str) -> None:
        self._port.set_effect(rule_id, effect)
        self.look_again()

    def _on_rules_switched(self, rule_id: str, is_on: bool) -> None:
        self._port.set_on(rule_id, is_on=is_on)
        self.look_again()

    def _on_rules_end_chosen(self, rule_id: str, end: RuleExpiry) -> None:
        self._port.set_end(rule_id, end)
        self.look_again()

    def _on_tools_wish_chosen(self, source: str, tool: str, wish: PermissionMode) -> None:
        self._port.set_wish(source, tool, wish)
        self.look_again()
