"""The steps of one tool, compiled once, when its first call is made or it is registered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tools.calls import ToolResponse
from tools.execution.attempts import (
    PerformFunction,
    StartFunction,
    compile_performance,
    compile_start,
    runs_in_thread,
)
from tools.execution.bulkhead import PlaceTaking
from tools.execution.cache import CacheLookup, CacheStore, ResultCache
from tools.execution.guards import Admission, Availability, Guards, Settling
from tools.execution.limits import RateLimiting
from tools.execution.steps import (
    Audit,
    Postconditions,
    Preconditions,
    SecurityCheck,
    StepFunction,
    compile_contract,
    may_ask,
)
from tools.spec import AuditLevel

if TYPE_CHECKING:
    from tools.tool import Tool


class Chain(NamedTuple):
    """What surrounds a tool's start. Steps that a tool does not declare are not here, so they cost nothing.

    Attributes:
        tool: The tool.
        before: Steps before it starts: preconditions, cache lookup, whether it is available, rate limit, security check,
            a place of the bulkhead, admission by the guards.
        after: Steps after it ended, whatever came of it: postconditions, settling with the guards, fallback, audit,
            cache store.
        start: Starts the tool once, within its time limit.
        perform: Makes all its attempts within its limit in total; None when it is started once and that is all.
        timeout_s: Seconds one attempt may take; None means no limit.
        in_thread: Whether its function runs in a thread.
        cache: Its known results; None when it keeps none.
        settling: What gives back whatever a call holds; None when nothing guards the tool.
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


def compile_chain(tool: Tool, guards: Guards | None = None, fallback: StepFunction | None = None) -> Chain:
    """Return a tool's chain.

    Args:
        tool: The tool.
        guards: Where its guards are kept; None makes new ones.
        fallback: Answers in its place when it did not succeed; None when nothing does.

    Raises:
        DeclarationError: When a policy does not fit the tool.
        ToolConfigurationError: When a policy does not fit those of other tools.
    """
    policies = tool.policies
    security = policies.security
    checks_before, checks_after = compile_contract(tool)
    own = (guards or Guards(lambda _: None)).of(tool)
    guarded = own.breaker is not None or own.block is not None
    settling = Settling(own) if guarded or own.bulkhead is not None else None
    before: list[StepFunction] = []
    after: list[StepFunction] = []
    if checks_before or (security is not None and security.allowed_callers):
        before.append(Preconditions(security, checks_before))
    if own.cache is not None:
        before.append(CacheLookup(own.cache, tool))
    if guarded:
        before.append(Availability(own))
    if own.bucket is not None:
        before.append(RateLimiting(own.bucket, policies.rate_limit))
    if may_ask(tool):
        before.append(SecurityCheck(tool, checks_before))
    if own.bulkhead is not None:
        before.append(PlaceTaking(own.bulkhead))
    if guarded:
        before.append(Admission(own))
    if checks_after:
        after.append(Postconditions(checks_after))
    if settling is not None:
        after.append(settling)
    if fallback is not None:
        after.append(fallback)
    if security is not None and security.audit is not AuditLevel.NONE:
        after.append(Audit(security))
    if own.cache is not None:
        after.append(CacheStore(own.cache))
    return Chain(
        tool,
        tuple(before),
        tuple(after),
        compile_start(tool, policies.timeout_s),
        compile_performance(tool),
        policies.timeout_s,
        runs_in_thread(tool),
        own.cache,
        settling,
    )


def plain_chain(tool: Tool, timeout_s: float | None) -> Chain:
    """Return what only starts a tool, once and within its time limit."""
    return Chain(tool, (), (), compile_start(tool, timeout_s), None, timeout_s, runs_in_thread(tool), None, None)
