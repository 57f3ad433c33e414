"""The tools that look at files, on real ones."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call, failure_of, result_of
from tools import CallStatus, ExitEarly, ToolFailure
from tools.catalog._bounds import ProgressThrottle, Skipped, readable_size
from tools.catalog._walking import walk
from tools.catalog.files import Files


def _names(entries: list[Any]) -> list[str]:
    return [entry.path for entry in entries]


def test_a_folder_is_listed_in_order_without_what_git_ignores(project: Path) -> None:
    listing = result_of(Files, "list_files", {}, project)

    assert _names(listing.entries) == [".gitignore", "CHANGES.md", "README.md", "data", "docs", "logo.png", "src"]
    kinds = {entry.path: (entry.kind.value, entry.size_bytes) for entry in listing.entries}
    assert kinds["src"] == ("folder", None)
    assert kinds["README.md"] == ("file", (project / "README.md").stat().st_size)
    assert not listing.truncated


def test_a_recursive_listing_goes_all_the_way_down(project: Path) -> None:
    listing = result_of(Files, "list_files", {"path": "src", "recursive": True}, project)

    assert _names(listing.entries) == ["src/deep", "src/router.py", "src/deep/memory.py"]


def test_a_listing_shows_ignored_files_on_request(project: Path) -> None:
    listing = result_of(Files, "list_files", {"skip_ignored": False}, project)

    assert {"build", "note.tmp"} <= set(_names(listing.entries))


def test_a_cut_listing_says_so(project: Path) -> None:
    response = call(Files, "list_files", {"recursive": True, "max_entries": 2}, project)

    assert response.result.truncated
    assert len(response.result.entries) == 2
    assert [entry.level for entry in response.logs] == ["warning"]


def test_a_nested_gitignore_overrides_the_one_above(project: Path) -> None:
    (project / "docs/.gitignore").write_text("!kept.tmp\n", encoding="utf-8")
    for name in ("kept.tmp", "lost.tmp"):
        (project / "docs" / name).touch()

    listing = result_of(Files, "list_files", {"path": "docs"}, project)

    assert _names(listing.entries) == ["docs/.gitignore", "docs/guide.md", "docs/kept.tmp"]


def test_a_line_of_a_gitignore_that_is_no_pattern_spoils_no_other(project: Path) -> None:
    (project / ".gitignore").write_text("a\\\nbuild/\n!\n*.tmp\n", encoding="utf-8")

    names = _names(result_of(Files, "list_files", {}, project).entries)

    assert "build" not in names
    assert "note.tmp" not in names


def test_an_ignored_folder_that_is_named_is_listed(project: Path) -> None:
    assert _names(result_of(Files, "list_files", {"path": "build"}, project).entries) == ["build/out.log"]


def test_a_name_that_is_no_text_is_listed_all_the_same(project: Path) -> None:
    Path(os.fsdecode(bytes(project / "docs") + b"/\xff\xc3\xab.md")).touch()

    response = call(Files, "list_files", {"path": "docs"}, project)

    assert [entry["path"] for entry in response.json_result["entries"]] == ["docs/guide.md", "docs/\ufffdë.md"]


def test_links_are_listed_and_never_walked_into(project: Path) -> None:
    (project / "loop").symlink_to(project)
    listing = result_of(Files, "list_files", {"recursive": True}, project)

    links = [(entry.path, entry.kind.value) for entry in listing.entries if entry.path.startswith("loop")]
    assert links == [("loop", "link")]


def test_a_file_is_read_with_its_facts(project: Path) -> None:
    read = result_of(Files, "read_file", {"path": "README.md"}, project)

    assert read.text == "# Sample\n\nThe licence is free.\nLicensed to all.\n"
    assert (read.encoding, read.first_line, read.last_line, read.total_lines) == ("utf-8", 1, 4, 4)
    assert not read.truncated


def test_some_lines_of_a_file_are_read(project: Path) -> None:
    read = result_of(Files, "read_file", {"path": "README.md", "first_line": 2, "last_line": 3}, project)

    assert (read.text, read.last_line, read.total_lines) == ("\nThe licence is free.\n", 3, 4)


def test_reading_ends_at_whole_lines_and_says_where_to_go_on(project: Path) -> None:
    response = call(Files, "read_file", {"path": "README.md", "max_chars": 12}, project)

    assert (response.result.text, response.result.last_line, response.result.truncated) == ("# Sample\n\n", 2, True)
    assert "first_line=3" in response.logs[0].text


def test_a_line_longer_than_the_limit_is_cut(project: Path) -> None:
    (project / "long.txt").write_text("x" * 200_000 + "\nlast\n", encoding="utf-8")

    read = result_of(Files, "read_file", {"path": "long.txt", "max_chars": 70_000}, project)

    assert (len(read.text), read.last_line, read.total_lines, read.truncated) == (70_000, 1, 2, True)


@pytest.mark.parametrize(
    ("content", "encoding", "text"),
    [
        (b"", "utf-8", ""),
        ("Zoë".encode(), "utf-8", "Zoë"),
        (b"\xef\xbb\xbfZo\xc3\xab", "utf-8-sig", "Zoë"),
        ("Zoë".encode("utf-16"), "utf-16", "Zoë"),
        ("id;name\r\n1;Zoë\r\n".encode("cp1252"), "cp1252", "id;name\r\n1;Zoë\r\n"),
        ("Привет, как дела? Это текст на русском языке.".encode("cp1251"), "cp1251", None),
    ],
    ids=["empty", "utf-8", "bom", "utf-16", "cp1252", "cp1251"],
)
def test_the_encoding_is_found_out(project: Path, content: bytes, encoding: str, text: str | None) -> None:
    (project / "some.txt").write_bytes(content)

    read = result_of(Files, "read_file", {"path": "some.txt"}, project)

    assert (read.encoding, read.text) == (encoding, content.decode(encoding) if text is None else text)


def test_bytes_that_do_not_fit_a_given_encoding_are_told(project: Path) -> None:
    (project / "some.txt").write_bytes(b"Zo\xeb")

    response = call(Files, "read_file", {"path": "some.txt", "encoding": "utf-8"}, project)

    assert response.result.text == "Zo\ufffd"
    assert "not utf-8" in response.logs[0].text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"path": "REDME.md"}, "did you mean 'README.md'?"),
        ({"path": "scr/router.py"}, "did you mean 'src'?"),
        ({"path": "qqq"}, "list_files shows what is in the project folder"),
        ({"path": "src"}, "expected a file, but 'src' is a folder"),
        ({"path": "logo.png"}, "no text file"),
        ({"path": "README.md", "encoding": "klingon"}, "no text encoding"),
        ({"path": "README.md", "encoding": "base64"}, "no text encoding"),
        ({"path": "README.md", "first_line": 9}, "has 4 lines, but first_line is 9"),
        ({"path": "README.md", "first_line": 3, "last_line": 2}, "at least first_line (3)"),
    ],
)
def test_what_cannot_be_read_fails_with_advice(project: Path, arguments: dict[str, Any], words: str) -> None:
    assert words in failure_of(Files, "read_file", arguments, project)


def test_a_pipe_is_not_waited_for(project: Path) -> None:
    os.mkfifo(project / "pipe")

    assert "device, pipe or socket" in failure_of(Files, "read_file", {"path": "pipe"}, project)


@pytest.mark.parametrize(
    ("pattern", "more", "found"),
    [
        ("*.py", {}, ["src/router.py", "src/deep/memory.py"]),
        ("docs/**", {}, ["docs/guide.md"]),
        ("deep", {"kind": "folder"}, ["src/deep"]),
        ("*.log", {}, []),
        ("*.log", {"skip_ignored": False}, ["build/out.log"]),
        ("memory.py", {"path": "src"}, ["src/deep/memory.py"]),
    ],
)
def test_files_are_found_by_pattern(project: Path, pattern: str, more: dict[str, Any], found: list[str]) -> None:
    assert _names(result_of(Files, "find_files", {"pattern": pattern, **more}, project).entries) == found


@pytest.mark.parametrize("pattern", ["# x", " ", "!", "a\\"])
def test_what_is_no_pattern_is_refused(project: Path, pattern: str) -> None:
    assert "is no pattern for paths" in failure_of(Files, "find_files", {"pattern": pattern}, project)


def test_facts_of_a_file_a_folder_and_a_link(project: Path) -> None:
    (project / "link").symlink_to("README.md")

    file, folder, link, picture = (
        result_of(Files, "file_info", {"path": path}, project) for path in ("README.md", "src", "link", "logo.png")
    )

    assert (file.kind.value, file.encoding, file.lines, file.mime_type) == ("file", "utf-8", 4, "text/markdown")
    assert (folder.kind.value, folder.entries, folder.lines) == ("folder", 2, None)
    assert (link.kind.value, link.link_target, link.encoding) == ("link", "README.md", None)
    assert (picture.mime_type, picture.encoding, picture.lines) == ("image/png", None, None)


@pytest.mark.parametrize("algorithm", ["sha256", "sha512", "sha1", "md5", "blake2b"])
def test_a_file_is_hashed(project: Path, algorithm: str) -> None:
    digest = result_of(Files, "hash_file", {"path": "README.md", "algorithm": algorithm}, project)

    assert digest.digest == hashlib.new(algorithm, (project / "README.md").read_bytes()).hexdigest()


def test_the_largest_files_come_first(project: Path) -> None:
    (project / "big.bin").write_bytes(b"x" * 5000)
    (project / "src/small.bin").write_bytes(b"x" * 2000)

    found = result_of(Files, "find_large_files", {"count": 2, "min_size_bytes": 1000, "path": "."}, project)

    sizes = sorted((path.stat().st_size for path in project.rglob("*") if path.is_file()), reverse=True)
    assert [file.size_bytes for file in found.files] == sizes[:2]
    assert (found.files_seen, found.total_bytes) == (len(sizes), sum(sizes))
    assert "big.bin" in [file.path for file in found.files]


def test_a_cancelled_walk_ends_at_the_next_folder(project: Path) -> None:
    ctx: Any = SimpleNamespace(cancelled=False, project_dir=project)
    walking = walk(project, ctx, skip_ignored=False, skipped=Skipped(ctx))
    next(walking)
    ctx.cancelled = True

    with pytest.raises(ToolFailure, match="cancelled"):
        list(walking)


def test_work_is_reported_now_and_then_and_stops_when_cancelled() -> None:
    reports: list[tuple[float, float | None, str]] = []
    ctx: Any = SimpleNamespace(cancelled=False, progress=lambda *report: reports.append(report))
    times = iter([0.0, 0.05, 0.11, 0.15, 0.3])
    pace = ProgressThrottle(ctx, 10, clock=lambda: next(times))

    for _ in range(4):
        pace.step(2, "x")
    ctx.cancelled = True

    assert reports == [(4, 10, "x"), (8, 10, "x")]
    with pytest.raises(ToolFailure, match="cancelled"):
        pace.step()


@pytest.mark.parametrize(
    ("size_bytes", "words"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (999_949, "999.9 kB"),
        (999_950, "1.0 MB"),
        (2_100_000, "2.1 MB"),
        (10**19, "10000.0 PB"),
    ],
)
def test_sizes_are_written_for_people(size_bytes: int, words: str) -> None:
    assert readable_size(size_bytes) == words


@pytest.mark.parametrize("path", ["../outside.txt", "src/../../outside.txt", "leak.txt", "leak/outside.txt"])
def test_reading_outside_the_project_asks_first(project: Path, path: str) -> None:
    outside = project.parent / "outside.txt"
    outside.write_text("secret", encoding="utf-8")
    (project / "leak.txt").symlink_to(outside)
    (project / "leak").symlink_to(project.parent)
    deny, allow = Reviewer(ExitEarly("no")), Reviewer()

    denied = call(Files, "read_file", {"path": path}, project, deny)
    allowed = call(Files, "read_file", {"path": path}, project, allow)

    assert denied.status is CallStatus.DENIED
    assert "secret" not in denied.text
    assert deny.kinds == allow.kinds == ["outside_project"]
    assert allowed.result.text == "secret"


@pytest.mark.parametrize("path", ["README.md", "./src/../README.md", "inner.md"])
def test_reading_inside_the_project_asks_nobody(project: Path, path: str) -> None:
    (project / "inner.md").symlink_to("README.md")
    reviewer = Reviewer()

    read = result_of(Files, "read_file", {"path": path}, project, reviewer)

    assert read.text.startswith("# Sample")
    assert reviewer.requests == []


def test_a_project_folder_with_dots_in_its_path_is_the_same_folder(project: Path) -> None:
    reviewer = Reviewer()

    listing = result_of(Files, "list_files", {"path": "src"}, project / "docs" / "..", reviewer)

    assert listing.path == "src"
    assert reviewer.requests == []


def test_files_are_found_by_the_time_they_changed(project: Path) -> None:
    os.utime(project / "README.md", (0, 86_400))
    old = {"pattern": "*.md", "modified_before": "1980-01-01T00:00:00Z"}

    assert _names(result_of(Files, "find_files", old, project).entries) == ["README.md"]
    new = {"pattern": "*.md", "modified_since": "1980-01-01T00:00:00Z"}
    assert _names(result_of(Files, "find_files", new, project).entries) == ["CHANGES.md", "docs/guide.md"]
