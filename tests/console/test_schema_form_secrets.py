"""Secrets in a form: never in its JSON, its messages or what is kept of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from console.schema_form import ArgumentsEditor, Document
from console.schema_form.validation import masking_in
from tools.calls import MASK

SECRET: dict[str, Any] = {"type": "string", "writeOnly": True, "pattern": "^[0-9]+$", "minLength": 9}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "user": {"type": "string"},
        "token": SECRET,
        "pin": {"type": "integer", "format": "password", "maximum": 3},
        "login": {"type": "object", "properties": {"key": SECRET, "host": {"type": "string", "maxLength": 1}}},
        "url": {"type": "string", "format": "uri"},
    },
}
VALUE = {"user": "mira", "token": "hunter2", "login": {"key": "hunter3", "host": "h"}, "url": "https://a:hunter4@b/"}


def test_the_text_has_bullets_for_secrets() -> None:
    document = Document(SCHEMA, VALUE)
    written = json.loads(document.text)

    assert "hunter" not in document.text
    assert written["token"] == MASK
    assert written["login"] == {"key": MASK, "host": "h"}


def test_bullets_that_stay_are_the_secrets_that_were_there() -> None:
    document = Document(SCHEMA, VALUE)
    document.set_text(document.text.replace("mira", "noor"))

    assert document.value() == {**VALUE, "user": "noor"}
    assert document.text_problem is None


def test_a_secret_typed_over_the_bullets_counts_and_is_hidden_when_one_looks_again() -> None:
    document = Document(SCHEMA, VALUE)
    document.set_text('{"token": "123456789"}')
    assert document.value() == {"token": "123456789"}
    assert "123456789" in document.text

    document.hide_secrets()
    assert json.loads(document.text) == {"token": MASK}
    document.set_text("{")
    document.hide_secrets()
    assert document.text == "{"


def test_bullets_that_stand_for_nothing_are_no_value() -> None:
    document = Document(SCHEMA, {"user": "mira"})
    document.set_text('{\n  "user": "mira",\n  "token": "' + MASK + '"\n}')

    assert document.value() == {"user": "mira"}
    problem = document.text_problem
    assert problem is not None
    assert (problem.line, problem.column) == (3, 12)
    assert problem.message.startswith("expected the value itself")


def test_no_message_names_a_secret() -> None:
    document = Document(SCHEMA, {**VALUE, "pin": 777, "login": {"key": "hunter3", "host": "hh"}})
    message_by_path = {error.path: error.message for error in document.errors()}

    assert "hunter" not in str(message_by_path)
    assert "777" not in str(message_by_path)
    assert message_by_path[("token",)] == "token must match ^[0-9]+$"
    assert message_by_path[("login", "host")].endswith("; it has 2")


def test_an_address_without_a_password_is_named() -> None:
    document = Document(SCHEMA, {"url": "nowhere"})
    assert document.errors()[0].message.endswith('; it is "nowhere"')


@pytest.mark.parametrize(
    "schema", [{}, {"properties": {"a": True}}, {"properties": 5}, {"enum": ["password"]}, {"format": [{}]}]
)
def test_most_schemas_hide_nothing(schema: Any) -> None:
    assert masking_in(schema) is None


def test_json_hides_what_the_form_hides(qtbot: QtBot) -> None:
    editor = ArgumentsEditor()
    qtbot.addWidget(editor)
    editor.set_schema(SCHEMA, value=VALUE)
    editor.set_mode("json")
    assert "hunter" not in editor.json.edit.toPlainText()

    editor.document.set_text('{"token": "987654321"}')
    editor.set_mode("form")
    editor.set_mode("json")
    assert editor.json.edit.toPlainText() == '{\n  "token": "' + MASK + '"\n}'
    assert editor.value() == {"token": "987654321"}
