"""Prompts on the command line: listed, described, and written with their arguments."""

from __future__ import annotations

import io
import json
import textwrap
from typing import TYPE_CHECKING

import pytest

from tools.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Prompted = tuple[int, str, str]

LETTERS = """
    from typing import Annotated
    from tools import Param, prompt, tool, toolkit

    @toolkit("Letters", description="Write letters")
    class Letters:
        @tool
        def stamp(self) -> str:
            "Put a stamp on it."
            return "stamp"

        @prompt(role="user")
        def apology(self, name: Annotated[str, Param("Who is asked for pardon")], late_days: int = 1) -> str:
            "Ask somebody for pardon."
            return f"Write to {name}: {late_days} days late."
"""


@pytest.fixture(name="prompt")
def _prompt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Prompted]:
    path = tmp_path / "letters.py"
    path.write_text(textwrap.dedent(LETTERS), encoding="utf-8")

    def prompt(*words: str) -> Prompted:
        code = main(["prompt", *words, "--plugin", str(path)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return prompt


def test_prompts_are_listed_with_what_they_are_for(prompt: Callable[..., Prompted]) -> None:
    code, out, err = prompt()
    assert (code, err) == (0, "")
    # The built-in ones come first.
    assert out.startswith("  review_diff")
    assert out.splitlines()[-1].split(maxsplit=1) == ["apology", "Ask somebody for pardon."]
    entry = json.loads(prompt("--output", "json")[1])[-1]
    assert (entry["name"], entry["role"], entry["toolkit"]) == ("apology", "user", "Letters")
    assert entry["input_schema"]["required"] == ["name"]


def test_a_prompt_is_written_with_its_arguments(
    prompt: Callable[..., Prompted], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert prompt("apology", "name=Mira") == (0, "Write to Mira: 1 days late.\n", "")
    monkeypatch.setattr("sys.stdin", io.StringIO('{"name": "Ada", "late_days": 2}'))
    assert prompt("apology", "--json", "-") == (0, "Write to Ada: 2 days late.\n", "")
    said = json.loads(prompt("apology", "name=Mira", "late_days:=3", "--output", "json")[1])
    message = {"role": "user", "content": {"type": "text", "text": "Write to Mira: 3 days late."}}
    assert said == {"description": "Ask somebody for pardon.", "messages": [message]}


def test_a_prompt_says_what_it_takes(prompt: Callable[..., Prompted]) -> None:
    code, out, _ = prompt("apology", "--describe")

    assert code == 0
    assert out.splitlines()[:3] == ["apology", "  Ask somebody for pardon.", "  speaks as user · Letters"]
    assert "  name*  (string)" in out.splitlines()


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (["apolgy"], 2, "no prompt is called 'apolgy'; there are: apology"),
        (["apology"], 4, "name is required: expected a text; --describe says what it takes"),
        (["apology", "name=a", "late_days=x"], 4, "late_days: expected a whole number, got 'x'; --describe says what"),
        (["apology", "--json", "{"], 2, "--json: not JSON ("),
        (["apology", "name"], 2, "expected key=value or key:=JSON, got 'name'"),
    ],
)
def test_wrong_words_say_what_was_expected(
    prompt: Callable[..., Prompted], words: list[str], code: int, complaint: str
) -> None:
    said = prompt(*words)

    assert said[0] == code
    assert said[2].startswith(f"tool-console: {complaint}")
