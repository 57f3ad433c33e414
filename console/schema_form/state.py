"""The states of a document, and the steps between them that can be undone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

from console.schema_form.json_text import TextProblem, parse_object, write_json
from console.schema_form.paths import ABSENT, Path, value_at

_T = TypeVar("_T")
_NO_DRAFTS: Final[Mapping[Path, PendingInput]] = MappingProxyType({})
_NO_VARIANTS: Final[Mapping[Path, int]] = MappingProxyType({})


class PendingInput(NamedTuple):
    """What stands in one field as long as it is no value yet.

    Attributes:
        message: What was expected and what came.
    """

    text: str
    message: str


class State(NamedTuple):
    """One moment of a document; nothing in it is ever changed.

    Attributes:
        value: The last value that was understood.
        text: The whole text as it was typed; None when it was not, or was changed elsewhere since.
        problem: Where that text stops being JSON; None when it is.
        drafts: What stands in fields that hold no value.
        variants: The kinds of value that people picked.
    """

    value: Mapping[str, Any]
    text: str | None = None
    problem: TextProblem | None = None
    drafts: Mapping[Path, PendingInput] = _NO_DRAFTS
    variants: Mapping[Path, int] = _NO_VARIANTS

    def drafts_outside(self, path: Path) -> dict[Path, PendingInput]:
        depth = len(path)
        return {place: draft for place, draft in self.drafts.items() if place[:depth] != path}

    def changed(self, value: Mapping[str, Any], path: Path) -> State:
        """Return the state after a change at a path; what was picked inside it was picked for another value."""
        around = path[:-1] if path and isinstance(path[-1], int) and value_at(value, path) is ABSENT else path
        depth = len(around)
        variants = {
            place: index
            for place, index in self.variants.items()
            if place == path or len(place) <= depth or place[:depth] != around
        }
        return State(value, drafts=self.drafts_outside(path), variants=variants)


def moved(by_path: Mapping[Path, _T], path: Path, places: Mapping[str | int, str | int]) -> dict[Path, _T]:
    """Return what is known by path after parts of one place have moved; of parts that are gone nothing is known.

    `places` says for each part that is still there where it was and where it is.
    """
    depth = len(path)
    made: dict[Path, _T] = {}
    for place, known in by_path.items():
        if place[:depth] != path or len(place) == depth:
            made[place] = known
        elif place[depth] in places:
            made[(*path, places[place[depth]], *place[depth + 1 :])] = known
    return made


def written(state: State, left_out: Collection[str], *, as_typed: bool) -> str:
    """Write down a state, for `state_kept` at another start.

    Args:
        left_out: Arguments that are not to be kept.
        as_typed: Whether what is no value yet, and text that is no JSON, is kept as well.
    """
    kept: dict[str, Any] = {"arguments": {name: state.value[name] for name in state.value if name not in left_out}}
    if as_typed:
        kept["text"] = None if state.problem is None else state.text
        kept["typed"] = [[list(path), *draft] for path, draft in state.drafts.items()]
    return write_json(kept)


def state_kept(kept: str) -> State | None:
    """Read what `written` wrote; None when it is something else."""
    content, _ = parse_object(kept)
    if content is None:
        return None
    value, text, typed = content.get("arguments"), content.get("text"), content.get("typed", [])
    if not isinstance(value, dict) or not isinstance(typed, list):
        return None
    drafts: dict[Path, PendingInput] = {}
    for entry in typed:
        match entry:
            case [list(path), str(words), str(message)] if all(isinstance(part, str | int) for part in path):
                drafts[tuple(path)] = PendingInput(words, message)
            case _:
                return None
    problem = parse_object(text)[1] if isinstance(text, str) else None
    return State(value, text if problem else None, problem, drafts)


_MOST_STEPS: Final = 200
_PAUSE_S: Final = 1.0
"""Letters after a pause this long are a change of their own."""


class Steps:
    """Remember the states before and after the present one."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._past: list[State] = []
        self._future: list[State] = []
        self._last_edit: object = None
        self._edited_at = 0.0

    def clear(self) -> None:
        self._past.clear()
        self._future.clear()
        self._last_edit = None

    def add(self, before: State, edit: object) -> None:
        """Remember a state that is about to be left.

        Args:
            edit: What changes it. The same edit again, without a pause, belongs to the same step, as letters typed one
                after the other into a field do; None is always a step of its own.
        """
        now = self._clock()
        if edit is None or edit != self._last_edit or now - self._edited_at > _PAUSE_S:
            self._past.append(before)
            del self._past[:-_MOST_STEPS]
        self._edited_at = now
        self._future.clear()
        self._last_edit = edit

    def back(self, present: State) -> State | None:
        return self._step(present, self._past, self._future)

    def forth(self, present: State) -> State | None:
        return self._step(present, self._future, self._past)

    def _step(self, present: State, source: list[State], target: list[State]) -> State | None:
        if not source:
            return None
        target.append(present)
        self._last_edit = None
        return source.pop()
