"""A list of prompts, and beside it what the chosen one takes and says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.json_view import TextView, json_spans
from console.language import tr, tr_count
from console.prompts.model import PromptModel
from console.prompts.rows import PromptReading, PromptRow
from console.schema_form import ArgumentsEditor, Completions
from console.widgets import (
    BarFrame,
    Button,
    CompactingRow,
    ElidedLabel,
    EmptyState,
    ListDetailView,
    SearchField,
    SegmentedControl,
    StatusGlyph,
    TextLabel,
    hbox,
    lead_focus,
)

_QUIET_MS: Final = 200
"""So long nothing is said of a text that is being made."""

_FILTER_WIDTH: Final = 280
_RING_MS: Final = 1000
"""So long only the ring says it."""


class PromptsView(ListDetailView[PromptRow]):
    """List prompts, and show what the chosen one says.

    Args:
        empty: What stands there while there is none.
        for_models: Whether the text can be handed to a model.

    Signals:
        get_requested(str, dict): The text of this prompt is wanted, made from these arguments.
        completion_wanted(str, str, str, dict): Proposals are wanted for this prompt's argument, of which so much is
            written; the other arguments are these.
        ask_requested(str): This text is to be said to a model.
        left(): Another prompt was chosen, so that nobody waits for a text any more.
    """

    get_requested = Signal(str, dict)
    completion_wanted = Signal(str, str, str, dict)
    ask_requested = Signal(str)
    left = Signal()

    def __init__(
        self, model: PromptModel, empty: EmptyState, parent: QWidget | None = None, *, for_models: bool = False
    ) -> None:
        super().__init__(model, tr("Prompts"), empty, parent=parent)
        self._shown: PromptRow | None = None
        self._reading: PromptReading | None = None
        self._name = ElidedLabel("", "heading")
        self._origin = ElidedLabel("", "small", "text3")
        self._about = TextLabel("", "small", "text2", wrap=True, selectable=True)
        self.form = ArgumentsEditor(parent=self._detail)
        self.get = Button(tr("Get the text"), kind="primary", icon="message-square-text", shortcut_hint="Ctrl+Enter")
        self.copy = Button(tr("Copy"), icon="copy")
        self.ask = Button(tr("Open in Assistant"), icon="external-link")
        self.ask.setToolTip(tr("Put the text into the message to a model, where it can be changed before it is sent"))
        self.ask.setVisible(for_models)
        self._ring = StatusGlyph("running", 14)
        self._note = TextLabel("", "small", "text2", wrap=True, selectable=True)
        self.form_of_text = SegmentedControl((tr("Text"), "JSON"), tr("How the text is shown"), height=24)
        self.text = TextView(self._detail)
        self.text.set_wrapped(wrapped=True)
        self.text.setAccessibleName(tr("Text of the prompt"))
        self.completions = Completions(self.form.form, self)
        self._waiting = QTimer(self)
        self._waiting.setSingleShot(True)
        self._build()
        self._waiting.timeout.connect(self._on_waiting_timeout)
        self.completions.wanted.connect(self._on_completions_wanted)
        self.table.opened.connect(self._on_get_clicked)
        self.get.clicked.connect(self._on_get_clicked)
        self.form.submit_requested.connect(self._on_get_clicked)
        self.copy.clicked.connect(self._on_copy_clicked)
        self.ask.clicked.connect(self._on_ask_clicked)
        self.form_of_text.selected.connect(self._show_text)
        self._follow_rows()

    def _build(self) -> None:
        column = self._column
        bar = QWidget()
        head = hbox(bar, spacing=8)
        head.addWidget(self._name, 1)
        head.addWidget(self.ask)
        head.addWidget(self.copy)
        head.addWidget(self.get)
        CompactingRow(bar, (self.copy, self.ask))
        column.addWidget(bar)
        column.addWidget(self._origin)
        column.addWidget(self._about)
        column.addWidget(self.form)
        result = QHBoxLayout()
        result.setSpacing(8)
        result.addWidget(self._ring)
        result.addWidget(self._note, 1)
        result.addWidget(self.form_of_text)
        column.addLayout(result)
        column.addWidget(self.text, 1)

    @property
    def note(self) -> str:
        return self._note.text()

    def show_prompt(self, name: str) -> None:
        """Choose a prompt, and let the person fill it in at once."""
        self.table.choose(name)
        self._show_current()
        if self.form.isHidden() or not self.form.focus_first():
            self.get.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_getting(self) -> None:
        """Show that a text is being made; what is shown already stays."""
        self.get.setEnabled(False)
        self._ring.hide()
        self._waiting.start(_QUIET_MS)

    def show_reading(self, reading: PromptReading) -> None:
        self._rest()
        self._reading = reading
        self._say(reading.note if reading.shown else tr("The prompt has no message."))
        self._show_text()

    def show_problem(self, problem: str) -> None:
        self._rest()
        self._reading = None
        self._show_text()
        self._say(problem, is_problem=True)

    def _rest(self) -> None:
        self._waiting.stop()
        self._ring.hide()
        self.get.setEnabled(True)

    def _say(self, words: str, *, is_problem: bool = False) -> None:
        self._note.setText(words)
        self._note.set_tone("error" if is_problem else "text2")

    def _show_text(self) -> None:
        reading, is_json = self._reading, self.form_of_text.index == 1
        if reading is None:
            self.text.set_text("")
        elif is_json:
            self.text.set_text(reading.document, spans_of=json_spans)
        else:
            self.text.set_text(reading.shown, spans=reading.spans)
        self.copy.setEnabled(reading is not None)
        self.ask.setEnabled(reading is not None and bool(reading.text.strip()))
        self.copy.setToolTip(tr("Copy the messages as JSON") if is_json else tr("Copy the text"))

    def _show_current(self) -> None:
        row, former = self.current, self._shown
        if row is None or row == former:
            return
        self._shown = row
        self._name.set_text(row.title or row.label)
        self._origin.set_text(row.origin)
        self._about.setText(row.description)
        self._about.setVisible(bool(row.description))
        self.completions.set_on(is_on=row.is_of_server)
        if former is not None and (row.name, row.schema) == (former.name, former.schema):
            return
        self.left.emit()
        self._rest()
        self._reading = None
        self._say("")
        self._show_text()
        self.form.set_schema(row.schema)
        self.completions.follow(tuple(row.schema.get("properties", ())))
        self.form.setVisible(bool(row.schema.get("properties")))

    def _on_waiting_timeout(self) -> None:
        if self._ring.isHidden():
            self._ring.show()
            self._waiting.start(_RING_MS - _QUIET_MS)
        else:
            self._say(tr("Getting the text"))

    def _on_completions_wanted(self, argument: str, written: str) -> None:
        row = self.current
        if row is not None:
            others = {name: text for name, text in self.form.value().items() if name != argument}
            self.completion_wanted.emit(row.name, argument, written, others)

    def _on_get_clicked(self) -> None:
        row = self.current
        if row is None or not self.get.isEnabled():
            return
        if not row.schema.get("properties") or self.form.reveal_problems() is False:
            self.get_requested.emit(row.name, self.form.value())

    def _on_ask_clicked(self) -> None:
        if self._reading is not None:
            self.ask_requested.emit(self._reading.text)

    def _on_copy_clicked(self) -> None:
        if self._reading is not None:
            is_json = self.form_of_text.index == 1
            QGuiApplication.clipboard().setText(self._reading.document if is_json else self._reading.text)


_NONE: Final = (
    tr("No prompts yet"),
    tr("A method with @prompt in a toolkit makes one. Those of MCP servers stand here as well."),
)


class AllPromptsView(QWidget):
    """Show the prompts of all sources below a line that filters them.

    Attributes:
        prompts: The list with the detail of the chosen one.
        filter: What was typed to find some.
    """

    def __init__(self, model: PromptModel) -> None:
        super().__init__()
        self._model = model
        self._empty = EmptyState("message-square-text", *_NONE)
        self.prompts = PromptsView(model, self._empty, for_models=True)
        self.filter = SearchField(tr("Filter prompts"))
        self.filter.setFixedWidth(_FILTER_WIDTH)
        self._summary = ElidedLabel("", "small", "text2")
        head = BarFrame(48, margins=(20, 20))
        head.row.addWidget(TextLabel(tr("Prompts"), "title"))
        head.row.addSpacing(8)
        head.row.addWidget(self._summary, 1)
        head.row.addWidget(self.filter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self.prompts, 1)
        lead_focus(self, self.prompts.table)

    @property
    def rows(self) -> Sequence[PromptRow]:
        return self._model.rows

    def show_counts(self, found: int, count: int, of_servers: int) -> None:
        """Say how many there are, and how many the filter leaves.

        Args:
            of_servers: Those of MCP servers among all.
        """
        words = tr_count(count, "1 prompt", "{count:,} prompts") if count else ""
        servers = tr("{count:,} of MCP servers", count=of_servers) if of_servers else ""
        self._summary.set_text(", ".join(filter(None, (words, servers))))
        self.filter.setVisible(bool(count))
        self.filter.set_match_count(tr("{found:,} of {count:,}", found=found, count=count))
        if count and not found:
            self._empty.show_text(
                tr("Nothing matches “{text}”", text=self.filter.text()),
                tr("Names, purposes and sources are looked through."),
            )
        else:
            self._empty.show_text(*_NONE)
