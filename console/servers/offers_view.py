"""What a server offers: tools and resources, each a list beside the detail of its chosen row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, TypeVar

from PySide6.QtCore import QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from console.json_view import TextView, json_spans
from console.language import tr, tr_count
from console.schema_form import Completions, SchemaForm
from console.servers.model import ResourceModel, ToolModel
from console.servers.rows import OfferedTool, ResourceRow, TemplateArgumentDraft
from console.viewers import Content, ContentView
from console.widgets import (
    BarFrame,
    Button,
    Cell,
    CheckableTableModel,
    Column,
    CompactingRow,
    ElidedLabel,
    EmptyState,
    IconLabel,
    ListDetailView,
    Switch,
    TableView,
    TextLabel,
    ThinSplitter,
    WindowDialog,
    hbox,
    vbox,
)

Row = TypeVar("Row")


_MOST_FINDINGS: Final = 4


class ToolsView(ListDetailView[OfferedTool]):
    """List tools, and show the chosen one.

    Signals:
        open_requested(str): The page of the tool with this full name is wanted.
        switched(str, bool): This tool of the server shall be callable, or not.
        approve_requested(tuple): These tools may run as they are defined now.
        block_requested(str): This tool shall not run.
        changes_requested: The changes shall be shown.
    """

    open_requested = Signal(str)
    switched = Signal(str, bool)
    approve_requested = Signal(tuple)
    block_requested = Signal(str)
    changes_requested = Signal()

    def __init__(self, model: ToolModel, parent: QWidget | None = None) -> None:
        empty = EmptyState("wrench", tr("No tools"), tr("The tools of the server stand here once it is connected."))
        super().__init__(model, tr("Tools of the server"), empty, spacing=6, parent=parent)
        self._is_showing = False
        self._bar = BarFrame(44, surface="surface", margins=(20, 20), parent=self)
        self._news = IconLabel("sparkles", "", "small", "text2")
        self.approve_all = Button(tr("Approve all new…"), kind="soft", icon="check")
        self._name = ElidedLabel("", "heading")
        self._state = IconLabel("circle-check", "", "small", "text2")
        self._said = TextLabel("", "small", "text2", wrap=True, selectable=True)
        self._risk = TextLabel("", "small", "text3", wrap=True)
        self._findings = TextLabel("", "small", "warn", wrap=True, selectable=True)
        self._findings.setAccessibleName(tr("What looks like a trick"))
        self.definition = TextView(self._detail)
        self.definition.setAccessibleName(tr("Definition as the server sent it"))
        self.switch = Switch(tr("Whether the tool can be called"))
        self._on = TextLabel(tr("On"), "small", "text2")
        self.open = Button(tr("Open"), icon="external-link")
        self.approve = Button(tr("Approve"), icon="check")
        self.block = Button(tr("Block"), kind="danger", icon="ban")
        self._build()
        self.table.opened.connect(self._on_open_clicked)
        self.switch.toggled.connect(self._on_switch_toggled)
        self.open.clicked.connect(self._on_open_clicked)
        self.approve.clicked.connect(self._on_approve_clicked)
        self.block.clicked.connect(self._on_block_clicked)
        model.dataChanged.connect(self._on_model_data_changed)
        self._follow_rows()

    def _build(self) -> None:
        column = self._column
        top = QWidget(self._detail)
        head = hbox(top, spacing=8)
        head.addWidget(self._name)
        head.addWidget(self._state)
        head.addStretch(1)
        head.addWidget(self._on)
        head.addWidget(self.switch)
        head.addSpacing(8)
        for button in (self.block, self.approve, self.open):
            head.addWidget(button)
        CompactingRow(top, (self.open, self.block, self.approve))
        column.addWidget(top)
        for label in (self._said, self._risk, self._findings):
            column.addWidget(label)
        column.addWidget(self.definition, 1)
        self._bar.row.addWidget(self._news)
        self._bar.row.addStretch(1)
        self._bar.row.addWidget(self.approve_all)
        self._whole.insertWidget(0, self._bar)

    @property
    def rows(self) -> tuple[OfferedTool, ...]:
        return tuple(self._model.rows)

    def show_connected(self, *, connected: bool) -> None:
        if connected:
            self._empty.show_text(tr("No tools"), tr("The server is connected and offers none."))
        else:
            self._empty.show_text(tr("No tools yet"), tr("The tools of the server stand here once it is connected."))

    @property
    def new(self) -> tuple[OfferedTool, ...]:
        """Give the tools that nobody approved yet, as far as they were looked through."""
        return tuple(row for row in self._model.rows if row.verdict == "new" and row.is_examined)

    def _show_news(self) -> None:
        count = len(self.new)
        words = tr_count(
            count,
            "1 new tool asks before its first call, until you approve it",
            "{count:,} new tools ask before their first call, until you approve them",
        )
        self._news.show_state("sparkles", words)
        self._bar.setVisible(bool(count))

    def _show_current(self) -> None:
        self._show_news()
        row = self.current
        self._detail.setVisible(row is not None)
        if row is None:
            return
        self._is_showing = True
        self._name.set_text(row.title or row.name)
        icon, tone = ("circle-check", "text2") if row.verdict == "approved" else ("circle-alert", "warn")
        self._state.show_state(icon, row.verdict_words, tone)  # type: ignore[arg-type]
        self._said.setText(row.description)
        self._said.setVisible(bool(row.description))
        self._risk.setText(tr("The server {risk_words}", risk_words=row.risk_words))
        lines = [f"{finding.words}: {finding.excerpt}" for finding in row.findings[:_MOST_FINDINGS]]
        self._findings.setText("\n".join(lines))
        self._findings.setVisible(bool(lines))
        text = row.definition
        self.definition.set_text(text, spans_of=json_spans)
        self.switch.setChecked(row.is_on)
        self._on.setText(tr("On") if row.is_on else tr("Off"))
        self.open.setEnabled(bool(row.full_name))
        self.approve.setVisible(row.verdict in {"new", "changed", "blocked"})
        self.block.setVisible(row.verdict != "blocked")
        self._is_showing = False

    def _on_model_data_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        self._show_news()
        if first.row() <= self.table.currentIndex().row() <= last.row():
            self._show_current()

    def _on_switch_toggled(self, checked: bool) -> None:
        row = self.current
        if row is not None and not self._is_showing:
            self.switched.emit(row.name, checked)

    def _on_open_clicked(self) -> None:
        row = self.current
        if row is not None and row.full_name:
            self.open_requested.emit(row.full_name)

    def _on_approve_clicked(self) -> None:
        row = self.current
        if row is None:
            return
        if row.verdict == "changed":
            self.changes_requested.emit()
        else:
            self.approve_requested.emit((row.name,))

    def _on_block_clicked(self) -> None:
        row = self.current
        if row is not None:
            self.block_requested.emit(row.name)


_WAITING: Final = tr("Choose a resource and read it: what it says is shown here.")


class ResourcesView(ListDetailView[ResourceRow]):
    """List resources, and show what was read.

    Signals:
        read_requested(str, dict): This resource is to be read; a template with these values in it.
        follow_requested(str, bool): Changes of this resource shall be told, or no longer.
        completion_wanted(TemplateArgumentDraft): Proposals for this are wanted.
    """

    read_requested = Signal(str, dict)
    follow_requested = Signal(str, bool)
    completion_wanted = Signal(object)

    def __init__(self, model: ResourceModel, parent: QWidget | None = None) -> None:
        empty = EmptyState("file-text", tr("No resources"), tr("What the server lets one read stands here."))
        super().__init__(model, tr("Resources of the server"), empty, parent=parent)
        self._is_showing = False
        self._form_of = ""
        self._name = ElidedLabel("", "heading")
        self._note = TextLabel("", "small", "text2", wrap=True)
        self.form = SchemaForm(parent=self._detail)
        self.read = Button(tr("Read"), icon="file-text")
        self.follow = Switch(tr("Whether changes of the resource are told"))
        self._follow_words = TextLabel(tr("Follow"), "small", "text2")
        self._result = QStackedWidget(self._detail)
        self.content = ContentView(tr("Resource"), self._result)
        self._waiting = EmptyState("file-text", tr("Nothing was read yet"), _WAITING)
        self.completions = Completions(self.form, self)
        self._build()
        self.completions.wanted.connect(self._on_completions_wanted)
        self.table.opened.connect(self._on_read_clicked)
        self.read.clicked.connect(self._on_read_clicked)
        self.follow.toggled.connect(self._on_follow_toggled)
        model.dataChanged.connect(self._show_current)
        self._follow_rows()

    def _build(self) -> None:
        column = self._column
        head = hbox(spacing=8)
        head.addWidget(self._name, 1)
        head.addWidget(self._follow_words)
        head.addWidget(self.follow)
        head.addSpacing(8)
        head.addWidget(self.read)
        column.addLayout(head)
        column.addWidget(self._note)
        column.addWidget(self.form)
        self._result.addWidget(self._waiting)
        self._result.addWidget(self.content)
        column.addWidget(self._result, 1)

    def show_following(self, *, possible: bool) -> None:
        self.follow.setVisible(possible)
        self._follow_words.setVisible(possible)

    def show_content(self, content: Content | None, note: str) -> None:
        """Show what was read, and how that went."""
        self._note.setText(note)
        self._note.set_tone("text2")
        self.content.show_content(content)
        self._result.setCurrentIndex(1 if content is not None else 0)

    def show_problem(self, problem: str) -> None:
        """Say why nothing could be read."""
        self._note.setText(problem)
        self._note.set_tone("error")

    def show_reading(self, *, reading: bool) -> None:
        self.read.setEnabled(not reading)
        self.read.setText(tr("Reading") if reading else tr("Read"))
        self.read.updateGeometry()

    def _show_current(self) -> None:
        row = self.current
        if row is None:
            return
        self._is_showing = True
        self._name.set_text(row.name)
        self.follow.setChecked(row.is_followed)
        self.follow.setEnabled(not row.parameters)
        if row.uri != self._form_of:
            self._form_of = row.uri
            self._note.setText(row.description)
            self._note.set_tone("text2")
            self.form.set_schema(_schema_of(row))
            self.completions.follow(row.parameters)
            self._result.setCurrentIndex(0)
        self.form.setVisible(bool(row.parameters))
        self._is_showing = False

    def _on_completions_wanted(self, argument: str, written: str) -> None:
        row = self.current
        if row is not None:
            others = {name: text for name, text in self.form.value().items() if name != argument}
            self.completion_wanted.emit(TemplateArgumentDraft(row.uri, argument, written, others))

    def _on_read_clicked(self) -> None:
        row = self.current
        if row is not None:
            values: dict[str, Any] = self.form.value() if row.parameters else {}
            self.read_requested.emit(row.uri, values)

    def _on_follow_toggled(self, checked: bool) -> None:
        row = self.current
        if row is not None and not self._is_showing:
            self.follow_requested.emit(row.uri, checked)


def _schema_of(row: ResourceRow) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in row.parameters},
        "required": list(row.parameters),
    }


_SIZE: Final = QSize(1_000, 720)
_MARGIN: Final = 48
_RETURN: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class _Marked(CheckableTableModel[OfferedTool]):
    """List tools with a mark before those that are approved."""

    def __init__(self, rows: Sequence[OfferedTool], parent: QObject) -> None:
        super().__init__((Column(tr("Tool"), is_checkable=True),), self._cells_of, attrgetter("name"), parent)
        self.show_rows(rows)
        # What looks like a trick is approved only by a mark of its own.
        self.choose(row.name for row in rows if not row.findings)

    def _cells_of(self, row: OfferedTool) -> tuple[Cell, ...]:
        words = tr("{name}, look closer", name=row.name) if row.findings else row.name
        tip = "\n".join(finding.words for finding in row.findings) or row.title or row.name
        return (Cell(words, "text", "body", is_checked=row.name in self._chosen, tip=tip),)


class ApproveDialog(WindowDialog):
    """Show definitions whole, one below the other, and let a person approve exactly these.

    Args:
        server: Whose tools they are.
        rows: The new ones.

    Signals:
        approved(str, dict): Of this server, the tools may run whose definitions have these digests.
    """

    approved = Signal(str, dict)

    def __init__(self, server: str, rows: Sequence[OfferedTool], parent: QWidget) -> None:
        super().__init__(tr("New tools of {server}", server=server), parent)
        self._server = server
        # What looks like a trick stands first.
        rows = sorted(rows, key=_without_findings)
        self.model = _Marked(rows, self)
        self.list = TableView(self.model, tr("New tools"), edge=4, left=4, dense=True)
        self.list.horizontalHeader().hide()
        self.text = TextView()
        self.approve = Button(tr("Approve all"), kind="primary", icon="check", large=True, shortcut_hint="Ctrl+Enter")
        self._starts: list[int] = []
        self._build(rows)
        self._fill(rows)
        self._follow()
        self.resize(_SIZE.boundedTo(parent.window().size() - QSize(_MARGIN, _MARGIN)))
        self.model.chosen_changed.connect(self._follow)
        self.list.selectionModel().currentChanged.connect(self._on_list_current_changed)
        self.approve.clicked.connect(self._on_approve_clicked)
        self.list.setCurrentIndex(self.model.index(0, 0))
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _build(self, rows: Sequence[OfferedTool]) -> None:
        self.text.setAccessibleName(tr("Definitions as the server sent them"))
        self.text.set_wrapped(wrapped=True)
        title = tr_count(len(rows), "1 new tool of {server}", "{count:,} new tools of {server}", server=self._server)
        words = tr(
            "A model reads what stands here. An approved tool still asks where your rules say so; one that is not"
            " approved asks before its first call, and one that changes later is paused."
        )
        split = ThinSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.list)
        split.addWidget(self.text)
        split.setStretchFactor(0, 0)
        split.setStretchFactor(1, 1)
        split.setSizes([240, 720])
        closer = sum(bool(tool.findings) for tool in rows)
        said = tr_count(
            closer,
            "{count} of them looks like a trick; mark what you mean to approve",
            "{count:,} of them look like a trick; mark what you mean to approve",
        )
        before = [TextLabel(said, "small", "warn")] if closer else []
        row = self.make_ends(self.approve, decline=tr("Not now"), before=before)
        column = vbox(self, margins=(20, 16, 20, 16), spacing=10)
        column.addWidget(TextLabel(title, "title", wrap=True))
        column.addWidget(TextLabel(words, "small", "text2", wrap=True))
        column.addWidget(split, 1)
        column.addLayout(row)

    def _fill(self, rows: Iterable[OfferedTool]) -> None:
        parts: list[str] = []
        place = 0
        for row in rows:
            self._starts.append(place)
            part = _definition(row)
            parts.append(part)
            place += len(part)
        self.text.set_text("".join(parts), spans_of=json_spans)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Approve with Ctrl+Enter, or with Enter on the button; Enter elsewhere approves nothing."""
        is_return = event.key() in _RETURN
        by_chord = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if is_return and (by_chord or self.approve.hasFocus()):
            self.approve.click()
        elif not is_return:
            super().keyPressEvent(event)

    def _follow(self) -> None:
        count, total = len(self.model.chosen), len(self.model.rows)
        every = tr("Approve") if total == 1 else tr("Approve all {total:,}", total=total)
        self.approve.setText(
            every if count == total else tr("Approve {count:,} of {total:,}", count=count, total=total)
        )
        self.approve.setEnabled(bool(count))
        self.approve.updateGeometry()

    def _on_list_current_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            start = self._starts[current.row()]
            self.text.select(start, start + len(self.model.rows[current.row()].name))

    def _on_approve_clicked(self) -> None:
        chosen = set(self.model.chosen)
        self.approved.emit(self._server, {row.name: row.digest for row in self.model.rows if row.name in chosen})
        self.accept()


def _without_findings(row: OfferedTool) -> bool:
    return not row.findings


def _definition(row: OfferedTool) -> str:
    """Write a definition as a person reads it: its name, what it claims, what looks like a trick, and all of it."""
    lines = [row.name, *filter(None, (row.title, row.description))]
    lines += [tr("The server {risk_words}", risk_words=row.risk_words)] if row.risk_words else []
    lines += [
        tr("Look closer: {words}: {excerpt}", words=finding.words, excerpt=finding.excerpt) for finding in row.findings
    ]
    return "\n".join((*lines, row.definition, "", ""))
