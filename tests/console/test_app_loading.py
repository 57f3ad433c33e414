"""What the window is shown without: loaded later, and classes of Qt's on the window's thread only."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import asyncio, importlib.abc, sys, threading

from PySide6.QtWidgets import QApplication

application = QApplication([])
import console.app.console
from console.app.loading import load_pages, load_the_rest
from console.charts import load_numbers, load_plots

class Watch(importlib.abc.MetaPathFinder):
    elsewhere = []

    def find_spec(self, name, path=None, target=None):
        if threading.current_thread() is not threading.main_thread():
            self.elsewhere.append(name)

sys.meta_path.insert(0, Watch())

async def work():
    await load_pages(asyncio.to_thread)
    await load_the_rest(asyncio.to_thread)
    await asyncio.to_thread(load_numbers)

assert "console.execution.view" not in sys.modules
asyncio.run(work())
assert {"console.execution.view", "console.approval.dialog", "console.health.view", "jsonschema"} <= set(sys.modules)
assert "pyqtgraph" not in sys.modules
assert "jsonschema" in Watch.elsewhere
found = [name for name in Watch.elsewhere if name.split(".")[0] in {"console", "PySide6", "shiboken6", "pyqtgraph"}]
assert not found, found
"""


def test_only_libraries_without_qt_are_imported_in_another_thread() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
