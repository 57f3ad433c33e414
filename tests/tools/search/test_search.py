from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from tools import Tool, make_tool
from tools.search import SearchDocument, SearchIndex, ToolIndex, find, search_tools
from tools.search.words import stem

TOOLS = [
    make_tool("search_files", "Find lines by a pattern.", lambda: 0, category="files", keywords=("grep", "regex")),
    make_tool("delete_file", "Remove a file for good.", lambda: 0, category="files"),
    make_tool("fetch_page", "Read a web page as text.", lambda: 0, category="web", keywords=("http", "url")),
    make_tool("statistics", "Mean and median of numbers.", lambda: 0, category="math"),
]


def names(words: str, tools: list[Tool] | None = None, **options: int) -> list[str]:
    return [match.tool.name for match in search_tools(tools or TOOLS, words, **options)]


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


def test_a_word_is_not_taken_for_a_misspelt_filler_word() -> None:
    tool = make_tool("diff", "Compare these files with them.", lambda: 0)

    assert names("theme", [tool]) == []
    assert names("flies", [tool]) == ["diff"]


WORDS = st.text(st.sampled_from("abcdeéß"), min_size=1, max_size=6)


@given(st.lists(WORDS, min_size=1, max_size=20), WORDS, st.sampled_from([1, 2]))
def test_no_word_within_some_edits_is_passed_over_for_its_letters(words: list[str], word: str, most: int) -> None:
    index = SearchIndex([SearchDocument(" ".join(words))])
    near = {other for other in index.words if OSA.distance(word, other) <= most}
    lengths = range(len(word) - most, len(word) + most + 1)
    assert near <= {other for length in lengths for other in index.words_of_letters(word, length, most)}


@pytest.mark.reference("A7")
def test_of_equal_matches_the_higher_priority_comes_first_and_the_list_is_cut() -> None:
    tools = [make_tool(f"look_{letter}", "Look.", lambda: 0, priority=ord(letter) - 60) for letter in "abc"]
    assert names("look", tools) == ["look_c", "look_b", "look_a"]
    assert names("look", tools, limit=1) == ["look_c"]


def test_words_are_stemmed_by_several_threads_at_once() -> None:
    words = [
        f"{start}{middle}ations" for start in "bcdfghjklmnp" for middle in ("erel", "orit", "univers", "ilit", "arr")
    ]
    stem.cache_clear()
    wanted = [stem(word) for word in words]
    for _ in range(20):
        stem.cache_clear()
        with ThreadPoolExecutor(8) as threads:
            assert list(threads.map(stem, words)) == wanted


def test_an_index_made_like_another_finds_what_one_made_anew_finds() -> None:
    documents = [
        SearchDocument(f"{verb}_{noun}", description=f"{verb.title()} the {noun}s of a house.")
        for verb in ("paint", "open", "close")
        for noun in ("door", "wall", "window")
    ]
    first = SearchIndex(documents[:6])
    # Some stay, some go, some come, and the order is another one.
    wanted = [documents[8], *documents[2:5], documents[7]]
    again, anew = SearchIndex(wanted, like=first), SearchIndex(wanted)
    for query in ("close the window", "walls", "pant dor", "open", "house", "opne"):
        assert find(again, query, limit=9) == find(anew, query, limit=9)
    assert again.words == anew.words


def test_a_tool_that_stayed_is_not_read_again() -> None:
    index: ToolIndex[Tool] = ToolIndex()
    index.update(TOOLS)
    more = [*TOOLS, make_tool("sing", "Sing a song.", lambda: 0)]
    tools, found = index.update(more)
    assert tools == tuple(more)
    assert [tools[hit.position].name for hit in find(found, "song")] == ["sing"]
    _, again = index.update(TOOLS)
    assert all(one is other for one, other in zip(again.documents, found.documents, strict=False))
