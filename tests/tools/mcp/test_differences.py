"""What changed between two definitions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.mcp.definitions import Definition
from tools.mcp.differences import MOST, ChangeKind, differences, word_pieces

PUSH: dict[str, Any] = {
    "name": "push_files",
    "description": "Push several files to a branch in one commit.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "branch": {"type": "string"},
            "mode": {"type": "string", "enum": ["fast", "safe"]},
            "files": {"type": "array", "items": {"type": "object", "properties": {"path": {"type": "string"}}}},
        },
        "required": ["branch"],
    },
    "annotations": {"readOnlyHint": False, "destructiveHint": False},
    "_meta": {"x": 1},
}


def changed(**parts: Any) -> Definition:
    return Definition({**PUSH, **parts})


def told(after: Definition, before: Definition | None = None) -> list[tuple[str, str]]:
    return [(change.where, change.words) for change in differences(before or Definition(PUSH), after)]


def test_equal_definitions_have_no_difference_whatever_the_order_and_the_spelling() -> None:
    again = changed(_meta={"x": 2}, icons=[], inputSchema=dict(reversed(PUSH["inputSchema"].items())))
    assert told(again) == []
    assert again.digest == Definition(PUSH).digest
    assert Definition({"name": "a", "inputSchema": {"maximum": 1}}).digest == (
        Definition({"inputSchema": {"maximum": 1.0}, "name": "a"}).digest
    )


def test_words_of_a_description_are_told() -> None:
    after = changed(description="Push several files to a branch in one commit, replacing its history.")
    (change,) = differences(Definition(PUSH), after)
    assert (change.kind, change.where) == (ChangeKind.CHANGED, "description")
    assert change.words == "its description says “, replacing its history” now"
    assert told(Definition(PUSH), after) == [("description", "its description says “, replacing its history” no more")]
    assert told(changed(title="Push")) == [("title", "it has a title now")]
    assert told(Definition({key: value for key, value in PUSH.items() if key != "description"})) == [
        ("description", "it has no description any more")
    ]


def test_arguments_that_come_go_and_change_are_told() -> None:
    schema = {
        "type": "object",
        "properties": {
            "force": {"type": "boolean", "default": True},
            "branch": {"type": "integer"},
            "mode": {"type": "string", "enum": ["fast", "reckless"]},
            "files": {"type": "array", "items": {"type": "object", "properties": {"path": {"type": "number"}}}},
        },
        "required": ["branch", "force"],
    }
    assert told(changed(inputSchema=schema)) == [
        ("inputSchema.properties.branch.type", "type of branch was “string” and is “integer”"),
        ("inputSchema.properties.mode.enum", "enum of mode has “reckless” now"),
        ("inputSchema.properties.mode.enum", "enum of mode has “safe” no more"),
        (
            "inputSchema.properties.files.items.properties.path.type",
            "type of path was “string” and is “number”",
        ),
        ("inputSchema.properties.force", "the argument force is new, “true” if nobody says"),
        ("inputSchema.required", "the argument “force” is required now"),
    ]
    gone = {"type": "object", "properties": {"branch": {"type": "string"}}, "required": []}
    assert told(changed(inputSchema=gone)) == [
        ("inputSchema.properties.mode", "the argument mode is gone"),
        ("inputSchema.properties.files", "the argument files is gone"),
        ("inputSchema.required", "the argument “branch” is optional now"),
    ]
    output = {"type": "object", "properties": {"sha": {"type": "string"}}}
    assert [where for where, _ in told(changed(outputSchema=output))] == ["outputSchema"]


@pytest.mark.parametrize(
    ("annotations", "words", "riskier"),
    [
        ({"readOnlyHint": False, "destructiveHint": True}, "it may destroy something now", True),
        # What is absent is taken as one that may destroy, and never as the server's word for it.
        (
            {"readOnlyHint": False},
            "it says no more whether it destroys something: taken as one that may",
            True,
        ),
        ({"readOnlyHint": True, "destructiveHint": False}, "it says that it changes nothing now", False),
        (PUSH["annotations"] | {"openWorldHint": True}, "openWorldHint means the same as before", False),
        (PUSH["annotations"] | {"openWorldHint": False}, "it says that it stays within its server now", False),
        (PUSH["annotations"] | {"title": "P"}, "its title is another one", False),
    ],
)
def test_hints_are_told_by_what_they_mean(annotations: dict[str, Any], words: str, *, riskier: bool) -> None:
    (change,) = differences(Definition(PUSH), changed(annotations=annotations))
    assert (change.words, change.is_riskier) == (words, riskier)


def test_what_worries_most_stands_first() -> None:
    after = changed(description="Other.", annotations={"destructiveHint": True})
    assert [change.where for change in differences(Definition(PUSH), after)] == [
        "annotations.destructiveHint",
        "description",
        "annotations.readOnlyHint",
    ]


def test_a_flood_of_changes_ends() -> None:
    many = {"type": "object", "properties": {f"p{number}": {} for number in range(5000)}}
    assert len(differences(changed(inputSchema=many), changed(inputSchema={"type": "object"}))) <= MOST
    deep: dict[str, Any] = {"a": 1}
    other: dict[str, Any] = {"a": 2}
    for _ in range(90):
        deep, other = {"p": deep}, {"p": other}
    (change,) = differences(changed(inputSchema=deep), changed(inputSchema=other))
    assert change.where.count(".p") == 30


texts = st.text(alphabet="ab c,.\n", max_size=40)


@given(texts, texts)
def test_pieces_give_both_texts_back(before: str, after: str) -> None:
    pieces = word_pieces(before, after)
    assert "".join(piece.before for piece in pieces) == before
    assert "".join(piece.after for piece in pieces) == after
    assert all((piece.before == piece.after) is (piece.kind is None) for piece in pieces)
    assert len(word_pieces("a " * 10_000, "b " * 10_000)) == 1


values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["a", "b"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["required", "b", "c"]), inner),
    max_leaves=10,
)


@given(values, values)
def test_there_is_a_difference_exactly_when_the_digests_differ(before: Any, after: Any) -> None:
    first, second = changed(inputSchema=before), changed(inputSchema=after)
    assert bool(differences(first, second)) is (first.digest != second.digest)
