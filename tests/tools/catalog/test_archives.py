"""Archives: what goes in comes out, and what must not come out does not."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, dry_run_of, refusal_of, result_of
from tools import DryRun
from tools.catalog.archives import Archives


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "src/deep").mkdir(parents=True)
    (folder / "src/run.sh").write_text("#!/bin/sh\n")
    (folder / "src/run.sh").chmod(0o755)
    (folder / "src/deep/ä.txt").write_text("a\n" * 1000)
    (folder / "src/link").symlink_to("run.sh")
    return folder


def run(project: Path, tool: str, **arguments: Any) -> Any:
    return result_of(Archives(), tool, arguments, project, Reviewer())


def fail(project: Path, tool: str, **arguments: Any) -> str:
    return refusal_of(Archives(), tool, arguments, project)


def look(project: Path, tool: str, **arguments: Any) -> DryRun:
    return dry_run_of(Archives(), tool, arguments, project)


@pytest.mark.parametrize("suffix", ["zip", "tar", "tar.gz", "tar.bz2", "tar.xz"])
def test_what_is_packed_is_unpacked(project: Path, suffix: str) -> None:
    target = f"out.{suffix}"

    packed = run(project, "create_archive", sources=["src"], target=target)
    listed = run(project, "list_archive", archive=target)
    unpacked = run(project, "extract_archive", archive=target, target="again")

    assert (packed.files, packed.skipped, packed.format, listed.format) == (2, 1, suffix, suffix)
    assert {member.name for member in listed.members} == {"src/run.sh", "src/deep/ä.txt"}
    assert (unpacked.files, unpacked.size_bytes) == (2, 2010)
    assert (project / "again/src/deep/ä.txt").read_text() == "a\n" * 1000
    assert (project / "again/src/run.sh").stat().st_mode & stat.S_IXUSR
    assert not list(project.glob(".*part"))


def hostile_tar(path: Path) -> None:
    with tarfile.open(path, "w") as archive:
        for name in ("good.txt", "/etc/evil", "../evil", "a/../../evil", "C:\\evil", "good.txt"):
            info = tarfile.TarInfo(name)
            info.size = 2
            archive.addfile(info, io.BytesIO(b"x\n"))
        for kind, name in ((tarfile.SYMTYPE, "link"), (tarfile.LNKTYPE, "hard"), (tarfile.CHRTYPE, "device")):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)


def test_nothing_leaves_the_folder(project: Path) -> None:
    hostile_tar(project / "bad.tar")

    found = look(project, "extract_archive", archive="bad.tar", target="out")
    unpacked = run(project, "extract_archive", archive="bad.tar", target="out")

    assert found.items == ("good.txt",)
    assert "8 entries left out" in found.warnings[0]
    assert sorted(path.name for path in (project / "out").iterdir()) == ["good.txt"]
    assert unpacked.refused_count == 8
    assert unpacked.refused[:2] == ["/etc/evil: its path is absolute", "../evil: its path leads out of the archive"]
    assert not (project / "evil").exists()


def test_what_decides_what_may_run_is_not_unpacked_by_the_way(project: Path) -> None:
    with zipfile.ZipFile(project / "x.zip", "w") as archive:
        for name in ("good.txt", ".git/hooks/pre-commit", ".envrc"):
            archive.writestr(name, "x")

    unpacked = run(project, "extract_archive", archive="x.zip", target="src", overwrite=True)

    assert (unpacked.files, unpacked.refused_count) == (1, 2)
    assert not (project / "src/.envrc").exists()
    assert "which decides what may run" in unpacked.refused[0]


def test_a_link_in_the_target_leads_nowhere(project: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (project / "out").mkdir()
    (project / "out/sub").symlink_to(tmp_path / "outside")
    with zipfile.ZipFile(project / "x.zip", "w") as archive:
        archive.writestr("sub/evil", "x")

    assert "is a link that leaves" in fail(project, "extract_archive", archive="x.zip", target="out", overwrite=True)
    assert list((tmp_path / "outside").iterdir()) == []


@pytest.mark.parametrize("suffix", ["zip", "tar.gz"])
def test_a_bomb_is_stopped_and_leaves_nothing(project: Path, suffix: str) -> None:
    (project / "big.bin").write_bytes(bytes(3_000_000))
    run(project, "create_archive", sources=["big.bin"], target=f"bomb.{suffix}")
    arguments = {"archive": f"bomb.{suffix}", "target": "out", "max_size_bytes": 1_000_000}

    assert "unpacks to" in look(project, "extract_archive", **arguments).warnings[0]
    assert "unpacks to more than 1.0 MB" in fail(project, "extract_archive", **arguments)


def test_files_are_replaced_only_when_that_is_asked_for(project: Path) -> None:
    run(project, "create_archive", sources=["src"], target="out.zip")
    (project / "src/run.sh").write_text("mine\n")

    assert "has 'src/run.sh' already, and 1 more" in fail(project, "extract_archive", archive="out.zip", target=".")
    found = look(project, "extract_archive", archive="out.zip", target=".", overwrite=True, include=["*.sh"])
    assert found.warnings == ("1 file in . will be replaced.",)
    run(project, "extract_archive", archive="out.zip", target=".", overwrite=True, include=["*.sh"])

    assert (project / "src/run.sh").read_text() == "#!/bin/sh\n"


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("list_archive", {"archive": "src/run.sh"}, "is no zip or tar archive"),
        ("list_archive", {"archive": "broken.zip"}, "is broken"),
        ("list_archive", {"archive": "broken.tar.gz"}, "is broken"),
        ("extract_archive", {"archive": "locked.zip", "target": "out"}, "no file that is wanted and harmless"),
        ("extract_archive", {"archive": "locked.zip", "target": "src/run.sh"}, "expected a folder"),
        ("create_archive", {"sources": ["src"], "target": "x.rar"}, "ends in .zip"),
        ("create_archive", {"sources": ["src/link"], "target": "x.zip"}, "no file to pack"),
        ("create_archive", {"sources": ["src", "other/src"], "target": "x.zip"}, "would both be 'src/run.sh'"),
        ("create_archive", {"sources": ["src"], "target": "broken.zip"}, "exists already"),
        ("create_archive", {"sources": ["none"], "target": "x.zip"}, "does not exist"),
    ],
)
def test_what_cannot_be_done_is_told(project: Path, tool: str, arguments: dict[str, Any], said: str) -> None:
    (project / "broken.zip").write_bytes(b"PK\x03\x04 and no more")
    (project / "broken.tar.gz").write_bytes(b"\x1f\x8b and no more")
    (project / "other/src").mkdir(parents=True)
    (project / "other/src/run.sh").write_text("x")
    with zipfile.ZipFile(project / "locked.zip", "w") as archive:
        archive.writestr("secret", "x")
    content = bytearray((project / "locked.zip").read_bytes())
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    (project / "locked.zip").write_bytes(content)

    assert said in fail(project, tool, **arguments)


def test_an_archive_is_never_part_of_itself(project: Path) -> None:
    run(project, "create_archive", sources=["."], target="src/self.tar")

    packed = run(project, "create_archive", sources=["."], target="src/self.tar", overwrite=True)

    assert packed.files == 2
