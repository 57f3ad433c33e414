"""Calculate an expression exactly where numbers allow it, within bounds, and say where it went wrong.

Whole numbers, decimals and their sums, products and quotients are fractions of unbounded precision inside; a result
is rounded only when somebody reads it. Functions such as `sin` work on floating-point numbers, and so does what they
touch.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from functools import reduce
from typing import Any, Final

import simpleeval

from tools.errors import ToolFailure

Number = Fraction | float

MAX_LENGTH: Final = 1000
MAX_BITS: Final = 13_000
_MAX_FACTORIAL: Final = 1000
_SHOWN_DIGITS: Final = 30
_LONGEST_EXACT: Final = 60
_TYPOGRAPHIC: Final = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-"})
_SUPERSCRIPTS: Final = {"²": "**2", "³": "**3", "^": "**"}
_GROUPED: Final = re.compile(r"(?<![\w.])\d{1,3}(?:'\d{3})+(?![\w'])")


class _BoundsError(ArithmeticError):
    """Report a number that would be too large; the message says which."""


def _exact(value: Any) -> int:
    """Return a whole number.

    Raises:
        ValueError: When it is none.
    """
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise ValueError(f"expected a whole number, got {_short(value)}")


def _short(value: Any) -> str:
    return show(value)[0] if isinstance(value, (Fraction, float)) else repr(value)


def _bounded(value: Any) -> Number:
    """Return a result as a number of ours.

    Raises:
        _BoundsError: When it is too large or too finely divided.
        ValueError: When it is no real number.
    """
    if isinstance(value, complex):
        raise ValueError("the result is not a real number")  # noqa: TRY004 -- a fault of the numbers, not of their types
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _BoundsError("the result is too large for a floating-point number")
        return value
    fraction = Fraction(value)
    if fraction.numerator.bit_length() > MAX_BITS or fraction.denominator.bit_length() > MAX_BITS:
        raise _BoundsError("the result has more than about 3,900 digits")
    return fraction


def _power(base: Number, exponent: Number) -> Number:
    if isinstance(exponent, Fraction) and exponent.denominator == 1 and isinstance(base, Fraction):
        bits = max(base.numerator.bit_length(), base.denominator.bit_length())
        if bits > 1 and abs(exponent.numerator) * (bits - 1) > MAX_BITS:
            raise _BoundsError("the power has more than about 3,900 digits")
        return Fraction(base**exponent.numerator)
    if base == 0 and exponent < 0:
        raise ZeroDivisionError
    return _bounded(float(base) ** float(exponent))


def _square_root(value: Number) -> Number:
    if value < 0:
        raise ValueError(f"the square root of {_short(value)} is not a real number")
    if isinstance(value, Fraction):
        above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if above * above == value.numerator and below * below == value.denominator:
            return Fraction(above, below)
    return math.sqrt(value)


def _rounded(value: Number, digits: Number = Fraction(0)) -> Number:
    places = _exact(digits)
    if abs(places) > _LONGEST_EXACT:
        raise ValueError(f"expected at most {_LONGEST_EXACT} decimal places, got {places}")
    return Fraction(round(Fraction(value), places))


def _factorial(value: Number) -> int:
    whole = _exact(value)
    if whole < 0 or whole > _MAX_FACTORIAL:
        raise ValueError(f"expected a whole number from 0 to {_MAX_FACTORIAL}, got {whole}")
    return math.factorial(whole)


def _choices(count: Callable[[int, int], int]) -> Callable[[Number, Number], int]:
    def counted(of: Number, taken: Number) -> int:
        whole, part = _exact(of), _exact(taken)
        if not 0 <= part <= whole <= 10 * _MAX_FACTORIAL:
            raise ValueError(f"expected 0 ≤ k ≤ n ≤ {10 * _MAX_FACTORIAL}, got n = {whole}, k = {part}")
        if min(part, whole - part) > _MAX_FACTORIAL:
            raise _BoundsError("the result has more than about 3,900 digits")
        return count(whole, part)

    return counted


def _logarithm(value: Number, base: Number | None = None) -> float:
    # math.log takes whole numbers of any size, but fractions only as floats.
    above, below = (value.numerator, value.denominator) if isinstance(value, Fraction) else (value, 1)
    result = math.log(above) - math.log(below)
    return result if base is None else result / math.log(base)


def _in_log(function: Callable[[float], float]) -> Callable[[Number], Number]:
    def logarithm(value: Number) -> Number:
        if isinstance(value, Fraction) and value.denominator == 1:
            return function(value.numerator)
        return function(float(value))

    return logarithm


def _floated(function: Callable[..., float]) -> Callable[..., float]:
    def floated(*values: Number) -> float:
        return function(*(float(value) for value in values))

    return floated


def _on_whole(function: Callable[..., int]) -> Callable[..., int]:
    def whole(*values: Number) -> int:
        return function(*(_exact(value) for value in values))

    return whole


def _sum(*values: Number) -> Number:
    return reduce(operator.add, values, Fraction(0))


def _mean(*values: Number) -> Number:
    return _sum(*values) / len(values)


FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "abs": abs,
    "ceil": math.ceil,
    "floor": math.floor,
    "trunc": math.trunc,
    "round": _rounded,
    "sqrt": _square_root,
    "cbrt": _floated(math.cbrt),
    "exp": _floated(math.exp),
    "ln": _logarithm,
    "log": _logarithm,
    "log10": _in_log(math.log10),
    "log2": _in_log(math.log2),
    "min": min,
    "max": max,
    "sum": _sum,
    "mean": _mean,
    "hypot": _floated(math.hypot),
    "factorial": _factorial,
    "gcd": _on_whole(math.gcd),
    "lcm": _on_whole(math.lcm),
    "comb": _choices(math.comb),
    "perm": _choices(math.perm),
    **{
        name: _floated(getattr(math, name))
        for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "degrees", "radians")
    },
}
CONSTANTS: Final[dict[str, Number]] = {"pi": math.pi, "e": math.e, "tau": math.tau}
_OPERATORS: Final[dict[type[ast.AST], Callable[..., Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_EVALUATED: Final = (ast.Expr, ast.Name, ast.UnaryOp, ast.BinOp, ast.Call, ast.Constant)


class _Evaluator(simpleeval.SimpleEval):  # type: ignore[misc]
    """Evaluate numbers only, and remember the part of the expression that failed."""

    nodes: dict[type[ast.AST], Callable[..., Any]]

    def __init__(self, source: str) -> None:
        super().__init__(operators=dict(_OPERATORS), functions=dict(FUNCTIONS), names=dict(CONSTANTS))
        for kind in set(self.nodes).difference(_EVALUATED):
            del self.nodes[kind]
        self._source = source
        self.failed: ast.AST | None = None

    def _eval(self, node: ast.AST) -> Number:
        try:
            if isinstance(node, ast.Constant):
                return self._constant(node)
            if isinstance(node, ast.Call) and node.keywords:
                raise ValueError("functions take their numbers in order, without names")
            return _bounded(super()._eval(node))
        except Exception:
            self.failed = self.failed or node
            raise

    def _constant(self, node: ast.Constant) -> Number:
        if isinstance(node.value, bool) or not isinstance(node.value, (int, float)):
            raise ValueError(f"expected a number, got {node.value!r}")  # noqa: TRY004 -- the person's fault, not the program's
        if isinstance(node.value, int):
            return _bounded(node.value)
        written = ast.get_source_segment(self._source, node) or repr(node.value)
        number = Decimal(written.replace("_", ""))
        if abs(number.adjusted()) > MAX_BITS // 4:
            raise _BoundsError("the number is too large or too small")
        return _bounded(Fraction(number))


def calculate(expression: str) -> Number:
    """Return the value of an expression.

    Raises:
        ToolFailure: When it cannot be calculated; the message points at the place.
    """
    if len(expression) > MAX_LENGTH:
        raise ToolFailure(f"expected at most {MAX_LENGTH} characters, got {len(expression):,}; calculate it in parts")
    source, places = _as_python(expression)
    try:
        parsed = ast.parse(source, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        # At the end of the text the parser names no place.
        at = getattr(error, "offset", None) or len(places)
        said = error.msg if isinstance(error, SyntaxError) and "'" in error.msg else "this is no arithmetic expression"
        raise ToolFailure(_pointing(expression, places[min(at, len(places)) - 1], said)) from error
    evaluator = _Evaluator(source)
    try:
        value: Number = evaluator.eval(source, ast.Expr(parsed.body))
    except Exception as error:
        node = evaluator.failed
        column = len(source.encode()[: getattr(node, "col_offset", 0)].decode())
        raise ToolFailure(_pointing(expression, places[column], _reason(error))) from error
    return value


def _as_python(expression: str) -> tuple[str, list[int]]:
    """Return an expression in Python's spelling, and for each of its characters the place it came from."""
    grouped = _GROUPED.sub(lambda match: match[0].replace("'", "_"), expression).translate(_TYPOGRAPHIC)
    parts = [_SUPERSCRIPTS.get(letter, " " if letter.isspace() else letter) for letter in grouped]
    places = [index for index, part in enumerate(parts) for _ in part]
    source = "".join(parts)
    indent = len(source) - len(source.lstrip())
    return source[indent:], [*places[indent:], len(expression)]


def _pointing(expression: str, where: int, reason: str) -> str:
    rest = expression[where : where + 20].strip()
    at = f"at position {where + 1}, {rest!r}" if rest else "at its end"
    return f"cannot calculate {expression!r}: {reason} ({at})"


def _reason(error: Exception) -> str:
    if isinstance(error, ZeroDivisionError):
        return "division by zero"
    if isinstance(error, simpleeval.NameNotDefined):
        return f"{error.name!r} is unknown; known are {', '.join(CONSTANTS)}"
    if isinstance(error, simpleeval.FunctionNotDefined):
        return f"the function {error.func_name!r} is unknown; known are {', '.join(sorted(FUNCTIONS))}"
    if isinstance(error, simpleeval.InvalidExpression):
        return "only numbers, + - * / // % ^, parentheses, functions and constants are allowed"
    if isinstance(error, OverflowError):
        return "the numbers are too large for this function"
    if isinstance(error, TypeError):
        return "the function was given too few or too many numbers"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error).replace("math domain error", "the function is not defined for this number")


def show(value: Number) -> tuple[str, bool]:
    """Return a number as people write it, and whether that is its exact value."""
    if isinstance(value, float):
        return (str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)), False  # noqa: PLR2004 -- beyond it digits are made up
    if value.denominator == 1:
        return str(value.numerator), True
    decimal = Decimal(value.numerator)
    exact = Context(prec=_LONGEST_EXACT)
    quotient = exact.divide(decimal, Decimal(value.denominator))
    if Fraction(quotient) == value:
        return _plain(quotient), True
    return _plain(Context(prec=_SHOWN_DIGITS).divide(decimal, Decimal(value.denominator))), False


def _plain(number: Decimal) -> str:
    places = -number.adjusted()
    return f"{number:f}" if -_SHOWN_DIGITS < places < _SHOWN_DIGITS else str(number)
