"""The leak hunters of the two conftests catch what they are there for, and nothing else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent

TOOLS_TESTS = """
import asyncio, logging, socket, threading
import pytest

stop = threading.Event()
loops = []

def test_good():
    async def main():
        asyncio.get_running_loop().call_soon(lambda: None)
        await asyncio.to_thread(str)
    asyncio.run(main())

def test_bad_thread():
    threading.Thread(target=stop.wait, daemon=True, name="left behind").start()

def test_bad_task():
    loop = asyncio.new_event_loop()
    loops.append((loop, loop.create_task(asyncio.sleep(60))))

def test_bad_log():
    logging.getLogger("tools.execution").warning("careful")

@pytest.mark.expects_log("tools")
def test_good_log():
    logging.getLogger("tools.execution").warning("careful")

def test_good_caplog(caplog):
    logging.getLogger("tools.execution").warning("careful")

def test_good_network():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass
    with pytest.raises(OSError, match="no network"):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    with pytest.raises(socket.gaierror):
        socket.create_connection(("example.org", 80), timeout=1)
"""

CONSOLE_TESTS = """
import asyncio
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

kept = []

def test_good_widget(qtbot):
    widget = QWidget()
    QLineEdit(widget)
    qtbot.addWidget(widget)
    widget.show()

def test_bad_widget():
    kept.append(QDialog())

def test_bad_timer():
    timer = QTimer()
    timer.start(1000)
    kept.append(timer)

def test_good_loop(run_in_qt):
    async def main():
        await asyncio.sleep(0)
        return await asyncio.to_thread(lambda: 7)
    assert run_in_qt(main()) == 7
"""


def _run(folder: Path, room: str, source: str) -> dict[str, str]:
    """Run test `source` under copies of our conftests and return the outcome of each test by its name."""
    here = folder / "tests" / room
    here.mkdir(parents=True)
    (folder / "pyproject.toml").write_bytes((TESTS.parent / "pyproject.toml").read_bytes())
    for name in ("conftest.py", "reference_rows.toml", f"{room}/conftest.py"):
        if (TESTS / name).exists():
            text = (TESTS / name).read_text(encoding="utf-8").replace("_ENDING_S = 2.0", "_ENDING_S = 0.2")
            (folder / "tests" / name).write_text(text, encoding="utf-8")
    (here / "test_leaks.py").write_text(source, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider"],
        cwd=folder,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    outcomes: dict[str, str] = {}
    for outcome, name in re.findall(r"^(PASSED|FAILED|ERROR) tests/\S+::(\w+)", done.stdout, re.MULTILINE):
        outcomes[name] = "bad" if outcome != "PASSED" else outcomes.get(name, "good")
    assert outcomes, done.stdout + done.stderr
    return outcomes


def test_leaks_of_a_framework_test_are_caught(tmp_path: Path) -> None:
    outcomes = _run(tmp_path, "tools", TOOLS_TESTS)

    assert len(outcomes) == 7
    assert all(name.startswith(f"test_{outcome}") for name, outcome in outcomes.items()), outcomes


def test_leaks_of_a_console_test_are_caught(tmp_path: Path) -> None:
    outcomes = _run(tmp_path, "console", CONSOLE_TESTS)

    assert len(outcomes) == 4
    assert all(name.startswith(f"test_{outcome}") for name, outcome in outcomes.items()), outcomes
