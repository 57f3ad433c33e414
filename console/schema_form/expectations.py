"""Say in one line what an argument should be and what it is instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from console.language import tr, tr_count
from console.schema_form.effective_schema import EffectiveSchemas
from console.schema_form.fields import choices_of, range_words, type_named
from console.schema_form.flat_schema import Schema
from console.schema_form.messages import FORMATS, TYPE_WORDS, given
from console.schema_form.paths import one_line
from tools.schema.bounded import hashable

_MOST_CHOICES: Final = 8


class Breach(NamedTuple):
    """How a value breaks its schema.

    Attributes:
        expected: What was expected, without a full stop.
        came: What came instead, as a clause; empty where nothing can be said of it.
    """

    expected: str
    came: str

    def __str__(self) -> str:
        return f"{self.expected}; {self.came}" if self.came else self.expected


def expectation(part: Any, shapes: EffectiveSchemas) -> str:
    """Say what a part of a schema asks for: `a whole number from 1 to 50`, `text or null`."""
    shape = shapes.shape(part)
    if shape.variants:
        words = [_phrase(variant.schema) for variant in shape.variants[:_MOST_CHOICES]]
        if len(shape.variants) > _MOST_CHOICES:
            words.append(tr("something else"))
    else:
        words = [_phrase(shape.schema)]
    return tr(" or ").join(dict.fromkeys([*words, "null"] if shape.nullable else words))


def listed(values: Sequence[Any]) -> str:
    """List values as a choice: `"a", "b" or "c"`; the ninth and later are counted."""
    shown = [given(value) for value in values[:_MOST_CHOICES]]
    if len(values) == 1:
        return shown[0]
    if len(values) > _MOST_CHOICES:
        return tr("one of {values} or {more} more", values=", ".join(shown), more=len(values) - _MOST_CHOICES)
    return tr("{values} or {last}", values=", ".join(shown[:-1]), last=shown[-1])


def breach(name: str, keyword: str, schema: Schema, value: Any, shapes: EffectiveSchemas) -> Breach:
    """Say how a value breaks one keyword of its schema."""
    write = _SENTENCES.get(keyword)
    if write is not None:
        return write(name, schema, value)
    if keyword in {"contains", "minContains", "maxContains"}:
        return _wrong_contained(name, schema, value, shapes)
    if keyword == "not":
        return Breach(
            tr("{name} must not be {forbidden}", name=name, forbidden=_forbidden(schema["not"], shapes)), _is(value)
        )
    if keyword in {"anyOf", "oneOf"} and (needed := _needed_names(schema[keyword])):
        return _wrong_names(name, keyword, needed, value)
    if keyword in {"type", "anyOf", "oneOf", "enum", "const"}:
        return _wrong_kind(name, keyword, schema, value, shapes)
    return Breach(tr("{name} does not fit the rule {keyword!r} of its schema", name=name, keyword=keyword), _is(value))


def must_be(name: str, wanted: str, value: Any) -> Breach:
    """Say that a value is none of the wanted ones."""
    return Breach(tr("{name} must be {wanted}", name=name, wanted=wanted), _is(value))


def _is(value: Any) -> str:
    return tr("it is {value}", value=given(value))


def _phrase(schema: Schema) -> str:
    choices = choices_of(schema)
    if choices:
        return listed([choice.value for choice in choices])
    kind = type_named(schema)
    if kind == "string" and schema.get("format") in FORMATS:
        return FORMATS[schema["format"]]
    bounds = _bounds(schema)
    return " ".join(filter(None, (TYPE_WORDS.get(kind, tr("a value of another kind")), bounds)))


def _bounds(schema: Schema) -> str:
    words = range_words(schema, joint=tr(" and "))
    return tr("from {range}", range=words) if words[:1].isdecimal() or words.startswith("-") else words


class _Unit(NamedTuple):
    """What is counted: how many of it there are, and a range."""

    many: Callable[[int], str]
    between: Callable[[int, int], str]


_CHARACTERS: Final = _Unit(
    lambda count: tr_count(count, "1 character", "{count} characters"),
    lambda low, high: tr("{low} to {high} characters", low=low, high=high),
)
_ITEMS: Final = _Unit(
    lambda count: tr_count(count, "1 item", "{count} items"),
    lambda low, high: tr("{low} to {high} items", low=low, high=high),
)
_FIELDS: Final = _Unit(
    lambda count: tr_count(count, "1 field", "{count} fields"),
    lambda low, high: tr("{low} to {high} fields", low=low, high=high),
)


def _counted(low: int | None, high: int | None, unit: _Unit) -> str:
    """Say how many there must be; one of the limits is none at most."""
    if low is None:
        return tr("at most {limit}", limit=unit.many(int(high or 0)))
    if high is None:
        return tr("at least {limit}", limit=unit.many(int(low)))
    return unit.many(int(low)) if low == high else unit.between(low, high)


def _wrong_count(of: str, unit: _Unit, name: str, schema: Schema, value: Any) -> Breach:
    wanted = _counted(schema.get(f"min{of}"), schema.get(f"max{of}"), unit)
    return Breach(tr("{name} must have {wanted}", name=name, wanted=wanted), tr("it has {count}", count=len(value)))


def _repeated(name: str, _: Schema, value: Any) -> Breach:
    twice = _repeated_item(value)
    return Breach(
        tr("{name} must hold each item once", name=name),
        "" if twice is None else tr("it holds {value} twice", value=given(value[twice])),
    )


def _repeated_item(values: Sequence[Any]) -> int | None:
    """Return the place of the first item that was there before; None when there are too many to look."""
    seen: set[Any] = set()
    for place, item in enumerate(values[:_MOST_COMPARED]):
        key = hashable(item)
        if key in seen:
            return place
        seen.add(key)
    return None


def _wrong_format(name: str, schema: Schema, value: Any) -> Breach:
    return must_be(name, FORMATS.get(schema["format"], schema["format"]), value)


def _wrong_contained(name: str, schema: Schema, value: Any, shapes: EffectiveSchemas) -> Breach:
    wanted = expectation(schema["contains"], shapes)
    least, most = schema.get("minContains", 1), schema.get("maxContains")
    if least == 1 and most is None:
        return Breach(
            tr("{name} must hold an item that is {wanted}", name=name, wanted=wanted),
            tr("none of its {count} is", count=len(value)),
        )
    bounds = _counted(schema.get("minContains"), most, _ITEMS)
    return Breach(
        tr("{name} must hold {bounds} of this kind: {wanted}", name=name, bounds=bounds, wanted=wanted),
        tr("it holds {count} of all kinds", count=len(value)),
    )


def _forbidden(part: Any, shapes: EffectiveSchemas) -> str:
    """Say what is ruled out, where that can be said shortly."""
    if isinstance(part, Mapping) and part.keys() <= {"const", "enum", "type", "title", "description"} and part:
        return expectation(part, shapes)
    return tr("a value its schema rules out")


def _needed_names(branches: Sequence[Any]) -> list[list[str]]:
    """Return the names each branch asks for, if that is all they ask."""
    names = [branch.get("required") for branch in branches if isinstance(branch, Mapping) and branch.keys() <= _NAMING]
    return names if len(names) == len(branches) and all(names) else []  # type: ignore[return-value]


def _wrong_names(name: str, keyword: str, needed: Sequence[Sequence[str]], value: Any) -> Breach:
    also = tr(" and ")
    words = tr(" or ").join(also.join(names) for names in needed[:_MOST_CHOICES])
    given_all = [names for names in needed if all(part in value for part in names)]
    if keyword == "oneOf" and len(given_all) > 1:
        both = also.join(also.join(names) for names in given_all[:_MOST_CHOICES])
        return Breach(
            tr("{name} must have only one of {names}", name=name, names=words), tr("it has {names}", names=both)
        )
    return Breach(
        tr("{name} must have {wanted}", name=name, wanted=words),
        tr("it has none of them") if len(needed) > 1 else tr("it has not"),
    )


def _wrong_kind(name: str, keyword: str, schema: Schema, value: Any, shapes: EffectiveSchemas) -> Breach:
    if keyword == "oneOf":
        fitting = sum(shapes.check.fits(value, branch) for branch in schema["oneOf"])
        if fitting > 1:
            return Breach(
                tr("{name} must be one kind of value only", name=name),
                tr("it fits {count} of the kinds its schema lists", count=fitting),
            )
    return must_be(name, expectation(schema, shapes), value)


_NAMING: Final = frozenset({"required", "title", "description"})
_MOST_COMPARED: Final = 1_000
_SENTENCES: Final[Mapping[str, Callable[[str, Schema, Any], Breach]]] = {
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
        lambda name, schema, value: must_be(name, _bounds(schema), value),
    ),
    **dict.fromkeys(("minLength", "maxLength"), partial(_wrong_count, "Length", _CHARACTERS)),
    **dict.fromkeys(("minItems", "maxItems"), partial(_wrong_count, "Items", _ITEMS)),
    **dict.fromkeys(("minProperties", "maxProperties"), partial(_wrong_count, "Properties", _FIELDS)),
    "uniqueItems": _repeated,
    "multipleOf": lambda name, schema, value: must_be(
        name, tr("a multiple of {step}", step=schema["multipleOf"]), value
    ),
    "pattern": lambda name, schema, value: Breach(
        tr("{name} must match {pattern}", name=name, pattern=one_line(schema["pattern"])), _is(value)
    ),
    "format": _wrong_format,
    "contentEncoding": lambda name, schema, value: Breach(
        tr("{name} must be written in {encoding}", name=name, encoding=schema["contentEncoding"]), _is(value)
    ),
}
