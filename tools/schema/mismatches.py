"""Find where a result is not what its schema promises, within a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.errors import DeclarationError
from tools.schema.problems import shortened
from tools.schema.quick import certain_check
from tools.schema.words import ANYTHING, words

if TYPE_CHECKING:
    import jsonschema
    from jsonschema.protocols import Validator

_PATTERN_S: Final = 0.1


class Mismatch(NamedTuple):
    """A value that is not what the schema says.

    Attributes:
        keys: Names and positions from the whole to the value.
        message: What was expected, on one line.
    """

    keys: tuple[str | int, ...]
    message: str


class Mismatches(NamedTuple):
    """What was found.

    Attributes:
        found: In the order of the value.
        is_complete: Whether all of the value was looked at.
    """

    found: tuple[Mismatch, ...]
    is_complete: bool


class _OutOfTimeError(Exception):
    """The time is up."""


class ResultCheck:
    """Find what in values does not fit one schema, whose draft `$schema` names (2020-12 when it does not).

    Nothing is fetched, and a schema that is hostile costs no more than the time that is given: its patterns have a
    limit of their own, and `unevaluatedProperties`, for which they cannot be bounded, is passed over.

    Args:
        schema: The schema of the whole.
        clock: Tells the time, in seconds.

    Raises:
        DeclarationError: It is no valid schema.
    """

    def __init__(self, schema: Mapping[str, Any], clock: Callable[[], float] = time.monotonic) -> None:
        # Takes a tenth of a second, which only those who look pay.
        import jsonschema  # noqa: PLC0415 -- see above
        from jsonschema.validators import extend, validator_for  # noqa: PLC0415 -- see above
        from referencing import Registry  # noqa: PLC0415 -- see above

        self._document = dict(schema)
        self._clock = clock
        self._end_s = 0.0
        kind = validator_for(self._document, default=jsonschema.Draft202012Validator)
        try:
            kind.check_schema(self._document)
        except jsonschema.SchemaError as error:
            raise _invalid(error) from error
        self._certain = certain_check(self._document)
        timed = _timed(kind.VALIDATORS, self._is_late)
        self._checker: Validator = extend(kind, timed)(self._document, registry=Registry())  # type: ignore[no-untyped-call]

    def find(self, value: Any, *, most: int = 200, within_s: float = 2.0) -> Mismatches:
        """Return what does not fit.

        Args:
            value: A JSON value.
            most: The number of findings after which it ends.
            within_s: Seconds after which it ends.

        Raises:
            DeclarationError: The schema refers to something that is not in it.
        """
        from referencing.exceptions import Unresolvable  # noqa: PLC0415 -- see above

        if self._certain is not None and self._certain(value):
            return Mismatches((), is_complete=True)
        self._end_s = self._clock() + within_s
        found: list[Mismatch] = []
        try:
            for error in self._checker.iter_errors(value):
                found.extend(_told(error, self._document))
                if len(found) >= most:
                    return Mismatches(tuple(found[:most]), is_complete=False)
        except (_OutOfTimeError, RecursionError):
            return Mismatches(tuple(found), is_complete=False)
        except Unresolvable as error:
            raise _invalid(error) from error
        return Mismatches(tuple(found), is_complete=True)

    def _is_late(self) -> bool:
        return self._clock() > self._end_s


def _invalid(error: Exception) -> DeclarationError:
    return DeclarationError(f"not a valid JSON Schema of a result: {error}")


def mismatches(
    schema: Mapping[str, Any],
    value: Any,
    *,
    most: int = 200,
    within_s: float = 2.0,
    clock: Callable[[], float] = time.monotonic,
) -> Mismatches:
    """Find what in a value does not fit a schema; see `ResultCheck`.

    Args:
        schema: The schema of the whole.
        value: A JSON value.
        most: The number of findings after which it ends.
        within_s: Seconds after which it ends.
        clock: Tells the time, in seconds.

    Raises:
        DeclarationError: It is no valid schema, or refers to something that is not in it.
    """
    return ResultCheck(schema, clock).find(value, most=most, within_s=within_s)


def _timed(checks: Mapping[str, Any], is_late: Callable[[], bool]) -> dict[str, Any]:
    """Return the checks of a schema's words so that each looks at the clock before it starts."""

    def timed(check: Any) -> Any:
        def checked(validator: Any, wanted: Any, instance: Any, schema: Any) -> Any:
            if is_late():
                raise _OutOfTimeError
            return check(validator, wanted, instance, schema)

        return checked

    own = {
        "additionalProperties": _additional_properties,
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "unevaluatedProperties": _nothing,
    }
    return {name: timed(own.get(name, check)) for name, check in checks.items()}


def _matched(pattern: str, text: str) -> bool:
    """Tell whether a pattern is found in a text; one that cannot be told in time counts as found."""
    import regex  # noqa: PLC0415 -- few schemas have patterns

    try:
        return regex.search(pattern, text, timeout=_PATTERN_S) is not None
    except (TimeoutError, regex.error):
        return True


def _pattern(_validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[jsonschema.ValidationError]:
    import jsonschema  # noqa: PLC0415 -- see above

    if isinstance(instance, str) and not _matched(pattern, instance):
        yield jsonschema.ValidationError(f"does not match {pattern!r}")


def _pattern_properties(
    validator: Any, patterns: Mapping[str, Any], instance: Any, _schema: Any
) -> Iterator[jsonschema.ValidationError]:
    if not isinstance(instance, dict):
        return
    for pattern, inner in patterns.items():
        for name, value in instance.items():
            if _matched(pattern, name):
                yield from validator.descend(value, inner, path=name, schema_path=pattern)


def _additional_properties(
    validator: Any, wanted: Any, instance: Any, schema: Any
) -> Iterator[jsonschema.ValidationError]:
    import jsonschema  # noqa: PLC0415 -- see above

    if not isinstance(instance, dict):
        return
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    for name, value in instance.items():
        if name in known or any(_matched(pattern, name) for pattern in patterns):
            continue
        if wanted is False:
            yield jsonschema.ValidationError("not expected here", path=(name,))
        else:
            yield from validator.descend(value, wanted, path=name)


def _nothing(_validator: Any, _wanted: Any, _instance: Any, _schema: Any) -> Iterator[jsonschema.ValidationError]:
    return iter(())


def _told(error: jsonschema.ValidationError, document: Mapping[str, Any]) -> Iterator[Mismatch]:
    """Say what an error means; of alternatives, what the nearest one lacks."""
    from jsonschema.exceptions import best_match  # noqa: PLC0415 -- see above

    nearest = best_match(iter([error])) if error.context else error
    keys = tuple(nearest.absolute_path)
    said: Any = nearest.schema
    if nearest.validator == "required":
        yield Mismatch(keys, f"{nearest.message.partition(' is a required')[0].strip(chr(39))} is missing")
        return
    if nearest.validator == "additionalProperties":
        yield Mismatch(keys, nearest.message)
        return
    expected = words(said, document)
    yield Mismatch(keys, shortened(nearest.message)[1:-1] if expected == ANYTHING else f"expected {expected}")
