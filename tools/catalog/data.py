"""Data: query, convert, check, read and profile it."""

from __future__ import annotations

from tools.catalog.data_json import StructuredData
from tools.catalog.data_sqlite import SqliteDatabases
from tools.catalog.data_tables import Tables
from tools.declare import toolkit


@toolkit("Data", category="data", description="Query, convert and check JSON, YAML, TOML, CSV and SQLite.")
class Data(StructuredData, Tables, SqliteDatabases):
    """Query, convert and check JSON, YAML, TOML, CSV and SQLite."""
