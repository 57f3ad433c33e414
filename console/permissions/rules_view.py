"""The list of remembered rules, and below it the one that is chosen, to be changed or removed."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from console.permissions.model import EFFECT_WORDS, RuleModel
from console.permissions.rows import End, RuleRow
from console.widgets import (
    Button,
    Divider,
    IconLabel,
    SegmentedControl,
    Switch,
    TableView,
    TextLabel,
    set_surface,
)

_EFFECTS: Final = tuple(EFFECT_WORDS)
_ENDS: Final = (
    (End.AS_IT_IS, "Lasts as it does"),
    (End.NEVER, "Until it is removed"),
    (End.HOUR, "For 1 hour from now"),
    (End.TODAY, "Until the end of today"),
)


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
        self._is_showing = False
        self.table = TableView(model, "Rules", edge=20)
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
        self._connect(model)
        self._show_chosen()

    @property
    def chosen(self) -> RuleRow | None:
        row: RuleRow | None = self.table.chosen_row
        return row

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

    def _connect(self, model: RuleModel) -> None:
        self.table.selectionModel().currentRowChanged.connect(self._show_chosen)
        self.table.remove_requested.connect(self._on_remove_clicked)
        model.rows_changed.connect(self._show_chosen)
        model.dataChanged.connect(self._show_chosen)
        self.effects.selected.connect(self._on_effects_selected)
        self.ends.activated.connect(self._on_ends_activated)
        self.switch.toggled.connect(self._on_switch_toggled)
        self.remove.clicked.connect(self._on_remove_clicked)
        self.edit.clicked.connect(self._on_edit_clicked)
        self.table.opened.connect(self._on_edit_clicked)

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
