"""What happens to one call: the call, its response, the question a person may be asked, and the events of its life.

Everything here is a value or a record. A `ToolCall` is paired with its `ToolResponse` from the start: pending until the
`Executor` runs it, and final afterwards. Only the `Executor` changes a response.
"""

from tools.calls.audited import audit_level_of, audited_arguments, audited_values
from tools.calls.call import PROBE_CALLER, CallOrigin, ToolCall, ToolResponse
from tools.calls.events import (
    CallFinished,
    CallProposed,
    CallStarted,
    Event,
    GuardChanged,
    Logged,
    Measured,
    Progressed,
    ReviewAsked,
    ReviewDecided,
    StepFinished,
    Wrote,
)
from tools.calls.guards import GuardKind, GuardState
from tools.calls.outcome import (
    Attachment,
    CallError,
    CallStatus,
    ErrorKind,
    LogEntry,
    Measurement,
    Progress,
    Step,
    StepOutcome,
)
from tools.calls.question import (
    REVIEW_TIMEOUT_S,
    TIME_LIMIT,
    Advice,
    Approval,
    Continue,
    Edit,
    ExitEarly,
    OnTimeout,
    PlannedStep,
    ReviewDecision,
    ReviewRequest,
    ReviewTiming,
)
from tools.masking import MASK
from tools.spec import Count, DryRun, RiskClass, RiskLevel

__all__ = [
    "MASK",
    "PROBE_CALLER",
    "REVIEW_TIMEOUT_S",
    "TIME_LIMIT",
    "Advice",
    "Approval",
    "Attachment",
    "CallError",
    "CallFinished",
    "CallOrigin",
    "CallProposed",
    "CallStarted",
    "CallStatus",
    "Continue",
    "Count",
    "DryRun",
    "Edit",
    "ErrorKind",
    "Event",
    "ExitEarly",
    "GuardChanged",
    "GuardKind",
    "GuardState",
    "LogEntry",
    "Logged",
    "Measured",
    "Measurement",
    "OnTimeout",
    "PlannedStep",
    "Progress",
    "Progressed",
    "ReviewAsked",
    "ReviewDecided",
    "ReviewDecision",
    "ReviewRequest",
    "ReviewTiming",
    "RiskClass",
    "RiskLevel",
    "Step",
    "StepFinished",
    "StepOutcome",
    "ToolCall",
    "ToolResponse",
    "Wrote",
    "audit_level_of",
    "audited_arguments",
    "audited_values",
]
