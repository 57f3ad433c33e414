"""The log: its lines as values, and the list that paints only what is seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from console.call_result.log_view import LEVELS, LogLine, LogLines, LogList, LogsView
from console.theme import Theme
from tools.calls import LogEntry


def _entries(count: int, level: str = "info", start: int = 0) -> list[LogEntry]:
    return [LogEntry(number / 1000, level, f"line {number}") for number in range(start, start + count)]


@pytest.fixture
def view(qtbot: QtBot) -> LogsView:
    view = LogsView()
    qtbot.addWidget(view)
    view.resize(600, 300)
    view.show()
    return view


def _button(view: LogsView, text: str) -> QAbstractButton:
    return next(button for button in view.findChildren(QAbstractButton) if button.text() == text)


def test_lines_are_shown_in_order() -> None:
    lines = LogLines()
    lines.add([LogEntry(0.5, "info", "first\nsecond"), LogEntry(1.25, "error", "third")])

    assert [(line.offset_s, line.level, line.text) for line in (lines[row] for row in range(len(lines)))] == [
        (0.5, "info", "first"),
        (None, "info", "second"),
        (1.25, "error", "third"),
    ]
    assert (lines.entries, lines.longest) == (2, 6)


def test_unknown_levels_and_empty_texts_stay_visible() -> None:
    lines = LogLines()
    lines.add([LogEntry(0, "notice", ""), LogEntry(0, "debug", "x")])

    assert (lines[0].level, lines[0].text) == ("info", "")
    assert lines.count("debug") == 1


def test_levels_are_chosen_before_and_after_lines_come() -> None:
    lines = LogLines()
    lines.add(_entries(3, "debug"))
    lines.show_levels(LEVELS[2:])
    lines.add([*_entries(1, "error", 3), *_entries(2, "info", 4), *_entries(1, "warning", 6)])

    assert [lines[row].text for row in range(len(lines))] == ["line 3", "line 6"]
    lines.show_levels(LEVELS)
    assert len(lines) == 7


@given(
    st.lists(st.tuples(st.sampled_from(LEVELS), st.text(max_size=20)), max_size=30),
    st.sets(st.sampled_from(LEVELS)),
    st.integers(0, 30),
)
def test_filtering_is_the_same_whenever_it_happens(parts: list[tuple[str, str]], levels: set[str], at: int) -> None:
    entries = [LogEntry(0.0, level, text) for level, text in parts]
    early, late = LogLines(), LogLines()
    early.add(entries[:at])
    early.show_levels(levels)
    early.add(entries[at:])
    late.add(entries)
    late.show_levels(levels)

    assert [early[row] for row in range(len(early))] == [late[row] for row in range(len(late))]
    assert sum(early.count(level) for level in LEVELS) == len(entries)


def test_the_last_entry_can_be_replaced() -> None:
    lines = LogLines()
    lines.add([*_entries(2), LogEntry(1, "warning", "1 more lines\nwere not kept")])

    lines.replace_last(LogEntry(2, "error", "7 more lines were not kept"))

    assert [lines[row].text for row in range(len(lines))] == ["line 0", "line 1", "7 more lines were not kept"]
    assert (lines.entries, lines.count("warning"), lines.count("error")) == (3, 0, 1)


def test_the_text_of_lines_has_time_and_level() -> None:
    lines = LogLines()
    lines.add([LogEntry(1.5, "warning", "slow\nvery")])

    assert lines.text() == "    1.500 warning slow\n" + " " * 18 + "very"


def test_a_search_goes_round() -> None:
    lines = LogLines()
    lines.add(_entries(5))

    assert lines.find("LINE 3", 0) == 3
    assert lines.find("line 1", 2) == 1
    assert lines.find("line 4", 2, backwards=True) == 4
    assert lines.find("nothing", 0) is None
    assert lines.find("", 0) is None


def test_clearing_keeps_the_levels() -> None:
    lines = LogLines()
    lines.show_levels(("error",))
    lines.add(_entries(2, "error"))
    lines.clear()

    assert (len(lines), lines.entries, lines.levels) == (0, 0, frozenset({"error"}))


@pytest.mark.reference("E24")
def test_lines_come_live_and_the_end_is_followed(view: LogsView) -> None:
    assert view.list.accessibleName() == "Logs"
    for start in range(0, 500, 50):
        view.list.add(_entries(50, start=start))

    bar = view.list.verticalScrollBar()
    assert view.list.isVisible()
    assert bar.value() == bar.maximum() > 0
    assert "line 499" in view.list.accessibleDescription()


def test_the_end_is_left_by_scrolling_up_and_found_again(view: LogsView, qtbot: QtBot) -> None:
    view.list.add(_entries(500))
    bar = view.list.verticalScrollBar()

    bar.setValue(100)
    view.list.add(_entries(50, start=500))

    assert bar.value() == 100
    follow = _button(view, "Follow the end")
    assert follow.isVisible()
    qtbot.mouseClick(follow, Qt.MouseButton.LeftButton)
    assert bar.value() == bar.maximum()
    assert follow.isHidden()


def test_scrolling_back_to_the_end_follows_it(view: LogsView) -> None:
    view.list.add(_entries(500))
    bar = view.list.verticalScrollBar()
    bar.setValue(3)
    bar.setValue(bar.maximum())
    view.list.add(_entries(10, start=500))

    assert bar.value() == bar.maximum()


def test_only_what_is_seen_is_painted(view: LogsView, monkeypatch: pytest.MonkeyPatch) -> None:
    for start in range(0, 200_000, 2_000):
        view.list.add(_entries(2_000, start=start))
    painted: list[str] = []
    paint = LogList._paint_line

    def counted(self: LogList, painter: QPainter, rect: QRect, line: LogLine, theme: Theme) -> None:
        painted.append(line.text)
        paint(self, painter, rect, line, theme)

    monkeypatch.setattr(LogList, "_paint_line", counted)
    view.list.grab()

    assert painted[-1] == "line 199999"
    assert len(painted) < 40


def test_levels_are_filtered_by_click(view: LogsView, qtbot: QtBot) -> None:
    view.list.add([*_entries(3, "debug"), *_entries(2, "warning"), *_entries(1, "error")])

    qtbot.mouseClick(_button(view, "Errors"), Qt.MouseButton.LeftButton)
    assert len(view.list.lines) == 1
    qtbot.mouseClick(_button(view, "Warnings"), Qt.MouseButton.LeftButton)
    assert len(view.list.lines) == 3
    qtbot.mouseClick(_button(view, "All"), Qt.MouseButton.LeftButton)
    assert len(view.list.lines) == 6


def test_lines_are_chosen_and_copied_by_key(view: LogsView, qtbot: QtBot) -> None:
    view.list.add(_entries(100))
    log = view.list
    log.setFocus()

    qtbot.keyClick(log, Qt.Key.Key_Home)
    qtbot.keyClick(log, Qt.Key.Key_Down)
    qtbot.keyClick(log, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(log, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    assert QGuiApplication.clipboard().text() == "    0.001 info    line 1\n    0.002 info    line 2"
    qtbot.keyClick(log, Qt.Key.Key_End)
    assert log._current == 99
    qtbot.keyClick(log, Qt.Key.Key_PageUp)
    assert log._current < 99
    qtbot.keyClick(log, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert log.selected_text().count("\n") == 99


def test_lines_are_chosen_by_mouse(view: LogsView, qtbot: QtBot) -> None:
    view.list.add(_entries(5))
    port = view.list.viewport()

    qtbot.mouseClick(port, Qt.MouseButton.LeftButton, pos=QPoint(100, 30))
    qtbot.mouseClick(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, QPoint(100, 70))

    assert view.list.selected_text().splitlines()[0].endswith("line 1")
    assert len(view.list.selected_text().splitlines()) == 3


def test_a_search_chooses_the_line(view: LogsView) -> None:
    view.list.add(_entries(1000))

    assert view.list.find_text("line 700")
    assert view.list._current == 700
    assert not view.list.find_text("nowhere")
    bar = view.list.verticalScrollBar()
    at = bar.value()
    view.list.add(_entries(10, start=1000))
    assert bar.value() == at


def test_an_empty_log_says_so(view: LogsView, qtbot: QtBot) -> None:
    view.list.add(_entries(1))
    with qtbot.waitSignal(view.count_changed) as counted:
        view.clear()

    assert counted.args == [0]
    assert not view.list.isVisible()


def test_a_very_long_line_is_shortened_when_painted_but_not_when_copied(view: LogsView) -> None:
    view.list.add([LogEntry(0, "info", "x" * 1_000_000)])

    view.list.grab()

    assert len(view.list.selected_text()) > 1_000_000
