"""Where a question appears: over the window that is looked at, on the page, or on the desktop."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from console.approval.approval_queue import ApprovalQueue, TimeoutPolicy
from console.approval.dialog import ApprovalDialog
from console.approval.page import ApprovalsPage
from console.approval.page_view import ApprovalsView
from console.approval.queue_rows import pending_row
from console.approval.review_aids import AidedViewPort, ReviewAids
from console.call_storage import CallStorage
from console.engine import Engine
from console.notices import Chosen, DesktopNotice, DesktopPresence
from console.preferences import Preferences
from console.responsiveness.heartbeat import UiHeartbeat
from console.tasks import TaskScope
from console.window import MainWindow
from tests.console.approval_questions import TOOLS, question
from tests.tools.running import until
from tools import Continue, Executor, ExitEarly, ReviewDecision, ReviewRequest, ToolRegistry, resolve_tools
from tools.spec import RiskClass, RiskDegree

Asked = concurrent.futures.Future[ReviewDecision]
RunInQt = Callable[[Coroutine[Any, Any, None]], None]
PATIENCE_S = 20.0


class _Desktop:
    """A desktop that keeps what it is to show."""

    def __init__(self) -> None:
        self.notices: dict[str, DesktopNotice] = {}

    def show(self, notice: DesktopNotice) -> None:
        self.notices[notice.key] = notice

    def withdraw(self, key: str) -> None:
        self.notices.pop(key, None)

    def close(self) -> None:
        self.notices.clear()


class _NoAids(ReviewAids):
    """Know nothing beyond the question."""

    def __init__(self, request: ReviewRequest, view: AidedViewPort) -> None:
        QObject.__init__(self)

    def close(self) -> None:
        pass

    def answer(self, decision: ReviewDecision, then: Callable[[ReviewDecision], None]) -> None:
        then(decision)


@dataclass
class _House:
    """The window with everything between desk and person; whether it is looked at is said by `looks`."""

    qtbot: QtBot
    home: Path
    engine: Engine
    looks: bool = True
    now_s: float = 0.0
    asked_before: list[tuple[str, Callable[[], None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desk = ApprovalQueue()
        self.window = MainWindow()
        remembered = QWidget()
        for widget in (self.window, remembered):
            self.qtbot.addWidget(widget)
        self.executor = Executor(ToolRegistry(resolve_tools(list(TOOLS))), review_handler=self.desk)
        self.preferences = Preferences(self.home / "window.ini")
        self.scope = TaskScope("test")
        self.records = CallStorage(self.home / "data", self.executor, UiHeartbeat(self.desk), self.desk)
        self.presence = DesktopPresence(self.window, self.preferences, is_active=lambda: self.looks, parent=self.desk)
        self.approvals = ApprovalsPage(
            self.desk,
            self.presence,
            self.window,
            executor=self.executor,
            rules=tuple,
            records=self.records,
            preferences=self.preferences,
            scope=self.scope,
            aid=_NoAids,
            ask=self._ask,
            remembered=remembered,
            folder=Path.home,
            clock=lambda: self.now_s,
            parent=self.desk,
        )
        self.approvals.waiting_changed.connect(self._show_waiting)
        self.approvals.page_requested.connect(self.show_page)
        self.approvals.dimmed.connect(self.window.dim)
        self.window.top_bar.quiet_toggled.connect(self.presence.set_quiet)
        self.window.top_bar.sounds_toggled.connect(self.presence.set_sounds)
        self.window.top_bar.allowing_toggled.connect(self.presence.set_may_allow)
        self.window.top_bar.bell.show_settings(sounds=False, allowing=True)
        self.desktop = _Desktop()
        self.presence.notices.set_desktop(self.desktop)
        self.window.rail.add_page("tools", "Tools", "wrench")
        self.window.add_page("tools", QWidget())
        self.window.rail.add_page("approvals", "Approvals", "shield-check")
        self.window.add_page("approvals", self.approvals.widget, whole=True)
        self.window.resize(1280, 800)
        self.window.show()

    def _show_waiting(self, count: int) -> None:
        self.window.rail.set_count("approvals", count)

    def show_page(self) -> None:
        self.window.rail.choose("approvals")

    def _ask(self, title: str, text: str, yes: str, then: Callable[[], None]) -> None:
        self.asked_before.append((title, then))

    until = staticmethod(until)

    async def ask(self, *requests: ReviewRequest) -> list[Asked]:
        waiting = len(self.desk.open_requests)
        asked = [self.engine.submit(self.desk.review, request) for request in requests]
        await self.until(lambda: len(self.desk.open_requests) == waiting + len(requests))
        return asked

    def look(self, *, at_it: bool) -> None:
        self.looks = at_it
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.applicationStateChanged.emit(application.applicationState())

    @property
    def dialogs(self) -> list[ApprovalDialog]:
        return [dialog for dialog in self.window.findChildren(ApprovalDialog) if dialog.isVisible()]

    @property
    def page(self) -> ApprovalsView:
        page = self.window.findChild(ApprovalsView)
        assert page is not None
        return page


Scenario = Callable[[_House], Coroutine[Any, Any, None]]


def in_qt(scenario: Scenario) -> Callable[[RunInQt, QtBot, Path], None]:
    """Make a test of what happens on Qt's loop."""

    def test(run_in_qt: RunInQt, qtbot: QtBot, tmp_path: Path) -> None:
        async def play() -> None:
            engine = Engine()
            engine.start()
            house = _House(qtbot, tmp_path, engine)
            await house.records.open()
            try:
                # A test that waits in vain fails; it does not hold up all others.
                async with asyncio.timeout(4 * PATIENCE_S):
                    await scenario(house)
            finally:
                house.approvals.refuse_from_now_on("the test is over")
                house.approvals.close()
                house.presence.close()
                await house.scope.close()
                await house.records.close()
                await engine.call(house.executor.aclose)
                engine.stop()

        run_in_qt(play())

    test.__name__ = scenario.__name__
    return test


def _repeat(text: str = "a") -> ReviewRequest:
    return question("repeat", {"text": text})


def _judged(text: str = "a") -> ReviewRequest:
    return _repeat(text)._replace(degree=RiskDegree.MEDIUM)


@in_qt
async def test_a_dialog_comes_over_the_window_that_is_looked_at(house: _House) -> None:
    await house.ask(_repeat())
    await house.until(lambda: len(house.dialogs) == 1)
    assert house.desktop.notices == {}
    assert house.window.rail.count("approvals") == 1


@pytest.mark.reference("D39")
@in_qt
async def test_whoever_works_elsewhere_gets_a_notice_and_no_window(house: _House) -> None:
    house.looks = False
    request = _repeat()
    await house.ask(request)
    assert house.dialogs == []
    notice = house.desktop.notices[request.id]
    assert notice.title == "repeat wants to run"
    assert notice.text == 'text="a" times=1\nagent: claude-desktop, asks first'
    assert notice.actions == (("deny", "Deny"),)
    assert not notice.urgent

    house.look(at_it=True)
    assert house.desktop.notices == {}
    await house.until(lambda: len(house.dialogs) == 1)


@in_qt
async def test_a_notice_allows_a_call_whose_arguments_stand_in_it_once_it_could_be_read(house: _House) -> None:
    house.looks = False
    hasty, read = _judged("a"), _judged("b")
    _, asked = await house.ask(hasty, read)
    notice = house.desktop.notices[read.id]
    assert notice.text == 'text="b"\ntimes=1\nagent: claude-desktop, medium risk'
    assert notice.actions == (("allow", "Allow once"), ("deny", "Deny"))
    house.presence.notices.receive(Chosen(hasty.id, "allow"))
    await house.until(lambda: house.window.findChild(ApprovalsView) is not None)
    assert len(house.desk.open_requests) == 2

    house.now_s = 1.0
    house.presence.notices.receive(Chosen(read.id, "allow"))
    assert await asyncio.wrap_future(asked) == Continue()
    assert [request.id for request in house.desk.open_requests] == [hasty.id]


@in_qt
async def test_allowing_from_notices_can_be_switched_off(house: _House) -> None:
    house.looks = False
    shown = _judged("a")
    (asked,) = await house.ask(shown)
    _bell(house, "Allow calls from notices").trigger()
    house.now_s = 1.0
    assert not house.preferences.flag("notices_allow", default=True)
    house.presence.notices.receive(Chosen(shown.id, "allow"))
    await house.until(lambda: house.window.findChild(ApprovalsView) is not None)
    assert not asked.done()
    later = _judged("b")
    await house.ask(later)
    assert house.desktop.notices[later.id].actions == (("deny", "Deny"),)


@in_qt
async def test_a_risky_call_is_only_denied_from_a_notice(house: _House) -> None:
    house.looks = False
    request = _repeat()._replace(risk=RiskClass.DESTRUCTIVE)
    (asked,) = await house.ask(request)
    assert house.desktop.notices[request.id].urgent
    house.presence.notices.receive(Chosen(request.id, "allow"))
    house.presence.notices.receive(Chosen(request.id, "deny"))
    decision = await asyncio.wrap_future(asked)
    assert isinstance(decision, ExitEarly)
    assert "without a look at the arguments" in decision.reason


@in_qt
async def test_a_notice_leads_to_its_question_on_the_page(house: _House) -> None:
    house.looks = False
    first, second = _repeat("a"), _repeat("b")
    await house.ask(first, second)
    house.presence.notices.receive(Chosen(second.id, "default"))
    await house.until(lambda: house.window.findChild(ApprovalsView) is not None)
    await house.until(lambda: house.page.queue.current_id == second.id)
    house.look(at_it=True)
    assert house.dialogs == []


@in_qt
async def test_many_questions_have_one_notice(house: _House) -> None:
    house.looks = False
    asked = await house.ask(*(_repeat(str(place)) for place in range(3)))
    assert len(house.desktop.notices) == 3
    asked += await house.ask(_repeat("one more"))
    assert [notice.title for notice in house.desktop.notices.values()] == ["4 calls wait for your approval"]
    asked[0].cancel()
    await house.until(lambda: "3 calls" in next(iter(house.desktop.notices.values())).title)
    for one in asked:
        one.cancel()
    await house.until(lambda: house.desktop.notices == {})


@in_qt
async def test_a_notice_leaves_with_its_question(house: _House) -> None:
    house.looks = False
    (asked,) = await house.ask(_repeat())
    assert house.desktop.notices
    asked.cancel()
    await house.until(lambda: house.desktop.notices == {})


@in_qt
async def test_do_not_disturb_is_remembered_and_leaves_the_count(house: _House) -> None:
    house.looks = False
    _bell(house, "Do not disturb").trigger()
    await house.ask(_repeat())
    assert house.desktop.notices == {}
    assert house.window.rail.count("approvals") == 1
    assert house.preferences.flag("do_not_disturb", default=False)
    _bell(house, "Sound with notices").trigger()
    assert house.presence.notices.sounds


@in_qt
async def test_nothing_opens_over_the_page_nor_for_what_it_showed(house: _House) -> None:
    house.show_page()
    await house.ask(_repeat())
    assert house.dialogs == []
    assert house.page.review is not None
    house.window.rail.choose("tools")
    house.look(at_it=True)
    assert house.dialogs == []
    await house.ask(_repeat("later"))
    await house.until(lambda: len(house.dialogs) == 1)


@in_qt
async def test_what_the_page_lists_when_it_is_opened_counts_as_seen(house: _House) -> None:
    house.looks = False
    await house.ask(_repeat())
    house.show_page()
    await house.until(house.page.isVisible)
    house.window.rail.choose("tools")
    house.look(at_it=True)
    assert house.dialogs == []


@in_qt
async def test_a_notice_of_somebody_else_is_none_of_ours(house: _House) -> None:
    house.presence.notices.post("health", "search_files is down", "It failed three times.")
    house.presence.notices.chosen.emit("health", "default")
    assert house.window.findChild(ApprovalsView) is None


@in_qt
async def test_the_oldest_question_is_shown_where_the_person_is(house: _House) -> None:
    first, second = _repeat("a"), _repeat("b")
    house.show_page()
    await house.ask(first, second)
    house.page.queue.choose(second.id)
    house.approvals.show_oldest()
    assert house.page.queue.current_id == first.id
    house.window.rail.choose("tools")
    house.approvals.show_oldest()
    await house.until(lambda: len(house.dialogs) == 1)


@in_qt
async def test_everything_is_denied_once_that_is_agreed_to(house: _House) -> None:
    house.show_page()
    asked = await house.ask(_repeat("a"), _repeat("b"))
    said = QSignalSpy(house.approvals.noticed)
    house.page.deny_all.click()
    ((title, agree),) = house.asked_before
    assert title == "Deny everything?"
    assert not any(one.done() for one in asked)
    agree()
    assert [await asyncio.wrap_future(one) for one in asked] == [
        ExitEarly("Everything that was open was denied at once.")
    ] * 2
    assert said.at(0) == ["2 calls denied"]


@in_qt
async def test_what_silence_means_is_remembered(house: _House) -> None:
    house.show_page()
    assert house.page.silence.text() == "Deny after 5 min"
    house.page.silence_chosen.emit(TimeoutPolicy(900.0))
    assert house.page.silence.text() == "Deny after 15 min"
    assert house.preferences.choice("approvals/silence", [TimeoutPolicy(900.0).key], "") == TimeoutPolicy(900.0).key


@in_qt
async def test_a_dialogs_answer_reaches_the_caller(house: _House) -> None:
    (asked,) = await house.ask(_repeat())
    await house.until(lambda: len(house.dialogs) == 1)
    allow = house.dialogs[0].review.footer.allow
    await house.until(allow.isEnabled)
    allow.click()
    assert await asyncio.wrap_future(asked) == Continue()
    await house.until(lambda: house.window.rail.count("approvals") == 0)


def _bell(house: _House, text: str) -> QAction:
    actions = house.window.top_bar.findChildren(QAction)
    return next(action for action in actions if action.text() == text)


@in_qt
async def test_a_question_says_how_many_identical_calls_wait_for_its_answer(house: _House) -> None:
    house.looks = False
    request = _repeat()
    (asked,) = await house.ask(request)
    house.desk.follow(request._replace(attached=3))
    await house.until(lambda: house.desk.open_requests[0].attached == 3)
    assert pending_row(house.desk.open_requests[0]).caller.endswith(", 3 identical calls")
    # One that is answered meanwhile is not taken up again.
    house.desk.answer(request.id, Continue())
    house.desk.follow(request._replace(attached=2))
    assert await asyncio.wrap_future(asked) == Continue()
    assert house.desk.open_requests == ()
