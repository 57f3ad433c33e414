from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.retention import DEFAULT_TURNS_TO_KEEP, RetentionMark, inherited, is_visible, turns_left

AUTO, PINNED, PRUNED = RetentionMark.AUTO, RetentionMark.PINNED, RetentionMark.PRUNED
TURNS = st.integers(-3, 20)
AGES = st.integers(0, 30)
MARKS = st.sampled_from(RetentionMark)


@pytest.mark.reference("E37")
@pytest.mark.parametrize(
    ("levels", "turns"),
    [((), 5), ((None, None, None), 5), ((None, None, 2), 2), ((None, 0, 2), 0), ((-1, 0, 2), -1), ((7, None, 2), 7)],
)
def test_the_nearest_that_says_anything_holds(levels: tuple[int | None, ...], turns: int) -> None:
    assert inherited(*levels) == turns
    assert inherited(*levels, default=9) == (9 if set(levels) <= {None} else turns)
    assert DEFAULT_TURNS_TO_KEEP == 5


@pytest.mark.reference("E37")
@given(st.lists(st.none() | TURNS), TURNS)
def test_inheritance_never_invents_a_retention(levels: list[int | None], default: int) -> None:
    turns = inherited(*levels, default=default)
    said = [level for level in levels if level is not None]
    assert turns == (said[0] if said else default)


@pytest.mark.reference("E38")
@given(AGES)
def test_zero_is_seen_in_its_own_turn_and_gone_in_the_next(age: int) -> None:
    assert is_visible(0, age) is (age == 0)
    assert turns_left(0, age) == -age


@pytest.mark.reference("E37")
@given(st.integers(max_value=-1), AGES)
def test_negative_is_for_ever(turns: int, age: int) -> None:
    assert is_visible(turns, age)
    assert turns_left(turns, age) is None


@given(st.integers(0, 20), AGES)
def test_a_part_is_seen_in_its_own_turn_and_so_many_more(turns: int, age: int) -> None:
    assert is_visible(turns, age) is (age <= turns)
    left = turns_left(turns, age)
    assert left is not None
    assert (left >= 0) is is_visible(turns, age)


@pytest.mark.reference("E36")
@given(TURNS, AGES, MARKS)
def test_a_pin_always_wins_on_the_part_or_its_turn(turns: int, age: int, other: RetentionMark) -> None:
    assert is_visible(turns, age, PINNED, other)
    assert is_visible(turns, age, other, PINNED)


@pytest.mark.reference("E36")
@given(TURNS, AGES, st.sampled_from([AUTO, PRUNED]))
def test_what_is_pruned_is_gone_however_young(turns: int, age: int, other: RetentionMark) -> None:
    assert not is_visible(turns, age, PRUNED, other)
    assert not is_visible(turns, age, other, PRUNED)


@given(TURNS, AGES, MARKS, MARKS)
def test_what_is_gone_never_comes_back_by_itself(
    turns: int, age: int, mark: RetentionMark, turn_mark: RetentionMark
) -> None:
    if not is_visible(turns, age, mark, turn_mark):
        assert not is_visible(turns, age + 1, mark, turn_mark)


@given(TURNS, AGES)
def test_without_a_mark_the_age_decides(turns: int, age: int) -> None:
    left = turns_left(turns, age)
    assert is_visible(turns, age, AUTO, AUTO) is (left is None or left >= 0)
