"""Carry out what is chosen on the page of settings, and show what counts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

from PySide6.QtCore import QObject, SignalInstance, Slot

from console.language import full_sentence_of
from console.settings.preference import Preference
from console.tasks import TaskScope
from tools.errors import ToolError


class SettingRowPort(Protocol):
    """What the presenter needs of a row."""

    def show_value(self, value: bool | int | str) -> None:
        """Show which value counts."""

    def show_problem(self, problem: str) -> None:
        """Say what is wrong with what was chosen."""


class SettingsPresenter(QObject):
    """Read settings and change them.

    Args:
        keep: Writes what the window remembers to its file, and says why it cannot.
    """

    def __init__(
        self,
        preferences: Sequence[Preference],
        row_by_key: Mapping[str, SettingRowPort],
        changed: SignalInstance,
        scope: TaskScope,
        *,
        keep: Callable[[], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._keep = keep
        self._preference_by_key = {preference.key: preference for preference in preferences}
        self._row_by_key = row_by_key
        self._scope = scope
        changed.connect(self._on_view_changed)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show which values count now: other parts of the window change some of them as well."""
        for key, preference in self._preference_by_key.items():
            self._row_by_key[key].show_value(preference.read())

    @Slot(str, object)
    def _on_view_changed(self, key: str, value: bool | int | str) -> None:
        preference, row = self._preference_by_key[key], self._row_by_key[key]
        try:
            waited = preference.change(value)
        except (ValueError, ToolError, OSError) as error:
            row.show_problem(full_sentence_of(error))
            return
        if waited is None:
            self._show_changed(key)
        else:
            self._scope.start(self._wait(key, waited), "change a setting")  # type: ignore[unused-awaitable]

    async def _wait(self, key: str, waited: Awaitable[object]) -> None:
        row = self._row_by_key[key]
        try:
            await waited
        except (ValueError, ToolError, OSError) as error:
            row.show_value(self._preference_by_key[key].read())
            row.show_problem(full_sentence_of(error))
        else:
            self._show_changed(key)

    def _show_changed(self, key: str) -> None:
        row = self._row_by_key[key]
        row.show_value(self._preference_by_key[key].read())
        if problem := self._keep():
            row.show_problem(problem)
