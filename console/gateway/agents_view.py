"""The Agents page: each agent with what it did in a week, and beside it what the chosen one used of what it sees."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QWidget

from console.gateway.agents_model import (
    LOOK_BACK_DAYS,
    MOST_CALLED,
    AgentRecord,
    AgentsModel,
    AgentsState,
    ToolUseModel,
    format_share,
)
from console.language import tr, tr_count
from console.widgets import (
    Banner,
    BarFrame,
    Button,
    ElidedLabel,
    EmptyState,
    IconButton,
    ListDetailView,
    SearchField,
    Switch,
    TableView,
    TextLabel,
    ToneFrame,
    focus_begin,
    format_count,
    hbox,
    lead_focus,
    vbox,
)
from tools.gateway.defaults import HOLD_S

_HEAD: Final = 52
_DETAIL: Final = 470
_WIDE: Final = 900
_LEAST_DETAIL: Final = 440
"""From this width on, in logical pixels, the actions on an agent have room beside each other."""

_ALL: Final = tr("All tools")
_NOBODY: Final = tr("An agent needs a token of its own to call your tools. Connecting its program gives it one.")


class AgentsView(ListDetailView[AgentRecord]):
    """List agents, and show what the chosen one used.

    Signals:
        switched(bool): The gateway is to be on, or off.
        panel_requested(): The address and the settings of the gateway are to be seen.
        connect_requested(): The program of an agent is to be connected.
        add_requested(): An agent is to be let in.
        profiles_requested(str): The profiles are to be seen, this one chosen; "" for any.
        profile_chosen(str, str): This agent shall see what that profile shows; "" for all tools.
        narrow_requested(str, tuple): This agent shall see these tools only.
        hold_reset_requested(str): What was learnt of how long this agent's programs wait is to be forgotten.
        renew_requested(str): This agent needs another token.
        block_requested(str, bool): Refuse this agent's requests, or no longer.
        remove_requested(str): Forget this agent.
        calls_requested(str): The calls of this agent are to be shown.
        appeared(): The page comes into sight.
    """

    switched = Signal(bool)
    panel_requested = Signal()
    connect_requested = Signal()
    add_requested = Signal()
    profiles_requested = Signal(str)
    profile_chosen = Signal(str, str)
    narrow_requested = Signal(str, tuple)
    hold_reset_requested = Signal(str)
    renew_requested = Signal(str)
    block_requested = Signal(str, bool)
    remove_requested = Signal(str)
    calls_requested = Signal(str)
    appeared = Signal()

    def __init__(self) -> None:
        empty = EmptyState("bot", tr("Nobody is let in"), _NOBODY, action=tr("Connect an agent…"))
        model = AgentsModel()
        super().__init__(model, tr("Agents"), empty)
        self.model = model
        self._record: AgentRecord | None = None
        self._wants_agent = ""
        self.subtitle = TextLabel("", "small", "text3")
        self.switch = Switch(tr("Gateway"))
        self.show_panel = IconButton("radio-tower", tr("Show address and settings of the gateway"))
        self.profiles = Button(tr("Profiles…"), icon="layers")
        self.add = Button(tr("Add agent…"), kind="primary", icon="plus")
        self.problem = Banner("error", tr("Not all is known."), "")
        self._warned = QWidget()
        self.calls = Button(tr("Calls"), icon="history")
        self.calls.setToolTip(tr("Show its calls on the History page"))
        self.block = Button(tr("Block"), icon="ban")
        self.renew = Button(tr("New token…"), icon="key-round")
        self.remove = Button(tr("Remove"), kind="danger", icon="trash-2")
        self.profile = QComboBox()
        self.profile.setAccessibleName(tr("Profile of the agent"))
        self.edit = Button(tr("Edit…"), icon="square-pen")
        self.edit.setToolTip(tr("See and change what the profile shows"))
        self.suggestion = ToneFrame("run")
        self.suggested = TextLabel("", "heading", "run")
        self.saving = TextLabel("", "small", "text2", wrap=True)
        self.narrow = Button(tr("Make a profile of these"), kind="soft", icon="list-filter")
        self.hold_words = TextLabel("", "small", "text2", wrap=True)
        self.reset_holds = Button(tr("Forget"), icon="rotate-ccw")
        self.search = SearchField(tr("Filter tools"))
        self.search.setAccessibleName(tr("Filter tools of the agent"))
        self.tools = ToolUseModel(self)
        self.tools.set_order(MOST_CALLED)
        self.tool_table = TableView(self.tools, tr("Tools of the agent"), edge=0)
        self._name = ElidedLabel("", "title")
        self._about = ElidedLabel("", "small", "text3")
        self._numbers = TextLabel("", "small", "text2", wrap=True)
        self._lay_out()
        self._connect()
        self._follow_rows()
        lead_focus(self, self.add)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.appeared.emit()

    def sizeHint(self) -> QSize:
        return QSize(_WIDE + _DETAIL, super().sizeHint().height())

    def _lay_out(self) -> None:
        head = BarFrame(_HEAD, surface="surface", edge="bottom", margins=(20, 20), spacing=12)
        head.row.addWidget(TextLabel(tr("Agents"), "title"))
        head.row.addWidget(self.subtitle)
        head.row.addStretch(1)
        for part in (self.show_panel, TextLabel(tr("Gateway"), "small", "text2"), self.switch, self.profiles, self.add):
            head.row.addWidget(part)
        self._whole.insertWidget(0, head)
        vbox(self._warned, margins=(20, 12, 20, 12)).addWidget(self.problem)
        self._whole.insertWidget(1, self._warned)
        self._warned.hide()
        self.table.setObjectName("agentsTable")
        self.tool_table.setObjectName("agentToolsTable")
        self.splitter.begin_with([_WIDE, _DETAIL])
        self.splitter.setStretchFactor(1, 0)
        self._detail.setMinimumWidth(_LEAST_DETAIL)
        title = hbox(spacing=8)
        names = vbox()
        names.addWidget(self._name)
        names.addWidget(self._about)
        title.addLayout(names, 1)
        buttons = hbox(spacing=8)
        for button in (self.calls, self.block, self.renew, self.remove):
            buttons.addWidget(button)
        buttons.addStretch(1)
        sees = hbox(spacing=8)
        sees.addWidget(TextLabel(tr("Sees"), "small", "text2"))
        sees.addWidget(self.profile, 1)
        sees.addWidget(self.edit)
        self._column.setSpacing(12)
        self._column.setContentsMargins(20, 12, 20, 12)
        self._column.addLayout(title)
        self._column.addLayout(buttons)
        self._column.addLayout(sees)
        self._column.addWidget(self._made_suggestion())
        self._column.addWidget(self._numbers)
        self._column.addWidget(self._made_held())
        self._column.addWidget(self.search)
        self._column.addWidget(self.tool_table, 1)

    def _made_suggestion(self) -> QWidget:
        row = hbox(self.suggestion, margins=(12, 8, 8, 8), spacing=8)
        words = vbox()
        words.addWidget(self.suggested)
        words.addWidget(self.saving)
        row.addLayout(words, 1)
        row.addWidget(self.narrow, 0, Qt.AlignmentFlag.AlignVCenter)
        return self.suggestion

    def _made_held(self) -> QWidget:
        self._held = QWidget()
        self.reset_holds.setAccessibleName(tr("Forget how long its programs wait"))
        self.reset_holds.setToolTip(tr("Hold its requests as long as those of others again"))
        row = hbox(self._held, spacing=8)
        row.addWidget(self.hold_words, 1)
        row.addWidget(self.reset_holds, 0, Qt.AlignmentFlag.AlignTop)
        return self._held

    def _connect(self) -> None:
        self.switch.clicked.connect(self.switched)
        self.show_panel.clicked.connect(self.panel_requested)
        self._empty.action_requested.connect(self.connect_requested)
        self.add.clicked.connect(self.add_requested)
        self.profiles.clicked.connect(self._on_profiles_clicked)
        self.edit.clicked.connect(self._on_edit_clicked)
        self.profile.activated.connect(self._on_profile_activated)
        self.narrow.clicked.connect(self._on_narrow_clicked)
        self.reset_holds.clicked.connect(self._on_reset_holds_clicked)
        self.calls.clicked.connect(self._on_calls_clicked)
        self.table.opened.connect(self.calls_requested)
        self.block.clicked.connect(self._on_block_clicked)
        self.renew.clicked.connect(self._on_renew_clicked)
        self.remove.clicked.connect(self._on_remove_clicked)
        self.table.remove_requested.connect(self._on_remove_clicked)
        self.search.textChanged.connect(self._on_search_text_changed)

    def show_state(self, state: AgentsState) -> None:
        served = tr("paused") if state.is_paused else tr("gateway on") if state.is_on else tr("gateway off")
        self.switch.setChecked(state.is_on)
        count = len(state.agents)
        self.subtitle.setText(tr_count(count, "{count:,} agent, {served}", "{count:,} agents, {served}", served=served))
        self.problem.show_text(tr("Not all is known."), state.problem)
        self._warned.setVisible(bool(state.problem))
        self._show_profiles(state.profiles)
        self.model.show_rows(state.agents)
        if self._wants_agent and self.model.place_of(self._wants_agent) >= 0:
            self.table.choose(self._wants_agent)
            self._wants_agent = ""
        self._show_current()
        self._follow_focus(self.table if state.agents else self.add)

    def _follow_focus(self, first: QWidget) -> None:
        had_focus = focus_begin(self).hasFocus()
        lead_focus(self, first)
        if had_focus and not first.hasFocus():
            first.setFocus()

    def show_agent(self, name: str) -> None:
        """Choose an agent, as soon as it is listed."""
        self._wants_agent = "" if self.table.choose(name) else name
        self._show_current()

    def _show_profiles(self, names: tuple[str, ...]) -> None:
        if [self.profile.itemData(at) for at in range(1, self.profile.count())] == list(names) and self.profile.count():
            return
        self.profile.clear()
        self.profile.addItem(_ALL, "")
        for name in names:
            self.profile.addItem(tr("Profile {name}", name=name), name)

    def _show_current(self) -> None:
        record = self.current
        if record is None or record == self._record:
            self._record = record
            return
        is_other = self._record is None or record.name != self._record.name
        self._record = record
        if is_other:
            self.search.clear()
        self._name.set_text(record.name)
        self._about.set_text(record.token_words)
        self.block.setText(tr("Unblock") if record.is_blocked else tr("Block"))
        self.profile.setCurrentIndex(max(0, self.profile.findData(record.profile)))
        self.suggestion.setVisible(bool(record.saved_tokens))
        self.suggested.setText(
            tr(
                "{used} of {seen} tools used in {look_back_days} days",
                used=len(record.used),
                seen=len(record.seen),
                look_back_days=LOOK_BACK_DAYS,
            )
        )
        self.saving.setText(
            tr(
                "A profile of these saves about {saved_tokens} of {tokens} tokens each time.",
                saved_tokens=format_count(record.saved_tokens),
                tokens=format_count(record.tokens),
            )
        )
        self._numbers.setText(_numbers(record))
        self.hold_words.setText(_hold_words(record.holds))
        self._held.setVisible(bool(record.holds))
        self.tools.show_rows(record.tools)

    @Slot()
    def _on_profiles_clicked(self) -> None:
        self.profiles_requested.emit("")

    @Slot()
    def _on_edit_clicked(self) -> None:
        self.profiles_requested.emit(self.profile.currentData() or "")

    @Slot(int)
    def _on_profile_activated(self, _: int) -> None:
        record = self.current
        if record is not None and record.profile != self.profile.currentData():
            self.profile_chosen.emit(record.name, self.profile.currentData())

    @Slot()
    def _on_narrow_clicked(self) -> None:
        if (record := self.current) is not None:
            self.narrow_requested.emit(record.name, tuple(tool.tool for tool in record.used))

    @Slot()
    def _on_reset_holds_clicked(self) -> None:
        if (record := self.current) is not None:
            self.hold_reset_requested.emit(record.name)

    @Slot()
    def _on_calls_clicked(self) -> None:
        if (record := self.current) is not None:
            self.calls_requested.emit(record.name)

    @Slot()
    def _on_block_clicked(self) -> None:
        if (record := self.current) is not None:
            self.block_requested.emit(record.name, not record.is_blocked)

    @Slot()
    def _on_renew_clicked(self) -> None:
        if (record := self.current) is not None:
            self.renew_requested.emit(record.name)

    @Slot()
    def _on_remove_clicked(self) -> None:
        if (record := self.current) is not None:
            self.remove_requested.emit(record.name)

    @Slot(str)
    def _on_search_text_changed(self, text: str) -> None:
        sought = text.strip().casefold()
        self.tools.narrow((lambda row: sought in row.tool.casefold()) if sought else None)


def _numbers(record: AgentRecord) -> str:
    rate = record.error_rate
    errors = "" if rate is None else tr(", {rate} in error", rate=format_share(rate))
    refused = tr(", {refused} refused", refused=format_count(record.refused)) if record.refused else ""
    unseen = (
        tr(" ({unseen} for tools that it does not see)", unseen=format_count(record.unseen)) if record.unseen else ""
    )
    times = {1: tr("once"), 2: tr("twice")}.get(record.lists, tr("{lists:,} times", lists=record.lists))
    told = (
        tr(
            " It was told of its tools {times} since the gateway is on, about {listed_tokens} tokens in all.",
            times=times,
            listed_tokens=format_count(record.listed_tokens),
        )
        if record.lists
        else ""
    )
    return tr_count(
        record.calls,
        "{count:,} call in {look_back_days} days{errors}{refused}{unseen}."
        " Its {seen} definitions are about {tokens} tokens of name, description and arguments.{told}",
        "{count:,} calls in {look_back_days} days{errors}{refused}{unseen}."
        " Its {seen} definitions are about {tokens} tokens of name, description and arguments.{told}",
        look_back_days=LOOK_BACK_DAYS,
        errors=errors,
        refused=refused,
        unseen=unseen,
        seen=format_count(len(record.seen)),
        tokens=format_count(record.tokens),
        told=told,
    )


def _hold_words(holds: tuple[tuple[str, float], ...]) -> str:
    said = ", ".join(
        tr("{program} {seconds:.0f} s", program=program or tr("a program without a name"), seconds=seconds)
        for program, seconds in holds
    )
    return tr(
        "While you are asked, its requests are held for {said}: each of these hung up a little later once. Others are"
        " held {hold_s:.0f} s. After that the agent is told to ask again.",
        said=said,
        hold_s=HOLD_S,
    )
