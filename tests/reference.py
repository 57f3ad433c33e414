"""Write `tests/reference.md`: every row of `reference_rows.toml` with the tests that show it.

`python -m tests.reference` rewrites the page, with `--check` it only says whether the page is current.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).parent
PAGE = TESTS / "reference.md"


def _marked_rows(node: ast.expr) -> Iterator[str]:
    """Yield the rows of each `pytest.mark.reference(...)` in an expression."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and ast.unparse(part.func).endswith("mark.reference"):
            yield from (row.value for row in part.args if isinstance(row, ast.Constant) and isinstance(row.value, str))


def _tests_of(body: list[ast.stmt], outer: str, inherited: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield (row, test) for the tests of a module or class; marks of the whole apply to each test in it."""
    for statement in body:
        if isinstance(statement, ast.Assign) and any(ast.unparse(name) == "pytestmark" for name in statement.targets):
            inherited |= frozenset(_marked_rows(statement.value))
    for statement in body:
        if isinstance(statement, ast.ClassDef) and statement.name.startswith("Test"):
            rows = frozenset(row for mark in statement.decorator_list for row in _marked_rows(mark))
            yield from _tests_of(statement.body, f"{outer}::{statement.name}", inherited | rows)
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and statement.name.startswith("test_"):
            rows = inherited | {row for mark in statement.decorator_list for row in _marked_rows(mark)}
            yield from ((row, f"{outer}::{statement.name}") for row in rows)


def tests_by_row() -> dict[str, list[str]]:
    """Return the tests that carry each row's marker, in order."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        body = ast.parse(text).body if "mark.reference" in text else []
        for row, test in _tests_of(body, path.relative_to(TESTS).as_posix(), frozenset()):
            found[row].append(test)
    return dict(found)


def page() -> str:
    """Return the text of the page as the tests have it now."""
    sections: dict[str, dict[str, str]] = tomllib.loads((TESTS / "reference_rows.toml").read_text(encoding="utf-8"))
    shown = tests_by_row()
    total = sum(len(rows) for rows in sections.values())
    done = sum(row in shown for rows in sections.values() for row in rows)
    lines = [
        "# What the tests show",
        "",
        "Written by `make reference` from the tests' `reference` markers; a test fails when it is out of date.",
        f"{done} of {total} rows have a test.",
    ]
    for title, rows in sections.items():
        lines += ["", f"## {title}", "", "| row | what holds | shown by |", "|---|---|---|"]
        for row, sentence in rows.items():
            tests = "<br>".join(f"`{test}`" for test in shown.get(row, [])) or "not yet"
            lines.append(f"| {row} | {sentence} | {tests} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    expected = page()
    if arguments == ["--check"]:
        if PAGE.exists() and PAGE.read_text(encoding="utf-8") == expected:
            return 0
        print("tests/reference.md is not what the tests say: run `make reference`", file=sys.stderr)
        return 1
    PAGE.write_text(expected, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
