"""The lower part of the gateway's panel: the rules for calls of agents, and what each agent is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from console.gateway.rows import AgentRuleModel, AgentRuleRow
from console.language import tr
from console.widgets import Button, CountPill, Divider, SpinBox, TableView, TextLabel
from tools.gateway.defaults import MOST_CALLS_A_MINUTE, MOST_WAIT_MIN, GatewayLimits

_LIMIT_WIDTH: Final = 148


class AgentRulesView(QWidget):
    """Show the rules for calls of agents, and let a person limit the calls.

    Signals:
        rules_requested(): All rules are to be shown, where they are changed.
        limited(object): Each agent is allowed this much, `GatewayLimits`.
    """

    rules_requested = Signal()
    limited = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.model = AgentRuleModel(self)
        self.table = TableView(self.model, tr("Rules for calls of agents"), surface="panel", edge=20)
        self.count = CountPill()
        self.show_all = Button(tr("All rules…"), icon="list")
        self.wait = _limit(tr("A call that asks waits at most"), tr(" min"), MOST_WAIT_MIN)
        self.calls_a_minute = _limit(tr("Limit for each agent"), tr(" a min"), MOST_CALLS_A_MINUTE)
        self._none = TextLabel(tr("No rule of yours: each call goes by its risk."), "small", "text3", wrap=True)
        self._none.setContentsMargins(20, 0, 20, 12)
        self._lay_out()
        self.show_all.clicked.connect(self.rules_requested)
        for field in (self.wait, self.calls_a_minute):
            field.valueChanged.connect(self._on_field_value_changed)
        self.show_rules(())

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(20, 8, 20, 8)
        head.setSpacing(8)
        for part in (TextLabel(tr("Rules"), "heading"), self.count):
            head.addWidget(part)
        head.addStretch(1)
        head.addWidget(self.show_all)
        limits = QVBoxLayout()
        limits.setContentsMargins(20, 12, 20, 12)
        limits.setSpacing(8)
        for field in (self.wait, self.calls_a_minute):
            line = QHBoxLayout()
            line.addWidget(TextLabel(field.accessibleName(), "small", "text2"), 1)
            line.addWidget(field)
            limits.addLayout(line)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.table, 1)
        column.addWidget(self._none)
        column.addWidget(Divider())
        column.addLayout(limits)

    def show_rules(self, rules: Sequence[AgentRuleRow]) -> None:
        """Show the rules, what counts first standing first."""
        self.model.show_rows(rules)
        self.count.set_text(str(len(rules)) if rules else "")
        self.table.setVisible(bool(rules))
        self._none.setVisible(not rules)
        # Without rules, the room is the agents'.
        height = QSizePolicy.Policy.Preferred if rules else QSizePolicy.Policy.Maximum
        self.setSizePolicy(QSizePolicy.Policy.Preferred, height)

    def show_limits(self, limits: GatewayLimits) -> None:
        for field, value in ((self.wait, limits.wait_min), (self.calls_a_minute, limits.calls_a_minute)):
            field.blockSignals(True)
            field.setValue(value)
            field.blockSignals(False)

    @Slot()
    def _on_field_value_changed(self) -> None:
        self.limited.emit(GatewayLimits(self.calls_a_minute.value(), self.wait.value()))


def _limit(name: str, unit: str, most: int) -> SpinBox:
    field = SpinBox()
    field.setAccessibleName(name)
    field.setRange(1, most)
    field.setSuffix(unit)
    field.setFixedWidth(_LIMIT_WIDTH)
    # What is typed counts once it is typed.
    field.setKeyboardTracking(False)
    return field
