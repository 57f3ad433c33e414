"""Relations between numbers: correlation, regression, whether two groups differ, and matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from annotated_types import Ge, Gt, Le, Len, Lt

from tools.catalog._bounds import stop_if_cancelled
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Param, ToolExample

if TYPE_CHECKING:
    import numpy as np

Values = Annotated[list[float], Len(2, 1_000_000)]
Matrix = Annotated[list[Annotated[list[float], Len(1, 200)]], Len(1, 200)]
Operation = Literal[
    "multiply", "add", "subtract", "transpose", "determinant", "inverse", "rank", "eigenvalues", "solve", "norm"
]

_LARGEST: Final = 1e100
_DRAWS_AT_ONCE: Final = 1_000
_MOST_DRAWN_NUMBERS: Final = 200_000_000
_WORST_CONDITION: Final = 1e12
_TWO: Final = frozenset({"multiply", "add", "subtract", "solve"})
_SQUARE: Final = frozenset({"determinant", "inverse", "eigenvalues", "solve"})


@dataclass(frozen=True)
class Correlation:
    """How two lists of numbers go together.

    Attributes:
        coefficient: From -1 (one falls as the other rises) over 0 (no relation) to 1.
        method: How it was calculated.
        count: How many pairs there are.
    """

    coefficient: float
    method: str
    count: int


@dataclass(frozen=True)
class Regression:
    """The straight line or plane that fits best (least squares).

    Attributes:
        intercept: The value where all inputs are 0.
        slopes: How much one more of each input adds.
        r_squared: The share of the variance that the line explains, 0 to 1; None when the values do not vary.
        residual_stdev: The standard deviation around the line; None when there are too few rows to tell.
        predictions: What the line says for the rows asked for.
        equation: The line as text.
    """

    intercept: float
    slopes: tuple[float, ...]
    r_squared: float | None
    residual_stdev: float | None
    predictions: tuple[float, ...]
    equation: str


@dataclass(frozen=True)
class GroupComparison:
    """Whether two groups of numbers differ by more than chance.

    Attributes:
        difference: How much larger the first group's statistic is.
        p_value: How often chance alone makes a difference this large; small means that chance is unlikely.
        significant: Whether that is below the level asked for.
        confidence_low: Below this the true difference hardly is (bootstrap, at the level asked for).
        confidence_high: Above this it hardly is.
        effect_size: The difference in standard deviations (Cohen's d); None when nothing varies.
        method: How it was calculated.
    """

    difference: float
    p_value: float
    significant: bool
    confidence_low: float
    confidence_high: float
    effect_size: float | None
    method: str


@dataclass(frozen=True)
class MatrixResult:
    """What a calculation with matrices gives.

    Attributes:
        matrix: The resulting matrix; None when the result is a number or a list.
        number: The resulting number; None when it is none.
        eigenvalues: Real and imaginary part of each; empty for other operations.
    """

    matrix: tuple[tuple[float, ...], ...] | None = None
    number: float | None = None
    eigenvalues: tuple[tuple[float, float], ...] = ()


class Relations:
    """The tools for relations between numbers."""

    @tool(
        keywords=("correlation", "pearson", "spearman", "relation", "statistics"),
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(
                input={"x": [1, 2, 3, 4], "y": [2, 4, 6, 8]},
                description="Twice as much each time",
                output={"coefficient": 1.0},
            ),
            ToolExample(
                input={"x": [1, 2, 3, 4], "y": [1, 8, 27, 64], "method": "spearman"},
                description="By rank, where the relation is no straight line",
            ),
        ),
    )
    def correlate(
        self,
        x: Annotated[Values, Param("The first numbers")],
        y: Annotated[Values, Param("The second, in the same order")],
        method: Annotated[
            Literal["pearson", "spearman"], Param("pearson for straight relations, spearman for ranks")
        ] = "pearson",
    ) -> Correlation:
        """Tell how strongly two lists of numbers go together, from -1 over 0 to 1."""
        import numpy as np  # noqa: PLC0415 -- few tools calculate with it

        one, other = _pairs(x, y)
        if method == "spearman":
            one, other = _ranks(one), _ranks(other)
        if np.ptp(one) == 0 or np.ptp(other) == 0:
            raise ToolFailure("expected numbers that vary; all numbers of one list are the same")
        found = float(np.corrcoef(one, other)[0, 1])
        return Correlation(max(-1.0, min(1.0, round(found, 12))), method, len(x))

    @tool(
        keywords=("regression", "trend", "least squares", "fit", "predict", "forecast"),
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(
                input={"rows": [[1], [2], [3], [4]], "y": [3, 5, 7, 9], "predict": [[10]]},
                description="One input, and what to expect for 10",
            ),
            ToolExample(
                input={"rows": [[50, 1], [70, 2], [90, 2], [60, 3]], "y": [200, 290, 340, 300]},
                description="Two inputs: size and rooms",
            ),
        ),
    )
    def fit_line(
        self,
        rows: Annotated[
            list[Annotated[list[float], Len(1, 50)]],
            Len(2, 100_000),
            Param("The inputs of each observation, as many in each row"),
        ],
        y: Annotated[Values, Param("The value of each observation, in the same order")],
        predict: Annotated[
            list[Annotated[list[float], Len(1, 50)]], Len(0, 1000), Param("Inputs to tell the value of")
        ] = [],  # noqa: B006 -- it is copied for each call
    ) -> Regression:
        """Fit a straight line through observations by least squares (linear regression), and predict values with it."""
        import numpy as np  # noqa: PLC0415 -- as above

        inputs, wanted = _table(rows, "rows"), _list(y, "y")
        if len(inputs) != len(wanted):
            raise ToolFailure(f"expected as many rows as values, got {len(inputs)} and {len(wanted)}")
        width = inputs.shape[1]
        if len(inputs) <= width:
            raise ToolFailure(f"expected more rows than inputs: {width} inputs need {width + 1} rows or more")
        design = np.column_stack([np.ones(len(inputs)), inputs])
        solution, _, rank, _ = np.linalg.lstsq(design, wanted, rcond=None)
        if rank < design.shape[1]:
            raise ToolFailure("the inputs say the same twice, or one never changes; leave one of them out")
        left = float(((wanted - design @ solution) ** 2).sum())
        whole = float(((wanted - wanted.mean()) ** 2).sum())
        free = len(inputs) - width - 1
        asked = _table(predict, "predict") if predict else np.empty((0, width))
        if asked.shape[1] != width:
            raise ToolFailure(f"expected {width} inputs in each row to predict, got {asked.shape[1]}")
        told = np.column_stack([np.ones(len(asked)), asked]) @ solution
        slopes = tuple(float(value) for value in solution[1:])
        terms = "".join(
            f" {'-' if slope < 0 else '+'} {abs(slope):.6g}*x{number}" for number, slope in enumerate(slopes, 1)
        )
        return Regression(
            float(solution[0]),
            slopes,
            None if whole == 0 else max(0.0, 1 - left / whole),
            math.sqrt(left / free) if free else None,
            tuple(float(value) for value in told),
            f"y = {solution[0]:.6g}{terms}",
        )

    @tool(
        keywords=("hypothesis", "significance", "p value", "a/b test", "t-test", "permutation"),
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(
                input={"first": [5.1, 4.9, 5.6, 5.8, 6.0, 5.2], "second": [4.1, 4.4, 4.0, 4.6, 4.2, 4.3]},
                description="Two clearly different groups",
                output={"significant": True},
            ),
            ToolExample(
                input={"first": [12, 15, 11, 14], "second": [10, 14, 9, 13], "paired": True},
                description="The same four before and after",
            ),
        ),
    )
    def compare_groups(
        self,
        first: Annotated[list[float], Len(2, 100_000), Param("The numbers of one group")],
        second: Annotated[list[float], Len(2, 100_000), Param("The numbers of the other")],
        *,
        statistic: Annotated[Literal["mean", "median"], Param("What is compared")] = "mean",
        paired: Annotated[bool, Param("Whether each number of one belongs to that of the other in its place")] = False,
        level: Annotated[float, Gt(0), Lt(0.5), Param("Below which p counts as significant")] = 0.05,
        draws: Annotated[int, Ge(100), Le(100_000), Param("How often chance is tried")] = 10_000,
        seed: Annotated[int, Ge(0), Le(2**32), Param("The same seed gives the same answer")] = 0,
        ctx: ToolContext,
    ) -> GroupComparison:
        """Test whether two groups differ by more than chance: a permutation test with a bootstrap interval.

        It assumes no distribution. With draws of 10,000 a p-value is right to about 0.005.
        """
        import numpy as np  # noqa: PLC0415 -- as above

        one, other = _list(first, "first"), _list(second, "second")
        if paired and len(one) != len(other):
            raise ToolFailure(f"expected groups of one size when paired, got {len(one)} and {len(other)}")
        if (len(one) + len(other)) * draws > _MOST_DRAWN_NUMBERS:
            raise ToolFailure(f"{len(one) + len(other):,} numbers times {draws:,} draws is too much; ask for fewer")
        middle = np.mean if statistic == "mean" else np.median
        difference = float(middle(one - other)) if paired else float(middle(one) - middle(other))
        random = np.random.default_rng(seed)
        as_large, spread = 0, []
        for begin in range(0, draws, _DRAWS_AT_ONCE):
            stop_if_cancelled(ctx)
            count = min(_DRAWS_AT_ONCE, draws - begin)
            by_chance, again = (_paired if paired else _apart)(one, other, middle, random, count)
            as_large += int((np.abs(by_chance) >= abs(difference) * (1 - 1e-12)).sum())
            spread.append(again)
        low, high = np.quantile(np.concatenate(spread), [level / 2, 1 - level / 2])
        p_value = (as_large + 1) / (draws + 1)
        deviation = float((one - other).std(ddof=1)) if paired else _pooled(one, other)
        return GroupComparison(
            difference,
            p_value,
            p_value < level,
            float(low),
            float(high),
            None if deviation == 0 else float(one.mean() - other.mean()) / deviation,
            f"permutation test of the {statistic}, {draws:,} draws",
        )

    @tool(
        keywords=("linear algebra", "inverse", "determinant", "equations", "multiply", "eigenvalues"),
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(
                input={"operation": "solve", "a": [[2, 1], [1, 3]], "b": [[5], [10]]},
                description="Two equations: 2x + y = 5, x + 3y = 10",
            ),
            ToolExample(
                input={"operation": "determinant", "a": [[1, 2], [3, 4]]}, description="The determinant of 2 by 2"
            ),
        ),
    )
    def calculate_matrix(
        self,
        operation: Annotated[Operation, Param("What to calculate; solve gives x of a x = b")],
        a: Annotated[Matrix, Param("The matrix, row by row")],
        b: Annotated[Matrix | None, Param("The second matrix, for multiply, add, subtract and solve")] = None,
    ) -> MatrixResult:
        """Calculate with matrices: product, sum, inverse, determinant, rank, eigenvalues, systems of equations."""
        import numpy as np  # noqa: PLC0415 -- as above

        one = _table(a, "a")
        if (operation in _TWO) != (b is not None):
            raise ToolFailure(f"{operation} takes {'two matrices' if operation in _TWO else 'one matrix'}; see b")
        if operation in _SQUARE and one.shape[0] != one.shape[1]:
            raise ToolFailure(f"{operation} needs a square matrix, got {_shape(one)}")
        other = _table(b, "b") if b is not None else one
        _need_shapes(operation, one, other)
        if operation in {"inverse", "solve"} and not np.linalg.cond(one) < _WORST_CONDITION:
            raise ToolFailure("the matrix is singular or nearly so: it has no inverse that can be relied on")
        match operation:
            case "determinant":
                return MatrixResult(number=_finite(np.linalg.det(one)))
            case "rank":
                return MatrixResult(number=float(np.linalg.matrix_rank(one)))
            case "norm":
                return MatrixResult(number=_finite(np.linalg.norm(one)))
            case "eigenvalues":
                return MatrixResult(
                    eigenvalues=tuple((float(value.real), float(value.imag)) for value in np.linalg.eigvals(one))
                )
        return MatrixResult(matrix=tuple(tuple(float(value) for value in row) for row in _made(operation, one, other)))


def _made(operation: Operation, one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    import numpy as np  # noqa: PLC0415 -- as above

    made: np.ndarray[Any, Any]
    match operation:
        case "multiply":
            made = one @ other
        case "add":
            made = one + other
        case "subtract":
            made = one - other
        case "transpose":
            made = one.T
        case "inverse":
            made = np.linalg.solve(one, np.eye(len(one)))
        case _:
            made = np.linalg.solve(one, other)
    return made


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ToolFailure("the result is too large for a number; divide the matrix by a common factor first")
    return number


def _list(values: Sequence[float], name: str) -> np.ndarray[Any, Any]:
    import numpy as np  # noqa: PLC0415 -- as above

    made = np.asarray(values, dtype=float)
    if not np.isfinite(made).all() or np.abs(made).max(initial=0) > _LARGEST:
        raise ToolFailure(f"expected numbers up to {_LARGEST:g} in {name!r}, got one beyond")
    return made


def _table(rows: Sequence[Sequence[float]], name: str) -> np.ndarray[Any, Any]:
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        raise ToolFailure(f"expected rows of one length in {name!r}, got {', '.join(map(str, sorted(widths)))}")
    return _list([value for row in rows for value in row], name).reshape(len(rows), widths.pop())


def _pairs(x: Sequence[float], y: Sequence[float]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    if len(x) != len(y):
        raise ToolFailure(f"expected two lists of one length, got {len(x)} and {len(y)}")
    return _list(x, "x"), _list(y, "y")


def _ranks(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the rank of each number; equal ones share the middle of theirs."""
    import numpy as np  # noqa: PLC0415 -- as above

    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: np.ndarray[Any, Any] = (ends - (counts - 1) / 2)[place]
    return ranks


def _paired(
    one: np.ndarray[Any, Any], other: np.ndarray[Any, Any], middle: Any, random: np.random.Generator, count: int
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return what chance makes of pairs, and what drawing them again makes of their difference."""
    apart = one - other
    signs = random.choice((-1.0, 1.0), size=(count, len(apart)))
    again = random.choice(apart, size=(count, len(apart)))
    return middle(signs * apart, axis=1), middle(again, axis=1)


def _apart(
    one: np.ndarray[Any, Any], other: np.ndarray[Any, Any], middle: Any, random: np.random.Generator, count: int
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return what chance makes of two groups, and what drawing them again makes of their difference."""
    import numpy as np  # noqa: PLC0415 -- as above

    together = random.permuted(np.tile(np.concatenate([one, other]), (count, 1)), axis=1)
    by_chance = middle(together[:, : len(one)], axis=1) - middle(together[:, len(one) :], axis=1)
    again = middle(random.choice(one, size=(count, len(one))), axis=1)
    again = again - middle(random.choice(other, size=(count, len(other))), axis=1)
    return by_chance, again


def _pooled(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> float:
    free = len(one) + len(other) - 2
    return math.sqrt(((len(one) - 1) * one.var(ddof=1) + (len(other) - 1) * other.var(ddof=1)) / free)


def _shape(matrix: np.ndarray[Any, Any]) -> str:
    return f"{matrix.shape[0]} x {matrix.shape[1]}"


def _need_shapes(operation: str, one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> None:
    fits = {
        "multiply": one.shape[1] == other.shape[0],
        "solve": one.shape[0] == other.shape[0],
        "add": one.shape == other.shape,
        "subtract": one.shape == other.shape,
    }
    if not fits.get(operation, True):
        raise ToolFailure(f"{operation} does not fit matrices of {_shape(one)} and {_shape(other)}")
