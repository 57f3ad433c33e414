"""Each part of the program ends, whatever the others do."""

from __future__ import annotations

import asyncio

import pytest

from console.app.shutdown import Part, end_in_turn


async def hang() -> None:
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return


def fail() -> None:
    raise ValueError("the disk is gone")


async def test_parts_end_in_their_order() -> None:
    ended: list[str] = []

    async def end_late() -> None:
        await asyncio.sleep(0)
        ended.append("calls")

    assert await end_in_turn((Part("calls", end_late), Part("pages", lambda: ended.append("pages"))))
    assert ended == ["calls", "pages"]


@pytest.mark.expects_log("console.app.shutdown")
async def test_a_part_that_hangs_and_one_that_fails_keep_no_other_from_ending(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ended: list[str] = []
    parts = (Part("servers", hang, 0.01), Part("tabs", fail), Part("history", lambda: ended.append("history")))
    assert not await end_in_turn(parts)
    assert ended == ["history"]
    assert "servers did not end within 0.01 s of closing the window" in caplog.text
    assert "the disk is gone" in caplog.text
