"""Databases: look at, query, export and change them."""

from __future__ import annotations

from tools.catalog.databases_change import ChangingDatabases
from tools.catalog.databases_export import ExportingDatabases
from tools.catalog.databases_read import ReadingDatabases
from tools.declare import toolkit


@toolkit(
    "Databases",
    category="databases",
    description="Query SQLite, DuckDB, PostgreSQL, MySQL and MariaDB.",
    needs=("SQLite", "DuckDB", "PostgreSQL", "MariaDB"),
)
class Databases(ReadingDatabases, ChangingDatabases, ExportingDatabases):
    """Query SQLite, DuckDB, PostgreSQL, MySQL and MariaDB."""
