"""What is said of the words of operations."""

from __future__ import annotations

from tests.tools.openapi.documents import PETSTORE, document, encoded, operation
from tools.openapi.document import parsed_document
from tools.openapi.operations import contents_of
from tools.openapi.suspicions import suspicions_of


def test_honest_words_raise_no_suspicion() -> None:
    assert suspicions_of(contents_of(parsed_document(PETSTORE.encode(), "x"))) == ()


def test_looking_has_an_end_which_is_told() -> None:
    paths = {f"/{number}": {"get": operation()} for number in range(3)}
    times = iter([0.0, 1.0, 9.0])

    found = suspicions_of(contents_of(parsed_document(encoded(document(paths)), "x")), lambda: next(times))

    assert found == ("only the words of the first 1 operations were looked at; look at the others yourself",)
