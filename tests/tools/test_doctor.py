"""`tool-console doctor` says what is wrong with an installation, and changes nothing of it."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.tools.command_line import command_of
from tools import make_tool
from tools.audit import AuditLog
from tools.discovery import PluginList
from tools.doctor import Diagnosis, Grade, Installation, as_text, examine, worst
from tools.doctor.environment import display_checked, extras_checked, programs_checked, python_checked, qt_checked
from tools.doctor.files import LITTLE_BYTES, folders_checked
from tools.extras import EXTRAS
from tools.history import History
from tools.workbench import AUDIT_FOLDER, HISTORY_FOLDER, Workbench


class Home(NamedTuple):
    config: Path
    data: Path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    config, data = tmp_path / "config", tmp_path / "data"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(config))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(data))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.chdir(tmp_path)
    (config / "tool-console").mkdir(parents=True)
    data.mkdir()
    return Home(config / "tool-console", data)


@pytest.fixture
def doctor(
    home: Home, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., dict[str, Any]]:
    command = command_of(lambda: Workbench(PluginList(home.config), installed=[]), capsys, monkeypatch)

    def examined(*words: str) -> dict[str, Any]:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        code, out, _ = command("doctor", "--output", "json", "--port", port, *words)
        document = json.loads(out)
        assert code == {"ok": 0, "warning": 1, "problem": 5}[document["worst"]]
        found: dict[str, Any] = {one["subject"]: one for one in document["checks"]}
        return found

    return examined


def test_a_sound_installation_has_no_problem(doctor: Callable[..., dict[str, Any]], home: Home) -> None:
    before = sorted(home.data.rglob("*")) + sorted(home.config.rglob("*"))
    found = doctor()
    assert [one for one in found.values() if one["grade"] == "problem"] == []
    # This test has a keyring that keeps nothing.
    assert found["Keyring"]["grade"] == "warning"
    assert found["History"]["found"] == "none yet"
    assert sorted(home.data.rglob("*")) + sorted(home.config.rglob("*")) == before


@pytest.mark.parametrize(
    ("subject", "file", "text"),
    [
        ("Settings", "config/settings.properties", "=nothing\n"),
        ("Rules", "config/policy.toml", "[[rules\n"),
        ("Servers", "config/servers.json", "{"),
        ("APIs", "config/apis.json", "[]"),
        ("Limits", "config/health.toml", "= 1"),
        ("Agents", "data/agents.json", "{"),
        ("Plugin list", "config/plugins.json", "{"),
    ],
)
@pytest.mark.expects_log("tools.health.limits_file")
def test_a_file_that_cannot_be_read_is_told_and_left_as_it_is(
    doctor: Callable[..., dict[str, Any]], home: Home, subject: str, file: str, text: str
) -> None:
    folder, name = file.split("/")
    path = getattr(home, folder) / name
    path.write_text(text, "utf-8")
    one = doctor()[subject]
    assert one["grade"] == "problem"
    assert name in one["found"]
    assert str(path) in one["remedy"]
    assert "\n" not in one["found"] + one["remedy"]
    assert path.read_text("utf-8") == text


def test_the_history_and_the_audit_log_are_looked_at(doctor: Callable[..., dict[str, Any]], home: Home) -> None:
    history = History(home.data / HISTORY_FOLDER)
    history.open()
    history.close()
    with AuditLog(home.data / AUDIT_FOLDER):
        pass
    found = doctor()
    assert found["History"] == {
        "subject": "History",
        "grade": "ok",
        "found": f"0 calls in {history.path}",
        "remedy": "",
    }
    assert found["Audit log"]["grade"] == "ok"

    connection = sqlite3.connect(history.path)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    (home.data / AUDIT_FOLDER / "audit-000001.jsonl").write_text("an entry that somebody made up\n", "utf-8")
    found = doctor()
    assert found["History"]["grade"] == found["Audit log"]["grade"] == "problem"
    assert "another version of this program (schema 999" in found["History"]["found"]
    assert "tool-console audit verify" in found["Audit log"]["remedy"]

    history.path.write_bytes(b"no database " * 1_000)
    assert "is damaged" in doctor()["History"]["found"]
    (history.path.parent / "history.sqlite.damaged-20260101-000000").touch()
    assert "history.sqlite.damaged-20260101-000000" in doctor()["Put aside"]["found"]


def test_a_plugin_that_does_not_load_is_told(home: Home) -> None:
    (one,) = [
        one
        for one in examine(Installation(failures=(("notes.py", "line 3:\n no such name."),)))
        if one.subject == "Plugin"
    ]
    assert one.grade is Grade.PROBLEM
    assert one.found == "notes.py did not load: line 3: no such name"
    assert one.remedy == "Mend it and reload, or take it off the list of plugins"


@pytest.mark.expects_log("tools.doctor")
def test_a_check_that_fails_itself_stops_no_other(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keyring.get_keyring", lambda: 1 / 0)
    found = {one.subject: one for one in examine(Installation())}
    assert found["Keyring"].grade is Grade.PROBLEM
    assert found["Keyring"].found == "cannot be looked at (ZeroDivisionError: division by zero)"
    assert found["git"].subject == "git"


def test_a_port_that_another_program_has_is_told(
    home: Home, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = command_of(lambda: Workbench(PluginList(home.config), installed=[]), capsys, monkeypatch)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        _, out, _ = command("doctor", "--port", str(port))
    (line,) = [line for line in out.splitlines() if " Port " in line]
    assert line.startswith("warning  Port ")
    assert f"port {port} of 127.0.0.1 is not free" in line
    assert line.endswith("End the program that has it, or choose another port on the Servers page or with serve --port")


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (one,) = folders_checked([("Data folder", tmp_path / "file" / "data")])
    assert one.grade is Grade.PROBLEM
    assert one.found == f"{tmp_path / 'file' / 'data'}: a file is in the folder's place"
    assert str(tmp_path / "file") in one.remedy


def test_little_room_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grades = []
    for free in (LITTLE_BYTES, LITTLE_BYTES - 1, 0):
        monkeypatch.setattr("shutil.disk_usage", lambda _, free=free: type("Usage", (), {"free": free}))
        *_, room = folders_checked([("Data folder", tmp_path)])
        grades.append(room.grade)
    assert grades == [Grade.OK, Grade.WARNING, Grade.PROBLEM]


@pytest.mark.parametrize(
    ("python", "qt", "grade"),
    [
        ((3, 11, 7), "6.11.3", Grade.OK),
        ((3, 11, 7), "6.12.0", Grade.PROBLEM),
        ((3, 12, 1), "6.12.0", Grade.OK),
        ((3, 13, 0), "6.7.3", Grade.PROBLEM),
    ],
)
def test_the_qt_that_ends_the_window_on_python_3_11_is_told(
    python: tuple[int, int, int], qt: str, grade: Grade
) -> None:
    (one,) = qt_checked(python, qt)
    assert one.grade is grade
    assert ("PySide6-Essentials>=6.8,<6.12" in one.remedy) is (grade is not Grade.OK)


def test_the_version_of_python_is_looked_at() -> None:
    grades = [next(python_checked(version)).grade for version in ((3, 10, 9), (3, 11, 0), (3, 13, 2), (3, 14, 0))]
    assert grades == [Grade.PROBLEM, Grade.OK, Grade.OK, Grade.WARNING]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have a display always")
def test_a_missing_display_is_told() -> None:
    def found(environ: dict[str, str]) -> Diagnosis:
        return list(display_checked(environ))[-1]

    assert found({}).grade is Grade.WARNING
    assert "DISPLAY and WAYLAND_DISPLAY are not set" in found({}).found
    assert found({"DISPLAY": ":59"}).grade is Grade.PROBLEM
    assert found({"WAYLAND_DISPLAY": "wayland-0"}).grade is Grade.OK
    assert found({"QT_QPA_PLATFORM": "offscreen"}).grade is Grade.OK
    nowhere, *_ = display_checked({"QT_QPA_PLATFORM": "nowhere"})
    assert nowhere.found == "PySide6 has no platform plugin 'nowhere'"


@pytest.mark.skipif(os.name == "nt", reason="programs are found by their rights here")
def test_only_programs_and_libraries_of_tools_in_use_are_worth_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "git").touch(0o755)
    monkeypatch.setattr("tools.doctor.environment.missing_libraries", lambda extra: EXTRAS[extra])

    def work() -> None:
        """Work."""

    tools = [
        make_tool("measure_film", "Measure a film.", work, needs=("ffprobe",)),
        make_tool("read_film", "Read a film.", work, needs=("ffprobe",)),
        make_tool("draw_film", "Draw a film.", work, extra="charts"),
    ]
    programs = {one.subject: one for one in programs_checked(tools, {"read_film"})}
    assert programs["git"] == Diagnosis("git", Grade.OK, str(tmp_path / "git"))
    told = "not installed; read_film cannot work without it"
    assert programs["ffprobe"] == Diagnosis("ffprobe", Grade.WARNING, told, "Install the package ffmpeg")
    assert programs["tesseract"].grade is Grade.OK

    charts, rest = extras_checked(tools, {"draw_film"})
    assert (charts.grade, charts.found) == (Grade.WARNING, "draw_film cannot work without matplotlib")
    assert charts.remedy.startswith("Install it with: python -m pip install")
    assert rest.found == "not installed and not used so far: databases, documents, duckdb, images"
    assert [one.grade for one in extras_checked(tools, set())] == [Grade.OK]


def test_the_report_has_a_line_for_each_check_and_the_worst_decides() -> None:
    found = [Diagnosis("A", Grade.OK, "fine"), Diagnosis("Long", Grade.WARNING, "old", "Renew it")]
    assert as_text(found) == "ok       A     fine\nwarning  Long  old. Renew it"
    assert worst(found) is Grade.WARNING
    assert worst([]) is Grade.OK
