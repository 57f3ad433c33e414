"""The steps of one tool, compiled once, when its first call is made or it is registered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tools.execution.attempts import StartFunction, compile_start, runs_in_thread
from tools.execution.cache import ResultCache
from tools.execution.limits import TokenBucket
from tools.execution.steps import (
    Audit,
    CacheLookup,
    CacheStore,
    Postconditions,
    Preconditions,
    RateLimiting,
    SecurityCheck,
    StepFunction,
    compile_contract,
    may_ask,
)
from tools.spec import AuditLevel, Retry

if TYPE_CHECKING:
    from tools.tool import Tool


class Chain(NamedTuple):
    """What surrounds a tool's start. Steps that a tool does not declare are not here, so they cost nothing.

    Attributes:
        tool: The tool.
        before: Steps before it starts: preconditions, cache lookup, rate limit, security check.
        after: Steps after it ended, whatever came of it: postconditions, audit, cache store.
        start: Starts the tool once, within its time limit.
        retry: How failed attempts are repeated; None when they are not.
        timeout_s: Seconds one attempt may take; None means no limit.
        in_thread: Whether its function runs in a thread.
        cache: Its known results; None when it keeps none.
    """

    tool: Tool
    before: tuple[StepFunction, ...]
    after: tuple[StepFunction, ...]
    start: StartFunction
    retry: Retry | None
    timeout_s: float | None
    in_thread: bool
    cache: ResultCache | None


def compile_chain(tool: Tool) -> Chain:
    """Return a tool's chain.

    Raises:
        DeclarationError: When a policy does not fit the tool.
    """
    policies = tool.policies
    security = policies.security
    checks_before, checks_after = compile_contract(tool)
    before: list[StepFunction] = []
    after: list[StepFunction] = []
    cache: ResultCache | None = None
    if checks_before or (security is not None and security.allowed_callers):
        before.append(Preconditions(security, checks_before))
    if policies.cache is not None:
        cache = ResultCache(policies.cache)
        before.append(CacheLookup(cache, tool))
    if policies.rate_limit is not None:
        before.append(RateLimiting(TokenBucket(policies.rate_limit)))
    if may_ask(tool):
        before.append(SecurityCheck(tool, checks_before))
    if checks_after:
        after.append(Postconditions(checks_after))
    if security is not None and security.audit is not AuditLevel.NONE:
        after.append(Audit(security))
    if cache is not None and policies.cache is not None:
        after.append(CacheStore(cache, cache_errors=policies.cache.cache_errors))
    return Chain(
        tool,
        tuple(before),
        tuple(after),
        compile_start(tool, policies.timeout_s),
        _retry(tool),
        policies.timeout_s,
        runs_in_thread(tool),
        cache,
    )


def _retry(tool: Tool) -> Retry | None:
    retry = tool.policies.retry
    if retry is None or retry.max_attempts == 1:
        return None
    # A declaration with both was refused; a tool put together by hand is simply not retried.
    return retry if tool.spec.idempotent or retry.even_if_not_idempotent else None
