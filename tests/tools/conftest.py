from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tools import Executor, ToolRegistry, resolve_tools

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.tools.running import ExecutorOf


@pytest.fixture
def usual_loggers() -> tuple[str, ...]:
    """A call that fails, as many here do on purpose, warns; tests look at its response."""
    return ("tools.calls",)


@pytest.fixture
def executor_of(tmp_path: Path) -> Iterator[ExecutorOf]:
    """Make executors of tools over an empty project folder, and close them after the test."""
    made: list[Executor] = []

    def make(*targets: object, **options: Any) -> Executor:
        executor = Executor(ToolRegistry(resolve_tools(targets)), **{"project_dir": tmp_path, **options})
        made.append(executor)
        return executor

    yield make
    for executor in made:
        executor.close()
