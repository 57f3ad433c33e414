"""What stands behind the sheet of a plan's parameters and limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Slot

from console.batch.document import PlanDocument, PlanEditError
from console.batch.parameters_rows import SettingsError, plan_fields, settings_of, settings_schema
from console.batch.parameters_view import SettingsSheet


class PlanSettings(QObject):
    """Conduct the sheet of what holds for a plan as a whole.

    Args:
        document: The plan.
        sheet: Its sheet.
        sources: Returns where some tools come from, given their names.
        parent: Its owner.
    """

    def __init__(
        self,
        document: PlanDocument,
        sheet: SettingsSheet,
        *,
        sources: Callable[[Sequence[str]], Sequence[str]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._sheet = sheet
        self._sources = sources
        self._is_running = False
        self._unsubscribe = document.subscribe(self._on_document_changed)
        sheet.applied.connect(self._on_sheet_applied)
        sheet.closed.connect(self.close_sheet)

    @Slot()
    def open_sheet(self) -> None:
        """Show what holds for the plan."""
        if self._sheet.isHidden():
            self._sheet.forget()
            self._show()
        self._sheet.show_sheet()

    @Slot()
    def close_sheet(self) -> None:
        """Show it no more."""
        self._sheet.hide_sheet()

    def set_running(self, *, running: bool) -> None:
        """Let it be changed, or, while the plan runs, only be read."""
        if running is not self._is_running:
            self._is_running = running
            self._on_document_changed()

    def close(self) -> None:
        """Let go of the document."""
        self._unsubscribe()

    def _show(self) -> None:
        plan = self._document.plan
        tools = list(dict.fromkeys(step.tool for step in plan.steps if step.tool))
        schema = settings_schema(tools, self._sources(tools))
        self._sheet.show_settings(schema, settings_of(plan), can_apply=not self._is_running)

    @Slot()
    def _on_sheet_applied(self) -> None:
        try:
            self._document.change_plan(**plan_fields(self._sheet.values))
        except (PlanEditError, SettingsError) as error:
            self._sheet.refuse(str(error))
            return
        self._show()

    def _on_document_changed(self) -> None:
        if self._sheet.isVisible() and not self._sheet.is_dirty:
            self._show()
