"""The guards of the tools of one executor: kept by name, so that a reload is no way round them.

The state of a policy (breaker, block, bulkhead, bucket, cache) is stored by the tool's name.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from tools.calls import CallStatus, ErrorKind, GuardChanged, GuardState, StepKind, StepNote, StepOutcome
from tools.errors import ToolConfigurationError, UnavailableError
from tools.execution.breaker import Breaker, BreakerToken, FailureBlockGuard
from tools.execution.bulkhead import WAIT_S, Bulkhead
from tools.execution.cache import KnownResult, ResultCache
from tools.execution.clocks import Clocks
from tools.execution.outcomes import settled
from tools.execution.rate_limits import TokenBucket, limit_words, same_limit

if TYPE_CHECKING:
    from tools.calls import Event, ToolResponse
    from tools.execution.run import CallNext, Run
    from tools.spec import FailureBlock, RateLimit
    from tools.tool import Tool

SAYS_NOTHING: Final = frozenset(
    {ErrorKind.DENIED, ErrorKind.CALLER, ErrorKind.CONFIGURATION, ErrorKind.ARGUMENTS, ErrorKind.DISABLED}
)
"""Kinds of error that are no failure of the tool, although it was started."""
LONGEST_FAILURE: Final = 200


class ToolGuards(NamedTuple):
    """The guards of one tool; None where it declares none."""

    breaker: Breaker | None = None
    block: FailureBlockGuard | None = None
    bulkhead: Bulkhead | None = None
    bucket: TokenBucket | None = None
    cache: ResultCache[KnownResult] | None = None

    @property
    def states(self) -> tuple[GuardState, ...]:
        return tuple(guard.state for guard in self if guard is not None)

    def reset(self) -> int:
        """Close the breaker and lift the block; return how many of the two refused calls."""
        return sum(guard.reset() for guard in (self.breaker, self.block) if guard is not None)


NONE: Final = ToolGuards()
"""What a tool without any has."""


class Guards:
    """Make the guards of tools, and find them again for a tool of the same name with the same policy.

    Attributes:
        default_block: The same, for tools that are taken up from now on.
    """

    def __init__(
        self, emit: Callable[[Event], None], clocks: Clocks | None = None, default_block: FailureBlock | None = None
    ) -> None:
        self._emit = emit
        self.clocks = clocks or Clocks()
        self.default_block = default_block
        self._guards_by_tool: dict[str, ToolGuards] = {}
        self._tool_by_name: dict[str, Tool] = {}
        self._shared_buckets: dict[str, TokenBucket] = {}
        self._users_by_key: dict[str, dict[str, RateLimit]] = {}

    def of(self, tool: Tool) -> ToolGuards:
        """Return a tool's guards, those of its namesake before it where the policy is the same.

        Its results are never its namesake's: what runs may have changed. The same tool finds its own.

        Raises:
            ToolConfigurationError: When it shares a rate limit with a tool that declares another one.
        """
        name, policies = tool.name, tool.policies
        before = self._guards_by_tool.get(name, NONE)
        if self._tool_by_name.get(name) is tool:
            return before

        def tell(guard: GuardState) -> None:
            self._emit(GuardChanged(name, guard))

        breaker = block = bulkhead = None
        cache: ResultCache[KnownResult] | None = None
        if policies.circuit_breaker is not None:
            breaker = _kept(before.breaker, policies.circuit_breaker)
            breaker = breaker or Breaker(name, policies.circuit_breaker, self.clocks, tell)
        block_policy = policies.failure_block or self.default_block
        if block_policy is not None:
            block = _kept(before.block, block_policy) or FailureBlockGuard(name, block_policy, self.clocks, tell)
        if policies.max_concurrent is not None:
            wait_s = policies.total_timeout_s or WAIT_S
            bulkhead = before.bulkhead
            if bulkhead is None or bulkhead.places != policies.max_concurrent:
                bulkhead = Bulkhead(name, policies.max_concurrent)
            bulkhead.wait_s = wait_s
        if policies.cache is not None:
            cache = ResultCache(policies.cache, self.clocks.monotonic)
        bucket = self._bucket(name, policies.rate_limit, before.bucket)
        made = ToolGuards(breaker, block, bulkhead, bucket, cache)
        self._tool_by_name[name] = tool
        if made == NONE:
            self._guards_by_tool.pop(name, None)
        else:
            self._guards_by_tool[name] = made
        return made

    def __contains__(self, name: str) -> bool:
        """Return whether a tool of that name has guards, or had when it was there."""
        return name in self._guards_by_tool

    def _bucket(self, name: str, policy: RateLimit | None, before: TokenBucket | None) -> TokenBucket | None:
        self._stop_sharing(name)
        if policy is None:
            return None
        if not policy.key:
            same = before is not None and not before.policy.key and same_limit(before.policy, policy)
            return before if same else TokenBucket(policy, self.clocks.monotonic)
        users = self._users_by_key.setdefault(policy.key, {})
        for other, limit in users.items():
            if not same_limit(limit, policy):
                msg = (
                    f"the tools {other!r} and {name!r} share the rate limit {policy.key!r}, but declare different ones:"
                    f" {limit_words(limit)} and {limit_words(policy)}; declare the same, or name different keys"
                )
                raise ToolConfigurationError(msg)
        users[name] = policy
        bucket = self._shared_buckets.get(policy.key)
        if bucket is None or not same_limit(bucket.policy, policy):
            bucket = self._shared_buckets[policy.key] = TokenBucket(policy, self.clocks.monotonic)
        return bucket

    def change_default_block(self, policy: FailureBlock | None) -> None:
        """Block tools that declare no block of their own otherwise, or not at all; lifts the blocks of before."""
        for guards in self._guards_by_tool.values():
            if guards.block is not None and guards.block.policy is self.default_block:
                guards.block.reset()
        self.default_block = policy
        self._tool_by_name.clear()

    def let_go(self, name: str) -> None:
        """Forget a tool: it is no longer registered. Its guards stay, for when it comes back; its results do not."""
        self._tool_by_name.pop(name, None)
        self._stop_sharing(name)

    def _stop_sharing(self, name: str) -> None:
        for users in self._users_by_key.values():
            users.pop(name, None)

    def states(self, name: str) -> tuple[GuardState, ...]:
        return self._guards_by_tool.get(name, NONE).states

    def reset(self, name: str | None = None) -> int:
        """Close breakers and lift blocks of a tool, None meaning all; return how many of them refused calls."""
        chosen = self._guards_by_tool.values() if name is None else [self._guards_by_tool.get(name, NONE)]
        return sum(guards.reset() for guards in chosen)


Guard = TypeVar("Guard", Breaker, FailureBlockGuard)


def _kept(before: Guard | None, policy: Any) -> Guard | None:
    """Return the guard of before if its policy is the same, with the policy of now."""
    if before is None or repr(before.policy) != repr(policy):
        return None
    # A reloaded module has new classes of the same names, which only the new policy knows.
    before.policy = policy
    return before


class AvailabilityStep:
    """Refuse a call whose tool is not started now, before it costs a permit and before a person is asked."""

    def __init__(self, guards: ToolGuards) -> None:
        self._breaker = guards.breaker
        self._block = guards.block
        self._refusing = tuple(guard for guard in (guards.block, guards.breaker) if guard is not None)

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        """Look whether the tool may start; the step is in the trace only if it may not."""
        self._check(run)
        return await call_next(run)

    def _check(self, run: Run) -> None:
        for guard in self._refusing:
            began = perf_counter()
            try:
                guard.check()
            except UnavailableError:
                run.record(StepKind(guard.kind), began, StepOutcome.FAILED, StepNote(guard.state.state))
                raise


class AdmissionStep(AvailabilityStep):
    """Admit a call as the last step before the tool starts, and tell breaker and block how it went."""

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        """Admit the call, of a half-open breaker as its trial; what refuses it is the same as before it waited."""
        began = perf_counter()
        self._check(run)
        ticket = None
        if self._breaker is not None:
            ticket = self._breaker.admit()
        try:
            if ticket is not None:
                note = StepNote.TRIAL_CALL if ticket.is_probe else StepNote.CLOSED
                run.record(StepKind.CIRCUIT_BREAKER, began, note=note)
            await settled(run, call_next)
        finally:
            self._settle(run, ticket)

    def _settle(self, run: Run, ticket: BreakerToken | None) -> None:
        failed = _failed(run.call.response)
        failure = _failure_words(run) if failed else ""
        if self._block is not None:
            self._block.settle(failed=failed, failure=failure)
        if ticket is not None and self._breaker is not None:
            if failed and isinstance(run.error, self._breaker.policy.ignore):
                failed = None
            self._breaker.settle(ticket, failed=failed, failure=failure)


def _failed(response: ToolResponse) -> bool | None:
    if response.status is CallStatus.EXECUTED:
        return False
    error = response.error
    if response.status not in {CallStatus.FAILED, CallStatus.TIMED_OUT} or error is None:
        return None
    return None if error.kind in SAYS_NOTHING else True


def _failure_words(run: Run) -> str:
    """Return what the tool failed with, on one line; nothing of a tool that hides what it works on."""
    error = run.call.response.error
    if error is None or run.tool.sensitive:
        return ""
    words = " ".join(run.call.scrubbed(error.message).split())
    return words if len(words) <= LONGEST_FAILURE else words[: LONGEST_FAILURE - 1] + "…"
