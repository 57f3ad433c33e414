"""Every schema of the gallery: its fields, its values there and back, and what is refused where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from console.schema_form import Document, Field, FieldKind, Path, write_json
from console.schema_form.paths import same
from tests.console.schema_gallery.branches import BRANCHES
from tests.console.schema_gallery.case import Case
from tests.console.schema_gallery.models import MODELS
from tests.console.schema_gallery.scalars import SCALARS
from tests.console.schema_gallery.servers import SERVERS
from tests.console.schema_gallery.structures import STRUCTURES

CASES = (*SCALARS, *STRUCTURES, *BRANCHES, *SERVERS, *MODELS)
_INSIDE: Mapping[FieldKind, type] = {
    **dict.fromkeys((FieldKind.OBJECT, FieldKind.MAP), dict),
    **dict.fromkeys((FieldKind.TABLE, FieldKind.ROWS, FieldKind.TUPLE), list),
}


def each(attribute: str) -> pytest.MarkDecorator:
    """Run a test for each value of each case."""
    found = [
        pytest.param(case, value, id=f"{case.name} {place}")
        for case in CASES
        for place, value in enumerate(getattr(case, attribute))
    ]
    return pytest.mark.parametrize(("case", "value"), found)


def opened(document: Document, path: Path = ()) -> Iterator[Field]:
    """Go through all fields as a person would open them."""
    for field in document.fields(path):
        yield field
        shown = document.branch(field.path) if field.kind is FieldKind.VARIANT else field
        if shown is not field:
            yield shown
        if isinstance(document.get(field.path), _INSIDE.get(shown.kind, ())):
            yield from opened(document, field.path)


def test_the_gallery_is_large_and_each_name_is_there_once() -> None:
    assert len(CASES) >= 80
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_each_schema_gets_its_fields(case: Case) -> None:
    document = Document(case.schema, case.valid[0] if case.valid else {})

    assert {path: document.field(path).kind for path in case.kinds} == dict(case.kinds)
    for field in opened(document):
        assert field.kind is not FieldKind.JSON or field.note or not field.schema.get("type")


@each("valid")
def test_what_fits_goes_through_the_form_unchanged(case: Case, value: dict[str, Any]) -> None:
    document = Document(case.schema, value)

    assert document.errors() == ()
    assert same(document.value(), value)
    # Each field writes what it holds, as its editor does after an edit that is taken back.
    for field in list(opened(document)):
        held = document.get(field.path)
        if isinstance(held, str | int | float | bool):
            document.set(field.path, f"{held} " if isinstance(held, str) else "other")
            document.set(field.path, held)
    assert same(document.value(), value)
    document.set_text(write_json(value))
    assert same(document.value(), value)
    assert document.errors() == ()


@each("invalid")
def test_what_does_not_fit_is_refused_at_its_place(case: Case, value: tuple[dict[str, Any], Path]) -> None:
    arguments, path = value
    document = Document(case.schema, arguments)

    assert [error.path for error in document.errors()] == [path]
    assert all(error.message and "\n" not in error.message for error in document.errors())
    assert same(document.value(), arguments)
