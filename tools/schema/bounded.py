"""Check values against a schema that anybody may have written, within a time, and say what of the schema prevents it.

The rules are the library's, except where those of a hostile schema would go on for ever: references are looked at once
for each value, patterns and the whole have a time limit, and nothing is fetched.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from functools import lru_cache, partial, wraps
from itertools import islice
from typing import Any, Final, NamedTuple

import attrs
from jsonschema import Draft3Validator, Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend, validator_for
from referencing import Registry

from tools.schema.evaluation import Evaluation
from tools.schema.patterns import UnreadablePatternError, compiled_pattern
from tools.schema.problems import shortened
from tools.schema.soundness import References, SchemaFault, fault_of, place_of

PATTERN_S: Final = 0.25
"""How long one pattern may try one text, in seconds."""

_LEAST_S: Final = 0.001
_MOST_ERRORS: Final = 10_000
_MOST_OF_BRANCHES: Final = 200
_MOST_OF_A_BRANCH: Final = 20


class BoundedResult(NamedTuple):
    """What was found.

    Attributes:
        errors: What does not fit, in the order of the schema.
        fault: What of the schema ended the check before its end; None when nothing did.
        is_late: Whether time is what ran out.
    """

    errors: tuple[ValidationError, ...]
    fault: SchemaFault | None = None
    is_late: bool = False


class _StoppedError(Exception):
    """The schema cannot be followed any further."""

    def __init__(self, schema: Any, keyword: str, words: str, *, is_late: bool = False) -> None:
        super().__init__(words)
        self.schema = schema
        self.keyword = keyword
        self.words = words
        self.is_late = is_late


class _Check:
    """One check that is under way.

    Args:
        references: Of the schema.
        within_s: Seconds after which it ends.
        clock: Tells the time, in seconds.
        on_step: Is called at each rule; what it raises ends the check.
        is_strict: Whether a pattern that cannot be read is a fault; else the tool itself decides.
    """

    def __init__(
        self,
        references: References,
        within_s: float,
        clock: Callable[[], float],
        on_step: Callable[[], None] | None,
        *,
        is_strict: bool,
    ) -> None:
        self.references = references
        self.is_strict = is_strict
        self.finished: dict[tuple[int, int], tuple[Any, list[ValidationError]]] = {}
        self.active: set[tuple[int, int]] = set()
        self._clock = clock
        self._within_s = within_s
        self._end_s = clock() + within_s
        self._on_step = on_step

    def step(self, schema: Any, keyword: str) -> None:
        """Look at the clock before a rule."""
        if self._clock() > self._end_s:
            raise _StoppedError(
                schema, keyword, f"takes too long: the check was ended after {self._within_s:g} s", is_late=True
            )
        if self._on_step is not None:
            self._on_step()

    def pattern_s(self) -> float:
        """Return how long a pattern may try one text, in seconds."""
        return min(PATTERN_S, max(self._end_s - self._clock(), _LEAST_S))


_CHECK: ContextVar[_Check] = ContextVar("_CHECK")
"""The check that runs now; the library has no place for it."""


class BoundedCheck:
    """Check values against one schema, whose draft `$schema` names (2020-12 when it does not).

    Args:
        schema: The schema of the whole.
        clock: Tells the time, in seconds.
        is_strict: Whether a pattern that cannot be read is a fault; else the tool itself decides.

    Raises:
        UnsoundSchemaError: It cannot be used.
    """

    def __init__(
        self, schema: Mapping[str, Any], *, clock: Callable[[], float] = time.monotonic, is_strict: bool = False
    ) -> None:
        kind = _kind_of(schema)
        if kind is Draft3Validator:
            raise UnsoundSchemaError(
                SchemaFault("/$schema", "draft 3 is not read; write it in the words of a later one")
            )
        if fault := fault_of(schema):
            raise UnsoundSchemaError(fault)
        self._document = schema
        self._references = References(schema)
        self._validator: Any = _bounded_kind(kind)(schema, registry=Registry())
        self._clock = clock
        self._is_strict = is_strict

    def errors(
        self,
        value: Any,
        *,
        part: Any = None,
        most: int = _MOST_ERRORS,
        within_s: float,
        on_step: Callable[[], None] | None = None,
    ) -> BoundedResult:
        """Return what does not fit.

        Args:
            value: A JSON value.
            part: The part of the schema it is checked against; None is the whole.
            most: The number of errors after which the check ends.
            within_s: Seconds after which it ends.
            on_step: Is called at each rule; what it raises ends the check.
        """
        check = _Check(self._references, within_s, self._clock, on_step, is_strict=self._is_strict)
        validator = self._validator if part is None else self._validator.evolve(schema=part)
        found: list[ValidationError] = []
        token = _CHECK.set(check)
        try:
            found.extend(islice(validator.iter_errors(value), most))
        except _StoppedError as stop:
            fault = SchemaFault(place_of(self._document, stop.schema, stop.keyword), stop.words)
            return BoundedResult(tuple(found), fault, stop.is_late)
        except RecursionError:
            words = "cannot be followed: it and the value are nested too deeply"
            return BoundedResult(tuple(found), SchemaFault("", words))
        finally:
            _CHECK.reset(token)
        return BoundedResult(tuple(found))


class UnsoundSchemaError(Exception):
    """A schema cannot be used."""

    def __init__(self, fault: SchemaFault) -> None:
        super().__init__(str(fault))
        self.fault = fault


def _kind_of(schema: Mapping[str, Any]) -> Any:
    named = schema.get("$schema")
    try:
        return validator_for({"$schema": named} if isinstance(named, str) else {}, default=Draft202012Validator)
    except ValueError:
        # An address that is none is told with its place, among all the other faults.
        return Draft202012Validator


@lru_cache(maxsize=16)
def _bounded_kind(kind: Any) -> Any:
    own = {keyword: rule for keyword, rule in _OWN_RULES.items() if keyword in kind.VALIDATORS}
    rules = {**kind.VALIDATORS, **own}
    made: Any = extend(kind, {keyword: _bounded(keyword, rule) for keyword, rule in rules.items()})  # type: ignore[no-untyped-call]
    names = [(field.name, field.alias) for field in attrs.fields(made) if field.init]

    def evolve(self: Any, **changes: Any) -> Any:
        given = {alias: getattr(self, name) for name, alias in names if alias not in changes}
        return made(**given, **changes)

    # The library's own goes over to a class without bounds wherever a part of a schema names a draft.
    made.evolve = evolve
    return made


def _bounded(keyword: str, rule_of: Any) -> Any:
    @wraps(rule_of)
    def checked(validator: Any, rule: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        _CHECK.get().step(schema, keyword)
        try:
            yield from rule_of(validator, rule, value, schema) or ()
        except ValueError:
            # A number has more digits than Python writes down, even in a message.
            yield ValidationError(f"{shortened(value)} does not fit")

    return checked


def _reference(keyword: str, validator: Any, rule: str, value: Any, schema: Any) -> Iterator[ValidationError]:
    check = _CHECK.get()
    target = check.references.target(rule)
    key = (id(target), id(value))
    known = check.finished.get(key)
    if known is not None:
        yield from map(_copy, known[1])
        return
    if key in check.active:
        raise _StoppedError(schema, keyword, f"cannot be followed: the reference {rule!r} leads back to itself")
    check.active.add(key)
    try:
        errors = list(islice(validator.descend(value, target), _MOST_ERRORS))
    finally:
        check.active.discard(key)
    # The value is held, so that its id is given to no other one. What is told again and again is told shortly: two
    # references to each of many parts would double the errors with each of them.
    check.finished[key] = (value, list(map(_copy, errors[:_MOST_OF_A_BRANCH])))
    yield from errors


def _copy(error: ValidationError) -> ValidationError:
    """Return an error that may be led to another place, without what is inside it: that would double as well."""
    return ValidationError(**{**error._contents(), "context": ()})  # noqa: SLF001 -- as the library copies its own


def _any_of(validator: Any, members: Sequence[Any], value: Any, _: Any) -> Iterator[ValidationError]:
    context: list[ValidationError] = []
    for at, member in enumerate(members):
        errors = list(islice(validator.descend(value, member, schema_path=at), _MOST_OF_A_BRANCH))
        if not errors:
            return
        if len(context) < _MOST_OF_BRANCHES:
            context += errors
    yield ValidationError(f"{shortened(value)} is not valid under any of the given schemas", context=context)


def _one_of(validator: Any, members: Sequence[Any], value: Any, _: Any) -> Iterator[ValidationError]:
    fitting = 0
    context: list[ValidationError] = []
    for at, member in enumerate(members):
        errors = list(islice(validator.descend(value, member, schema_path=at), _MOST_OF_A_BRANCH))
        fitting += not errors
        if len(context) < _MOST_OF_BRANCHES:
            context += errors
    if fitting > 1:
        yield ValidationError(f"{shortened(value)} is valid under {fitting} of the given schemas, not under one")
    elif not fitting:
        yield ValidationError(f"{shortened(value)} is not valid under any of the given schemas", context=context)


def _is_found(pattern: str, text: str, schema: Any, keyword: str = "patternProperties") -> bool:
    """Tell whether a pattern is found in a text."""
    check = _CHECK.get()
    check.step(schema, keyword)
    limit_s = check.pattern_s()
    try:
        return compiled_pattern(pattern).search(text, timeout=limit_s) is not None
    except TimeoutError:
        words = f"takes too long: the pattern {shortened(pattern)} tried more than {limit_s:.2g} s on one text"
        raise _StoppedError(schema, keyword, words, is_late=True) from None
    except UnreadablePatternError as error:
        if check.is_strict:
            raise _StoppedError(schema, keyword, f"cannot be read: {shortened(pattern)} {error}") from None
        return True


def _pattern(_: Any, rule: str, value: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(value, str) and not _is_found(rule, value, schema, "pattern"):
        yield ValidationError(f"does not match {rule!r}")


def _pattern_properties(validator: Any, rule: Mapping[str, Any], value: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(value, dict):
        for pattern, part in rule.items():
            for name, inner in value.items():
                if _is_found(pattern, name, schema):
                    yield from validator.descend(inner, part, path=name, schema_path=pattern)


def unlisted_names(value: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """Return the names of an object that neither `properties` nor `patternProperties` of its schema know."""
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", ())
    return [
        name
        for name in value
        if name not in known and not any(_is_found(pattern, name, schema) for pattern in patterns)
    ]


def _properties(validator: Any, rule: Mapping[str, Any], value: Any, _: Any) -> Iterator[ValidationError]:
    if isinstance(value, dict):
        for name, part in rule.items():
            if name not in value:
                continue
            if part is False:
                # The library forgets where it was when a schema refuses everything.
                yield ValidationError("not accepted", path=[name], instance=value[name], schema=False)
            else:
                yield from validator.descend(value[name], part, path=name, schema_path=name)


def _additional_properties(validator: Any, rule: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(value, dict) and rule is not True:
        yield from _others(validator, rule, value, unlisted_names(value, schema))


def _unevaluated_properties(validator: Any, rule: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(value, dict) and rule is not True:
        known = _EVALUATION.names(validator, value, schema)
        yield from _others(validator, rule, value, [name for name in value if name not in known])


def _unevaluated_items(validator: Any, rule: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(value, list) and rule is not True:
        known = _EVALUATION.places(validator, value, schema)
        yield from _others(validator, rule, value, [place for place in range(len(value)) if place not in known])


def _others(validator: Any, rule: Any, value: Any, places: Iterable[Any]) -> Iterator[ValidationError]:
    """Check what no other rule names; where nothing else is allowed, each is an error of its own."""
    for place in places:
        if rule is False:
            yield ValidationError("not expected here", path=[place])
        else:
            yield from validator.descend(value[place], rule, path=place)


def _required(_: Any, rule: Sequence[str], value: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(value, dict):
        for name in rule:
            if name not in value:
                # Each missing name is an error of its own, which says which one.
                yield ValidationError(f"{name!r} is a required property", validator_value=name)


def _unique_items(_: Any, rule: Any, value: Any, __: Any) -> Iterator[ValidationError]:
    if rule is True and isinstance(value, list) and len(set(map(hashable, value))) < len(value):
        yield ValidationError(f"{shortened(value)} has the same value twice")


def hashable(value: Any) -> Any:
    """Return what is equal for equal values as JSON Schema sees them."""
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, dict):
        return frozenset((name, hashable(part)) for name, part in value.items())
    return tuple(map(hashable, value)) if isinstance(value, list) else value


_EVALUATION: Final = Evaluation(lambda _, reference: _CHECK.get().references.target(reference), _is_found)
_OWN_RULES: Final[Mapping[str, Any]] = {
    "$dynamicRef": partial(_reference, "$dynamicRef"),
    "$recursiveRef": partial(_reference, "$recursiveRef"),
    "$ref": partial(_reference, "$ref"),
    "additionalProperties": _additional_properties,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "properties": _properties,
    "required": _required,
    "unevaluatedItems": _unevaluated_items,
    "unevaluatedProperties": _unevaluated_properties,
    "uniqueItems": _unique_items,
}
