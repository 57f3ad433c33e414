"""Fetch what a question on show says beyond itself: what an edit would do, what may be remembered, how that fares."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from PySide6.QtCore import QObject, QTimer, SignalInstance

from console.approval.estimate import Estimate, estimate_of
from console.approval.remembering import ONLY_THIS_CALL, OfferRow, Remembering, TrialRow
from console.tasks import TaskScope
from tools.calls import Edit, ExitEarly, ReviewDecision, ReviewRequest, ReviewTiming
from tools.spec import DryRun

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
    """Follow one question on show, until it is deleted.

    Args:
        request: The question.
        view: Shows it.
        port: Answers.
        scope: Owns the tasks.
        parent: Its owner.
    """

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
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE_MS)
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
            decision: The answer.
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
        """Look at nothing any more."""
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
