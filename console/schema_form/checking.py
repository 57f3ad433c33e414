"""Check values against a schema with the library for it, within bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

import regex
from jsonschema import Draft202012Validator
from jsonschema.exceptions import UnknownType, ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import Unresolvable

from console.schema_form.formats import FORMAT_CHECKER
from console.schema_form.normalising import Schema

__all__ = ["SchemaCheck"]

_PATTERN_TIMEOUT_S: Final = 0.1


class SchemaCheck:
    """Check values against parts of one schema.

    Args:
        root: The normalised schema.
    """

    def __init__(self, root: Schema) -> None:
        self.validator: Any = _Validator(root, registry=Registry(), format_checker=FORMAT_CHECKER)

    def fits(self, value: Any, part: Any) -> bool:
        """Tell whether a value fits a part of the schema; one that cannot be checked does not.

        Args:
            value: Any JSON value.
            part: As it is written in the normalised schema.
        """
        try:
            return bool(self.validator.evolve(schema=part).is_valid(value))
        except (Unresolvable, UnknownType, RecursionError):
            return False

    def matches(self, pattern: str, text: str) -> bool:
        """Tell whether a pattern is found in a text; one that takes too long is not.

        Args:
            pattern: A regular expression of the schema.
            text: A name or a value.
        """
        return found(pattern, text)


@lru_cache(maxsize=256)
def found(pattern: str, text: str) -> bool:
    """Tell whether a pattern is found in a text; one that takes too long is not."""
    try:
        return regex.search(pattern, text, timeout=_PATTERN_TIMEOUT_S) is not None
    except TimeoutError:
        return False
    except regex.error:
        # A pattern of another dialect: the tool itself decides.
        return True


def _check_pattern(_: Any, pattern: str, value: Any, __: Schema) -> Iterator[ValidationError]:
    if isinstance(value, str) and not found(pattern, value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _check_properties(validator: Any, properties: Schema, value: Any, _: Schema) -> Iterator[ValidationError]:
    if not isinstance(value, Mapping):
        return
    for name, schema in properties.items():
        if name not in value:
            continue
        if schema is False:
            # The library forgets where it was when a schema refuses everything.
            yield ValidationError("not accepted", path=[name], instance=value[name], schema=False)
        else:
            yield from validator.descend(value[name], schema, path=name, schema_path=name)


_Validator: Final[Any] = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, {"pattern": _check_pattern, "properties": _check_properties}
)
