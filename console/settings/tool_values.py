"""Values of tools: read beside the window, applied to registry and executor, shown and changed in a table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from console.engine import Engine
from console.file_poller import FilePoller
from console.language import full_sentence_of
from console.settings.rows import ENVIRONMENT, PROJECT, YOUR_FILE, SettingRow
from console.tasks import TaskScope
from tools.errors import ToolSettingsError, VaultError
from tools.execution.executor import Executor
from tools.masking import is_secret_parameter
from tools.settings import Setting, SettingOrigin, SettingsContent, ToolSettings
from tools.workbench import Workbench

if TYPE_CHECKING:
    from console.settings.tool_values_view import ToolValuesView

_PLACES: Final = {
    SettingOrigin.ENVIRONMENT: ENVIRONMENT,
    SettingOrigin.USER: YOUR_FILE,
    SettingOrigin.PROJECT: PROJECT,
}


class ToolValues(QObject):
    """Go by the settings of tools, and let a person change them.

    Args:
        settings: Reads and writes them.
        bench: Has the tools that settings disable.

    Attributes:
        content: What was read last.

    Signals:
        applied(): Other settings count now.
        noticed(str): What is wrong, for a person.
    """

    applied = Signal()
    noticed = Signal(str)

    def __init__(
        self,
        settings: ToolSettings,
        *,
        bench: Workbench,
        executor: Executor,
        engine: Engine,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._bench = bench
        self._executor = executor
        self._engine = engine
        self._scope = scope
        self._view: ToolValuesView | None = None
        self._project: Path | None = None
        self._denylist = None if executor.policy is None else executor.policy.denylist_path
        self._one_at_a_time = asyncio.Lock()
        self.content = SettingsContent()

    def start(self, files: FilePoller) -> None:
        files.watch("the settings of tools", self._settings.has_changed, self.read)

    def follow_project(self, folder: Path | None) -> None:
        """Let the settings of another project count when they are read next."""
        self._project = folder
        self._settings.follow_project(folder)
        if self._view is not None:
            self._view.show_project(has_project=folder is not None)

    @Slot(object)
    def change_project(self, folder: Path) -> None:
        """Let the settings of another project count at once."""
        self.follow_project(folder)
        self._scope.start(self.read(), "read the settings of tools")  # type: ignore[unused-awaitable]

    def make_view(self) -> ToolValuesView:
        """Return the table of the values, which takes what is asked for there."""
        from console.settings.tool_values_view import ToolValuesView  # noqa: PLC0415 -- see console.startup.loading

        view = self._view = ToolValuesView()
        view.set_requested.connect(self._on_view_set_requested)
        view.unset_requested.connect(self._on_view_unset_requested)
        view.name.textChanged.connect(self._on_view_name_changed)
        view.show_project(has_project=self._project is not None)
        self._show_content()
        return view

    async def read(self) -> None:
        """Read the settings, and go by them."""
        async with self._one_at_a_time:
            content = await self._engine.compute(self._settings.read)
            new = [problem for problem in content.problems if problem not in self.content.problems]
            await self._engine.call(self._apply, content)
            self.content = content
        for problem in new:
            self.noticed.emit(problem)
        self.applied.emit()
        self._show_content()

    async def _apply(self, content: SettingsContent) -> None:
        self._bench.apply(content)
        self._executor.config = content.config
        if (policy := self._executor.policy) is not None:
            policy.denylist_path = content.denylist or self._denylist

    def _show_content(self) -> None:
        if self._view is not None:
            rows = sorted(map(_row, self.content.settings), key=_order)
            files = [self._settings.file_of(origin) for origin in (SettingOrigin.USER, SettingOrigin.PROJECT)]
            words = " · ".join(str(file) for file in files if file is not None)
            self._view.show_rows(rows, self.content.problems, words)

    def _change(self, make: Callable[[], None]) -> None:
        self._scope.start(self._write(make), "change the settings of tools")  # type: ignore[unused-awaitable]

    async def _write(self, make: Callable[[], None]) -> None:
        try:
            await self._engine.compute(make)
        except (ToolSettingsError, VaultError) as error:
            if self._view is not None:
                self._view.show_problem(full_sentence_of(error))
            return
        await self.read()
        if self._view is not None:
            self._view.clear_fields()

    @Slot(str, str, bool)
    def _on_view_set_requested(self, name: str, value: str, is_project: bool) -> None:
        origin = SettingOrigin.PROJECT if is_project else SettingOrigin.USER

        def make() -> None:
            self._settings.set(name, value, origin)

        self._change(make)

    @Slot(str, bool)
    def _on_view_unset_requested(self, name: str, is_project: bool) -> None:
        origin = SettingOrigin.PROJECT if is_project else SettingOrigin.USER

        def make() -> None:
            self._settings.unset(name, origin)

        self._change(make)

    @Slot(str)
    def _on_view_name_changed(self, name: str) -> None:
        if self._view is not None:
            self._view.hide_value(is_secret=is_secret_parameter(name.strip()))


def _row(setting: Setting) -> SettingRow:
    return SettingRow(
        key=f"{setting.origin}/{setting.name}",
        name=setting.name,
        value=setting.value,
        place=_PLACES[setting.origin],
        where=setting.where,
        is_secret=setting.is_secret,
        counts=setting.counts,
        is_project=setting.origin is SettingOrigin.PROJECT,
        is_fixed=setting.origin is SettingOrigin.ENVIRONMENT,
    )


def _order(row: SettingRow) -> tuple[str, bool]:
    return row.name, not row.counts
