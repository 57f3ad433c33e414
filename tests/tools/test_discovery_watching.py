"""Saved plugin files are noticed: once a save, whatever the editor does, and their faults are told with the line."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tools.running import run
from tools import Executor, Isolation
from tools.discovery import (
    TEMPLATES,
    FileStamp,
    PluginList,
    SavedFiles,
    SourcePlace,
    SourceReport,
    ToolTemplate,
    file_stamp,
    name_problem,
    write_tool_file,
)
from tools.errors import DiscoveryError
from tools.workbench import Workbench

GOOD = '''from tools import tool


@tool
def say(text: str) -> str:
    """Say it."""
    return text
'''


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Watched:
    """One file that is looked at, as it was loaded at first."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_text("1", "utf-8")
        self.clock = Clock()
        self.files = SavedFiles(self.clock)
        self.loaded: dict[Path, FileStamp | None] = {path: file_stamp(path)}

    def after(self, seconds: float) -> bool:
        """Return whether the file counts as saved so much later."""
        self.clock.now_s += seconds
        return bool(self.files.look(self.loaded))


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path / "plugin.py")


def rewrite(path: Path) -> None:
    path.write_text("another text", "utf-8")


def put_in_its_place(path: Path) -> None:
    other = path.with_name("plugin.py.tmp")
    other.write_text("2", "utf-8")
    stamp = path.stat()
    os.utime(other, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    other.replace(path)


def touch(path: Path) -> None:
    stamp = path.stat()
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns + 1))


@pytest.mark.parametrize("save", [rewrite, put_in_its_place, touch])
def test_a_save_counts_once_the_file_is_left_alone(watched: Watched, save: Callable[[Path], None]) -> None:
    assert not watched.after(1)
    save(watched.path)
    assert not watched.after(1)
    assert watched.after(0.2)
    assert watched.after(0.2)
    watched.loaded[watched.path] = file_stamp(watched.path)
    assert not watched.after(1)


def test_several_saves_in_a_burst_are_one(watched: Watched) -> None:
    for number in range(5):
        watched.path.write_text("x" * (number + 2), "utf-8")
        assert not watched.after(0.1)
    assert watched.after(0.2)


def test_an_editor_that_removes_the_file_first_is_waited_for(watched: Watched) -> None:
    watched.path.unlink()
    assert not watched.after(0)
    assert not watched.after(0.5)
    rewrite(watched.path)
    assert not watched.after(0.1)
    assert watched.after(0.2)


def test_a_file_that_stays_away_is_told_and_one_put_back_is_not(watched: Watched) -> None:
    text, stamp = watched.path.read_bytes(), watched.path.stat()
    aside = watched.path.with_suffix(".aside")
    watched.path.rename(aside)
    assert not watched.after(0)
    assert watched.after(1.1)
    aside.rename(watched.path)
    assert (watched.path.read_bytes(), watched.path.stat().st_mtime_ns) == (text, stamp.st_mtime_ns)
    assert not watched.after(1)


def reports_of(tmp_path: Path, text: str | bytes, isolation: Isolation = Isolation.PROCESS) -> SourceReport:
    path = tmp_path / "plugin.py"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())

    async def load() -> SourceReport:
        bench = Workbench(PluginList(tmp_path / "settings"), installed=())
        try:
            return await bench.plugins.add(path, isolation)
        finally:
            await bench.aclose()

    report: SourceReport = run(load())
    return report


@pytest.mark.parametrize("isolation", [Isolation.PROCESS, Isolation.THREAD])
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("import os\n\ndef broken(:\n", (3, 12, "def broken(:")),
        ("if True:\nprint()\n", (2, 1, "print()")),
        ("\n\nimport there_is_no_such_module\n", (3, 1, "import there_is_no_such_module")),
        ("first = 1\nvalue = {}['ü'] + {}['key']\n", (2, 9, "value = {}['ü'] + {}['key']")),
        ("def fail():\n    raise ValueError('no')\n\nfail()\n", (2, 5, "    raise ValueError('no')")),
    ],
)
def test_a_fault_is_told_with_its_line(
    tmp_path: Path, text: str, place: tuple[int, int, str], isolation: Isolation
) -> None:
    report = reports_of(tmp_path, text, isolation)
    assert report.error
    assert report.place == SourcePlace(tmp_path / "plugin.py", *place)


@pytest.mark.parametrize("text", ["x = 1\n", b"\x00\x00", b"\xff\xfe not text", "import os\nos._exit(3)\n"])
def test_a_fault_without_a_line_is_told_without_one(tmp_path: Path, text: str | bytes) -> None:
    report = reports_of(tmp_path, text)
    assert report.error
    assert report.place is None or report.place.line > 0


async def test_a_saved_file_is_loaded_again_and_a_new_one_in_the_folder_for_the_first_time(tmp_path: Path) -> None:
    bench = Workbench(PluginList(tmp_path / "settings"), installed=())
    folder = bench.plugin_list.folder
    folder.mkdir(parents=True)
    path = tmp_path / "plugin.py"
    path.write_text(GOOD, "utf-8")
    try:
        await bench.plugins.add(path)
        assert await bench.saved_plugins() == ()
        changes: list[tuple[int, int]] = []
        bench.registry.watch(lambda change: changes.append((len(change.added), len(change.removed))))
        path.write_text(GOOD.replace("text: str", "text: str, times: int = 1"), "utf-8")
        (folder / "more.py").write_text(GOOD.replace("def say", "def more"), "utf-8")
        saved: tuple[Path, ...] = ()
        while len(saved) < 2:
            saved = await bench.saved_plugins()
        reports = await bench.load_saved(saved)
        assert [report.error for report in reports] == ["", ""]
        assert "times" in str(bench.registry.get("say").input_schema)
        assert "more" in bench.registry
        # A tool that stays is never missing in between.
        assert sorted(changes) == [(1, 0), (1, 1)]
        assert await bench.saved_plugins() == ()

        path.write_text("def (", "utf-8")
        while not (saved := await bench.saved_plugins()):
            pass
        (broken,) = await bench.load_saved(saved)
        assert broken.place is not None
        assert [tool.name for tool in broken.tools] == ["say"]
        assert "say" in bench.registry
        assert await bench.saved_plugins() == ()
    finally:
        await bench.aclose()


@pytest.mark.parametrize("name", ["", "1st", "with space", "a-b", "class", "None", "ümlaut", "_hidden", "a.b", "../up"])
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    assert name_problem(name)
    with pytest.raises(DiscoveryError):
        write_tool_file(tmp_path, name, TEMPLATES[0])
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_stays(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("# mine", "utf-8")
    with pytest.raises(DiscoveryError, match="stays as it is"):
        write_tool_file(tmp_path, "mine", TEMPLATES[0])
    assert (tmp_path / "mine.py").read_text("utf-8") == "# mine"


@pytest.mark.parametrize("folder", ["fo\0lder", "x" * 300])
def test_a_folder_that_cannot_exist_is_refused_with_a_sentence(tmp_path: Path, folder: str) -> None:
    with pytest.raises(DiscoveryError, match="cannot be written"):
        write_tool_file(tmp_path / folder, "mine", TEMPLATES[0])


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.key)
async def test_a_template_makes_a_file_that_loads_and_runs(tmp_path: Path, template: ToolTemplate) -> None:
    path = write_tool_file(tmp_path / "tools", "my_tool", template)

    bench = Workbench(PluginList(tmp_path / "settings"), installed=())
    executor = Executor(bench.registry, project_dir=tmp_path, workers=bench.workers)
    try:
        report = await bench.add_plugin(path)
        assert report.error == ""
        first = report.tools[0]
        assert first.name.startswith("my_tool")
        assert first.spec.description
        needed: Any = first.input_schema.get("required", ())
        response = await executor.execute(executor.create_call(first.name, dict.fromkeys(needed, "x")))
        assert response.succeeded, response.error
    finally:
        await executor.aclose()
        await bench.aclose()
