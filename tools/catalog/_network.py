"""Ports, network interfaces and other computers, as values."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import StringConstraints

from tools.errors import ToolFailure
from tools.programs import Captured, run_program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Host = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:%-]{0,252}$")]
"""A name or address; what begins with a dash would be an option of a program."""

_RETRY_S: Final = 0.25
_TIME: Final = re.compile(r"time[=<]\s*([\d.]+)\s*ms")
_HOP: Final = re.compile(r"^\s*(\d+)\s+(.*)$")
_ADDRESS: Final = re.compile(r"\(([0-9a-fA-F.:]+)\)|(?<![\w.])([0-9]+(?:\.[0-9]+){3}|[0-9a-fA-F]*:[0-9a-fA-F:]+)")
_HOP_TIME: Final = re.compile(r"([\d.]+)\s*ms")


@dataclass(frozen=True)
class ListeningPort:
    """A port at which a program of this computer waits for others.

    Attributes:
        port: Its number.
        protocol: `tcp` or `udp`.
        address: Where it waits; `0.0.0.0` and `::` are reachable from other computers.
        only_this_computer: Whether nobody else can reach it.
        pid: The number of the process; None when the system does not say.
        program: The program; None when the system does not say.
    """

    port: int
    protocol: str
    address: str
    only_this_computer: bool
    pid: int | None
    program: str | None


@dataclass(frozen=True)
class PortCheck:
    """Whether a port takes connections.

    Attributes:
        open: Whether it does.
        reason: Why not; empty when it does.
        elapsed_ms: How long that took to find out.
        attempts: How often it was tried.
    """

    open: bool
    reason: str
    elapsed_ms: float
    attempts: int


@dataclass(frozen=True)
class PingResult:
    """What came back from a computer.

    Attributes:
        sent: How many packets were sent.
        received: How many came back.
        min_ms: The quickest; None when none came back.
        mean_ms: The average; None when none came back.
        max_ms: The slowest; None when none came back.
    """

    sent: int
    received: int
    min_ms: float | None
    mean_ms: float | None
    max_ms: float | None


@dataclass(frozen=True)
class Hop:
    """One computer on the way to another.

    Attributes:
        number: Its place, from 1.
        address: Its address; None when it keeps silent.
        name: Its name, or the address again; None when it keeps silent.
        times_ms: How long each packet took there and back.
    """

    number: int
    address: str | None
    name: str | None
    times_ms: tuple[float, ...]


@dataclass(frozen=True)
class NetworkInterface:
    """A network interface of this computer.

    Attributes:
        name: Its name, such as `eth0`.
        is_up: Whether it is on.
        speed_mbit: Its speed in megabits a second; None when it does not say.
        mac: Its hardware address; None when it has none.
        addresses: Its IP addresses, each with its net as far as it is known.
        sent_bytes: What went out since the computer started.
        received_bytes: What came in since then.
    """

    name: str
    is_up: bool
    speed_mbit: int | None
    mac: str | None
    addresses: tuple[str, ...]
    sent_bytes: int
    received_bytes: int


def listening_ports() -> list[ListeningPort]:
    """Return the ports at which programs wait, by number.

    Raises:
        ToolFailure: The system does not tell.
    """
    import psutil  # noqa: PLC0415 -- few tools need it

    try:
        found = psutil.net_connections("inet")
    except (psutil.Error, OSError) as error:
        raise ToolFailure(f"the system does not tell who listens: {error}") from error
    rows: set[tuple[int, str, str, int | None]] = set()
    for one in found:
        is_udp = one.type == socket.SOCK_DGRAM
        if one.laddr and (one.status == psutil.CONN_LISTEN or (is_udp and not one.raddr)):
            rows.add((one.laddr.port, "udp" if is_udp else "tcp", one.laddr.ip, one.pid))
    names: dict[int, str] = {}
    for pid in {pid for *_, pid in rows if pid is not None}:
        with suppress(psutil.Error):
            names[pid] = psutil.Process(pid).name()
    return [
        ListeningPort(
            port, protocol, address, address.startswith("127.") or address == "::1", pid, names.get(pid or -1)
        )
        for port, protocol, address, pid in sorted(rows, key=lambda row: (*row[:3], row[3] or 0))
    ]


def interfaces() -> list[NetworkInterface]:
    """Return the network interfaces, by name."""
    import psutil  # noqa: PLC0415 -- few tools need it

    states, counters = psutil.net_if_stats(), psutil.net_io_counters(pernic=True)
    rows: list[NetworkInterface] = []
    for name, addresses in sorted(psutil.net_if_addrs().items()):
        state, counted = states.get(name), counters.get(name)
        ip = [one for one in addresses if one.family in {socket.AF_INET, socket.AF_INET6}]
        macs = [one.address for one in addresses if one.family == psutil.AF_LINK]
        rows.append(
            NetworkInterface(
                name,
                state is not None and state.isup,
                state.speed if state is not None and state.speed else None,
                macs[0] if macs else None,
                tuple(f"{one.address}/{one.netmask}" if one.netmask else one.address for one in ip),
                counted.bytes_sent if counted else 0,
                counted.bytes_recv if counted else 0,
            )
        )
    return rows


async def check_port(host: str, port: int, timeout_s: float, wait_s: float) -> PortCheck:
    """Return whether a port takes connections, trying again for a while when it does not."""
    began, attempts = perf_counter(), 0
    while True:
        attempts += 1
        reason = await _tried(host, port, timeout_s)
        elapsed_s = perf_counter() - began
        if not reason or elapsed_s + _RETRY_S > wait_s:
            return PortCheck(not reason, reason, round(1000 * elapsed_s, 1), attempts)
        await asyncio.sleep(_RETRY_S)


async def _tried(host: str, port: int, timeout_s: float) -> str:
    try:
        async with asyncio.timeout(timeout_s):
            _, writer = await asyncio.open_connection(host, port)
    except TimeoutError:
        return f"no answer within {timeout_s:g} s"
    except (OSError, UnicodeError) as error:
        return str(getattr(error, "strerror", None) or error)
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return ""


async def ping(host: str, count: int, timeout_s: float) -> PingResult:
    """Send packets to a computer with the system's own `ping`, which may do so without special rights."""
    wait = (
        str(round(1000 * timeout_s)) if os.name == "nt" or sys.platform == "darwin" else str(max(1, round(timeout_s)))
    )
    options = ["-n", str(count), "-w", wait] if os.name == "nt" else ["-c", str(count), "-W", wait]
    text = await _output("ping", [*options, host], count * (timeout_s + 2), fails=_cannot_ping)
    times = [float(found) for found in _TIME.findall(text)]
    if not times:
        return PingResult(count, 0, None, None, None)
    return PingResult(count, len(times), min(times), round(sum(times) / len(times), 3), max(times))


def _cannot_ping(text: str) -> bool:
    return not _TIME.search(text) and "100% packet loss" not in text and "100% loss" not in text


async def trace(host: str, most_hops: int, timeout_s: float) -> list[Hop]:
    """Return the computers on the way to another one, asked by the system's own program."""
    if os.name == "nt":
        words, program = ["-h", str(most_hops), host], "tracert"
    else:
        words, program = ["-m", str(most_hops), "-q", "2", "-w", "2", host], "traceroute"
    text = await _output(program, words, timeout_s, fails=lambda said: not any(map(_HOP.match, said.splitlines())))
    return read_hops(text.splitlines())


def read_hops(lines: Sequence[str]) -> list[Hop]:
    """Read what `traceroute` and `tracert` print."""
    hops: list[Hop] = []
    for line in lines:
        found = _HOP.match(line)
        if found is None:
            continue
        rest = found[2]
        address = _ADDRESS.search(rest)
        where = None if address is None else address[1] or address[2]
        first = rest.split()[0] if rest.split() else ""
        name = where if where is None or first in {"*", ""} or first[0].isdigit() else first
        hops.append(Hop(int(found[1]), where, name, tuple(float(one) for one in _HOP_TIME.findall(rest))))
    return hops


async def _output(program: str, words: Sequence[str], timeout_s: float, *, fails: Callable[[str], bool]) -> str:
    path = shutil.which(program)
    if path is None:
        raise ToolFailure(f"the program {program!r} is not installed; install it, then retry")
    stdout, stderr = Captured(200_000), Captured(4_000)
    end = await run_program(
        [path, *words],
        cwd=Path.cwd(),
        env={**os.environ, "LC_ALL": "C"},
        stdout=stdout,
        stderr=stderr,
        timeout_s=timeout_s,
    )
    if fails(stdout.text):
        why = stderr.text.strip().replace("\n", "; ") or ("it took too long" if end.timed_out else "no answer")
        raise ToolFailure(f"{program} cannot reach {words[-1]!r}: {why}")
    return stdout.text
