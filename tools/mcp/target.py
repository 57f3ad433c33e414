"""What is really started or reached: an entry whose variables and secrets were filled in, for one connection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tools.mcp.config import SignInClient, Transport

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, slots=True)
class Target:
    """Be what a connection starts or reaches; it is never written down, as it has real secrets.

    Attributes:
        transport: How messages travel.
        argv: The program and its arguments; empty for what is reached over HTTP.
        env: What is added to the few variables that every server inherits.
        cwd: The folder it starts in; None is the current one.
        url: The address; empty for stdio.
        headers: What is added to each HTTP request.
        auth: Signs HTTP requests, such as with OAuth; None when nothing does.
        client: How this program is known to the server; None where the server itself says so.
        secrets: The values that no log and no message may show.
    """

    transport: Transport
    argv: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: Path | None = None
    url: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    auth: httpx2.Auth | None = field(default=None, repr=False)
    client: SignInClient | None = field(default=None, repr=False)
    secrets: frozenset[str] = field(default=frozenset(), repr=False)
