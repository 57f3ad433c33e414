"""Settings of the window on a disk that is full for a while: told, and nothing lost."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from console.keymap import Keymap
from console.preferences import Preferences

if sys.platform == "win32":
    pytest.skip("Windows has no limit of sizes", allow_module_level=True)

from tests.full_disk import full_disk


@pytest.mark.expects_log("console.preferences")
def test_settings_of_the_window_outlast_a_full_disk(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "window.ini"
    preferences = Preferences(path)
    preferences.theme_mode = "dark"
    preferences.save()
    before = path.read_bytes()
    preferences.window_state = b"x" * 2_000
    with full_disk():
        assert preferences.save() == f"It counts until the program ends: {path} cannot be written."
    assert "cannot be written" in caplog.text
    assert path.read_bytes() == before
    assert Preferences(path).theme_mode == "dark"
    assert preferences.save() == ""
    assert Preferences(path).window_state == b"x" * 2_000


def test_shortcuts_outlast_a_full_disk(qapp: object, tmp_path: Path) -> None:
    path = tmp_path / "shortcuts.json"
    keys = Keymap(path)
    keys.assign("help", "F9")
    before = path.read_bytes()
    with full_disk(), pytest.raises(OSError, match="File too large"):
        keys.assign("help", "F10")
    assert (keys.keys("help"), path.read_bytes()) == ("F9", before)
    assert [one.name for one in tmp_path.iterdir()] == ["shortcuts.json"]
    keys.assign("help", "F10")
    assert Keymap(path).keys("help") == "F10"
