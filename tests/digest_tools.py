"""Tools of a nightly digest, slow enough to be watched, for tests and pictures of batches."""

import csv
import json
import time
from pathlib import Path
from typing import Any

from tools import ToolContext, ToolFailure, tool

PACE_S = 0.05


@tool(read_only=True, idempotent=True, isolation="thread")
def load_table(path: str, project_dir: Path) -> dict[str, Any]:
    """Read the rows of a table."""
    with (project_dir / path).open(encoding="utf-8", newline="") as file:
        return {"rows": list(csv.DictReader(file))}


@tool(read_only=True, idempotent=True, isolation="thread")
def group_rows(rows: list[dict[str, str]], by: str) -> dict[str, Any]:
    """Group rows by a column."""
    groups: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        groups.setdefault(row.get(by, ""), []).append(row)
    return {"groups": [{"name": name, "count": len(found)} for name, found in sorted(groups.items())]}


@tool(read_only=True, idempotent=True, isolation="thread")
def summarise(rows: list[dict[str, str]], priority: str, pace: float, ctx: ToolContext) -> dict[str, Any]:
    """Write a sentence about each row of a priority."""
    found = [row for row in rows if row["priority"] == priority] or rows
    sentences = []
    for number, row in enumerate(found * 4, 1):
        time.sleep(pace * PACE_S)
        ctx.progress(number, len(found) * 4, f"ticket {number}")
        sentences.append(f"{row['ticket_id']}: {row['lane']}")
    return {"sentences": sentences}


@tool(read_only=True, idempotent=True, isolation="thread")
def profile_rows(rows: list[dict[str, str]]) -> dict[str, Any]:
    """Tell the columns of rows."""
    return {"columns": sorted({name for row in rows for name in row})}


@tool(read_only=True, idempotent=True, isolation="thread")
def chart(columns: list[str], column: str) -> str:
    """Draw a column."""
    if column not in columns:
        raise ToolFailure(f"there is no column {column!r}; the closest name is {columns[0]!r}")
    return f"a chart of {column}"


@tool(read_only=True, idempotent=True, isolation="thread")
def compose(parts: list[list[str]]) -> str:
    """Put sentences together."""
    return "\n".join(sentence for part in parts for sentence in part)


@tool(read_only=True, idempotent=True, isolation="thread")
def check_links(text: str) -> dict[str, Any]:
    """Look at the links of a text."""
    return {"links": [word for word in text.split() if word.startswith("http")]}


@tool(destructive=True, idempotent=False, isolation="thread")
def post_draft(text: str, chart: str, project_dir: Path) -> str:
    """Publish a text."""
    target = project_dir / "exports" / "draft.json"
    target.write_text(json.dumps({"text": text, "chart": chart}), "utf-8")
    return "posted"


@tool(read_only=True, idempotent=True, isolation="thread")
def archive(name: str) -> str:
    """Put a digest away."""
    return f"{name} is archived"
