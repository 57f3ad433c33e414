from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.tools.audit.logs import draft, ledger_in, lines_in, written
from tools.audit import MASKABLE, Exported, export, verify_export
from tools.audit.entries import EntryDraft
from tools.errors import AuditError


def at(second: int) -> datetime:
    return datetime(2026, 11, 22, 0, 0, second, tzinfo=UTC)


def exported(folder: Path, **options: Any) -> tuple[Exported, list[dict[str, Any]]]:
    """Export, check what came, and return its entries without the ending."""
    target = folder.parent / "export.jsonl"
    with target.open("w", encoding="utf-8") as file:
        done = export(folder, file.write, **options)
    documents = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    if documents:
        assert verify_export(target).intact
        assert documents.pop() == {"export": {"first": done.first, "last": done.last, "hash": done.hash}}
    return done, documents


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path / "audit", 9, segment_bytes=1500)


def test_everything_is_exported_and_nothing_twice(folder: Path) -> None:
    done, documents = exported(folder)
    assert (done.first, done.last, done.shown, done.left_out) == (1, 9, 9, 0)
    assert [document["values"]["arguments"]["number"] for document in documents] == list(range(1, 10))
    assert [json.loads(line) for line in lines_in(folder)] == documents


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        ({"since": at(4)}, range(4, 10)),
        ({"until": at(4)}, range(1, 4)),
        ({"since": at(3), "until": at(6)}, range(3, 6)),
        ({"since": at(30)}, ()),
    ],
)
def test_a_span_of_time_is_a_piece_of_the_chain(folder: Path, options: dict[str, Any], numbers: Any) -> None:
    done, documents = exported(folder, **options)
    assert [document["seq"] for document in documents] == list(numbers)
    assert done.shown == len(numbers)


def test_other_tools_entries_hold_their_place_and_say_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "audit"
    second = draft(2)
    assert isinstance(second.facts, dict)
    other = EntryDraft({**second.facts, "tool": "other"}, second.values, {})
    ledger_in(folder).append([draft(1), other, draft(3)])
    done, documents = exported(folder, tools=["other"])
    assert (done.shown, done.left_out) == (1, 2)
    assert [isinstance(document["body"], dict) for document in documents] == [False, True, False]
    assert "values" not in documents[0]


def test_a_masked_result_takes_its_digest_with_it(tmp_path: Path) -> None:
    folder = tmp_path / "audit"
    ledger_in(folder).append([draft(1, result="secret", result_digest="ab12", error="shown")])
    _, (document,) = exported(folder, mask=["result"])
    assert document["values"].keys() == {"arguments", "error"}
    assert document["withheld"].keys() == {"result", "result_digest"}


def test_an_unknown_field_is_refused_before_anything_is_written(folder: Path) -> None:
    lines: list[str] = []
    with pytest.raises(AuditError, match="cannot mask tool, words of wisdom; expected some of answer, arguments"):
        export(folder, lines.append, mask=["tool", "words of wisdom", *MASKABLE])
    assert lines == []


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(AuditError, match="cannot be read"):
        export(tmp_path / "nowhere", lambda line: None)


def test_a_line_that_is_still_written_is_left_out(folder: Path) -> None:
    with (folder / max(path.name for path in folder.glob("audit-*"))).open("ab") as file:
        file.write(b'{"seq":10,"pr')
    assert exported(folder)[0].last == 9
