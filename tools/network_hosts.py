"""Hosts as they are reached: every spelling of an address or a name comes to one form.

Rules, the web tools and the addresses of servers compare these forms and no others. Where programs disagree about what
a text means, `readings` has all that it may mean: whoever refuses takes any of them, whoever allows takes `host_of`,
which says nothing of a text that programs read in different ways.
"""

from __future__ import annotations

import re
import socket
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import unquote

Address = IPv4Address | IPv6Address

_NUMERIC: Final = re.compile(r"(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+)){0,3}", re.IGNORECASE)
_DECIMAL: Final = re.compile(r"0*[0-9]{1,3}(\.0*[0-9]{1,3}){3}")
_DOTS: Final = re.compile("[\u3002\uff0e\uff61\u2024]")
_NOTHING: Final = re.compile("[\u00ad\u034f\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\\s\x00-\x1f\x7f]")
"""What names are read without: soft hyphens, joiners, and what nobody sees."""
_SCHEME: Final = re.compile(r"(?i)[a-z][a-z0-9+.-]*:")

_PORT: Final = re.compile(r":[^:\]]*$")

_NAT64: Final = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
_COMPATIBLE: Final = IPv6Network("::/96")
_IPV4_BITS: Final = 0xFFFFFFFF
_LONGEST: Final = 10_000


def address_of(host: str) -> Address | None:
    """Return the address that a host spells out, in any spelling that systems know; None for a name."""
    bare = host.strip("[]").partition("%")[0]
    try:
        return ip_address(bare)
    except ValueError:
        pass
    if not _NUMERIC.fullmatch(bare):
        return None
    try:
        return IPv4Address(socket.inet_aton(bare))
    except OSError:
        return None


def reached(address: Address) -> tuple[Address, ...]:
    """Return what a connection to an address may reach: itself, and the IPv4 address that it carries."""
    if isinstance(address, IPv4Address):
        return (address,)
    bare = IPv6Address(int(address))
    inner = [bare.ipv4_mapped, bare.sixtofour, *(bare.teredo or ())[1:]]
    if bare in _COMPATIBLE and int(bare) > 1:
        inner.append(IPv4Address(int(bare) & _IPV4_BITS))
    if any(bare in network for network in _NAT64):
        inner.append(IPv4Address(int(bare) & _IPV4_BITS))
    return bare, *(item for item in inner if item is not None)


def addresses_now(host: str, port: int = 0) -> tuple[Address, ...]:
    """Return the addresses of a host at this moment, in the system's order; blocks while it looks.

    Raises:
        OSError: When it cannot be looked up.
    """
    literal = address_of(host)
    if literal is not None:
        return (literal,)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise OSError(f"{host!r} is no name") from error
    return tuple(dict.fromkeys(ip_address(str(item[4][0])) for item in found))


def is_this_computer(host: str) -> bool:
    """Return whether a host is this computer, by number or by the name that always means it."""
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = address_of(name)
    return address is not None and any(item.is_loopback for item in reached(address))


def host_of(text: str) -> str:
    """Return the host of an address, or of a host with or without a port, when all programs read the same.

    Returns:
        Small ASCII letters without brackets and final dot, addresses in their usual spelling; empty when programs may
        read different hosts.
    """
    if re.search(r"[\x00-\x20\x7f\\]", text):
        return ""
    host = _parsed(text)
    if not host or "%" in host:
        return ""
    address = address_of(host)
    if address is None:
        return host
    # `0177.0.0.1` is 127.0.0.1 to some programs and 177.0.0.1 to others.
    return str(address) if _is_usual(host) else ""


def _is_usual(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


def _parsed(text: str) -> str:
    import httpx  # noqa: PLC0415 -- takes a tenth of a second, which only rules about hosts need

    try:
        address = httpx.URL(text if "//" in text else f"//{text}")
        return address.raw_host.decode("ascii").lower().strip("[]").rstrip(".")
    except (httpx.InvalidURL, UnicodeError):
        return ""


@lru_cache(maxsize=1024)
def readings(text: str) -> frozenset[str]:
    """Return every host that some program may take a text for, each in its one form; none when nobody can tell."""
    if len(text) > _LONGEST or not (_parsed(text.strip()) or _parsed(unicodedata.normalize("NFKC", text.strip()))):
        # What the standards do not read at all may be anything.
        return frozenset()
    found: set[str] = set()
    for authority in _authorities(text):
        for host in _hosts_in(authority):
            found |= set(forms(host))
    return frozenset(found)


@lru_cache(maxsize=1024)
def forms(host: str) -> frozenset[str]:
    """Return the forms of a host: of an address each that it reaches, of a name its ASCII letters."""
    found: set[str] = set()
    for name in {host, unquote(host), unquote(unquote(host))}:
        plain = _plain(name)
        for spelled in filter(None, {plain.strip("[]").partition("%")[0], *_as_ascii(plain)}):
            found |= set(_of_spelled(spelled))
    return frozenset(found)


def _of_spelled(host: str) -> Iterator[str]:
    address = address_of(host)
    if address is None:
        yield host
        return
    yield from map(str, reached(address))
    if _DECIMAL.fullmatch(host):
        # Programs that know no octal numbers read the same figures as decimal ones.
        parts = [int(part) for part in host.split(".")]
        if max(parts) <= 255:  # noqa: PLR2004 -- a byte
            yield ".".join(map(str, parts))


def _plain(host: str) -> str:
    """Return a name as IDNA reads it first: composed, in small letters, with plain dots and nothing unseen."""
    return _DOTS.sub(".", _NOTHING.sub("", unicodedata.normalize("NFKC", host).casefold())).rstrip(".")


def _as_ascii(host: str) -> Iterator[str]:
    """Yield the ASCII letters of a name, by the old rules and by the new ones."""
    if host.isascii():
        if "xn--" in host:
            yield from filter(None, [_decoded(host)])
        return
    parsed = _parsed(f"//{host}")
    if parsed:
        yield parsed
    try:
        yield host.encode("idna").decode("ascii").rstrip(".")
    except UnicodeError:
        return


def _decoded(host: str) -> str:
    """Return a name whose labels say in Punycode what plain letters can say as well; empty for any other."""
    labels = []
    for label in host.split("."):
        try:
            labels.append(label[4:].encode().decode("punycode") if label.startswith("xn--") else label)
        except UnicodeError:
            return ""
    plain = _plain(".".join(labels))
    return plain if plain.isascii() else ""


def _authorities(text: str) -> Iterator[str]:
    """Yield what programs may take for the part of an address that names the host."""
    seen = _NOTHING.sub("", text)
    for written in dict.fromkeys((text.strip(), seen, seen.replace("\\", "/"), unicodedata.normalize("NFKC", seen))):
        if "//" in written:
            yield _first_part(written.partition("//")[2].lstrip("/"))
            continue
        yield _first_part(written)
        if (scheme := _SCHEME.match(written)) is not None:
            # Browsers need no slashes behind `http:`.
            yield _first_part(written[scheme.end() :].lstrip("/"))


def _first_part(text: str) -> str:
    return re.split(r"[/?#]", text, maxsplit=1)[0]


def _hosts_in(authority: str) -> Iterator[str]:
    """Yield the hosts that an authority may name: programs disagree about a second `@` and about backslashes."""
    for part in dict.fromkeys((authority, authority.split("\\", 1)[0])):
        for behind in dict.fromkeys((part.rpartition("@")[2], part.partition("@")[2] or part)):
            if _is_usual(behind.partition("%")[0]):
                yield behind
            elif behind.startswith("["):
                yield behind.partition("]")[0].strip("[")
            else:
                yield _PORT.sub("", behind)
