"""Loans, cash flows and savings, against figures of textbooks and of other programs' manuals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import result_of
from tools.catalog.finance import Finance


def run(folder: Path, name: str, **arguments: Any) -> Any:
    return result_of(Finance(), name, arguments, folder)


def test_a_mortgage_costs_what_tables_say(tmp_path: Path) -> None:
    # 100,000 at 6 % over 30 years, the example of most tables: 599.55 a month.
    found = run(tmp_path, "loan_schedule", amount=100_000, yearly_rate_percent=6, payments=360)

    first = found.payments[0]
    assert (found.payment, first.amount, first.interest, first.principal, first.balance) == (
        599.55,
        599.55,
        500.0,
        99.55,
        99_900.45,
    )
    assert found.payments[-1].balance == 0
    assert found.total_paid == pytest.approx(100_000 + found.total_interest, abs=0.001)
    assert found.total_paid == pytest.approx(360 * 599.55, abs=3)


def test_equal_principal_pays_less_and_less_interest(tmp_path: Path) -> None:
    found = run(
        tmp_path,
        "loan_schedule",
        amount=1200,
        yearly_rate_percent=12,
        payments=12,
        kind="equal_principal",
    )

    assert [row.interest for row in found.payments] == [float(left) for left in range(12, 0, -1)]
    assert (found.total_interest, found.total_paid) == (78.0, 1278.0)


@pytest.mark.parametrize("rate", [5e-324, 1e-60, 1e-20])
def test_a_rate_that_earns_no_cent_is_none(tmp_path: Path, rate: float) -> None:
    found = run(tmp_path, "loan_schedule", amount=1200, yearly_rate_percent=rate, payments=12)

    assert (found.payment, found.total_interest) == (100.0, 0.0)


def test_cash_flows_are_worth_what_spreadsheets_say(tmp_path: Path) -> None:
    # The examples of NPV and IRR in a spreadsheet's manual; its NPV begins one period later.
    worth = run(tmp_path, "value_cash_flows", flows=[-10_000, 3000, 4200, 6800], rate_percent=10)
    rate = run(tmp_path, "value_cash_flows", flows=[-70_000, 12_000, 15_000, 18_000, 21_000, 26_000], rate_percent=0)

    assert worth.npv / 1.1 == pytest.approx(1188.4434)
    assert (worth.payback_period, worth.irr_is_unique) == (3, True)
    assert rate.irr_percent == pytest.approx(8.6631, abs=0.0001)
    assert (rate.npv, rate.payback_period) == (22_000, 5)


def test_what_never_pays_back_says_so(tmp_path: Path) -> None:
    found = run(tmp_path, "value_cash_flows", flows=[-100, -10], rate_percent=5)

    assert (found.irr_percent, found.payback_period) == (None, None)
    assert found.npv == pytest.approx(-100 - 10 / 1.05)


def test_savings_grow_as_the_formula_of_annuities_says(tmp_path: Path) -> None:
    monthly = run(tmp_path, "grow_savings", start=0, yearly_rate_percent=4, years=30, deposit=200, periods_a_year=12)
    first = run(tmp_path, "grow_savings", start=0, yearly_rate_percent=10, years=2, deposit=100, deposit_first=True)

    assert monthly.final_amount == pytest.approx(200 * ((1 + 0.04 / 12) ** 360 - 1) / (0.04 / 12), abs=0.01)
    assert (monthly.paid_in, monthly.effective_rate_percent) == (72_000, pytest.approx(4.0741543))
    assert (first.by_year, first.interest) == ((110.0, 231.0), 31.0)
