"""The widgets of the page by themselves: tabs, folding, search, timing, attachments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QToolTip, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from console.call_result.badges import ToolBadge
from console.call_result.log_view import LogsView
from console.call_result.model import AttachmentModel, StepModel
from console.call_result.recent import RecentCall, strip_of
from console.call_result.result_header_view import ATTACHMENTS_TAB, LOGS_TAB, RESULT_TAB, TIMING_TAB, FindBar
from console.call_result.rows import CallFacts, CallFailure, GuardNotice, ToolHeading
from console.call_result.timing_view import TimingView
from console.call_result.view import AttachmentsView
from console.call_result.waterfall import BarKind, Segment, StepDetails, Timing, TimingTotal, WaterfallRow
from console.charts.lines import Tick
from console.schema_form import JsonEditor
from console.tool_page.header_view import ToolHeaderView
from console.tool_page.view import ExecutionView
from console.viewers import Content, ContentKind, Representation
from console.widgets import ROW_ROLE, ThinSplitter
from console.widgets.status import StatusName
from tools.calls import Attachment, CallStatus, LogEntry

BADGES = tuple(ToolBadge(text, "eye", f"{text}.") for text in ("Read-only", "Idempotent", "Fast", "Cached 5 min"))
HEADING = ToolHeading("search_files", "search_files", "Built-in › Files", "Search text files.", BADGES, (), "1.0.0")
LONG_NAME = "delete_every_file_that_was_not_opened_for_more_than_90_days_"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("path", "pattern")},
    "required": ["path"],
}


def _row(name: str, started_s: float, elapsed_s: float, kind: BarKind = BarKind.OVERHEAD, **facts: Any) -> WaterfallRow:
    bad = kind is BarKind.FAILED
    details = StepDetails(name, "1 of 4", (), "no data" if bad else "", (), "circle-x", "error" if bad else "ok")
    row = WaterfallRow(
        name,
        "circle-x" if bad else "circle-check",
        "error" if bad else "ok",
        (Segment(started_s, elapsed_s, kind),),
        "",
        f"{elapsed_s:.1f} s",
        "",
        details,
    )
    return row._replace(**facts)


ROWS = (
    _row("Validate arguments", 0, 0.0004),
    _row("Execute, attempt 1", 0.1, 1.5, BarKind.FAILED, label="timed out", usual="712 ms"),
    _row("Backoff", 1.6, 0.25, BarKind.WAITING, label="250 ms"),
    _row("Execute, attempt 2", 1.85, 0.7, BarKind.IN_TOOL, label="done"),
)
TOTALS = tuple(TimingTotal(kind.value if kind else "Total", "1 s", "", kind) for kind in (None, *BarKind))


def _timing(rows: tuple[WaterfallRow, ...] = ROWS, **facts: Any) -> Timing:
    recent = [RecentCall(f"c{n}", 0.7, CallStatus.EXECUTED, 1, from_cache=False, steps_s={}) for n in range(5)]
    timing = Timing(TOTALS, rows, (Tick(0, "0"), Tick(1, "1 s"), Tick(2, "2 s")), 2.55, strip_of(recent, "c4"), "")
    return timing._replace(**facts)


@pytest.fixture
def view(qtbot: QtBot) -> ExecutionView:
    view = ExecutionView(HEADING)
    view.set_schema(SCHEMA, value={"path": "src"})
    qtbot.addWidget(view)
    view.resize(1112, 700)
    view.show()
    view.activateWindow()
    return view


def _named(view: QWidget, name: str) -> Any:
    return next(widget for widget in view.findChildren(QWidget) if widget.accessibleName() == name)


def _show(view: ExecutionView, value: Any) -> None:
    kind = ContentKind.TEXT if isinstance(value, str) else ContentKind.JSON
    view.results.end(CallFacts("success", "Success", ("38 ms",)), Content(kind, value), None, "")


@pytest.mark.parametrize(
    ("key", "tab", "name"),
    [
        (Qt.Key.Key_1, RESULT_TAB, "Result"),
        (Qt.Key.Key_2, LOGS_TAB, "Logs"),
        (Qt.Key.Key_3, ATTACHMENTS_TAB, "Attachments"),
        (Qt.Key.Key_4, TIMING_TAB, "Timing"),
    ],
)
def test_alt_and_a_number_choose_the_tab(view: ExecutionView, qtbot: QtBot, key: Qt.Key, tab: int, name: str) -> None:
    _show(view, {"a": 1})
    view.results.logs.list.add([LogEntry(0, "info", "x")])
    view.results.show_attachments((Attachment("a.txt", "text/plain", b"a"),))
    view.results.timing.show_timing(_timing())
    view.results.show_tab(LOGS_TAB if tab == RESULT_TAB else RESULT_TAB)

    qtbot.keyClick(view, key, Qt.KeyboardModifier.AltModifier)

    assert view.results.current_tab == tab
    assert _named(view, name).isVisible()


def test_a_new_page_makes_what_nobody_looks_at_later(view: ExecutionView, qtbot: QtBot) -> None:
    hidden = (LogsView, AttachmentsView, TimingView, FindBar, JsonEditor)
    assert [part for kind in hidden for part in view.findChildren(kind)] == []
    assert view.guards.findChildren(QWidget) == []

    view.results.show_tab(LOGS_TAB)
    view.editor.set_mode("json")
    view.show_guards(GuardNotice("warn", "circle-x", "It failed too often.", "", action="Reset"), None)

    assert view.results.logs.isVisible()
    assert view.editor.json.edit.toPlainText() == '{\n  "path": "src"\n}'
    with qtbot.waitSignal(view.guards.action_requested):
        qtbot.mouseClick(view.guards.action, Qt.MouseButton.LeftButton)


def test_tab_visits_what_was_made_late_in_reading_order(view: ExecutionView) -> None:
    view.show_project(GuardNotice("run", "folder-open", "No project is open.", "", action="Open folder…"))
    view.results.open_find()
    view.results.show_tab(TIMING_TAB)
    view.results.timing.show_timing(_timing())
    place = {widget: place for place, widget in enumerate(_focus_chain(view))}

    results = view.results
    parts = (view.header.run_button, view.project.action, view.arguments.reset, results.result_header.maximise)
    assert sorted(parts, key=place.__getitem__) == list(parts)
    for late in (results.find_bar.field, results.timing.waterfall):
        assert place[results.result_header.maximise] < place[late] < place[results.result]


def _focus_chain(first: QWidget) -> Iterator[QWidget]:
    widget: QWidget | None = first
    while widget is not None:
        yield widget
        following = widget.nextInFocusChain()
        widget = None if following is first else following


def test_looking_at_the_timing_folds_the_arguments(view: ExecutionView, qtbot: QtBot) -> None:
    view.arguments.show_summary('path="src"')
    view.results.show_tab(TIMING_TAB)
    folded = _named(view, "Show the arguments")
    assert folded.isVisible()
    assert folded.accessibleDescription() == 'path="src"'
    assert not view.editor.isVisible()
    folded.grab()

    qtbot.mouseClick(folded, Qt.MouseButton.LeftButton)
    assert view.editor.isVisible()
    view.results.show_tab(RESULT_TAB)
    view.results.show_tab(TIMING_TAB)
    assert view.editor.isVisible()


def test_the_word_arguments_folds_them(view: ExecutionView, qtbot: QtBot) -> None:
    qtbot.mouseClick(view.arguments._heading, Qt.MouseButton.LeftButton)
    assert not view.editor.isVisible()
    view.header.menu_action("fold").trigger()
    assert view.editor.isVisible()


def test_the_result_can_take_the_whole_page(view: ExecutionView, qtbot: QtBot) -> None:
    qtbot.mouseClick(_named(view, "Maximise the result"), Qt.MouseButton.LeftButton)
    assert not view.header.isVisible()
    assert not view.arguments.isVisible()
    qtbot.waitUntil(lambda: view.results.height() == view.height())

    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.header.isVisible()
    assert view.editor.isVisible()


def test_ctrl_shift_j_changes_between_form_and_json(view: ExecutionView, qtbot: QtBot) -> None:
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(view, Qt.Key.Key_J, both)
    assert view.arguments.mode.index == 1
    assert _named(view.editor, "Arguments as JSON").isVisible()
    qtbot.keyClick(view, Qt.Key.Key_J, both)
    assert view.arguments.mode.index == 0
    assert _named(view.editor, "argument path").isVisible()


def test_text_that_is_no_json_keeps_the_person_there(view: ExecutionView) -> None:
    view.arguments.mode.select(1)
    view.document.set_text("{")

    view.arguments.mode.select(0)

    assert view.editor.mode == "json"
    assert view.arguments.mode.index == 1
    assert not view.editor.can_run()


def test_the_form_is_as_high_as_its_fields(view: ExecutionView) -> None:
    assert view.form.height() == view.form.natural_height
    view.set_schema({"type": "object", "properties": {f"field_{n}": {"type": "string"} for n in range(60)}}, value=None)
    assert view.form.height() <= view.height() // 2
    assert view.results.height() >= 160


def test_a_form_leaves_the_result_its_room_until_somebody_moves_the_handle(view: ExecutionView, qtbot: QtBot) -> None:
    view.set_schema({"type": "object", "properties": {f"field_{n}": {"type": "string"} for n in range(60)}}, value=None)
    view.resize(view.width(), 580)
    qtbot.waitUntil(lambda: view.height() == 580 and view.results.height() >= 220)
    view.resize(view.width(), 440)
    qtbot.waitUntil(lambda: view.height() == 440 and abs(view.results.height() - view.form.height()) <= 2)
    splitter = view.form.parentWidget()
    assert isinstance(splitter, ThinSplitter)
    with qtbot.waitSignal(view.form_resized) as moved:
        splitter.moveSplitter(splitter.height() - 150, 1)
    qtbot.waitUntil(lambda: view.results.height() < 160)
    assert moved.args == [view.form.height()]
    high = view.form.height()
    view.resize(view.width(), 400)
    qtbot.waitUntil(lambda: view.height() == 400 and view.form.height() < high and view.results.height() >= 124)
    view.resize(view.width(), 700)
    qtbot.waitUntil(lambda: view.form.height() == high)
    view.set_form_height(100)
    qtbot.waitUntil(lambda: view.form.height() == 100)
    splitter.reset()
    qtbot.waitUntil(lambda: view.results.height() >= 220 and view.form.height() > 100)


def test_find_goes_through_the_result(view: ExecutionView, qtbot: QtBot) -> None:
    _show(view, {"names": ["alpha", "beta", "gamma"], "last": "alphabet"})
    qtbot.keyClick(view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    field = view.results.find_bar.field
    assert field.isVisible()
    assert field.accessibleName() == "Find in the result"

    qtbot.keyClicks(field, "alpha")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert view.results.result.shown.preview.path == "$.names[0]"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert view.results.result.shown.preview.path == "$.last"
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert view.results.result.shown.preview.path == "$.names[0]"
    qtbot.keyClicks(field, "zzz")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.accessibleDescription() == "not found"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not view.results.find_bar.isVisible()


def test_the_way_to_find_is_chosen_by_key(view: ExecutionView, qtbot: QtBot) -> None:
    _show(view, {"price": "list", "note": "price of all", "rows": [{"price": 3}]})
    shown = view.results.result.shown
    shown.tree.select(("note",))
    view.results.open_find()
    bar = view.results.find_bar
    assert bar.ways.choices == ("Text", "Names", "JMESPath")

    bar.ways.setFocus()
    qtbot.keyClick(bar.ways, Qt.Key.Key_Right)
    qtbot.keyClicks(bar.field, "price")
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert shown.preview.path == "$.rows[0].price"

    bar.ways.setFocus()
    qtbot.keyClick(bar.ways, Qt.Key.Key_Right)
    assert bar.field.placeholderText().startswith("Pick with JMESPath")
    assert not _named(view, "Next").isVisible()
    with qtbot.waitSignal(shown.query_wanted) as wanted:
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert wanted.args[1] == "price"
    shown.show_query_problem("It is wrong.")
    assert bar._problem.text() == "It is wrong."
    qtbot.keyClicks(bar.field, "s")
    assert bar._problem.text() == ""

    shown.show_picked(wanted.args[0], "price", "list")
    assert shown.picked.isVisible()
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert not shown.picked.isVisible()


def test_there_is_one_way_to_find_in_text(view: ExecutionView) -> None:
    _show(view, "one\ntwo")
    view.results.open_find()
    assert not view.results.find_bar.ways.isVisible()


def test_the_forms_of_a_result_are_offered_beside_the_facts(view: ExecutionView, qtbot: QtBot) -> None:
    forms = view.results.result_header.forms
    _show(view, [{"a": 1}])
    assert forms.isVisible()
    assert forms.accessibleName() == "Form of the result"
    view.results.show_tab(LOGS_TAB)
    assert not forms.isVisible()
    view.results.show_tab(RESULT_TAB)
    with qtbot.waitSignal(view.results.result.shown.form_wanted) as wanted:
        forms.setFocus()
        qtbot.keyClick(forms, Qt.Key.Key_Right)
    assert wanted.args[1] is Representation.TABLE
    _show(view, "plain")
    assert not forms.isVisible()


def test_find_goes_through_text_and_log(view: ExecutionView, qtbot: QtBot) -> None:
    _show(view, "one\ntwo\nthree")
    view.results.open_find()
    qtbot.keyClicks(view.results.find_bar.field, "two")
    qtbot.mouseClick(_named(view, "Next"), Qt.MouseButton.LeftButton)
    assert view.results.result.shown.text.selected_text == "two"

    view.results.logs.list.add([LogEntry(0, "info", f"line {number}") for number in range(9)])
    view.results.show_tab(LOGS_TAB)
    assert not view.results.find_bar.isVisible()
    view.results.open_find()
    view.results.find_bar.field.setText("line 7")
    qtbot.mouseClick(_named(view, "Previous"), Qt.MouseButton.LeftButton)
    assert view.results.logs.list._current == 7


def test_there_is_nothing_to_find_in_the_timing(view: ExecutionView) -> None:
    view.results.show_tab(TIMING_TAB)
    view.results.open_find()

    assert not view.results.find_bar.isVisible()
    assert not view.results.result_header.find_button.isVisible()


def test_an_empty_search_takes_its_word_back(qtbot: QtBot) -> None:
    bar = FindBar()
    qtbot.addWidget(bar)
    bar.field.setText("x")
    bar.show_found(found=False)
    bar.field.clear()

    assert bar.field.accessibleDescription() == ""


def test_a_large_result_does_not_stay_behind_a_small_one(view: ExecutionView) -> None:
    _show(view, {"rows": list(range(100_000))})
    _show(view, "short")

    assert view.results.result.shown.tree.json_model.rowCount() == 0
    assert view.results.result.shown.text.text == "short"


def test_the_facts_are_read_out_and_painted(view: ExecutionView) -> None:
    facts = view.results.result_header.facts
    for status in ("running", "success", "waiting"):
        facts.show_facts(CallFacts(status, "Word", ("38 ms", "4 steps", "cache miss")))
        facts.grab()
    assert facts.accessibleName() == "Word · 38 ms · 4 steps · cache miss"
    facts.show_facts(None)
    assert facts.accessibleName() == ""


def test_badges_give_way_before_the_name(qtbot: QtBot) -> None:
    header = ToolHeaderView(HEADING._replace(name=LONG_NAME, title=LONG_NAME))
    qtbot.addWidget(header)
    header.show()

    header.resize(1400, 68)
    badges = [badge for badge in header._badges._badges if badge.isVisible()]
    assert len(badges) == 4
    header.resize(820, 68)
    badges = [badge for badge in header._badges._badges if badge.isVisible()]
    assert len(badges) < 4
    rest = header._badges._rest
    assert rest.text == f"+{4 - len(badges)}"
    assert "Cached 5 min" in rest.toolTip()
    header.grab()


def test_the_overflow_menu_copies_the_name(view: ExecutionView) -> None:
    view.header.menu_action("copy_name").trigger()

    assert QApplication.clipboard().text() == "search_files"


def test_a_notice_can_be_closed(view: ExecutionView, qtbot: QtBot) -> None:
    view.notice.show_text("Saved.")
    assert view.notice.isVisible()
    qtbot.mouseClick(_named(view, "Close this message"), Qt.MouseButton.LeftButton)
    assert not view.notice.isVisible()


def test_the_step_model_keeps_qts_rules(qtmodeltester: ModelTester) -> None:
    model = StepModel()
    model.show_rows(ROWS)
    qtmodeltester.check(model)

    index = model.index(1, 0)
    assert index.data(ROW_ROLE) == ROWS[1]
    assert model.index(1, 2).data() == "1.5 s"
    assert model.headerData(3, Qt.Orientation.Horizontal) == "Usual P50"


def test_the_attachment_model_keeps_qts_rules(qtmodeltester: ModelTester) -> None:
    model = AttachmentModel()
    first, second = (Attachment(name, "text/plain", b"x" * 2048) for name in ("a.txt", "b.txt"))
    model.show_rows((first,))
    model.show_rows((first, second))
    qtmodeltester.check(model)

    assert [model.index(1, column).data() for column in range(3)] == ["b.txt", "text/plain", "2.0 KB"]
    assert model.index(0, 2).data(Qt.ItemDataRole.ToolTipRole) == "2,048 bytes"
    model.show_rows(())
    assert model.rowCount() == 0


@pytest.fixture
def timing(qtbot: QtBot) -> TimingView:
    view = TimingView()
    qtbot.addWidget(view)
    view.resize(1112, 472)
    view.show()
    return view


def test_the_step_that_failed_is_shown_first(timing: TimingView) -> None:
    timing.show_timing(_timing())

    assert timing.waterfall.currentIndex().row() == 1
    assert timing._panel._title.text() == "Execute, attempt 1"
    assert timing._panel._message.isVisible()
    timing.grab()


def test_without_a_failure_the_longest_step_is_shown_first(timing: TimingView) -> None:
    timing.show_timing(_timing((ROWS[0], ROWS[3])))

    assert timing.waterfall.currentIndex().row() == 1
    assert not timing._panel._message.isVisible()


def test_steps_are_chosen_by_key(timing: TimingView, qtbot: QtBot) -> None:
    timing.show_timing(_timing())
    timing.waterfall.setFocus()

    with qtbot.waitSignal(timing.waterfall.step_selected) as selected:
        qtbot.keyClick(timing.waterfall, Qt.Key.Key_Down)

    assert selected.args == [ROWS[2].details]
    assert timing._panel._title.text() == "Backoff"


def test_usual_lengths_have_a_column_only_when_known(timing: TimingView) -> None:
    timing.show_timing(_timing())
    assert not timing.waterfall.isColumnHidden(3)
    timing.show_timing(_timing((ROWS[0],)))
    assert timing.waterfall.isColumnHidden(3)


def test_the_panel_gives_way_where_there_is_no_room(timing: TimingView) -> None:
    timing.show_timing(_timing())
    timing.resize(700, 472)
    assert not timing._panel.isVisible()
    timing.resize(1112, 472)
    assert timing._panel.isVisible()


def test_the_log_is_one_click_away(timing: TimingView, qtbot: QtBot) -> None:
    timing.show_timing(_timing())
    button = next(button for button in timing.findChildren(QAbstractButton) if button.text() == "Show log")
    with qtbot.waitSignal(timing.log_requested):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_bar_of_the_strip_tells_its_call(timing: TimingView) -> None:
    timing.show_timing(_timing())
    strip = timing._strip
    assert strip.accessibleName() == "Last 5 calls"
    spot = QPoint(184, 50)

    QApplication.sendEvent(strip, QHelpEvent(QEvent.Type.ToolTip, spot, strip.mapToGlobal(spot)))

    assert QToolTip.text() == "700 ms, executed"
    QToolTip.hideText()


def test_without_a_call_the_timing_says_so(timing: TimingView) -> None:
    assert _named(timing, "No timing yet. Run the tool to see where its time goes.").isVisible()
    timing.show_running()
    assert _named(timing, "The tool runs. Its steps are shown when it ends.").isVisible()
    timing.show_timing(_timing())
    timing.show_timing(None)
    assert not timing.waterfall.isVisible()


def test_the_row_of_the_tabs_folds_its_buttons_before_it_shortens_names(view: ExecutionView, qtbot: QtBot) -> None:
    header = view.results.result_header
    names = header.tabs.sizeHint().width()
    assert (header.copy.isVisible(), header.more.isVisible()) == (True, False)
    everything = header.row.minimumSize().width()
    # The rows above need more room than this one, so the page itself is not made that narrow.
    header.setFixedWidth(everything - 1)
    qtbot.waitUntil(lambda: (header.copy.isVisible(), header.more.isVisible()) == (False, True))
    qtbot.waitUntil(lambda: header.tabs.width() == names)
    header.setFixedWidth(header.row.minimumSize().width() - 20)
    qtbot.waitUntil(lambda: 0 < header.tabs.width() < names)
    header.setFixedWidth(everything)
    qtbot.waitUntil(lambda: (header.copy.isVisible(), header.more.isVisible()) == (True, False))


def test_the_status_of_a_call_keeps_its_room_beside_the_button_that_compares(view: ExecutionView, qtbot: QtBot) -> None:
    header = view.results.result_header
    _show(view, {"rows": [{"a": 1}, {"a": 2}]})
    header.show_former(is_known=True)
    width = 1112
    while not header.former.is_compact:
        view.resize(width := width - 20, 700)
        qtbot.waitUntil(lambda: header.facts.width() >= header.facts.useful_width)
    view.resize(1112, 700)
    qtbot.waitUntil(lambda: not header.former.is_compact)


def test_a_failure_of_the_call_before_is_not_shown_while_the_tool_runs_again(view: ExecutionView) -> None:
    failure = CallFailure("failed", "TypeError", "read_file failed", "no such file", (), "Check the arguments.")
    view.results.end(CallFacts("failed", "Failed", ("2 ms",)), None, failure, "")
    assert _named(view, "Failure").isVisible()
    view.results.begin()
    assert not _named(view, "Failure").isVisible()
    assert _named(view, "The tool runs. Its result is shown here when it ends.").isVisible()


@pytest.mark.parametrize("status", ["running", "waiting"])
def test_of_a_call_that_goes_on_elsewhere_no_run_is_asked_for(view: ExecutionView, status: StatusName) -> None:
    view.results.end(CallFacts(status, "Running", ()), None, None, "")
    assert _named(view, "The call has not ended. Its result is shown here when it has.").isVisible()
    view.results.clear()
    assert _named(view, "Run the tool to see its result. It is shown here, with its logs and its times.").isVisible()


def test_badges_give_way_before_a_title_is_shortened(view: ExecutionView) -> None:
    header = view.header
    name, breadcrumb, badges = header._name, header._breadcrumb, header._badges
    for width in range(1100, 400, -20):
        view.resize(width, 700)
        is_shortened = breadcrumb.width() < breadcrumb.sizeHint().width() or name.width() < name.sizeHint().width()
        assert not (is_shortened and badges.width() > 0), width
