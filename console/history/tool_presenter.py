"""What stands behind the History tab of one tool."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QObject, Signal

from console.history.actions import CallActions
from console.history.history_feed import HistoryFeed
from console.history.model import HistoryModel
from console.history.ports import HistoryPort
from console.history.rows import count_words, problem_words
from console.history.tool_view import ToolHistoryView
from console.tasks import TaskScope
from console.widgets.formats import format_count


class ToolHistoryPresenter(QObject):
    """Fill the History tab of one tool.

    Args:
        model: Its calls.
        view: The tab.
        history: Where calls are kept.
        actions: Does with calls what the person asks for.
        scope: Owns the tasks of the window.
        parent: Its owner.

    Signals:
        count_changed(str): So many calls there are, for the tab; empty for none.
        all_requested(str): The calls of this tool are to be shown on the History page.
    """

    count_changed = Signal(str)
    all_requested = Signal(str)

    def __init__(
        self,
        model: HistoryModel,
        view: ToolHistoryView,
        history: HistoryPort,
        actions: CallActions,
        *,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._view = view
        self._history = history
        self._actions = actions
        self._is_stale = True
        self._listing = HistoryFeed(model, history, scope, parent=self)
        self._listing.counted.connect(self._on_listing_counted)
        self._listing.failed.connect(self._on_listing_failed)
        view.filters_changed.connect(self._on_view_filters_changed)
        view.all_requested.connect(self._on_view_all_requested)
        view.shown.connect(self.catch_up)
        view.open_requested.connect(actions.open)
        view.run_requested.connect(actions.run_again)
        view.action_requested.connect(self._on_view_action_requested)
        view.export_chosen.connect(self._on_view_export_chosen)
        actions.written.connect(view.put_on_clipboard)
        actions.deleted.connect(self._on_actions_deleted)

    def follow(self, written: Collection[str], *, at_once: bool) -> None:
        """Take in that the history changed.

        Args:
            written: The ids of new and changed calls.
            at_once: Whether somebody looks; else the list waits until somebody does.
        """
        if at_once and not self._is_stale:
            self._listing.refresh_soon(set(written))
        else:
            self._is_stale = True

    def catch_up(self) -> None:
        """List anew what changed while nobody looked."""
        self._view.show_problem(problem_words(self._history.problem)[0])
        if self._is_stale:
            self._is_stale = False
            self._listing.show(self._view.filters)

    def close(self) -> None:
        """Let go of what is under way."""
        self._listing.close()
        self._actions.close()

    def _on_view_filters_changed(self) -> None:
        self._listing.show(self._view.filters)

    def _on_listing_failed(self, message: str) -> None:
        self._view.show_problem(problem_words(message, reads=True)[0])

    def _on_listing_counted(self, total: int, exact: bool) -> None:
        self._view.show_count(count_words(total, exact=exact))
        if not self._view.filters.text.strip():
            self.count_changed.emit(format_count(total) + ("" if exact else "+") if total else "")

    def _on_view_action_requested(self, key: str, ids: Sequence[str]) -> None:
        match key:
            case "compare" if len(ids) == 2:
                self._actions.compare(ids)
            case "compare":
                pass
            case "batch":
                self._actions.make_batch(ids)
            case "delete":
                self._actions.ask_to_delete(ids)
            case _:
                self._actions.copy(key, ids)

    def _on_view_all_requested(self) -> None:
        self.all_requested.emit(self._view.filters.tool)

    def _on_view_export_chosen(self, ids: Sequence[str], path: str) -> None:
        self._actions.export(self._view.filters, ids, path)

    def _on_actions_deleted(self, ids: Sequence[str]) -> None:
        self._model.remove(set(ids))
