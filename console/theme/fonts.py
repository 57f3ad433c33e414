"""The shipped fonts."""

import logging

from PySide6.QtGui import QFontDatabase

from console.theme.files import resource_path

__all__ = ["load_fonts"]

_log = logging.getLogger(__name__)


def load_fonts() -> tuple[str, ...]:
    """Make the shipped faces known to Qt. A file that Qt refuses is logged, and the system's face stands in.

    Returns:
        The family names that were loaded, sorted.
    """
    families: set[str] = set()
    for path in sorted(resource_path("fonts").glob("*.ttf")):
        font_id = QFontDatabase.addApplicationFont(str(path))
        if font_id < 0:
            _log.warning("the font %s could not be loaded; the system's face stands in", path.name)
            continue
        families.update(QFontDatabase.applicationFontFamilies(font_id))
    return tuple(sorted(families))
