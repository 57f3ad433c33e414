"""One step beside the plan: what it is given, what came of it, which of its rows failed."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from console.batch.rows import (
    FailedRow,
    StepFacts,
    StepInspection,
    StepRow,
    WrittenStep,
    has_run,
    status_of,
    status_words,
    step_samples,
)
from console.json_view import JsonTreeView
from console.language import tr, tr_count
from console.viewers import Content, ContentKind, ContentView
from console.widgets import (
    BarFrame,
    Cell,
    Column,
    ElidedLabel,
    EmptyState,
    IconButton,
    InnerTabBar,
    StatusGlyph,
    TableModel,
    TableView,
    TextLabel,
    lead_focus,
    set_surface,
    vbox,
)
from console.widgets.formats import format_count, format_took


def facts_line(row: StepRow) -> str:
    """Say in a line which tool a step calls, how it stands, and how long it took."""
    facts = row.facts
    parts = [row.planned.tool, status_words(row)]
    if facts.elapsed_s is not None and facts.state.ended and has_run(facts):
        parts.append(format_took(facts.elapsed_s, facts.review_s))
    if facts.attempts > 1:
        parts.append(tr_count(facts.attempts, "1 call", "{count:,} calls"))
    return " · ".join(parts)


def given_words(row: StepRow, told: StepInspection) -> str:
    """Say what the arguments that are shown are."""
    if told.problems:
        return told.problems[0]
    known = (
        tr("Known later: {later}.", later=", ".join(told.later)) if told.later else tr("Everything in them is known.")
    )
    return f"{tr('Those of the first row.')} {known}" if row.planned.has_rows else known


def rows_line(row: StepRow, told: StepInspection) -> str:
    """Say how the rows of a step ended."""
    counts = row.facts.rows
    if counts is None:
        return tr("No row has begun.")
    done, shown = format_count(counts.done), len(told.failed_rows)
    words = (
        tr("{done} rows done", done=done)
        if counts.total is None
        else tr("{done} of {total} rows done", done=done, total=format_count(counts.total))
    )
    if not counts.failed:
        return tr("{words}, none failed.", words=words)
    if shown >= counts.failed:
        return tr("{words}, {failed:,} failed.", words=words, failed=counts.failed)
    return tr(
        "{words}, {failed:,} failed, the first {shown:,} are listed.", words=words, failed=counts.failed, shown=shown
    )


_ENDS: Final = tuple(cell._replace(status=None) for cell in step_samples())


class FailedRowsModel(TableModel[FailedRow]):
    """List rows that did not succeed."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns = Column(tr("Row"), 72), Column(tr("Ended"), 96, samples=_ENDS), Column(tr("Why"))
        super().__init__(columns, _failed_cells, lambda row: str(row.row), parent)


def _failed_cells(row: FailedRow) -> tuple[Cell, ...]:
    state = status_words(StepRow(WrittenStep(0, "", ""), StepFacts("", row.state)))
    return Cell(format_count(row.row + 1), "text"), Cell(state, "text"), Cell(row.error, "text")


ARGUMENTS, RESULT, ROWS = range(3)


class StepView(QWidget):
    """Show one step.

    Attributes:
        content: Shows the result; it needs a presenter.
    """

    closed = Signal()

    def __init__(self, failed: FailedRowsModel) -> None:
        super().__init__()
        self.setObjectName("stepPanel")
        self.setAccessibleName(tr("Step"))
        set_surface(self, "panel")
        self.setMinimumWidth(240)
        self._failed = failed
        self._step = ""
        self._glyph = StatusGlyph("queued", 14)
        self._title = ElidedLabel("", "heading")
        self._facts = ElidedLabel("", "small", "text2")
        self.close_button = IconButton("x", tr("Close the step"), shortcut_hint="Esc")
        self.tabs = InnerTabBar(tr("What is shown of the step"), margin=12)
        self.arguments = JsonTreeView()
        self._given = TextLabel("", "small", "text2", wrap=True)
        self.content = ContentView(tr("Result of the step"))
        self._no_result = EmptyState("circle-dashed", tr("Nothing came of it yet"), "")
        self._error = TextLabel("", "body", "error", wrap=True, selectable=True)
        self._rows_words = TextLabel("", "small", "text2", wrap=True)
        self.rows = TableView(failed, tr("Rows that failed"), scrolls_sideways=True)
        self._pages = QStackedWidget()
        self._results = QStackedWidget()
        self._build()
        lead_focus(self, self.tabs)
        self.tabs.currentChanged.connect(self._pages.setCurrentIndex)
        self.close_button.clicked.connect(self.closed)

    def _build(self) -> None:
        column = vbox(self)
        head = BarFrame(36, surface="panel", edge="none", margins=(12, 4))
        head.row.addWidget(self._glyph)
        head.row.addWidget(self._title)
        head.row.addWidget(self._facts, 1)
        head.row.addWidget(self.close_button)
        column.addWidget(head)
        for name in (tr("Arguments"), tr("Result"), tr("Rows")):
            self.tabs.add_tab(name)
        column.addWidget(self.tabs)
        self.arguments.setAccessibleName(tr("Arguments of the step"))
        self._results.addWidget(self._no_result)
        self._results.addWidget(self.content)
        self.rows.setObjectName("failedRows")
        for words, below in (
            (self._given, self.arguments),
            (self._error, self._results),
            (self._rows_words, self.rows),
        ):
            self._pages.addWidget(_page(words, below))
        column.addWidget(self._pages, 1)

    def show_row(self, row: StepRow) -> None:
        """Show how the step stands; what came of it follows with `show_detail`."""
        planned = row.planned
        self._glyph.set_status(status_of(row.facts))
        self._title.set_text(f"{planned.number} {planned.step}")
        self._facts.set_text(facts_line(row))
        self.setAccessibleName(tr("Step {number}, {step}", number=planned.number, step=planned.step))
        if self.tabs.isTabVisible(ROWS) is not planned.has_rows:
            # Told twice before it is painted, Qt forgets that the tabs are to be laid out anew.
            self.tabs.setTabVisible(ROWS, planned.has_rows)
        if planned.step != self._step:
            self._step = planned.step
            self.tabs.setCurrentIndex(RESULT if row.facts.state.ended else ARGUMENTS)

    def show_detail(self, row: StepRow, told: StepInspection) -> None:
        self.show_row(row)
        self.arguments.set_value(dict(told.arguments))
        self._given.setText(given_words(row, told))
        facts = row.facts
        self._error.setText(facts.error)
        self._error.setVisible(bool(facts.error))
        if told.has_result:
            kind = ContentKind.TEXT if isinstance(told.result, str) else ContentKind.JSON
            self.content.show_content(Content(kind, told.result))
            self._results.setCurrentWidget(self.content)
        else:
            self.content.show_content(None)
            self._no_result.show_text(*_nothing_words(row))
            self._results.setCurrentWidget(self._no_result)
        self._failed.show_rows(told.failed_rows)
        self._rows_words.setText(rows_line(row, told))
        self.tabs.set_count(ROWS, str(facts.rows.failed) if facts.rows is not None and facts.rows.failed else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


def _page(words: TextLabel, below: QWidget) -> QWidget:
    page = QWidget()
    column = vbox(page, margins=(0, 8, 0, 0), spacing=8)
    words.setContentsMargins(12, 0, 12, 0)
    column.addWidget(words)
    column.addWidget(below, 1)
    return page


def _nothing_words(row: StepRow) -> tuple[str, str]:
    state = row.facts.state
    if state.failed:
        return tr("No result"), tr("Mend what is wrong, and retry the step.")
    if state.ended:
        return tr("No result"), tr("The step did not return anything.") if state.succeeded else tr(
            "The step did not run."
        )
    return tr("Nothing came of it yet"), tr("Its result shows here as soon as it has ended.")
