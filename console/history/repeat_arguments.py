"""The arguments of past calls, for another run: as values without what was hidden, and as a command."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.calls import MASK

if TYPE_CHECKING:
    from tools.calls import CallRecord


class RepeatArguments(NamedTuple):
    """Arguments for another run.

    Attributes:
        missing: What was hidden when the call was kept, by path; the person has to fill it in.
    """

    arguments: dict[str, Any]
    missing: tuple[str, ...]


def given_again(record: CallRecord) -> RepeatArguments:
    """Return the arguments that a call ran with, without those that are hidden."""
    missing: list[str] = []
    kept = _without_masks(record.final_arguments, "", missing)
    return RepeatArguments(kept if isinstance(kept, dict) else {}, tuple(missing))


def _without_masks(value: Any, path: str, missing: list[str]) -> Any:
    if not isinstance(value, Mapping):
        return value
    kept = {}
    for name, item in value.items():
        where = f"{path}.{name}" if path else name
        # Of an address only a part is hidden, but without it the rest is of no use.
        if isinstance(item, str | list) and MASK in json.dumps(item, ensure_ascii=False):
            missing.append(where)
        else:
            kept[name] = _without_masks(item, where, missing)
    return kept


def command_of(record: CallRecord) -> str:
    """Write a call as a POSIX shell runs it; what is hidden is left out."""
    given = given_again(record).arguments
    words = ["tool-console", "call", record.tool.name]
    if given:
        words += ["--json", json.dumps(given, ensure_ascii=False)]
    return shlex.join(words)
