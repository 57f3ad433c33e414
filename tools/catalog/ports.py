"""Ports, network interfaces, and whether other computers answer."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from annotated_types import Ge, Gt, Le, Len

from tools.catalog._network import (
    Hop,
    Host,
    ListeningPort,
    NetworkInterface,
    PingResult,
    PortCheck,
    check_port,
    interfaces,
    listening_ports,
    ping,
    trace,
)
from tools.declare import tool, toolkit
from tools.spec import Param, ToolExample

_TRACE_TIMEOUT_S: Final = 90.0


@toolkit("Ports", category="ports")
class Ports:
    """Ports, network interfaces, and whether other computers answer."""

    @tool(
        keywords=("ports", "listening", "netstat", "ss", "sockets", "services"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={}, description="All ports that wait for somebody"),
            ToolExample(input={"port": 8080}, description="Who has taken port 8080"),
        ),
    )
    def list_listening_ports(
        self,
        *,
        port: Annotated[int | None, Ge(1), Le(65535), Param("Only this port")] = None,
        protocol: Annotated[Literal["any", "tcp", "udp"], Param("Only this protocol")] = "any",
    ) -> list[ListeningPort]:
        """List the ports at which programs of this computer wait, with the program as far as the system tells."""
        return [
            one
            for one in listening_ports()
            if port in {None, one.port} and protocol in {"any", one.protocol}
        ]  # fmt: skip

    @tool(
        keywords=("ip address", "ifconfig", "mac", "network card", "traffic"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(ToolExample(input={}, description="All interfaces and their addresses"),),
    )
    def list_network_interfaces(
        self, *, name: Annotated[str, Len(0, 100), Param("Only those whose name has this")] = ""
    ) -> list[NetworkInterface]:
        """List the network interfaces of this computer: addresses, speed, and how much went through."""
        return [one for one in interfaces() if name.casefold() in one.name.casefold()]

    @tool(
        keywords=("port", "reachable", "connect", "telnet", "wait for server", "tcp"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=650,
        examples=(
            ToolExample(input={"host": "localhost", "port": 5432}, description="Whether a database answers"),
            ToolExample(
                input={"host": "localhost", "port": 8000, "wait_s": 30}, description="Wait until a server has started"
            ),
        ),
    )
    async def check_port(
        self,
        host: Annotated[Host, Param("The name or address of the computer")],
        port: Annotated[int, Ge(1), Le(65535), Param("The TCP port")],
        *,
        timeout_s: Annotated[float, Gt(0), Le(60), Param("How long one attempt may take", unit="s")] = 5.0,
        wait_s: Annotated[float, Ge(0), Le(600), Param("Try again for so long", unit="s")] = 0.0,
    ) -> PortCheck:
        """Tell whether a TCP port takes connections, or wait until it does; nothing is sent."""
        return await check_port(host, port, timeout_s, wait_s)

    @tool(
        keywords=("ping", "icmp", "reachable", "latency", "round trip"),
        latency="slow",
        read_only=True,
        open_world=True,
        timeout_s=120,
        examples=(
            ToolExample(input={"host": "example.org", "count": 3}, description="Three packets to a host"),
            ToolExample(input={"host": "192.0.2.1", "count": 1, "timeout_s": 1}, description="One try, one second"),
        ),
    )
    async def ping_host(
        self,
        host: Annotated[Host, Param("The name or address of the computer")],
        *,
        count: Annotated[int, Ge(1), Le(20), Param("How many packets to send")] = 4,
        timeout_s: Annotated[float, Ge(1), Le(5), Param("How long to wait for each", unit="s")] = 2.0,
    ) -> PingResult:
        """Send packets to a computer (ping) and tell how many came back and how quickly. It needs the program ping."""
        return await ping(host, count, timeout_s)

    @tool(
        keywords=("traceroute", "route", "hops", "path", "latency"),
        latency="slow",
        read_only=True,
        open_world=True,
        timeout_s=120,
        examples=(
            ToolExample(input={"host": "example.org"}, description="The way to a host"),
            ToolExample(input={"host": "192.0.2.1", "max_hops": 5}, description="The first five hops"),
        ),
    )
    async def trace_route(
        self,
        host: Annotated[Host, Param("The name or address of the computer")],
        *,
        max_hops: Annotated[int, Ge(1), Le(64), Param("How far to look")] = 20,
    ) -> list[Hop]:
        """List the computers on the way to another one, with their times. It needs the program traceroute."""
        return await trace(host, max_hops, _TRACE_TIMEOUT_S)
