"""Whether a declared probe can be made: what is called to find out whether a tool works."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from tools.declare.checks import owner_of
from tools.declare.signature import read_signature
from tools.errors import ArgumentsError, DeclarationError
from tools.tool import Probe, Tool


def probe_from(said: object, look_up: Callable[[str], Any], owner: str, *, on_request: bool = False) -> Probe | None:
    """Return the probe that a declaration names.

    Args:
        said: Arguments for the tool itself, a function, the name of a method or function beside the tool, or None.
        look_up: Finds what has a name beside the tool.
        owner: Who declares it, for messages.
        on_request: Whether it is made only when a person asks for it.

    Raises:
        DeclarationError: When it is none of them, or takes arguments.
    """
    if said is None or isinstance(said, Probe):
        return said
    if isinstance(said, Mapping):
        return Probe(arguments=dict(said), on_request=on_request)
    found = look_up(said) if isinstance(said, str) else said
    if not callable(found):
        msg = (
            f"{owner}: probe= takes a function, the name of one beside the tool, or a dictionary with arguments for the"
            f" tool itself; it is {said!r:.80}"
        )
        raise DeclarationError(msg)
    signature = read_signature(found, owner=owner_of(found))
    if signature.parameters:
        taken = signature.parameters[0].name
        msg = f"{owner}: the probe {owner_of(found)} is called without arguments, but takes {taken!r}"
        raise DeclarationError(msg)
    return Probe(function=found, on_request=on_request)


def kit_probe(said: object, kit: object, *, on_request: bool) -> Probe | None:
    """Return the probe of a toolkit, which answers for all of its tools that name none.

    Raises:
        DeclarationError: When it is no function, nor the name of one of its methods.
    """
    owner = owner_of(type(kit))
    probe = probe_from(said, functools.partial(_member, kit), owner, on_request=on_request)
    if probe is not None and probe.arguments is not None:
        msg = f"{owner}: arguments are those of one tool; name a function, or one of the methods, as probe of all tools"
        raise DeclarationError(msg)
    return probe


def _member(kit: object, name: str) -> Any:
    return getattr(kit, name, None)


def checked_probe(tool: Tool) -> Tool:
    """Return a tool, if it can be probed as it says.

    Raises:
        DeclarationError: When it cannot; the message says why.
    """
    if tool.probe is None or tool.probe.arguments is None:
        return tool
    if tool.asks_first:
        msg = (
            f"{tool.owner}: {tool.name!r} asks a person before each call, which a probe cannot; name a function instead"
            " of arguments"
        )
        raise DeclarationError(msg)
    try:
        tool.arguments.validate(tool.probe.arguments)
    except ArgumentsError as error:
        msg = f"{tool.owner}: the arguments of its probe do not fit: {error}"
        raise DeclarationError(msg) from error
    return tool
