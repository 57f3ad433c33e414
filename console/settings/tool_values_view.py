"""The table of the values that tools are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QStackedWidget

from console.language import tr
from console.settings.rows import SettingRow, SettingsModel
from console.settings.view import SectionPart
from console.widgets import Button, EmptyState, TableView, TextLabel, hbox, vbox

_LEAST_HEIGHT: Final = 240
_HINT: Final = tr(
    "Tools that ask for them are given these values from their next call on. disabled_toolkits names toolkits, with "
    "commas between; enabled_tools has regular expressions for Toolkit:tool, with blanks between. Calls of tools that "
    "are disabled are refused."
)


class ToolValuesView(SectionPart):
    """Show the values that tools are given, and let a person change them.

    Signals:
        set_requested(str, str, bool): Give a setting this value, in the project's file or in the person's.
        unset_requested(str, bool): Take a setting out, likewise.
    """

    set_requested = Signal(str, str, bool)
    unset_requested = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self.model = SettingsModel(self)
        self.table = TableView(self.model, tr("Values of tools"))
        self.table.setMinimumHeight(_LEAST_HEIGHT)
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Name"))
        self.name.setPlaceholderText("report.folder")
        self.name.setMaxLength(200)
        self.value = QLineEdit()
        self.value.setAccessibleName(tr("Value"))
        self.in_project = QCheckBox(tr("In the project's file, for everybody who works on it"))
        self.set_button = Button(tr("Set"), kind="primary")
        self.remove = Button(tr("Remove"), icon="trash-2")
        self._problem = TextLabel("", "small", "error", wrap=True)
        self._files = TextLabel("", "small", "text3", wrap=True)
        self._pages = QStackedWidget()
        self._nothing = EmptyState(
            "sliders-horizontal", tr("Nothing is set"), tr("Name a setting below, and give it a value.")
        )
        self._pages.addWidget(self.table)
        self._pages.addWidget(self._nothing)
        self._lay_out()
        self.table.selected.connect(self._on_table_selected)
        self.table.remove_requested.connect(self._on_remove_clicked)
        self.name.textChanged.connect(self._on_name_text_changed)
        for pressed in (self.set_button.clicked, self.name.returnPressed, self.value.returnPressed):
            pressed.connect(self._on_set_clicked)
        self.remove.clicked.connect(self._on_remove_clicked)
        self._on_name_text_changed("")
        self._on_table_selected([])

    def _lay_out(self) -> None:
        fields = QGridLayout()
        fields.setHorizontalSpacing(12)
        fields.setVerticalSpacing(8)
        fields.addWidget(TextLabel(tr("Name"), "heading"), 0, 0)
        fields.addWidget(self.name, 0, 1)
        fields.addWidget(TextLabel(tr("Value"), "heading"), 1, 0)
        fields.addWidget(self.value, 1, 1)
        fields.addWidget(self.in_project, 2, 1)
        buttons = hbox(spacing=8)
        buttons.addWidget(self.remove)
        buttons.addStretch(1)
        buttons.addWidget(self.set_button)
        column = vbox(self, spacing=8)
        column.addWidget(TextLabel(_HINT, "small", "text2", wrap=True))
        column.addWidget(self._pages, 1)
        column.addLayout(fields)
        column.addWidget(self._problem)
        column.addWidget(self._files)
        column.addLayout(buttons)

    def show_project(self, *, has_project: bool) -> None:
        """Offer the project's file, if a project is open."""
        self.in_project.setEnabled(has_project)
        self.in_project.setChecked(has_project and self.in_project.isChecked())

    def show_rows(self, rows: Sequence[SettingRow], problems: Sequence[str], files: str) -> None:
        """Show what is set, what is wrong with it, and where it stands."""
        self.model.show_rows(rows)
        self._pages.setCurrentWidget(self.table if rows else self._nothing)
        self._files.setText(files)
        self.show_problem("\n".join(problems))

    def show_problem(self, problem: str) -> None:
        """Say what is wrong; "" takes it away."""
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))

    def clear_fields(self) -> None:
        self.name.clear()
        self.value.clear()
        self.name.setFocus()

    @Slot(list)
    def _on_table_selected(self, keys: Sequence[str]) -> None:
        row = self.table.chosen_row if keys else None
        self.remove.setEnabled(row is not None and not row.is_fixed)
        self.remove.setToolTip(tr("It is set where the program starts") if row is not None and row.is_fixed else "")
        if row is not None and not row.is_fixed:
            self.name.setText(row.name)
            self.value.setText(row.value)
            self.value.setPlaceholderText(tr("Another secret") if row.is_secret else "")
            self.in_project.setChecked(row.is_project)

    @Slot(str)
    def _on_name_text_changed(self, text: str) -> None:
        self.set_button.setEnabled(bool(text.strip()))

    def hide_value(self, *, is_secret: bool) -> None:
        """Let nobody read what is typed as the value, or everybody."""
        self.value.setEchoMode(QLineEdit.EchoMode.Password if is_secret else QLineEdit.EchoMode.Normal)

    @Slot()
    def _on_set_clicked(self) -> None:
        if name := self.name.text().strip():
            self.set_requested.emit(name, self.value.text(), self.in_project.isChecked())

    @Slot()
    def _on_remove_clicked(self) -> None:
        row = self.table.chosen_row
        if row is not None and not row.is_fixed:
            self.unset_requested.emit(row.name, row.is_project)
