"""The dialog that lists what is wrong with how a tool is described."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from console.execution.lint_rows import LintFindingRow, LintRows
from console.widgets import Badge, Button, TextLabel, WindowDialog, set_surface

_WIDTH: Final = 600
_MARGIN: Final = 20
_MOST_HEIGHT: Final = 480


class FindingsDialog(WindowDialog):
    """List findings with what to do about each, to be read and copied.

    Args:
        title: The tool, as people know it.
        lint: What is said of it.
        parent: The window it stands over.
    """

    def __init__(self, title: str, lint: LintRows, parent: QWidget) -> None:
        super().__init__(f"Findings in {title}", parent)
        self._text = lint.text
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, 16)
        column.setSpacing(8)
        column.addWidget(TextLabel(self.windowTitle(), "title"))
        column.addWidget(TextLabel("What a model reads of the tool, and how it reads better.", "body", "text2"))
        column.addSpacing(4)
        column.addWidget(_list_of(lint.findings, self), 1)
        column.addSpacing(8)
        row = QHBoxLayout()
        row.addStretch(1)
        self.copy = Button("Copy", icon="copy", large=True)
        self.copy.clicked.connect(self._on_copy_clicked)
        close = Button("Close", large=True, shortcut_hint="Esc")
        close.clicked.connect(self.accept)
        close.setDefault(True)
        row.addWidget(self.copy)
        row.addWidget(close)
        column.addLayout(row)
        self.setMinimumWidth(_WIDTH)
        close.setFocus()

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._text)


def _list_of(findings: Iterable[LintFindingRow], parent: QWidget) -> QScrollArea:
    area = QScrollArea(parent)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName("Findings")
    inside = QWidget(area)
    set_surface(inside, "raised")
    column = QVBoxLayout(inside)
    column.setContentsMargins(0, 0, 8, 0)
    column.setSpacing(12)
    for finding in findings:
        column.addLayout(_entry(finding))
    column.addStretch(1)
    area.setWidget(inside)
    area.setFixedHeight(min(column.totalHeightForWidth(_WIDTH - 2 * _MARGIN), _MOST_HEIGHT))
    return area


def _entry(finding: LintFindingRow) -> QVBoxLayout:
    entry = QVBoxLayout()
    entry.setSpacing(2)
    head = QHBoxLayout()
    head.setSpacing(8)
    head.addWidget(Badge(finding.word, tone=finding.tone))
    head.addWidget(TextLabel(finding.where, "code", "text3", selectable=True))
    head.addStretch(1)
    entry.addLayout(head)
    entry.addWidget(TextLabel(finding.message, "body", wrap=True, selectable=True))
    entry.addWidget(TextLabel(finding.fix, "small", "text2", wrap=True, selectable=True))
    return entry
