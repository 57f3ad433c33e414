"""Data: query, convert, check, read and profile it."""

from __future__ import annotations

from tools.catalog.data_json import StructuredData
from tools.catalog.data_tables import Tables
from tools.declare import toolkit


@toolkit("Data", category="data", description="Query, convert and check JSON, YAML, TOML and CSV.")
class Data(StructuredData, Tables):
    """Query, convert and check JSON, YAML, TOML and CSV."""
