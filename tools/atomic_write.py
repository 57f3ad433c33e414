"""Write a file as a whole: whoever reads it, even after a crash, sees the old text or the new one."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Put a text in the place of a file's, as `write_pieces` does.

    Raises:
        OSError: When it cannot be written; the file is as it was then.
    """
    write_pieces(path, (text,))


def write_pieces(path: Path, pieces: Iterable[str]) -> None:
    """Put a text that comes piece by piece in the place of a file's, on the disk when it returns.

    A link stays one, since somebody's file may be a link to where they keep their settings; so do the file's rights.
    Its folder is made when it is missing.

    Raises:
        OSError: When it cannot be written; the file is as it was then.
    """
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        # The system's "File exists" says nothing to somebody who means the file itself.
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), error.filename) from error
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    scratch = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, scratch)
        scratch.replace(target)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
