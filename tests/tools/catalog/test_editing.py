"""Edits in place: what is changed, what is kept, what is refused."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, dry_run_of, failure_of, refusal_of, result_of
from tests.tools.catalog.sample_project import ROUTER
from tools import Continue, DryRun, ReviewRequest
from tools.catalog.editing import Editing

TEN = "".join(f"line {number}\n" for number in range(1, 11))


def run(project: Path, name: str, **arguments: Any) -> Any:
    return result_of(Editing(), name, arguments, project, Reviewer())


def fail(project: Path, name: str, **arguments: Any) -> str:
    return refusal_of(Editing(), name, arguments, project)


def look(project: Path, name: str, **arguments: Any) -> DryRun:
    return dry_run_of(Editing(), name, arguments, project)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src/router.py").write_text(ROUTER)
    (folder / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rNOTE")
    return folder


@pytest.fixture
def ten(project: Path) -> Path:
    path = project / "ten.txt"
    path.write_bytes(TEN.encode())
    return path


def test_a_text_is_replaced_and_the_change_is_told(project: Path, ten: Path) -> None:
    edited = run(project, "edit_file", path="ten.txt", old_text="line 3\nline 4", new_text="three")

    assert ten.read_text() == TEN.replace("line 3\nline 4", "three")
    assert (edited.changes, edited.added_lines, edited.removed_lines) == (1, 1, 2)
    assert "-line 4\n+three\n" in edited.diff
    assert edited.sha256 == hashlib.sha256(ten.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("content", "old", "new", "after"),
    [
        (b"a\r\nb\r\nc\r\n", "a\nb", "a\nx\nb", b"a\r\nx\r\nb\r\nc\r\n"),
        (b"\xef\xbb\xbfa\nb", "b", "c", b"\xef\xbb\xbfa\nc"),
        ("näh\nx\n".encode("latin-1"), "x", "ö", "näh\nö\n".encode("latin-1")),
        ("\ufeffab\n".encode("utf-16-be"), "b", "ä", "\ufeffaä\n".encode("utf-16-be")),
        (b"no end", "end", "ends", b"no ends"),
    ],
    ids=["crlf", "bom", "latin-1", "utf-16-be", "no final newline"],
)
def test_what_a_file_is_written_in_stays(project: Path, content: bytes, old: str, new: str, after: bytes) -> None:
    path = project / "file.txt"
    path.write_bytes(content)

    run(project, "edit_file", path="file.txt", old_text=old, new_text=new)

    assert path.read_bytes() == after


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("edit_file", {"path": "ten.txt", "old_text": "line 99", "new_text": ""}, "does not contain 'line 99'"),
        ("edit_file", {"path": "ten.txt", "old_text": "  line 5", "new_text": ""}, "line 5 differs from it in blanks"),
        ("edit_file", {"path": "ten.txt", "old_text": "line", "new_text": "x"}, "10 times, in lines 1, 2, 3, 4, 5 …"),
        ("edit_file", {"path": "ten.txt", "old_text": "x", "new_text": "x"}, "nothing to change"),
        ("edit_file", {"path": "logo.png", "old_text": "x", "new_text": "y"}, "'logo.png' is binary"),
        (
            "edit_file",
            {"path": "ten.txt", "old_text": "line 3", "new_text": "", "expected_sha256": "0" * 64},
            "'ten.txt' has changed",
        ),
        ("edit_lines", {"path": "ten.txt", "first_line": 3, "text": "x"}, "got neither"),
        ("edit_lines", {"path": "ten.txt", "first_line": 3, "text": "x", "expected_text": "y"}, "are 'line 3' now"),
        ("edit_lines", {"path": "ten.txt", "first_line": 20, "text": "x", "expected_text": ""}, "has 10 lines"),
        (
            "replace_in_files",
            {"pattern": "(", "replacement": "", "path": ".", "match": "regular_expression"},
            "is no regular expression",
        ),
        (
            "replace_in_files",
            {"pattern": "model", "replacement": r"\2", "path": ".", "match": "regular_expression"},
            "cannot replace",
        ),
        ("replace_in_files", {"pattern": "nowhere to be found", "replacement": "", "path": "."}, "nothing to replace"),
    ],
)
def test_an_edit_that_cannot_be_meant_is_refused(
    project: Path, ten: Path, name: str, arguments: dict[str, Any], said: str
) -> None:
    assert said in fail(project, name, **arguments)
    assert look(project, name, **arguments).text == "Nothing: the call will fail."


@pytest.mark.parametrize(
    ("lines", "text", "expected", "after"),
    [
        ((3, None), "three", "line 3", TEN.replace("line 3", "three")),
        ((3, 2), "new\n", "", TEN.replace("line 3", "new\nline 3")),
        ((9, 10), "", "line 9\nline 10\n", TEN.replace("line 9\nline 10\n", "")),
        ((11, 10), "line 11", "", TEN + "line 11"),
    ],
    ids=["replaced", "inserted", "deleted", "added at the end"],
)
def test_lines_are_edited_by_their_numbers(
    ten: Path, lines: tuple[int, int | None], text: str, expected: str, after: str
) -> None:
    wanted = {"first_line": lines[0], "last_line": lines[1], "text": text, "expected_text": expected}

    run(ten.parent, "edit_lines", path="ten.txt", **wanted)

    assert ten.read_text() == after


def test_a_line_added_to_a_file_without_a_final_newline_is_a_line_of_its_own(project: Path) -> None:
    path = project / "file.txt"
    path.write_bytes(b"a\r\nb\r\nc")
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()

    run(project, "edit_lines", path="file.txt", first_line=4, last_line=3, text="d", expected_sha256=checksum)

    assert path.read_bytes() == b"a\r\nb\r\nc\r\nd"


def test_a_protected_file_is_not_edited(project: Path, ten: Path) -> None:
    ten.chmod(0o400)

    assert "write-protected" in fail(project, "edit_file", path="ten.txt", old_text="line 3", new_text="x")


def test_a_link_that_leaves_the_project_is_asked_about(project: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("secret\n")
    (project / "link.txt").symlink_to(outside)
    reviewer = Reviewer()

    result_of(Editing(), "edit_file", {"path": "link.txt", "old_text": "s", "new_text": "S"}, project, reviewer)

    assert "outside_project" in reviewer.kinds
    assert (project / "link.txt").is_symlink()
    assert outside.read_text() == "Secret\n"


def test_a_change_between_preview_and_write_is_noticed(project: Path, ten: Path) -> None:
    checksum = hashlib.sha256(ten.read_bytes()).hexdigest()

    def change() -> None:
        ten.write_text(f"{TEN}more\n")

    class Meanwhile(Reviewer):
        async def review(self, request: ReviewRequest, /) -> Continue:
            change()
            return Continue()

    arguments = {"path": "ten.txt", "old_text": "line 3", "new_text": "x", "expected_sha256": checksum}

    assert "has changed" in failure_of(Editing(), "edit_file", arguments, project, Meanwhile())
    assert ten.read_text() == f"{TEN}more\n"


def test_a_dry_run_is_the_diff(project: Path, ten: Path) -> None:
    found = look(project, "edit_file", path="ten.txt", old_text="line 3\n", new_text="three\n")

    assert found.text == "Change 1 place of ten.txt."
    assert found.items[:3] == ("--- a/ten.txt", "+++ b/ten.txt", "@@ -1,6 +1,6 @@")
    assert {"-line 3", "+three"} < set(found.items)
    assert [count.words for count in found.counts] == ["1 file", "1 line added", "1 line removed"]


def test_a_pattern_is_replaced_in_many_files(project: Path, tmp_path: Path) -> None:
    (project / "src/link.py").symlink_to(project / "src/router.py")
    found = run(project, "replace_in_files", pattern="pick_model", replacement="choose", path=".", include=["*.py"])

    assert [(file.path, file.replacements) for file in found.files] == [("src/router.py", 2)]
    assert "model = choose(request)" in (project / "src/router.py").read_text()
    assert (project / "src/link.py").is_symlink()


def patch(project: Path, text: str, **arguments: Any) -> Any:
    return run(project, "apply_patch_to_file", path="ten.txt", patch=text, **arguments)


def test_what_decides_what_may_run_is_not_changed_with_others(project: Path) -> None:
    (project / "src/.envrc").write_text("pick_model\n")

    found = run(project, "replace_in_files", pattern="pick_model", replacement="x", path="src")

    assert ([file.path for file in found.files], found.files_skipped) == (["src/router.py"], 1)


HUNK = "@@ -3,3 +3,4 @@\n line 3\n-line 4\n+four\n+and a half\n line 5\n"


@pytest.mark.parametrize(
    ("start", "text", "offset", "fuzz"),
    [
        ("", HUNK, 0, 0),
        ("above\nabove\n", HUNK, 2, 0),
        ("", HUNK.replace("-3,3 +3,4", "-8,3 +8,4"), -5, 0),
        ("", HUNK.replace(" line 5", " line five"), 0, 1),
        ("", "--- a/ten.txt\n+++ b/ten.txt\n" + HUNK, 0, 0),
        ("above\n", HUNK.replace("@@ -3,3 +3,4 @@", "@@"), 0, 0),
    ],
    ids=["exact", "below", "above", "fuzz", "with names", "without numbers"],
)
def test_a_patch_is_applied_where_it_fits(ten: Path, start: str, text: str, offset: int, fuzz: int) -> None:
    ten.write_text(start + TEN)

    [hunk] = patch(ten.parent, text, max_fuzz=1).hunks

    assert ten.read_text() == start + TEN.replace("line 4", "four\nand a half")
    assert (hunk.offset, hunk.fuzz) == (offset, fuzz)


def test_a_patch_keeps_crlf_and_is_undone(project: Path, ten: Path) -> None:
    crlf = TEN.replace("\n", "\r\n").encode()
    ten.write_bytes(crlf)

    patch(project, HUNK)
    assert b"line 3\r\nfour\r\nand a half\r\nline 5\r\n" in ten.read_bytes()
    patch(project, HUNK, reverse=True)

    assert ten.read_bytes() == crlf


def test_a_patch_says_whether_the_last_line_has_an_end(project: Path, ten: Path) -> None:
    marked = "@@ -10 +10 @@\n-line 10\n+ten\n\\ No newline at end of file\n"

    patch(project, marked)
    assert ten.read_text() == TEN.replace("line 10\n", "ten")
    patch(project, marked, reverse=True)

    assert ten.read_text() == TEN


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HUNK.replace("line 4", "line X"), "expected 'line X' in line 4, got 'line 4'; read the file"),
        (HUNK.replace("-line 4", "-line  4"), "only blanks differ"),
        (HUNK.replace("-3,3", "-3,7"), "says 7 old and 4 new lines"),
        (HUNK + HUNK.replace("-3,3 +3,4", "-3,3 +4,4"), "hunk 2"),
        ("@@\n-line 1\n+x\n", ""),
        ("nothing", "expected a unified diff"),
        ("@@ -1 +1 @@\n*line 1\n", "should begin with ' ', '-' or '+'"),
        ("Binary files a/x and b/x differ\n", "binary"),
        ("--- a/ten.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-line 1\n", "delete_file"),
        ("--- /dev/null\n+++ b/ten.txt\n@@ -0,0 +1 @@\n+line 1\n", "is there already"),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", "changes 2 files"),
        ("@@ -9,3 +9,3 @@\n line 9\n line 10\n-line 11\n+x\n", "but the file has 10 lines"),
    ],
)
def test_a_patch_that_does_not_fit_changes_nothing(project: Path, ten: Path, text: str, said: str) -> None:
    if not said:
        ten.write_text("line 1\nline 1\n")
        said = "fits in line 1 and in line 2"

    assert said in fail(project, "apply_patch_to_file", path="ten.txt", patch=text)


def test_a_patch_makes_a_file_and_shows_it_first(project: Path) -> None:
    arguments = {"path": "new.txt", "patch": "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n"}

    assert look(project, "apply_patch_to_file", **arguments).text == "Make the file new.txt with 2 lines."
    assert run(project, "apply_patch_to_file", **arguments).created == "new.txt"
    assert (project / "new.txt").read_text() == "one\ntwo\n"


def test_a_diff_of_an_edit_is_a_patch_that_undoes_it(project: Path, ten: Path) -> None:
    edited = run(project, "edit_file", path="ten.txt", old_text="line", new_text="row", replace_all=True)

    patch(project, edited.diff, reverse=True)

    assert ten.read_text() == TEN
