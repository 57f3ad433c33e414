"""What stands behind the drawer of the limits: shows what holds, computes what a change would do, saves and undoes."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from console.health.limits_rows import ScopeRow, form_of, limits_of, sheet_of
from console.health.limits_view import LimitsView
from console.health.ports import LimitsPort
from console.tasks import TaskScope
from tools.card import SourceKind
from tools.health import HealthLimits, LimitsScope

_ICONS = {
    SourceKind.API: "globe",
    SourceKind.BUILT_IN: "package",
    SourceKind.PLUGIN: "file-code",
    SourceKind.PROGRAM: "box",
    SourceKind.SERVER: "server",
}


class _Saved(NamedTuple):
    """A change that can be taken back: for which tools, and what was kept before."""

    scope: LimitsScope
    before: HealthLimits | None


class LimitsPresenter(QObject):
    """Let a person set limits.

    Args:
        view: The drawer.
        limits: Knows what holds, and keeps changes.
        scope: Owns the tasks of the window.
        parent: Its owner.

    Signals:
        changed: Other limits hold from now on.
    """

    changed = Signal()

    def __init__(
        self, view: LimitsView, limits: LimitsPort, scope: TaskScope, *, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._limits = limits
        self._tasks_of = scope
        self._tool = ""
        self._scopes: Sequence[LimitsScope] = (LimitsScope(),)
        self._scope = LimitsScope()
        self._gives_up_own = False
        self._saved: _Saved | None = None
        self._previewing: asyncio.Task[Any] | None = None
        self._preview_again = False
        self._tasks: set[asyncio.Task[Any]] = set()
        view.scope_chosen.connect(self._on_view_scope_chosen)
        view.edited.connect(self._on_view_edited)
        view.save_requested.connect(self._on_view_save_requested)
        view.defaults_requested.connect(self._on_view_defaults_requested)
        view.undo_requested.connect(self._on_view_undo_requested)

    @property
    def is_changed(self) -> bool:
        """Whether something stands in the fields that is not saved."""
        return self._draft() != self._limits.own(self._scope)

    def show_tool(self, tool: str, *, begin: bool = False) -> None:
        """Show the limits of a tool, unless those of another one are being changed.

        Args:
            tool: Its name; empty shows what holds for all.
            begin: Whether what is being changed is given up.
        """
        if not self._view.isVisible() or (self.is_changed and not begin and self._tool):
            return
        self._tool = tool
        self._scopes = self._limits.scopes(tool)
        self._show_scope(self._scopes[0])

    def look_again(self) -> None:
        """Take in that tools ran: what limits would come to may be something else now."""
        # For all tools this takes tenths of a second, which nobody asked for.
        if self._view.isVisible() and self._scope.tool:
            self._preview()

    def close(self) -> None:
        """Let go of what is under way."""
        for task in (*self._tasks, self._previewing):
            if task is not None:
                task.cancel()

    def _show_scope(self, scope: LimitsScope) -> None:
        self._scope, self._gives_up_own = scope, False
        self._saved = None
        self._view.show_notice(self._limits.problem, undo=False)
        self._view.show_scopes([self._row(known) for known in self._scopes], list(self._scopes).index(scope))
        self._view.show_form(form_of(self._own()))
        self._follow_form()

    def _own(self) -> HealthLimits:
        return self._limits.own(self._scope) or self._limits.inherited(self._scope)

    def _row(self, scope: LimitsScope) -> ScopeRow:
        wider = next((known for known in self._wider(scope) if self._limits.own(known) is not None), LimitsScope())
        is_own = self._limits.own(scope) is not None
        note = f"{'Overrides' if is_own else 'Has'} the limits of {_words(wider)}"
        if scope.tool:
            return ScopeRow(scope.tool, "wrench", note)
        if scope.source is not None:
            return ScopeRow(_title(scope), _ICONS[scope.source.kind], note)
        return ScopeRow(_title(scope), "layers", "Holds where nothing else is said")

    def _wider(self, scope: LimitsScope) -> Sequence[LimitsScope]:
        return self._scopes[list(self._scopes).index(scope) + 1 :]

    def _draft(self) -> HealthLimits | str | None:
        """Return the limits that the fields say, why they are none, or None for those that would hold otherwise."""
        if self._gives_up_own:
            return None
        before = self._own()
        form = self._view.form
        if form == form_of(before):
            return self._limits.own(self._scope)
        return limits_of(form, before)

    def _follow_form(self) -> None:
        draft = self._draft()
        problem = draft if isinstance(draft, str) else ""
        self._view.show_problem(problem)
        own = self._limits.own(self._scope)
        self._view.show_state(
            can_save=not problem and draft != own, has_own=not self._gives_up_own and (own is not None or draft != own)
        )
        if problem:
            self._view.show_preview(None)
        else:
            self._preview()

    def _preview(self) -> None:
        if self._previewing is not None:
            self._preview_again = True
            return
        self._previewing = self._tasks_of.start(self._show_preview(), "preview limits")

    async def _show_preview(self) -> None:
        try:
            self._preview_again = True
            while self._preview_again:
                self._preview_again = False
                draft, scope = self._draft(), self._scope
                if isinstance(draft, str):
                    continue
                limits = draft or self._limits.inherited(scope)
                preview = await self._limits.preview(limits, scope)
                if not self._preview_again:
                    self._view.show_preview(sheet_of(preview, limits))
        finally:
            self._previewing = None

    @Slot(int)
    def _on_view_scope_chosen(self, place: int) -> None:
        self._show_scope(self._scopes[place])

    @Slot()
    def _on_view_edited(self) -> None:
        self._gives_up_own = False
        self._view.show_notice("", undo=False)
        self._follow_form()

    @Slot()
    def _on_view_defaults_requested(self) -> None:
        self._view.show_form(form_of(self._limits.inherited(self._scope)))
        self._gives_up_own = True
        self._follow_form()

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = self._tasks_of.start(work, name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @Slot()
    def _on_view_save_requested(self) -> None:
        draft = self._draft()
        if not isinstance(draft, str):
            self._start(self._save(self._scope, draft), "save limits")

    async def _save(self, scope: LimitsScope, limits: HealthLimits | None, *, is_undo: bool = False) -> None:
        try:
            before = await self._limits.save(scope, limits)
        except OSError as error:
            self._view.show_notice(f"Not saved: {error.strerror or error}", undo=False)
            return
        self._show_scope(scope)
        self._saved = None if is_undo else _Saved(scope, before)
        self._view.show_notice("Taken back" if is_undo else "Saved", undo=not is_undo)
        self.changed.emit()

    @Slot()
    def _on_view_undo_requested(self) -> None:
        if self._saved is not None:
            self._start(self._save(*self._saved, is_undo=True), "take limits back")


def _words(scope: LimitsScope) -> str:
    """Name a scope of several tools."""
    return f"all tools of {scope.source.name}" if scope.source is not None else "all tools"


def _title(scope: LimitsScope) -> str:
    words = _words(scope)
    return words[0].upper() + words[1:]
