"""Pages that few results need: Markdown, a picture, the details of a file."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QStackedWidget, QVBoxLayout, QWidget

from console.viewers.rendered_view import RenderedView
from console.widgets import Button, TextLabel


class PictureView(QWidget):
    """Show a picture."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image = QImage()
        self.setAccessibleName("Picture")

    def show_image(self, image: QImage) -> None:
        """Show another picture; a null one shows nothing."""
        self._image = image
        size = "" if image.isNull() else f"{image.width()} by {image.height()} pixels"
        self.setAccessibleDescription(size)
        self.setToolTip(size)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(360, 200)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._image.isNull():
            return
        room = self.rect().adjusted(12, 12, -12, -12)
        size = self._image.size()
        if size.width() > room.width() or size.height() > room.height():
            size = size.scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        left = room.x() + (room.width() - size.width()) // 2
        top = room.y() + (room.height() - size.height()) // 2
        painter.drawImage(QRect(QPoint(left, top), size), self._image)


class DetailsView(QWidget):
    """Show facts about a file.

    Signals:
        open_requested: The file is to be opened with the program that the system has for it.
    """

    open_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Details")
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(12)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self.open_button = Button("Open with another program", icon="external-link")
        column.addLayout(self._grid)
        column.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self.open_button.clicked.connect(self.open_requested)

    def show_details(self, facts: Sequence[tuple[str, str]], *, can_open: bool) -> None:
        """Show other facts.

        Args:
            facts: Words and their values.
            can_open: Whether the file is of a kind that only shows or plays something.
        """
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for row, (word, value) in enumerate(facts):
            self._grid.addWidget(TextLabel(word, "small", "text3"), row, 0)
            label = TextLabel(value, "small", wrap=True, selectable=True)
            self._grid.addWidget(label, row, 1)
        self.setAccessibleDescription("; ".join(f"{word}: {value}" for word, value in facts))
        self.open_button.setVisible(can_open)


class RarePages(QObject):
    """Hold a page of Markdown, a picture and the details of a file."""

    link_opened = Signal(QUrl)
    open_requested = Signal()

    def __init__(self, stack: QStackedWidget, name: str) -> None:
        super().__init__(stack)
        self._stack = stack
        self._name = name
        self._rendered: RenderedView | None = None
        self._picture: PictureView | None = None
        self._details: DetailsView | None = None

    @property
    def rendered(self) -> RenderedView:
        if self._rendered is None:
            self._rendered = RenderedView(self._stack)
            self._rendered.setAccessibleName(f"{self._name} as a page")
            self._rendered.link_opened.connect(self.link_opened)
            self._stack.addWidget(self._rendered)
        return self._rendered

    @property
    def picture(self) -> PictureView:
        if self._picture is None:
            self._picture = PictureView(self._stack)
            self._stack.addWidget(self._picture)
        return self._picture

    @property
    def details(self) -> DetailsView:
        if self._details is None:
            self._details = DetailsView(self._stack)
            self._details.open_requested.connect(self.open_requested)
            self._stack.addWidget(self._details)
        return self._details

    def clear(self) -> None:
        if self._rendered is not None:
            self._rendered.clear_page()
        if self._picture is not None:
            self._picture.show_image(QImage())
