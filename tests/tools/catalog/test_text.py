"""The text tools."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.catalog.calling import Reviewer, call, failure_of, result_of
from tools import CallStatus, ExitEarly, ToolFailure
from tools.catalog import text as text_tools
from tools.catalog._templates import rendered
from tools.catalog.text import Text


def _do(folder: Path, name: str, **arguments: Any) -> Any:
    return result_of(Text, name, arguments, folder)


def _fail(folder: Path, name: str, **arguments: Any) -> str:
    return failure_of(Text, name, arguments, folder)


# diff_texts and diff_files


def test_a_difference_is_a_unified_diff_with_counts(tmp_path: Path) -> None:
    diff = _do(tmp_path, "diff_texts", before="one\ntwo\nthree\n", after="one\n2\nthree\nfour\n", context_lines=0)

    assert diff.diff == "--- before\n+++ after\n@@ -2 +2 @@\n-two\n+2\n@@ -3,0 +4 @@\n+four"
    assert (diff.added, diff.removed, diff.equal) == (2, 1, False)


def test_equal_texts_have_no_diff(tmp_path: Path) -> None:
    diff = _do(tmp_path, "diff_texts", before="same\n", after="same\n")

    assert (diff.equal, diff.diff, diff.added, diff.removed) == (True, "", 0, 0)


def test_a_missing_last_end_of_line_is_a_difference(tmp_path: Path) -> None:
    diff = _do(tmp_path, "diff_texts", before="same\n", after="same")

    assert "+same\n\\ No newline at end of file" in diff.diff
    assert not diff.equal


def test_a_long_diff_is_cut_and_says_so(tmp_path: Path) -> None:
    arguments = {"before": "a\n" * 50, "after": "b\n" * 50, "max_chars": 60}

    response = call(Text, "diff_texts", arguments, tmp_path)

    assert (len(response.result.diff), response.result.truncated) == (60, True)
    assert (response.result.added, response.result.removed) == (50, 50)
    assert "the result was cut" in response.logs[0].text


def test_files_of_different_encodings_are_compared_as_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Zoë\nx\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("Zoë\ny\n", encoding="utf-16")

    diff = _do(tmp_path, "diff_files", before="a.txt", after="b.txt")

    assert diff.diff == "--- a.txt\n+++ b.txt\n@@ -1,2 +1,2 @@\n Zoë\n-x\n+y"


def test_comparing_a_file_outside_the_project_asks(project: Path) -> None:
    (project.parent / "secret.txt").write_text("secret", encoding="utf-8")
    reviewer = Reviewer(ExitEarly())

    response = call(Text, "diff_files", {"before": "README.md", "after": "../secret.txt"}, project, reviewer)

    assert response.status is CallStatus.DENIED
    assert reviewer.kinds == ["outside_project"]
    assert "secret\n" not in response.text


def test_what_is_no_text_cannot_be_compared(project: Path) -> None:
    assert "expected a text file" in _fail(project, "diff_files", before="README.md", after="logo.png")


def test_a_comparison_nobody_waits_for_ends() -> None:
    ctx: Any = SimpleNamespace(cancelled=True, log=lambda *_: None)

    with pytest.raises(ToolFailure, match="cancelled"):
        text_tools.Text().diff_texts("a\nb\n", "b\na\n", ctx=ctx)


# regex_extract and regex_replace


def test_matches_come_with_groups_and_places(tmp_path: Path) -> None:
    found = _do(tmp_path, "regex_extract", text="x=1\ny=\n z=3", pattern=r"(?P<name>\w)=(\d)?")

    assert [(match.text, match.start, match.line, match.column) for match in found.matches] == [
        ("x=1", 0, 1, 1),
        ("y=", 4, 2, 1),
        ("z=3", 8, 3, 2),
    ]
    assert [match.groups for match in found.matches] == [["x", "1"], ["y", None], ["z", "3"]]
    assert found.matches[0].named == {"name": "x"}


@pytest.mark.parametrize(
    ("pattern", "more", "count"),
    [
        ("A", {}, 1),
        ("A", {"case_sensitive": False}, 3),
        ("^a", {}, 1),
        ("^a", {"multiline": True}, 2),
        ("a.A", {}, 0),
        ("a.A", {"dot_all": True}, 1),
        ("a", {"max_results": 1}, 1),
    ],
)
def test_options_of_a_pattern(tmp_path: Path, pattern: str, more: dict[str, Any], count: int) -> None:
    found = _do(tmp_path, "regex_extract", text="ab\na\nA", pattern=pattern, **more)

    assert len(found.matches) == count
    assert found.truncated == ("max_results" in more)


def test_groups_are_put_into_the_replacement(tmp_path: Path) -> None:
    replaced = _do(
        tmp_path,
        "regex_replace",
        text="2026-11-21, 2026-12-01",
        pattern=r"(\d+)-(?P<m>\d+)-(\d+)",
        replacement=r"\3.\g<m>.\1",
    )

    assert (replaced.text, replaced.replacements) == ("21.11.2026, 01.12.2026", 2)


def test_only_so_many_places_change(tmp_path: Path) -> None:
    arguments = {"text": "aaaa", "pattern": "a", "replacement": "b", "max_replacements": 2}

    assert _do(tmp_path, "regex_replace", **arguments).text == "bbaa"


@given(text=st.text(max_size=60), word=st.text(alphabet="ab", min_size=1, max_size=2))
def test_replacing_a_plain_word_is_what_python_does(
    tmp_path_factory: pytest.TempPathFactory, text: str, word: str
) -> None:
    ctx: Any = SimpleNamespace(cancelled=False)

    replaced = text_tools.Text().regex_replace(text, word, "-", ctx=ctx)

    assert (replaced.text, replaced.replacements) == (text.replace(word, "-"), text.count(word))


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("regex_extract", {"text": "x", "pattern": "["}, "is no regular expression"),
        ("regex_replace", {"text": "x", "pattern": "*", "replacement": ""}, "is no regular expression"),
        ("regex_replace", {"text": "x", "pattern": "x", "replacement": r"\1"}, "the replacement '\\\\1' is wrong"),
        ("regex_replace", {"text": "x" * 1000, "pattern": "x", "replacement": "y" * 6000}, "more than 5,000,000"),
    ],
)
def test_wrong_patterns_and_replacements_say_what_is_wrong(
    tmp_path: Path, name: str, arguments: dict[str, Any], words: str
) -> None:
    assert words in _fail(tmp_path, name, **arguments)


@pytest.mark.parametrize("name", ["regex_extract", "regex_replace"])
def test_a_pattern_that_tries_for_ever_is_stopped(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_tools, "PATTERN_TIMEOUT_S", 0.05)
    arguments = {"text": "a" * 5000 + "b", "pattern": "(a|aa)+$"} | (
        {"replacement": ""} if name == "regex_replace" else {}
    )

    assert "took more than" in _fail(tmp_path, name, **arguments)


# count_text


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", (0, 0, 0, 0, 0, 0, 0)),
        ("one two\n", (8, 8, 6, 2, 1, 1, 8)),
        ("a\n\n\nb c\nd", (9, 9, 4, 4, 5, 2, 9)),
        ("👍🏽é", (2, 3, 1, 1, 1, 1, 10)),
        ("e\u0301", (1, 2, 1, 1, 1, 1, 3)),
    ],
)
def test_a_text_is_counted(tmp_path: Path, text: str, numbers: tuple[int, ...]) -> None:
    counts = _do(tmp_path, "count_text", text=text)

    assert (
        counts.characters,
        counts.code_points,
        counts.letters_and_digits,
        counts.words,
        counts.lines,
        counts.paragraphs,
        counts.size_bytes,
    ) == numbers


# render_template


def _render(folder: Path, template: str, **values: Any) -> str:
    text: str = _do(folder, "render_template", template=template, values=values).text
    return text


def test_a_template_is_filled(tmp_path: Path) -> None:
    template = (
        "Dear {{ name|title }},\n{% for item in items if item %}\n- {{ loop.index }}. {{ item ~ '!' }}\n{% endfor %}\n"
        "Bye\n"
    )

    assert _render(tmp_path, template, name="mira", items=["a", "", "b"]) == "Dear Mira,\n- 1. a!\n- 2. b!\nBye\n"


def test_macros_arithmetic_and_formats_work(tmp_path: Path) -> None:
    template = (
        "{% macro twice(x) %}{{ x }}{{ x }}{% endmacro %}{{ twice('ab') }} {{ 2 ** 10 + 7 % 4 * 2 }}"
        " {{ '%03d' % 7 }} {{ '{:>4}'.format('x') }} {{ [3, 1]|sort|join(',') }} {{ 'a' * 3 }} {{ {'k': 1}|tojson }}"
    )

    assert _render(tmp_path, template) == 'abab 1030 007    x 1,3 aaa {"k": 1}'


def test_html_is_escaped_on_request(tmp_path: Path) -> None:
    arguments = {"template": "{{ x }}", "values": {"x": "<b>"}}

    assert _do(tmp_path, "render_template", **arguments).text == "<b>"
    assert _do(tmp_path, "render_template", **arguments, escape_html=True).text == "&lt;b&gt;"


def test_a_long_rendering_is_cut_and_says_so(tmp_path: Path) -> None:
    arguments = {"template": "{% for i in range(1000) %}xy{% endfor %}", "values": {}, "max_chars": 101}

    response = call(Text, "render_template", arguments, tmp_path)

    assert (len(response.result.text), response.result.truncated) == (101, True)
    assert "the result was cut" in response.logs[0].text


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{{ nmae }}", "at line 1: 'nmae' is undefined; the values given are: name"),
        ("\n\n{{ name.first }}", "at line 3"),
        ("\n{{ 1 / 0 }}", "at line 2: division by zero"),
        ("{% for %}", "is wrong at line 1"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{{ name.__init__.__globals__ }}", "unsafe"),
        ("{{ ().__class__.__base__.__subclasses__() }}", "unsafe"),
        ("{% include 'other' %}", "fails at line 1"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "recursion"),
    ],
)
def test_what_a_template_does_wrong_is_said(tmp_path: Path, template: str, words: str) -> None:
    assert words in _fail(tmp_path, "render_template", template=template, values={"name": "x"})


@pytest.mark.parametrize(
    "template",
    [
        "{{ 'a' * 10 ** 9 }}",
        "{{ 10 ** 1000000 }}",
        "{{ [0] * 10 ** 9 }}",
        "{{ 'a'|center(10 ** 9) }}",
        "{{ 'a'.ljust(10 ** 9) }}",
        "{{ '%999999999d' % 1 }}",
        "{{ '%999999999d'|format(1) }}",
        "{{ '{:999999999}'.format(1) }}",
        "{{ '{:{}}'.format(1, 999999999) }}",
        "{{ long|replace('a', long) }}",
        "{{ range(99999)|join(long) }}",
        "{{ range(9999)|map('string')|join(long) }}",
        "{{ ('\\n' * 9999)|indent(9999) }}",
        "{% set n = namespace(x='ab') %}{% for a in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
        "{% set n = namespace(x='ab') %}{% for a in range(60) %}{% set n.x = n.x + n.x %}{% endfor %}",
        "{% set n = namespace(a=[1]) %}{% for i in range(60) %}{% set n.a = [n.a, n.a] %}{% endfor %}{{ n.a }}",
    ],
)
def test_a_template_cannot_fill_the_memory(tmp_path: Path, template: str) -> None:
    message = _fail(tmp_path, "render_template", template=template, values={"long": "a" * 10_000})

    assert "was stopped at line 1" in message


def test_a_template_cannot_run_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.catalog._templates.RENDER_S", 0.0)
    ctx: Any = SimpleNamespace(cancelled=False)

    for template in ("{% for x in xs %}{% endfor %}", "{% macro m() %}{% endmacro %}{{ m() }}", "{{ 'a'.upper() }}"):
        with pytest.raises(ToolFailure, match="takes more than"):
            rendered(template, {"xs": [1]}, 100, ctx, escape_html=False)


def test_a_cancelled_template_ends() -> None:
    ctx: Any = SimpleNamespace(cancelled=True)

    with pytest.raises(ToolFailure, match="was stopped"):
        rendered("{% for x in [1] %}{% endfor %}", {}, 100, ctx, escape_html=False)
