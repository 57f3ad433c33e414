"""What a tool's page says of its guards, and what a person can do about them, over a real executor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from console.call_result.badges import badges_of
from console.call_result.rows import GuardNotice, guard_badge, guard_notice
from tests.console.opened_page import Page, opened_page
from tests.console.tool_cards import card_for
from tools import (
    CachePolicy,
    CircuitBreaker,
    FailureBlock,
    Policies,
    RateLimit,
    Retry,
    ToolFailure,
    ToolSpec,
    cached,
    rate_limit,
    resilience,
    retry,
    security,
    tool,
)
from tools.calls import GuardKind, GuardState
from tools.spec import Isolation

Open = Callable[[str], AbstractAsyncContextManager[Page]]
WHEN = datetime(2026, 5, 12, 14, 32, 5, tzinfo=UTC)


class Server:
    """Fail as long as it is down."""

    def __init__(self) -> None:
        self.is_down = True
        self.asked = 0
        self.may_answer = asyncio.Event()

    def answer(self) -> str:
        self.asked += 1
        if self.is_down:
            raise ToolFailure("the server is down")
        return f"answer {self.asked}"


server = Server()


@tool
@resilience(circuit_breaker=CircuitBreaker(failure_threshold=2, window_s=60, cooldown_s=300))
async def fetch() -> str:
    """Fetch something."""
    return server.answer()


@tool
@resilience(failure_block=FailureBlock(failures=2, window_s=60, blocked_s=300))
async def send() -> str:
    """Send something."""
    return server.answer()


@tool
@cached(ttl_s=300)
async def look() -> dict[str, int]:
    """Look something up."""
    server.asked += 1
    return {"asked": server.asked}


@tool
@resilience(max_concurrent=1)
async def queue() -> str:
    """Take turns."""
    await server.may_answer.wait()
    return "done"


@tool
@rate_limit(requests=1, per_s=3600, timeout_s=3600)
async def ration() -> str:
    """Be asked rarely."""
    return "done"


@tool
@retry(max_attempts=2, initial_delay_s=0)
async def again() -> str:
    """Succeed at the second attempt."""
    if server.asked % 2 == 0:
        server.asked += 1
        raise ConnectionError("connection reset by peer")
    server.asked += 1
    return "at last"


def known_page() -> str:
    return "an old page"


@tool
@resilience(fallback="known_page")
async def page_of() -> str:
    """Fetch a page."""
    raise ToolFailure("the server sent nothing")


@tool
@security(mask_fields=("token", "result.key"))
async def sign_in(user: str, token: str) -> dict[str, str]:
    """Sign in."""
    return {"user": user, "key": "s3cr3t"}


TOOLS = (fetch, send, look, queue, ration, again, page_of, sign_in)


@pytest.fixture
def open_page(qtbot: QtBot) -> Open:
    """Return a function that opens a page of a tool for a block."""

    def opened(name: str) -> AbstractAsyncContextManager[Page]:
        server.__init__()  # type: ignore[misc] # each test asks a server of its own
        return opened_page(qtbot, TOOLS, name)

    return opened


async def _fail(page: Page, times: int) -> None:
    for _ in range(times):
        await page.run()
        page.deliver()


def _banner(page: Page) -> GuardNotice:
    notice = page.view.guards.notice
    assert notice is not None
    return notice


@pytest.mark.expects_log("tools.calls")
@pytest.mark.reference("A23")
async def test_an_open_breaker_is_told_with_its_cause_and_reset_by_a_button(open_page: Open) -> None:
    async with open_page("fetch") as page:
        await page.until(lambda: not page.view.guards.isVisible())
        await _fail(page, 2)
        await page.until(page.view.guards.isVisible)

        banner = _banner(page)
        assert banner.fact == "Paused after 2 failures in 1 min."
        assert banner.consequence.startswith("Next try ")
        assert banner.consequence.endswith("Last: the server is down.")
        assert "Paused" in page.named("Facts").accessibleDescription()

        await page.run()
        assert page.facts.startswith("Failed")
        assert server.asked == 2  # it was not started
        failure = page.view.results.result
        assert failure.content is None

        server.is_down = False
        page.qtbot.mouseClick(page.button("Reset breaker"), Qt.MouseButton.LeftButton)
        await page.until(lambda: page.notice == "fetch runs again as usual.")
        await page.until(lambda: not page.view.guards.isVisible())
        assert "Paused" not in page.named("Facts").accessibleDescription()

        await page.run()
        assert page.facts.startswith("Success")


@pytest.mark.expects_log("tools.calls")
async def test_a_block_is_told_and_lifted(open_page: Open) -> None:
    async with open_page("send") as page:
        await _fail(page, 2)
        await page.until(page.view.guards.isVisible)

        banner = _banner(page)
        assert banner.fact.startswith("Blocked until ")
        assert banner.fact.endswith(" after 2 failures in a row.")
        assert banner.consequence == "Last: the server is down."

        details = page.button("Details")
        page.qtbot.mouseClick(details, Qt.MouseButton.LeftButton)
        assert details.text() == "Less"
        assert dict(banner.details)["Failures"] == "2"

        page.qtbot.mouseClick(page.button("Unblock"), Qt.MouseButton.LeftButton)
        await page.until(lambda: not page.view.guards.isVisible())
        await page.until(lambda: page.notice == "send runs again as usual.")


@pytest.mark.expects_log("tools.calls")
async def test_a_page_opened_later_says_it_at_once(qtbot: QtBot) -> None:
    server.__init__()  # type: ignore[misc]
    async with opened_page(qtbot, TOOLS, "fetch") as first:
        for _ in range(2):
            await first.executor.execute(first.executor.create_call("fetch", {}))
        async with opened_page(qtbot, (), "fetch", executor=first.executor) as later:
            await later.until(later.view.guards.isVisible)
            assert _banner(later).fact.startswith("Paused")


@pytest.mark.expects_log("tools.calls")
async def test_calls_of_others_count_too_but_not_those_of_other_tools(open_page: Open) -> None:
    async with open_page("fetch") as page:
        for _ in range(2):
            await page.executor.execute(page.executor.create_call("send", {}))
        page.deliver()
        for _ in range(2):
            await page.executor.execute(page.executor.create_call("fetch", {}))
        assert not page.view.guards.isVisible()
        page.deliver()
        await page.until(page.view.guards.isVisible)
        assert _banner(page).action == "Reset breaker"


async def test_a_queue_is_told_while_calls_wait(open_page: Open) -> None:
    async with open_page("queue") as page:
        executor = page.executor
        others = [asyncio.ensure_future(executor.execute(executor.create_call("queue", {}))) for _ in range(3)]
        await page.until(lambda: executor.guards("queue")[0].waiting == 2)
        page.deliver()
        await page.until(page.view.guards.isVisible)
        assert _banner(page)[:4] == (
            "run",
            "layers",
            "2 calls wait for their turn.",
            "One call runs at a time.",
        )
        server.may_answer.set()
        await asyncio.gather(*others)
        page.deliver()
        await page.until(lambda: not page.view.guards.isVisible())


@pytest.mark.reference("A26")
async def test_a_wait_for_a_permit_is_told(open_page: Open) -> None:
    async with open_page("ration") as page:
        await page.run()
        page.deliver()
        page.click("Run")
        await page.until(lambda: page.executor.guards("ration")[0].waiting == 1)
        page.deliver()
        await page.until(page.view.guards.isVisible)
        assert _banner(page).fact == "1 call waits for a permit."
        assert _banner(page).consequence == "It admits 1 call in 1 h at most."
        page.presenter.stop()
        await page.ended()


@pytest.mark.reference("A27")
async def test_the_cache_is_passed_over_by_key_and_the_new_result_is_kept(open_page: Open) -> None:
    async with open_page("look") as page:
        await page.run()
        await page.run()
        assert (page.facts.split(" · ")[-1], server.asked) == ("cache hit", 1)

        control = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        page.qtbot.keyClick(page.view, Qt.Key.Key_Return, control)
        await page.until(lambda: server.asked == 2)
        await page.ended()
        assert page.facts.split(" · ")[-1] == "cache passed over"
        labels = {row.name: row.label for row in page.view.results.timing.steps.rows}
        assert labels["Cache lookup"] == "passed over"
        assert "Cache store" in labels

        await page.run()
        assert (page.facts.split(" · ")[-1], server.asked) == ("cache hit", 2)
        content = page.view.results.content
        assert content is not None
        assert content.value == {"asked": 2}


async def test_the_menu_passes_the_cache_over_and_clears_it(open_page: Open) -> None:
    async with open_page("look") as page:
        header = page.view.header
        header.menu_action("clear_cache").trigger()
        await page.until(lambda: page.notice == "No result of look was kept.")
        await page.run()
        header.menu_action("bypass").trigger()
        await page.until(lambda: server.asked == 2)
        await page.ended()
        header.menu_action("clear_cache").trigger()
        await page.until(lambda: page.notice.startswith("1 kept result was forgotten"))
        await page.run()
        assert (page.facts.split(" · ")[-1], server.asked) == ("cache miss", 3)


async def test_a_tool_without_a_cache_offers_neither(open_page: Open) -> None:
    async with open_page("fetch") as page:
        await page.until(lambda: not page.view.guards.isVisible())
        assert not page.view.header.menu_action("bypass").isEnabled()
        assert not page.view.header.menu_action("clear_cache").isEnabled()


@pytest.mark.reference("A21")
async def test_a_retry_is_told_with_what_the_first_attempt_failed_with(open_page: Open) -> None:
    async with open_page("again") as page:
        await page.run()
        assert page.facts.startswith("Success after 1 retry")
        rows = {row.name: row for row in page.view.results.timing.steps.rows}
        first = rows["Execute, attempt 1"].details
        assert first.message == "connection reset by peer"
        assert ("Next step", "Backoff, then attempt 2") in [line[:2] for line in first.further]
        last = rows["Execute, attempt 2"].details
        assert ("Where", "The engine's event loop") in [line[:2] for line in last.lines]


@pytest.mark.reference("A24")
async def test_a_fallbacks_answer_is_told_above_the_result(open_page: Open) -> None:
    async with open_page("page_of") as page:
        await page.run()
        assert page.facts.startswith("Answered by known_page · ")
        remark = page.named(
            "Remark: Answered by fallback known_page. page_of did not succeed (the server sent nothing)."
        )
        assert remark.isVisible()
        content = page.view.results.content
        assert content is not None
        assert content.value == "an old page"
        rows = {row.name: row for row in page.view.results.timing.steps.rows}
        assert (rows["Fallback"].glyph, rows["Fallback"].label) == ("skip-forward", "known_page")
        assert rows["Execute"].details.message == "the server sent nothing"


@pytest.mark.reference("A29")
async def test_a_result_is_shown_copied_and_saved_without_its_secrets(open_page: Open, tmp_path: Any) -> None:
    async with open_page("sign_in") as page:
        page.type_argument("user", "mira")
        page.type_argument("token", "t0k3n")
        await page.run()
        content = page.view.results.content
        assert content is not None
        assert "s3cr3t" not in str(content.value)
        assert content.value["user"] == "mira"
        file = tmp_path / "result.json"
        page.view.results.result_save_chosen.emit(str(file))
        await page.until(lambda: page.notice.startswith("Saved as"))
        assert "s3cr3t" not in file.read_text()
        assert '"mira"' in file.read_text()


class TestWords:
    def test_the_worst_guard_is_told(self) -> None:
        states = [
            GuardState(GuardKind.BULKHEAD, "full", "…", waiting=3),
            GuardState(GuardKind.FAILURE_BLOCK, "blocked", "…", "disk full", 3, until=WHEN),
            GuardState(GuardKind.CIRCUIT_BREAKER, "open", "…", "disk full", 5, until=WHEN),
        ]
        told = [guard_notice(states[:count], Policies()) for count in (1, 2, 3)]
        assert [notice.fact.split()[0] if notice else "" for notice in told] == ["3", "Blocked", "Paused"]

    @pytest.mark.parametrize(
        ("description", "fact"),
        [("…; a trial call is under way", "A trial call is under way."), ("…", "Paused until a trial call succeeds.")],
    )
    def test_half_open(self, description: str, fact: str) -> None:
        state = GuardState(GuardKind.CIRCUIT_BREAKER, "half_open", description, "x", 2, until=WHEN)
        notice, badge = guard_notice([state], Policies()), guard_badge([state])
        assert notice is not None
        assert badge is not None
        assert (notice.fact, notice.action, badge.text) == (fact, "Reset breaker", "On trial")

    def test_quiet_guards_say_nothing(self) -> None:
        states = [
            GuardState(GuardKind.CIRCUIT_BREAKER, "closed", "…", "", 1),
            GuardState(GuardKind.RATE_LIMIT, "full"),
            GuardState(GuardKind.CACHE, "filled"),
        ]
        assert guard_notice(states, Policies()) is None
        assert guard_badge(states) is None

    def test_one_failure_has_no_span(self) -> None:
        state = GuardState(GuardKind.CIRCUIT_BREAKER, "open", "…", "no reason given?", 1, until=WHEN)
        notice = guard_notice([state], Policies(circuit_breaker=CircuitBreaker(failure_threshold=1)))
        assert notice is not None
        assert notice.fact == "Paused after 1 failure."
        assert notice.consequence.endswith("Last: no reason given?")

    def test_badges_of_everything_declared(self) -> None:
        policies = Policies(
            cache=CachePolicy(ttl_s=60, per_caller=True),
            retry=Retry(max_attempts=2, initial_delay_s=0.25),
            rate_limit=RateLimit(requests=1, per_s=60, key="api"),
            circuit_breaker=CircuitBreaker(),
            max_concurrent=4,
            total_timeout_s=90,
            fallback="old_page",
            isolation=Isolation.PROCESS,
        )
        tips = {badge.text: badge.tip for badge in badges_of(card_for(ToolSpec(name="x", idempotent=False), policies))}
        assert tips == {
            "Risk not said": "It says nothing of its risk, so nobody can tell whether it changes something.",
            "Cached 1 min": "The result of an identical call is used again for 1 min. Each caller sees only results of"
            " its own calls.",
            "Up to 2 attempts": "A failed call is tried 2 times in all. Repeated: once, after 250 ms.",
            "Limit 90 s in all": "All attempts and the waits between them may take 90 s together.",
            "Rate limited": "At most 1 call in 1 min. All tools with the key 'api' share it.",
            "4 at a time": "4 calls run at a time, others wait.",
            "Breaker": "After 5 failures within 1 min it is not started for 30 s.",
            "Fallback": "When it does not succeed, old_page answers in its place.",
            "Own process": "It runs in a worker process of its own: it can be stopped at any time, and its crash harms"
            " nothing else.",
        }
