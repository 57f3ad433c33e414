"""Import modules as Python does, without PySide's look at each of them."""

from __future__ import annotations

import builtins

import PySide6.QtCore  # noqa: F401 -- it puts PySide's import in place of Python's


def import_plainly() -> None:
    """Let no import statement pass through PySide any more.

    WORKAROUND PySide6 6.11: it takes the place of `__import__`, for the sake of `from __feature__ import snake_case`,
    which nothing here uses. Each import statement calls Python code then, also those inside functions, and the source
    of each new module is read once more and searched for "PySide6": a fifth of what the start took.
    """
    builtins.__import__ = vars(builtins).get("__orig_import__", builtins.__import__)
