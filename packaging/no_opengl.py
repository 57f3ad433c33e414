"""What the application has in the place of Qt's OpenGL modules: pyqtgraph imports them, and then draws without."""

from PySide6.QtWidgets import QWidget  # noqa: TID251 -- a class to inherit from is all that is asked for

__all__ = ["QOpenGLWidget"]


class QOpenGLWidget(QWidget):
    """The base of classes of which nothing is ever made."""
