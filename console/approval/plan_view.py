"""The table of a plan: what each step would do, and which may run with whatever arguments they will have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from console.approval.parts_view import CellsTable, small_heading
from console.approval.queue_rows import plan_table
from console.approval.spans_view import FullText
from console.language import tr
from console.theme import theme_of
from console.widgets import TextLabel, vbox
from tools.calls import PlannedStep

_CODE: Final = (1, 3)
_MOST_ROWS: Final = 10
_MOST_CHOICES: Final = 8
_LATER: Final = tr(
    "Some arguments come from the results of earlier steps. These calls are asked about when their turn comes, unless"
    " you agree to them now, whatever their arguments will be:"
)


class PlanView(QWidget):
    """Show the steps that ask, and take what is agreed to with whatever arguments.

    Signals:
        seen_changed(): More of the table has been on show.
    """

    seen_changed = Signal()

    def __init__(self, plan: Sequence[PlannedStep], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        shown = plan_table(plan)
        self._texts = shown.texts
        self._choices: list[tuple[QCheckBox, tuple[str, ...]]] = []
        column = vbox(self, spacing=8)
        column.addWidget(small_heading(tr("Steps you are asked about")))
        self.table = CellsTable(shown.heads, shown.cells, tr("Steps"), code=_CODE)
        self.table.setObjectName("planSteps")
        self._fit_table(len(shown.cells))
        column.addWidget(self.table)
        self.full = FullText(tr("the arguments"))
        self.full.setAccessibleName(tr("Arguments of the chosen line"))
        self.full.hide()
        column.addWidget(self.full)
        if shown.quiet:
            column.addWidget(TextLabel(shown.quiet, "small", "text2", wrap=True))
        if shown.open_steps:
            self._add_choices(column, shown.open_steps)
        self._has_shown_all = len(shown.cells) <= _MOST_ROWS
        self.table.selectionModel().currentRowChanged.connect(self._on_table_row_changed)
        self.table.verticalScrollBar().valueChanged.connect(self._on_table_scrolled)

    @property
    def whatever(self) -> tuple[str, ...]:
        """The steps that are agreed to with whatever arguments."""
        return tuple(name for box, names in self._choices if box.isChecked() for name in names)

    @property
    def hides(self) -> bool:
        """Whether there are lines of the table that have not been on show yet."""
        return not self._has_shown_all

    def open(self) -> None:
        """Show the next lines of the table."""
        bar = self.table.verticalScrollBar()
        bar.setValue(bar.value() + bar.pageStep())

    def _fit_table(self, rows: int) -> None:
        size = theme_of(self).size
        height = min(rows, _MOST_ROWS) * size.row_table + size.table_header
        self.table.setFixedHeight(height + 2)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # What has no room is read below, once its line is chosen.
        self.table.horizontalHeader().setMinimumSectionSize(0)

    def _add_choices(self, column: QVBoxLayout, names: tuple[str, ...]) -> None:
        column.addSpacing(4)
        column.addWidget(small_heading(tr("Arguments that are not known yet")))
        column.addWidget(TextLabel(_LATER, "small", "text2", wrap=True))
        groups = [(name,) for name in names] if len(names) <= _MOST_CHOICES else [names]
        for group in groups:
            words = group[0] if len(group) == 1 else tr("All {count} of them", count=len(group))
            box = QCheckBox(words)
            box.setAccessibleName(tr("Agree to {step} with whatever arguments", step=words))
            self._choices.append((box, group))
            # Only as wide as its words: a click beside them is none on it.
            column.addWidget(box, 0, Qt.AlignmentFlag.AlignLeft)

    def _on_table_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.full.setVisible(current.isValid())
        if current.isValid():
            self.full.show_text(self._texts[current.row()])

    def _on_table_scrolled(self, value: int) -> None:
        if not self._has_shown_all and value >= self.table.verticalScrollBar().maximum():
            self._has_shown_all = True
            self.seen_changed.emit()
