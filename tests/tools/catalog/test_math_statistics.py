"""Correlation, regression, tests and matrices, against published examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import failure_of, result_of
from tools.catalog.math import Math

X = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
Y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
"""The first of Anscombe's quartet. Source: F. J. Anscombe, "Graphs in Statistical Analysis", 1973."""


def run(folder: Path, name: str, **arguments: Any) -> Any:
    return result_of(Math(), name, arguments, folder)


def test_anscombes_first_set_has_its_published_line(tmp_path: Path) -> None:
    found = run(tmp_path, "fit_line", rows=[[x] for x in X], y=Y, predict=[[0], [20]])

    assert found.intercept == pytest.approx(3.0000909)
    assert found.slopes == pytest.approx((0.5000909,))
    assert found.r_squared == pytest.approx(0.6665425)
    assert found.residual_stdev == pytest.approx(1.2366033)
    assert found.predictions == pytest.approx((3.0000909, 13.0019091))
    assert found.equation == "y = 3.00009 + 0.500091*x1"


def test_a_plane_is_found_exactly(tmp_path: Path) -> None:
    rows = [[1, 2], [2, 1], [3, 5], [4, 4], [5, 9]]
    found = run(tmp_path, "fit_line", rows=rows, y=[2 + 3 * a - b for a, b in rows])

    assert (found.intercept, *found.slopes) == pytest.approx((2, 3, -1))
    assert found.r_squared == pytest.approx(1)


def test_correlations_are_those_of_the_books(tmp_path: Path) -> None:
    iq = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110]
    hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]

    assert run(tmp_path, "correlate", x=X, y=Y).coefficient == pytest.approx(0.8164205)
    assert run(tmp_path, "correlate", x=iq, y=hours, method="spearman").coefficient == pytest.approx(-29 / 165)
    # Equal numbers share the mean of their ranks.
    assert run(tmp_path, "correlate", x=[1, 1, 2], y=[3, 3, 1], method="spearman").coefficient == -1


def test_a_permutation_test_comes_near_the_exact_value(tmp_path: Path) -> None:
    found = run(tmp_path, "compare_groups", first=[1, 2, 3], second=[4, 5, 6])

    # Of the 20 ways to part six numbers, 2 differ by as much.
    assert found.p_value == pytest.approx(2 / 20, abs=0.01)
    assert (found.difference, found.effect_size, found.significant) == (-3, pytest.approx(-3), False)
    assert found.confidence_low < -3 < found.confidence_high
    assert run(tmp_path, "compare_groups", first=[1, 2, 3], second=[4, 5, 6]) == found


@pytest.mark.parametrize(
    ("operation", "a", "b", "result"),
    [
        ("multiply", [[1, 2], [3, 4]], [[5, 6], [7, 8]], ((19, 22), (43, 50))),
        ("add", [[1, 2]], [[3, 4]], ((4, 6),)),
        ("subtract", [[1, 2]], [[3, 5]], ((-2, -3),)),
        ("inverse", [[4, 7], [2, 6]], None, ((0.6, -0.7), (-0.2, 0.4))),
        ("solve", [[2, 1], [1, 3]], [[5], [10]], ((1,), (3,))),
        ("transpose", [[1, 2, 3]], None, ((1,), (2,), (3,))),
    ],
)
def test_matrices_are_calculated(tmp_path: Path, operation: str, a: Any, b: Any, result: Any) -> None:
    found = run(tmp_path, "calculate_matrix", operation=operation, a=a, b=b).matrix

    assert len(found) == len(result)
    for row, wanted in zip(found, result, strict=True):
        assert row == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("operation", "a", "number"),
    [("determinant", [[1, 2], [3, 4]], -2), ("rank", [[1, 2], [2, 4]], 1), ("norm", [[3, 4]], 5)],
)
def test_matrices_have_numbers(tmp_path: Path, operation: str, a: Any, number: float) -> None:
    assert run(tmp_path, "calculate_matrix", operation=operation, a=a).number == pytest.approx(number)


def test_a_quarter_turn_has_imaginary_eigenvalues(tmp_path: Path) -> None:
    found = run(tmp_path, "calculate_matrix", operation="eigenvalues", a=[[0, -1], [1, 0]]).eigenvalues

    assert sorted(found) == [pytest.approx((0, -1)), pytest.approx((0, 1))]


def test_a_singular_matrix_has_no_inverse(tmp_path: Path) -> None:
    given = {"operation": "inverse", "a": [[1, 2], [2, 4]]}

    assert "singular" in failure_of(Math(), "calculate_matrix", given, tmp_path)
