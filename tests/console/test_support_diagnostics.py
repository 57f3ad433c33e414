"""A start that is not as usual: broken files, nowhere to write, safe mode; and what Help offers then."""

from __future__ import annotations

import faulthandler
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QListWidget, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from console.app.start import console_of
from console.crash_reports import CrashReport, CrashReports
from console.preferences import Preferences, preferences_path
from console.startup.first_window import Opening, StartUp
from console.support.diagnostics import SAFE_MODE
from console.support.installation_dialogs import CrashReportsDialog, InstallationDialog
from console.theme import ThemeController
from console.widgets import Banner
from tests.console.program import Program
from tests.obeyed_rights import obeyed_rights
from tools.calls import CallStatus
from tools.doctor import Diagnosis, Grade, as_text
from tools.paths import data_folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    return tmp_path


def banners(program: Program) -> list[str]:
    found = program.console.window.findChildren(Banner)
    return [banner.accessibleName() for banner in found if banner.isVisible()]


def content_of(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def test_safe_mode_starts_without_plugins_and_servers_and_writes_nothing_over(
    theme: ThemeController, home: Path
) -> None:
    settings = preferences_path().parent
    (settings / "plugins").mkdir(parents=True)
    (settings / "plugins" / "mine.py").write_text("raise SystemExit\n", "utf-8")
    (settings / "window.ini").write_text('[tabs]\nopen="[\\"calculate\\"]"\n', "utf-8")
    server = {"mcpServers": {"notes": {"command": "no-such-program", "trusted": True}}}
    (settings / "servers.json").write_text(json.dumps(server), "utf-8")
    before = content_of(settings)
    scratch = home / "scratch"
    scratch.mkdir()

    preferences = Preferences(scratch / "window.ini")
    project = home / "project"
    project.mkdir()
    async with Program(console_of(theme, preferences, Opening(project), StartUp(scratch))) as program:
        assert banners(program) == [" ".join(SAFE_MODE)]
        console = program.console
        console.window.rail.choose("settings")
        assert console.settings.view is not None
        density = console.settings.view.row_by_key["density"]
        density.changed.emit("density", "compact")
        assert (density.value, density.restart.isHidden()) == ("compact", True)
        assert program.console.open_tools.names == ()
        assert program.console.servers.names == ()
        assert "calculate" in program.console.executor.registry
        assert program.console._workbench.reports == ()
        # The files that are not in use are protected all the same.
        given = {"path": str(settings / "servers.json"), "text": ""}
        running = console.engine.submit(console.executor.execute, console.executor.create_call("write_file", given))
        await program.until(lambda: console.desk.open_requests)
        assert "your servers, which decide what programs are started" in str(console.desk.open_requests[0].concerns)
    assert running.result().status is CallStatus.DENIED
    assert content_of(settings) == before


@pytest.mark.expects_log("console.preferences", "console.call_storage", "console.crash_reports", "tools", "console")
async def test_broken_files_are_told_and_kept_and_the_window_opens(theme: ThemeController, home: Path) -> None:
    settings, data = preferences_path().parent, data_folder()
    settings.mkdir(parents=True)
    broken = {
        settings / "window.ini": "no settings at all\n",
        settings / "policy.toml": "[[rules\n",
        settings / "servers.json": "{",
        settings / "apis.json": "{",
        settings / "plugins.json": "{",
        settings / "health.toml": "= 1\n",
        settings / "settings.properties": "=\n",
        data / "agents.json": "{",
    }
    data.mkdir(parents=True)
    for path, text in broken.items():
        path.write_text(text, "utf-8")
    (data / "history").mkdir()
    (data / "history" / "history.sqlite").write_bytes(b"no database " * 1_000)

    async with Program(console_of(theme, Preferences(), Opening(), StartUp())) as program:
        (told,) = banners(program)
        assert "The file of the window's settings was damaged; it is kept as window.ini.damaged-" in told
        program.console.open_tools.open("calculate")
        assert program.page("calculate").isVisible()
    (aside,) = settings.glob("window.ini.damaged-*")
    assert aside.read_text("utf-8") == broken.pop(settings / "window.ini")
    assert {path: path.read_text("utf-8") for path in broken} == broken
    (aside,) = [path for path in (data / "history").glob("*.damaged-*") if path.suffix not in {"-wal", "-shm"}][:1]
    assert aside.read_bytes() == b"no database " * 1_000


@pytest.mark.expects_log("console.preferences", "console.call_storage", "console", "tools")
async def test_a_home_that_cannot_be_written_opens_the_window(
    theme: ThemeController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "file" / name.lower()))
    problem = "The log cannot be written (it is full). Let your user write there."
    begun = StartUp(None, CrashReports(), None, (problem,))
    async with Program(console_of(theme, Preferences(), Opening(), begun)) as program:
        log, settings, shortcuts = banners(program)
        assert log == problem
        assert "cannot be read (not a directory); the defaults count, and none is kept." in settings
        assert "cannot be read (not a directory); those of the program count" in shortcuts
        assert "cannot be written (a file is in the folder's place)" in program.console.records.problem
        program.console._diagnostics.check_installation()
        dialog = program.console.window.findChild(InstallationDialog)
        assert isinstance(dialog, InstallationDialog)
        await program.until(dialog.copy.isEnabled)
        assert "problems" in " ".join(label.text() for label in dialog.findChildren(QLabel))
        dialog.accept()


PAGES: Final = ("assistant", "health", "batch", "approvals", "servers", "agents", "prompts", "history", "settings")


@pytest.mark.expects_log("console", "tools")
@pytest.mark.parametrize("mode", [0o000, 0o500], ids=["unreadable", "read-only"])
async def test_a_home_that_is_forbidden_opens_every_page_and_stays_as_it_is(
    theme: ThemeController, home: Path, mode: int, caplog: pytest.LogCaptureFixture
) -> None:
    preferences_path().parent.mkdir(parents=True)
    folders = [preferences_path().parent, home / "data", home / "state", home / "cache"]
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(mode)
    try:
        with obeyed_rights():
            async with Program(console_of(theme, Preferences(), Opening(), StartUp())) as program:
                assert mode or "cannot be read (permission denied)" in " ".join(banners(program))
                assert "cannot be written (permission denied)" in program.console.records.problem
                for page in PAGES:
                    program.console.window.show_page(page)
                    # What a page reads of the disk as soon as it is seen ends before the next.
                    await program.console.records.compute(int)
                program.console.window.show_page("tools")
                program.console.open_tools.open("calculate")
                assert program.page("calculate").isVisible()
    finally:
        for folder in folders:
            folder.chmod(0o700)
    assert content_of(home) == {}
    assert "a task of the console failed" not in caplog.text


async def test_the_window_says_that_the_last_start_ended_unexpectedly_and_shows_the_report(
    theme: ThemeController, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The faults of the whole test run go elsewhere.
    monkeypatch.setattr(faulthandler, "enable", lambda _: None)
    monkeypatch.setattr(faulthandler, "disable", lambda: None)
    monkeypatch.setattr(faulthandler, "dump_traceback_later", lambda *_, **__: None)
    reports = CrashReports(tmp_path / "crashes")
    reports.folder.mkdir()
    (reports.folder / "running.txt").write_text("process 1\n\nFatal Python error: Segmentation fault\n", "utf-8")
    reports.begin()
    begun = StartUp(None, reports, reports.of_last_start())
    async with Program(console_of(theme, Preferences(home / "window.ini"), Opening(), begun)) as program:
        assert banners(program) == ["The last start ended unexpectedly. The report stays on this computer."]
        (banner,) = (one for one in program.console.window.findChildren(Banner) if one.isVisible())
        banner.buttons["reports"].click()
        dialog = program.console.window.findChild(CrashReportsDialog)
        assert isinstance(dialog, CrashReportsDialog)
        shown = dialog.findChild(QPlainTextEdit)
        assert isinstance(shown, QPlainTextEdit)
        assert "Segmentation fault" in shown.toPlainText()
        dialog.accept()
        assert banners(program) == []
    reports.end()


@pytest.fixture
def window(theme: ThemeController, qtbot: QtBot) -> QWidget:
    window = QWidget()
    window.resize(1000, 700)
    qtbot.addWidget(window)
    window.show()
    return window


def test_the_check_of_the_installation_shows_what_is_worst_first_and_is_copied(window: QWidget) -> None:
    found = [
        Diagnosis("Python", Grade.OK, "3.11.7"),
        Diagnosis("Keyring", Grade.WARNING, "none", "Install one"),
        Diagnosis("Rules", Grade.PROBLEM, "unreadable", "Correct it"),
    ]
    dialog = InstallationDialog(window)
    dialog.open()
    assert not dialog.copy.isEnabled()
    dialog.show_found(found)
    words = [label.text() for label in dialog.findChildren(QLabel)]
    assert "1 problem and 1 warning." in words
    assert [word for word in words if word in {"Python", "Keyring", "Rules"}] == ["Rules", "Keyring", "Python"]
    dialog.copy.click()
    assert QApplication.clipboard().text() == as_text(found)
    dialog.show_found(found[:1])
    assert "All is well." in [label.text() for label in dialog.findChildren(QLabel)]
    dialog.accept()


def test_crash_reports_are_listed_and_the_chosen_one_is_copied(window: QWidget, tmp_path: Path) -> None:
    moment = datetime(2026, 5, 12, tzinfo=UTC)
    reports = [CrashReport(tmp_path, moment, f"Error {number}", f"all of {number}") for number in (2, 1)]
    dialog = CrashReportsDialog(reports, window)
    dialog.open()
    listed = dialog.findChild(QListWidget)
    assert isinstance(listed, QListWidget)
    listed.setCurrentRow(1)
    dialog.copy.click()
    assert QApplication.clipboard().text() == "all of 1"
    dialog.accept()
    empty = CrashReportsDialog([], window)
    empty.open()
    assert not empty.copy.isEnabled()
    empty.accept()
