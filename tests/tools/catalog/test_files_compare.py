"""Files compared, renamed and watched."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, dry_run_of, refusal_of, result_of
from tools.catalog.files import Files


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "a/sub").mkdir(parents=True)
    (folder / "b/sub").mkdir(parents=True)
    for name, text in {
        "a/same": "1",
        "b/same": "1",
        "a/sub/x": "12",
        "b/sub/x": "21",
        "a/left": "",
        "b/right": "",
    }.items():
        (folder / name).write_text(text)
    (folder / "a/link").symlink_to("same")
    (folder / "b/link").symlink_to("right")
    return folder


def run(project: Path, tool: str, files: Files | None = None, /, **arguments: Any) -> Any:
    return result_of(files or Files(), tool, arguments, project, Reviewer())


def fail(project: Path, tool: str, **arguments: Any) -> str:
    return refusal_of(Files(), tool, arguments, project)


def test_folders_are_compared_by_content(project: Path) -> None:
    found = run(project, "compare_folders", left="a", right="b")

    assert (found.only_left, found.only_right, found.different) == (["left"], ["right"], ["link", "sub/x"])
    assert found.identical == 1
    assert run(project, "compare_folders", left="a", right="b", by="size").different == ["link"]
    assert run(project, "compare_folders", left="a", right="b", max_entries=1).truncated


def test_duplicates_are_found_whatever_they_are_called(project: Path) -> None:
    for name in ("a/big", "b/other", "third"):
        (project / name).write_bytes(b"x" * 100_000 + b"end")
    (project / "b/almost").write_bytes(b"x" * 100_000 + b"END")
    os.link(project / "a/big", project / "hard")

    found = run(project, "find_duplicate_files", min_size_bytes=10)

    assert [group.paths for group in found.groups] == [["hard", "third", "b/other"]]
    assert found.wasted_bytes == 2 * 100_003


def test_files_are_checked_against_a_list(project: Path) -> None:
    good = hashlib.sha256(b"1").hexdigest()
    md5 = hashlib.md5(b"12", usedforsecurity=False).hexdigest()
    lines = [f"{good}  a/same", f"MD5 (a/sub/x) = {md5}", f"{good} *b/sub/x", f"{good}  none", f"{good}  ../x"]
    (project / "SUMS").write_text("# a comment\n" + "\n".join(lines) + "\n")

    found = run(project, "verify_checksums", list_file="SUMS")

    assert (found.listed, found.good) == (5, 2)
    assert [(bad.path, bad.problem) for bad in found.bad] == [
        ("b/sub/x", "different"),
        ("none", "missing"),
        ("../x", "outside"),
    ]
    (project / "SUMS").write_text("no checksum\n")
    assert "line 1 of 'SUMS'" in fail(project, "verify_checksums", list_file="SUMS")


def test_files_are_renamed_by_a_pattern_and_can_exchange_names(project: Path) -> None:
    (project / "1.txt").write_text("one")
    (project / "2.txt").write_text("two")
    arguments = {"path": ".", "find": r"^(\w)\.txt$", "replacement": r"Image-\1.txt", "case": "upper"}

    found = dry_run_of(Files(), "rename_files", arguments, project)
    assert found.items == ("1.txt → IMAGE-1.TXT", "2.txt → IMAGE-2.TXT")
    assert run(project, "rename_files", **arguments).count == 2
    run(project, "rename_files", path=".", find=r"IMAGE-1|IMAGE-2", replacement="x", include=["*1.TXT"])

    assert (project / "x.TXT").read_text() == "one"
    assert sorted(path.name for path in project.iterdir()) == ["IMAGE-2.TXT", "a", "b", "x.TXT"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"path": "a", "find": "same|left", "replacement": "x"}, "would both become 'a/x'"),
        ({"path": "a", "find": "left", "replacement": "same"}, "'a/same' exists already"),
        ({"path": "a", "find": "left", "replacement": "../x"}, "no name of a file"),
        ({"path": "a", "find": "left", "replacement": ".envrc"}, "which decides what may run"),
        ({"path": "a", "find": "none", "replacement": "x"}, "changes the name of no file"),
        ({"path": "a", "find": "(", "replacement": "x"}, "no regular expression"),
        ({"path": "a", "find": "left", "replacement": r"\1"}, "cannot replace"),
    ],
)
def test_names_that_cannot_be_are_refused(project: Path, arguments: dict[str, Any], said: str) -> None:
    assert said in fail(project, "rename_files", **arguments)


class Clock:
    """Let time pass at each pause, and something happen meanwhile."""

    def __init__(self, *happening: Any) -> None:
        self.now = 0.0
        self._happening = list(happening)

    async def pause(self, seconds: float) -> None:
        self.now += seconds
        if self._happening:
            self._happening.pop(0)()

    def files(self) -> Files:
        return Files(self.pause, lambda: self.now)


@pytest.mark.parametrize(
    ("until", "happening", "line"),
    [
        ("exists", ["", "x"], None),
        ("changes", ["x"], None),
        ("contains", ["no\n", "no\nserver is rea", "no\nserver is ready\n"], "server is ready"),
        ("contains", ["a long one without it\n", "ready\n"], "ready"),
        ("settles", ["1", "12", "12"], None),
    ],
)
def test_a_file_is_waited_for(project: Path, until: str, happening: list[str], line: str | None) -> None:
    path = project / "log"
    clock = Clock(*(lambda text=text: path.write_text(text) for text in happening if text))
    pattern = {"pattern": "ready"} if line else {}

    found = run(project, "watch_file", clock.files(), path="log", until=until, **pattern)

    assert (found.happened, found.line) == (True, line)


def test_waiting_ends_when_the_time_is_over(project: Path) -> None:
    clock = Clock()

    found = run(project, "watch_file", clock.files(), path="none", until="exists", timeout_s=10)

    assert (found.happened, found.waited_s, found.size_bytes) == (False, 10.0, None)
    assert "expected pattern" in fail(project, "watch_file", path="a", until="contains")
