"""Self-contained JSON Schema documents of types: every title a qualified name, nothing left to look up.

Source: seed 4, "Schema generation".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import JsonValue

from tools.schema.cores import core_of
from tools.schema.writer import written

if TYPE_CHECKING:
    from tools.spec import Dialect


def for_type(tp: Any, *, dialect: Dialect = "2020-12", mode: Literal["validation", "serialization"] = "validation") -> dict[str, Any]:
    """Describe a type."""
    del dialect
    return written(core_of(tp, owner="the type").schema, mode)
