"""Files that are written as a whole."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.atomic_write import write_whole


def test_a_file_and_its_folder_are_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "plan.yaml"
    write_whole(path, "a: ä\r\n")

    assert path.read_bytes() == "a: ä\r\n".encode()
    assert list(path.parent.iterdir()) == [path]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept", "utf-8")
    with pytest.raises(NotADirectoryError, match="Not a directory"):
        write_whole(tmp_path / "file" / "plan.yaml", "a")
    assert (tmp_path / "file").read_text("utf-8") == "kept"


@pytest.mark.skipif(sys.platform == "win32", reason="rights and links are otherwise there")
def test_rights_and_links_stay(tmp_path: Path) -> None:
    kept, link = tmp_path / "kept.toml", tmp_path / "link.toml"
    kept.write_text("old", encoding="utf-8")
    kept.chmod(0o644)
    link.symlink_to(kept)

    write_whole(link, "new")

    assert link.is_symlink()
    assert kept.read_text(encoding="utf-8") == "new"
    assert kept.stat().st_mode & 0o777 == 0o644


def test_what_cannot_be_written_leaves_the_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "kept.toml"
    path.write_text("old", encoding="utf-8")

    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "\ud800")

    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]
