"""Which addresses the web tools may talk to, and what a host name means right now.

A host is judged by the addresses it resolves to, never by how it is spelled, and the connection goes to the very
address that was judged: a name that means something else a moment later gains nothing.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Final

from tools.errors import DeniedError, ToolFailure, TransientError
from tools.network_hosts import Address, address_of, addresses_now
from tools.spec import Concern

if TYPE_CHECKING:
    import httpx

Resolve = Callable[[str, int], Awaitable[tuple[Address, ...]]]
"""Looks a host up: (host, port) -> its addresses, at least one."""

RefusalAt = Callable[[str, Iterable[Address]], str]
"""Says why the policy lets nobody go to an address: (URL, addresses of its host) -> the reason, or nothing."""

PRIVATE_HOST: Final = "private_host"


class PrivateHostError(ToolFailure):
    """Report a host with a private address that nobody allowed."""


# What `ipaddress` calls public in one Python or another and is not. Source: RFC 6890, RFC 6598, RFC 8215.
_SPECIAL_4: Final = tuple(
    IPv4Network(text)
    for text in ("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15", "240.0.0.0/4")
)
_SPECIAL_6: Final = tuple(IPv6Network(text) for text in ("64:ff9b:1::/48", "100::/64", "2001:db8::/32", "3fff::/20"))
_NAT64: Final = IPv6Network("64:ff9b::/96")
_LAST_PORT: Final = 65_535
_NAME: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")


def is_public(address: Address) -> bool:
    """Return whether an address belongs to the open internet; an IPv4 address inside an IPv6 one counts as itself."""
    if isinstance(address, IPv6Address):
        return _is_public_6(address)
    return address.is_global and not address.is_multicast and not any(address in network for network in _SPECIAL_4)


def _is_public_6(address: IPv6Address) -> bool:
    inner = address.ipv4_mapped or address.sixtofour
    if address in _NAT64:
        inner = IPv4Address(int(address) & 0xFFFFFFFF)
    if inner is not None:
        return is_public(inner)
    closed = address.is_reserved or address.is_site_local or address.is_multicast or address.teredo is not None
    return address.is_global and not closed and not any(address in network for network in _SPECIAL_6)


def host_of(url: httpx.URL) -> str:
    """Return a URL's host in the one form that grants use: ASCII, small letters, no final dot, no brackets."""
    return url.raw_host.decode("ascii").lower().strip("[]").rstrip(".")


def port_of(url: httpx.URL) -> int:
    """Return a URL's port, the scheme's own when it names none."""
    return url.port or (443 if url.scheme == "https" else 80)


def parse_url(text: str) -> httpx.URL:
    """Return a URL the web tools can use.

    Raises:
        ToolFailure: When it is not http or https, has no host or carries a password.
    """
    import httpx  # noqa: PLC0415 -- takes a tenth of a second, which only web tools need

    try:
        url = httpx.URL(text.strip())
        host = host_of(url)
    except (httpx.InvalidURL, UnicodeError) as error:
        raise ToolFailure(f"expected a web address such as https://example.org/page, got {text!r}: {error}") from error
    if url.scheme not in {"http", "https"} or not host:
        raise ToolFailure(f"expected an address that starts with http:// or https:// and names a host, got {text!r}")
    if not (_NAME.fullmatch(host) or address_of(host)) or not 0 < port_of(url) <= _LAST_PORT:
        raise ToolFailure(
            f"expected a host name or address, and a port up to {_LAST_PORT}, got {url.netloc.decode()!r}"
        )
    if url.userinfo:
        raise ToolFailure(f"the address of {host!r} carries a user name; send an Authorization header instead")
    return url


async def resolve(host: str, port: int) -> tuple[Address, ...]:
    """Return the addresses of a host in the system's order.

    Raises:
        TransientError: When it cannot be looked up.
    """
    literal = address_of(host)
    if literal is not None:
        return (literal,)
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise TransientError(
            f"the host {host!r} cannot be found ({error}); check its spelling and the network"
        ) from error
    return _addresses(item[4][0] for item in found)


def _addresses(texts: Iterable[object]) -> tuple[Address, ...]:
    return tuple(dict.fromkeys(ip_address(str(text)) for text in texts))


async def admitted_addresses(
    url: httpx.URL, grants: frozenset[str], look_up: Resolve, refusal_at: RefusalAt | None = None
) -> tuple[Address, ...]:
    """Return the addresses a connection to a URL may go to.

    Args:
        grants: What a person allowed; `host:<host>` admits private addresses of that host.
        refusal_at: Says why the policy lets nobody go to an address; None when nothing does.

    Raises:
        DeniedError: When the policy refuses one of them.
        PrivateHostError: When one of them is private and nobody allowed the host.
    """
    host = host_of(url)
    addresses = await look_up(host, port_of(url))
    if refusal_at is not None and (refusal := refusal_at(str(url), addresses)):
        raise DeniedError(refusal)
    private = next((address for address in addresses if not is_public(address)), None)
    if private is not None and f"host:{host}" not in grants:
        where = f"{host!r} is" if address_of(host) is not None else f"{host!r} resolves to {private},"
        raise PrivateHostError(
            f"{where} a private address, which needs a person's permission that this call does not have;"
            f" call the tool with an address on {host!r} itself, so that the person is asked"
        )
    return addresses


def private_host_concerns(text: str) -> list[Concern]:
    """Return the reason to ask before talking to a host with a private address; empty for any other.

    A name that cannot be looked up raises no concern: the tool looks again and says so. Blocks while it looks.
    """
    try:
        url = parse_url(text)
    except ToolFailure:
        return []
    host = host_of(url)
    private = [address for address in _now(host, port_of(url)) if not is_public(address)]
    if not private:
        return []
    spelled = "" if str(private[0]) == host else f", which is {private[0]}"
    detail = f"Connects to {host}{spelled}: a machine on a private network or this computer itself"
    return [Concern(PRIVATE_HOST, "Private address", detail, grants=f"host:{host}")]


def _now(host: str, port: int) -> tuple[Address, ...]:
    try:
        return addresses_now(host, port)
    except OSError:
        return ()
