"""Data: query, convert, check, compare, profile and edit it."""

from __future__ import annotations

from tools.catalog.data_compare import ComparingData
from tools.catalog.data_documents import DataDocuments
from tools.catalog.data_files import TableFiles
from tools.catalog.data_json import StructuredData
from tools.catalog.data_profile import TableProfiles
from tools.catalog.data_tables import Tables
from tools.declare import toolkit


@toolkit("Data", category="data", description="Query, convert, compare and check JSON, YAML, TOML, XML and tables.")
class Data(StructuredData, DataDocuments, Tables, TableProfiles, TableFiles, ComparingData):
    """Query, convert, compare and check JSON, YAML, TOML, XML and tables."""
