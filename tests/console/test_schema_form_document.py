"""The document behind the form: values, text, drafts, undo; and what is wrong, in words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies

from console.schema_form import (
    ABSENT,
    Document,
    FieldErrorKind,
    PendingInput,
    label,
    parse_object,
    parse_value,
    write_json,
)
from console.schema_form.paths import removed, replaced, same, value_at

SEARCH: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["pattern", "path"],
    "properties": {
        "pattern": {"type": "string", "minLength": 1},
        "path": {"type": "string", "format": "path"},
        "max_results": {"type": "integer", "minimum": 1, "maximum": 5000, "default": 200},
        "include": {"type": "array", "items": {"type": "string", "pattern": "^[*a-z.]+$"}, "default": []},
        "context": {"anyOf": [{"$ref": "#/$defs/Context"}, {"type": "null"}], "default": None},
    },
    "$defs": {
        "Context": {
            "type": "object",
            "required": ["before"],
            "properties": {"before": {"type": "integer", "minimum": 0}, "after": {"type": "integer"}},
        }
    },
}

json_values = strategies.recursive(
    strategies.none()
    | strategies.booleans()
    | strategies.integers()
    | strategies.floats(allow_nan=False, allow_infinity=False)
    | strategies.text(),
    lambda inner: strategies.lists(inner, max_size=4) | strategies.dictionaries(strategies.text(), inner, max_size=4),
    max_leaves=12,
)
json_objects = strategies.dictionaries(strategies.text(), json_values, max_size=5)


def messages(document: Document) -> list[str]:
    return [error.message for error in document.errors()]


def of_one(schema: dict[str, Any], value: Any, required: bool = True) -> list[str]:
    whole = {"type": "object", "properties": {"x": schema}, "required": ["x"] if required else []}
    return messages(Document(whole, {"x": value}))


@settings(max_examples=40)
@given(json_objects)
def test_text_and_value_are_the_same_document(value: dict[str, Any]) -> None:
    document = Document({}, value)
    text = document.text
    other = Document()
    other.set_text(text)

    assert same(other.value(), value)
    assert other.text == text
    assert other.errors() == ()


@settings(max_examples=40)
@given(json_values)
def test_written_json_is_read_back_exactly(value: Any) -> None:
    read, problem = parse_value(write_json(value))

    assert problem is None
    assert same(read, value)


@settings(max_examples=40)
@given(json_objects, strategies.lists(strategies.text(max_size=3), min_size=1, max_size=3), json_values)
def test_setting_a_value_changes_that_place_only(value: dict[str, Any], names: list[str], new: Any) -> None:
    path = tuple(names)
    before = json.dumps(value)
    try:
        after = replaced(value, path, new)
    except LookupError:
        return
    assert same(value_at(after, path), new)
    assert json.dumps(value) == before
    assert all(same(after[name], inner) for name, inner in value.items() if name != names[0])
    assert value_at(removed(after, path), path) is ABSENT


@settings(max_examples=40)
@given(strategies.lists(strategies.tuples(strategies.sampled_from("abc"), json_values), max_size=8))
def test_undo_goes_back_to_the_beginning_and_redo_to_the_end(edits: list[tuple[str, Any]]) -> None:
    document = Document({}, {"a": 0})
    for name, value in edits:
        document.set((name,), value)
    end = document.value()
    while document.undo() is not None:
        pass
    assert document.value() == {"a": 0}
    while document.redo() is not None:
        pass
    assert same(document.value(), end)


def test_big_numbers_stay_exact() -> None:
    document = Document()
    document.set_text('{"id": 123456789012345678901234567890, "rate": 0.1}')

    assert document.value() == {"id": 123456789012345678901234567890, "rate": 0.1}
    document.set(("other",), 1)
    assert "123456789012345678901234567890" in document.text


def test_a_form_starts_with_the_defaults_that_are_not_null() -> None:
    assert Document(SEARCH).value() == {"max_results": 200, "include": []}


def test_required_objects_start_empty_and_recursive_ones_are_left_to_the_person() -> None:
    tree: dict[str, Any] = {
        "type": "object",
        "required": ["root", "options"],
        "properties": {
            "root": {"$ref": "#/$defs/node"},
            "options": {"type": "object", "properties": {"deep": {"type": "boolean", "default": True}}},
        },
        "$defs": {
            "node": {
                "type": "object",
                "required": ["child"],
                "properties": {"child": {"$ref": "#/$defs/node"}},
            }
        },
    }
    assert Document(tree).initial_value() == {"root": {}, "options": {"deep": True}}


def test_invalid_text_is_kept_as_typed_and_the_value_stays() -> None:
    document = Document(SEARCH, {"pattern": "a", "path": "."})
    document.set_text('{\n  "pattern": "b"\n  "path": "."}')

    assert document.value() == {"pattern": "a", "path": "."}
    assert document.text == '{\n  "pattern": "b"\n  "path": "."}'
    assert str(document.text_problem) == "line 3, column 3: expected a comma"
    assert messages(document) == ["line 3, column 3: expected a comma"]


def test_good_text_keeps_its_own_layout_until_the_form_changes_something() -> None:
    document = Document(SEARCH)
    document.set_text('{"pattern":"b",   "path":"."}')
    assert document.text == '{"pattern":"b",   "path":"."}'

    document.set(("pattern",), "c")
    assert document.text == '{\n  "pattern": "c",\n  "path": "."\n}'


def test_arguments_stand_in_the_order_of_the_schema() -> None:
    document = Document(SEARCH, {"extra": 1})
    document.set(("context", "after"), 2)
    document.set(("context", "before"), 1)
    document.set(("path",), ".")
    document.set(("pattern",), "x")
    document.set(("other",), 2)

    assert list(document.value()) == ["pattern", "path", "context", "extra", "other"]
    assert list(document.value()["context"]) == ["before", "after"]


def test_unknown_arguments_survive_the_form() -> None:
    document = Document({"type": "object", "properties": {"a": {"type": "integer"}}})
    document.set_text('{"a": 1, "extra": {"deep": [1, 2]}}')
    document.set(("a",), 2)
    document.unset(("a",))

    assert document.value() == {"extra": {"deep": [1, 2]}}


def test_true_is_not_one_and_one_is_not_one_point_nought() -> None:
    document = Document({}, {"x": 1})
    document.set(("x",), True)
    assert document.value()["x"] is True
    document.set(("x",), 1.0)
    assert isinstance(document.value()["x"], float)


def test_a_draft_is_kept_until_a_value_takes_its_place() -> None:
    document = Document(SEARCH, {"pattern": "a", "path": ".", "max_results": 5})
    document.reject(("max_results",), "5x", 'max_results must be a whole number; it is "5x"')

    assert document.value()["max_results"] == 5
    assert messages(document) == ['max_results must be a whole number; it is "5x"']
    document.set(("max_results",), 6)
    assert document.draft(("max_results",)) is None
    assert messages(document) == []


def test_a_document_that_was_handed_out_stays_as_it_was() -> None:
    document = Document({}, {"a": [1]})
    handed = document.value()
    handed["a"].append(2)

    assert document.value() == {"a": [1]}


def test_listeners_hear_changes_until_they_stop_listening() -> None:
    document = Document({}, {"a": 1})
    heard: list[dict[str, Any]] = []

    def listen() -> None:
        heard.append(document.value())

    stop = document.subscribe(listen)
    document.set(("a",), 1)
    document.set(("a",), 2)
    stop()
    stop()
    document.set(("a",), 3)

    assert heard == [{"a": 2}]


def test_letters_typed_into_one_field_are_one_step_of_undo() -> None:
    document = Document({}, {})
    for text in ("T", "TO", "TOD"):
        document.set(("pattern",), text)
    document.set(("path",), ".")

    assert document.undo() is not None
    assert document.value() == {"pattern": "TOD"}
    assert document.undo() is not None
    assert document.value() == {}
    assert document.undo() is None


def test_a_pause_in_the_typing_begins_another_step() -> None:
    now = [0.0]
    document = Document({}, {}, clock=lambda: now[0])
    for at, text in ((0.0, "T"), (0.9, "TO"), (2.0, "TOD")):
        now[0] = at
        document.set(("pattern",), text)

    assert document.undo() == ("pattern",)
    assert document.value() == {"pattern": "TO"}
    assert document.undo() == ("pattern",)
    assert document.value() == {}


def test_undo_says_where_the_change_was() -> None:
    document = Document({}, {"a": {"b": [1, 2, 3]}, "c": 1})
    document.set(("a", "b", 1), 5)
    document.replace({"a": {"b": [1, 2, 3, 4]}, "c": 2})
    document.reject(("c",), "x", "no number")

    assert document.undo() == ("c",)
    assert document.undo() == ()
    assert document.undo() == ("a", "b", 1)


def test_a_new_schema_begins_anew() -> None:
    document = Document(SEARCH)
    document.set(("pattern",), "x")
    document.reset({"type": "object", "properties": {"n": {"type": "integer", "default": 3}}})

    assert document.value() == {"n": 3}
    assert document.undo() is None


def test_the_count_is_of_the_tools_own_arguments() -> None:
    document = Document(SEARCH)
    assert document.validity() == (False, 3, 5)

    document.set(("pattern",), "x")
    document.set(("path",), ".")
    assert document.validity() == (True, 5, 5)
    document.set(("unknown",), 1)
    assert document.validity() == (False, 5, 5)
    assert messages(document) == ["unknown is not an argument of this tool"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1, column 1: expected a value, but the text ends here"),
        ("[1]", "line 1, column 1: expected an object in braces, such as {}"),
        ('{"a" 1}', "line 1, column 6: expected a colon"),
        ('{"a": 1', "line 1, column 8: expected a comma, but the text ends here"),
        ('{"a": "x}', "line 1, column 7: this text has no closing quote"),
        ('{"a": "x\ny"}', "line 1, column 9: a line break or tab inside quotes is written as \\n or \\t"),
        ('{"a": "\\x"}', "line 1, column 8: expected an escape such as \\n or \\\\ after the backslash"),
        ('{"a": NaN}', "line 1, column 7: expected a number, got NaN, which JSON does not know"),
        ('{"a": 1e999}', "line 1, column 7: expected a number below 1.8e308, got 1e999"),
        ('{\n"a": 1,\n"a": 2}', "line 3, column 1: expected each name once, got 'a' twice"),
        ('{"a": "\\ud83d"}', "line 1, column 8: expected both halves of the character that \\ud83d begins"),
        ('{"a": 1} x', "line 1, column 10: expected nothing after the closing brace"),
        ('{"a": tru}', "line 1, column 7: expected a value"),
    ],
)
def test_text_problems_say_where_and_what(text: str, problem: str) -> None:
    value, found = parse_object(text)

    assert value is None
    assert str(found) == problem


def test_letters_written_as_two_escapes_are_one() -> None:
    assert parse_object('{"a": "\\ud83d\\ude00"}')[0] == {"a": "😀"}


def test_hostile_text_is_a_problem_and_no_crash() -> None:
    _, deep = parse_object('{"a":' * 200_000)
    _, long = parse_object(f'{{"a": {"9" * 5000}}}')

    assert deep is not None
    assert "inside each other" in deep.message
    assert long is not None
    assert "4300 digits" in long.message


@pytest.mark.parametrize(
    ("schema", "value", "message"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 5000}, 9000, "x must be from 1 to 5000; it is 9000"),
        ({"type": "number", "exclusiveMinimum": 0}, 0, "x must be more than 0; it is 0"),
        ({"type": "integer"}, "a", 'x must be a whole number; it is "a"'),
        ({"type": "integer"}, True, "x must be a whole number; it is true"),
        ({"type": "string", "minLength": 3, "maxLength": 5}, "ab", "x must have 3 to 5 characters; it has 2"),
        ({"type": "string", "minLength": 1}, "", "x must have at least 1 character; it has 0"),
        ({"type": "string", "pattern": "^a+$"}, "b", 'x must match ^a+$; it is "b"'),
        ({"enum": ["a", "b"]}, "c", 'x must be "a" or "b"; it is "c"'),
        ({"const": 7}, 8, "x must be 7; it is 8"),
        ({"type": "array", "maxItems": 2}, [1, 2, 3], "x must have at most 2 items; it has 3"),
        ({"type": "array", "uniqueItems": True}, [1, 2, 1], "x must hold each item once; it holds 1 twice"),
        ({"type": "array", "items": {"type": "string"}}, ["a", 2], "x[1] must be text; it is 2"),
        ({"type": "integer", "multipleOf": 5}, 7, "x must be a multiple of 5; it is 7"),
        ({"type": "string", "format": "date"}, "soon", 'x must be a date such as 2026-03-31; it is "soon"'),
        ({"type": "string", "format": "date-time"}, "2026-03-31", "x must be a date and time such as"),
        ({"type": "string", "format": "time"}, "25:00", "x must be a time such as 09:30:00"),
        ({"type": "string", "format": "uuid"}, "1", "x must be a UUID"),
        ({"type": "string", "format": "email"}, "me", "x must be an e-mail address"),
        ({"type": "string", "format": "ipv4"}, "999.1.1.1", "x must be an IPv4 address"),
        ({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}, 0, "x must be at least 1; it is 0"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "a", 'x must be a whole number or null; it is "a"'),
        ({"type": "object", "required": ["y"]}, {}, "x.y is required"),
        ({"type": "object", "additionalProperties": False}, {"y": 1}, "x.y is not an argument of this tool"),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "x.b is required when a is given"),
        ({"type": "object", "minProperties": 1}, {}, "x must have at least 1 field; it has 0"),
        ({"not": {"type": "string"}}, "a", 'x must not be text; it is "a"'),
        (False, 1, "x is not accepted by this tool"),
        ({"contains": {"type": "integer"}}, ["a"], "x must hold an item that is a whole number; none of its 1 is"),
        (
            {"contains": {"type": "integer"}, "maxContains": 1},
            [1, 2, "a"],
            "x must hold at most 1 item of this kind: a whole number; it holds 3 of all kinds",
        ),
        (
            {"anyOf": [{"required": ["a"]}, {"required": ["b", "c"]}]},
            {},
            "x must have a or b and c; it has none of them",
        ),
        (
            {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {"a": 1, "b": 1},
            "x must have only one of a or b; it has",
        ),
        ({"oneOf": [{"minimum": 1}, {"minimum": 2}]}, 3, "x must be one kind of value only; it fits 2 of the kinds"),
        ({"prefixItems": [{}], "items": False}, [1, 2], "x[1] is one too many; x must have at most 1"),
        ({"contentEncoding": "base64"}, "%", 'x must be written in base64; it is "%"'),
        ({"type": "string", "format": "duration"}, "1h", "x must be a duration such as PT1H30M"),
        ({"type": "number"}, None, "x must be a number; it is null"),
        (
            {"propertyNames": {"maxLength": 1}},
            {"ab": 1},
            "x.ab cannot be called so: a name must have at most 1 character; it has 2",
        ),
        ({"not": {"required": ["a"]}}, {"a": 1}, "x must not be a value its schema rules out; it is an object"),
    ],
)
def test_each_bad_value_is_named_in_our_words(schema: Any, value: Any, message: str) -> None:
    found = of_one(schema, value)

    assert len(found) == 1
    assert found[0].startswith(message)


def test_tagged_objects_are_judged_by_the_branch_their_tag_names() -> None:
    schema = {
        "oneOf": [
            {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}},
            {"type": "object", "properties": {"kind": {"const": "dog"}, "tricks": {"type": "integer"}}},
        ]
    }

    assert of_one(schema, {"kind": "dog", "tricks": "many"}) == ['x.tricks must be a whole number; it is "many"']


def test_what_is_missing_is_told_from_what_does_not_fit() -> None:
    errors = Document(SEARCH, {"context": {}, "path": 5}).errors()

    assert {(label(error.path), error.kind) for error in errors} == {
        ("pattern", FieldErrorKind.MISSING),
        ("path", FieldErrorKind.INVALID),
        ("context.before", FieldErrorKind.MISSING),
    }


def test_a_pattern_that_never_ends_does_not_hang_the_window() -> None:
    assert of_one({"type": "string", "pattern": "^(a|a|aa)+$"}, "a" * 60 + "!") != []


def test_no_reference_is_fetched() -> None:
    document = Document({"properties": {"x": {"$ref": "https://example.org/schema.json"}}}, {"x": 1})

    assert document.errors() == ()
    assert document.field(("x",)).note.startswith("edited as JSON: its schema refers to something outside it")


def test_a_broken_schema_leaves_the_judgement_to_the_tool() -> None:
    assert Document({"type": "objekt"}, {"x": 1}).errors() == ()


def test_what_was_typed_into_an_item_moves_with_it() -> None:
    document = Document({"properties": {"x": {"type": "array", "items": {"type": "integer"}}}}, {"x": [1, 2, 3]})
    document.reject(("x", 2), "3a", "no number")

    document.rearrange(("x",), [2, 0, None], [7])
    assert document.value() == {"x": [3, 1, 7]}
    assert document.draft(("x", 0)) == PendingInput("3a", "no number")
    assert document.draft(("x", 2)) is None

    document.undo()
    assert document.value() == {"x": [1, 2, 3]}
    assert document.draft(("x", 2)) == PendingInput("3a", "no number")


def test_a_list_that_is_not_there_is_made_by_its_first_item() -> None:
    document = Document({"properties": {"x": {"type": "array"}}})
    document.rearrange(("x",), [None], ["a"])

    assert document.value() == {"x": ["a"]}


def test_a_renamed_value_stays_in_its_place_with_what_was_typed_into_it() -> None:
    document = Document({"properties": {"x": {"type": "object"}}}, {"x": {"a": 1, "b": 2, "c": 3}})
    document.reject(("x", "b"), "2a", "no number")
    for name in ("bo", "bod", "body"):
        document.rename(("x",), next(iter(list(document.get(("x",)))[1:])), name)

    assert list(document.value()["x"].items()) == [("a", 1), ("body", 2), ("c", 3)]
    assert document.draft(("x", "body")) == PendingInput("2a", "no number")
    document.rename(("x",), "body", "c")
    assert list(document.value()["x"]) == ["a", "body", "c"]
    document.undo()
    assert list(document.value()["x"]) == ["a", "b", "c"]


def test_a_place_behind_the_end_of_a_list_fills_it_up_with_null() -> None:
    assert replaced({"x": [1]}, ("x", 3), 4) == {"x": [1, None, None, 4]}


KINDS: dict[str, Any] = {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "boolean"}]}


def test_another_kind_is_chosen_although_the_value_is_none_of_it() -> None:
    document = Document({"properties": {"x": KINDS}}, {"x": 12})
    document.choose_variant(("x",), 1)

    assert document.value() == {}
    assert document.variant(("x",)) == 1
    document.choose_variant(("x",), 0)
    assert document.value() == {"x": 12}


def test_an_item_of_another_kind_stays_in_its_place() -> None:
    document = Document({"properties": {"x": {"type": "array", "items": KINDS}}}, {"x": [1, 2]})
    document.choose_variant(("x", 0), 1)

    assert document.value() == {"x": ["", 2]}


class TestAnotherSchemaOfTheSameArguments:
    @staticmethod
    def schema(**properties: dict[str, Any]) -> dict[str, Any]:
        return {"type": "object", "properties": properties, "additionalProperties": False}

    def test_values_stay_new_arguments_have_defaults_and_untouched_ones_follow_theirs(self) -> None:
        text, number = {"type": "string"}, {"type": "integer", "default": 1}
        document = Document(self.schema(word=text, times=number, most=number))
        document.set(("word",), "hello")
        document.set(("most",), 5)
        told: list[dict[str, Any]] = []
        document.subscribe(lambda: told.append(document.value()))
        other = {"type": "integer", "default": 7}
        document.change_schema(
            self.schema(new={"type": "boolean", "default": True}, word=text, times=other, most=other)
        )
        assert document.value() == {"new": True, "word": "hello", "times": 7, "most": 5}
        assert list(document.value()) == ["new", "word", "times", "most"]
        assert told == [document.value()]
        assert document.undo() is None

    def test_what_is_no_value_yet_stays_as_typed(self) -> None:
        schema = self.schema(times={"type": "integer"})
        document = Document(schema)
        document.reject(("times",), "2x", "expected a whole number")
        document.change_schema(self.schema(times={"type": "integer"}, more={"type": "string"}))
        draft = document.draft(("times",))
        assert draft is not None
        assert draft.text == "2x"
        document.change_schema(self.schema(times={"type": "string"}))
        assert document.draft(("times",)) is None
        assert document.value() == {"times": "2x"}

    def test_an_argument_that_was_gone_comes_back_as_it_was(self) -> None:
        text, number = {"type": "string"}, {"type": "integer"}
        document = Document(self.schema(word=text, times=number))
        document.set(("word",), "hello")
        document.reject(("times",), "2x", "expected a whole number")
        document.change_schema(self.schema(other=text))
        assert document.value() == {}
        assert document.errors() == ()
        document.change_schema(self.schema(word=text, times=number))
        assert document.value() == {"word": "hello"}
        draft = document.draft(("times",))
        assert draft is not None
        assert draft.text == "2x"

    def test_text_that_is_no_json_stays_as_typed(self) -> None:
        document = Document(self.schema(word={"type": "string"}))
        document.set_text('{"word": "hel')
        document.change_schema(self.schema(word={"type": "string"}, times={"type": "integer", "default": 1}))
        assert document.text == '{"word": "hel'
        assert document.text_problem is not None
