import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from console.preferences import Preferences, RecentProject, preferences_path, saved_language

MOMENT = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "window.ini"


def test_at_the_first_start_nothing_is_remembered(path: Path) -> None:
    preferences = Preferences(path)
    assert preferences.theme_mode == "system"
    assert preferences.window_geometry is None
    assert preferences.window_state is None
    assert preferences.open_tabs == ()
    assert preferences.current_tab == ""
    assert preferences.recent_projects == ()
    assert preferences.sizes("activity") == ()
    assert preferences.last_arguments("files.search") is None
    assert preferences.last_run("files.search") is None
    assert preferences.draft("files.search") is None
    assert preferences.flag("left_dock", default=True) is True


def test_what_is_kept_is_there_at_the_next_start(path: Path) -> None:
    first = Preferences(path)
    first.theme_mode = "dark"
    first.window_geometry = b"\x01\x00geometry"
    first.window_state = b"state"
    first.open_tabs = ("files.search", "web.fetch, or not")
    first.current_tab = "web.fetch, or not"
    first.set_sizes("activity", (80, 120))
    first.set_flag("left_dock", value=False)
    first.set_last_run("mcp:git/hub", json.dumps({"path": "ä \\ ;", "depth": 2}))
    first.set_draft("mcp:git/hub", '{"half": ')
    first.save()
    second = Preferences(path)
    assert second.theme_mode == "dark"
    assert second.window_geometry == b"\x01\x00geometry"
    assert second.window_state == b"state"
    assert second.open_tabs == ("files.search", "web.fetch, or not")
    assert second.current_tab == "web.fetch, or not"
    assert second.sizes("activity") == (80, 120)
    assert second.flag("left_dock", default=True) is False
    assert second.last_arguments("mcp:git/hub") == {"path": "ä \\ ;", "depth": 2}
    assert second.draft("mcp:git/hub") == '{"half": '


def test_the_language_is_found_before_anything_else_of_the_window_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    preferences = Preferences()
    assert (preferences.language, saved_language()) == ("", "")
    preferences.language = "de"
    preferences.save()
    assert (preferences.language, Preferences().language, saved_language()) == ("de", "de", "de")
    preferences.language = ""
    preferences.save()
    assert saved_language() == ""


def test_the_latest_project_comes_first_and_ten_are_kept(path: Path) -> None:
    preferences = Preferences(path)
    for number in range(12):
        preferences.add_recent_project(Path(f"project {number}"), MOMENT)
    preferences.add_recent_project(Path("project 5"), MOMENT + timedelta(hours=1))
    recent = preferences.recent_projects
    assert recent[0] == RecentProject(Path("project 5"), MOMENT + timedelta(hours=1))
    assert len(recent) == len({item.folder for item in recent}) == 10
    preferences.remove_recent_project(Path("project 5"))
    assert [item.folder.name for item in preferences.recent_projects][:2] == ["project 11", "project 10"]


def test_a_project_is_listed_although_its_moment_cannot_be_read(path: Path) -> None:
    preferences = Preferences(path)
    preferences.add_recent_project(Path("/srv/a shop"), MOMENT)
    preferences.save()
    path.write_text(path.read_text("utf-8").replace(MOMENT.isoformat(), "2026-13-99"), "utf-8")

    assert [item.opened for item in Preferences(path).recent_projects] == [None]


def test_huge_arguments_are_not_worth_a_file(path: Path) -> None:
    preferences = Preferences(path)
    preferences.set_last_run("write", '{"text": "short"}')
    preferences.set_last_run("write", json.dumps({"text": "x" * 300_000}))
    assert preferences.last_arguments("write") is None
    preferences.set_draft("write", "short")
    preferences.set_draft("write", "x" * 300_000)
    assert preferences.draft("write") is None


def test_the_file_is_in_the_users_configuration_folder(strange_home: Path) -> None:
    assert preferences_path().is_relative_to(strange_home)
    assert Preferences().path == preferences_path()


BROKEN = """[theme]
mode=mauve
[window]
geometry=oops
[tabs]
open="[1, 2]"
current=[]
[sizes]
activity="{\\"a\\": 1}"
[flags]
left_dock="\\"yes\\""
[arguments]
files=[1]
web={not json
"""


def test_broken_values_count_as_not_set_and_are_logged(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.write_text(BROKEN, encoding="utf-8")
    preferences = Preferences(path)
    assert preferences.theme_mode == "system"
    assert preferences.window_geometry is None
    assert preferences.open_tabs == ()
    assert preferences.current_tab == ""
    assert preferences.sizes("activity") == ()
    assert preferences.flag("left_dock", default=True) is True
    assert preferences.last_arguments("files") is None
    assert preferences.last_arguments("web") is None
    text = caplog.text
    for key in ("theme/mode", "window/geometry", "tabs/open", "sizes/activity", "flags/left_dock"):
        assert f"for {key} in window.ini" in text
    assert "arguments/web" in text


def test_a_file_that_is_no_settings_file_is_survived(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.write_bytes(b"[unclosed\n\x00\xff=\xfe\n")
    preferences = Preferences(path)
    assert preferences.theme_mode == "system"
    preferences.theme_mode = "light"
    assert preferences.theme_mode == "light"


def test_a_folder_that_cannot_be_written_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("a file where a folder is wanted", encoding="utf-8")
    preferences = Preferences(blocker / "window.ini")
    preferences.window_state = b"state"
    preferences.save()
    assert "cannot be written" in caplog.text


@pytest.mark.parametrize("content", [b"no settings\n", b"[unclosed\n", b"[a]\nb=\xff\xfe\n", b"[a]\nb=\x00\n"])
def test_a_damaged_file_is_put_aside_and_never_written_over(
    path: Path, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    path.write_bytes(content)
    preferences = Preferences(path)
    assert preferences.problem.startswith(
        "The file of the window's settings was damaged; it is kept as window.ini.damaged-"
    )
    preferences.theme_mode = "dark"
    preferences.save()
    (aside,) = path.parent.glob("window.ini.damaged-*")
    assert aside.read_bytes() == content
    assert Preferences(path).theme_mode == "dark"
    assert Preferences(path).problem == ""
