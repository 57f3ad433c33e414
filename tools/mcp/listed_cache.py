"""What each server listed last: tools and prompts can be seen and called before it runs; the first call starts it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    digest: str
    definitions: tuple[dict[str, JsonValue], ...] = ()
    prompts: tuple[dict[str, JsonValue], ...] = ()


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", defer_build=True)

    servers: Annotated[dict[str, _Listed], MaxLen(10_000)] = Field(default_factory=dict)


class ListedCache:
    """Keep what servers listed last in a file; from any thread, beside other programs.

    Args:
        path: The file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self._file = SharedFile(path, _Document)

    def of(self, config: ServerConfig) -> tuple[Definition, ...]:
        """Return the tools that a server listed last; nothing when it never did, or was another program then.

        Raises:
            ServerConfigError: When the file cannot be read.
        """
        return tuple(map(Definition, self._listed(config, self._file.read()).definitions))

    def prompts_of(self, config: ServerConfig) -> tuple[Mapping[str, JsonValue], ...]:
        """Return the prompts that a server listed last, as it wrote them; nothing as above.

        Raises:
            ServerConfigError: When the file cannot be read.
        """
        return self._listed(config, self._file.read()).prompts

    def keep(self, config: ServerConfig, definitions: Iterable[Definition]) -> None:
        """Remember the tools that a server lists; what is known already is not written again.

        Raises:
            ServerConfigError: When that cannot be written.
        """
        self._keep(config, definitions=tuple(dict(definition.raw) for definition in definitions))

    def keep_prompts(self, config: ServerConfig, prompts: Iterable[Mapping[str, JsonValue]]) -> None:
        """Remember the prompts that a server lists, as above.

        Raises:
            ServerConfigError: When that cannot be written.
        """
        self._keep(config, prompts=tuple(map(dict, prompts)))

    @staticmethod
    def _listed(config: ServerConfig, document: _Document) -> _Listed:
        found, digest = document.servers.get(config.key), start_digest(config)
        return found if found is not None and found.digest == digest else _Listed(digest=digest)

    def _keep(self, config: ServerConfig, **listed: tuple[dict[str, JsonValue], ...]) -> None:
        known = self._file.read()
        if self._listed(config, known).model_copy(update=listed) == known.servers.get(config.key):
            return
        with self._file.change() as document:
            document.servers[config.key] = self._listed(config, document).model_copy(update=listed)

    def forget(self, config: ServerConfig) -> None:
        """Forget a server, as when it is removed for good.

        Raises:
            ServerConfigError: When that cannot be written.
        """
        with self._file.change() as document:
            document.servers.pop(config.key, None)
