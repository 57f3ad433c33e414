"""One page with every widget of a form in every state, each a picture of a real form with the focus really in it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.schema_form import SchemaForm
from console.theme import theme_of
from console.widgets import paint_text, set_surface

if TYPE_CHECKING:
    from tests.shots import Stage

__all__ = ["widgets"]

_LAID_OUT_S: Final = 0.03
_CELL: Final = 400
_MARGIN: Final = 12
_HEAD: Final = 28
_STATES: Final = ("normal", "focus", "error", "disabled", "absent", "null")


class _Sample(NamedTuple):
    """One kind of field.

    Attributes:
        name: Of the argument.
        schema: What makes it of this kind; null is added.
        value: A good one.
        wrong: A bad one, or text that is no value yet.
    """

    name: str
    schema: dict[str, Any]
    value: Any
    wrong: Any


_CITIES: Final = [f"City {number}" for number in range(1, 31)]
_SAMPLES: Final = (
    _Sample("text", {"type": "string", "title": "One line", "maxLength": 12}, "TODO|FIXME", "much too long for this"),
    _Sample("lines", {"type": "string", "format": "multiline", "minLength": 20}, "SELECT *\nFROM tickets", "x"),
    _Sample("whole", {"type": "integer", "minimum": 1, "maximum": 5000, "x-unit": "rows"}, 200, 9000),
    _Sample("number", {"type": "number", "multipleOf": 0.5}, 2.5, "2,5x"),
    _Sample("exact", {"type": "integer"}, 123456789012345678901234567890, "1e"),
    _Sample("yes_or_no", {"type": "boolean", "description": "Match upper and lower case"}, True, "yes"),
    _Sample("choice", {"enum": ["regular_expression", "whole_word"]}, "whole_word", "other"),
    _Sample("city", {"enum": _CITIES}, "City 7", "Town"),
    _Sample("constant", {"const": "v1"}, "v1", "v2"),
    _Sample("some", {"type": "array", "items": {"enum": ["read", "write", "run"]}}, ["read", "run"], ["eat"]),
    _Sample("cities", {"type": "array", "items": {"enum": _CITIES}}, ["City 2", "City 3"], ["Town"]),
    _Sample("chips", {"type": "array", "items": {"type": "string"}, "maxItems": 2}, ["*.py", "*.md"], ["a", "b", "c"]),
    _Sample("path", {"type": "string", "format": "path"}, "src/agents", ""),
    _Sample("day", {"type": "string", "format": "date"}, "2026-03-31", "31.3."),
    _Sample("moment", {"type": "string", "format": "date-time"}, "2026-03-31T09:30:00Z", "noon"),
    _Sample("length", {"type": "string", "format": "duration"}, "PT1H30M", "long"),
    _Sample("key", {"type": "string", "format": "password", "minLength": 12}, "s3cret-s3cret", "short"),
    _Sample("file", {"type": "string", "contentEncoding": "base64"}, "aGVsbG8K", "!"),
    _Sample("uuid", {"type": "string", "format": "uuid"}, "123e4567-e89b-12d3-a456-426614174000", "1234"),
    _Sample("address", {"type": "string", "format": "uri"}, "https://example.org/", "example"),
    _Sample("anything", {}, {"deep": [1, None]}, "{"),
    _Sample("old_name", {"type": "string", "deprecated": True, "description": "Use text"}, "a", 7),
    _Sample("set_by_tool", {"type": "string", "readOnly": True}, "42", 7),
    _Sample(
        "object",
        {
            "type": "object",
            "properties": {"before": {"type": "integer", "x-unit": "lines"}, "all": {"type": "boolean"}},
        },
        {"before": 2, "all": True},
        {"before": "x"},
    ),
    _Sample("map", {"type": "object", "additionalProperties": {"type": "integer"}}, {"a": 1}, {"a": "x"}),
    _Sample("pair", {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}]}, [1, 2], ["x", 2]),
    _Sample("flags", {"type": "array", "items": {"type": "boolean"}}, [True, False], ["x"]),
    _Sample(
        "people",
        {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
        [{"name": "Mira"}, {"name": "Noor"}],
        [{"name": 1}],
    ),
    _Sample(
        "variant",
        {
            "anyOf": [
                {"type": "object", "title": "A place", "properties": {"x": {"type": "number"}}},
                {"type": "string"},
            ]
        },
        {"x": 1.5},
        True,
    ),
)


async def widgets(stage: Stage) -> None:
    """Every widget of a form, in every state."""
    rows = [[await _cell(stage, sample, state) for state in _STATES] for sample in _SAMPLES]
    heights = [max(cell.height() for cell in row) for row in rows]
    size = QSize(len(_STATES) * _CELL, _HEAD + sum(heights))
    page = QPixmap(size)
    theme = theme_of(stage.application)
    page.fill(theme.color.surface)
    painter = QPainter(page)
    for column, state in enumerate(_STATES):
        box = QRect(column * _CELL + _MARGIN, 0, _CELL - _MARGIN, _HEAD)
        paint_text(painter, box, state.capitalize(), theme.font("heading"), theme.color.text)
    top = _HEAD
    for row, height in zip(rows, heights, strict=True):
        painter.fillRect(0, top, size.width(), 1, theme.color.divider)
        for column, cell in enumerate(row):
            painter.drawPixmap(column * _CELL, top + 1, cell)
        top += height
    painter.end()
    path = Path("build") / "shots" / f"widgets-{stage.theme.mode}.png"
    page.save(str(path))
    stage.taken.append(path)


async def _cell(stage: Stage, sample: _Sample, state: str) -> QPixmap:
    """Return the picture of one field in one state."""
    holder = QWidget()
    set_surface(holder, "surface")
    holder.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    holder.setProperty("focusRing", "none")
    column = QVBoxLayout(holder)
    column.setContentsMargins(_MARGIN, 8, _MARGIN, 8)
    form = SchemaForm(parent=holder)
    column.addWidget(form)
    schema = sample.schema if not sample.schema or state == "normal" else _or_null(sample.schema)
    form.set_schema({"type": "object", "properties": {sample.name: schema}}, value=_held(sample, state))
    holder.setEnabled(state != "disabled")
    holder.resize(_CELL, 400)
    holder.show()
    holder.activateWindow()
    await stage.until(holder.isActiveWindow)
    # A window that comes to the front gives the focus to its first field.
    holder.setFocus()
    if state == "error":
        editor = form.editor((sample.name,))
        if editor is not None and _is_typed(sample):
            QTest.keyClicks(editor.target, sample.wrong)
            holder.setFocus()
        form.reveal_missing()
    if state == "focus":
        # The ring is for people who move by keyboard, and that is seen at the native window.
        QTest.keyClick(holder.windowHandle(), Qt.Key.Key_Tab)
    await asyncio.sleep(_LAID_OUT_S)
    picture = holder.grab(QRect(0, 0, _CELL, form.heightForWidth(_CELL - 2 * _MARGIN) + 16))
    holder.close()
    holder.deleteLater()
    return picture


def _held(sample: _Sample, state: str) -> dict[str, Any]:
    """Return the arguments that put a field into a state."""
    if state == "absent" or (state == "error" and _is_typed(sample)):
        return {}
    if state == "null":
        return {sample.name: None}
    return {sample.name: sample.wrong if state == "error" else sample.value}


def _is_typed(sample: _Sample) -> bool:
    """Tell whether what is wrong is text that is no value, and so cannot stand in the arguments."""
    return (
        isinstance(sample.wrong, str)
        and sample.schema.get("type") in {"integer", "number", None}
        and not (sample.schema.keys() & {"enum", "const", "anyOf"})
    )


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    kinds = schema.get("anyOf", [{key: value for key, value in schema.items() if key not in _AROUND}])
    return {**{key: schema[key] for key in _AROUND if key in schema}, "anyOf": [*kinds, {"type": "null"}]}


_AROUND: Final = ("title", "description", "deprecated", "readOnly")
