"""Notice that files were saved, by looking at them now and then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Final

from tools.discovery.loading import FileStamp, file_stamp

SETTLED_S: Final = 0.15
"""Seconds for which a file has to stay as it is until it counts as saved."""

GONE_S: Final = 1.0
"""The same for a file that is gone: some editors remove the old file before they put the new one in its place."""


class SavedFiles:
    """Tell which files are not as they were loaded, once they are left alone.

    An editor may put another file in the place of the old one, and a formatter may save it again: what follows within a
    moment is one change. A state is told until the file is loaded again, so that nothing is lost when nobody asks.

    Args:
        clock: Seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._since_by_path: dict[Path, tuple[FileStamp | None, float]] = {}

    def look(self, loaded: Mapping[Path, FileStamp | None]) -> tuple[Path, ...]:
        """Look at all files once.

        Args:
            loaded: The files with the state in which each was loaded; None for one that was not there.

        Returns:
            Those that are in another state, and have been in it for a moment.
        """
        now = self._clock()
        before, self._since_by_path = self._since_by_path, {}
        saved: list[Path] = []
        for path, known in loaded.items():
            stamp = file_stamp(path)
            if stamp == known:
                continue
            seen, since = before.get(path, (known, now))
            since = since if seen == stamp else now
            self._since_by_path[path] = stamp, since
            if now - since >= (GONE_S if stamp is None else SETTLED_S):
                saved.append(path)
        return tuple(saved)
