"""What stands behind a result that is shown: prepares its forms, picks and sorts, away from the window's thread."""

from __future__ import annotations

import logging
import mimetypes
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from console.json_view.query import QueryError, picked
from console.language import in_sentence, tr, tr_count, translated
from console.tasks import Compute, OwnTasks, TaskScope
from console.viewers.content_view import ContentView
from console.viewers.preparing import (
    Arrangement,
    NotShownError,
    TableContent,
    arranged,
    csv_of,
    hints_of,
    json_of,
    prepared,
)
from console.viewers.representations import Content, Representation

_log = logging.getLogger(__name__)

_WRITERS: Final = {"csv": csv_of, "json": json_of}


class ContentPresenter(QObject):
    """Prepare what a view shows.

    Args:
        notify: Says a sentence about what was done.
        open_url: Opens a link or a file with the program that the system has for it.
    """

    def __init__(
        self,
        view: ContentView,
        compute: Compute,
        scope: TaskScope,
        *,
        notify: Callable[[str], None],
        open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._compute = compute
        self._notify = notify
        self._open_url = open_url
        self._tasks = OwnTasks(scope)
        self._opened: tempfile.TemporaryDirectory[str] | None = None
        view.form_wanted.connect(self._on_view_form_wanted)
        view.hints_wanted.connect(self._on_view_hints_wanted)
        view.query_wanted.connect(self._on_view_query_wanted)
        view.arrangement_wanted.connect(self._on_view_arrangement_wanted)
        view.table_export_chosen.connect(self._on_view_table_export_chosen)
        view.table_copy_requested.connect(self._on_view_table_copy_requested)
        view.open_requested.connect(self._on_view_open_requested)
        view.link_opened.connect(self._on_view_link_opened)
        view.noticed.connect(self._on_view_noticed)

    def close(self) -> None:
        """Let go of what is under way, and of files that were opened elsewhere."""
        self._tasks.cancel()
        if self._opened is not None:
            self._opened.cleanup()
            self._opened = None

    async def _prepare(self, content: Content, form: Representation) -> None:
        try:
            made = await self._compute(prepared, content, form)
        except NotShownError as error:
            self._view.drop_form(content, form, str(error))
        except Exception as error:  # noqa: BLE001 -- whatever a library says of what a tool made, other forms are left
            _log.info("a result could not be shown as %s", form.value, exc_info=True)
            self._view.drop_form(
                content,
                form,
                tr("The result cannot be shown as {form}: {error}", form=in_sentence(form.title), error=error),
            )
        else:
            self._view.show_prepared(content, form, made)

    async def _find_hints(self, schema: Mapping[str, Any], value: Any) -> None:
        self._view.show_hints(value, await self._compute(hints_of, schema, value))

    async def _pick(self, whole: Any, expression: str) -> None:
        try:
            value = await self._compute(picked, whole, expression)
        except QueryError as error:
            self._view.show_query_problem(translated(error))
        else:
            self._view.show_picked(whole, expression, value)

    async def _arrange(self, table: TableContent, arrangement: Arrangement) -> None:
        order = await self._compute(arranged, table, arrangement)
        if self._view.table is not None:
            self._view.table.show_order(table, arrangement, order)

    async def _export(self, kind: str, path: Path) -> None:
        shown = self._view.table
        if shown is None:
            return
        model = shown.model
        text = await self._compute(_WRITERS[kind], model.table, model.order, shown.shown_columns())
        rows = len(model.order)
        try:
            await self._compute(path.write_text, text, "utf-8")
        except OSError as error:
            self._notify(
                tr(
                    "{name} could not be saved: {error}. Choose another place.",
                    name=path.name,
                    error=error.strerror or error,
                )
            )
        else:
            self._notify(tr_count(rows, "Saved 1 row as {path}.", "Saved {count:,} rows as {path}.", path=path))

    async def _open(self, content: Content) -> None:
        if self._opened is None:
            self._opened = tempfile.TemporaryDirectory(prefix="tool-console-")
        # The type decides about the ending, and so about the program: a name alone could start anything.
        suffix = mimetypes.guess_extension(content.mime_type) or ""
        path = Path(self._opened.name) / f"{Path(content.name).stem or 'file'}{suffix}"
        await self._compute(path.write_bytes, content.value)
        if not self._open_url(QUrl.fromLocalFile(str(path))):
            self._notify(
                tr(
                    "There is no program for {type}. Save the file to use it elsewhere.",
                    type=content.mime_type,
                )
            )

    def _on_view_form_wanted(self, content: Content, form: Representation) -> None:
        self._tasks.start(self._prepare(content, form), f"show a result as {form.value}")

    def _on_view_hints_wanted(self, schema: Mapping[str, Any], value: Any) -> None:
        self._tasks.start(self._find_hints(schema, value), "look a result's schema up")

    def _on_view_query_wanted(self, whole: Any, expression: str) -> None:
        self._tasks.start(self._pick(whole, expression), "pick from a result")

    def _on_view_arrangement_wanted(self, table: TableContent, arrangement: Arrangement) -> None:
        self._tasks.start(self._arrange(table, arrangement), "arrange a table")

    def _on_view_table_export_chosen(self, kind: str, path: str) -> None:
        self._tasks.start(self._export(kind, Path(path)), "export a table")

    def _on_view_table_copy_requested(self, rows: list[int]) -> None:
        shown = self._view.table
        if shown is not None and rows:
            QGuiApplication.clipboard().setText(csv_of(shown.model.table, rows, shown.shown_columns(), "\t"))
            self._notify(tr_count(len(rows), "1 row is on the clipboard.", "{count:,} rows are on the clipboard."))

    def _on_view_open_requested(self, content: Content) -> None:
        self._tasks.start(self._open(content), "open a file elsewhere")

    def _on_view_link_opened(self, url: QUrl) -> None:
        self._open_url(url)

    def _on_view_noticed(self, words: str) -> None:
        self._notify(words)
