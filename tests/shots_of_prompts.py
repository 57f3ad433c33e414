"""Scenes for the pictures: prompts of a plugin and of a server, filled in, made, and gone wrong."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from tools.mcp.consent import CONSENTS_FILE, Consents
from tools.mcp.servers_file import ServersFile

if TYPE_CHECKING:
    from tests.shots import Stage

__all__ = ["prompts"]

_REPOSITORY: Final = Path(__file__).parent / "mcp_servers" / "repository.py"
_TICKET: Final = "The invoice of October was paid twice.\nWhen do I get the second payment back?"
_BROKEN: Final = '''"""A prompt that reads what is not there."""

from pathlib import Path

from tools import prompt


@prompt(role="user")
def summary_of_the_week(folder: str = "reports") -> str:
    """Ask for a summary of this week's reports."""
    return "Summarise:\\n" + Path(folder, "week.md").read_text("utf-8")
'''


def _prepared(stage: Stage) -> tuple[Path, Path, Path]:
    """Return a data folder, a file of servers and a plugin file."""
    data = stage.home / f"prompts-{stage.theme.mode}"
    data.mkdir()
    plugin = data / "weekly.py"
    plugin.write_text(_BROKEN, "utf-8")
    file = data / "servers.json"
    entry = {"command": sys.executable, "args": [str(_REPOSITORY)]}
    file.write_text(json.dumps({"mcpServers": {"github": entry}}), "utf-8")
    consents = Consents(data / CONSENTS_FILE)
    for config in ServersFile(file).read().servers:
        consents.give(config)
    return data, file, plugin


async def prompts(stage: Stage) -> None:
    """The Prompts page with a text of one message, of several, and one that cannot be made; and the palette."""
    data, file, plugin = _prepared(stage)
    await stage.open(first_time=False, data=data, servers=file, plugins=[plugin])
    console = stage.console
    console.window.rail.choose("prompts")
    await stage.until(lambda: "draft_reply" in {prompt.name for prompt in console.tools.prompts})
    await stage.until(lambda: console.prompts.view is not None)
    assert console.prompts.view is not None
    view = console.prompts.view.prompts
    view.show_prompt("draft_reply")
    view.form.set_value({"ticket": _TICKET, "tone": "friendly"})
    view.get.click()
    await stage.until(lambda: view.text.text)
    await stage.take("prompts")
    view.form_of_text.select(1)
    await stage.take("prompts-json")
    view.form_of_text.select(0)
    await stage.until(lambda: "github.review" in {prompt.name for prompt in console.tools.prompts})
    view.show_prompt("github.review")
    view.form.set_value({"change": "218"})
    view.get.click()
    await stage.until(lambda: "218" in view.text.text)
    await stage.take("prompts-messages")
    view.show_prompt("summary_of_the_week")
    view.get.click()
    await stage.until(view.get.isEnabled)
    await stage.take("prompts-failed")
    console.window.resize(QSize(1180, 760))
    view.show_prompt("draft_reply")
    view.get.click()
    await stage.take("prompts-missing-small")
    console.window.resize(QSize(1440, 900))
    await stage.settle()
    console.window.top_bar.search_requested.emit()
    QTest.keyClicks(stage.find("Search tools and commands", QLineEdit), "draft a reply")
    await stage.take("prompts-palette")
    await stage.close()
