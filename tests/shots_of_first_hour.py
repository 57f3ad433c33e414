"""A film strip of somebody's first hour: from an empty home to a tool of their own and a server's call."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from console.browser.new_tool_dialog import NewToolDialog
from console.servers.config_dialog import ConfigDialog
from console.servers.offers_view import ApproveDialog
from console.servers.view import ServersView
from console.tool_page.view import ExecutionView
from tests.shots_of_servers import put_servers_on_path, until_dialog

if TYPE_CHECKING:
    from tests.shots import Stage

__all__ = ["first_hour"]

_TOOL = "shout"


async def first_hour(stage: Stage) -> None:
    """Start with nothing, try the sample, write a tool, break and mend it, answer a question, connect a server."""
    path = os.environ["PATH"]
    put_servers_on_path(stage.home / f"hour-bin-{stage.theme.mode}")
    try:
        await stage.open(first_time=True, data=stage.home / f"hour-{stage.theme.mode}")
        await _sample(stage)
        await _own_tool(stage)
        await _question(stage)
        await _server(stage)
        stage.console.window.rail.choose("health")
        await stage.take("hour-15-health")
    finally:
        os.environ["PATH"] = path
    await stage.close()


async def _sample(stage: Stage) -> None:
    await stage.take("hour-01-start")
    stage.press("Run your first tool")
    # The page of a tool is imported when the first one is opened.
    await stage.until(lambda: stage.console.open_tools.current is not None)
    await stage.settle()
    await _run(stage)
    await stage.take("hour-02-first-result")


async def _run(stage: Stage) -> None:
    presenter = stage.console.open_tools.current
    assert presenter is not None
    before = presenter.record
    presenter.run()
    await stage.until(lambda: presenter.record is not before and not presenter.is_running)


async def _own_tool(stage: Stage) -> None:
    """Begin a tool from a template, run it, save it with one parameter more, with a mistake, and mended."""
    console = stage.console
    console.authoring.ask_for_tool()
    dialog = next(one for one in console.window.findChildren(NewToolDialog) if one.isVisible())
    folder = stage.home / f"own-tools-{stage.theme.mode}"
    folder.mkdir()
    dialog.folder.setText(str(folder))
    QTest.keyClicks(dialog.name, _TOOL)
    await stage.take("hour-03-new-tool")
    dialog.make.click()
    await stage.until(lambda: isinstance(console.documents.page(_TOOL), ExecutionView))
    await stage.take("hour-04-its-page")
    page = stage.page(_TOOL)
    required = page.document.schema["required"]
    page.document.replace({**page.document.initial_value(), **dict.fromkeys(required, "one two three")})
    await _run(stage)
    await stage.take("hour-05-it-ran")
    file = folder / f"{_TOOL}.py"
    text = file.read_text("utf-8")
    file.write_text(text.replace("-> ", "-> int | "), "utf-8")
    await stage.until(lambda: "loaded again" in page.notice.text)
    await stage.take("hour-06-saved-anew")
    file.write_text(text.replace("return ", "return ("), "utf-8")
    await stage.until(page.source.isVisible)
    await stage.take("hour-07-mistake")
    file.write_text(text, "utf-8")
    await stage.until(lambda: not page.source.isVisible())
    await stage.take("hour-08-mended")


async def _question(stage: Stage) -> None:
    await stage.run("delete_file", {"path": "exports/2026-10", "recursive": True}, wait=False)
    await until_dialog(stage)
    await stage.take("hour-09-question")
    stage.press("Deny")
    presenter = stage.console.open_tools.current
    await stage.until(lambda: presenter is not None and not presenter.is_running)
    await stage.take("hour-10-denied")


async def _server(stage: Stage) -> None:
    """Paste a command line, approve what the server offers, and call it."""
    console = stage.console
    console.window.rail.choose("servers")
    await stage.until(lambda: any(view.isVisible() for view in console.window.findChildren(ServersView)))
    (view,) = console.window.findChildren(ServersView)
    view.add.click()
    await until_dialog(stage)
    (dialog,) = (one for one in console.window.findChildren(ConfigDialog) if one.isVisible())
    dialog.paste.setPlainText("$ mcp-server-repository 1")
    await stage.until(lambda: "mcp-server-repository" in dialog.form.value().get("command", ""))
    await stage.settle()
    await stage.take("hour-11-paste")
    dialog.save.click()
    await stage.until(lambda: any(one.isVisible() for one in console.window.findChildren(ApproveDialog)))
    await stage.take("hour-12-approve")
    (approval,) = (one for one in console.window.findChildren(ApproveDialog) if one.isVisible())
    await stage.until(approval.approve.isEnabled)
    approval.approve.click()
    await stage.until(lambda: console.window.status_bar.notice.startswith("Approved"))
    console.window.rail.choose("tools")
    name = next(card.name for card in console.tools if card.name.endswith("list_issues") and card.name != "list_issues")
    await stage.run(name, {"label": "bug"})
    stage.find("Tools filter", QLineEdit).setText("issues")
    await stage.take("hour-13-server-call")
    stage.page(name).results.result_header.messages.click()
    await stage.take("hour-14-messages")
