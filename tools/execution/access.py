"""Who may call a tool: the callers, roles and permissions that its policy names."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from tools.errors import CallerRefusedError, ToolConfigurationError
from tools.execution.call_log import log_exception

if TYPE_CHECKING:
    from tools.calls import ToolCall
    from tools.spec import Security

EVERYBODY: Final = "*"
"""The caller whose roles and permissions all callers have."""

_log = logging.getLogger(__name__)
_Names = Collection[str] | Awaitable[Collection[str]]


@runtime_checkable
class AccessProvider(Protocol):
    """Know which roles and permissions a caller has.

    Both methods may be asynchronous; a plain one is called on the event loop and answers at once. They are asked anew
    for every call of a tool that needs them, before its known results are looked at. When one raises, or answers with
    anything but a collection of names, the call is refused.

    Source: seed 0, `@Security(allowedRoles, requiredPermissions)`.
    """

    def roles_of(self, caller: str, /) -> _Names:
        """Return the roles of a caller."""

    def permissions_of(self, caller: str, /) -> _Names:
        """Return the permissions of a caller."""


class StaticAccess:
    """Know roles and permissions that never change; a caller who is not named has those of `*` alone.

    Args:
        roles: The roles by caller; `*` stands for everybody.
        permissions: The permissions by caller, likewise.

    Raises:
        ToolConfigurationError: When a caller's names are one text, or no names.
    """

    def __init__(
        self,
        roles: Mapping[str, Collection[str]] | None = None,
        permissions: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self._roles = _by_caller(roles or {}, "roles")
        self._permissions = _by_caller(permissions or {}, "permissions")

    def roles_of(self, caller: str, /) -> frozenset[str]:
        return self._roles.get(caller, frozenset()) | self._roles.get(EVERYBODY, frozenset())

    def permissions_of(self, caller: str, /) -> frozenset[str]:
        return self._permissions.get(caller, frozenset()) | self._permissions.get(EVERYBODY, frozenset())


def _by_caller(given: Mapping[str, Collection[str]], what: str) -> dict[str, frozenset[str]]:
    try:
        return {caller: _names(names) for caller, names in given.items()}
    except TypeError as error:
        msg = f"StaticAccess: {what} are given as {{caller: (names, ...)}}; {error}"
        raise ToolConfigurationError(msg) from error


def _names(answer: Any) -> frozenset[str]:
    if isinstance(answer, Collection) and not isinstance(answer, str | bytes):
        names = frozenset(answer)
        if all(isinstance(name, str) for name in names):
            return names
    msg = f"expected a collection of names, got {answer!r:.80}"
    raise TypeError(msg)


def check_provider(access: object) -> None:
    """Refuse what knows no roles, before the first call."""
    if access is not None and not isinstance(access, AccessProvider):
        msg = (
            "access needs the methods roles_of(caller) and permissions_of(caller), as StaticAccess has them;"
            f" an object of type {type(access).__qualname__!r} has not"
        )
        raise ToolConfigurationError(msg)


def restricts_callers(security: Security | None) -> bool:
    """Return whether a policy refuses any callers."""
    return security is not None and bool(
        security.allowed_callers or security.allowed_roles or security.required_permissions
    )


class CallerCheck:
    """Admit the callers that a policy names, with one of its roles and all of its permissions."""

    def __init__(self, security: Security) -> None:
        self._callers = frozenset(security.allowed_callers)
        self._roles = frozenset(security.allowed_roles)
        self._permissions = frozenset(security.required_permissions)

    async def __call__(self, call: ToolCall, access: AccessProvider | None) -> None:
        """Return if the caller is admitted.

        Raises:
            CallerRefusedError: When it is not, or nobody can tell.
            ToolConfigurationError: When nobody was asked to know callers' roles and permissions.
        """
        caller = call.caller
        may_not = f"{caller!r} may not call {call.name!r}"
        if self._callers and caller not in self._callers:
            raise CallerRefusedError(f"{may_not}; it admits {', '.join(sorted(self._callers))}")
        if not self._roles and not self._permissions:
            return
        if access is None:
            kind, wanted = ("roles", self._roles) if self._roles else ("permissions", self._permissions)
            msg = (
                f"tool {call.name!r} asks its callers for the {kind} {_listed(wanted)}, but nobody knows what"
                " callers have; pass access=StaticAccess(roles={caller: (...)}, permissions={caller: (...)}) to the"
                " Executor"
            )
            raise ToolConfigurationError(msg)
        if self._roles and self._roles.isdisjoint(await _ask(call, access.roles_of, "roles")):
            raise CallerRefusedError(f"{may_not}; it admits the roles {_listed(self._roles)}")
        if self._permissions:
            lacking = self._permissions - await _ask(call, access.permissions_of, "permissions")
            if lacking:
                raise CallerRefusedError(f"{may_not}; it lacks the permissions {_listed(lacking)}")


async def has_role(access: AccessProvider | None, call: ToolCall, who: str, role: str) -> bool:
    """Return whether somebody who decides about a call has a role; nobody has when nobody knows who has which."""
    if access is None:
        return False
    try:
        return role in await _looked_up(access.roles_of, who)
    except Exception:  # noqa: BLE001 -- nobody decides because a door is broken
        log_exception(_log, call, "the roles of %r could not be looked up; the answer does not count", who)
        return False


async def _ask(call: ToolCall, look_up: Callable[[str], _Names], what: str) -> frozenset[str]:
    """Return what a provider knows of the caller.

    Raises:
        CallerRefusedError: When it does not know, or breaks: nobody gets in because a door is broken.
    """
    try:
        return await _looked_up(look_up, call.caller)
    except Exception as error:
        log_exception(_log, call, "the %s of %r could not be looked up; the call is refused", what, call.caller)
        msg = f"{call.caller!r} may not call {call.name!r}: its {what} could not be looked up ({type(error).__name__})"
        raise CallerRefusedError(msg) from error


async def _looked_up(look_up: Callable[[str], _Names], who: str) -> frozenset[str]:
    answer = look_up(who)
    return _names(await answer if inspect.isawaitable(answer) else answer)


def _listed(names: Collection[str]) -> str:
    return ", ".join(map(repr, sorted(names)))
