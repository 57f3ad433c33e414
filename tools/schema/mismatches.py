"""Find where a result is not what its schema promises, within a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.errors import DeclarationError
from tools.schema.large_results import MANY
from tools.schema.problems import shortened
from tools.schema.quick_validators import certain_check
from tools.schema.words import ANYTHING, words

if TYPE_CHECKING:
    import jsonschema

    from tools.schema.soundness import SchemaFault

_CLOSING: Final = frozenset({"additionalProperties", "unevaluatedProperties"})


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
        fault: What of the schema ended it before; None when nothing did.
    """

    found: tuple[Mismatch, ...]
    is_complete: bool
    fault: SchemaFault | None = None


class MismatchFinder:
    """Find what in values does not fit one schema, whose draft `$schema` names (2020-12 when it does not).

    Nothing is fetched, and a schema that is hostile costs no more than the time that is given.

    Raises:
        DeclarationError: It is no valid schema.
    """

    def __init__(self, schema: Mapping[str, Any], clock: Callable[[], float] = time.monotonic) -> None:
        # Takes a tenth of a second, which only those who look pay.
        from tools.schema.bounded import BoundedCheck, UnsoundSchemaError  # noqa: PLC0415 -- see above

        self._document = dict(schema)
        try:
            self._check = BoundedCheck(self._document, clock=clock)
        except UnsoundSchemaError as error:
            raise DeclarationError(f"not a valid JSON Schema of a result: {error}") from error
        self._certain = certain_check(self._document)

    def fits_at_once(self, value: Any) -> bool:
        """Tell whether a value surely fits, by a look of less than a millisecond; so it is with nearly all that fit."""
        return self._certain is not None and not _holds_many(value) and self._certain(value)

    def _surely_fits(self, value: Any) -> bool:
        if self._certain is None or self._certain_in_pieces is None or not _holds_many(value):
            return self._certain is not None and self._certain(value)
        try:
            return self._certain_in_pieces(value)
        except RecursionError:
            return False

    @cached_property
    def _certain_in_pieces(self) -> Callable[[Any], bool] | None:
        return certain_check(self._document, in_pieces=True)

    def find(self, value: Any, *, most: int = 200, within_s: float = 2.0) -> Mismatches:
        """Return what of a JSON value does not fit, until there is so much of it or the time is over."""
        if self._surely_fits(value):
            return Mismatches((), is_complete=True)
        checked = self._check.errors(value, most=most, within_s=within_s)
        found = tuple(_told(error, self._document) for error in checked.errors)
        return Mismatches(found, is_complete=checked.fault is None and len(found) < most, fault=checked.fault)


def _holds_many(value: Any) -> bool:
    """Tell whether a JSON value has so many parts that to look through it takes long."""
    left = MANY
    waiting = [value]
    while waiting:
        part = waiting.pop()
        inner: Collection[Any] = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        left -= len(inner)
        if left < 0:
            return True
        waiting.extend(one for one in inner if isinstance(one, dict | list))
    return False


def _told(error: jsonschema.ValidationError, document: Mapping[str, Any]) -> Mismatch:
    """Say what an error means; of alternatives, what the nearest one lacks."""
    from jsonschema.exceptions import best_match  # noqa: PLC0415 -- see above

    nearest = best_match(iter([error])) if error.context else error
    keys = tuple(nearest.absolute_path)
    if nearest.validator == "required":
        return Mismatch(keys, f"{nearest.validator_value} is missing")
    if nearest.validator in _CLOSING:
        return Mismatch(keys, nearest.message)
    expected = words(nearest.schema, document)
    return Mismatch(keys, shortened(nearest.message)[1:-1] if expected == ANYTHING else f"expected {expected}")
