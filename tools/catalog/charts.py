"""Charts of tables and query results as PNG pictures."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field, JsonValue

from tools.catalog._bounds import MAX_ENTRIES, counted, stop_if_cancelled
from tools.catalog._dry_runs import telling_failures
from tools.catalog._extras import optional
from tools.catalog._outputs import CreateFolders, Overwrite, made_file, target_told
from tools.catalog._paths import shown
from tools.catalog._tables import as_cell, as_number, held_rows, opened_table, places_of
from tools.catalog.files_results import MadeFile
from tools.catalog.files_write import overwrite_concerns
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.errors import ToolFailure
from tools.spec import Concern, DryRun, Latency, Param, PathRole, ToolExample

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_POINTS: Final = 200_000
_MOST_BARS: Final = 200
_MOST_SERIES: Final = 30
_MOST_CELLS: Final = 250_000
_DOTS_AN_INCH: Final = 100
_SHOWN_LABEL_CHARS: Final = 40
_CROWDED_LABELS: Final = 12


class ChartKind(StrEnum):
    """How values are drawn."""

    LINE = "line"
    BAR = "bar"
    SCATTER = "scatter"
    HISTOGRAM = "histogram"
    BOX = "box"
    HEAT_MAP = "heat_map"


@dataclass(frozen=True, slots=True)
class DrawnChart:
    """A chart that was drawn; the picture itself is attached."""

    name: Annotated[str, Field(description="The name of the attached picture.")]
    points: Annotated[int, Field(description="How many values it shows.")]
    skipped: Annotated[int, Field(description="How many rows were left out, because a value is missing or no number.")]
    width_px: Annotated[int, Field(description="Its width in pixels.")]
    height_px: Annotated[int, Field(description="Its height in pixels.")]
    file: Annotated[MadeFile | None, Field(description="The file it was saved in; null when it was not.")]


@dataclass
class _Data:
    """What is drawn.

    Attributes:
        x: The values along the chart; None for histograms and boxes.
        series: The values up the chart, by the name of their column.
        skipped: How many rows were left out.
    """

    x: list[Any] | None
    series: dict[str, list[float]]
    skipped: int


def _chart_concerns(arguments: Mapping[str, Any], project_dir: Path) -> Iterator[Concern]:
    if arguments["target"] is None:
        return
    replaces = list(overwrite_concerns(arguments, project_dir))
    yield from replaces or [Concern("changes", "Writes a file", shown(project_dir / arguments["target"], project_dir))]


@telling_failures
def _chart_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say where the picture would be saved."""
    if arguments["target"] is None:
        return DryRun("Draw a picture. No file is written.")
    return target_told(arguments, project_dir)


@toolkit("Charts", category="charts", description="Draw charts of tables and query results.")
class Charts:
    """Draw charts of tables and query results."""

    @tool(
        extra="charts",
        keywords=("plot", "graph", "png", "histogram", "scatter", "line", "bar", "heat map", "visualize"),
        latency=Latency.MEDIUM,
        read_only=False,
        open_world=False,
        timeout_s=120,
        concerns=_chart_concerns,
        dry_run=_chart_dry_run,
        examples=(
            ToolExample(
                input={"kind": "bar", "path": "data/orders.csv", "x": "id", "y": ["total"], "title": "Totals"},
                description="Bars from a CSV file",
            ),
            ToolExample(
                input={"kind": "line", "rows": [{"day": 1, "ms": 4.5}, {"day": 2, "ms": 3}], "x": "day", "y": ["ms"]},
                description="A line from rows, such as those of a query",
            ),
        ),
    )
    def draw_chart(
        self,
        kind: Annotated[ChartKind, Param("How values are drawn")],
        y: Annotated[
            list[str],
            Param(
                "The columns of values; for a heat map the column whose values stand up the side and that of the heat"
            ),
            Field(min_length=1, max_length=_MOST_SERIES),
        ],
        *,
        x: Annotated[str | None, Param("The column along the chart; not for histograms and boxes")] = None,
        path: Annotated[
            Path | None, Param("A CSV, TSV, JSON, JSONL, Parquet or XLSX file; or pass rows"), PathRole()
        ] = None,
        rows: Annotated[
            list[dict[str, JsonValue]] | None,
            Param("The rows, as query tools return them"),
            Field(max_length=MAX_ENTRIES),
        ] = None,
        title: Annotated[str, Param("Its title"), Field(max_length=200)] = "",
        x_label: Annotated[
            str | None, Param("Words along the chart; none takes the column"), Field(max_length=200)
        ] = None,
        y_label: Annotated[str | None, Param("Words up the side; none takes the column"), Field(max_length=200)] = None,
        stacked: Annotated[bool, Param("Put bars on top of each other")] = False,
        log_scale: Annotated[bool, Param("Grow by powers of ten up the side")] = False,
        bins: Annotated[int, Param("Bars of a histogram"), Field(ge=1, le=500)] = 30,
        width_px: Annotated[int, Param("Its width", unit="px"), Field(ge=200, le=4000)] = 900,
        height_px: Annotated[int, Param("Its height", unit="px"), Field(ge=150, le=4000)] = 550,
        target: Annotated[
            Path | None, Param("Save the PNG here as well, which asks first"), PathRole(writes=True)
        ] = None,
        overwrite: Overwrite = False,
        create_folders: CreateFolders = False,
        ctx: ToolContext,
    ) -> DrawnChart:
        """Draw a line, bar, scatter, histogram, box or heat map chart of a table, as a PNG picture."""
        needed = kind not in {ChartKind.HISTOGRAM, ChartKind.BOX}
        if needed and x is None:
            raise ToolFailure(f"expected x, the column along a {kind} chart; got none")
        columns, found = _rows(path, rows, ctx)
        if kind is ChartKind.HEAT_MAP:
            _need_two(y)
        data = _data(columns, found, x if needed else None, y, heat=kind is ChartKind.HEAT_MAP)
        stop_if_cancelled(ctx)
        optional("matplotlib", "charts")
        figure_module = optional("matplotlib.figure", "charts")
        # A figure of its own, unlike those of pyplot, belongs to no other thread and needs no screen.
        size = (width_px / _DOTS_AN_INCH, height_px / _DOTS_AN_INCH)
        figure = figure_module.Figure(figsize=size, dpi=_DOTS_AN_INCH, layout="constrained")
        axes = figure.add_subplot()
        _DRAWERS[kind](axes, data, {"stacked": stacked, "bins": bins, "names": y, "figure": figure})
        if log_scale and kind is not ChartKind.HEAT_MAP:
            axes.set_yscale("log")
        # A dollar sign would begin a formula, which may be wrong.
        axes.set_title(_plain(title))
        axes.set_xlabel(_plain(x_label if x_label is not None else (x or "") if needed else ""))
        axes.set_ylabel(
            _plain(y_label if y_label is not None else y[0] if len(y) == 1 or kind is ChartKind.HEAT_MAP else "")
        )
        content = _picture(figure)
        stop_if_cancelled(ctx)
        name = target.name if target is not None else "chart.png"
        made = None
        if target is not None:
            made = made_file(target, content, ctx, overwrite=overwrite, create_folders=create_folders)
        ctx.attach(content, "image/png", name)
        points = sum(map(len, data.series.values()))
        return DrawnChart(name, points, data.skipped, width_px, height_px, made)


def _need_two(y: list[str]) -> None:
    if len(y) != 2:  # noqa: PLR2004 -- up the side and heat
        raise ToolFailure(f"expected two columns in y for a heat map (up the side, heat), got {len(y)}")


def _rows(path: Path | None, rows: list[dict[str, Any]] | None, ctx: ToolContext) -> tuple[list[str], list[Any]]:
    if (path is None) == (rows is None):
        raise ToolFailure(f"expected path or rows, got {'neither' if path is None else 'both'}")
    if path is not None:
        with opened_table(path, ctx) as table:
            return table.columns, held_rows(table, shown(path, ctx.project_dir), ctx)
    columns = list(dict.fromkeys(name for row in rows or () for name in row))
    return columns, [tuple(row.get(name) for name in columns) for row in rows or ()]


def _data(columns: list[str], rows: list[Any], x: str | None, y: list[str], *, heat: bool) -> _Data:
    places = places_of(y, columns, "the table")
    along = places_of([x], columns, "the table")[0] if x is not None else None
    if len(rows) * len(y) > _MOST_POINTS:
        most = counted(_MOST_POINTS, "value")
        raise ToolFailure(f"the chart would show {len(rows) * len(y):,} values; at most {most}: group or sample them")
    xs: list[Any] = []
    series: dict[str, list[Any]] = {name: [] for name in y}
    skipped = 0
    for row in rows:
        numbers = (
            [row[places[0]], *map(_finite, [row[places[1]]])] if heat else [_finite(row[place]) for place in places]
        )
        lacks = row[along] is None if along is not None else False
        if lacks or any(number is None for number in numbers):
            skipped += 1
            continue
        if along is not None:
            xs.append(_along(row[along]))
        for name, number in zip(y, numbers, strict=True):
            series[name].append(number)
    if not any(series.values()):
        raise ToolFailure(f"no row has numbers in {', '.join(y)}{f' and a value in {x}' if x else ''}")
    return _Data(xs if along is not None else None, series, skipped)


def _finite(value: Any) -> float | None:
    number = as_number(value)
    return number if number is not None and math.isfinite(number) else None


def _along(value: Any) -> Any:
    """Return a place along the chart: a number, a time, or words."""
    number = _finite(value)
    if number is not None:
        return number
    if isinstance(value, datetime | date):
        return value
    text = as_cell(value)
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return text


def _alike(values: list[Any]) -> list[Any]:
    """Return the values as they are when they are of one kind, else as words."""
    kinds = {type(value) for value in values}
    if len(kinds) <= 1 or kinds <= {float, int}:
        return [_label(value) if isinstance(value, str) else value for value in values]
    return [_label(value) for value in values]


def _label(value: Any) -> str:
    number = _finite(value)
    text = f"{number:g}" if number is not None else as_cell(value)
    short = text if len(text) <= _SHOWN_LABEL_CHARS else text[: _SHOWN_LABEL_CHARS - 1] + "…"
    return _plain(short)


def _plain(text: str) -> str:
    return text.replace("$", r"\$")


def _draw_line(axes: Axes, data: _Data, _options: dict[str, Any]) -> None:
    x = _alike(data.x or [])
    order = sorted(range(len(x)), key=x.__getitem__) if x and not isinstance(x[0], str) else range(len(x))
    for name, values in data.series.items():
        axes.plot([x[place] for place in order], [values[place] for place in order], label=_plain(name))
    _finish(axes, data, x)


def _draw_scatter(axes: Axes, data: _Data, _options: dict[str, Any]) -> None:
    x = _alike(data.x or [])
    for name, values in data.series.items():
        axes.scatter(x, values, s=14, alpha=0.7, label=_plain(name))
    _finish(axes, data, x)


def _draw_bar(axes: Axes, data: _Data, options: dict[str, Any]) -> None:
    labels = [_label(value) for value in data.x or []]
    if len(labels) > _MOST_BARS:
        raise ToolFailure(
            f"the chart would have {len(labels):,} bars; at most {_MOST_BARS}: group them, or draw a line"
        )
    places = list(range(len(labels)))
    width = 0.8 if options["stacked"] else 0.8 / len(data.series)
    below = [0.0] * len(labels)
    for number, (name, values) in enumerate(data.series.items()):
        if options["stacked"]:
            axes.bar(places, values, width, bottom=below, label=_plain(name))
            below = [one + other for one, other in zip(below, values, strict=True)]
        else:
            shift = (number - (len(data.series) - 1) / 2) * width
            axes.bar([place + shift for place in places], values, width, label=_plain(name))
    axes.set_xticks(places, labels)
    _finish(axes, data, labels)


def _draw_histogram(axes: Axes, data: _Data, options: dict[str, Any]) -> None:
    for name, values in data.series.items():
        axes.hist(values, bins=options["bins"], alpha=0.7 if len(data.series) > 1 else 1.0, label=_plain(name))
    _finish(axes, data, [])


def _draw_box(axes: Axes, data: _Data, _options: dict[str, Any]) -> None:
    axes.boxplot(list(data.series.values()), tick_labels=[_label(name) for name in data.series])
    axes.grid(visible=True, axis="y", alpha=0.3)


def _draw_heat_map(axes: Axes, data: _Data, options: dict[str, Any]) -> None:
    side, heat = options["names"]
    across = list(dict.fromkeys(_label(value) for value in data.x or []))
    up = list(dict.fromkeys(_label(value) for value in data.series[side]))
    if len(across) * len(up) > _MOST_CELLS:
        raise ToolFailure(f"the heat map would have {len(across) * len(up):,} cells; at most {_MOST_CELLS:,}")
    cells = [[math.nan] * len(across) for _ in up]
    for along, height, value in zip(data.x or [], data.series[side], data.series[heat], strict=True):
        cells[up.index(_label(height))][across.index(_label(along))] = value
    image = axes.imshow(cells, aspect="auto", origin="lower")
    options["figure"].colorbar(image, label=_plain(heat))
    axes.set_xticks(range(len(across)), across)
    axes.set_yticks(range(len(up)), up)
    _turn(axes, across)


def _finish(axes: Axes, data: _Data, labels: list[Any]) -> None:
    axes.grid(visible=True, alpha=0.3)
    if len(data.series) > 1:
        axes.legend()
    if labels and isinstance(labels[0], str | datetime | date):
        _turn(axes, labels)


def _turn(axes: Axes, labels: list[Any]) -> None:
    """Turn labels that would stand on each other, and leave most of very many out."""
    crowded = len(labels) > _CROWDED_LABELS or any(
        isinstance(item, str) and len(item) > _CROWDED_LABELS for item in labels
    )
    if crowded:
        axes.tick_params(axis="x", labelrotation=60)
    if len(labels) > 4 * _CROWDED_LABELS and isinstance(labels[0], str):
        step = len(labels) // (2 * _CROWDED_LABELS)
        axes.set_xticks(range(0, len(labels), step), labels[::step])


_DRAWERS: Final[dict[ChartKind, Callable[[Any, _Data, dict[str, Any]], None]]] = {
    ChartKind.LINE: _draw_line,
    ChartKind.BAR: _draw_bar,
    ChartKind.SCATTER: _draw_scatter,
    ChartKind.HISTOGRAM: _draw_histogram,
    ChartKind.BOX: _draw_box,
    ChartKind.HEAT_MAP: _draw_heat_map,
}


def _picture(figure: Any) -> bytes:
    stream = io.BytesIO()
    try:
        figure.savefig(stream, format="png")
    except (ValueError, OverflowError, MemoryError) as error:
        raise ToolFailure(f"the chart cannot be drawn: {str(error).split(chr(10), 1)[0]}") from error
    return stream.getvalue()
