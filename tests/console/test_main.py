"""The program without a display."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from console.__main__ import main


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_without_a_display_the_program_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)

    assert main([]) == 1
    told = capsys.readouterr().err
    assert "neither DISPLAY nor WAYLAND_DISPLAY is set" in told
    assert told.count("\n") == 1


@pytest.mark.parametrize("name", ["missing", "notes.txt"])
def test_a_project_that_is_no_folder_opens_no_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "notes.txt").touch()

    assert main(["--project", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err == f"tool-console: --project: {tmp_path / name} is no folder\n"
