"""Whether a declaration fits together: the card, policies with the tool they stand on, marks with their arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Final, get_args, get_origin

from pydantic import ValidationError

from tools.errors import DeclarationError
from tools.masking import RESULT, same_name
from tools.spec import NAME_PATTERN, Parameter, PathRole, Policies, ToolSpec

_FIRST_NAME: Final = re.compile(r"[^.\[\]*]+")
SPEC_FIELDS: Final = frozenset(ToolSpec.model_fields)


def owner_of(target: object) -> str:
    """Return where something is defined, for messages: `module.qualname`."""
    named = target if hasattr(target, "__qualname__") else type(target)
    return f"{getattr(named, '__module__', '?')}.{getattr(named, '__qualname__', named)}"


def make_spec(owner: str, **fields: Any) -> ToolSpec:
    """Return a checked card.

    Raises:
        DeclarationError: When a field is wrong; the message names the owner and the repair.
    """
    name = fields.get("name")
    if not isinstance(name, str) or not NAME_PATTERN.fullmatch(name):
        msg = f"{owner}: a tool's name is 1 to 64 letters, digits and underscores, no digit first; it is {name!r}"
        raise DeclarationError(msg)
    unknown = sorted(set(fields) - SPEC_FIELDS)
    if unknown:
        msg = f"{owner}: @tool does not know {', '.join(map(repr, unknown))}"
        raise DeclarationError(msg)
    try:
        return ToolSpec(**fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        msg = f"{owner}: {where}={first['input']!r} is wrong: {first['msg']}"
        raise DeclarationError(msg) from error


def checked_policies(policies: Policies, spec: ToolSpec, parameters: Sequence[Parameter], owner: str) -> Policies:
    """Return the policies, with masked fields under every name they go by.

    Raises:
        DeclarationError: When a policy does not fit the tool.
    """
    retry = policies.retry
    if retry is not None and retry.max_attempts > 1 and not (spec.idempotent or retry.even_if_not_idempotent):
        msg = (
            f"{owner}: {spec.name!r} is not idempotent, so a retry could do its work twice;"
            " remove @retry, or say even_if_not_idempotent=True"
        )
        raise DeclarationError(msg)
    security = policies.security
    if security is None or not security.mask_fields or not parameters:
        return policies
    names = {parameter.name: parameter.python_name for parameter in parameters}
    names |= {parameter.python_name: parameter.name for parameter in parameters}
    other_by_name = {same_name(name): other for name, other in names.items()}
    both: dict[str, None] = {}
    for field in security.mask_fields:
        both[field] = None
        first = _FIRST_NAME.match(field)
        if first is None or (first[0] == RESULT and RESULT not in names):
            continue
        other = other_by_name.get(same_name(first[0]))
        if other is None:
            msg = (
                f"{owner}: mask_fields names {field!r}, which is no argument; there are {', '.join(sorted(names))},"
                f" and {RESULT}.… for what it returns"
            )
            raise DeclarationError(msg)
        spelled = other if _FIRST_NAME.fullmatch(other) else f'["{other}"]'
        both[spelled + field[first.end() :]] = None
    return policies.model_copy(update={"security": security.model_copy(update={"mask_fields": tuple(both)})})


def path_roles(parameters: Iterable[Parameter]) -> tuple[tuple[str, PathRole], ...]:
    """Return the arguments that name files or folders, by Python name, however deep in their type the mark stands."""
    found: list[tuple[str, PathRole]] = []
    for parameter in parameters:
        roles = list(_roles_in(parameter.annotation, set()))
        if roles:
            found.append((parameter.python_name, PathRole(writes=any(role.writes for role in roles))))
    return tuple(found)


def _roles_in(annotation: Any, seen: set[int]) -> Iterator[PathRole]:
    # A named type (`type Tree = ...`) may hold itself.
    annotation = getattr(annotation, "__value__", annotation)
    if id(annotation) in seen:
        return
    seen.add(id(annotation))
    parts = get_args(annotation)
    if get_origin(annotation) is Annotated:
        for extra in parts[1:]:
            role = extra() if extra is PathRole else extra
            if isinstance(role, PathRole):
                yield role
        parts = parts[:1]
    for part in parts:
        yield from _roles_in(part, seen)
