"""What is wrong with the arguments in a document, in the words of the form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple, cast

from jsonschema.exceptions import ValidationError

from console.language import tr
from console.schema_form.checking import STEPS_AT_ONCE, CheckThread, StepBudgetError, counting
from console.schema_form.effective_schema import EffectiveSchemas
from console.schema_form.expectations import Breach, breach, listed, must_be
from console.schema_form.flat_schema import Schema
from console.schema_form.json_text import TextProblem, place_of
from console.schema_form.paths import Path, equal, label, same, value_at
from console.schema_form.state import State
from tools.errors import ArgumentsError
from tools.masking import Masking, masking_of
from tools.schema.bounded import BoundedResult


class FieldErrorKind(StrEnum):
    """What is wrong with an argument: nothing is there, or what is there does not fit."""

    MISSING = "missing"
    INVALID = "invalid"


class FieldError(NamedTuple):
    """One bad argument.

    Attributes:
        expected: What was expected, in one line without a full stop.
        kind: Whether it is missing or does not fit.
        came: What came instead, as a clause; empty where nothing can be said of it, or it is secret.
    """

    path: Path
    expected: str
    kind: FieldErrorKind = FieldErrorKind.INVALID
    came: str = ""

    @classmethod
    def of(cls, path: Path, wrong: Breach) -> FieldError:
        return cls(path, wrong.expected, came=wrong.came)

    @property
    def message(self) -> str:
        return str(Breach(self.expected, self.came))


def named_errors(
    shapes: EffectiveSchemas, errors: Iterable[ValidationError], value: Any, chosen: Mapping[Path, int] | None = None
) -> tuple[FieldError, ...]:
    """Name what a check of a document found, at most one for each path; see `EffectiveSchemas.at`."""
    naming = _Naming(shapes, value, chosen)
    found: dict[Path, FieldError] = {}
    for error in errors:
        for named in naming.named(error, tuple(error.absolute_path)):
            found.setdefault(named.path, named)
    return tuple(found.values())


class _Naming:
    """Say in the words of the form what a check of one document found."""

    def __init__(self, shapes: EffectiveSchemas, whole: Any, chosen: Mapping[Path, int] | None) -> None:
        self._shapes = shapes
        self._whole = whole
        self._chosen = chosen

    def named(self, error: ValidationError, path: Path) -> Iterator[FieldError]:
        keyword, schema, name = str(error.validator), error.schema, label(path)
        if keyword in {"additionalProperties", "unevaluatedProperties"}:
            yield FieldError(path, tr("{name} is not an argument of this tool", name=name))
        elif keyword == "unevaluatedItems":
            yield _one_too_many(path)
        elif keyword == "items" and isinstance(schema, Mapping) and schema.get("items") is False:
            for place in range(len(schema.get("prefixItems", ())), len(cast("list[Any]", error.instance))):
                yield _one_too_many((*path, place))
        elif keyword == "propertyNames":
            wrong = self._wrong_name(error)
            expected = tr("{name} cannot be called so: {why}", name=name, why=wrong.expected)
            yield FieldError(path, expected, came=wrong.came)
        elif not isinstance(schema, Mapping):
            yield FieldError(path, tr("{name} is not accepted by this tool", name=name))
        elif keyword == "required":
            missing = (*path, str(error.validator_value))
            yield FieldError(missing, tr("{name} is required", name=label(missing)), FieldErrorKind.MISSING)
        elif keyword == "dependentRequired":
            given_name, needed = cast("tuple[str, str]", error.validator_value)
            missing = (*path, needed)
            message = tr("{name} is required when {other} is given", name=label(missing), other=label((given_name,)))
            yield FieldError(missing, message, FieldErrorKind.MISSING)
        elif keyword in {"anyOf", "oneOf"} and (tag := self._wrong_tag(error.instance, path)):
            yield tag
        elif keyword in {"anyOf", "oneOf"} and (branch := self._likely_branch(error, path)):
            for inner in branch:
                yield from self.named(inner, (*path, *inner.relative_path))
        else:
            yield FieldError.of(path, breach(name, keyword, schema, error.instance, self._shapes))

    def _wrong_name(self, error: ValidationError) -> Breach:
        inner = error.context[0] if error.context else error
        if not isinstance(inner.schema, Mapping):
            return Breach(tr("no name is allowed here"), "")
        return breach(tr("a name"), str(inner.validator), inner.schema, inner.instance, self._shapes)

    def _wrong_tag(self, value: Any, path: Path) -> FieldError | None:
        """Say what is wrong with the name that tells the kinds apart; None when that is in order, or there is none."""
        variants = self._shapes.at(path, self._whole, self._chosen).variants
        name = variants[0].discriminator if variants else None
        if name is None or not isinstance(value, Mapping):
            return None
        place = (*path, name)
        if name not in value:
            return FieldError(place, tr("{name} is required", name=label(place)), FieldErrorKind.MISSING)
        tags = [tag for variant in variants for tag in variant.tags]
        if any(equal(value[name], tag) for tag in tags):
            return None
        return FieldError.of(place, must_be(label(place), listed(tags), value[name]))

    def _likely_branch(self, error: ValidationError, path: Path) -> list[ValidationError]:
        """Return the errors of the one branch the value was meant for; nothing when that is not clear."""
        by_branch: dict[Any, list[ValidationError]] = {}
        for inner in error.context or ():
            # The library does not say which branch refuses everything; nobody can have meant that one.
            if not inner.relative_schema_path:
                continue
            by_branch.setdefault(inner.relative_schema_path[0], []).append(inner)
        meant = {place: errors for place, errors in by_branch.items() if not any(map(_says_not_meant, errors))}
        shape = self._shapes.at(path, self._whole, self._chosen)
        if shape.variant is not None:
            taken = {id(test) for test in shape.variants[shape.variant].tests}
            rule: Any = error.validator_value
            ours = [place for place in by_branch if isinstance(place, int) and id(rule[place]) in taken]
            if ours and (ours[0] in meant or path in (self._chosen or ())):
                return by_branch[ours[0]]
        return next(iter(meant.values())) if len(meant) == 1 else []


def _one_too_many(path: Path) -> FieldError:
    return FieldError(
        path,
        tr(
            "{name} is one too many; {list} must have at most {most}",
            name=label(path),
            list=label(path[:-1]),
            most=path[-1],
        ),
    )


def _says_not_meant(error: ValidationError) -> bool:
    """Tell whether a branch fails on the value's kind already, or on the tag of a tagged object."""
    depth = len(error.relative_path)
    return (depth == 0 and error.validator == "type") or (depth <= 1 and error.validator in {"const", "enum"})


_HIDING_FORMATS: Final = frozenset({"iri", "password", "uri", "uri-reference", "url"})
_PART: Final = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def masking_in(schema: Any) -> Masking | None:
    """Return what hides the secrets of a schema; None when it has none."""
    # Most schemas have none, which is seen much sooner than all of their rules are read.
    due: list[Any] = [schema]
    while due:
        node = due.pop()
        if isinstance(node, Mapping):
            if node.get("writeOnly") is True or str(node.get("format")) in _HIDING_FORMATS:
                return masking_of((), schema, None)
            due += node.values()
        elif isinstance(node, list):
            due += node
    return None


def without_secrets(
    masking: Masking | None, errors: tuple[FieldError, ...], value: Mapping[str, Any]
) -> tuple[FieldError, ...]:
    """Return errors whose messages name no value that is hidden."""
    if masking is None:
        return errors
    shown = masking.arguments(value)
    return tuple(
        error if same(value_at(shown, error.path), value_at(value, error.path)) else error._replace(came="")
        for error in errors
    )


def unmasked(
    masking: Masking, typed: Mapping[str, Any], real: Mapping[str, Any], text: str
) -> tuple[dict[str, Any] | None, TextProblem | None]:
    """Return what was typed with each secret that was left as bullets.

    Returns:
        The object and None, or None and the problem: bullets that stand for nothing that is known.
    """
    try:
        return masking.restored(typed, real), None
    except ArgumentsError as error:
        problem = error.problems[0]
        path = tuple(int(found[1]) if found[1] else found[2] for found in _PART.finditer(problem.path))
        place = place_of(text, path)
        return None, TextProblem(place.line, place.column, tr("expected {expected}", expected=problem.expected))


class DocumentCheck:
    """Check the states of one document, a large one in a thread."""

    def __init__(self, schema: Schema, shapes: EffectiveSchemas) -> None:
        self._schema = schema
        self._shapes = shapes
        self._secrets: tuple[Masking | None] | None = None
        self._found: tuple[FieldError, ...] = ()
        self._thread: CheckThread | None = None
        self.is_done = True

    def __del__(self) -> None:
        self._cancel()

    @property
    def masking(self) -> Masking | None:
        """Return what hides the secrets of the schema; looking for them takes long, and nobody may ask for the text."""
        if self._secrets is None:
            self._secrets = (masking_in(self._schema),)
        return self._secrets[0]

    def errors(self, state: State) -> tuple[FieldError, ...]:
        """Name all that is wrong, in the order of the schema; what was known before while it is not done."""
        self.is_done = True
        if state.problem is not None:
            return (FieldError((), str(state.problem)),)
        result = self._result(state.value)
        if result is None:
            self.is_done = False
        else:
            # What is too large to be checked here is left to the tool.
            errors = () if result.fault is not None else result.errors
            found = named_errors(self._shapes, errors, state.value, state.variants)
            self._found = without_secrets(self.masking, found, state.value) if found else ()
        drafts = tuple(FieldError(path, draft.message) for path, draft in state.drafts.items())
        return drafts + tuple(error for error in self._found if error.path not in state.drafts)

    def wait(self, within_s: float) -> None:
        """Wait for the thread, if one checks."""
        if self._thread is not None:
            self._thread.wait(within_s)

    def _result(self, value: Any) -> BoundedResult | None:
        """Return what is wrong with a document; None while a thread looks for it."""
        if self._thread is not None and self._thread.value is value:
            return self._thread.result
        self._cancel()
        try:
            return self._shapes.check.errors(value, counting(STEPS_AT_ONCE))
        except StepBudgetError:
            self._thread = CheckThread(self._shapes.check, value)
            return None

    def _cancel(self) -> None:
        if self._thread is not None:
            self._thread.cancel()
            self._thread = None
