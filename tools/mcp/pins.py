"""Which definitions of tools a person approved: one that changed since is not run before it is looked at again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from annotated_types import MaxLen
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from tools.mcp.config import ServerConfig
from tools.mcp.definitions import Definition
from tools.shared_file import SharedFile

PINS_FILE: Final = "server-pins.json"
"""Where approvals of definitions stand, in the data folder."""


class PinVerdict(StrEnum):
    """How a definition stands to what was approved.

    A new one asks before its first call, and that answer approves it. A changed or blocked one is not run.
    """

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    BLOCKED = "blocked"


class Pin(BaseModel):
    """Remember what was approved of one tool.

    Attributes:
        approved: The definition as it was approved; None for one that was only ever blocked.
        digest: Its digest; empty with None.
        approved_by: Who, such as `you`; `policy` where a rule answered.
        blocked: The digest of the definition that a person keeps blocked; empty when none is.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    approved: dict[str, JsonValue] | None = None
    digest: str = ""
    approved_at: datetime | None = None
    approved_by: str = ""
    blocked: str = ""


class DefinitionJudgement(NamedTuple):
    """What is known of one definition that a server lists.

    Attributes:
        approved: As it was approved; None when it never was.
    """

    definition: Definition
    verdict: PinVerdict
    approved: Definition | None = None
    approved_at: datetime | None = None

    @property
    def is_suspended(self) -> bool:
        return self.verdict in {PinVerdict.CHANGED, PinVerdict.BLOCKED}

    @property
    def refusal(self) -> str:
        """Why a call is refused and what to do; empty when none is."""
        name = self.definition.name
        if self.verdict is PinVerdict.BLOCKED:
            return f"the tool {name!r} is blocked; look at its definition and approve it to run it"
        if self.verdict is PinVerdict.CHANGED:
            return (
                f"the server changed the definition of the tool {name!r} since it was approved"
                f"{self._when()}; look at the changes, then approve or block it"
            )
        return ""

    def _when(self) -> str:
        return "" if self.approved_at is None else f" on {self.approved_at.astimezone():%Y-%m-%d}"


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", defer_build=True)

    servers: Annotated[dict[str, dict[str, Pin]], MaxLen(10_000)] = Field(default_factory=dict)


class Pins:
    """Keep approvals of definitions in a file; from any thread, beside other programs.

    Args:
        path: The file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self._file = SharedFile(path, _Document)

    def judge(self, config: ServerConfig, definitions: Iterable[Definition]) -> tuple[DefinitionJudgement, ...]:
        """Return how each definition of a server stands, in the given order.

        Raises:
            ServerConfigError: When the file cannot be read; nothing may run then.
        """
        pins = self.of(config)
        return tuple(_judged(definition, pins.get(definition.name)) for definition in definitions)

    def of(self, config: ServerConfig) -> Mapping[str, Pin]:
        """Return what is remembered of a server's tools, by their names.

        Raises:
            ServerConfigError: When the file cannot be read.
        """
        return self._file.read().servers.get(config.key, {})

    def approve(
        self, config: ServerConfig, definitions: Iterable[Definition], by: str = "you", now: datetime | None = None
    ) -> None:
        """Remember definitions as approved, blocked ones too.

        Args:
            now: When; None is this moment.

        Raises:
            ServerConfigError: When that cannot be written.
        """
        moment = now or datetime.now(UTC)
        pins = {
            definition.name: Pin(
                approved=dict(definition.raw), digest=definition.digest, approved_at=moment, approved_by=by
            )
            for definition in definitions
        }
        self._put(config, pins)

    def block(self, config: ServerConfig, definition: Definition) -> None:
        """Refuse a tool's calls until a person approves it; what was approved before is remembered.

        Raises:
            ServerConfigError: When that cannot be written.
        """
        former = self.of(config).get(definition.name, Pin())
        self._put(config, {definition.name: former.model_copy(update={"blocked": definition.digest})})

    def forget(self, config: ServerConfig) -> None:
        """Forget everything about a server's tools, as when it is removed.

        Raises:
            ServerConfigError: When that cannot be written.
        """
        with self._file.change() as document:
            document.servers.pop(config.key, None)

    def _put(self, config: ServerConfig, pins: Mapping[str, Pin]) -> None:
        if not pins:
            return
        with self._file.change() as document:
            document.servers.setdefault(config.key, {}).update(pins)


def _judged(definition: Definition, pin: Pin | None) -> DefinitionJudgement:
    if pin is None:
        return DefinitionJudgement(definition, PinVerdict.NEW)
    approved = None if pin.approved is None else Definition(pin.approved)
    if pin.blocked:
        # Blocked stays blocked, whatever the server makes of the definition meanwhile.
        verdict = PinVerdict.BLOCKED
    elif pin.digest == definition.digest:
        verdict = PinVerdict.SAME
    else:
        verdict = PinVerdict.CHANGED
    return DefinitionJudgement(definition, verdict, approved, pin.approved_at)
