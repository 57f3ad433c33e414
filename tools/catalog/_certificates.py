"""Certificates as servers show them, trusted or not."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from tools.errors import ToolFailure, TransientError

if TYPE_CHECKING:
    from cryptography import x509

StartTls = Literal["none", "smtp", "imap", "pop3"]

_SOON_DAYS: Final = 21
_MOST_NAMES: Final = 200
_LONGEST_LINE: Final = 4096
_MOST_LINES: Final = 50


@dataclass(frozen=True)
class Certificate:
    """The certificate of a host.

    Attributes:
        host: The host that was asked.
        trusted: Whether it is trusted for that host.
        problem: Why it is not; empty when it is.
        subject: Whom it names.
        issuer: Who signed it.
        names: The hosts it is good for.
        not_before: From when on it is good.
        not_after: Until when it is good.
        days_left: Whole days until then; negative when it has run out.
        expires_soon: Whether it runs out within three weeks.
        key: Its key, such as RSA 2048 or EC secp256r1.
        signature: The hash of its signature; empty when there is none.
        serial: Its number, in hexadecimal.
        sha256: Its fingerprint.
        protocol: The protocol that was agreed on, such as TLSv1.3.
        cipher: The cipher that was agreed on.
    """

    host: str
    trusted: bool
    problem: str
    subject: str
    issuer: str
    names: tuple[str, ...]
    not_before: datetime
    not_after: datetime
    days_left: int
    expires_soon: bool
    key: str
    signature: str
    serial: str
    sha256: str
    protocol: str
    cipher: str


class TlsAddress(NamedTuple):
    """Where a host is asked for its certificate.

    Attributes:
        host: Whose certificate is wanted.
        address: Where the connection goes.
        port: The port there.
        starttls: The protocol whose STARTTLS begins the encryption.
    """

    host: str
    address: str
    port: int
    starttls: StartTls


async def fetched_certificate(where: TlsAddress, trust: ssl.SSLContext, timeout_s: float, now: datetime) -> Certificate:
    """Return the certificate of a host.

    Args:
        where: Where it is asked.
        trust: Whose certificates are trusted.
        timeout_s: Seconds for each of at most two connections.
        now: The time that the validity is told for.

    Raises:
        ToolFailure: The host speaks no TLS.
        TransientError: It cannot be reached.
    """
    problem = ""
    try:
        seen = await _handshake(where, trust, timeout_s)
    except ssl.SSLCertVerificationError as error:
        problem = error.verify_message
        anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        # Nothing is sent over this connection: it only shows the certificate that is not trusted.
        anybody.check_hostname = False
        anybody.verify_mode = ssl.CERT_NONE
        seen = await _handshake(where, anybody, timeout_s)
    return await asyncio.to_thread(_described, where.host, problem, seen, now)


async def _handshake(where: TlsAddress, trust: ssl.SSLContext, timeout_s: float) -> tuple[bytes, str, str]:
    """Return the certificate, the protocol and the cipher of one connection."""
    host, address, port, starttls = where
    name = f"{host}:{port}"
    try:
        async with asyncio.timeout(timeout_s):
            if starttls == "none":
                _, writer = await asyncio.open_connection(address, port, ssl=trust, server_hostname=host)
            else:
                reader, writer = await asyncio.open_connection(address, port, limit=_LONGEST_LINE)
                try:
                    await _ask_for_tls(reader, writer, starttls)
                    await writer.start_tls(trust, server_hostname=host)
                except BaseException:
                    writer.transport.abort()
                    raise
            try:
                tls: ssl.SSLObject = writer.get_extra_info("ssl_object")
                cipher = tls.cipher()
                return tls.getpeercert(binary_form=True) or b"", tls.version() or "", cipher[0] if cipher else ""
            finally:
                writer.transport.abort()
    except ssl.SSLCertVerificationError:
        raise
    except ssl.SSLError as error:
        raise ToolFailure(f"{name} does not speak TLS as it should: {error.reason or error}; check the port") from error
    except TimeoutError as error:
        raise TransientError(f"{name} did not answer within {timeout_s:g} s; try again or allow more") from error
    except (OSError, EOFError, ValueError) as error:
        raise TransientError(f"no answer from {name}: {error}; check host and port") from error


async def _ask_for_tls(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, protocol: StartTls) -> None:
    ends: dict[str, Callable[[bytes], bool]] = {
        "smtp": lambda line: line[3:4] == b" ",
        "imap": lambda line: line.startswith((b"a1 ", b"* OK")),
        "pop3": lambda _: True,
    }
    await _answer(reader, ends[protocol])
    commands = {"smtp": (b"EHLO tool-console", b"STARTTLS"), "imap": (b"a1 STARTTLS",), "pop3": (b"STLS",)}
    for command in commands[protocol]:
        writer.write(command + b"\r\n")
        await writer.drain()
        line = await _answer(reader, ends[protocol])
    if not line.startswith((b"220", b"a1 OK", b"+OK")):
        said = line.decode("utf-8", errors="replace").strip()[:200]
        raise ToolFailure(f"the server does not begin to encrypt: it said {said!r}; check port and starttls")


async def _answer(reader: asyncio.StreamReader, is_last: Callable[[bytes], bool]) -> bytes:
    for _ in range(_MOST_LINES):
        line = await reader.readline()
        if not line:
            raise EOFError("it hung up")
        if is_last(line):
            return line
    raise ToolFailure("the server greets without an end; check port and starttls")


def _described(host: str, problem: str, seen: tuple[bytes, str, str], now: datetime) -> Certificate:
    from cryptography import x509  # noqa: PLC0415 -- few calls need it
    from cryptography.hazmat.primitives import hashes  # noqa: PLC0415 -- as above

    content, protocol, cipher = seen
    try:
        found = x509.load_der_x509_certificate(content)
    except ValueError as error:
        raise ToolFailure(f"{host} shows a certificate that cannot be read: {error}") from error
    left = (found.not_valid_after_utc - now).total_seconds() // 86_400
    algorithm = found.signature_hash_algorithm
    return Certificate(
        host=host,
        trusted=not problem,
        problem=problem,
        subject=found.subject.rfc4514_string(),
        issuer=found.issuer.rfc4514_string(),
        names=_names(found),
        not_before=found.not_valid_before_utc,
        not_after=found.not_valid_after_utc,
        days_left=int(left),
        expires_soon=left < _SOON_DAYS,
        key=_key(found),
        signature=algorithm.name if algorithm is not None else "",
        serial=f"{found.serial_number:x}",
        sha256=found.fingerprint(hashes.SHA256()).hex(),
        protocol=protocol,
        cipher=cipher,
    )


def _names(certificate: x509.Certificate) -> tuple[str, ...]:
    from cryptography import x509  # noqa: PLC0415 -- few calls need it

    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (x509.ExtensionNotFound, x509.DuplicateExtension, ValueError):
        return ()
    return tuple(str(name.value) for name in found)[:_MOST_NAMES]


def _key(certificate: x509.Certificate) -> str:
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 -- few calls need it

    try:
        key: Any = certificate.public_key()
    except (ValueError, UnsupportedAlgorithm):
        return "unknown"
    kind = type(key).__name__.removesuffix("PublicKey")
    curve = getattr(key, "curve", None)
    size = getattr(key, "key_size", None)
    if curve is not None:
        return f"EC {curve.name}"
    return f"{kind} {size}" if size else kind
