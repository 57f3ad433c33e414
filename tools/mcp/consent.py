"""A server starts only after a person saw what would run: consents, bound to the command to the letter."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final

from annotated_types import MaxLen
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from tools.mcp.config import ServerConfig
from tools.policy.digest import canonical
from tools.shared_file import SharedFile

CONSENTS_FILE: Final = "server-consents.json"
"""Where consents stand, in the data folder."""


class Consent(BaseModel):
    """Remember that a person let a server start.

    Attributes:
        digest: What of, see `start_digest`.
        trusted: Whether the hints of a project's server are believed, which its file cannot say.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    digest: str
    given_at: datetime
    trusted: bool = False


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", defer_build=True)

    servers: Annotated[dict[str, Consent], MaxLen(10_000)] = Field(default_factory=dict)


def start_digest(config: ServerConfig) -> str:
    """Return what a consent is bound to: everything that decides what runs, where, and what it is sent.

    Variables count as they are written: `${env:TOKEN}` stays the same start when the token changes.
    """
    decides: dict[str, JsonValue] = {
        "transport": config.transport.value,
        "command": config.command,
        "args": list(config.args),
        "env": dict(config.env),
        "cwd": config.cwd,
        "url": config.url,
        "headers": dict(config.headers),
    }
    if config.client is not None:
        decides["client"] = [config.client.id, config.client.secret]
    return sha256(canonical(decides).encode("utf-8", "surrogatepass")).hexdigest()


class Consents:
    """Keep consents in a file; from any thread, beside other programs.

    Args:
        path: The file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self._file = SharedFile(path, _Document)

    def may_start(self, config: ServerConfig) -> bool:
        """Return whether a person agreed to exactly this start.

        Raises:
            ServerConfigError: When the file cannot be read.
        """
        found = self.of(config)
        return found is not None and found.digest == start_digest(config)

    def of(self, config: ServerConfig) -> Consent | None:
        """Return what was agreed to last, perhaps another command; None when nothing ever was.

        Raises:
            ServerConfigError: When the file cannot be read.
        """
        return self._file.read().servers.get(config.key)

    def trusts(self, config: ServerConfig) -> bool:
        """Return whether the server's hints are believed: as the person's entry says, or as they said of a project's.

        Raises:
            ServerConfigError: When the file cannot be read.
        """
        if config.origin is None or config.origin.project_dir is None:
            return config.trusted
        found = self.of(config)
        return found is not None and found.trusted and found.digest == start_digest(config)

    def give(self, config: ServerConfig, *, trusted: bool = False, now: datetime | None = None) -> None:
        """Let a server start from now on, as long as its command stays what it is.

        Args:
            trusted: Whether the hints of a project's server are believed.
            now: When; None is this moment.

        Raises:
            ServerConfigError: When that cannot be written.
        """
        consent = Consent(digest=start_digest(config), given_at=now or datetime.now(UTC), trusted=trusted)
        with self._file.change() as document:
            document.servers[config.key] = consent

    def withdraw(self, config: ServerConfig) -> None:
        """Ask again before the next start.

        Raises:
            ServerConfigError: When that cannot be written.
        """
        with self._file.change() as document:
            document.servers.pop(config.key, None)
