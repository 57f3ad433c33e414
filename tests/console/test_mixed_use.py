"""Some minutes of a working day: what the program holds does not grow with what it did."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.theme import ThemeController
from tests.mixed_use import Quarter, workday

pytestmark = pytest.mark.expects_log("tools")
MINUTES = Quarter(agent_calls=20, questions=4, runs=4, tabs=6, visits=10, batches=1, deaths=1)
LEAST = 10
"""So many more objects of a type are a leak: each quarter opens six pages, runs nine rows and ends two sessions."""


async def test_minutes_of_a_working_day_leave_nothing_behind(theme: ThemeController, tmp_path: Path) -> None:
    async with workday(theme, tmp_path) as day:
        await day.live(MINUTES)
        before = await day.mark()
        for _ in range(3):
            await day.live(MINUTES)
        after = await day.mark()
    assert day.answered
    assert after.processes == before.processes
    # A page of a tool has hundreds of widgets; an icon or a line that is shown for the first time has a few.
    assert after.widgets - before.widgets < 100
    # Lists of calls keep a row for each, up to a limit that minutes do not reach.
    rows = ("Row", "_FewArguments", "StripBar", "RecentCall", "Line", "Notification", "TextSpan")
    ours = [
        name for name, _ in after.grown(before, LEAST) if name.startswith(("console.", "PySide6.", "_asyncio.Task"))
    ]
    assert [name for name in ours if not name.endswith(rows)] == []
