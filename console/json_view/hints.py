"""What a JSON Schema says of the values of a result: their titles, and where they are not what it promises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from console.json_view.finding import Keys

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
        words = "1 value inside does not fit" if inside == 1 else f"{inside:,} values inside do not fit"
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
