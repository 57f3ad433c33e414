"""Tables, columns, keys and indexes, asked of each kind of database in its own words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import Field

from tools.catalog._database import DatabaseKind, DatabaseSession
from tools.errors import ToolFailure

SchemaName = Annotated[str | None, Field(description="The schema it lies in; null for SQLite, which has none.")]


@dataclass(frozen=True, slots=True)
class TableInfo:
    """One table or view."""

    schema: SchemaName
    name: Annotated[str, Field(description="Its name.")]
    kind: Annotated[str, Field(description="table or view.")]
    estimated_rows: Annotated[int | None, Field(description="About how many rows; null when nobody has counted.")]
    comment: Annotated[str | None, Field(description="What its makers wrote about it.")]


@dataclass(frozen=True, slots=True)
class ColumnInfo:
    """One column of a table."""

    name: Annotated[str, Field(description="Its name.")]
    type: Annotated[str, Field(description="Its type, as the database names it.")]
    nullable: Annotated[bool, Field(description="Whether it may be null.")]
    default: Annotated[str | None, Field(description="The default, as an expression; null when there is none.")]
    comment: Annotated[str | None, Field(description="What its makers wrote about it.")]


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """Columns that hold keys of another table."""

    columns: Annotated[list[str], Field(description="The columns.")]
    table: Annotated[str, Field(description="The table that they refer to.")]
    table_columns: Annotated[list[str], Field(description="Its columns, in the same order; empty for its key.")]


@dataclass(frozen=True, slots=True)
class IndexInfo:
    """One index of a table."""

    name: Annotated[str, Field(description="Its name.")]
    columns: Annotated[list[str], Field(description="Its columns or expressions, in order.")]
    unique: Annotated[bool, Field(description="Whether no two rows may be equal there.")]


@dataclass(frozen=True, slots=True)
class TableDescription:
    """How a table is built."""

    schema: SchemaName
    name: Annotated[str, Field(description="Its name.")]
    kind: Annotated[str, Field(description="table or view.")]
    columns: Annotated[list[ColumnInfo], Field(description="Its columns, in order.")]
    primary_key: Annotated[list[str], Field(description="The columns of its primary key.")]
    foreign_keys: Annotated[list[ForeignKey], Field(description="Where it refers to other tables.")]
    indexes: Annotated[list[IndexInfo], Field(description="Its indexes.")]
    estimated_rows: Annotated[int | None, Field(description="About how many rows; null when nobody has counted.")]
    comment: Annotated[str | None, Field(description="What its makers wrote about it.")]


# Each gives schema, name, kind, estimated rows, comment.
_TABLES: Final = {
    DatabaseKind.SQLITE: """
        SELECT NULL, name, type, NULL, NULL FROM sqlite_master
        WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name""",
    DatabaseKind.DUCKDB: """
        SELECT schema_name, table_name, 'table', estimated_size, comment FROM duckdb_tables() WHERE NOT internal
        UNION ALL SELECT schema_name, view_name, 'view', NULL, comment FROM duckdb_views() WHERE NOT internal
        ORDER BY 1, 2""",
    DatabaseKind.POSTGRESQL: """
        SELECT n.nspname, c.relname, CASE WHEN c.relkind IN ('v', 'm') THEN 'view' ELSE 'table' END,
               CASE WHEN c.reltuples >= 0 THEN c.reltuples::bigint END, obj_description(c.oid, 'pg_class')
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
        ORDER BY 1, 2""",
    DatabaseKind.MYSQL: """
        SELECT table_schema, table_name, CASE table_type WHEN 'BASE TABLE' THEN 'table' ELSE 'view' END, table_rows,
               CASE table_type WHEN 'BASE TABLE' THEN NULLIF(table_comment, '') END
        FROM information_schema.tables
        WHERE table_schema NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')
          AND (DATABASE() IS NULL OR table_schema = DATABASE())
        ORDER BY 1, 2""",
}

# Each gives name, type, nullable, default, comment, place in the primary key or NULL.
_COLUMNS: Final = {
    DatabaseKind.SQLITE: """
        SELECT name, type, NOT "notnull", dflt_value, NULL, NULLIF(pk, 0)
        FROM (SELECT ? AS asked_schema, ? AS asked_table), pragma_table_xinfo(asked_table)
        WHERE hidden <> 1 AND asked_schema IS NULL ORDER BY cid""",
    DatabaseKind.DUCKDB: """
        SELECT c.column_name, c.data_type, c.is_nullable, c.column_default, c.comment,
               (SELECT list_position(k.constraint_column_names, c.column_name) FROM duckdb_constraints() k
                WHERE k.constraint_type = 'PRIMARY KEY' AND k.table_oid = c.table_oid)
        FROM duckdb_columns() c WHERE c.schema_name = ?1 AND c.table_name = ?2 ORDER BY c.column_index""",
    DatabaseKind.POSTGRESQL: """
        SELECT a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, pg_get_expr(d.adbin, d.adrelid),
               col_description(a.attrelid, a.attnum),
               (SELECT array_position(i.indkey::int2[], a.attnum) + 1 FROM pg_catalog.pg_index i
                WHERE i.indrelid = a.attrelid AND i.indisprimary)
        FROM pg_catalog.pg_attribute a
        JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum""",
    DatabaseKind.MYSQL: """
        SELECT c.column_name, c.column_type, c.is_nullable = 'YES', c.column_default, NULLIF(c.column_comment, ''),
               k.ordinal_position
        FROM information_schema.columns c
        LEFT JOIN information_schema.key_column_usage k ON k.constraint_name = 'PRIMARY'
         AND k.table_schema = c.table_schema AND k.table_name = c.table_name AND k.column_name = c.column_name
        WHERE c.table_schema = %s AND c.table_name = %s ORDER BY c.ordinal_position""",
}

# Each gives a name of the key, its column, the other table, its column or NULL; in order.
_FOREIGN_KEYS: Final = {
    DatabaseKind.SQLITE: """
        SELECT id, "from", "table", "to"
        FROM (SELECT ? AS asked_schema, ? AS asked_table), pragma_foreign_key_list(asked_table)
        WHERE asked_schema IS NULL ORDER BY id, seq""",
    DatabaseKind.DUCKDB: """
        SELECT constraint_index, unnest(constraint_column_names), referenced_table, unnest(referenced_column_names)
        FROM duckdb_constraints()
        WHERE constraint_type = 'FOREIGN KEY' AND schema_name = ?1 AND table_name = ?2 ORDER BY 1""",
    DatabaseKind.POSTGRESQL: """
        SELECT k.conname, a.attname, k.confrelid::regclass::text, f.attname
        FROM pg_catalog.pg_constraint k
        JOIN pg_catalog.pg_class c ON c.oid = k.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS u(here, there, place)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.here
        JOIN pg_catalog.pg_attribute f ON f.attrelid = k.confrelid AND f.attnum = u.there
        WHERE k.contype = 'f' AND n.nspname = $1 AND c.relname = $2 ORDER BY k.conname, u.place""",
    DatabaseKind.MYSQL: """
        SELECT constraint_name, column_name, referenced_table_name, referenced_column_name
        FROM information_schema.key_column_usage
        WHERE referenced_table_name IS NOT NULL AND table_schema = %s AND table_name = %s
        ORDER BY constraint_name, ordinal_position""",
}

# Each gives the index, its column, whether it is unique; in order.
_INDEXES: Final = {
    DatabaseKind.SQLITE: """
        SELECT l.name, COALESCE(i.name, 'expression'), l."unique"
        FROM (SELECT ? AS asked_schema, ? AS asked_table), pragma_index_list(asked_table) l, pragma_index_info(l.name) i
        WHERE asked_schema IS NULL ORDER BY l.name, i.seqno""",
    DatabaseKind.DUCKDB: """
        SELECT index_name, expressions, is_unique FROM duckdb_indexes()
        WHERE schema_name = ?1 AND table_name = ?2 ORDER BY 1""",
    DatabaseKind.POSTGRESQL: """
        SELECT x.relname, pg_get_indexdef(i.indexrelid, u.place::int, true), i.indisunique
        FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
        JOIN pg_catalog.pg_class c ON c.oid = i.indrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        CROSS JOIN LATERAL generate_series(1, i.indnkeyatts) AS u(place)
        WHERE n.nspname = $1 AND c.relname = $2 ORDER BY x.relname, u.place""",
    DatabaseKind.MYSQL: """
        SELECT index_name, column_name, non_unique = 0 FROM information_schema.statistics
        WHERE table_schema = %s AND table_name = %s ORDER BY index_name, seq_in_index""",
}


def tables_of(session: DatabaseSession) -> Iterator[TableInfo]:
    """Yield the tables and views of a database, those of the system left out."""
    for schema, name, kind, rows, comment in session.query(_TABLES[session.kind], []).rows:
        yield TableInfo(schema, name, kind, None if rows is None else int(rows), comment or None)


def description_of(session: DatabaseSession, table: str, schema: str | None, place: str) -> TableDescription:
    """Return how a table is built.

    Args:
        table: Its name; `schema.table` where no schema is given.
        schema: The schema; None takes the one that has such a table.
        place: What the database is called in messages.

    Raises:
        ToolFailure: There is no such table, or there are several.
    """
    info = _found(list(tables_of(session)), table, schema, place)
    key: list[Any] = [info.schema, info.name]
    rows = list(session.query(_COLUMNS[session.kind], key).rows)
    primary = sorted((row[5], row[0]) for row in rows if row[5])
    return TableDescription(
        schema=info.schema,
        name=info.name,
        kind=info.kind,
        columns=[ColumnInfo(row[0], row[1], bool(row[2]), _text(row[3]), row[4] or None) for row in rows],
        primary_key=[name for _, name in primary],
        foreign_keys=_foreign_keys(session, key),
        indexes=_indexes(session, key),
        estimated_rows=info.estimated_rows,
        comment=info.comment,
    )


def _found(tables: list[TableInfo], table: str, schema: str | None, place: str) -> TableInfo:
    if schema is None and "." in table and not any(item.name == table for item in tables):
        schema, _, table = table.partition(".")
    found = [item for item in tables if item.name == table and schema in {None, item.schema}]
    found = found or [item for item in tables if item.name.lower() == table.lower() and schema in {None, item.schema}]
    if len(found) == 1:
        return found[0]
    if found:
        schemas = ", ".join(str(item.schema) for item in found)
        raise ToolFailure(f"several schemas have a table {table!r}: {schemas}; say which in schema_name")
    names = ", ".join(item.name for item in tables[:_NAMED_TABLES]) or "none at all"
    raise ToolFailure(f"there is no table {table!r} in {place}; the tables are: {names}")


_NAMED_TABLES: Final = 20


def _foreign_keys(session: DatabaseSession, key: list[Any]) -> list[ForeignKey]:
    found: dict[Any, ForeignKey] = {}
    for name, column, table, other in session.query(_FOREIGN_KEYS[session.kind], key).rows:
        one = found.setdefault(name, ForeignKey([], table, []))
        one.columns.append(column)
        if other is not None:
            one.table_columns.append(other)
    return list(found.values())


def _indexes(session: DatabaseSession, key: list[Any]) -> list[IndexInfo]:
    found: dict[str, IndexInfo] = {}
    for name, column, unique in session.query(_INDEXES[session.kind], key).rows:
        one = found.setdefault(name, IndexInfo(name, [], bool(unique)))
        one.columns.extend(_expressions(column))
    return list(found.values())


def _expressions(text: Any) -> list[str]:
    """Return the columns of an index; DuckDB gives them as one text, such as `[a, b]`."""
    words = str(text)
    if not (words.startswith("[") and words.endswith("]")):
        return [words]
    return [word.strip().strip("'\"") for word in words[1:-1].split(",")]


def _text(value: Any) -> str | None:
    return None if value is None else value if isinstance(value, str) else json.dumps(value, default=str)
