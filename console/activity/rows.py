"""The frozen rows of the Activity list, and how arguments become one line."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from console.widgets.status import StatusName

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ["LIVE", "ActivityRow", "arguments_json", "indented", "one_line"]

LIVE: Final[frozenset[StatusName]] = frozenset({"running", "waiting"})
"""While a call is one of these, its row changes with the clock."""

_LONGEST_VALUE: Final = 120
_LONGEST_LINE: Final = 400
_MOST_ITEMS: Final = 8
_LONGEST_JSON: Final = 100_000


@dataclass(frozen=True, slots=True)
class ActivityRow:
    """Be one call as the list shows it.

    Attributes:
        call_id: Which call.
        proposed_at: When it was made.
        tool: The name asked for.
        caller: Who asked: `you`, `agent:name`, `batch: name`.
        arguments: All of them in one line, secrets masked.
        arguments_json: All of them as JSON, secrets masked; empty when that is too long to keep.
        status: Where it is, or how it ended.
        reason: Why it did not succeed, in one line; empty when it did.
        elapsed_s: Seconds it took, waiting included; None while it is open.
        expires_at: When silence answers the question that is asked; None when it never does, or none is asked.
    """

    call_id: str
    proposed_at: datetime
    tool: str
    caller: str
    arguments: str = ""
    arguments_json: str = ""
    status: StatusName = "queued"
    reason: str = ""
    elapsed_s: float | None = None
    expires_at: datetime | None = None

    @property
    def live(self) -> bool:
        """Whether it changes with the clock."""
        return self.status in LIVE

    def contains(self, words: tuple[str, ...]) -> bool:
        """Say whether every one of some case-folded words stands in it."""
        if not words:
            return True
        text = f"{self.tool}\n{self.caller}\n{self.arguments}\n{self.reason}".casefold()
        return all(word in text for word in words)


def one_line(arguments: Mapping[str, "JsonValue"]) -> str:
    """Write arguments as `path="src" limit=5`; long values are cut, large ones only counted.

    Args:
        arguments: By name, secrets already masked.
    """
    parts: list[str] = []
    length = 0
    for name, value in arguments.items():
        parts.append(f"{name}={_short(value)}")
        length += len(parts[-1]) + 1
        if length > _LONGEST_LINE:
            return " ".join(parts)[:_LONGEST_LINE] + "…"
    return " ".join(parts)


def _short(value: "JsonValue") -> str:
    if isinstance(value, str):
        cut = value if len(value) <= _LONGEST_VALUE else value[:_LONGEST_VALUE] + "…"
        return json.dumps(cut, ensure_ascii=False)
    if isinstance(value, Mapping):
        if len(value) <= _MOST_ITEMS and not any(isinstance(item, list | dict) for item in value.values()):
            return "{" + ", ".join(f"{name}: {_short(item)}" for name, item in value.items()) + "}"
        return f"{{{len(value):,} {'key' if len(value) == 1 else 'keys'}}}"
    if isinstance(value, list):
        if len(value) <= _MOST_ITEMS and not any(isinstance(item, list | dict) for item in value):
            return "[" + ", ".join(_short(item) for item in value) + "]"
        return f"[{len(value):,} {'item' if len(value) == 1 else 'items'}]"
    return json.dumps(value)


def arguments_json(arguments: Mapping[str, "JsonValue"]) -> str:
    """Write arguments as JSON to be copied; empty when that is too long to keep for every call of a list.

    It is in one line: to indent it takes Python six times as long, and hardly any is ever copied.
    """
    text = json.dumps(arguments, ensure_ascii=False)
    return text if len(text) <= _LONGEST_JSON else ""


def indented(text: str) -> str:
    """Return JSON as people read it."""
    return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
