"""Check a value against JSON Schema in slices, with rules that always end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from functools import wraps
from itertools import chain, islice
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import Unresolvable

from console.schema_form.flat_schema import Schema
from console.schema_form.formats import FORMAT_CHECKER, is_base64
from console.schema_form.paths import equal
from tools.schema.evaluation import Evaluation
from tools.schema.patterns import UnreadablePatternError, compiled_pattern

_TIMEOUT_S: Final = 0.01
_TIMEOUT_A_LETTER_S: Final = 1e-7


def pattern_found(pattern: str, text: str) -> bool:
    """Tell whether a pattern is found in a text; one that takes too long is not."""
    try:
        return compiled_pattern(pattern).search(text, timeout=_TIMEOUT_S + len(text) * _TIMEOUT_A_LETTER_S) is not None
    except TimeoutError:
        return False
    except UnreadablePatternError:
        # A pattern of another dialect: the tool itself decides.
        return True


_MOST_LEVELS: Final = 80


class StepBudgetError(Exception):
    """A check needs more steps than it was given; what it has found is remembered."""


class NoProgressError(Exception):
    """A check gets nowhere, however many steps it is given."""


@dataclass(eq=False)
class CheckProgress:
    """How far the check of one document has come: what each finished part lacks, and where long parts stand.

    What is known by its id is held as well: the id of a thing that is gone may be given to another.
    """

    steps: int = 0
    depth: int = 0
    unfollowed: str = ""
    active: set[tuple[str, int]] = field(default_factory=set)
    finished: dict[tuple[int, int], tuple[Any, Any, list[ValidationError]]] = field(default_factory=dict)
    referred: dict[tuple[str, int], tuple[Any, list[ValidationError]]] = field(default_factory=dict)
    unfinished: dict[tuple[int, int], tuple[Any, Any, int, list[ValidationError]]] = field(default_factory=dict)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Go one level down, where the interpreter's own limit is still far away."""
        if self.depth > _MOST_LEVELS:
            raise NoProgressError
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    @property
    def reached(self) -> int:
        """Return a number that grows while a check gets somewhere."""
        return len(self.finished) + len(self.referred) + sum(start + 1 for _, _, start, _ in self.unfinished.values())

    def spend(self, steps: int = 1) -> None:
        """Take steps, or stop the check."""
        self.steps -= steps
        if self.steps < 0:
            raise StepBudgetError


PROGRESS: ContextVar[CheckProgress] = ContextVar("PROGRESS")
"""Of the check that runs now; the library has no place for it."""


MOST_REMEMBERED: Final = 200_000
"""How many checked parts a check may know by heart."""

_MOST_ERRORS: Final = 200
_PARTS_A_STEP: Final = 16
_FEWEST_RESUMED: Final = 64
"""The fewest parts for which it pays to remember how far a check has come."""


def first_errors(errors: Iterable[ValidationError]) -> list[ValidationError]:
    """Return as many errors as anybody would read."""
    return list(islice(errors, _MOST_ERRORS))


def _inside(validator: Any, value: Any, part: Any, place: str | int) -> Iterator[ValidationError]:
    """Check a value inside another; of objects and lists what was found is remembered."""
    if part is False:
        # The library forgets where it was when a schema refuses everything.
        yield ValidationError("not accepted", path=[place], instance=value, schema=False)
        return
    if not isinstance(value, dict | list) or part is True:
        yield from validator.descend(value, part, path=place)
        return
    progress = PROGRESS.get()
    key = (id(part), id(value))
    known = progress.finished.get(key)
    if known is None:
        with progress.deeper():
            known = (part, value, first_errors(validator.descend(value, part)))
        if len(progress.finished) < MOST_REMEMBERED:
            progress.finished[key] = known
    for error in known[2]:
        copy = ValidationError.create_from(error)
        copy.relative_path.appendleft(place)
        yield copy


def _each(
    validator: Any, rule: Any, value: Any, places: Sequence[Any], part_of: Callable[[Any], Any]
) -> Iterator[ValidationError]:
    """Check many values inside another."""
    finished = PROGRESS.get().finished

    def check(place: Any) -> Iterable[ValidationError]:
        part, inner = part_of(place), value[place]
        known = finished.get((id(part), id(inner)))
        return _inside(validator, inner, part, place) if known is None or known[2] else ()

    if len(places) < _FEWEST_RESUMED:
        return chain.from_iterable(map(check, places))
    return map(ValidationError.create_from, _resumed(rule, value, places, check, _MOST_ERRORS))


def _resumed(
    rule: Any, value: Any, places: Sequence[Any], check: Callable[[Any], Iterable[Any]], most: int
) -> Iterator[Any]:
    """Go through many places; when the steps run out, the next time goes on at that place."""
    progress = PROGRESS.get()
    key = (id(rule), id(value))
    _, _, start, found = progress.unfinished.get(key, (rule, value, 0, []))
    for at in range(start, len(places)):
        try:
            if not at % _PARTS_A_STEP:
                progress.spend()
            if len(found) < most:
                found += tuple(check(places[at]))
        except StepBudgetError:
            progress.unfinished[key] = (rule, value, at, found)
            raise
    # Another rule of the same value may run out of steps, and this one need not be gone through again.
    progress.unfinished[key] = (rule, value, len(places), found)
    yield from found


def _properties(validator: Any, rule: Schema, value: Any, _: Schema) -> Iterator[ValidationError]:
    if isinstance(value, dict):
        names = [name for name in rule if name in value] if len(rule) <= len(value) else _in_order(value, rule)
        yield from _each(validator, rule, value, names, rule.__getitem__)


def _in_order(value: Mapping[str, Any], rule: Schema) -> list[str]:
    given = [name for name in value if name in rule]
    if len(given) < 2:
        return given
    places = {name: place for place, name in enumerate(rule)}
    return sorted(given, key=places.__getitem__)


def _pattern_properties(validator: Any, rule: Schema, value: Any, _: Schema) -> Iterator[ValidationError]:
    if not isinstance(value, dict):
        return
    for pattern, part in rule.items():
        PROGRESS.get().spend(1 + len(value) // _PARTS_A_STEP)
        names = [name for name in value if pattern_found(pattern, name)]
        yield from _others(validator, part, value, names)


def _additional_properties(validator: Any, rule: Any, value: Any, schema: Schema) -> Iterator[ValidationError]:
    if not isinstance(value, dict) or rule is True:
        return
    known = schema.get("properties", {})
    patterns = schema.get("patternProperties", ())
    PROGRESS.get().spend(1 + len(value) * len(patterns) // _PARTS_A_STEP)
    names = [
        name for name in value if name not in known and not any(pattern_found(pattern, name) for pattern in patterns)
    ]
    yield from _others(validator, rule, value, names)


def _property_names(validator: Any, rule: Any, value: Any, _: Schema) -> Iterator[ValidationError]:
    if not isinstance(value, dict) or rule is True:
        return
    for name in value:
        errors = first_errors(validator.descend(name, rule))
        if errors:
            yield ValidationError("a name that must not be", path=[name], context=errors[:1])


def _target(validator: Any, reference: str) -> Any:
    return validator._resolver.lookup(reference).contents  # noqa: SLF001 -- the library's own rules ask so too


_EVALUATION: Final = Evaluation(_target, lambda pattern, name, _: pattern_found(pattern, name))


def _unevaluated_properties(validator: Any, rule: Any, value: Any, schema: Schema) -> Iterator[ValidationError]:
    if not isinstance(value, dict) or rule is True:
        return
    known = _EVALUATION.names(validator, value, schema)
    names = [name for name in value if name not in known]
    yield from _others(validator, rule, value, names)


def _others(validator: Any, rule: Any, value: Any, places: Sequence[Any]) -> Iterator[ValidationError]:
    """Check what no other rule names; where nothing else is allowed, each is an error of its own."""
    if rule is False:
        for place in places:
            yield ValidationError("nothing else is allowed", path=[place])
    elif rule is not True:
        yield from _each(validator, rule, value, places, lambda _: rule)


def _items(validator: Any, rule: Any, value: Any, schema: Schema) -> Iterator[ValidationError]:
    if not isinstance(value, list):
        return
    yield from _others(validator, rule, value, range(len(schema.get("prefixItems", ())), len(value)))


def _prefix_items(validator: Any, rule: Sequence[Any], value: Any, _: Schema) -> Iterator[ValidationError]:
    if isinstance(value, list):
        yield from _each(validator, rule, value, range(min(len(rule), len(value))), rule.__getitem__)


def _unevaluated_items(validator: Any, rule: Any, value: Any, schema: Schema) -> Iterator[ValidationError]:
    if isinstance(value, list) and rule is not True:
        known = _EVALUATION.places(validator, value, schema)
        yield from _others(validator, rule, value, [place for place in range(len(value)) if place not in known])


def _contains(validator: Any, rule: Any, value: Any, schema: Schema) -> Iterator[ValidationError]:
    if not isinstance(value, list):
        return
    least, most = schema.get("minContains", 1), schema.get("maxContains", len(value))

    def fitting(place: int) -> Iterable[int]:
        return () if any(_inside(validator, value[place], rule, place)) else (place,)

    count = sum(1 for _ in _resumed(rule, value, range(len(value)), fitting, len(value)))
    if count > most:
        yield ValidationError(str(count), validator="maxContains", validator_value=most)
    elif count < least:
        yield ValidationError(str(count), validator="minContains", validator_value=least)


def _required(_: Any, rule: Sequence[str], value: Any, __: Schema) -> Iterator[ValidationError]:
    if isinstance(value, dict):
        for name in rule:
            if name not in value:
                yield ValidationError("missing", path=[name])


def _dependent_required(_: Any, rule: Mapping[str, Any], value: Any, __: Schema) -> Iterator[ValidationError]:
    if isinstance(value, dict):
        for name, needed in rule.items():
            for other in needed if name in value else ():
                if other not in value:
                    yield ValidationError(name, path=[other])


def _content_encoding(_: Any, rule: Any, value: Any, __: Schema) -> Iterator[ValidationError]:
    if isinstance(value, str) and isinstance(rule, str) and not is_base64(value, rule):
        yield ValidationError(rule)


def _unique_items(_: Any, rule: Any, value: Any, __: Schema) -> Iterator[ValidationError]:
    if rule is True and isinstance(value, list):
        PROGRESS.get().spend(1 + len(value) // _PARTS_A_STEP)
        if len(set(map(_hashable, value))) < len(value):
            yield ValidationError("the same value twice")


def _pattern(_: Any, rule: str, value: Any, __: Schema) -> Iterator[ValidationError]:
    if isinstance(value, str) and not pattern_found(rule, value):
        yield ValidationError("the pattern is not found")


def _multiple_of(_: Any, rule: Any, value: Any, __: Schema) -> Iterator[ValidationError]:
    if _is_number(_, value) and rule and Fraction(str(value)) % Fraction(str(rule)):
        yield ValidationError("no multiple")


def _enum(_: Any, rule: Sequence[Any], value: Any, __: Schema) -> Iterator[ValidationError]:
    PROGRESS.get().spend(1 + len(rule) // _PARTS_A_STEP)
    if not any(equal(value, listed) for listed in rule):
        yield ValidationError("not listed")


def _const(_: Any, rule: Any, value: Any, __: Schema) -> Iterator[ValidationError]:
    if not equal(value, rule):
        yield ValidationError("another value")


def _hashable(value: Any) -> Any:
    """Return what is equal for equal values as JSON Schema sees them."""
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, dict):
        return frozenset((name, _hashable(part)) for name, part in value.items())
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


def _is_number(_: Any, value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_integer(_: Any, value: Any) -> bool:
    return _is_number(_, value) and (isinstance(value, int) or value == value // 1)


def _bounded(rule_of: Any) -> Any:
    """Make each look at a rule cost a step."""

    @wraps(rule_of)
    def check(validator: Any, rule: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        PROGRESS.get().spend()
        try:
            yield from rule_of(validator, rule, value, schema) or ()
        except ValueError:
            # A number has more digits than Python writes down, even in a message.
            yield ValidationError("does not fit")

    return check


def _ref(validator: Any, rule: Any, value: Any, schema: Schema) -> Iterator[ValidationError]:
    progress = PROGRESS.get()
    key = (rule, id(value))
    known = progress.referred.get(key)
    if known is None:
        if key in progress.active:
            # A circle: what it asks for is being looked at already.
            return
        progress.active.add(key)
        try:
            if not isinstance(_target(validator, rule), Mapping | bool):
                progress.unfollowed = f"{rule} is no schema"
                return
            with progress.deeper():
                known = (value, first_errors(_LIBRARY_REF(validator, rule, value, schema)))
        except (Unresolvable, ValueError) as error:
            # What it leads to may ask for anything; the rest of the schema can be checked all the same.
            progress.unfollowed = str(error)
            return
        finally:
            progress.active.discard(key)
        if len(progress.referred) < MOST_REMEMBERED:
            progress.referred[key] = known
    yield from map(ValidationError.create_from, known[1])


_LIBRARY_REF: Final[Any] = Draft202012Validator.VALIDATORS["$ref"]
_RULES: Final[Mapping[str, Any]] = {
    **Draft202012Validator.VALIDATORS,
    "$ref": _ref,
    "additionalProperties": _additional_properties,
    "const": _const,
    "contains": _contains,
    "contentEncoding": _content_encoding,
    "dependentRequired": _dependent_required,
    "enum": _enum,
    "items": _items,
    "multipleOf": _multiple_of,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "prefixItems": _prefix_items,
    "properties": _properties,
    "propertyNames": _property_names,
    "unevaluatedItems": _unevaluated_items,
    "unevaluatedProperties": _unevaluated_properties,
    "required": _required,
    "uniqueItems": _unique_items,
}

SchemaRules: Final[Any] = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {keyword: _bounded(rule_of) for keyword, rule_of in _RULES.items()},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine_many({"number": _is_number, "integer": _is_integer}),
)


STEPS_OF_A_CHECK: Final = 1_000
"""About as many rules as can be looked at within half a frame."""
_MOST_PATIENCE: Final = 16


class SchemaCheck:
    """Check values against one schema.

    Values must not change in place: parts that were checked once are known by their identity.
    """

    def __init__(self, root: Schema) -> None:
        self._validator: Any = SchemaRules(root, registry=Registry(), format_checker=FORMAT_CHECKER)
        self._progress = CheckProgress()
        self._patience = 1

    def fits(self, value: Any, part: Any) -> bool:
        """Tell whether a value fits a part of the schema; one that cannot be checked, or not soon, does not.

        Args:
            value: Any JSON value.
            part: As it is written in the normalised schema.
        """
        progress = CheckProgress(STEPS_OF_A_CHECK)
        token = PROGRESS.set(progress)
        try:
            return bool(self._validator.evolve(schema=part).is_valid(value)) and not progress.unfollowed
        except (StepBudgetError, NoProgressError):
            return False
        finally:
            PROGRESS.reset(token)

    @property
    def unfollowed(self) -> str:
        """Return which reference leads nowhere, as far as the last check met one; "" for none."""
        return self._progress.unfollowed

    def errors(self, value: Any, steps: int) -> list[ValidationError]:
        """Return what is wrong with a document; when the steps run out, ask again to go on.

        Args:
            value: The document.
            steps: How many rules may be looked at.

        Raises:
            OutOfStepsError: It is not done yet.
            HopelessError: It never will be.
        """
        progress = self._progress
        if len(progress.finished) + len(progress.referred) > MOST_REMEMBERED and not progress.unfinished:
            progress.finished.clear()
            progress.referred.clear()
        before = progress.reached
        progress.steps = steps * self._patience
        token = PROGRESS.set(progress)
        try:
            found = first_errors(self._validator.iter_errors(value))
        except StepBudgetError:
            # What gets nowhere in so many steps may need more of them at once; at some point it is hopeless.
            self._patience = 1 if progress.reached > before else self._patience * 2
            if self._patience > _MOST_PATIENCE:
                self._patience = 1
                raise NoProgressError from None
            raise
        finally:
            PROGRESS.reset(token)
        self._patience = 1
        progress.unfinished.clear()
        return found
