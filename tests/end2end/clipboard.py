"""Something that was copied: a program that owns the clipboard until it is ended; started as a module by a test."""

from __future__ import annotations

import sys

from PySide6.QtGui import QGuiApplication

if __name__ == "__main__":
    application = QGuiApplication([])
    application.clipboard().setText(sys.argv[1])
    print("copied", flush=True)
    application.exec()
