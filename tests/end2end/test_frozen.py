"""The application that `make dist` builds: `.ci/screen .venv/bin/python -m pytest tests/end2end -m frozen`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end2end.desktop import Program

ROOT = Path(__file__).parent.parent.parent
BUILT = ROOT / "dist" / "tool-console"
PROGRAM = BUILT / ("tool-console.exe" if sys.platform == "win32" else "tool-console")

# Modules that neither the console nor its packages use, and some of packages that it uses otherwise.
PLUGIN = """
import dateutil.easter, ftplib, mailbox, pathspec.gitignore, wave, xmlrpc.client
from concurrent.futures import ProcessPoolExecutor

from tools import tool

@tool(read_only=True)
def name_modules(prefix: str) -> list[str]:
    \"\"\"Name what this plugin imported.

    Args:
        prefix: Put before each name.
    \"\"\"
    modules = (dateutil.easter, ftplib, mailbox, pathspec.gitignore, wave, xmlrpc.client)
    with ProcessPoolExecutor(1) as pool:
        return [prefix + pool.submit(str, module.__name__).result() for module in modules]
"""

# Stripped ones, one with less data, and one that does without Qt's OpenGL.
USES = """
import os

import cryptography.hazmat.bindings._rust, lxml.etree, PIL.Image, regex, tree_sitter
from rapidfuzz import fuzz
from tools import tool

@tool(read_only=True)
def use_libraries() -> str:
    \"\"\"Use them.\"\"\"
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import QCollator, QLocale
    from PySide6.QtWidgets import QApplication
    application = QApplication([])
    import pyqtgraph
    plot = pyqtgraph.PlotWidget()
    plot.plot([1, 2], [3, 4])
    assert not plot.grab().isNull()
    assert fuzz.ratio("abc", "abd") > 60
    collator = QCollator(QLocale("de_DE"))
    return f"in order: {sorted(['z', 'a10', 'ä9'], key=collator.sortKey)}"
"""

LIBRARIES = """
import ssl
from pathlib import Path
from tools import tool

@tool
def name_libraries() -> str:
    \"\"\"Name the files that OpenSSL is loaded from in this process.\"\"\"
    lines = Path("/proc/self/maps").read_text().splitlines()
    return "\\n".join(sorted({line.split()[-1] for line in lines if "libssl" in line or "libcrypto" in line}))
"""

QT_LOADED = """
import sys

from tools import tool

@tool(read_only=True)
def name_loader() -> str:
    \"\"\"Name what loads a module of PySide's own.\"\"\"
    import PySide6.QtCore
    return type(sys.modules["shibokensupport.signature.parser"].__spec__.loader).__name__
"""

FAULTS = """
import ctypes, os, sys
from tools import ToolContext, tool

@tool(read_only=True)
def tell_process(ctx: ToolContext) -> dict[str, object]:
    \"\"\"Tell where it runs.\"\"\"
    print("printed")
    ctx.log("info", "logged")
    qt = [name for name in sys.modules if name.startswith(("PySide6", "console"))]
    return {"parent": os.getppid(), "process": os.getpid(), "frozen": getattr(sys, "frozen", False), "qt": qt}

@tool
def touch_bad_memory() -> str:
    \"\"\"Crash.\"\"\"
    return ctypes.string_at(0).decode()
"""

pytestmark = pytest.mark.frozen


def _run(*arguments: str | Path, expected: int = 0) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, env=environment, cwd=BUILT
    )
    assert done.returncode == expected, done.stdout + done.stderr
    return done


def test_it_says_its_version() -> None:
    assert _run("--version").stdout.strip() == "tool-console 0.1.0"


def test_it_lists_its_tools() -> None:
    tools = json.loads(_run("list", "--output", "json").stdout)

    assert len(tools) >= 35


def test_it_runs_a_tool(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("carrots and peas\n", encoding="utf-8")

    assert "carrots and peas" in _run("call", "read_file", "path=note.txt", "--project", tmp_path).stdout


def test_a_dangerous_tool_is_refused_when_nobody_answers(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("keep me\n", encoding="utf-8")

    _run("call", "delete_file", "path=note.txt", "--project", tmp_path, expected=3)

    assert note.exists()


def test_plugins_may_import_what_the_program_does_not_and_start_processes(tmp_path: Path) -> None:
    plugin = tmp_path / "names.py"
    plugin.write_text(PLUGIN, encoding="utf-8")

    done = _run("call", "name_modules", "prefix=has ", "--plugin", plugin)

    names = ("dateutil.easter", "ftplib", "mailbox", "pathspec.gitignore", "wave", "xmlrpc.client")
    assert [name for name in names if f"has {name}" not in done.stdout] == []


def test_libraries_that_were_made_smaller_still_work(tmp_path: Path) -> None:
    plugin = tmp_path / "uses.py"
    plugin.write_text(USES, encoding="utf-8")

    assert "in order: ['a10', 'ä9', 'z']" in _run("call", "use_libraries", "--plugin", plugin).stdout


def test_worker_processes_use_the_libraries_of_the_program_and_no_others(tmp_path: Path) -> None:
    plugin = tmp_path / "libraries.py"
    plugin.write_text(LIBRARIES, encoding="utf-8")

    used = _run("call", "name_libraries", "--plugin", plugin).stdout.splitlines()

    assert len(used) == 2
    assert [path for path in used if not Path(path).is_relative_to(BUILT)] == []


def test_modules_of_pyside_are_not_compiled_at_each_start(tmp_path: Path) -> None:
    plugin = tmp_path / "loaded.py"
    plugin.write_text(QT_LOADED, encoding="utf-8")

    assert _run("call", "name_loader", "--plugin", plugin).stdout.strip() == "SourcelessFileLoader"


def test_a_plugin_tool_runs_in_a_worker_process_without_qt(tmp_path: Path) -> None:
    plugin = tmp_path / "faults.py"
    plugin.write_text(FAULTS, encoding="utf-8")

    told = json.loads(_run("call", "tell_process", "--output", "json", "--plugin", plugin).stdout)

    assert (told["result"]["frozen"], told["result"]["qt"]) == (True, ["console", "console.__main__"])
    assert told["result"]["process"] != told["result"]["parent"]
    assert [entry["text"] for entry in told["logs"]] == ["printed", "logged"]


def test_a_plugin_tool_that_crashes_is_a_failed_call(tmp_path: Path) -> None:
    plugin = tmp_path / "faults.py"
    plugin.write_text(FAULTS, encoding="utf-8")

    done = _run("call", "touch_bad_memory", "--plugin", plugin, expected=5)

    assert "SIGSEGV" in done.stderr
    assert "in touch_bad_memory" in done.stderr


def test_a_plugin_that_crashes_while_it_is_loaded_harms_no_other(tmp_path: Path) -> None:
    falling, working = tmp_path / "falling.py", tmp_path / "faults.py"
    falling.write_text("import ctypes\n\nctypes.string_at(0)\n", encoding="utf-8")
    working.write_text(FAULTS, encoding="utf-8")

    done = _run("list", "--plugin", falling, "--plugin", working)

    assert "falling.py did not load: the file ended its process" in done.stderr
    assert "tell_process" in done.stdout


def test_its_window_opens_and_closes(tmp_path: Path) -> None:
    with Program([str(PROGRAM)], tmp_path) as program:
        program.wait_for_window()
        program.close_window()

        assert program.wait() == 0, program.log()
        assert program.complaints() == []


def test_it_carries_the_words_of_its_languages() -> None:
    assert {path.name for path in BUILT.rglob("*.qm")} == {"de.qm", "qtbase_de.qm"}


def test_it_carries_its_notices_and_no_open_door() -> None:
    shipped = {path.name for path in BUILT.rglob("*")}

    assert {"LICENSE", "THIRD-PARTY-NOTICES.md", "Inter-OFL.txt", "JetBrainsMono-OFL.txt"} <= shipped
    # Qt's vnc platform listens on all interfaces without a password.
    assert [name for name in shipped if "vnc" in name.lower()] == []
