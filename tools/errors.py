"""Every exception the framework raises, and what each one means to a caller.

```text
ToolError                     anything this framework raises on purpose
├── ToolConfigurationError    the program is put together wrongly; a person must mend it
│   ├── DeclarationError      a tool is declared wrongly (name, signature, policy)
│   ├── DuplicateToolError    two owners want the same name
│   ├── DiscoveryError        a plugin or entry point did not load
│   ├── DependencyCycleError  steps wait for each other in a circle
│   ├── PlanError             a batch plan is not as it must be
│   ├── ServerConfigError     a server's entry cannot be read, kept or filled in
│   ├── ApiError              an OpenAPI document or an API's entry cannot be read, kept or used
│   └── GatewayError          agents cannot be let in: their list is unreadable, or the address is taken
├── ArgumentsError            the arguments do not fit the schema
├── ToolNotFoundError         no tool has that name
├── CallStateError            the call was already started
├── ToolFailure               raised *by tools*: the message is the whole story, no traceback
│   ├── TransientError        raised by tools: the same call may succeed in a moment
│   │   └── ToolTimeoutError  raised by tools: their own time limit passed, so the call is timed out
│   ├── ServerRefusedError    an MCP server answered with a protocol error
│   └── ServerAnswerError     an MCP server's answer is not what the protocol asks for
├── RateLimitError            no permit in time
├── ToolCrashError            the worker process that ran the tool died
│   └── MayHaveRunError       nobody can tell whether a call of it ran
├── UnavailableError          the tool is not started now: it failed too often, or too many calls of it run
├── CallerGoneError           the caller of an allowed call was gone and did not come back in time; nothing ran
├── ContractError             a precondition, postcondition or invariant does not hold
├── DeniedError               policy or a person refused
├── ReviewTimeoutError        nobody answered and the request said that this is an error
├── PolicyError               a rule cannot be kept, or a policy file not be read or written
├── AuditError                the audit log cannot be read, or another program holds it
├── VaultError                something cannot be encrypted, or what is stored does not open
├── SignInError               nobody is signed in at a server, or signing in failed
├── HistoryError              the record of calls cannot be read or written
├── ModelError                a model's provider gave no whole answer
├── ConversationError         the file of a conversation with a model cannot be read or written
└── ExitEarlyError            the reviewer stopped the whole run
```
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class ToolError(Exception):
    """Be the base of everything this framework raises on purpose."""


class ToolConfigurationError(ToolError):
    """Report a program that is put together wrongly, such as a guarded tool without a reviewer."""


class DeclarationError(ToolConfigurationError):
    """Report a tool that is declared wrongly; the message names it and the repair."""


class DuplicateToolError(ToolConfigurationError):
    """Report two owners of one name.

    Args:
        second: Who wanted it too.
    """

    def __init__(self, name: str, first: str, second: str) -> None:
        super().__init__(f"duplicate tool name {name!r}: {first} has it, {second} wants it too; rename one of them")
        self.name = name
        self.first = first
        self.second = second


class DiscoveryError(ToolConfigurationError):
    """Report a plugin file or entry point that did not load."""


class DependencyCycleError(ToolConfigurationError):
    """Report steps that wait for each other in a circle.

    Args:
        circle: Each name waits for the next one; the first is the last as well.
    """

    def __init__(self, circle: Sequence[str]) -> None:
        super().__init__(f"each waits for the next one, in a circle: {' → '.join(circle)}; take one dependency out")
        self.circle = tuple(circle)


class PlanProblem(NamedTuple):
    """One thing that is wrong with a batch plan.

    Attributes:
        where: The place in the plan, such as `steps[2].arguments.path`; empty for the plan as a whole.
        message: What was expected, what came, and what to do.
        step: The step's id; empty when it concerns none.
    """

    where: str
    message: str
    step: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class PlanError(ToolConfigurationError):
    """Report everything that is wrong with a batch plan, all at once.

    Args:
        name: The plan or its file, for the message; empty when it has no name.
    """

    def __init__(self, problems: Sequence[PlanProblem], name: str = "") -> None:
        super().__init__((f"{name}: " if name else "") + "; ".join(map(str, problems)))
        self.problems = tuple(problems)


class ServerConfigError(ToolConfigurationError):
    """Report a server's entry that cannot be read, kept or filled in; the message says what to do."""


class ApiError(ToolConfigurationError):
    """Report an OpenAPI document or an API's entry that cannot be read, kept or used; the message says what to do."""


class GatewayError(ToolConfigurationError):
    """Report that agents cannot be let in; the message says why and what to do."""


UNCHECKED: Final = "unchecked"
"""The kind of a problem that is the schema's and not the arguments': they could not be checked to the end."""


class ArgumentProblem(NamedTuple):
    """One argument that does not fit.

    Attributes:
        path: Where it is, `$`-less JSON path such as `context.before` or `include[2]`; empty for the whole object.
        expected: What the schema asks for, in words; of the kind `UNCHECKED`, what is wrong with the schema.
        given: What came, shortened; `nothing` when it is missing.
        kind: The validator's word for the failure (`missing`, `int_parsing`, ...).
    """

    path: str
    expected: str
    given: str
    kind: str

    def __str__(self) -> str:
        """Return the problem as one sentence without a full stop."""
        where = self.path or "the arguments"
        if self.kind == UNCHECKED:
            return f"{where} could not be checked: {self.expected}"
        if self.kind == "missing":
            return f"{where} is required: expected {self.expected}"
        return f"{where}: expected {self.expected}, got {self.given}"


class ArgumentsError(ToolError):
    """Report every argument that does not fit the schema, all at once.

    Args:
        problems: At least one problem, in schema order.
    """

    def __init__(self, problems: Sequence[ArgumentProblem]) -> None:
        super().__init__("; ".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


class ToolNotFoundError(ToolError):
    """Report a name that no registered tool has."""


class CallStateError(ToolError):
    """Report a second start of a call that already runs or ended."""


class ToolFailure(ToolError):  # noqa: N818 -- tools raise it to *fail*, the reference documents' word for it
    """Be raised by a tool to fail with a message that says it all (no traceback is shown)."""


class TransientError(ToolFailure):
    """Be raised by a tool when the same call may well succeed in a moment."""


_PASSING: Final = (TransientError, ConnectionError, TimeoutError)
_PASSING_ELSEWHERE: Final = frozenset({"ConnectionError", "Timeout", "TransportError"})
"""What the libraries for HTTP (httpx, requests, urllib3, aiohttp) call such failures, on the way up to `Exception`."""
_PASSING_STATUSES: Final = frozenset({408, 425, 429})
_SERVER_STATUSES: Final = range(500, 600)


def may_pass(error: BaseException) -> bool:
    """Tell whether a failure may pass by itself, so that the same call may succeed in a moment.

    Those are `TransientError`, lost connections, time-outs, and answers with HTTP 408, 425, 429 or 5xx.
    """
    status = getattr(getattr(error, "response", error), "status_code", None) or getattr(error, "status", None)
    if isinstance(status, int):
        return status in _PASSING_STATUSES or status in _SERVER_STATUSES
    if isinstance(error, _PASSING) or any(kind.__name__ in _PASSING_ELSEWHERE for kind in type(error).__mro__):
        return True
    # urllib wraps the reason.
    reason = getattr(error, "reason", None)
    return isinstance(reason, Exception) and reason is not error and isinstance(reason, _PASSING)


class ToolTimeoutError(TransientError):
    """Be raised by a tool whose own time limit passed: the call counts as timed out, not as failed."""


class ServerRefusedError(ToolFailure):
    """Report an MCP server that answered a request with a protocol error, which is no result of a tool.

    Args:
        message: What it refused, and why in its own words.
        code: The protocol's number of the error.
    """

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class ServerAnswerError(ToolFailure):
    """Report an MCP server whose answer is not what the protocol asks for."""


class RateLimitError(ToolError):
    """Report that no permit was free in time.

    Args:
        retry_after_s: Seconds until the next permit.
    """

    def __init__(self, message: str, retry_after_s: float) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class UnavailableError(ToolError):
    """Report a tool that is not started now, because it failed too often or too many calls of it run.

    Args:
        message: Why, and since when.
        retry_after_s: Seconds until it may be started again; None when nobody knows.
    """

    def __init__(self, message: str, retry_after_s: float | None = None, remedy: str = "") -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.remedy = remedy


class CallerGoneError(ToolError):
    """Report an allowed call that was not run: its caller was gone, and did not come back in time.

    Args:
        remedy: What the caller may do.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy = remedy


class ToolCrashError(ToolError):
    """Report a worker process that died while it ran a tool, or was to.

    Args:
        exit_code: Its exit code, negative for a signal; None when nobody knows.
        output: The last lines it wrote to standard error.
    """

    def __init__(self, message: str, *, exit_code: int | None = None, output: str = "") -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.output = output


class MayHaveRunError(ToolCrashError):
    """Report a call that was lost on its way: it may have run, wholly or in part, and must not simply be made again."""


class ContractError(ToolError):
    """Report a contract clause that does not hold."""


class DeniedError(ToolError):
    """Report that policy or a person refused the call."""


class CallerRefusedError(DeniedError):
    """Report a caller that is not among those that the tool admits."""


class AdvisedRefusalError(DeniedError):
    """Report that a person refused, and what they want the caller to do.

    Args:
        message: What was refused, in the person's words.
        advice: What the caller is to do; empty when they did not say.
    """

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


class GuidedError(DeniedError):
    """Report that nothing runs because the program has better advice, which is the whole message."""


class RefusedArgumentsError(ArgumentsError):
    """Report arguments that the tool's types refuse, before it runs: only the process that has the types could tell."""


class ReviewTimeoutError(ToolError):
    """Report a review nobody answered in time, when its request says FAIL."""


class ExitEarlyError(ToolError):
    """Stop the whole run: the reviewer said so."""


class VaultError(ToolError):
    """Report that something cannot be sealed or opened; the message says what to do."""


class SignInError(ToolError):
    """Report a server at which nobody is signed in, or where signing in failed; the message says why."""


class PolicyError(ToolError):
    """Report a rule that cannot be kept, or a policy file that cannot be read or written; the message says why."""


class ToolSettingsError(ToolError):
    """Report a setting that means nothing, or a settings file that cannot be written; the message says why."""


class AuditError(ToolError):
    """Report an audit log that cannot be read or written; the message says why."""


class HistoryError(ToolError):
    """Report a history that cannot be read or written; the message says what to do.

    Args:
        what: What cannot be done; empty when the rest says it.
    """

    def __init__(self, why: str, what: str = "") -> None:
        super().__init__(f"{what}: {why}" if what else why)
        self.why = why


class ModelFault(StrEnum):
    """What kept a model's provider from a whole answer."""

    KEY = "key"
    """The key is missing, wrong, or may not do this."""
    NOT_FOUND = "not_found"
    """There is no such model, or nothing of the kind at the address."""
    RATE_LIMIT = "rate_limit"
    QUOTA = "quota"
    """What was paid for is used up."""
    TOO_LONG = "too_long"
    """The conversation is longer than the model's context window."""
    REQUEST = "request"
    """The provider refused what it was sent."""
    SERVER = "server"
    """The provider failed, or has too much to do."""
    UNREACHABLE = "unreachable"
    CUT_OFF = "cut_off"
    """The connection ended before the answer was whole."""
    IDLE = "idle"
    """Nothing came for too long, or the answer did not end."""
    MALFORMED = "malformed"
    """What came is not what the format says."""


class ModelError(ToolError):
    """Report that a model's provider gave no whole answer.

    Args:
        message: What happened, in one line.
        retry_after_s: Seconds after which the provider wants to be asked again; None when it did not say.
    """

    def __init__(self, fault: ModelFault, message: str, remedy: str = "", retry_after_s: float | None = None) -> None:
        super().__init__(f"{message}; {remedy}" if remedy else message)
        self.fault = fault
        self.fact = message
        self.remedy = remedy
        self.retry_after_s = retry_after_s

    @property
    def may_pass(self) -> bool:
        """Whether the same request may succeed in a moment."""
        return self.fault in {ModelFault.RATE_LIMIT, ModelFault.SERVER}


class ConversationError(ToolError):
    """Report a file of a conversation that cannot be read or written; the message says what to do."""
