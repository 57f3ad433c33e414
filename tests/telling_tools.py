"""Tools of a shop whose results are of every kind, for the pictures and the benchmarks."""

from __future__ import annotations

import asyncio
from typing import TypedDict

from tools import ToolContext, tool

CITIES = ("Oslo", "Rome", "Kyoto", "Lima", "Accra")
STATES = ("paid", "open", "refunded")

NOTES = """# Release 2.4

Refunds are **checked twice** before they leave the shop; see [the runbook](https://runbook.acme.dev/refunds).

- `refund_ticket` asks above 500 EUR
- the queue is *empty* by 18:00

```python
def due(ticket: Ticket) -> bool:
    return ticket.age_h > 24
```

| Lane | Tickets |
|---|---|
| fast | 118 |
| slow | 12 |
"""

CHART = """<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180">
<rect width="320" height="180" fill="#ffffff"/>
<polyline points="10,150 70,110 130,120 190,60 250,80 310,20" fill="none" stroke="#4f46e5" stroke-width="4"/>
</svg>"""


class Order(TypedDict):
    """One order of the shop."""

    id: str
    city: str
    total: float
    items: int
    state: str


class Orders(TypedDict):
    """Orders, newest first."""

    query: str
    orders: list[Order]


@tool(read_only=True)
async def list_orders(count: int = 40) -> Orders:
    """List the newest orders."""
    orders: list[Order] = [
        {
            "id": f"A-{1000 + number}",
            "city": CITIES[number % 5],
            "total": round(19.5 + number * 37.31 % 400, 2),
            "items": number % 7 + 1,
            "state": STATES[number % 3],
        }
        for number in range(count)
    ]
    if count > 2:
        # One order is not what was promised: a result is shown all the same, and what is wrong with it.
        orders[1]["total"] = "n/a"  # type: ignore[typeddict-item]
    return {"query": "newest", "orders": orders}


@tool(read_only=True)
async def release_notes() -> str:
    """Return the notes of the newest release."""
    return NOTES


@tool(read_only=True)
async def summarise_tickets(ctx: ToolContext) -> str:
    """Write a summary of all tickets, ticket by ticket."""
    for number in range(1, 41):
        ctx.write(f"SUP-{20400 + number}: the customer waits for a refund of order A-{1000 + number}.\n")
        ctx.progress(number, 118, "Summarising")
    await asyncio.Event().wait()
    return "never"


@tool(read_only=True)
async def monthly_report(ctx: ToolContext) -> str:
    """Write the report of a month, with its files."""
    ctx.attach(CHART.encode(), "image/svg+xml", "sales.svg")
    ctx.attach(b"city,orders\nOslo,118\nRome,97\nKyoto,64\nLima,12\n", "text/csv", "cities.csv")
    ctx.attach(NOTES.encode(), "text/markdown", "notes.md")
    ctx.attach(b"%PDF-1.4\n2 0 obj\n<< /Type /Pages /Count 7 >>\nendobj\n", "application/pdf", "report.pdf")
    return "The report of November has 4 files."
