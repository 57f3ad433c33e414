"""The security check: what the policy says of a call, and the question to a person where there is a reason for one.

An approval is bound to the tool's definition, the arguments, the caller and the policy's version, and is checked
again before each start. A denial holds for cached results too. A new way to start a call goes through `create_call`
and `execute` and gets a line in `tests/tools/test_policy_every_entry.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from time import time
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.calls import (
    REVIEW_TIMEOUT_S,
    Advice,
    Approval,
    CacheUse,
    CallStatus,
    Continue,
    Edit,
    ExitEarly,
    OnTimeout,
    ReviewRequest,
    StepKind,
    StepNote,
    StepOutcome,
    ToolCall,
)
from tools.calls.call import written_arguments
from tools.errors import AdvisedRefusalError, DeniedError, PolicyError, ToolConfigurationError
from tools.execution.access import has_role
from tools.execution.call_log import one_line
from tools.execution.open_questions import QuestionKey, QuestionOutcome
from tools.execution.questions import preview, put, request_about, tell_decision
from tools.execution.run import CallNext, Judge, Run
from tools.execution.workers.declaration_client import concerns_told
from tools.network_hosts import Address, addresses_now, readings
from tools.paths import path_concerns, resolve_paths
from tools.policy import Effect, Facts, ToolView, Verdict, call_digest, taken_words
from tools.policy.protection import has_many_texts, may_change, protected_concerns
from tools.protected import PROTECTED
from tools.spec import Concern
from tools.tool import RemoteFunction

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.execution.services import Services
    from tools.tool import Tool

MAX_QUESTIONS: Final = 10
APPROVAL_HOLDS_S: Final = 900.0
"""How long what a person agreed to ahead of the start, or while the call waits for its turn, stays agreed to."""

_POLICY: Final = "the policy"
"""What the kinds of reasons begin with that the policy gives."""
_MOST_NAMES: Final = 20
"""How many names of hosts are looked up for one call."""

POLICY_CHANGED: Final = "the policy changed while nobody had answered yet"
ADVICE: Final = {
    Advice.NONE: "",
    Advice.STOP: "A person decided this: stop here, and do not try to reach the same in another way.",
    Advice.ASK: "A person decided this: ask what to do instead, before you go on.",
    Advice.CHANGE: "A person decided this: change the call as they say, and propose it again.",
}
"""What a caller is told to do, by what somebody who refuses chose."""


class CallEvaluation(NamedTuple):
    """What there is to say of a call's arguments as they are.

    Attributes:
        concerns: What the tool itself gives as reasons to ask.
        unsettled: Those of them that need a person's word.
        verdict: What the policy says; None when it says nothing of such calls.
        version: The policy's; empty without one.
        addresses: What the hosts among the arguments lead to, where a rule about addresses compares them.
    """

    concerns: tuple[Concern, ...]
    unsettled: tuple[Concern, ...]
    verdict: Verdict | None = None
    version: str = ""
    addresses: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    @property
    def is_denied(self) -> bool:
        return self.verdict is not None and self.verdict.effect is Effect.DENY

    @property
    def reasons(self) -> tuple[Concern, ...]:
        """All that a person has to agree to: what the tool gives, and what the policy asks about."""
        verdict = self.verdict
        if verdict is None or verdict.effect is not Effect.ASK or (self.unsettled and not verdict.why):
            return self.unsettled
        kind = f"{_POLICY}:{'' if verdict.rule is None else verdict.rule.rule.id}"
        return (*self.unsettled, Concern(kind, "The policy asks", verdict.why))


_LOOK: Final = "the last look of the security check"


def last_look(run: Run) -> CallEvaluation | None:
    """Return what there was to say of a call's arguments when they were looked at last; None when they were not."""
    look: CallEvaluation | None = run.state.get(_LOOK)
    return look


class SecurityCheck:
    """Refuse what the policy denies, and ask a person when there is a reason to; again when an edit gives a new one.

    Args:
        again: Whoever judged the arguments before, and has to once more after an edit.

    Attributes:
        timeout_s: Seconds until silence counts as an answer to its questions; 0 waits for ever.
    """

    def __init__(self, tool: Tool, view: ToolView | None = None, again: Sequence[Judge] = ()) -> None:
        self._tool = tool
        self._view = view
        self._again = again
        self._standing = standing_concerns(tool)
        self._may_change = may_change(tool)
        security = tool.security
        self.timeout_s = REVIEW_TIMEOUT_S if security is None else security.review_timeout_s
        self._silence = OnTimeout.EXIT_EARLY if security is None else OnTimeout(security.on_review_timeout)
        self._role = "" if security is None else security.review_role

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        await self.clear(run)
        return await call_next(run)

    async def clear(self, run: Run) -> None:
        """Ask until the arguments are agreed to.

        Raises:
            DeniedError: When the answer is no.
            ArgumentsError: When an edit does not fit the schema.
            ContractError: When an edit breaks a precondition.
            ToolConfigurationError: When there is a reason to ask and nobody to ask.
        """
        with run.step(StepKind.SECURITY_CHECK) as end:
            look, person = await self.agree(run)
            # Another call may take a rule's last use first; then it counts no more.
            while not person and not await _claimed(run, look):
                look, person = await self.agree(run)
            approved = bool(person or run.call.approved)
            ruled = look.verdict is not None and look.verdict.why
            end(note=StepNote.APPROVED if approved else StepNote.ALLOWED if ruled else None)

    async def agree(self, run: Run) -> tuple[CallEvaluation, str]:
        """Ask until the arguments are agreed to; what somebody agreed to before the start is not asked again.

        Returns:
            What there was to agree to at last, and who just did; empty when nobody was asked.
        """
        call, services = run.call, run.services
        agreed: frozenset[tuple[str, str]] = frozenset()
        person, is_edited, new = "", False, call.new_reasons
        for _ in range(MAX_QUESTIONS):
            look = await self.look(run)
            reasons = look.reasons
            self.refuse(run, look)
            if call.approved and await self._stands(run, look):
                agreed |= frozenset(_reason(reason) for reason in reasons if reason in call.approved)
            if (reasons or person) and (changed := _definition_changed(self._tool, run)):
                raise DeniedError(f"Denied: {changed}")
            if agreed.issuperset(map(_reason, reasons)):
                call.approved = reasons
                ahead = "" if call.approval is None else call.approval.by
                call.approval = approval_of(call, services, person or ahead) if reasons else None
                run.grants = frozenset(concern.grants for concern in look.concerns if concern.grants)
                return look, person
            if services.review_handler is None:
                msg = (
                    f"tool {call.name!r} asks before it runs ({reasons[0].title.lower()}), but no review handler is"
                    " configured; pass review_handler=... to the Executor"
                )
                raise ToolConfigurationError(msg)
            if is_edited:
                new = tuple(reason.title for reason in reasons if _reason(reason) not in agreed)
            outcome = await self._answer(run, look, new)
            if not outcome.void:
                await self._heed(run, outcome.decision)
                person, is_edited, new = outcome.by, isinstance(outcome.decision, Edit), ()
                # The person wrote these arguments: what the question showed stays agreed, and only new reasons ask.
                agreed |= frozenset(map(_reason, reasons))
        msg = f"after {MAX_QUESTIONS} questions the arguments of {call.name!r} still raise new ones"
        raise DeniedError(msg)

    async def look(self, run: Run) -> CallEvaluation:
        concerns = await self.concerns(run)
        version, view = run.services.policy_version, self.view(run)
        look = CallEvaluation(concerns, concerns, None, version)
        if view is not None:
            addresses = await self._addresses(run, view)
            verdict = view.judge(self.facts(run, concerns, addresses))
            asked = () if verdict.effect is Effect.ALLOW else concerns
            unsettled = tuple(concern for concern in asked if concern.kind not in verdict.answered)
            look = CallEvaluation(concerns, unsettled, verdict, version, addresses)
        if run.call.objection is not None:
            look = _objected(look, run.call.display_concern(run.call.objection.concern))
        run.state[_LOOK] = look
        return look

    def refuse(self, run: Run, look: CallEvaluation) -> None:
        """Tell everybody that the policy denies a call, if it does.

        Raises:
            DeniedError: It does.
        """
        verdict = look.verdict
        if verdict is not None and look.is_denied:
            refusal = ExitEarly(run.call.scrubbed(verdict.refusal))
            request = _request(run, look.concerns, verdict, digest=self._digest(run, look))
            tell_decision(run.call, run.services, request, refusal, verdict.by)
            raise DeniedError(verdict.refusal)

    async def concerns(self, run: Run) -> tuple[Concern, ...]:
        """Return the tool's own reasons to ask about the arguments as they are."""
        tool, services = self._tool, run.services
        concerns = [*self._standing, *path_concerns(run.arguments, tool.path_roles, services.project_dir)]
        if isinstance(tool.concerns_of, RemoteFunction):
            concerns += await concerns_told(run, tool)
        elif tool.concerns_of is not None:
            arguments = {"arguments": run.arguments, "project_dir": services.project_dir, "of": tool.concerns_of}
            concerns += await services.threads.run(_named_concerns, arguments)
        # First what no rule settles: it is what a person has to see.
        concerns = [*await self.protected(run, concerns), *concerns]
        # What is told of the arguments must not give away what is hidden of them.
        return tuple(run.call.display_concern(concern) for concern in concerns)

    async def protected(self, run: Run, concerns: Iterable[Concern] = ()) -> list[Concern]:
        """Return a reason to ask for each place that decides what may run and that a call may change."""
        if not self._may_change:
            return []
        facts, services = self.facts(run, tuple(concerns)), run.services
        given: dict[str, Any] = {"facts": facts, "arguments": run.arguments, "places": services.protected_places()}
        if has_many_texts(facts.arguments):
            # Each is looked for on the disk: 50,000 of them take seconds, in which no other call would go on.
            found: list[Concern] = await services.threads.run(protected_concerns, given)
            return found
        return protected_concerns(**given)

    async def _stands(self, run: Run, look: CallEvaluation) -> bool:
        """Return whether what was agreed to ahead counts: the same call and policy, not long ago, the right person."""
        approval = run.call.approval
        if approval is None:
            return False
        role = self._required_role(look.verdict)
        if role and not await has_role(run.services.access, run.call, approval.by, role):
            return False
        return run.services.policy is None or (
            not is_over(approval) and approval.digest == _bound_to(run.call, run.services, run.services.policy_version)
        )

    def _required_role(self, verdict: Verdict | None) -> str:
        """Return the role that may let a call run; empty admits everybody."""
        return self._role if verdict is None else verdict.required_role or self._role

    def view(self, run: Run) -> ToolView | None:
        """Return what the policy says of the tool's calls now; None when nothing."""
        policy = run.services.policy
        if policy is None:
            return None
        if self._view is None or self._view.version != policy.version:
            self._view = policy.view_of(self._tool)
        return self._view

    def facts(
        self, run: Run, concerns: tuple[Concern, ...], addresses: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    ) -> Facts:
        arguments = json_arguments(self._tool, run.arguments)
        return Facts(self._tool, arguments, run.call.caller, concerns, run.services.project_dir, addresses)

    async def _addresses(self, run: Run, view: ToolView) -> Mapping[str, tuple[str, ...]]:
        """Return what the hosts among the arguments lead to, where a rule about addresses asks."""
        names = sorted(view.names_compared(json_arguments(self._tool, run.arguments)))[:_MOST_NAMES]
        if not names:
            return {}
        looking = [run.services.threads.run(_looked_up, {"name": name}) for name in names]
        return dict(zip(names, await asyncio.gather(*looking), strict=True))

    def refusal_at(self, run: Run, url: str, addresses: Iterable[Address]) -> str:
        """Return why a running call may not go to an address; empty when it may.

        It is asked where a connection begins, for a name may lead elsewhere by then, and a redirect to another host.
        """
        view, looked = self.view(run), last_look(run)
        if view is None:
            return ""
        facts = self.facts(run, () if looked is None else looked.concerns)
        there = {name: url if is_web_address(value) else value for name, value in facts.arguments.items()}
        known = dict.fromkeys(readings(url), tuple(map(str, addresses)))
        verdict = view.judge(facts._replace(arguments=there, addresses=known))
        if verdict.effect is Effect.DENY:
            return verdict.refusal
        before = None if looked is None or looked.verdict is None else looked.verdict.rule
        if verdict.effect is Effect.ASK and verdict.rule is not None and verdict.rule != before:
            return f"Denied by policy: {verdict.why}, and nobody was asked about {url}; call the tool with that address"
        return ""

    async def _answer(self, run: Run, look: CallEvaluation, new_reasons: tuple[str, ...]) -> QuestionOutcome:
        """Return what a person says; it is void when the question was not the one to ask any more.

        Args:
            new_reasons: Why it is asked once more after an edit; empty the first time.
        """
        services, verdict = run.services, look.verdict
        policy = services.policy

        def still() -> str:
            if changed := _definition_changed(self._tool, run):
                return changed
            if run.services.policy_version == look.version:
                return ""
            view = self.view(run)
            again = None if view is None else view.judge(self.facts(run, look.concerns, look.addresses))
            return "" if _asks_alike(verdict, again) else _why_void(again)

        role = self._required_role(verdict)
        is_protected = any(concern.kind == PROTECTED for concern in look.unsettled)
        is_objected = run.call.objection is not None
        key = None
        if policy is not None and not is_protected:
            # Real arguments, not those that are shown: what differs in a secret alone is not the same call.
            key = QuestionKey(_bound_to(run.call, services, ""), look.reasons, role)
        found = await preview(run.call, services)
        request = _request(run, look.unsettled, verdict, role=role, digest=self._digest(run, look))
        # Silence may mean yes only where the tool alone asks.
        silence = OnTimeout.EXIT_EARLY if request.why or is_protected or is_objected else self._silence
        timeout_s = self.timeout_s if run.answer_within_s is None else run.answer_within_s
        request = request._replace(
            preview=found, timeout_s=timeout_s, on_timeout=silence, new_reasons=tuple(dict.fromkeys(new_reasons))
        )
        outcome = await put(run, request, key=key, version=look.version, still=still)
        if policy is not None:
            await services.threads.run(policy.refresh, {})
        return outcome

    async def _heed(self, run: Run, decision: Continue | Edit | ExitEarly) -> None:
        call = run.call
        words = decision.reason if isinstance(decision, ExitEarly) else decision.feedback
        call.response.feedback = call.scrubbed(words)
        if isinstance(decision, ExitEarly):
            run.stop_run = decision.stop_run
            besides = "" if call.objection is None else call.scrubbed(call.objection.if_refused)
            advice = " ".join(filter(None, (ADVICE[decision.advice], besides)))
            raise AdvisedRefusalError(_refusal(call.display_arguments(), decision), advice)
        if isinstance(decision, Edit):
            call.revise(decision.revised)
            run.arguments = resolve_paths(call.arguments, self._tool.path_roles, run.services.project_dir)
            for judge in self._again:
                await judge(run)

    def _digest(self, run: Run, look: CallEvaluation) -> str:
        """Return what identifies a call to whoever reads the record: a hash of what is shown, never of a secret."""
        return call_digest(self._tool.digest, run.call.display_arguments(), run.call.caller, look.version)


def json_arguments(tool: Tool, arguments: Mapping[str, Any]) -> Mapping[str, JsonValue]:
    """Return converted arguments as JSON, for whoever compares them; objects that have no such form as texts."""
    return written_arguments(tool, arguments)[0]


class ProtectionCheck(SecurityCheck):
    """Ask a person before a tool changes what decides what may run; nothing else can be asked of it.

    It is no step of a call that changes no such place.
    """

    async def clear(self, run: Run) -> None:
        if await self.protected(run):
            await super().clear(run)


class PolicyGate:
    """Refuse what the policy denies before anything of the call happens, even if its result is known already.

    Args:
        version: The policy's that the step was compiled for.
        looks: Whether the policy may say anything of the call; otherwise it may by the time a result is known.
    """

    def __init__(self, security: SecurityCheck, version: str, *, looks: bool) -> None:
        self._security = security
        self._version = version
        self._looks = looks

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        if self._looks:
            with run.step(StepKind.POLICY) as end:
                self._security.refuse(run, await self._security.look(run))
                end()
        result = await call_next(run)
        response = run.call.response
        if response.from_cache and run.services.policy_version != self._version:
            # To wait for what another call found out took time.
            try:
                self._security.refuse(run, await self._security.look(run))
            except DeniedError:
                response.status, response.cache_use, response.attachments = CallStatus.EXECUTING, CacheUse.MISS, []
                raise
        return result


class ProbeGate:
    """Refuse to run a tool's probe function when the policy denies the tool: it is the same stranger's code."""

    def __init__(self, tool: Tool) -> None:
        self._security = SecurityCheck(tool)

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        view = self._security.view(run)
        if view is not None:
            facts = Facts(run.tool, {}, run.call.caller, (), run.services.project_dir)
            self._security.refuse(run, CallEvaluation((), (), view.judge(facts), run.services.policy_version))
        return await call_next(run)


class Reevaluation:
    """Look again right before the tool starts: whoever agreed did so to this tool, under this policy."""

    def __init__(self, security: SecurityCheck, version: str) -> None:
        self._security = security
        self._version = version

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        await self.look(run)
        return await call_next(run)

    async def look(self, run: Run) -> None:
        """Do the security check anew when something changed since; it is no step of its own otherwise."""
        call, looked = run.call, last_look(run)
        changed = run.services.policy_version != (self._version if looked is None else looked.version)
        if changed:
            # What was agreed to under another policy is void.
            call.approved, call.approval = (), None
        if changed or (call.approved and self._is_stale(run)):
            await self._security.clear(run)

    def _is_stale(self, run: Run) -> bool:
        approval = run.call.approval
        over = approval is not None and run.services.policy is not None and is_over(approval)
        return over or bool(_definition_changed(run.tool, run))


def clearance(security: SecurityCheck | None, recheck: Reevaluation | None) -> Judge | None:
    """Return what asks, before something else runs in a tool's place, what its start would have asked."""
    if security is None and recheck is None:
        return None

    async def clear(run: Run) -> None:
        steps = run.call.response.steps
        cleared = any(step.kind is StepKind.SECURITY_CHECK and step.outcome is StepOutcome.OK for step in steps)
        if security is not None and not cleared:
            await security.clear(run)
        elif recheck is not None:
            await recheck.look(run)

    return clear


def may_ask(tool: Tool) -> bool:
    """Return whether any call of a tool can raise a question without a policy."""
    return bool(standing_concerns(tool) or tool.path_roles or tool.concerns_of)


def approval_of(call: ToolCall, services: Services, by: str) -> Approval:
    """Return what somebody's agreement to a call as it is now is bound to."""
    return Approval(_bound_to(call, services, services.policy_version), time() + APPROVAL_HOLDS_S, by)


def is_over(approval: Approval) -> bool:
    """Return whether an agreement is too old to count; one from the future is as well, since somebody set the clock."""
    return not 0 < approval.until_s - time() <= APPROVAL_HOLDS_S


def _bound_to(call: ToolCall, services: Services, version: str) -> str:
    tool = call.tool
    if tool is None:
        return ""
    # In another project folder the same relative path is another file.
    where = f"{version} {services.project_dir}"
    return call_digest(tool.digest, json_arguments(tool, call.arguments), call.caller, where)


async def _claimed(run: Run, look: CallEvaluation) -> bool:
    """Take the uses of the rules that let a call run, and tell everybody; False when one is used up by now.

    Raises:
        DeniedError: When a use cannot be written down.
    """
    verdict, policy = look.verdict, run.services.policy
    if policy is None or verdict is None or verdict.effect is not Effect.ALLOW or not verdict.why:
        return True
    try:
        if any(placed.rule.max_uses is not None for placed in verdict.spends):
            # A use of which there are only some goes to the disk first.
            claimed = await run.services.threads.run(policy.claim, {"verdict": verdict})
        else:
            claimed = policy.claim(verdict)
    except PolicyError as error:
        raise DeniedError(f"Denied: the use of {verdict.by} could not be written down ({error})") from error
    if not claimed:
        return False
    tell_decision(run.call, run.services, _request(run, look.concerns, verdict), Continue(), verdict.by)
    return True


def _request(
    run: Run, concerns: tuple[Concern, ...], verdict: Verdict | None, *, role: str = "", digest: str = ""
) -> ReviewRequest:
    call = run.call
    request = request_about(call, run.services, call.display_arguments())
    request = request._replace(concerns=concerns, required_role=role, digest=digest)
    if verdict is None:
        return request
    return request._replace(
        risk=verdict.risk,
        degree=verdict.degree,
        risk_why=call.scrubbed(verdict.risk_why),
        why=call.scrubbed(verdict.why),
        rule="" if verdict.rule is None else verdict.rule.rule.id,
    )


def _objected(look: CallEvaluation, concern: Concern) -> CallEvaluation:
    """Return an evaluation with a reason to ask that no rule settles, also where one allows the call."""
    verdict = look.verdict
    if verdict is not None and verdict.effect is Effect.ALLOW:
        verdict = verdict._replace(effect=Effect.ASK, rule=None, why="", spends=())
    return look._replace(unsettled=(concern, *look.unsettled), verdict=verdict)


def _asks_alike(first: Verdict | None, second: Verdict | None) -> bool:
    if first is None or second is None:
        return first is second
    return second.effect is Effect.ASK and first[:6] == second[:6]


def _why_void(now: Verdict | None) -> str:
    """Return why a question is not the one to ask any more, by what the policy says now."""
    if now is None or now.effect is Effect.ALLOW:
        return "the policy lets it run by now"
    return "the policy refuses it by now" if now.effect is Effect.DENY else POLICY_CHANGED


def _definition_changed(tool: Tool, run: Run) -> str:
    """Return that a tool is another one by now; nothing when it is the same."""
    origin = run.call.origin
    # A tool of a session stands in no registry.
    own = None if origin is None else origin.tools.get(tool.name)
    now = run.services.tool_now(tool.name) if own is None else own
    if now is tool or (now is not None and now.digest == tool.digest):
        return ""
    what = "was removed or disabled" if now is None else "has another definition by now"
    return f"{tool.name} {what}; look at the tools again and make a new call"


def _reason(concern: Concern) -> tuple[str, str]:
    """Return what makes a reason the same one after an edit: another detail alone is what the edit was for.

    What the policy asks is the same only word for word, since no edit changes the words of a rule.
    """
    return concern.kind, concern.detail if concern.kind.startswith(_POLICY) else concern.grants


def is_web_address(value: object) -> bool:
    """Return whether a value is the address of something that is reached over the network."""
    return isinstance(value, str) and value.strip().lower().startswith(("http:", "https:"))


def _looked_up(name: str) -> tuple[str, ...]:
    try:
        return tuple(map(str, addresses_now(name)))
    except OSError:
        # What cannot be looked up cannot be reached either; the tool looks again.
        return ()


def _named_concerns(arguments: Mapping[str, Any], project_dir: Any, of: Any) -> list[Concern]:
    return list(of(arguments, project_dir))


def _refusal(arguments: Mapping[str, Any], decision: ExitEarly) -> str:
    if decision.timed_out:
        return f"Denied: {decision.reason}"
    words = f". {decision.reason}" if decision.reason else ""
    return f"Rejected by reviewer: {one_line(arguments)}{words}"


def standing_concerns(tool: Tool) -> tuple[Concern, ...]:
    """Return the reasons to ask that a tool gives whatever its arguments are."""
    security = tool.security
    hints = tool.hints
    # Of a command line it is told what it would run; that the tool may run anything says nothing beside it.
    if hints.may_destroy and not tool.is_judged_by_line:
        if hints.destructive is None:
            # Of the same kind: a rule that is about destructive tools holds for those taken as such as well.
            said = "nothing of its risk" if hints.says_nothing else "nothing of what it destroys"
            detail = f"{tool.source.name} says {said}; taken as one that {taken_words(hints)}."
            return (Concern("destructive", "Says nothing of its risk", detail),)
        return (Concern("destructive", "Destructive", "The tool says that it may delete or overwrite something."),)
    if tool.spec.requires_confirmation or (security is not None and security.approval_required):
        return (Concern("confirmation", "Always asks", "The tool asks a person before each call."),)
    return ()
