"""Two texts, compared line by line, their rows on the screen, and the patch they make."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.comparison.lines import TextDifference, changed_spans, compare_texts, unified_diff, written_side_by_side
from console.comparison.text_view import ShownRows
from console.schema_form import ABSENT

LINES = st.lists(st.sampled_from(["a", "b", "cc", "", "\tdd"]), max_size=30)


def _rows(difference: TextDifference, *, side_by_side: bool, only: bool) -> list[tuple[int | None, int | None, int]]:
    shown = ShownRows(difference, side_by_side=side_by_side, only_differences=only)
    return [shown.row(index)[1:] for index in range(shown.count)]


@pytest.mark.parametrize("side_by_side", [True, False])
@given(LINES, LINES)
def test_every_line_is_shown_once(side_by_side: bool, left: list[str], right: list[str]) -> None:
    difference = compare_texts("\n".join(left), "\n".join(right))
    rows = _rows(difference, side_by_side=side_by_side, only=False)

    lefts, rights = ([line for line in column if line is not None] for column in list(zip(*rows, strict=True))[:2])
    assert lefts == list(range(difference.left.line_count))
    assert rights == list(range(difference.right.line_count))


def test_long_parts_that_are_the_same_are_folded_around_the_changes() -> None:
    left = [f"line {number}" for number in range(100)]
    right = [*left[:50], "new", *left[50:]]
    difference = compare_texts("\n".join(left), "\n".join(right))

    assert _rows(difference, side_by_side=False, only=True) == [
        (None, None, 47),
        (47, 47, 0),
        (48, 48, 0),
        (49, 49, 0),
        (None, 50, 0),
        (50, 51, 0),
        (51, 52, 0),
        (52, 53, 0),
        (None, None, 47),
    ]
    assert difference.differing == (1,)


def test_lines_that_are_alike_stand_beside_each_other() -> None:
    left = '{\n  "line": 7,\n  "text": "slow",\n}'
    right = '{\n  "added": 1,\n  "line": 9,\n  "text": "fast",\n}'
    difference = compare_texts(left, right)

    assert _rows(difference, side_by_side=True, only=False) == [
        (0, 0, 0),
        (None, 1, 0),
        (1, 2, 0),
        (2, 3, 0),
        (3, 4, 0),
    ]
    hunk = difference.hunks[1]
    assert [hunk.beside(line, is_left=True) for line in (1, 2)] == [2, 3]
    assert [hunk.beside(line, is_left=False) for line in (1, 2, 3)] == [None, 1, 2]


@pytest.mark.parametrize(
    ("left", "right", "patch"),
    [
        ("a\nb\n", "a\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"),
        ("a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"),
        ("", "a\n", "@@ -0,0 +1 @@\n+a\n"),
        ("a\n", "", "@@ -1 +0,0 @@\n-a\n"),
    ],
)
def test_patches(left: str, right: str, patch: str) -> None:
    assert unified_diff(compare_texts(left, right), "old", "new") == f"--- old\n+++ new\n{patch}"


def test_the_same_text_makes_no_patch() -> None:
    assert unified_diff(compare_texts("a\nb", "a\nb"), "old", "new") == ""


def _applied(text: str, patch: str) -> str:
    """Apply a unified diff."""
    lines, out, read = text.splitlines(keepends=True), [], 0
    rows = patch.splitlines(keepends=True)[2:]
    for number, row in enumerate(rows):
        if row.startswith("@@"):
            start, _, count = row.split()[1][1:].partition(",")
            begin = int(start) - (count != "0")
            out += lines[read:begin]
            read = begin
        elif row[0] in " -":
            bare = number + 1 < len(rows) and rows[number + 1].startswith("\\")
            assert lines[read] == (row[1:-1] if bare else row[1:])
            out += [lines[read]] if row[0] == " " else []
            read += 1
        elif row[0] == "+":
            bare = number + 1 < len(rows) and rows[number + 1].startswith("\\")
            out.append(row[1:-1] if bare else row[1:])
    return "".join([*out, *lines[read:]])


@given(LINES, LINES, st.booleans(), st.booleans())
def test_a_patch_leads_from_one_text_to_the_other(
    left: list[str], right: list[str], ends: bool, other_ends: bool
) -> None:
    one = "".join(f"{line}\n" for line in left)[: None if ends else -1]
    other = "".join(f"{line}\n" for line in right)[: None if other_ends else -1]
    patch = unified_diff(compare_texts(one, other), "old", "new")

    assert _applied(one, patch) == other if patch else one == other


@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no patch program here")
def test_the_patch_program_reads_it(tmp_path: Path) -> None:
    source = random.Random(3)
    left = [source.choice("abcdefgh") for _ in range(200)]
    right = [line if source.random() < 0.95 else "new" for line in left]
    file = tmp_path / "text"
    file.write_text("\n".join(left))
    patch = unified_diff(compare_texts("\n".join(left), "\n".join(right)), "text", "text")
    done = subprocess.run(["patch", "--silent", file], input=patch, text=True, capture_output=True, check=False)

    assert (done.returncode, done.stdout, file.read_text()) == (0, "", "\n".join(right))


def test_values_are_written_alike() -> None:
    assert written_side_by_side({"a": [1, 1.5, "ü"]}, "text") == (
        '{\n  "a": [\n    1,\n    1.5,\n    "ü"\n  ]\n}',
        "text",
    )
    assert written_side_by_side(ABSENT, None) == ("", "null")
    lone = written_side_by_side(["\ud800"], [1])
    assert lone == ('[\n  "\ud800"\n]', "[\n  1\n]")


@pytest.mark.parametrize(
    ("one", "other", "spans"),
    [
        ("fall back to the small model", "fall back to the large model", ([(17, 22)], [(17, 22)])),
        ('"line": 118,', '"line": 121,', ([(8, 11)], [(8, 11)])),
        ("same", "same", ([], [])),
        ("", "new", ([], [(0, 3)])),
        ("x" * 9_000, "x" * 5_000 + "y" + "x" * 4_000, ([], [(5_000, 5_001)])),
    ],
)
def test_changed_words(one: str, other: str, spans: object) -> None:
    assert changed_spans(one, other) == spans
