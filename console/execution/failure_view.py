"""Why a call did not succeed: what failed, why, what to try, and the trace for who wants it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from console.execution.rows import CallFailure
from console.json_view import TextView
from console.theme import theme_of
from console.widgets import (
    STATUS,
    Button,
    Collapsible,
    TextLabel,
    format_count,
    paint_box,
    paint_status,
    paint_text,
    set_surface,
)

_TRACE_HEIGHT: Final = 260
_MOST_PROBLEMS: Final = 50


class _Headline(QWidget):
    """Glyph, what failed, the error's class, and when it was stopped."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._failure: CallFailure | None = None
        self.setFixedHeight(24)

    def show_failure(self, failure: CallFailure) -> None:
        self._failure = failure
        words = [failure.what, failure.type_name, failure.stopped_after]
        self.setAccessibleName(". ".join(word for word in words if word))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        failure = self._failure
        if failure is None:
            return
        theme = theme_of(self)
        painter = QPainter(self)
        paint_status(painter, QRect(0, 4, 16, 16), failure.status, theme)
        tone = theme.tone(STATUS[failure.status].tone)
        left = 24
        for words, font, ink in (
            (failure.what, theme.font("heading"), tone.text),
            (failure.type_name, theme.font("code"), theme.color.text),
            (failure.stopped_after, theme.font("small"), theme.color.text3),
        ):
            if words:
                width = min(QFontMetrics(font).horizontalAdvance(words) + 1, self.width() - left)
                paint_text(painter, QRect(left, 0, width, self.height()), words, font, ink)
                left += width + 12


class _Card(QWidget):
    """A tinted box around the explanation."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.tone = "error"

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        tone = theme.tone(self.tone)  # type: ignore[arg-type]
        paint_box(QPainter(self), self.rect(), theme.radius.medium, fill=tone.soft, border=tone.border)


class FailureView(QScrollArea):
    """Explain why a call did not succeed.

    Signals:
        problem_pressed(str): An argument that does not fit was pressed, by its path such as `include[2]`.
        log_requested: The person wants to read the log.
        copy_requested(str): The explanation is to be copied.
    """

    problem_pressed = Signal(str)
    log_requested = Signal()
    copy_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setAccessibleName("Failure")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        set_surface(body, "surface")
        self.setWidget(body)
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(20, 16, 20, 16)
        self._column.setSpacing(12)
        self._card = _Card(body)
        self._column.addWidget(self._card)
        self._fill_card()
        self._trace, self._trace_text = self._add_section("Traceback")
        self._output, self._output_text = self._add_section("What the process wrote last")
        self._column.addStretch(1)
        self._failure: CallFailure | None = None

    def show_failure(self, failure: CallFailure, kept: str) -> None:
        """Show why a call did not succeed.

        Args:
            failure: The explanation.
            kept: What was kept of it, such as `12 log lines and 1 attachment`; empty for nothing.
        """
        self._failure = failure
        self._card.tone = STATUS[failure.status].tone
        self._card.update()
        self._headline.show_failure(failure)
        self._why.setText(failure.why or "It gave no reason.")
        self._remedy.setText(failure.remedy)
        self._log.setVisible(failure.has_log)
        self._show_problems(failure)
        self._kept_label.setVisible(bool(kept))
        self._kept.setVisible(bool(kept))
        self._kept.setText(kept)
        for section, shown, text in (
            (self._trace, self._trace_text, failure.traceback),
            (self._output, self._output_text, failure.output),
        ):
            section.setVisible(bool(text))
            section.set_expanded(expanded=False)
            section.set_summary(f"{format_count(text.count(chr(10)) + 1)} lines")
            shown.set_text(text)

    def explanation(self) -> str:
        """Write the explanation as text, trace included."""
        failure = self._failure
        if failure is None:
            return ""
        problems = [f"  {problem}" for problem in failure.problems]
        parts = [f"{failure.what} {failure.type_name}".strip(), failure.why, *problems, failure.remedy]
        return "\n".join(part for part in (*parts, failure.traceback, failure.output) if part)

    def _add_section(self, title: str) -> tuple[Collapsible, TextView]:
        section = Collapsible(title, expanded=False)
        text = TextView()
        text.setFixedHeight(_TRACE_HEIGHT)
        text.setAccessibleName(title)
        column = QVBoxLayout()
        column.setContentsMargins(22, 4, 0, 0)
        column.addWidget(text)
        section.set_body_layout(column)
        self._column.addWidget(section)
        return section, text

    def _fill_card(self) -> None:
        column = QVBoxLayout(self._card)
        column.setContentsMargins(13, 9, 13, 12)
        column.setSpacing(8)
        self._headline = _Headline(self._card)
        column.addWidget(self._headline)
        grid = QGridLayout()
        grid.setContentsMargins(24, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        column.addLayout(grid)
        self._why = TextLabel("", "body", wrap=True, selectable=True)
        self._remedy = TextLabel("", "body", wrap=True, selectable=True)
        self._kept = TextLabel("", "body", wrap=True)
        self._kept_label = TextLabel("Kept", "small", "text2")
        self._problems = QVBoxLayout()
        self._problems.setSpacing(4)
        why_column = QVBoxLayout()
        why_column.setSpacing(8)
        why_column.addWidget(self._why)
        why_column.addLayout(self._problems)
        top = Qt.AlignmentFlag.AlignTop
        grid.addWidget(TextLabel("Why", "small", "text2"), 0, 0, top)
        grid.addLayout(why_column, 0, 1)
        grid.addWidget(TextLabel("Try", "small", "text2"), 1, 0, top)
        grid.addWidget(self._remedy, 1, 1)
        grid.addWidget(self._kept_label, 2, 0, top)
        grid.addWidget(self._kept, 2, 1)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(24, 0, 0, 0)
        buttons.setSpacing(8)
        self._log = Button("Show log", icon="scroll-text")
        self._log.clicked.connect(self.log_requested)
        copy = Button("Copy", icon="copy")
        copy.setAccessibleName("Copy the explanation")
        copy.clicked.connect(self._on_copy_clicked)
        buttons.addWidget(self._log)
        buttons.addWidget(copy)
        buttons.addStretch(1)
        column.addLayout(buttons)

    def _show_problems(self, failure: CallFailure) -> None:
        while (item := self._problems.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        # One problem is the message itself.
        for problem in failure.problems[:_MOST_PROBLEMS] if failure.problems else ():
            button = Button(str(problem), kind="ghost", icon="circle-alert")
            button.setToolTip("Go to this argument")
            button.setProperty("problemPath", problem.path)
            button.clicked.connect(self._on_problem_clicked)
            self._problems.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self._why.setVisible(not failure.problems)

    def _on_problem_clicked(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.problem_pressed.emit(str(sender.property("problemPath")))

    def _on_copy_clicked(self) -> None:
        self.copy_requested.emit(self.explanation())
