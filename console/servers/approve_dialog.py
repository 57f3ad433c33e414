"""All new tools of a server at once: their definitions in sight, what looks like a trick, and which are approved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.json_view import TextView, json_spans
from console.servers.rows import OfferedTool
from console.widgets import Button, Cell, Column, TableModel, TableView, TextLabel, ThinSplitter, WindowDialog

_SIZE: Final = QSize(1_000, 720)
_MARGIN: Final = 48
_RETURN: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class _Marked(TableModel[OfferedTool]):
    """List tools with a mark before those that are approved."""

    changed = Signal()

    def __init__(self, rows: Sequence[OfferedTool], parent: QObject) -> None:
        super().__init__((Column("Tool", is_checkable=True),), self._cells_of, attrgetter("name"), parent)
        # What looks like a trick is approved only by a mark of its own.
        self._marked = {row.name for row in rows if not row.findings}
        self.show_rows(rows)
        self.checked.connect(self._on_checked)

    @property
    def marked(self) -> Mapping[str, str]:
        """Give the digests of the definitions that are marked, by the names of their tools."""
        return {row.name: row.digest for row in self.rows if row.name in self._marked}

    def _cells_of(self, row: OfferedTool) -> tuple[Cell, ...]:
        words = f"{row.name}, look closer" if row.findings else row.name
        tip = "\n".join(finding.words for finding in row.findings) or row.title or row.name
        return (Cell(words, "text", "body", is_checked=row.name in self._marked, tip=tip),)

    def _on_checked(self, name: str, is_marked: bool) -> None:
        if is_marked:
            self._marked.add(name)
        else:
            self._marked.discard(name)
        self.tell_changed([self.place_of(name)])
        self.changed.emit()


class ApproveDialog(WindowDialog):
    """Show definitions whole, one below the other, and let a person approve exactly these.

    Args:
        server: Whose tools they are.
        rows: The new ones.
        parent: The window it stands over.

    Signals:
        approved(str, dict): Of this server, the tools may run whose definitions have these digests.
    """

    approved = Signal(str, dict)

    def __init__(self, server: str, rows: Sequence[OfferedTool], parent: QWidget) -> None:
        super().__init__(f"New tools of {server}", parent)
        self._server = server
        # What looks like a trick stands first.
        rows = sorted(rows, key=_without_findings)
        self.model = _Marked(rows, self)
        self.list = TableView(self.model, "New tools", edge=4, left=4, dense=True)
        self.list.horizontalHeader().hide()
        self.text = TextView()
        self.approve = Button("Approve all", kind="primary", icon="check", large=True, shortcut_hint="Ctrl+Enter")
        self._starts: list[int] = []
        self._build(rows)
        self._fill(rows)
        self._follow()
        self.resize(_SIZE.boundedTo(parent.window().size() - QSize(_MARGIN, _MARGIN)))
        self.model.changed.connect(self._follow)
        self.list.selectionModel().currentChanged.connect(self._on_list_current_changed)
        self.approve.clicked.connect(self._on_approve_clicked)
        self.list.setCurrentIndex(self.model.index(0, 0))
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _build(self, rows: Sequence[OfferedTool]) -> None:
        self.text.setAccessibleName("Definitions as the server sent them")
        self.text.set_wrapped(wrapped=True)
        later = Button("Not now", large=True, shortcut_hint="Esc")
        later.clicked.connect(self.reject)
        count = "1 new tool" if len(rows) == 1 else f"{len(rows):,} new tools"
        words = (
            "A model reads what stands here. An approved tool still asks where your rules say so; one that is not"
            " approved asks before its first call, and one that changes later is paused."
        )
        split = ThinSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.list)
        split.addWidget(self.text)
        split.setStretchFactor(0, 0)
        split.setStretchFactor(1, 1)
        split.setSizes([240, 720])
        row = QHBoxLayout()
        closer = sum(bool(tool.findings) for tool in rows)
        if closer:
            said = (
                f"{closer:,} of them {'looks' if closer == 1 else 'look'} like a trick; mark what you mean to approve"
            )
            row.addWidget(TextLabel(said, "small", "warn"))
        row.addStretch(1)
        row.addWidget(later)
        row.addWidget(self.approve)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        column.addWidget(TextLabel(f"{count} of {self._server}", "title", wrap=True))
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
        count, total = len(self.model.marked), len(self.model.rows)
        every = "Approve" if total == 1 else f"Approve all {total:,}"
        self.approve.setText(every if count == total else f"Approve {count:,} of {total:,}")
        self.approve.setEnabled(bool(count))
        self.approve.updateGeometry()

    def _on_list_current_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            start = self._starts[current.row()]
            self.text.select(start, start + len(self.model.rows[current.row()].name))

    def _on_approve_clicked(self) -> None:
        self.approved.emit(self._server, dict(self.model.marked))
        self.accept()


def _without_findings(row: OfferedTool) -> bool:
    return not row.findings


def _definition(row: OfferedTool) -> str:
    """Write a definition as a person reads it: its name, what it claims, what looks like a trick, and all of it."""
    lines = [row.name, *filter(None, (row.title, row.description))]
    lines += [f"The server {row.risk_words}"] if row.risk_words else []
    lines += [f"Look closer: {finding.words}: {finding.excerpt}" for finding in row.findings]
    return "\n".join((*lines, row.definition, "", ""))
