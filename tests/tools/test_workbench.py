from __future__ import annotations

from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from tests.tools.running import run, until
from tests.tools.test_discovery import PLUGIN, FakeEntryPoint, one_function, write
from tools import ArgumentsError, Isolation, ToolNotFoundError, make_tool
from tools.discovery import PluginList
from tools.paths import data_folder
from tools.workbench import Workbench


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


def test_a_report_says_which_built_in_tools_gave_way(tmp_path: Path) -> None:
    bench = bench_over(tmp_path, FakeEntryPoint("good", make_tool("hash_text", "Hash it.", lambda: 0)))
    extra = write(tmp_path / "extra.py", PLUGIN, name="make_uuid", said="x")
    run(closed(bench, bench.load([extra])))

    assert [report.told.aside for report in bench.reports] == [("Utility.hash_text",), ("Utility.make_uuid",)]
    bench.plugins.remove(extra)
    assert bench.registry.get("make_uuid").source.name == "Built-in"
    assert bench.registry.get("hash_text").source.name != "Built-in"


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


def test_what_is_trusted_no_more_loses_its_tools_and_its_code_runs_neither_now_nor_later(tmp_path: Path) -> None:
    bench = bench_over(tmp_path)
    folder, ran = tmp_path / "mine", tmp_path / "ran"
    folder.mkdir()
    noting = f"    open({str(ran)!r}, 'a').write('x')\n"
    one = write(folder / "one.py", noting + PLUGIN, name="first", said="x")
    other = write(tmp_path / "other.py", PLUGIN, name="second", said="x")

    async def withdraw() -> None:
        for path in (one, other):
            assert (await bench.add_plugin(path)).error == ""
        assert bench.trusted_places() == [
            (bench.plugin_list.folder, True, True),
            (folder, True, True),
            (one, False, True),
            (tmp_path, True, True),
            (other, False, True),
        ]
        importing = bench.workers.pids
        (report,) = await bench.trust_plugins(folder, trusted=False)
        assert (report.source.path, report.tools, report.is_untrusted) == (one, (), True)
        assert "you do not trust it" in report.error
        assert ("first" in bench.registry, "second" in bench.registry) == (False, True)
        await until(lambda: set(bench.workers.pids) != set(importing))
        noted = ran.read_text()
        assert await bench.reload_plugins() == []
        assert [again.is_untrusted for again in await bench.load_saved([one])] == [True]
        assert (await bench.add_plugin(one)).is_untrusted
        assert ran.read_text() == noted

    run(closed(bench, withdraw()))
    noted = ran.read_text()
    later = bench_over(tmp_path)

    async def trust_again() -> None:
        await later.load()
        assert ("first" in later.registry, "second" in later.registry) == (False, True)
        assert ran.read_text() == noted
        (report,) = await later.trust_plugins(folder, trusted=True)
        assert (report.error, "first" in later.registry) == ("", True)

    run(closed(later, trust_again()))


def test_a_name_that_a_file_had_is_free_when_it_is_trusted_no_more(tmp_path: Path) -> None:
    bench = bench_over(tmp_path)
    one, other = (write(tmp_path / f"{name}.py", PLUGIN, name="say", said=name) for name in ("one", "other"))

    async def work() -> None:
        assert (await bench.add_plugin(one)).error == ""
        assert "duplicate" in (await bench.add_plugin(other)).error
        await bench.trust_plugins(one, trusted=False)
        (report,) = await bench.reload_plugins()
        assert (report.source.path, report.error) == (other, "")

    run(closed(bench, work()))


def test_what_is_not_trusted_stays_so_while_the_list_of_plugins_cannot_be_read(tmp_path: Path) -> None:
    bench = bench_over(tmp_path)
    one = write(tmp_path / "one.py", PLUGIN, name="say", said="one")

    async def work() -> None:
        await bench.add_plugin(one)
        await bench.trust_plugins(one, trusted=False)
        bench.plugin_list.file.write_text("[", "utf-8")
        assert (await bench.plugins.add(one)).is_untrusted
        assert "say" not in bench.registry

    run(closed(bench, work()))


async def closed(bench: Workbench, work: Coroutine[Any, Any, None]) -> None:
    """Do something with a workbench, and close it."""
    try:
        await work
    finally:
        await bench.aclose()


def test_a_worker_starts_only_for_files_that_need_one(tmp_path: Path) -> None:
    async def started(isolation: Isolation) -> int:
        bench = bench_over(tmp_path)
        bench.plugin_list.set_isolation(tmp_path, isolation)
        extra = write(tmp_path / "extra.py", PLUGIN, name="say", said="x")
        try:
            await bench.load([extra])
            assert bench.registry.get("say").isolation is isolation
            return bench.workers.started
        finally:
            await bench.aclose()

    assert run(started(Isolation.THREAD)) == 0
    assert run(started(Isolation.PROCESS)) == 1


def test_the_list_says_how_long_a_file_may_take(tmp_path: Path) -> None:
    (tmp_path / "settings").mkdir()
    (tmp_path / "settings" / "plugins.json").write_text('{"files": [], "loading_s": 0.2}')
    hanging = write(tmp_path / "hanging.py", "while True:\n    pass\n")
    bench = bench_over(tmp_path)

    async def work() -> None:
        await bench.load_plugins([hanging])
        assert bench.reports[0].error.startswith("it was not loaded after 0.2 s")
        assert (await bench.add_plugin(hanging)).error.startswith("it was not loaded after 0.2 s")

    run(closed(bench, work()))
    assert bench.plugin_list.paths() == []


def test_prompts_are_rendered_wherever_their_functions_are(tmp_path: Path) -> None:
    text = """
        from tools import prompt, tool

        @tool
        def {name}_tool() -> None: ...

        @prompt
        def {name}(word: str, times: int = 2) -> str:
            return word * times
    """
    bench = bench_over(tmp_path)
    files = [write(tmp_path / f"{name}.py", text, name=name) for name in ("here", "there")]
    bench.plugin_list.set_isolation(files[0], Isolation.INLINE)

    async def work() -> None:
        await bench.load_plugins(files)
        said = [await bench.render_prompt(name, {"word": "ab"}) for name in ("here", "there")]
        assert [text.parts for text in said] == [(("assistant", "abab"),)] * 2
        with pytest.raises(ArgumentsError):
            await bench.render_prompt("there", {"word": 1})
        with pytest.raises(ToolNotFoundError, match="no prompt is called 'nowhere'"):
            await bench.render_prompt("nowhere")

    run(closed(bench, work()))


def test_the_data_folder_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOOL_CONSOLE_DATA", raising=False)
    assert data_folder().name == "tool-console"
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path))
    assert data_folder() == tmp_path
