"""What stands behind the views of one call: shows its log, result, attachments and timing, and writes them down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

from PySide6.QtCore import QObject

from console.call_events import CallOutput
from console.call_result.recent import RecentCall
from console.call_result.rows import facts_of, failure_of
from console.call_result.view import CallView
from console.call_result.waterfall import timing_of
from console.json_view import json_text
from console.language import tr, tr_count
from console.tasks import Compute, OwnTasks, TaskScope
from console.viewers import Content, ContentKind, ContentPresenter, ContentView
from console.widgets.formats import format_count
from tools.calls import Attachment, CallRecord, LogEntry
from tools.card import ToolCard
from tools.spec import MISSING, Policies


class Exports:
    """Write what is shown of a call, and tell the person about it."""

    def __init__(self, view: CallView, compute: Compute, notify: Callable[[str], None]) -> None:
        self._view = view
        self._compute = compute
        self._notify = notify

    async def copy(self, content: Content) -> None:
        """Put a result onto the clipboard."""
        text = await self._compute(_written, content)
        self._view.put_on_clipboard(text)
        self._notify(self._view.words.copied.format(letters=format_count(len(text))))

    async def save(self, content: Content, path: Path) -> None:
        """Write a result into a file."""
        text = await self._compute(_written, content)
        await self.save_bytes(text.encode(), path)

    async def save_bytes(self, data: bytes, path: Path) -> None:
        """Write bytes into a file; the page says where, or why not."""
        try:
            await self._compute(path.write_bytes, data)
        except OSError as error:
            self._notify(
                tr(
                    "{name} could not be saved: {reason}. Choose another place.",
                    name=path.name,
                    reason=error.strerror or error,
                )
            )
        else:
            self._notify(tr("Saved as {path}.", path=path))

    async def save_all(self, attachments: Sequence[Attachment], folder: Path) -> None:
        """Write attachments into a folder, over no file that is there."""
        try:
            await self._compute(_write_all, attachments, folder)
        except OSError as error:
            self._notify(
                tr(
                    "Not all attachments could be saved: {reason}. Choose another folder.",
                    reason=error.strerror or error,
                )
            )
        else:
            self._notify(
                tr(
                    "Saved {count} attachments in {folder}.",
                    count=format_count(len(attachments)),
                    folder=folder,
                )
            )


def _write_all(attachments: Sequence[Attachment], folder: Path) -> None:
    for attachment in attachments:
        # What a tool calls its file may lead anywhere; its last part stays in the folder.
        name = Path(PurePosixPath(attachment.name.replace("\\", "/")).name or "attachment")
        path, number = folder / name, 1
        while path.exists():
            number += 1
            path = folder / f"{name.stem} ({number}){name.suffix}"
        with path.open("xb") as file:
            file.write(attachment.data)


def _written(content: Content) -> str:
    if content.kind is ContentKind.JSON:
        return json_text(content.value)
    return "" if content.value is None else str(content.value)


_LEAST_S: Final = 1.0


class RateMeter:
    """Tell the mean speed since the first amount was known; nothing is told before a second has passed."""

    def __init__(self) -> None:
        self._first: tuple[float, float] | None = None
        self.rate: float | None = None

    def note(self, done: float, at_s: float) -> None:
        """Take note of an amount.

        Args:
            done: How much is done; less than before begins anew.
            at_s: When, in seconds from any moment.
        """
        if self._first is None or done < self._first[0]:
            self._first, self.rate = (done, at_s), None
            return
        passed_s = at_s - self._first[1]
        if passed_s >= _LEAST_S:
            self.rate = (done - self._first[0]) / passed_s


def content_of(record: CallRecord, schema: Mapping[str, Any] | None = None) -> Content | None:
    """Return how a result is shown; None when the call did not succeed and left nothing.

    Args:
        schema: The schema of its tool's results; None without one.
    """
    value = record.result
    if value is MISSING and not record.succeeded and record.partial_text:
        return Content(ContentKind.TEXT, record.partial_text)
    if value is MISSING or value is None:
        return Content(ContentKind.NOTHING) if record.succeeded else None
    if isinstance(value, str):
        return Content(ContentKind.TEXT, value, schema=schema)
    return Content(ContentKind.JSON, value, schema=schema)


class CallPresenter(QObject):
    """Show one call at a time.

    Args:
        recent: The last calls of a tool, oldest first.
        notify: Says a sentence about what was done.
    """

    def __init__(
        self,
        view: CallView,
        *,
        scope: TaskScope,
        compute: Compute,
        recent: Callable[[str], Sequence[RecentCall]],
        notify: Callable[[str], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._scope = scope
        self._compute = compute
        self._notify = notify
        self._recent = recent
        self._exports = Exports(view, compute, notify)
        self._contents: list[ContentPresenter] = []
        self._make_content_presenter(view.result.shown)
        self._lines = self._letters = 0
        self._rate = RateMeter()
        self._tasks = OwnTasks(scope)
        view.result_copy_requested.connect(self._on_view_result_copy_requested)
        view.result_save_chosen.connect(self._on_view_result_save_chosen)
        view.attachment_save_chosen.connect(self._on_view_attachment_save_chosen)
        view.attachments_save_chosen.connect(self._on_view_attachments_save_chosen)
        view.content_added.connect(self._make_content_presenter)

    def begin(self) -> None:
        self._lines = self._letters = 0
        self._rate = RateMeter()
        self._view.begin()

    def take_output(self, output: CallOutput, at_s: float) -> None:
        """Show what the running call wrote, as far as it is not shown yet.

        Args:
            at_s: When, in seconds since the call was proposed.
        """
        if output.progress is not None:
            self._rate.note(output.progress.done, at_s)
            self._view.result.show_progress(output.progress, self._rate.rate)
        if output.logs:
            self._view.logs.list.add(output.logs[max(0, self._lines - output.first_line) :])
            self._lines = max(self._lines, output.first_line + len(output.logs))
        if output.text:
            self._add_text(output.text, output.text_start)

    def take_over(self, record: CallRecord) -> None:
        """Show what a call that runs already wrote until now; its outputs since then go on from there."""
        self._add_logs(record.logs)
        self._lines = len(record.logs)
        if record.partial_text:
            self._add_text(record.partial_text, 0)

    def _add_logs(self, logs: Sequence[LogEntry]) -> None:
        if logs:  # most tools write none, and the page that lists them is made for the first
            self._view.logs.list.add(logs)

    def _add_text(self, text: str, start: int) -> None:
        """Show a part of the text; another attempt begins another text."""
        if not start:
            self._letters = 0
            self._view.result.begin_text()
        # What lies further on is the end of a text that another one took the place of.
        if start <= self._letters:
            self._view.result.add_text(text[self._letters - start :])
            self._letters = max(self._letters, start + len(text))

    def show_final(self, record: CallRecord, tool: ToolCard | None) -> None:
        """Show what came of a call that ended.

        Args:
            tool: Its tool as it is now; None when it is gone.
        """
        name = record.tool.name
        self._add_logs(record.logs[self._lines :])
        if record.logs:
            # It may count what was not kept.
            self._view.logs.list.replace_last(record.logs[-1])
        failure = failure_of(record)
        content = content_of(record, None if tool is None else tool.output_schema)
        self._view.name = name
        self._view.end(facts_of(record), content, failure, _kept(record) if failure else "")
        self._view.show_attachments(record.attachments)
        policies = Policies() if tool is None else tool.policies
        self._view.timing.show_timing(timing_of(record, self._recent(name), policies))

    def mark_former(self, record: CallRecord) -> None:
        """Say of the call that is shown that its tool was loaded anew since."""
        facts = facts_of(record)
        self._view.result_header.facts.show_facts(facts._replace(parts=(tr("before the reload"), *facts.parts)))

    def clear(self) -> None:
        self._lines = self._letters = 0
        self._view.clear()

    def close(self) -> None:
        for presenter in self._contents:
            presenter.close()
        self._tasks.cancel()

    def _make_content_presenter(self, view: ContentView) -> None:
        presenter = ContentPresenter(view, self._compute, self._scope, notify=self._notify, parent=self)
        self._contents.append(presenter)

    def _on_view_result_copy_requested(self) -> None:
        content = self._view.content
        if content is not None:
            self._tasks.start(self._exports.copy(content), "copy the result")

    def _on_view_result_save_chosen(self, path: str) -> None:
        content = self._view.content
        if content is not None:
            self._tasks.start(self._exports.save(content, Path(path)), "save the result")

    def _on_view_attachment_save_chosen(self, data: bytes, path: str) -> None:
        self._tasks.start(self._exports.save_bytes(data, Path(path)), "save an attachment")

    def _on_view_attachments_save_chosen(self, attachments: Sequence[Attachment], path: str) -> None:
        self._tasks.start(self._exports.save_all(attachments, Path(path)), "save all attachments")


def _kept(record: CallRecord) -> str:
    """Say what is left of a call that did not succeed: `12 log lines and 1 attachment`."""
    logs, files = len(record.logs), len(record.attachments)
    lines = tr_count(logs, "1 log line", "{count:,} log lines") if logs else ""
    attachments = tr_count(files, "1 attachment", "{count:,} attachments") if files else ""
    return (
        tr("{lines} and {attachments}", lines=lines, attachments=attachments)
        if logs and files
        else lines or attachments
    )
