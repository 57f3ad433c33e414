"""Check arguments against their schema and name each bad one in our words."""

from __future__ import annotations

import ipaddress
import uuid
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time
from enum import StrEnum
from typing import Any, Final, NamedTuple

import regex
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError, UnknownType, ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import Unresolvable

from console.schema_form.messages import sentence
from console.schema_form.paths import Path, label
from console.schema_form.resolving import Schema

__all__ = ["ArgumentValidator", "ErrorKind", "FieldError"]

_PATTERN_TIMEOUT_S: Final = 0.1


class ErrorKind(StrEnum):
    """What is wrong with an argument: nothing is there, or what is there does not fit."""

    MISSING = "missing"
    INVALID = "invalid"


class FieldError(NamedTuple):
    """One bad argument.

    Attributes:
        path: Where it stands.
        message: What was expected and what came, in one line without a full stop.
        kind: Whether it is missing or does not fit.
    """

    path: Path
    message: str
    kind: ErrorKind = ErrorKind.INVALID


class ArgumentValidator:
    """Check documents against one schema.

    Args:
        schema: JSON Schema 2020-12. It may come from anywhere: no reference is fetched, and a pattern that takes
            too long counts as not matched.
        is_checked: Whether the schema is known to be one, as that of a declared tool is; looking takes long.

    Attributes:
        schema_problem: Why the schema itself cannot be used; None when it can. Then nothing is checked here, and
            the tool decides.
    """

    def __init__(self, schema: Schema, *, is_checked: bool = False) -> None:
        self._root = schema
        self.schema_problem: str | None = None
        self._validator: Any = _Validator(schema, registry=Registry(), format_checker=_FORMAT_CHECKER)
        if is_checked:
            return
        try:
            _Validator.check_schema(schema)
        except SchemaError as error:
            self.schema_problem = f"the schema of this tool is broken: {error.message}"

    def errors(self, value: Any) -> tuple[FieldError, ...]:
        """Name what does not fit, in the order of the schema, at most one for each path.

        Args:
            value: The document.
        """
        if self.schema_problem is not None:
            return ()
        found: dict[Path, FieldError] = {}
        try:
            for error in self._validator.iter_errors(value):
                for named in self._named(error, tuple(error.absolute_path)):
                    found.setdefault(named.path, named)
        except (Unresolvable, UnknownType) as error:
            self.schema_problem = f"the schema of this tool cannot be followed: {error}"
            return ()
        except RecursionError:
            return (FieldError((), "the arguments hold too many values inside each other"),)
        return tuple(found.values())

    def _named(self, error: ValidationError, path: Path) -> Iterator[FieldError]:
        keyword, schema = str(error.validator), error.schema
        value: Any = error.instance
        rule: Any = error.validator_value
        if not isinstance(schema, Mapping):
            yield FieldError(path, f"{label(path)} is not accepted by this tool")
        elif keyword == "required":
            for name in rule:
                if name not in value:
                    yield FieldError((*path, name), f"{label((*path, name))} is required", ErrorKind.MISSING)
        elif keyword == "dependentRequired":
            yield from self._missing_dependents(error, path)
        elif keyword in {"additionalProperties", "unevaluatedProperties"} and rule is False:
            known = schema.get("properties", {})
            for name in value:
                if name not in known and not _matches_any(name, schema.get("patternProperties", {})):
                    yield FieldError((*path, name), f"{label((*path, name))} is not an argument of this tool")
        elif keyword in {"anyOf", "oneOf"} and (branch := _likely_branch(error)):
            for inner in branch:
                yield from self._named(inner, (*path, *inner.relative_path))
        else:
            yield FieldError(path, sentence(label(path), keyword, schema, value, self._root))

    def _missing_dependents(self, error: ValidationError, path: Path) -> Iterator[FieldError]:
        rule: Any = error.validator_value
        given: Any = error.instance
        for name, needed in rule.items():
            for other in needed if name in given else ():
                if other not in given:
                    message = f"{label((*path, other))} is required when {name} is given"
                    yield FieldError((*path, other), message, ErrorKind.MISSING)


def _likely_branch(error: ValidationError) -> list[ValidationError]:
    """Return the errors of the one branch the value was meant for; nothing when that is not clear."""
    by_branch: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        by_branch.setdefault(inner.relative_schema_path[0], []).append(inner)
    meant = [errors for errors in by_branch.values() if not any(map(_says_not_meant, errors))]
    return meant[0] if len(meant) == 1 else []


def _says_not_meant(error: ValidationError) -> bool:
    """Tell whether a branch fails on the value's kind already, or on the tag of a tagged object."""
    depth = len(error.relative_path)
    return (depth == 0 and error.validator == "type") or (depth <= 1 and error.validator in {"const", "enum"})


def _matches_any(name: str, patterns: Mapping[str, Any]) -> bool:
    return any(_search(pattern, name) for pattern in patterns)


def _search(pattern: str, text: str) -> bool:
    try:
        return regex.search(pattern, text, timeout=_PATTERN_TIMEOUT_S) is not None
    except TimeoutError:
        return False
    except regex.error:
        # A pattern of another dialect: the tool itself decides.
        return True


def _check_pattern(_: Any, pattern: str, value: Any, __: Schema) -> Iterator[ValidationError]:
    if isinstance(value, str) and not _search(pattern, value):
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


def _email(text: str) -> None:
    name, at, host = text.rpartition("@")
    if not (name and at and host) or " " in text:
        raise ValueError(text)


def _uri(text: str) -> None:
    scheme, colon, rest = text.partition(":")
    if not (colon and rest and scheme[:1].isalpha()) or " " in text:
        raise ValueError(text)


def _date_time(text: str) -> None:
    if len(text) <= len("2026-03-31"):
        raise ValueError(text)
    datetime.fromisoformat(text)


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "date-time": _date_time,
    "uuid": uuid.UUID,
    "ipv4": ipaddress.IPv4Address,
    "ipv6": ipaddress.IPv6Address,
    "email": _email,
    "uri": _uri,
    "regex": regex.compile,
}


def _format_checker() -> FormatChecker:
    checker = FormatChecker(formats=())
    for name, read in _READERS.items():
        checker.checks(name, raises=(ValueError, regex.error))(_reading(read))
    return checker


def _reading(read: Callable[[str], Any]) -> Callable[[object], bool]:
    def fits(value: object) -> bool:
        if isinstance(value, str):
            read(value)
        return True

    return fits


_FORMAT_CHECKER: Final = _format_checker()
