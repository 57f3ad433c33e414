"""What the bell lists: changes of health, questions, runs and servers, with the way to each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from console.batch.page import RunProgress, progress_of
from console.batch.rows import Phase
from console.call_events import CallEnded, QuestionDecided
from console.widgets import format_time
from console.window.notifications import Notifications
from console.window.top_bar import TopBar
from tests.console.approval_questions import question
from tools import Continue, Edit, ExitEarly, ReviewDecision
from tools.calls import TIME_LIMIT, CallError, CallStatus, ErrorKind
from tools.health import HealthChange, HealthStatus

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)


class Facts(NamedTuple):
    """What a run tells of itself."""

    phase: Phase


class Runs(QObject):
    """Tells of runs as the Batch page does."""

    updated = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.progress: RunProgress = progress_of("nightly", {"done": 3})


class Bench:
    """A bell and what is told to it."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.bar = TopBar()
        qtbot.addWidget(self.bar)
        self.bar.resize(900, 40)
        with qtbot.waitExposed(self.bar):
            self.bar.show()
        self.runs = Runs()
        self.found = Notifications(self.bar, self.runs, now=lambda: NOW, parent=self.bar)  # type: ignore[arg-type]

    def decided(self, decision: ReviewDecision, by: str, name: str = "delete_file") -> None:
        request = question(name, {"text": "a"} if name == "repeat" else None)
        self.found.take([QuestionDecided(request.call.id, request.call.tool.name, request.id, decision, by)])

    def listed(self) -> list[str]:
        return [action.text().split("\t")[0] for action in self.bar.bell.entries]

    def menu(self) -> QMenu:
        menu = self.bar.bell.menu()
        assert isinstance(menu, QMenu)
        return menu


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_the_bell_says_that_nothing_happened_yet(bench: Bench) -> None:
    texts = [action.text() for action in bench.menu().actions() if action.isVisible() and not action.isSeparator()]

    assert texts == ["Nothing happened yet", "Do not disturb", "Sound with notices", "Allow calls from notices"]
    assert bench.bar.bell.accessibleName() == "What happened"


@pytest.mark.parametrize(
    ("decision", "by", "words", "is_new"),
    [
        (Continue(), "you", "delete_file was allowed", False),
        (Edit({"path": "b"}), "you", "delete_file was allowed with an edit", False),
        (ExitEarly("not today"), "you", "delete_file was denied: not today", False),
        (ExitEarly(timed_out=True), TIME_LIMIT, "delete_file: nobody answered in time", True),
        (Continue(), "night watch", "delete_file was allowed: by night watch", True),
    ],
)
def test_answers_are_listed_and_those_of_others_are_new(
    bench: Bench, decision: ReviewDecision, by: str, words: str, is_new: bool
) -> None:
    bench.decided(decision, by)

    assert bench.listed() == [words]
    assert bench.bar.bell.accessibleName() == ("What happened, 1 new" if is_new else "What happened")
    assert bench.bar.bell.entries[0].font().bold() is is_new


@pytest.mark.parametrize("by", ["", "rule r-1"])
def test_what_a_rule_decided_or_was_withdrawn_is_no_answer(bench: Bench, by: str) -> None:
    bench.decided(Continue(), by)

    assert bench.listed() == []


def test_the_newest_stands_first_with_its_time(bench: Bench) -> None:
    bench.found.take_health(HealthChange("fetch", HealthStatus.UP, HealthStatus.DOWN, "success is 50%", NOW))
    bench.found.take_health(HealthChange("fetch", HealthStatus.DOWN, HealthStatus.UP, None, NOW + timedelta(minutes=5)))

    down, up = HealthStatus.DOWN.value, HealthStatus.UP.value
    assert bench.listed() == [f"fetch is {up} again", f"fetch is {down}: success is 50%"]
    assert bench.bar.bell.entries[1].text().split("\t")[1] == format_time(NOW)
    assert bench.bar.bell.accessibleName() == "What happened, 2 new"


def test_a_run_is_listed_once_when_it_ends(bench: Bench) -> None:
    for phase in (Phase.RUNNING, Phase.RUNNING, Phase.OVER, Phase.OVER):
        bench.runs.updated.emit(Facts(phase))

    assert bench.listed() == ["nightly is done"]


def test_a_server_is_listed_when_it_fails_and_when_it_is_well_again(bench: Bench) -> None:
    for troubles in ({"shop": "it ended with code 1"}, {"shop": "it ended with code 1"}, {}):
        bench.found.take_troubles(troubles)

    assert bench.listed() == ["Server shop has no trouble any more", "Server shop failed: it ended with code 1"]


def test_an_entry_leads_to_its_place_by_click_and_by_key(bench: Bench) -> None:
    bench.decided(ExitEarly(timed_out=True), TIME_LIMIT)
    bench.found.take_troubles({"shop": "gone"})
    bench.found.take_health(HealthChange("fetch", HealthStatus.UP, HealthStatus.DOWN, "slow", NOW))
    pages, servers, calls = (
        QSignalSpy(signal)
        for signal in (bench.found.page_requested, bench.found.server_requested, bench.found.tool_calls_requested)
    )
    menu = bench.menu()
    menu.popup(bench.bar.mapToGlobal(bench.bar.rect().bottomLeft()))
    health = bench.bar.bell.entries[0]
    bench.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(health).center())
    assert (pages.count(), pages.at(0)) == (1, ["health"])
    menu.popup(bench.bar.mapToGlobal(bench.bar.rect().bottomLeft()))
    menu.setActiveAction(bench.bar.bell.entries[1])
    bench.qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert (servers.count(), servers.at(0)) == (1, ["shop"])
    bench.bar.bell.entries[2].trigger()
    assert (calls.count(), calls.at(0)) == (1, ["delete_file"])


def test_whoever_looked_has_nothing_new(bench: Bench) -> None:
    bench.found.take_troubles({"shop": "gone"})
    menu = bench.menu()
    menu.popup(bench.bar.mapToGlobal(bench.bar.rect().bottomLeft()))
    assert bench.bar.bell.accessibleName() == "What happened, 1 new"
    bench.qtbot.keyClick(menu, Qt.Key.Key_Escape)

    assert bench.bar.bell.accessibleName() == "What happened"
    assert bench.listed() == ["Server shop failed: gone"]


def test_a_dozen_is_listed_and_fifty_are_kept(bench: Bench) -> None:
    for number in range(60):
        bench.found.take_troubles({f"shop-{number}": "gone"})
        bench.found.take_troubles({})

    assert len(bench.listed()) == 12
    assert len(bench.found.kept) == 50
    assert bench.bar.bell.accessibleName() == "What happened, 50 new"


def test_an_allowed_call_that_never_ran_is_told(bench: Bench) -> None:
    record = question().call
    error = CallError(ErrorKind.EXPIRED, "the agent left and did not ask again within 600 s, so nothing was run")
    bench.found.take([CallEnded(record._replace(status=CallStatus.TIMED_OUT, error=error))])
    bench.found.take([CallEnded(record._replace(status=CallStatus.FAILED, error=CallError(ErrorKind.TOOL, "no")))])

    assert [kept.title for kept in bench.found.kept] == ["delete_file was allowed and never ran"]
    assert "did not ask again" in bench.found.kept[0].detail
