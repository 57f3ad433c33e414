"""Scenes for the pictures: the tools that a project shows first, and a tool whose libraries are not installed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QLineEdit

from tools.extras import look_again

if TYPE_CHECKING:
    from tests.shots import Stage

__all__ = ["tool_trees"]


async def tool_trees(stage: Stage) -> None:
    """The chosen tools with a star, all of them, and a tool that lacks its libraries, before and after a failure."""
    modules: dict[str, Any] = sys.modules
    modules["PIL"] = None  # as if Pillow was not installed
    look_again()
    try:
        await stage.open(first_time=False, data=stage.home / f"trees-{stage.theme.mode}")
        view = stage.console.browser_view
        view.star_requested.emit("git_log", True)
        view.set_groups_open(opened=True)
        await stage.take("tools-chosen")
        view.set_groups_open(opened=False)
        view.all_requested.emit(True)
        await stage.take("tools-all")
        view.all_requested.emit(False)
        stage.find("Tools filter", QLineEdit).setText("image")
        stage.console.open_tools.open("resize_image")
        await stage.take("extra-missing")
        page = stage.page("resize_image")
        # pip finds that it is installed, and the program that it is not: as where pip installs elsewhere.
        page.libraries.action.click()
        await stage.take("extra-installing")
        await stage.until(lambda: page.libraries.action.text() == "Try again")
        page.libraries.more.click()
        await stage.take("extra-failed")
        await stage.close()
    finally:
        del modules["PIL"]
        look_again()
