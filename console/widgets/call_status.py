"""What the status vocabulary calls a call."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from console.widgets.status import StatusName
from tools.calls import CallStatus

_STATUS_BY_CALL: Final[Mapping[CallStatus, StatusName]] = MappingProxyType(
    {
        CallStatus.PENDING: "queued",
        CallStatus.WAITING_FOR_REVIEW: "waiting",
        CallStatus.EXECUTING: "running",
        CallStatus.EXECUTED: "success",
        CallStatus.FAILED: "failed",
        CallStatus.DENIED: "denied",
        CallStatus.CANCELLED: "cancelled",
        CallStatus.TIMED_OUT: "timed_out",
        CallStatus.NOT_FOUND: "rejected",
        CallStatus.REJECTED: "rejected",
        CallStatus.ABORTED: "aborted",
    }
)


def status_of_call(status: CallStatus, *, from_cache: bool = False) -> StatusName:
    """Give the word of the status vocabulary for how a call stands.

    Args:
        status: Where the call is, or how it ended.
        from_cache: Whether nothing ran because the result was known.
    """
    return "cached" if from_cache and status is CallStatus.EXECUTED else _STATUS_BY_CALL[status]
