"""A second attempt beside a slow one."""

from __future__ import annotations

import asyncio
import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tools.execution.run import CallNext, Judge, Run
    from tools.spec import Hedge


class HedgeStep:
    """Start the tool again beside an attempt that is slow; the first result wins, and the other attempt is stopped.

    Args:
        recheck: Looks before the second start whether the tool may still run; None when nothing can change that.
    """

    def __init__(self, hedge: Hedge, recheck: Judge | None = None) -> None:
        self._delay_s = hedge.delay_s
        self._recheck = recheck

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        """Return the first result; when both attempts fail, raise what the first one did."""
        run.repeats = True
        # Shared by both attempts, so that what is still asked at the end is taken back.
        run.asking = set() if run.asking is None else run.asking
        attempts = [asyncio.ensure_future(call_next(copy.copy(run)))]
        try:
            done, _ = await asyncio.wait(attempts, timeout=self._delay_s)
            if not done:
                number = len(run.call.response.attempts)
                run.warn(
                    f"attempt {number} took longer than {self._delay_s:g} s; attempt {number + 1} begins beside it"
                )
                attempts.append(asyncio.ensure_future(self._second(copy.copy(run), call_next)))
            pending = set(attempts)
            while pending:
                done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                for attempt in attempts:
                    if attempt in done and not attempt.cancelled() and attempt.exception() is None:
                        return attempt.result()
            return await attempts[0]
        finally:
            for attempt in attempts:
                attempt.cancel()
            await asyncio.gather(*attempts, return_exceptions=True)

    async def _second(self, run: Run, call_next: CallNext) -> Any:
        if self._recheck is not None:
            await self._recheck(run)
        return await call_next(run)
