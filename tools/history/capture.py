"""What is taken of a call while it happens: only what may change later; the rest is read by the writer's thread."""

from __future__ import annotations

from concurrent.futures import Future
from time import time
from typing import Any, Final, NamedTuple

from tools.calls import CallStatus, Continue, Edit, ExitEarly, ReviewAsked, ReviewDecided, ToolCall
from tools.history.writing import is_large, plain_json

Arguments = bytes | dict[str, Any] | None
"""As JSON text; large ones are written later, by the writer's thread."""


class Asked:
    """One question about a call, and the answer as soon as there is one.

    Attributes:
        request: The question.
        decision: The answer; None while it is open.
        by: Who decided; empty when nobody said.
        void: Why the question counts no more; empty for any other one.
        decided_s: When, in seconds since the epoch.
    """

    __slots__ = ("by", "decided_s", "decision", "request", "void")

    def __init__(self, asked: ReviewAsked) -> None:
        self.request = asked.request
        self.decision: Continue | Edit | ExitEarly | None = None
        self.by = ""
        self.void = ""
        self.decided_s = 0.0

    def decide(self, decided: ReviewDecided) -> None:
        """Keep the answer."""
        self.decision = decided.decision
        self.by = decided.by
        self.void = decided.void
        self.decided_s = time()


class Parked(NamedTuple):
    """What is known of a call that has a row and waits for its start, perhaps for ever.

    Attributes:
        row: The row's id.
        arguments: The proposed arguments; None when they are not kept.
        decisions: What was asked; None when nobody was.
    """

    row: int
    arguments: Arguments
    decisions: list[Asked] | None


class Capture:
    """Hold a call on its way into the file.

    Attributes:
        call: The call; its response is final once it is finished, so the writer reads it later.
        arguments: The proposed arguments, taken before the tool could change them: as JSON text unless they are large;
            None when they are not kept.
        decisions: What was asked; None when nobody was.
        finished: Whether the call ended.
        claimed: Whether the writer makes a row of it, or made one, before its end.
        changed: Whether something happened since it was last written.
        row: The row's id; 0 before it has one.
        status: What the row says.
        weight_bytes: About how much memory it holds, as far as that is known and much.
        waiting: Who waits until its end is on disk; None when nobody does.
    """

    # The defaults stand on the class: most calls change few of them, and a call costs microseconds in all.
    decisions: list[Asked] | None = None
    finished: bool = False
    claimed: bool = False
    changed: bool = False
    row: int = 0
    status: CallStatus | None = None
    waiting: list[Future[None]] | None = None
    weight_bytes: int = 0

    def __init__(self, call: ToolCall, arguments: Arguments) -> None:
        self.call = call
        self.arguments = arguments

    def parked(self) -> Parked:
        """Return what is known without a hold on the call."""
        return Parked(self.row, self.arguments, self.decisions)

    @classmethod
    def of_parked(cls, call: ToolCall, parked: Parked) -> Capture:
        """Return the capture of a call that was parked."""
        capture = cls(call, parked.arguments)
        capture.row, capture.decisions, capture.claimed = parked.row, parked.decisions, True
        return capture


SHORT_TEXT: Final = 1_000
_TEXT: Final = (str, bytes)
LARGE_WEIGHT_BYTES: Final = 1_000_000
"""What a large value that is no text is taken to weigh; to know it better, it would have to be written."""


def weight_of(call: ToolCall) -> int:
    """Return about how many bytes of memory an ended call holds, as far as that is known and much; else 0."""
    response = call.response
    result = response.json_result
    weight = 0
    if type(result) is str:
        if len(result) > SHORT_TEXT:
            weight = len(result)
    elif is_large(result):
        weight = LARGE_WEIGHT_BYTES
    if response.attachments:
        weight += sum(len(attachment.data) for attachment in response.attachments)
    return weight


def arguments_of(call: ToolCall) -> Arguments:
    """Return a call's arguments as they may be stored; None when they may not."""
    tool = call.tool
    if tool is not None:
        security = tool.policies.security
        if security is not None and security.sensitive and not security.encrypt:
            return None
    given = call.given
    # What came as a short text has no large parts, and need not be looked through.
    short = len(given) < SHORT_TEXT if isinstance(given, _TEXT) else type(given) is dict and not is_large(given)
    if short and call.arguments and tool is not None and tool.masking is None:
        try:
            return tool.arguments.dump_json(call.arguments)
        except TypeError:
            # A program may pass objects that have no JSON form; people see what Python says of them.
            return plain_json(call.display_arguments())
    arguments = call.display_arguments()
    return plain_json(arguments) if short or not is_large(arguments) else arguments
