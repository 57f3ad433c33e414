"""Look for a text through a JSON value, without any row of a tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from console.json_view.summary import is_container, scalar_text

Keys = tuple[str | int, ...]

_VALUES_AT_ONCE: Final = 500


def walk(value: Any, *, backwards: bool = False, after: Keys | None = None) -> Iterator[tuple[Keys, Any]]:
    """Yield every value with its place, in the order of the tree.

    Args:
        value: The whole.
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
    """Return the values from the whole to a place."""
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
