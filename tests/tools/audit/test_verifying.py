from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tools.audit.logs import KEY, documents_in, draft, files_of, ledger_in, lines_in, make_line, written
from tools.audit import AuditReport, export, read_head, verify, verify_export
from tools.audit.folder import HEAD, write_head
from tools.errors import AuditError

COUNT = 9


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a log of three segments, which no test changes."""
    folder = written(tmp_path_factory.mktemp("original") / "audit", COUNT, batch=1, segment_bytes=1200)
    assert len(files_of(folder)) == 3
    return folder


@pytest.fixture
def copy_of(tmp_path_factory: pytest.TempPathFactory, original: Path) -> Callable[[], Path]:
    """Make fresh copies of the log; one test may need hundreds."""
    place = tmp_path_factory.mktemp("copies") / "audit"

    def make() -> Path:
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(original, place)
        return place

    return make


def put(folder: Path, lines: list[bytes]) -> None:
    """Write all lines anew, as many to each segment as before; what is more goes to the last."""
    files = files_of(folder)
    for path in files:
        count = len(path.read_bytes().splitlines())
        taken, lines = (lines, []) if path == files[-1] else (lines[:count], lines[count:])
        path.write_bytes(b"".join(taken))


def kinds(report: AuditReport) -> list[str]:
    return [finding.kind for finding in report.problems]


tampering = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


class TestTampering:
    def test_a_log_that_nobody_touched_is_intact(self, original: Path) -> None:
        report = verify(original)
        assert report.intact
        assert (report.entries, report.notes, report.more) == (COUNT, (), 0)
        assert (report.first_time, report.last_time) == ("2026-11-22T00:00:01.000000Z", "2026-11-22T00:00:09.000000Z")
        assert report.head == read_head(original)

    @tampering
    @given(st.data())
    def test_any_byte_that_is_changed_is_found_where_it_is(
        self, copy_of: Callable[[], Path], data: st.DataObject
    ) -> None:
        folder = copy_of()
        index = data.draw(st.integers(0, COUNT - 1))
        lines = lines_in(folder)
        place = data.draw(st.integers(0, len(lines[index]) - 1))
        byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != lines[index][place]))
        lines[index] = lines[index][:place] + bytes([byte]) + lines[index][place + 1 :]
        put(folder, lines)
        report = verify(folder)
        assert report.problems[0].kind == "edited"
        assert report.problems[0].last_good == index
        assert f"entry {index + 1} is not as it was written" in str(report.problems[0])

    @tampering
    @given(st.data())
    def test_any_value_that_is_changed_is_found(self, copy_of: Callable[[], Path], data: st.DataObject) -> None:
        folder = copy_of()
        index = data.draw(st.integers(0, COUNT - 1))
        lines = lines_in(folder)
        document = json.loads(lines[index])
        part = data.draw(st.sampled_from(["body", "values"]))
        name = data.draw(st.sampled_from(sorted(document[part])))
        document[part][name] = data.draw(st.text() | st.integers() | st.none())
        lines[index] = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode(errors="replace") + b"\n"
        put(folder, lines)
        assert kinds(verify(folder)) == ["edited"]

    @tampering
    @given(st.data())
    def test_entries_that_are_removed_are_missed(self, copy_of: Callable[[], Path], data: st.DataObject) -> None:
        folder = copy_of()
        start = data.draw(st.integers(0, COUNT - 1))
        end = data.draw(st.integers(start + 1, COUNT))
        lines = lines_in(folder)
        put(folder, lines[:start] + lines[end:])
        report = verify(folder)
        assert kinds(report) == ["removed"]
        missing = f"entry {end} is missing" if end == start + 1 else f"entries {start + 1} to {end} are missing"
        assert missing in report.problems[0].message
        assert report.problems[0].last_good == start

    @tampering
    @given(st.data())
    def test_entries_that_change_places_are_found(self, copy_of: Callable[[], Path], data: st.DataObject) -> None:
        folder = copy_of()
        order = data.draw(st.permutations(range(COUNT)).filter(lambda order: order != list(range(COUNT))))
        lines = lines_in(folder)
        put(folder, [lines[index] for index in order])
        report = verify(folder)
        assert set(kinds(report)) <= {"reordered", "anchor"}
        assert "reordered" in kinds(report)

    @tampering
    @given(st.integers(0, COUNT - 1), st.integers(0, COUNT))
    def test_an_entry_that_stands_there_twice_is_found(
        self, copy_of: Callable[[], Path], which: int, where: int
    ) -> None:
        folder = copy_of()
        lines = lines_in(folder)
        put(folder, [*lines[:where], lines[which], *lines[where:]])
        assert {"duplicated", "reordered"} & set(kinds(verify(folder)))

    @tampering
    @given(st.integers(0, COUNT), st.integers(1, COUNT + 1), st.sampled_from(["genesis", "right", "wrong"]))
    def test_an_entry_that_is_put_in_is_found(
        self, copy_of: Callable[[], Path], where: int, number: int, prev: str
    ) -> None:
        """Somebody who knows how entries are made, but does not write all that follow anew."""
        folder = copy_of()
        documents, lines = documents_in(folder), lines_in(folder)
        right = documents[where - 1]["hash"] if where else "0" * 64
        before = {"genesis": "0" * 64, "right": right, "wrong": "a" * 64}[prev]
        forged, _ = make_line(draft(number), number, before)
        put(folder, [*lines[:where], forged.encode() + b"\n", *lines[where:]])
        report = verify(folder)
        if where == COUNT and number == COUNT + 1 and before == right:
            # Behind the anchor anybody can write who knows how; a key is what helps against that.
            assert report.notes == (
                f"entry {COUNT + 1} is not anchored yet: a program was killed, or writes right now",
            )
        else:
            assert not report.intact

    @tampering
    @given(st.data())
    def test_a_log_that_is_cut_off_anywhere_is_found(self, copy_of: Callable[[], Path], data: st.DataObject) -> None:
        folder = copy_of()
        path = data.draw(st.sampled_from(files_of(folder)))
        content = path.read_bytes()
        path.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
        report = verify(folder)
        assert set(kinds(report)) <= {"edited", "removed"}
        assert not report.intact

    @given(st.integers(0, COUNT), st.binary(min_size=1, max_size=30).filter(lambda line: b"\n" not in line))
    @tampering
    def test_lines_that_are_no_entries_are_found(self, copy_of: Callable[[], Path], where: int, line: bytes) -> None:
        folder = copy_of()
        lines = lines_in(folder)
        put(folder, [*lines[:where], line + b"\n", *lines[where:]])
        report = verify(folder)
        assert kinds(report) == ["inserted" if where < COUNT else "edited"]
        assert report.problems[0].last_good == where

    @pytest.mark.parametrize("which", [0, 1, 2])
    def test_a_segment_that_is_removed_is_missed(self, copy_of: Callable[[], Path], which: int) -> None:
        folder = copy_of()
        files_of(folder)[which].unlink()
        assert kinds(verify(folder)) == ["removed"]

    def test_segments_that_change_names_are_found(self, copy_of: Callable[[], Path]) -> None:
        folder = copy_of()
        first, second, _ = files_of(folder)
        first.rename(folder / "other")
        second.rename(first)
        (folder / "other").rename(second)
        assert set(kinds(verify(folder))) == {"reordered"}

    def test_an_entry_written_anew_with_its_hash_is_found_by_the_one_after_it(
        self, copy_of: Callable[[], Path]
    ) -> None:
        folder = copy_of()
        lines, documents = lines_in(folder), documents_in(folder)
        lines[4] = make_line(draft(99), 5, documents[3]["hash"])[0].encode() + b"\n"
        put(folder, lines)
        report = verify(folder)
        assert kinds(report) == ["rewritten"]
        assert "entry 6 does not follow the one before it" in report.problems[0].message

    def test_the_newest_entry_written_anew_is_found_by_the_anchor(self, copy_of: Callable[[], Path]) -> None:
        folder = copy_of()
        lines, documents = lines_in(folder), documents_in(folder)
        lines[-1] = make_line(draft(99), COUNT, documents[-2]["hash"])[0].encode() + b"\n"
        put(folder, lines)
        assert kinds(verify(folder)) == ["anchor"]

    @tampering
    @given(st.data())
    def test_an_anchor_that_is_changed_is_found(self, copy_of: Callable[[], Path], data: st.DataObject) -> None:
        folder = copy_of()
        content = (folder / HEAD).read_bytes()
        place = data.draw(st.integers(0, len(content) - 1))
        byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != content[place]))
        (folder / HEAD).write_bytes(content[:place] + bytes([byte]) + content[place + 1 :])
        assert kinds(verify(folder)) == ["anchor"]

    def test_an_older_anchor_does_not_hide_that_entries_were_cut_off(self, tmp_path: Path) -> None:
        """Who can write the anchor can hide the newest entries; a head kept elsewhere finds that."""
        folder = written(tmp_path / "audit", 3)
        before = (folder / HEAD).read_bytes(), files_of(folder)[0].read_bytes()
        ledger_in(folder).append([draft(4)])
        kept = verify(folder).head.text
        (folder / HEAD).write_bytes(before[0])
        files_of(folder)[0].write_bytes(before[1])
        assert verify(folder).intact
        report = verify(folder, head=kept)
        assert kinds(report) == ["head"]
        assert "is not in the log" in str(report.problems[0])

    def test_a_forged_number_does_not_fill_the_memory(self, copy_of: Callable[[], Path]) -> None:
        folder = copy_of()
        lines = lines_in(folder)
        forged, _ = make_line(draft(1), 10**15, "a" * 64)
        put(folder, [*lines[:4], forged.encode() + b"\n", *lines[4:]])
        assert kinds(verify(folder)) == ["inserted"]

    def test_so_many_problems_are_told_and_the_rest_counted(self, tmp_path: Path) -> None:
        folder = written(tmp_path / "audit", 250, batch=50)
        put(folder, [line.replace(b"proposed", b"returned") for line in lines_in(folder)])
        report = verify(folder)
        assert (len(report.problems), report.more) == (100, 150)


class TestHeads:
    def test_a_head_that_was_kept_is_found_again(self, tmp_path: Path) -> None:
        folder = written(tmp_path / "audit", 3)
        kept = verify(folder).head
        written(folder, 2)
        for text in (kept.text, kept.hash):
            report = verify(folder, head=text)
            assert report.intact
            assert report.notes == ("the hash that was kept is that of entry 3; 2 came after it",)
        assert kinds(verify(folder, head=f"4:{kept.hash}")) == ["head"]

    def test_a_folder_that_is_not_there_is_no_intact_log(self, tmp_path: Path) -> None:
        with pytest.raises(AuditError, match="no audit log is at"):
            verify(tmp_path / "nowhere")

    def test_an_empty_folder_is_an_empty_log(self, tmp_path: Path) -> None:
        report = verify(tmp_path)
        assert report.intact
        assert (report.entries, report.head.text) == (0, f"0:{'0' * 64}")
        assert kinds(verify(tmp_path, head="a" * 64)) == ["head"]


class TestSeals:
    def test_a_chain_written_anew_is_found_by_whoever_has_the_key(self, tmp_path: Path) -> None:
        folder = written(tmp_path / "audit", 4, key=KEY)
        shutil.rmtree(folder)
        written(folder, 3)
        assert verify(folder).intact
        assert set(kinds(verify(folder, key=KEY))) == {"unsealed"}
        shutil.rmtree(folder)
        written(folder, 3, key=b"x" * 32)
        assert set(kinds(verify(folder, key=KEY))) == {"unsealed"}

    def test_entries_without_a_seal_behind_sealed_ones_are_found(self, tmp_path: Path) -> None:
        folder = written(tmp_path / "audit", 4, key=KEY)
        write_head(folder, verify(folder).head._replace(key_id=""), None)
        written(folder, 2)
        assert verify(folder).intact
        assert set(kinds(verify(folder, key=KEY))) == {"unsealed"}


class TestExports:
    @pytest.fixture
    def exported(self, original: Path, tmp_path: Path) -> Callable[..., Path]:
        def make(**options: object) -> Path:
            path = tmp_path / "export.jsonl"
            with path.open("w", encoding="utf-8") as file:
                export(original, file.write, **options)  # type: ignore[arg-type]
            return path

        return make

    @tampering
    @given(st.data())
    def test_any_byte_that_is_changed_in_a_masked_export_is_found(
        self, exported: Callable[..., Path], data: st.DataObject
    ) -> None:
        path = exported(mask=["arguments"])
        content = path.read_bytes()
        assert b"number" not in content
        assert verify_export(path).intact
        place = data.draw(st.integers(0, len(content) - 1))
        byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != content[place]))
        path.write_bytes(content[:place] + bytes([byte]) + content[place + 1 :])
        assert not verify_export(path).intact

    @tampering
    @given(st.data())
    def test_lines_that_are_removed_from_an_export_are_missed(
        self, exported: Callable[..., Path], data: st.DataObject
    ) -> None:
        path = exported(mask=["arguments"])
        lines = path.read_bytes().splitlines(keepends=True)
        start = data.draw(st.integers(1, len(lines) - 1))
        end = data.draw(st.integers(start + 1, len(lines)))
        path.write_bytes(b"".join(lines[:start] + lines[end:]))
        assert "removed" in kinds(verify_export(path))

    def test_an_export_ends_with_the_head_of_the_log(self, exported: Callable[..., Path], original: Path) -> None:
        report = verify_export(exported(mask=["arguments", "result"]), head=verify(original).head.text)
        assert report.intact
        assert report.entries == COUNT
        assert report.head.hash == verify(original).head.hash

    def test_an_empty_file_is_no_export(self, tmp_path: Path) -> None:
        path = tmp_path / "empty"
        path.touch()
        assert not verify_export(path).intact
        with pytest.raises(AuditError, match="cannot be read"):
            verify_export(tmp_path / "nowhere")

    def test_sealed_entries_stay_sealed_in_an_export(self, tmp_path: Path) -> None:
        folder = written(tmp_path / "audit", 4, key=KEY)
        path = tmp_path / "export.jsonl"
        with path.open("w", encoding="utf-8") as file:
            export(folder, file.write, mask=["arguments"], tools=["other"])
        assert verify_export(path, key=KEY).intact
        assert set(kinds(verify_export(path, key=b"x" * 32))) == {"unsealed"}


def test_values_that_look_alike_are_different_entries(tmp_path: Path) -> None:
    folder = tmp_path / "audit"
    values = [1, 1.0, "1", True, {"a": 1, "b": 2}, {"b": 2, "a": 1}, "é", "e\u0301", "\udcff", None]
    ledger_in(folder).append([draft(1, arguments={"value": value}) for value in values])
    assert verify(folder).intact
    read = [document["values"]["arguments"]["value"] for document in documents_in(folder)]
    assert [(type(value), value) for value in read] == [(type(value), value) for value in values]
    assert list(read[5]) == ["b", "a"]
