"""The pictures of the program are taken on any machine: what one scene lacks keeps no other from being shown."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_REPOSITORY = Path(__file__).parents[2]
_BROKEN = """
import sys
from tests import shots

async def broken(stage):
    await stage.open(first_time=False)
    stage.find("no such thing")

shots.SCENES = (broken, shots.first_run)
sys.argv = ["shots"]
sys.exit(shots.main())
"""


def _shots(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Take pictures in a folder where no servers were put."""
    environment = {**os.environ, "PYTHONPATH": str(_REPOSITORY), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def _pictures(folder: Path) -> set[str]:
    return {path.stem for path in (folder / "build" / "shots").glob("*.png")}


def test_a_scene_without_its_servers_is_skipped_with_a_word(tmp_path: Path) -> None:
    done = _shots(tmp_path, "-m", "tests.shots", "servers_page", "first_run")
    assert done.returncode == 0
    assert "servers_page (light) skipped: needs packaging/bootstrap servers" in done.stderr
    assert "QThread" not in done.stderr
    assert {"first-run-light", "first-run-dark", "servers-empty-light", "servers-empty-dark"} <= _pictures(tmp_path)


def test_a_scene_that_fails_ends_its_program_and_the_others_are_shown(tmp_path: Path) -> None:
    done = _shots(tmp_path, "-c", _BROKEN)
    assert done.returncode == 1
    assert "SceneError: nothing on show is called 'no such thing'" in done.stderr
    assert "failed: broken (light), broken (dark)" in done.stderr
    assert "QThread" not in done.stderr
    assert {"first-run-light", "first-run-dark"} <= _pictures(tmp_path)
