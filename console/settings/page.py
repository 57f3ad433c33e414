"""The page of settings, made when it is first seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from console.lazy_page import LazyPage
from console.settings.preference import Preference, SettingsSection
from console.settings.tool_values import ToolValues
from console.tasks import TaskScope
from console.widgets import CommandAction

if TYPE_CHECKING:
    from console.settings.presenter import SettingsPresenter
    from console.settings.view import AllSettingsView


class SettingsPage(QObject):
    """Show all settings, and offer each of them in the command palette.

    Args:
        preferences: The settings, in the order of the page.
        values: What tools are given; it stands among them.
        scope: Owns the tasks.
        parent: Its owner.

    Attributes:
        widget: The page.

    Signals:
        page_requested(str): The page is to come to the front.
    """

    page_requested = Signal(str)

    def __init__(
        self,
        preferences: Sequence[Preference],
        values: ToolValues,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._values = values
        self._scope = scope
        self._presenter: SettingsPresenter | None = None
        self.view: AllSettingsView | None = None
        self.widget = LazyPage("Settings")
        self.widget.wanted.connect(self._on_widget_wanted)

    def offer(self, window: QWidget) -> None:
        """Let the palette find every setting, over this window."""
        for preference in self._preferences:
            action = CommandAction(preference.title, window, place="Settings")
            action.setData(preference.key)
            action.triggered.connect(self._on_action_triggered)

    @Slot()
    def refresh(self) -> None:
        """Show which values count now."""
        if self._presenter is not None:
            self._presenter.refresh()

    @Slot()
    def _on_widget_wanted(self) -> None:
        from console.settings.presenter import SettingsPresenter  # noqa: PLC0415 -- see console.app.loading
        from console.settings.tool_values_view import ToolValuesView  # noqa: PLC0415 -- as above
        from console.settings.view import AllSettingsView  # noqa: PLC0415 -- as above

        table = ToolValuesView()
        self._values.attach(table)
        view = self.view = AllSettingsView(self._preferences, {SettingsSection.TOOLS: table})
        self._presenter = SettingsPresenter(self._preferences, view.row_by_key, view.changed, self._scope, parent=self)
        view.shown.connect(self.refresh)
        self.widget.fill(view)

    @Slot()
    def _on_action_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, CommandAction):
            self.page_requested.emit("settings")
            if self.view is not None:
                self.view.show_setting(action.data())
