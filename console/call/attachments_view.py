"""The Attachments tab: what came with a result, to look at and to keep."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QStackedLayout, QVBoxLayout, QWidget

from console.call.model import AttachmentModel
from console.viewers import ContentView, file_content
from console.widgets import (
    BarFrame,
    Button,
    ElidedLabel,
    EmptyState,
    SegmentedControl,
    TableView,
    ThinSplitter,
    set_surface,
)
from tools.calls import Attachment

_PREVIEW_WIDTH: Final = 360


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
        sentence = "Files and pictures that come with a result are listed here."
        self._stack.addWidget(EmptyState("paperclip", "No attachments", sentence))
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
        """Ask where to save the selected attachment."""
        attachment = self._current()
        if attachment is None:
            return
        dialog = QFileDialog(self, "Save the attachment as", attachment.name)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(attachment.name)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._on_dialog_file_selected)
        dialog.open()

    def _make_page(self) -> ContentView:
        page = ThinSplitter(Qt.Orientation.Horizontal, self)
        self._stack.addWidget(page)
        self.table = self._make_table(page)
        page.addWidget(self.table)
        page.addWidget(self._make_panel(page))
        page.setStretchFactor(0, 1)
        page.setSizes([2 * _PREVIEW_WIDTH, _PREVIEW_WIDTH])
        self.table.selectionModel().currentRowChanged.connect(self._on_selection_current_row_changed)
        preview = ContentView("Attachment", self._panel)
        self._panel_column.addWidget(preview, 1)
        preview.forms_changed.connect(self._on_preview_forms_changed)
        self.preview_made.emit(preview)
        return preview

    def _make_table(self, parent: QWidget) -> TableView:
        table = TableView(self.files, "Attachments", parent, edge=8, left=8, scrolls_sideways=True)
        table.setObjectName("attachments")
        table.opened.connect(self.save_current)
        return table

    def _make_panel(self, parent: QWidget) -> QWidget:
        self._panel = QWidget(parent)
        set_surface(self._panel, "panel")
        self._panel.setMinimumWidth(_PREVIEW_WIDTH)
        self._panel_column = QVBoxLayout(self._panel)
        self._panel_column.setContentsMargins(0, 0, 0, 0)
        self._panel_column.setSpacing(0)
        bar = BarFrame(36, surface="panel", margins=(12, 8))
        self._title = ElidedLabel("", "small", "text2", elide=Qt.TextElideMode.ElideMiddle)
        self.save = Button("Save as…", kind="ghost", icon="download")
        self.save.clicked.connect(self.save_current)
        self.save_all = Button("Save all…", kind="ghost", icon="folder-output")
        self.save_all.clicked.connect(self._on_save_all_clicked)
        bar.row.addWidget(self._title, 1)
        bar.row.addWidget(self.save)
        bar.row.addWidget(self.save_all)
        self._forms_bar = BarFrame(32, surface="panel", margins=(12, 8))
        self.forms = SegmentedControl((), "Form of the attachment", height=24)
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
            self.forms.set_choices(tuple(form.value for form in forms), forms.index(self._preview.form))

    def _on_forms_selected(self, index: int) -> None:
        if self._preview is not None:
            self._preview.choose_form(self._preview.forms[index])

    def _on_save_all_clicked(self) -> None:
        dialog = QFileDialog(self, "Save all attachments into a folder")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._on_dialog_folder_selected)
        dialog.open()

    def _on_dialog_file_selected(self, path: str) -> None:
        attachment = self._current()
        if attachment is not None:
            self.save_chosen.emit(attachment.data, path)

    def _on_dialog_folder_selected(self, path: str) -> None:
        self.save_all_chosen.emit(tuple(self.files.rows), path)
