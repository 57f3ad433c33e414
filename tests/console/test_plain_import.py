"""PySide looks at no import statement of the program."""

from __future__ import annotations

import subprocess
import sys

_PROGRAM = """
import builtins
import PySide6.QtCore
pysides = builtins.__import__
assert pysides is builtins.__feature_import__, "PySide looks at import statements no more: leave the work-around out"
from console.responsiveness.plain_import import import_plainly
import_plainly()
import_plainly()
assert builtins.__import__ is not pysides
from console.app.start import run_window
assert builtins.__import__ is not pysides
"""


def test_modules_are_imported_without_pysides_look_at_each() -> None:
    subprocess.run([sys.executable, "-c", _PROGRAM], check=True, timeout=60)
