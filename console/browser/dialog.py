"""Why a plugin could not be loaded, with the whole traceback."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from console.browser.rows import ToolSourceRow
from console.theme import theme_of
from console.widgets import Button, IconLabel, TextLabel


class FailureDialog(QDialog):
    """Show what a plugin raised while it was loaded; open it with `open()`.

    Signals:
        reload_requested(str): The plugin file with this path shall be loaded again.
        file_requested(str): The plugin file with this path shall be shown.
    """

    reload_requested = Signal(str)
    file_requested = Signal(str)

    def __init__(self, failure: ToolSourceRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._failure = failure
        theme = theme_of(self)
        self.setObjectName("failureDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.setWindowTitle(f"{failure.name} could not be loaded")
        self.resize(theme.size.dialog_width, 480)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.space[5], theme.space[5], theme.space[5], theme.space[4])
        column.setSpacing(theme.space[2])
        column.addWidget(
            IconLabel("circle-x", f"{failure.name} could not be loaded", "title", "text", icon_tone="error")
        )
        column.addWidget(TextLabel(failure.error_line, "body", "text", wrap=True, selectable=True))
        if failure.path:
            column.addWidget(TextLabel(failure.path, "code", "text3", wrap=True, selectable=True))
        self._trace = QPlainTextEdit(failure.traceback or failure.error)
        self._trace.setReadOnly(True)
        self._trace.setFont(theme.font("code"))
        self._trace.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._trace.setAccessibleName("Traceback")
        column.addWidget(self._trace, 1)
        column.addSpacing(theme.space[1])
        column.addLayout(self._make_buttons())

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        copy = Button("Copy traceback", icon="copy", large=True)
        copy.clicked.connect(self._on_copy_clicked)
        row.addWidget(copy)
        if self._failure.path:
            show = Button("Show file", icon="folder-open", large=True)
            show.clicked.connect(self._on_show_clicked)
            row.addWidget(show)
        row.addStretch(1)
        if self._failure.path:
            reload = Button("Load again", kind="soft", icon="refresh-cw", large=True)
            reload.clicked.connect(self._on_reload_clicked)
            row.addWidget(reload)
        close = Button("Close", large=True)
        close.clicked.connect(self.reject)
        row.addWidget(close)
        return row

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._trace.toPlainText())

    def _on_show_clicked(self) -> None:
        self.file_requested.emit(self._failure.path)

    def _on_reload_clicked(self) -> None:
        self.reload_requested.emit(self._failure.path)
        self.accept()
