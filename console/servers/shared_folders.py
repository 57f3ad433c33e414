"""Which folders a person let servers know of, kept from one start of the program to the next."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from annotated_types import MaxLen
from pydantic import BaseModel, ConfigDict, Field

from tools.shared_file import SharedFile


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")

    servers: Annotated[dict[str, dict[str, list[str]]], MaxLen(10_000)] = Field(default_factory=dict)


class SharedFolders:
    """Keep what was said for each server and project; from any thread.

    Args:
        path: The file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self._file = SharedFile(path, _Document)
        self._lock = threading.Lock()

    def of(self, server: str, project: Path) -> tuple[Path, ...] | None:
        """Return the folders that a server may know of; None when nobody was asked.

        Raises:
            ServerConfigError: When the file cannot be read.
        """
        found = self._file.read().servers.get(server, {}).get(str(project))
        return None if found is None else tuple(map(Path, found))

    def keep(self, server: str, project: Path, folders: Sequence[Path]) -> None:
        """Remember what a person said.

        Raises:
            ServerConfigError: When that cannot be written.
        """
        with self._lock, self._file.change() as document:
            document.servers.setdefault(server, {})[str(project)] = [str(folder) for folder in folders]

    def forget(self, server: str) -> None:
        """Ask again when the server wants to know.

        Raises:
            ServerConfigError: When that cannot be written.
        """
        with self._lock, self._file.change() as document:
            document.servers.pop(server, None)
