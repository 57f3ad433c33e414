"""Make audit logs in tests, and read them without the code that checks them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.audit.entries import EntryDraft, make_lines
from tools.audit.ledger import ChainWriter, Recovery

KEY = b"k" * 32


def recovery_draft(recovery: Recovery) -> EntryDraft:
    """Tell of a recovery in an entry, as the log does."""
    return EntryDraft({"kind": "recovered", **recovery._asdict()}, {}, {})


def ledger_in(folder: Path, **options: Any) -> ChainWriter:
    """Return a ledger without key, or as `options` say."""
    return ChainWriter(folder, **{"key": None, "recovered": recovery_draft, **options})


def draft(number: int, **values: Any) -> EntryDraft:
    """Return what a made-up entry says."""
    facts: dict[str, Any] = {"time": f"2026-11-22T00:00:{number % 60:02}.000000Z", "kind": "proposed", "tool": "add"}
    return EntryDraft(facts, {"arguments": {"number": number}} | values, {})


def written(folder: Path, entries: int = 6, *, batch: int = 2, **options: Any) -> Path:
    """Write a log of some entries, a few at a time."""
    ledger = ledger_in(folder, **options)
    drafts = [draft(number) for number in range(1, entries + 1)]
    for start in range(0, entries, batch):
        ledger.append(drafts[start : start + batch])
    return folder


def files_of(folder: Path) -> list[Path]:
    """Return the segments, oldest first."""
    return sorted(folder.glob("audit-*.jsonl"))


def lines_in(folder: Path) -> list[bytes]:
    """Return all lines, with their ends."""
    return [line for path in files_of(folder) for line in path.read_bytes().splitlines(keepends=True)]


def documents_in(folder: Path) -> list[dict[str, Any]]:
    """Return all entries as JSON."""
    return [json.loads(line) for line in lines_in(folder)]


def bodies_in(folder: Path) -> Iterator[dict[str, Any]]:
    """Return what each entry says: its facts and its values."""
    for document in documents_in(folder):
        yield {**document["body"], **document.get("values", {})}


def kinds_in(folder: Path) -> list[str]:
    """Return the kinds of all entries, in order."""
    return [body["kind"] for body in bodies_in(folder)]


def make_line(draft: EntryDraft, seq: int, prev: str, key: bytes | None = None) -> tuple[str, str]:
    (line,), own = make_lines([draft], seq, prev, key)
    return line, own
