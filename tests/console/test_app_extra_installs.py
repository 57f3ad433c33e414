"""Optional libraries are installed from a tool's page, while the window goes on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from console.app.console import Console
from console.preferences import Preferences
from console.theme import ThemeController
from console.tool_page.library_rows import ExtraInstall, libraries_notice
from tests.console.program import Program
from tests.tools.sample_extra import EXTRA, MODULE, put_wheel, read_sample, sample_extra
from tools.calls import CallStatus
from tools.declare import resolve_tools
from tools.discovery import PluginList
from tools.workbench import Workbench

RunInQt = Callable[[Coroutine[Any, Any, None]], None]


@pytest.fixture
def wheels(tmp_path: Path) -> Iterator[Path]:
    with sample_extra(tmp_path) as wheels:
        yield wheels


def program(theme: ThemeController, home: Path) -> Program:
    workbench = Workbench(PluginList(home / "settings"), application=Console, installed=())
    workbench.registry.register_all(resolve_tools([read_sample]))
    preferences = Preferences(home / "window.ini")
    return Program(Console(theme, preferences, workbench, None, (), data=home / "data"))


def said(start: Program) -> str:
    notice = start.page("read_sample").libraries.notice
    return "" if notice is None else f"{notice.fact} {notice.consequence} [{notice.action}]"


def lacks(start: Program) -> str:
    row = start.console.browser.row_of("read_sample")
    assert row is not None
    return row.lacks


async def test_a_page_installs_what_its_tool_lacks_and_the_tool_works_without_a_restart(
    theme: ThemeController, tmp_path: Path, wheels: Path, run_in_qt: RunInQt
) -> None:
    put_wheel(wheels)
    async with program(theme, tmp_path) as start:
        start.console.open_tools.open("read_sample")
        page = start.page("read_sample")
        assert said(start) == (
            f"The extra “{EXTRA}” is not installed. This tool needs {MODULE}>=1."
            " Installing it takes pip and the internet. [Install]"
        )
        assert MODULE in lacks(start)

        page.libraries.action.click()
        assert said(start).startswith(f"Installing the extra “{EXTRA}”…")
        await start.until(lambda: said(start) == "")

        assert lacks(start) == ""
        start.console.open_tools.run("read_sample")
        await start.call_ended()
        assert start.presenter.record is not None
        assert start.presenter.record.status is CallStatus.EXECUTED


@pytest.mark.usefixtures("wheels")
async def test_an_installation_that_fails_says_why_and_can_be_tried_again(
    theme: ThemeController, tmp_path: Path, run_in_qt: RunInQt
) -> None:
    async with program(theme, tmp_path) as start:
        start.console.open_tools.open("read_sample")
        start.page("read_sample").libraries.action.click()
        await start.until(lambda: "[Try again]" in said(start))

        assert f"No matching distribution found for {MODULE}>=1" in said(start)
        details = start.page("read_sample").libraries.notice.details  # type: ignore[union-attr]
        assert any("ERROR" in line for _, line in details)


async def test_an_installation_is_cancelled_from_the_page(
    theme: ThemeController, tmp_path: Path, wheels: Path, run_in_qt: RunInQt
) -> None:
    put_wheel(wheels)
    async with program(theme, tmp_path) as start:
        start.console.open_tools.open("read_sample")
        button = start.page("read_sample").libraries.action
        button.click()
        assert button.text() == "Cancel"
        button.click()
        await start.until(lambda: "[Install]" in said(start))

        assert MODULE in lacks(start)


@pytest.mark.usefixtures("wheels")
def test_only_one_extra_is_installed_at_a_time_and_a_build_installs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    other = libraries_notice(EXTRA, ExtraInstall("charts", is_running=True))
    assert other is not None
    assert (other.action, other.consequence.endswith("“charts” is being installed first.")) == ("", True)

    monkeypatch.setattr("sys.frozen", True, raising=False)
    built = libraries_notice(EXTRA, None)
    assert built is not None
    assert built.action == ""
    assert "This build of Tool Console cannot install libraries" in built.consequence
    assert libraries_notice("", None) is None
