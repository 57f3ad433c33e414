"""What a question on show asks of the policy, the tools and the history, and how its answer is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from console.approval.remembering import AnswerSpan, OfferRow, Remembering, TrialRow, expiry_of
from console.approval.review_aids import AidedViewPort, ReviewAids
from console.engine import Engine
from console.policies import PolicyController
from console.records import Records
from console.tasks import TaskScope
from console.tool_list import ToolList
from console.widgets.formats import format_time
from tools.calls import ReviewRequest
from tools.card import ToolCard
from tools.errors import ArgumentsError, HistoryError, ToolNotFoundError
from tools.execution import Executor
from tools.policy import Effect, PastCall, RuleLocation, RuleOffer, Tested, rule_words
from tools.schema import json_beginning
from tools.spec import DryRun

if TYPE_CHECKING:
    from tools.calls import CallRecord


_PAST_CALLS: Final = 15
"""How many earlier calls a rule is tried on."""

_LISTED_LETTERS: Final = 160


class QuestionAids:
    """Answer what questions on show ask.

    Args:
        policies: Keep the rules.
        engine: Where the executor lives.
        executor: Makes dry runs.
        tools: The tools.
        records: Have the calls of the past.
        scope: Owns the tasks.
    """

    def __init__(
        self,
        policies: PolicyController,
        *,
        engine: Engine,
        executor: Executor,
        tools: ToolList,
        records: Records,
        scope: TaskScope,
    ) -> None:
        self._policies = policies
        self._engine = engine
        self._executor = executor
        self._tools = tools
        self._records = records
        self._scope = scope

    def aid(self, request: ReviewRequest, view: AidedViewPort) -> ReviewAids:
        """Follow the view of a question."""
        return ReviewAids(request, view, self, self._scope)

    async def offers(self, request: ReviewRequest, /) -> tuple[OfferRow, ...]:
        """Return what can be remembered of an answer, narrowest first."""
        found = await self._engine.call(self._offers, request, Effect.ALLOW)
        return tuple(OfferRow(_key(offer), offer.words, rule_words(offer.rule)) for offer in found)

    async def remember(self, request: ReviewRequest, choice: Remembering, /, *, allow: bool) -> str:
        """Keep an answer as a rule; return its id, empty when it could not be kept, which the person is told."""
        offer = await self._engine.call(self._held_offer, request, choice, Effect.ALLOW if allow else Effect.DENY)
        if offer is None:
            self._policies.noticed.emit("The answer counts for this call only: no rule by itself would decide the next")
            return ""
        rule = offer.rule.model_copy(update={"expires_at": expiry_of(choice, datetime.now(UTC))})
        place = RuleLocation.SESSION if choice.span is AnswerSpan.SESSION else RuleLocation.USER
        return rule.id if await self._policies.keep(rule, place) else ""

    async def tested(self, request: ReviewRequest, choice: Remembering, /) -> TrialRow | None:
        """Return what the rule would have done to calls of the past; None when nobody knows."""
        from tools.history import HistoryQuery  # noqa: PLC0415 -- the window is shown without a database

        offer, tool = await self._engine.call(self._offer, request, choice, Effect.ALLOW), request.tool
        if offer is None or tool is None:
            return None
        names = self._concerned(offer, tool)
        try:
            page = await self._records.search(HistoryQuery(tools=names, limit=_PAST_CALLS + 1))
            records = [await self._records.get(row.id) for row in page.rows]
        except HistoryError:
            return None
        kept = [record for record in records if record is not None and not self._is_call_of(record, request)]
        kept = kept[:_PAST_CALLS]
        past = [call for record in kept if (call := self._past_call(record)) is not None]
        tested = await self._policies.tested(offer.rule, past)
        return TrialRow(tested.allowed, tested.total, _listed(kept, tested))

    async def dry_run(self, request: ReviewRequest, /) -> DryRun | None:
        """Return what the call would do; None when nobody can tell without doing it."""
        try:
            return await self._engine.call(self._preview, request)
        except (ArgumentsError, ToolNotFoundError):
            # An edit that does not fit, which its field says; or a tool that is gone, which withdraws the question.
            return None

    async def _preview(self, request: ReviewRequest) -> DryRun | None:
        call = self._executor.questions.call_of(request.id)
        return None if call is None else await self._executor.preview(call, request.arguments)

    async def _offers(self, request: ReviewRequest, effect: Effect) -> tuple[RuleOffer, ...]:
        call = self._executor.questions.call_of(request.id)
        return () if call is None else self._policies.policy.offers(call, request, effect)

    async def _offer(self, request: ReviewRequest, choice: Remembering, effect: Effect) -> RuleOffer | None:
        found = await self._offers(request, effect)
        return next((offer for offer in found if _key(offer) == choice.offer), None)

    async def _held_offer(self, request: ReviewRequest, choice: Remembering, effect: Effect) -> RuleOffer | None:
        offer = await self._offer(request, choice, effect)
        if offer is not None:
            # The rule is there before the answer, and must not answer in the person's place.
            self._executor.questions.hold(request.id)
        return offer

    def _concerned(self, offer: RuleOffer, tool: ToolCard) -> tuple[str, ...]:
        """Name the tools whose calls a rule may be about."""
        others = self._tools if offer.rule.tool == "*" else ()
        return tuple({tool.name, *(other.name for other in others if other.source.name == tool.source.name)})

    def _is_call_of(self, record: CallRecord, request: ReviewRequest) -> bool:
        """Return whether a record is of the very call that is asked about."""
        return record.call_id == request.call.id and self._records.is_of_this_run(record.id)

    def _past_call(self, record: CallRecord) -> PastCall | None:
        """Return a call of the past as rules see it; None when its arguments are not kept."""
        arguments = record.final_arguments
        if arguments is None:
            return None
        kinds = frozenset(concern.kind for decision in record.decisions for concern in decision.concerns)
        return PastCall(record.id, record.tool.name, arguments, record.caller, self._executor.project_dir, kinds)


def _key(offer: RuleOffer) -> str:
    return f"{offer.breadth}: {offer.words}"


def _listed(records: Sequence[CallRecord], tested: Tested) -> str:
    now = datetime.now(UTC)
    lines = []
    for record in records:
        if record.id in tested.matched:
            text = " ".join(json_beginning(record.final_arguments or {}, _LISTED_LETTERS + 1).split())
            short = text if len(text) <= _LISTED_LETTERS else f"{text[:_LISTED_LETTERS]}…"
            lines.append(f"{format_time(record.proposed_at, now)}  {record.tool.name}  {short}")
    return "\n".join(lines)
