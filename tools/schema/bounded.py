"""Check values against a schema that anybody may have written, within a time, and say what of the schema prevents it.

The rules are the library's, except where those of a hostile schema would go on for ever: references are looked at once
for each value, patterns and the whole have a time limit, and nothing is fetched.

`jsonschema-rs` 0.61 cannot take its place. Its checks have no time limit and hold the interpreter's lock: 22 references
that double take 0.3 s, and each two more four times as long. A value of 100,000 levels ends the process, one pattern of
another dialect refuses the whole schema, and references to the network are fetched.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache, partial, wraps
from itertools import islice
from typing import Any, Final, NamedTuple

import attrs
from jsonschema import Draft3Validator, Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend, validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import lookup_recursive_ref

from tools.schema.problems import shortened
from tools.schema.soundness import (
    References,
    SchemaFault,
    SharedParts,
    UnreadablePatternError,
    compiled_pattern,
    fault_of,
    place_of,
)

PATTERN_S: Final = 0.25
"""How long one pattern may try one text, in seconds."""

_PATTERN_A_LETTER_S: Final = 1e-7
_LEAST_S: Final = 0.001
_MOST_ERRORS: Final = 10_000
_MOST_OF_BRANCHES: Final = 200
_MOST_OF_A_BRANCH: Final = 20
_MOST_REMEMBERED: Final = 200


class Strictness(IntEnum):
    """What is done where a schema cannot be followed.

    Attributes:
        LENIENT: What cannot be followed asks for nothing, and a pattern that takes too long is not found.
        USUAL: A circle and a pattern that takes too long end the check; one that cannot be read asks for nothing.
        STRICT: Each of them ends the check.
    """

    LENIENT = 0
    USUAL = 1
    STRICT = 2


Memory = dict[tuple[int, int], tuple[Any, Any, list[ValidationError]]]
"""What parts of values lack, by the ids of part and value. Both are held, so that no other thing gets their ids."""


class BoundedResult(NamedTuple):
    """What was found.

    Attributes:
        errors: What does not fit, in the order of the schema.
        fault: What of the schema ended the check before its end; None when nothing did.
        is_late: Whether time is what ran out.
        unfollowed: A reference that leads nowhere and was passed over; "" for none.
    """

    errors: tuple[ValidationError, ...]
    fault: SchemaFault | None = None
    is_late: bool = False
    unfollowed: str = ""


class _StoppedError(Exception):
    """The schema cannot be followed any further."""

    def __init__(self, schema: Any, keyword: str, words: str, *, is_late: bool = False) -> None:
        super().__init__(words)
        self.schema = schema
        self.keyword = keyword
        self.words = words
        self.is_late = is_late


class _Check:
    """One check that is under way."""

    def __init__(
        self,
        owner: BoundedCheck,
        within_s: float,
        pattern_s: float,
        on_step: Callable[[], None] | None,
        memory: Memory | None,
    ) -> None:
        self.references = owner.references
        self.strictness = owner.strictness
        self.remembers = memory is not None
        self.finished: Memory = {} if memory is None else memory
        self.active: set[tuple[int, int]] = set()
        self.unfollowed = ""
        self._clock = owner.clock
        self._within_s = within_s
        self._pattern_s = pattern_s
        self._end_s = owner.clock() + within_s
        self._on_step = on_step

    def step(self, schema: Any, keyword: str) -> None:
        """Look at the clock before a rule."""
        if self._clock() > self._end_s:
            raise _StoppedError(
                schema, keyword, f"takes too long: the check was ended after {self._within_s:g} s", is_late=True
            )
        if self._on_step is not None:
            self._on_step()

    def pattern_s(self, text: str) -> float:
        """Return how long a pattern may try one text, in seconds."""
        return min(self._pattern_s + len(text) * _PATTERN_A_LETTER_S, max(self._end_s - self._clock(), _LEAST_S))


_CHECK: ContextVar[_Check] = ContextVar("_CHECK")
"""The check that runs now; the library has no place for it."""


class BoundedCheck:
    """Check values against one schema, whose draft `$schema` names (2020-12 when it does not).

    Args:
        clock: Tells the time, in seconds.
        strictness: What is done where the schema cannot be followed; a lenient check takes any schema.
        formats: What knows the formats; None lets all of them pass.
        shared: What the schema has in common with others; None for nothing.

    Raises:
        UnsoundSchemaError: It cannot be used.
    """

    def __init__(
        self,
        schema: Mapping[str, Any],
        *,
        clock: Callable[[], float] = time.monotonic,
        strictness: Strictness = Strictness.USUAL,
        formats: FormatChecker | None = None,
        shared: SharedParts | None = None,
    ) -> None:
        kind = _kind_of(schema)
        if kind is Draft3Validator:
            raise UnsoundSchemaError(
                SchemaFault("/$schema", "draft 3 is not read; write it in the words of a later one")
            )
        if strictness and (fault := fault_of(schema, shared)):
            raise UnsoundSchemaError(fault)
        self.references = References(schema)
        self.clock = clock
        self.strictness = strictness
        self._document = schema
        made = _bounded_kind(kind, takes_all=not strictness)
        self._validator: Any = made(schema, registry=Registry(), format_checker=formats)

    def errors(
        self,
        value: Any,
        *,
        part: Any = None,
        most: int = _MOST_ERRORS,
        within_s: float,
        pattern_s: float = PATTERN_S,
        on_step: Callable[[], None] | None = None,
        memory: Memory | None = None,
    ) -> BoundedResult:
        """Return what does not fit.

        Args:
            part: The part of the schema it is checked against; None is the whole.
            most: The number of errors after which the check ends.
            within_s: Seconds after which it ends.
            pattern_s: Seconds that one pattern may try one text.
            on_step: Is called at each rule; what it raises ends the check.
            memory: What earlier checks found in parts of values that are never changed in place; None for nothing.
        """
        check = _Check(self, within_s, pattern_s, on_step, memory)
        validator = self._validator if part is None else self._validator.evolve(schema=part)
        found: list[ValidationError] = []
        token = _CHECK.set(check)
        try:
            found.extend(islice(validator.iter_errors(value), most))
        except _StoppedError as stop:
            fault = SchemaFault(place_of(self._document, stop.schema, stop.keyword), stop.words)
            return BoundedResult(tuple(found), fault, stop.is_late, check.unfollowed)
        except RecursionError:
            words = "cannot be followed: it and the value are nested too deeply"
            return BoundedResult(tuple(found), SchemaFault("", words))
        finally:
            _CHECK.reset(token)
        return BoundedResult(tuple(found), unfollowed=check.unfollowed)


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
def _bounded_kind(kind: Any, *, takes_all: bool) -> Any:
    own = {keyword: rule for keyword, rule in _OWN_RULES.items() if takes_all or keyword in kind.VALIDATORS}
    rules = {**kind.VALIDATORS, **own, "contentEncoding": _content_encoding}
    types = kind.TYPE_CHECKER
    if types.is_type(1.0, "integer"):
        types = types.redefine("integer", _is_integer)
    made: Any = extend(  # type: ignore[no-untyped-call]
        kind, {keyword: _bounded(keyword, rule) for keyword, rule in rules.items()}, type_checker=types
    )
    names = [(field.name, field.alias) for field in attrs.fields(made) if field.init]

    def evolve(self: Any, **changes: Any) -> Any:
        given = {alias: getattr(self, name) for name, alias in names if alias not in changes}
        return made(**given, **changes)

    # The library's own goes over to a class without bounds wherever a part of a schema names a draft.
    made.evolve = evolve
    made.descend = _descending(made.descend)
    return made


def _descending(library: Callable[..., Iterator[ValidationError]]) -> Callable[..., Iterator[ValidationError]]:
    """Return how the library goes to a part of a value, but for what is known of it already."""

    def descend(  # noqa: PLR0917 -- as the library's own
        self: Any, instance: Any, schema: Any, path: Any = None, schema_path: Any = None, resolver: Any = None
    ) -> Iterator[ValidationError]:
        if schema is False and path is not None:
            # The library forgets where it was when a schema refuses everything.
            yield ValidationError("not accepted", path=[path], instance=instance, schema=False)
            return
        check = _CHECK.get()
        if not check.remembers or path is None or schema is True or not isinstance(instance, dict | list):
            yield from library(self, instance, schema, path, schema_path, resolver)
            return
        key = (id(schema), id(instance))
        known = check.finished.get(key)
        if known is None:
            found = list(islice(library(self, instance, schema, resolver=resolver), _MOST_REMEMBERED))
            known = check.finished[key] = (schema, instance, found)
        for error in known[2]:
            copy = ValidationError.create_from(error)
            copy.relative_path.appendleft(path)
            if schema_path is not None:
                copy.relative_schema_path.appendleft(schema_path)
            yield copy

    return descend


def _is_integer(_: Any, value: Any) -> bool:
    """Tell whether a number is whole, by all its digits where it has more than a float."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return isinstance(value, int) or value == value // 1


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
    try:
        target, resolver = _target(validator, keyword, rule)
    except (Unresolvable, ValueError) as error:
        # What it leads to may ask for anything; the rest of the schema can be checked all the same.
        check.unfollowed = str(error)
        return
    if not isinstance(target, Mapping | bool):
        check.unfollowed = f"{rule} is no schema"
        return
    key = (id(target), id(value))
    known = check.finished.get(key)
    if known is not None:
        yield from map(ValidationError.create_from if check.remembers else _copy, known[2])
        return
    if key in check.active:
        if check.strictness:
            raise _StoppedError(schema, keyword, f"cannot be followed: the reference {rule!r} leads back to itself")
        return
    check.active.add(key)
    try:
        found = validator.descend(value, target, resolver=resolver)
        errors = list(islice(found, _MOST_REMEMBERED if check.remembers else _MOST_ERRORS))
    finally:
        check.active.discard(key)
    # What is told again and again is told shortly: two references to each of many parts would double the errors with
    # each of them.
    known_errors = errors if check.remembers else list(map(_copy, errors[:_MOST_OF_A_BRANCH]))
    check.finished[key] = (target, value, known_errors)
    yield from map(ValidationError.create_from, errors) if check.remembers else errors


def _target(validator: Any, keyword: str, reference: str) -> tuple[Any, Any]:
    """Return what a reference leads to, and what follows the references in it."""
    check = _CHECK.get()
    if check.strictness:
        return check.references.target(reference), None
    # The schema was not looked through before; the library knows the drafts' own schemas as well.
    resolver = validator._resolver  # noqa: SLF001 -- the library's own rules ask so too
    resolved = lookup_recursive_ref(resolver) if keyword == "$recursiveRef" else resolver.lookup(reference)
    return resolved.contents, resolved.resolver


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
    check = _CHECK.get()
    check.step(schema, keyword)
    limit_s = check.pattern_s(text)
    try:
        return compiled_pattern(pattern).search(text, timeout=limit_s) is not None
    except TimeoutError:
        if not check.strictness:
            return False
        words = f"takes too long: the pattern {shortened(pattern)} tried more than {limit_s:.2g} s on one text"
        raise _StoppedError(schema, keyword, words, is_late=True) from None
    except UnreadablePatternError as error:
        if check.strictness is Strictness.STRICT:
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


def _property_names(validator: Any, rule: Any, value: Any, _: Any) -> Iterator[ValidationError]:
    if isinstance(value, dict) and rule is not True:
        for name in value:
            if errors := list(islice(validator.descend(name, rule), _MOST_OF_A_BRANCH)):
                yield ValidationError("a name that must not be", path=[name], context=errors)


def _additional_properties(validator: Any, rule: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(value, dict) and rule is not True:
        yield from _others(validator, rule, value, unlisted_names(value, schema))


def _unevaluated_properties(validator: Any, rule: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(value, dict) or rule is True:
        return
    known: set[str] = set()
    for part, is_own in _applied(validator, value, schema):
        if "additionalProperties" in part or (not is_own and "unevaluatedProperties" in part):
            return
        known.update(name for name in part.get("properties", ()) if name in value)
        for pattern in part.get("patternProperties", ()):
            known.update(name for name in value if _is_found(pattern, name, part))
    yield from _others(validator, rule, value, [name for name in value if name not in known])


def _unevaluated_items(validator: Any, rule: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(value, list) or rule is True:
        return
    known: set[int] = set()
    for part, is_own in _applied(validator, value, schema):
        items = part.get("items")
        if "additionalItems" in part or (not is_own and "unevaluatedItems" in part):
            return
        if isinstance(items, list):
            # Draft 2019-09 wrote `prefixItems` so.
            known.update(range(len(items)))
        elif items is not None:
            return
        known.update(range(len(part.get("prefixItems", ()))))
        if "contains" in part:
            inner = validator.evolve(schema=part["contains"])
            known.update(place for place, item in enumerate(value) if inner.is_valid(item))
    yield from _others(validator, rule, value, [place for place in range(len(value)) if place not in known])


def _applied(validator: Any, value: Any, schema: Any) -> Iterator[tuple[Mapping[str, Any], bool]]:
    """Go through the schemas that look at the same value and that it fits, and say which is the one that asks."""
    seen: set[int] = set()
    waiting: list[Any] = [schema]
    while waiting:
        part = waiting.pop()
        # References may lead in circles, and many may lead to the same place.
        if isinstance(part, Mapping) and id(part) not in seen:
            seen.add(id(part))
            yield part, part is schema
            waiting.extend(_beside(validator, value, part))


def _beside(validator: Any, value: Any, schema: Mapping[str, Any]) -> Iterator[Any]:
    def fits(part: Any) -> bool:
        return bool(validator.evolve(schema=part).is_valid(value))

    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        if keyword in schema:
            with suppress(Unresolvable, ValueError):
                yield _target(validator, keyword, schema[keyword])[0]
    for keyword in ("allOf", "anyOf", "oneOf"):
        yield from filter(fits, schema.get(keyword, ()))
    if "if" in schema:
        if fits(schema["if"]):
            yield from (schema["if"], schema.get("then", True))
        else:
            yield schema.get("else", True)
    if isinstance(value, Mapping):
        yield from (part for name, part in schema.get("dependentSchemas", {}).items() if name in value)


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


def _dependent_required(_: Any, rule: Mapping[str, Any], value: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(value, dict):
        for name, needed in rule.items():
            for other in needed if name in value else ():
                if other not in value:
                    yield ValidationError(f"{other!r} is a dependency of {name!r}", validator_value=(name, other))


def _multiple_of(_: Any, rule: Any, value: Any, __: Any) -> Iterator[ValidationError]:
    """Compare by all digits: 4.35 is a multiple of 0.01, whatever comes of dividing floats."""
    if isinstance(value, int | float) and not isinstance(value, bool) and _exact(value) % _exact(rule):
        yield ValidationError(f"{shortened(value)} is not a multiple of {shortened(rule)}")


def _exact(number: float) -> Fraction:
    return Fraction(number if isinstance(number, int) else str(number))


def _content_encoding(validator: Any, rule: Any, value: Any, _: Any) -> Iterator[ValidationError]:
    formats = validator.format_checker
    is_known = formats is not None and rule in {"base64", "base64url"}
    if is_known and isinstance(value, str) and not formats.conforms(value, rule):
        yield ValidationError(f"{shortened(value)} is not written in {rule!r}")


def _unique_items(_: Any, rule: Any, value: Any, __: Any) -> Iterator[ValidationError]:
    if rule is True and isinstance(value, list) and len(set(map(hashable, value))) < len(value):
        yield ValidationError(f"{shortened(value)} has the same value twice")


def hashable(value: Any) -> Any:
    """Return what is equal for equal values as JSON Schema sees them."""
    if isinstance(value, bool):
        # No value of JSON is a type, so that no list is taken for it.
        return (bool, value)
    if isinstance(value, dict):
        return frozenset((name, hashable(part)) for name, part in value.items())
    return tuple(map(hashable, value)) if isinstance(value, list | tuple) else value


_OWN_RULES: Final[Mapping[str, Any]] = {
    "$dynamicRef": partial(_reference, "$dynamicRef"),
    "$recursiveRef": partial(_reference, "$recursiveRef"),
    "$ref": partial(_reference, "$ref"),
    "additionalProperties": _additional_properties,
    "anyOf": _any_of,
    "dependentRequired": _dependent_required,
    "multipleOf": _multiple_of,
    "oneOf": _one_of,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "propertyNames": _property_names,
    "required": _required,
    "unevaluatedItems": _unevaluated_items,
    "unevaluatedProperties": _unevaluated_properties,
    "uniqueItems": _unique_items,
}
