"""The page of one open tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QVBoxLayout, QWidget

from console.execution.arguments_view import ArgumentsRow, FormArea
from console.execution.attachments_view import AttachmentsView
from console.execution.find_view import FindBar
from console.execution.header_view import HeaderView
from console.execution.logs_view import LogsView
from console.execution.notice_view import NoticeBar
from console.execution.result_header_view import ATTACHMENTS_TAB, LOGS_TAB, RESULT_TAB, TIMING_TAB, ResultHeader
from console.execution.result_view import Content, ContentKind, ResultView
from console.execution.rows import CallFacts, Failure, ToolCard, argument_path
from console.execution.timing_view import TimingView
from console.execution.waterfall import Timing
from console.schema_form import ArgumentsEditor, Document, Validity
from console.widgets import Divider, ThinSplitter, set_surface
from tools.calls import Attachment, LogEntry, Progress

__all__ = ["Content", "ContentKind", "ExecutionView"]

_LEAST_RESULT: Final = 124
_MOST_FORM_SHARE: Final = 0.5


class _Parts(ThinSplitter):
    """The form above, the result below; tells when there is more or less room for both."""

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()


class ExecutionView(QWidget):
    """Show one tool: what it is, its arguments, and what came of its newest call.

    Args:
        card: What is known of the tool.
        parent: Its owner.

    Signals:
        run_requested: Run the tool.
        bypass_requested: Run the tool and pass over the cache.
        stop_requested: Stop the running call.
        reset_requested: Put the defaults in place of all arguments.
        undo_requested: Take the last change of the arguments back.
        example_chosen(object): Fill the form with these arguments.
        call_copy_requested(str): Copy the call as `python`, `command` or `json`.
        result_copy_requested: Copy the result.
        result_text_wanted: Write the result as text.
        result_save_chosen(str): Write the result to this file.
        attachment_save_chosen(object, str): Write these bytes to this file.
    """

    run_requested = Signal()
    bypass_requested = Signal()
    stop_requested = Signal()
    reset_requested = Signal()
    undo_requested = Signal()
    example_chosen = Signal(object)
    call_copy_requested = Signal(str)
    result_copy_requested = Signal()
    result_text_wanted = Signal()
    result_save_chosen = Signal(str)
    attachment_save_chosen = Signal(object, str)

    def __init__(self, card: ToolCard, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._card = card
        self._folded_by_tab: dict[int, bool] = {TIMING_TAB: True}
        self._maximised = False
        self._form_moved = False
        self.setObjectName(f"execution {card.name}")
        self.setAccessibleName(card.title)
        set_surface(self, "surface")
        self._build(card)
        self._connect_parts()
        self._add_shortcuts()
        self._apply_fold()

    def _build(self, card: ToolCard) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.header = HeaderView(card, self)
        self.arguments = ArgumentsRow(card.examples, self)
        self._below_row = QWidget(self)
        self._below_row.setFixedHeight(8)
        self.notice = NoticeBar(self)
        self._fold_line = Divider(Qt.Orientation.Horizontal)
        # From the top down: Qt looks up the style of every descendant again whenever a widget gets a parent.
        self._splitter = _Parts(Qt.Orientation.Vertical, self)
        self.editor = ArgumentsEditor()
        self.form = FormArea(self.editor, self._splitter)
        self.results = self._make_results()
        self._splitter.setObjectName("execution parts")
        self._splitter.addWidget(self.form)
        self._splitter.addWidget(self.results)
        self._splitter.resized.connect(self._fit_form)
        self._splitter.setStretchFactor(0, 0)
        self._splitter.setStretchFactor(1, 1)
        column.addWidget(self.header)
        column.addWidget(self.arguments)
        column.addWidget(self.notice)
        column.addWidget(self._below_row)
        column.addWidget(self._fold_line)
        column.addWidget(self._splitter, 1)

    def _make_results(self) -> QWidget:
        results = QWidget(self._splitter)
        column = QVBoxLayout(results)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.result_header = ResultHeader(results)
        self.find_bar = FindBar(results)
        self._pages = QStackedWidget(results)
        self.result = ResultView(self._pages)
        self.logs = LogsView(self._pages)
        self.attachments = AttachmentsView(self._pages)
        self.timing = TimingView(self._pages)
        for page in (self.result, self.logs, self.attachments, self.timing):
            self._pages.addWidget(page)
        column.addWidget(self.result_header)
        column.addWidget(self.find_bar)
        column.addWidget(self._pages, 1)
        results.setMinimumHeight(_LEAST_RESULT)
        return results

    def _connect_parts(self) -> None:
        self.header.run_requested.connect(self.run_requested)
        self.header.stop_requested.connect(self.stop_requested)
        self.header.menu_action_triggered.connect(self._on_header_menu_action_triggered)
        self.arguments.form_chosen.connect(self._on_arguments_form_chosen)
        self.editor.mode_changed.connect(self._on_editor_mode_changed)
        self.editor.submit_requested.connect(self.run_requested)
        self.arguments.example_chosen.connect(self._on_arguments_example_chosen)
        self.arguments.reset_requested.connect(self.reset_requested)
        self.arguments.copy_requested.connect(self.call_copy_requested)
        self.arguments.fold_requested.connect(self._on_arguments_fold_requested)
        self.arguments.first_error_requested.connect(self.reveal_first_error)
        self.notice.undo_requested.connect(self.undo_requested)
        self.form.natural_height_changed.connect(self._on_form_natural_height_changed)
        self._splitter.splitterMoved.connect(self._on_splitter_moved)
        tabs = self.result_header
        tabs.tabs.currentChanged.connect(self._on_tabs_current_changed)
        tabs.text_toggled.connect(self._on_result_header_text_toggled)
        tabs.find_requested.connect(self.open_find)
        tabs.copy_requested.connect(self._on_result_header_copy_requested)
        tabs.save_requested.connect(self._on_result_header_save_requested)
        tabs.maximise_requested.connect(self._on_result_header_maximise_requested)
        self.result.text_wanted.connect(self.result_text_wanted)
        self.result.problem_pressed.connect(self._on_result_problem_pressed)
        self.result.log_requested.connect(self._on_log_requested)
        self.result.clipboard_requested.connect(self.put_on_clipboard)
        self.result.tree.find_finished.connect(self._on_search_finished)
        self.result.text.find_finished.connect(self._on_search_finished)
        self.timing.log_requested.connect(self._on_log_requested)
        self.logs.count_changed.connect(self._on_logs_count_changed)
        self.attachments.save_chosen.connect(self.attachment_save_chosen)
        self.find_bar.find_requested.connect(self._on_find_bar_find_requested)
        self.find_bar.closed.connect(self._on_find_bar_closed)

    def _add_shortcuts(self) -> None:
        context = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for keys, slot in (
            ("Ctrl+Return", self.run_requested),
            ("Ctrl+Enter", self.run_requested),
            ("Ctrl+Shift+Return", self.bypass_requested),
            ("Ctrl+Shift+Enter", self.bypass_requested),
            ("Ctrl+Shift+J", self._on_mode_shortcut_activated),
            ("Ctrl+E", self.arguments.examples.showMenu),
            ("Ctrl+F", self.open_find),
            ("Alt+1", self._on_result_shortcut_activated),
            ("Alt+2", self._on_log_requested),
            ("Alt+3", self._on_attachments_shortcut_activated),
            ("Alt+4", self._on_timing_shortcut_activated),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(context)
            shortcut.activated.connect(slot)

    @property
    def document(self) -> Document:
        """Give the arguments, for reading and writing; what is being typed as JSON is in them after `can_run`."""
        return self.editor.document

    def focus_arguments(self) -> None:
        """Put the focus into the first field; onto Run when the tool takes no arguments."""
        if not self.editor.focus_first():
            self.header.run_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_schema(
        self, schema: Mapping[str, Any], *, value: Mapping[str, Any] | None, project_dir: Path | None = None
    ) -> None:
        """Show the fields of a tool's arguments.

        Args:
            schema: JSON Schema of an object, checked when the tool was declared.
            value: The arguments at first; None takes the schema's defaults.
            project_dir: Where relative paths start; None for the home folder.
        """
        if project_dir is not None:
            self.editor.set_base(project_dir)
        examples = [example.arguments for example in self._card.examples]
        self.editor.set_schema(schema, value=value, examples=examples, is_checked=True)
        self._fit_form()

    def can_run(self) -> bool:
        """Say whether the arguments fit; what is being typed counts."""
        return self.editor.can_run()

    @property
    def content(self) -> Content | None:
        """Give the result that is shown; None when there is none."""
        return self.result.content

    @property
    def current_tab(self) -> int:
        """Give which of Result, Logs, Attachments and Timing is shown, from 0."""
        return self.result_header.tabs.currentIndex()

    def show_tab(self, tab: int) -> None:
        """Show Result, Logs, Attachments or Timing."""
        self.result_header.tabs.setCurrentIndex(tab)

    def show_validity(self, validity: Validity) -> None:
        """Say how many arguments are valid."""
        self.arguments.show_validity(validity)

    def show_summary(self, summary: str) -> None:
        """Say what stands in the one line that the arguments fold into."""
        self.arguments.show_summary(summary)

    def show_run(self, *, enabled: bool, reason: str) -> None:
        """Allow or forbid Run; the reason is its tooltip."""
        self.header.show_run(enabled=enabled, reason=reason)

    def show_stop(self, *, enabled: bool, stopping: bool) -> None:
        """Allow or forbid Stop."""
        self.header.show_stop(enabled=enabled, stopping=stopping)

    def show_notice(self, text: str, *, undo: bool = False) -> None:
        """Say something about the last action; "" takes it away.

        Args:
            text: One or two sentences.
            undo: Whether the action can be taken back.
        """
        self.notice.show_text(text, undo=undo)

    def begin(self) -> None:
        """Show that a call begins; what the call before brought stays in sight until this one ends."""
        self.logs.clear()
        self.result.show_running(running=True)
        self.timing.show_running()

    def show_running(self, facts: CallFacts) -> None:
        """Show how the running call stands."""
        self.result_header.facts.show_facts(facts)
        self.result.show_elapsed(facts.parts[0] if facts.parts else "")

    def show_progress(self, progress: Progress) -> None:
        """Show how far the running call is."""
        self.result.show_progress(progress)

    def add_logs(self, entries: Sequence[LogEntry]) -> None:
        """Append to the log."""
        if entries:
            self.logs.add(entries)

    def correct_last_log(self, entry: LogEntry) -> None:
        """Show the last entry as it is in the end: it may count what was not kept."""
        self.logs.list.replace_last(entry)

    def end(self, facts: CallFacts, content: Content | None, failure: Failure | None, kept: str) -> None:
        """Show what came of the call.

        Args:
            facts: How it ended.
            content: Its result; None when there is none.
            failure: Why it did not succeed; None when it did.
            kept: What else was kept of it.
        """
        self.result_header.facts.show_facts(facts)
        self.result.show_running(running=False)
        self.result.show_content(content, failure, kept)
        self._show_buttons()

    def show_result_text(self, text: str) -> None:
        """Show the result written as text."""
        self.result.show_text(text)

    def show_attachments(self, attachments: tuple[Attachment, ...]) -> None:
        """Show what came with the result."""
        self.attachments.show_attachments(attachments)
        self.result_header.show_count(ATTACHMENTS_TAB, len(attachments))

    def show_timing(self, timing: Timing) -> None:
        """Show where the time of the call went."""
        self.timing.show_timing(timing)

    def put_on_clipboard(self, text: str) -> None:
        """Copy a text."""
        QGuiApplication.clipboard().setText(text)

    def reveal_first_error(self) -> None:
        """Open the form at the first argument that is not valid."""
        self._set_folded(folded=False)
        self.editor.reveal_problems()

    def open_find(self) -> None:
        """Open the search in the tab that is shown."""
        if self.current_tab in {RESULT_TAB, LOGS_TAB}:
            self.find_bar.open("Find in the log" if self.current_tab == LOGS_TAB else "Find in the result")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close what is innermost with Esc: the search, the maximised result; then stop the call."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.find_bar.isVisible():
            self.find_bar.close_bar()
        elif self._maximised:
            self.result_header.maximise.setChecked(False)
        elif self.header.stop_button.isEnabled():
            self.stop_requested.emit()
        else:
            super().keyPressEvent(event)

    def _show_buttons(self) -> None:
        tab = self.current_tab
        has_result = self.content is not None and self.content.kind is not ContentKind.NOTHING
        usable = has_result if tab in {RESULT_TAB, TIMING_TAB} else tab == LOGS_TAB
        is_json = self.content is not None and self.content.kind is ContentKind.JSON
        self.result_header.as_text.setVisible(tab == RESULT_TAB and is_json)
        self.result_header.find_button.setVisible(tab in {RESULT_TAB, LOGS_TAB})
        self.result_header.copy.setEnabled(usable)
        self.result_header.save.setEnabled(
            usable if tab != ATTACHMENTS_TAB else bool(self.attachments.files.attachments)
        )

    def _is_folded(self) -> bool:
        return self._maximised or self._folded_by_tab.get(self.current_tab, False)

    def _set_folded(self, *, folded: bool) -> None:
        if not folded and self._maximised:
            self.result_header.maximise.setChecked(False)
        self._folded_by_tab[self.current_tab] = folded
        self._apply_fold()

    def _apply_fold(self) -> None:
        folded = self._is_folded()
        self.header.setVisible(not self._maximised)
        self.arguments.setVisible(not self._maximised)
        self.arguments.set_folded(folded=folded)
        self.form.setVisible(not folded)
        self._below_row.setVisible(folded and not self._maximised)
        self._fold_line.setVisible(folded and not self._maximised)
        self._fit_form()
        self._show_buttons()

    def _fit_form(self) -> None:
        if self._form_moved or not self.form.isVisibleTo(self):
            return
        room = self._splitter.height() - 1
        most = max(self.form.minimumHeight(), round(self.height() * _MOST_FORM_SHARE))
        wanted = min(self.form.natural_height, most, max(0, room - _LEAST_RESULT))
        self._splitter.setSizes([wanted, max(0, room - wanted)])

    def _on_header_menu_action_triggered(self, key: str) -> None:
        if key == "bypass":
            self.bypass_requested.emit()
        elif key == "copy_name":
            self.put_on_clipboard(self._card.name)
        elif key == "fold":
            self._set_folded(folded=not self._is_folded())

    def _on_arguments_form_chosen(self, form: bool) -> None:
        self.editor.set_mode("form" if form else "json")

    def _on_editor_mode_changed(self, mode: str) -> None:
        self.arguments.mode.select(0 if mode == "form" else 1)

    def _on_arguments_example_chosen(self, number: int) -> None:
        self.example_chosen.emit(self._card.examples[number].arguments)

    def _on_arguments_fold_requested(self, folded: bool) -> None:
        self._set_folded(folded=folded)

    def _on_mode_shortcut_activated(self) -> None:
        self._set_folded(folded=False)
        self.arguments.mode.select(1 - self.arguments.mode.index)

    def _on_form_natural_height_changed(self, height: int) -> None:
        self._fit_form()

    def _on_splitter_moved(self) -> None:
        self._form_moved = True

    def _on_tabs_current_changed(self, tab: int) -> None:
        self._pages.setCurrentIndex(tab)
        if self.find_bar.isVisible():
            self.find_bar.close_bar()
        self._apply_fold()

    def _on_result_header_text_toggled(self, text: bool) -> None:
        self.result.set_as_text(as_text=text)

    def _on_result_header_copy_requested(self) -> None:
        if self.current_tab == LOGS_TAB:
            self.put_on_clipboard(self.logs.list.selected_text())
        else:
            self.result_copy_requested.emit()

    def _on_result_header_save_requested(self) -> None:
        if self.current_tab == ATTACHMENTS_TAB:
            self.attachments.save_current()
            return
        is_text = self.content is not None and self.content.kind is ContentKind.TEXT
        dialog = QFileDialog(self, "Save the result as")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(f"{self._card.name}.{'txt' if is_text else 'json'}")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.result_save_chosen)
        dialog.open()

    def _on_result_header_maximise_requested(self, maximise: bool) -> None:
        self._maximised = maximise
        self._apply_fold()

    def _on_result_problem_pressed(self, path: str) -> None:
        self._set_folded(folded=False)
        self.editor.focus_field(argument_path(path))

    def _on_log_requested(self) -> None:
        self.show_tab(LOGS_TAB)

    def _on_result_shortcut_activated(self) -> None:
        self.show_tab(RESULT_TAB)

    def _on_attachments_shortcut_activated(self) -> None:
        self.show_tab(ATTACHMENTS_TAB)

    def _on_timing_shortcut_activated(self) -> None:
        self.show_tab(TIMING_TAB)

    def _on_logs_count_changed(self, count: int) -> None:
        self.result_header.show_count(LOGS_TAB, count)

    def _on_find_bar_find_requested(self, needle: str, backwards: bool) -> None:
        if self.current_tab == LOGS_TAB:
            found = self.logs.list.find_text(needle, backwards=backwards)
        else:
            searched = self.result.searched()
            found = searched is not None and searched.find(needle, backwards=backwards)
        self.find_bar.show_found(found=found)

    def _on_search_finished(self, found: bool) -> None:
        self.find_bar.show_found(found=found)

    def _on_find_bar_closed(self) -> None:
        if self.current_tab == LOGS_TAB:
            self.logs.list.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            searched = self.result.searched()
            if searched is not None:
                searched.setFocus(Qt.FocusReason.OtherFocusReason)
