"""A small text file that people and other programs may change while this one goes by it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tools.file_lock import held

LARGEST_BYTES: Final = 1_000_000
"""The size of the largest file that is read."""


def stamp_of(path: Path) -> object:
    """Return what differs once a file is another one, or is there no more."""
    try:
        found = path.stat()
    except OSError as error:
        return type(error)
    return found.st_mtime_ns, found.st_size, found.st_ino


class WatchedFile:
    """One text file, which need not exist."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: object = ()

    def has_changed(self) -> bool:
        """Return whether the file is another one than `look` found."""
        return stamp_of(self.path) != self._stamp

    def look(self) -> None:
        self._stamp = stamp_of(self.path)

    def text(self) -> str | None:
        """Return the file's text; None when there is no file.

        Raises:
            OSError: When it cannot be read.
            ValueError: When it is no text, no plain file or too large.
        """
        try:
            # A project's file may be anybody's, even a link to a device that never ends.
            if self.path.exists() and not self.path.is_file():
                msg = f"expected a text file, found a {'folder' if self.path.is_dir() else 'device'}"
                raise ValueError(msg)
            if self.path.exists() and self.path.stat().st_size > LARGEST_BYTES:
                msg = f"expected a file of at most {LARGEST_BYTES:,} bytes"
                raise ValueError(msg)
            # Line ends stay as they are. Some editors mark the beginning.
            return self.path.read_bytes().decode("utf-8-sig")
        except FileNotFoundError:
            return None
        except UnicodeDecodeError as error:
            msg = f"expected text in UTF-8, found another byte at place {error.start}; save it as UTF-8"
            raise ValueError(msg) from error

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other programs from changing the file meanwhile; its folder is made when it is missing.

        Raises:
            OSError: When another program holds it too long, or its folder cannot be written.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with held(self.path.with_name(f".{self.path.name}.lock")):
            yield
