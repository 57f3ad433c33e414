"""The dialogs of Help that tell how the installation is, and what failed in the program itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListWidget, QListWidgetItem, QPlainTextEdit, QScrollArea, QWidget

from console.crash_reports import CrashReport
from console.language import tr, tr_count
from console.theme import theme_of
from console.widgets import (
    Badge,
    BadgeTone,
    Button,
    CentredDialog,
    Divider,
    TextLabel,
    format_full_time,
    hbox,
    set_surface,
    vbox,
)
from tools.doctor import Diagnosis, Grade, as_text

_TONES: Final[dict[Grade, BadgeTone]] = {Grade.OK: "ok", Grade.WARNING: "warn", Grade.PROBLEM: "error"}
_WORDS: Final = {Grade.OK: "OK", Grade.WARNING: tr("Warning"), Grade.PROBLEM: tr("Problem")}
_SUBJECT_WIDTH: Final = 120
_GRADE_WIDTH: Final = 72


class InstallationDialog(CentredDialog):
    """Show what was found about the installation, what is worst first.

    Args:
        parent: The window it stands over.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("Check of the installation"), parent)
        self.resize(820, 600)
        self._text = ""
        column = vbox(self, margins=(20, 20, 20, 16), spacing=8)
        column.addWidget(TextLabel(tr("Check of the installation"), "title"))
        self._summary = TextLabel(tr("Looking at files, folders, keyring and libraries…"), "body", "text2")
        column.addWidget(self._summary)
        self._area = QScrollArea(self)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setAccessibleName(tr("What was found"))
        set_surface(self._area, "raised")
        column.addWidget(self._area, 1)
        self.copy, ends = _ends(self)
        self.copy.setEnabled(False)
        self.copy.clicked.connect(self._on_copy_clicked)
        column.addLayout(ends)

    def show_found(self, found: Sequence[Diagnosis]) -> None:
        """Show what was found."""
        self._text = as_text(found)
        self.copy.setEnabled(True)
        counts = {grade: sum(one.grade is grade for one in found) for grade in Grade}
        problems, warnings = counts[Grade.PROBLEM], counts[Grade.WARNING]
        words = [tr_count(problems, "1 problem", "{count} problems")] if problems else []
        words += [tr_count(warnings, "1 warning", "{count} warnings")] if warnings else []
        self._summary.setText(f"{tr(' and ').join(words)}." if words else tr("All is well."))
        inside = QWidget(self._area)
        set_surface(inside, "raised")
        column = vbox(inside, margins=(0, 8, 8, 0), spacing=10)
        order = (Grade.PROBLEM, Grade.WARNING, Grade.OK)
        for one in sorted(found, key=lambda one: order.index(one.grade)):
            column.addLayout(_entry(one))
        column.addStretch(1)
        self._area.setWidget(inside)

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._text)


class CrashReportsDialog(CentredDialog):
    """List the reports of failures of the program itself, and show one, to be copied.

    Args:
        reports: The reports, newest first.
        parent: The window it stands over.
    """

    def __init__(self, reports: Sequence[CrashReport], parent: QWidget) -> None:
        super().__init__(tr("Crash reports"), parent)
        self.resize(900, 600)
        self._reports = tuple(reports)
        column = vbox(self, margins=(20, 20, 20, 16), spacing=8)
        column.addWidget(TextLabel(tr("Crash reports"), "title"))
        words = tr("What failed in the program itself. Reports stay on this computer; known secrets are hidden.")
        column.addWidget(TextLabel(words, "body", "text2", wrap=True))
        self._list = QListWidget()
        self._list.setAccessibleName(tr("Crash reports"))
        self._list.setFrameShape(QListWidget.Shape.NoFrame)
        self._list.setFixedWidth(240)
        set_surface(self._list, "panel")
        for report in self._reports:
            item = QListWidgetItem(f"{format_full_time(report.when)}\n{report.title}")
            item.setToolTip(report.title)
            item.setSizeHint(QSize(0, 2 * theme_of(self).size.control))
            self._list.addItem(item)
        self._shown = QPlainTextEdit()
        self._shown.setReadOnly(True)
        self._shown.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._shown.setAccessibleName(tr("The report"))
        self._shown.setFont(theme_of(self).font("code"))
        self._shown.setPlaceholderText(tr("Nothing failed so far."))
        row = hbox()
        row.addWidget(self._list)
        row.addWidget(Divider(Qt.Orientation.Vertical))
        row.addWidget(self._shown, 1)
        column.addLayout(row, 1)
        self.copy, ends = _ends(self)
        self.copy.setEnabled(bool(self._reports))
        self.copy.clicked.connect(self._on_copy_clicked)
        column.addLayout(ends)
        self._list.setVisible(bool(self._reports))
        self._list.currentRowChanged.connect(self._on_list_current_row_changed)
        if self._reports:
            self._list.setCurrentRow(0)

    @Slot(int)
    def _on_list_current_row_changed(self, row: int) -> None:
        self._shown.setPlainText(self._reports[row].text)

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._shown.toPlainText())


def _ends(dialog: CentredDialog) -> tuple[Button, QHBoxLayout]:
    """Return the button that copies, and the row at the end that has it."""
    row = QHBoxLayout()
    row.addStretch(1)
    copy = Button(tr("Copy"), icon="copy", large=True)
    close = Button(tr("Close"), large=True, shortcut_hint="Esc")
    close.clicked.connect(dialog.accept)
    close.setDefault(True)
    row.addWidget(copy)
    row.addWidget(close)
    close.setFocus()
    return copy, row


def _entry(one: Diagnosis) -> QHBoxLayout:
    row = hbox(spacing=12)
    grade = QWidget()
    grade.setFixedWidth(_GRADE_WIDTH)
    around = hbox(grade)
    around.addWidget(Badge(_WORDS[one.grade], tone=_TONES[one.grade]), 0, Qt.AlignmentFlag.AlignTop)
    around.addStretch(1)
    row.addWidget(grade, 0, Qt.AlignmentFlag.AlignTop)
    subject = TextLabel(one.subject, "heading")
    subject.setFixedWidth(_SUBJECT_WIDTH)
    row.addWidget(subject, 0, Qt.AlignmentFlag.AlignTop)
    words = vbox(spacing=2)
    words.addWidget(TextLabel(one.found, "body", wrap=True, selectable=True))
    if one.remedy:
        words.addWidget(TextLabel(one.remedy, "small", "text2", wrap=True, selectable=True))
    row.addLayout(words, 1)
    return row
