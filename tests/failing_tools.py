"""Tools that fail on purpose, with every policy that helps; for pictures and for trying them by hand."""

import os
import sys
import time
from typing import Annotated

from tools import (
    CircuitBreaker,
    FailureBlock,
    Param,
    ToolContext,
    ToolFailure,
    cached,
    rate_limit,
    resilience,
    retry,
    tool,
)

_SERVED_S = 0.16
_asked = {"fetch_status": 0}


@tool(read_only=True, open_world=True, latency="medium", isolation="thread")
@retry(max_attempts=2, backoff="fixed", initial_delay_s=0.25, jitter=False)
@rate_limit(requests=4, per_s=1.0, burst_size=4)
@cached(ttl_s=3600)
@resilience(timeout_s=0.9)
def fetch_status(
    url: Annotated[str, Param("The page's address")],
    slow_every: Annotated[int, Param("Which call is not answered in time; 0 for none")] = 0,
    *,
    ctx: ToolContext,
) -> dict[str, object]:
    """Download a web page and return its title. Is not answered in time now and then, and asks once more."""
    _asked["fetch_status"] += 1
    ctx.log("info", f"GET {url}")
    if slow_every and _asked["fetch_status"] % slow_every == 0:
        ctx.log("warning", "headers after 310 ms, then no data: 18 KB of 64 KB")
        time.sleep(1.2)
    time.sleep(_SERVED_S)
    return {"url": url, "status": 200, "title": "Status history", "size_bytes": 65_214}


@tool(read_only=True, open_world=True)
@resilience(circuit_breaker=CircuitBreaker(failure_threshold=5, window_s=60, cooldown_s=300))
def send_digest(to: str) -> str:
    """Send the digest of a day to a web hook, which is down."""
    raise ToolFailure(f"the web hook of {to} answered 503 Service Unavailable")


@tool
@resilience(failure_block=FailureBlock(failures=3, window_s=60, blocked_s=300))
def push_report(report: str) -> str:
    """Push a report to a printer that has no paper."""
    raise ToolFailure(f"the printer has no paper, so {report} was not printed")


@tool(isolation="process")
def render_chart(table: str) -> str:
    """Render a chart with a library that does not survive odd numbers."""
    sys.stderr.write(f"libplot: reading {table}\nlibplot: assertion `rows > 0' failed in axis.c:118\n")
    sys.stderr.flush()
    os.abort()


def yesterdays_rate(currency: str) -> dict[str, object]:
    """Return the rate of yesterday."""
    return {"currency": currency, "rate": 1.0837, "as_of": "yesterday"}


@tool(read_only=True, open_world=True)
@resilience(fallback="yesterdays_rate")
def exchange_rate(currency: str) -> dict[str, object]:
    """Ask the exchange for the rate of a currency; if it is closed, yesterday's must do."""
    raise ToolFailure(f"the exchange is closed, so there is no rate of {currency} today")
