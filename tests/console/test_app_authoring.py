"""The loop of tool authors: plugin files are followed while they are written, new tools begun, files dropped."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QFileSystemWatcher, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragLeaveEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QRadioButton, QTreeView, QWidget

from console.app.console import Console
from console.app.file_drops import FITTING, DroppedFiles, read_drop
from console.batch.document_csv_view import CsvDialog
from console.browser.editors import EDITOR_VARIABLE, editor_command
from console.browser.model import ITEM_ROLE
from console.browser.new_tool_dialog import NewToolDialog
from console.preferences import Preferences
from console.theme import ThemeController
from console.tool_page.view import ExecutionView
from console.widgets import Button, SearchField, Switch
from console.widgets.dialogs import QuestionBox
from tests.console.program import Program
from tests.dragging import drag_enter
from tools.calls import CallStatus
from tools.discovery import PluginList
from tools.workbench import Workbench

GOOD = '''from tools import tool


@tool(read_only=True)
def say(word: str, times: int = 1) -> str:
    """Say it."""
    return word * times
'''
MORE = GOOD.replace("times: int = 1", 'times: int = 1, ending: str = "!"').replace(
    "word * times", "word * times + ending"
)
BROKEN = GOOD.replace("return word * times", "return word * (times")


def save(path: Path, text: str) -> Path:
    """Save as careful editors do: write another file, and put it in the place of the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_suffix(".tmp")
    scratch.write_text(text, "utf-8")
    scratch.replace(path)
    return path


class Desk(Program):
    """The whole program at a plugin file, and its author."""

    def __init__(self, theme: ThemeController, home: Path, *plugins: Path, project: Path | None = None) -> None:
        self.preferences = Preferences(home / "window.ini")
        bench = Workbench(PluginList(home / "settings"), application=Console, installed=())
        self.bench = bench
        super().__init__(Console(theme, self.preferences, bench, project, plugins, data=home / "data"))
        self.notices: list[str] = []
        self.console.authoring.noticed.connect(self.notices.append)
        self.console.drops.noticed.connect(self.notices.append)

    @property
    def window(self) -> QWidget:
        return self.console.window

    def page(self, name: str = "say") -> ExecutionView:
        return super().page(name)

    def field(self, name: str) -> QLineEdit:
        """Return the line of an argument, with the focus."""
        assert self.page().editor.focus_field((name,))
        return self.line()

    def line(self) -> QLineEdit:
        """Return the line with the focus; that of a number stands in its field."""
        focus = self.window.focusWidget()
        line = focus.findChild(QLineEdit) if isinstance(focus, QAbstractSpinBox) else focus
        assert isinstance(line, QLineEdit)
        return line

    @property
    def names(self) -> list[str]:
        return list(self.page().document.schema["properties"])

    async def run(self) -> str:
        page, presenter = self.page(), self.presenter
        QTest.mouseClick(page.header.run_button, Qt.MouseButton.LeftButton)
        await self.call_ended()
        record = presenter.record
        assert record is not None
        assert record.status is CallStatus.EXECUTED, record.error
        return str(record.result)

    def facts(self) -> tuple[str, ...]:
        facts = self.page().results.result_header.facts.facts
        assert facts is not None
        return facts.parts

    def in_sight(self, name: str) -> bool:
        """Return whether a tool is marked in the tree where a person sees it."""
        tree = self.console.browser_view.findChild(QTreeView)
        assert tree is not None
        index = tree.currentIndex()
        item = index.data(ITEM_ROLE) if index.isValid() else None
        return (
            item is not None and item.key == name and tree.viewport().rect().contains(tree.visualRect(index).center())
        )

    def drop(self, *paths: Path | str) -> tuple[str, ...]:
        """Drag files over the window and drop them; return what the sign said meanwhile."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) if isinstance(path, Path) else QUrl(path) for path in paths])
        copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        enter = drag_enter(data)
        QApplication.sendEvent(self.window, enter)
        sign = self.console.drops.sign
        assert sign.isVisible()
        assert enter.isAccepted()
        said = sign.lines
        QApplication.sendEvent(self.window, QDropEvent(QPointF(300, 300), copy, data, left, none))
        assert not sign.isVisible()
        return said

    def shown(self, kind: type[QWidget]) -> list[Any]:
        return [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, kind) and widget.isVisible()]


async def test_a_saved_file_is_loaded_at_once_and_what_stands_on_its_page_stays(
    theme: ThemeController, tmp_path: Path
) -> None:
    plugin = save(tmp_path / "mine.py", GOOD)

    async with Desk(theme, tmp_path / "home", plugin) as desk:
        desk.console.open_tools.open("say")
        page = desk.page()
        QTest.keyClicks(desk.field("word"), "hello")
        assert await desk.run() == "hello"
        # What is no whole number yet, with the caret in the middle of it.
        line = desk.field("times")
        line.selectAll()
        QTest.keyClicks(line, "2x3")
        line.setCursorPosition(1)

        save(plugin, MORE)
        await desk.until(lambda: "ending" in desk.names)
        assert desk.page() is page
        focus = desk.line()
        assert (focus.text(), focus.cursorPosition()) == ("2x3", 1)
        assert page.document.value()["word"] == "hello"
        assert page.document.value()["ending"] == "!"
        assert desk.facts()[0] == "before the reload"
        await desk.until(lambda: "mine.py was loaded again" in page.notice.text)

        focus.selectAll()
        QTest.keyClicks(focus, "2")
        assert await desk.run() == "hellohello!"
        assert "before the reload" not in desk.facts()
        compare = page.results.result_header.former
        assert compare.isVisible()
        QTest.mouseClick(compare, Qt.MouseButton.LeftButton)
        await desk.until(lambda: any("ompar" in widget.windowTitle() for widget in desk.shown(QWidget)))
        for widget in desk.shown(QWidget):
            if widget is not desk.window:
                widget.close()
        await desk.run()
        assert not compare.isVisible()


async def test_a_file_that_editors_replace_is_watched_again_so_that_nobody_has_to_look_all_the_time(
    theme: ThemeController, tmp_path: Path
) -> None:
    plugin = save(tmp_path / "mine.py", GOOD)

    async with Desk(theme, tmp_path / "home", plugin) as desk:
        watcher = desk.console.authoring.findChild(QFileSystemWatcher)
        assert watcher is not None
        told: list[str] = []
        watcher.fileChanged.connect(told.append)
        await desk.until(lambda: str(plugin) in watcher.files())
        assert str(tmp_path) in watcher.directories()

        desk.console.open_tools.open("say")
        save(plugin, MORE)
        await desk.until(lambda: told and "ending" in desk.names)
        await desk.until(lambda: str(plugin) in watcher.files())
        told.clear()
        save(plugin, GOOD)
        await desk.until(lambda: told and "ending" not in desk.names)


@pytest.mark.expects_log("console.app.authoring")
async def test_a_plugin_folder_that_cannot_be_read_is_told_and_its_files_come_when_it_can(
    theme: ThemeController, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = PluginList(tmp_path / "home" / "settings").folder
    folder.parent.mkdir(parents=True)
    # Nobody can read a link to itself, root neither.
    folder.symlink_to(folder)

    async with Desk(theme, tmp_path / "home") as desk:
        told = f"the plugin folder {folder} cannot be read"
        await desk.until(lambda: told in desk.console.window.status_bar.notice)
        await desk.until(lambda: sum(told in record.getMessage() for record in caplog.records) == 1)
        folder.unlink()
        folder.mkdir()
        save(folder / "mine.py", GOOD)
        await desk.until(lambda: desk.console.executor.registry.find("say") is not None)
        assert sum(told in record.getMessage() for record in caplog.records) == 1


async def test_a_broken_file_is_told_on_the_page_with_its_line_and_the_former_version_runs(
    theme: ThemeController, tmp_path: Path
) -> None:
    plugin = save(tmp_path / "mine.py", GOOD)
    opened: list[tuple[Path, int, int]] = []

    def open_file(path: Path, line: int, column: int) -> bool:
        opened.append((path, line, column))
        return True

    async with Desk(theme, tmp_path / "home", plugin) as desk:
        desk.console.authoring._open_file = open_file
        desk.console.open_tools.open("say")
        page = desk.page()
        QTest.keyClicks(desk.field("word"), "hello")
        save(plugin, BROKEN)
        await desk.until(page.source.isVisible)
        notice = page.source.notice
        assert notice is not None
        assert notice.error == "SyntaxError: '(' was never closed"
        assert notice.place == f"{plugin}:7:19"
        assert page.source.code == "return word * (times\n              ^"
        assert page.header.run_button.text() == "Run former version"
        assert page.header.run_button.isEnabled()
        assert await desk.run() == "hello"
        assert page.source.isVisible()

        QTest.mouseClick(page.source.editor, Qt.MouseButton.LeftButton)
        QTest.mouseClick(page.source.copy, Qt.MouseButton.LeftButton)
        assert opened == [(plugin, 7, 19)]
        assert QGuiApplication.clipboard().text() == f"{plugin}:7:19"

        save(plugin, GOOD.replace("from tools", "import there_is_none\nfrom tools"))
        await desk.until(lambda: page.source.code.startswith("import there_is_none"))
        save(plugin, MORE)
        await desk.until(lambda: not page.source.isVisible())
        assert page.header.run_button.text() == "Run"
        assert page.document.value()["word"] == "hello"
        assert await desk.run() == "hello!"


async def test_a_page_that_is_opened_while_the_file_is_broken_says_so_too(
    theme: ThemeController, tmp_path: Path
) -> None:
    plugin = save(tmp_path / "mine.py", GOOD)

    async with Desk(theme, tmp_path / "home", plugin) as desk:
        save(plugin, BROKEN)
        await desk.until(lambda: any(report.error for report in desk.bench.reports))
        await desk.until(lambda: desk.console.authoring._broken)
        desk.console.open_tools.open("say")
        assert desk.page().source.isVisible()


async def test_where_f5_is_chosen_a_save_is_only_told_until_then(theme: ThemeController, tmp_path: Path) -> None:
    plugin = save(tmp_path / "mine.py", GOOD)

    async with Desk(theme, tmp_path / "home", plugin) as desk:
        desk.console.window.settings_requested.emit()
        settings = desk.console.settings.view
        assert settings is not None
        switch = settings.row_by_key["reload_at_once"].control
        assert isinstance(switch, Switch)
        assert switch.isChecked()
        switch.click()
        desk.console.window.rail.choose("tools")
        desk.console.open_tools.open("say")
        page = desk.page()
        QTest.keyClicks(desk.field("word"), "hello")
        save(plugin, MORE)
        await desk.until(page.source.isVisible)
        assert "ending" not in desk.names
        assert page.header.run_button.text() == "Run"
        assert await desk.run() == "hello"
        QTest.keyClick(desk.window, Qt.Key.Key_F5)
        await desk.until(lambda: "ending" in desk.names)
        await desk.until(lambda: not page.source.isVisible())
        assert page.document.value()["word"] == "hello"
        assert desk.facts()[0] == "before the reload"
    assert not Preferences(tmp_path / "home" / "window.ini").flag("reload_plugins_at_once", default=True)


async def test_a_tool_that_leaves_its_file_takes_its_page_along(theme: ThemeController, tmp_path: Path) -> None:
    plugin = save(tmp_path / "mine.py", GOOD)

    async with Desk(theme, tmp_path / "home", plugin) as desk:
        desk.console.open_tools.open("say")
        save(plugin, GOOD.replace("def say", "def tell"))
        await desk.until(lambda: desk.console.open_tools.names == ())
        assert "tell" in desk.bench.registry


async def test_a_new_plugins_first_tool_is_opened_and_in_sight_in_spite_of_a_filter(
    theme: ThemeController, tmp_path: Path
) -> None:
    both = GOOD + GOOD.replace("from tools import tool\n", "").replace("def say", "def another")
    plugin = save(tmp_path / "mine.py", both)

    async with Desk(theme, tmp_path / "home") as desk:
        filter_field = desk.console.browser_view.findChild(SearchField)
        assert filter_field is not None
        QTest.keyClicks(filter_field, "git")
        desk.console.window.rail.choose("history")
        assert desk.drop(plugin) == ("Add mine.py as a plugin and open its first tool",)
        await desk.until(lambda: desk.console.open_tools.names == ("say",))
        await desk.until(lambda: desk.in_sight("say"))
        assert filter_field.text() == ""
        assert desk.page().isVisible()
        assert desk.bench.plugin_list.paths() == [plugin]


async def test_a_dropped_plugin_that_is_broken_opens_its_first_tool_once_it_is_mended(
    theme: ThemeController, tmp_path: Path
) -> None:
    plugin = save(tmp_path / "mine.py", BROKEN)

    async with Desk(theme, tmp_path / "home") as desk:
        desk.drop(plugin)
        await desk.until(lambda: any(report.error for report in desk.bench.reports))
        save(plugin, GOOD)
        await desk.until(lambda: desk.console.open_tools.names == ("say",))
        await desk.until(lambda: desk.bench.plugin_list.paths() == [plugin])


async def test_a_new_tool_is_made_from_a_template_and_runs(theme: ThemeController, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    opened: list[Path] = []

    def open_file(path: Path, line: int, column: int) -> bool:
        opened.append(path)
        return True

    async with Desk(theme, tmp_path / "home", project=project) as desk:
        desk.console.authoring._open_file = open_file
        QTest.keyClick(desk.window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
        await desk.until(lambda: desk.shown(NewToolDialog))
        (dialog,) = desk.shown(NewToolDialog)
        assert dialog.folder.text() == str(project)
        assert not dialog.make.isEnabled()
        for wrong in ("two words", "class", "1st", "list_files"):
            dialog.name.clear()
            QTest.keyClicks(dialog.name, wrong)
            assert not dialog.make.isEnabled()
            assert dialog.problem
        # Qt cut sentences off that appeared later.
        dialog.name.setText("many words that cannot name a Python function at all")
        layout = dialog.layout()
        await desk.until(lambda: dialog.height() >= layout.totalHeightForWidth(dialog.width()))
        dialog.name.clear()
        QTest.keyClicks(dialog.name, "count_words")
        (project / "count_words.py").write_text("# mine", "utf-8")
        QTest.mouseClick(dialog.make, Qt.MouseButton.LeftButton)
        assert "stays as it is" in dialog.problem
        (project / "count_words.py").unlink()
        dialog.name.clear()
        QTest.keyClicks(dialog.name, "count_words")
        buttons = dialog.findChildren(QRadioButton)
        assert len(buttons) == 3
        dialog.opens.setChecked(True)
        QTest.keyClick(dialog.name, Qt.Key.Key_Return)
        await desk.until(lambda: "count_words" in desk.console.open_tools.names)
        assert opened == [project / "count_words.py"]
        page = desk.page("count_words")
        page.document.set(("text",), "a")
        presenter = desk.presenter
        presenter.run()
        await desk.until(lambda: presenter.record is not None and not presenter.is_running)
        assert presenter.record is not None
        assert presenter.record.result == "a"


async def test_new_tool_is_offered_in_the_tree_and_on_the_first_page(theme: ThemeController, tmp_path: Path) -> None:
    async with Desk(theme, tmp_path / "home") as desk:
        button = next(one for one in desk.console.welcome.findChildren(Button) if one.text() == "New tool…")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        (dialog,) = desk.shown(NewToolDialog)
        dialog.reject()
        await desk.until(lambda: not desk.shown(NewToolDialog))
        desk.console.browser_view.new_tool_requested.emit()
        (dialog,) = desk.shown(NewToolDialog)
        dialog.reject()


async def test_dropped_files_do_what_they_are_for(theme: ThemeController, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    plan = project / "plan.yaml"
    plan.write_text("name: night\nsteps:\n- {id: a, tool: read_file, arguments: {path: x}}\n", "utf-8")
    table = project / "rows.csv"
    table.write_text("path,limit\na,1\n", "utf-8")
    plugin = save(tmp_path / "mine.py", GOOD)

    async with Desk(theme, tmp_path / "home") as desk:
        said = desk.drop(plan, plugin, project, Path(tmp_path / "gone.py"))
        assert said == (
            "Add mine.py as a plugin and open its first tool",
            "Open project as the project folder",
            "Open plan.yaml as a plan on the Batch page",
            f"gone.py is nothing that can be opened here; drop {FITTING}",
        )
        assert desk.console.executor.project_dir == project
        await desk.until(lambda: desk.console.batches.opened is not None)
        opened = desk.console.batches.opened
        assert opened is not None
        await desk.until(lambda: opened.path == plan)
        await desk.until(lambda: "say" in desk.console.open_tools.names)

        assert desk.drop(table) == ("Make a plan of the rows of rows.csv",)
        await desk.until(lambda: desk.shown(CsvDialog))
        for dialog in desk.shown(CsvDialog):
            dialog.reject()

        assert desk.drop(tmp_path / "home" / "window.ini", "https://example.org/x.py")[0].startswith("window.ini is")
        assert desk.notices[-1].startswith("window.ini is nothing that can be opened here")
        await desk.until(lambda: not desk.shown(CsvDialog))


async def test_another_project_is_asked_about_when_something_is_not_saved(
    theme: ThemeController, tmp_path: Path
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()

    async with Desk(theme, tmp_path / "home", project=one) as desk:
        desk.console.batches.begin_calls("night", [("read_file", {"path": "x"})])
        await desk.until(desk.console.batches.unsaved)
        desk.drop(two)
        (box,) = desk.shown(QuestionBox)
        box.reject()
        assert desk.console.executor.project_dir == one
        await desk.until(lambda: not desk.shown(QuestionBox))
        desk.drop(two)
        (box,) = desk.shown(QuestionBox)
        button = next(one for one in box.findChildren(Button) if one.text() == "Open the project")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert desk.console.executor.project_dir == two


async def test_a_drag_that_leaves_takes_its_sign_along_and_text_has_none(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Desk(theme, tmp_path / "home") as desk:
        sign = desk.console.drops.sign
        data = QMimeData()
        data.setText("only text")
        enter = drag_enter(data)
        QApplication.sendEvent(desk.window, enter)
        assert not enter.isAccepted()
        assert not sign.isVisible()
        data.setUrls([QUrl.fromLocalFile(str(tmp_path))])
        QApplication.sendEvent(desk.window, drag_enter(data))
        assert sign.isVisible()
        QApplication.sendEvent(desk.window, QDragLeaveEvent())
        assert not sign.isVisible()


def urls(*paths: Path) -> list[QUrl]:
    return [QUrl.fromLocalFile(str(path)) for path in paths]


def test_of_several_dropped_files_each_kind_is_told_apart(tmp_path: Path) -> None:
    made = [tmp_path / name for name in ("a.py", "b.PY", "one.yaml", "two.json", "t.csv", "notes.txt")]
    for path in made:
        path.write_text("", "utf-8")
    folders = [tmp_path / name for name in ("x", "y.py")]
    for folder in folders:
        folder.mkdir()
    drop = read_drop(urls(*made, *folders))
    assert (drop.plugins, drop.project, drop.plan, drop.table) == (tuple(made[:2]), folders[0], made[2], None)
    assert [sentence.split()[0] for sentence in drop.refused] == ["two.json", "t.csv", "notes.txt", "y.py"]
    assert len(drop.lines) == 6
    assert not read_drop([]).is_taken
    assert not DroppedFiles(refused=("x",)).is_taken


@pytest.mark.parametrize(
    ("environ", "installed", "expected"),
    [
        ({}, {"code"}, ["/bin/code", "-g", "/x/a b.py:3:5"]),
        ({}, {"kate"}, ["/bin/kate", "--line", "3", "--column", "5", "/x/a b.py"]),
        ({"EDITOR": "vim", "VISUAL": "subl -w"}, {"vim", "subl", "code"}, ["/bin/subl", "/x/a b.py:3:5"]),
        ({EDITOR_VARIABLE: "ed --at {line} {file}"}, {"ed", "code"}, ["ed", "--at", "3", "/x/a b.py"]),
        ({EDITOR_VARIABLE: "code --wait"}, {"code"}, ["code", "--wait", "-g", "/x/a b.py:3:5"]),
        ({EDITOR_VARIABLE: "other"}, {"other"}, ["other", "/x/a b.py"]),
        ({EDITOR_VARIABLE: "'unclosed"}, {"code"}, ["/bin/code", "-g", "/x/a b.py:3:5"]),
        ({EDITOR_VARIABLE: "not-there", "EDITOR": "nano"}, {"nano"}, []),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="Windows has an editor of its own")
def test_the_editor_of_the_person_is_opened_at_the_place(
    environ: dict[str, str], installed: set[str], expected: list[str]
) -> None:
    def which(program: str) -> str | None:
        return f"/bin/{program}" if program in installed else None

    assert editor_command(Path("/x/a b.py"), 3, 5, environ=environ, which=which) == expected
