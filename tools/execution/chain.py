"""The steps of one tool, compiled once, when its first call is made or it is registered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tools.calls import ToolResponse
from tools.execution.access import restricts_callers
from tools.execution.attempts import (
    PerformFunction,
    StartFunction,
    compile_performance,
    compile_start,
    runs_in_thread,
)
from tools.execution.bulkhead import PlaceTaking
from tools.execution.cache import CacheLookup, CacheStore, ResultCache
from tools.execution.guards import Admission, Availability, Guards, Settling, ToolGuards
from tools.execution.limits import RateLimiting
from tools.execution.policy_steps import PolicyGate, Recheck
from tools.execution.results import ResultCheck
from tools.execution.security import ProtectionCheck, SecurityCheck, may_ask
from tools.execution.steps import Audit, Checks, Postconditions, Preconditions, StepFunction, compile_contract
from tools.policy.protection import may_change
from tools.spec import AuditLevel

if TYPE_CHECKING:
    from tools.execution.workers.start import Places
    from tools.policy import Policy
    from tools.tool import Tool


class Chain(NamedTuple):
    """What surrounds a tool's start. Steps that a tool does not declare are not here, so they cost nothing.

    Attributes:
        tool: The tool.
        before: Steps before it starts: preconditions, the policy's refusals, cache lookup, availability, rate limit,
            security check, a place of the bulkhead, a second look after it, admission by the guards.
        after: Steps after it ended, whatever came of it: postconditions, settling with the guards, fallback, audit,
            cache store, what the policy says of the result.
        start: Starts the tool once, within its time limit.
        perform: Makes all its attempts within its limit in total; None when it is started once and that is all.
        timeout_s: Seconds one attempt may take; None means no limit.
        in_thread: Whether its function runs in a thread.
        cache: Its known results; None when it keeps none.
        settling: What gives back whatever a call holds; None when nothing guards the tool.
        recheck: Looks again before the tool starts another time; None without a policy.
        policy_version: The policy's that the steps were compiled for; empty without one.
        result_check: Judges results; None without a policy. It is a step only where something is said of them.
    """

    tool: Tool
    before: tuple[StepFunction, ...]
    after: tuple[StepFunction, ...]
    start: StartFunction
    perform: PerformFunction | None
    timeout_s: float | None
    in_thread: bool
    cache: ResultCache[ToolResponse] | None
    settling: Settling | None
    recheck: Recheck | None = None
    policy_version: str = ""
    result_check: ResultCheck | None = None


def compile_chain(
    tool: Tool, guards: Guards | None = None, fallback: StepFunction | None = None, policy: Policy | None = None
) -> Chain:
    """Return a tool's chain.

    Args:
        tool: The tool.
        guards: Where its guards are kept; None makes new ones.
        fallback: Answers in its place when it did not succeed; None when nothing does.
        policy: Judges its calls; None lets them run.

    Raises:
        DeclarationError: When a policy does not fit the tool.
        ToolConfigurationError: When a policy does not fit those of other tools.
    """
    policies = tool.policies
    checks_before, checks_after = compile_contract(tool)
    own = (guards or Guards(lambda _: None)).of(tool)
    guarded = own.breaker is not None or own.block is not None
    settling = Settling(own) if guarded or own.bulkhead is not None else None
    # First the version: what is compiled may be newer than it says, never older.
    version = "" if policy is None else policy.version
    view = None if policy is None else policy.view_of(tool)
    asks = view is not None or may_ask(tool)
    security = SecurityCheck(tool, checks_before, view)
    protection = None if asks or not may_change(tool) else ProtectionCheck(tool, checks_before, view)
    recheck = None if policy is None else Recheck(security)
    result_check = None if policy is None else ResultCheck(security)
    judges = view is not None and view.has_result_rules
    return Chain(
        tool,
        tuple(_before(tool, own, checks_before, (security if asks else None, protection, recheck), guarded=guarded)),
        tuple(_after(tool, own, checks_after, (settling, fallback), result_check if judges else None)),
        compile_start(tool, policies.timeout_s),
        compile_performance(tool),
        policies.timeout_s,
        runs_in_thread(tool),
        own.cache,
        settling,
        recheck,
        version,
        result_check,
    )


def _before(
    tool: Tool,
    own: ToolGuards,
    checks: Checks,
    judging: tuple[SecurityCheck | None, ProtectionCheck | None, Recheck | None],
    *,
    guarded: bool,
) -> Iterator[StepFunction]:
    policies = tool.policies
    security, protection, recheck = judging
    if checks or restricts_callers(policies.security):
        yield Preconditions(policies.security, checks)
    if security is not None and recheck is not None and (own.cache is not None or own.bucket is not None):
        yield PolicyGate(security)
    if own.cache is not None:
        yield CacheLookup(own.cache, tool)
    if guarded and (own.bucket is not None or own.bulkhead is not None or security is not None):
        # Before it costs a permit, a place or a person's time; without any of them the admission says it as early.
        yield Availability(own)
    if own.bucket is not None:
        yield RateLimiting(own.bucket, policies.rate_limit)
    yield from (step for step in (security, protection) if step is not None)
    if own.bulkhead is not None:
        yield PlaceTaking(own.bulkhead)
    if recheck is not None and (own.bulkhead is not None or (own.bucket is not None and security is None)):
        yield recheck
    if guarded:
        yield Admission(own)


def _after(
    tool: Tool,
    own: ToolGuards,
    checks: Checks,
    between: tuple[StepFunction | None, ...],
    result_check: ResultCheck | None,
) -> Iterator[StepFunction]:
    if checks:
        yield Postconditions(checks)
    yield from (step for step in between if step is not None)
    security = tool.policies.security
    if security is not None and security.audit is not AuditLevel.NONE:
        yield Audit(security)
    if own.cache is not None:
        yield CacheStore(own.cache)
    if result_check is not None:
        yield result_check


def chain_elsewhere(chain: Chain, places: Places) -> Chain:
    """Return the same steps around a tool that runs elsewhere.

    Raises:
        ToolConfigurationError: When no other process can find the tool.
    """
    return chain._replace(start=compile_start(chain.tool, chain.timeout_s, places), in_thread=False)


def plain_chain(tool: Tool, timeout_s: float | None) -> Chain:
    """Return what only starts a tool, once and within its time limit."""
    return Chain(tool, (), (), compile_start(tool, timeout_s), None, timeout_s, runs_in_thread(tool), None, None)
