"""Search in values and in texts, in slices that leave the window time."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal

from console.json_view.pretty import is_container, scalar_text
from console.language import tr_count

Keys = tuple[str | int, ...]

_VALUES_AT_ONCE: Final = 500


def walk(value: Any, *, backwards: bool = False, after: Keys | None = None) -> Iterator[tuple[Keys, Any]]:
    """Yield every value with its place, in the order of the tree.

    Args:
        backwards: Whether from the end to the beginning.
        after: Begin behind this place (before it if backwards); None begins at the end that comes first.
    """
    if after is None:
        yield from _below((), value, backwards=backwards)
    elif backwards:
        yield from _before(value, after)
    else:
        yield from _behind(value, after)


def places(walked: Iterable[tuple[Keys, Any]], needle: str, *, names_only: bool = False) -> Iterator[Keys | None]:
    """Yield the places whose name or value holds a text, and None now and then while none does.

    Args:
        walked: The values with their places, as `walk` yields them; of an object or list only the name counts.
        needle: What to look for; upper and lower case are the same.
        names_only: Whether values do not count.
    """
    needle = needle.casefold()
    for count, (keys, value) in enumerate(walked):
        if matches(needle, keys[-1] if keys else None, value, names_only=names_only):
            yield keys
        elif count % _VALUES_AT_ONCE == 0:
            yield None


def matches(needle: str, key: str | int | None, value: Any, *, names_only: bool = False) -> bool:
    """Tell whether a name or a value holds a text; upper and lower case are the same.

    Args:
        needle: In lower case (`casefold`).
        key: The value's own name or position.
        value: The value; of an object or list only the name counts.
        names_only: Whether values do not count.
    """
    if isinstance(key, str) and needle in key.casefold():
        return True
    if names_only or is_container(value):
        return False
    text = value if isinstance(value, str) else scalar_text(value)
    return needle in text.casefold()


def _items(value: Any, *, backwards: bool) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, Mapping):
        # Only what JSON gives is shown, and its objects know their order both ways.
        names: Any = reversed(value) if backwards else value
        return ((name, value[name]) for name in names)
    numbered = range(len(value) - 1, -1, -1) if backwards else range(len(value))
    return ((index, value[index]) for index in numbered)


def _rest(value: Any, key: str | int, *, backwards: bool) -> Iterator[tuple[str | int, Any]]:
    """Return what stands behind (or before) one item of an object or list."""
    if not isinstance(value, Mapping) and isinstance(key, int):
        numbered = range(key - 1, -1, -1) if backwards else range(key + 1, len(value))
        return ((index, value[index]) for index in numbered)
    items = _items(value, backwards=backwards)
    for name, _ in items:
        if name == key:
            break
    return items


def _below(place: Keys, value: Any, *, backwards: bool) -> Iterator[tuple[Keys, Any]]:
    """Yield a value and all inside it; an own stack, so that deep values are no trouble."""
    if not backwards:
        yield place, value
    stack = [(place, value, _items(value, backwards=backwards) if is_container(value) else iter(()))]
    while stack:
        place, value, items = stack[-1]
        for key, inner in items:
            inner_place = (*place, key)
            if not backwards:
                yield inner_place, inner
            if is_container(inner):
                stack.append((inner_place, inner, _items(inner, backwards=backwards)))
                break
            if backwards:
                yield inner_place, inner
        else:
            stack.pop()
            if backwards:
                yield place, value


def _chain(value: Any, place: Keys) -> list[Any]:
    chain = [value]
    for key in place:
        value = value[key]
        chain.append(value)
    return chain


def _behind(whole: Any, place: Keys) -> Iterator[tuple[Keys, Any]]:
    chain = _chain(whole, place)
    if is_container(chain[-1]):
        inside = _below(place, chain[-1], backwards=False)
        next(inside)
        yield from inside
    for depth in range(len(place) - 1, -1, -1):
        for key, inner in _rest(chain[depth], place[depth], backwards=False):
            yield from _below((*place[:depth], key), inner, backwards=False)


def _before(whole: Any, place: Keys) -> Iterator[tuple[Keys, Any]]:
    chain = _chain(whole, place)
    for depth in range(len(place) - 1, -1, -1):
        for key, inner in _rest(chain[depth], place[depth], backwards=True):
            yield from _below((*place[:depth], key), inner, backwards=True)
        yield place[:depth], chain[depth]


_FIRST_S: Final = 0.04
_SLICE_S: Final = 0.012


class LastingSearch(QObject):
    """Look for the first of some places.

    Args:
        show: Shows a place that was found; tells whether it could.

    Signals:
        finished(bool): A search that `start` had to leave unfinished ended: whether a place was found.
    """

    finished = Signal(bool)

    def __init__(self, show: Callable[[Any], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._show = show
        self._places: Iterator[Any] = iter(())
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_timer_timeout)

    def start(self, places: Iterator[Any]) -> bool:
        """Show the first place there is; another search that goes on is forgotten.

        Args:
            places: Those there are, and None now and then while none is found.

        Returns:
            False if there is none; True if one was shown, or if the search still goes on.
        """
        self._places = places
        found = self._look(_FIRST_S)
        if found is None:
            self._timer.start()
        else:
            self.stop()
        return found is not False

    def stop(self) -> None:
        self._timer.stop()
        self._places = iter(())

    def _look(self, for_s: float) -> bool | None:
        """Search for a moment: whether a place was found, None if there is more to search."""
        end = time.perf_counter() + for_s
        for place in self._places:
            if place is not None:
                return self._show(place)
            if time.perf_counter() > end:
                return None
        return False

    def _on_timer_timeout(self) -> None:
        found = self._look(_SLICE_S)
        if found is not None:
            self.stop()
            self.finished.emit(found)


_LETTERS_AT_ONCE: Final = 1_000_000


def text_places(text: str, needle: str, start: int, *, backwards: bool) -> Iterator[int | None]:
    """Yield where a text stands, or None after each piece in which it does not; once around the whole text.

    Args:
        needle: What to look for; upper and lower case are the same.
        start: Offset to begin at: the first place at or behind it, or the last one before it.
        backwards: Whether to go to the beginning.
    """
    pattern = re.compile(re.escape(needle), re.IGNORECASE)
    extra = len(needle) - 1
    look = _down if backwards else _up
    for low, high in (
        ((0, start + extra), (start, len(text))) if backwards else ((start, len(text)), (0, start + extra))
    ):
        yield from look(pattern, text, low, min(high, len(text)), extra)


def _up(pattern: re.Pattern[str], text: str, low: int, high: int, extra: int) -> Iterator[int | None]:
    position = low
    while position < high:
        end = min(high, position + _LETTERS_AT_ONCE + extra)
        found = pattern.search(text, position, end)
        if found is not None:
            yield found.start()
            position = found.end()
        else:
            yield None
            position = end - extra if end < high else high


def _down(pattern: re.Pattern[str], text: str, low: int, high: int, extra: int) -> Iterator[int | None]:
    position = high
    while position > low:
        begin = max(low, position - _LETTERS_AT_ONCE - extra)
        starts = [found.start() for found in pattern.finditer(text, begin, position)]
        yield from reversed(starts)
        if not starts:
            yield None
        position = begin + extra if begin > low else low


_MEMBERS: Final = ("allOf", "anyOf", "oneOf")
_MOST_STEPS: Final = 64


class SchemaHints:
    """Answer what a schema says of the value at a place; nothing is worked out before it is asked.

    Args:
        schema: The schema of the whole; references are followed inside it only.
        problem_by_keys: What is wrong with a value, by its place.
    """

    def __init__(self, schema: Mapping[str, Any], problem_by_keys: Mapping[Keys, str] | None = None) -> None:
        self.schema = schema
        self.problem_by_keys = dict(problem_by_keys or {})
        # A closed object must tell that something inside it is wrong, so all that a wrong value lies in counts.
        self._count_by_ancestor: dict[Keys, int] = {}
        for keys in self.problem_by_keys:
            for depth in range(len(keys)):
                self._count_by_ancestor[keys[:depth]] = self._count_by_ancestor.get(keys[:depth], 0) + 1

    def problem_at(self, keys: Sequence[str | int], *, is_open: bool) -> str:
        """Say what is wrong at a place; of a closed value also how much is wrong inside.

        Args:
            keys: Names and positions from the whole to the value.
            is_open: Whether what is inside is shown below.
        """
        place = tuple(keys)
        own = self.problem_by_keys.get(place, "")
        inside = 0 if is_open else self._count_by_ancestor.get(place, 0)
        if not inside:
            return own
        words = tr_count(inside, "1 value inside does not fit", "{count:,} values inside do not fit")
        return f"{own} · {words}" if own else words

    def words_at(self, keys: Sequence[str | int]) -> str:
        """Return title and description of a value, a line each; "" when the schema says nothing."""
        nodes = [self.schema]
        for key in keys:
            nodes = [inner for node in nodes for inner in self._inside(node, key)]
        said: list[str] = []
        for node in nodes:
            for found in self._with_members(node):
                said += [text for name in ("title", "description") if isinstance(text := found.get(name), str) and text]
        return "\n".join(dict.fromkeys(said))

    def _inside(self, node: Any, key: str | int) -> list[Mapping[str, Any]]:
        found: list[Any] = []
        for member in self._with_members(node):
            if isinstance(key, int):
                prefix = member.get("prefixItems", ())
                is_in_prefix = isinstance(prefix, Sequence) and key < len(prefix)
                found.append(prefix[key] if is_in_prefix else member.get("items"))
            else:
                properties = member.get("properties", {})
                known = properties.get(key) if isinstance(properties, Mapping) else None
                found.append(known if known is not None else member.get("additionalProperties"))
        return [one for one in found if isinstance(one, Mapping)]

    def _with_members(self, node: Any) -> list[Mapping[str, Any]]:
        """Return a schema with those it is put together from, references followed; bounded, for they may go round."""
        waiting: list[Any] = [node]
        found: list[Mapping[str, Any]] = []
        while waiting and len(found) < _MOST_STEPS:
            member = waiting.pop(0)
            if not isinstance(member, Mapping) or any(member is known for known in found):
                continue
            found.append(member)
            waiting.append(self._referred(member.get("$ref")))
            for name in _MEMBERS:
                parts = member.get(name, ())
                waiting += parts if isinstance(parts, list) else ()
        return found

    def _referred(self, reference: Any) -> Any:
        if not isinstance(reference, str) or not reference.startswith("#"):
            return None
        target: Any = self.schema
        for part in reference[1:].split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            target = target.get(name) if isinstance(target, Mapping) else None
        return target
