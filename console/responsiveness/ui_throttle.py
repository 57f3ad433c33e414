"""Let what takes long have the window one after the other.

Code that does more than a few milliseconds of work from a timer calls `has_to_wait` first.
"""

from __future__ import annotations

from time import perf_counter
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject

RETRY_MS: Final = 1
"""When a timer that has to wait asks again: after what else is due, with everything that came meanwhile before it."""
BREATH_S: Final = 0.012
"""How long nothing long begins after something long ended."""
MOST_WAITS: Final = 4
"""How often in a row somebody waits at most."""


class UiThrottle(QObject):
    """Know when the window did something long, so that the next such thing leaves it a breath.

    Qt calls all timers that are due one after the other, and paints and takes keys only then. While tools keep the
    computer busy, all of them are due each time. Get it from `ui_throttle()`: the application has one.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ended_s = 0.0
        self._waits_by_name: dict[str, int] = {}

    def has_to_wait(self, name: str) -> bool:
        """Return whether something long has just ended; who asks again in `RETRY_MS` does not wait for ever."""
        waits = self._waits_by_name.get(name, 0)
        if waits < MOST_WAITS and perf_counter() - self._ended_s < BREATH_S:
            self._waits_by_name[name] = waits + 1
            return True
        self._waits_by_name[name] = 0
        return False

    def note(self) -> None:
        """Take note that something long ends at this moment."""
        self._ended_s = perf_counter()


def ui_throttle() -> UiThrottle:
    """Return the throttle of the application; it is made on first use and ends with the application object."""
    application = QCoreApplication.instance()
    found = application.findChild(UiThrottle) if application is not None else None
    return found if found is not None else UiThrottle(application)
