"""Where a command writes."""

from __future__ import annotations

import posixpath
import re
from typing import Final

from tools.policy.findings import Finding
from tools.policy.shell_words import Known, Word
from tools.spec import RiskClass

_NOWHERE: Final = re.compile(r"/dev/(null|zero|full|stdin|stdout|stderr|tty|fd/\d+)")
_RIGHTS: Final = re.compile(r"/etc/(sudoers|sudoers\.d/.*|passwd|shadow|group|gshadow|pam\.d/.*|doas\.conf)")
_SYSTEM: Final = re.compile(
    r"/(etc|usr|bin|sbin|lib\w*|boot|dev|proc|sys|opt|root|var|System|Library|Applications)(/.*)?"
)
_SHARED: Final = re.compile(r"/(tmp|var/tmp|dev/shm|private/tmp)/.+")
_OTHERS: Final = re.compile(r"/dev/(tcp|udp)/.*")
_OUTSIDE: Final = re.compile(r"(/|~|\.\.).*")
_RUN_BY_OTHERS: Final = re.compile(r"(.*/)?\.git(/.*)?")


_KINDS: Final = (
    (_NOWHERE, RiskClass.READ_ONLY, "writes what is kept nowhere"),
    (_RIGHTS, RiskClass.ESCALATION, "changes who may do what, in {}"),
    (_SHARED, RiskClass.WRITE, "writes to {}"),
    (_OTHERS, RiskClass.UNKNOWN, "sends something to another computer"),
    (_SYSTEM, RiskClass.DESTRUCTIVE, "writes to {}, which belongs to the system"),
    (_OUTSIDE, RiskClass.UNKNOWN, "writes to {}, outside the folder it runs in"),
    (_RUN_BY_OTHERS, RiskClass.UNKNOWN, "writes to {}, where git looks for what it runs"),
)


def judge_place(word: Word, shown: str) -> Finding:
    """Return what writing to a place comes to.

    Args:
        word: The path as the command says it; a relative one lies where the command runs.
        shown: The whole command, for the reason.
    """
    if word.known is not Known.WHOLE:
        return Finding(RiskClass.UNKNOWN, f"It writes to a place that is known only when it runs: {shown}")
    path = posixpath.normpath(word.text)
    risk, what = _of_path(path)
    return Finding(risk, f"It {what}: {shown}")


def _of_path(path: str) -> tuple[RiskClass, str]:
    for places, risk, what in _KINDS:
        if places.fullmatch(path):
            return risk, what.format(path)
    return RiskClass.WRITE, f"writes to {path}"
