"""Answers that cannot be read are told as what they are, at once, and the connection survives."""

from __future__ import annotations

import asyncio

import pytest

from tests.tools.mcp.serving import misbehaving, serving
from tools import CallStatus
from tools.mcp.state import ServerStatus

pytestmark = pytest.mark.expects_log("tools.calls")

WORDS = {
    "deep": "is nested deeper than 200 levels",
    "deep_first": "is nested deeper than 200 levels",
    "half_letter": "has half a letter (a lone surrogate) in a text",
    "no_utf8": "is no UTF-8 text",
    "many_digits": "has a number with more digits than can be read",
    "broken_json": "is no JSON",
}


@pytest.mark.parametrize("tool", WORDS)
async def test_an_answer_that_cannot_be_read_says_why_and_the_connection_survives(tool: str) -> None:
    # Nobody waits for the time limit: a test that did would take an hour.
    async with serving(misbehaving(timeout_s=3_600.0)) as served:
        pid = served.state.pid
        others = asyncio.create_task(served.call("late"))
        response = await served.call(tool)
        assert response.status is CallStatus.FAILED
        assert response.error is not None
        assert response.error.type_name == "ServerAnswerError"
        assert response.error.message == f"bad: tools/call: the server's answer {WORDS[tool]}"
        assert (await served.call("echo", {"text": "still here"})).text == "still here"
        assert served.state.pid == pid
        others.cancel()


async def test_an_endless_answer_is_told_at_once_and_the_server_starts_anew() -> None:
    async with serving(misbehaving(timeout_s=3_600.0), back_off_s=(0.0,)) as served:
        response = await served.call("huge")
        assert response.error is not None
        assert "it sent a message of more than 32 MiB" in response.error.message
        await served.until(ServerStatus.CONNECTED)
        assert (await served.call("echo", {"text": "new"})).text == "new"
