"""Searching a folder of texts, where every file is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import result_of
from tools.catalog.knowledge import FolderKnowledge


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lamps.md").write_text(
        "# Lamps\n\nA lamp gives light.\n\n## Dimmers\n\nA dimmer makes a lamp darker.\n", encoding="utf-8"
    )
    (tmp_path / "heaters.md").write_text("# Heaters\n\nA heater gives warmth, and a lamp some.\n", encoding="utf-8")
    (tmp_path / "doors.txt").write_text("A door opens and closes.\n", encoding="utf-8")
    return tmp_path


def run(folder: Path, name: str, **arguments: Any) -> Any:
    return result_of(FolderKnowledge(), name, arguments, folder)


def test_the_passage_with_all_words_is_found_with_its_place(folder: Path) -> None:
    found = run(folder, "search_texts", question="dimmers")

    (passage,) = found.passages
    assert (passage.path, passage.heading, found.all_words) == ("lamps.md", "Dimmers", True)
    assert "A dimmer makes a lamp darker." in passage.text
    assert passage.score > 0


def test_words_that_never_meet_are_found_apart(folder: Path) -> None:
    found = run(folder, "search_texts", question="door warmth")

    assert not found.all_words
    assert {passage.path for passage in found.passages} == {"doors.txt", "heaters.md"}
    assert run(folder, "search_texts", question="umbrella").passages == ()


def test_only_the_wanted_files_are_searched(folder: Path) -> None:
    assert run(folder, "search_texts", question="door", files="*.md").passages == ()
    assert [one.path for one in run(folder, "search_texts", question="door", files="*.txt").passages] == ["doors.txt"]


def test_a_changed_file_is_read_anew(folder: Path) -> None:
    kit = FolderKnowledge()
    assert result_of(kit, "search_texts", {"question": "window"}, folder).passages == ()
    (folder / "windows.md").write_text("A window lets light in.\n", encoding="utf-8")
    assert [one.path for one in result_of(kit, "search_texts", {"question": "window"}, folder).passages] == [
        "windows.md"
    ]


def test_a_text_like_one_is_another_file(folder: Path) -> None:
    found = run(folder, "find_similar_texts", path="lamps.md")

    assert found.passages[0].path == "heaters.md"
    assert "lamps.md" not in {one.path for one in found.passages}


def test_keywords_are_what_other_files_lack(folder: Path) -> None:
    assert "dimmer" in run(folder, "extract_keywords", path="lamps.md", count=3)
    assert "door" in run(folder, "extract_keywords", path="doors.txt", count=3)
