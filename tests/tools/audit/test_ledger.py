from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from tests.tools.audit.logs import KEY, documents_in, draft, files_of, kinds_in, ledger_in, lines_in, make_line, written
from tools.audit import Recovery, read_head, verify
from tools.audit.folder import HEAD, LOCK, locked
from tools.errors import AuditError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "audit"


def append_raw(folder: Path, content: bytes) -> None:
    """Write behind the anchor's back, as a program that is killed before it moves the anchor."""
    with files_of(folder)[-1].open("ab") as file:
        file.write(content)


def next_lines(folder: Path, count: int) -> list[bytes]:
    """Write entries, take them and the anchor's move back, and return their lines."""
    files = files_of(folder)
    before, sizes = (folder / HEAD).read_bytes(), [path.stat().st_size for path in files]
    ledger_in(folder).append([draft(number) for number in range(90, 90 + count)])
    lines = lines_in(folder)[-count:]
    (folder / HEAD).write_bytes(before)
    for path, size in zip(files, sizes, strict=True):
        os.truncate(path, size)
    return lines


class TestWriting:
    def test_entries_are_numbered_and_chained_across_segments(self, folder: Path) -> None:
        written(folder, 9, batch=2, segment_bytes=1000)
        assert len(files_of(folder)) > 2
        documents = documents_in(folder)
        assert [document["seq"] for document in documents] == list(range(1, 10))
        assert [document["prev"] for document in documents] == ["0" * 64, *[item["hash"] for item in documents[:-1]]]
        head = read_head(folder)
        assert head is not None
        assert head.text == f"9:{documents[-1]['hash']}"
        assert verify(folder).intact

    def test_a_full_segment_is_never_touched_again(self, folder: Path) -> None:
        written(folder, 4, segment_bytes=1000)
        first = files_of(folder)[0]
        before = first.stat()
        written(folder, 4, segment_bytes=1000)
        assert (first.stat().st_mtime_ns, first.stat().st_size) == (before.st_mtime_ns, before.st_size)

    def test_files_are_for_their_owner_alone(self, folder: Path) -> None:
        written(folder)
        assert {path.name: path.stat().st_mode & 0o777 for path in [folder, *folder.iterdir()]} == {
            "audit": 0o700,
            "audit-000001.jsonl": 0o600,
            HEAD: 0o600,
            LOCK: 0o600,
        }

    def test_several_programs_write_one_chain(self, folder: Path) -> None:
        first, second = ledger_in(folder), ledger_in(folder, segment_bytes=1500)
        for number in range(1, 9):
            (first if number % 3 else second).append([draft(number)])
        assert verify(folder).entries == 8
        assert verify(folder).intact

    def test_a_lock_that_is_not_let_go_is_told(self, folder: Path) -> None:
        written(folder)
        with (
            locked(folder),
            pytest.raises(AuditError, match="another program has held the audit log"),
            locked(folder, 0),
        ):
            pass


class TestRecovery:
    def test_whole_lines_behind_the_anchor_are_taken_over(self, folder: Path) -> None:
        written(folder, 3)
        append_raw(folder, b"".join(next_lines(folder, 2)))
        report = verify(folder)
        assert report.intact
        assert report.notes == ("entries 4 to 5 are not anchored yet: a program was killed, or writes right now",)
        ledger = ledger_in(folder)
        assert ledger.append([]) == Recovery(adopted=2)
        ledger.append([draft(6)])
        assert verify(folder)._replace(first_time="", last_time="").notes == ()
        assert kinds_in(folder) == ["proposed"] * 6

    @pytest.mark.parametrize("left", [1, 40, -2, -1])
    def test_a_torn_line_is_cut_off_and_told(self, folder: Path, left: int) -> None:
        written(folder, 3)
        torn = next_lines(folder, 1)[0][:left]
        append_raw(folder, torn)
        report = verify(folder)
        assert report.intact
        assert f"{len(torn)} bytes of a line that is not finished" in report.notes[0]
        assert ledger_in(folder).append([draft(4)]) == Recovery(cut_bytes=len(torn))
        assert kinds_in(folder)[3:] == ["recovered", "proposed"]
        assert documents_in(folder)[3]["body"]["cut_bytes"] == len(torn)
        assert verify(folder).intact
        assert not verify(folder).notes

    def test_whole_and_torn_lines_together(self, folder: Path) -> None:
        written(folder, 3)
        whole, torn = next_lines(folder, 2)
        append_raw(folder, whole + torn[:100])
        assert ledger_in(folder).append([draft(4)]) == Recovery(adopted=1, cut_bytes=100)
        assert kinds_in(folder) == ["proposed"] * 4 + ["recovered", "proposed"]
        assert verify(folder).intact

    def test_a_program_killed_between_two_segments_is_no_matter(self, folder: Path) -> None:
        written(folder, 3, segment_bytes=1000)
        before = (folder / HEAD).read_bytes()
        count = len(files_of(folder))
        ledger_in(folder, segment_bytes=10).append([draft(4)])
        assert len(files_of(folder)) == count + 1
        (folder / HEAD).write_bytes(before)
        assert ledger_in(folder, segment_bytes=10).append([draft(5)]) == Recovery(adopted=1)
        assert verify(folder).intact

    def test_an_empty_next_segment_is_no_matter(self, folder: Path) -> None:
        written(folder, 3)
        (folder / "audit-000002.jsonl").touch()
        assert verify(folder).intact
        assert ledger_in(folder).append([draft(4)]) == Recovery()
        assert files_of(folder)[1].stat().st_size > 0
        assert verify(folder).intact

    def test_lines_that_do_not_follow_stay_and_the_log_goes_on_behind_them(self, folder: Path) -> None:
        written(folder, 3)
        append_raw(folder, b'{"forged": true}\n')
        recovery = ledger_in(folder).append([draft(4)])
        assert recovery.trouble == "what stands after entry 3 does not follow it"
        assert b"forged" in files_of(folder)[0].read_bytes()
        assert documents_in(folder)[4]["body"]["trouble"] == recovery.trouble
        assert [finding.kind for finding in verify(folder).problems] == ["inserted", "recovered"]

    @pytest.mark.parametrize("damage", [None, b"", b"{}", b'{"seq":1'])
    def test_a_lost_anchor_is_made_anew_and_never_forgotten(self, folder: Path, damage: bytes | None) -> None:
        written(folder, 3)
        (folder / HEAD).unlink()
        if damage is not None:
            (folder / HEAD).write_bytes(damage)
        assert [finding.kind for finding in verify(folder).problems] == ["anchor"]
        assert "the anchor was" in ledger_in(folder).append([draft(4)]).trouble
        ledger_in(folder).append([draft(5)])
        report = verify(folder)
        assert report.entries == 6
        assert [finding.kind for finding in report.problems] == ["recovered"]
        assert "entry 4 says that the anchor was" in str(report.problems[0])

    def test_removed_entries_stay_missed_although_the_log_goes_on(self, folder: Path) -> None:
        written(folder, 5)
        os.truncate(files_of(folder)[0], len(b"".join(lines_in(folder)[:3])))
        assert "line of entry 5 was cut off" in ledger_in(folder).append([draft(6)]).trouble
        report = verify(folder)
        assert [finding.kind for finding in report.problems] == ["removed", "recovered"]
        assert "entries 4 to 5 are missing" in str(report.problems[0])

    def test_an_older_copy_of_the_log_put_back_while_a_program_runs_is_found(self, folder: Path) -> None:
        ledger = ledger_in(folder)
        ledger.append([draft(1), draft(2)])
        copies = {path: path.read_bytes() for path in folder.iterdir()}
        ledger.append([draft(3)])
        for path, content in copies.items():
            path.write_bytes(content)
        assert "the anchor names entry 2, though entry 3 was written" in ledger.append([draft(4)]).trouble
        assert "entry 3 is missing" in str(verify(folder).problems[0])

    def test_a_folder_that_went_away_is_no_place_for_a_new_chain(self, folder: Path, tmp_path: Path) -> None:
        ledger = ledger_in(folder)
        ledger.append([draft(1)])
        folder.rename(tmp_path / "away")
        with pytest.raises(FileNotFoundError):
            ledger.append([draft(2)])
        assert not folder.exists()
        (tmp_path / "away").rename(folder)
        ledger.append([draft(2)])
        assert verify(folder).entries == 2


class TestFaults:
    @pytest.mark.parametrize("room", [0, 30, 700])
    def test_a_full_disk_leaves_nothing_half_done(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, room: int
    ) -> None:
        ledger = ledger_in(folder)
        ledger.append([draft(1)])
        real, left = os.write, [room]

        def write(descriptor: int, content: Any) -> int:
            if not left[0]:
                raise OSError(errno.ENOSPC, "No space left on device")
            part = bytes(content)[: left[0]]
            left[0] -= len(part)
            return real(descriptor, part)

        with monkeypatch.context() as full:
            full.setattr(os, "write", write)
            with pytest.raises(OSError, match="No space"):
                ledger.append([draft(2), draft(3)])
        assert verify(folder).entries == 1
        assert not verify(folder).notes
        assert ledger.append([draft(2), draft(3)]) == Recovery()
        assert verify(folder).intact
        assert verify(folder).entries == 3

    def test_an_anchor_that_cannot_be_moved_takes_the_lines_back(self, folder: Path) -> None:
        ledger = ledger_in(folder)
        ledger.append([draft(1)])
        (folder / f"{HEAD}.new").mkdir()
        with pytest.raises(OSError, match="directory"):
            ledger.append([draft(2)])
        assert verify(folder).entries == 1
        (folder / f"{HEAD}.new").rmdir()
        ledger.append([draft(2)])
        assert verify(folder).entries == 2


class TestSealed:
    def test_a_key_seals_entries_and_anchor(self, folder: Path) -> None:
        written(folder, 3, key=KEY)
        assert all("seal" in document for document in documents_in(folder))
        assert verify(folder, key=KEY).intact
        assert verify(folder).intact

    def test_entries_that_nobody_with_the_key_wrote_are_not_taken_over(self, folder: Path) -> None:
        written(folder, 3, key=KEY)
        forged, _ = make_line(draft(4), 4, documents_in(folder)[-1]["hash"])
        append_raw(folder, forged.encode() + b"\n")
        assert "entry 4 is not sealed" in str(verify(folder, key=KEY).problems[0])
        assert "does not follow" in ledger_in(folder, key=KEY).append([]).trouble

    def test_a_sealed_log_is_not_continued_without_the_key(self, folder: Path) -> None:
        written(folder, 3, key=KEY)
        with pytest.raises(AuditError, match="put that key back"):
            ledger_in(folder).append([draft(4)])
        with pytest.raises(AuditError, match="sealed with another key"):
            ledger_in(folder, key=b"x" * 32).append([draft(4)])
        assert verify(folder, key=KEY).entries == 3

    def test_a_log_may_begin_without_a_key(self, folder: Path) -> None:
        written(folder, 3)
        written(folder, 2, key=KEY)
        report = verify(folder, key=KEY)
        assert report.intact
        assert report.notes == ("entries 1 to 3 are not sealed: written before there was a key",)
