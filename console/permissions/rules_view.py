"""The list of remembered rules, and below it the one that is chosen, to be changed or removed."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHBoxLayout, QHeaderView, QVBoxLayout, QWidget

from console.permissions.delegate import RuleDelegate
from console.permissions.model import EFFECT_WORDS, RuleModel
from console.permissions.rows import End, RuleColumn, RuleRow
from console.widgets import (
    Button,
    Divider,
    IconLabel,
    RowTable,
    SegmentedControl,
    Switch,
    TableHead,
    TextLabel,
    set_surface,
)

_WIDTHS: Final = MappingProxyType(
    {
        RuleColumn.EFFECT: 112,
        RuleColumn.WORDS: 0,
        RuleColumn.LASTS: 148,
        RuleColumn.PLACE: 112,
        RuleColumn.USES: 64,
        RuleColumn.LAST_USED: 112,
    }
)
_PAGE_LEFT: Final = 20
_EFFECTS: Final = tuple(EFFECT_WORDS)
_ENDS: Final = (
    (End.AS_IT_IS, "Lasts as it does"),
    (End.NEVER, "Until it is removed"),
    (End.HOUR, "For 1 hour from now"),
    (End.TODAY, "Until the end of today"),
)


class _Table(RowTable):
    """The rules; Delete removes the chosen one, Enter edits it."""

    removed = Signal()
    edited = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self.removed.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.edited.emit()
        else:
            super().keyPressEvent(event)


class RulesView(QWidget):
    """Show rules, and change the chosen one.

    Signals:
        remove_requested(str): Take this rule out.
        effect_chosen(str, str): This rule shall answer so: `allow`, `ask` or `deny`.
        switched(str, bool): This rule shall count, or not.
        end_chosen(str, object): This rule shall end then, an `End`.
        edit_requested(str): The person wants to edit the text of this rule.
    """

    remove_requested = Signal(str)
    effect_chosen = Signal(str, str)
    switched = Signal(str, bool)
    end_chosen = Signal(str, object)
    edit_requested = Signal(str)

    def __init__(self, model: RuleModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._is_showing = False
        self._chosen = ""
        self.table = _Table()
        self._words = TextLabel("", "body", "text", wrap=True, selectable=True)
        self._words.setAccessibleName("Chosen rule")
        self._note = IconLabel("circle-pause", "", "small", "text2", icon_tone="warn")
        self.effects = SegmentedControl(tuple(EFFECT_WORDS.values()), "What the rule answers")
        self.ends = QComboBox()
        self.ends.setAccessibleName("When the rule ends")
        for end, words in _ENDS:
            self.ends.addItem(words, end)
        self.switch = Switch("Whether the rule counts")
        self._counts = TextLabel("Counts", "small", "text2")
        self.edit = Button("Edit…", icon="square-pen")
        self.remove = Button("Remove", kind="danger", icon="trash-2")
        self._detail = self._build_detail()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table, 1)
        column.addWidget(Divider(Qt.Orientation.Horizontal))
        column.addWidget(self._detail)
        self._set_up_table()
        self._connect()
        self._show_chosen()

    @property
    def chosen(self) -> RuleRow | None:
        return next((row for row in self._model.rows if row.id == self._chosen), None)

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self._model)
        table.setItemDelegate(RuleDelegate(self._model, table))
        table.setHorizontalHeader(TableHead(table, numbers={RuleColumn.USES}, first=_PAGE_LEFT))
        table.setAccessibleName("Rules")
        set_surface(table, "surface")
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        for section, width in _WIDTHS.items():
            if width:
                table.setColumnWidth(section, width)
        table.horizontalHeader().setSectionResizeMode(RuleColumn.WORDS, QHeaderView.ResizeMode.Stretch)

    def _build_detail(self) -> QWidget:
        detail = QWidget()
        set_surface(detail, "panel")
        column = QVBoxLayout(detail)
        column.setContentsMargins(20, 12, 20, 12)
        column.setSpacing(8)
        column.addWidget(self._words)
        column.addWidget(self._note)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.effects)
        row.addWidget(self.ends)
        row.addSpacing(8)
        row.addWidget(self.switch)
        row.addWidget(self._counts)
        row.addStretch(1)
        row.addWidget(self.edit)
        row.addWidget(self.remove)
        column.addLayout(row)
        return detail

    def _connect(self) -> None:
        self.table.selectionModel().currentRowChanged.connect(self._on_table_current_row_changed)
        self.table.removed.connect(self._on_remove_clicked)
        self._model.modelReset.connect(self._on_model_reset)
        self._model.dataChanged.connect(self._show_chosen)
        self.effects.selected.connect(self._on_effects_selected)
        self.ends.activated.connect(self._on_ends_activated)
        self.switch.toggled.connect(self._on_switch_toggled)
        self.remove.clicked.connect(self._on_remove_clicked)
        self.edit.clicked.connect(self._on_edit_clicked)
        self.table.edited.connect(self._on_edit_clicked)
        self.table.doubleClicked.connect(self._on_edit_clicked)

    def _show_chosen(self) -> None:
        row = self.chosen
        self._detail.setVisible(row is not None)
        if row is None:
            return
        self._is_showing = True
        self._words.setText(f"{row.words}. Reason: “{row.reason}”" if row.reason else row.words)
        note = row.fixed or (f"It does not count: {row.suspended}" if row.suspended else "")
        self._note.show_state("lock" if row.fixed else "circle-pause", note, "text2", "warn")
        self._note.setVisible(bool(note))
        self.effects.select(_EFFECTS.index(row.effect))
        self.ends.setCurrentIndex(0)
        self.switch.setChecked(row.is_on)
        for part in (self.effects, self.ends, self.switch, self.edit, self.remove):
            part.setEnabled(not row.fixed)
        self._is_showing = False

    def _on_table_current_row_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self._chosen = self._model.rows[current.row()].id
        self._show_chosen()

    def _on_model_reset(self) -> None:
        """Keep the same rule chosen, else the one in its place."""
        places = {row.id: place for place, row in enumerate(self._model.rows)}
        if self._chosen in places:
            self.table.selectRow(places[self._chosen])
        self._show_chosen()

    def _on_effects_selected(self, index: int) -> None:
        row = self.chosen
        if row is not None and not self._is_showing and _EFFECTS[index] != row.effect:
            self.effect_chosen.emit(row.id, _EFFECTS[index])

    def _on_ends_activated(self, index: int) -> None:
        row = self.chosen
        if row is not None and index:
            self.end_chosen.emit(row.id, _ENDS[index][0])

    def _on_switch_toggled(self, checked: bool) -> None:
        row = self.chosen
        if row is not None and not self._is_showing:
            self.switched.emit(row.id, checked)

    def _on_remove_clicked(self) -> None:
        row = self.chosen
        if row is not None and not row.fixed:
            self.remove_requested.emit(row.id)

    def _on_edit_clicked(self) -> None:
        row = self.chosen
        if row is not None and not row.fixed:
            self.edit_requested.emit(row.id)
