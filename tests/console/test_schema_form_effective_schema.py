"""What a schema asks of each place: conditions, branches, what is carried over; and that nothing can hang it."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from console.schema_form import ABSENT, Document, EffectiveSchemas, FieldKind

CAT = {
    "type": "object",
    "title": "Cat",
    "properties": {"kind": {"const": "cat"}, "name": {"type": "string"}, "lives": {"type": "integer", "default": 9}},
    "required": ["kind", "lives"],
}
DOG = {
    "type": "object",
    "description": "Barks",
    "properties": {"kind": {"const": "dog"}, "name": {"type": "string"}, "tricks": {"type": "array"}},
    "required": ["kind"],
}
PET = {"type": "object", "properties": {"pet": {"oneOf": [CAT, DOG]}}}
EITHER = {"properties": {"x": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}}}


def names(document: Document, *path: str) -> list[str]:
    return [field.name for field in document.fields(path)]


def test_conditions_decide_which_fields_there_are() -> None:
    schema = {
        "type": "object",
        "properties": {"mode": {"enum": ["file", "text"]}},
        "if": {"properties": {"mode": {"const": "file"}}, "required": ["mode"]},
        "then": {"properties": {"path": {"type": "string", "format": "path"}}, "required": ["path"]},
        "else": {"properties": {"text": {"type": "string"}}},
    }
    document = Document(schema, {})
    assert names(document) == ["mode", "text"]
    document.set(("mode",), "file")

    assert names(document) == ["mode", "path"]
    assert document.field(("path",)).required
    assert document.validity() == (False, 1, 2)
    document.undo()
    assert names(document) == ["mode", "text"]


def test_an_object_that_is_not_there_yet_is_shown_as_it_will_be() -> None:
    part = {
        "type": "object",
        "if": {"required": ["a"]},
        "then": {"properties": {"b": {"type": "string", "default": "then"}}},
        "else": {"properties": {"a": {"type": "string"}}},
    }
    document = Document({"properties": {"x": part, "y": {**part, "if": {"properties": {"a": {}}}}}}, {})

    assert names(document, "x") == ["a"]
    assert names(document, "y") == ["b"]
    assert document.initial_value(("y",)) == {"b": "then"}


def test_fields_that_stay_are_the_same_objects() -> None:
    document = Document(PET, {"pet": {"kind": "dog", "name": "a"}})
    pet, inside = document.field(("pet",)), document.fields(("pet",))
    document.set(("pet", "name"), "ab")

    assert document.field(("pet",)) is pet
    assert all(now is before for now, before in zip(document.fields(("pet",)), inside, strict=True))
    document.choose_variant(("pet",), 0)
    assert document.field(("pet",)) is pet
    document.choose_variant(("pet",), 1)
    assert all(now is before for now, before in zip(document.fields(("pet",)), inside, strict=True))


def test_variants_have_labels_and_know_their_tag() -> None:
    cat, dog = Document(PET).field(("pet",)).variants

    assert (cat.label, cat.discriminator, cat.tags) == ("Cat", "kind", ("cat",))
    assert (dog.label, dog.tags, dog.description) == ("dog", ("dog",), "Barks")


@pytest.mark.parametrize(
    ("schema", "labels"),
    [
        ({"type": ["string", "integer"]}, ["text", "a whole number"]),
        ({"anyOf": [{"$ref": "#/$defs/Point"}, {"type": "boolean"}]}, ["Point", "true or false"]),
        ({"anyOf": [{"enum": ["a", "b"]}, {"type": "number"}]}, ["a listed value", "a number"]),
        (
            {"anyOf": [{"type": "object", "required": ["u"]}, {"type": "object", "required": ["v", "w"]}]},
            ["an object with u", "an object with v, w"],
        ),
        ({"anyOf": [{"type": "array"}, {"type": "array", "minItems": 2}]}, ["a list 1", "a list 2"]),
    ],
)
def test_variants_without_a_title_are_named_by_what_they_are(schema: dict[str, Any], labels: list[str]) -> None:
    document = Document({"properties": {"x": schema}, "$defs": {"Point": {"type": "object"}}})

    assert [variant.label for variant in document.field(("x",)).variants] == labels


@pytest.mark.parametrize(
    ("value", "variant"),
    [({"kind": "dog"}, 1), ({"kind": "cat", "lives": "x"}, 0), ({"tricks": []}, 1), ({"lives": 1, "name": "a"}, 0)],
)
def test_the_variant_is_told_from_the_value(value: dict[str, Any], variant: int) -> None:
    assert Document(PET, {"pet": value}).variant(("pet",)) == variant


def test_names_that_fit_are_carried_over_and_the_rest_comes_back() -> None:
    document = Document(PET, {"pet": {"kind": "cat", "name": "Tom", "lives": 7}})
    document.choose_variant(("pet",), 1)
    assert document.value() == {"pet": {"kind": "dog", "name": "Tom"}}
    assert document.errors() == ()
    document.set(("pet", "name"), "Rex")
    document.set(("pet", "tricks"), ["sit"])
    document.choose_variant(("pet",), 0)
    assert document.value() == {"pet": {"kind": "cat", "name": "Rex", "lives": 7}}
    document.choose_variant(("pet",), 1)
    assert document.value() == {"pet": {"kind": "dog", "name": "Rex", "tricks": ["sit"]}}


def test_a_choice_can_be_taken_back() -> None:
    document = Document(PET, {"pet": {"kind": "cat", "lives": 7}})
    document.choose_variant(("pet",), 1)

    assert document.undo() == ("pet",)
    assert (document.variant(("pet",)), document.value()) == (0, {"pet": {"kind": "cat", "lives": 7}})
    assert document.redo() == ("pet",)
    assert document.variant(("pet",)) == 1


def test_a_choice_holds_while_nothing_is_entered_yet() -> None:
    document = Document({"properties": {"x": {"type": ["string", "integer"]}}}, {"x": "abc"})
    document.choose_variant(("x",), 1)

    assert document.get(("x",)) is ABSENT
    assert document.branch(("x",)).kind is FieldKind.INTEGER
    document.set(("x",), 5)
    assert document.variant(("x",)) == 1
    document.choose_variant(("x",), 0)
    assert document.get(("x",)) == "abc"


def test_a_choice_of_what_the_value_already_is_can_still_be_made() -> None:
    document = Document(EITHER, {})
    document.choose_variant(("x",), 1)

    assert document.value() == {"x": []}
    assert document.fields(("x",)) == ()
    assert document.branch(("x",)).kind is FieldKind.LIST


def test_another_text_decides_anew_which_variant_it_is() -> None:
    document = Document(EITHER, {"x": ["a"]})
    document.choose_variant(("x",), 0)
    document.set_text('{"x": ["b"]}')

    assert document.variant(("x",)) == 1


def test_what_was_picked_for_an_item_does_not_stay_at_its_place_for_another() -> None:
    schema = {"properties": {"l": {"type": "array", "items": {"type": ["string", "integer"]}}}}
    document = Document(schema, {"l": ["a", 1]})
    document.choose_variant(("l", 0), 1)
    document.set(("l",), ["b", 2])

    assert [document.variant(("l", place)) for place in range(2)] == [0, 1]


def test_a_pick_that_a_condition_took_away_counts_no_more() -> None:
    many = {"properties": {"x": {"type": ["string", "integer", "boolean"]}}}
    document = Document({"properties": {"k": {}}, "if": {"required": ["k"]}, "then": many, "else": EITHER}, {"k": 1})
    document.choose_variant(("x",), 2)
    document.unset(("x",))
    document.unset(("k",))

    assert document.variant(("x",)) == 0


def test_errors_are_those_of_the_variant_that_was_picked() -> None:
    schema = {
        "properties": {
            "x": {
                "oneOf": [
                    {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
                    {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]},
                ]
            }
        }
    }
    document = Document(schema, {"x": {}})
    for variant, path in ((1, ("x", "b")), (0, ("x", "a"))):
        document.choose_variant(("x",), variant)
        assert [error.path for error in document.errors()] == [path]


def test_parts_put_together_ask_for_all_of_it() -> None:
    parts = [{"type": ["integer", "string"], "minimum": 1, "multipleOf": 4}, {"$ref": "#/$defs/n"}]
    root = {
        "properties": {"x": {"allOf": parts, "title": "Ours"}},
        "$defs": {"n": {"type": "number", "minimum": 0, "maximum": 9, "multipleOf": 6, "title": "Theirs"}},
    }

    assert EffectiveSchemas(root).at(("x",), {}).schema == {
        "type": "integer",
        "minimum": 1,
        "maximum": 9,
        "multipleOf": 12,
        "title": "Ours",
    }


@pytest.mark.parametrize("other", [{"const": 2}, {"enum": [2, 3]}, {"type": "string"}])
def test_a_branch_that_contradicts_what_holds_anyway_is_no_choice(other: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"x": {"const": 1, "type": "integer", "anyOf": [other, {"title": "a"}]}}}

    assert Document(schema).field(("x",)).kind is FieldKind.CHOICE


def test_free_names_that_fit_are_carried_over() -> None:
    maps = [{"type": "object", "title": kind, "additionalProperties": {"type": kind}} for kind in ("integer", "string")]
    document = Document({"properties": {"x": {"anyOf": [*maps, {"type": "object", "title": "any"}]}}}, {"x": {"a": 1}})
    document.choose_variant(("x",), 2)
    assert document.value() == {"x": {"a": 1}}
    document.choose_variant(("x",), 1)
    assert document.value() == {"x": {}}
    document.choose_variant(("x",), 0)
    assert document.value() == {"x": {"a": 1}}


def test_names_that_a_closed_part_rules_out_have_no_field() -> None:
    closed = {"type": "object", "properties": {"a": {}}, "additionalProperties": False}
    document = Document({"properties": {"x": {"allOf": [closed, {"properties": {"a": {}, "b": {}}}]}}}, {})

    assert names(document, "x") == ["a"]


def test_parts_of_no_value_leave_nothing_to_choose() -> None:
    shapes = EffectiveSchemas(
        {"properties": {"x": {"oneOf": [{"type": "string"}, {"type": "integer"}], "type": "integer"}}}
    )

    assert shapes.at(("x",), {}).variants == ()
    assert shapes.at(("x",), {}).schema == {"type": "integer"}


def test_a_form_starts_with_the_tag_of_the_first_kind_where_one_is_needed() -> None:
    assert Document({**PET, "required": ["pet"]}).value() == {"pet": {"kind": "cat", "lives": 9}}


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"x": schema}}
    return schema


def exploding(levels: int) -> dict[str, Any]:
    """A schema whose unions multiply: two to the power of its levels."""
    parts: dict[str, Any] = {"d0": {"type": "object", "properties": {"a": {"type": "string"}}}}
    for level in range(1, levels):
        twice = [{"$ref": f"#/$defs/d{level - 1}"}, {"required": [f"n{level}"], "$ref": f"#/$defs/d{level - 1}"}]
        parts[f"d{level}"] = {"anyOf": twice, "type": "object"}
    return {"properties": {"x": {"$ref": f"#/$defs/d{levels - 1}"}}, "$defs": parts}


def circle(part: dict[str, Any]) -> dict[str, Any]:
    """A schema whose part `a` refers to itself."""
    return {"properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": {"a": part, "b": {"$ref": "#/$defs/a"}}}


def argument(schema: Any) -> dict[str, Any]:
    return {"properties": {"x": schema}}


ITSELF = {"$ref": "#/$defs/a"}
ENDLESS = "^(a|a|aa)+$"
HOSTILE: dict[str, dict[str, Any]] = {
    "deep": nested(300),
    "multiplying": exploding(40),
    "circle of references": circle({"$ref": "#/$defs/b"}),
    "circle of unions": circle({"anyOf": [ITSELF, {"type": "string"}]}),
    "circle of parts": circle({"allOf": [ITSELF, {"type": "string"}]}),
    "circle of conditions": circle({"if": ITSELF, "then": ITSELF}),
    "circle of denials": circle({"not": ITSELF}),
    "many kinds": argument({"anyOf": [{"type": "object", "properties": {"k": {"const": n}}} for n in range(300)]}),
    "kinds of kinds": argument(
        {"allOf": [{"anyOf": [{"type": kind, "title": str(n)} for kind in ("string", "array")]} for n in range(30)]}
    ),
    "endless pattern": argument({"type": "string", "pattern": ENDLESS}),
    "endless pattern of names": argument({"patternProperties": {ENDLESS: {"type": "integer"}}}),
    "broken pattern": argument({"pattern": "("}),
    "wrong words": {"type": 3, "$defs": [], **argument({"type": "text", "enum": 5, "items": 7, "required": True})},
    "no schema": argument(5),
    "addresses that are none": {
        "$id": "http://example.org/a",
        **argument({"$ref": "http://[::1#x", "items": {"$id": "http://[b", "$ref": "c"}}),
    },
    "strange references": argument({"$ref": "http://[::1", "items": {"$ref": "#/%zz/~9"}, "not": {"$id": "http://["}}),
}
VALUES: tuple[Any, ...] = ("a" * 60 + "!", 5, None, {"a" * 60 + "!": 1, "x": {}}, [{}, []], {"k": 200})


@pytest.mark.parametrize("name", HOSTILE)
def test_no_schema_hangs_or_breaks_the_form(name: str) -> None:
    for value in VALUES:
        document = Document(HOSTILE[name], {"x": value})
        document.finish_checking()
        (field, *_) = document.fields() or (document.field(("x",)),)
        document.branch(field.path)
        document.fields(("x",))
        document.set(("x",), 7)
        document.errors()
        document.validity()
        assert document.value()["x"] == 7


def test_what_no_field_can_show_says_why() -> None:
    endless = {"anyOf": [ITSELF]}
    schemas = {**HOSTILE, "endless union": circle(endless)}
    told = ("circle of references", "endless union", "many kinds")
    notes = {name: Document(schemas[name]).field(("x",)).note for name in told}

    assert notes == {
        "circle of references": "edited as JSON: its schema refers to itself without end",
        "endless union": "edited as JSON: its schema seems to allow no value",
        "many kinds": "edited as JSON: its schema allows more than 64 kinds of value",
    }


def test_what_is_wrong_in_a_schema_is_left_out_and_the_rest_is_checked() -> None:
    document = Document({"properties": {"a": {"type": "text"}, "b": {"type": "integer"}}}, {"a": 1, "b": "x"})

    assert [error.path for error in document.errors()] == [("b",)]


def test_a_large_document_is_checked_in_a_thread() -> None:
    schema = {"properties": {"rows": {"type": "array", "items": {"type": "object", "required": ["a"]}}}}
    rows: list[dict[str, Any]] = [{"a": 1} for _ in range(5_000)]
    document = Document(schema, {"rows": [*rows, {}]})
    heard: list[int] = []
    document.subscribe(lambda: heard.append(1))

    assert not document.is_checked
    assert document.errors() == ()
    assert not heard
    document.finish_checking()
    assert heard == [1]
    assert [error.path for error in document.errors()] == [("rows", 5_000, "a")]
    document.set(("note",), "a")
    assert document.check_more()
    assert [error.path for error in document.errors()] == [("rows", 5_000, "a")]
    document.set(("rows", 5_000, "a"), 1)
    document.finish_checking()
    assert document.errors() == ()


def test_errors_are_found_again_where_a_long_list_was_left() -> None:
    schema = {"properties": {"l": {"type": "array", "items": {"type": "integer"}, "contains": {"minimum": 5_000}}}}
    items: list[Any] = list(range(6_000))
    items[10] = items[4_000] = "x"
    document = Document(schema, {"l": items})
    document.finish_checking()

    assert [error.path for error in document.errors()] == [("l", 10), ("l", 4_000)]


def test_what_would_take_too_long_is_left_to_the_tool() -> None:
    listed = [{"not": {"const": number}} for number in range(30_000)]
    ticks = count()
    # Each look at this clock finds a millisecond gone.
    document = Document({"properties": {"x": {"allOf": listed}}}, {"x": -1}, lambda: next(ticks) / 1000)
    document.finish_checking()

    assert document.errors() == ()
    assert document.is_checked
