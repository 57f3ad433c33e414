from __future__ import annotations

import pytest

from tools import Tool, make_tool
from tools.search import search

TOOLS = [
    make_tool("search_files", "Find lines by a pattern.", lambda: 0, category="files", keywords=("grep", "regex")),
    make_tool("delete_file", "Remove a file for good.", lambda: 0, category="files"),
    make_tool("fetch_page", "Read a web page as text.", lambda: 0, category="web", keywords=("http", "url")),
    make_tool("statistics", "Mean and median of numbers.", lambda: 0, category="math"),
]


def names(words: str, tools: list[Tool] | None = None, **options: int) -> list[str]:
    return [match.tool.name for match in search(tools or TOOLS, words, **options)]


@pytest.mark.reference("A6")
def test_keywords_make_a_tool_easier_to_find() -> None:
    assert names("grep") == ["search_files"]
    assert names("http")[0] == "fetch_page"


@pytest.mark.reference("A54")
@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("delete file", "delete_file"),
        ("serch fils", "search_files"),
        ("DELETE", "delete_file"),
        ("median", "statistics"),
        ("math", "statistics"),
        ("web page", "fetch_page"),
    ],
)
def test_plain_words_with_typing_errors_find_by_name_label_and_description(words: str, first: str) -> None:
    assert names(words)[0] == first


def test_nothing_is_found_for_nothing_and_for_nonsense() -> None:
    assert names("") == []
    assert names("   ") == []
    assert names("qqqqqq") == []


@pytest.mark.reference("A7")
def test_of_equal_matches_the_higher_priority_comes_first_and_the_list_is_cut() -> None:
    tools = [make_tool(f"look_{letter}", "Look.", lambda: 0, priority=ord(letter) - 60) for letter in "abc"]
    assert names("look", tools) == ["look_c", "look_b", "look_a"]
    assert names("look", tools, limit=1) == ["look_c"]
