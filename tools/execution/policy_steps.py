"""Where the policy looks at a call besides the security check: before everything else, and right before a start."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from tools.calls import (
    CacheUse,
    StepKind,
    StepOutcome,
)
from tools.errors import DeniedError
from tools.execution.security import Look, SecurityCheck, definition_changed, is_over
from tools.policy import Facts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.execution.run import Run
    from tools.hosts import Address
    from tools.tool import Tool


class PolicyGate:
    """Refuse what the policy denies before anything of the call happens, even if its result is known already.

    Args:
        security: Looks at the call.
    """

    def __init__(self, security: SecurityCheck) -> None:
        self._security = security

    async def __call__(self, run: Run, /) -> bool:
        """Look at the call, and ask nobody.

        Raises:
            DeniedError: When the policy denies it.
        """
        began = perf_counter()
        try:
            self._security.refuse(run, await self._security.look(run))
        except DeniedError:
            run.record(StepKind.POLICY, began, StepOutcome.DENIED)
            raise
        except Exception as error:
            run.record(StepKind.POLICY, began, StepOutcome.FAILED, error=type(error).__name__)
            raise
        run.record(StepKind.POLICY, began)
        return False


class ProbeGate:
    """Refuse to run a tool's probe function when the policy denies the tool: it is the same stranger's code.

    Args:
        tool: The tool.
    """

    def __init__(self, tool: Tool) -> None:
        self._security = SecurityCheck(tool, ())

    async def __call__(self, run: Run, /) -> bool:
        """Look what is said of any call of the tool.

        Raises:
            DeniedError: When the policy denies it.
        """
        view = self._security.view(run)
        if view is not None:
            facts = Facts(run.chain.tool, {}, run.call.caller, (), run.services.project_dir)
            self._security.refuse(run, Look((), (), view.judge(facts), self._security.version(run)))
        return False


class Recheck:
    """Look again right before the tool starts: whoever agreed did so to this tool, under this policy.

    Args:
        security: Looks at the call.
    """

    def __init__(self, security: SecurityCheck) -> None:
        self._security = security

    async def __call__(self, run: Run, /) -> bool:
        """Do the security check anew when something changed since; it is no step of its own otherwise.

        Raises:
            DeniedError: When the answer is no by now.
        """
        services, call = run.services, run.call
        policy = services.policy
        judged = run.chain.policy_version if run.looked is None else run.looked.version
        changed = policy is not None and policy.version != judged
        if changed:
            # What was agreed to under another policy is void.
            call.approved, call.approval = (), None
        if changed or (call.approved and self._is_stale(run)):
            await self._security(run)
        return False

    def refusal_at(self, run: Run, url: str, addresses: Iterable[Address]) -> str:
        """Return why a running call may not go to an address; empty when it may; see `SecurityCheck.refusal_at`."""
        return self._security.refusal_at(run, url, addresses)

    async def known(self, run: Run) -> None:
        """Look once more whether a result may be given out that is known from another call: to wait for it took time.

        Raises:
            DeniedError: When the policy denies the call by now.
        """
        if run.is_judged_otherwise:
            try:
                self._security.refuse(run, await self._security.look(run))
            except DeniedError:
                run.call.response.cache_use = CacheUse.MISS
                run.call.response.attachments = []
                raise

    def _is_stale(self, run: Run) -> bool:
        """Return whether what was agreed to counts no more."""
        approval = run.call.approval
        over = approval is not None and run.services.policy is not None and is_over(approval)
        return over or bool(definition_changed(run.chain.tool, run.services))
