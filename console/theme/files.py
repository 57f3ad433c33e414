"""Where the shipped data files are."""

from pathlib import Path
from typing import Final

import resources

__all__ = ["resource_path", "resource_text"]

_FOLDER: Final = Path(resources.__file__).parent


def resource_path(*parts: str) -> Path:
    """Give the path of a file or folder below `resources/`.

    The package is always installed unpacked (PyInstaller's data files are real files too), so a path can be handed to
    Qt, which opens files by name.

    Args:
        parts: The path below `resources/`, one part each.

    Returns:
        The absolute path. Whether it exists is not checked.
    """
    return _FOLDER.joinpath(*parts)


def resource_text(*parts: str) -> str:
    """Read a shipped UTF-8 text file.

    Args:
        parts: The path below `resources/`, one part each.

    Returns:
        The whole text.
    """
    return resource_path(*parts).read_text(encoding="utf-8")
