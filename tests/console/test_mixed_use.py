"""Some minutes of a working day: what the program holds does not grow with what it did."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from console.theme import ThemeController
from tests.mixed_use import Quarter, workday

pytestmark = pytest.mark.expects_log("tools")
MINUTES = Quarter(agent_calls=20, questions=4, runs=4, tabs=6, visits=10, batches=1, deaths=1)
LEAST = 2
"""So many more objects of a type in each quarter are a leak: each opens six pages, runs nine rows, ends sessions."""


async def test_minutes_of_a_working_day_leave_nothing_behind(theme: ThemeController, tmp_path: Path) -> None:
    async with workday(theme, tmp_path) as day:
        marks = []
        for _ in range(4):
            await day.live(MINUTES)
            marks.append(await day.mark())
    assert day.answered
    assert marks[-1].processes == marks[0].processes
    # What is shown for the first time comes once, in whichever quarter that is: the History page makes what it shows of
    # a refused call when such a call is the newest one there. What is left behind comes again in each quarter.
    quarters = list(pairwise(marks))
    assert min(after.widgets - before.widgets for before, after in quarters) < LEAST
    # Lists of calls keep a row for each, up to a limit that minutes do not reach.
    rows = ("Row", "_FewArguments", "StripBar", "RecentCall", "Line", "Notification", "TextSpan")
    grown = [{name for name, _ in after.grown(before, LEAST)} for before, after in quarters]
    ours = sorted(
        name for name in set.intersection(*grown) if name.startswith(("console.", "PySide6.", "_asyncio.Task"))
    )
    assert [name for name in ours if not name.endswith(rows)] == []
