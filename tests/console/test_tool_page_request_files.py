"""Saved requests as files of a project."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from console.tool_page.request_files import REQUESTS_FOLDER, RequestError, RequestFiles, SavedRequest, place_problem


def _request(place: str, tool: str = "refund", **arguments: object) -> SavedRequest:
    return SavedRequest(place, tool, arguments)


def _places(files: RequestFiles, tool: str = "refund") -> list[str]:
    return [request.place for request in files.of(tool)]


def test_a_request_is_plain_json_that_reads_well_in_a_diff(tmp_path: Path) -> None:
    RequestFiles(tmp_path).save(_request("billing/Größe", size="ä", count=12345678901234567890))

    path = tmp_path / REQUESTS_FOLDER / "billing" / "Größe.json"
    text = path.read_text("utf-8")
    assert json.loads(text) == {"tool": "refund", "arguments": {"size": "ä", "count": 12345678901234567890}}
    assert text.startswith('{\n  "tool": "refund",\n  "arguments": {\n    "size": "ä"')
    assert text.endswith("}\n")
    assert [found.name for found in path.parent.iterdir()] == ["Größe.json"]


def test_what_is_saved_is_found_again_by_its_tool(tmp_path: Path) -> None:
    files = RequestFiles(tmp_path)
    assert files.of("refund") == ()
    files.save(_request("b", order="A-1"))
    files.save(_request("billing/a", order="A-2"))
    files.save(_request("other", tool="search"))

    assert files.of("refund") == (_request("b", order="A-1"), _request("billing/a", order="A-2"))
    assert (files.of("refund")[1].folder, files.of("refund")[1].name) == ("billing", "a")
    assert _places(files, "search") == ["other"]


def test_a_taken_place_is_replaced_only_on_purpose(tmp_path: Path) -> None:
    files = RequestFiles(tmp_path)
    files.save(_request("Lost", order=1))
    with pytest.raises(RequestError, match="a request 'Lost' is there already"):
        files.save(_request("lost", order=2))

    files.save(_request("Lost", order=3), replace=True)
    assert files.of("refund") == (_request("Lost", order=3),)


def test_a_request_moves_between_folders_and_empty_ones_go(tmp_path: Path) -> None:
    files = RequestFiles(tmp_path)
    files.save(_request("old/deep/one"))
    files.save(_request("two"))
    with pytest.raises(RequestError, match="'two' is there already"):
        files.rename("old/deep/one", "two")

    files.rename("old/deep/one", "new/one")
    files.rename("two", "Two")

    assert sorted(_places(files)) == ["Two", "new/one"]
    assert not (tmp_path / REQUESTS_FOLDER / "old").exists()


def test_a_deleted_request_comes_back_as_it_was(tmp_path: Path) -> None:
    files = RequestFiles(tmp_path)
    files.save(_request("billing/a", order="A-1"))
    path = tmp_path / REQUESTS_FOLDER / "billing" / "a.json"
    path.write_bytes(before := path.read_bytes() + b"\n\xff")

    text = files.delete("billing/a")
    assert _places(files) == []
    assert not path.parent.exists()
    files.restore("billing/a", text)

    assert path.read_bytes() == before
    with pytest.raises(RequestError, match="is there already"):
        files.restore("billing/a", text)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{", "the file is no JSON object: line 1, column 2"),
        (b"[]", "the file is no JSON object: line 1, column 1"),
        (b'{"tool": "refund"}', 'expected {"tool": …, "arguments": {…}}'),
        (b'{"tool": 1, "arguments": {}}', 'expected {"tool": …, "arguments": {…}}'),
        (b"\xff", "expected text in UTF-8"),
        (b" " * 5_000_001, "expected at most 5,000,000 bytes"),
    ],
)
def test_a_file_that_cannot_be_read_is_listed_with_the_reason(tmp_path: Path, content: bytes, problem: str) -> None:
    folder = tmp_path / REQUESTS_FOLDER
    folder.mkdir(parents=True)
    (folder / "broken.json").write_bytes(content)

    (found,) = RequestFiles(tmp_path).of("refund")
    assert found.place == "broken"
    assert found.problem.startswith(problem)


@pytest.mark.parametrize(
    "place", ["", " ", "a//b", "/a", "a/", " a", ".hidden", "a/../b", "..", "a.", "a:b", "a\\b", "nul", "x" * 81]
)
def test_a_name_that_not_every_system_can_have_is_refused(tmp_path: Path, place: str) -> None:
    assert place_problem(place)
    with pytest.raises(RequestError):
        RequestFiles(tmp_path).save(_request(place))
    assert list(tmp_path.iterdir()) == []


def test_a_name_of_words_is_fine() -> None:
    assert [place_problem(place) for place in ("lost order", "billing/2026/Größe & co", "v1.2")] == ["", "", ""]
    assert "7 folders" in place_problem("/".join("abcdefghi"))


@pytest.mark.skipif(os.name == "nt", reason="links need a right of their own there")
def test_a_link_of_a_foreign_project_leads_nothing_elsewhere(tmp_path: Path) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "own.json").write_text('{"tool": "refund", "arguments": {}}')
    (project / REQUESTS_FOLDER).mkdir(parents=True)
    (project / REQUESTS_FOLDER / "out").symlink_to(elsewhere)
    (project / REQUESTS_FOLDER / "one.json").symlink_to(elsewhere / "own.json")
    files = RequestFiles(project)

    assert _places(files) == []
    with pytest.raises(RequestError, match="lies outside the project"):
        files.save(_request("out/new"))
    assert [found.name for found in elsewhere.iterdir()] == ["own.json"]


def test_what_the_disk_refuses_is_said(tmp_path: Path) -> None:
    (tmp_path / ".tool-console").write_text("not a folder")
    files = RequestFiles(tmp_path)

    with pytest.raises(RequestError, match="cannot be written"):
        files.save(_request("a"))
    with pytest.raises(RequestError, match="'a' cannot be deleted"):
        files.delete("a")
    with pytest.raises(RequestError, match="'a' cannot be renamed"):
        files.rename("a", "b")
