"""A splitter whose handle is a 1 px line that is easy to grip."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from console.theme import theme_of


class _Handle(QSplitterHandle):
    """Draw one pixel, feel eight: the handle lies over its neighbours and only its middle is painted."""

    def paintEvent(self, event: QPaintEvent) -> None:
        color = theme_of(self).color
        QPainter(self).fillRect(self.contentsRect(), color.accent_border if self.underMouse() else color.border)

    def resizeEvent(self, event: QResizeEvent) -> None:
        # Qt does the same for 5 px in its own handler, which is replaced: QSplitter lays out by the contents rectangle,
        # the mask limits painting to it, and the mouse is felt in the margins too.
        theme = theme_of(self)
        spare = theme.size.splitter_hit - theme.size.splitter
        before, after = (spare + 1) // 2, spare // 2
        self.setAttribute(Qt.WidgetAttribute.WA_MouseNoMask)
        if self.orientation() is Qt.Orientation.Horizontal:
            self.setContentsMargins(before, 0, after, 0)
        else:
            self.setContentsMargins(0, before, 0, after)
        self.setMask(self.contentsRect())

    def event(self, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Enter, QEvent.Type.Leave}:
            self.update()
        return super().event(event)


class ThinSplitter(QSplitter):
    """A splitter with a 1 px line and 8 px to grip.

    Args:
        orientation: Horizontal puts its widgets side by side.
        parent: Its owner.
    """

    def __init__(self, orientation: Qt.Orientation = Qt.Orientation.Horizontal, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self.setHandleWidth(theme_of(self).size.splitter)
        self.setChildrenCollapsible(False)

    def createHandle(self) -> QSplitterHandle:
        return _Handle(self.orientation(), self)
