"""What came of one call: its result, logs, attachments and timing behind tabs, and further pages that others add."""

from __future__ import annotations

from functools import cached_property
from typing import Final, NamedTuple, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedLayout, QStackedWidget, QWidget

from console.call_result.log_view import LogsView
from console.call_result.model import AttachmentModel
from console.call_result.result_header_view import (
    ATTACHMENTS_TAB,
    LOGS_TAB,
    RESULT_TAB,
    TIMING_TAB,
    FindBar,
    FindWay,
    ResultHeader,
)
from console.call_result.result_view import ResultView
from console.call_result.rows import CallFacts, CallFailure
from console.call_result.timing_view import TimingView
from console.language import tr
from console.lazy_page import LazyPage
from console.viewers import Content, ContentKind, ContentView, Representation, file_content, suffix_of
from console.widgets import (
    BarFrame,
    Button,
    ElidedLabel,
    EmptyState,
    SegmentedControl,
    TableView,
    ThinSplitter,
    ask_folder,
    ask_save_path,
    order_focus,
    set_surface,
    vbox,
)
from tools.calls import Attachment

_PREVIEW_WIDTH: Final = 360

_Page = TypeVar("_Page", bound=QWidget)


class AttachmentsView(QWidget):
    """List attachments, show the selected one in any form that fits it, and save one or all.

    Signals:
        save_chosen(object, str): The bytes of an attachment are to be written to a file.
        save_all_chosen(object, str): Attachments are to be written into a folder.
        preview_made(ContentView): What shows an attachment was made; it needs a presenter.
    """

    save_chosen = Signal(object, str)
    save_all_chosen = Signal(object, str)
    preview_made = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stack = QStackedLayout(self)
        sentence = tr("Files and pictures that come with a result are listed here.")
        self._stack.addWidget(EmptyState("paperclip", tr("No attachments"), sentence))
        self.files = AttachmentModel(self)
        self._preview: ContentView | None = None

    def show_attachments(self, attachments: tuple[Attachment, ...]) -> None:
        """Show what came with a result, the first one selected."""
        if attachments and self._preview is None:
            # Few calls have attachments, so few pages need what shows them.
            self._preview = self._make_page()
        self.files.show_rows(attachments)
        self._stack.setCurrentIndex(1 if attachments else 0)
        if self._preview is None:
            return
        self.save_all.setVisible(len(attachments) > 1)
        if not attachments:
            self._preview.show_content(None)
        elif not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.files.index(0, 0))

    def save_current(self) -> None:
        attachment = self._current()
        if attachment is None:
            return
        ask_save_path(self, tr("Save the attachment as"), attachment.name, self._on_dialog_file_selected)

    def _make_page(self) -> ContentView:
        page = ThinSplitter(Qt.Orientation.Horizontal, self)
        self._stack.addWidget(page)
        self.table = self._make_table(page)
        page.addWidget(self.table)
        page.addWidget(self._make_panel(page))
        page.setStretchFactor(0, 1)
        page.setSizes([2 * _PREVIEW_WIDTH, _PREVIEW_WIDTH])
        self.table.selectionModel().currentRowChanged.connect(self._on_selection_current_row_changed)
        preview = ContentView(tr("Attachment"), self._panel)
        self._panel_column.addWidget(preview, 1)
        preview.forms_changed.connect(self._on_preview_forms_changed)
        order_focus(self, page)
        self.preview_made.emit(preview)
        return preview

    def _make_table(self, parent: QWidget) -> TableView:
        table = TableView(self.files, tr("Attachments"), parent, edge=8, left=8, scrolls_sideways=True)
        table.setObjectName("attachments")
        table.opened.connect(self.save_current)
        return table

    def _make_panel(self, parent: QWidget) -> QWidget:
        self._panel = QWidget(parent)
        set_surface(self._panel, "panel")
        self._panel.setMinimumWidth(_PREVIEW_WIDTH)
        self._panel_column = vbox(self._panel)
        bar = BarFrame(36, surface="panel", margins=(12, 8))
        self._title = ElidedLabel("", "small", "text2", elide=Qt.TextElideMode.ElideMiddle)
        self.save = Button(tr("Save as…"), kind="ghost", icon="download")
        self.save.clicked.connect(self.save_current)
        self.save_all = Button(tr("Save all…"), kind="ghost", icon="folder-output")
        self.save_all.clicked.connect(self._on_save_all_clicked)
        bar.row.addWidget(self._title, 1)
        bar.row.addWidget(self.save)
        bar.row.addWidget(self.save_all)
        self._forms_bar = BarFrame(32, surface="panel", margins=(12, 8))
        self.forms = SegmentedControl((), tr("Form of the attachment"), height=24)
        self.forms.selected.connect(self._on_forms_selected)
        self._forms_bar.row.addWidget(self.forms)
        self._forms_bar.row.addStretch(1)
        self._panel_column.addWidget(bar)
        self._panel_column.addWidget(self._forms_bar)
        return self._panel

    def _current(self) -> Attachment | None:
        if self._preview is None:
            return None
        attachment: Attachment | None = self.table.chosen_row
        return attachment

    def _on_selection_current_row_changed(self) -> None:
        attachment = self._current()
        if attachment is None or self._preview is None:
            return
        self._title.set_text(attachment.name)
        self._preview.show_content(file_content(attachment.name, attachment.mime_type, attachment.data))

    def _on_preview_forms_changed(self) -> None:
        if self._preview is None:
            return
        forms = self._preview.forms
        self._forms_bar.setVisible(len(forms) > 1)
        if self._preview.form is not None:
            self.forms.set_choices(tuple(form.title for form in forms), forms.index(self._preview.form))

    def _on_forms_selected(self, index: int) -> None:
        if self._preview is not None:
            self._preview.choose_form(self._preview.forms[index])

    def _on_save_all_clicked(self) -> None:
        ask_folder(self, tr("Save all attachments into a folder"), "", self._on_dialog_folder_selected)

    def _on_dialog_file_selected(self, path: str) -> None:
        attachment = self._current()
        if attachment is not None:
            self.save_chosen.emit(attachment.data, path)

    def _on_dialog_folder_selected(self, path: str) -> None:
        self.save_all_chosen.emit(tuple(self.files.rows), path)


class _DocumentWords(NamedTuple):
    """What is said of a document; `copied` has a place for how many `letters` it has."""

    find: str
    save: str
    copied: str


_WORDS: Final = {
    "result": _DocumentWords(
        tr("Find in the result"), tr("Save the result as"), tr("The result is on the clipboard: {letters} letters.")
    ),
    "definition": _DocumentWords(
        tr("Find in the definition"),
        tr("Save the definition as"),
        tr("The definition is on the clipboard: {letters} letters."),
    ),
    "schema": _DocumentWords(
        tr("Find in the schema"), tr("Save the schema as"), tr("The schema is on the clipboard: {letters} letters.")
    ),
}


class DocumentPage(LazyPage):
    """A page behind a further tab that shows a document, to be searched, copied and saved as a result is.

    Args:
        name: The page's accessible name.
        noun: What the document is, one of those with words of their own: `definition` or `schema`.

    Signals:
        filled: The page was made.
    """

    filled = Signal()

    def __init__(self, name: str, noun: str) -> None:
        super().__init__(name)
        self.noun = noun
        self.shown: ContentView | None = None

    def fill_with(self, page: QWidget, shown: ContentView) -> None:
        """Put the page here.

        Args:
            shown: The part that shows the document.
        """
        self.shown = shown
        self.fill(page)
        self.filled.emit()


class CallView(QWidget):
    """Show one call, from its start to its end or long after it.

    Args:
        name: The tool, for the names of files that are saved.

    Signals:
        tab_changed(int): Another tab is shown.
        result_copy_requested: Copy the result, or the document of the tab that is shown.
        result_save_chosen(str): Write the same to this file.
        attachment_save_chosen(object, str): The bytes of an attachment are to be written to a file.
        attachments_save_chosen(object, str): Attachments are to be written into a folder.
        content_added(ContentView): Something else shows values from now on: an attachment, or a document in a tab.
    """

    tab_changed = Signal(int)
    result_copy_requested = Signal()
    result_save_chosen = Signal(str)
    attachment_save_chosen = Signal(object, str)
    attachments_save_chosen = Signal(object, str)
    content_added = Signal(object)

    def __init__(self, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        column = vbox(self)
        self.result_header = ResultHeader(self)
        # From the top down: Qt looks up the style of every descendant again whenever a widget gets a parent.
        self._pages = QStackedWidget(self)
        self._further: list[QWidget] = []
        self.result = ResultView(self._pages)
        self._pages.addWidget(self.result)
        column.addWidget(self.result_header)
        column.addWidget(self._pages, 1)
        self._column = column
        self._connect_parts()
        self._show_buttons()

    @cached_property
    def logs(self) -> LogsView:
        """Give the Logs page. It and the two behind it are made when there is something to show, or somebody looks."""
        page = LogsView(self._pages)
        page.count_changed.connect(self._on_logs_count_changed)
        return self._with_page(page)

    @cached_property
    def attachments(self) -> AttachmentsView:
        page = AttachmentsView(self._pages)
        page.save_chosen.connect(self.attachment_save_chosen)
        page.save_all_chosen.connect(self.attachments_save_chosen)
        page.preview_made.connect(self.content_added)
        return self._with_page(page)

    @cached_property
    def timing(self) -> TimingView:
        page = TimingView(self._pages)
        page.log_requested.connect(self._on_log_requested)
        return self._with_page(page)

    @cached_property
    def find_bar(self) -> FindBar:
        """Give the search, made when somebody searches."""
        bar = FindBar(self)
        bar.find_requested.connect(self._on_find_bar_find_requested)
        bar.closed.connect(self._on_find_bar_closed)
        self._column.insertWidget(1, bar)
        order_focus(self._pages, bar)
        return bar

    def _with_page(self, page: _Page) -> _Page:
        self._pages.addWidget(page)
        order_focus(self._pages, page)
        return page

    def _is_made(self, part: str) -> bool:
        return part in vars(self)

    def _connect_parts(self) -> None:
        header = self.result_header
        header.tabs.currentChanged.connect(self._on_tabs_current_changed)
        header.forms.selected.connect(self._on_result_header_form_chosen)
        header.find_requested.connect(self.open_find)
        header.copy_requested.connect(self._on_result_header_copy_requested)
        header.save_requested.connect(self._on_result_header_save_requested)
        self.result.log_requested.connect(self._on_log_requested)
        self.result.clipboard_requested.connect(self.put_on_clipboard)
        self._connect_content(self.result.shown)

    def _connect_content(self, shown: ContentView) -> None:
        shown.forms_changed.connect(self._show_buttons)
        shown.find_finished.connect(self._on_shown_find_finished)
        shown.query_ended.connect(self._on_shown_query_ended)

    @property
    def current_tab(self) -> int:
        return self.result_header.tabs.currentIndex()

    def add_page(self, text: str, page: QWidget) -> int:
        """Add a tab behind those of the call.

        Returns:
            Which one it is.
        """
        self._pages.addWidget(page)
        self._further.append(page)
        index = self.result_header.tabs.add_tab(text)
        self.result_header.tabs.setTabToolTip(index, tr("{text} (Alt+{index})", text=text, index=index + 1))
        if isinstance(page, DocumentPage):
            page.filled.connect(self._on_page_filled)
        return index

    def show_tab(self, tab: int) -> None:
        self.result_header.tabs.setCurrentIndex(tab)

    @property
    def noun(self) -> str:
        page = self._pages.currentWidget()
        return page.noun if isinstance(page, DocumentPage) else "result"

    @property
    def words(self) -> _DocumentWords:
        return _WORDS[self.noun]

    @property
    def content(self) -> Content | None:
        """Give the result, or the document of the tab that is shown; None when there is none."""
        page = self._pages.currentWidget()
        if isinstance(page, DocumentPage):
            return None if page.shown is None else page.shown.content
        return self.result.content

    def _shown(self) -> ContentView | None:
        """Return what shows values in the tab that is shown; None where nothing does."""
        page = self._pages.currentWidget()
        return page.shown if isinstance(page, DocumentPage) else self.result.shown if page is self.result else None

    def begin(self) -> None:
        """Show that a call begins; the result of the call before stays in sight until this one ends."""
        if self._is_made("logs"):
            self.logs.clear()
        self.result.show_running(running=True)
        self.timing.show_running()

    def show_running(self, facts: CallFacts) -> None:
        self.result_header.facts.show_facts(facts)
        self.result.show_state(facts)

    def end(self, facts: CallFacts, content: Content | None, failure: CallFailure | None, kept: str) -> None:
        """Show what came of the call.

        Args:
            content: Its result; None when there is none.
            failure: Why it did not succeed; None when it did.
        """
        self.result_header.facts.show_facts(facts)
        self.result.show_running(running=False)
        self.result.show_remark(*facts.remark)
        self.result.show_content(content, failure, kept, goes_on=facts.status in {"running", "waiting", "approved"})
        self._show_buttons()

    def show_attachments(self, attachments: tuple[Attachment, ...]) -> None:
        if attachments or self._is_made("attachments"):
            self.attachments.show_attachments(attachments)
        self.result_header.show_count(ATTACHMENTS_TAB, len(attachments))

    def clear(self) -> None:
        if self._is_made("logs"):
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
        shown = self._shown()
        if self.current_tab == LOGS_TAB:
            self.find_bar.open(tr("Find in the log"))
        elif shown is not None and not shown.focus_filter():
            self.find_bar.open(self.words.find, in_values=shown.form is Representation.TREE)

    def close_find(self) -> bool:
        """Close the search; tell whether it was open."""
        is_open = self._is_made("find_bar") and self.find_bar.isVisible()
        if is_open:
            self.find_bar.close_bar()
        return is_open

    def _show_buttons(self) -> None:
        tab, content, header, shown = self.current_tab, self.content, self.result_header, self._shown()
        has_content = content is not None and content.kind is not ContentKind.NOTHING
        usable = has_content if shown is not None or tab == TIMING_TAB else tab == LOGS_TAB
        forms = () if shown is None else shown.forms
        index = forms.index(shown.form) if shown is not None and shown.form in forms else 0
        header.show_forms(tuple(form.title for form in forms), index)
        header.find_button.setVisible(shown is not None or tab == LOGS_TAB)
        header.copy.setEnabled(usable)
        has_files = tab == ATTACHMENTS_TAB and bool(self.attachments.files.rows)
        header.save.setEnabled(has_files if tab == ATTACHMENTS_TAB else usable)

    def _on_tabs_current_changed(self, tab: int) -> None:
        self._pages.setCurrentWidget(self._page(tab))
        self.close_find()
        self._show_buttons()
        self.tab_changed.emit(tab)

    def _page(self, tab: int) -> QWidget:
        names = {RESULT_TAB: "result", LOGS_TAB: "logs", ATTACHMENTS_TAB: "attachments", TIMING_TAB: "timing"}
        page: QWidget = getattr(self, names[tab]) if tab in names else self._further[tab - len(names)]
        return page

    def _on_result_header_form_chosen(self, index: int) -> None:
        self.close_find()
        shown = self._shown()
        if shown is not None:
            shown.choose_form(shown.forms[index])

    def _on_result_header_copy_requested(self) -> None:
        if self.current_tab == LOGS_TAB:
            self.put_on_clipboard(self.logs.list.selected_text())
        else:
            self.result_copy_requested.emit()

    def _on_result_header_save_requested(self) -> None:
        if self.current_tab == ATTACHMENTS_TAB:
            self.attachments.save_current()
            return
        content = self.content
        name = self.name if content is None or self.noun == "result" else content.name
        name += "" if content is None else suffix_of(content)
        ask_save_path(self, self.words.save, name, self.result_save_chosen)

    def _on_log_requested(self) -> None:
        self.show_tab(LOGS_TAB)

    def _on_logs_count_changed(self, count: int) -> None:
        self.result_header.show_count(LOGS_TAB, count)

    def _on_find_bar_find_requested(self, needle: str, backwards: bool) -> None:
        shown = self._shown()
        if shown is None:
            found = self.logs.list.find_text(needle, backwards=backwards)
        elif self.find_bar.way is FindWay.JMESPATH:
            shown.query(needle)
            return
        else:
            names_only = self.find_bar.way is FindWay.NAMES
            found = shown.find(needle, backwards=backwards, names_only=names_only)
        self.find_bar.show_found(found)

    def _on_shown_find_finished(self, found: bool) -> None:
        self.find_bar.show_found(found)

    def _on_shown_query_ended(self, problem: str) -> None:
        self.find_bar.show_problem(problem)

    def _on_find_bar_closed(self) -> None:
        shown = self._shown()
        if shown is None:
            self.logs.list.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            shown.show_whole()
            shown.focus_page()

    def _on_page_filled(self) -> None:
        page = self.sender()
        if isinstance(page, DocumentPage) and page.shown is not None:
            self._connect_content(page.shown)
            self.content_added.emit(page.shown)
