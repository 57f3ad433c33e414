"""Look orders up."""

ORDERS = {
    "A-1001": {"customer": "Okafor", "total_eur": 89.90, "status": "delivered"},
    "A-1002": {"customer": "Lindqvist", "total_eur": 24.50, "status": "lost"},
    "A-1003": {"customer": "Tanaka", "total_eur": 310.00, "status": "returned"},
}


def order(order_id: str) -> dict[str, object]:
    """Return one order."""
    # TODO: read from the shop instead of this table
    return ORDERS[order_id]


def overdue() -> list[str]:
    """Return the orders that are late."""
    return [key for key, value in ORDERS.items() if value["status"] == "lost"]
