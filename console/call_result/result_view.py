"""The Result tab: nothing yet, running, what came of the call, nothing returned, or why it did not succeed."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from console.call_result.banner_view import BannerView
from console.call_result.rows import CallFacts, CallFailure, GuardNotice
from console.json_view import TextView
from console.language import number, tr, tr_count, translated
from console.theme import painter_of, theme_of
from console.viewers import Content, ContentKind, ContentView
from console.widgets import (
    STATUS,
    Button,
    Collapsible,
    EmptyState,
    StatusName,
    TextLabel,
    ToneFrame,
    TurningWidget,
    format_count,
    hbox,
    paint_box,
    paint_status,
    paint_text,
    set_margins,
    set_surface,
    spinner_clock,
    vbox,
)
from tools.calls import Progress

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
        painter = painter_of(self)
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
        self.setAccessibleName(tr("Failure"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        set_surface(body, "surface")
        self.setWidget(body)
        self._column = vbox(body, margins=(20, 16, 20, 16), spacing=12)
        self._card = ToneFrame("error", body)
        self._column.addWidget(self._card)
        self._fill_card()
        self._trace, self._trace_text = self._add_section(tr("Traceback"))
        self._output, self._output_text = self._add_section(tr("What the process wrote last"))
        self._column.addStretch(1)
        self._failure: CallFailure | None = None

    def show_failure(self, failure: CallFailure, kept: str) -> None:
        """Show why a call did not succeed.

        Args:
            kept: What was kept of it, such as `12 log lines and 1 attachment`; empty for nothing.
        """
        self._failure = failure
        self._card.tone = STATUS[failure.status].tone
        self._card.update()
        self._headline.show_failure(failure)
        self._why.setText(failure.why or tr("It gave no reason."))
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
            section.set_summary(tr_count(text.count("\n") + 1, "{count:,} lines", "{count:,} lines"))
            shown.set_text(text)

    def explanation(self) -> str:
        """Write the explanation as text, trace included."""
        failure = self._failure
        if failure is None:
            return ""
        problems = [f"  {translated(str(problem))}" for problem in failure.problems]
        parts = [f"{failure.what} {failure.type_name}".strip(), failure.why, *problems, failure.remedy]
        return "\n".join(part for part in (*parts, failure.traceback, failure.output) if part)

    def _add_section(self, title: str) -> tuple[Collapsible, TextView]:
        section = Collapsible(title, expanded=False)
        text = TextView()
        text.setFixedHeight(_TRACE_HEIGHT)
        text.setAccessibleName(title)
        column = QVBoxLayout()
        set_margins(column, 22, 4, 0, 0)
        column.addWidget(text)
        section.set_body_layout(column)
        self._column.addWidget(section)
        return section, text

    def _fill_card(self) -> None:
        column = vbox(self._card, margins=(13, 9, 13, 12), spacing=8)
        self._headline = _Headline(self._card)
        column.addWidget(self._headline)
        grid = QGridLayout()
        set_margins(grid, 24, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        column.addLayout(grid)
        self._why = TextLabel("", "body", wrap=True, selectable=True)
        self._remedy = TextLabel("", "body", wrap=True, selectable=True)
        self._kept = TextLabel("", "body", wrap=True)
        self._kept_label = TextLabel(tr("Kept"), "small", "text2")
        self._problems = vbox(spacing=4)
        why_column = vbox(spacing=8)
        why_column.addWidget(self._why)
        why_column.addLayout(self._problems)
        top = Qt.AlignmentFlag.AlignTop
        grid.addWidget(TextLabel(tr("Why"), "small", "text2"), 0, 0, top)
        grid.addLayout(why_column, 0, 1)
        grid.addWidget(TextLabel(tr("Try"), "small", "text2"), 1, 0, top)
        grid.addWidget(self._remedy, 1, 1)
        grid.addWidget(self._kept_label, 2, 0, top)
        grid.addWidget(self._kept, 2, 1)
        buttons = hbox(margins=(24, 0, 0, 0), spacing=8)
        self._log = Button(tr("Show log"), icon="scroll-text")
        self._log.clicked.connect(self.log_requested)
        copy = Button(tr("Copy"), icon="copy")
        copy.setAccessibleName(tr("Copy the explanation"))
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
            button = Button(translated(str(problem)), kind="ghost", icon="circle-alert")
            button.setToolTip(tr("Go to this argument"))
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


_MANY: Final = 1000
_EMPTY: Final = (
    tr("Run the tool to see its result"),
    tr("It is shown here, with its logs and its times."),
)

_RUNS: Final = (tr("The tool runs"), tr("Its result is shown here when it ends."))

_GOES_ON: Final = (tr("The call has not ended"), tr("Its result is shown here when it has."))


class _Progress(TurningWidget):
    """How a call stands that has not ended, how long it goes on, what its tool says it is doing, and how far it is."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.status: StatusName = "running"
        self._word = self._elapsed = ""
        self._progress: Progress | None = None
        self._rate: float | None = None
        self._letters = 0
        self.setFixedHeight(32)
        self.setAccessibleName(tr("Progress"))

    def show_state(self, status: StatusName, word: str, elapsed: str) -> None:
        self._elapsed = elapsed
        if (status, word) != (self.status, self._word):
            self.status, self._word = status, word
            self.follow_clock()
            self._say()
        self.update()

    def is_turning(self) -> bool:
        return self.status == "running"

    def show_progress(self, progress: Progress | None, rate: float | None) -> None:
        self._progress, self._rate = progress, rate
        self._say()

    def show_letters(self, letters: int) -> None:
        self._letters = letters
        self._say()

    def _say(self) -> None:
        self.setAccessibleDescription(self._words())
        self.update()

    def _words(self) -> str:
        progress, parts = self._progress, []
        if progress is not None:
            parts.append(progress.text)
            parts.append(
                tr("{done:g} of {total:g}", done=progress.done, total=progress.total)
                if progress.total
                else number(progress.done, "g")
            )
        if self._rate is not None:
            parts.append(
                tr("{rate:,.3g} a second", rate=self._rate)
                if self._rate < _MANY
                else tr("{rate:,.0f} a second", rate=self._rate)
            )
        if self._letters:
            parts.append(tr("{letters} letters so far", letters=format_count(self._letters)))
        return " · ".join(part for part in parts if part) or self._word

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        color = theme.color
        painter = painter_of(self)
        painter.fillRect(self.rect(), color.panel)
        painter.fillRect(0, self.height() - 1, self.width(), 1, color.border)
        paint_status(painter, QRect(20, 9, 14, 14), self.status, theme, turn=spinner_clock().turn)
        room = QRect(42, 0, max(0, self.width() - 42 - 20), self.height())
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        paint_text(painter, room, self._elapsed, theme.font("small"), color.text3, align=align)
        words = room.adjusted(0, 0, -280, 0)
        paint_text(painter, words, self._words(), theme.font("small"), color.text2)
        progress = self._progress
        if progress is not None and progress.total:
            track = QRect(room.right() - 260, 14, 180, 4)
            share = min(1.0, max(0.0, progress.done / progress.total))
            paint_box(painter, track, 2, fill=color.pressed)
            paint_box(painter, QRect(track.x(), track.y(), round(track.width() * share), 4), 2, fill=color.accent)


class ResultView(QWidget):
    """Show what came of a call; the result before stays until the next one is there."""

    problem_pressed = Signal(str)
    log_requested = Signal()
    clipboard_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content: Content | None = None
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._running = _Progress(self)
        self._running.hide()
        column.addWidget(self._running)
        self._remark = BannerView(tr("Remark"), self)
        column.addWidget(self._remark)
        self._stack = QStackedWidget(self)
        column.addWidget(self._stack, 3)
        self._fill_stack()
        self._failure: FailureView | None = None

    def _show_failure(self, failure: CallFailure, kept: str) -> None:
        if self._failure is None:  # most pages never need it
            self._failure = FailureView(self)
            self._column.insertWidget(1, self._failure, 2)
            self._failure.problem_pressed.connect(self.problem_pressed)
            self._failure.log_requested.connect(self.log_requested)
            self._failure.copy_requested.connect(self.clipboard_requested)
        self._failure.show_failure(failure, kept)
        self._failure.show()

    def _hide_failure(self) -> None:
        if self._failure is not None:
            self._failure.hide()

    def _fill_stack(self) -> None:
        self._empty = EmptyState(
            "play",
            tr("Run the tool to see its result"),
            tr("It is shown here, with its logs and its times."),
        )
        self._nothing = EmptyState(
            "circle-check", tr("The tool returned nothing"), tr("It ended well and has no value to show.")
        )
        self._blank = QWidget()
        self.shown = ContentView(tr("Result"), self._stack)
        for widget in (self._empty, self._nothing, self._blank, self.shown):
            self._stack.addWidget(widget)

    @cached_property
    def arriving(self) -> TextView:
        """Give the text that arrives in parts, which few tools send."""
        text = TextView(self._stack)
        text.setAccessibleName(tr("Text so far"))
        text.set_wrapped(wrapped=True)
        self._stack.addWidget(text)
        return text

    def _clear_arriving(self) -> None:
        if "arriving" in vars(self):
            self.arriving.clear()

    @property
    def content(self) -> Content | None:
        """Give what is shown as the result, which may be picked out of it; None when there is none."""
        return self.shown.content if self._content is not None and self.shown.content is not None else self._content

    def show_running(self, *, running: bool) -> None:
        """Say that the tool runs, above the result of the call before; a failure of that call is shown no more."""
        if running and self._failure is not None and self._failure.isVisibleTo(self):
            self._hide_failure()
            self._choose_page(failed=False)
        if self._content is None and (self._failure is None or not self._failure.isVisibleTo(self)):
            self._empty.show_text(*(_RUNS if running else _EMPTY))
        if running:
            self._running.show_progress(None, None)
            self._running.show_letters(0)
            self._running.show_state("running", STATUS["running"].word, "")
        self._running.setVisible(running)

    def show_state(self, facts: CallFacts) -> None:
        """Say how the call stands that has not ended."""
        is_new = facts.status != self._running.status
        self._running.show_state(facts.status, facts.word, facts.parts[0] if facts.parts else "")
        if is_new and self._content is None and (self._failure is None or not self._failure.isVisibleTo(self)):
            self._empty.show_text(*(_RUNS if facts.status == "running" else _GOES_ON))

    def show_progress(self, progress: Progress, rate: float | None = None) -> None:
        """Say how far it is.

        Args:
            rate: How much it does in a second; None when that is not known.
        """
        self._running.show_progress(progress, rate)

    def begin_text(self) -> None:
        """Begin to show a text that arrives in parts, in place of what was shown."""
        self._clear_arriving()
        self._running.show_letters(0)

    def add_text(self, more: str) -> None:
        """Show a further part of the text, and the failure of the call before no more."""
        self.arriving.append(more)
        self._running.show_letters(len(self.arriving.text))
        self._hide_failure()
        self._stack.show()
        self._stack.setCurrentWidget(self.arriving)

    def show_remark(self, fact: str, reason: str) -> None:
        """Say above the result what must not be missed of it; "" for nothing."""
        self._remark.show_notice(GuardNotice("warn", "skip-forward", fact, reason) if fact else None)

    def show_content(
        self, content: Content | None, failure: CallFailure | None = None, kept: str = "", *, goes_on: bool = False
    ) -> None:
        """Show what came of a call.

        Args:
            content: Its result; None when there is none.
            failure: Why it did not succeed; None when it did.
            goes_on: Whether the call has not ended.
        """
        self._content = content
        self._empty.show_text(*(_GOES_ON if goes_on else _EMPTY))
        self._clear_arriving()
        if failure is None:
            self._hide_failure()
        else:
            self._show_failure(failure, kept)
        self.shown.show_content(content)
        self._choose_page(failed=failure is not None)

    def sizeHint(self) -> QSize:
        return QSize(600, 240)

    def _choose_page(self, *, failed: bool) -> None:
        content = self._content
        self._stack.setVisible(content is not None or not failed)
        if content is None:
            self._stack.setCurrentWidget(self._blank if failed else self._empty)
        else:
            self._stack.setCurrentWidget(self._nothing if content.kind is ContentKind.NOTHING else self.shown)
