"""The Attachments tab: what came with a result, to look at and to keep."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QStackedLayout,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from console.execution.model import AttachmentModel, row_role
from console.theme import theme_of
from console.widgets import BarFrame, Button, Divider, ElidedLabel, EmptyState, set_surface
from tools.calls import Attachment

__all__ = ["AttachmentsView"]

_PREVIEW_WIDTH: Final = 360
_LARGEST_PREVIEW_BYTES: Final = 64 * 1024 * 1024


class _Picture(QWidget):
    """A picture, made smaller where there is no room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pixmap = QPixmap()
        self.setAccessibleName("Picture")

    def show_data(self, data: bytes) -> bool:
        pixmap = QPixmap()
        if len(data) > _LARGEST_PREVIEW_BYTES or not pixmap.loadFromData(data):
            return False
        self._pixmap = pixmap
        self.setAccessibleDescription(f"{pixmap.width()} by {pixmap.height()} pixels")
        self.update()
        return True

    def sizeHint(self) -> QSize:
        return QSize(_PREVIEW_WIDTH, 200)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._pixmap.isNull():
            return
        room = self.rect().adjusted(12, 12, -12, -12)
        size = self._pixmap.size()
        if size.width() > room.width() or size.height() > room.height():
            size = size.scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        left = room.x() + (room.width() - size.width()) // 2
        top = room.y() + (room.height() - size.height()) // 2
        painter.drawPixmap(left, top, size.width(), size.height(), self._pixmap)


class AttachmentsView(QWidget):
    """List attachments, show pictures, and save what is chosen.

    Args:
        parent: Its owner.

    Signals:
        save_chosen(object, str): The bytes of an attachment are to be written to a file.
    """

    save_chosen = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stack = QStackedLayout(self)
        sentence = "Files and pictures that come with a result are listed here."
        self._stack.addWidget(EmptyState("paperclip", "No attachments", sentence))
        page = QWidget()
        self._stack.addWidget(page)
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._files = AttachmentModel()
        self.table = self._make_table(page)
        row.addWidget(self.table, 1)
        row.addWidget(Divider(Qt.Orientation.Vertical))
        row.addWidget(self._make_preview(page))
        self.table.selectionModel().currentRowChanged.connect(self._on_selection_current_row_changed)

    @property
    def files(self) -> AttachmentModel:
        """Give the model."""
        return self._files

    def show_attachments(self, attachments: tuple[Attachment, ...]) -> None:
        """Show what came with a result, the first one selected.

        Args:
            attachments: In the order they came.
        """
        self._files.show(attachments)
        self._stack.setCurrentIndex(1 if attachments else 0)
        if attachments and not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self._files.index(0, 0))

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

    def _make_table(self, parent: QWidget) -> QTableView:
        table = QTableView(parent)
        table.setObjectName("attachments")
        table.setAccessibleName("Attachments")
        table.setModel(self._files)
        table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        table.setShowGrid(False)
        table.setFont(theme_of(self).font("small"))
        table.setTabKeyNavigation(False)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        theme = theme_of(self)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(theme.size.row_table)
        header = table.horizontalHeader()
        header.setFixedHeight(theme.size.table_header)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(1, 200)
        header.resizeSection(2, 96)
        table.doubleClicked.connect(self._on_table_double_clicked)
        return table

    def _make_preview(self, parent: QWidget) -> QWidget:
        panel = QWidget(parent)
        set_surface(panel, "panel")
        panel.setFixedWidth(_PREVIEW_WIDTH)
        column = QVBoxLayout(panel)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        bar = BarFrame(36, surface="panel", margins=(12, 8))
        self._title = ElidedLabel("", "small", "text2", elide=Qt.TextElideMode.ElideMiddle)
        self.save = Button("Save as…", kind="ghost", icon="download")
        self.save.clicked.connect(self.save_current)
        bar.row.addWidget(self._title, 1)
        bar.row.addWidget(self.save)
        column.addWidget(bar)
        self._preview = QStackedWidget()
        self._picture = _Picture()
        self._preview.addWidget(self._picture)
        self._preview.addWidget(EmptyState("file", "No preview", "Save the file to open it with another program."))
        column.addWidget(self._preview, 1)
        return panel

    def _current(self) -> Attachment | None:
        attachment = self.table.currentIndex().data(row_role)
        return attachment if isinstance(attachment, Attachment) else None

    def _on_selection_current_row_changed(self, current: QModelIndex) -> None:
        attachment = current.data(row_role)
        if not isinstance(attachment, Attachment):
            return
        self._title.set_text(attachment.name)
        is_picture = attachment.mime_type.startswith("image/") and self._picture.show_data(attachment.data)
        self._preview.setCurrentIndex(0 if is_picture else 1)

    def _on_table_double_clicked(self) -> None:
        self.save_current()

    def _on_dialog_file_selected(self, path: str) -> None:
        attachment = self._current()
        if attachment is not None:
            self.save_chosen.emit(attachment.data, path)
