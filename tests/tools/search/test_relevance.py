from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.relevance import Wanted, chosen_by, documents, held_out, ours, plain_bm25, plain_fuzzy, queries, relevance


def test_every_query_names_tools_that_there_are() -> None:
    assert len(queries()) >= 150
    assert {name for _, tools in queries() for name in tools} - documents().keys() == set()


@pytest.mark.reference("A54", "A61")
@pytest.mark.parametrize("wanted", [chosen_by, held_out])
def test_tools_are_found_clearly_better_than_by_plain_words_or_likeness(wanted: Callable[[], list[Wanted]]) -> None:
    found = relevance(ours(), wanted())
    for plain in (plain_bm25(), plain_fuzzy()):
        other = relevance(plain, wanted())
        assert found.recall > other.recall + 0.15
        assert found.reciprocal_rank > other.reciprocal_rank + 0.15
