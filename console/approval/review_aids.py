"""What a question on show asks of policy, tools and history: dry runs of edits, rules to remember, how they fare."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Protocol

from PySide6.QtCore import QObject, QTimer, SignalInstance

from console.approval.model import (
    ONLY_THIS_CALL,
    AnswerSpan,
    Estimate,
    OfferRow,
    Remembering,
    TrialRow,
    estimate_of,
    expiry_of,
)
from console.call_storage import CallStorage
from console.engine import Engine
from console.language import tr, translated
from console.policies import PolicyController
from console.tasks import TaskScope
from console.tool_list import ToolList
from console.widgets.formats import format_time
from tools.calls import PROBE_CALLER, Edit, ExitEarly, ReviewDecision, ReviewRequest, ReviewTiming
from tools.card import ToolCard
from tools.errors import ArgumentsError, HistoryError, ToolNotFoundError
from tools.execution.executor import Executor
from tools.policy import RISK_WORDS, Effect, PastCall, RuleLocation, RuleOffer, RuleScope, Tested, rule_words
from tools.schema import json_beginning
from tools.spec import DryRun

if TYPE_CHECKING:
    from tools.calls import CallRecord

_PAST_CALLS: Final = 15
"""How many earlier calls a rule is tried on."""

_LISTED_LETTERS: Final = 160


class QuestionAids:
    """Be the `AidsPort`: answer what questions on show ask.

    Args:
        records: Have the calls of the past.
    """

    def __init__(
        self,
        policies: PolicyController,
        *,
        engine: Engine,
        executor: Executor,
        tools: ToolList,
        records: CallStorage,
        scope: TaskScope,
    ) -> None:
        self._policies = policies
        self._engine = engine
        self._executor = executor
        self._tools = tools
        self._records = records
        self._scope = scope

    def aid(self, request: ReviewRequest, view: AidedViewPort) -> ReviewAids:
        return ReviewAids(request, view, self, self._scope)

    async def offers(self, request: ReviewRequest, /) -> tuple[OfferRow, ...]:
        found = await self._engine.call(self._offers, request, Effect.ALLOW)
        source = "" if request.tool is None else request.tool.source.name
        return tuple(OfferRow(_key(offer), _calls_words(offer, source), rule_words(offer.rule)) for offer in found)

    async def remember(self, request: ReviewRequest, choice: Remembering, /, *, allow: bool) -> str:
        offer = await self._engine.call(self._held_offer, request, choice, Effect.ALLOW if allow else Effect.DENY)
        if offer is None:
            self._policies.noticed.emit(
                tr("The answer counts for this call only: no rule by itself would decide the next")
            )
            return ""
        rule = offer.rule.model_copy(update={"expires_at": expiry_of(choice, datetime.now(UTC))})
        place = RuleLocation.SESSION if choice.span is AnswerSpan.SESSION else RuleLocation.USER
        return rule.id if await self._policies.keep(rule, place) else ""

    async def tested(self, request: ReviewRequest, choice: Remembering, /) -> TrialRow | None:
        from tools.history import HistoryQuery  # noqa: PLC0415 -- the window is shown without a database

        offer, tool = await self._engine.call(self._offer, request, choice, Effect.ALLOW), request.tool
        if offer is None or tool is None:
            return None
        names = self._concerned(offer, tool)
        try:
            page = await self._records.search(
                HistoryQuery(tools=names, limit=_PAST_CALLS + 1, without_callers=(PROBE_CALLER,))
            )
            records = [await self._records.get(row.id) for row in page.rows]
        except HistoryError:
            return None
        kept = [record for record in records if record is not None and not self._is_call_of(record, request)]
        kept = kept[:_PAST_CALLS]
        past = [call for record in kept if (call := self._past_call(record)) is not None]
        tested = await self._policies.tested(offer.rule, past)
        return TrialRow(tested.allowed, tested.total, _listed(kept, tested))

    async def dry_run(self, request: ReviewRequest, /) -> DryRun | None:
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


def _calls_words(offer: RuleOffer, source: str) -> str:
    """Say which calls an offer is about, to stand behind `for`."""
    risk = translated(RISK_WORDS[offer.rule.risk[0]]) if offer.rule.risk else ""
    match offer.breadth:
        case RuleScope.ARGUMENTS:
            return tr("this tool with these arguments")
        case RuleScope.TOOL:
            return tr("this tool when it {risk}", risk=risk)
        case RuleScope.SOURCE:
            return tr("every tool of {source} when it {risk}", source=source, risk=risk)
        case RuleScope.PATTERN:
            return offer.words


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


_log = logging.getLogger(__name__)

SETTLE_MS: Final = 250
"""How long an edit has to stand before it is looked at: nobody wants a dry run of every letter typed."""


class AidsPort(Protocol):
    """What a question on show asks of the policy, the tools and the history.

    A request stands for the call with the arguments that it carries; they may be edited, and their secrets are bullets.
    """

    async def offers(self, request: ReviewRequest, /) -> Sequence[OfferRow]:
        """Return what can be remembered of an answer, narrowest first."""
        ...

    async def remember(self, request: ReviewRequest, choice: Remembering, /, *, allow: bool) -> str:
        """Keep an answer as a rule; return its id, empty when it could not be kept, which the person is told."""
        ...

    async def tested(self, request: ReviewRequest, choice: Remembering, /) -> TrialRow | None:
        """Return what the rule would have done to calls of the past; None when nobody knows."""
        ...

    async def dry_run(self, request: ReviewRequest, /) -> DryRun | None:
        """Return what the call would do; None when nobody can tell without doing it."""
        ...


class AidedViewPort(Protocol):
    """The view of the question, as far as it is aided."""

    @property
    def arguments_edited(self) -> SignalInstance:
        """(object): the arguments are these now."""

    @property
    def remember_changed(self) -> SignalInstance:
        """(object): the answer shall be remembered so."""

    @property
    def remembering(self) -> Remembering:
        """What shall be remembered of the answer."""

    def show_offers(self, offers: Sequence[OfferRow], /) -> None:
        """Show what can be remembered of the answer."""

    def show_tested(self, tested: TrialRow | None, /) -> None:
        """Show what the rule would have done so far."""

    def show_estimate(self, estimate: Estimate | None, /) -> None:
        """Show what the call would do, as it is edited now."""


class ReviewAids(QObject):
    """Follow one question on show, until it is deleted."""

    def __init__(
        self,
        request: ReviewRequest,
        view: AidedViewPort,
        port: AidsPort,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._asked = self._now = request
        self._view = view
        self._port = port
        self._scope = scope
        self._looking: asyncio.Task[None] | None = None
        self._testing: asyncio.Task[None] | None = None
        self._offering: asyncio.Task[None] | None = None
        self._is_over = False
        self._timer = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._timer.timeout.connect(self._look)
        if request.timing is not ReviewTiming.BEFORE_EXECUTION or request.plan:
            return
        view.arguments_edited.connect(self._on_view_arguments_edited)
        view.remember_changed.connect(self._on_view_remember_changed)
        self._offer()
        if request.preview is None:
            self._look()

    def answer(self, decision: ReviewDecision, then: Callable[[ReviewDecision], None]) -> None:
        """Keep the answer as the person wants it kept, and hand on the decision with the id of the rule it became.

        Args:
            then: Receives it: at once where nothing is to be kept, also when the view has gone meanwhile.
        """
        choice = self._view.remembering
        if choice == ONLY_THIS_CALL:
            then(decision)
            return
        about = self._asked
        if isinstance(decision, Edit) and isinstance(decision.revised, Mapping):
            about = about._replace(arguments=decision.revised)
        self._scope.start(self._remember(about, choice, decision, then), "remember an answer")  # type: ignore[unused-awaitable]

    async def _remember(
        self,
        about: ReviewRequest,
        choice: Remembering,
        decision: ReviewDecision,
        then: Callable[[ReviewDecision], None],
    ) -> None:
        rule_id = ""
        try:
            rule_id = await self._port.remember(about, choice, allow=not isinstance(decision, ExitEarly))
        except Exception:  # noqa: BLE001 -- the person answered, whatever becomes of the rule
            _log.exception("the answer about %s could not be remembered", about.call.tool.name)
        then(decision._replace(remembered=rule_id))

    def close(self) -> None:
        self._is_over = True
        self._timer.stop()
        for task in (self._looking, self._testing, self._offering):
            if task is not None:
                task.cancel()

    def _on_view_arguments_edited(self, values: Mapping[str, Any]) -> None:
        if self._is_over:
            return
        self._now = self._asked._replace(arguments=values)
        self._offer()
        self._test(self._view.remembering)
        self._timer.start()

    def _on_view_remember_changed(self, choice: Remembering) -> None:
        if not self._is_over:
            self._test(choice)

    def _offer(self) -> None:
        if self._offering is not None:
            self._offering.cancel()
        self._offering = self._scope.start(self._show_offers(self._now), "offers to remember an answer")

    async def _show_offers(self, request: ReviewRequest) -> None:
        offers = await self._port.offers(request)
        if request is self._now and not self._is_over:
            self._view.show_offers(offers)

    def _look(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
        self._looking = self._scope.start(self._show_estimate(self._now), "dry run of an edit")

    async def _show_estimate(self, request: ReviewRequest) -> None:
        found = await self._port.dry_run(request)
        if request is self._now and not self._is_over:
            self._view.show_estimate(None if found is None else estimate_of(found))

    def _test(self, choice: Remembering) -> None:
        if self._testing is not None:
            self._testing.cancel()
            self._testing = None
        if choice != ONLY_THIS_CALL:
            self._testing = self._scope.start(self._show_tested(self._now, choice), "test of a rule")

    async def _show_tested(self, request: ReviewRequest, choice: Remembering) -> None:
        tested = await self._port.tested(request, choice)
        if request is self._now and not self._is_over and choice == self._view.remembering:
            self._view.show_tested(tested)
