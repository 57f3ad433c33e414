"""The tools that change files: what they do, what they ask, and that a denial changes nothing."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call, failure_of, result_of
from tests.tools.catalog.sample_project import snapshot
from tools import CallStatus, Edit, ExitEarly, ToolConfigurationError, ToolFailure
from tools.catalog import _tree
from tools.catalog._bounds import ProgressThrottle
from tools.catalog._tree import copy_whole, delete_whole, measure, move_whole, replacing
from tools.catalog.files import Files

EVERY_CHANGE: dict[str, dict[str, Any]] = {
    "write_file": {"path": "README.md", "text": "new", "overwrite": True},
    "append_file": {"path": "README.md", "text": "more"},
    "copy_file": {"source": "README.md", "target": "copy.md"},
    "move_file": {"source": "README.md", "target": "moved.md"},
    "delete_file": {"path": "src", "recursive": True},
    "make_folder": {"path": "new"},
}


def _do(project: Path, name: str, **arguments: Any) -> Any:
    return result_of(Files, name, arguments, project, Reviewer())


def _fail(project: Path, name: str, **arguments: Any) -> str:
    return failure_of(Files, name, arguments, project, Reviewer())


def _details(reviewer: Reviewer) -> list[str]:
    return [f"{concern.title}: {concern.detail}" for request in reviewer.requests for concern in request.concerns][1:]


@pytest.mark.reference("A19", "A11")
@pytest.mark.parametrize("name", EVERY_CHANGE)
def test_a_denied_change_changes_nothing(project: Path, name: str) -> None:
    before = snapshot(project)
    reviewer = Reviewer(ExitEarly("not today"))

    response = call(Files, name, EVERY_CHANGE[name], project, reviewer)

    assert response.status is CallStatus.DENIED
    assert "not today" in response.text
    assert len(reviewer.requests) == 1
    assert snapshot(project) == before


@pytest.mark.parametrize("name", EVERY_CHANGE)
def test_without_anybody_to_ask_nothing_changes(project: Path, name: str) -> None:
    before = snapshot(project)

    with pytest.raises(ToolConfigurationError, match="asks before it runs"):
        call(Files, name, EVERY_CHANGE[name], project)

    assert snapshot(project) == before


@pytest.mark.parametrize("name", EVERY_CHANGE)
def test_changes_outside_the_project_are_named(project: Path, name: str) -> None:
    (project / "leak").symlink_to(project.parent)
    for path in ("../outside", "leak/outside", str(project.parent / "outside")):
        reviewer = Reviewer(ExitEarly("no"))
        last = "target" if "target" in EVERY_CHANGE[name] else "path"

        response = call(Files, name, {**EVERY_CHANGE[name], last: path}, project, reviewer)

        assert response.status is CallStatus.DENIED
        assert "outside_project" in reviewer.kinds
    assert [path.name for path in project.parent.iterdir()] == ["project"]


def test_an_edit_is_what_runs(project: Path) -> None:
    reviewer = Reviewer(Edit({"path": "src/deep", "recursive": True}))

    deleted = result_of(Files, "delete_file", {"path": "src", "recursive": True}, project, reviewer)

    assert deleted.path == "src/deep"
    assert (project / "src/router.py").exists()
    assert not (project / "src/deep").exists()


# write_file


def test_a_new_file_is_written_exactly(project: Path) -> None:
    written = _do(project, "write_file", path="new.txt", text="Zoë\r\n")

    assert (project / "new.txt").read_bytes() == b"Zo\xc3\xab\r\n"
    assert (written.created, written.written_bytes, written.encoding) == (True, 6, "utf-8")


def test_an_existing_file_is_kept_unless_told_otherwise(project: Path) -> None:
    message = _fail(project, "write_file", path="README.md", text="new")

    assert "overwrite=true" in message
    assert (project / "README.md").read_text(encoding="utf-8").startswith("# Sample")


def test_overwriting_says_what_is_lost_and_keeps_permissions(project: Path) -> None:
    (project / "README.md").chmod(0o640)
    reviewer = Reviewer()

    arguments = {"path": "README.md", "text": "new", "overwrite": True}
    written = result_of(Files, "write_file", arguments, project, reviewer)

    assert reviewer.kinds == ["destructive", "overwrites"]
    assert "README.md, 48 bytes, last changed" in _details(reviewer)[0]
    assert not written.created
    assert stat.S_IMODE((project / "README.md").stat().st_mode) == 0o640
    assert sorted(path.name for path in project.glob(".*")) == [".gitignore"]


def test_folders_are_made_only_when_asked(project: Path) -> None:
    message = _fail(project, "write_file", path="a/b/new.txt", text="x")
    assert "create_folders=true" in message
    assert not (project / "a").exists()

    _do(project, "write_file", path="a/b/new.txt", text="x", create_folders=True)
    assert (project / "a/b/new.txt").read_text(encoding="utf-8") == "x"


def test_writing_through_a_link_keeps_the_link(project: Path) -> None:
    (project / "link.md").symlink_to("README.md")

    _do(project, "write_file", path="link.md", text="new", overwrite=True)

    assert (project / "link.md").is_symlink()
    assert (project / "README.md").read_text(encoding="utf-8") == "new"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"path": "src", "text": "x", "overwrite": True}, "'src' is a folder"),
        ({"path": "README.md/x", "text": "x"}, "'README.md' is a file"),
        ({"path": "x.txt", "text": "Zoë", "encoding": "ascii"}, "'ë' (U+00EB) cannot be written in ascii"),
        ({"path": "x.txt", "text": "x", "encoding": "rot13"}, "no text encoding"),
    ],
)
def test_what_cannot_be_written_leaves_nothing_behind(project: Path, arguments: dict[str, Any], words: str) -> None:
    before = snapshot(project)

    assert words in _fail(project, "write_file", **arguments)
    assert snapshot(project) == before


def test_a_write_that_breaks_half_way_leaves_the_old_file(project: Path) -> None:
    before = snapshot(project)

    def write_half() -> None:
        with replacing(project / "README.md") as stream:
            stream.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_half()

    assert snapshot(project) == before


# append_file


def test_text_is_added_on_a_line_of_its_own(project: Path) -> None:
    reviewer = Reviewer()

    arguments = {"path": "CHANGES.md", "text": "- Second one\n"}
    written = result_of(Files, "append_file", arguments, project, reviewer)

    assert (project / "CHANGES.md").read_text(encoding="utf-8") == "# Changes\n\n- First one\n- Second one\n"
    assert reviewer.kinds == ["confirmation", "changes"]
    assert written.size_bytes == (project / "CHANGES.md").stat().st_size


def test_text_is_added_as_it_is_on_request(project: Path) -> None:
    _do(project, "append_file", path="CHANGES.md", text="!", on_new_line=False)

    assert (project / "CHANGES.md").read_text(encoding="utf-8").endswith("- First one!")


def test_appending_makes_a_missing_file(project: Path) -> None:
    assert _do(project, "append_file", path="log.txt", text="one\n").created
    assert not _do(project, "append_file", path="log.txt", text="two\n").created
    assert (project / "log.txt").read_text(encoding="utf-8") == "one\ntwo\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252"])
def test_added_text_is_in_the_files_own_encoding(project: Path, encoding: str) -> None:
    text = "Zoë and a few more words\n"
    (project / "some.txt").write_text(text, encoding=encoding)

    _do(project, "append_file", path="some.txt", text="Ünd\n")

    assert (project / "some.txt").read_bytes().decode(encoding) == text + "Ünd\n"


def test_nothing_is_added_to_what_is_no_text(project: Path) -> None:
    assert "no text file" in _fail(project, "append_file", path="logo.png", text="x")
    assert "is a folder" in _fail(project, "append_file", path="src", text="x")


# copy_file and move_file


def test_a_file_is_copied(project: Path) -> None:
    copied = _do(project, "copy_file", source="README.md", target="docs/README.md")

    assert (project / "docs/README.md").read_bytes() == (project / "README.md").read_bytes()
    assert (copied.source, copied.target, copied.files, copied.replaced) == ("README.md", "docs/README.md", 1, False)


def test_a_folder_is_copied_with_its_links_as_links(project: Path) -> None:
    (project / "src/link").symlink_to("router.py")
    os.mkfifo(project / "src/pipe")
    reviewer = Reviewer()

    response = call(Files, "copy_file", {"source": "src", "target": "copy"}, project, reviewer)

    assert (project / "copy/link").readlink() == Path("router.py")
    assert not (project / "copy/pipe").exists()
    assert (response.result.files, response.result.folders) == (2, 2)
    assert response.logs[0].text == "not copied, because it is a device, pipe or socket: src/pipe"
    assert _details(reviewer)[0].startswith("A whole folder: src: 4 files in 2 folders")


def test_a_file_is_moved(project: Path) -> None:
    content = (project / "README.md").read_bytes()

    moved = _do(project, "move_file", source="README.md", target="docs/START.md")

    assert (project / "docs/START.md").read_bytes() == content
    assert not (project / "README.md").exists()
    assert (moved.files, moved.size_bytes) == (1, len(content))


def test_a_link_is_moved_as_a_link(project: Path) -> None:
    (project / "link").symlink_to("README.md")

    _do(project, "move_file", source="link", target="other")

    assert (project / "other").readlink() == Path("README.md")


@pytest.mark.parametrize("name", ["copy_file", "move_file"])
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"source": "missing", "target": "x"}, "'missing' does not exist"),
        ({"source": "README.md", "target": "CHANGES.md"}, "overwrite=true"),
        ({"source": "README.md", "target": "src", "overwrite": True}, "'src' is a folder"),
        ({"source": "README.md", "target": "./README.md"}, "the same"),
        ({"source": "src", "target": "src/deep/copy"}, "into itself"),
        ({"source": "src", "target": "docs", "overwrite": True}, "folders are never replaced"),
        ({"source": "src", "target": "README.md", "overwrite": True}, "folders are never replaced"),
        ({"source": "README.md", "target": "none/x"}, "create_folders=true"),
    ],
)
def test_a_copy_or_move_that_cannot_be_changes_nothing(
    project: Path, name: str, arguments: dict[str, Any], words: str
) -> None:
    before = snapshot(project)

    assert words in _fail(project, name, **arguments)
    assert snapshot(project) == before


@pytest.mark.parametrize("name", ["copy_file", "move_file"])
def test_replacing_a_file_by_another_is_said_and_done(project: Path, name: str) -> None:
    reviewer = Reviewer()

    arguments = {"source": "README.md", "target": "CHANGES.md", "overwrite": True}
    done = result_of(Files, name, arguments, project, reviewer)

    assert done.replaced
    assert (project / "CHANGES.md").read_text(encoding="utf-8").startswith("# Sample")
    assert "overwrites" in reviewer.kinds


def _context(project: Path, *, cancelled: bool = False) -> Any:
    return SimpleNamespace(cancelled=cancelled, project_dir=project, log=lambda *_: None, progress=lambda *_: None)


def test_a_cancelled_copy_leaves_nothing_behind(project: Path) -> None:
    before = snapshot(project)
    ctx = _context(project, cancelled=True)

    for source in ("src", "README.md"):
        with pytest.raises(ToolFailure, match="cancelled"):
            copy_whole(project / source, project / "copy", ProgressThrottle(ctx), ctx)

    assert snapshot(project) == before


@pytest.mark.parametrize("source", ["README.md", "src", "link"])
def test_a_move_to_another_disk_copies_and_deletes(project: Path, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "link").symlink_to("README.md")
    moving = project / source
    replace = Path.replace

    def other_disk(self: Path, target: Path) -> Path:
        if self == moving:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", other_disk)
    before = snapshot(moving) if moving.is_dir() else moving.read_bytes()
    ctx = _context(project)

    move_whole(moving, project / "moved", ProgressThrottle(ctx), ctx)

    moved = project / "moved"
    assert (snapshot(moved) if moved.is_dir() else moved.read_bytes()) == before
    assert moved.is_symlink() == (source == "link")
    assert not os.path.lexists(moving)


# delete_file


@pytest.mark.reference("A19", "A20")
def test_deleting_a_file_removes_it_and_reports_which(project: Path) -> None:
    reviewer = Reviewer()

    deleted = result_of(Files, "delete_file", {"path": "README.md"}, project, reviewer)

    assert not (project / "README.md").exists()
    assert (deleted.message, deleted.files, deleted.folders, deleted.size_bytes) == ("Deleted: README.md", 1, 0, 48)
    assert reviewer.kinds == ["destructive", "deletes"]
    assert _details(reviewer) == ["Deletes a file: README.md, 48 bytes; no copy is kept"]


def test_deleting_a_folder_says_how_much_before_and_after(project: Path) -> None:
    reviewer = Reviewer()
    size_bytes = sum(path.stat().st_size for path in (project / "src").rglob("*.py"))

    deleted = result_of(Files, "delete_file", {"path": "src", "recursive": True}, project, reviewer)

    assert (deleted.files, deleted.folders, deleted.size_bytes) == (2, 2, size_bytes)
    assert _details(reviewer) == [
        f"Deletes a folder: src with 2 files in 2 folders, {size_bytes} bytes; no copy is kept"
    ]
    assert not (project / "src").exists()


def test_a_filled_folder_needs_recursive_and_an_empty_one_does_not(project: Path) -> None:
    (project / "empty").mkdir()

    assert "recursive=true" in _fail(project, "delete_file", path="src")
    assert (project / "src/router.py").exists()
    assert _do(project, "delete_file", path="empty").folders == 1


def test_deleting_a_link_leaves_what_it_leads_to(project: Path) -> None:
    (project / "src/up").symlink_to(project / "docs")
    (project / "link").symlink_to("docs")
    reviewer = Reviewer()

    result_of(Files, "delete_file", {"path": "link", "recursive": True}, project, reviewer)
    deleted = _do(project, "delete_file", path="src", recursive=True)

    assert "Deletes a link: link; what it leads to stays" in _details(reviewer)
    assert deleted.files == 3
    assert (project / "docs/guide.md").exists()


def test_nothing_to_delete_is_an_error_unless_it_may_be_missing(project: Path) -> None:
    assert "did you mean 'README.md'?" in _fail(project, "delete_file", path="REDME.md")

    deleted = _do(project, "delete_file", path="REDME.md", missing_ok=True)
    assert (deleted.message, deleted.files) == ("Nothing to delete at REDME.md", 0)


@pytest.mark.parametrize("path", [".", "..", "/"])
@pytest.mark.parametrize("name", ["delete_file", "move_file"])
def test_the_project_folder_and_what_holds_it_stay(project: Path, name: str, path: str) -> None:
    before = snapshot(project)
    arguments = {"source": path, "target": "x"} if name == "move_file" else {"path": path, "recursive": True}

    assert "the project folder or holds it" in _fail(project, name, **arguments)
    assert snapshot(project) == before


def test_a_refusal_half_way_says_what_is_gone(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unlink = os.unlink

    def refuse_router(path: str, *, dir_fd: int | None = None) -> None:
        if os.fspath(path).endswith("router.py"):
            raise PermissionError(13, "Permission denied", path)
        unlink(path, dir_fd=dir_fd)

    monkeypatch.setattr(os, "unlink", refuse_router)

    message = _fail(project, "delete_file", path="src", recursive=True)

    assert message == "cannot delete 'router.py': Permission denied; 1 file below 'src' is gone already"
    assert (project / "src/router.py").exists()


def test_a_cancelled_deletion_stops(project: Path) -> None:
    before = snapshot(project)

    with pytest.raises(ToolFailure, match="cancelled; 0 files below 'src' are gone"):
        delete_whole(project / "src", _context(project, cancelled=True))

    assert snapshot(project) == before


def test_counting_for_a_question_ends_at_a_limit(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_tree, "COUNTED_ENTRIES", 2)

    extent = measure(project)

    assert not extent.complete
    assert str(extent).startswith("more than ")


# make_folder


def test_a_folder_is_made_once(project: Path) -> None:
    assert _do(project, "make_folder", path="new").created
    assert not _do(project, "make_folder", path="new").created
    assert (project / "new").is_dir()


def test_folders_above_are_made_only_when_asked(project: Path) -> None:
    assert "create_folders=true" in _fail(project, "make_folder", path="a/b/c")
    assert _do(project, "make_folder", path="a/b/c", create_folders=True).path == "a/b/c"


def test_a_file_in_the_way_of_a_folder_is_named(project: Path) -> None:
    assert "a file has that name" in _fail(project, "make_folder", path="README.md")
    assert "'README.md' is a file" in _fail(project, "make_folder", path="README.md/x")
