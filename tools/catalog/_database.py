"""Databases as the tools see them: where a server is, who may be talked to, what a session can, how it is stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from time import monotonic
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import parse_qsl, unquote, urlsplit

from tools.context import ToolContext, require_api_key
from tools.errors import DeniedError, ToolFailure, TransientError
from tools.network_hosts import address_of, addresses_now
from tools.spec import Concern
from tools.web.addresses import PRIVATE_HOST, is_public

Parameters = list[Any] | dict[str, Any]
"""Values for the placeholders of a statement."""

READ_ONLY: Final = "the statement would change the database; change_database does that, after asking a person"

CONNECT_S: Final = 10
"""How long a server may take to answer at all."""

_LOOK_EVERY_S: Final = 0.05


class DatabaseKind(StrEnum):
    """What a database is run by."""

    SQLITE = "sqlite"
    DUCKDB = "duckdb"
    POSTGRESQL = "postgresql"
    MYSQL = "mysql"


_KINDS: Final = {
    "postgresql": DatabaseKind.POSTGRESQL,
    "postgres": DatabaseKind.POSTGRESQL,
    "mysql": DatabaseKind.MYSQL,
    "mariadb": DatabaseKind.MYSQL,
}
_PORTS: Final = {DatabaseKind.POSTGRESQL: 5432, DatabaseKind.MYSQL: 3306}
_TLS_MODES: Final = ("disable", "prefer", "require", "verify-full")
_WANTED: Final = "expected a database such as postgresql://user@host:5432/name or mysql://user@host:3306/name"


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A database on a server.

    Attributes:
        user: Who connects; empty for nobody in particular.
        password: Their password; empty when there is none. It never reaches a message.
        database: The name of the database; empty for none.
        tls: `disable`, `prefer`, `require` or `verify-full`.
    """

    kind: DatabaseKind
    host: str
    port: int
    user: str
    password: str = field(repr=False)
    database: str
    tls: str

    @property
    def name(self) -> str:
        """What it is called in messages: without user and password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.kind}://{host}:{self.port}/{self.database}"


def server_address(url: str, password: str | None = None, password_variable: str | None = None) -> ServerAddress:
    """Return what a URL names.

    Args:
        password: The password; None takes that of the URL.
        password_variable: The environment variable that holds it; None for none.

    Raises:
        ToolFailure: It is no URL of a database, or the variable is not set.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError as error:
        # The text itself may hold a password.
        raise ToolFailure(f"{_WANTED}; the one given cannot be read") from error
    kind = _KINDS.get(parts.scheme.lower())
    if kind is None:
        raise ToolFailure(f"{_WANTED}, got {parts.scheme or 'no'}:// in front; files of SQLite and DuckDB go in path")
    if not host or "/" in host or any(sign.isspace() for sign in host):
        raise ToolFailure(f"{_WANTED}; the one given names no host")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    tls = options.pop("sslmode", "prefer")
    if options or tls not in _TLS_MODES:
        wrong = next(iter(options), f"sslmode={tls}")
        raise ToolFailure(f"{wrong!r} is no option here; only sslmode is, with {', '.join(_TLS_MODES)}")
    if password is not None and password_variable is not None:
        raise ToolFailure("expected password or password_variable, got both; pass one")
    secret = require_api_key(password_variable) if password_variable else password
    return ServerAddress(
        kind=kind,
        host=host,
        port=port or _PORTS[kind],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or "") if secret is None else secret,
        database=unquote(parts.path.strip("/")),
        tls=tls,
    )


def server_concerns(arguments: Mapping[str, Any]) -> Iterator[Concern]:
    """Name a private host that a call would connect to, and the stored password that it would send."""
    if not arguments["url"]:
        return
    try:
        address = server_address(arguments["url"])
    except ToolFailure:
        return
    private = [item for item in _addresses_or_none(address) if not is_public(item)]
    if private:
        spelled = "" if str(private[0]) == address.host else f", which is {private[0]}"
        detail = f"Connects to {address.host}{spelled}: a machine on a private network or this computer itself"
        yield Concern(PRIVATE_HOST, "Private address", detail, grants=f"host:{address.host}")
    if variable := arguments["password_variable"]:
        yield Concern("sends_data", "Sends a password", f"What {variable} holds goes to {address.host}:{address.port}")


def _addresses_or_none(address: ServerAddress) -> tuple[Any, ...]:
    try:
        return addresses_now(address.host, address.port)
    except OSError:
        return ()


def admitted_host(address: ServerAddress, url: str, ctx: ToolContext) -> str:
    """Return the one numeric address that a connection goes to, judged now.

    Raises:
        DeniedError: The policy refuses it.
        ToolFailure: It is private and nobody allowed the host, or it cannot be found.
    """
    try:
        found = addresses_now(address.host, address.port)
    except OSError as error:
        message = f"the host {address.host!r} cannot be found; check its spelling and the network"
        raise TransientError(message) from error
    if refusal := ctx.refusal_at(url, found):
        raise DeniedError(refusal)
    private = next((item for item in found if not is_public(item)), None)
    if private is not None and f"host:{address.host}" not in ctx.grants:
        where = "is" if address_of(address.host) is not None else f"resolves to {private},"
        raise ToolFailure(f"{address.host!r} {where} a private address, which needs a person's permission")
    return str(found[0])


class ResultRows(NamedTuple):
    """What a statement gives.

    Attributes:
        columns: Names of the columns as the database has them.
        rows: The rows, read as they are asked for.
    """

    columns: list[str]
    rows: Iterator[Any]


class ChangeDone(NamedTuple):
    """What a changing statement did.

    Attributes:
        columns: Names of the columns it returned; empty when it returns none.
        changed_rows: How many rows it changed; None when the database does not say.
    """

    columns: list[str]
    rows: Iterator[Any]
    changed_rows: int | None


class DatabaseSession(Protocol):
    """An open database, for one call."""

    kind: DatabaseKind

    def query(self, sql: str, parameters: Parameters) -> ResultRows:
        """Run a statement that only reads."""

    def change(self, sql: str, parameters: Parameters, *, kept: bool) -> ChangeDone:
        """Run a statement that may change something.

        Args:
            parameters: Values for its placeholders.
            kept: Whether `commit` follows; else the change must be one that can be rolled back.

        Raises:
            ToolFailure: It cannot be rolled back and is not to be kept.
        """

    def commit(self) -> None:
        """Keep what was changed."""

    def explain(self, sql: str, parameters: Parameters, *, measured: bool) -> ResultRows:
        """Say how a statement would be run; measured means that it is run."""


class Watch:
    """Stop a statement whose time is over or whose call was cancelled.

    Attributes:
        limit_s: How long it may take.
        reason: Why it was stopped; empty when it was not.
    """

    def __init__(self, ctx: ToolContext, limit_s: float) -> None:
        self.limit_s = limit_s
        self.reason = ""
        self._ctx = ctx

    @contextmanager
    def stopping(self, stop: Callable[[], None]) -> Iterator[None]:
        """Call a function of another thread, again and again, once the work of the block has to end.

        Args:
            stop: Ends what the database does at the moment. What it raises is dropped: the connection may just close.
        """
        ended = threading.Event()
        deadline = monotonic() + self.limit_s

        def look() -> None:
            while not ended.wait(_LOOK_EVERY_S):
                if self._ctx.cancelled:
                    self.reason = "the statement was stopped, because the call was cancelled"
                elif monotonic() > deadline:
                    limit = f"{self.limit_s:g} s"
                    self.reason = f"the statement was stopped after {limit}; make it simpler or raise limit_s"
                if self.reason:
                    stop()

        thread = threading.Thread(target=look, name="database watch", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


def one_line(error: BaseException | str) -> str:
    """Return the first line of what a database says."""
    return str(error).strip().split("\n", 1)[0]
