"""Query, convert and check structured data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field, JsonValue

from tools.catalog._bounds import MAX_CHARS, MAX_ENTRIES, counted, cut_text, say_cut, stop_if_cancelled
from tools.catalog._documents import document
from tools.catalog._formats import Format, format_of, json_text, parse, parse_json, write
from tools.catalog._validation import SchemaProblem
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

MAX_GIVEN_CHARS: Final = 20_000_000

GivenText = Annotated[str | None, Param("The data as text; or name a file in path"), Field(max_length=MAX_GIVEN_CHARS)]
GivenPath = Annotated[Path | None, Param("The file that holds the data; or pass text"), PathRole()]
_MIME_TYPES: Final = {
    Format.JSON: "application/json",
    Format.YAML: "application/yaml",
    Format.TOML: "application/toml",
    Format.CSV: "text/csv",
    Format.XML: "application/xml",
}


@dataclass(frozen=True, slots=True)
class QueryResult:
    """What a query found."""

    expression: Annotated[str, Field(description="The query.")]
    value: Annotated[JsonValue, Field(description="What it found; null when there is nothing.")]
    count: Annotated[int | None, Field(description="How many items were found; null when the value is no list.")]
    truncated: Annotated[bool, Field(description="Whether the list was cut at max_items.")]


@dataclass(frozen=True, slots=True)
class Converted:
    """Data in another format."""

    text: Annotated[str, Field(description="The data in the new format.")]
    source_format: Annotated[Format, Field(description="The format it was in.")]
    target_format: Annotated[Format, Field(description="The format it is in now.")]
    truncated: Annotated[bool, Field(description="Whether text was cut; the whole is attached then.")]


@dataclass(frozen=True, slots=True)
class Validity:
    """Whether data fits a schema."""

    valid: Annotated[bool, Field(description="Whether everything fits.")]
    problem_count: Annotated[int, Field(description="How many places do not fit.")]
    problems: Annotated[list[SchemaProblem], Field(description="The first of them.")]
    truncated: Annotated[bool, Field(description="Whether there are more than max_problems.")]


class StructuredData:
    """The tools for JSON, YAML, TOML and CSV."""

    @tool(
        keywords=("jmespath", "json", "select", "filter", "path"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(
                input={"expression": "people[?age > `30`].name", "text": '{"people": [{"name": "Mira", "age": 41}]}'},
                description="The names of those over thirty",
            ),
            ToolExample(input={"expression": "length(@)", "text": "[1, 2, 3]"}, description="How many items there are"),
        ),
    )
    def query_json(
        self,
        expression: Annotated[str, Param("The query, in JMESPath"), Field(min_length=1, max_length=10_000)],
        *,
        text: GivenText = None,
        path: GivenPath = None,
        max_items: Annotated[int, Param("Most items of a list returned"), Field(ge=1, le=MAX_ENTRIES)] = 1000,
        ctx: ToolContext,
    ) -> QueryResult:
        """Take a part of JSON data with a JMESPath query."""
        import jmespath  # noqa: PLC0415 -- no other tool needs it
        import jmespath.exceptions  # noqa: PLC0415 -- as above

        try:
            query = jmespath.compile(expression)
        except jmespath.exceptions.JMESPathError as error:
            raise ToolFailure(f"{expression!r} is no JMESPath query: {_first_line(error)}") from error
        source = document(text, path, ctx)
        data = parse_json(source.text, source.name, float)
        try:
            value = query.search(data)
        except (jmespath.exceptions.JMESPathError, ArithmeticError, RecursionError) as error:
            raise ToolFailure(f"the query {expression!r} fails on this data: {_first_line(error)}") from error
        count = len(value) if isinstance(value, list) else None
        truncated = count is not None and count > max_items
        if truncated:
            say_cut(ctx, f"{max_items:,} of {count:,} items are kept")
            value = value[:max_items]
        length = len(json_text(value, None))
        if length > MAX_CHARS:
            raise ToolFailure(f"the result has {length:,} characters, at most {MAX_CHARS:,} are returned; ask for less")
        return QueryResult(expression, value, count, truncated)

    @tool(
        keywords=("json", "yaml", "toml", "csv", "transform", "format"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(
                input={"target_format": "yaml", "text": '{"name": "Mira", "tags": ["a", "b"]}'},
                description="JSON to YAML",
            ),
            ToolExample(
                input={"target_format": "json", "source_format": "csv", "text": "name,age\nMira,41\n"},
                description="A table to a list of objects",
            ),
        ),
    )
    def convert_data(
        self,
        target_format: Annotated[Format, Param("The format wanted")],
        *,
        text: GivenText = None,
        path: GivenPath = None,
        source_format: Annotated[Format | None, Param("The format it is in; none goes by name or first sign")] = None,
        max_chars: Annotated[int, Param("Most characters returned"), Field(ge=1, le=MAX_CHARS)] = 200_000,
        ctx: ToolContext,
    ) -> Converted:
        """Convert data between JSON, YAML, TOML, CSV and XML. Numbers keep all their digits."""
        source = document(text, path, ctx)
        kind = source_format or format_of(source.text, source.path)
        whole = write(parse(source.text, kind, source.name, partial(stop_if_cancelled, ctx)), target_format)
        kept, truncated = cut_text(whole, max_chars, ctx)
        if truncated:
            ctx.attach(whole.encode(), _MIME_TYPES[target_format], f"converted.{target_format.value}")
        return Converted(kept, kind, target_format, truncated)

    @tool(
        keywords=("json schema", "check", "verify", "validate"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(
                input={"text": '{"age": "old"}', "schema": {"properties": {"age": {"type": "integer"}}}},
                description="A text where a number belongs",
            ),
            ToolExample(
                input={"text": '["a", "b"]', "schema": {"type": "array", "items": {"type": "string"}}},
                description="A list that fits",
            ),
        ),
    )
    def validate_json(
        self,
        *,
        text: GivenText = None,
        path: GivenPath = None,
        schema: Annotated[dict[str, JsonValue] | None, Param("The JSON Schema; or name a file in schema_path")] = None,
        schema_path: Annotated[Path | None, Param("The file that holds the schema"), PathRole()] = None,
        max_problems: Annotated[int, Param("Most problems returned"), Field(ge=1, le=1000)] = 100,
        ctx: ToolContext,
    ) -> Validity:
        """Check JSON data against a JSON Schema, and name each place that does not fit."""
        source = document(text, path, ctx)
        data = parse_json(source.text, source.name, float)
        rules: Any = schema
        if schema is None or schema_path is not None:
            given = None if schema is None else ""
            found = document(given, schema_path, ctx, text_name="schema")
            rules = parse_json(found.text, found.name, float)
        from tools.catalog._validation import problems_of  # noqa: PLC0415 -- loads what no other tool needs

        problems, count = problems_of(data, rules, max_problems, ctx)
        if count > len(problems):
            say_cut(ctx, f"{counted(len(problems), 'problem')} of {count:,} are kept")
        return Validity(count == 0, count, problems, count > len(problems))


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n", 1)[0].rstrip(": ")
