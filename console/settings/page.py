"""The page of settings, made when it is first seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from console.keymap import WindowCommand
from console.language import tr
from console.lazy_page import LazyPage
from console.settings.preference import Preference, SettingsSection
from console.tasks import TaskScope
from console.widgets import CommandAction

if TYPE_CHECKING:
    from console.settings.presenter import SettingsPresenter
    from console.settings.view import AllSettingsView, SectionPart


class SectionSource(Protocol):
    """Something that has a part of a section."""

    def make_view(self) -> SectionPart:
        """Return the part, which shows what counts from now on."""


class SettingsPage(QObject):
    """Show all settings, and offer each of them in the command palette.

    Args:
        preferences: The settings, in the order of the page.
        parts: What else stands in some sections.
        keep: Writes what the window remembers to its file, and says why it cannot.

    Attributes:
        widget: The page.

    Signals:
        page_requested(str): The page is to come to the front.
        restart_requested(): The program is to start again, so that a setting counts.
        shown(): The page comes into sight.
    """

    page_requested = Signal(str)
    restart_requested = Signal()
    shown = Signal()

    def __init__(
        self,
        preferences: Sequence[Preference],
        parts: Mapping[SettingsSection, SectionSource],
        scope: TaskScope,
        *,
        keep: Callable[[], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._keep = keep
        self._parts = parts
        self._scope = scope
        self._presenter: SettingsPresenter | None = None
        self.view: AllSettingsView | None = None
        self.widget = LazyPage(tr("Settings"))
        self.widget.wanted.connect(self._on_widget_wanted)

    def offer(self, window: QWidget) -> None:
        """Let the palette find every setting, over this window."""
        for preference in self._preferences:
            action = CommandAction(WindowCommand(f"setting.{preference.key}", preference.title, tr("Settings")), window)
            action.setData(preference.key)
            action.triggered.connect(self._on_action_triggered)

    @Slot()
    def refresh(self) -> None:
        if self._presenter is not None:
            self._presenter.refresh()

    @Slot()
    def _on_widget_wanted(self) -> None:
        from console.settings.presenter import SettingsPresenter  # noqa: PLC0415 -- see console.startup.loading
        from console.settings.view import AllSettingsView  # noqa: PLC0415 -- as above

        parts = {section: part.make_view() for section, part in self._parts.items()}
        view = self.view = AllSettingsView(self._preferences, parts)
        self._presenter = SettingsPresenter(
            self._preferences, view.row_by_key, view.changed, self._scope, keep=self._keep, parent=self
        )
        view.shown.connect(self.refresh)
        view.shown.connect(self.shown)
        view.restart_requested.connect(self.restart_requested)
        self.widget.fill(view)

    @Slot()
    def _on_action_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, CommandAction):
            self.page_requested.emit("settings")
            if self.view is not None:
                self.view.show_setting(action.data())
