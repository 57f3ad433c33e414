"""The open tools: tabs above pages, and the welcome page when there are none."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from console.language import tr
from console.theme import painter_of, theme_of
from console.widgets import DocumentTabBar, IconButton, hbox, set_surface, vbox
from console.widgets.status import StatusName


class _TabRow(QWidget):
    def sizeHint(self) -> QSize:
        return QSize(200, theme_of(self).size.tab_bar)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        painter.fillRect(self.rect(), theme.color.window)
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color.border)


class Documents(QWidget):
    """Tabs over a stack of pages, each under a key.

    Signals:
        current_changed(str): Another page is shown; empty when it is the welcome page.
        close_requested(str): The person wants to close a page.
        new_requested(): The person wants to open another tool.
    """

    current_changed = Signal(str)
    close_requested = Signal(str)
    new_requested = Signal()

    def __init__(self, welcome: QWidget) -> None:
        super().__init__()
        set_surface(self, "surface")
        self._page_by_key: dict[str, QWidget] = {}
        self._tabs = DocumentTabBar(tr("Open tools"))
        self._tabs.setMovable(True)
        self._tabs.currentChanged.connect(self._show_current)
        self._tabs.close_requested.connect(self.close_requested)
        plus = IconButton("plus", tr("Open a tool"), command="filter_tools")
        plus.clicked.connect(self.new_requested)
        self._row = _TabRow()
        self._row.setFixedHeight(theme_of(self).size.tab_bar)
        row = hbox(self._row, margins=(0, 0, 8, 0), spacing=4)
        row.addWidget(self._tabs, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(plus)
        row.addStretch(1)
        self.place = QStackedWidget()
        self._welcome = welcome
        self.place.addWidget(welcome)
        layout = vbox(self)
        layout.addWidget(self._row)
        layout.addWidget(self.place, 1)
        self._row.hide()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the open pages, in the order of their tabs."""
        return self._tabs.keys()

    @property
    def current_key(self) -> str:
        """The key of the page that is shown; empty for the welcome page."""
        return self._tabs.key(self._tabs.currentIndex()) if self._tabs.count() else ""

    def page(self, key: str) -> QWidget | None:
        return self._page_by_key.get(key)

    def add(self, key: str, text: str, page: QWidget, status: StatusName = "unknown") -> None:
        self._page_by_key[key] = page
        self.place.addWidget(page)
        self._row.show()
        index = self._tabs.add_document(key, text, status)
        self._tabs.setCurrentIndex(index)
        self._show_current()

    def show_page(self, key: str) -> None:
        self._tabs.setCurrentIndex(self._tabs.index_of(key))

    def step(self, by: int) -> None:
        """Show the next or the previous page, round and round."""
        if self._tabs.count():
            self._tabs.setCurrentIndex((self._tabs.currentIndex() + by) % self._tabs.count())

    def remove(self, key: str) -> None:
        """Take a page away and delete it."""
        page = self._page_by_key.pop(key, None)
        if page is None:
            return
        self._tabs.removeTab(self._tabs.index_of(key))
        self.place.removeWidget(page)
        page.deleteLater()
        self._row.setVisible(self._tabs.count() > 0)
        self._show_current()

    def set_text(self, key: str, text: str) -> None:
        """Give a page's tab other words."""
        if key in self._page_by_key:
            self._tabs.set_document_text(key, text)

    def set_status(self, key: str, status: StatusName) -> None:
        """Show how a page's tool is doing."""
        if key in self._page_by_key:
            self._tabs.set_status(key, status)

    def _show_current(self) -> None:
        key = self.current_key
        page = self._page_by_key.get(key, self._welcome)
        if self.place.currentWidget() is not page:
            self.place.setCurrentWidget(page)
            self.current_changed.emit(key)
