"""Large contents as files named by what is in them: equal contents are kept once."""

from __future__ import annotations

import contextlib
import hashlib
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tools.errors import HistoryError

LARGE_BYTES: Final = 64 * 1024
"""From this size on a content becomes a file of its own."""


class Blob(NamedTuple):
    """A content on its way into the folder."""

    digest: str
    content: bytes


def blob_of(content: bytes) -> Blob:
    """Return a content with its digest."""
    return Blob(hashlib.sha256(content).hexdigest(), content)


class BlobFolder:
    """Keep contents packed under `ab/abcdef….z`.

    A file appears whole or not at all: it is written beside its place and moved there.

    Args:
        folder: Made when the first content comes.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, blob: Blob) -> int:
        """Keep a content, unless it is there; return how many bytes it takes on disk.

        Raises:
            OSError: When there is no room or no permission.
        """
        path = self._path(blob.digest)
        with contextlib.suppress(FileNotFoundError):
            return path.stat().st_size
        stored = zlib.compress(blob.content, level=1)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            beside.write_bytes(stored)
            beside.replace(path)
        except OSError:
            beside.unlink(missing_ok=True)
            raise
        return len(stored)

    def read(self, digest: str) -> bytes:
        """Return a content.

        Raises:
            HistoryError: When it is not there, or not what was written.
        """
        try:
            content = zlib.decompress(self._path(digest).read_bytes())
        except FileNotFoundError as error:
            msg = f"the file that keeps this content is gone (blobs/{digest[:2]}/{digest[:12]}…)"
            raise HistoryError(msg) from error
        except (OSError, zlib.error) as error:
            msg = f"the file that keeps this content cannot be read (blobs/{digest[:2]}/{digest[:12]}…): {error}"
            raise HistoryError(msg) from error
        if hashlib.sha256(content).hexdigest() != digest:
            msg = f"the file that keeps this content was changed (blobs/{digest[:2]}/{digest[:12]}…)"
            raise HistoryError(msg)
        return content

    def remove(self, digest: str) -> None:
        self._path(digest).unlink(missing_ok=True)

    def digests(self, older_than_s: float) -> Iterator[str]:
        """Yield the contents whose files were written before a moment, and take away what a crash left half written.

        Args:
            older_than_s: The moment in seconds since the epoch.
        """
        if not self.folder.is_dir():
            return
        for path in sorted(self.folder.glob("??/*")):
            try:
                if path.stat().st_mtime >= older_than_s:
                    continue
            except FileNotFoundError:
                continue
            if path.name.startswith("."):
                path.unlink(missing_ok=True)
            else:
                yield path.stem

    def _path(self, digest: str) -> Path:
        return self.folder / digest[:2] / f"{digest}.z"
