"""What is too much for one frame reaches the window in pieces, and all of it does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from console.call_events import CallBegun, CallOutput, WindowEvent
from console.engine import BATCH, Engine
from console.json_view import code_spans, load_languages
from console.json_view.pretty import bounded_json
from console.schema_form import SchemaForm
from console.schema_form.field_row import FieldRow
from tools.calls import CallStarted, LogEntry, Logged, ToolCall

NUMBER = 60


def some_call(number: int = 1) -> ToolCall:
    return ToolCall(str(number), None, "tool", {}, "you", 0.0)


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = Engine()
    engine.start()
    yield engine
    engine.stop()


@pytest.fixture
def batches(engine: Engine) -> list[list[WindowEvent]]:
    received: list[list[WindowEvent]] = []
    engine.events.connect(received.append)
    return received


def test_a_flood_of_lines_is_told_once_a_batch_and_call(
    engine: Engine, batches: list[list[WindowEvent]], qtbot: QtBot
) -> None:
    first, second = some_call(1), some_call(2)
    for number in range(1_000):
        engine.receive(Logged(first, LogEntry(0.0, "info", str(number))))
        engine.receive(Logged(second, LogEntry(0.0, "info", str(number))))
    qtbot.waitUntil(lambda: bool(batches))
    engine.receive(Logged(first, LogEntry(0.0, "info", "later")))
    qtbot.waitUntil(lambda: len(batches) > 1)

    outputs = [[event for event in batch if isinstance(event, CallOutput)] for batch in batches]
    assert [[(output.call_id, len(output.logs)) for output in batch] for batch in outputs] == [
        [("1", 1_000), ("2", 1_000)],
        [("1", 1)],
    ]


def test_no_other_event_is_left_out_and_no_batch_is_too_large(
    engine: Engine, batches: list[list[WindowEvent]], qtbot: QtBot
) -> None:
    told = [CallBegun(str(number), "tool") for number in range(2 * BATCH + 1)]
    for number in range(len(told)):
        engine.receive(CallStarted(some_call(number)))
    qtbot.waitUntil(lambda: sum(map(len, batches)) == len(told))

    assert [len(batch) for batch in batches] == [BATCH, BATCH, 1]
    assert [event for batch in batches for event in batch] == told


def test_a_large_form_shows_its_first_fields_at_once_and_the_others_when_they_come_into_view(qtbot: QtBot) -> None:
    area, form = QScrollArea(), SchemaForm()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    area.setWidget(form)
    area.resize(900, 300)
    names = [f"argument_{number}" for number in range(NUMBER)]
    form.set_schema({"type": "object", "properties": {name: {"type": "string"} for name in names}})
    area.show()
    qtbot.waitUntil(lambda: any(row.isVisible() for row in form.findChildren(FieldRow)))
    at_once = len(form.findChildren(FieldRow))
    assert 0 < at_once < NUMBER
    bar = area.verticalScrollBar()

    def is_at_the_end() -> bool:
        bar.setValue(bar.maximum())
        return names[-1] in {row.field.name for row in form.findChildren(FieldRow) if row.isVisible()}

    qtbot.waitUntil(is_at_the_end)
    assert [field.name for field in form.fields()] == names


def test_whoever_asks_for_a_field_of_a_large_form_gets_it(qtbot: QtBot) -> None:
    form = SchemaForm()
    qtbot.addWidget(form)
    form.set_schema(
        {"type": "object", "properties": {f"argument_{number}": {"type": "string"} for number in range(NUMBER)}}
    )

    assert form.editor((f"argument_{NUMBER - 1}",)) is not None
    assert len(form.fields()) == NUMBER


def test_the_beginning_of_a_huge_text_inside_a_value_is_written() -> None:
    text, is_whole = bounded_json({"path": "huge.log", "content": "line\n" * 1_000_000})

    assert text.startswith('{\n  "path": "huge.log",\n  "content": "line\\nline')
    assert (len(text), is_whole) == (60_000, False)


def test_a_value_that_is_just_cut_in_its_last_text_is_not_whole() -> None:
    assert bounded_json(["x" * 60_001])[1] is False
    assert bounded_json(["x" * 100, {"a": [1, None, (2,)]}]) == (
        '[\n  "' + "x" * 100 + '",\n  {\n    "a": [\n      1,\n      null,\n      [\n        2\n      ]\n    ]\n  }\n]',
        True,
    )


def test_languages_can_be_loaded_beforehand() -> None:
    load_languages()

    assert code_spans(["return 1"], "x.py")[0][0].kind == "keyword"
