from __future__ import annotations

from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from tests.tools.running import run
from tests.tools.test_discovery import PLUGIN, FakeEntryPoint, one_function, write
from tools import make_tool
from tools.discovery import PluginList
from tools.workbench import Workbench, data_folder


def bench_over(tmp_path: Path, *installed: Any) -> Workbench:
    return Workbench(PluginList(tmp_path / "settings"), installed=installed)


@pytest.mark.reference("A43", "E4")
def test_all_sources_are_loaded_and_a_broken_one_stops_nobody(tmp_path: Path) -> None:
    bench = bench_over(
        tmp_path,
        FakeEntryPoint("good", one_function),
        FakeEntryPoint("bad", ImportError("no")),
        FakeEntryPoint("greedy", make_tool("one_function", "Be second.", lambda: 0)),
    )
    extra = write(tmp_path / "extra.py", PLUGIN, name="say", said="x")
    run(closed(bench, bench.load([extra, tmp_path / "gone.py"])))

    assert "one_function" in bench.registry
    assert "say" in bench.registry
    assert any(tool.source.name == "Built-in" for tool in bench.registry)
    assert [bool(report.error) for report in bench.reports] == [False, True, True, False, True]
    assert "duplicate tool name 'one_function'" in bench.reports[2].error


def test_a_plugin_that_loads_is_remembered_and_a_broken_one_is_not(tmp_path: Path) -> None:
    bench = bench_over(tmp_path)
    good = write(tmp_path / "good.py", PLUGIN, name="say", said="x")
    bad = write(tmp_path / "bad.py", "def (")

    async def add() -> None:
        assert (await bench.add_plugin(good)).error == ""
        assert (await bench.add_plugin(bad)).error

    run(closed(bench, add()))
    assert bench.plugin_list.paths() == [good]
    later = bench_over(tmp_path)
    run(closed(later, later.load()))
    assert "say" in later.registry
    later.remove_plugin(good)
    assert "say" not in later.registry
    assert later.plugin_list.paths() == []


async def closed(bench: Workbench, work: Coroutine[Any, Any, None]) -> None:
    """Do something with a workbench, and close it."""
    try:
        await work
    finally:
        await bench.aclose()


def test_the_data_folder_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOOL_CONSOLE_DATA", raising=False)
    assert data_folder().name == "tool-console"
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path))
    assert data_folder() == tmp_path
