"""What a schema asks of each place of a document with these values: references, conditions, branches decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from time import monotonic
from typing import Any, NamedTuple

from console.schema_form.checking import SchemaCheck, pattern_found
from console.schema_form.flat_schema import FlatSchemas, Schema, normalised
from console.schema_form.paths import ABSENT, Path, value_at
from console.schema_form.variants import UnionChoiceCache, UnionChoices, Variant


class EffectiveSchema(NamedTuple):
    """What is asked of one place of a document.

    Attributes:
        schema: Everything that holds there now, in one level; the parts inside may hold references. While there are
            variants, the one the value is belongs to it.
        common: What holds there whichever variant it is; the same as `schema` without variants.
        nullable: Whether null is allowed.
        variants: The kinds of value to choose from; empty when there is one.
        variant: Which of them the value is; None without variants.
        note: Why no field can show it; "" when one can.
    """

    schema: Schema
    common: Schema
    nullable: bool = False
    variants: tuple[Variant, ...] = ()
    variant: int | None = None
    note: str = ""


class EffectiveSchemas:
    """The effective schema of each place of a document.

    Asking twice with the same choices gives the same objects, so a form can tell by identity what has changed.

    Attributes:
        root: The schema in the words of 2020-12.
        check: Checks values against it.
    """

    def __init__(self, schema: Any, clock: Callable[[], float] = monotonic) -> None:
        self.root = normalised(schema)
        self.check = SchemaCheck(self.root, clock)
        self._plans = FlatSchemas(self.root, self.check.fits)
        self._offers = UnionChoiceCache(self._plans, self.check.fits)
        self._fixed: dict[int, tuple[Any, EffectiveSchema]] = {}
        self._parts: dict[tuple[int, str | int], tuple[Schema, Any]] = {}

    def at(self, path: Path, value: Any, chosen: Mapping[Path, int] | None = None) -> EffectiveSchema:
        """Return what is asked of a place.

        Args:
            value: The whole document as it is now.
            chosen: The variants people picked, by path; the others are told from the value.
        """
        return self.shape(self.node_at(path, value, chosen), path, value_at(value, path), chosen)

    def node_at(self, path: Path, value: Any, chosen: Mapping[Path, int] | None = None) -> Any:
        """Return the part of the schema that a place answers to, as it is written; see `at`."""
        node: Any = self.root
        for depth, part in enumerate(path):
            around = path[:depth]
            node = self.part(self.shape(node, around, value_at(value, around), chosen).schema, part)
        return node

    def shape(
        self, node: Any, path: Path = (), value: Any = ABSENT, chosen: Mapping[Path, int] | None = None
    ) -> EffectiveSchema:
        """Return what a part of the schema asks of a value, `ABSENT` for none, that stands at a path; see `at`."""
        fixed = self._fixed.get(id(node))
        if fixed is not None:
            return fixed[1]
        plan = self._plans.of(node)
        offer = self._offers.of(self._plans.decided(plan, value))
        common = offer.plan.schema
        if not offer.variants:
            shape = EffectiveSchema(common, common, offer.nullable, note=offer.plan.note)
            if not plan.conditions:
                self._fixed[id(node)] = (node, shape)
            return shape
        picked = self._offers.best(offer.variants, value, (chosen or {}).get(path))
        schema, note = self._branch(offer, picked, value)
        return EffectiveSchema(schema, common, offer.nullable, offer.variants, picked, note)

    def is_fixed(self, node: Any) -> bool:
        """Return whether a part of the schema asks the same of each value, once it was asked for its shape."""
        return id(node) in self._fixed

    def part(self, owner: Schema, part: str | int) -> Any:
        """Return the schema of a name or place inside a value."""
        key = (id(owner), part)
        if key not in self._parts:
            found = list(self._named(owner, part) if isinstance(part, str) else _placed(owner, part))
            node = found[0] if len(found) == 1 else {"allOf": found} if found else True
            self._parts[key] = (owner, node)
        return self._parts[key][1]

    def _branch(self, offer: UnionChoices, picked: int, value: Any) -> tuple[Schema, str]:
        """Return what a variant asks for; should its own conditions offer kinds again, the value decides."""
        plan = self._plans.decided(offer.branches[picked], value)
        inner = self._offers.of(plan)
        if not inner.variants:
            return inner.plan.schema, inner.plan.note
        plan = self._plans.decided(inner.branches[self._offers.best(inner.variants, value)], value)
        return plan.schema, plan.note

    def _named(self, owner: Schema, name: str) -> Iterable[Any]:
        found = [owner["properties"][name]] if name in owner.get("properties", {}) else []
        patterns = owner.get("patternProperties", {})
        found += [part for pattern, part in patterns.items() if pattern_found(pattern, name)]
        for rest in ("additionalProperties", "unevaluatedProperties"):
            if not found and rest in owner:
                found = [owner[rest]]
        return found


def _placed(owner: Schema, place: int) -> Iterable[Any]:
    fixed = owner.get("prefixItems", ())
    if place < len(fixed):
        return [fixed[place]]
    return [owner[rest] for rest in ("items", "unevaluatedItems") if rest in owner][:1]
