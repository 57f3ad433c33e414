"""Read what people paste into an object with free names: JSON, or one name with its value a line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from console.schema_form.json_text import parse_value
from console.schema_form.kinds import FieldKind
from console.schema_form.pasted_items import value_of_text

_LINE: Final = re.compile(r"(?:export\s+)?([^\t:=]+?)\s*[\t:=]\s*(.*)")


def pasted_entries(text: str, kind: FieldKind) -> dict[str, Any]:
    """Read names with their values: a JSON object, or lines such as `name: value`, `NAME=value` or cells of a table.

    Args:
        text: What is pasted.
        kind: The kind of field a value has.

    Returns:
        The values by name; nothing when a line is none of this.
    """
    stripped = text.strip()
    if stripped.startswith("{"):
        value, problem = parse_value(stripped)
        return dict(value) if problem is None and isinstance(value, Mapping) else {}
    lines = [_LINE.fullmatch(line.strip()) for line in stripped.splitlines() if line.strip()]
    return {
        match[1].strip(): value_of_text(match[2].strip(), kind) for match in lines if match is not None and all(lines)
    }
