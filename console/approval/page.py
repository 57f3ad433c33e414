"""Questions to the person: a dialog over the window they look at, a page of all, a notice when they look elsewhere.

A dialog opens only over a window that has the focus; several questions lead to the Approvals page; otherwise the
desktop shows a notice. A widget that is shown before it has a parent is a window for a moment and takes the focus:
give it one first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget

from console.approval.approval_queue import SILENCES, ApprovalQueue, TimeoutPolicy
from console.approval.model import ApprovalModel, approval_model
from console.approval.presenter import ARMING_S, ApprovalPresenter, ReviewPresenter
from console.approval.review_aids import AidedViewPort, ReviewAids
from console.call_storage import CallStorage
from console.language import tr, tr_count
from console.lazy_page import LazyPage, load_next
from console.notices import DesktopPresence
from console.preferences import Preferences
from console.tasks import TaskScope
from console.widgets import ConfirmLoss
from tools.calls import Continue, ExitEarly, ReviewRequest
from tools.execution.executor import Executor
from tools.policy import PlacedRule

if TYPE_CHECKING:
    from console.approval.decisions_presenter import DecisionsPresenter
    from console.approval.dialog import ApprovalDialog
    from console.approval.inline_view import InlineReview
    from console.approval.page_presenter import ApprovalsPresenter
    from console.approval.page_view import ApprovalsView


_SILENCE: Final = "approvals/silence"
_DENY: Final = "deny"
_ALLOW: Final = "allow"
_MANY: Final = "many"
_EACH: Final = 3
"""So many open questions have a notice each; more of them have one together."""

_DENIED_ALL: Final = "Everything that was open was denied at once."
_DENIED_FROM_NOTICE: Final = "Denied from the desktop's notice, without a look at the arguments."


def _nowhere(_: ReviewRequest) -> bool:
    return False


class ApprovalsPage(QObject):
    """Own everything between the desk and the person.

    Args:
        window: What dialogs stand over.
        rules: Returns the rules that answers are remembered as.
        records: Have the decisions of the past.
        preferences: Remember what silence means.
        aid: Follows the view of a question with what is known beyond it.
        remembered: Shows the rules that answers became.
        folder: Gives the folder that relative paths of calls are shown from.
        clock: Gives seconds that only grow.

    Signals:
        waiting_changed(int): So many questions wait for an answer.
        page_requested(): The page is to come to the front.
        dimmed(bool): A dialog stands over the window, or none does any more.
        call_opened(str): A call of the history is to be shown.
    """

    waiting_changed = Signal(int)
    noticed = Signal(str)
    page_requested = Signal()
    dimmed = Signal(bool)
    call_opened = Signal(str)

    def __init__(
        self,
        desk: ApprovalQueue,
        presence: DesktopPresence,
        window: QWidget,
        *,
        executor: Executor,
        rules: Callable[[], Iterable[PlacedRule]],
        records: CallStorage,
        preferences: Preferences,
        scope: TaskScope,
        aid: Callable[[ReviewRequest, AidedViewPort], ReviewAids],
        ask: ConfirmLoss,
        remembered: QWidget,
        folder: Callable[[], Path],
        clock: Callable[[], float] = monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._presence = presence
        self._notices = presence.notices
        self._window = window
        self._rules = rules
        self._records = records
        self._preferences = preferences
        self._scope = scope
        self._aid = aid
        self._ask = ask
        self._folder = folder
        self._remembered = remembered
        self._rule_count = 0
        self._seen: set[str] = set()
        self._noticed: set[str] = set()
        self._clock = clock
        self._is_asked_elsewhere: Callable[[ReviewRequest], bool] = _nowhere
        self._allowable: dict[str, float] = {}
        self._view: ApprovalsView | None = None
        self._page: ApprovalsPresenter | None = None
        self._decisions: DecisionsPresenter | None = None
        self.widget = LazyPage(tr("Approvals"))
        self.widget.wanted.connect(self._on_widget_wanted)
        # It ends with the window, also where nobody ever looks at the page.
        remembered.hide()
        remembered.setParent(self.widget)
        self.dialogs = ApprovalPresenter(
            desk,
            self._open_dialog,
            aid=aid,
            may_open=self._may_open,
            load_next=lambda: load_next("console.approval"),
            parent=self,
        )
        desk.set_reschedule(executor.questions.reschedule)
        desk.set_objections(executor.objections)
        executor.questions.watch(desk.follow)
        desk.set_silence(self.silence)
        self._wire()

    def _wire(self) -> None:
        self._desk.changed.connect(self._on_desk_changed)
        self.dialogs.waiting_changed.connect(self.waiting_changed)
        self.dialogs.dimmed.connect(self.dimmed)
        self.dialogs.all_requested.connect(self.page_requested)
        self._notices.chosen.connect(self._on_notices_chosen)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.applicationStateChanged.connect(self._on_application_state_changed)

    def refuse_from_now_on(self, reason: str) -> None:
        """Refuse everything that is open and that comes, as when the program ends."""
        self.dialogs.deny_all(reason, from_now_on=True)

    def close(self) -> None:
        if self._page is not None:
            self._page.close()
        if self._decisions is not None:
            self._decisions.close()

    def leave_to(self, other: Callable[[ReviewRequest], bool]) -> None:
        """Set what tells that another page asks a question, so that no dialog comes for it."""
        self._is_asked_elsewhere = other

    def inline(self, request_id: str, parent: QWidget) -> InlineReview | None:
        """Return a question to be asked in the midst of another page; None when it is not open any more."""
        from console.approval.inline_view import InlineReview  # noqa: PLC0415 -- as in `_open_dialog`
        from console.approval.review_view import ReviewView  # noqa: PLC0415 -- as above

        request = self._desk.request(request_id)
        if request is None:
            return None
        asked = approval_model(request, datetime.now(UTC), self._desk.roles.names)
        view = ReviewView(asked, self._folder(), in_page=True, parent=parent)
        shown = InlineReview(view, parent)
        review = ReviewPresenter(self._desk, request, view, aid=self._aid, parent=shown)
        shown.ticked.connect(review.tick)
        shown.left.connect(review.close)
        review.settled.connect(shown.over)
        review.over.connect(shown.over)
        return shown

    @Slot()
    def show_oldest(self) -> None:
        """Show the oldest question: on the page when that is in sight, else in a dialog."""
        if self._view is not None and self._view.isVisible():
            self._view.show_pending(next((request.id for request in self._desk.open_requests), ""))
        else:
            self.dialogs.show_oldest()

    def _may_open(self, request: ReviewRequest) -> bool:
        """Let a dialog come only over a window that is looked at, and never about what the page showed already."""
        on_page = self._view is not None and self._view.isVisible()
        is_shown = on_page or request.id in self._seen or self._is_asked_elsewhere(request)
        return self._presence.is_in_front() and not is_shown

    def _open_dialog(self, model: ApprovalModel) -> ApprovalDialog:
        from console.approval.dialog import ApprovalDialog  # noqa: PLC0415 -- no window is shown later for a question

        dialog = ApprovalDialog(model, self._window, base=self._folder())
        dialog.open_soon()
        return dialog

    @Slot()
    def _on_widget_wanted(self) -> None:
        from console.approval.decision_model import DecisionModel  # noqa: PLC0415 -- as above
        from console.approval.decisions_presenter import DecidedCalls, DecisionsPresenter, span_of_rules  # noqa: PLC0415 -- no window is shown later for it
        from console.approval.decisions_view import DecisionsView  # noqa: PLC0415 -- as above
        from console.approval.page_presenter import ApprovalsPresenter  # noqa: PLC0415 -- as above
        from console.approval.page_view import ApprovalsView  # noqa: PLC0415 -- as above
        from console.approval.queue_table_model import QueueModel  # noqa: PLC0415 -- as above

        queue = QueueModel(parent=self)
        decided = DecisionModel(parent=self)
        span_of = span_of_rules(self._rules)
        self._view = view = ApprovalsView(queue, DecisionsView(decided))
        view.decisions.opened.connect(self.call_opened)
        self._decisions = DecisionsPresenter(
            decided,
            view.decisions,
            DecidedCalls(self._records, span_of),
            scope=self._scope,
            span_of=span_of,
            parent=self,
        )
        self._decisions.noticed.connect(self.noticed)
        self._records.changed.connect(self._decisions.refresh_soon)
        self._records.opened.connect(self._decisions.refresh_soon)
        view.show_silence(self.silence)
        view.silence_chosen.connect(self.set_silence)
        view.shown.connect(self._on_view_shown)
        view.set_remembered(self._remembered)
        view.show_remembered(self._rule_count)
        self._page = ApprovalsPresenter(self._desk, queue, view, aid=self._aid, parent=self)
        self._page.noticed.connect(self.noticed)
        self._page.denial_asked.connect(self._on_page_denial_asked)
        self._desk.changed.connect(self._note_seen)
        self.widget.fill(view)

    @Slot(int)
    def show_remembered(self, count: int) -> None:
        self._rule_count = count
        if self._view is not None:
            self._view.show_remembered(count)

    @Slot()
    def show_rules(self) -> None:
        """Show the rules, where the page is in front."""
        if self._view is not None:
            self._view.show_rules()

    @Slot()
    def _on_view_shown(self) -> None:
        if self._view is not None and self._decisions is not None:
            self._view.set_base(self._folder())
            self._decisions.refresh()
        self._note_seen()

    @Slot()
    def _note_seen(self) -> None:
        """Take note of the questions that the page lists: no dialog comes for them any more."""
        if self._view is not None and self._view.isVisible():
            self._seen.update(request.id for request in self._desk.open_requests)

    @Slot(int)
    def _on_page_denial_asked(self, count: int) -> None:
        text = tr_count(
            count,
            "1 call waits for your approval. Their callers are told that you denied them.",
            "{count} calls wait for your approval. Their callers are told that you denied them.",
        )
        self._ask(tr("Deny everything?"), text, tr("Deny all"), self._deny_all)

    def _deny_all(self) -> None:
        count = self._desk.answer_all(ExitEarly(_DENIED_ALL))
        self.noticed.emit(tr_count(count, "1 call denied", "{count} calls denied"))

    @property
    def silence(self) -> TimeoutPolicy:
        """Give what becomes of questions that nobody answers."""
        key = self._preferences.choice(_SILENCE, [silence.key for silence in SILENCES], TimeoutPolicy().key)
        return next(silence for silence in SILENCES if silence.key == key)

    @Slot(object)
    def set_silence(self, silence: TimeoutPolicy) -> None:
        """Let something else become of questions that nobody answers."""
        self._preferences.set_choice(_SILENCE, silence.key)
        self._desk.set_silence(silence)
        if self._view is not None:
            self._view.show_silence(silence)

    @Slot()
    def _on_desk_changed(self) -> None:
        requests = self._desk.open_requests
        waiting = {request.id for request in requests}
        self._seen &= waiting
        for request_id in self._noticed - waiting - {_MANY}:
            self._notices.withdraw(request_id)
        new = [request for request in requests if request.id not in self._noticed]
        self._noticed &= waiting | {_MANY}
        self._allowable = {key: at_s for key, at_s in self._allowable.items() if key in waiting}
        if self._presence.is_in_front() or not new:
            self._tell_many(len(requests) if _MANY in self._noticed else 0)
            return
        self._noticed.update(request.id for request in new)
        if not self._notices.is_quiet:
            QApplication.alert(self._window)
        if len(requests) <= _EACH:
            for request in new:
                self._tell(request)
        else:
            for request in requests:
                self._notices.withdraw(request.id)
            self._noticed.add(_MANY)
            self._tell_many(len(requests))

    def _tell(self, request: ReviewRequest) -> None:
        from console.approval.queue_rows import fitting_arguments, pending_row  # noqa: PLC0415 -- most questions come while one looks

        row = pending_row(request)
        verb = tr("asks you something") if request.arguments is None and not request.plan else tr("wants to run")
        arguments = fitting_arguments(row) if self._presence.may_allow else ""
        if arguments:
            self._allowable[request.id] = self._clock()
        text = f"{arguments or row.summary}\n{row.caller}, {row.tag}"
        actions = (*(((_ALLOW, tr("Allow once")),) if arguments else ()), (_DENY, tr("Deny")))
        self._notices.post(request.id, f"{row.tool} {verb}", text, actions, urgent=row.needs_care)

    def _tell_many(self, count: int) -> None:
        if count > 1:
            self._notices.post(
                _MANY,
                tr_count(count, "1 call waits for your approval", "{count} calls wait for your approval"),
                tr("Nothing runs before you answer."),
            )
        else:
            self._noticed.discard(_MANY)
            self._notices.withdraw(_MANY)

    @Slot(str, str)
    def _on_notices_chosen(self, key: str, action: str) -> None:
        if key not in self._noticed:
            return
        if action == _DENY:
            self._desk.answer(key, ExitEarly(_DENIED_FROM_NOTICE))
            return
        if action == _ALLOW and self._may_allow(key):
            self._desk.answer(key, Continue())
            return
        self._presence.come_to_front()
        self.page_requested.emit()
        if self._view is not None:
            self._view.show_pending("" if key == _MANY else key)

    def _may_allow(self, request_id: str) -> bool:
        """Return whether a notice that could allow a call has been on show long enough to be read."""
        shown_at_s = self._allowable.get(request_id)
        return self._presence.may_allow and shown_at_s is not None and self._clock() - shown_at_s >= ARMING_S

    def _on_application_state_changed(self) -> None:
        if not self._presence.is_in_front():
            return
        for key in tuple(self._noticed):
            self._notices.withdraw(key)
        self._noticed.discard(_MANY)
        self.dialogs.look_again()
