"""The reader of large texts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from console.json_view import TextView
from console.json_view.text_lines import TextRows, TextSpan
from console.theme import load_theme

LINES = [f"line {number} of the text" for number in range(500)]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a search end at once however slow the machine is."""
    monkeypatch.setattr("console.json_view.finding._FIRST_S", 60.0)


@pytest.fixture
def view(qtbot: QtBot) -> TextView:
    view = TextView()
    qtbot.addWidget(view)
    view.resize(400, 200)
    view.set_text("\n".join(LINES))
    with qtbot.waitActive(view):
        view.show()
        view.activateWindow()
    view.setFocus()
    return view


def colours_of(view: TextView) -> set[int]:
    image = view.viewport().grab().toImage()
    return {image.pixelColor(x, y).rgb() for x in range(image.width()) for y in range(image.height())}


def test_keys_scroll(view: TextView, qtbot: QtBot) -> None:
    bar = view.verticalScrollBar()
    assert bar.maximum() == 500 - bar.pageStep()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert bar.value() == 1
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    assert bar.value() == 1 + bar.pageStep()
    qtbot.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert bar.value() == bar.maximum()
    qtbot.keyClick(view, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert bar.value() == 0


def test_everything_is_copied_unless_something_is_selected(view: TextView, qtbot: QtBot) -> None:
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "\n".join(LINES)

    view.select(0, 6)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "line 0"
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert view.selected_text == "\n".join(LINES)


def test_the_pointer_selects(view: TextView, qtbot: QtBot) -> None:
    port = view.viewport()
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=QPoint(0, 5))
    qtbot.mouseMove(port, QPoint(0, 45))
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=QPoint(0, 45))
    assert view.selected_text == "line 0 of the text\nline 1 of the text\n"

    qtbot.mouseDClick(port, Qt.MouseButton.LeftButton, pos=QPoint(20, 5))
    assert view.selected_text == "line"
    qtbot.mouseClick(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, QPoint(5000, 5))
    assert view.selected_text == "line 0 of the text"


def test_search_goes_to_the_next_place_and_begins_again(view: TextView) -> None:
    assert view.find("LINE 499")
    assert view.selected_text == "line 499"
    assert view.verticalScrollBar().value() > 400
    assert view.find("line 7 ")
    assert view.selected_text == "line 7 "
    assert view.find("line", backwards=True)
    assert view.selected_text == "line"
    assert view.find("of the", backwards=True)
    assert not view.find("nobody")
    assert not view.find("")


def test_a_long_search_goes_on_and_tells_how_it_ended(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.json_view.finding._FIRST_S", 0.0)
    view = TextView()
    qtbot.addWidget(view)
    view.set_text("x" * 3_000_000 + "needle")

    with qtbot.waitSignal(view.find_finished) as ended:
        assert view.find("Needle")
    assert ended.args == [True]
    assert view.selected_text == "needle"
    with qtbot.waitSignal(view.find_finished) as ended:
        assert view.find("nobody")
    assert ended.args == [False]


def test_lines_of_a_large_text_are_found_little_by_little(qtbot: QtBot) -> None:
    view = TextView()
    qtbot.addWidget(view)
    view.resize(300, 200)
    view.set_text("\n".join(str(number) for number in range(50_000)))
    assert view.line_count < 50_000

    view.select(len(view.text) - 5, len(view.text))
    qtbot.waitUntil(lambda: view.line_count == 50_000)
    bar = view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())
    assert view.selected_text == "49999"


def test_long_lines_break_or_scroll(view: TextView, qtbot: QtBot) -> None:
    view.set_text("x" * 1000 + "END\nsecond")
    across = view.horizontalScrollBar()
    assert view.verticalScrollBar().maximum() == 0
    assert across.maximum() > 900
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert across.value() == across.maximum()

    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(20, 20), QPoint(20, 20))
    QApplication.sendEvent(view.viewport(), event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    next(action for action in menu.actions() if action.text() == "Break long lines").trigger()
    menu.close()
    assert across.maximum() == 0
    rows = view.verticalScrollBar().maximum() + view.verticalScrollBar().pageStep()
    assert rows > 15
    view.resize(900, 200)
    assert view.verticalScrollBar().maximum() + view.verticalScrollBar().pageStep() < rows


def test_one_huge_line_is_searched_and_shown(view: TextView) -> None:
    view.set_text("ab " * 1_000_000 + "needle" + " cd" * 100_000)
    assert view.find("needle")
    assert view.selected_text == "needle"
    across = view.horizontalScrollBar()
    assert across.value() <= 3_000_000 < across.value() + across.pageStep()

    view.set_wrapped(wrapped=True)
    assert view.verticalScrollBar().value() > 1000
    assert view.find("needle", backwards=True)
    assert view.selected_text == "needle"


def test_wide_letters_and_tabs_keep_their_cells(view: TextView, qtbot: QtBot) -> None:
    view.set_text("漢字\tend e\u0301!")
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(12 + round(7.2 * 9.5), 8))

    assert view.selected_text == "end"
    assert load_theme("light").color.text.rgb() in colours_of(view)


def test_numbers_marks_and_colours_are_painted(view: TextView) -> None:
    theme = load_theme("light")
    view.set_text(
        "def f():\n    NOTE\n",
        first_number=117,
        marked_line=118,
        mark=(4, 8),
        spans=[[TextSpan(0, 3, "keyword")], [TextSpan(0, 8, "comment")], []],
    )
    seen = colours_of(view)

    assert theme.syntax.keyword.rgb() in seen
    assert theme.color.accent_soft.rgb() in seen
    assert theme.color.match_bg.rgb() in seen
    assert theme.color.text3.rgb() in seen
    view.set_text("plain")
    assert theme.color.match_bg.rgb() not in colours_of(view)


def test_assistive_programs_read_the_beginning(view: TextView) -> None:
    assert view.accessibleDescription().startswith("line 0 of the text\nline 1")
    view.clear()
    assert view.accessibleDescription() == ""
    assert view.text == ""


@pytest.mark.parametrize("wrapped", [False, True])
def test_text_that_is_put_at_the_end_is_as_if_it_had_been_there(view: TextView, wrapped: bool) -> None:
    whole = "\n".join(["short", "long " * 40, "", "tab\there", "x" * 5000, "end"])
    grown = TextRows("", 30 if wrapped else None)
    for start in range(0, len(whole), 7):
        grown.grow(whole[start : start + 7])
        grown.extend(1000)
    rows = TextRows(whole, 30 if wrapped else None)
    rows.extend(1000)

    assert grown.is_complete
    assert grown.row_count == rows.row_count
    assert [grown.row(index) for index in range(grown.row_count)] == [
        rows.row(index) for index in range(rows.row_count)
    ]


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("Deletes the file of this name.", ["Deletes the ", "file of this ", "name."]),
        ("twelve cells and", ["twelve cells ", "and"]),
        ("twelve cells ", ["twelve cells "]),
        ("unbreakable" * 2, ["unbreakableu", "nbreakable"]),
        ("   unbreakable", ["   unbreakab", "le"]),
        ("", [""]),
    ],
)
def test_rows_end_between_words(line: str, rows: list[str]) -> None:
    text = TextRows(f"{line}\nnext", 12)
    text.extend(10)
    shown = [text.row(index) for index in range(text.row_count)]
    assert [text.text[row.start : row.end] for row in shown] == [*rows, "next"]
    for index, row in enumerate(shown):
        assert {text.row_of(offset) for offset in range(row.start, row.end)} <= {index}


def test_a_view_of_the_end_follows_what_comes(view: TextView) -> None:
    bar = view.verticalScrollBar()
    view.append("\nmore" * 50)
    assert bar.value() == 0
    bar.setValue(bar.maximum())
    view.append("\nmore" * 50 + "\nlast")
    assert view.text.endswith("more\nlast")
    assert view.line_count == 601
    assert bar.value() == bar.maximum()


def test_a_view_of_the_end_follows_much_text_too(view: TextView, qtbot: QtBot) -> None:
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum())
    view.append("\nmore" * 20_000)
    qtbot.waitUntil(lambda: view.line_count == 20_500)

    assert bar.value() == bar.maximum()


def test_lines_are_coloured_when_they_come_into_sight(view: TextView) -> None:
    asked: list[str] = []

    def find(line: str) -> list[TextSpan]:
        asked.append(line)
        return [TextSpan(0, len(line), "keyword")]

    view.set_text("\n".join([*LINES, "x" * 10_000]), spans_of=find)
    assert load_theme("light").syntax.keyword.rgb() in colours_of(view)
    assert 0 < len(set(asked)) < 40

    view.set_text("\n".join(LINES))
    assert load_theme("light").syntax.keyword.rgb() not in colours_of(view)
    view.set_spans([[TextSpan(0, 18, "keyword")]] * 20)
    assert load_theme("light").syntax.keyword.rgb() in colours_of(view)
