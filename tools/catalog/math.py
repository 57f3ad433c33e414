"""Calculate, convert units, describe numbers."""

from __future__ import annotations

import math
import statistics as of_numbers
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Annotated, Final

from annotated_types import Ge, Le, Len

from tools.catalog._arithmetic import calculate, show
from tools.catalog._units import Units
from tools.catalog.math_statistics import Relations
from tools.declare import tool, toolkit
from tools.errors import ToolFailure
from tools.spec import Param, ToolExample

_LARGEST_EXACT_FLOAT: Final = 2**53
_MOST_MODES: Final = 20
_LONGEST_RATIO: Final = 200


@dataclass(frozen=True)
class Calculation:
    """What an expression comes to.

    Attributes:
        expression: The expression.
        result: The result in decimal digits.
        value: The same as a number; None when it is too large for one.
        exact: Whether `result` is the exact value, not a rounded one.
        fraction: The exact value as a fraction when the digits had to be rounded and it is not too long; else None.
    """

    expression: str
    result: str
    value: int | float | None
    exact: bool
    fraction: str | None


@dataclass(frozen=True)
class ConvertedUnits:
    """An amount in another unit.

    Attributes:
        value: The amount in the new unit.
        unit: The new unit's full name.
        from_value: The amount given.
        from_unit: The full name of its unit.
        text: Both as one line.
    """

    value: float
    unit: str
    from_value: float
    from_unit: str
    text: str


@dataclass(frozen=True)
class Statistics:
    """What describes a list of numbers.

    Attributes:
        count: How many there are.
        sum: Their sum.
        min: The smallest.
        max: The largest.
        mean: The arithmetic mean.
        median: The middle one.
        modes: The most frequent ones, twenty at most; empty when every number occurs once.
        variance: The sample's variance; None for one number.
        stdev: The sample's standard deviation; None for one number.
        population_stdev: The standard deviation when the numbers are all there are.
        quantiles: The cut points between groups of equal size; empty for one number.
        geometric_mean: The geometric mean; None unless all numbers are positive.
        harmonic_mean: The harmonic mean; None unless all numbers are positive.
    """

    count: int
    sum: float
    min: float
    max: float
    mean: float
    median: float
    modes: tuple[float, ...]
    variance: float | None
    stdev: float | None
    population_stdev: float
    quantiles: tuple[float, ...]
    geometric_mean: float | None
    harmonic_mean: float | None


@toolkit("Math", category="math")
class Math(Relations):
    """Calculate, convert units, describe and compare numbers."""

    def __init__(self) -> None:
        self._units = Units()

    @tool(
        keywords=("math", "arithmetic", "calculator", "expression", "formula", "percent"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=10,
        examples=(
            ToolExample(input={"expression": "0.1 + 0.2"}, description="Decimals stay exact", output={"result": "0.3"}),
            ToolExample(
                input={"expression": "1250 * (1 + 3.5/100)^10"}, description="Compound interest over ten years"
            ),
        ),
    )
    def calculate(
        self,
        expression: Annotated[
            str,
            Len(1, 1000),
            Param("Numbers, + - * / // % ^, parentheses, pi, e, tau and functions such as sqrt, ln, sin"),
        ],
    ) -> Calculation:
        """Calculate an arithmetic expression; whole numbers, decimals and fractions stay exact.

        Functions: abs, round, floor, ceil, trunc, sqrt, cbrt, exp, ln, log(x, base), log10, log2, sin, cos, tan and
        their inverses, degrees, radians, min, max, sum, mean, hypot, factorial, gcd, lcm, comb, perm. Angles are in
        radians.
        """
        value = calculate(expression)
        result, exact = show(value)
        ratio = str(value) if isinstance(value, Fraction) and not exact else None
        shown_ratio = ratio if ratio is not None and len(ratio) <= _LONGEST_RATIO else None
        return Calculation(expression, result, _as_number(value), exact, shown_ratio)

    @tool(
        keywords=("length", "weight", "temperature", "speed", "volume", "measure", "imperial", "metric"),
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={"value": 20, "from_unit": "degC", "to_unit": "degF"}, description="A temperature"),
            ToolExample(input={"value": 65, "from_unit": "mile/hour", "to_unit": "km/h"}, description="A speed"),
        ),
    )
    def convert_units(
        self,
        value: Annotated[float, Param("The amount")],
        from_unit: Annotated[str, Len(1, 100), Param("Its unit, such as km, lb, degC, mile/hour or kg*m^2")],
        to_unit: Annotated[str, Len(1, 100), Param("The unit wanted, of the same kind")],
    ) -> ConvertedUnits:
        """Convert an amount from one unit to another; temperatures with their offsets, compound units too."""
        converted = self._units.convert(value, from_unit, to_unit)
        text = f"{value:.12g} {converted.from_unit} = {converted.value:.12g} {converted.to_unit}"
        return ConvertedUnits(converted.value, converted.to_unit, value, converted.from_unit, text)

    @tool(
        keywords=("mean", "average", "median", "standard deviation", "quantile", "percentile", "variance"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(input={"values": [2, 4, 4, 4, 5, 5, 7, 9]}, description="Eight numbers and their quartiles"),
            ToolExample(input={"values": [1.5, 2.5, 10], "groups": 10}, description="Deciles instead of quartiles"),
        ),
    )
    def statistics(
        self,
        values: Annotated[list[float], Len(1, 1_000_000), Param("The numbers")],
        groups: Annotated[
            int, Ge(2), Le(1000), Param("How many groups of equal size the quantiles divide them into")
        ] = 4,
    ) -> Statistics:
        """Describe a list of numbers: count, sum, range, mean, median, mode, deviation and quantiles."""
        try:
            return _describe(values, groups)
        except OverflowError as error:
            raise ToolFailure(
                "the numbers are too large to be added up; divide them by a common factor first"
            ) from error


def _as_number(value: Fraction | float) -> int | float | None:
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    try:
        number = float(value)
    except OverflowError:
        return None
    return int(number) if number.is_integer() and abs(number) < _LARGEST_EXACT_FLOAT else number


def _describe(values: Sequence[float], groups: int) -> Statistics:
    several = len(values) > 1
    mean = of_numbers.fmean(values)
    variance = of_numbers.variance(values) if several else None
    positive = min(values) > 0
    return Statistics(
        count=len(values),
        sum=math.fsum(values),
        min=min(values),
        max=max(values),
        mean=mean,
        median=of_numbers.median(values),
        modes=_modes(values),
        variance=variance,
        stdev=of_numbers.stdev(values) if several else None,
        population_stdev=of_numbers.pstdev(values),
        quantiles=tuple(of_numbers.quantiles(values, n=groups, method="inclusive")) if several else (),
        geometric_mean=of_numbers.geometric_mean(values) if positive else None,
        harmonic_mean=of_numbers.harmonic_mean(values) if positive else None,
    )


def _modes(values: Sequence[float]) -> tuple[float, ...]:
    counts = Counter(values)
    most = max(counts.values())
    if most == 1:
        return ()
    return tuple(islice((value for value, count in counts.items() if count == most), _MOST_MODES))
