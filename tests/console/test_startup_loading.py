"""What the window is shown without: loaded later, and classes of Qt's on the window's thread only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import asyncio, importlib.abc, sys, threading

from PySide6.QtWidgets import QApplication

application = QApplication([])
import console.app.console
from console.startup.loading import load_pages, load_the_rest
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

assert "console.tool_page.view" not in sys.modules
asyncio.run(work())
assert {"console.tool_page.view", "console.approval.dialog", "console.health.view", "jsonschema"} <= set(sys.modules)
assert "pyqtgraph" not in sys.modules
assert "jsonschema" in Watch.elsewhere
found = [name for name in Watch.elsewhere if name.split(".")[0] in {"console", "PySide6", "shiboken6", "pyqtgraph"}]
assert not found, found
"""

PAINTED = """
import asyncio, os, sys
from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from qasync import QEventLoop

from console.app.start import make_application
from console.app.console import Console
from console.preferences import Preferences
from console.theme import ThemeController
from tools.discovery import PluginList
from tools.workbench import Workbench

class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() is QEvent.Type.Paint:
            print(*sys.modules, flush=True)
            os._exit(0)
        return False

async def show(home):
    console = Console(theme, Preferences(home / "window.ini"), Workbench(PluginList(home)), home, data=home / "data")
    watch = Watch()
    console.window.installEventFilter(watch)
    console.start()
    await asyncio.Event().wait()

application = make_application()
theme = ThemeController(application, "light")
with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
    runner.run(show(Path(sys.argv[1])))
"""

LATER = {
    *("charset_normalizer", "cryptography", "docstring_parser", "httpx", "httpx2", "jinja2", "jmespath", "jsonschema"),
    *("keyring", "markdown_it", "mcp", "numpy", "openai", "anthropic", "opentelemetry", "pint", "psutil", "pygments"),
    *("pyqtgraph", "regex", "rich", "ruamel.yaml"),
    *("tools.batch", "tools.catalog", "tools.mcp.servers", "tools.models", "tools.openapi.document", "tools.search"),
    *("tools.review.human_input", "tools.review.terminal", "tools.review.webhook"),
    *(
        "console.support.help_dialogs",
        "console.batch.rows",
        "console.call_result.view",
        "console.comparison",
        "console.tool_page.view",
    ),
    *("console.json_view", "console.schema_form", "console.viewers"),
}
"""What the first picture of the window needs nothing of, and takes long to import."""


def test_the_window_is_painted_before_what_it_does_not_show_is_imported(tmp_path: Path) -> None:
    words = [sys.executable, "-c", PAINTED, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)

    loaded = set(done.stdout.split())
    assert "console.app.console" in loaded
    assert loaded & LATER == set()


def test_only_libraries_without_qt_are_imported_in_another_thread() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
