"""The command palette of the whole program, driven by keys."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Self

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QPlainTextEdit, QPushButton, QTreeView, QWidget

from console.app.console import Console
from console.browser.model import ToolTreeModel
from console.history.view import HistoryView
from console.palette.model import PALETTE_ROLE
from console.palette.rows import PaletteRow, RowKind
from console.palette.view import PaletteView
from console.preferences import Preferences
from console.theme import ThemeController
from console.tool_page.view import ExecutionView
from tests.console.program import PATIENCE_S, Program
from tools import resolve_tools, tool
from tools.discovery import PluginList
from tools.workbench import Workbench


@tool(read_only=True, category="research")
async def research_topic(topic: str = "tea") -> str:
    """Read about a topic."""
    return topic


class Start(Program):
    """One start of the program, over settings and data that outlast it."""

    def __init__(self, theme: ThemeController, home: Path) -> None:
        self.workbench = Workbench(PluginList(home / "settings"), application=Console, installed=())
        self.workbench.registry.register_all(resolve_tools((research_topic,)))
        super().__init__(Console(theme, Preferences(home / "window.ini"), self.workbench, data=home / "data"))

    @property
    def view(self) -> PaletteView:
        found = self.console.window.findChild(PaletteView)
        assert found is not None
        return found

    @property
    def field(self) -> QLineEdit:
        found = self.view.findChild(QLineEdit, "paletteField")
        assert found is not None
        return found

    @property
    def rows(self) -> list[PaletteRow]:
        found = self.view.findChild(QListView, "paletteList")
        assert found is not None
        model = found.model()
        return [model.index(row, 0).data(PALETTE_ROLE) for row in range(model.rowCount())]

    def texts(self, kind: RowKind) -> list[str]:
        return [row.text for row in self.rows if row.kind is kind]

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        self.console.window.activateWindow()
        await self.until(self.console.window.isActiveWindow)
        return self

    def press(self, key: Qt.Key, by: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.console.window, key, by)

    async def open(self) -> None:
        self.press(Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        await self.until(lambda: self.field.hasFocus() and self.rows and not self.is_answering)

    async def type(self, words: str) -> None:
        """Type other words, and wait for their answer."""
        self.field.clear()
        QTest.keyClicks(self.field, words)
        await self.until(lambda: not self.is_answering)

    @property
    def is_answering(self) -> bool:
        names = [task.get_name() for task in asyncio.all_tasks()]
        return any("search for the palette" in name for name in names)

    async def run(self, name: str) -> None:
        self.console.open_tools.run(name)
        await self.call_ended()


async def test_it_opens_from_the_top_bar_and_goes_with_escape(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        button = start.console.window.findChild(QPushButton, "search")
        assert button is not None
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await start.until(lambda: start.field.hasFocus() and start.rows)
        assert "Go to Health" in start.texts(RowKind.COMMAND)
        start.press(Qt.Key.Key_Escape)
        assert not start.view.isVisible()


async def test_a_word_finds_tools_commands_and_settings_and_marks_the_letters(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path) as start:
        await start.open()
        await start.type("sea")
        marks = {row.text: row.spans for row in start.rows if row.kind is RowKind.TOOL}
        assert all("search" in name for name in marks)
        assert all(spans == ((name.index("sea"), name.index("sea") + 3),) for name, spans in marks.items())
        await start.type("esearch")
        marks = {row.text: row.spans for row in start.rows if row.kind is RowKind.TOOL}
        assert marks["research_topic"] == ((1, 8),)
        await start.type("theme")
        assert set(start.texts(RowKind.SETTING)) == {"Theme", "Theme: light", "Theme: dark", "Theme: as the system"}
        on = [row.text for row in start.rows if row.is_on]
        assert on == ["Theme: light"]
        # Tools that are merely close to the word do not push away what has the very word.
        assert next(row.text for row in start.rows if row.kind is RowKind.HEADING) == "Settings"


@pytest.mark.parametrize("typed", ["serch fiels", "delte file", "remove file", "erase a file"])
async def test_typing_errors_and_other_words_find_tools(theme: ThemeController, tmp_path: Path, typed: str) -> None:
    async with Start(theme, tmp_path) as start:
        await start.open()
        await start.type(typed)
        assert start.texts(RowKind.TOOL)[0] == ("search_files" if typed.startswith("serch") else "delete_file")


async def test_enter_opens_a_tool_and_lets_its_arguments_be_typed(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        start.console.window.rail.choose("health")
        await start.open()
        await start.type("research")
        start.press(Qt.Key.Key_Return)
        page = start.page("research_topic")
        assert page.isVisible()
        assert not start.view.isVisible()
        focus = QApplication.focusWidget()
        assert focus is not None
        assert page.isAncestorOf(focus)


async def test_arrows_go_from_choice_to_choice_past_headings_and_round(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.open()
        await start.type("file")
        choices = [row for row in start.rows if row.is_choice]
        assert len({row.kind for row in choices}) > 1
        for row in (*choices, choices[0]):
            assert start.view.current == row
            start.press(Qt.Key.Key_Down)
        start.press(Qt.Key.Key_Up)
        start.press(Qt.Key.Key_Up)
        assert start.view.current == choices[-1]


async def test_what_a_page_can_do_is_offered_as_long_as_it_can_be_done(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.run("research_topic")
        start.console.window.rail.choose("history")
        await start.until(lambda: start.console.window.findChild(HistoryView) is not None)
        view = start.console.window.findChild(HistoryView)
        assert view is not None
        await start.until(lambda: view.table.chosen_keys)
        await start.open()
        await start.type("> chosen call again")
        found = next(row for row in start.rows if row.kind is RowKind.COMMAND)
        assert (found.text, found.keys, found.detail) == ("Run the chosen call again", "Ctrl+R", "History")
        start.press(Qt.Key.Key_Escape)
        view.table.clearSelection()
        await start.open()
        await start.type("> chosen call again")
        assert "Run the chosen call again" not in start.texts(RowKind.COMMAND)


async def test_a_command_whose_page_was_closed_meanwhile_does_nothing(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        start.console.open_tools.open("research_topic")
        await start.open()
        await start.type("> add to batch")
        found = next(row for row in start.rows if row.kind is RowKind.COMMAND and row.detail == "Tool")
        start.console.open_tools.close("research_topic")
        await start.until(lambda: not start.console.window.findChildren(ExecutionView))
        start.view.chosen.emit(found)
        assert not start.view.isVisible()
        assert start.console.open_tools.names == ()


async def test_a_greater_sign_lists_commands_alone_with_their_shortcuts(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.open()
        await start.type("> health")
        assert start.texts(RowKind.TOOL) == []
        found = next(row for row in start.rows if row.kind is RowKind.COMMAND)
        assert (found.text, found.keys) == ("Go to Health", "Ctrl+2")
        start.press(Qt.Key.Key_Return)
        assert start.console.window.pages.currentWidget() is start.console.health_page.widget


async def test_commands_of_a_page_are_offered_while_it_is_in_front(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.open()
        assert "Show the timing" not in start.texts(RowKind.COMMAND)
        start.press(Qt.Key.Key_Escape)
        start.console.open_tools.open("research_topic")
        await start.open()
        assert "Show the timing" in start.texts(RowKind.COMMAND)
        assert "Stop the call" not in start.texts(RowKind.COMMAND)
        await start.type(">Run")
        start.press(Qt.Key.Key_Return)
        presenter = start.console.open_tools.current
        assert presenter is not None
        await start.until(lambda: presenter.record is not None and not presenter.is_running)


async def test_calls_are_found_shown_and_run_again(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.run("research_topic")
        await start.until(lambda: start.console.records.is_open)
        start.console.window.rail.choose("health")

        async def found(typed: str) -> None:
            # A call is written to the history soon after it ended.
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    await start.open()
                    await start.type(typed)
                    if start.texts(RowKind.CALL):
                        return
                    start.press(Qt.Key.Key_Escape)
                    await asyncio.sleep(0.02)

        await found("#research")
        assert start.texts(RowKind.CALL) == ["research_topic"]
        assert 'topic="tea"' in start.rows[1].code
        start.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        presenter = start.console.open_tools.current
        assert presenter is not None
        first = presenter.record
        await start.until(lambda: presenter.record is not first and not presenter.is_running)
        await found("tea")
        assert start.texts(RowKind.CALL)[0] == "research_topic"
        start.press(Qt.Key.Key_Escape)
        await found("sea")
        assert start.texts(RowKind.TOOL)[0] == "research_topic"


async def test_what_was_chosen_comes_first_also_at_the_next_start(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        for typed in ("> batch", "delete"):
            await start.open()
            await start.type(typed)
            start.press(Qt.Key.Key_Return)
    async with Start(theme, tmp_path) as start:
        await start.open()
        assert [row.text for row in start.rows[:3]] == ["Recently used", "delete_file", "Go to Batch"]


async def test_nothing_found_says_so_and_what_is_spelt_alike(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.open()
        await start.type("zzqqzz")
        assert start.texts(RowKind.FACT)[0] == "Nothing matches “zzqqzz”"
        assert start.view.current is None
        start.press(Qt.Key.Key_Return)
        assert start.view.isVisible()
        await start.type("@")
        assert start.texts(RowKind.FACT)[0] == "No servers yet"


async def test_the_focus_and_what_was_typed_on_the_page_stay(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        start.console.open_tools.open("research_topic")
        page = start.page("research_topic")
        field = next(one for one in page.findChildren(QWidget) if one.accessibleName() == "argument topic")
        assert isinstance(field, QLineEdit)
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, "half typed, not run")
        start.press(Qt.Key.Key_Home)
        await start.open()
        await start.type("remove")
        start.press(Qt.Key.Key_Escape)
        assert QApplication.focusWidget() is field
        assert (field.text(), field.cursorPosition()) == ("half typed, not run", 0)


async def test_it_opens_from_every_kind_of_text_field(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        start.console.open_tools.open("research_topic")
        page = start.page("research_topic")
        page.editor.set_mode("json")
        start.press(Qt.Key.Key_Tab)
        editors = [one for one in page.findChildren(QPlainTextEdit) if one.isVisible() and not one.isReadOnly()]
        assert editors
        for editor in editors:
            editor.setFocus()
            text = editor.toPlainText()
            await start.open()
            start.press(Qt.Key.Key_Escape)
            assert editor.toPlainText() == text


async def test_shortcuts_of_the_page_below_do_nothing_meanwhile(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        start.console.open_tools.open("search_files")
        await start.open()
        start.press(Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
        start.press(Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
        start.press(Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
        assert start.view.isVisible()
        assert start.console.open_tools.names == ("search_files",)
        assert start.console.window.pages.currentWidget() is start.console.documents


async def test_a_tool_that_comes_while_the_program_runs_is_found(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.open()
        await start.type("paint wall")
        assert "paint_wall" not in start.texts(RowKind.TOOL)

        @tool(read_only=True)
        async def paint_wall() -> str:
            """Paint a wall."""
            return "done"

        start.workbench.registry.register_all(resolve_tools((paint_wall,)))
        await start.until(lambda: "paint_wall" in start.console.tools)
        await start.type("paint wal")
        assert start.texts(RowKind.TOOL)[0] == "paint_wall"


async def test_a_click_beside_closes_it_and_one_on_a_row_chooses(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.open()
        await start.type("research")
        found = start.view.findChild(QListView, "paletteList")
        assert found is not None
        place = found.visualRect(found.model().index(1, 0)).center()
        QTest.mouseClick(found.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert start.console.open_tools.names == ("research_topic",)
        await start.open()
        under = start.console.window.childAt(5, start.console.window.height() // 2)
        assert under is not None
        QTest.mouseClick(under, Qt.MouseButton.LeftButton)
        assert not start.view.isVisible()


async def test_the_tools_filter_finds_other_words_and_typing_errors(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        field = start.console.browser_view.findChild(QLineEdit, "toolsFilter")
        assert field is not None
        tree = start.console.browser_view.findChild(QTreeView, "toolsTree")
        assert tree is not None

        def is_shown(name: str) -> bool:
            return name in shown()

        def shown() -> list[str]:
            model = tree.model()
            assert isinstance(model, ToolTreeModel)
            groups = [index for index in model.parents() if index.parent().isValid()]
            return [model.index(row, 0, group).data() for group in groups for row in range(model.rowCount(group))]

        for typed, wanted in (
            ("remove fil", "delete_file"),
            ("serch_files", "search_files"),
            ("reserch", "research_topic"),
        ):
            field.setText(typed)
            await start.until(lambda wanted=wanted: wanted in shown())  # type: ignore[misc]
        field.setText("search_f")
        assert shown() == ["search_files"]
