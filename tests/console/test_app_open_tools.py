"""The pages of open tools: one for each tool, closed with care, and made anew when their tool changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from console.app.last_tabs import LastTabs
from console.app.open_tools import OpenTools
from console.call_result.recent import RecentCalls
from console.call_storage import CallStorage
from console.check.page import CheckPane
from console.definition.page import DefinitionPane
from console.history.page import HistoryPane
from console.preferences import Preferences
from console.responsiveness.heartbeat import UiHeartbeat
from console.tasks import TaskScope
from console.tool_page.ports import ExecutionPorts
from console.tool_page.view import ExecutionView
from console.widgets import DocumentTabBar
from console.window.documents import Documents
from tests.console.own_engine import OwnEvents, own_calls, own_checks
from tests.console.own_guards import OwnGuards
from tests.console.tool_cards import tools_of
from tests.tools.running import until
from tools import Executor, Tool, ToolExample, ToolRegistry, resolve_tools, tool
from tools.calls import CallStatus, ToolCall, record_of
from tools.schema import SchemaPart, SchemaStyle, in_form


@tool(read_only=True, title="Say it again", examples=(ToolExample(input={"text": "from the example"}),))
async def echo(text: str = "hello") -> str:
    """Return the text."""
    return text


@tool(read_only=True)
async def hold() -> str:
    """Wait until it is stopped."""
    await asyncio.Event().wait()
    return "never"


def second_echo() -> Tool:
    """Return the tool as it comes from its changed file."""

    @tool(name="echo", read_only=True, title="Say it again")
    async def echo(text: str = "hello", times: int = 1) -> str:
        """Return the text several times."""
        return text * times

    return one(echo)


def one(declared: object) -> Tool:
    (found,) = resolve_tools([declared])
    return found


async def compute(function: Callable[..., Any], *args: Any) -> Any:
    return function(*args)


class Table:
    """Open tools over a real executor."""

    def __init__(self, folder: Path, scope: TaskScope) -> None:
        self.registry = ToolRegistry()
        self.forget = {name: self.registry.register(one(found)) for name, found in (("echo", echo), ("hold", hold))}
        self.executor = Executor(self.registry)
        self.source = OwnEvents(self.executor)
        self.documents = Documents(QLabel("Welcome"))
        self.preferences = Preferences(folder / "window.ini")
        ports = ExecutionPorts(
            calls=own_calls(self.executor),
            events=self.source.events,
            scope=scope,
            compute=compute,
            drafts=self.preferences,
            recent=RecentCalls().of,
            clock=monotonic,
            project_dir=Path.cwd,
            guards=OwnGuards(self.executor),
        )
        self.records = CallStorage(folder / "data", self.executor, UiHeartbeat(self.documents), self.documents)
        self.histories = HistoryPane(
            self.records,
            tools_of(self.registry),
            scope=scope,
            recent=RecentCalls().of,
            ask=self.ask,
            parent=self.documents,
        )
        definitions = DefinitionPane(
            self.schema_of,
            preferences=self.preferences,
            compute=compute,
            scope=scope,
            parent=self.documents,
        )
        self.tools = OpenTools(
            self.documents,
            tools_of(self.registry),
            ports,
            self.histories,
            definitions=definitions,
            checks=CheckPane(
                own_checks(self.executor),
                ask=self.ask,
                project_dir=Path.cwd,
                compute=compute,
                scope=scope,
                parent=self.documents,
            ),
            parent=self.documents,
        )
        self.close_refused = QSignalSpy(self.tools.close_refused)
        self.refused = QSignalSpy(self.tools.refused)

    async def schema_of(self, name: str, part: SchemaPart, style: SchemaStyle) -> dict[str, Any] | None:
        """Return what the tool takes, whatever is asked for."""
        return in_form(self.registry.get(name).input_schema, style)

    def ask(self, title: str, text: str, yes: str, then: Callable[[], None]) -> None:
        """Agree to everything."""
        then()

    def page(self, name: str) -> ExecutionView:
        page = self.documents.page(name)
        assert isinstance(page, ExecutionView)
        return page

    def argument(self, name: str) -> Any:
        return self.page(name).document.value()

    until = staticmethod(until)

    async def hold(self) -> ToolCall:
        """Run the tool that never ends by itself, until it runs."""
        self.tools.run("hold")
        await self.until(lambda: self.executor.open_calls)
        (call,) = self.executor.open_calls
        await self.until(lambda: call.response.status is CallStatus.EXECUTING)
        return call


@asynccontextmanager
async def laid(qtbot: QtBot, folder: Path) -> AsyncIterator[Table]:
    scope = TaskScope("table")
    table = Table(folder, scope)
    qtbot.addWidget(table.documents)
    table.documents.show()
    await table.records.open()
    try:
        yield table
    finally:
        await table.executor.aclose()
        table.tools.close_all()
        table.histories.close()
        await scope.close()
        await table.records.close()


async def test_a_tool_has_one_page_however_often_it_is_opened(qtbot: QtBot, tmp_path: Path) -> None:
    async with laid(qtbot, tmp_path) as table:
        table.tools.open("echo")
        page = table.page("echo")
        table.tools.open("hold")
        assert not page.isVisible()
        table.tools.open("echo")
        assert table.tools.names == ("echo", "hold")
        assert table.page("echo") is page
        assert page.isVisible()


@pytest.mark.parametrize("name", ["ECHO", "Echo"])
async def test_a_tool_has_one_page_however_it_is_spelled(qtbot: QtBot, tmp_path: Path, name: str) -> None:
    async with laid(qtbot, tmp_path) as table:
        table.tools.open("echo")
        page = table.page("echo")
        table.tools.open(name)
        assert table.tools.names == ("echo",)
        assert table.page("echo") is page


async def test_a_tool_that_is_gone_is_refused(qtbot: QtBot, tmp_path: Path) -> None:
    async with laid(qtbot, tmp_path) as table:
        table.tools.open("gone")
        table.tools.run("gone")
        assert [table.refused.at(number) for number in range(table.refused.count())] == [
            ["The tool 'gone' is gone"]
        ] * 2
        assert table.tools.current is None


async def test_the_example_and_the_arguments_field_are_one_step_away(qtbot: QtBot, tmp_path: Path) -> None:
    async with laid(qtbot, tmp_path) as table:
        table.tools.fill_example("echo")
        table.tools.focus_arguments("echo")
        table.tools.open("echo")
        table.tools.fill_example("echo")
        table.tools.focus_arguments("echo")
        assert table.argument("echo") == {"text": "from the example"}
        focus: QWidget | None = table.documents.window().focusWidget()
        assert focus is not None
        assert focus.accessibleName() == "argument text"


async def test_a_running_page_is_closed_only_by_force_and_then_its_call_stops(qtbot: QtBot, tmp_path: Path) -> None:
    async with laid(qtbot, tmp_path) as table:
        call = await table.hold()
        table.tools.close("hold")
        assert table.close_refused.at(0) == ["hold"]
        assert table.tools.names == ("hold",)
        assert not call.cancel_requested

        table.tools.drop("hold")
        table.tools.drop("hold")
        assert table.documents.current_key == ""
        await table.until(lambda: call.response.status is CallStatus.CANCELLED)


async def test_the_tab_asks_to_close_and_a_page_at_rest_does(qtbot: QtBot, tmp_path: Path) -> None:
    async with laid(qtbot, tmp_path) as table:
        changed = QSignalSpy(table.tools.changed)
        table.tools.open("echo")
        before = changed.count()
        table.documents.close_requested.emit("echo")
        table.tools.close("echo")
        assert table.documents.keys == ()
        assert changed.count() > before > 0


async def test_a_changed_tool_keeps_its_page_and_the_arguments_on_it(qtbot: QtBot, tmp_path: Path) -> None:
    async with laid(qtbot, tmp_path) as table:
        for name in ("echo", "hold"):
            table.tools.open(name)
        old, untouched = table.page("echo"), table.page("hold")
        old.document.replace({"text": "typed by hand"})
        table.forget["echo"]()
        table.registry.register(second_echo())
        table.tools.refresh()
        assert table.page("echo") is old
        assert table.argument("echo") == {"text": "typed by hand", "times": 1}
        assert set(table.page("echo").document.schema["properties"]) == {"text", "times"}
        assert table.tools.names == ("echo", "hold")
        assert table.page("hold") is untouched
        assert untouched.isVisible()


async def test_a_changed_tool_in_front_stays_in_front(qtbot: QtBot, tmp_path: Path) -> None:
    async with laid(qtbot, tmp_path) as table:
        for name in ("hold", "echo"):
            table.tools.open(name)
        table.forget["echo"]()
        table.registry.register(second_echo())
        table.tools.refresh()
        assert table.documents.current_key == "echo"
        assert table.page("echo").isVisible()


async def test_a_tool_that_went_away_takes_its_page_along_once_it_ended(qtbot: QtBot, tmp_path: Path) -> None:
    async with laid(qtbot, tmp_path) as table:
        table.tools.open("echo")
        call = await table.hold()
        for forget in table.forget.values():
            forget()
        table.tools.refresh()
        assert table.tools.names == ("hold",)
        presenter = table.tools.current
        assert presenter is not None
        presenter.stop()
        await table.until(lambda: call.response.status.final and not presenter.is_running)
        table.tools.refresh()
        assert not table.documents.keys


@pytest.mark.expects_log("tools.calls")
async def test_tabs_show_how_their_tools_are_doing(qtbot: QtBot, tmp_path: Path) -> None:
    async with laid(qtbot, tmp_path) as table:
        (tabs,) = table.documents.findChildren(DocumentTabBar)
        await table.hold()
        table.tools.run("echo")
        running = tabs.accessibleTabName(0)
        presenter = table.tools.current
        assert presenter is not None
        await table.until(lambda: presenter.record is not None and not presenter.is_running)
        assert "running" in running.lower()
        assert "success" in tabs.accessibleTabName(1).lower()


async def test_a_call_is_followed_on_its_page(qtbot: QtBot, tmp_path: Path) -> None:
    async with laid(qtbot, tmp_path) as table:
        call = table.executor.create_call("echo", {"text": "elsewhere"}, caller="agent")
        await table.executor.execute(call)
        table.tools.show_call(record_of(call))
        assert table.tools.current is not None
        assert table.tools.current.record is not None
        assert table.tools.current.record.id == call.id
        assert table.argument("echo") == {"text": "hello"}


async def test_the_page_in_front_is_closed_unless_it_runs(qtbot: QtBot, tmp_path: Path) -> None:
    async with laid(qtbot, tmp_path) as table:
        table.tools.open("echo")
        call = await table.hold()
        table.tools.close_current()
        assert list(table.tools.names) == ["echo", "hold"]
        assert table.close_refused.at(0) == ["hold"]
        table.tools.open("echo")
        table.tools.close_current()
        assert list(table.tools.names) == ["hold"]
        call.cancel()
        await table.until(lambda: not table.executor.open_calls)


async def test_tabs_of_the_last_start_come_back_as_their_tools_appear(qtbot: QtBot, tmp_path: Path) -> None:
    @tool(read_only=True)
    async def late() -> str:
        """Come from a file that takes long to load."""
        return "here"

    async with laid(qtbot, tmp_path) as table:
        kept = table.preferences
        kept.open_tabs, kept.current_tab = ("echo", "late", "hold", "gone"), "late"
        tabs = LastTabs(table.tools, table.documents, tools_of(table.registry), kept, parent=table.documents)

        tabs.bring_back()
        assert list(table.tools.names) == ["echo", "hold"]
        # Whoever ends the program now finds them all at the next start.
        assert sorted(kept.open_tabs) == ["echo", "gone", "hold", "late"]

        table.tools.open("echo")
        table.registry.register(one(late))
        tabs.bring_back()
        assert list(table.tools.names) == ["echo", "hold", "late"]
        assert table.documents.current_key == "echo"

        tabs.give_up()
        assert (list(kept.open_tabs), kept.current_tab) == (["echo", "hold", "late"], "echo")


async def test_the_tab_that_was_in_front_is_in_front_again(qtbot: QtBot, tmp_path: Path) -> None:
    async with laid(qtbot, tmp_path) as table:
        kept = table.preferences
        kept.open_tabs, kept.current_tab = ("echo", "hold"), "echo"
        LastTabs(table.tools, table.documents, tools_of(table.registry), kept, parent=table.documents).bring_back()
        assert table.documents.current_key == "echo"


async def test_the_height_that_a_form_was_given_counts_when_its_tool_is_opened_again(
    qtbot: QtBot, tmp_path: Path
) -> None:
    async with laid(qtbot, tmp_path) as table:
        LastTabs(table.tools, table.documents, tools_of(table.registry), table.preferences, parent=table.documents)
        table.documents.resize(900, 700)
        table.documents.show()
        table.tools.open("echo")
        page = table.documents.page("echo")
        assert isinstance(page, ExecutionView)
        qtbot.waitUntil(lambda: page.form.isVisible() and page.form.height() != 130)
        page.form_resized.emit(130)
        table.tools.open("hold")
        table.tools.close("echo")
        table.tools.open("echo")
        again = table.documents.page("echo")
        assert isinstance(again, ExecutionView)
        assert again is not page
        qtbot.waitUntil(lambda: again.form.height() == 130)
        assert table.preferences.sizes("form of hold") == ()
