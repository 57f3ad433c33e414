"""Fields where one chooses several of some: a few as check boxes, many as a list that can be searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QListView, QVBoxLayout, QWidget

from console.schema_form.choice_editors import MOST_UNSEARCHED
from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor
from console.schema_form.fields import Field
from console.schema_form.kinds import Choice
from console.schema_form.layouts import FlowLayout
from console.schema_form.paths import same
from console.theme import theme_of
from console.widgets import SearchField

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()
_LINES: Final = 6
_ROW: Final = 24


def selection_editor(field: Field, document: Document, parent: QWidget | None = None) -> FieldEditor:
    """Make the editor of several choices.

    Args:
        field: What is edited.
        document: Where it stands.
        parent: Its owner.
    """
    kind = SearchedSelectionEditor if len(field.choices) > MOST_UNSEARCHED else SelectionEditor
    return kind(field, document, parent)


class SelectionEditor(FieldEditor):
    """Several of the values that the schema lists, as check boxes.

    Args:
        field: What is edited.
        document: Where it stands.
        parent: Its owner.
    """

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self._choices = field.choices
        self._boxes: list[QCheckBox] = []
        self._is_showing = False
        flow = FlowLayout(16, 4, self)
        flow.setContentsMargins(0, 4, 0, 4)
        font = theme_of(self).font("body" if any(choice.titled for choice in self._choices) else "code")
        for choice in self._choices:
            box = QCheckBox(choice.title.replace("&", "&&"), self)
            box.setFont(font)
            box.setToolTip(choice.description)
            box.setAccessibleName(f"{field.accessible_name}: {choice.title}")
            box.toggled.connect(self._on_box_toggled)
            self._boxes.append(box)
            flow.addWidget(box)
        self.adopt(self)
        self.refresh()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Pass the focus on to the first box. A proxy would do so too, but Tab counts it as a stop of its own."""
        self._boxes[0].setFocus(event.reason())

    def show_value(self, value: Any) -> None:
        """Tick what is in the list."""
        chosen = value if isinstance(value, list) else []
        self._is_showing = True
        for box, choice in zip(self._boxes, self._choices, strict=True):
            box.setChecked(any(same(choice.value, item) for item in chosen))
        self._is_showing = False

    def _on_box_toggled(self, checked: bool) -> None:
        if self._is_showing:
            return
        kept = self.document.get(self.field.path)
        for box, choice in zip(self._boxes, self._choices, strict=True):
            kept = _with(kept, choice.value, is_in=box.isChecked())
        self.write(kept)


class _ChoiceModel(QAbstractListModel):
    """Choices with a tick each, as many as hold the words searched for."""

    ticked = Signal(object, bool)

    def __init__(self, choices: Sequence[Choice], parent: QObject) -> None:
        super().__init__(parent)
        self._choices = tuple(choices)
        self._shown = list(range(len(self._choices)))
        self._ticks = [False] * len(self._choices)

    def search(self, words: str) -> None:
        wanted = words.strip().casefold()
        self.beginResetModel()
        self._shown = [at for at, choice in enumerate(self._choices) if wanted in choice.title.casefold()]
        self.endResetModel()

    def show_chosen(self, chosen: Sequence[Any]) -> None:
        ticks = [any(same(choice.value, item) for item in chosen) for choice in self._choices]
        if ticks != self._ticks and self._shown:
            self._ticks = ticks
            self.dataChanged.emit(self.index(0), self.index(len(self._shown) - 1), [Qt.ItemDataRole.CheckStateRole])

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsUserCheckable

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._shown):
            return None
        at = self._shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._choices[at].title
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._choices[at].description or None
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if self._ticks[at] else Qt.CheckState.Unchecked
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid():
            return False
        choice = self._choices[self._shown[index.row()]]
        self.ticked.emit(choice.value, Qt.CheckState(value) is Qt.CheckState.Checked)
        return True


class SearchedSelectionEditor(FieldEditor):
    """Several of many values: a list with a tick for each, and a search above it. Space ticks, Down leaves the search.

    Args:
        field: What is edited.
        document: Where it stands.
        parent: Its owner.
    """

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self.search = SearchField(f"Search {len(field.choices):,} values", parent=self)
        self.search.setAccessibleName(f"Search {field.accessible_name}")
        self.model = _ChoiceModel(field.choices, self)
        self.list = QListView(self)
        self.list.setModel(self.model)
        self.list.setProperty("card", "true")
        self.list.setFrameShape(QFrame.Shape.StyledPanel)
        self.list.setUniformItemSizes(True)
        self.list.setFont(theme_of(self).font("body" if any(choice.titled for choice in field.choices) else "code"))
        self.list.setFixedHeight(_LINES * _ROW)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.search)
        column.addWidget(self.list)
        self.adopt(self.list)
        self.search.installEventFilter(self)
        self.search.textChanged.connect(self.model.search)
        self.search.down_requested.connect(self._on_search_down_requested)
        self.model.ticked.connect(self._on_model_ticked)
        self.refresh()

    def show_value(self, value: Any) -> None:
        """Tick what is in the list, and say how many that are."""
        chosen = value if isinstance(value, list) else []
        self.model.show_chosen(chosen)
        self.show_hint(f"{len(chosen):,} of {len(self.field.choices):,} chosen")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tick with Enter as with Space."""
        if watched is self.list and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            is_return = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
            if is_return and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                index = self.list.currentIndex()
                is_ticked = self.model.data(index, Qt.ItemDataRole.CheckStateRole) is Qt.CheckState.Checked
                state = Qt.CheckState.Unchecked if is_ticked else Qt.CheckState.Checked
                self.model.setData(index, state, Qt.ItemDataRole.CheckStateRole)
                return True
        return super().eventFilter(watched, event)

    def _on_search_down_requested(self) -> None:
        self.list.setFocus(Qt.FocusReason.TabFocusReason)
        if not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self.model.index(0))

    def _on_model_ticked(self, value: Any, is_in: bool) -> None:
        self.write(_with(self.document.get(self.field.path), value, is_in=is_in))


def _with(held: Any, value: Any, *, is_in: bool) -> list[Any]:
    """Return a list with a value or without it; what else is in it stays, in its order."""
    items = list(held) if isinstance(held, list) else []
    if is_in and any(same(value, item) for item in items):
        return items
    kept = [item for item in items if not same(value, item)]
    return [*kept, value] if is_in else kept
