"""What a tool's page says of libraries that are not installed."""

from __future__ import annotations

import sys
from typing import NamedTuple

from console.call_result.rows import GuardNotice
from console.language import full_sentence_of, tr
from tools.extras import EXTRAS, NOT_IN_A_BUILD, missing_libraries

_SHOWN_LINES = 12


class ExtraInstall(NamedTuple):
    """How the newest installation of an extra stands.

    Attributes:
        lines: What pip said so far.
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
    needs = tr("This tool needs {libraries}.", libraries=libraries)
    if getattr(sys, "frozen", False):
        says = full_sentence_of(NOT_IN_A_BUILD)
        return GuardNotice(
            "run", "package", tr("The extra “{extra}” is not installed.", extra=extra), f"{needs} {says}"
        )
    if install is not None and install.extra == extra:
        details = tuple(("" if at else "pip", line) for at, line in enumerate(install.lines[-_SHOWN_LINES:]))
        if install.is_running:
            says = install.lines[-1] if install.lines else tr("pip starts.")
            return GuardNotice(
                "run", "download", tr("Installing the extra “{extra}”…", extra=extra), says, tr("Cancel"), details
            )
        if install.error:
            fact = tr("The extra “{extra}” could not be installed.", extra=extra)
            return GuardNotice(
                "error", "circle-x", fact, f"{install.error}.".replace("..", "."), tr("Try again"), details
            )
    fact = tr("The extra “{extra}” is not installed.", extra=extra)
    if install is not None and install.is_running:
        return GuardNotice(
            "run",
            "package",
            fact,
            tr("{needs} The extra “{extra}” is being installed first.", needs=needs, extra=install.extra),
        )
    return GuardNotice(
        "run", "package", fact, tr("{needs} Installing it takes pip and the internet.", needs=needs), tr("Install")
    )
