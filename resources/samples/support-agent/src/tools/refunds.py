"""Pay money back."""

LIMIT_EUR = 150


def refund(order_id: str, amount_eur: float) -> str:
    # TODO: ask a person above the limit
    if amount_eur > LIMIT_EUR:
        raise ValueError(f"{amount_eur} EUR is above the limit of {LIMIT_EUR} EUR")
    return f"refunded {amount_eur:.2f} EUR for {order_id}"


def refundable(status: str) -> bool:
    # FIXME: a partly delivered order is refundable as well
    return status in {"lost", "returned"}
