"""Profile tables: what each column holds."""

from __future__ import annotations

import random
import re
import statistics
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Final

from pydantic import Field

from tools.catalog._bounds import ProgressThrottle
from tools.catalog._formats import cell_value
from tools.catalog._paths import shown
from tools.catalog._tables import as_cell, opened_table
from tools.catalog.data_compare import Sheet, TablePath
from tools.context import ToolContext
from tools.declare import tool
from tools.spec import Latency, ToolExample

DISTINCT_VALUES: Final = 20_000
"""How many different values of a column are told apart."""

_KEPT_NUMBERS: Final = 20_000
_COMMON_VALUES: Final = 3
_SHOWN_VALUE_CHARS: Final = 100
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_TIME: Final = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?")


@dataclass(frozen=True, slots=True)
class CommonValue:
    """A value and how often it occurs."""

    value: Annotated[str, Field(description="The value.")]
    count: Annotated[int, Field(description="How often it occurs.")]


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """What a column holds."""

    name: Annotated[str, Field(description="The column.")]
    type: Annotated[str, Field(description="integer, number, boolean, date, datetime, text, or empty.")]
    filled: Annotated[int, Field(description="How many cells hold something.")]
    empty: Annotated[int, Field(description="How many are empty.")]
    distinct: Annotated[int | None, Field(description="How many different values; null when too many to count.")]
    minimum: Annotated[str | None, Field(description="The smallest value; the first in the alphabet for text.")]
    maximum: Annotated[str | None, Field(description="The largest value.")]
    mean: Annotated[float | None, Field(description="The mean of a column of numbers.")]
    quartiles: Annotated[list[float] | None, Field(description="A quarter, half and three quarters lie below these.")]
    longest: Annotated[int, Field(description="Characters of its longest cell.")]
    common: Annotated[list[CommonValue], Field(description="The values that occur most often.")]


@dataclass(frozen=True, slots=True)
class TableProfile:
    """What a table holds, column by column."""

    path: Annotated[str, Field(description="The file.")]
    rows: Annotated[int, Field(description="How many rows it has.")]
    columns: Annotated[list[ColumnProfile], Field(description="Its columns, in order.")]


class TableProfiles:
    """The tool that profiles tables."""

    @tool(
        keywords=("table", "statistics", "types", "missing", "distinct", "summary", "quantiles"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(input={"path": "data/orders.csv"}, description="What each column holds"),
            ToolExample(input={"path": "data/people.json"}, description="A list of objects works as well"),
        ),
    )
    def profile_table(self, path: TablePath, *, sheet: Sheet = None, ctx: ToolContext) -> TableProfile:
        """Describe the columns of a table: type, empty cells, range, quartiles and the most frequent values."""
        name = shown(path, ctx.project_dir)
        pace = ProgressThrottle(ctx)
        rows = 0
        with opened_table(path, ctx, sheet) as table:
            profiles = [_Profile(column) for column in table.columns]
            for row in table.rows:
                pace.step(1, name)
                rows += 1
                for profile, value in zip(profiles, row, strict=True):
                    profile.add(as_cell(value))
        return TableProfile(name, rows, [profile.result() for profile in profiles])


class _Profile:
    """Gather what a column holds."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._kinds: Counter[str] = Counter()
        self._values: Counter[str] = Counter()
        self._uncounted = False
        self._least: dict[bool, Any] = {}
        self._most: dict[bool, Any] = {}
        self._sum = Decimal(0)
        self._longest = 0
        self._numbers: list[float] = []
        self._seen_numbers = 0
        # The same numbers are kept of the same column each time.
        self._chance = random.Random(0)  # noqa: S311 -- no secret

    def add(self, cell: str) -> None:
        """Take one cell into account."""
        if not cell:
            self._kinds["empty"] += 1
            return
        value = cell_value(cell)
        kind = _kind(value)
        self._kinds[kind] += 1
        self._longest = max(self._longest, len(cell))
        if cell in self._values or len(self._values) < DISTINCT_VALUES:
            self._values[cell] += 1
        else:
            self._uncounted = True
        numeric = kind in {"integer", "number"}
        if numeric:
            self._sum += value
            self._keep(float(value))
        key = Decimal(value) if numeric else cell
        if numeric not in self._least or key < self._least[numeric]:
            self._least[numeric] = key
        if numeric not in self._most or key > self._most[numeric]:
            self._most[numeric] = key

    def _keep(self, number: float) -> None:
        """Keep some numbers, each with the same chance, of which the quartiles are made."""
        self._seen_numbers += 1
        if len(self._numbers) < _KEPT_NUMBERS:
            self._numbers.append(number)
        elif (place := self._chance.randrange(self._seen_numbers)) < _KEPT_NUMBERS:
            self._numbers[place] = number

    def result(self) -> ColumnProfile:
        """Return what was gathered."""
        kinds = Counter({kind: count for kind, count in self._kinds.items() if kind != "empty"})
        filled = kinds.total()
        kind = _common_kind(set(kinds))
        numeric = kind in {"integer", "number"}
        least, most = self._extremes(numeric=numeric)
        return ColumnProfile(
            name=self._name,
            type=kind,
            filled=filled,
            empty=self._kinds["empty"],
            distinct=None if self._uncounted else len(self._values),
            minimum=least,
            maximum=most,
            mean=float(self._sum / filled) if numeric and filled else None,
            quartiles=statistics.quantiles(self._numbers, n=4, method="inclusive")
            if numeric and len(self._numbers) > 1
            else None,
            longest=self._longest,
            common=[
                CommonValue(value[:_SHOWN_VALUE_CHARS], count)
                for value, count in self._values.most_common(_COMMON_VALUES)
            ],
        )

    def _extremes(self, *, numeric: bool) -> tuple[str | None, str | None]:
        if numeric:
            return str(self._least[True]), str(self._most[True])
        # In a column of text a number is text too.
        texts = [str(extremes[key]) for extremes in (self._least, self._most) for key in extremes]
        if not texts:
            return None, None
        return min(texts)[:_SHOWN_VALUE_CHARS], max(texts)[:_SHOWN_VALUE_CHARS]


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, Decimal):
        return "number"
    if _DATE.fullmatch(value):
        return "date"
    return "datetime" if _TIME.fullmatch(value) else "text"


def _common_kind(kinds: set[str]) -> str:
    if not kinds:
        return "empty"
    if len(kinds) == 1:
        return kinds.pop()
    if kinds == {"integer", "number"}:
        return "number"
    return "datetime" if kinds == {"date", "datetime"} else "text"
