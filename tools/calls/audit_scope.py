"""How much of a call an audit record has: settled here for everybody who writes one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tools.schema import json_beginning
from tools.spec import AuditLevel

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.calls.call import ToolCall
    from tools.tool import Tool

LONGEST_VALUE: Final = 200
"""Letters of one argument's JSON text that a standard record keeps."""
_SHOWS_ARGUMENTS: Final = frozenset({AuditLevel.STANDARD, AuditLevel.FULL})


def audit_level_of(tool: Tool | None, default: AuditLevel = AuditLevel.STANDARD) -> AuditLevel:
    """Return how much is written down about a tool's calls; the default counts where it says nothing of that."""
    security = tool.security if tool is not None else None
    return default if security is None else security.audit


def audited_arguments(call: ToolCall, level: AuditLevel) -> dict[str, JsonValue] | None:
    """Return the arguments that a record of this level has; None when it has none.

    `none` and `basic` have none (basic: that the call happened, whose it was and how it ended), `standard` has them
    with long values shortened to the beginning of their JSON text, `full` has all of them. A sensitive tool's are in
    no record. Masked values are bullets at every level.
    """
    if level not in _SHOWS_ARGUMENTS or (call.tool is not None and call.tool.sensitive):
        return None
    return audited_values(call.display_arguments(), level)


def audited_values(shown: dict[str, JsonValue], level: AuditLevel) -> dict[str, JsonValue]:
    """Return values that people may see, such as an edit's, as a record of this level has them."""
    if level is AuditLevel.FULL:
        return shown
    return {name: _shortened(value) for name, value in shown.items()}


def _shortened(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return value if len(value) <= LONGEST_VALUE else value[: LONGEST_VALUE - 1] + "…"
    if not isinstance(value, list | dict):
        return value
    beginning = json_beginning(value, LONGEST_VALUE)
    return value if len(beginning) <= LONGEST_VALUE else beginning[: LONGEST_VALUE - 1] + "…"
