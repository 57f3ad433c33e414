"""Where the shipped data files are."""

from importlib import resources
from pathlib import Path

__all__ = ["resource_path", "resource_text"]


def resource_path(*parts: str) -> Path:
    """Give the path of a file or folder below `resources/`.

    The package is always installed unpacked (PyInstaller's data files are real files too), so a path can be handed to
    Qt, which opens files by name.

    Args:
        parts: The path below `resources/`, one part each.

    Returns:
        The absolute path. Whether it exists is not checked.
    """
    return Path(str(resources.files("resources").joinpath(*parts)))


def resource_text(*parts: str) -> str:
    """Read a shipped UTF-8 text file.

    Args:
        parts: The path below `resources/`, one part each.

    Returns:
        The whole text.
    """
    return resource_path(*parts).read_text(encoding="utf-8")
