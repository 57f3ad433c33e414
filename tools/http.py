"""The one shared HTTP client of all tools."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final

from tools.network import BlockingNetworkTransport, NetworkTransport

if TYPE_CHECKING:
    import httpx

KEPT_ALIVE: Final = 5
KEPT_ALIVE_S: Final = 300.0
"""Five kept-alive connections for five minutes. Source: seed 0, "AbstractTool Utilities"."""

TIMEOUT_S: Final = 30.0
USER_AGENT: Final = "tool-console"


def new_blocking_client(transport: httpx.BaseTransport | None = None) -> httpx.Client:
    """Return a synchronous client with our limits; whoever asks closes it."""
    import httpx  # noqa: PLC0415 -- takes a tenth of a second, and few calls need it

    limits = httpx.Limits(max_keepalive_connections=KEPT_ALIVE, keepalive_expiry=KEPT_ALIVE_S)
    carrier: Any = transport or BlockingNetworkTransport(httpx, limits=limits)
    return httpx.Client(timeout=TIMEOUT_S, transport=carrier, headers={"user-agent": USER_AGENT})


def _new_asynchronous_client(transport: httpx.AsyncBaseTransport | None) -> httpx.AsyncClient:
    import httpx  # noqa: PLC0415 -- takes a tenth of a second, and few calls need it

    limits = httpx.Limits(max_keepalive_connections=KEPT_ALIVE, keepalive_expiry=KEPT_ALIVE_S)
    carrier: Any = transport or NetworkTransport(httpx, limits=limits)
    return httpx.AsyncClient(timeout=TIMEOUT_S, transport=carrier, headers={"user-agent": USER_AGENT})


class HttpClients:
    """Make the shared clients when they are first needed, and close them together.

    Args:
        transport: Answers requests instead of the network, for synchronous use; tests pass `httpx.MockTransport`.
        async_transport: The same for asynchronous use.
    """

    def __init__(
        self,
        transport: httpx.BaseTransport | None = None,
        async_transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._transport = transport
        self._async_transport = async_transport
        self._lock = threading.Lock()
        self._blocking: httpx.Client | None = None
        self._asynchronous: httpx.AsyncClient | None = None

    @property
    def blocking(self) -> httpx.Client:
        """The client for synchronous tools, which run in threads."""
        with self._lock:
            if self._blocking is None:
                self._blocking = new_blocking_client(self._transport)
            return self._blocking

    @property
    def asynchronous(self) -> httpx.AsyncClient:
        """The client for asynchronous tools, which run on the engine's loop."""
        if self._asynchronous is None:
            self._asynchronous = _new_asynchronous_client(self._async_transport)
        return self._asynchronous

    async def aclose(self) -> None:
        if self._asynchronous is not None:
            await self._asynchronous.aclose()
            self._asynchronous = None
        if self._blocking is not None:
            self._blocking.close()
            self._blocking = None
