"""Search in files, on real ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.catalog.calling import call, failure_of, result_of
from tools import CallStatus
from tools.catalog import files_search
from tools.catalog.files import Files
from tools.catalog.files_search import MAX_LINE_CHARS, MAX_SEARCHED_BYTES


def _places(matches: Any) -> list[tuple[str, int, int]]:
    return [(match.file, match.line, match.column) for match in matches.matches]


def _search(project: Path, pattern: str, **more: Any) -> Any:
    return result_of(Files, "search_files", {"pattern": pattern, "path": ".", **more}, project)


def test_a_search_gives_file_line_column_and_text(project: Path) -> None:
    found = _search(project, "NOTE")

    assert _places(found) == [("docs/guide.md", 3, 1), ("src/router.py", 6, 7), ("src/router.py", 13, 7)]
    assert found.matches[1].text == "    # NOTE: fall back to the small model"
    assert found.matches[0].context is None
    assert (found.query, found.truncated) == ("NOTE", False)


def test_binary_files_and_what_git_ignores_are_passed_over(project: Path) -> None:
    response = call(Files, "search_files", {"pattern": "NOTE", "path": "."}, project)
    everything = call(Files, "search_files", {"pattern": "NOTE", "path": ".", "skip_ignored": False}, project)

    assert (response.result.files_searched, response.result.files_skipped) == (7, 2)
    assert "skipped logo.png: no text" in [entry.text for entry in response.logs]
    assert {"build/out.log", "note.tmp"} <= {match.file for match in everything.result.matches}


@pytest.mark.parametrize(
    ("pattern", "more", "lines"),
    [
        ("licen[cs]e", {}, [3, 4]),
        ("licen[cs]e", {"case_sensitive": True}, [3]),
        ("licence", {"match": "whole_word"}, [3]),
        ("license", {"match": "whole_word"}, []),
        ("license", {"match": "plain_text"}, [4]),
        ("e.$", {}, [3]),
        ("e.", {"match": "plain_text"}, [3]),
        (r"^\s*$", {}, [2]),
        ("^", {}, [1, 2, 3, 4]),
    ],
)
def test_a_pattern_is_read_as_asked(project: Path, pattern: str, more: dict[str, Any], lines: list[int]) -> None:
    found = result_of(Files, "search_files", {"pattern": pattern, "path": "README.md", **more}, project)

    assert [match.line for match in found.matches] == lines


def test_only_included_files_are_searched(project: Path) -> None:
    found = _search(project, "NOTE", include=["*.py", "*.rst"])

    assert {match.file for match in found.matches} == {"src/router.py"}
    assert found.files_searched == 2


def test_several_matches_in_a_line_are_told_apart(project: Path) -> None:
    (project / "some.txt").write_text("ab ab\r\nxab\r\n", encoding="utf-8", newline="")

    found = _search(project, "ab", include=["some.txt"])

    assert _places(found) == [("some.txt", 1, 1), ("some.txt", 1, 4), ("some.txt", 2, 2)]
    assert found.matches[0].text == "ab ab"


def test_the_lines_around_a_match_come_with_it(project: Path) -> None:
    found = _search(project, "NOTE", include=["*.py"], context={"before": 1, "after": 2})

    first = found.matches[0].context
    assert first.before == ["    load = queue.load_average(task.lane)"]
    assert first.after == ["    if load > 40:", '        log.warning("queue is long")']


def test_context_ends_at_the_ends_of_the_file(project: Path) -> None:
    found = _search(project, "# Sample|Licensed", context={"before": 2, "after": 2, "merge_overlaps": False})

    assert found.matches[0].context.before == []
    assert found.matches[-1].context.after == []


@settings(max_examples=40)
@given(
    rows=st.lists(st.sampled_from(["hit", "", "x"]), min_size=1, max_size=25),
    before=st.integers(0, 4),
    after=st.integers(0, 4),
)
def test_merged_context_gives_each_line_once_and_misses_none(
    tmp_path_factory: pytest.TempPathFactory, rows: list[str], before: int, after: int
) -> None:
    folder = tmp_path_factory.mktemp("merged")
    rows = [f"{number} {row}" for number, row in enumerate(rows)]
    (folder / "some.txt").write_text("\n".join(rows), encoding="utf-8")

    found = _search(folder, "hit", context={"before": before, "after": after})

    given_lines = [
        line for match in found.matches for line in (*match.context.before, match.text, *match.context.after)
    ]
    hits = [number for number, row in enumerate(rows) if row.endswith("hit")]
    near = {number for hit in hits for number in range(hit - before, hit + after + 1)}
    assert given_lines == [row for number, row in enumerate(rows) if number in near]


@given(text=st.text(alphabet="ab\n\r", max_size=30), piece=st.integers(1, 8))
def test_lines_are_the_same_however_a_text_is_split(text: str, piece: int) -> None:
    whole = text.removesuffix("\n").split("\n") if text else []

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files_search, "_SPLIT_CHARS", piece)
        assert files_search._split(text) == [line.removesuffix("\r") for line in whole]


def test_enough_matches_end_the_search_and_are_said_to_be_cut(project: Path) -> None:
    response = call(Files, "search_files", {"pattern": "e", "path": ".", "max_results": 3}, project)

    assert (len(response.result.matches), response.result.truncated) == (3, True)
    assert "the result was cut" in response.logs[-1].text


def test_exactly_as_many_matches_as_allowed_are_not_cut(project: Path) -> None:
    assert not _search(project, "NOTE", max_results=3).truncated


def test_a_very_long_line_is_cut_around_its_match(project: Path) -> None:
    (project / "long.txt").write_text("a" * 5000 + "needle" + "b" * 5000, encoding="utf-8")

    match = _search(project, "needle").matches[0]

    assert match.column == 5001
    assert "needle" in match.text
    assert len(match.text) == MAX_LINE_CHARS + 2
    assert match.text[0] == match.text[-1] == "…"


def test_much_context_is_bounded_as_a_whole(project: Path) -> None:
    (project / "wide.txt").write_text(("m" * 499 + "\n") * 4000, encoding="utf-8")

    found = _search(project, "^m", max_results=5000, context={"before": 20, "after": 20, "merge_overlaps": False})

    assert found.truncated
    assert len(found.matches) < 100


def test_files_that_are_too_large_are_skipped_with_their_reason(project: Path) -> None:
    with (project / "huge.txt").open("wb") as stream:
        stream.truncate(MAX_SEARCHED_BYTES + 1)

    response = call(Files, "search_files", {"pattern": "NOTE", "path": "."}, project)

    assert any("skipped huge.txt: 20.0 MB is more than 20.0 MB" in entry.text for entry in response.logs)


def test_links_are_skipped_and_those_that_leave_the_project_are_named(project: Path) -> None:
    outside = project.parent / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("NOTE: secret\n", encoding="utf-8")
    (project / "leak").symlink_to(outside)
    (project / "leak.txt").symlink_to(outside / "secret.txt")
    (project / "inner.md").symlink_to("README.md")

    response = call(Files, "search_files", {"pattern": "secret|Sample", "path": "."}, project)

    assert [match.file for match in response.result.matches] == ["README.md"]
    logged = [entry.text for entry in response.logs]
    assert "skipped leak: a link that leaves the project folder" in logged
    assert "skipped leak.txt: a link that leaves the project folder" in logged
    assert "skipped inner.md: a link" in logged


def test_a_wrong_expression_says_where(project: Path) -> None:
    message = failure_of(Files, "search_files", {"pattern": "a(b", "path": "."}, project)

    assert "'a(b' is no regular expression" in message
    assert "at character 4" in message


def test_a_pattern_that_tries_for_ever_is_stopped(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.catalog.files_search.PATTERN_TIMEOUT_S", 0.05)
    (project / "evil.txt").write_text("a" * 5000 + "b", encoding="utf-8")

    message = failure_of(Files, "search_files", {"pattern": "(a|aa)+$", "path": "evil.txt"}, project)

    assert "took more than" in message
    assert "evil.txt" in message


@pytest.mark.parametrize(
    "more",
    [
        {"max_results": 0},
        {"max_results": 5001},
        {"pattern": ""},
        {"match": "fuzzy"},
        {"context": {"before": 21}},
        {"context": {"befor": 1}},
        {"include": "*.py"},
        {"case_sensitive": "perhaps"},
        {"colour": "red"},
    ],
    ids=str,
)
def test_arguments_that_do_not_fit_never_run(project: Path, more: dict[str, Any]) -> None:
    response = call(Files, "search_files", {"pattern": "x", "path": ".", **more}, project)

    assert response.status is CallStatus.REJECTED
    assert response.error is not None
    assert response.error.problems[0].path.startswith(next(iter(more)))
