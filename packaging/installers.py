"""Make what people install of the one-folder application: an archive, a Debian package and a single file.

`make dist` runs this on Linux, after PyInstaller. The same folder gives the same bytes: names are sorted, files belong
to root, and all times are that of the last commit, or SOURCE_DATE_EPOCH.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parent
DIST: Final = ROOT / "dist"
FOLDER: Final = DIST / "tool-console"

MOST_UNPACKED: Final = 240_000_000
"""Most bytes that the application may take on a disk."""
MOST_PACKED: Final = 100_000_000
"""Most bytes that each file may have which people fetch."""

# What is not in the folder, because it belongs to the system or its graphics driver; proved on a bare Debian 12. Newer
# releases have the first one under another name.
DEPENDS: Final = (
    "libglib2.0-0 | libglib2.0-0t64", "libegl1", "libgl1", "libxkbcommon0", "libdbus-1-3", "libfontconfig1",
    "fonts-dejavu-core", "libxcb-cursor0", "libxcb-icccm4", "libxcb-image0", "libxcb-keysyms1", "libxcb-render-util0",
    "libxcb-shape0", "libxkbcommon-x11-0", "libx11-xcb1", "libwayland-client0", "libwayland-cursor0", "libwayland-egl1",
)  # fmt: skip

CONTROL: Final = """\
Package: tool-console
Version: {version}
Architecture: {architecture}
Maintainer: Tool Console authors
Installed-Size: {kibibytes}
Depends: {depends}
Recommends: desktop-file-utils, hicolor-icon-theme, shared-mime-info
Section: devel
Priority: optional
Description: find, run, approve and watch the tools that language models are given
 A console for people who write and oversee the tools that language models call:
 find them in one tree, run them by hand in a form made from their schema, decide
 about dangerous calls before they run, connect MCP servers, let agents in, and
 watch how it goes. It brings its own Python and Qt.
"""


def version() -> str:
    """Return the version of the project."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def built_at() -> int:
    """Return the time that everything gets, in seconds."""
    told = (
        os.environ.get("SOURCE_DATE_EPOCH")
        or subprocess.run(
            ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
    )
    return int(told)


def size_of(folder: Path) -> int:
    """Return how many bytes the files of a folder have; links have none."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def packed(folder: Path, prefix: str, time: int) -> bytes:
    """Return a folder as .tar.gz.

    Args:
        folder: The folder.
        prefix: What it is called in there.
        time: The time of all files, in seconds.
    """

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = time
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    out = io.BytesIO()
    with (
        gzip.GzipFile("", "wb", 9, out, mtime=time) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.GNU_FORMAT) as archive,
    ):
        archive.add(folder, prefix, filter=plain)  # sorted by name
    return out.getvalue()


def single_file(archive: bytes) -> bytes:
    """Return a program that unpacks an archive and starts what is in it."""
    script = (HERE / "linux" / "single-file.sh").read_text(encoding="utf-8")
    script = script.replace("@VERSION@", version()).replace("@DIGEST@", hashlib.sha256(archive).hexdigest()[:12])
    length = len(script.encode()) - len("@OFFSET@")
    # The number is part of what it counts.
    offset = next(at for digits in range(1, 9) if len(str(at := length + digits + 1)) == digits)
    return script.replace("@OFFSET@", str(offset)).encode() + archive


def least_glibc(folder: Path) -> str:
    """Return the newest version of the C library that a program or library in a folder asks for."""
    asked = {
        tuple(map(int, match.split(b".")))
        for path in folder.rglob("*")
        if path.is_file() and (".so" in path.name or path.parent == folder)
        for match in re.findall(rb"GLIBC_(2\.\d+)", path.read_bytes())
    }
    return ".".join(map(str, max(asked)))


def debian_package(folder: Path, target: Path, time: int) -> None:
    """Write the package of Debian and Ubuntu."""
    tree = target.with_suffix(".tree")
    shutil.rmtree(tree, ignore_errors=True)
    share = tree / "usr" / "share"
    copies = {
        HERE / "linux" / "tool-console.desktop": share / "applications" / "tool-console.desktop",
        HERE / "linux" / "tool-console.xml": share / "mime" / "packages" / "tool-console.xml",
        ROOT / "resources" / "tool-console.svg": share / "icons/hicolor/scalable/apps/tool-console.svg",
        ROOT / "resources" / "tool-console.png": share / "icons/hicolor/256x256/apps/tool-console.png",
        ROOT / "LICENSE": share / "doc" / "tool-console" / "copyright",
    }
    shutil.copytree(folder, tree / "usr" / "lib" / "tool-console", symlinks=True)
    for source, copy in copies.items():
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
    notes = gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), mtime=time)
    (share / "doc" / "tool-console" / "changelog.gz").write_bytes(notes)
    program = tree / "usr" / "bin" / "tool-console"
    program.parent.mkdir()
    program.symlink_to("../lib/tool-console/tool-console")
    depends = ", ".join([f"libc6 (>= {least_glibc(folder)})", *DEPENDS])
    architecture = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout
    control = tree / "DEBIAN" / "control"
    control.parent.mkdir()
    control.write_text(
        CONTROL.format(
            version=version(), architecture=architecture.strip(), kibibytes=size_of(tree) // 1024, depends=depends
        ),
        encoding="utf-8",
    )
    for path in sorted(tree.rglob("*"), reverse=True):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        os.utime(path, (time, time), follow_symlinks=False)
    words = ["dpkg-deb", "--build", "--root-owner-group", "-Zxz", str(tree), str(target)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": str(time)})
    shutil.rmtree(tree)


def main() -> int:
    """Write everything into dist, and say how large it is."""
    if platform.system() != "Linux":
        print("installers: this makes those of Linux; see packaging/windows and packaging/macos", file=sys.stderr)
        return 1
    time = built_at()
    name = f"tool-console-{version()}-linux-{platform.machine()}"
    archive = packed(FOLDER, name.removesuffix(f"-linux-{platform.machine()}"), time)
    (DIST / f"{name}.tar.gz").write_bytes(archive)
    single = DIST / f"{name}.run"
    single.write_bytes(single_file(archive))
    single.chmod(0o755)
    made = [DIST / f"{name}.tar.gz", single]
    if shutil.which("dpkg-deb"):
        made.append(DIST / f"{name}.deb")
        debian_package(FOLDER, made[-1], time)
    else:
        print("installers: no dpkg-deb here, so no .deb was made", file=sys.stderr)
    sizes = {FOLDER: (size_of(FOLDER), MOST_UNPACKED)} | {path: (path.stat().st_size, MOST_PACKED) for path in made}
    too_large = []
    for path, (size, most) in sizes.items():
        print(f"{size / 1e6:7.1f} MB  {path.relative_to(ROOT)}")
        if size > most:
            too_large.append(f"{path.name} has {size / 1e6:.1f} MB, {most / 1e6:.0f} at most")
    if too_large:
        print(f"installers: {'; '.join(too_large)}; see what tool-console.spec leaves out", file=sys.stderr)
    return bool(too_large)


if __name__ == "__main__":
    sys.exit(main())
