"""Two values, compared as trees: every patch leads from one to the other, and both ways the same is found."""

from __future__ import annotations

import copy
import json
import math
from itertools import pairwise
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.comparison.alignment import align, longest_rise
from console.comparison.identity import IgnoredPaths
from console.comparison.model import difference_places
from console.comparison.structure import ComparedNode, DifferenceCounts, ValueChange, compare, json_patch
from console.schema_form import ABSENT

SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(-2, 2), st.sampled_from(["", "a", "b~/c"]))
NAMES = st.sampled_from(["id", "name", "a", "b/", "~c", ""])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=6), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=25,
)
ROWS = st.lists(
    st.fixed_dictionaries({"id": st.integers(0, 9), "text": st.sampled_from("abc")}),
    max_size=8,
    unique_by=lambda row: row["id"],
)


def _steps(path: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:]]


def _at(value: Any, steps: list[str]) -> Any:
    for step in steps:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def applied(document: Any, operations: list[dict[str, Any]]) -> Any:
    """Apply a JSON Patch, as RFC 6902 says."""
    document = copy.deepcopy(document)
    for operation in operations:
        *way, last = _steps(operation["path"]) or [""]
        if not operation["path"]:
            document = operation["value"]
            continue
        value = copy.deepcopy(operation.get("value"))
        if operation["op"] == "move":
            *source_way, source_last = _steps(operation["from"])
            value = _at(document, source_way).pop(int(source_last))
        owner = _at(document, way)
        if isinstance(owner, dict):
            if operation["op"] == "remove":
                del owner[last]
            else:
                assert (operation["op"] == "replace") == (last in owner)
                owner[last] = value
        elif operation["op"] == "remove":
            del owner[int(last)]
        elif operation["op"] == "replace":
            owner[int(last)] = value
        else:
            assert int(last) <= len(owner)
            owner.insert(int(last), value)
    return document


def _written(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _check(left: Any, right: Any) -> None:
    there, back = compare(left, right), compare(right, left)
    assert _written(applied(left, json_patch(there))) == _written(right)
    assert _written(applied(right, json_patch(back))) == _written(left)
    assert there.counts == DifferenceCounts(
        back.counts.removed, back.counts.added, back.counts.changed, back.counts.moved
    )
    assert (there.counts.total == 0) == (_written(left) == _written(right))
    assert len(difference_places(there.root)) <= there.counts.total


@settings(max_examples=250)
@given(VALUES, VALUES)
def test_any_two_values(left: Any, right: Any) -> None:
    _check(left, right)


@settings(max_examples=150)
@given(st.lists(VALUES, max_size=7), st.data())
def test_lists_that_were_shuffled_and_cut(items: list[Any], data: st.DataObject) -> None:
    other = data.draw(st.permutations(items))[: data.draw(st.integers(0, len(items)))]
    _check(items, [*other, data.draw(VALUES)])


@settings(max_examples=150)
@given(ROWS, ROWS)
def test_objects_with_a_name_of_their_own(left: list[Any], right: list[Any]) -> None:
    _check({"rows": left}, {"rows": right})


@given(VALUES)
def test_a_value_is_the_same_as_its_copy(value: Any) -> None:
    tree = compare(value, json.loads(json.dumps(value)))

    assert tree.counts == DifferenceCounts()
    assert json_patch(tree) == []


def _nodes(node: ComparedNode) -> list[ComparedNode]:
    return [node, *(inner for child in node.children for inner in _nodes(child))]


def _told(left: Any, right: Any, *ignored: str) -> list[tuple[str, Any, Any]]:
    root = compare(left, right, IgnoredPaths(ignored)).root
    return [
        ("moved" if node.change is ValueChange.SAME else node.change.value, node.left_key, node.right_key)
        for node in _nodes(root)
        if node.moved or node.change in {ValueChange.ADDED, ValueChange.REMOVED, ValueChange.CHANGED}
    ]


class TestWhatIsTold:
    def test_one_true_and_one_point_zero_are_three_values(self) -> None:
        assert len(_told([1, 1, True], [1.0, True, 1.0])) == 3
        assert compare(0.0, -0.0).counts.changed == 1
        assert compare([math.nan], [math.nan]).counts.total == 0

    def test_the_order_of_names_is_no_difference(self) -> None:
        assert compare({"a": 1, "b": 2}, {"b": 2, "a": 1}).counts.total == 0

    def test_objects_are_matched_by_what_names_them(self) -> None:
        left = [{"name": name, "size": 1} for name in ("a", "b", "c")]
        right = [{"name": "c", "size": 1}, {"name": "a", "size": 2}, {"name": "b", "size": 1}]

        assert _told(left, right) == [("moved", 2, 0), ("changed", "size", "size")]

    def test_matches_are_named_by_place_and_an_edited_one_stays_one(self) -> None:
        left = [{"file": "a.py", "line": line, "text": f"text {line}"} for line in (1, 5, 9)]
        right = [left[0], {"file": "a.py", "line": 6, "text": "text 5"}, left[2]]

        assert _told(left, right) == [("changed", "line", "line")]

    def test_without_a_name_they_are_matched_by_likeness(self) -> None:
        left = [{"x": 1, "y": 2, "z": 3}, {"x": 7, "y": 8, "z": 9}]
        right = [{"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 2, "z": 4}, {"x": 7, "y": 8, "z": 9}]

        assert _told(left, right) == [("added", None, 0), ("changed", "z", "z")]

    def test_a_value_that_stands_elsewhere_has_moved(self) -> None:
        assert _told(["a", "b", "c", "d"], ["d", "a", "b", "c"]) == [("moved", 3, 0)]

    def test_what_was_removed_stands_where_it_stood_before_what_was_added(self) -> None:
        assert _told([1, "old", 2], [1, [3], 2]) == [("removed", 1, None), ("added", None, 1)]

    def test_another_kind_of_value_is_a_change_of_the_whole(self) -> None:
        assert _told({"a": {"b": 1}}, {"a": [1]}) == [("changed", "a", "a")]

    def test_a_side_that_is_not_there(self) -> None:
        assert compare(ABSENT, {"a": 1}).counts == DifferenceCounts(added=1)
        assert compare({"a": 1}, ABSENT).counts == DifferenceCounts(removed=1)
        assert compare(ABSENT, ABSENT).counts.total == 0


class TestIgnored:
    LEFT: ClassVar[Any] = {
        "elapsed_s": 1,
        "stats": {"elapsed_s": 2, "n": 1},
        "items": [{"id": 1, "at": 5}, {"id": 2, "at": 6}],
    }
    RIGHT: ClassVar[Any] = {
        "elapsed_s": 9,
        "stats": {"elapsed_s": 8, "n": 1},
        "items": [{"id": 1, "at": 7}, {"id": 2, "at": 8}],
    }

    @pytest.mark.parametrize(
        ("paths", "count"),
        [
            ((), 4),
            ((".elapsed_s",), 2),
            (("elapsed_s", "items[*].at"), 0),
            (("$.elapsed_s",), 3),
            (("$.stats.elapsed_s",), 3),
            (("items[0].at",), 3),
            (("items[].at", ".elapsed_s"), 0),
            (("$.items",), 2),
            (("*.elapsed_s",), 3),
            (("$.*.elapsed_s",), 3),
            (('$["stats"]["elapsed_s"]',), 3),
            ((".nothing", "$", ""), 4),
        ],
    )
    def test_paths(self, paths: tuple[str, ...], count: int) -> None:
        assert compare(self.LEFT, self.RIGHT, IgnoredPaths(paths)).counts.total == count

    def test_they_are_read_with_commas_and_spaces(self) -> None:
        assert compare(self.LEFT, self.RIGHT, IgnoredPaths.read(".elapsed_s, items[*].at")).counts.total == 0
        assert not IgnoredPaths.read("  ")

    def test_what_is_passed_over_is_not_patched(self) -> None:
        tree = compare({"a": 1, "t": 1}, {"a": 2, "t": 2}, IgnoredPaths(["t"]))

        assert json_patch(tree) == [{"op": "replace", "path": "/a", "value": 2}]

    def test_items_are_matched_without_it(self) -> None:
        left = [{"x": number, "t": number} for number in range(5)]
        right = [{"x": number, "t": -number} for number in (4, 0, 1, 2, 3)]

        assert _told(left, right, ".t") == [("moved", 4, 0)]

    def test_pruned_values_lack_it(self) -> None:
        assert IgnoredPaths([".t"]).pruned({"t": 1, "a": [{"t": 2, "b": 3}]}) == {"a": [{"b": 3}]}


class TestBounds:
    def test_values_inside_each_other_beyond_reason_differ_as_a_whole(self) -> None:
        left: Any = 1
        right: Any = 2
        for _ in range(3_000):
            left, right = [left], [right]
        tree = compare(left, right)

        assert (tree.counts.total, tree.is_complete) == (1, False)

    @pytest.mark.parametrize("kinds", [7, 10**6])
    def test_long_sequences_find_each_other_again_behind_what_was_put_in(self, kinds: int) -> None:
        left = [number * number % 1009 % kinds for number in range(30_000)] if kinds < 1009 else list(range(30_000))
        right = [*left[:100], -5, *left[100:20_000], -6, -7, *left[20_003:]]
        blocks = align(left, right)

        assert [(block.left, block.left_end, block.right, block.right_end) for block in blocks if not block.same] == [
            (100, 100, 100, 101),
            (20_000, 20_003, 20_001, 20_003),
        ]

    @given(st.lists(st.integers(0, 5), max_size=40), st.lists(st.integers(0, 5), max_size=40))
    def test_blocks_cover_both_sequences(self, left: list[int], right: list[int]) -> None:
        blocks = align(left, right)
        ends = [(0, 0), *((block.left_end, block.right_end) for block in blocks)]

        assert [(block.left, block.right) for block in blocks] == ends[:-1]
        assert ends[-1] == (len(left), len(right))
        assert all(
            left[block.left : block.left_end] == right[block.right : block.right_end] for block in blocks if block.same
        )
        assert all(one.same != other.same for one, other in pairwise(blocks))

    @given(st.lists(st.integers(0, 99), max_size=12, unique=True))
    def test_a_longest_rise(self, values: list[int]) -> None:
        rise = [values[place] for place in longest_rise(values)]

        assert rise == sorted(rise)
        best = [1] * len(values)
        for place, value in enumerate(values):
            best[place] += max((best[before] for before in range(place) if values[before] < value), default=0)
        assert len(rise) == max(best, default=0)
