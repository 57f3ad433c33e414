"""Variables that no program takes orders from."""

from __future__ import annotations

import re
from typing import Final

_HARMLESS: Final = re.compile(
    r"LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR(_FORCE)?|COLORTERM|CI|DEBUG|VERBOSE"
    r"|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED|PYTHONUTF8|NODE_ENV|RUST_BACKTRACE|RUST_LOG"
    r"|QT_QPA_PLATFORM|SOURCE_DATE_EPOCH|DEBIAN_FRONTEND|HYPOTHESIS_PROFILE|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS"
)
_OWN: Final = re.compile(r"(?!.*proxy$|prompt$|\w*path$)[a-z][a-z0-9_]*|_")
"""Names of a script's own variables; what programs listen to has capitals, but for proxies and the paths of zsh."""

_PLAIN: Final = re.compile(r"[^$`\\/{}();|&<>\n]*")
"""A value in which no program that expands it, as make does, finds an order or a path."""

_PAGERS: Final = frozenset({"PAGER", "GIT_PAGER", "MANPAGER", "SYSTEMD_PAGER"})


def is_harmless(name: str, value: str | None = None, *, exported: bool = True) -> bool:
    """Return whether a variable can be set without changing what a known program does.

    Args:
        name: The variable.
        value: Its new value; None when it is known only when the command runs.
        exported: Whether programs get it; if not, it is a script's own.
    """
    if name in _PAGERS:
        return value in {"", "cat"}
    if not exported and _OWN.fullmatch(name):
        return True
    listed = _HARMLESS.fullmatch(name) or _OWN.fullmatch(name)
    plain = value.replace("/", "") if name == "TZ" and value is not None else value
    return listed is not None and plain is not None and _PLAIN.fullmatch(plain) is not None
