"""Which built-in tools a person sees first."""

from __future__ import annotations

import os
import sys
from itertools import combinations
from pathlib import Path

import pytest

from tools.catalog import builtin_tools
from tools.chosen_tools import ALWAYS, FEWEST, FURTHER, KINDS, MOST, choose_tools


def put(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        ((".git/HEAD",), "git_status"),
        (("src/app/main.py",), "outline_file"),
        (("pyproject.toml",), "run_tests"),
        (("data/Orders.CSV",), "profile_table"),
        (("data/shop.sqlite",), "query_database"),
        (("config.yaml",), "edit_data"),
        (("paper.pdf",), "read_pdf"),
        (("letter.docx",), "read_docx"),
        (("budget.xlsx",), "read_xlsx"),
        (("docs/index.md",), "outline_document"),
        (("photo.JPG",), "image_info"),
        (("talk.mp3",), "media_info"),
        (("server.log",), "summarize_log"),
        (("old.zip",), "extract_archive"),
        (("welcome.eml",), "read_email_file"),
        (("team.ics",), "plan_meeting"),
        (("server.pem",), "read_certificate"),
        ((".gitlab-ci.yml",), "list_ci_runs"),
    ],
)
def test_what_a_folder_holds_brings_its_tools(tmp_path: Path, names: tuple[str, ...], wanted: str) -> None:
    assert wanted not in choose_tools(tmp_path)
    put(tmp_path, *names)

    chosen = choose_tools(tmp_path)

    assert wanted in chosen
    assert set(ALWAYS) <= set(chosen)


def test_from_20_to_40_tools_are_chosen_whatever_comes_together(tmp_path: Path) -> None:
    assert FEWEST <= len(choose_tools(None)) <= MOST
    for number, kinds in enumerate([*combinations(KINDS, 1), *combinations(KINDS, 3), KINDS]):
        folder = tmp_path / str(number)
        put(folder, *(kind.patterns[0].replace("*", "one") for kind in kinds))

        chosen = choose_tools(folder)

        assert FEWEST <= len(chosen) <= MOST
        assert len(set(chosen)) == len(chosen)
        assert all(kind.tools[0] in chosen for kind in kinds)


def test_every_tool_that_can_be_chosen_is_built_in() -> None:
    named = {*ALWAYS, *FURTHER, *(name for kind in KINDS for name in kind.tools)}

    # `tool_search` comes with the registry that it searches.
    assert named - {tool.name for tool in builtin_tools()} == {"tool_search"}


def test_only_the_top_levels_are_looked_at(tmp_path: Path) -> None:
    put(tmp_path, "one/two/three/deep.csv", "node_modules/left.sqlite", ".venv/lib.pdf")

    assert not {"profile_table", "query_database", "read_pdf"} & set(choose_tools(tmp_path))


def test_a_folder_that_cannot_be_listed_is_as_an_empty_one(tmp_path: Path) -> None:
    assert choose_tools(tmp_path / "gone") == choose_tools(None)


@pytest.mark.skipif(sys.platform == "win32" or not hasattr(os, "symlink"), reason="links need rights there")
def test_a_folder_that_links_to_itself_ends(tmp_path: Path) -> None:
    put(tmp_path, "data/orders.csv")
    (tmp_path / "data" / "again").symlink_to(tmp_path)

    assert "profile_table" in choose_tools(tmp_path)


def test_a_folder_of_very_many_files_is_looked_at_only_in_part(tmp_path: Path) -> None:
    put(tmp_path, *(f"{number}.dat" for number in range(2_500)), "later/orders.csv")

    assert len(choose_tools(tmp_path)) == FEWEST
