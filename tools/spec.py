"""The frozen values a tool is declared with: what it says of itself, its policies and its parameters' notes.

Everything here is data. Decorators store these values, the registry reads them, the execution chain is compiled from
them once. Nothing here runs anything.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from enum import Enum, IntEnum, StrEnum
from typing import Annotated, Any, Final, Literal, NamedTuple, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    ValidationInfo,
    field_validator,
    model_validator,
)

from tools.errors import DeclarationError
from tools.extras import EXTRAS
from tools.masking import RESULT, parse_path, same_name


def _read(value: object, info: ValidationInfo) -> object:
    """Let the context say what stands for a class or function that another process told of."""
    return value if info.context is None else info.context(value)


type_of_exception = Annotated[type[BaseException], BeforeValidator(_read)]


class Missing(Enum):
    """The one value that means "nothing was given", where None is a value of its own."""

    MISSING = "missing"

    def __repr__(self) -> str:
        """Return the constant's name."""
        return "MISSING"


MISSING: Final = Missing.MISSING

_FIRST_NAME: Final = re.compile(r"[^.\[\]*]+")
NAME_PATTERN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
"""What a tool of ours may be called. Source: seed 3, "Edge Cases" (letters, digits and underscores)."""


class Latency(StrEnum):
    """How long a call usually takes: fast is under 100 ms, slow is over 2 s."""

    FAST = "fast"
    MEDIUM = "medium"
    SLOW = "slow"


class Backoff(StrEnum):
    """How the wait between attempts grows."""

    FIXED = "fixed"
    EXPONENTIAL = "exponential"


def _to_backoff(value: str) -> Backoff:
    # The class itself would not do: from Python 3.12 on it says of itself that it takes any number of values.
    return Backoff(value)


class Role(StrEnum):
    """Who a prompt's text speaks as."""

    ASSISTANT = "assistant"
    USER = "user"


class Frozen(BaseModel):
    """Be the base of every declared value: immutable, and unknown fields are refused."""

    # Built when the first one is made: most declarations use two or three of these.
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)


class DeclaredTool(NamedTuple):
    """Describe what a policy stands on, for its own check.

    Attributes:
        owner: Where the tool is defined, for messages.
        parameters: Its parameters; empty where a JSON Schema of its own stands for them.
    """

    owner: str
    spec: ToolSpec
    policies: Policies
    is_async: bool = False
    parameters: tuple[Parameter, ...] = ()

    def refusal(self, words: str) -> DeclarationError:
        return DeclarationError(f"{self.owner}: {words}")


class ToolPolicy(Frozen):
    """Be the base of every policy that is a value of its own."""

    def fitted(self, tool: DeclaredTool) -> Self:  # noqa: ARG002 -- most policies fit every tool
        """Return this policy as it holds for a tool.

        Raises:
            DeclarationError: When it does not fit the tool.
        """
        return self


class Param(NamedTuple):
    """Describe one parameter, inside `Annotated`.

    Attributes:
        description: What the parameter means, shown to people and models.
        name: The name callers use; None keeps the Python name.
        default: The value when the caller gives none. A string may hold `${earlier_argument}`, `${x:-fallback}`
            and the escape `$${`. `MISSING` leaves the signature's own default.
        unit: The unit shown behind a number, such as `s` or `lines`; None shows none.
    """

    description: str = ""
    name: str | None = None
    default: Any = MISSING
    unit: str | None = None


class PathRole(NamedTuple):
    """Mark a path argument as something the tool reads or changes, so that leaving the project folder is noticed.

    A relative path means one inside the project folder. The mark is honoured by the security step, never by the tool.
    It stands on the argument or on what it holds (`list[Annotated[Path, PathRole()]]`), not inside models. A text
    argument may carry it too.

    Attributes:
        writes: True when the tool creates, changes or deletes what the path names.
    """

    writes: bool = False


class ShellCommand(NamedTuple):
    """Mark a text argument as a command line, so that the risk of a call is told by what it would run.

    What it names are other arguments of the same tool, as callers call them; empty where there is none.

    Attributes:
        arguments: Further words of the command, a list taken exactly as it is.
        shell: Whether a shell reads the line; without one it always does.
        env: Environment variables for it, by name.
    """

    arguments: str = ""
    shell: str = ""
    env: str = ""


class ProjectDir(NamedTuple):
    """Mark a `Path` parameter that receives the project folder; callers neither see nor set it."""


class ToolExample(Frozen):
    """Show one call of a tool, or one that should not be made.

    Attributes:
        input: The arguments, which must fit the tool's schema.
        output: What comes back, or a description of it.
        negative: True for a call that should not be made.
        why_bad: Why not; only for negatives.
    """

    input: Mapping[str, JsonValue]
    description: str = ""
    output: JsonValue = None
    negative: bool = False
    why_bad: str = ""


class Retry(ToolPolicy):
    """Say how often and after which waits a failed attempt is repeated.

    Attributes:
        max_attempts: All attempts together; 1 means no retry.
        backoff: Whether the wait stays or grows.
        initial_delay_s: The first wait in seconds.
        multiplier: The factor between two waits when exponential.
        max_delay_s: No wait is longer than this.
        jitter: Whether each wait is drawn between half and all of its length.
        retry_on: Only these exceptions are retried; empty means those that may pass by themselves: `TransientError`,
            lost connections, time-outs, and answers with HTTP 408, 425, 429 or 5xx. `(Exception,)` means any.
        no_retry_on: These never are, whatever `retry_on` says.
        retry_on_response: Regular expressions searched in the result's text.
        even_if_not_idempotent: Whether a tool that is not idempotent may be retried at all.
    """

    max_attempts: int = Field(3, ge=1, le=100)
    backoff: Annotated[Backoff | Literal["fixed", "exponential"], BeforeValidator(_to_backoff)] = Backoff.EXPONENTIAL
    initial_delay_s: float = Field(0.5, ge=0)
    multiplier: float = Field(2.0, ge=1)
    max_delay_s: float = Field(30.0, ge=0)
    jitter: bool = True
    retry_on: tuple[type_of_exception, ...] = ()
    no_retry_on: tuple[type_of_exception, ...] = ()
    retry_on_response: tuple[str, ...] = ()
    even_if_not_idempotent: bool = False

    @field_validator("retry_on_response")
    @classmethod
    def _compile(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                msg = f"{pattern!r} is not a regular expression ({error})"
                raise ValueError(msg) from error
        return patterns

    def fitted(self, tool: DeclaredTool) -> Self:
        """Return this policy, unless a second attempt could do the tool's work twice."""
        if self.max_attempts > 1 and not (tool.spec.idempotent or self.even_if_not_idempotent):
            raise tool.refusal(
                f"{tool.spec.name!r} is not idempotent, so a retry could do its work twice;"
                " remove @retry, or say even_if_not_idempotent=True"
            )
        return self


class Hedge(ToolPolicy):
    """Say when a second attempt is made beside a slow first one; the first result wins, and the other is stopped.

    It is for tools that only read and can be stopped: asynchronous ones, and those in a process of their own. What both
    attempts log or attach stays. A failed attempt is made good by the other one, if that was started by then.

    Attributes:
        delay_s: How long the first attempt may take before the second begins.
    """

    delay_s: float = Field(gt=0)

    def fitted(self, tool: DeclaredTool) -> Self:
        """Return this policy, unless the tool changes something, or cannot be stopped."""
        spec = tool.spec
        if not spec.read_only_hint:
            raise tool.refusal(
                f"@hedge runs {spec.name!r} twice; say read_only=True if it changes nothing, or remove @hedge"
            )
        if not tool.is_async and (tool.policies.isolation or spec.isolation) is not Isolation.PROCESS:
            raise tool.refusal(
                f"@hedge cannot stop {spec.name!r} in its thread; make it async, or say isolation='process'"
            )
        return self


class RateLimit(ToolPolicy):
    """Say how many calls a time a tool admits (token bucket).

    Permits come back one by one, and never are more given within any `per_s` (without `requests`: any `timeout_s`) than
    `requests` says, or `burst_size` if that is larger. Whoever waits is served in order.

    Attributes:
        requests: Permits that come back each period; None refills `burst_size` permits each `timeout_s`.
        per_s: The period in seconds.
        burst_size: Most permits saved up; None is `requests`.
        timeout_s: How long a call waits for a permit before it fails.
        throw_on_limit: Whether a call without a permit fails at once instead of waiting.
        key: Tools of an executor that name the same key share one bucket, and must declare the same limit; empty gives
            each tool its own.
    """

    requests: float | None = Field(None, gt=0)
    per_s: float = Field(1.0, gt=0)
    burst_size: int | None = Field(None, ge=1)
    timeout_s: float = Field(60.0, ge=0)
    throw_on_limit: bool = False
    key: str = ""

    @model_validator(mode="after")
    def _say_something(self) -> Self:
        if self.requests is None and self.burst_size is None:
            msg = "rate_limit needs requests (per per_s seconds) or burst_size"
            raise ValueError(msg)
        if self.requests is None and self.timeout_s == 0:
            msg = "without requests, timeout_s is the period in which burst_size permits come back; it must be above 0"
            raise ValueError(msg)
        return self


class CachePolicy(ToolPolicy):
    """Say how long results are kept for identical calls.

    Several identical calls at a time run once. Everybody gets a copy of their own, which takes time with large results.

    Attributes:
        ttl_s: Seconds a result stays good.
        max_size: Most results kept; the oldest leaves first.
        cache_errors: Whether failures are kept as well.
        per_caller: Whether each caller sees only what its own calls put there.
    """

    ttl_s: float = Field(300.0, gt=0)
    max_size: int = Field(500, ge=1)
    cache_errors: bool = False
    per_caller: bool = False


class CircuitBreaker(ToolPolicy):
    """Say when a tool that keeps failing is not started any more, and when it is tried again.

    Closed lets calls through; after `failure_threshold` failures within `window_s` it opens and refuses them; after the
    cool-down it is half open and admits exactly one probe: its success closes it, its failure opens it for longer. A
    call counts once, after all its attempts.

    Attributes:
        window_s: Seconds within which they must happen.
        cooldown_s: Seconds until the first probe.
        cooldown_multiplier: By how much the cool-down grows with each probe that fails.
        max_cooldown_s: No cool-down is longer than this.
        ignore: Exceptions that say nothing about the tool's health.
    """

    failure_threshold: int = Field(5, ge=1)
    window_s: float = Field(60.0, gt=0)
    cooldown_s: float = Field(30.0, gt=0)
    cooldown_multiplier: float = Field(2.0, ge=1)
    max_cooldown_s: float = Field(600.0, gt=0)
    ignore: tuple[type_of_exception, ...] = ()


class FailureBlock(ToolPolicy):
    """Say when a tool that failed several times in a row is blocked for a while.

    Attributes:
        window_s: Seconds within which they must happen.
        blocked_s: Seconds it stays blocked.

    Source: seed 4, "Repeated failures".
    """

    failures: int = Field(3, ge=1)
    window_s: float = Field(300.0, gt=0)
    blocked_s: float = Field(300.0, gt=0)


class AuditLevel(StrEnum):
    """How much of a call is written down."""

    NONE = "none"
    BASIC = "basic"
    STANDARD = "standard"
    FULL = "full"


SilenceMeans = Literal["continue", "exit_early", "fail"]
"""What it means that nobody answers."""


class Security(ToolPolicy):
    """Say who may call, what is asked first and what is hidden.

    Attributes:
        audit: How much is written down.
        approval_required: Whether a person must agree to each call.
        sensitive: Whether arguments and result stay out of logs.
        allowed_callers: Only these callers may call; empty admits all.
        allowed_roles: Only callers in one of these roles may call; empty admits all.
        required_permissions: A caller needs every one of these.
        mask_fields: Paths of values that are replaced by bullets wherever they are shown: `token`, `auth.token`,
            `items[].secret`, and below `result.` those of the result. See `tools.masking.parse_path`.
        encrypt: Whether stored arguments and results are encrypted.
        review_timeout_s: Seconds until silence counts as an answer to its questions; 0 waits for ever.
        on_review_timeout: What silence means: `exit_early` refuses, `fail` is an error of the caller's, and `continue`
            lets the call run, but only where nobody but the tool itself asks.
        review_role: The role that may let its calls run; empty admits everybody.
    """

    audit: AuditLevel = AuditLevel.STANDARD
    approval_required: bool = False
    sensitive: bool = False
    allowed_callers: tuple[str, ...] = ()
    allowed_roles: tuple[str, ...] = ()
    required_permissions: tuple[str, ...] = ()
    mask_fields: tuple[str, ...] = ()
    encrypt: bool = False
    review_timeout_s: float = Field(300.0, ge=0)
    on_review_timeout: SilenceMeans = "exit_early"
    review_role: str = ""

    @field_validator("mask_fields")
    @classmethod
    def _parse(cls, paths: tuple[str, ...]) -> tuple[str, ...]:
        for path in paths:
            parse_path(path)
        return paths

    def fitted(self, tool: DeclaredTool) -> Self:
        """Return this policy with masked fields under every name they go by."""
        if not self.mask_fields or not tool.parameters:
            return self
        names = {parameter.name: parameter.python_name for parameter in tool.parameters}
        names |= {parameter.python_name: parameter.name for parameter in tool.parameters}
        other_by_name = {same_name(name): other for name, other in names.items()}
        both: dict[str, None] = {}
        for field in self.mask_fields:
            both[field] = None
            first = _FIRST_NAME.match(field)
            if first is None or (first[0] == RESULT and RESULT not in names):
                continue
            other = other_by_name.get(same_name(first[0]))
            if other is None:
                raise tool.refusal(
                    f"mask_fields names {field!r}, which is no argument; there are {', '.join(sorted(names))},"
                    f" and {RESULT}.… for what it returns"
                )
            spelled = other if _FIRST_NAME.fullmatch(other) else f'["{other}"]'
            both[spelled + field[first.end() :]] = None
        return self.model_copy(update={"mask_fields": tuple(both)})


Clause = Annotated[str | Callable[..., Any], BeforeValidator(_read)]
"""A contract clause: an expression over the arguments (and `result`), or a callable that takes them by name."""


class Contract(ToolPolicy):
    """Say what holds before and after a call.

    Attributes:
        pre: Clauses over the arguments, checked before anything runs.
        post: Clauses over the arguments and `result`, checked afterwards.
        invariants: Clauses over the arguments, checked before and after.
    """

    pre: tuple[Clause, ...] = ()
    post: tuple[Clause, ...] = ()
    invariants: tuple[Clause, ...] = ()

    @field_validator("pre", "post", "invariants")
    @classmethod
    def _parse(cls, clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
        for clause in clauses:
            if isinstance(clause, str):
                try:
                    ast.parse(clause.strip(), mode="eval")
                except SyntaxError as error:
                    msg = f"{clause!r} is not an expression ({error.msg})"
                    raise ValueError(msg) from error
            elif inspect.iscoroutinefunction(clause):
                msg = f"{clause.__name__!r} is asynchronous; a clause answers at once"
                raise ValueError(msg)
        return clauses


class Isolation(StrEnum):
    """Where a tool runs.

    `INLINE` and `THREAD` say where a synchronous one does: on the event loop itself, or in a thread; an async tool runs
    on the loop with either. `PROCESS` runs both kinds in a worker process, which can crash, hang and be killed without
    harm to anything else. The worker finds the tool by the name of what declares it, or by its plugin file. Arguments
    and result travel as JSON, so the response's result is JSON too; questions, logs, progress and attachments travel
    live. Module globals and objects of the program stay in the program: the worker has its own, and HTTP clients of its
    own, for as long as it lives.
    """

    INLINE = "inline"
    THREAD = "thread"
    PROCESS = "process"


class Policies(Frozen):
    """Hold every policy of one tool; an absent one costs nothing.

    Attributes:
        retry: Repeats failed attempts.
        hedge: Makes a second attempt beside a slow one.
        rate_limit: Admits so many calls a time.
        cache: Keeps results.
        security: Who may call and what is asked.
        contract: What holds before and after.
        circuit_breaker: Stops starting a tool that keeps failing.
        failure_block: Blocks a tool after failures in a row.
        fallback: What answers when the tool does not succeed: the name of another tool, or of a method or function
            beside it.
        max_concurrent: Most calls of the tool that run at a time; None means no limit. Others wait in order, as long as
            `total_timeout_s` or a minute.
        timeout_s: Seconds an attempt may take; None means no limit.
        total_timeout_s: Seconds all attempts and the waits between them may take together; None means no limit.
        isolation: Where the tool runs, whatever its declaration says; None leaves it to the declaration.
    """

    retry: Retry | None = None
    hedge: Hedge | None = None
    rate_limit: RateLimit | None = None
    cache: CachePolicy | None = None
    security: Security | None = None
    contract: Contract | None = None
    circuit_breaker: CircuitBreaker | None = None
    failure_block: FailureBlock | None = None
    fallback: str | None = None
    max_concurrent: int | None = Field(None, ge=1)
    timeout_s: float | None = Field(None, gt=0)
    total_timeout_s: float | None = Field(None, gt=0)
    isolation: Isolation | None = None

    def merged(self, other: Policies) -> Policies:
        """Return these policies with those that `other` sets in their place."""
        return self.model_copy(update={name: getattr(other, name) for name in other.model_fields_set})

    def fitted(self, tool: DeclaredTool) -> Self:
        """Return the policies as they hold for a tool.

        Raises:
            DeclarationError: When one does not fit it.
        """
        own = {name: policy for name, policy in self if isinstance(policy, ToolPolicy)}
        return self.model_copy(update={name: policy.fitted(tool) for name, policy in own.items()}) if own else self


class ToolSpec(Frozen):
    """Hold what a tool says of itself.

    Attributes:
        name: The unique name callers use.
        description: What it does, shown to people and models.
        title: A name for people; empty shows `name`.
        category: Where it belongs, in small letters, such as `files` or `search`.
        keywords: Words it can be found by.
        priority: 0 to 100, higher is preferred.
        latency: How long a call usually takes; None when nobody said.
        version: The tool's own version; part of the cache key.
        idempotent: Whether a second identical call does no further harm.
        parallelizable: Whether several calls may run at a time.
        requires_confirmation: Whether a person is asked before each call.
        depends_on: Tools that must have run before.
        examples: Calls to learn from.
        read_only_hint: Whether it changes nothing; None when nobody said. A claim, never a permission.
        destructive_hint: Whether it may destroy something; None when nobody said.
        open_world_hint: Whether it reaches beyond this computer; None when nobody said.
        isolation: Where the tool runs; None leaves it to its plugin file, else it is a thread. See `Tool.isolation`.
        turns_to_keep: How many turns its result stays in a conversation; None inherits, negative is for ever.
        extra: The extra of this program whose libraries it needs, such as `documents`; empty for none.
        needs: Services and programs that it works with, such as `GitHub` or `git`.
        untried: Whether nobody has run it against these yet: it was tested on their protocol only.
    """

    name: str
    description: str = ""
    title: str = ""
    category: str = "general"
    keywords: tuple[str, ...] = ()
    priority: int = Field(50, ge=0, le=100)
    latency: Latency | None = None
    version: str = "1.0.0"
    idempotent: bool = True
    parallelizable: bool = True
    requires_confirmation: bool = False
    depends_on: tuple[str, ...] = ()
    examples: tuple[ToolExample, ...] = ()
    read_only_hint: bool | None = None
    destructive_hint: bool | None = None
    open_world_hint: bool | None = None
    isolation: Isolation | None = None
    turns_to_keep: int | None = None
    extra: str = ""
    needs: tuple[str, ...] = ()
    untried: bool = False

    @field_validator("extra")
    @classmethod
    def _know(cls, extra: str) -> str:
        if extra and extra not in EXTRAS:
            msg = f"{extra!r} is no extra of this program; there are {', '.join(EXTRAS)}"
            raise ValueError(msg)
        return extra

    @property
    def needs_words(self) -> str:
        """What it works with, and whether that was tried, in one or two sentences; empty for nothing."""
        if not self.needs:
            return ""
        *others, last = self.needs
        names = f"{', '.join(others)} and {last}" if others else last
        if not self.untried:
            return f"Works with {names}."
        real = (
            "their protocols, not yet run against the real ones"
            if others
            else "its protocol, not yet against the real one"
        )
        return f"Works with {names}. Tested on {real}."

    @property
    def good_examples(self) -> tuple[ToolExample, ...]:
        """The examples of calls that should be made."""
        return tuple(example for example in self.examples if not example.negative)


class RiskHints(NamedTuple):
    """What a tool says of its risk, and what it is taken as where it says nothing.

    Attributes:
        read_only: Whether it changes nothing; None when nobody said.
        destructive: Whether it may destroy something; None when nobody said.
        open_world: Whether it reaches beyond this computer; None when nobody said.
        assumes_worst: Whether what is not said counts as the worse: a server's tool, never one of this computer.

    Source: MCP 2026-07-28, ToolAnnotations (the defaults of absent hints).
    """

    read_only: bool | None = None
    destructive: bool | None = None
    open_world: bool | None = None
    assumes_worst: bool = False

    @property
    def says_nothing(self) -> bool:
        """Whether nobody said anything."""
        return self.read_only is None and self.destructive is None and self.open_world is None

    @property
    def may_destroy(self) -> bool:
        """Whether it counts as one that may destroy something."""
        if self.destructive is None:
            return self.assumes_worst and not self.read_only
        return self.destructive

    @property
    def reaches_out(self) -> bool:
        """Whether it counts as one that reaches beyond this computer."""
        return self.assumes_worst if self.open_world is None else self.open_world


class Concern(NamedTuple):
    """One reason to ask a person before a call.

    Attributes:
        kind: A stable word, such as `destructive`, `outside_project`, `private_host` or `sends_data`.
        title: The reason in two or three words.
        detail: What exactly, in one sentence.
        grants: What an approval of this reason allows the tool to do (such as `host:127.0.0.1`), which it reads from
            `ToolContext.grants`.
    """

    kind: str
    title: str
    detail: str = ""
    grants: str = ""


class PipelineErrorStrategy(StrEnum):
    """What follows when a step does not succeed.

    `FAIL_FAST` ends the pipeline with what the step failed with. `CONTINUE_ON_FAILURE` gives the message to the next
    step in place of a result.

    Source: seed 3, "Error Strategies".
    """

    FAIL_FAST = "fail_fast"
    CONTINUE_ON_FAILURE = "continue_on_failure"


class RiskLevel(IntEnum):
    """How much harm a call can do; the larger, the worse."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3
    CRITICAL = 4


class RiskDegree(StrEnum):
    """How much harm a call can do, for a person who decides; the least first.

    A display of what is known of one call: what is asked about follows from its `RiskClass`. `UNKNOWN` stands below
    `HIGH` only where the worst of several is wanted; nobody said that such a call is less bad.
    """

    LOW = "low"
    MEDIUM = "medium"
    UNKNOWN = "unknown"
    HIGH = "high"

    @property
    def weight(self) -> int:
        """What the worst of several is found by: the larger, the worse."""
        return list(RiskDegree).index(self)


class RiskClass(StrEnum):
    """What kind of harm a call can do, the least first.

    `ESCALATION` is never allowed; what nobody can tell is as bad as what destroys.

    Source: the reference's server-side approval, `ToolRisk`.
    """

    READ_ONLY = "read_only"
    BUILD_TEST = "build_test"
    WRITE = "write"
    NETWORK = "network"
    UNKNOWN = "unknown"
    DESTRUCTIVE = "destructive"
    ESCALATION = "escalation"

    @property
    def level(self) -> RiskLevel:
        return _LEVELS[self]


_LEVELS: Final = {
    RiskClass.READ_ONLY: RiskLevel.LOW,
    RiskClass.BUILD_TEST: RiskLevel.LOW,
    RiskClass.WRITE: RiskLevel.MEDIUM,
    RiskClass.NETWORK: RiskLevel.MEDIUM,
    RiskClass.UNKNOWN: RiskLevel.HIGH,
    RiskClass.DESTRUCTIVE: RiskLevel.HIGH,
    RiskClass.ESCALATION: RiskLevel.CRITICAL,
}


class Count(NamedTuple):
    """How much of one kind a call would touch.

    Attributes:
        kind: What is counted: `files`, `folders`, `bytes`, `rows`, `hosts` …
        words: The same for people, such as `3 files deleted`.
    """

    kind: str
    amount: int
    words: str


class DryRun(NamedTuple):
    """What a call would do, found out without doing it.

    Attributes:
        text: What would happen, in one sentence.
        counts: How much it would touch, the most telling first.
        items: What it would touch, such as paths; only the first ones when there are many.
        more: How many items are not listed.
        warnings: What a person should know besides, one sentence each.
    """

    text: str
    counts: tuple[Count, ...] = ()
    items: tuple[str, ...] = ()
    more: int = 0
    warnings: tuple[str, ...] = ()


class Parameter(NamedTuple):
    """One argument of a tool as its declaration gives it, before any schema is made.

    Attributes:
        name: The name callers use.
        python_name: The name the function uses.
        annotation: The type, with its `Annotated` metadata.
        default: The value when the caller gives none; `MISSING` makes it required.
        default_factory: Makes the default anew for each call; None when there is none.
        unit: The unit shown behind a number.
    """

    name: str
    python_name: str
    annotation: Any
    default: Any = MISSING
    default_factory: Callable[[], Any] | None = None
    description: str = ""
    unit: str | None = None

    @property
    def required(self) -> bool:
        """Whether a caller must give it."""
        return self.default is MISSING and self.default_factory is None


Dialect = Literal["2020-12", "openapi-3.0"]
"""The JSON Schema flavours that can be written."""
