"""Look at the whole screen from outside the program.

`python -m tests.end2end.picture FILE` saves a picture; `… --brightness X,Y` prints how bright the screen is there.
"""

from __future__ import annotations

import sys

from PySide6.QtGui import QGuiApplication


def main() -> None:
    application = QGuiApplication(sys.argv[:1])
    picture = application.primaryScreen().grabWindow(0)
    if sys.argv[1] == "--brightness":
        x, y = map(int, sys.argv[2].split(","))
        print(picture.toImage().pixelColor(x, y).lightness())
    elif not picture.save(sys.argv[1]):
        sys.exit(f"the picture could not be saved as {sys.argv[1]}")


if __name__ == "__main__":
    main()
