from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.schema import canonical_json, substitute

VALUES: dict[str, Any] = {
    "a": "A",
    "b.c": "dotted",
    "empty": "",
    "none": None,
    "count": 3,
    "flag": True,
    "path": Path("x/y"),
    "day": dt.date(2026, 1, 2),
    "list": [1, "b"],
    "tricky": "${a}",
    "object": object,
}


@pytest.mark.reference("C29", "C30", "C31")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("no placeholder, 5 $", "no placeholder, 5 $"),
        ("${a}", "A"),
        ("<${a}${a}>", "<AA>"),
        ("${b.c}", "dotted"),
        ("${empty}", ""),
        ("${count} ${flag} ${path} ${day} ${list}", '3 true x/y 2026-01-02 [1,"b"]'),
        ("${unknown}", "${unknown}"),
        ("${none}", "${none}"),
        ("${unknown:-d}", "d"),
        ("${none:-d}", "d"),
        ("${unknown:-}", ""),
        ("${a:-d}", "A"),
        ("${empty:-d}", ""),
        ("${unknown:-${a}}", "A"),
        ("${unknown:-x${other:-y}z}", "xyz"),
        ("$${a}", "${a}"),
        ("$$${a}", "$${a}"),
        ("$${a} ${a}", "${a} A"),
        ("${tricky}", "${a}"),
        ("${a", "${a"),
        ("${}", "${}"),
        ("}${a}{", "}A{"),
        ("${object}", str(object)),
    ],
)
def test_placeholders(text: str, expected: str) -> None:
    assert substitute(text, VALUES) == expected


@given(st.text())
def test_text_without_known_names_and_escapes_stays(text: str) -> None:
    if "$${" not in text and ":-" not in text:
        assert substitute(text, {}) == text


@given(st.text(), st.text())
def test_a_value_is_never_searched_for_placeholders(before: str, value: str) -> None:
    if "$" not in before:
        assert substitute(before + "${v}", {"v": value, "a": "no"}) == before + value


def test_canonical_json_is_one_text_for_equal_values() -> None:
    assert canonical_json({"b": [1, {"d": None, "c": "ä"}], "a": 1.5}) == '{"a":1.5,"b":[1,{"c":"ä","d":null}]}'
    assert canonical_json({"a": 1, "b": 2}) == canonical_json({"b": 2, "a": 1})
