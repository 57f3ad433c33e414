"""Number fields of the design."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox, QWidget

_TEXT_MARGIN = 7


def _prepare(box: QAbstractSpinBox) -> None:
    # WORKAROUND Qt 6.11: a style sheet's padding moves the buttons of a spin box, but not its text.
    box.lineEdit().setTextMargins(_TEXT_MARGIN, 0, 0, 0)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


class SpinBox(QSpinBox):
    """A field for whole numbers. The wheel changes it only while it has the focus, so that scrolling a form is safe."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _prepare(self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what scrolls, unless the field has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class DoubleSpinBox(QDoubleSpinBox):
    """A field for numbers with decimals. The wheel changes it only while it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _prepare(self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what scrolls, unless the field has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
