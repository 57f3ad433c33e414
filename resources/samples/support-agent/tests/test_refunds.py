from src.tools.refunds import refund, refundable


def test_small_refund_is_paid() -> None:
    assert refund("A-1002", 24.50).startswith("refunded")


def test_lost_order_is_refundable() -> None:
    # TODO: add the partly delivered case
    assert refundable("lost")
