"""Join, compare and check tables and data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field, JsonValue

from tools.catalog._bounds import MAX_ENTRIES, ProgressThrottle, counted, say_cut, stop_if_cancelled
from tools.catalog._cells import BoundedRows, json_cell
from tools.catalog._documents import document
from tools.catalog._formats import Format, format_of, parse, unique_names
from tools.catalog._paths import shown
from tools.catalog._tables import as_cell, held_rows, opened_table, places_of
from tools.catalog._validation import SchemaProblem
from tools.catalog.data_json import MAX_GIVEN_CHARS, GivenPath, GivenText
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

TablePath = Annotated[Path, Param("A CSV, TSV, JSON, JSONL, Parquet or XLSX file"), PathRole()]
Sheet = Annotated[str | None, Param("The sheet of a workbook; none takes the first"), Field(max_length=100)]
MaxRows = Annotated[int, Param("Most rows returned"), Field(ge=1, le=MAX_ENTRIES)]
_MOST_JOINED: Final = 5_000_000
_SHOWN_CHARS: Final = 500


@dataclass(frozen=True, slots=True)
class FoundRows:
    """Rows made out of tables."""

    columns: Annotated[list[str], Field(description="The columns, in order.")]
    rows: Annotated[list[dict[str, JsonValue]], Field(description="The rows by column.")]
    total_rows: Annotated[int, Field(description="How many rows there are altogether.")]
    truncated: Annotated[bool, Field(description="Whether rows or parts of values are missing here.")]


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """A row that differs between two tables."""

    key: Annotated[dict[str, JsonValue], Field(description="The values of its key.")]
    before: Annotated[dict[str, JsonValue], Field(description="The values that differ, in the first table.")]
    after: Annotated[dict[str, JsonValue], Field(description="The same, in the second table.")]


@dataclass(frozen=True, slots=True)
class TableDifference:
    """How two tables differ."""

    equal: Annotated[bool, Field(description="Whether columns and rows are the same.")]
    added_count: Annotated[int, Field(description="How many rows only the second has.")]
    removed_count: Annotated[int, Field(description="How many rows only the first has.")]
    changed_count: Annotated[int, Field(description="How many rows have other values.")]
    added: Annotated[list[dict[str, JsonValue]], Field(description="The first of the added rows.")]
    removed: Annotated[list[dict[str, JsonValue]], Field(description="The first of the removed rows.")]
    changed: Annotated[list[ChangedRow], Field(description="The first of the changed rows.")]
    added_columns: Annotated[list[str], Field(description="Columns only the second has.")]
    removed_columns: Annotated[list[str], Field(description="Columns only the first has.")]
    truncated: Annotated[bool, Field(description="Whether rows are missing here.")]


@dataclass(frozen=True, slots=True)
class DataChange:
    """One place where data differs."""

    pointer: Annotated[str, Field(description="Where, as a JSON Pointer such as /people/0/age; empty for the whole.")]
    kind: Annotated[str, Field(description="added, removed or changed.")]
    before: Annotated[JsonValue, Field(description="The value in the first; null when it is added.")]
    after: Annotated[JsonValue, Field(description="The value in the second; null when it is removed.")]


@dataclass(frozen=True, slots=True)
class DataDifference:
    """How two documents of data differ."""

    equal: Annotated[bool, Field(description="Whether there is no difference.")]
    change_count: Annotated[int, Field(description="How many places differ.")]
    changes: Annotated[list[DataChange], Field(description="The first of them.")]
    truncated: Annotated[bool, Field(description="Whether there are more.")]


@dataclass(frozen=True, slots=True)
class TableValidity:
    """Whether the rows of a table fit a schema."""

    valid: Annotated[bool, Field(description="Whether every row fits.")]
    row_count: Annotated[int, Field(description="How many rows were checked.")]
    problem_count: Annotated[int, Field(description="How many places do not fit.")]
    problems: Annotated[list[SchemaProblem], Field(description="The first; $[2].age is the third row's age.")]
    truncated: Annotated[bool, Field(description="Whether there are more than max_problems.")]


class ComparingData:
    """The tools that bring two tables or documents together."""

    @tool(
        keywords=("join", "merge", "lookup", "combine", "csv", "vlookup"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(
                input={"path": "data/orders.csv", "other_path": "data/people.json", "on": ["customer"]},
                description="Orders with what is known of their customers",
            ),
            ToolExample(
                input={
                    "path": "data/orders.csv",
                    "other_path": "data/people.json",
                    "on": ["customer"],
                    "how": "anti",
                },
                description="Orders of customers nobody knows",
            ),
        ),
    )
    def join_tables(
        self,
        path: TablePath,
        other_path: Annotated[Path, Param("The other table"), PathRole()],
        on: Annotated[list[str], Param("The columns that must be equal"), Field(min_length=1, max_length=20)],
        *,
        other_on: Annotated[list[str], Param("Their names in the other table; empty when the same")] = [],  # noqa: B006
        how: Annotated[
            Literal["inner", "left", "outer", "anti"],
            Param("Which rows stay; anti keeps those of the first without a partner"),
        ] = "inner",
        max_rows: MaxRows = 200,
        ctx: ToolContext,
    ) -> FoundRows:
        """Join two tables by columns that are equal. left keeps all rows of the first, outer of both."""
        names = (shown(path, ctx.project_dir), shown(other_path, ctx.project_dir))
        if other_on and len(other_on) != len(on):
            raise ToolFailure(f"expected as many names in other_on as in on ({len(on)}), got {len(other_on)}")
        with opened_table(other_path, ctx) as other:
            keys = places_of(other_on or on, other.columns, names[1])
            kept = [place for place in range(len(other.columns)) if place not in keys]
            partners: dict[tuple[str, ...], list[Any]] = defaultdict(list)
            for row in held_rows(other, names[1], ctx):
                partners[_key(row, keys)].append(row)
            others = [other.columns[place] for place in kept]
        with opened_table(path, ctx) as first:
            places = places_of(on, first.columns, names[0])
            columns = unique_names([*first.columns, *([] if how == "anti" else others)])
            joined = _joined(first.rows, places, partners, (kept, keys, len(first.columns)), how)
            return _bounded(columns, joined, max_rows, ctx)

    @tool(
        keywords=("diff", "compare", "csv", "changes", "rows", "key"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(
                input={"path": "data/orders.csv", "other_path": "data/orders.csv", "key": ["id"]},
                description="A table and itself",
            ),
            ToolExample(
                input={"path": "data/orders.csv", "other_path": "data/people.json", "key": ["id"]},
                description="Tables of which one has no such key",
                negative=True,
                why_bad="A key is a column of both tables.",
            ),
        ),
    )
    def diff_tables(
        self,
        path: TablePath,
        other_path: Annotated[Path, Param("The newer table"), PathRole()],
        key: Annotated[list[str], Param("The columns that tell rows apart"), Field(min_length=1, max_length=20)],
        *,
        ignore: Annotated[list[str], Param("Columns whose values do not matter")] = [],  # noqa: B006
        max_rows: Annotated[int, Param("Most rows of each kind returned"), Field(ge=1, le=1000)] = 100,
        ctx: ToolContext,
    ) -> TableDifference:
        """Compare two tables row by row with a key: rows that were added, removed or changed. Their order is free."""
        first, first_columns = self._by_key(path, key, ctx)
        second, second_columns = self._by_key(other_path, key, ctx)
        shared = [name for name in first_columns if name in second_columns and name not in {*key, *ignore}]
        added = [row for number, row in second.items() if number not in first]
        removed = [row for number, row in first.items() if number not in second]
        changed = list(_changed_rows(first, second, key, shared))
        new = [name for name in second_columns if name not in first_columns]
        gone = [name for name in first_columns if name not in second_columns]
        truncated = max(len(added), len(removed), len(changed)) > max_rows
        if truncated:
            say_cut(ctx, f"at most {counted(max_rows, 'row')} of each kind are kept")
        return TableDifference(
            equal=not (added or removed or changed or new or gone),
            added_count=len(added),
            removed_count=len(removed),
            changed_count=len(changed),
            added=[_json_row(row) for row in added[:max_rows]],
            removed=[_json_row(row) for row in removed[:max_rows]],
            changed=changed[:max_rows],
            added_columns=new,
            removed_columns=gone,
            truncated=truncated,
        )

    def _by_key(
        self, path: Path, key: list[str], ctx: ToolContext
    ) -> tuple[dict[tuple[str, ...], dict[str, Any]], list[str]]:
        name = shown(path, ctx.project_dir)
        with opened_table(path, ctx) as table:
            places = places_of(key, table.columns, name)
            found: dict[tuple[str, ...], dict[str, Any]] = {}
            for row in held_rows(table, name, ctx):
                number = _key(row, places)
                if number in found:
                    raise ToolFailure(f"{name!r} has the key {', '.join(number)!r} twice; name more columns in key")
                found[number] = dict(zip(table.columns, row, strict=True))
            return found, table.columns

    @tool(
        keywords=("diff", "compare", "json", "yaml", "toml", "config"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(
                input={"text": '{"port": 80, "old": 1}', "other": '{"port": 8080, "new": 2}'},
                description="Two small documents",
            ),
            ToolExample(
                input={"path": "data/people.json", "other": "[]", "max_changes": 5}, description="A file and a text"
            ),
        ),
    )
    def diff_data(
        self,
        *,
        text: GivenText = None,
        path: GivenPath = None,
        other: Annotated[
            str | None, Param("The newer data as text; or name a file in other_path"), Field(max_length=MAX_GIVEN_CHARS)
        ] = None,
        other_path: Annotated[Path | None, Param("The file that holds the newer data"), PathRole()] = None,
        format: Annotated[Format | None, Param("The format of texts; none goes by first sign or file name")] = None,
        max_changes: Annotated[int, Param("Most changes returned"), Field(ge=1, le=1000)] = 200,
        ctx: ToolContext,
    ) -> DataDifference:
        """Compare two documents of JSON, YAML, TOML or XML by what they say. Order of names and style are free."""
        look = partial(stop_if_cancelled, ctx)
        sides = [document(text, path, ctx), document(other, other_path, ctx, text_name="other")]
        before, after = (parse(item.text, format or format_of(item.text, item.path), item.name, look) for item in sides)
        changes = list(_changes(before, after, "", look))
        truncated = len(changes) > max_changes
        if truncated:
            say_cut(ctx, f"{max_changes:,} of {counted(len(changes), 'change')} are kept")
        return DataDifference(not changes, len(changes), changes[:max_changes], truncated)

    @tool(
        keywords=("validate", "check", "schema", "csv", "quality", "constraints"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(
                input={
                    "path": "data/orders.csv",
                    "schema": {"properties": {"total": {"type": "number", "minimum": 10}}, "required": ["id"]},
                    "unique": ["id"],
                },
                description="Totals of ten and more, and no number twice",
            ),
            ToolExample(
                input={"path": "data/people.json", "unique": ["customer"]}, description="Nobody twice in a list"
            ),
        ),
    )
    def validate_table(
        self,
        path: TablePath,
        *,
        schema: Annotated[
            dict[str, JsonValue], Param("The JSON Schema of one row, an object by column"), Field(default_factory=dict)
        ],
        unique: Annotated[list[str], Param("Columns that together may not be equal in two rows")] = [],  # noqa: B006
        sheet: Sheet = None,
        max_problems: Annotated[int, Param("Most problems returned"), Field(ge=1, le=1000)] = 100,
        ctx: ToolContext,
    ) -> TableValidity:
        """Check each row of a table against a JSON Schema, and name the cells that do not fit. Empty cells are null."""
        name = shown(path, ctx.project_dir)
        with opened_table(path, ctx, sheet) as table:
            places = places_of(unique, table.columns, name)
            rows = held_rows(table, name, ctx)
            columns = table.columns
        from tools.catalog._validation import problems_of  # noqa: PLC0415 -- loads what no other tool needs

        data = [{key: _checked(value) for key, value in zip(columns, row, strict=True)} for row in rows]
        problems, count = problems_of(data, {"type": "array", "items": schema}, max_problems, ctx)
        doubles = list(_doubles(rows, places, unique)) if unique else []
        count += len(doubles)
        problems = [*problems, *doubles][:max_problems]
        if count > len(problems):
            say_cut(ctx, f"{counted(len(problems), 'problem')} of {count:,} are kept")
        return TableValidity(count == 0, len(rows), count, problems, count > len(problems))


def _checked(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else json_cell(value)


def _doubles(rows: list[Any], places: list[int], unique: list[str]) -> Iterator[SchemaProblem]:
    seen: dict[tuple[str, ...], int] = {}
    for number, row in enumerate(rows):
        key = _key(row, places)
        if key in seen:
            words = f"{', '.join(key)!r} is in row {seen[key] + 1} already"
            yield SchemaProblem(f"$[{number}]", words, "unique", f"unique: {', '.join(unique)}")
        seen.setdefault(key, number)


def _key(row: Any, places: list[int]) -> tuple[str, ...]:
    """Return what rows are matched by: 1, 1.0 and the text 1 of a CSV file are the same."""
    return tuple(_key_word(row[place]) for place in places)


def _key_word(value: Any) -> str:
    if isinstance(value, float | Decimal) and value == int(value):
        return str(int(value))
    return as_cell(value)


def _joined(
    rows: Iterator[Any],
    places: list[int],
    partners: dict[tuple[str, ...], list[Any]],
    other: tuple[list[int], list[int], int],
    how: str,
) -> Iterator[tuple[Any, ...]]:
    kept, keys, width = other
    used: set[tuple[str, ...]] = set()
    nothing = (None,) * len(kept)
    for row in rows:
        key = _key(row, places)
        found = partners.get(key, [])
        if how == "anti":
            if not found:
                yield tuple(row)
            continue
        used.add(key)
        for partner in found:
            yield (*row, *(partner[place] for place in kept))
        if not found and how != "inner":
            yield (*row, *nothing)
    if how == "outer":
        for key, found in partners.items():
            for partner in found if key not in used else ():
                filled: list[Any] = [None] * width
                for place, own in zip(places, keys, strict=True):
                    filled[place] = partner[own]
                yield (*filled, *(partner[place] for place in kept))


def _bounded(columns: list[str], rows: Iterator[Any], max_rows: int, ctx: ToolContext) -> FoundRows:
    kept = BoundedRows(columns, max_rows)
    total = 0
    pace = ProgressThrottle(ctx)
    for row in rows:
        pace.step()
        total += 1
        kept.add(row)
        if total > _MOST_JOINED:
            raise ToolFailure(f"the join has more than {counted(_MOST_JOINED, 'row')}; check the columns in on")
    kept.say_cut(ctx)
    return FoundRows(columns, kept.rows, total, kept.truncated)


def _changed_rows(
    first: dict[tuple[str, ...], dict[str, Any]],
    second: dict[tuple[str, ...], dict[str, Any]],
    key: list[str],
    shared: list[str],
) -> Iterator[ChangedRow]:
    for number, before in first.items():
        after = second.get(number)
        if after is None:
            continue
        differing = [name for name in shared if before[name] != after[name]]
        if differing:
            yield ChangedRow(
                _json_row({name: before[name] for name in key}),
                _json_row({name: before[name] for name in differing}),
                _json_row({name: after[name] for name in differing}),
            )


def _json_row(row: dict[str, Any]) -> dict[str, JsonValue]:
    return {name: json_cell(value) for name, value in row.items()}


def _changes(before: Any, after: Any, pointer: str, look: Any) -> Iterator[DataChange]:
    look()
    if isinstance(before, dict) and isinstance(after, dict):
        for name in before:
            place = f"{pointer}/{escaped_part(name)}"
            if name in after:
                yield from _changes(before[name], after[name], place, look)
            else:
                yield DataChange(place, "removed", _short(before[name]), None)
        for name in after:
            if name not in before:
                yield DataChange(f"{pointer}/{escaped_part(name)}", "added", None, _short(after[name]))
    elif isinstance(before, list) and isinstance(after, list):
        for number, (one, other) in enumerate(zip(before, after, strict=False)):
            yield from _changes(one, other, f"{pointer}/{number}", look)
        for number in range(len(after), len(before)):
            yield DataChange(f"{pointer}/{number}", "removed", _short(before[number]), None)
        for number in range(len(before), len(after)):
            yield DataChange(f"{pointer}/{number}", "added", None, _short(after[number]))
    elif before != after or isinstance(before, bool) is not isinstance(after, bool):
        yield DataChange(pointer, "changed", _short(before), _short(after))


def escaped_part(name: str) -> str:
    """Return a name as a part of a JSON Pointer. Source: RFC 6901."""
    return name.replace("~", "~0").replace("/", "~1")


def _short(value: Any) -> JsonValue:
    cell = json_cell(value)
    words = as_cell(cell)
    return cell if len(words) <= _SHOWN_CHARS else words[: _SHOWN_CHARS - 1] + "…"
