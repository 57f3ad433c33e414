"""Known results of one tool: bounded in time and number, filled once when several ask at a time."""

from __future__ import annotations

import asyncio
import copy
from collections import OrderedDict
from collections.abc import Callable, Mapping
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from tools import schema
from tools.calls import CacheUse, CallStatus, GuardKind, GuardState, StepKind, StepNote, StepOutcome, ToolResponse
from tools.execution.outcomes import settled
from tools.spec import CachePolicy

if TYPE_CHECKING:
    from pathlib import Path

    from tools.execution.run import CallNext, Run
    from tools.tool import Tool

Known = TypeVar("Known")

UNCHANGING: Final = frozenset({str, int, float, bool, bytes, type(None)})
"""Types whose values nobody can change, so that all may share one."""


class _Entry(NamedTuple, Generic[Known]):
    expires_at: float
    known: Known


class PendingResult(Generic[Known]):
    """The work on one key that somebody does now, and others may wait for.

    Args:
        generation: How often results had been forgotten when it began.
    """

    __slots__ = ("future", "generation", "key")

    def __init__(self, key: str, generation: int) -> None:
        self.key = key
        self.generation = generation
        self.future: asyncio.Future[Known | None] = asyncio.get_running_loop().create_future()


class ResultCache(Generic[Known]):
    """Keep what is known by key, and let one work on a key while others wait."""

    def __init__(self, policy: CachePolicy, clock: Callable[[], float] = monotonic) -> None:
        self.policy = policy
        self._clock = clock
        self._entries: OrderedDict[str, _Entry[Known]] = OrderedDict()
        self._under_way: dict[str, PendingResult[Known]] = {}
        self._generation = 0

    @property
    def state(self) -> GuardState:
        count = len(self._entries)
        words = f"{count:,} of at most {self.policy.max_size:,} results are kept, each for {self.policy.ttl_s:g} s"
        return GuardState(GuardKind.CACHE, "filled" if count else "empty", words)

    async def look_up(self, key: str) -> Known | PendingResult[Known]:
        """Return what is known; a `PendingResult` means a miss, and that the caller now owes it `settle`.

        While somebody else already works on the key, wait for what comes of it.
        """
        while True:
            entry = self._entries.get(key)
            if entry is not None:
                if entry.expires_at > self._clock():
                    self._entries.move_to_end(key)
                    return entry.known
                del self._entries[key]
            other = self._under_way.get(key)
            if other is None:
                flight: PendingResult[Known] = PendingResult(key, self._generation)
                self._under_way[key] = flight
                return flight
            known = await asyncio.shield(other.future)
            if known is not None:
                return known

    def pass_over(self, key: str) -> PendingResult[Known]:
        """Return a flight for a caller who wants a result anew; nobody waits for it, but what comes of it is kept."""
        return PendingResult(key, self._generation)

    def settle(self, flight: PendingResult[Known], known: Known | None) -> None:
        """Say what came of a flight; None means nothing worth keeping, and lets the next one try.

        What was forgotten while it was under way stays forgotten: the work may have begun with what is wrong by now.
        """
        key = flight.key
        if known is not None and flight.generation == self._generation:
            self._entries[key] = _Entry(self._clock() + self.policy.ttl_s, known)
            self._entries.move_to_end(key)
            while len(self._entries) > self.policy.max_size:
                self._entries.popitem(last=False)
        if self._under_way.get(key) is flight:
            del self._under_way[key]
        if not flight.future.done():
            flight.future.set_result(known)

    def clear(self) -> int:
        """Forget everything; return how many results were kept."""
        count = len(self._entries)
        self._entries.clear()
        self._under_way.clear()
        self._generation += 1
        return count

    def forget(self, key: str) -> int:
        """Forget one key, whoever's it is; return how many results were kept under it."""
        gone = [known for known in self._entries if _base(known) == key]
        for known in gone:
            del self._entries[known]
        for known in [known for known in self._under_way if _base(known) == key]:
            del self._under_way[known]
        self._generation += 1
        return len(gone)


def cache_key(tool: Tool, arguments: Mapping[str, Any], project_dir: Path, caller: str | None = None) -> str:
    """Return the key of a call's result: that of one caller, or with None of all; another version has other keys."""
    key = schema.canonical_json([tool.spec.version, str(project_dir), tool.arguments.dump(arguments)])
    return key if caller is None else f"{key}\n{caller}"


def _base(key: str) -> str:
    # JSON on one line has no line end of its own.
    return key.partition("\n")[0]


class KnownResult(NamedTuple):
    """What a call came to that others get as well.

    Attributes:
        response: Status, result, error, attachments and retention.
        error: What the tool raised; None when it did not.
    """

    response: ToolResponse
    error: BaseException | None = None


class CacheSteps:
    """Answer from a known result, or keep what comes of a miss: two steps, for the audit stands between them.

    Args:
        keeps_errors: Whether a kept failure is kept with the exception, and all that its traceback holds.
    """

    def __init__(self, cache: ResultCache[KnownResult], tool: Tool, *, keeps_errors: bool = False) -> None:
        self._cache = cache
        self._tool = tool
        self._keeps_errors = keeps_errors

    async def look_up(self, run: Run, call_next: CallNext, /) -> Any:
        """Fill the response from the cache when it knows the key; else the result is owed from now on."""
        began = perf_counter()
        cache, call = self._cache, run.call
        caller = call.caller if cache.policy.per_caller else None
        key = cache_key(self._tool, run.arguments, run.services.project_dir, caller)
        known = cache.pass_over(key) if call.bypass_cache else await cache.look_up(key)
        if isinstance(known, PendingResult):
            run.state[self] = known
            use, note = (CacheUse.BYPASSED, StepNote.BYPASSED) if call.bypass_cache else (CacheUse.MISS, StepNote.MISS)
            call.response.cache_use = use
            run.record(StepKind.CACHE_LOOKUP, began, StepOutcome.SKIPPED, note)
            return await call_next(run)
        copy_outcome(known.response, call.response)
        run.error = known.error
        call.response.cache_use = CacheUse.HIT
        run.record(StepKind.CACHE_LOOKUP, began, note=StepNote.HIT)
        return None

    async def store(self, run: Run, call_next: CallNext, /) -> Any:
        """Keep a success, or a failure where that is declared; never what a fallback answered."""
        try:
            await settled(run, call_next)
            if self in run.state:
                self._keep(run)
        finally:
            # Whatever broke the way back, nobody waits for ever for what this call owes.
            await self.owe_nothing(run)

    def _keep(self, run: Run) -> None:
        began = perf_counter()
        response = run.call.response
        failed = self._cache.policy.cache_errors and response.status is CallStatus.FAILED
        if not failed and (not response.succeeded or response.fallback):
            run.record(StepKind.CACHE_STORE, began, StepOutcome.SKIPPED, StepNote.NOT_KEPT)
            return
        kept = ToolResponse()
        copy_outcome(response, kept)
        self._cache.settle(run.state.pop(self), KnownResult(kept, run.error if failed and self._keeps_errors else None))
        run.record(StepKind.CACHE_STORE, began, note=StepNote.REFRESHED if run.call.bypass_cache else None)

    async def owe_nothing(self, run: Run) -> None:
        """Say that no result will come, as when the arguments that missed the cache are not those that run."""
        if (flight := run.state.pop(self, None)) is not None:
            self._cache.settle(flight, None)


def copy_outcome(source: ToolResponse, target: ToolResponse) -> None:
    """Copy what a call came to, not how: status, result, error, attachments and retention.

    Lists, mappings and objects are copied, so that whoever changes a result changes only their own.
    """
    target.status = source.status
    target.result = private(source.result)
    target.json_result = target.result if source.json_result is source.result else private(source.json_result)
    target.error = source.error
    target.written = source.written
    target.attachments = list(source.attachments)
    target.turns_to_keep = source.turns_to_keep


def private(value: Any) -> Any:
    """Return a copy that shares nothing changeable with a value; the value itself when it cannot be copied."""
    if type(value) in UNCHANGING:
        return value
    try:
        return copy.deepcopy(value)
    except Exception:  # noqa: BLE001 -- a connection or a lock is shared, as it would be without a cache
        return value
