"""The folder that checked tools work in: a few files to read, put back before each call and watched for changes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_WORK: Final = "work"
_FILES: Final[Mapping[str, bytes]] = {
    f"{_WORK}/notes.txt": b"The first line\nand the second.\n",
    f"{_WORK}/naïve ü.txt": "Grüße, 😀\n".encode(),
    f"{_WORK}/data.json": b'{"name": "Ada", "numbers": [1, 2, 3]}\n',
    f"{_WORK}/table.csv": b"city,year,amount\nOslo,2024,12.5\nPisa,2025,\n",
    f"{_WORK}/empty.txt": b"",
    f"{_WORK}/bytes.bin": bytes(range(256)),
    f"{_WORK}/folder/program.py": b'"""A program."""\n\nprint("Hello")\n',
}


class ScratchFolder:
    """Keep a folder as it is at first; everything in it belongs to the check.

    Args:
        top: The folder, which is empty; made when it is not there.

    Attributes:
        work: The folder inside it that tools work in, so that a path one level up is still the check's own.

    Raises:
        OSError: It cannot be used, or is not empty.
    """

    def __init__(self, top: Path) -> None:
        top.mkdir(parents=True, exist_ok=True)
        if any(top.iterdir()):
            raise FileExistsError(0, "the folder is not empty, and everything in it would be removed", str(top))
        self._top = top
        self.work = top / _WORK
        self.work.mkdir()
        self.reset()

    def reset(self) -> None:
        """Put everything back; the working folder itself stays, because processes work in it."""
        if not self.changes():
            return
        self._empty(self._top, keeps=self.work)
        self.work.mkdir(exist_ok=True)
        self._empty(self.work)
        for name, content in _FILES.items():
            file = self._top / name
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(content)

    def clear(self) -> None:
        self._empty(self._top)

    def changes(self) -> list[str]:
        """Return what is not as it was at first: names of files that are new, changed or gone, seen from `work`."""
        present = {
            path.relative_to(self._top).as_posix(): path
            for path in self._top.rglob("*")
            if path.is_symlink() or not path.is_dir() or (path != self.work and not any(path.iterdir()))
        }
        return sorted(
            os.path.relpath(name, _WORK).replace(os.sep, "/")
            for name in present.keys() | _FILES.keys()
            if name not in present or not _is_same(present[name], _FILES.get(name))
        )

    def _empty(self, folder: Path, keeps: Path | None = None) -> None:
        for entry in folder.iterdir():
            if entry == keeps and not entry.is_symlink():
                continue
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink(missing_ok=True)


def _is_same(path: Path, content: bytes | None) -> bool:
    if content is None or path.is_symlink() or not path.is_file():
        return False
    return path.stat().st_size == len(content) and path.read_bytes() == content
