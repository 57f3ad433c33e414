"""The roles of the person at the window."""

from __future__ import annotations

from collections.abc import Collection

from console.language import tr
from tools.policy.judging import YOU


class OwnRoles:
    """Know which roles the person has, and that nobody else has any; the engine asks for every call that needs them.

    Attributes:
        names: They, from any thread; another set counts from the next call on.
    """

    def __init__(self, names: Collection[str] = ()) -> None:
        self.names = frozenset(names)

    def roles_of(self, caller: str, /) -> frozenset[str]:
        return self.names if caller == YOU else frozenset()

    @staticmethod
    def permissions_of(_caller: str, /) -> frozenset[str]:
        """Return nothing: permissions belong to programs that make calls."""
        return frozenset()


def checked_roles(text: str) -> tuple[str, ...]:
    """Return the roles that a text names, with commas between.

    Raises:
        ValueError: When one is no name.
    """
    names = tuple(dict.fromkeys(filter(None, map(str.strip, text.split(",")))))
    wrong = next((name for name in names if not name.isprintable() or len(name) > 100), None)
    if wrong is not None:
        msg = tr("expected names of roles with commas between, got {text!r}", text=wrong[:100])
        raise ValueError(msg)
    return names
