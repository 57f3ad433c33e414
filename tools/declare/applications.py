"""For which applications a bundle of tools is made."""

from __future__ import annotations

from collections.abc import Collection

from tools.declare.decorators import declaration_of

ClassName = tuple[str, str]
"""A class as another process knows it: its module and its qualified name."""


def supports(target: object, application: type | Collection[ClassName] | None) -> bool:
    """Return whether a bundle is made for an application; without `@supported_for` it is made for all.

    Args:
        application: The application's class; or the names of that class and its bases, where it is in another process.
    """
    kind = target if isinstance(target, type) else type(target)
    declared = declaration_of(target) or declaration_of(kind)
    wanted = declared.supported_for if declared is not None else ()
    if not wanted or application is None:
        return not wanted
    if isinstance(application, type):
        return any(issubclass(application, item) for item in wanted)
    return any(class_name(item) in application for item in wanted)


def class_name(kind: type) -> ClassName:
    """Return what another process knows a class by."""
    return kind.__module__, kind.__qualname__
