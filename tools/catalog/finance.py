"""Loans, savings, and what payments over time are worth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from itertools import accumulate, pairwise
from typing import Annotated, Final, Literal

from annotated_types import Ge, Gt, Le, Len

from tools.declare import tool, toolkit
from tools.errors import ToolFailure
from tools.spec import Param, ToolExample

Money = Annotated[float, Gt(0), Le(1e15)]
Rate = Annotated[float, Ge(-99), Le(1000)]

_CENT: Final = Decimal("0.01")
_NO_RATE: Final = Decimal("1e-25")
_SHOWN_PAYMENTS: Final = 600
_LOWEST_RATE: Final = -0.9999
_HIGHEST_RATE: Final = 1e6
_STEPS: Final = 400
_LARGEST: Final = 1e300


@dataclass(frozen=True)
class Payment:
    """One payment of a loan.

    Attributes:
        number: Which payment it is, from 1.
        amount: What is paid.
        interest: How much of it is interest.
        principal: How much of it pays the loan back.
        balance: What is still owed afterwards.
    """

    number: int
    amount: float
    interest: float
    principal: float
    balance: float


@dataclass(frozen=True)
class LoanSchedule:
    """What a loan costs, payment by payment.

    Attributes:
        payment: The usual payment; with equal principal, the first one.
        total_paid: All payments together.
        total_interest: How much of them is interest.
        payments: The payments, in order.
        truncated: Whether later payments are missing here.
    """

    payment: float
    total_paid: float
    total_interest: float
    payments: tuple[Payment, ...]
    truncated: bool


@dataclass(frozen=True)
class CashFlowValue:
    """What payments over time are worth.

    Attributes:
        npv: The net present value at the rate given.
        irr_percent: The rate at which it would be nothing (internal rate of return), a period; None when there is no
            such rate.
        irr_is_unique: Whether the payments change their sign only once, so that there can be no second rate.
        payback_period: The first period after which no money is outstanding any more; None when that never happens.
    """

    npv: float
    irr_percent: float | None
    irr_is_unique: bool
    payback_period: int | None


@dataclass(frozen=True)
class Savings:
    """What savings become.

    Attributes:
        final_amount: What is there at the end.
        paid_in: How much of it was paid in.
        interest: How much of it is interest.
        effective_rate_percent: The interest of one year, with what interest itself earns.
        by_year: What is there at the end of each year.
    """

    final_amount: float
    paid_in: float
    interest: float
    effective_rate_percent: float
    by_year: tuple[float, ...]


@toolkit("Finance", category="finance")
class Finance:
    """Loans, savings, and what payments over time are worth."""

    @tool(
        keywords=("loan", "mortgage", "annuity", "amortization", "interest", "credit"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=10,
        examples=(
            ToolExample(
                input={"amount": 200000, "yearly_rate_percent": 3.6, "payments": 240},
                description="A mortgage over twenty years",
            ),
            ToolExample(
                input={"amount": 1200, "yearly_rate_percent": 0, "payments": 12},
                description="Without interest",
                output={"payment": 100.0, "total_interest": 0.0},
            ),
        ),
    )
    def loan_schedule(
        self,
        amount: Annotated[Money, Param("What is borrowed")],
        yearly_rate_percent: Annotated[float, Ge(0), Le(1000), Param("The nominal interest of a year", unit="%")],
        payments: Annotated[int, Ge(1), Le(3600), Param("How many payments there are")],
        *,
        payments_a_year: Annotated[Literal[1, 2, 4, 12, 26, 52], Param("How many of them in a year")] = 12,
        kind: Annotated[
            Literal["equal_payments", "equal_principal"], Param("Whether each payment or what it pays back is the same")
        ] = "equal_payments",
    ) -> LoanSchedule:
        """Calculate a loan's payments: each one's interest and principal, what is still owed, what it costs in all.

        Amounts are rounded to cents in each payment; the last one pays exactly what is left.
        """
        with localcontext(prec=50):
            owed = _cents(Decimal(str(amount)))
            rate = Decimal(str(yearly_rate_percent)) / 100 / payments_a_year
            even = _cents(_annuity(owed, rate, payments))
            share = _cents(owed / payments)
            rows: list[Payment] = []
            paid = interest_in_all = Decimal(0)
            for number in range(1, payments + 1):
                interest = _cents(owed * rate)
                principal = share if kind == "equal_principal" else even - interest
                principal = owed if number == payments else min(principal, owed)
                owed -= principal
                paid += principal + interest
                interest_in_all += interest
                row = (principal + interest, interest, principal, owed)
                rows.append(Payment(number, *(float(value) for value in row)))
            return LoanSchedule(
                rows[0].amount, float(paid), float(interest_in_all), tuple(rows[:_SHOWN_PAYMENTS]),
                len(rows) > _SHOWN_PAYMENTS,
            )  # fmt: skip

    @tool(
        keywords=("npv", "irr", "present value", "investment", "discount", "payback"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=10,
        examples=(
            ToolExample(
                input={"flows": [-1000, 400, 400, 400], "rate_percent": 5},
                description="Pay 1000 now, get 400 in each of three years",
                output={"payback_period": 3},
            ),
            ToolExample(
                input={"flows": [-500, 0, 620], "rate_percent": 8}, description="Paid back at once after two years"
            ),
        ),
    )
    def value_cash_flows(
        self,
        flows: Annotated[
            list[Annotated[float, Ge(-1e15), Le(1e15)]],
            Len(1, 2000),
            Param("What comes in (positive) and goes out (negative) in each period, the first one now"),
        ],
        rate_percent: Annotated[Rate, Param("The discount rate of one period", unit="%")],
    ) -> CashFlowValue:
        """Tell what payments over time are worth now: net present value (NPV), internal rate of return, payback."""
        npv = _npv(flows, rate_percent / 100)
        if abs(npv) > _LARGEST:
            raise ToolFailure("the value is too large for a number; give fewer periods or a rate nearer to 0")
        signs = [flow > 0 for flow in flows if flow]
        changes = sum(one != other for one, other in pairwise(signs))
        irr = _irr(flows) if changes else None
        return CashFlowValue(npv, None if irr is None else 100 * irr, changes == 1, _payback(flows))

    @tool(
        keywords=("compound interest", "savings", "future value", "growth", "investment"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=10,
        examples=(
            ToolExample(
                input={"start": 1000, "yearly_rate_percent": 5, "years": 10},
                description="A sum that is left alone",
                output={"final_amount": 1628.89},
            ),
            ToolExample(
                input={"start": 0, "yearly_rate_percent": 4, "years": 30, "deposit": 200, "periods_a_year": 12},
                description="200 at the end of every month",
            ),
        ),
    )
    def grow_savings(
        self,
        start: Annotated[float, Ge(0), Le(1e15), Param("What is there at the beginning")],
        yearly_rate_percent: Annotated[Rate, Param("The nominal interest of a year", unit="%")],
        years: Annotated[int, Ge(1), Le(200), Param("How long it is left to grow")],
        *,
        deposit: Annotated[float, Ge(-1e12), Le(1e12), Param("What is paid in each period; negative is taken out")] = 0,
        periods_a_year: Annotated[Literal[1, 2, 4, 12, 52, 365], Param("How often interest is added in a year")] = 1,
        deposit_first: Annotated[bool, Param("Pay in at the beginning of a period, not at its end")] = False,
    ) -> Savings:
        """Calculate compound interest: what a sum and regular deposits become, year by year."""
        growth = 1 + yearly_rate_percent / 100 / periods_a_year
        amount, by_year = start, []
        for _ in range(years):
            for _ in range(periods_a_year):
                amount = (amount + deposit) * growth if deposit_first else amount * growth + deposit
                if abs(amount) > _LARGEST:
                    raise ToolFailure("the amount is too large for a number; ask for fewer years or a lower rate")
            by_year.append(round(amount, 2))
        paid_in = start + deposit * periods_a_year * years
        effective = 100 * (growth**periods_a_year - 1)
        return Savings(round(amount, 2), round(paid_in, 2), round(amount - paid_in, 2), effective, tuple(by_year))


def _cents(value: Decimal) -> Decimal:
    return value.quantize(_CENT, ROUND_HALF_EVEN)


def _annuity(owed: Decimal, rate: Decimal, payments: int) -> Decimal:
    # A rate that no amount earns a cent by would be lost beside 1, and leave nothing to divide by.
    return owed / payments if rate < _NO_RATE else owed * rate / (1 - (1 + rate) ** -payments)


def _npv(flows: Sequence[float], rate: float) -> float:
    """Return the net present value; what is too large for a number is infinite, with its sign."""
    value = 0.0
    for flow in reversed(flows):
        # From the end, so that no power of the rate is ever too large by itself.
        value = flow + value / (1 + rate)
    return value


def _irr(flows: Sequence[float]) -> float | None:
    """Return the rate nearest to 0 at which the value is nothing; None when it never is."""
    # The same distances on both sides of 0, in growth factors, so that the nearest rate is met first.
    steps = [math.exp(step * math.log(_HIGHEST_RATE) / _STEPS) for step in range(_STEPS + 1)]
    grid = sorted(
        {factor - 1 for factor in steps} | {1 / factor - 1 for factor in steps if 1 / factor - 1 > _LOWEST_RATE}
    )
    found: list[float] = []
    for low, high in pairwise(grid):
        at_low, at_high = _npv(flows, low), _npv(flows, high)
        if at_low == 0:
            found.append(low)
        elif math.copysign(1, at_low) != math.copysign(1, at_high) and at_high != 0:
            found.append(_bisected(flows, low, high, at_low))
    return min(found, key=abs, default=None)


def _bisected(flows: Sequence[float], low: float, high: float, at_low: float) -> float:
    for _ in range(200):
        middle = (low + high) / 2
        value = _npv(flows, middle)
        if math.copysign(1, value) == math.copysign(1, at_low):
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _payback(flows: Sequence[float]) -> int | None:
    totals = list(accumulate(flows))
    outstanding = [period for period, total in enumerate(totals) if total < 0]
    first = outstanding[-1] + 1 if outstanding else 0
    return first if first < len(totals) else None
