"""A bare main window of Qt's with our fonts, which `bench_start` measures beside ours; also a program of its own."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication, QMainWindow


def make_window(fonts: Path) -> tuple[QApplication, QMainWindow]:
    """Return the application and its window, which is not shown yet.

    Args:
        fonts: The folder of our fonts.
    """
    application = QApplication(["bare"])
    for path in sorted(fonts.glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(path))
    window = QMainWindow()
    window.resize(1280, 800)
    return application, window


if __name__ == "__main__":
    application, window = make_window(Path(sys.argv[1]))
    window.show()
    application.exec()
