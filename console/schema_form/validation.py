"""Check arguments against their schema and name each bad one in our words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, UnknownType, ValidationError
from jsonschema.validators import validator_for
from referencing.exceptions import Unresolvable

from console.schema_form.checking import found as found_in
from console.schema_form.messages import sentence
from console.schema_form.paths import Path, label
from console.schema_form.shapes import Schema, Shapes

__all__ = ["ArgumentValidator", "ErrorKind", "FieldError"]


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
        schema: JSON Schema of any draft. It may come from anywhere: no reference is fetched, and a pattern that takes
            too long counts as not matched.
        is_checked: Whether the schema is known to be one, as that of a declared tool is; looking takes long.
        shapes: What was worked out of the schema already; None when nothing was.

    Attributes:
        schema_problem: Why the schema itself cannot be used; None when it can. Then nothing is checked here, and
            the tool decides.
    """

    def __init__(self, schema: Schema, *, is_checked: bool = False, shapes: Shapes | None = None) -> None:
        shapes = Shapes(schema) if shapes is None else shapes
        self._root = shapes.root
        self.schema_problem: str | None = None
        self._validator = shapes.check.validator
        if is_checked:
            return
        try:
            kind = validator_for(schema, default=Draft202012Validator)
            kind.check_schema(dict(schema if "$schema" in schema else self._root))
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
    return any(found_in(pattern, name) for pattern in patterns)
