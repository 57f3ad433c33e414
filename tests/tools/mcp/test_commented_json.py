"""JSON with comments, read and edited in place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.mcp.commented_json import parsed, with_value, without_value

COMMENTED = """\
// my servers
{
  "other": 1, /* kept */
  "mcpServers": {
    // for mails
    "mail": {
      "command": "npx", // the runner
      "args": ["-y", "mail",],
    },
    // for time
    "time": { "command": "uvx" } // short
  },
}
"""

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


def test_comments_and_trailing_commas_are_read_over() -> None:
    assert parsed(COMMENTED).value == {
        "other": 1,
        "mcpServers": {"mail": {"command": "npx", "args": ["-y", "mail"]}, "time": {"command": "uvx"}},
    }
    assert parsed('\ufeff{"a": "// no comment", "b": "/* neither */"}').value == {
        "a": "// no comment",
        "b": "/* neither */",
    }


@given(values, st.sampled_from([None, 2, "\t"]))
def test_what_json_writes_is_read_alike(value: Any, indent: Any) -> None:
    assert parsed(json.dumps(value, indent=indent)).value == value


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1, column 1: expected a value, got the end"),
        ("{", "line 1, column 2: expected a name in quotes or a closing brace, got the end"),
        ('{\n  "a" 1}', "line 2, column 7: expected a colon, got '1'"),
        ('{"a": 1 "b": 2}', "line 1, column 9: expected a comma or }, got '\"'"),
        ("[1 2]", "line 1, column 4: expected a comma or ], got '2'"),
        ("[,]", "line 1, column 2: expected a value, got ','"),
        ('{"a": tru}', "line 1, column 7: expected a value, got 't'"),
        ('"a\nb"', "line 1, column 3: expected a text in quotes"),
        ("{} {}", "line 1, column 4: expected the end of the file, got '{'"),
        ("1" * 5000, "a number of a sensible size"),
        ("[" * 200, "at most 100 lists and objects inside each other"),
        ("/* never ends", "expected a value, got '/'"),
    ],
)
def test_what_is_no_json_is_told_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match="expected") as caught:
        parsed(text)
    assert problem in str(caught.value)


def test_a_value_is_replaced_where_it_stands() -> None:
    assert with_value(COMMENTED, ["mcpServers", "mail", "command"], "uvx") == COMMENTED.replace('"npx"', '"uvx"')


def test_a_member_goes_behind_the_others_and_their_comments_stay_with_them() -> None:
    assert with_value(COMMENTED, ["mcpServers", "new"], {"command": "x"}) == COMMENTED.replace(
        '"time": { "command": "uvx" } // short\n',
        '"time": { "command": "uvx" }, // short\n    "new": {\n      "command": "x"\n    }\n',
    )
    assert with_value(COMMENTED, ["mcpServers", "time", "disabled"], value=True) == COMMENTED.replace(
        '{ "command": "uvx" }', '{ "command": "uvx", "disabled": true }'
    )
    assert with_value(COMMENTED, ["mcpServers", "mail", "cwd"], "/") == COMMENTED.replace(
        '"mail",],\n', '"mail",],\n      "cwd": "/",\n'
    )


def test_objects_on_the_way_are_made() -> None:
    assert with_value("{}", ["a", "b"], 1) == '{\n  "a": {\n    "b": 1\n  }\n}'
    assert with_value("{\n\t// empty\n}\n", ["a"], 1) == '{\n\t// empty\n\t"a": 1\n}\n'
    assert with_value('{"a": 1,}', ["b"], 2) == '{"a": 1, "b": 2}'
    assert with_value('{\r\n  "a": 1\r\n}', ["b"], [2]) == '{\r\n  "a": 1,\r\n  "b": [\r\n    2\r\n  ]\r\n}'
    with pytest.raises(ValueError, match="expected a to be an object in braces, got 1"):
        with_value('{"a": 1}', ["a", "b"], 2)


def test_a_member_goes_with_the_comment_directly_above_it() -> None:
    assert without_value(COMMENTED, ["mcpServers", "mail"]) == COMMENTED.replace(
        COMMENTED[COMMENTED.index("    // for mails") : COMMENTED.index("    // for time")], ""
    )
    last = without_value(COMMENTED, ["mcpServers", "time"])
    assert "time" not in last
    assert parsed(last).value == {"other": 1, "mcpServers": {"mail": {"command": "npx", "args": ["-y", "mail"]}}}
    assert "// for mails" in last
    assert last.endswith('"mail",],\n    }\n  },\n}\n')
    assert without_value('{"a": 1, "b": 2}', ["b"]) == '{"a": 1}'
    assert without_value('{"a": 1, "b": 2}', ["a"]) == '{ "b": 2}'
    assert without_value('{"a": 1}', ["c"]) == '{"a": 1}'
    assert without_value('{"a": {}}', ["c", "d"]) == '{"a": {}}'
    assert parsed(without_value('{"a": 1, "b": 2, "a": 3}', ["a"])).value == {"b": 2}


objects = st.dictionaries(st.text(max_size=3), values, max_size=4)


@given(objects, st.text(max_size=3), values, st.sampled_from([None, 2]))
def test_edits_mean_what_they_mean_of_values(before: dict[str, Any], name: str, value: Any, indent: Any) -> None:
    text = json.dumps(before, indent=indent, ensure_ascii=False)
    assert parsed(with_value(text, [name], value)).value == {**before, name: value}
    assert parsed(without_value(text, [name])).value == {key: item for key, item in before.items() if key != name}
