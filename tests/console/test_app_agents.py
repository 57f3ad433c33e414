"""The Agents page and the profiles in the window: what agents did and see, and a smaller profile in one click."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget

from console.gateway.agent_dialog import AgentDialog
from console.gateway.agents_model import AgentRecord, AgentsModel, AgentsState, ToolUse
from console.gateway.agents_presenter import AgentsPresenter
from console.gateway.agents_view import AgentsView
from console.gateway.engine_agents import record_of
from console.gateway.engine_profiles import draft_of, preview_of
from console.gateway.profile_dialog import ProfileDialog
from console.gateway.profile_model import ProfileDraft, ToolWords
from console.gateway.rows import AgentRow, NewAgent
from console.preferences import Preferences
from console.tasks import TaskScope
from console.widgets import Button
from tests.console.test_app_console import Start
from tests.console.test_app_gateway import added, call, gateway_panel
from tools import CallStatus, ExitEarly, make_tool
from tools.chosen_tools import choose_tools
from tools.declare import resolve_tools
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.profiles import AgentProfile, ToolOverride
from tools.gateway.served_tools import shown_tools
from tools.history import CallerUse
from tools.registry import ToolRegistry

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.theme import ThemeController

pytestmark = pytest.mark.expects_log("tools.calls")

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def registry_of(*names: str) -> ToolRegistry:
    registry = ToolRegistry()
    registry.register_all(resolve_tools([make_tool(name, f"Does {name}. " * 20, lambda: "done") for name in names]))
    return registry


def use(tool: str, status: CallStatus = CallStatus.EXECUTED, calls: int = 1) -> CallerUse:
    return CallerUse("agent:claude", tool, status, calls, NOW)


def test_a_week_of_calls_is_counted_by_what_became_of_them() -> None:
    shown = shown_tools(AgentProfile(), registry_of("add", "erase", "read"))
    uses = [
        use("add", calls=6),
        use("add", CallStatus.FAILED),
        use("read", CallStatus.REJECTED),
        use("erase", CallStatus.DENIED, 2),
        use("gone", CallStatus.TIMED_OUT),
        use("add", CallStatus.CANCELLED),
    ]
    row = AgentRow("claude", "", "abcd", NOW, last_at=NOW - timedelta(hours=1))
    record = record_of(row, shown, uses, calls_a_minute=3)
    hidden = record_of(row._replace(unseen=(("gone", 2), ("erase", 1))), shown, uses)
    assert (hidden.calls, hidden.refused, hidden.unseen, hidden.error_rate) == (15, 5, 3, 0.3)
    assert (record.calls, record.refused, record.error_rate) == (12, 2, 0.3)
    assert (record.last_at, record.calls_a_minute) == (NOW, 3)
    assert [tool.tool for tool in record.tools] == ["add", "erase", "gone", "read"]
    assert [tool.tool for tool in record.seen] == ["add", "erase", "read"]
    assert [tool.tool for tool in record.used] == ["add", "read"]
    assert record.tokens == shown.tokens


@pytest.mark.parametrize(
    ("calls", "used", "proposes"),
    [(30, 2, True), (18, 2, False), (30, 9, False), (30, 0, False)],
    ids=["few of many", "too few calls", "most of them", "none"],
)
def test_a_smaller_profile_is_proposed_where_it_would_have_done(calls: int, used: int, proposes: bool) -> None:
    tools = tuple(ToolUse(f"t{at}", f"t{at}", 100, calls if not at else int(at < used)) for at in range(10))
    record = AgentRecord("claude", tools=tools if used else tuple(tool._replace(calls=0) for tool in tools))
    assert bool(record.saved_tokens) is proposes
    if proposes:
        assert record.saved_tokens == 800


def test_boxes_change_patterns_as_little_as_they_can() -> None:
    known = ("read_a", "read_b", "write_a")
    draft = ProfileDraft("x", ("read_*",))
    assert draft.with_tool("read_a", known, is_seen=False)[1:3] == (("read_*",), ("read_a",))
    assert draft.with_tool("write_a", known, is_seen=True)[1:3] == (("read_*", "write_a"), ())
    assert draft._replace(without=("read_a",)).with_tool("read_a", known, is_seen=True) == draft
    everything = ProfileDraft("x", ("*",), ("*_a",))
    assert everything.with_tool("read_a", known, is_seen=True)[1:3] == (("*",), ("write_a",))
    assert ProfileDraft("x", ("read_a",)).with_tool("read_a", known, is_seen=False)[1:3] == ((), ())


def test_a_draft_shows_what_agents_are_told_and_why_it_cannot_be_kept() -> None:
    registry = registry_of("add", "read")
    draft = ProfileDraft("x", ("add",), words=(("add", ToolWords("plus", "Adds.", (("readOnlyHint", True),))),))
    preview = preview_of(draft, registry)
    assert [(row.tool, row.is_seen, row.served_name) for row in preview.tools] == [
        ("add", True, "plus"),
        ("read", False, "read"),
    ]
    assert '"description": "Adds."' in preview.tools[0].definition
    assert preview.words.startswith("1 of 2 tools, about ")
    clash = draft._replace(tools=("*",), words=(("add", ToolWords("read")),))
    problem = preview_of(clash, registry)
    assert "would both be called 'read'" in problem.problem
    assert [row.is_seen for row in problem.tools] == [True, True]
    assert "expected letters, digits" in preview_of(draft.with_words("add", ToolWords("two words")), registry).problem


def test_a_draft_is_the_profile_again() -> None:
    said = ToolOverride(name="plus", description="Adds.", annotations={"readOnlyHint": True})
    profile = AgentProfile(name="x", tools=("a*",), without=("b",), prefixes={"s": "t_"}, overrides={"add": said})
    draft = draft_of(profile)
    assert draft.words_of("add") == ToolWords("plus", "Adds.", (("readOnlyHint", True),))
    assert draft.prefixes == (("s", "t_"),)


def test_the_model_of_agents_keeps_its_promises(qtmodeltester: object) -> None:
    model = AgentsModel()
    model.show_rows([AgentRecord("claude"), AgentRecord("cursor", is_blocked=True), AgentRecord("x", waiting=2)])
    qtmodeltester.check(model)  # type: ignore[attr-defined]
    assert [model.cells_at(row)[-1].text for row in range(3)] == ["Let in", "Blocked", "2 waiting"]


@pytest.fixture
def view(qtbot: QtBot, theme: ThemeController) -> AgentsView:
    shown = AgentsView()
    qtbot.addWidget(shown)
    shown.resize(1300, 700)
    shown.show()
    return shown


def test_the_page_says_what_is_wrong_and_asks_for_what_is_pressed(view: AgentsView, qtbot: QtBot) -> None:
    many = tuple(ToolUse(f"t{at}", f"t{at}", 100, 30 * (at < 2)) for at in range(10))
    view.show_state(AgentsState((AgentRecord("claude", tools=many), AgentRecord("cursor")), ("reading",), is_on=True))
    assert view.subtitle.text() == "2 agents, gateway on"
    assert view.suggested.text() == "2 of 10 tools used in 7 days"
    asked: list[object] = []

    def take(name: str, what: object) -> None:
        asked.append((name, what))

    for signal in (view.narrow_requested, view.block_requested, view.profile_chosen):
        signal.connect(take)
    for single in (view.renew_requested, view.remove_requested, view.calls_requested, view.profiles_requested):
        single.connect(asked.append)
    view.narrow.click()
    view.block.click()
    view.renew.click()
    view.remove.click()
    view.calls.click()
    view.edit.click()
    view.profile.setCurrentIndex(1)
    view.profile.activated.emit(1)
    assert asked == [
        ("claude", ("t0", "t1")),
        ("claude", True),
        "claude",
        "claude",
        "claude",
        "",
        ("claude", "reading"),
    ]
    view.search.setText("t3")
    assert [row.tool for row in view.tools.rows] == ["t3"]
    view.show_agent("cursor")
    assert view.suggestion.isHidden()
    view.switched.connect(asked.append)
    view.switch.click()

    def take_connect() -> None:
        take("connect", None)

    view.connect_requested.connect(take_connect)
    view.show_state(AgentsState(is_on=True, is_paused=True))
    assert view.subtitle.text() == "0 agents, paused"
    (connect,) = (button for button in view.findChildren(Button) if button.text() == "Connect an agent…")
    connect.click()
    assert asked[-2:] == [False, ("connect", None)]
    view.show_state(AgentsState(problem="the history cannot be read"))
    assert view.problem.isVisible()


def test_the_keyboard_begins_at_the_list_or_where_an_agent_is_added(view: AgentsView, qtbot: QtBot) -> None:
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    view.setFocus()
    assert view.add.hasFocus()
    view.show_state(AgentsState((AgentRecord("claude"),)))
    assert view.table.hasFocus()


def test_how_long_programs_of_an_agent_wait_is_told_and_can_be_forgotten(view: AgentsView, qtbot: QtBot) -> None:
    known = AgentRecord("claude", holds=(("codex", 27.0), ("", 40.5)))
    view.show_state(AgentsState((known, AgentRecord("cursor"))))
    assert "held for codex 27 s, a program without a name 40 s" in view.hold_words.text()
    with qtbot.waitSignal(view.hold_reset_requested) as asked:
        view.reset_holds.click()
    assert asked.args == ["claude"]
    view.show_agent("cursor")
    assert not view.reset_holds.isVisible()


class _NoAgents:
    async def state(self) -> AgentsState:
        return AgentsState()

    async def give(self, agent: str, profile: str) -> None: ...

    async def narrow(self, agent: str, tools: tuple[str, ...]) -> str:
        return agent

    async def forget_holds(self, agent: str) -> None: ...


def test_the_widths_of_columns_and_parts_are_remembered(qtbot: QtBot, theme: ThemeController, tmp_path: Path) -> None:
    memory = Preferences(tmp_path / "window.ini")
    found = []
    for _ in range(2):
        view = AgentsView()
        qtbot.addWidget(view)
        view.resize(1300, 700)
        view.show()
        presenter = AgentsPresenter(view, _NoAgents(), memory=memory, scope=TaskScope("test"), parent=view)
        found.append((view.splitter.sizes(), view.table.columnWidth(3), view.tool_table.columnWidth(1)))
        view.splitter.setSizes([800, 492])
        view.table.setColumnWidth(3, 90)
        view.tool_table.setColumnWidth(1, 77)
        changed = (view.splitter.sizes(), 90, 77)
        presenter.remember()
        view.hide()
    assert found[0] != changed
    assert found[1] == changed


def test_a_new_agent_gets_a_profile_that_there_is_or_tools_by_their_names(qtbot: QtBot, theme: ThemeController) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    dialog = AgentDialog(over, profiles=("reading", "sums"))
    asked: list[NewAgent] = []
    dialog.submitted.connect(asked.append)
    dialog.name.setText("claude")
    for choice in ("All tools", "Profile sums", "Only tools named here"):
        dialog.sees.setCurrentText(choice)
        dialog.add.click()
    assert not dialog.add.isEnabled()
    dialog.tools.setText("read_*, add")
    dialog.add.click()
    assert [(agent.tools, agent.profile) for agent in asked] == [((), ""), ((), "sums"), (("read_*", "add"), "")]


def test_the_dialog_edits_patterns_boxes_and_words(qtbot: QtBot, theme: ThemeController) -> None:
    over = QWidget()
    over.resize(1300, 800)
    qtbot.addWidget(over)
    over.show()
    registry = registry_of("add", "read", "write")
    dialog = ProfileDialog(over)

    def preview() -> None:
        dialog.show_preview(preview_of(dialog.draft, registry))

    dialog.changed.connect(preview)
    dialog.open()
    dialog.show_profiles(("x",), ProfileDraft("x", ("add",)))
    assert dialog.count.text().startswith("1 of 3 tools")
    dialog.model.checked.emit("read", True)
    assert (dialog.patterns.text(), dialog.count.text()[:6]) == ("add read", "2 of 3")
    dialog.patterns.setText("*")
    dialog.without.setText("read")
    assert dialog.count.text().startswith("2 of 3")
    dialog.all.click()
    assert (dialog.count.text()[:6], dialog.without.text()) == ("3 of 3", "")
    dialog.show_tool("write")
    dialog.form.served_name.setText("put")
    dialog.form.hints["destructiveHint"].setCurrentIndex(1)
    assert dialog.draft.words == (("write", ToolWords("put", "", (("destructiveHint", True),))),)
    assert '"name": "put"' in dialog.form.definition.toPlainText()
    dialog.form.served_name.setText("read")
    assert "would both be called 'read'" in dialog.problem.text()
    assert not dialog.keep.isEnabled()
    dialog.none.click()
    assert dialog.count.text().startswith("0 of 3")
    dialog.accept()


async def page_of(start: Start) -> AgentsView:
    start.console.window.rail.choose("agents")
    await start.until(lambda: start.console.window.findChildren(AgentsView))
    (view,) = start.console.window.findChildren(AgentsView)
    return view


async def test_what_an_agent_did_is_counted_and_its_calls_are_one_click_away(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with gateway_panel(theme, tmp_path) as (start, panel):
        token = await added(start, panel)
        calling = asyncio.create_task(call(panel.address.text(), token, "erase", {}))
        await start.until(lambda: start.console.desk.open_requests)
        view = await page_of(start)
        await start.until(lambda: view.model.rows and view.model.rows[0].waiting == 1)
        (request,) = start.console.desk.open_requests
        start.console.desk.answer(request.id, ExitEarly("no"))
        await calling
        await start.until(lambda: view.model.rows[0].refused == 1)
        record = view.model.rows[0]
        assert (record.calls, record.calls_a_minute, record.error_rate) == (1, 1, None)
        view.calls.click()
        assert start.console.window.pages.currentWidget() is start.console.histories.widget


async def test_a_profile_is_given_edited_and_counts_at_once(theme: ThemeController, tmp_path: Path) -> None:
    async with gateway_panel(theme, tmp_path) as (start, panel):
        await added(start, panel)
        panel.show_agents.click()
        view = await page_of(start)
        await start.until(lambda: view.model.rows)
        view.narrow_requested.emit("claude", ("erase",))
        await start.until(lambda: [tool.tool for tool in view.model.rows[0].seen] == ["erase"])
        assert view.profile.currentText() == "Profile claude"
        view.edit.click()
        await start.until(lambda: start.console.window.findChildren(ProfileDialog))
        (dialog,) = start.console.window.findChildren(ProfileDialog)
        # Which profile is to be removed is known once it is shown.
        assert bool(dialog.draft.name) is dialog.remove.isVisible()
        await start.until(lambda: dialog.model.rows and dialog.keep.isEnabled())
        assert dialog.remove.isVisible()
        dialog.show_tool("erase")
        dialog.form.served_name.setText("wipe")
        await start.until(lambda: '"name": "wipe"' in dialog.form.definition.toPlainText())
        dialog.keep.click()
        await start.until(lambda: [tool.served_name for tool in view.model.rows[0].seen] == ["wipe"])
        dialog.remove.click()
        await start.until(lambda: "is that of claude; give them another one first" in dialog.problem.text())
        dialog.new.click()
        dialog.suited.click()
        await start.until(lambda: dialog.draft.tools == choose_tools(None))
        assert "read_file" in dialog.patterns.text()
        dialog.name.setText("claude")
        await start.until(dialog.keep.isEnabled)
        dialog.keep.click()
        await start.until(lambda: "there is a profile 'claude' already" in dialog.problem.text())
        dialog.accept()
        view.profile.setCurrentIndex(0)
        view.profile.activated.emit(0)
        await start.until(lambda: not view.model.rows[0].profile)


async def test_a_proposed_profile_leaves_one_that_others_have_as_it_is(theme: ThemeController, tmp_path: Path) -> None:
    async with gateway_panel(theme, tmp_path) as (start, panel):
        await added(start, panel, tools="e*")
        agents = Agents(tmp_path / "data" / AGENTS_FILE)
        agents.add("cursor", profile="claude")
        view = await page_of(start)
        await start.until(lambda: len(view.model.rows) > 1)
        view.narrow_requested.emit("claude", ("erase",))
        await start.until(lambda: view.model.rows[0].profile == "claude-2")
        assert {profile.name: profile.tools for profile in agents.profiles()} == {
            "claude": ("e*",),
            "claude-2": ("erase",),
        }
