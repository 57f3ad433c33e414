"""Which parts of a value have been looked at by a schema, for the rules about all the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

_Schema = Mapping[str, Any]


class Evaluation(NamedTuple):
    """Tell what of a value other rules have looked at.

    Attributes:
        target_of: Gives what a reference leads to; takes the library's validator and the reference.
        is_found: Tells whether a pattern is found in a text; takes both, and the schema that has the pattern.
    """

    target_of: Callable[[Any, str], Any]
    is_found: Callable[[str, str, Any], bool]

    def names(self, validator: Any, value: Mapping[str, Any], schema: _Schema) -> set[str]:
        """Return the names of an object that other rules have looked at.

        Args:
            validator: Of the library, for the whole schema.
            value: The object.
            schema: The schema whose `unevaluatedProperties` asks.
        """
        found: set[str] = set()
        for part, is_own in self._applied(validator, value, schema):
            if "additionalProperties" in part or (not is_own and "unevaluatedProperties" in part):
                return set(value)
            found.update(name for name in part.get("properties", ()) if name in value)
            for pattern in part.get("patternProperties", ()):
                found.update(name for name in value if self.is_found(pattern, name, part))
        return found

    def places(self, validator: Any, value: list[Any], schema: _Schema) -> set[int]:
        """Return the places of a list that other rules have looked at.

        Args:
            validator: Of the library, for the whole schema.
            value: The list.
            schema: The schema whose `unevaluatedItems` asks.
        """
        found: set[int] = set()
        for part, is_own in self._applied(validator, value, schema):
            items = part.get("items")
            if "additionalItems" in part or (not is_own and "unevaluatedItems" in part):
                return set(range(len(value)))
            if isinstance(items, list):
                # Draft 2019-09 wrote `prefixItems` so.
                found.update(range(len(items)))
            elif items is not None:
                return set(range(len(value)))
            found.update(range(len(part.get("prefixItems", ()))))
            if "contains" in part:
                inner = validator.evolve(schema=part["contains"])
                found.update(place for place, item in enumerate(value) if inner.is_valid(item))
        return found

    def _applied(self, validator: Any, value: Any, schema: Any) -> Iterator[tuple[_Schema, bool]]:
        """Go through the schemas that look at the same value and that it fits, and say which is the one that asks."""
        seen: set[int] = set()
        waiting: list[Any] = [schema]
        while waiting:
            part = waiting.pop()
            # References may lead in circles, and many may lead to the same place.
            if isinstance(part, Mapping) and id(part) not in seen:
                seen.add(id(part))
                yield part, part is schema
                waiting.extend(self._beside(validator, value, part))

    def _beside(self, validator: Any, value: Any, schema: _Schema) -> Iterator[Any]:
        def fits(part: Any) -> bool:
            return bool(validator.evolve(schema=part).is_valid(value))

        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            if keyword in schema:
                yield self.target_of(validator, schema[keyword])
        for keyword in ("allOf", "anyOf", "oneOf"):
            yield from filter(fits, schema.get(keyword, ()))
        if "if" in schema:
            if fits(schema["if"]):
                yield from (schema["if"], schema.get("then", True))
            else:
                yield schema.get("else", True)
        if isinstance(value, Mapping):
            yield from (part for name, part in schema.get("dependentSchemas", {}).items() if name in value)
