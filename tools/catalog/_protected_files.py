"""Files that decide what may run, which no tool changes by the way."""

from __future__ import annotations

from pathlib import Path

from tools.protected import ProtectedPlaces


class DecidingFiles:
    """Tell which files below a folder decide what may run, where a person agrees to the folder only."""

    def __init__(self, project_dir: Path) -> None:
        self._places = ProtectedPlaces(project_dir)

    def reason(self, path: Path) -> str:
        """Return why a file is not changed with others; empty when it may be."""
        reached = self._places.reached(path)
        if reached is None or not reached.is_inside:
            return ""
        return f"it is {reached.place.words}, which decides what may run; change it alone, by its own path"
