"""Names, certificates and registrations, against servers on this computer."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdata
import dns.rdataclass
import dns.rdatatype
import dns.rrset
import pytest

from tests.tools.catalog.calling import Reviewer, failure_of, result_of
from tests.tools.catalog.mail_servers import smtp_server
from tests.tools.catalog.services import Authority, FakeServices
from tests.tools.catalog.web_server import local_server
from tools.catalog.network import Network

pytestmark = pytest.mark.expects_log("mail.log")

IN = dns.rdataclass.IN
ZONE = {
    ("lamp.example.", "A"): ("lamp.example. 60 IN A 192.0.2.7",),
    ("lamp.example.", "MX"): ("lamp.example. 300 IN MX 10 mail.lamp.example.", "lamp.example. 300 IN MX 20 b.example."),
    ("7.2.0.192.in-addr.arpa.", "PTR"): ("7.2.0.192.in-addr.arpa. 60 IN PTR lamp.example.",),
}


@contextmanager
def _dns_server() -> Iterator[int]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))

        def serve() -> None:
            while True:
                content, client = server.recvfrom(4096)
                if content == b"stop":
                    return
                query = dns.message.from_wire(content)
                reply = dns.message.make_response(query)
                name, kind = query.question[0].name.to_text(), dns.rdatatype.to_text(query.question[0].rdtype)
                for line in ZONE.get((name, kind), ()):
                    owner, ttl, _, of, data = line.split(" ", 4)
                    found = reply.find_rrset(
                        reply.answer, dns.name.from_text(owner), IN, dns.rdatatype.from_text(of), create=True
                    )
                    found.add(dns.rdata.from_text(IN, of, data), int(ttl))
                if name not in {known for known, _ in ZONE}:
                    reply.set_rcode(dns.rcode.NXDOMAIN)
                server.sendto(reply.to_wire(), client)

        thread = threading.Thread(target=serve, name="local DNS server")
        thread.start()
        try:
            yield int(server.getsockname()[1])
        finally:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ending:
                ending.sendto(b"stop", server.getsockname())
            thread.join()


def _asked(tmp_path: Path, port: int, **arguments: Any) -> Any:
    more = {"resolver": "127.0.0.1", "port": port, **arguments}
    return result_of(Network(), "look_up_dns", more, tmp_path, Reviewer())


def test_records_are_looked_up_at_the_resolver_that_was_asked_for(tmp_path: Path) -> None:
    with _dns_server() as port:
        found = _asked(tmp_path, port, name="lamp.example", types=["A", "MX", "TXT"])
        address = _asked(tmp_path, port, name="192.0.2.7")

    assert [(record.type, record.value, record.ttl_s) for record in found.records] == [
        ("A", "192.0.2.7", 60),
        ("MX", "10 mail.lamp.example.", 300),
        ("MX", "20 b.example.", 300),
    ]
    assert (found.canonical, found.missing) == ("lamp.example", ("TXT",))
    assert [record.value for record in address.records] == ["lamp.example."]


@pytest.mark.parametrize(
    ("name", "message"),
    [("missing.example", "there is no name 'missing.example'"), ("a..b", "is no name that the DNS can have")],
)
def test_a_name_that_is_not_there_is_told(tmp_path: Path, name: str, message: str) -> None:
    with _dns_server() as port:
        arguments = {"name": name, "resolver": "127.0.0.1", "port": port}
        assert message in failure_of(Network(), "look_up_dns", arguments, tmp_path, Reviewer())


def test_a_resolver_is_an_address(tmp_path: Path) -> None:
    arguments = {"name": "lamp.example", "resolver": "dns.example"}

    assert "expected the address of a DNS server" in failure_of(
        Network(), "look_up_dns", arguments, tmp_path, Reviewer()
    )


@pytest.mark.parametrize(
    ("names", "days", "problem"),
    [(("localhost",), 10, ""), (("localhost",), -3, "certificate has expired"), (("other.example",), 10, "mismatch")],
)
def test_a_certificate_is_told_trusted_or_not(
    authority: Authority, tmp_path: Path, names: tuple[str, ...], days: int, problem: str
) -> None:
    with local_server(authority.serving(*names, days=days)) as server:
        arguments = {"host": "localhost", "port": server.port}
        found = result_of(Network(trust=authority.trust()), "inspect_certificate", arguments, tmp_path, Reviewer())

    assert (found.trusted, problem in found.problem) == (not problem, True)
    assert (found.names, found.subject, found.issuer) == (names, f"CN={names[0]}", "CN=Test authority")
    assert (found.days_left, found.expires_soon, found.key) == (days - 1, True, "EC secp256r1")
    assert found.protocol == "TLSv1.3"


def test_a_mail_server_shows_its_certificate_after_starttls(authority: Authority, tmp_path: Path) -> None:
    with smtp_server(authority, "starttls") as taken:
        arguments = {"host": "localhost", "port": taken.port, "starttls": "smtp"}
        found = result_of(Network(trust=authority.trust()), "inspect_certificate", arguments, tmp_path, Reviewer())

    assert (found.trusted, found.names) == (True, ("localhost",))


def test_what_speaks_no_tls_is_told(authority: Authority, tmp_path: Path) -> None:
    with local_server() as server:
        arguments = {"host": "localhost", "port": server.port}
        message = failure_of(Network(trust=authority.trust()), "inspect_certificate", arguments, tmp_path, Reviewer())

    assert "does not speak TLS as it should" in message or "no answer from localhost" in message


def test_a_registration_is_looked_up(others: FakeServices, tmp_path: Path) -> None:
    card = ["vcard", [["version", {}, "text", "4.0"], ["fn", {}, "text", "Lamp Registrar"]]]
    abuse = ["vcard", [["fn", {}, "text", "Desk"], ["email", {}, "text", "abuse@registrar.example"]]]
    others.server.redirect("/rdap.org/domain/lamp.example", f"{others.origin}/registry/domain/lamp.example")
    others.answers(
        "registry/domain/lamp.example",
        {
            "ldhName": "LAMP.EXAMPLE",
            "status": ["active"],
            "events": [{"eventAction": "expiration", "eventDate": "2027-01-01T00:00:00Z"}],
            "nameservers": [{"ldhName": "NS1.LAMP.EXAMPLE"}],
            "secureDNS": {"delegationSigned": True},
            "entities": [
                {"roles": ["registrar"], "vcardArray": card, "entities": [{"roles": ["abuse"], "vcardArray": abuse}]}
            ],
            "links": [{"rel": "self", "href": "https://registry.example/domain/lamp.example"}],
        },
        kind="application/rdap+json",
    )

    found = result_of(Network(services=others.services), "look_up_registration", {"name": "lamp.example"}, tmp_path)

    assert (found.name, found.registrar, found.expires) == ("lamp.example", "Lamp Registrar", "2027-01-01T00:00:00Z")
    assert (found.name_servers, found.signed) == (("ns1.lamp.example",), True)
    assert (found.abuse_email, found.status) == ("abuse@registrar.example", ("active",))
