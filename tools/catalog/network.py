"""What stands behind a name on the internet: its records, its certificate, its registration."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal
from urllib.parse import quote

from annotated_types import Ge, Gt, Le
from pydantic import StringConstraints

from tools.catalog._answers import objects_at, text_at, texts_at
from tools.catalog._certificates import Certificate, StartTls, TlsAddress, fetched_certificate
from tools.catalog._services import Service, WebServices
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.declare.decorators import retry
from tools.errors import ToolFailure, TransientError
from tools.network_hosts import address_of
from tools.spec import Concern, Param, ToolExample
from tools.web.addresses import Resolve, admitted_addresses, parse_url, private_host_concerns, resolve

if TYPE_CHECKING:
    import dns.asyncresolver

_RDAP: Final = Service("RDAP", "https://rdap.org")
_MOST_RECORDS: Final = 200
_LIFETIME_S: Final = 10.0
RecordType = Literal[
    "A", "AAAA", "CAA", "CNAME", "DNSKEY", "DS", "HTTPS", "MX", "NS", "PTR", "SOA", "SRV", "SVCB", "TLSA", "TXT"
]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=253)]


@dataclass(frozen=True)
class DnsRecord:
    """One record.

    Attributes:
        type: Its type.
        value: What it says, as in a zone file.
        ttl_s: How many seconds it may be kept.
    """

    type: str
    value: str
    ttl_s: int


@dataclass(frozen=True)
class DnsAnswer:
    """What a name stands for.

    Attributes:
        name: The name that was asked for.
        canonical: The name that it leads to.
        records: The records, by type in the order asked for.
        missing: The types of which there is none.
        resolver: Who answered.
        truncated: Whether there were more records.
    """

    name: str
    canonical: str
    records: tuple[DnsRecord, ...]
    missing: tuple[str, ...]
    resolver: str
    truncated: bool


@dataclass(frozen=True)
class Registration:
    """Who registered a name or holds an address, as far as the registry tells.

    Attributes:
        name: The name or the range of addresses.
        registrar: Who registered it, or who holds the range.
        status: Its states, such as client transfer prohibited.
        registered: When it was registered; empty when the registry does not say.
        changed: When it last changed; empty as above.
        expires: When it runs out; empty as above.
        name_servers: The servers of a name.
        abuse_email: Where to report misuse; empty when the registry does not say.
        country: The country of a range of addresses; empty when the registry does not say.
        signed: Whether the name is signed with DNSSEC; None when the registry does not say.
        source: The registry that answered.
    """

    name: str
    registrar: str
    status: tuple[str, ...]
    registered: str
    changed: str
    expires: str
    name_servers: tuple[str, ...]
    abuse_email: str
    country: str
    signed: bool | None
    source: str


def _certificate_concerns(arguments: Mapping[str, Any], _project_dir: Path) -> list[Concern]:
    return private_host_concerns(_address(arguments["host"], arguments["port"]))


def _resolver_concerns(arguments: Mapping[str, Any], _project_dir: Path) -> list[Concern]:
    return private_host_concerns(_address(arguments["resolver"], 443)) if arguments["resolver"] else []


def _address(host: str, port: int) -> str:
    return f"https://[{host}]:{port}/" if ":" in host else f"https://{host}:{port}/"


@toolkit("Network", category="network", description="Look up names, certificates and registrations.")
class Network:
    """Look up names, certificates and registrations.

    Args:
        look_up: Looks hosts up.
        trust: Whose certificates are trusted; None means the usual authorities.
        services: Asks registries.
    """

    def __init__(
        self, look_up: Resolve = resolve, trust: ssl.SSLContext | None = None, services: WebServices | None = None
    ) -> None:
        self._look_up = look_up
        self._trust = trust
        self._services = services or WebServices()

    @tool(
        keywords=("dns", "records", "mx", "txt", "nameserver", "resolve", "dig", "nslookup"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=120,
        concerns=_resolver_concerns,
        examples=(
            ToolExample(input={"name": "example.org", "types": ["MX", "TXT"]}, description="How a domain gets mail"),
            ToolExample(input={"name": "8.8.8.8"}, description="The name of an address"),
            ToolExample(
                input={"name": "example.org", "types": ["AAAA"], "resolver": "9.9.9.9"},
                description="What another resolver says",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def look_up_dns(
        self,
        name: Annotated[Name, Param("A host or domain, or an address whose name is wanted")],
        *,
        types: Annotated[tuple[RecordType, ...], Param("The types of records wanted")] = ("A", "AAAA"),
        resolver: Annotated[str, Param("The address of the server to ask; empty for the one of this computer")] = "",
        port: Annotated[int, Ge(1), Le(65_535), Param("The port of that server")] = 53,
        ctx: ToolContext,
    ) -> DnsAnswer:
        """Look up the DNS records of a name, or the name of an address, at this computer's resolver or another one."""
        import dns.exception  # noqa: PLC0415 -- few calls need it
        import dns.reversename  # noqa: PLC0415 -- as above

        asking = await self._resolver(resolver, port, ctx)
        wanted: tuple[str, ...] = types
        if address_of(name) is not None:
            try:
                name, wanted = str(dns.reversename.from_address(name)), ("PTR",)
            except dns.exception.SyntaxError as error:
                raise ToolFailure(f"expected an address such as 8.8.8.8 in its usual spelling, got {name!r}") from error
        records: list[DnsRecord] = []
        missing: list[str] = []
        canonical = name
        for done, kind in enumerate(dict.fromkeys(wanted)):
            ctx.progress(done, len(wanted), kind)
            found, canonical_now = await _records(asking, name, kind)
            canonical = canonical_now or canonical
            records += found
            if not found:
                missing.append(kind)
        servers = ", ".join(str(server) for server in asking.nameservers[:3])
        cut = len(records) > _MOST_RECORDS
        return DnsAnswer(name, canonical, tuple(records[:_MOST_RECORDS]), tuple(missing), servers, cut)

    async def _resolver(self, address: str, port: int, ctx: ToolContext) -> dns.asyncresolver.Resolver:
        import dns.asyncresolver  # noqa: PLC0415 -- few calls need it
        import dns.resolver  # noqa: PLC0415 -- as above

        if not address:
            try:
                asking = dns.asyncresolver.Resolver()
            except dns.resolver.NoResolverConfiguration as error:
                raise ToolFailure("this computer names no DNS server; give one in resolver") from error
        else:
            if address_of(address) is None:
                raise ToolFailure(f"expected the address of a DNS server such as 9.9.9.9, got {address!r}")
            url = parse_url(_address(address, port))
            await admitted_addresses(url, ctx.grants, self._look_up, ctx.refusal_at)
            asking = dns.asyncresolver.Resolver(configure=False)
            asking.nameservers = [str(address_of(address))]
            asking.port = port
        return asking

    @tool(
        keywords=("certificate", "tls", "ssl", "expiry", "https", "x509", "issuer"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=90,
        concerns=_certificate_concerns,
        examples=(
            ToolExample(input={"host": "example.org"}, description="The certificate of a web server"),
            ToolExample(
                input={"host": "mail.example.org", "port": 587, "starttls": "smtp"},
                description="That of a mail server",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def inspect_certificate(
        self,
        host: Annotated[Name, Param("The host")],
        *,
        port: Annotated[int, Ge(1), Le(65_535), Param("The port")] = 443,
        starttls: Annotated[
            StartTls, Param("The protocol whose STARTTLS begins the encryption; none when it is there from the start")
        ] = "none",
        timeout_s: Annotated[float, Gt(0), Le(60), Param("Time for each connection", unit="s")] = 15.0,
        ctx: ToolContext,
    ) -> Certificate:
        """Fetch the TLS certificate of a host: names, issuer, when it runs out, key, and whether it is trusted.

        A certificate that is not trusted is a result too, with the reason.
        """
        url = parse_url(_address(host, port))
        addresses = await admitted_addresses(url, ctx.grants, self._look_up, ctx.refusal_at)
        trust = self._trust if self._trust is not None else await asyncio.to_thread(ssl.create_default_context)
        where = TlsAddress(host, str(addresses[0]), port, starttls)
        return await fetched_certificate(where, trust, timeout_s, datetime.now(UTC))

    @tool(
        keywords=("whois", "rdap", "domain", "registrar", "expiry", "ip address", "owner"),
        latency="medium",
        probe={"name": "example.org"},
        probe_on_request=True,
        needs=("RDAP",),
        untried=True,
        read_only=True,
        open_world=True,
        timeout_s=60,
        examples=(
            ToolExample(input={"name": "example.org"}, description="Who registered a domain and until when"),
            ToolExample(input={"name": "8.8.8.8"}, description="Who holds an address"),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def look_up_registration(
        self, name: Annotated[Name, Param("A domain, or an address")], *, ctx: ToolContext
    ) -> Registration:
        """Look up who registered a domain or holds an address, and until when, in the registries' RDAP (once WHOIS)."""
        kind = "domain" if address_of(name) is None else "ip"
        answer = await self._services.json(ctx, _RDAP, f"/{kind}/{quote(name.rstrip('.'), safe='')}")
        events = {text_at(item, "eventAction"): text_at(item, "eventDate") for item in objects_at(answer, "events")}
        people = list(_people(answer))
        delegated = answer.get("secureDNS") if isinstance(answer, dict) else None
        links = [text_at(link, "href") for link in objects_at(answer, "links") if text_at(link, "rel") == "self"]
        return Registration(
            name=text_at(answer, "ldhName").lower() or text_at(answer, "name") or name,
            registrar=next((person for role, person, _ in people if role in {"registrar", "registrant"}), ""),
            status=texts_at(answer, "status"),
            registered=events.get("registration", ""),
            changed=events.get("last changed", ""),
            expires=events.get("expiration", ""),
            name_servers=tuple(text_at(item, "ldhName").lower() for item in objects_at(answer, "nameservers")[:20]),
            abuse_email=next((mail for role, _, mail in people if role == "abuse" and mail), ""),
            country=text_at(answer, "country"),
            signed=delegated.get("delegationSigned") is True if isinstance(delegated, dict) else None,
            source=links[0] if links else "",
        )


async def _records(asking: dns.asyncresolver.Resolver, name: str, kind: str) -> tuple[list[DnsRecord], str]:
    """Return the records of one type and the name that they stand at.

    Raises:
        ToolFailure: There is no such name, or it is none.
        TransientError: No server answers.
    """
    import dns.exception  # noqa: PLC0415 -- few calls need it
    import dns.name  # noqa: PLC0415 -- as above
    import dns.resolver  # noqa: PLC0415 -- as above

    try:
        answer = await asking.resolve(name, kind, raise_on_no_answer=False, search=False, lifetime=_LIFETIME_S)
    except dns.resolver.NXDOMAIN as error:
        raise ToolFailure(f"there is no name {name!r} in the DNS; check its spelling") from error
    except (dns.name.LabelTooLong, dns.name.EmptyLabel, dns.name.NameTooLong, dns.name.IDNAException) as error:
        raise ToolFailure(f"{name!r} is no name that the DNS can have: {error}") from error
    except dns.exception.DNSException as error:
        raise TransientError(f"nobody answered for {name!r} ({error}); try again or ask another resolver") from error
    if answer.rrset is None:
        return [], ""
    rows = [DnsRecord(kind, item.to_text()[:4000], answer.rrset.ttl) for item in sorted(answer.rrset)]
    return rows, str(answer.canonical_name).rstrip(".")


def _people(answer: Any) -> list[tuple[str, str, str]]:
    """Return the role, the name and the mail address of everybody an answer names."""
    found: list[tuple[str, str, str]] = []
    waiting = list(objects_at(answer, "entities"))
    while waiting and len(found) < _MOST_RECORDS:
        entity = waiting.pop(0)
        waiting += objects_at(entity, "entities")
        lines = entity.get("vcardArray")
        card = lines[1] if isinstance(lines, list) and len(lines) > 1 and isinstance(lines[1], list) else []
        said = {text_at(line, 0): text_at(line, 3) for line in reversed(card)}
        found += [(role, said.get("fn", ""), said.get("email", "")) for role in texts_at(entity, "roles")]
    return found
