"""Put secrets back into edited values, each where it belongs or not at all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from tools.errors import ArgumentProblem, ArgumentsError
from tools.masking.addresses import restored_address
from tools.masking.paths import MASK, same_name
from tools.masking.rules import Rules, masked, named, placed
from tools.masking.scrubbing import Scrubber

_ABSENT: Final = object()
_EXPECTED: Final = "the value itself, for it cannot be told which hidden one the bullets stand for"


def restored(
    edited: Mapping[str, Any], real: Mapping[str, Any], rules: Rules, scrubber: Scrubber | None = None
) -> dict[str, Any]:
    """Return edited values with each secret put back that was left as bullets.

    Names find their secrets by name. An item of a list finds its own by what it shows: it may have moved, and items
    beside it may have come or gone. An item that was edited itself takes the one secret left over, if it is one. Where
    more than one secret could be meant, none is put back.

    Args:
        scrubber: What hid the same secrets inside other texts; None when nothing did.

    Raises:
        ArgumentsError: When it cannot be told which secret some bullets stand for.
    """
    restoration = _Restoration(scrubber)
    values: dict[str, Any] = restoration.of_names(edited, real, rules, "")
    if restoration.problems:
        raise ArgumentsError(restoration.problems)
    return values


class _Restoration:
    def __init__(self, scrubber: Scrubber | None) -> None:
        self.problems: list[ArgumentProblem] = []
        self._scrubber = scrubber

    def _shown(self, value: Any, rules: Rules) -> Any:
        shown = masked(value, rules, fit=True)
        return shown if self._scrubber is None else self._scrubber.texts(shown)

    def of_names(self, edited: Mapping[str, Any], real: Any, rules: Rules, path: str) -> dict[str, Any]:
        known = real if isinstance(real, Mapping) else {}
        return {
            name: self._of(part, _under(known, name), named(rules, name), f"{path}.{name}" if path else name)
            for name, part in edited.items()
        }

    def _of(self, edited: Any, real: Any, rules: Rules, path: str) -> Any:
        if isinstance(edited, str):
            return self._of_text(edited, real, rules, path) if MASK in edited else edited
        if isinstance(edited, Mapping):
            return self.of_names(edited, real, rules, path)
        if isinstance(edited, list):
            return self._of_items(edited, real if isinstance(real, list) else [], rules, path)
        return edited

    def _of_text(self, edited: str, real: Any, rules: Rules, path: str) -> Any:
        if edited == real:
            return edited
        shown = _ABSENT if real is _ABSENT else self._shown(real, rules)
        if edited == shown:
            return real
        if edited != MASK:
            if any(rule.address for rule in rules):
                address = restored_address(edited, real) if isinstance(real, str) else None
                if address is not None:
                    return address
            elif shown is not _ABSENT and not _has_bullets(shown):
                # Bullets that are part of a text are the person's own where nothing of it was hidden.
                return edited
        self.problems.append(ArgumentProblem(path, _EXPECTED, MASK, "hidden"))
        return edited

    def _of_items(self, edited: list[Any], real: list[Any], rules: Rules, path: str) -> list[Any]:
        own = self._partners(edited, real, rules)
        return [
            self._of(
                item,
                real[own[place]] if place in own else _ABSENT,
                placed(rules, own.get(place, place)),
                f"{path}[{place}]",
            )
            for place, item in enumerate(edited)
        ]

    def _partners(self, edited: list[Any], real: list[Any], rules: Rules) -> dict[int, int]:
        """Return which real item each edited one with bullets was, by place, without those that nobody can tell."""
        shown_at: dict[str, list[int]] = {}
        for place, item in enumerate(real):
            shown = self._shown(item, placed(rules, place))
            if _has_bullets(shown):
                shown_at.setdefault(_key(shown), []).append(place)
        wanted_at: dict[str, list[int]] = {}
        for place, item in enumerate(edited):
            if _has_bullets(item):
                wanted_at.setdefault(_key(item), []).append(place)
        partners: dict[int, int] = {}
        for key, wanted in wanted_at.items():
            originals = shown_at.get(key, [])
            if len(originals) == len(wanted):
                partners.update(zip(wanted, originals, strict=True))
            elif originals and all(real[place] == real[originals[0]] for place in originals):
                partners.update(dict.fromkeys(wanted, originals[0]))
        strangers = [place for key, places in wanted_at.items() if key not in shown_at for place in places]
        left_over = [place for key, places in shown_at.items() if key not in wanted_at for place in places]
        if len(edited) == len(real) and len(strangers) == len(left_over) == 1:
            partners[strangers[0]] = left_over[0]
        return partners


def _under(values: Mapping[str, Any], name: str) -> Any:
    if name in values:
        return values[name]
    # A header may be spelled in other letters after the edit.
    alike = [value for key, value in values.items() if same_name(key) == same_name(name)]
    return alike[0] if len(alike) == 1 else _ABSENT


def _has_bullets(value: Any) -> bool:
    if isinstance(value, str):
        return MASK in value
    if isinstance(value, Mapping):
        return any(map(_has_bullets, value.values()))
    return isinstance(value, list) and any(map(_has_bullets, value))


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)
