"""Schemas of servers that grow without end, or lead nowhere, when they are written in another form."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.schema import SchemaStyle, in_form

MOST_LETTERS = 6_000_000


def chain(count: int, members: int) -> dict[str, Any]:
    """Refer to each definition several times from the one before."""
    steps = {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * members} for n in range(count)}
    return {"$ref": "#/$defs/d0", "$defs": {**steps, f"d{count}": {"type": "string", "description": "x" * 1000}}}


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "array", "items": schema}
    return schema


LONG = {"type": "string", "description": "y" * 100_000, "enum": ["z" * 50_000]}
ATTACKS = {
    "doubling": chain(40, 2),
    "tenfold": chain(12, 10),
    "long words, often": {
        "properties": {f"p{n}": {"$ref": "#/$defs/long"} for n in range(4000)},
        "$defs": {"long": LONG},
    },
    "itself": {"$ref": "#"},
    "each other": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
    "words that grow": {
        "$ref": "#/$defs/w0",
        "$defs": {f"w{n}": {"$ref": f"#/$defs/w{n + 1}", "description": f"{n}" * 20_000} for n in range(300)},
    },
    "deep": nested(450),
    "into a list": {"anyOf": [{"$ref": "#/anyOf/1"}, {"$ref": "#/anyOf/0"}, {"$ref": "#/anyOf/99999999999999999999"}]},
    "into a value": {"default": {"type": "string"}, "$ref": "#/default"},
    "odd pointers": {"anyOf": [{"$ref": text} for text in ("#/", "#//", "#/%zz", "#/~", "#~1", "", "#/\ud800", "#a")]},
}


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("style", SchemaStyle)
def test_every_form_ends_and_stays_small(name: str, style: SchemaStyle) -> None:
    written = in_form(ATTACKS[name], style)
    if style is not SchemaStyle.DECLARED:
        text = json.dumps(written)
        assert len(text) < MOST_LETTERS
        assert '"$ref"' not in text


@given(
    st.dictionaries(
        st.sampled_from(["a", "b", "c"]),
        st.recursive(
            st.sampled_from([{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, {"$ref": "#"}, {"type": "integer"}]),
            lambda inner: st.one_of(
                st.builds(lambda part: {"items": part}, inner),
                st.builds(lambda parts: {"anyOf": parts}, st.lists(inner, min_size=1, max_size=3)),
                st.builds(lambda part: {"properties": {"x": part}, "description": "words"}, inner),
            ),
            max_leaves=6,
        ),
        min_size=1,
    )
)
def test_any_circle_of_references_is_cut(definitions: dict[str, Any]) -> None:
    document = {"$defs": definitions, "anyOf": [{"$ref": f"#/$defs/{name}"} for name in definitions]}
    for style in (SchemaStyle.INLINED, SchemaStyle.TITLED, SchemaStyle.OPENAPI):
        assert '"$ref"' not in json.dumps(in_form(document, style))
