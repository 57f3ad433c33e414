"""Take a schema apart: what always holds, what holds for some values only, and what there is to choose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from console.schema_form.merging import IMPOSSIBLE, merged, types_of
from console.schema_form.normalising import CUT_NOTE, Schema, target_of
from console.schema_form.paths import ABSENT

_MOST_CONDITIONS: Final = 200
_MOST_REFERENCES: Final = 64
_MOST_DECIDED: Final = 2_000
_NEW_OBJECT: Final[dict[str, Any]] = {}
_STRUCTURE: Final = frozenset(
    {
        *("$defs", "$ref", "allOf", "anyOf", "definitions", "dependentRequired", "dependentSchemas", "else", "if"),
        *("oneOf", "then", CUT_NOTE),
    }
)
_CIRCLE_NOTE: Final = "edited as JSON: its schema refers to itself without end"
_NOWHERE_NOTE: Final = "edited as JSON: its schema refers to something outside it, and nothing is fetched"


@dataclass(frozen=True, eq=False)
class Condition:
    """Something that holds only for some values.

    Attributes:
        test: The schema the value must fit; not looked at when there is a name.
        then: What holds if it does.
        otherwise: What holds if not.
        name: The name that must be given; None when `test` decides.
    """

    test: Any
    then: Any
    otherwise: Any = True
    name: str | None = None


@dataclass(frozen=True, eq=False)
class FlatSchema:
    """A schema taken apart.

    Attributes:
        schema: What always holds, in one level; the parts inside may hold references.
        conditions: What holds for some values.
        unions: The branches of each `oneOf` and `anyOf`.
        note: Why no field can show it; "" when one can.
    """

    schema: Schema
    conditions: tuple[Condition, ...] = ()
    unions: tuple[tuple[Any, ...], ...] = ()
    note: str = ""

    def with_(self, other: FlatSchema) -> FlatSchema:
        """Return what holds when both do; descriptions are taken from this one first."""
        return FlatSchema(
            merged(self.schema, other.schema),
            (*self.conditions, *other.conditions),
            (*self.unions, *other.unions),
            self.note or other.note,
        )


class FlatSchemas:
    """Take parts of one schema apart, each only once, so that the same part gives the same object.

    Args:
        root: The normalised schema.
        fits: Tells whether a value fits a part of it.
    """

    def __init__(self, root: Schema, fits: Callable[[Any, Any], bool]) -> None:
        self._root = root
        self._fits = fits
        # What is known by its id is held here as well: the id of a thing that is gone may be given to another.
        self._plans: dict[int, tuple[Any, FlatSchema]] = {}
        self._joined: dict[tuple[int, int], tuple[FlatSchema, FlatSchema, FlatSchema]] = {}
        self._settled: dict[int, tuple[FlatSchema, FlatSchema]] = {}
        self._decided: dict[tuple[int, int], tuple[FlatSchema, Any, FlatSchema]] = {}

    def of(self, node: Any) -> FlatSchema:
        """Return the plan of a part of the schema.

        Args:
            node: As it is written in the normalised schema.
        """
        known = self._plans.get(id(node))
        if known is None:
            known = self._plans[id(node)] = (node, self._taken_apart(node, frozenset(), set()))
        return known[1]

    def decided(self, plan: FlatSchema, value: Any) -> FlatSchema:
        """Return a plan with what its conditions ask of a value, and no conditions left.

        Args:
            plan: The plan.
            value: What it is about; `ABSENT` for nothing. It must not change in place: it is known by its identity.
        """
        if not plan.conditions:
            return plan
        if value is ABSENT and ("properties" in plan.schema or types_of(plan.schema) == ("object",)):
            # What is not there yet is judged as it will be when it is put there.
            value = _NEW_OBJECT
        key = (id(plan), id(value))
        if key not in self._decided:
            if len(self._decided) > _MOST_DECIDED:
                self._decided.clear()
            self._decided[key] = (plan, value, self._decide(plan, value))
        return self._decided[key][2]

    def _decide(self, plan: FlatSchema, value: Any) -> FlatSchema:
        seen = 0
        while seen < min(len(plan.conditions), _MOST_CONDITIONS):
            condition = plan.conditions[seen]
            seen += 1
            added = condition.then if self._holds(condition, value) else condition.otherwise
            if added is not True:
                plan = self._together(plan, self.of(added))
        if id(plan) not in self._settled:
            self._settled[id(plan)] = (plan, replace(plan, conditions=()))
        return self._settled[id(plan)][1]

    def _holds(self, condition: Condition, value: Any) -> bool:
        if condition.name is not None:
            return isinstance(value, Mapping) and condition.name in value
        return value is not ABSENT and self._fits(value, condition.test)

    def _together(self, first: FlatSchema, second: FlatSchema) -> FlatSchema:
        key = (id(first), id(second))
        if key not in self._joined:
            self._joined[key] = (first, second, first.with_(second))
        return self._joined[key][2]

    def _taken_apart(self, node: Any, trail: frozenset[int], seen: set[int]) -> FlatSchema:
        if node is False:
            return FlatSchema(IMPOSSIBLE)
        if not isinstance(node, Mapping):
            return FlatSchema({})
        if id(node) in trail or len(trail) > _MOST_REFERENCES:
            return FlatSchema({}, note=_CIRCLE_NOTE)
        if id(node) in seen:
            # It holds already; two references to each of many parts would double the work with each of them.
            return FlatSchema({})
        seen.add(id(node))
        if not trail and _STRUCTURE.isdisjoint(node):
            return FlatSchema(node)
        trail |= {id(node)}
        own = {key: value for key, value in node.items() if key not in _STRUCTURE}
        cut = node.get(CUT_NOTE)
        unions = tuple(tuple(node[key]) for key in ("oneOf", "anyOf") if isinstance(node.get(key), list) and node[key])
        plan = FlatSchema(own, _conditions(node), unions, f"edited as JSON: {cut}" if cut else "")
        reference = node.get("$ref")
        if isinstance(reference, str):
            target = target_of(reference, self._root)
            plan = (
                replace(plan, note=_NOWHERE_NOTE)
                if target is None
                else plan.with_(self._taken_apart(target, trail, seen))
            )
        for part in node.get("allOf", ()):
            plan = plan.with_(self._taken_apart(part, trail, seen))
        return plan


def _conditions(node: Schema) -> tuple[Condition, ...]:
    found = []
    if "if" in node and ("then" in node or "else" in node):
        found.append(Condition(node["if"], node.get("then", True), node.get("else", True)))
    found += [Condition(True, then, name=name) for name, then in node.get("dependentSchemas", {}).items()]
    for name, needed in node.get("dependentRequired", {}).items():
        found.append(Condition(True, {"required": needed}, name=name))
    return tuple(found)
