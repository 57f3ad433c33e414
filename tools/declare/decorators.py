"""The decorators that declare tools, prompts and policies.

They stack in any order on a function, a method or a class, store frozen values beside it and return it unchanged:
nothing is wrapped until it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, ParamSpec, TypeVar, cast, overload

from pydantic import ValidationError

from tools.errors import DeclarationError
from tools.spec import (
    AuditLevel,
    CachePolicy,
    CircuitBreaker,
    Clause,
    Contract,
    FailureBlock,
    Hedge,
    Isolation,
    Latency,
    Policies,
    RateLimit,
    Retry,
    Role,
    Security,
    SilenceMeans,
    ToolExample,
    ToolPolicy,
)
from tools.tool import ConcernsOf, DryRunOf

Declared = TypeVar("Declared", bound=Callable[..., Any])
Given = ParamSpec("Given")
ATTRIBUTE: Final = "__tool_declaration__"
MOST_WRAPPERS: Final = 50
"""How deep a declaration is looked for; some objects have every attribute, so `__wrapped__` never ends."""


@dataclass(slots=True)
class Declaration:
    """What the decorators on one object said, gathered.

    Attributes:
        tool: The keywords of `@tool`; None when it is no tool.
        prompt: The keywords of `@prompt`; None when it is no prompt.
        toolkit: The keywords of `@toolkit`; None when it is no toolkit.
        supported_for: The application classes it is made for; empty for all.
        concerns_of: Further reasons to ask.
    """

    tool: dict[str, Any] | None = None
    prompt: dict[str, Any] | None = None
    toolkit: dict[str, Any] | None = None
    supported_for: tuple[type, ...] = ()
    policies: Policies = field(default_factory=Policies)
    concerns_of: ConcernsOf | None = None


def declaration_of(target: object) -> Declaration | None:
    """Return what was declared on exactly this object, or on the function it wraps; None when nothing was."""
    inner = getattr(target, "__func__", target)
    for _ in range(MOST_WRAPPERS):
        found = vars(inner).get(ATTRIBUTE) if hasattr(inner, "__dict__") else None
        if found is not None or not hasattr(inner, "__wrapped__"):
            return cast("Declaration | None", found)
        inner = inner.__wrapped__
    return None


def _declare(target: object) -> Declaration:
    inner = getattr(target, "__func__", target)
    found = declaration_of(inner)
    if found is None:
        found = Declaration()
        setattr(inner, ATTRIBUTE, found)
    return found


def _policy(target: object, **policies: Any) -> None:
    declared = _declare(target)
    declared.policies = declared.policies.merged(Policies(**policies))


def _setting(**policies: Any) -> Callable[[Declared], Declared]:
    def declare(target: Declared) -> Declared:
        _policy(target, **policies)
        return target

    return declare


def _decorator(
    name: str, field: str, make: Callable[Given, ToolPolicy]
) -> Callable[Given, Callable[[Declared], Declared]]:
    """Return the decorator that sets a policy from its own fields.

    Args:
        field: Which of `Policies` it sets.
        make: The policy's class.
    """

    def decorator(*args: Given.args, **fields: Given.kwargs) -> Callable[[Declared], Declared]:
        return _setting(**{field: _checked(name, lambda: make(*args, **fields))})

    decorator.__name__ = decorator.__qualname__ = name
    decorator.__doc__ = make.__doc__
    return decorator


def _checked(decorator: str, make: Callable[[], Any]) -> Any:
    try:
        return make()
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        msg = f"@{decorator}({where}={first['input']!r}): {first['msg']}"
        raise DeclarationError(msg) from error


@overload
def tool(target: Declared, /) -> Declared: ...


@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    title: str = "",
    category: str | None = None,
    keywords: Iterable[str] = (),
    priority: int = 50,
    latency: Latency | str | None = None,
    version: str = "1.0.0",
    idempotent: bool = True,
    parallelizable: bool = True,
    requires_confirmation: bool = False,
    depends_on: Iterable[str] = (),
    examples: Iterable[ToolExample] = (),
    read_only: bool | None = None,
    destructive: bool | None = None,
    open_world: bool | None = None,
    isolation: Isolation | str | None = None,
    turns_to_keep: int | None = None,
    extra: str = "",
    needs: Iterable[str] = (),
    untried: bool = False,
    timeout_s: float | None = None,
    concerns: ConcernsOf | None = None,
    probe: Mapping[str, Any] | Callable[..., Any] | str | None = None,
    probe_on_request: bool = False,
    dry_run: DryRunOf | None = None,
) -> Callable[[Declared], Declared]: ...


def tool(
    target: Declared | None = None,
    /,
    *,
    concerns: ConcernsOf | None = None,
    timeout_s: float | None = None,
    read_only: bool | None = None,
    destructive: bool | None = None,
    open_world: bool | None = None,
    **card: Any,
) -> Declared | Callable[[Declared], Declared]:
    """Declare a function, a method or an `AbstractTool` class as a tool.

    Args:
        target: What is declared, when the decorator is used without arguments.
        concerns: Names further reasons to ask a person, from the converted arguments and the project folder.
        timeout_s: Seconds one attempt may take; None means no limit.
        read_only: Whether it changes nothing.
        destructive: Whether it may destroy something; such a tool asks before each call.
        open_world: Whether it reaches beyond this computer.
        **card: The fields of `ToolSpec`. `name` defaults to the function's, `description` to its docstring. And
            `probe`, which finds out whether the tool works, quickly and without harm: arguments for itself, a function
            that takes none, or the name of such a method or function beside it. See `Probe`. With `probe_on_request` it
            is made only when a person asks for it, as befits a service of others.
            And `dry_run`, which says what a call would do, quickly and without doing it. See `DryRunOf`.

    Source: seed 0, "@ToolSpec"; seed 1, "@Tool"; seed 4, §2.1.
    """

    def declare(inner: Declared) -> Declared:
        declared = _declare(inner)
        hints = {"read_only_hint": read_only, "destructive_hint": destructive, "open_world_hint": open_world}
        declared.tool = {**{key: value for key, value in hints.items() if value is not None}, **card}
        declared.concerns_of = concerns
        if timeout_s is not None:
            _policy(inner, timeout_s=_checked("tool", lambda: Policies(timeout_s=timeout_s).timeout_s))
        return inner

    return declare if target is None else declare(target)


def toolkit(
    title: str = "",
    *,
    description: str = "",
    category: str | None = None,
    turns_to_keep: int | None = None,
    needs: Iterable[str] = (),
    untried: bool = False,
    probe: Callable[..., Any] | str | None = None,
    probe_on_request: bool = False,
) -> Callable[[Declared], Declared]:
    """Declare a class whose `@tool` methods are tools and whose `@prompt` methods are prompts.

    Args:
        title: The name shown; empty takes the class name.
        description: What its tools have in common; empty takes the docstring's first line.
        category: The category of tools that name none.
        turns_to_keep: The retention of tools that set none.
        needs: Services and programs that tools work with which name none.
        untried: Whether nobody has run the tools against these yet.
        probe: Finds out whether the tools work that name no probe themselves: a function, or the name of a method.
        probe_on_request: Whether that probe is made only when a person asks for it.
    """

    def declare(target: Declared) -> Declared:
        _declare(target).toolkit = {
            "title": title,
            "description": description,
            "category": category,
            "turns_to_keep": turns_to_keep,
            "needs": tuple(needs) or None,
            "untried": untried or None,
            "probe": probe,
            "probe_on_request": probe_on_request,
        }
        return target

    return declare


@overload
def prompt(target: Declared, /) -> Declared: ...


@overload
def prompt(
    *, name: str | None = None, description: str | None = None, role: Role | str = Role.ASSISTANT
) -> Callable[[Declared], Declared]: ...


def prompt(
    target: Declared | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    role: Role | str = Role.ASSISTANT,
) -> Declared | Callable[[Declared], Declared]:
    """Declare a function or method as a reusable prompt; it returns the text.

    Args:
        target: What is declared, when the decorator is used without arguments.
        name: The prompt's name; None takes the function's.
        description: What it is for; None takes the docstring's first part.
        role: Who the text speaks as.
    """

    def declare(inner: Declared) -> Declared:
        _declare(inner).prompt = {"name": name, "description": description, "role": Role(role)}
        return inner

    return declare if target is None else declare(target)


def supported_for(*applications: type) -> Callable[[Declared], Declared]:
    """Restrict a bundle of tools to applications of these classes or their subclasses."""

    def declare(target: Declared) -> Declared:
        _declare(target).supported_for = applications
        return target

    return declare


retry = _decorator("retry", "retry", Retry)
hedge = _decorator("hedge", "hedge", Hedge)
rate_limit = _decorator("rate_limit", "rate_limit", RateLimit)
cached = _decorator("cached", "cache", CachePolicy)


def security(
    *,
    audit: AuditLevel | str = AuditLevel.STANDARD,
    approval_required: bool = False,
    sensitive: bool = False,
    allowed_callers: Iterable[str] = (),
    allowed_roles: Iterable[str] = (),
    required_permissions: Iterable[str] = (),
    mask_fields: Iterable[str] = (),
    encrypt: bool = False,
    review_timeout_s: float = 300.0,
    on_review_timeout: SilenceMeans = "exit_early",
    review_role: str = "",
) -> Callable[[Declared], Declared]:
    """Say who may call, what is asked first and what is hidden; see `Security` for the fields."""
    policy = _checked(
        "security",
        lambda: Security(
            audit=AuditLevel(audit),
            approval_required=approval_required,
            sensitive=sensitive,
            allowed_callers=tuple(allowed_callers),
            allowed_roles=tuple(allowed_roles),
            required_permissions=tuple(required_permissions),
            mask_fields=tuple(mask_fields),
            encrypt=encrypt,
            review_timeout_s=review_timeout_s,
            on_review_timeout=on_review_timeout,
            review_role=review_role,
        ),
    )
    return _setting(security=policy)


def _clauses(given: Clause | Iterable[Clause] | None) -> tuple[Clause, ...]:
    if given is None:
        return ()
    if isinstance(given, str) or callable(given):
        return (given,)
    return tuple(given)


def contract(
    *,
    pre: Clause | Iterable[Clause] | None = None,
    post: Clause | Iterable[Clause] | None = None,
    invariants: Clause | Iterable[Clause] | None = None,
) -> Callable[[Declared], Declared]:
    """Say what holds before and after each call; see `Contract` for the fields."""
    policy = _checked(
        "contract", lambda: Contract(pre=_clauses(pre), post=_clauses(post), invariants=_clauses(invariants))
    )
    return _setting(contract=policy)


def resilience(
    *,
    retry: Retry | None = None,
    hedge: Hedge | None = None,
    timeout_s: float | None = None,
    total_timeout_s: float | None = None,
    circuit_breaker: CircuitBreaker | None = None,
    failure_block: FailureBlock | None = None,
    fallback: str | None = None,
    max_concurrent: int | None = None,
    isolation: Isolation | str | None = None,
) -> Callable[[Declared], Declared]:
    """Set what keeps a tool going, together; see `Policies` for the fields. None keeps what other decorators say."""
    given = {
        "retry": retry,
        "hedge": hedge,
        "timeout_s": timeout_s,
        "total_timeout_s": total_timeout_s,
        "circuit_breaker": circuit_breaker,
        "failure_block": failure_block,
        "fallback": fallback,
        "max_concurrent": max_concurrent,
        "isolation": isolation,
    }
    said = {name: value for name, value in given.items() if value is not None}
    _checked("resilience", lambda: Policies.model_validate(said))
    return _setting(**said)
