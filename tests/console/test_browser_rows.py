from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from console.browser.tool_tree import ToolRow, ToolSourceRow, coming_close, filter_words, named_by
from console.widgets.matches import match_spans

BUILT_IN = ToolSourceRow("built-in", "Built-in")


def row(name: str, **more: object) -> ToolRow:
    return ToolRow(name, BUILT_IN, "Files", **more)  # type: ignore[arg-type]


def names(rows: list[ToolRow]) -> list[str]:
    return [row.name for row in rows]


def test_every_word_must_stand_in_name_title_or_keywords() -> None:
    rows = [
        row("search_files"),
        row("search_web"),
        row("list_files", keywords=("search",)),
        row("git", title="Search files"),
    ]

    assert names(named_by(rows, filter_words("FILE search"))) == ["search_files", "list_files", "git"]


def test_descriptions_and_names_that_mean_the_same_come_close() -> None:
    rows = [
        row("read", description="Read a file."),
        row("file_info"),
        row("hash", description="Fingerprint of a file."),
    ]

    assert names(coming_close(rows, filter_words("fingerprint"))) == ["hash"]
    assert names(coming_close(rows, filter_words("fingerprint"), named=["read"])) == ["read", "hash"]
    assert names(coming_close(rows, filter_words("fingerprint"), further=["read"])) == ["hash"]
    assert names(coming_close(rows, filter_words("nowhere"), further=["file_info"])) == ["file_info"]
    assert names(coming_close(rows, filter_words("nowhere"))) == []


def test_no_words_keep_everything() -> None:
    rows = [row("a"), row("b")]

    assert named_by(rows, filter_words("   ")) == rows


def test_matches_that_touch_are_one() -> None:
    assert match_spans("list_files_of_file", ("file",)) == [(5, 9), (14, 18)]
    assert match_spans("search_files", ("search_", "arch_fi")) == [(0, 9)]
    assert match_spans("aaa", ("aa",)) == [(0, 3)]
    assert match_spans("Straße", ("stra",)) == [(0, 4)]


@given(st.text(alphabet="abAB_ßİ ", max_size=20), st.lists(st.text(alphabet="ab_", min_size=1, max_size=3), max_size=3))
def test_spans_are_inside_the_text_in_order_and_apart(text: str, words: list[str]) -> None:
    spans = match_spans(text, words)

    edges = [edge for span in spans for edge in span]
    assert edges == sorted(set(edges))
    assert all(0 <= edge <= len(text) for edge in edges)
    for word in words:
        at = text.find(word)
        assert at < 0 or any(start <= at and at + len(word) <= end for start, end in spans)


def test_the_first_line_that_says_something_is_the_reason() -> None:
    assert ToolSourceRow("plugin", "p.py", error="\n  \n  SyntaxError: no  \nline 2").error_line == "SyntaxError: no"
    assert ToolSourceRow("plugin", "p.py").error_line == ""
