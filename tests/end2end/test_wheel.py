"""The wheel that `make dist` gives, installed where nothing else is: `make try-installers`."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.end2end.conftest import ROOT

pytestmark = pytest.mark.installers

UV = str(Path(sys.executable).with_name("uv"))
INSTALL = [UV, "tool", "install", "--quiet", "--python", sys.executable]
INSTALL += ["--constraints", str(ROOT / "packaging" / "requirements.lock")]
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def wheel() -> Path:
    (found,) = (ROOT / "dist").glob("tool_console-*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install it as `pipx` and `uv tool install` do, in an environment of its own, and return the command."""
    folder = tmp_path_factory.mktemp("tools")
    own = {"UV_TOOL_DIR": str(folder / "environments"), "UV_TOOL_BIN_DIR": str(folder / "bin")}
    subprocess.run([*INSTALL, str(wheel)], check=True, env=os.environ | own, cwd=folder)
    return folder / "bin" / "tool-console"


def clean(home: Path) -> Mapping[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return kept | {"HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}


def run(program: Path, home: Path, *words: str) -> str:
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False, env=clean(home), cwd=home)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_registry_would_take_it(wheel: Path) -> None:
    words = [UV, "tool", "run", "--quiet", "--from", "twine==7.0.0", "twine", "check", "--strict", str(wheel)]
    subprocess.run(words, check=True)


def test_it_is_the_same_wherever_and_whenever_it_is_built(wheel: Path, tmp_path: Path) -> None:
    words = [UV, "build", "--wheel", "--quiet", "--no-build-isolation", "--python", sys.executable]
    epoch = os.environ | {"SOURCE_DATE_EPOCH": "1800000000"}
    content = []
    for name in ("mine", "yours"):
        source = tmp_path / name / "tool-console"
        subprocess.run(["git", "clone", "--quiet", "--local", ROOT, source], check=True)
        subprocess.run([*words, "--out-dir", str(tmp_path / name)], cwd=source, check=True, env=epoch)
        content.append((tmp_path / name / wheel.name).read_bytes())

    assert content[0] == content[1]


def test_its_command_line_works(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("carrots and peas\n", encoding="utf-8")

    assert "read_file" in run(installed, tmp_path, "list")
    assert "carrots and peas" in run(installed, tmp_path, "call", "read_file", "path=note.txt")


def test_pipx_installs_it_and_it_finds_itself_in_order(wheel: Path, tmp_path: Path) -> None:
    own = {f"PIPX_{name}": str(tmp_path / name.lower()) for name in ("HOME", "BIN_DIR", "MAN_DIR")}
    words = [UV, "tool", "run", "--quiet", "--from", "pipx==1.18.4", "pipx", "install", "--python", sys.executable]
    subprocess.run([*words, str(wheel)], check=True, env=os.environ | own, cwd=tmp_path)
    program = tmp_path / "bin_dir" / "tool-console"

    assert "read_file" in run(program, tmp_path, "list")
    words = [str(program), "doctor", "--output", "json"]
    said = subprocess.run(words, check=False, capture_output=True, text=True, env=clean(tmp_path), cwd=tmp_path).stdout
    # A bare system has no keyring and few programs, which are warnings.
    assert json.loads(said)["worst"] in {"ok", "warning"}


def test_uvx_runs_it_without_an_installation(wheel: Path, tmp_path: Path) -> None:
    words = [UV, "tool", "run", "--quiet", "--python", sys.executable, "--from", str(wheel), "tool-console", "list"]
    listed = subprocess.run(words, check=True, capture_output=True, text=True, cwd=tmp_path)

    assert "read_file" in listed.stdout


def test_its_window_opens_and_ends(installed: Path, tmp_path: Path) -> None:
    log = tmp_path / "window.log"
    with log.open("wb") as out, subprocess.Popen([installed], env=clean(tmp_path), stdout=out, stderr=out) as window:
        lock = tmp_path / ".local" / "share" / "tool-console" / "window" / "window.lock"
        deadline = time.monotonic() + PATIENCE_S
        while not lock.exists() and window.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        # A second program ends as soon as the window of the first has answered it.
        said = run(installed, tmp_path)
        window.send_signal(signal.SIGTERM)
        code = window.wait(PATIENCE_S)

    assert "the window is open already" in said
    assert code == 0
    # Qt without a screen says so itself.
    assert log.read_text(encoding="utf-8").replace("This plugin does not support raise()\n", "") == ""


def test_an_extra_brings_its_libraries(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as content:
        (metadata,) = (name for name in content.namelist() if name.endswith(".dist-info/METADATA"))
        assert b"Provides-Extra: documents" in content.read(metadata)
    own = {"UV_TOOL_DIR": str(tmp_path / "environments"), "UV_TOOL_BIN_DIR": str(tmp_path / "bin")}
    subprocess.run([*INSTALL, f"{wheel}[documents]"], check=True, env=os.environ | own, cwd=tmp_path)

    text = run(tmp_path / "bin" / "tool-console", tmp_path, "info", "read_pdf")

    assert "pip install" not in text
    shutil.rmtree(tmp_path / "environments")
