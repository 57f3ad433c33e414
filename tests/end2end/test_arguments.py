"""Arguments that do not fit never run, and say beside their field what would."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.end2end.conftest import project_of
from tests.end2end.person import Person

pytestmark = pytest.mark.xvfb
MODULE_PLUGINS = ("arguments.py",)

GOOD: dict[str, Any] = {
    "word": "carrot",
    "count": 3,
    "ratio": 0.5,
    "day": "2026-02-28",
    "place": "README.md",
    "size": "small",
    "marks": [1, 2],
    "anything": {"deep": [{"er": None}]},
}


def fill_json(console: Person, text: str) -> None:
    console.fill("Arguments as JSON", text)


def show_json(console: Person) -> None:
    if console.screen.find("Arguments as JSON") is None:
        console.open_tool("take_everything")
    if console.screen.find("Arguments as JSON") is None:
        console.press("ctrl+shift+j")
    console.find("Arguments as JSON")


def show_form(console: Person) -> None:
    if console.screen.find("argument word") is None:
        console.press("ctrl+shift+j")
    console.find("argument word")


def test_form_and_json_are_one_document(console: Person) -> None:
    show_json(console)
    fill_json(console, json.dumps(GOOD))
    console.see("^8 of 8 valid$")
    console.press("ctrl+shift+j")
    assert console.text("argument word") == "carrot"
    console.fill("argument word", "pea")
    console.press("ctrl+shift+j")

    written = json.loads(console.see_text("Arguments as JSON", '"pea"'))

    assert written == GOOD | {"word": "pea"}
    console.press("ctrl+Return")
    console.see("^Success · ")
    console.row("Result", '^word: "pea"')


def test_json_that_is_no_json_keeps_the_person_there(console: Person) -> None:
    show_json(console)
    fill_json(console, '{"word": ')
    console.see_enabled("Run", enabled=False)
    console.press("ctrl+shift+j")

    console.see("line 1")
    console.find("Arguments as JSON")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"word": "x"}, "word"),
        ({"word": "CARROT"}, "word"),
        ({"word": 7}, "word"),
        ({"count": 11}, "count"),
        ({"count": 1.5}, "count"),
        ({"count": "three"}, "count"),
        ({"ratio": "half"}, "ratio"),
        ({"day": "30 February"}, "day"),
        ({"size": "medium"}, "size"),
        ({"marks": [1, "two"]}, "marks"),
        ({"marks": 1}, "marks"),
        ({"anything": []}, "anything"),
        ({"unknown": 1}, "unknown"),
        ({"word": None}, "word"),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else "",
)
def test_a_bad_argument_keeps_run_disabled_and_says_why(console: Person, change: dict[str, Any], message: str) -> None:
    show_json(console)
    fill_json(console, json.dumps(GOOD | change))

    console.see_enabled("Run", enabled=False)
    console.see_description("Arguments as JSON", message)


def test_a_missing_argument_is_named(console: Person) -> None:
    show_json(console)
    fill_json(console, "{}")

    console.see_enabled("Run", enabled=False)
    console.press("ctrl+Return")
    console.see("word")
    assert not console.sees("^Running · ")


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [("word", "X", "word"), ("count", "99", "10"), ("day", "yesterday", "day"), ("ratio", "much", "number")],
)
def test_a_field_says_beside_itself_what_would_fit(console: Person, field: str, text: str, message: str) -> None:
    show_json(console)
    fill_json(console, json.dumps(GOOD))
    console.see("^8 of 8 valid$")
    show_form(console)
    console.fill(f"argument {field}", text)

    console.see_description(f"argument {field}", message)
    console.see_enabled("Run", enabled=False)
    console.press("ctrl+z")


def test_a_path_outside_the_project_asks_first(console: Person) -> None:
    outside = project_of(console).parent / "outside.txt"
    outside.write_text("not yours", encoding="utf-8")
    console.run_tool("read_file", path="../outside.txt")

    console.find("Deny")
    console.press("Escape")
    console.see("^Denied · ")
