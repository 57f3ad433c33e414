"""Paths of values in JSON, such as `token`, `auth.token`, `items[].secret`, `items[2].x` and `headers["X-Key"]`."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Final

MASK: Final = "••••••"
"""What is shown in a secret's place."""


class PathWildcard(Enum):
    """A part of a path that stands for many."""

    ITEM = auto()
    NAME = auto()


Part = str | int | PathWildcard
_PART: Final = re.compile(
    r"""(?P<dot>\.)?(?:(?P<every>\*)|(?P<name>[^.\[\]*"]+))   # a name, or every name
      | \[(?:(?P<index>\d+)|"(?P<quoted>[^"]*)"|)\]           # an item, a quoted name, or every item
    """,
    re.VERBOSE,
)


def parse_path(path: str) -> tuple[Part, ...]:
    """Return the parts of a path.

    Names stand behind dots, `["..."]` quotes one that holds a dot, `*` is every name, `[2]` the third item and `[]`
    every item.

    Raises:
        ValueError: When it is no path.
    """
    parts: list[Part] = []
    position = 0
    while position < len(path):
        found = _PART.match(path, position)
        if found is None or bool(found["dot"]) is not bool(parts and (found["name"] or found["every"])):
            msg = f"{path!r} is no path; expected one such as 'token', 'auth.token', 'items[].secret' or 'result.key'"
            raise ValueError(msg)
        parts.append(_part(found))
        position = found.end()
    if not parts or not (isinstance(parts[0], str) or parts[0] is PathWildcard.NAME):
        msg = f"{path!r} is no path; it starts with the name of an argument, or with 'result'"
        raise ValueError(msg)
    return tuple(parts)


def _part(found: re.Match[str]) -> Part:
    if found["name"]:
        return same_name(found["name"])
    if found["every"]:
        return PathWildcard.NAME
    if found["index"]:
        return int(found["index"])
    return PathWildcard.ITEM if found["quoted"] is None else same_name(found["quoted"])


def same_name(name: str) -> str:
    """Return the form in which names are compared: `X-Api-Key`, `x_api_key` and `xApiKey` are one.

    Headers are spelled with and without capitals, and a parameter is called otherwise in Python than by its callers;
    a mask that hides one name too many does no harm, one that hides a name too few does.
    """
    return name.casefold().replace("_", "").replace("-", "")
