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

shots.SCENES = (broken, shots.servers_page, shots.first_run)
sys.argv = ["shots"]
sys.exit(shots.main())
"""


def test_a_scene_that_fails_or_lacks_its_servers_keeps_no_other_from_being_shown(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(_REPOSITORY), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", _BROKEN]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "SceneError: nothing on show is called 'no such thing'" in done.stderr
    assert "failed: broken (light), broken (dark)" in done.stderr
    assert "servers_page (light) skipped: needs packaging/bootstrap servers" in done.stderr
    assert "QThread" not in done.stderr
    pictures = {path.stem for path in (tmp_path / "build" / "shots").glob("*.png")}
    assert {"first-run-light", "first-run-dark", "servers-empty-light", "servers-empty-dark"} <= pictures
