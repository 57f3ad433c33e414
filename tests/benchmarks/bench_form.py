"""How long a form takes to open and to follow a key press: few fields, many, thousands, and one without an end.

Run with `python -m tests.benchmarks.bench_form`. A form opens when `set_schema` was called and the window has painted
it; a key press ends when the letter is painted. Processor time of the window's thread counts, which other programs do
not lengthen, and of some rounds the best. The aims: 200 fields within 50 ms, a schema of 5,000 properties or one that
holds itself within 300 ms, a key press within one frame of 16 ms.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

from console.schema_form import ArgumentsEditor
from console.theme import ThemeController
from console.theme.fonts import load_fonts

ROUNDS = 5
KEYS = 20
FRAME_MS = 16.0


class Case(NamedTuple):
    """One schema, and how fast its form should be.

    Attributes:
        words: What it is.
        schema: Of the arguments.
        value: The arguments at first; None takes the defaults.
        aim_ms: From `set_schema` to the painted form.
    """

    words: str
    schema: Mapping[str, Any]
    value: Mapping[str, Any] | None
    aim_ms: float


def _mixed(count: int) -> dict[str, Any]:
    kinds: list[dict[str, Any]] = [
        {"type": "string", "description": "What to look for"},
        {"type": "integer", "minimum": 0, "maximum": 5000, "default": 20},
        {"type": "boolean", "description": "Match upper and lower case exactly"},
        {"enum": ["regex", "word", "text"]},
        {"type": "array", "items": {"type": "string"}},
        {"type": "number", "x-unit": "s"},
        {"type": "string", "format": "date"},
        {"type": "object", "properties": {"before": {"type": "integer"}, "after": {"type": "integer"}}},
        {"type": ["string", "null"], "maxLength": 40},
        {"type": "string", "format": "path"},
    ]
    first = {"type": "string", "description": "Typed into by the benchmark"}
    rest = {f"field_{number}": kinds[number % len(kinds)] for number in range(count - 1)}
    return {"type": "object", "properties": {"first": first, **rest}}


def _recursive() -> dict[str, Any]:
    node = {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "weight": {"type": "number"},
            "left": {"$ref": "#/$defs/node"},
            "right": {"$ref": "#/$defs/node"},
            "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
            "by_name": {"type": "object", "additionalProperties": {"$ref": "#/$defs/node"}},
        },
    }
    first = {"type": "string", "description": "Typed into by the benchmark"}
    return {"type": "object", "$defs": {"node": node}, "properties": {"first": first, "tree": {"$ref": "#/$defs/node"}}}


def _deep_value(levels: int) -> dict[str, Any]:
    node: dict[str, Any] = {"name": "leaf"}
    for level in range(levels):
        node = {"name": f"level {level}", "children": [node]}
    return {"tree": node}


def _table(rows: int) -> tuple[dict[str, Any], dict[str, Any]]:
    item = {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"type": "string"}, "size": {"type": "integer"}, "on": {"type": "boolean"}},
    }
    first = {"type": "string", "description": "Typed into by the benchmark"}
    schema = {"type": "object", "properties": {"first": first, "rows": {"type": "array", "items": item}}}
    return schema, {"rows": [{"name": f"row {number}", "size": number, "on": True} for number in range(rows)]}


def _cases() -> list[Case]:
    table_schema, table_value = _table(1_000)
    return [
        Case("7 fields", _mixed(7), None, 150.0),
        Case("200 fields", _mixed(200), None, 50.0),
        Case("5,000 properties", _mixed(5_000), None, 300.0),
        Case("holds itself", _recursive(), None, 300.0),
        Case("holds itself, 40 levels given", _recursive(), _deep_value(40), 300.0),
        Case("a table of 1,000 rows", table_schema, table_value, 300.0),
    ]


def _settle(window: QWidget) -> None:
    """Lay out and paint now what Qt would lay out and paint next."""
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    window.repaint()


def _elapsed_ms(action: Callable[[], None]) -> float:
    began = time.thread_time()
    action()
    return (time.thread_time() - began) * 1000


def _open_ms(editor: ArgumentsEditor, case: Case) -> float:
    def open_form() -> None:
        editor.set_schema(case.schema, value=case.value)
        _settle(editor)

    return _elapsed_ms(open_form)


def _key_ms(editor: ArgumentsEditor, target: QWidget) -> float:
    """Return the slowest of some key presses, without the first one, which makes what later ones find made."""

    def press() -> None:
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(target, QKeyEvent(kind, Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "a"))
        _settle(editor)

    press()
    return max(_elapsed_ms(press) for _ in range(KEYS))


def _measure(case: Case) -> int:
    """Print the figures of one case; return how many miss their aim."""
    opened: list[float] = []
    pressed: list[float] = []
    for _ in range(ROUNDS):
        editor = ArgumentsEditor()
        editor.resize(1112, 420)
        editor.show()
        _settle(editor)
        opened.append(_open_ms(editor, case))
        found = editor.form.editor(("first",)) or editor.form.editor(("field_0",))
        assert found is not None
        assert isinstance(found.target, QLineEdit | QPlainTextEdit)
        pressed.append(_key_ms(editor, found.target))
        editor.close()
        editor.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    open_ms, key_ms = min(opened), min(pressed)
    print(
        f"{case.words:<32} opens in {open_ms:7.1f} ms ({open_ms / case.aim_ms:.2f} of the aim)"
        f"   slowest key {key_ms:6.1f} ms ({key_ms / FRAME_MS:.2f} of a frame)"
    )
    return (open_ms > case.aim_ms) + (key_ms > FRAME_MS)


def main() -> int:
    """Measure, print, and return 0: numbers are for people, only errors break a benchmark."""
    application = QApplication.instance() or QApplication([])
    load_fonts()
    assert isinstance(application, QApplication)
    theme = ThemeController(application, "light")
    slow = sum(_measure(case) for case in _cases())
    theme.deleteLater()
    print(f"{slow} figures above the aim" if slow else "all within the aim")
    return 0


if __name__ == "__main__":
    sys.exit(main())
