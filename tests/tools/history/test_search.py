"""Words and filters find calls, whatever people type."""

from __future__ import annotations

import random
from contextlib import closing
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tools.history.recording import executor_for, found, record_calls
from tests.tools.running import run
from tools import CallStatus, tool
from tools.history import NO_LIMIT, History, HistoryQuery
from tools.history.asking import MOST_LOOKED_AT, ids_of
from tools.history.database import connect_to_read
from tools.history.words import match_expressions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tools.history.recording import HistoryOf


@pytest.fixture
def filled(history_of: HistoryOf) -> History:
    """Return a history of six calls."""
    history = history_of()
    record_calls(
        history,
        ("search_files", {"pattern": "needle in the haystack", "folder": "src/tool_console"}),
        ("echo", {"text": "Grüße aus Zürich\nund C:\\new\\table"}),
        ("echo", {"text": "a haystack without"}),
    )
    record_calls(
        history,
        ("fail", {"message": "no needle anywhere"}),
        ("echo", {"text": "東京 タワー"}),
        ("echo", {"text": "search later"}),
        caller="agent:mira",
    )
    return history


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["3.2", "2.2", "1.2", "3", "2", "1"]),
        ("needle", ["1.2", "1"]),
        ("NEEDLE haystack", ["1"]),
        ("nee", ["1.2", "1"]),
        ("nee ", []),
        ("hay needle", []),
        ("needle hay", ["1"]),
        ('"needle in the"', ["1"]),
        ('"the needle"', []),
        ('"in the hay', ["1"]),
        ("files", ["1"]),
        ("search_files", ["1"]),
        ("search", ["3.2", "1"]),
        ("main_window.py", ["1"]),
        ("src/tool_console", ["1"]),
        ("console/main", ["1"]),
        ("grusse", []),
        ("gruße", ["2"]),
        ("zurich", ["2"]),
        ("und", ["2"]),
        ("new", ["2"]),
        ("table", ["2"]),
        ("東京", ["2.2"]),
        ("mira", ["3.2", "2.2", "1.2"]),
        ("s", []),
        ("the", ["1"]),
        ("OR", []),
        ("needle NOT haystack", []),
        ('needle"', ["1.2", "1"]),
        ("!!! ---", []),
        ("*", []),
        ("anywhere)", ["1.2"]),
        ("text:needle", ["1"]),
        ("text:anywhere", []),
        ("   ", ["3.2", "2.2", "1.2", "3", "2", "1"]),
    ],
)
def test_words_find_what_a_person_means(filled: History, text: str, expected: list[str]) -> None:
    assert found(filled, text) == expected


def test_filters_and_words_hold_together(filled: History) -> None:
    assert found(filled, tools=("echo",)) == ["3.2", "2.2", "3", "2"]
    assert found(filled, tools=("echo", "fail"), callers=("agent:mira",)) == ["3.2", "2.2", "1.2"]
    assert found(filled, statuses=(CallStatus.FAILED,)) == ["1.2"]
    assert found(filled, "needle", statuses=(CallStatus.EXECUTED,)) == ["1"]
    assert found(filled, "needle", callers=("agent:mira",), tools=("fail",)) == ["1.2"]
    assert found(filled, "needle", callers=("agent:mira",), tools=("echo",)) == []
    assert found(filled, tools=("nobody",)) == []
    assert found(filled, "needle", tools=("nobody",)) == []


def test_callers_are_left_out_with_and_without_words_and_other_filters(filled: History) -> None:
    assert found(filled, without_callers=("agent:mira",)) == ["3", "2", "1"]
    assert found(filled, without_callers=("you",)) == ["3.2", "2.2", "1.2"]
    assert found(filled, without_callers=("you", "agent:mira")) == []
    assert found(filled, without_callers=("nobody",)) == ["3.2", "2.2", "1.2", "3", "2", "1"]
    assert found(filled, "needle", without_callers=("you",)) == ["1.2"]
    assert found(filled, tools=("echo",), without_callers=("agent:mira",)) == ["3", "2"]
    assert found(filled, tools=("echo",), callers=("you",), without_callers=("you",)) == []
    page = filled.search(HistoryQuery(without_callers=("you",), limit=2))
    assert (page.total, page.total_exact) == (3, True)


def test_moments_bound_a_search(filled: History) -> None:
    rows = filled.search().rows
    third = rows[3].proposed_at

    assert found(filled, since=third) == ["3.2", "2.2", "1.2", "3"]
    assert found(filled, until=third) == ["2", "1"]
    assert found(filled, "needle", since=third) == ["1.2"]
    assert found(filled, "needle", until=third) == ["1"]
    assert found(filled, since=third, until=third + timedelta(microseconds=1)) == ["3"]
    assert found(filled, since=rows[0].proposed_at.astimezone().replace(tzinfo=None)) == ["3.2"]


@pytest.mark.parametrize("text", ["", "haystack echo"])
def test_pages_follow_each_other_without_gaps(history_of: HistoryOf, text: str) -> None:
    history = history_of()
    record_calls(history, *[("echo", {"text": f"haystack {n}"}) for n in range(25)])
    query = HistoryQuery(text=text, limit=10)

    pages = [history.search(query)]
    while pages[-1].next_before is not None:
        record_calls(history, ("echo", {"text": "haystack, newer"}))
        pages.append(history.search(query._replace(before=pages[-1].next_before)))

    assert [len(page.rows) for page in pages] == [10, 10, 5]
    assert [row.id.partition("-")[2] for page in pages for row in page.rows] == [str(n) for n in range(25, 0, -1)]
    assert [(page.total, page.total_exact) for page in pages] == [(25, True), (26, True), (27, True)]


async def test_many_calls_are_counted_up_to_a_thousand(history_of: HistoryOf) -> None:
    history = history_of()
    executor = executor_for(history)
    for number in range(1_005):
        await executor.execute(executor.create_call("echo", {"text": f"number {number}"}))
    history.flush()

    assert history.search(HistoryQuery(limit=5))[1:3] == (1_000, False)
    assert history.search(HistoryQuery(text="number", limit=5))[1:3] == (1_000, False)
    assert history.search(HistoryQuery(text="number 70", limit=5))[1:3] == (11, True)


@pytest.mark.parametrize("text", ["sr", "src", "docs src", "Süd", "rare", "srcfile", "nowhere"])
def test_whole_words_and_beginnings_come_in_the_order_of_their_calls(history_of: HistoryOf, text: str) -> None:
    history = history_of()
    letters = random.Random(1)
    # Two calls of "rare" with more calls of "rarely" between them than are looked at one by one.
    words = [letters.choice(["src", "src docs", "srcfile docs", "südlich", "süd"]) for _ in range(MOST_LOOKED_AT)]
    words += ["rare", *["rarely srcs"] * (MOST_LOOKED_AT + 5), "rare src", "rarely"]
    record_calls(history, *[("echo", {"text": text}) for text in words])
    begins = text.casefold().split()[-1]
    others = text.casefold().split()[:-1]

    with closing(connect_to_read(history.path)) as connection:
        everything = list(enumerate(ids_of(connection, HistoryQuery(), NO_LIMIT)))
        expected = [
            row_id
            for at, row_id in everything
            if any(word.startswith(begins) for word in words[-1 - at].split())
            and set(others) <= set(words[-1 - at].split())
        ]
        for limit in (1, 2, 3, 7, 50, len(words)):
            assert ids_of(connection, HistoryQuery(text=text), limit) == expected[:limit]
            older = HistoryQuery(text=text, before=everything[limit - 1][1], tools=("echo",))
            assert (
                ids_of(connection, older, limit) == [one for one in expected if one < everything[limit - 1][1]][:limit]
            )


def test_names_are_found_by_their_humps(history_of: HistoryOf) -> None:
    history = history_of()

    @tool(name="createGitHubIssue")
    async def create(title: str) -> str:
        """Make an issue."""
        return title

    executor = executor_for(history, create)
    run(executor.execute(executor.create_call("createGitHubIssue", {"title": "a"})))
    history.flush()

    for text in ("create", "issue", "hub", "createGitHubIssue", "creategit"):
        assert found(history, text) == ["1"], text


def test_the_words_of_log_lines_and_attachments_count(history_of: HistoryOf) -> None:
    history = history_of()
    record_calls(history, ("draw", {"size": 3}), ("echo", {"text": "a"}))

    assert found(history, "turquoise") == ["1"]
    assert found(history, "square.png") == ["1"]


@pytest.fixture(scope="module")
def one_call(tmp_path_factory: pytest.TempPathFactory) -> Iterator[History]:
    history = History(tmp_path_factory.mktemp("search"))
    history.open()
    record_calls(history, ("echo", {"text": "a"}))
    yield history
    history.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(st.text() | st.text(alphabet="\"*()-^:+{}<> \0'AND OR NOT NEAR a", max_size=20))
def test_nothing_that_is_typed_is_an_error(one_call: History, text: str) -> None:
    page = one_call.search(HistoryQuery(text=text, tools=("echo",)))

    assert page.total in {0, 1}
    assert page.total_exact


def test_what_the_index_is_asked() -> None:
    asked: dict[str, list[str]] = {
        "two words": ['"two"', '"words"*'],
        "two words ": ['"two"', '"words"'],
        '"a phrase" end': ['"a phrase"', '"end"*'],
        "a.b": ['"a.b"'],
        'say "he said" x': ['"say"', '"he said"', '"x"'],
        "--": [],
    }

    assert {text: match_expressions(text) for text in asked} == asked


def test_what_callers_used_is_counted_by_tool_and_ending(filled: History) -> None:
    everything = filled.search().rows
    since = min(row.proposed_at for row in everything)
    uses = filled.caller_uses("agent:", since)
    assert [(use.caller, use.tool, use.status, use.calls) for use in uses] == [
        ("agent:mira", "echo", CallStatus.EXECUTED, 2),
        ("agent:mira", "fail", CallStatus.FAILED, 1),
    ]
    assert uses[0].newest_at == everything[0].proposed_at
    assert filled.caller_uses("agent:", everything[0].proposed_at + timedelta(seconds=1)) == ()
    assert filled.caller_uses("agent:nobody", since) == ()
