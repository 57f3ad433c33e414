"""The frozen rows of the Activity list, and how arguments become one line."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from console.widgets.status import StatusName

if TYPE_CHECKING:
    from pydantic import JsonValue


LIVE: Final[frozenset[StatusName]] = frozenset({"running", "waiting", "approved"})
"""While a call is one of these, its row changes with the clock."""

_LONGEST_VALUE: Final = 120
_LONGEST_LINE: Final = 400
_MOST_ITEMS: Final = 8
_MOST_BITS: Final = 64
_LONGEST_JSON: Final = 100_000
_in_quotes: Final = json.JSONEncoder(ensure_ascii=False).encode


class ShownArguments(Protocol):
    """The arguments of a call as people may see them."""

    @property
    def line(self) -> str:
        """All that differ from their defaults, in one line."""

    @property
    def json(self) -> str:
        """All of them as JSON; empty when that is too long to keep."""


class WrittenArguments(NamedTuple):
    """Arguments that are text already."""

    line: str = ""
    json: str = ""


HIDDEN: Final = WrittenArguments("…")
"""Stands for the arguments of a sensitive tool, which are in no list."""


class _FewArguments:
    """Arguments that are written when somebody reads them: of a flood of calls hardly any are."""

    __slots__ = ("_line", "_properties", "_shown")

    def __init__(self, shown: Mapping[str, "JsonValue"], properties: Mapping[str, object]) -> None:
        self._shown = shown
        self._properties = properties
        self._line: str | None = None

    @property
    def line(self) -> str:
        if self._line is None:
            self._line = one_line(_told(self._shown, self._properties))
        return self._line

    @property
    def json(self) -> str:
        return arguments_json(self._shown)


class ActivityRow(NamedTuple):
    """Be one call as the list shows it.

    Attributes:
        tool: The name asked for.
        caller: Who asked: `you`, `agent:name`, `batch: name`.
        given: Its arguments, secrets masked.
        reason: Why it did not succeed, in one line; empty when it did.
        elapsed_s: Seconds it took, waiting included; None while it is open.
        review_s: The part of it spent waiting for a person.
        expires_at: When silence answers the question that is asked, or when an allowed call whose caller is gone is
            given up; None for neither.
    """

    call_id: str
    proposed_at: datetime
    tool: str
    caller: str
    given: ShownArguments = WrittenArguments()
    status: StatusName = "queued"
    reason: str = ""
    elapsed_s: float | None = None
    review_s: float = 0.0
    expires_at: datetime | None = None

    @property
    def live(self) -> bool:
        return self.status in LIVE

    def contains(self, words: tuple[str, ...]) -> bool:
        """Say whether every one of some case-folded words stands in it."""
        if not words:
            return True
        text = f"{self.tool}\n{self.caller}\n{self.given.line}\n{self.reason}".casefold()
        return all(word in text for word in words)


def shown_arguments(shown: Mapping[str, "JsonValue"], properties: object) -> ShownArguments:
    """Return arguments that can be kept with a row.

    What holds much is written at once: a list of calls never keeps it, nor shows what became of it later.

    Args:
        shown: By name, secrets already masked.
        properties: What the tool's schema says of each; anything but an object says nothing.
    """
    known = properties if isinstance(properties, dict) else {}
    if len(shown) <= _MOST_ITEMS and all(map(_is_short, shown.values())):
        return _FewArguments(shown, known)
    return WrittenArguments(one_line(_told(shown, known)), arguments_json(shown))


def _is_short(value: "JsonValue") -> bool:
    if isinstance(value, str):
        return len(value) <= _LONGEST_VALUE
    return value.bit_length() <= _MOST_BITS if isinstance(value, int) else not isinstance(value, dict | list)


def _told(shown: Mapping[str, "JsonValue"], properties: Mapping[str, object]) -> dict[str, "JsonValue"]:
    """Return the arguments that differ from their defaults: the others say little."""
    return {name: value for name, value in shown.items() if not _is_default(properties.get(name), value)}


def _is_default(schema: object, value: object) -> bool:
    return isinstance(schema, Mapping) and "default" in schema and schema["default"] == value


def one_line(arguments: Mapping[str, "JsonValue"]) -> str:
    """Write arguments as `path="src" limit=5`; long values are cut, large ones only counted."""
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
        return _in_quotes(cut)
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
