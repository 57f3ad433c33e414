"""How the network is reached: through which proxy, to which hosts, and trusting which certificates.

It stands in variables of the environment, so that worker processes have it as well, and every request reads it anew: a
change counts from the next request on, also for clients that are open.
"""

from __future__ import annotations

import os
import re
import ssl
import threading
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from tools.network_hosts import is_this_computer
from tools.paths import at_home

if TYPE_CHECKING:
    from types import ModuleType

PROXY: Final = "TOOL_CONSOLE_PROXY"
ALLOWED_HOSTS: Final = "TOOL_CONSOLE_ALLOWED_HOSTS"
CERTIFICATES: Final = "TOOL_CONSOLE_CERTIFICATES"
SYSTEM: Final = "system"
NO_PROXY: Final = "none"
_HOST: Final = re.compile(r"(\*\.)?[A-Za-z0-9_]([A-Za-z0-9_.:-]*[A-Za-z0-9])?")


class NetworkSettings(NamedTuple):
    """What a person chose.

    Attributes:
        proxy: "system", "none", or the address of one.
        allowed_hosts: The only hosts that are talked to, `*.` before a name for all below it; empty for all hosts. This
            computer is always one.
        certificates: A file with further authorities that are trusted; empty for none.
    """

    proxy: str = SYSTEM
    allowed_hosts: tuple[str, ...] = ()
    certificates: str = ""

    def proxy_for(self, scheme: str, host: str) -> str | None:
        """Return the address of the proxy before a host; None for none. None ever stands before this computer."""
        if self.proxy == NO_PROXY or is_this_computer(host):
            return None
        if self.proxy != SYSTEM:
            return self.proxy
        proxies = getproxies()
        found = None if proxy_bypass(host) else proxies.get(scheme) or proxies.get("all")
        return found if not found or "://" in found else f"http://{found}"

    def refusal(self, host: str) -> str:
        """Say why a host is not talked to; "" when it is."""
        name = host.strip("[]").rstrip(".").casefold()
        if not self.allowed_hosts or is_this_computer(name):
            return ""
        for allowed in self.allowed_hosts:
            if name == allowed or (allowed.startswith("*.") and name.endswith(allowed[1:])):
                return ""
        return f"{host} is none of the allowed hosts; add it to them in the settings under Network"


def network_now() -> NetworkSettings:
    """Return what counts now."""
    hosts = tuple(filter(None, os.environ.get(ALLOWED_HOSTS, "").casefold().split(",")))
    return NetworkSettings(os.environ.get(PROXY, "") or SYSTEM, hosts, os.environ.get(CERTIFICATES, ""))


def use_network(settings: NetworkSettings) -> None:
    """Let other settings count from the next request on, in this process and those that it starts."""
    proxy = "" if settings.proxy == SYSTEM else settings.proxy
    for name, value in (
        (PROXY, proxy),
        (ALLOWED_HOSTS, ",".join(settings.allowed_hosts)),
        (CERTIFICATES, settings.certificates),
    ):
        if value:
            os.environ[name] = value
        else:
            os.environ.pop(name, None)


def checked_proxy(text: str) -> str:
    """Return the address of a proxy.

    Raises:
        ValueError: When it is none.
    """
    parts = urlsplit(text)
    try:
        port = parts.port
    except ValueError:
        port = 0
    if parts.scheme not in {"http", "https"} or not parts.hostname or port == 0 or parts.path.strip("/"):
        msg = f"expected an address such as http://proxy.example.org:3128, got {text!r}"
        raise ValueError(msg)
    if parts.username or parts.password:
        msg = "expected an address without a name and password, which would stand in the settings for all to read"
        raise ValueError(msg)
    return text.rstrip("/")


def checked_hosts(text: str) -> tuple[str, ...]:
    """Return the hosts that a text names, with commas or blanks between.

    Raises:
        ValueError: When one is no host.
    """
    hosts = tuple(text.replace(",", " ").casefold().split())
    wrong = next((host for host in hosts if not _HOST.fullmatch(host)), None)
    if wrong is not None:
        msg = f"expected names of hosts such as example.org or *.example.org, got {wrong!r}"
        raise ValueError(msg)
    return hosts


def checked_certificates(text: str) -> str:
    """Return the path of a file with certificates; "" for none. It reads the file.

    Raises:
        ValueError: When it cannot be read, or has none.
    """
    if not text:
        return ""
    path = at_home(text)
    try:
        ssl.create_default_context(cafile=str(path))
    except ssl.SSLError as error:
        msg = f"expected a file with certificates (PEM), but {path} has none that can be read"
        raise ValueError(msg) from error
    except OSError as error:
        msg = f"expected a file with certificates, but {path} cannot be read: {error.strerror or error}"
        raise ValueError(msg) from error
    return str(path)


def trust(library: ModuleType, certificates: str) -> ssl.SSLContext:
    """Return whose certificates are trusted: the usual authorities, and those of a file.

    Args:
        library: httpx or httpx2.
        certificates: The file; empty for none.

    Raises:
        OSError: When the file cannot be read.
    """
    return _trust(library, certificates, Path(certificates).stat().st_mtime_ns if certificates else 0)


@lru_cache(maxsize=8)
def _trust(library: ModuleType, certificates: str, _changed: int) -> ssl.SSLContext:
    context: ssl.SSLContext = library.create_ssl_context()
    if certificates:
        context.load_verify_locations(cafile=certificates)
    return context


class _Transports:
    """Make what carries requests, one for each way through the network that was needed.

    Args:
        library: httpx or httpx2, whose transports and errors are meant.
        own_trust: Whose certificates are trusted whatever the settings say; None for theirs.
        options: What else transports are made with.
    """

    def __init__(
        self, library: ModuleType, kind: str, own_trust: ssl.SSLContext | None, options: dict[str, Any]
    ) -> None:
        self._library: Any = library
        self._kind = kind
        self._own_trust = own_trust
        self._options = options
        self._lock = threading.Lock()
        self._made: dict[tuple[str | None, ssl.SSLContext], Any] = {}

    def carrying(self, request: Any) -> Any:
        settings, host = network_now(), request.url.host
        # A request whose address was looked up by us has the name in its header.
        named = str(request.extensions.get("sni_hostname") or host)
        if refusal := settings.refusal(named):
            raise self._library.ConnectError(refusal, request=request)
        try:
            context = self._own_trust or trust(self._library, settings.certificates)
        except OSError as error:
            msg = f"the file of certificates {settings.certificates} cannot be read: {error.strerror or error}"
            raise self._library.ConnectError(msg, request=request) from error
        proxy = settings.proxy_for(request.url.scheme, named)
        with self._lock:
            if (proxy, context) not in self._made:
                made = getattr(self._library, self._kind)
                self._made[proxy, context] = made(verify=context, trust_env=False, proxy=proxy, **self._options)
            return self._made[proxy, context]

    def taken(self) -> list[Any]:
        with self._lock:
            made, self._made = list(self._made.values()), {}
        return made


class NetworkTransport:
    """Carry the requests of an asynchronous client as the settings of the moment say; for httpx and httpx2.

    Args:
        own_trust: Whose certificates are trusted whatever the settings say; None for theirs.
        options: What else its transports are made with.
    """

    def __init__(self, library: ModuleType, own_trust: ssl.SSLContext | None = None, **options: Any) -> None:
        self._transports = _Transports(library, "AsyncHTTPTransport", own_trust, options)

    async def handle_async_request(self, request: Any) -> Any:
        return await self._transports.carrying(request).handle_async_request(request)

    async def aclose(self) -> None:
        for made in self._transports.taken():
            await made.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self.aclose()


class BlockingNetworkTransport:
    """The same for a synchronous client, which several threads may use.

    Args:
        options: What else its transports are made with.
    """

    def __init__(self, library: ModuleType, **options: Any) -> None:
        self._transports = _Transports(library, "HTTPTransport", None, options)

    def handle_request(self, request: Any) -> Any:
        return self._transports.carrying(request).handle_request(request)

    def close(self) -> None:
        for made in self._transports.taken():
            made.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()
