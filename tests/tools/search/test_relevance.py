from __future__ import annotations

import pytest

from tests.relevance import documents, ours, plain_bm25, plain_fuzzy, queries, relevance

pytestmark = pytest.mark.parametrize("file", ["queries.tsv", "held_out.tsv"])


def test_every_query_names_tools_that_there_are(file: str) -> None:
    assert {name for _, tools in queries(file) for name in tools} - documents().keys() == set()


@pytest.mark.reference("A54", "A61")
def test_tools_are_found_clearly_better_than_by_plain_words_or_likeness(file: str) -> None:
    found = relevance(ours(), queries(file))
    for plain in (plain_bm25(), plain_fuzzy()):
        other = relevance(plain, queries(file))
        assert found.recall > other.recall + 0.15
        assert found.reciprocal_rank > other.reciprocal_rank + 0.15
