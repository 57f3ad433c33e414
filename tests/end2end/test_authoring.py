"""An author saves a plugin file in an editor: the open page follows, keeps what was typed, and tells a broken line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end2end.conftest import copy_of_sample, open_console

pytestmark = pytest.mark.xvfb

FIRST = '''"""A plugin that its author works on."""

from pathlib import Path

from tools import tool


@tool(read_only=True)
def shout(word: str) -> str:
    """Say it loudly, and where."""
    return f"{word.upper()} in {Path.cwd().name}"
'''
MORE = FIRST.replace("word: str", 'word: str, ending: str = "!"').replace(".name}", ".name}{ending}")
BROKEN = MORE.replace("word.upper()}", "word.upper(}")


def save(path: Path, text: str) -> None:
    """Save as careful editors do: another file takes the place of the old one."""
    scratch = path.with_suffix(".tmp")
    scratch.write_text(text, encoding="utf-8")
    scratch.replace(path)


def test_the_page_follows_the_file_and_keeps_what_was_typed(tmp_path: Path) -> None:
    plugin = tmp_path / "shouting.py"
    save(plugin, FIRST)
    with open_console(tmp_path, copy_of_sample(tmp_path), plugin) as person:
        person.run_tool("shout", word="carrots")
        person.see_description("Result text", "CARROTS in support-agent$")

        save(plugin, MORE)
        person.see("^argument ending")
        assert person.text("argument word") == "carrots"
        person.see("before the reload")

        save(plugin, BROKEN)
        person.see(rf"shouting.py could not be loaded: SyntaxError.*{plugin}:11:")
        person.click("Run former version")
        person.see_description("Result text", "CARROTS in support-agent!$")

        save(plugin, MORE.replace("word.upper()", "word.lower()"))
        person.no_longer_see("could not be loaded")
        person.click("Run")
        person.see_description("Result text", "carrots in support-agent!$")
        assert person.program.complaints() == []
