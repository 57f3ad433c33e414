"""Say in one line what an argument should be and what it is instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from console.language import tr
from console.schema_form.effective_schema import EffectiveSchemas
from console.schema_form.fields import choices_of, range_words, type_named
from console.schema_form.flat_schema import Schema
from console.schema_form.messages import FORMATS, TYPE_WORDS, given
from console.schema_form.paths import one_line
from tools.schema.bounded import hashable

_MOST_CHOICES: Final = 8


def expectation(part: Any, shapes: EffectiveSchemas) -> str:
    """Say what a part of a schema asks for: `a whole number from 1 to 50`, `text or null`."""
    shape = shapes.shape(part)
    if shape.variants:
        words = [_phrase(variant.schema) for variant in shape.variants[:_MOST_CHOICES]]
        if len(shape.variants) > _MOST_CHOICES:
            words.append(tr("something else"))
    else:
        words = [_phrase(shape.schema)]
    return " or ".join(dict.fromkeys([*words, "null"] if shape.nullable else words))


def listed(values: Sequence[Any]) -> str:
    """List values as a choice: `"a", "b" or "c"`; the ninth and later are counted."""
    shown = [given(value) for value in values[:_MOST_CHOICES]]
    if len(values) == 1:
        return shown[0]
    if len(values) > _MOST_CHOICES:
        return tr("one of {shown} or {values} more", shown=", ".join(shown), values=len(values) - _MOST_CHOICES)
    return tr("{shown} or {shown2}", shown=", ".join(shown[:-1]), shown2=shown[-1])


def sentence(name: str, keyword: str, schema: Schema, value: Any, shapes: EffectiveSchemas) -> str:
    """Say how a value breaks one keyword of its schema.

    Returns:
        What was expected and what came, without a full stop.
    """
    write = _SENTENCES.get(keyword)
    if write is not None:
        return write(name, schema, value)
    if keyword in {"contains", "minContains", "maxContains"}:
        return _wrong_contained(name, schema, value, shapes)
    if keyword == "not":
        return tr(
            "{name} must not be {schema}; it is {value}",
            name=name,
            schema=_forbidden(schema["not"], shapes),
            value=given(value),
        )
    if keyword in {"anyOf", "oneOf"} and (needed := _needed_names(schema[keyword])):
        return _wrong_names(name, keyword, needed, value)
    if keyword in {"type", "anyOf", "oneOf", "enum", "const"}:
        return _wrong_kind(name, keyword, schema, value, shapes)
    return tr(
        "{name} does not fit the rule {keyword!r} of its schema; it is {value}",
        name=name,
        keyword=keyword,
        value=given(value),
    )


def _phrase(schema: Schema) -> str:
    choices = choices_of(schema)
    if choices:
        return listed([choice.value for choice in choices])
    kind = type_named(schema)
    if kind == "string" and schema.get("format") in FORMATS:
        return FORMATS[schema["format"]]
    bounds = _bounds(schema)
    return f"{TYPE_WORDS.get(kind, 'a value of another kind')}{f' {bounds}' if bounds else ''}"


def _bounds(schema: Schema) -> str:
    words = range_words(schema, joint=" and ")
    return tr("from {words}", words=words) if words[:1].isdecimal() or words.startswith("-") else words


def _counted(schema: Schema, low_key: str, high_key: str, unit: str) -> str:
    low, high = schema.get(low_key), schema.get(high_key)
    if low is not None and high is not None and low != high:
        return tr("{low} to {high} {unit}s", low=low, high=high, unit=unit)
    exact = low if low == high else None
    limit = next(number for number in (exact, low, high) if number is not None)
    words = "" if exact is not None else (tr("at least ") if low is not None else tr("at most "))
    return f"{words}{limit} {unit}{'' if limit == 1 else 's'}"


def _wrong_count(of: str, unit: str, name: str, schema: Schema, value: Any) -> str:
    return tr(
        "{name} must have {schema}; it has {value}",
        name=name,
        schema=_counted(schema, f"min{of}", f"max{of}", unit),
        value=len(value),
    )


def _repeated(name: str, _: Schema, value: Any) -> str:
    twice = _repeated_item(value)
    return tr("{name} must hold each item once", name=name) + (
        "" if twice is None else tr("; it holds {value} twice", value=given(value[twice]))
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


def _wrong_format(name: str, schema: Schema, value: Any) -> str:
    kind = schema["format"]
    return tr("{name} must be {formats}; it is {value}", name=name, formats=FORMATS.get(kind, kind), value=given(value))


def _wrong_contained(name: str, schema: Schema, value: Any, shapes: EffectiveSchemas) -> str:
    wanted = expectation(schema["contains"], shapes)
    least, most = schema.get("minContains", 1), schema.get("maxContains")
    if least == 1 and most is None:
        return tr(
            "{name} must hold an item that is {wanted}; none of its {value} is",
            name=name,
            wanted=wanted,
            value=len(value),
        )
    limits = {"low": schema.get("minContains"), "high": most}
    bounds = _counted(limits, "low", "high", "item")
    return tr(
        "{name} must hold {bounds} of this kind: {wanted}; it holds {value} of all kinds",
        name=name,
        bounds=bounds,
        wanted=wanted,
        value=len(value),
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


def _wrong_names(name: str, keyword: str, needed: Sequence[Sequence[str]], value: Any) -> str:
    words = " or ".join(" and ".join(names) for names in needed[:_MOST_CHOICES])
    given_all = [names for names in needed if all(part in value for part in names)]
    if keyword == "oneOf" and len(given_all) > 1:
        both = " and ".join(" and ".join(names) for names in given_all[:_MOST_CHOICES])
        return tr("{name} must have only one of {words}; it has {both}", name=name, words=words, both=both)
    return f"{name} must have {words}; it has {'none of them' if len(needed) > 1 else 'not'}"


def _wrong_kind(name: str, keyword: str, schema: Schema, value: Any, shapes: EffectiveSchemas) -> str:
    if keyword == "oneOf":
        fitting = sum(shapes.check.fits(value, branch) for branch in schema["oneOf"])
        if fitting > 1:
            return tr(
                "{name} must be one kind of value only; it fits {fitting} of the kinds its schema lists",
                name=name,
                fitting=fitting,
            )
    return tr(
        "{name} must be {schema}; it is {value}", name=name, schema=expectation(schema, shapes), value=given(value)
    )


_NAMING: Final = frozenset({"required", "title", "description"})
_MOST_COMPARED: Final = 1_000
_SENTENCES: Final[Mapping[str, Callable[[str, Schema, Any], str]]] = {
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
        lambda name, schema, value: tr(
            "{name} must be {schema}; it is {value}", name=name, schema=_bounds(schema), value=given(value)
        ),
    ),
    **dict.fromkeys(("minLength", "maxLength"), partial(_wrong_count, tr("Length"), "character")),
    **dict.fromkeys(("minItems", "maxItems"), partial(_wrong_count, tr("Items"), "item")),
    **dict.fromkeys(("minProperties", "maxProperties"), partial(_wrong_count, tr("Properties"), "field")),
    "uniqueItems": _repeated,
    "multipleOf": lambda name, schema, value: tr(
        "{name} must be a multiple of {schema}; it is {value}",
        name=name,
        schema=schema["multipleOf"],
        value=given(value),
    ),
    "pattern": lambda name, schema, value: tr(
        "{name} must match {schema}; it is {value}", name=name, schema=one_line(schema["pattern"]), value=given(value)
    ),
    "format": _wrong_format,
    "contentEncoding": lambda name, schema, value: tr(
        "{name} must be written in {schema}; it is {value}",
        name=name,
        schema=schema["contentEncoding"],
        value=given(value),
    ),
}
