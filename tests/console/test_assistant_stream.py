"""Markdown that grows: however it is cut, the pieces are the same, and only the last of them changes."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit

from console.assistant.answer_view import AnswerView, CodeBlockView
from console.assistant.markdown_stream import MarkdownPiece, MarkdownStream
from console.assistant.paced_provider import PacedProvider
from tests.tools.models.fakes import FakeProvider
from tests.tools.running import until
from tools.models import Answer, ModelRequest, TextDelta

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tools.models.port import AnswerDelta

ANSWER = """First words.

```python
print("a")

print("b")
```

1. One
2. Two

~~~
plain
~~~
"""


def pieces_of(*parts: str) -> list[MarkdownPiece]:
    stream = MarkdownStream()
    for part in parts:
        stream.feed(part)
    return stream.pieces


def test_code_stands_apart_from_prose() -> None:
    assert pieces_of(ANSWER) == [
        MarkdownPiece("First words."),
        MarkdownPiece('print("a")\n\nprint("b")', is_code=True, language="python"),
        MarkdownPiece("1. One\n2. Two"),
        MarkdownPiece("plain", is_code=True),
    ]


@given(st.lists(st.integers(0, len(ANSWER)), max_size=20))
def test_pieces_are_the_same_however_the_stream_is_cut(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(ANSWER)]
    parts = [ANSWER[start:end] for start, end in pairwise(places)]

    assert pieces_of(*parts) == pieces_of(ANSWER)


@given(st.lists(st.text("ab \n`~-1.#", max_size=400), max_size=30))
def test_pieces_before_the_last_never_change(parts: list[str]) -> None:
    stream = MarkdownStream()
    former: list[MarkdownPiece] = []
    for part in parts:
        stream.feed(part)
        settled = former[:-1]
        assert stream.pieces[: len(settled)] == settled
        former = list(stream.pieces)


@given(st.lists(st.integers(0, 20_000), max_size=8))
def test_a_line_without_an_end_is_cut_between_words_whatever_comes_at_once(cuts: list[int]) -> None:
    line = "word " * 4_000
    places = [0, *sorted(cuts), len(line)]
    pieces = pieces_of(*(line[start:end] for start, end in pairwise(places)))

    assert pieces == pieces_of(line)
    assert max(len(piece.text) for piece in pieces) <= 6_000
    assert "".join(piece.text for piece in pieces) == line


def test_long_prose_is_cut_between_paragraphs_and_never_inside_a_list() -> None:
    paragraphs = [f"Paragraph {number} " + "word " * 60 for number in range(40)]
    listed = "\n\n".join(f"- item {number} " + "word " * 60 for number in range(10))

    pieces = pieces_of("\n\n".join(paragraphs) + "\n")
    assert len(pieces) > 3
    assert "\n\n".join(piece.text for piece in pieces) == "\n\n".join(paragraphs)
    assert [piece.text for piece in pieces_of(f"{listed}\n")] == [listed]


def test_a_long_table_goes_on_under_the_names_of_its_columns() -> None:
    head = "| id | state |\n| --- | --- |"
    rows = [f"| {number} | sent |" for number in range(400)]
    pieces = pieces_of("\n".join(("Before.", "", head, *rows, "", "After.")))

    first, *others = (piece.text for piece in pieces)
    assert first.startswith(f"Before.\n\n{head}\n| 0 |")
    assert all(text.startswith(f"{head}\n| ") for text in others)
    assert others[-1].endswith("After.")
    assert max(map(len, others)) < 2_000
    assert [line for piece in pieces for line in piece.text.split("\n") if line.endswith("sent |")] == rows


def test_all_words_are_shown_however_fast_they_come(qtbot: QtBot) -> None:
    view = AnswerView()
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show()
    words = [f"word{number}" for number in range(3_000)]
    for at in range(0, len(words), 100):
        view.add_text(" ".join(words[at : at + 100]) + " ")
    qtbot.waitUntil(lambda: view.is_whole)

    assert view.plain.split() == words


def test_a_block_of_code_is_copied_with_a_click(qtbot: QtBot) -> None:
    view = AnswerView()
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show()
    for part in (ANSWER[:20], ANSWER[20:30], ANSWER[30:]):
        view.add_text(part)
    qtbot.waitUntil(lambda: view.is_whole)

    block = view.findChildren(CodeBlockView)[0]
    assert block.findChildren(QPlainTextEdit)[0].accessibleName() == "Code in python"
    qtbot.mouseClick(block.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == 'print("a")\n\nprint("b")'


async def test_an_answer_is_read_no_further_while_the_window_is_late() -> None:
    is_late, asked = True, 0
    read: list[AnswerDelta] = []

    def ask() -> bool:
        nonlocal asked
        asked += 1
        return is_late

    provider = PacedProvider(FakeProvider("Good morning."), ask)

    async def read_all() -> None:
        async with aclosing(provider.stream(ModelRequest("m-1", (), []))) as deltas:
            async for delta in deltas:
                read.append(delta)  # noqa: PERF401 -- what is read so far counts

    reading = asyncio.create_task(read_all())
    await until(lambda: asked > 3)
    assert read == [TextDelta("Good morning.")]
    is_late = False
    await reading
    assert isinstance(read[-1], Answer)
