"""`ToolCall` and the `ToolResponse` it is paired with, and the records that others get of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from time import time
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pydantic_core import from_json

from tools.calls.outcome import Attachment, Attempt, CacheUse, CallError, CallStatus, LogEntry, TraceStep
from tools.calls.question import Advice, Continue, Edit, ExitEarly
from tools.calls.record import CallRecord, Decision, ToolRef
from tools.errors import ArgumentProblem, ArgumentsError
from tools.masking import MASK, Masking, Scrubber
from tools.schema import json_text, words_for
from tools.spec import MISSING, Isolation

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.calls.question import Approval, Objection, ReviewDecision, ReviewRequest
    from tools.spec import Concern
    from tools.tool import Probe, Tool


class ToolResponse:
    """What came of a call; pending until the `Executor` ran it.

    Result and text are the real ones, for whoever made the call. What is shown to people, logged or kept is
    `ToolCall.display_result` and `ToolCall.display_text`; error, logs, attachments' names and steps hold no secret.
    What is not described here means what it means in a `CallRecord`.

    Attributes:
        result: The tool's return value, typed; `MISSING` when there is none.
        json_result: The same as JSON; `MISSING` when there is none.
        written: The text, if it was written already: it takes time and memory, and few results are read by a model.
        written_of: The JSON result that `text` wrote `written` of, letter by letter; `MISSING` when it did not.
        modified_arguments: The arguments that really ran, as JSON, when a reviewer changed them; else None.
        parts: The text that the newest attempt wrote while it ran, part by part, its secrets hidden: what is left of
            a call that was stopped. Another attempt has another list.
        attempts: Each start of the tool; the last one may still run.
        fallback: What answered in the tool's place; empty when the tool itself did.
        fallback_reason: Why the tool did not answer itself; None when it did, or when a call filter chose another.
        isolation: Where it ran last; an asynchronous tool that needs no process runs on the event loop itself.
    """

    # The defaults stand on the class: most calls change few of them, and a call costs microseconds in all.
    status: CallStatus = CallStatus.PENDING
    result: Any = MISSING
    json_result: Any = MISSING
    written: str | None = None
    written_of: Any = MISSING
    error: CallError | None = None
    elapsed_s: float = 0.0
    review_s: float = 0.0
    feedback: str = ""
    modified_arguments: dict[str, JsonValue] | None = None
    parts: Sequence[str] = ()
    turns_to_keep: int | None = None
    cache_use: CacheUse = CacheUse.NONE
    fallback: str = ""
    fallback_reason: CallError | None = None
    isolation: Isolation = Isolation.INLINE
    worker_pid: int | None = None
    worker_killed: bool = False

    def __init__(self) -> None:
        self.logs: list[LogEntry] = []
        self.attachments: list[Attachment] = []
        self.steps: list[TraceStep] = []
        self.attempts: list[Attempt] = []

    @property
    def from_cache(self) -> bool:
        """Whether nothing ran because the result was known."""
        return self.cache_use is CacheUse.HIT

    @property
    def text(self) -> str:
        """What a model reads: the result as text, or `Error: ...`; written when somebody asks for it."""
        if self.written is None and self.json_result is not MISSING:
            self.written = json_text(self.json_result)
            self.written_of = self.json_result
        return self.written or ""

    @text.setter
    def text(self, text: str) -> None:
        self.written = text
        self.written_of = MISSING

    @property
    def succeeded(self) -> bool:
        """Whether the tool ran, or its cached result was used, without failing."""
        return self.status is CallStatus.EXECUTED

    def __repr__(self) -> str:
        """Return the status alone: result and text are real, and may hold what nobody is to see."""
        return f"<ToolResponse {self.status.value}>"


PROBE_CALLER: Final = "probe"
"""The caller's name for calls that only find out whether a tool works."""


NO_TOOLS: Final[Mapping[str, Tool]] = MappingProxyType({})


class CallOrigin(NamedTuple):
    """Where a call comes from when it is not alone.

    Attributes:
        owner: What it belongs to, such as a `Session`; tools that act upon that find it here.
        retry_of: The id of the call that it repeats; empty when it repeats none.
        probe: What it asks the tool, if it only finds out whether the tool works: no numbers count it as use, it asks
            nobody, and nothing answers in the tool's place. None makes it an ordinary call.
        model: The language model that asked for it, as its provider names it; empty when none did.
        depth: How many calls it stands inside, each of a tool that runs another; 0 when nothing runs around it.
        session: The id of the session that it comes in, such as that of an MCP client; empty outside of sessions.
        tools: Tools of the owner, by name, that stand in no registry; they are found before those that do.
    """

    owner: object | None = None
    retry_of: str = ""
    probe: Probe | None = None
    model: str = ""
    depth: int = 0
    session: str = ""
    tools: Mapping[str, Tool] = NO_TOOLS


class ToolCall:
    """One request to run a tool. Made by `Executor.create_call`, which has already checked it.

    Attributes:
        id: Unique within the executor, in order of creation.
        tool: The tool; None when no tool has that name.
        given: The arguments as they came.
        arguments: The converted arguments by Python name; empty when they did not fit.
        caller: Who asks: `you`, `agent:name`, `batch: name`.
        started: The clock's reading at that moment, for offsets.
        proposed_s: When it was made, in seconds since the epoch.
        response: What came of it.
        bypass_cache: Whether a cached result is passed over.
        task: The task that runs it; None when it does not run. The executor sets it, so that `cancel` finds it.
        cancel_requested: Whether somebody asked to stop it.
        aborted: Whether it was the program that asked, because it ends.
        approved: What a person was told of these arguments and agreed to before the start.
        approval: What that agreement is bound to; None when nothing was agreed to.
        objection: Why `Proposals.ask` asks about it, whatever the tool and the policy say; None for no reason.
        origin: Where it comes from; None when it stands alone.
        answered_by: The call of another tool that answered in its place; None when its own did.
        on_review: Called with True when the call begins to wait for a person, with False when it does no more; None for
            nobody.
        decisions: The questions about it and their answers, oldest first.
        new_reasons: Titles of the concerns that an edit in another program gave it, for which it is asked about; empty
            otherwise.
        caller_back_within_s: How long it waits for its caller once it may run, in seconds, because the caller has given
            up waiting; None while the caller waits.
        caller_until_s: When it is given up unless its caller comes back, in seconds since the epoch; 0 while it does
            not wait for that.
        redaction: What the policy put in the place of the result, whoever answered; None when it handed it on whole.
    """

    arguments: dict[str, Any]
    bypass_cache: bool = False
    task: asyncio.Task[Any] | None = None
    cancel_requested: bool = False
    aborted: bool = False
    approved: tuple[Concern, ...] = ()
    approval: Approval | None = None
    objection: Objection | None = None
    origin: CallOrigin | None = None
    answered_by: ToolCall | None = None
    on_review: Callable[[bool], None] | None = None
    decisions: tuple[Decision, ...] = ()
    new_reasons: tuple[str, ...] = ()
    caller_back_within_s: float | None = None
    caller_until_s: float = 0.0
    redaction: Callable[[Any], Any] | None = None
    _asked: dict[str, JsonValue] | None = None
    _record: CallRecord | None = None
    _former_secrets: frozenset[str] = frozenset()
    _known_scrubber: Scrubber | None = None
    _scrubbed_for: object = None
    _shown_result: tuple[Any, Any] | None = None

    def __init__(  # noqa: PLR0917 -- made in one place, where keywords would cost more than the object
        self,
        id_: str,
        tool: Tool | None,
        name: str,
        given: Mapping[str, Any] | str | bytes,
        caller: str,
        started: float,
    ) -> None:
        self.id = id_
        self.tool = tool
        self.name = name
        self.given = given
        self.arguments = {}
        self.caller = caller
        self.started = started
        self.response = ToolResponse()
        self.proposed_s = time()

    @property
    def proposed_at(self) -> datetime:
        return datetime.fromtimestamp(self.proposed_s, UTC)

    @property
    def is_probe(self) -> bool:
        """Whether it only finds out whether the tool works."""
        return self.origin is not None and self.origin.probe is not None

    @property
    def session(self) -> str:
        """The id of the session that it comes in; empty outside of sessions."""
        return "" if self.origin is None else self.origin.session

    @property
    def pending(self) -> bool:
        """Whether it was not started, and nobody is being asked about it."""
        return self.response.status is CallStatus.PENDING

    def cancel(self) -> bool:
        """Ask to stop the call; from the event loop that runs it.

        Returns:
            Whether there was anything left to stop.
        """
        if self.response.status.final or self.cancel_requested:
            return False
        # A call that has not begun ends as soon as somebody executes it.
        self.cancel_requested = True
        if self.task is not None:
            self.task.cancel()
        return True

    @property
    def sensitive(self) -> bool:
        """Whether arguments and result stay out of logs: its tool says so, or the one that answered in its place."""
        tool, other = self.tool, self.answered_by
        return (tool is not None and tool.sensitive) or (other is not None and other.sensitive)

    @property
    def hides_something(self) -> bool:
        """Whether what people are shown may differ from what there is."""
        tool, other = self.tool, self.answered_by
        return (tool is not None and tool.masking is not None) or (other is not None and other.hides_something)

    def display_arguments(self) -> dict[str, JsonValue]:
        """Return the arguments as JSON for people: converted when they fit, as given when not, secrets as bullets."""
        masking = None if self.tool is None else self.tool.masking
        if self.tool is None or (not self.arguments and self.response.status is CallStatus.REJECTED):
            return self._as_given(masking)
        written, fit = written_arguments(self.tool, self.arguments)
        return written if masking is None else self._hidden(written, masking, fit=fit)

    def final_record(self) -> CallRecord:
        """Return the record of the call, which has ended; made once."""
        if self._record is None:
            self._record = record_of(self)
        return self._record

    def asked_arguments(self) -> dict[str, JsonValue]:
        """Return the arguments that were asked for, for people; whoever edits them later does not change these.

        The first call takes the snapshot: a tool may change its arguments in place.
        """
        if self._asked is None:
            self._asked = self.display_arguments()
        return self._asked

    def display_result(self) -> Any:
        """Return the JSON result for people: the tool's secrets are bullets, and so are this call's inside texts.

        The response has the real one, for whoever made the call. Everything that shows or keeps a result shows this.

        Returns:
            `MISSING` when there is none.
        """
        result = self.response.json_result
        if self.answered_by is not None and result is not MISSING:
            result = self.answered_by.display_result()
            if self.redaction is not None:
                result = self.redaction(result)
        if result is MISSING or self.tool is None or self.tool.masking is None:
            return result
        if self._shown_result is None or self._shown_result[0] is not result:
            shown = self.tool.masking.result(result)
            scrubber = self._result_scrubber(self.tool.masking)
            # Writing it down and looking once is far quicker than looking at each text by itself.
            hit = bool(scrubber) and scrubber.finds(json_text(shown))
            self._shown_result = (result, scrubber.value(shown) if hit else shown)
        return self._shown_result[1]

    def display_text(self) -> str:
        """Return the response's text for people, as `display_result` does."""
        response = self.response
        if response.error is not None or not self.hides_something:
            # What an error says was scrubbed when it was written.
            return response.text
        shown = self.display_result()
        if response.written is None or response.written == response.json_result:
            return "" if shown is MISSING else shown if isinstance(shown, str) else json_text(shown)
        text = response.written if self.answered_by is None else self.answered_by.display_text()
        masking = None if self.tool is None else self.tool.masking
        return text if masking is None else self._result_scrubber(masking)(text)

    def display_edit(self, revised: Mapping[str, Any] | str) -> Mapping[str, Any] | str:
        """Return what a reviewer put in the arguments' place, or answered, as people may see it."""
        masking = None if self.tool is None else self.tool.masking
        if masking is None:
            return revised
        if isinstance(revised, Mapping):
            return self._hidden(revised, masking, fit=False)
        values = _object_in(revised)
        return self.scrubbed(revised) if values is None else json_text(self._hidden(values, masking, fit=False))

    def display_problem(self, problem: ArgumentProblem) -> ArgumentProblem:
        """Return what does not fit as people may see it: of a secret, or what may hold one, not what came."""
        tool = self.tool
        if tool is None or not (tool.sensitive or tool.masking is not None):
            return problem
        # A problem of the whole may quote any of its parts; what is expected may quote what came.
        hides = tool.sensitive or not problem.path or tool.hides(problem.path)
        given = MASK if hides and problem.kind != "missing" else self.scrubbed(problem.given)
        return problem._replace(expected=self.scrubbed(problem.expected), given=given)

    def display_concern(self, concern: Concern) -> Concern:
        """Return a reason to ask as people may see it; what an approval of it grants stays what it is."""
        if self.tool is None or self.tool.masking is None:
            return concern
        return concern._replace(title=self.scrubbed(concern.title), detail=self.scrubbed(concern.detail))

    def scrubbed(self, text: str) -> str:
        """Return a text of this call without the values of its secret arguments; for errors, log lines and progress."""
        scrubber = self._scrubber()
        return text if scrubber is None else scrubber(text)

    def revise(self, revised: Mapping[str, Any] | str) -> None:
        """Take the arguments that somebody put in the place of these; secrets left as bullets stay what they were.

        Args:
            revised: All arguments by name, or as JSON text.

        Raises:
            ArgumentsError: When they do not fit; the call is as it was.
        """
        tool = self.tool
        if tool is None:
            return
        if isinstance(revised, str) and tool.raw_input is not None:
            revised = {tool.raw_input: revised}
        if isinstance(revised, str):
            values = None if tool.masking is None else _object_in(revised)
            revised = revised if values is None else values
        if tool.masking is not None and isinstance(revised, Mapping):
            # What was typed and what it replaced are secret from now on, whether or not it fits.
            self._former_secrets |= self._secrets(tool, tool.masking) | tool.masking.secrets(revised, fit=False)
            self._scrubbed_for = None
        self.asked_arguments()
        arguments = tool.arguments
        self.arguments = (
            arguments.validate_json(revised) if isinstance(revised, str) else arguments.validate(self.unmasked(revised))
        )
        self.response.modified_arguments = self.display_arguments()

    def unmasked(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return edited arguments with each secret put back that the person saw, and left, as bullets.

        Raises:
            ArgumentsError: When it cannot be told which secret some bullets stand for.
        """
        if self.tool is None or self.tool.masking is None:
            return dict(values)
        return self.tool.masking.restored(values, written_arguments(self.tool, self.arguments)[0], self._scrubber())

    def objections(self, values: Mapping[str, Any]) -> tuple[ArgumentProblem, ...]:
        """Return what would not fit of edited arguments, as people may see it; `revise` would refuse them."""
        if self.tool is None:
            return ()
        try:
            self.tool.arguments.validate(self.unmasked(values))
        except ArgumentsError as error:
            return tuple(map(self.display_problem, error.problems))
        return ()

    def _hidden(self, values: Mapping[str, Any], masking: Masking, *, fit: bool) -> dict[str, JsonValue]:
        """Return arguments with the secret ones hidden, and where other texts repeat them."""
        shown = masking.arguments(values, fit=fit)
        scrubber = self._scrubber()
        return {name: scrubber.texts(value) for name, value in shown.items()} if scrubber else shown

    def _as_given(self, masking: Masking | None) -> dict[str, JsonValue]:
        given = self.given
        if isinstance(given, Mapping):
            return dict(given) if masking is None else self._hidden(given, masking, fit=False)
        if masking is None:
            return {"input": given.decode(errors="replace") if isinstance(given, bytes) else given}
        values = _object_in(given)
        # Where in a text that is no object a secret stands, nobody can tell.
        return {"input": MASK} if values is None else self._hidden(values, masking, fit=False)

    def _scrubber(self) -> Scrubber | None:
        tool = self.tool
        if tool is None or tool.masking is None:
            return None
        if self._known_scrubber is None or self._scrubbed_for is not self.arguments:
            self._known_scrubber = Scrubber(self._former_secrets | self._secrets(tool, tool.masking))
            self._scrubbed_for = self.arguments
        return self._known_scrubber

    def _secrets(self, tool: Tool, masking: Masking) -> set[str]:
        if self.arguments:
            written, fit = written_arguments(tool, self.arguments)
            return masking.secrets(written if fit else self.arguments, fit=fit)
        given = self.given if isinstance(self.given, Mapping) else _object_in(self.given)
        return masking.secrets(given or {}, fit=False)

    def _result_scrubber(self, masking: Masking) -> Scrubber:
        known = self._scrubber() or Scrubber(())
        found = masking.result_secrets(self.response.json_result) if masking.hides_result else set()
        return known.joined(found) if found else known

    def __repr__(self) -> str:
        return f"<ToolCall {self.id} {self.name} {self.response.status.value}>"


def written_arguments(tool: Tool, arguments: Mapping[str, Any]) -> tuple[dict[str, JsonValue], bool]:
    """Return converted arguments as JSON, and whether that is what they are."""
    try:
        return tool.arguments.dump(arguments), True
    except TypeError:
        # A program may pass objects that have no JSON form; people see what Python says of them.
        return {name: words_for(value) for name, value in arguments.items()}, False


def _object_in(text: str | bytes) -> dict[str, Any] | None:
    try:
        values = from_json(text)
    except ValueError:
        return None
    return values if isinstance(values, dict) else None


def tool_ref(name: str, tool: Tool | None) -> ToolRef:
    """Return what a record says of a tool; of an unknown one its name alone."""
    if tool is None:
        return ToolRef(name)
    security = tool.security
    return ToolRef(
        name,
        tool.spec.version,
        tool.digest,
        tool.source.name,
        known=True,
        sensitive=security is not None and security.sensitive,
        encrypted=security is not None and security.encrypt,
    )


def record_of(call: ToolCall) -> CallRecord:
    """Return the record of a call as it stands now; on the thread that runs the call, or once the call ended."""
    response, origin = call.response, call.origin
    written = response.written
    # What an error says and what is simply the result as JSON need not be kept twice.
    own = written is not None and response.error is None and response.written_of is not response.json_result
    own_text = call.display_text() if own and written != response.json_result else None
    return CallRecord(
        call.id,
        tool_ref(call.name, call.tool),
        call.caller,
        call.proposed_s,
        response.status,
        call.asked_arguments(),
        response.modified_arguments,
        "" if origin is None else origin.retry_of,
        call.is_probe,
        tuple(call.decisions),
        response.elapsed_s,
        response.review_s,
        tuple(response.attempts),
        tuple(response.steps),
        response.cache_use,
        response.fallback,
        response.fallback_reason,
        response.isolation,
        response.worker_pid,
        response.worker_killed,
        response.error,
        call.display_result(),
        own_text,
        "".join(response.parts),
        tuple(response.logs),
        tuple(response.attachments),
        response.feedback,
        response.turns_to_keep,
        "" if origin is None else origin.model,
        call.caller_until_s,
    )


_ANSWERS: Final[dict[type, str]] = {Continue: "continue", Edit: "edit", ExitEarly: "exit_early"}


def note_question(call: ToolCall, request: ReviewRequest) -> int:
    """Add a question to the decisions of a call, unanswered; return its place for `note_answer`."""
    decision = Decision(
        question=request.description,
        timing=request.timing.value,
        concerns=tuple([concern._replace(grants="") for concern in request.concerns]),
        shown=None if request.arguments is None else dict(request.arguments),
        asked_at=request.asked_at,
        risk="" if request.risk is None else request.risk.value,
        degree="" if request.degree is None else request.degree.value,
        risk_why=request.risk_why,
        why=request.why,
        rule=request.rule,
        required_role=request.required_role,
        digest=request.digest,
        attached_to=request.attached_to,
    )
    call.decisions = (*call.decisions, decision)
    return len(call.decisions) - 1


def note_answer(call: ToolCall, place: int, decision: ReviewDecision, by: str, void: str = "") -> None:
    """Put the answer to a question among the decisions of a call."""
    refusal = decision if isinstance(decision, ExitEarly) else ExitEarly()
    revised = decision.revised if isinstance(decision, Edit) else None
    answered = call.decisions[place]._replace(
        decided_at=datetime.now(UTC),
        answer=_ANSWERS[type(decision)],
        by=by,
        reason=decision.reason if isinstance(decision, ExitEarly) else decision.feedback,
        revised=revised if revised is None or isinstance(revised, str) else dict(revised),
        timed_out=refusal.timed_out,
        advice="" if refusal.advice is Advice.NONE else refusal.advice.value,
        remembered=decision.remembered,
        void=void,
        stopped_run=refusal.stop_run,
    )
    call.decisions = (*call.decisions[:place], answered, *call.decisions[place + 1 :])
