"""Schemas that nobody thought of, with values that fit them and values that may not."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from console.schema_form import Document, EffectiveSchemas
from console.schema_form.checking import SchemaCheck, StepBudgetError, counting
from console.schema_form.paths import ABSENT, same, value_at
from tests.console.schema_gallery.test_gallery import opened
from tools.schema.soundness import SOUND

NAMES = st.sampled_from(["a", "b", "c", "kind", "x y", "ä"])
SMALL = st.integers(-3, 3)
TEXTS = st.text("abc ", max_size=4)
SCALARS = st.none() | st.booleans() | SMALL | st.floats(-2, 2).map(lambda number: round(number, 2)) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8
)


def with_rules(base: dict[str, Any], **rules: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Add some of several keywords to a schema."""
    return st.fixed_dictionaries({}, optional=rules).map(lambda chosen: {**base, **chosen})


LEAVES = st.one_of(
    with_rules({"type": "string"}, minLength=st.integers(0, 2), maxLength=st.integers(1, 4), title=TEXTS),
    with_rules({"type": "integer"}, minimum=SMALL, maximum=SMALL, multipleOf=st.integers(1, 3)),
    with_rules({"type": "number"}, exclusiveMinimum=SMALL, maximum=SMALL, default=SMALL),
    st.just({"type": "boolean"}),
    st.just({"type": "null"}),
    st.lists(SCALARS, min_size=1, max_size=3).map(lambda values: {"enum": values}),
    SCALARS.map(lambda value: {"const": value}),
    st.lists(st.sampled_from(["string", "integer", "null", "object", "array"]), min_size=1, unique=True).map(
        lambda kinds: {"type": kinds}
    ),
    st.just({"$ref": "#/$defs/node"}),
    st.booleans(),
)


def grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Put schemas into schemas."""
    several = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(NAMES, inner, max_size=3)
    names = st.lists(NAMES, max_size=2, unique=True)
    patterns = st.dictionaries(st.just("^[ab]"), inner)
    counts = st.integers(0, 3)
    return st.one_of(
        with_rules({"type": "object"}, properties=named, required=names, additionalProperties=inner),
        with_rules({"type": "object"}, properties=named, unevaluatedProperties=st.just(False), dependentSchemas=named),
        with_rules({}, properties=named, patternProperties=patterns, propertyNames=inner, minProperties=counts),
        with_rules({"type": "array"}, items=inner, minItems=counts, uniqueItems=st.booleans(), contains=inner),
        with_rules({"type": "array"}, prefixItems=several, items=inner, maxItems=counts),
        with_rules({}, anyOf=several, title=TEXTS),
        with_rules({}, oneOf=several, allOf=several),
        st.fixed_dictionaries({"if": inner, "then": inner, "else": inner}),
        inner.map(lambda part: {"not": part}),
    )


WORDS = st.sampled_from([*SOUND, "$id", "$anchor", "default", "if", "dependencies", "$dynamicAnchor", "const"])
NOT_A_PART = st.sampled_from([[], {}, "#/$defs/a", "#", [{}], {"a": True}, "[", -1, ["string"], "object", [["a"]]])
SCHEMAS = st.recursive(LEAVES, grown, max_leaves=10)
NODE = {"type": "object", "properties": {"a": {"$ref": "#/$defs/node"}, "b": {"type": "integer"}}}
QUIET = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))


def whole(schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"x": schema}, "$defs": {"node": NODE}}


@QUIET
@given(SCHEMAS, VALUES)
def test_a_document_is_right_exactly_when_the_library_says_so(schema: Any, value: Any) -> None:
    document = Document(whole(schema), {"x": value})

    assert (document.errors() == ()) is Draft202012Validator(whole(schema)).is_valid({"x": value})
    for error in document.errors():
        assert value_at(document.value(), error.path[:-1]) is not ABSENT
        assert error.message.isprintable()


@QUIET
@given(SCHEMAS, VALUES)
def test_each_document_opens_as_fields_and_is_left_as_it_is(schema: Any, value: Any) -> None:
    document = Document(whole(schema), {"x": value})
    for field in list(opened(document)):
        assert document.field(field.path).path == field.path
        assert document.expectation(field.path)

    assert same(document.value(), {"x": value})


@QUIET
@given(SCHEMAS, VALUES)
def test_a_choice_that_is_taken_back_leaves_no_trace(schema: Any, value: Any) -> None:
    document = Document(whole(schema), {"x": value})
    for field in list(opened(document)):
        for place in range(len(field.variants)):
            before = document.variant(field.path)
            document.choose_variant(field.path, place)
            assert document.variant(field.path) == place
            if place != before:
                document.undo()
            assert document.variant(field.path) == before
            assert same(document.value(), {"x": value})


def told(check: SchemaCheck, value: Any) -> list[tuple[list[str | int], str]]:
    return [(list(error.absolute_path), error.message) for error in check.errors(value).errors]


@QUIET
@given(SCHEMAS, VALUES, st.integers(1, 9))
def test_a_check_that_is_begun_again_finds_what_one_at_once_finds(schema: Any, value: Any, steps: int) -> None:
    long = {"x": [value] * 70, "y": {f"n{place}": value for place in range(70)}}
    root = {
        "properties": {"x": {"items": schema}, "y": {"additionalProperties": schema}},
        "$defs": {"node": NODE},
    }
    at_once, again = EffectiveSchemas(root).check, EffectiveSchemas(root).check
    for _ in range(3):
        with suppress(StepBudgetError):
            again.errors(long, counting(20 * steps))

    assert told(again, long) == told(at_once, long)


@QUIET
@given(SCHEMAS)
def test_what_a_form_starts_with_can_be_written_down_and_read(schema: Any) -> None:
    document = Document({**whole(schema), "required": ["x"]})
    other = Document(whole(schema), {})
    other.set_text(document.text)

    assert same(other.value(), document.value())


@QUIET
@given(
    st.recursive(VALUES, lambda inner: st.dictionaries(WORDS, inner | NOT_A_PART, max_size=5), max_leaves=12), VALUES
)
def test_what_is_no_schema_breaks_nothing(schema: Any, value: Any) -> None:
    document = Document({"properties": {"x": schema}, "$defs": {"a": schema}}, {"x": value})
    document.finish_checking()
    for field in list(opened(document)):
        assert document.branch(field.path).path == field.path
        assert document.expectation(field.path)

    assert same(document.value(), {"x": value})
