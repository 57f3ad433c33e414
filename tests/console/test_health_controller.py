"""How the tools do, in the real program: in its tree and its status bar, and again after the next start."""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeView

from console.theme import ThemeController
from tests.console.test_app_console import Start, started
from tools import make_tool
from tools.calls import CallStatus
from tools.health import SPANS, HealthChange, HealthMonitor, HealthSeries
from tools.history import HistoryQuery

RunInQt = Callable[[Coroutine[Any, Any, None]], None]
pytestmark = pytest.mark.expects_log("tools.calls")


def shown(start: Start, name: str) -> str:
    """Return what the tree says of a tool's health."""
    tree = start.console.browser_view.findChild(QTreeView)
    assert tree is not None
    model = tree.model()
    flags = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
    (index,) = model.match(model.index(0, 0), Qt.ItemDataRole.DisplayRole, name, 1, flags)
    lines = str(index.data(Qt.ItemDataRole.ToolTipRole)).splitlines()
    # Below it stands what is wrong with the tool's description, in whole sentences.
    return next(line for line in reversed(lines) if not line.endswith(".")).partition(" · ")[0]


@pytest.mark.reference("A70")
@pytest.mark.reference("A73")
async def test_tools_show_how_they_do_and_still_do_after_a_restart(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        assert shown(start, "echo") == shown(start, "stumble") == "No run lately"
        assert await start.run("echo") is CallStatus.EXECUTED
        assert await start.run("stumble") is CallStatus.FAILED
        await start.until(lambda: shown(start, "echo") == "Up")
        # One failed call of one's own is no tool that is down.
        await start.until(lambda: shown(start, "stumble") == "Failed once, too few runs to judge")
        assert "DOWN 1" not in start.words()
        assert shown(start, "erase") == "No run lately"
    slots = HealthSeries(tmp_path / "data").slots(SPANS["7 d"], datetime.now(UTC))
    assert (sum(slot.runs for slot in slots), sum(slot.failures for slot in slots)) == (2, 1)
    async with started(theme, tmp_path) as start:
        await start.until(lambda: shown(start, "stumble") == "Failed once, too few runs to judge")


@pytest.mark.expects_log("console.app.console")
async def test_calls_that_end_during_a_look_are_looked_at_soon_and_one_that_breaks_stops_nothing(
    theme: ThemeController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []
    look = HealthMonitor.look

    def slow(monitor: HealthMonitor) -> tuple[HealthChange, ...]:
        looks.append(1)
        if len(looks) == 1:
            waiting.wait(10)
            raise RuntimeError("a look that breaks")
        return look(monitor)

    waiting = threading.Event()
    monkeypatch.setattr(HealthMonitor, "look", slow)

    async with started(theme, tmp_path) as start:
        await start.run("echo")
        await start.until(lambda: looks)
        await start.run("stumble")
        waiting.set()
        await start.until(lambda: any("a look that breaks" in word for word in start.words()))
        await start.run("echo")
        await start.until(lambda: shown(start, "stumble").startswith("Failed once"))


async def test_a_start_where_nothing_ran_lately_judges_nothing(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        assert start.console.healths.latest is None
        assert not [word for word in start.words() if word.startswith(("UP", "DEGRADED", "DOWN"))]


@pytest.mark.expects_log("console.health.controller")
async def test_a_series_that_cannot_be_written_harms_nothing_and_is_told_once(
    theme: ThemeController, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "data" / "health.sqlite").mkdir(parents=True)
    async with started(theme, tmp_path) as start:
        for _ in range(2):
            assert await start.run("echo") is CallStatus.EXECUTED
            await start.until(lambda: shown(start, "echo") == "Up")
    told = [record.message for record in caplog.records if record.name == "console.health.controller"]
    assert len(told) == 1
    assert "health.sqlite" in told[0]


def watched() -> None:
    """Be asked now and then."""


async def test_tools_are_probed_and_only_the_history_has_the_calls(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        console = start.console
        console.executor.registry.register(
            make_tool("watched", "Be watched.", watched, (), read_only_hint=True, probe={})
        )
        watch = await console.healths.watch()
        await console.engine.call(watch.checks.check_now)
        console.healths.look_again(at_all=True)
        await start.until(lambda: shown(start, "watched") == "Up")
        assert await start.run("echo") is CallStatus.EXECUTED
        await start.until(lambda: console.recent.of("echo"))
        assert console.activity._model.rowCount() == 1
        assert console.recent.of("watched") == ()
        assert [len(console.recent.of(name)) for name in ("echo", "watched")] == [1, 0]
    async with started(theme, tmp_path) as start:
        await start.until(lambda: start.console.activity._model.rowCount() == 1)
        found = await start.console.records.search(HistoryQuery())
        assert [(row.tool, row.caller) for row in found.rows] == [("echo", "you"), ("watched", "probe")]


async def test_rounds_of_probes_begin_with_a_tool_that_is_not_only_asked_on_request(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        console, registry = start.console, start.console.executor.registry
        registry.register(make_tool("far", "Be far.", watched, (), probe={}, probe_on_request=True))
        await start.until(lambda: "far" in console.tools)
        await console.healths.watch()
        console.healths.look_again()
        assert all(tool.probes_on_request for tool in console.tools if tool.has_probe)
        assert console.healths.next_check_at is None

        registry.register(make_tool("near", "Be near.", watched, (), probe={}))
        await start.until(lambda: "near" in console.tools)
        console.healths.look_again()
        await start.until(lambda: console.healths.next_check_at is not None)
