"""The services of others as one local server with a certificate of its own authority: paths begin with their names."""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.tools.catalog.web_server import LocalServer, Page, Seen, local_server
from tools.catalog._services import WebServices
from tools.web.addresses import resolve
from tools.web.requests import WebClient


class Authority:
    """An authority of certificates for tests.

    Attributes:
        file: Its own certificate.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Test authority")])
        builder = self._builder("Test authority", self._key.public_key(), days=10)
        made = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True).sign(
            self._key, hashes.SHA256()
        )
        self.file = folder / "authority.pem"
        self.file.write_bytes(made.public_bytes(serialization.Encoding.PEM))

    def _builder(self, name: str, key: ec.EllipticCurvePublicKey, days: int) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        # The authority is a year old, so that certificates that have expired can be made.
        return (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]))
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=365))
            .not_valid_after(now + timedelta(days=days))
        )

    def certificate(self, *names: str, days: int = 10) -> Path:
        """Return a file with a certificate for hosts and its key; `days` below zero make it expired."""
        key = ec.generate_private_key(ec.SECP256R1())
        alternatives = [x509.IPAddress(ip_address(name)) if name[0].isdigit() else x509.DNSName(name) for name in names]
        made = (
            self._builder(names[0], key.public_key(), days)
            .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        file = self._folder / f"{names[0]}.{days}.pem"
        pem = serialization.Encoding.PEM
        plain = serialization.NoEncryption()
        file.write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain) + made.public_bytes(pem))
        return file

    def serving(self, *names: str, days: int = 10) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate(*names, days=days))
        return context

    def trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.file))


class FakeServices:
    """What services answer, by the address they really have.

    Attributes:
        server: The server that answers for all of them.
        services: What a toolkit takes to ask them.
    """

    def __init__(self, server: LocalServer, trust: ssl.SSLContext) -> None:
        self.server = server
        self.origin = f"https://localhost:{server.port}"
        self.services = WebServices(WebClient(resolve, trust), {"https://": f"{self.origin}/"})

    def answers(
        self, address: str, answer: Any, *, status: int = 200, headers: dict[str, str] | None = None, kind: str = ""
    ) -> None:
        """Let an address answer with JSON, with text, or with what a function makes of the request."""
        path = "/" + address.removeprefix("https://")
        if isinstance(answer, Page) or callable(answer):
            self.server.pages[path] = answer
            return
        body = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
        kind = kind or ("text/plain" if isinstance(answer, str) else "application/json")
        self.server.pages[path] = Page(body, kind, status, tuple((headers or {}).items()))

    @property
    def last(self) -> Seen:
        return self.server.seen[-1]

    @property
    def query(self) -> dict[str, str]:
        """The query of the last request."""
        return {name: values[0] for name, values in parse_qs(urlsplit(self.last.path).query).items()}


Answering = Callable[[Seen], Page]


@contextmanager
def fake_services(authority: Authority) -> Iterator[FakeServices]:
    with local_server(authority.serving("localhost", "127.0.0.1")) as server:
        yield FakeServices(server, authority.trust())
