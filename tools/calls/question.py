"""The question a person may be asked about a call, and the answers there are: values, without any dialog."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.calls.record import CallRecord
    from tools.card import ToolCard
    from tools.spec import Concern, DryRun, RiskClass, RiskDegree


class ReviewTiming(StrEnum):
    """When in a call's life the question is asked."""

    BEFORE_EXECUTION = "before_execution"
    DURING_EXECUTION = "during_execution"
    AFTER_EXECUTION = "after_execution"


class OnTimeout(StrEnum):
    """What silence means."""

    CONTINUE = "continue"
    EXIT_EARLY = "exit_early"
    FAIL = "fail"


REVIEW_TIMEOUT_S: Final = 300.0
"""How long a question stays open unless it says otherwise. Source: seed 3, `requestApproval()`."""


TIME_LIMIT: Final = "time limit"
"""Who decided when nobody answered in time."""


class Advice(StrEnum):
    """What somebody who refuses tells the caller to do."""

    NONE = "none"
    STOP = "stop"
    ASK = "ask"
    CHANGE = "change"


class Approval(NamedTuple):
    """What an agreement is bound to; it counts for one execution of one call.

    Attributes:
        digest: A hash of the tool's definition, the real arguments, the caller and the policy.
        until_s: When it ends, in seconds since the epoch.
    """

    digest: str
    until_s: float
    by: str


class Objection(NamedTuple):
    """A reason to ask about a call that comes from whoever made it, beside the tool's own; no rule settles it.

    Attributes:
        if_refused: What the caller is told besides when the answer is no.
    """

    concern: Concern
    if_refused: str = ""


class PlannedStep(NamedTuple):
    """One step of a plan that a person is asked about as a whole.

    Attributes:
        calls: How many calls it makes; None when only running it tells.
        looked_at: How many of them were judged.
        asking: How many of those a person would be asked about.
        arguments: Those of its first calls as JSON, secrets masked; where they are not known yet, the plan's own words.
        concerns: Why a person would be asked, each once; at least those that are known already.
        refusal: Why the policy will refuse some of its calls; empty when it will not.
        risk: What kind of harm its calls can do, the worst of them; None when nobody judged it.
        is_open: Whether arguments are still to come that may give a reason to ask: those calls are asked about when
            their turn comes, unless the step is agreed to with whatever arguments.
        degree: How much harm, for a person, the worst of its calls; None when nobody judged it.
        risk_why: Why that degree, in one sentence.
    """

    name: str
    tool: str
    calls: int | None
    looked_at: int
    asking: int
    arguments: tuple[Mapping[str, JsonValue], ...]
    concerns: tuple[Concern, ...] = ()
    refusal: str = ""
    risk: RiskClass | None = None
    is_open: bool = False
    degree: RiskDegree | None = None
    risk_why: str = ""

    @property
    def asks(self) -> bool:
        """Whether a person would be asked about a call of it, or may be."""
        return bool(self.asking) or self.is_open


class ReviewRequest(NamedTuple):
    """One question to a person.

    Attributes:
        id: Unique within the program.
        call: The record of the call it is about, as it stood when this was asked.
        description: What will happen, in one sentence, or the tool's own question.
        arguments: The arguments as JSON, secrets masked; what an edit replaces. None when there is nothing to edit.
        timing: When in the call's life it is asked.
        concerns: Why it is asked.
        timeout_s: Seconds until silence counts; 0 waits for ever.
        on_timeout: What silence means.
        prompt: A hint for the answer; empty shows none.
        required_role: The role that may answer; empty admits everybody.
        risk: What kind of harm the call can do; None when nobody judged it.
        why: The rule that asks, word for word; empty when the tool itself does.
        rule: The id of that rule; empty when the tool itself asks.
        preview: What the call would do; None when nobody can tell without doing it.
        digest: What an approval is bound to: a hash of the tool's definition, the arguments and the caller; empty when
            nothing can be approved.
        result: The result that waits to be handed on, secrets masked; None at any other moment.
        attached: How many identical calls wait for this answer, this one included.
        attached_to: The id of the open question whose answer counts for this call as well, so that nobody is asked this
            one; empty when somebody is.
        plan: What runs, step by step, when it is about a whole plan; empty when it is about one call. Such a question
            is answered with `Continue` or `ExitEarly`.
        degree: How much harm the call can do, for a person; None when nobody judged it.
        risk_why: Why that degree, in one sentence; empty when nobody judged it.
        tool: What is known of the tool; None when there is none of that name.
        new_reasons: Titles of the concerns that an edit gave it, for which it is asked once more; empty otherwise.
        caller_back_within_s: How long the call waits for its caller once it is allowed, in seconds, because the caller
            has given up waiting; None while the caller waits.
    """

    id: str
    call: CallRecord
    description: str
    arguments: Mapping[str, JsonValue] | None
    asked_at: datetime
    timing: ReviewTiming = ReviewTiming.BEFORE_EXECUTION
    concerns: tuple[Concern, ...] = ()
    timeout_s: float = 0.0
    on_timeout: OnTimeout = OnTimeout.EXIT_EARLY
    prompt: str = ""
    required_role: str = ""
    risk: RiskClass | None = None
    why: str = ""
    rule: str = ""
    preview: DryRun | None = None
    digest: str = ""
    result: JsonValue = None
    attached: int = 1
    attached_to: str = ""
    plan: tuple[PlannedStep, ...] = ()
    degree: RiskDegree | None = None
    risk_why: str = ""
    tool: ToolCard | None = None
    new_reasons: tuple[str, ...] = ()
    caller_back_within_s: float | None = None

    @property
    def expires_at(self) -> datetime | None:
        """When silence counts; None when it never does."""
        return self.asked_at + timedelta(seconds=self.timeout_s) if self.timeout_s else None


class Continue(NamedTuple):
    """Let the call go on as asked.

    Attributes:
        feedback: Words for the caller; empty for none.
        remembered: The id of the rule that was made of this answer; empty when none was.
        whatever: The steps of a plan that are agreed to with whatever arguments they will have.
    """

    feedback: str = ""
    remembered: str = ""
    whatever: tuple[str, ...] = ()


class Edit(NamedTuple):
    """Let the call go on with other arguments, or answer the tool's question with a text.

    Attributes:
        revised: The new arguments, or the answer's text.
        feedback: Words for the caller; empty for none.
        remembered: The id of the rule that was made of this answer; empty when none was.
    """

    revised: Mapping[str, Any] | str
    feedback: str = ""
    remembered: str = ""


class ExitEarly(NamedTuple):
    """Refuse.

    Attributes:
        reason: The person's words; empty for none.
        timed_out: Whether silence decided.
        stop_run: Whether everything this call belongs to stops as well.
        advice: What the caller is told to do.
        remembered: The id of the rule that was made of this answer; empty when none was.
    """

    reason: str = ""
    timed_out: bool = False
    stop_run: bool = False
    advice: Advice = Advice.NONE
    remembered: str = ""


ReviewDecision = Continue | Edit | ExitEarly
