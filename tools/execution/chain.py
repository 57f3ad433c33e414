"""The steps around a tool, compiled once: when it is registered, or its first call is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.calls import StepKind
from tools.execution.access import restricts_callers
from tools.execution.attempts import RetryStep, TotalTimeout, accept, compile_start, retry_of
from tools.execution.audit import AuditStep
from tools.execution.bulkhead import BulkheadStep
from tools.execution.cache import CacheSteps, KnownResult, ResultCache
from tools.execution.contracts import Postconditions, Preconditions, compile_contract
from tools.execution.custom import Placed, at
from tools.execution.fallback import FallbackAnswer, FallbackStep
from tools.execution.guards import AdmissionStep, AvailabilityStep, Guards
from tools.execution.hedge import HedgeStep
from tools.execution.rate_limits import RateLimiting
from tools.execution.results import ResultGate
from tools.execution.run import CallNext, Judge, Run, StepFunction, fold
from tools.execution.security import (
    PolicyGate,
    ProbeGate,
    ProtectionCheck,
    Reevaluation,
    SecurityCheck,
    clearance,
    may_ask,
)
from tools.policy.protection import may_change
from tools.spec import AuditLevel

if TYPE_CHECKING:
    from tools.policy import Policy
    from tools.tool import Tool


@dataclass(frozen=True)
class Chain:
    """A tool's start with its steps around it. What the tool does not declare is not here, so it costs nothing.

    Attributes:
        steps: Its steps, the outermost first.
        cache: Its known results; None when it keeps none.
        security: What asks a person about a call, and refuses it; None when nothing does.
        policy_version: The policy's that the steps were compiled for; empty without one.
        recheck: Does the security check anew when something changed since; None without a policy.
    """

    tool: Tool
    steps: tuple[StepFunction, ...]
    call: CallNext
    start: CallNext
    cache: ResultCache[KnownResult] | None = None
    security: SecurityCheck | None = None
    policy_version: str = ""
    recheck: Judge | None = None


def compile_chain(
    tool: Tool,
    guards: Guards | None = None,
    fallback: FallbackAnswer | None = None,
    policy: Policy | None = None,
    custom: Sequence[Placed] = (),
) -> Chain:
    """Return a tool's chain.

    Raises:
        DeclarationError: When a policy does not fit the tool.
        ToolConfigurationError: When a policy does not fit those of other tools.
    """
    policies, own = tool.policies, (guards or Guards(lambda _: None)).of(tool)
    # First the version: what is compiled may be newer than it says, never older.
    version = "" if policy is None else policy.version
    view = None if policy is None else policy.view_of(tool)
    before, after = compile_contract(tool)
    preconditions = Preconditions(policies.security, before)
    caching = None if own.cache is None else CacheSteps(own.cache, tool)
    judges = tuple(_judges_of_edits(caching, preconditions if before else None, custom))
    judge = SecurityCheck(tool, view, judges)
    asks = view is not None or may_ask(tool)
    security = judge if asks else ProtectionCheck(tool, view, judges) if may_change(tool) else None
    recheck = None if policy is None else Reevaluation(judge, version)
    restricted = bool(before) or restricts_callers(policies.security)
    audit = AuditLevel.NONE if policies.security is None else policies.security.audit
    guarded = own.breaker is not None or own.block is not None
    # Before it costs a permit, a place or a person's time; without any of them the admission says it as early.
    refused_early = guarded and (own.bucket is not None or own.bulkhead is not None or security is not None)
    gated = recheck is not None and (caching is not None or (asks and own.bucket is not None))
    waits = own.bulkhead is not None or (own.bucket is not None and security is None)
    retry, total_s = retry_of(tool), policies.total_timeout_s
    declared: tuple[StepFunction | None, ...] = (
        # First what does its part on the way back, whatever becomes of the call.
        None if policy is None else ResultGate(judge),
        None if caching is None else caching.store,
        None if audit is AuditLevel.NONE else AuditStep(audit),
        None if fallback is None else FallbackStep(fallback, clearance(security, recheck)),
        *at(StepKind.PRECONDITIONS, custom),
        preconditions if restricted else None,
        PolicyGate(judge, version, looks=asks) if gated else None,
        *at(StepKind.CACHE_LOOKUP, custom),
        None if caching is None else caching.look_up,
        AvailabilityStep(own) if refused_early else None,
        *at(StepKind.RATE_LIMIT, custom),
        None if own.bucket is None else RateLimiting(own.bucket, policies.rate_limit),
        *at(StepKind.SECURITY_CHECK, custom),
        security,
        *at(StepKind.BULKHEAD, custom),
        None if own.bulkhead is None else BulkheadStep(own.bulkhead),
        recheck if waits else None,
        AdmissionStep(own) if guarded else None,
        *at(StepKind.ATTEMPT, custom),
        Postconditions(after) if after else None,
        accept,
        None if total_s is None else TotalTimeout(total_s, repeats=retry is not None),
        None if retry is None else RetryStep(retry, tool, None if recheck is None else recheck.look),
        None if policies.hedge is None else HedgeStep(policies.hedge, None if recheck is None else recheck.look),
    )
    steps = tuple(step for step in declared if step is not None)
    start = compile_start(tool, policies.timeout_s)
    look = None if recheck is None else recheck.look
    return Chain(tool, steps, fold(steps, Run.attempt), start, own.cache, security, version, look)


def _judges_of_edits(
    caching: CacheSteps | None, preconditions: Preconditions | None, custom: Sequence[Placed]
) -> Iterator[Judge]:
    """Return who has to know of arguments that a reviewer changed, in order."""
    if caching is not None:
        # What comes after an edit is no answer to the arguments that missed the cache.
        yield caching.owe_nothing
    if preconditions is not None:
        yield preconditions.hold
    yield from (step.again for step in custom if step.again is not None)


def probe_chain(probe: Tool, tool: Tool, policy: Policy | None) -> Chain:
    """Return what only starts a tool's probe function, once and within its time limit, unless the policy denies it."""
    steps = (accept,) if policy is None else (ProbeGate(tool), accept)
    return Chain(probe, steps, fold(steps, Run.attempt), compile_start(probe, probe.policies.timeout_s))
