"""Save a picture of the whole screen: `python -m tests.end2end.picture FILE`."""

from __future__ import annotations

import sys

from PySide6.QtGui import QGuiApplication


def main() -> None:
    """Take the picture."""
    application = QGuiApplication(sys.argv[:1])
    if not application.primaryScreen().grabWindow(0).save(sys.argv[1]):
        sys.exit(f"the picture could not be saved as {sys.argv[1]}")


if __name__ == "__main__":
    main()
