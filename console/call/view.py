"""What came of one call: its result, logs, attachments and timing behind tabs, and further pages that others add."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QVBoxLayout, QWidget

from console.call.attachments_view import AttachmentsView
from console.call.log_view import LogsView
from console.call.result_header_view import (
    ATTACHMENTS_TAB,
    LOGS_TAB,
    RESULT_TAB,
    TIMING_TAB,
    FindBar,
    FindWay,
    ResultHeader,
)
from console.call.result_view import ResultView
from console.call.rows import CallFacts, CallFailure
from console.call.timing_view import TimingView
from console.viewers import Content, ContentKind, ResultForm, suffix_of
from tools.calls import Attachment


class CallView(QWidget):
    """Show one call, from its start to its end or long after it.

    Args:
        name: The tool, for the names of files that are saved.
        parent: Its owner.

    Signals:
        tab_changed(int): Another tab is shown.
        result_copy_requested: Copy the result.
        result_save_chosen(str): Write the result to this file.
    """

    tab_changed = Signal(int)
    result_copy_requested = Signal()
    result_save_chosen = Signal(str)

    def __init__(self, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.result_header = ResultHeader(self)
        self.find_bar = FindBar(self)
        # From the top down: Qt looks up the style of every descendant again whenever a widget gets a parent.
        self._pages = QStackedWidget(self)
        self.result = ResultView(self._pages)
        self.logs = LogsView(self._pages)
        self.attachments = AttachmentsView(self._pages)
        self.timing = TimingView(self._pages)
        for page in (self.result, self.logs, self.attachments, self.timing):
            self._pages.addWidget(page)
        column.addWidget(self.result_header)
        column.addWidget(self.find_bar)
        column.addWidget(self._pages, 1)
        self._connect_parts()
        self._show_buttons()

    def _connect_parts(self) -> None:
        header = self.result_header
        header.tabs.currentChanged.connect(self._on_tabs_current_changed)
        header.form_chosen.connect(self._on_result_header_form_chosen)
        header.find_requested.connect(self.open_find)
        header.copy_requested.connect(self._on_result_header_copy_requested)
        header.save_requested.connect(self._on_result_header_save_requested)
        self.result.log_requested.connect(self._on_log_requested)
        self.result.clipboard_requested.connect(self.put_on_clipboard)
        self.result.shown.forms_changed.connect(self._show_buttons)
        self.result.shown.find_finished.connect(self.find_bar.show_found)
        self.result.shown.query_ended.connect(self.find_bar.show_problem)
        self.timing.log_requested.connect(self._on_log_requested)
        self.logs.count_changed.connect(self._on_logs_count_changed)
        self.find_bar.find_requested.connect(self._on_find_bar_find_requested)
        self.find_bar.closed.connect(self._on_find_bar_closed)

    @property
    def current_tab(self) -> int:
        """Give which tab is shown, from 0."""
        return self.result_header.tabs.currentIndex()

    def add_page(self, text: str, page: QWidget) -> int:
        """Add a tab behind those of the call.

        Returns:
            Which one it is.
        """
        self._pages.addWidget(page)
        index = self.result_header.tabs.add_tab(text)
        self.result_header.tabs.setTabToolTip(index, f"{text} (Alt+{index + 1})")
        return index

    def show_tab(self, tab: int) -> None:
        self.result_header.tabs.setCurrentIndex(tab)

    @property
    def content(self) -> Content | None:
        """Give the result that is shown; None when there is none."""
        return self.result.content

    def begin(self) -> None:
        """Show that a call begins; what the call before brought stays in sight until this one ends."""
        self.logs.clear()
        self.result.show_running(running=True)
        self.timing.show_running()

    def show_running(self, facts: CallFacts) -> None:
        self.result_header.facts.show_facts(facts)
        self.result.show_elapsed(facts.parts[0] if facts.parts else "")

    def end(self, facts: CallFacts, content: Content | None, failure: CallFailure | None, kept: str) -> None:
        """Show what came of the call.

        Args:
            facts: How it ended.
            content: Its result; None when there is none.
            failure: Why it did not succeed; None when it did.
            kept: What else was kept of it.
        """
        self.result_header.facts.show_facts(facts)
        self.result.show_running(running=False)
        self.result.show_remark(*facts.remark)
        self.result.show_content(content, failure, kept)
        self._show_buttons()

    def show_attachments(self, attachments: tuple[Attachment, ...]) -> None:
        self.attachments.show_attachments(attachments)
        self.result_header.show_count(ATTACHMENTS_TAB, len(attachments))

    def clear(self) -> None:
        self.logs.clear()
        self.result.show_running(running=False)
        self.result.show_remark("", "")
        self.result.show_content(None)
        self.result_header.facts.show_facts(None)
        self.show_attachments(())
        self.timing.show_timing(None)
        self._show_buttons()

    def put_on_clipboard(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def open_find(self) -> None:
        """Open the search in the tab that is shown."""
        shown = self.result.shown
        if self.current_tab == LOGS_TAB:
            self.find_bar.open("Find in the log")
        elif self.current_tab == RESULT_TAB and not shown.focus_filter():
            self.find_bar.open("Find in the result", in_values=shown.form is ResultForm.TREE)

    def _show_buttons(self) -> None:
        tab = self.current_tab
        has_result = self.content is not None and self.content.kind is not ContentKind.NOTHING
        usable = has_result if tab in {RESULT_TAB, TIMING_TAB} else tab == LOGS_TAB
        header, shown = self.result_header, self.result.shown
        forms = shown.forms if tab == RESULT_TAB else ()
        header.show_forms(tuple(form.value for form in forms), forms.index(shown.form) if shown.form in forms else 0)
        header.find_button.setVisible(tab in {RESULT_TAB, LOGS_TAB})
        header.copy.setEnabled(usable)
        header.save.setEnabled(usable if tab != ATTACHMENTS_TAB else bool(self.attachments.files.rows))

    def _on_tabs_current_changed(self, tab: int) -> None:
        self._pages.setCurrentIndex(tab)
        if self.find_bar.isVisible():
            self.find_bar.close_bar()
        self._show_buttons()
        self.tab_changed.emit(tab)

    def _on_result_header_form_chosen(self, index: int) -> None:
        if self.find_bar.isVisible():
            self.find_bar.close_bar()
        self.result.shown.choose_form(self.result.shown.forms[index])

    def _on_result_header_copy_requested(self) -> None:
        if self.current_tab == LOGS_TAB:
            self.put_on_clipboard(self.logs.list.selected_text())
        else:
            self.result_copy_requested.emit()

    def _on_result_header_save_requested(self) -> None:
        if self.current_tab == ATTACHMENTS_TAB:
            self.attachments.save_current()
            return
        dialog = QFileDialog(self, "Save the result as")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(f"{self.name}{suffix_of(self.content)}" if self.content is not None else self.name)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.result_save_chosen)
        dialog.open()

    def _on_log_requested(self) -> None:
        self.show_tab(LOGS_TAB)

    def _on_logs_count_changed(self, count: int) -> None:
        self.result_header.show_count(LOGS_TAB, count)

    def _on_find_bar_find_requested(self, needle: str, backwards: bool) -> None:
        if self.current_tab == LOGS_TAB:
            found = self.logs.list.find_text(needle, backwards=backwards)
        elif self.find_bar.way is FindWay.JMESPATH:
            self.result.shown.query(needle)
            return
        else:
            names_only = self.find_bar.way is FindWay.NAMES
            found = self.result.shown.find(needle, backwards=backwards, names_only=names_only)
        self.find_bar.show_found(found)

    def _on_find_bar_closed(self) -> None:
        if self.current_tab == LOGS_TAB:
            self.logs.list.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.result.shown.show_whole()
            self.result.shown.focus_page()
