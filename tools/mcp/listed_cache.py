"""What each server listed last: its tools can be seen and called before it runs, and the first call starts it."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final

from annotated_types import MaxLen
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from tools.mcp.config import ServerConfig
from tools.mcp.consent import start_digest
from tools.mcp.definitions import Definition
from tools.shared_file import SharedFile

REMEMBERED_FILE: Final = "server-tools.json"
"""Where it stands what servers listed last, in the data folder."""


class _Listed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    digest: str
    definitions: tuple[dict[str, JsonValue], ...]


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")

    servers: Annotated[dict[str, _Listed], MaxLen(10_000)] = Field(default_factory=dict)


class ListedCache:
    """Keep what servers listed last in a file; from any thread, beside other programs.

    Args:
        path: The file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self._file = SharedFile(path, _Document)
        self._lock = threading.Lock()

    def of(self, config: ServerConfig) -> tuple[Definition, ...]:
        """Return what a server listed last; nothing when it never did, or was another program then.

        Raises:
            ServerConfigError: When the file cannot be read.
        """
        found = self._file.read().servers.get(config.key)
        if found is None or found.digest != start_digest(config):
            return ()
        return tuple(map(Definition, found.definitions))

    def keep(self, config: ServerConfig, definitions: Iterable[Definition]) -> None:
        """Remember what a server lists; what is known already is not written again.

        Raises:
            ServerConfigError: When that cannot be written.
        """
        listed = tuple(dict(definition.raw) for definition in definitions)
        entry = _Listed(digest=start_digest(config), definitions=listed)
        with self._lock:
            if self._file.read().servers.get(config.key) == entry:
                return
            with self._file.change() as document:
                document.servers[config.key] = entry

    def forget(self, config: ServerConfig) -> None:
        """Forget a server, as when it is removed for good.

        Raises:
            ServerConfigError: When that cannot be written.
        """
        with self._lock, self._file.change() as document:
            document.servers.pop(config.key, None)
