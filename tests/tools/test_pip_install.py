"""Libraries of an extra are installed while the program runs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.sample_extra import EXTRA, MODULE, put_wheel, read_sample, sample_extra
from tools import ToolConfigurationError, ToolFailure
from tools.extras import missing_libraries
from tools.pip_install import install_extra


@pytest.fixture
def wheels(tmp_path: Path) -> Iterator[Path]:
    with sample_extra(tmp_path) as wheels:
        yield wheels


def test_a_tool_works_once_its_libraries_are_installed(wheels: Path) -> None:
    with pytest.raises(ToolFailure, match=MODULE):
        read_sample()
    put_wheel(wheels)
    said: list[str] = []

    asyncio.run(install_extra(EXTRA, said.append))

    assert read_sample() == "installed"
    assert missing_libraries(EXTRA) == ()
    assert any(line.startswith("Successfully installed") for line in said)


def test_what_is_installed_already_is_left_alone(wheels: Path) -> None:
    put_wheel(wheels)
    asyncio.run(install_extra(EXTRA, print))
    said: list[str] = []

    asyncio.run(install_extra(EXTRA, said.append))

    assert said == []


@pytest.mark.usefixtures("wheels")
def test_what_pip_cannot_find_is_said_in_one_line() -> None:
    with pytest.raises(
        ToolConfigurationError, match=r"^pip ended with code 1: No matching distribution found"
    ) as found:
        asyncio.run(install_extra(EXTRA, print))

    assert "\n" not in str(found.value)
    assert [library.module for library in missing_libraries(EXTRA)] == [MODULE]


@pytest.mark.usefixtures("wheels")
def test_a_build_says_that_it_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)

    with pytest.raises(ToolConfigurationError, match="this build of Tool Console cannot install libraries"):
        asyncio.run(install_extra(EXTRA, print))


async def test_cancelling_ends_pip_and_installs_nothing(wheels: Path) -> None:
    put_wheel(wheels)
    began = asyncio.Event()
    task = asyncio.create_task(install_extra(EXTRA, lambda _: began.set()))
    await began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [library.module for library in missing_libraries(EXTRA)] == [MODULE]
