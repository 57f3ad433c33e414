"""The screens of the whole program, each brought into sight by its name: pages, tools, settings, dialogs, the menu."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QDialog, QMenu, QWidget
from shiboken6 import isValid

from console.gateway.agents_view import AgentsView
from console.gateway.view import GatewayPanel
from console.servers.view import ServersView
from console.settings.preference import SettingsSection
from console.widgets import EmptyState
from console.window import MainWindow
from tests.console.dialogs import MADE
from tests.console.test_app_console import Start

_Widget = TypeVar("_Widget", bound=QWidget)
PAGES = ("health", "batch", "approvals", "servers", "history", "tools")
TOOLS = ("echo", "search_files", "http_request")


async def show_page(start: Start, key: str) -> QWidget:
    """Show a page and wait until its contents are there."""
    window = start.console.window
    window.rail.choose(key)

    def is_filled() -> bool:
        kinds = (EmptyState, QAbstractItemView)
        inside = [child for child in window.pages.findChildren(QWidget) if child.isVisible()]
        return key == "tools" or any(isinstance(child, kinds) for child in inside)

    await start.until(is_filled)
    return window


async def show_tool(start: Start, name: str) -> QWidget:
    start.console.open_tools.open(name)
    # What the lints say of all tools comes from another thread, and at once.
    await start.until(start.page(name).header.tokens.text)
    return start.console.window


async def show_json(start: Start, name: str) -> QWidget:
    window = await show_tool(start, name)
    start.page(name).editor.set_mode("json")
    return window


def dialog_of(start: Start) -> QDialog:
    (dialog,) = (found for found in start.console.window.findChildren(QDialog) if found.isVisible())
    return dialog


async def show_help(start: Start) -> QWidget:
    start.console.window.top_bar.help_requested.emit()
    return dialog_of(start)


async def show_about(start: Start) -> QWidget:
    start.console.window.about_requested.emit()
    return dialog_of(start)


async def show_menu(start: Start) -> QWidget:
    menu: QMenu = start.console.window.top_bar.menu_button.menu()
    menu.popup(start.console.window.pos())
    return menu


async def show_settings(start: Start, section: str) -> QWidget:
    start.console.window.settings_requested.emit()
    settings = start.console.settings.view
    assert settings is not None
    settings.show_section(SettingsSection[section])
    await start.until(settings.isVisible)
    return start.console.window


async def show_dialog(start: Start, name: str) -> QWidget:
    """Bring up a dialog, from its page if it has one."""
    window = start.console.window
    page, ask = DIALOGS[name]
    if page:
        await show_page(start, page)
        # A page that was never in sight is made when it comes there.
        await start.until(lambda: ask(window) is not None)
    asked = ask(window)
    if isinstance(asked, QAbstractButton):
        asked.click()
    before = [found for found in window.findChildren(QDialog) if found.isVisible()]
    await start.until(lambda: before or [found for found in window.findChildren(QDialog) if found.isVisible()])
    return dialog_of(start)


def _first(window: MainWindow, kind: type[_Widget]) -> _Widget | None:
    return next((found for found in window.findChildren(kind) if found.isVisible()), None)


def _button(kind: type[QWidget], name: str) -> Callable[[MainWindow], object]:
    """Return what finds a button of the view of this kind that is in sight."""

    def find(window: MainWindow) -> object:
        view = _first(window, kind)
        return None if view is None else getattr(view, name)

    return find


@asynccontextmanager
async def opened(start: Start, name: str) -> AsyncIterator[QWidget]:
    """Bring a page, a dialog or a menu into sight, and take away again what stands over the window."""
    kind, _, which = name.partition(" ")
    if kind == "page":
        shown = await show_page(start, which)
    elif kind == "tool":
        shown = await show_tool(start, which)
    elif kind == "json":
        shown = await show_json(start, which)
    elif kind == "settings":
        shown = await show_settings(start, which)
    elif kind == "dialog":
        shown = await show_dialog(start, which)
    else:
        shown = await {"help": show_help, "about": show_about, "menu": show_menu}[kind](start)
    yield shown
    if shown is not start.console.window:
        shown.close()
        # A question is denied by it, and goes a moment later.
        await start.until(lambda: not (isValid(shown) and shown.isVisible()))


SCREENS = (
    *(f"page {key}" for key in PAGES),
    *(f"tool {name}" for name in TOOLS),
    "json search_files",
    "help",
    "about",
    "menu",
)


DIALOGS: dict[str, tuple[str, Callable[[MainWindow], object]]] = {
    "new tool": ("", lambda window: window.new_tool_requested.emit()),
    "API": ("", lambda window: window.api_requested.emit()),
    "installation": ("", lambda window: window.installation_requested.emit()),
    "crash reports": ("", lambda window: window.crash_reports_requested.emit()),
    "agent": ("agents", _button(AgentsView, "add")),
    "connect": ("servers", _button(GatewayPanel, "connect_agent")),
    "server": ("servers", _button(ServersView, "add")),
    "import": ("servers", _button(ServersView, "imports")),
}
"""Dialogs that come without a call: the page they stand on, and what brings them up or finds the button for it."""


def _opening(make: Callable[[QWidget], QDialog]) -> Callable[[MainWindow], object]:
    """Return what makes a dialog over a window and opens it."""

    def ask(window: MainWindow) -> object:
        make(window).open()
        return window

    return ask


DIALOGS |= {name: ("", _opening(make)) for name, make in MADE.items()}

EVERYWHERE = (
    *SCREENS,
    *(f"page {key}" for key in ("assistant", "prompts", "agents")),
    *(f"settings {section.name}" for section in SettingsSection),
    *(f"dialog {name}" for name in DIALOGS),
)
