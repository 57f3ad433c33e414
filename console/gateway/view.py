"""The panel of the gateway: a switch, its address, and the agents that may call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from console.gateway.rows import AgentModel, AgentRow, GatewayState
from console.gateway.rules_view import AgentRulesView
from console.language import tr, tr_count
from console.theme import theme_of
from console.widgets import (
    Banner,
    BarFrame,
    Button,
    CountPill,
    Divider,
    EmptyState,
    IconButton,
    IconLabel,
    KeyTip,
    SpinBox,
    StatusGlyph,
    Switch,
    TableView,
    TextLabel,
    ThinSplitter,
    set_surface,
)

_WIDTH: Final = 440
_HEAD: Final = 52
_CONFIG_HEIGHT: Final = 124
_EXPLAINED: Final = tr(
    "Agents that speak MCP call your tools here. Each call passes your rules, and you are asked as for your own."
)
_ROOMY: Final = 1_080
"""From this width on, in logical pixels, servers and panel have room beside each other."""


class ConfigSnippet(QWidget):
    """Show what goes into the settings of an agent's program, and copy it.

    Signals:
        copied(str): It is on the clipboard; for which program.
    """

    copied = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._texts: Mapping[str, str] = {}
        self.clients = QComboBox(self)
        self.clients.setAccessibleName(tr("Program of the agent"))
        self.clients.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.copy = Button(tr("Copy"), icon="copy")
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setAccessibleName(tr("Settings for the program of the agent"))
        self.text.setFont(theme_of(self).font("code"))
        self.text.setFixedHeight(_CONFIG_HEIGHT)
        self.text.setTabChangesFocus(True)
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(TextLabel(tr("Config for"), "small", "text2"))
        top.addWidget(self.clients)
        top.addStretch(1)
        top.addWidget(self.copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(self.text)
        self.clients.currentTextChanged.connect(self._on_clients_current_text_changed)
        self.copy.clicked.connect(self._on_copy_clicked)

    def show_texts(self, texts: Mapping[str, str]) -> None:
        """Show the settings for each program, by its name; the program that is chosen stays."""
        chosen, self._texts = self.clients.currentText(), texts
        self.clients.blockSignals(True)
        self.clients.clear()
        self.clients.addItems(list(texts))
        self.clients.setCurrentIndex(max(self.clients.findText(chosen), 0))
        self.clients.blockSignals(False)
        self._on_clients_current_text_changed(self.clients.currentText())

    @Slot(str)
    def _on_clients_current_text_changed(self, client: str) -> None:
        self.text.setPlainText(self._texts.get(client, ""))

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.copied.emit(self.clients.currentText())


class BesideServers(ThinSplitter):
    """Show the panel right of the servers; where there is too little room, it waits at the edge to be drawn in."""

    def __init__(self, servers: QWidget, panel: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._servers = servers
        self.setAccessibleName(tr("Servers and gateway"))
        self.addWidget(servers)
        self.addWidget(panel)
        self.setCollapsible(1, True)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 0)

    def reveal_panel(self) -> None:
        """Show the panel in the place of the servers where it waits at the edge, until the page is shown again."""
        if self.width() < _ROOMY:
            self._servers.hide()
            self.setSizes([0, self.width()])

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._servers.isHidden() and not event.spontaneous():
            self._show_servers()

    def _show_servers(self) -> None:
        self._servers.show()
        panel = _WIDTH if self.width() >= _ROOMY else 0
        self.setSizes([self.width() - panel, panel])

    def resizeEvent(self, event: QResizeEvent) -> None:
        was_roomy, is_roomy = event.oldSize().width() >= _ROOMY, event.size().width() >= _ROOMY
        super().resizeEvent(event)
        if was_roomy != is_roomy or event.oldSize().width() < 0:
            self._show_servers()


class GatewayPanel(QWidget):
    """Show how the gateway stands, and let a person change it.

    Signals:
        switched(bool): The gateway is to be on, or off.
        pause_requested(bool): The calls of all agents are to be held, or to go on.
        stop_requested(): The calls of agents that run are to be stopped.
        connect_requested(): The program of an agent is to be connected.
        add_requested(): An agent is to be let in.
        agents_requested(str): What agents did is to be shown, first of this one; "" for any.
        renew_requested(str): This agent needs another token.
        block_requested(str, bool): Refuse this agent's requests, or no longer.
        remove_requested(str): Forget this agent.
        noticed(str): A sentence for the person.
        appeared(): The panel comes into sight.
    """

    switched = Signal(bool)
    pause_requested = Signal(bool)
    stop_requested = Signal()
    connect_requested = Signal()
    add_requested = Signal()
    agents_requested = Signal(str)
    renew_requested = Signal(str)
    block_requested = Signal(str, bool)
    remove_requested = Signal(str)
    noticed = Signal(str)
    appeared = Signal()

    def __init__(self) -> None:
        super().__init__()
        set_surface(self, "panel")
        self.setObjectName("gatewayPanel")
        self.setAccessibleName(tr("Gateway"))
        self.setMinimumWidth(_WIDTH)
        self.glyph = StatusGlyph()
        self.status = TextLabel(tr("Off"), "medium", "text2")
        self.switch = Switch(tr("Gateway"))
        self.pause = Button(tr("Pause"), icon="pause")
        KeyTip(self.pause, tr("Hold the calls of all agents at once"), "pause_agents")
        self.paused = Banner("warn", tr("Paused"), "", actions={"stop": tr("Stop"), "resume": tr("Resume")})
        self.port = SpinBox()
        self.port.setAccessibleName(tr("Port of the gateway"))
        self.port.setSpecialValueText(tr("Any"))
        self.port.setGroupSeparatorShown(False)
        self.address = QLineEdit()
        self.address.setReadOnly(True)
        self.address.setAccessibleName(tr("Address of the gateway"))
        self.address.setFont(theme_of(self).font("code"))
        self.copy_address = IconButton("copy", tr("Copy the address"), outlined=True)
        self.snippet = ConfigSnippet()
        self.problem = TextLabel("", "small", "error", wrap=True)
        self.count = CountPill()
        self.connect_agent = Button(tr("Connect an agent…"), kind="primary", icon="link")
        self.add = Button(tr("Add…"), icon="plus")
        self.add.setAccessibleName(tr("Add agent…"))
        self.show_agents = IconButton("chart-column", tr("Show what agents did"))
        self.model = AgentModel(self)
        self.table = TableView(self.model, tr("Agents"), surface="panel", edge=20)
        self.token = TextLabel("", "small", "text2")
        self.rules = AgentRulesView()
        self.block = Button(tr("Block"), icon="ban")
        self.renew = Button(tr("New token…"), icon="key-round")
        self.remove = Button(tr("Remove"), icon="trash-2")
        self._agents = self._made_agents()
        self._reach = self._made_reach()
        self._explained = self._made_explained()
        self._lay_out()
        self._connect()
        self.show_state(GatewayState())

    def _connect(self) -> None:
        self.switch.clicked.connect(self.switched)
        self.pause.clicked.connect(self._on_pause_clicked)
        self.paused.action_requested.connect(self._on_paused_action_requested)
        self.copy_address.clicked.connect(self._on_copy_address_clicked)
        self.snippet.copied.connect(self._on_snippet_copied)
        self.connect_agent.clicked.connect(self.connect_requested)
        self.add.clicked.connect(self.add_requested)
        self.show_agents.clicked.connect(self._on_show_agents_clicked)
        self.table.opened.connect(self.agents_requested)
        self.block.clicked.connect(self._on_block_clicked)
        self.renew.clicked.connect(self._on_renew_clicked)
        self.remove.clicked.connect(self._on_remove_clicked)
        self.table.remove_requested.connect(self._on_remove_clicked)
        self.table.selected.connect(self._on_table_selected)

    def _made_agents(self) -> QStackedWidget:
        agents = QStackedWidget()
        agents.addWidget(self.table)
        agents.addWidget(
            EmptyState("bot", tr("Nobody is let in"), tr("An agent needs a token of its own to call your tools."))
        )
        return agents

    def _made_reach(self) -> QWidget:
        reach = QWidget()
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(TextLabel(tr("Address"), "small", "text2"))
        line.addWidget(self.address, 1)
        line.addWidget(self.copy_address)
        column = QVBoxLayout(reach)
        column.setContentsMargins(20, 12, 20, 12)
        column.setSpacing(8)
        column.addLayout(line)
        column.addWidget(IconLabel("lock", tr("This computer only. Other devices cannot reach it.")))
        column.addSpacing(4)
        column.addWidget(self.snippet)
        return reach

    def _made_explained(self) -> QWidget:
        explained = QWidget()
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(TextLabel(tr("Port"), "small", "text2"))
        line.addWidget(self.port)
        line.addStretch(1)
        column = QVBoxLayout(explained)
        column.setContentsMargins(20, 12, 20, 12)
        column.setSpacing(8)
        column.addWidget(TextLabel(_EXPLAINED, "small", "text2", wrap=True))
        column.addLayout(line)
        return explained

    def _made_head(self) -> BarFrame:
        head = BarFrame(_HEAD, surface="panel", margins=(20, 20))
        head.row.addWidget(IconLabel("radio-tower", "", size=16))
        head.row.addWidget(TextLabel(tr("Gateway"), "title"))
        head.row.addWidget(self.glyph)
        head.row.addWidget(self.status)
        head.row.addStretch(1)
        head.row.addWidget(self.pause)
        head.row.addSpacing(8)
        head.row.addWidget(self.switch)
        return head

    def _lay_out(self) -> None:
        self._paused_box = QWidget()
        paused = QVBoxLayout(self._paused_box)
        paused.setContentsMargins(20, 12, 20, 0)
        paused.addWidget(self.paused)
        agents = QHBoxLayout()
        agents.setContentsMargins(20, 8, 20, 8)
        agents.setSpacing(8)
        for part in (TextLabel(tr("Agents"), "heading"), self.count, self.show_agents):
            agents.addWidget(part)
        agents.addStretch(1)
        agents.addWidget(self.add)
        agents.addWidget(self.connect_agent)
        self._buttons = QWidget()
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.block, self.renew, self.remove):
            buttons.addWidget(button)
        buttons.addStretch(1)
        chosen = QVBoxLayout(self._buttons)
        chosen.setContentsMargins(20, 8, 20, 12)
        chosen.setSpacing(8)
        chosen.addWidget(self.token)
        chosen.addLayout(buttons)
        self.problem.setContentsMargins(20, 12, 20, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._made_head())
        column.addWidget(self._paused_box)
        column.addWidget(self.problem)
        column.addWidget(self._explained)
        column.addWidget(self._reach)
        column.addWidget(Divider())
        column.addLayout(agents)
        column.addWidget(self._agents, 2)
        column.addWidget(self._buttons)
        column.addWidget(Divider())
        column.addWidget(self.rules, 5)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.appeared.emit()

    def show_state(self, state: GatewayState) -> None:
        self.switch.setChecked(state.is_on)
        self.switch.setEnabled(True)
        self.glyph.set_status("warning" if state.is_paused else "success" if state.is_on else "unknown")
        self.status.setText(tr("Paused") if state.is_paused else tr("On") if state.is_on else tr("Off"))
        self.pause.setVisible(state.is_on and not state.is_paused)
        self._paused_box.setVisible(state.is_paused)
        wait = (
            tr_count(
                state.running,
                "Calls of agents wait. {count} still runs.",
                "Calls of agents wait. {count} still run.",
            )
            if state.running
            else tr("Calls of agents wait.")
        )
        self.paused.show_text(tr("Paused"), wait)
        self.paused.buttons["stop"].setVisible(state.running > 0)
        self._reach.setVisible(state.is_on)
        self._explained.setVisible(not state.is_on)
        if state.is_on and state.address != self.address.text():
            self.address.setText(state.address)
        self.problem.setText(state.problem)
        self.problem.setVisible(bool(state.problem))
        self.count.set_text(str(len(state.agents)) if state.agents else "")
        self.model.show_rows(state.agents)
        self.rules.show_rules(state.rules)
        self._agents.setCurrentIndex(0 if state.agents else 1)
        self._buttons.setVisible(bool(state.agents))
        self._on_table_selected([])

    def show_switching(self, *, on: bool) -> None:
        self.switch.setEnabled(False)
        self.glyph.set_status("running")
        self.status.setText(tr("Starting") if on else tr("Ending"))

    @property
    def _chosen(self) -> AgentRow | None:
        row: AgentRow | None = self.table.chosen_row
        return row

    @Slot(list)
    def _on_table_selected(self, _: list[str]) -> None:
        row = self._chosen
        for button in (self.block, self.renew, self.remove):
            button.setEnabled(row is not None)
        self.token.setText("" if row is None else f"{row.token_words}.")
        self.token.setVisible(row is not None)
        self.block.setText(tr("Unblock") if row is not None and row.is_blocked else tr("Block"))

    @Slot()
    def _on_pause_clicked(self) -> None:
        self.pause_requested.emit(True)

    @Slot(str)
    def _on_paused_action_requested(self, key: str) -> None:
        if key == "stop":
            self.stop_requested.emit()
        else:
            self.pause_requested.emit(False)

    @Slot()
    def _on_show_agents_clicked(self) -> None:
        self.agents_requested.emit("")

    @Slot()
    def _on_copy_address_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.address.text())
        self.noticed.emit(tr("The address is on the clipboard."))

    @Slot(str)
    def _on_snippet_copied(self, client: str) -> None:
        self.noticed.emit(
            tr("The settings for {client} are on the clipboard; put the agent's token into them.", client=client)
        )

    @Slot()
    def _on_block_clicked(self) -> None:
        if (row := self._chosen) is not None:
            self.block_requested.emit(row.name, not row.is_blocked)

    @Slot()
    def _on_renew_clicked(self) -> None:
        if (row := self._chosen) is not None:
            self.renew_requested.emit(row.name)

    @Slot()
    def _on_remove_clicked(self) -> None:
        if (row := self._chosen) is not None:
            self.remove_requested.emit(row.name)
