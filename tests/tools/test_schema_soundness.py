"""What many schemas have in common is looked through once, and means what it means alone."""

from __future__ import annotations

from typing import Any

import pytest

from tools.schema.soundness import SharedParts, fault_of


def schema_of(definitions: dict[str, Any], first: str = "a") -> dict[str, Any]:
    return {"type": "object", "properties": {"it": {"$ref": f"#/$defs/{first}"}}, "$defs": definitions}


SOUND: dict[str, Any] = {
    "a": {"type": "object", "properties": {"b": {"$ref": "#/$defs/b"}, "all": {"$ref": "#"}}},
    "b": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/c"}]},
    "c": True,
}


@pytest.mark.parametrize(
    ("definitions", "words"),
    [
        (SOUND, ""),
        ({**SOUND, "b": {"type": "thing"}}, "array"),
        ({**SOUND, "b": {"$ref": "#/$defs/gone"}}, "leads nowhere"),
        ({**SOUND, "b": {"$ref": "#/properties/it/$ref"}}, "which is no schema"),
        ({**SOUND, "b": {"$ref": "https://example.org/x"}}, "nothing is fetched"),
        ({**SOUND, "b": {"description": "\ud800"}}, "half a letter"),
        ({**SOUND, "\ud800": {}}, "half a letter"),
        ({"a": {"properties": {"~": {"$ref": "#/$defs/%61"}}}}, ""),
    ],
)
def test_a_shared_part_has_the_fault_that_it_has_alone(definitions: dict[str, Any], words: str) -> None:
    shared = SharedParts()
    alone = fault_of(schema_of(definitions))
    assert (words in alone.words) if alone is not None else not words
    for first in ("a", "a", "b" if "b" in definitions else "a"):
        assert fault_of(schema_of(definitions, first), shared) == fault_of(schema_of(definitions, first))


def test_all_shared_parts_count_for_the_size() -> None:
    shared = SharedParts()
    definitions = {f"d{number}": {"enum": ["x"] * 1_000} for number in range(400)}
    schema = schema_of(definitions, "d0")
    assert fault_of(schema, shared) == fault_of(schema)
    assert fault_of(schema, shared) is not None


def test_a_shared_part_is_looked_through_once() -> None:
    shared = SharedParts()
    assert fault_of(schema_of(SOUND), shared) is None
    known = dict(shared.sound)
    assert fault_of(schema_of(SOUND, "b"), shared) is None
    assert shared.sound == known
    assert {id(part) for part in SOUND.values()} == known.keys()
