"""Variables that no program takes orders from."""

from __future__ import annotations

import re
from typing import Final

_HARMLESS: Final = re.compile(
    r"LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR(_FORCE)?|COLORTERM|CI|DEBUG|VERBOSE"
    r"|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED|PYTHONUTF8|NODE_ENV|RUST_BACKTRACE|RUST_LOG"
    r"|QT_QPA_PLATFORM|SOURCE_DATE_EPOCH|DEBIAN_FRONTEND|HYPOTHESIS_PROFILE|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS"
)
_OWN: Final = re.compile(r"[a-z][a-z0-9_]*|_")
"""Names of a script's own variables; what programs listen to is written in capitals."""

_LISTENED_TO: Final = re.compile(r".*proxy|prompt|path|cdpath|fpath|manpath")
"""In small letters all the same: proxies, and the paths of zsh."""

_PAGERS: Final = frozenset({"PAGER", "GIT_PAGER", "MANPAGER", "SYSTEMD_PAGER"})


def is_harmless(name: str, value: str | None = None) -> bool:
    """Return whether a variable can be set without changing what a known program does.

    Args:
        name: The variable.
        value: Its new value; None when it is known only when the command runs.
    """
    if name in _PAGERS:
        return value in {"", "cat"}
    if _OWN.fullmatch(name):
        return not _LISTENED_TO.fullmatch(name)
    return _HARMLESS.fullmatch(name) is not None
