"""Exact arithmetic, units and statistics."""

from __future__ import annotations

import operator
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.catalog.calling import call, failure_of, result_of
from tools import CallStatus, ToolFailure
from tools.catalog._arithmetic import FUNCTIONS, calculate, show
from tools.catalog.math import Math


@pytest.mark.parametrize(
    ("expression", "result", "exact"),
    [
        ("0.1 + 0.2", "0.3", True),
        ("1/3*3", "1", True),
        ("10/4", "2.5", True),
        ("6/3", "2", True),
        ("1/3", "0.333333333333333333333333333333", False),
        ("2^3 + 1", "9", True),
        ("-2^2", "-4", True),
        ("2**-2", "0.25", True),
        ("7 // 2 + 7 % 3", "4", True),
        ("12345678901234567890 * 98765432109876543210", "1219326311370217952237463801111263526900", True),
        ("1'000'000 + 1_000", "1001000", True),
        ("3 × 4 ÷ 2 − 1", "5", True),
        ("5² + 2³", "33", True),
        ("sqrt(16/9) * 3", "4", True),
        ("sqrt(2)", "1.4142135623730951", False),
        ("round(2.675, 2)", "2.68", True),
        ("round(pi, 2)", "3.14", True),
        ("factorial(20)", "2432902008176640000", True),
        ("comb(49, 6)", "13983816", True),
        ("gcd(12, 18) + lcm(4, 6)", "18", True),
        ("max(1, 2.5, 2) + min(3, 1)", "3.5", True),
        ("mean(1, 2, 4) * 3", "7", True),
        ("log(8, 2)", "3", False),
        ("log10(10^300)", "300", False),
        ("ln(e)", "1", False),
        ("degrees(pi)", "180", False),
        ("1250 * (1 + 3.5/100)^2", "1339.03125", True),
        ("1e-40", "1E-40", True),
        (" 1 +\n 2 ", "3", True),
        ("0x10", "16", True),
        ("floor(-2.5) + ceil(2.1) + trunc(-2.9) + abs(-1)", "-1", True),
    ],
)
def test_expressions_are_calculated(tmp_path: Path, expression: str, result: str, exact: bool) -> None:
    found = result_of(Math(), "calculate", {"expression": expression}, tmp_path)

    assert (found.result, found.exact) == (result, exact)


def test_a_rounded_fraction_is_given_exactly_as_well(tmp_path: Path) -> None:
    found = result_of(Math(), "calculate", {"expression": "1/3 + 1/7"}, tmp_path)

    assert (found.fraction, found.value) == ("10/21", pytest.approx(10 / 21))


def test_whole_numbers_stay_whole_and_huge_ones_have_no_float(tmp_path: Path) -> None:
    assert result_of(Math(), "calculate", {"expression": "6/3"}, tmp_path).value == 2
    assert isinstance(result_of(Math(), "calculate", {"expression": "6/3"}, tmp_path).value, int)
    assert result_of(Math(), "calculate", {"expression": "10^400 + 0.5"}, tmp_path).value is None


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("1/0", "division by zero (at position 1, '1/0')"),
        ("2 + 5 % 0", "division by zero (at position 5, '5 % 0')"),
        ("0^-1", "division by zero"),
        ("0.0^-0.5", "division by zero"),
        ("2 +", "(at its end)"),
        ("2 ** * 3", "(at position 6, '* 3')"),
        ("2^3^*", "(at position 5, '*')"),
        ("(1 + 2", "'(' was never closed (at position 1"),
        ("1 + foo", "'foo' is unknown; known are pi, e, tau (at position 5, 'foo')"),
        ("2^2 + bar(1)", "the function 'bar' is unknown; known are abs, "),
        ("9**9**9", "more than about 3,900 digits"),
        ("2^13000 * 2", "more than about 3,900 digits"),
        ("10^3000 * 10^3000", "more than about 3,900 digits"),
        ("(-8)^(1/3)", "not a real number"),
        ("sqrt(-1)", "the square root of -1 is not a real number"),
        ("ln(0)", "not defined for this number"),
        ("asin(2)", "not defined for this number"),
        ("exp(1000)", "too large"),
        ("1e999999", "too large or too small"),
        ("sin(10^400)", "too large"),
        ("sin(1, 2)", "too few or too many numbers"),
        ("max()", "too few or too many numbers"),
        ("round(x=1)", "without names"),
        ("factorial(0.5)", "expected a whole number, got 0.5"),
        ("factorial(5000)", "expected a whole number from 0 to 1000"),
        ("comb(2, 3)", "expected 0 ≤ k ≤ n"),
        ("comb(10000, 5000)", "more than about 3,900 digits"),
        ("round(1, 99)", "at most 60 decimal places"),
        ("'a' * 9", "expected a number, got 'a'"),
        ("True", "expected a number"),
        ("1j", "expected a number"),
        ("[1, 2]", "only numbers"),
        ("1 if 2 else 3", "only numbers"),
        ("1 < 2", "only numbers"),
        ("x = 3", "no arithmetic expression"),
        ("1; 2", "no arithmetic expression"),
        ("lambda: 1", "only numbers"),
        ("().__class__", "only numbers"),
        ("pi.real", "only numbers"),
        ("__import__('os')", "'__import__' is unknown"),
        ("(" * 300 + "1" + ")" * 300, "cannot calculate"),
        ("-" * 900 + "1", "nested too deeply"),
    ],
)
def test_what_cannot_be_calculated_says_why_and_where(tmp_path: Path, expression: str, message: str) -> None:
    assert message in failure_of(Math(), "calculate", {"expression": expression}, tmp_path)


def test_an_endless_expression_is_rejected_at_once(tmp_path: Path) -> None:
    response = call(Math(), "calculate", {"expression": "1+" * 600 + "1"}, tmp_path)

    assert response.status is CallStatus.REJECTED
    with pytest.raises(ToolFailure, match="at most 1000 characters"):
        calculate("1+" * 600 + "1")


def test_the_description_names_every_function() -> None:
    described = (Math.calculate.__doc__ or "").replace("their inverses", "asin acos atan atan2 sinh cosh tanh")

    assert [name for name in FUNCTIONS if name not in described] == []


MATH = Math()
"""One for all, because reading the definitions of the units takes a while."""

OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
NUMBERS = st.integers(0, 10**12).map(Fraction) | st.decimals(0, 10**6, places=4).map(Fraction)


@given(NUMBERS, st.sampled_from(sorted(OPERATORS)), NUMBERS, st.sampled_from(sorted(OPERATORS)), NUMBERS)
def test_arithmetic_agrees_with_fractions(a: Fraction, first: str, b: Fraction, second: str, c: Fraction) -> None:
    try:
        expected = OPERATORS[second](OPERATORS[first](a, b), c)
    except ZeroDivisionError:
        with pytest.raises(ToolFailure, match="division by zero"):
            calculate(f"({show(a)[0]} {first} {show(b)[0]}) {second} {show(c)[0]}")
        return

    found = calculate(f"({show(a)[0]} {first} {show(b)[0]}) {second} {show(c)[0]}")

    assert found == expected
    text, exact = show(found)
    assert (Fraction(text) == expected) == exact


@given(st.text(alphabet="0123456789.+-*/%^()epi, sqrtln'×²", max_size=30))
def test_any_text_is_calculated_or_refused(text: str) -> None:
    try:
        found = calculate(text)
    except ToolFailure:
        return
    assert show(found)[0]


@pytest.mark.parametrize(
    ("value", "source", "target", "result"),
    [
        (20, "degC", "degF", 68),
        (32, "°F", "°C", 0),
        (-40, "fahrenheit", "celsius", -40),
        (0, "K", "degC", -273.15),
        (10, "delta_degC", "delta_degF", 18),
        (1, "inch", "cm", 2.54),
        (65, "mile/hour", "km/h", 104.60736),
        (1, "GiB", "MB", 1073.741824),
        (3, "kWh", "MJ", 10.8),
        (1, "kg*m^2", "g*cm^2", 1e7),
        (50, "%", "dimensionless", 0.5),
        (25, "mpg", "km/L", 10.6285926857568),
    ],
)
def test_units_are_converted(tmp_path: Path, value: float, source: str, target: str, result: float) -> None:
    arguments = {"value": value, "from_unit": source, "to_unit": target}

    assert result_of(MATH, "convert_units", arguments, tmp_path).value == result


def test_a_conversion_spells_the_units_out(tmp_path: Path) -> None:
    found = result_of(MATH, "convert_units", {"value": 2, "from_unit": "km", "to_unit": "m"}, tmp_path)

    assert (found.unit, found.from_unit, found.text) == ("meter", "kilometer", "2 kilometer = 2000 meter")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("m", "s"), "meter (length) cannot be converted into second (time): they measure different things"),
        (("metrr", "m"), "got 'metrr'; did you mean 'meter'"),
        (("9**9**9", "m"), "expected a unit"),
        (("__import__('os')", "m"), "expected a unit"),
        (("m**99", "m**99"), "has a power above 30"),
        # The pint for Python 3.11 cannot convert it at all.
        (("dBm", "mW"), "logarithmic unit" if sys.version_info < (3, 12) else "too large a number"),
        (("parsec^9", "fm^9"), "too large a number"),
    ],
)
def test_what_cannot_be_converted_says_why(tmp_path: Path, arguments: tuple[str, str], message: str) -> None:
    source, target = arguments
    given_amount = {"value": 1e200, "from_unit": source, "to_unit": target}

    assert message in failure_of(MATH, "convert_units", given_amount, tmp_path)


def _statistics(folder: Path, **arguments: Any) -> Any:
    return result_of(Math(), "statistics", arguments, folder)


def test_numbers_are_described(tmp_path: Path) -> None:
    found = _statistics(tmp_path, values=[2, 4, 4, 4, 5, 5, 7, 9])

    assert (found.count, found.sum, found.min, found.max, found.mean, found.median) == (8, 40, 2, 9, 5, 4.5)
    assert (found.modes, found.population_stdev) == ((4,), 2)
    assert found.variance == pytest.approx(32 / 7)
    assert found.stdev == pytest.approx((32 / 7) ** 0.5)
    assert found.quantiles == (4, 4.5, 5.5)
    assert found.geometric_mean == pytest.approx(4.6029, rel=1e-4)
    assert found.harmonic_mean == pytest.approx(4.2028, rel=1e-3)


def test_one_number_has_no_deviation(tmp_path: Path) -> None:
    found = _statistics(tmp_path, values=[-3.5])

    assert (found.variance, found.stdev, found.quantiles, found.modes) == (None, None, (), ())
    assert (found.population_stdev, found.geometric_mean, found.harmonic_mean) == (0, None, None)


def test_groups_set_the_quantiles(tmp_path: Path) -> None:
    assert len(_statistics(tmp_path, values=list(range(50)), groups=10).quantiles) == 9


def test_numbers_that_overflow_fail_in_words(tmp_path: Path) -> None:
    message = failure_of(Math(), "statistics", {"values": [1e308, 1e308, -1e308, 1e308]}, tmp_path)

    assert "too large" in message


def test_no_numbers_are_rejected(tmp_path: Path) -> None:
    assert call(Math(), "statistics", {"values": []}, tmp_path).status is CallStatus.REJECTED
