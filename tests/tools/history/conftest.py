from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tools.history import History

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.tools.history.recording import HistoryOf


@pytest.fixture
def history_of(tmp_path: Path) -> Iterator[HistoryOf]:
    """Open histories in one folder, and close them after the test."""
    made: list[History] = []

    def make(folder: Path | None = None, **options: Any) -> History:
        history = History(folder or tmp_path / "history", **options)
        history.open()
        made.append(history)
        return history

    yield make
    for history in made:
        history.close()
