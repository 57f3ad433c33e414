"""What a model reads of a call: the result, and what people did to the call and said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tools.calls import CallStatus, ErrorKind
from tools.remedies import remedy_of
from tools.schema import json_text

if TYPE_CHECKING:
    from tools.calls import ToolCall

_UNFINISHED: Final = {
    CallStatus.PENDING: "The call has not run yet: a person decides about it.",
    CallStatus.WAITING_FOR_REVIEW: "The call has not ended yet: a person is being asked about it.",
    CallStatus.WAITING_FOR_CALLER: "The call has not ended yet: it may run once its caller is back.",
    CallStatus.EXECUTING: "The call has not ended yet.",
}
_ADVICE: Final = {
    CallStatus.DENIED: "Do not repeat the call as it is; do what the person says, or find another way.",
    CallStatus.CANCELLED: "It was stopped while it ran, so part of its work may be done. Do not repeat it unasked.",
    CallStatus.TIMED_OUT: "Part of its work may be done.",
    CallStatus.ABORTED: "Part of its work may be done.",
}


def response_for_model(call: ToolCall) -> str:
    """Return a call's outcome in words for the model that asked for it.

    Besides the result or the error it tells what to do about the error, which arguments really ran when a person
    changed them, and what the person says.

    Source: seed 4, §2.4; the reference's reports of edited arguments and feedback.
    """
    response = call.response
    status = response.status
    if not status.final:
        lines = [_UNFINISHED[status]]
    else:
        lines = [response.text]
        if response.error is not None:
            lines.append(remedy_of(response.error))
        if status in _ADVICE and (response.error is None or response.error.kind is not ErrorKind.GUIDED):
            lines.append(_ADVICE[status])
    if response.modified_arguments is not None:
        ran = "It ran with" if response.attempts or response.from_cache else "It stands at"
        lines.append(f"A person changed the arguments. {ran}: {json_text(response.modified_arguments)}")
    # A refusal has the person's words in its message already.
    if response.feedback and response.feedback not in response.text:
        lines.append(f"The person says: {response.feedback}")
    return "\n".join(line for line in lines if line)
