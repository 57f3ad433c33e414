"""The program's policy: answers that become rules, rules that can be undone, levels, and files that others change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from console.app.autonomy import AutonomyChooser
from console.approval.approval_queue import ApprovalQueue
from console.approval.model import AnswerSpan, Remembering
from console.approval.review_aids import QuestionAids
from console.call_storage import CallStorage
from console.engine import Engine
from console.file_poller import FilePoller
from console.policies import PolicyController, make_policy
from console.tasks import TaskScope
from console.window.status_bar import StatusBar
from tests.console.approval_questions import TOOLS, question
from tests.console.tool_cards import tools_of
from tests.tools.running import until
from tools import CallStatus, Continue, Executor, ExitEarly, ReviewDecision, ReviewRequest, ToolRegistry, ToolResponse
from tools import resolve_tools as resolved
from tools.execution.open_questions import GESTURE_S
from tools.policy import Autonomy, Effect, Rule


class House:
    """The policy and everything it stands between, without a window."""

    def __init__(self, folder: Path, bar: StatusBar) -> None:
        self.file = folder / "policy.toml"
        self.bar = bar
        self.scope = TaskScope("policies")
        self.engine = Engine()
        self.desk = ApprovalQueue()
        self.policy = make_policy(self.file, folder / "data")
        registry = ToolRegistry(resolved(list(TOOLS)))
        self.executor = Executor(
            registry, review_handler=self.desk, policy=self.policy, project_dir=folder, listeners=[self.engine.receive]
        )
        self.policy.project_dir = folder
        self.records = CallStorage(folder / "data", self.executor, self.engine.heartbeat)
        self.policies = PolicyController(
            self.policy, registry, file=self.file, compute=self.engine.compute, scope=self.scope, parent=self.desk
        )
        self.files = FilePoller(self.scope, every_s=0.05, parent=self.desk)
        self.policies.start(self.files)
        AutonomyChooser(self.policies, bar, self.scope, self.desk)
        self.aids = QuestionAids(
            self.policies,
            engine=self.engine,
            executor=self.executor,
            tools=tools_of(registry),
            records=self.records,
            scope=self.scope,
        )

    until = staticmethod(until)

    def start(self, name: str = "delete_file", **arguments: Any) -> asyncio.Future[ToolResponse]:
        call = self.executor.create_call(name, arguments or {"path": "tmp"}, caller="agent:scout")
        assert not call.response.status.final, call.response.error
        return asyncio.wrap_future(self.engine.submit(self.executor.execute, call))

    async def asked(self) -> ReviewRequest:
        await self.until(lambda: self.desk.open_requests)
        return self.desk.open_requests[0]

    async def answer(self, decision: ReviewDecision) -> None:
        request = await self.asked()
        assert self.desk.answer(request.id, decision)

    async def remember(self, span: AnswerSpan, *, allow: bool = True, place: int = 0, **arguments: Any) -> ToolResponse:
        """Run a call, and answer its question with something that is remembered."""
        running = self.start(**arguments)
        request = await self.asked()
        choice = Remembering(span, (await self.aids.offers(request))[place].key)
        made = await self.aids.remember(request, choice, allow=allow)
        assert made
        self.desk.answer(request.id, Continue(remembered=made) if allow else ExitEarly(remembered=made))
        return await running

    def click(self, name: str) -> None:
        button = next(one for one in self.bar.findChildren(QAbstractButton) if one.accessibleName().startswith(name))
        button.click()


Open = Callable[[], AbstractAsyncContextManager[House]]


@pytest.fixture
def opened(qtbot: QtBot, tmp_path: Path) -> Open:
    """Return a function that opens a house for a block."""

    @asynccontextmanager
    async def house_of_test() -> AsyncIterator[House]:
        bar = StatusBar()
        qtbot.addWidget(bar)
        bar.show()
        house = House(tmp_path, bar)
        house.engine.start()
        await house.records.open()
        try:
            yield house
        finally:
            await house.engine.call(house.executor.aclose)
            house.files.end()
            house.policies.close()
            await house.scope.close()
            await house.records.close()
            assert house.engine.stop()
            house.desk.deleteLater()

    return house_of_test


@pytest.mark.reference("E26")
async def test_an_answer_that_is_remembered_answers_the_next_call_until_it_is_undone(opened: Open) -> None:
    async with opened() as house:
        first = await house.remember(AnswerSpan.ALWAYS)
        assert first.status is CallStatus.EXECUTED
        (rule,) = house.policy.rules
        assert rule.rule.effect is Effect.ALLOW
        assert rule.rule.id in house.file.read_text("utf-8")

        assert (await house.start()).status is CallStatus.EXECUTED
        house.click("Undo: Remembered: Allow delete_file")
        await house.until(lambda: house.policy.rules == ())
        third = house.start()
        await house.answer(ExitEarly())
        assert (await third).status is CallStatus.DENIED


async def test_a_remembered_answer_is_about_no_more_than_it_said(opened: Open) -> None:
    async with opened() as house:
        await house.remember(AnswerSpan.ALWAYS)
        other = house.start(path="other")
        await house.answer(ExitEarly())
        assert (await other).status is CallStatus.DENIED


async def test_what_is_remembered_for_a_session_stands_in_no_file(opened: Open) -> None:
    async with opened() as house:
        await house.remember(AnswerSpan.SESSION)
        assert (await house.start()).status is CallStatus.EXECUTED
        assert not house.file.exists()


async def test_what_is_remembered_for_an_hour_ends(opened: Open) -> None:
    async with opened() as house:
        await house.remember(AnswerSpan.HOUR)
        (placed,) = house.policy.rules
        assert placed.rule.expires_at is not None
        assert placed.rule.created_at is not None
        assert round((placed.rule.expires_at - placed.rule.created_at).total_seconds() / 60) == 60


async def test_a_refusal_is_remembered_as_one(opened: Open) -> None:
    async with opened() as house:
        first = await house.remember(AnswerSpan.ALWAYS, allow=False)
        assert first.status is CallStatus.DENIED
        (placed,) = house.policy.rules
        second = await house.start()
        assert second.status is CallStatus.DENIED
        assert placed.words in second.text


async def test_the_answer_counts_and_not_the_rule_that_it_became_however_late_it_comes(opened: Open) -> None:
    async with opened() as house:
        running = house.start()
        request = await house.asked()
        offer, *_ = await house.aids.offers(request)
        made = await house.aids.remember(request, Remembering(AnswerSpan.ALWAYS, offer.key), allow=False)
        assert [placed.rule.id for placed in house.policy.rules] == [made]
        # The look at open questions that the change asked for was due before this ends.
        await house.engine.call(asyncio.sleep, 3 * GESTURE_S)
        await house.answer(ExitEarly("not today", remembered=made))
        assert "not today" in (await running).text


async def test_a_choice_that_cannot_be_kept_is_told_and_counts_once(opened: Open) -> None:
    async with opened() as house:
        running = house.start()
        request = await house.asked()
        choice = Remembering(AnswerSpan.ALWAYS, (await house.aids.offers(request))[0].key)
        house.file.mkdir()
        notices: list[str] = []
        house.policies.noticed.connect(notices.append)
        assert await house.aids.remember(request, choice, allow=True) == ""
        assert len(notices) == 1
        assert await house.aids.remember(request, Remembering(AnswerSpan.ALWAYS, "gone"), allow=True) == ""
        house.desk.answer(request.id, ExitEarly())
        await running


async def test_a_rule_is_tried_on_calls_of_the_past(opened: Open) -> None:
    async with opened() as house:
        for name in ("tmp", "tmp", "other"):
            running = house.start(path=name)
            request = await house.asked()
            house.desk.answer(request.id, Continue())
            await running
            assert await house.records.record_of(request.call.id) is not None
        running = house.start()
        request = await house.asked()
        trial = await house.aids.tested(
            request, Remembering(AnswerSpan.ALWAYS, (await house.aids.offers(request))[0].key)
        )
        house.desk.answer(request.id, ExitEarly())
        await running
        assert trial is not None
        assert (trial.matched, trial.total) == (2, 3)
        assert trial.listed.count("delete_file") == 2


async def test_a_dry_run_of_an_edit_that_does_not_fit_finds_nothing(opened: Open) -> None:
    async with opened() as house:
        request = question()
        assert await house.aids.dry_run(request._replace(arguments={"path": 3, "other": 1})) is None
        assert await house.aids.dry_run(request) is None


async def test_a_level_is_chosen_kept_and_undone(opened: Open) -> None:
    async with opened() as house:
        levels = [house.policy.autonomy]
        house.bar.level_chosen.emit("manual")
        await house.until(lambda: _shown_level(house.bar) == "Autonomy: Manual")
        levels.append(house.policy.autonomy)
        assert make_policy(house.file, house.file.parent).autonomy is Autonomy.MANUAL
        await house.until(lambda: not house.scope.busy)
        house.click("Undo")
        await house.until(lambda: _shown_level(house.bar) == "Autonomy: Supervised")
        levels.append(house.policy.autonomy)
        assert levels == [Autonomy.SUPERVISED, Autonomy.MANUAL, Autonomy.SUPERVISED]


async def test_a_rule_that_another_program_writes_counts_soon(opened: Open) -> None:
    async with opened() as house:
        changes: list[bool] = []

        def note() -> None:
            changes.append(True)

        house.policies.changed.connect(note)
        house.files.start()
        make_policy(house.file, house.file.parent).add(Rule(id="theirs", effect=Effect.DENY, tool="delete_*"))
        await house.until(lambda: changes)
        assert [placed.rule.id for placed in house.policy.rules] == ["theirs"]
        assert (await house.start()).status is CallStatus.DENIED


async def test_a_file_that_cannot_be_read_is_shown_in_the_place_of_the_level(opened: Open) -> None:
    async with opened() as house:
        house.files.start()
        house.file.write_text("[[rule", "utf-8")
        await house.until(lambda: _shown_level(house.bar) == "Autonomy: Rules cannot be read")


def _shown_level(bar: StatusBar) -> str:
    names = [one.accessibleName() for one in bar.findChildren(QAbstractButton) if one.isVisibleTo(bar)]
    return next(name for name in names if name.startswith("Autonomy"))
