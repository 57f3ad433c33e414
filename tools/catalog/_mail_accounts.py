"""Mail servers that a person set up in the environment, and what can go wrong with them."""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, Literal, get_args

from pydantic import StringConstraints

from tools.context import require_api_key
from tools.errors import DeniedError, ToolFailure, TransientError
from tools.network_hosts import addresses_now, is_this_computer
from tools.spec import Param

if TYPE_CHECKING:
    from tools.context import ToolContext

Protocol = Literal["SMTP", "IMAP"]
Security = Literal["tls", "starttls", "none"]
Account = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z0-9_]{0,40}$"),
    Param("Which account, when several are set up: WORK uses SMTP_WORK_HOST and so on; empty for SMTP_HOST"),
]

TIMEOUT_S: Final = 30.0
_PORTS: Final[dict[tuple[Protocol, Security], int]] = {
    ("SMTP", "tls"): 465,
    ("SMTP", "starttls"): 587,
    ("SMTP", "none"): 25,
    ("IMAP", "tls"): 993,
    ("IMAP", "starttls"): 143,
    ("IMAP", "none"): 143,
}
_CODE: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, repr=False)
class MailServer:
    """One mail server and who signs in there.

    Attributes:
        prefix: What the variables that describe it begin with.
        security: Whether it is encrypted from the beginning, from a command on, or not.
        user: Who signs in; empty for nobody.
        password: The password; empty for none.
    """

    protocol: Protocol
    prefix: str
    host: str
    port: int
    security: Security
    user: str
    password: str

    @property
    def name(self) -> str:
        return f"{self.host}:{self.port}"


def mail_server(protocol: Protocol, account: str) -> MailServer:
    """Return a mail server as it is set up; it may wait for the keyring.

    Raises:
        ToolFailure: It is not set up, or would be sent a password without encryption.
    """
    prefix = f"{protocol}_{account.upper()}_" if account else f"{protocol}_"
    host = os.environ.get(f"{prefix}HOST", "")
    if not host:
        raise ToolFailure(
            f"no server is set up: set the environment variables {prefix}HOST and {prefix}USER, and keep the password"
            f" as {prefix}PASSWORD in the environment or the keyring"
        )
    said = os.environ.get(f"{prefix}SECURITY", "").lower() or ("tls" if protocol == "IMAP" else "starttls")
    security = next((known for known in get_args(Security) if known == said), None)
    if security is None:
        raise ToolFailure(f"expected tls, starttls or none in {prefix}SECURITY, got {said!r}")
    port = os.environ.get(f"{prefix}PORT", "") or str(_PORTS[protocol, security])
    if not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise ToolFailure(f"expected a port in {prefix}PORT, got {port!r}")
    user = os.environ.get(f"{prefix}USER", "")
    if security == "none" and user and not is_this_computer(host):
        raise ToolFailure(
            f"the password is not sent to {host} without encryption; set {prefix}SECURITY to tls or starttls"
        )
    password = require_api_key(f"{prefix}PASSWORD") if user else ""
    return MailServer(protocol, prefix, host, int(port), security, user, password)


def sender_of(server: MailServer) -> str:
    """Return whom messages come from.

    Raises:
        ToolFailure: Nobody said.
    """
    sender = os.environ.get(f"{server.prefix}FROM", "") or server.user
    if "@" not in sender:
        raise ToolFailure(f"nobody says whom messages come from: set {server.prefix}FROM to an address")
    return sender


def server_words(protocol: Protocol, account: str) -> str:
    """Return how a server is called before anybody connects to it; never a secret."""
    prefix = f"{protocol}_{account.upper()}_" if account else f"{protocol}_"
    return os.environ.get(f"{prefix}HOST", "") or f"the server that {prefix}HOST should name"


def need_admitted(server: MailServer, ctx: ToolContext) -> None:
    """Check that the policy lets somebody go to a server; a person named it, so it may be on a private network.

    Raises:
        DeniedError: It does not.
        TransientError: The host cannot be looked up.
    """
    try:
        addresses = addresses_now(server.host, server.port)
    except OSError as error:
        raise TransientError(
            f"the host {server.host!r} cannot be found ({error}); check {server.prefix}HOST"
        ) from error
    if refusal := ctx.refusal_at(f"{server.protocol.lower()}://{server.name}/", addresses):
        raise DeniedError(refusal)


@contextmanager
def telling_connection_failures(server: MailServer) -> Iterator[None]:
    """Let what goes wrong with the connection say what to do.

    Raises:
        ToolFailure: The certificate is not trusted, or the encryption cannot work.
        TransientError: The server cannot be reached, or breaks off.
    """
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise ToolFailure(f"the certificate of {server.host} is not trusted: {error.verify_message}") from error
    except ssl.SSLError as error:
        raise ToolFailure(
            f"{server.name} cannot be reached with {server.security} ({error.reason or error});"
            f" check {server.prefix}SECURITY and {server.prefix}PORT"
        ) from error
    except TimeoutError as error:
        raise TransientError(f"{server.name} did not answer within {TIMEOUT_S:g} s; try again") from error
    except (OSError, EOFError) as error:
        raise TransientError(
            f"no answer from {server.name}: {error}; check {server.prefix}HOST and try again"
        ) from error


def readable(answer: object) -> str:
    """Return what a mail server said in one line."""
    text = answer.decode("utf-8", errors="replace") if isinstance(answer, bytes) else str(answer)
    return _CODE.sub(" ", text).strip()[:300]
