"""Every schema of the gallery as widgets: each field has its editor, and showing a value writes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from console.schema_form import SchemaForm, write_json
from console.schema_form.paths import same
from tests.console.schema_gallery.case import Case
from tests.console.schema_gallery.test_gallery import CASES


@pytest.fixture
def form(qtbot: QtBot) -> SchemaForm:
    form = SchemaForm()
    qtbot.addWidget(form)
    form.resize(900, 700)
    form.show()
    return form


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_each_schema_is_shown_and_left_as_it_is(form: SchemaForm, case: Case) -> None:
    values: list[Mapping[str, Any]] = [*case.valid, *(value for value, _ in case.invalid)]
    form.set_schema(case.schema, value=values[0] if values else {})
    for value in values:
        form.set_value(value)
        assert same(form.value(), value)
        assert write_json(form.value()) == write_json(value)
    for field in form.fields():
        editor = form.editor(field.path)
        assert editor is not None
        assert editor.field.path == field.path
        assert editor.target.accessibleName()
