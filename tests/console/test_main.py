"""The program without a display."""

from __future__ import annotations

import sys

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
