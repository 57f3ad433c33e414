"""Whether a declaration fits together: the card, marks with their arguments."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Final, TypeVar, cast, get_args, get_origin

from pydantic import ValidationError

from tools.errors import DeclarationError
from tools.spec import NAME_PATTERN, Parameter, PathRole, ShellCommand, ToolSpec
from tools.tool import DryRunOf

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


def path_roles(parameters: Iterable[Parameter]) -> tuple[tuple[str, PathRole], ...]:
    """Return the arguments that name files or folders, by Python name, however deep in their type the mark stands."""
    found: list[tuple[str, PathRole]] = []
    for parameter in parameters:
        roles = list(_marks_in(parameter.annotation, PathRole, set()))
        if roles:
            found.append((parameter.python_name, PathRole(writes=any(role.writes for role in roles))))
    return tuple(found)


def shell_commands(parameters: Sequence[Parameter], owner: str) -> tuple[tuple[str, ShellCommand], ...]:
    """Return the arguments that are command lines, by the names callers use.

    Raises:
        DeclarationError: When a mark names an argument that there is not.
    """
    names = {parameter.name for parameter in parameters}
    found: list[tuple[str, ShellCommand]] = []
    for parameter in parameters:
        for mark in _marks_in(parameter.annotation, ShellCommand, set()):
            for other in filter(None, mark):
                if other not in names:
                    msg = f"{owner}: ShellCommand of {parameter.name!r} names {other!r}, which is no argument"
                    raise DeclarationError(msg)
            found.append((parameter.name, mark))
    return tuple(found)


def checked_dry_run(said: object, owner: str) -> DryRunOf | None:
    """Return what says what a call would do.

    Raises:
        DeclarationError: When it cannot be called, or would have to be awaited.
    """
    if said is None:
        return None
    if not callable(said) or inspect.iscoroutinefunction(said):
        msg = f"{owner}: dry_run= takes a function of the arguments and the project folder that is not asynchronous"
        raise DeclarationError(msg)
    return cast("DryRunOf", said)


Mark = TypeVar("Mark", PathRole, ShellCommand)


def _marks_in(annotation: Any, kind: type[Mark], seen: set[int]) -> Iterator[Mark]:
    # A named type (`type Tree = ...`) may hold itself.
    annotation = getattr(annotation, "__value__", annotation)
    if id(annotation) in seen:
        return
    seen.add(id(annotation))
    parts = get_args(annotation)
    if get_origin(annotation) is Annotated:
        for extra in parts[1:]:
            mark = kind() if extra is kind else extra
            if isinstance(mark, kind):
                yield mark
        parts = parts[:1]
    for part in parts:
        yield from _marks_in(part, kind, seen)
