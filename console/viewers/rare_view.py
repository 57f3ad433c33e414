"""Pages that few results need, made when the first one does."""

from __future__ import annotations

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QStackedWidget

from console.viewers.details_view import DetailsView
from console.viewers.picture_view import PictureView
from console.viewers.rendered_view import RenderedView


class RarePages(QObject):
    """Hold a page of Markdown, a picture and the details of a file.

    Args:
        stack: Where the pages are put.
        name: What they show, for their accessible names.

    Signals:
        link_opened(QUrl): A link was clicked.
        open_requested: The file is to be opened elsewhere.
    """

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
        """Give the page of Markdown."""
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
        """Give the details of a file."""
        if self._details is None:
            self._details = DetailsView(self._stack)
            self._details.open_requested.connect(self.open_requested)
            self._stack.addWidget(self._details)
        return self._details

    def clear(self) -> None:
        """Let go of what is shown."""
        if self._rendered is not None:
            self._rendered.clear_page()
        if self._picture is not None:
            self._picture.show_image(QImage())
