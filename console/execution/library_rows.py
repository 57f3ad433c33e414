"""What a tool's page says of libraries that are not installed."""

from __future__ import annotations

import sys
from typing import NamedTuple

from console.call.rows import GuardNotice
from tools.extras import EXTRAS, NOT_IN_A_BUILD, missing_libraries

_SHOWN_LINES = 12


class ExtraInstall(NamedTuple):
    """How the newest installation of an extra stands.

    Attributes:
        extra: The extra.
        lines: What pip said so far.
        is_running: Whether it goes on.
        error: Why it failed; empty when it did not.
    """

    extra: str
    lines: tuple[str, ...] = ()
    is_running: bool = False
    error: str = ""


def libraries_notice(extra: str, install: ExtraInstall | None) -> GuardNotice | None:
    """Return what is said of a tool's extra; None when nothing of it is missing.

    Args:
        extra: Its extra; empty for none.
        install: The newest installation, of this or another extra; None when there was none.
    """
    missing = missing_libraries(extra)
    if not missing and not (install is not None and install.is_running and install.extra == extra):
        return None
    libraries = ", ".join(library.requirement for library in missing or EXTRAS[extra])
    needs = f"This tool needs {libraries}."
    if getattr(sys, "frozen", False):
        says = f"{NOT_IN_A_BUILD[:1].upper()}{NOT_IN_A_BUILD[1:]}."
        return GuardNotice("run", "package", f"The extra “{extra}” is not installed.", f"{needs} {says}")
    if install is not None and install.extra == extra:
        details = tuple(("" if at else "pip", line) for at, line in enumerate(install.lines[-_SHOWN_LINES:]))
        if install.is_running:
            says = install.lines[-1] if install.lines else "pip starts."
            return GuardNotice("run", "download", f"Installing the extra “{extra}”…", says, "Cancel", details)
        if install.error:
            fact = f"The extra “{extra}” could not be installed."
            return GuardNotice("error", "circle-x", fact, f"{install.error}.".replace("..", "."), "Try again", details)
    fact = f"The extra “{extra}” is not installed."
    if install is not None and install.is_running:
        return GuardNotice("run", "package", fact, f"{needs} The extra “{install.extra}” is being installed first.")
    return GuardNotice("run", "package", fact, f"{needs} Installing it takes pip and the internet.", "Install")
