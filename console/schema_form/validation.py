"""Check arguments against their schema and name each bad one in our words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from jsonschema.exceptions import ValidationError

from console.schema_form.checking import STEPS_OF_A_CHECK
from console.schema_form.effective_schema import EffectiveSchemas
from console.schema_form.expectations import listed, sentence
from console.schema_form.messages import given
from console.schema_form.normalising import Schema
from console.schema_form.paths import Path, equal, label


class FieldErrorKind(StrEnum):
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
    kind: FieldErrorKind = FieldErrorKind.INVALID


class ArgumentValidator:
    """Check documents against one schema.

    Args:
        schema: JSON Schema of any draft. It may come from anywhere: no reference is fetched, and a pattern that takes
            too long counts as not matched.
        shapes: What was worked out of the schema already; None when nothing was.
    """

    def __init__(self, schema: Schema, *, shapes: EffectiveSchemas | None = None) -> None:
        self._shapes = EffectiveSchemas(schema) if shapes is None else shapes

    @property
    def schema_problem(self) -> str | None:
        """Return why the schema cannot be used, or not all of it; None when it can. Then the tool decides."""
        if self._shapes.problem:
            return f"the schema of this tool is broken: {self._shapes.problem}"
        unfollowed = self._shapes.check.unfollowed
        return f"the schema of this tool cannot be followed: {unfollowed}" if unfollowed else None

    def errors(
        self, value: Any, chosen: Mapping[Path, int] | None = None, steps: int = STEPS_OF_A_CHECK
    ) -> tuple[FieldError, ...]:
        """Name what does not fit, in the order of the schema, at most one for each path.

        Args:
            value: The document. It must not change in place: parts that were checked once are known by identity.
            chosen: The variants people picked, by path; the others are told from the value.
            steps: How many rules may be looked at.

        Raises:
            OutOfStepsError: It is not done yet; ask again to go on.
            HopelessError: It never will be.
        """
        found: dict[Path, FieldError] = {}
        for each in self._shapes.check.errors(value, steps):
            for named in self._named(each, tuple(each.absolute_path), value, chosen):
                found.setdefault(named.path, named)
        return tuple(found.values())

    def _named(
        self, error: ValidationError, path: Path, whole: Any, chosen: Mapping[Path, int] | None
    ) -> Iterator[FieldError]:
        keyword, schema, name = str(error.validator), error.schema, label(path)
        if keyword in {"additionalProperties", "unevaluatedProperties"}:
            yield FieldError(path, f"{name} is not an argument of this tool")
        elif keyword in {"items", "unevaluatedItems"}:
            yield FieldError(path, f"{name} is one too many; {label(path[:-1])} must have at most {path[-1]}")
        elif keyword == "propertyNames":
            yield FieldError(path, f"{name} cannot be called so: {self._wrong_name(error)}")
        elif not isinstance(schema, Mapping):
            yield FieldError(path, f"{name} is not accepted by this tool")
        elif keyword == "required":
            yield FieldError(path, f"{name} is required", FieldErrorKind.MISSING)
        elif keyword == "dependentRequired":
            yield FieldError(
                path, f"{name} is required when {label((error.message,))} is given", FieldErrorKind.MISSING
            )
        elif keyword in {"anyOf", "oneOf"} and (tag := self._wrong_tag(error.instance, path, whole, chosen)):
            yield tag
        elif keyword in {"anyOf", "oneOf"} and (branch := self._likely_branch(error, path, whole, chosen)):
            for inner in branch:
                yield from self._named(inner, (*path, *inner.relative_path), whole, chosen)
        else:
            yield FieldError(path, sentence(name, keyword, schema, error.instance, self._shapes))

    def _wrong_name(self, error: ValidationError) -> str:
        inner = error.context[0] if error.context else error
        if not isinstance(inner.schema, Mapping):
            return "no name is allowed here"
        return sentence("a name", str(inner.validator), inner.schema, inner.instance, self._shapes)

    def _wrong_tag(self, value: Any, path: Path, whole: Any, chosen: Mapping[Path, int] | None) -> FieldError | None:
        """Say what is wrong with the name that tells the kinds apart; None when that is in order, or there is none."""
        variants = self._shapes.at(path, whole, chosen).variants
        name = variants[0].discriminator if variants else None
        if name is None or not isinstance(value, Mapping):
            return None
        place = (*path, name)
        if name not in value:
            return FieldError(place, f"{label(place)} is required", FieldErrorKind.MISSING)
        tags = [tag for variant in variants for tag in variant.tags]
        if any(equal(value[name], tag) for tag in tags):
            return None
        return FieldError(place, f"{label(place)} must be {listed(tags)}; it is {given(value[name])}")

    def _likely_branch(
        self, error: ValidationError, path: Path, whole: Any, chosen: Mapping[Path, int] | None
    ) -> list[ValidationError]:
        """Return the errors of the one branch the value was meant for; nothing when that is not clear."""
        by_branch: dict[Any, list[ValidationError]] = {}
        for inner in error.context or ():
            # The library does not say which branch refuses everything; nobody can have meant that one.
            if not inner.relative_schema_path:
                continue
            by_branch.setdefault(inner.relative_schema_path[0], []).append(inner)
        meant = {place: errors for place, errors in by_branch.items() if not any(map(_says_not_meant, errors))}
        shape = self._shapes.at(path, whole, chosen)
        if shape.variant is not None:
            taken = {id(test) for test in shape.variants[shape.variant].tests}
            rule: Any = error.validator_value
            ours = [place for place in by_branch if isinstance(place, int) and id(rule[place]) in taken]
            if ours and (ours[0] in meant or (chosen is not None and path in chosen)):
                return by_branch[ours[0]]
        return next(iter(meant.values())) if len(meant) == 1 else []


def _says_not_meant(error: ValidationError) -> bool:
    """Tell whether a branch fails on the value's kind already, or on the tag of a tagged object."""
    depth = len(error.relative_path)
    return (depth == 0 and error.validator == "type") or (depth <= 1 and error.validator in {"const", "enum"})
