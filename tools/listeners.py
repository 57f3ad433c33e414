"""Functions that are told when something happens, each until its undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Told = TypeVar("Told", bound=Callable[..., object])


def listening(listeners: list[Told], listener: Told) -> Callable[[], None]:
    """Add a function to those that are told; return the undo, which may come twice."""
    listeners.append(listener)

    def remove() -> None:
        if listener in listeners:
            listeners.remove(listener)

    return remove
