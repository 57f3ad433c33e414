"""The page of settings: found by words, changed, refused, reset, and kept."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit

from console.app.start import _scaled
from console.approval.approval_queue import SILENCES
from console.preferences import Preferences
from console.schema_form.choice_editors import ChoiceBox
from console.settings.plugin_trust_view import PluginTrustView
from console.settings.preference import (
    OneOf,
    OnOff,
    Preference,
    SettingAction,
    SettingKind,
    SettingsSection,
    WholeNumber,
    Words,
)
from console.settings.presenter import SettingsPresenter
from console.settings.view import AllSettingsView, PreferenceRow
from console.tasks import TaskScope
from console.theme import ThemeController
from console.theme.tokens import load_theme
from console.widgets import Button, SegmentedControl, SpinBox, Switch, TableView
from tests.console.shipped_icons import icon_names
from tests.console.test_app_console import Start, started
from tests.tools.running import until
from tools import CallStatus
from tools.network import ALLOWED_HOSTS, CERTIFICATES, PROXY, NetworkSettings, network_now, use_network
from tools.policy import Autonomy

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

COLOURS = OneOf((("red", "Red"), ("blue", "Blue")))
SIZES = OneOf((("s", "Small"), ("m", "Medium"), ("l", "Large"), ("xl", "Huge")))


class Kept:
    """Values that settings change."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {"loud": False, "colour": "red", "size": "m", "days": 90, "place": ""}

    def declared(self) -> tuple[Preference, ...]:
        return (
            self._one("loud", SettingsSection.APPEARANCE, "Loud", OnOff()),
            self._one("colour", SettingsSection.APPEARANCE, "Colour", COLOURS),
            self._one("size", SettingsSection.APPEARANCE, "Size", SIZES),
            self._one("days", SettingsSection.HISTORY, "Days", WholeNumber(0, 400, "days", "For ever"), self._later),
            self._one("place", SettingsSection.TOOLS, "Place", Words("here"), self._checked),
        )

    def _one(
        self,
        key: str,
        section: SettingsSection,
        title: str,
        kind: SettingKind,
        make: Callable[[str, Any], Awaitable[None] | None] | None = None,
    ) -> Preference:
        make = make or self._at_once
        return Preference(
            key,
            section,
            title,
            f"What {title} does.",
            self.values[key],
            kind,
            lambda: self.values[key],
            lambda value: make(key, value),
        )

    def _at_once(self, key: str, value: Any) -> None:
        self.values[key] = value

    async def _later(self, key: str, value: Any) -> None:
        await asyncio.sleep(0)
        if value == 13:
            raise ValueError("expected another number than 13.")
        self.values[key] = value

    def _checked(self, key: str, value: Any) -> None:
        if " " in value:
            raise ValueError("expected a place without a space, got " + repr(value))
        self.values[key] = value


class Page:
    def __init__(self) -> None:
        self.kept = Kept()
        self.failures: list[BaseException] = []
        self.scope = TaskScope("test", self.failures.append)
        declared = self.kept.declared()
        self.view = AllSettingsView(declared, {})
        self.view.resize(1_000, 700)
        self.presenter = SettingsPresenter(
            declared, self.view.row_by_key, self.view.changed, self.scope, keep=self._keep
        )
        self.unkept = ""

    def _keep(self) -> str:
        return self.unkept

    def row(self, key: str) -> PreferenceRow:
        return self.view.row_by_key[key]

    def seen(self) -> list[str]:
        return [key for key, row in self.view.row_by_key.items() if row.isVisible()]


@asynccontextmanager
async def opened(qtbot: QtBot) -> AsyncIterator[Page]:
    page = Page()
    qtbot.addWidget(page.view)
    page.view.show()
    yield page
    await page.scope.close()
    assert page.failures == []


async def test_a_setting_that_is_not_kept_counts_and_says_so(qtbot: QtBot) -> None:
    async with opened(qtbot) as page:
        page.unkept = "It counts until the program ends: window.ini cannot be written."
        row = page.row("loud")
        assert isinstance(row.control, Switch)
        row.control.click()
        assert page.kept.values["loud"] is row.control.isChecked()
        assert row.problem.text() == page.unkept
        page.unkept = ""
        row.control.click()
        assert not row.problem.isVisible()


async def test_each_kind_of_control_changes_its_setting_at_once_and_resets_it(qtbot: QtBot) -> None:
    async with opened(qtbot) as page:
        loud, colour, size, days = (page.row(key).control for key in ("loud", "colour", "size", "days"))
        assert isinstance(loud, Switch)
        assert isinstance(colour, SegmentedControl)
        assert isinstance(size, ChoiceBox)
        assert isinstance(days, SpinBox)
        assert [page.row(key).reset.isHidden() for key in page.kept.values] == [True] * 5
        loud.click()
        colour.select(1)
        qtbot.keyClick(size, Qt.Key.Key_Down)
        page.view.show_section(SettingsSection.HISTORY)
        days.stepUp()
        await until(lambda: not page.row("days").reset.isHidden())
        assert page.kept.values == {"loud": True, "colour": "blue", "size": "l", "days": 91, "place": ""}
        for key in page.kept.values:
            page.row(key).reset.click()
        await until(page.row("days").reset.isHidden)
        assert page.kept.values == Kept().values
        assert not loud.isChecked()


async def test_a_bad_value_is_told_in_its_row_and_changes_nothing(qtbot: QtBot) -> None:
    async with opened(qtbot) as page:
        page.view.show_section(SettingsSection.TOOLS)
        place, days = page.row("place"), page.row("days")
        assert isinstance(place.control, QLineEdit)
        assert isinstance(days.control, SpinBox)
        qtbot.keyClicks(place.control, "over there")
        qtbot.keyClick(place.control, Qt.Key.Key_Return)
        assert place.problem.text() == "Expected a place without a space, got 'over there'."
        assert place.control.text() == "over there"
        place.control.setText("there")
        qtbot.keyClick(place.control, Qt.Key.Key_Return)
        assert (place.problem.isHidden(), page.kept.values["place"]) == (True, "there")
        days.control.setValue(13)
        await until(lambda: not days.problem.isHidden())
        assert (days.control.value(), page.kept.values["days"]) == (90, 90)


async def test_the_search_finds_settings_in_all_sections_by_all_their_words(qtbot: QtBot) -> None:
    async with opened(qtbot) as page:
        assert page.seen() == ["loud", "colour", "size"]
        qtbot.keyClick(page.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        for words, found in (
            ("does", ["loud", "colour", "size", "days", "place"]),
            ("HUGE", ["size"]),
            ("history days", ["days"]),
            ("teapot", []),
        ):
            page.view.search.setText(words)
            assert page.seen() == found
            assert page.view.search.accessibleDescription() == f"{len(found)} of 5"
        page.view.sections.setCurrentRow(list(SettingsSection).index(SettingsSection.HISTORY))
        assert (page.view.search.text(), page.seen()) == ("", ["days"])


async def test_no_section_is_marked_during_a_search_and_the_last_one_can_be_chosen_again(qtbot: QtBot) -> None:
    async with opened(qtbot) as page:
        sections = page.view.sections
        page.view.search.setText("days")
        assert (sections.selectedItems(), page.seen()) == ([], ["days"])
        place = sections.visualItemRect(sections.item(0)).center()
        qtbot.mouseClick(sections.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert (page.view.search.text(), page.seen()) == ("", ["loud", "colour", "size"])
        page.view.search.setText("days")
        page.view.search.clear()
        assert sections.item(0).isSelected()
        assert page.seen() == ["loud", "colour", "size"]


@pytest.mark.parametrize("section", list(SettingsSection))
def test_a_sections_words_and_icon_are_there(section: SettingsSection) -> None:
    assert section.icon in icon_names()
    assert section.sentence.endswith(".")


async def set_up_network(start: Start, view: AllSettingsView, folder: Path) -> None:
    for key, wrong, words in (
        ("proxy", "my proxy", "Expected an address such as http://proxy.example.org:3128, got 'my proxy'."),
        ("allowed_hosts", "a//b", "Expected names of hosts such as example.org"),
        ("certificates", str(folder / "gone.pem"), "cannot be read: No such file or directory."),
    ):
        view.changed.emit(key, wrong)
        await start.until(view.row_by_key[key].problem.text)
        assert words in view.row_by_key[key].problem.text()
    assert network_now() == NetworkSettings()
    view.changed.emit("proxy", "http://proxy.example.org:3128")
    view.changed.emit("allowed_hosts", "example.org")
    assert network_now() == NetworkSettings("http://proxy.example.org:3128", ("example.org",))


async def test_settings_count_at_once_are_shown_wherever_they_are_changed_and_outlast_the_program(
    theme: ThemeController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOL_CONSOLE_CONFIG", str(tmp_path / "config"))
    for name in (PROXY, ALLOWED_HOSTS, CERTIFICATES):
        # Set first, so that what the program sets is taken back.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    async with started(theme, tmp_path) as start:
        console = start.console
        console.window.settings_requested.emit()
        view = console.settings.view
        assert view is not None
        declared = [row.preference for row in view.row_by_key.values()]
        assert [
            one.key for one in declared if not isinstance(one.kind, SettingAction) and one.read() != one.default
        ] == ["theme"]  # the fixture's
        assert all(one.sentence.endswith(".") for one in declared)
        for key, value in (
            ("theme", "dark"),
            ("autonomy", "cautious"),
            ("silence", SILENCES[0].key),
            ("sounds", True),
            ("history_days", 7),
            ("gateway_calls", 5),
            ("reload_at_once", False),
        ):
            view.changed.emit(key, value)
        await start.until(lambda: console.records.retention.max_age_days == 7)
        await start.until(lambda: console.policies.snapshot.autonomy is Autonomy.CAUTIOUS)
        await set_up_network(start, view, tmp_path)
        assert theme.mode == "dark"
        assert console.gateway.panel.rules.calls_a_minute.value() == 5
        console.window.theme_chosen.emit("light")
        console.window.rail.choose("tools")
        console.window.rail.choose("settings")
        action = next(one for one in console.window.findChildren(QAction) if one.data() == "silence")
        action.trigger()
        assert view.row_by_key["silence"].isVisible()
        segments = view.row_by_key["theme"].control
        assert isinstance(segments, SegmentedControl)
        assert segments.index == 0
    use_network(NetworkSettings())
    async with started(theme, tmp_path) as again:
        assert network_now() == NetworkSettings("http://proxy.example.org:3128", ("example.org",))
        again.console.window.settings_requested.emit()
        view = again.console.settings.view
        assert view is not None
        kept = {row.preference.key: row.preference.read() for row in view.row_by_key.values()}
        assert (kept["silence"], kept["sounds"], kept["reload_at_once"]) == (SILENCES[0].key, True, False)
        assert (kept["history_days"], kept["gateway_calls"], kept["autonomy"]) == (7, 5, "cautious")


def press(row: PreferenceRow) -> None:
    assert isinstance(row.control, Button)
    row.control.click()


@pytest.mark.expects_log("tools")
async def test_plugin_files_are_listed_with_what_is_wrong_and_their_folder_opens(
    theme: ThemeController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []

    def open_url(url: QUrl) -> bool:
        shown.append(url.toLocalFile())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    good, broken = tmp_path / "good.py", tmp_path / "broken.py"
    good.write_text('from tools import tool\n\n@tool\ndef tidy() -> str:\n    "Tidy up."\n    return "done"\n', "utf-8")
    broken.write_text("def half(:\n", "utf-8")
    async with started(theme, tmp_path) as start:
        console = start.console
        console.settings.page_requested.emit("settings")
        assert console.settings.view is not None
        rows = console.settings.view.row_by_key
        assert rows["plugin_packages"].fact.text() == "No installed package brings tools."
        trust = opened_trust(start)
        for path in (good, broken):
            console.browser.add_plugin(path)
        await start.until(lambda: {good, broken} <= set(trust.row_by_path))
        await start.until(lambda: trust.row_by_path[good].state.text() == "1 tool")
        await start.until(lambda: "Could not be loaded: SyntaxError" in trust.row_by_path[broken].state.text())
        console.authoring.set_reloads_at_once(False)
        broken.write_text(good.read_text("utf-8").replace("tidy", "sweep"), "utf-8")
        press(rows["reload_plugins"])
        await start.until(lambda: trust.row_by_path[broken].state.text() == "1 tool")
        press(rows["plugin_folder"])
        assert shown == [rows["plugin_folder"].fact.text()] == [str(console._plugins.folder)]
        assert console._plugins.folder.is_dir()


def opened_trust(start: Start) -> PluginTrustView:
    """Show the section of plugins, and return its list."""
    start.console.settings.page_requested.emit("settings")
    assert start.console.settings.view is not None
    start.console.settings.view.show_section(SettingsSection.PLUGINS)
    view = start.console.window.findChild(PluginTrustView)
    assert view is not None
    return view


@pytest.mark.expects_log("tools")
async def test_a_plugin_file_or_folder_is_trusted_or_not_by_a_switch_and_its_tools_follow_at_once(
    theme: ThemeController, tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    paths = [folder / f"{name}.py" for name in ("tidy", "sweep")]
    for path in paths:
        text = f'from tools import tool\n\n@tool\ndef {path.stem}_up() -> str:\n    "Do it."\n    return "done"\n'
        path.write_text(text, "utf-8")
    async with started(theme, tmp_path, *paths) as start:
        console = start.console
        trust = opened_trust(start)
        await start.until(lambda: {folder, *paths} <= set(trust.row_by_path))
        console.open_tools.open("tidy_up")
        rows = trust.row_by_path
        await start.until(rows[paths[0]].switch.isVisible)
        rows[paths[0]].switch.click()
        await start.until(lambda: console.browser.row_of("tidy_up") is None)
        await start.until(lambda: "Its code may not run" in rows[paths[0]].state.text())
        assert console.browser.row_of("sweep_up") is not None
        assert not rows[paths[0]].switch.isChecked()
        assert console.browser.broken == 0
        await start.until(lambda: any("What is in tidy.py may not run" in words for words in start.words()))
        await start.until(lambda: "tidy_up" not in console.open_tools.names)
        rows[folder].switch.click()
        await start.until(lambda: console.browser.row_of("sweep_up") is None)
        await start.until(lambda: not rows[paths[1]].switch.isChecked())
        rows[paths[0]].switch.click()
        await start.until(lambda: console.browser.row_of("tidy_up") is not None)
        await start.until(lambda: rows[paths[0]].state.text() == "1 tool")
        assert console.browser.row_of("sweep_up") is None
        assert not rows[folder].switch.isChecked()
        assert console.settings.view is not None
        console.settings.view.search.setText("sweep.py")
        assert [row.isHidden() for row in rows.values()].count(False) == 1
    async with started(theme, tmp_path, *paths) as again:
        await again.until(lambda: again.console.browser.row_of("tidy_up") is not None)
        assert again.console.browser.row_of("sweep_up") is None


async def test_a_list_of_plugins_that_cannot_be_read_says_so_beside_the_switches(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        trust = opened_trust(start)
        await start.until(lambda: bool(trust.row_by_path))
        (row,) = trust.row_by_path.values()
        assert row.state.text() == "All plugin files in this folder, also those to come"
        start.console._workbench.plugin_list.file.parent.mkdir(parents=True, exist_ok=True)
        start.console._workbench.plugin_list.file.write_text("[", "utf-8")
        row.switch.click()
        await start.until(lambda: "cannot be read" in trust.problem.text())
        assert "(Expecting value" in trust.problem.text()
        assert trust.row_by_path == {}


async def test_the_window_is_as_on_a_first_start_at_once_with_its_columns_and_parts_of_pages(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        console = start.console
        console.window.rail.choose("health")
        console.window.rail.choose("settings")
        view = console.settings.view
        assert view is not None
        tables = [table for table in console.window.findChildren(TableView) if len(table.widths) > 1]
        first = [table.widths for table in tables]
        assert {width for widths in first for width in widths} == {0}
        for table in tables:
            table.set_widths(tuple(300 + place for place in range(len(table.widths))))
        assert any(table.widths != widths for table, widths in zip(tables, first, strict=True))
        press(view.row_by_key["reset_window"])
        assert [table.widths for table in tables] == first


async def test_another_port_counts_at_once_and_one_that_is_taken_leaves_the_gateway_where_it_was(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        console = start.console
        console.settings.page_requested.emit("settings")
        view = console.settings.view
        assert view is not None
        rows, gateway = view.row_by_key, console.gateway.presenter
        with socket.create_server(("127.0.0.1", 0)) as taken, socket.create_server(("127.0.0.1", 0)) as other:
            ports = [one.getsockname()[1] for one in (taken, other)]
            other.close()
            view.changed.emit("gateway_port", 0)
            view.changed.emit("gateway_on", True)
            await start.until(lambda: gateway.is_on)
            before = gateway.address
            view.changed.emit("gateway_port", ports[1])
            await start.until(lambda: gateway.is_on and gateway.address == f"http://127.0.0.1:{ports[1]}/mcp")
            assert before != gateway.address
            await start.until(lambda: rows["gateway_port"].preference.read() == ports[1])
            view.changed.emit("gateway_port", ports[0])
            await start.until(rows["gateway_port"].problem.text)
            assert str(ports[0]) in rows["gateway_port"].problem.text()
            await start.until(lambda: gateway.is_on)
            assert gateway.address.endswith(f":{ports[1]}/mcp")
            assert rows["gateway_port"].preference.read() == ports[1]


async def test_what_is_no_value_says_how_it_stands_and_is_done_when_it_is_pressed(
    theme: ThemeController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOL_CONSOLE_CONFIG", str(tmp_path / "config"))
    level = logging.getLogger().level
    async with started(theme, tmp_path) as start:
        console, window = start.console, start.console.window
        console.settings.page_requested.emit("settings")
        view = console.settings.view
        assert view is not None
        rows = view.row_by_key
        await start.until(lambda: rows["data_folder"].fact.text().endswith("B"))
        assert rows["data_folder"].reset.isHidden()
        press(rows["safe_mode"])
        assert QGuiApplication.clipboard().text() == rows["safe_mode"].fact.text() == "tool-console --safe-mode"
        view.changed.emit("log_level", "warning")
        assert logging.getLogger().level == logging.WARNING
        window.resize(950, 600)
        window.left_dock.hide()
        press(rows["reset_window"])
        assert window.height() > 650
        press(rows["project_servers"])
        assert window.pages.currentWidget() is console.gateway.widget
        window.rail.choose("tools")
        assert not window.left_dock.isHidden()
        project = tmp_path / "ship"
        (project / ".tool-console").mkdir(parents=True)
        (project / ".tool-console" / "servers.json").write_text("{}", "utf-8")
        console._project.choose(project)
        console.settings.refresh()
        assert rows["project_folder"].fact.text() == f"{project}, with servers.json in .tool-console"
        assert rows["density"].restart.isHidden()
        view.changed.emit("scale", "150")
        view.changed.emit("density", "compact")
        assert not rows["density"].restart.isHidden()
        rows["density"].reset.click()
        assert rows["density"].restart.isHidden()
        view.changed.emit("density", "compact")
    logging.getLogger().setLevel(level)
    kept = Preferences(tmp_path / "window.ini")
    assert (kept.scale, kept.density) == (150, "compact")


def test_rows_are_less_high_in_a_compact_window_and_nothing_else_is_smaller(qapp: QApplication) -> None:
    usual, compact = load_theme("light").size, load_theme("light", "compact").size
    smaller = {name for name in usual._fields if getattr(compact, name) != getattr(usual, name)}
    assert smaller == {"row_tree", "row_table", "row_table_dense"}
    assert all(getattr(compact, name) < getattr(usual, name) for name in smaller)


def test_the_scale_reaches_qt_and_no_program_that_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_SCALE_FACTOR", raising=False)
    with _scaled(150):
        assert os.environ["QT_SCALE_FACTOR"] == "1.5"
    assert "QT_SCALE_FACTOR" not in os.environ
    monkeypatch.setenv("QT_SCALE_FACTOR", "2")
    with _scaled(125):
        assert os.environ["QT_SCALE_FACTOR"] == "2.5"
    with _scaled(100):
        assert os.environ["QT_SCALE_FACTOR"] == "2"


ADMIN_TOOL = '''
from tools import security, tool

@tool
@security(allowed_roles=("harbour master",))
def open_the_gate() -> str:
    """Open the gate."""
    return "open"
'''


@pytest.mark.reference("D40")
async def test_the_roles_of_the_person_admit_calls_from_the_next_one_on_and_are_kept(
    theme: ThemeController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOL_CONSOLE_CONFIG", str(tmp_path / "config"))
    plugin = tmp_path / "harbour.py"
    plugin.write_text(ADMIN_TOOL, "utf-8")
    async with started(theme, tmp_path, plugin) as start:
        console = start.console
        console.window.settings_requested.emit()
        view = console.settings.view
        assert view is not None
        assert view.row_by_key["asked_roles"].fact.text() == "harbour master: open_the_gate"
        assert await start.run("open_the_gate") is not CallStatus.EXECUTED
        view.changed.emit("own_roles", "reviewer, harbour master")
        assert await start.run("open_the_gate") is CallStatus.EXECUTED
        assert console.desk.roles.names == {"reviewer", "harbour master"}
    assert Preferences(tmp_path / "window.ini").own_roles == ("reviewer", "harbour master")
