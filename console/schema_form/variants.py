"""The branches of a union as something to choose from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final, NamedTuple

from console.language import tr
from console.schema_form.flat_schema import FlatSchema, FlatSchemas, Schema, is_impossible, merged, types_of
from console.schema_form.messages import TYPE_WORDS, given
from console.schema_form.paths import ABSENT, equal, type_of

_MOST_VARIANTS: Final = 64
_MOST_TOLD: Final = 2_000
_MOST_STEPS: Final = 1_500
"""How many branches may be tried for one value."""
_MOST_STEPS_IN_ALL: Final = 10_000
_TOO_MANY_NOTE: Final = tr("edited as JSON: its schema allows more than {most} kinds of value", most=_MOST_VARIANTS)
_NOTHING_NOTE: Final = tr("edited as JSON: its schema seems to allow no value")
# Branches that say only this offer nothing to choose: they are rules, and the check has words for them.
_RULES: Final = frozenset(
    {
        *("$comment", "contains", "dependentRequired", "description", "exclusiveMaximum", "exclusiveMinimum"),
        *("maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum"),
        *("multipleOf", "not", "pattern", "required", "title", "uniqueItems"),
    }
)
_ALIKE: Final = ({"string"}, {"integer"}, {"number"}, {"integer", "number"})
_LISTED: Final = ("const", "enum")


class Variant(NamedTuple):
    """One kind of value to choose.

    Attributes:
        label: What people read: the title, the tag, or the type in words.
        schema: What holds then, in one level, with what holds for all kinds.
        discriminator: The name whose value tells the kinds apart; None when no name does.
        tags: The values of that name that mean this kind; the first is the one to write.
        description: What it means; empty when the schema does not say.
        tests: The parts of the schema that a value of this kind fits.
    """

    label: str
    schema: Schema
    discriminator: str | None = None
    tags: tuple[Any, ...] = ()
    description: str = ""
    tests: tuple[Any, ...] = ()


@dataclass(frozen=True, eq=False)
class UnionChoices:
    """A plan with its unions multiplied out.

    Attributes:
        plan: What holds in any case.
        variants: The kinds to choose from; none when there is only one, which is then in `plan`.
        nullable: Whether null is allowed.
    """

    plan: FlatSchema
    variants: tuple[Variant, ...] = ()
    branches: tuple[FlatSchema, ...] = ()
    nullable: bool = False


class _Way(NamedTuple):
    """One way to fit a plan: a type or null, and the branches taken."""

    plan: FlatSchema
    picks: tuple[Any, ...]
    is_null: bool = False


class _TooManyError(Exception):
    """A schema allows more kinds of value than can be looked at."""


class UnionChoiceCache:
    """Tell what there is to choose in parts of one schema, each worked out once."""

    def __init__(self, plans: FlatSchemas, fits: Callable[[Any, Any], bool]) -> None:
        self._plans = plans
        self._fits = fits
        self._known: dict[int, tuple[FlatSchema, UnionChoices]] = {}
        self._told: dict[tuple[int, int], tuple[Sequence[Variant], Any, int]] = {}
        self._steps = _MOST_STEPS
        self._steps_in_all = _MOST_STEPS_IN_ALL

    def of(self, plan: FlatSchema) -> UnionChoices:
        if id(plan) not in self._known:
            self._known[id(plan)] = (plan, self._multiplied(plan))
        return self._known[id(plan)][1]

    def best(self, variants: Sequence[Variant], value: Any, picked: int | None = None) -> int:
        """Return which kind a value is: as picked, by its tag, by what it fits, by its type and names.

        Args:
            value: The value; `ABSENT` for none. It must not change in place: it is known by its identity.
            picked: What people picked; it holds as long as the type of the value allows it. None for nothing.
        """
        # What is not there yet can be of any kind that was picked.
        is_open = value is ABSENT or value is None
        if picked is not None and picked < len(variants) and (is_open or _has_type(variants[picked].schema, value)):
            return picked
        if value is ABSENT:
            return 0
        key = (id(variants), id(value))
        if key not in self._told:
            if len(self._told) > _MOST_TOLD:
                self._told.clear()
            self._told[key] = (variants, value, self._tell(variants, value))
        return self._told[key][2]

    def _tell(self, variants: Sequence[Variant], value: Any) -> int:
        name = variants[0].discriminator
        tag = value.get(name, ABSENT) if name is not None and isinstance(value, Mapping) else ABSENT
        for place, variant in enumerate(variants):
            if any(equal(tag, known) for known in variant.tags):
                return place
        for place, variant in enumerate(variants):
            if all(self._fits(value, test) for test in variant.tests):
                return place
        return max(range(len(variants)), key=lambda place: (_likeness(variants[place].schema, value), -place))

    def _multiplied(self, plan: FlatSchema) -> UnionChoices:
        kind = plan.schema.get("type")
        if not plan.unions and isinstance(kind, str) and kind != "null" and "enum" not in plan.schema:
            return UnionChoices(plan)
        plain = replace(plan, unions=())
        self._steps = _MOST_STEPS
        try:
            ways = self._ways(plan, frozenset())
        except _TooManyError:
            return UnionChoices(replace(plain, note=_TOO_MANY_NOTE), nullable=True)
        if not ways:
            return UnionChoices(replace(plain, note=_NOTHING_NOTE))
        solid = [way for way in ways if not way.is_null]
        nullable = len(solid) < len(ways)
        if not solid:
            return UnionChoices(replace(plain, schema=merged(plan.schema, {"const": None})))
        if len(solid) == 1:
            return UnionChoices(solid[0].plan, nullable=nullable)
        common = self._common([way.plan for way in solid])
        if common is not None:
            return UnionChoices(replace(plain, schema=merged(_untyped(plan.schema), common)), nullable=nullable)
        if len(solid) > _MOST_VARIANTS:
            return UnionChoices(replace(plain, note=_TOO_MANY_NOTE), nullable=nullable)
        return UnionChoices(plain, self._variants(solid), tuple(way.plan for way in solid), nullable)

    def _ways(self, plan: FlatSchema, trail: frozenset[int]) -> list[_Way]:
        """Return each way to fit a plan.

        Raises:
            _TooManyError: Nobody could choose among so many.
        """
        groups = [group for group in plan.unions if not all(map(self._is_rule, group))]
        base = replace(plan, unions=())
        if not groups:
            return _by_type(base)
        found: list[_Way] = []
        for picks in product(*groups):
            if not trail.isdisjoint(map(id, picks)):
                continue
            self._steps -= len(picks)
            self._steps_in_all -= len(picks)
            if min(self._steps, self._steps_in_all) < 0:
                raise _TooManyError
            taken = base
            for pick in picks:
                taken = taken.with_(self._plans.of(pick))
            if not is_impossible(taken.schema):
                inner = self._ways(taken, trail.union(map(id, picks)))
                found += [_Way(way.plan, (*picks, *way.picks), way.is_null) for way in inner]
        return found

    def _is_rule(self, branch: Any) -> bool:
        """Tell whether a branch only limits what there is, so that there is nothing to choose."""
        plan = self._plans.of(branch)
        return plan.schema.keys() <= _RULES and not is_impossible(plan.schema) and not plan.unions

    def _common(self, plans: Sequence[FlatSchema]) -> Schema | None:
        """Return one schema for kinds that are edited alike: listed values, texts, numbers; None for others."""
        schemas = [plan.schema for plan in plans]
        if any(plan.conditions for plan in plans):
            return None
        if all(any(key in schema for key in _LISTED) for schema in schemas):
            return {"oneOf": [listed for schema in schemas for listed in _each_listed(schema)]}
        if any(key in schema for schema in schemas for key in _LISTED):
            return None
        types = {kind for schema in schemas for kind in types_of(schema) or ("",)}
        if types not in _ALIKE:
            return None
        first, *others = schemas
        shared = {
            key: value
            for key, value in first.items()
            if all(key in other and equal(value, other[key]) for other in others)
        }
        return {**shared, "type": "number" if "number" in types else types.pop()}

    def _variants(self, ways: Sequence[_Way]) -> tuple[Variant, ...]:
        tags = [self._tags(way.plan.schema) for way in ways]
        name = _distinguishing(tags)
        own = [tag.get(name, ()) if name is not None else () for tag in tags]
        labels = _numbered([self._label(way, tag) for way, tag in zip(ways, own, strict=True)])
        return tuple(
            Variant(label, way.plan.schema, name, tag, self._said(way, "description"), way.picks)
            for way, tag, label in zip(ways, own, labels, strict=True)
        )

    def _tags(self, schema: Schema) -> dict[str, tuple[Any, ...]]:
        """Return the names that can only have listed values, with those."""
        found = {}
        for name, part in schema.get("properties", {}).items():
            inner = self._plans.of(part).schema
            values = (inner["const"],) if "const" in inner else tuple(inner.get("enum", ()))
            if values and all(isinstance(value, str | int | None) for value in values):
                found[name] = values
        return found

    def _label(self, way: _Way, tags: tuple[Any, ...]) -> str:
        title = self._said(way, "title")
        if title:
            return title
        if tags:
            return tr(" or ").join(tag if isinstance(tag, str) else given(tag) for tag in tags[:3])
        for pick in way.picks:
            if isinstance(pick, Mapping) and isinstance(pick.get("$ref"), str):
                return str(pick["$ref"].rsplit("/", 1)[-1])
        if any(key in way.plan.schema for key in _LISTED):
            return tr("a listed value")
        kinds = types_of(way.plan.schema)
        needed = way.plan.schema.get("required", ())
        if kinds == ("object",) and needed:
            return tr("an object with {names}", names=", ".join(needed[:3]))
        return tr(" or ").join(TYPE_WORDS.get(kind, kind) for kind in kinds) or tr("anything")

    def _said(self, way: _Way, key: str) -> str:
        said = (self._plans.of(pick).schema.get(key) for pick in way.picks)
        return next((text for text in said if isinstance(text, str) and text), "")


def _by_type(plan: FlatSchema) -> list[_Way]:
    """Return a way for each type that a plan names, and one for null."""
    schema = plan.schema
    types, listed = types_of(schema), schema.get("enum", ())
    holds_null = ("null" in types and schema.get("const") is None) or (None in listed and not types)
    nulls = [_Way(plan, (), is_null=True)] if holds_null else []
    if None in schema.get("enum", ()):
        schema = {**schema, "enum": [value for value in schema["enum"] if value is not None]}
        if not schema["enum"]:
            return nulls
    kinds = [kind for kind in types if kind != "null" and not (kind == "integer" and "number" in types)]
    if nulls and types and not kinds:
        return nulls
    if len(kinds) > 1 and any(key in schema for key in _LISTED):
        return [_Way(replace(plan, schema={key: value for key, value in schema.items() if key != "type"}), ()), *nulls]
    if len(kinds) > 1:
        parts = [{"type": kind} for kind in kinds]
        return [*(_Way(replace(plan, schema={**schema, **part}), (part,)) for part in parts), *nulls]
    if kinds and types != (kinds[0],):
        schema = {**schema, "type": kinds[0]}
    return [_Way(plan if schema is plan.schema else replace(plan, schema=schema), ()), *nulls]


def _each_listed(schema: Schema) -> Iterable[Schema]:
    if "const" in schema:
        return (schema,)
    return ({"const": value} for value in schema["enum"])


def _untyped(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key not in {"type", "enum"}}


def _distinguishing(tags: Sequence[Mapping[str, tuple[Any, ...]]]) -> str | None:
    """Return the name whose values tell all kinds apart."""
    for name in tags[0]:
        values = [value for tag in tags for value in tag.get(name, ())]
        is_everywhere = all(name in tag for tag in tags)
        if is_everywhere and len({(type(value), value) for value in values}) == len(values):
            return name
    return None


def _numbered(labels: Sequence[str]) -> list[str]:
    """Tell equal labels apart by a number."""
    count = Counter(labels)
    seen: Counter[str] = Counter()
    made = []
    for label in labels:
        seen[label] += 1
        made.append(f"{label} {seen[label]}" if count[label] > 1 else label)
    return made


def _likeness(schema: Schema, value: Any) -> tuple[bool, int, int]:
    """Say how much a value is like those of a schema: its type, the names they share, the names it lacks."""
    fits_type = _has_type(schema, value)
    if not isinstance(value, Mapping):
        return fits_type, 0, 0
    known = schema.get("properties", {})
    missing = sum(name not in value for name in schema.get("required", ()))
    return fits_type, sum(name in known for name in value), -missing


def _has_type(schema: Schema, value: Any) -> bool:
    types, kind = types_of(schema), type_of(value)
    return not types or kind in types or (kind == "integer" and "number" in types)
