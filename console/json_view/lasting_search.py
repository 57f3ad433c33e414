"""A search that lets the window live: a moment at once, and the rest little by little."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal

_FIRST_S: Final = 0.04
_SLICE_S: Final = 0.012


class LastingSearch(QObject):
    """Look for the first of some places.

    Args:
        show: Shows a place that was found; tells whether it could.
        parent: Its owner.

    Signals:
        finished(bool): A search that `start` had to leave unfinished ended: whether a place was found.
    """

    finished = Signal(bool)

    def __init__(self, show: Callable[[Any], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._show = show
        self._places: Iterator[Any] = iter(())
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._on_timer_timeout)

    def start(self, places: Iterator[Any]) -> bool:
        """Show the first place there is; another search that goes on is forgotten.

        Args:
            places: Those there are, and None now and then while none is found.

        Returns:
            False if there is none; True if one was shown, or if the search still goes on.
        """
        self._places = places
        found = self._look(_FIRST_S)
        if found is None:
            self._timer.start()
        else:
            self.stop()
        return found is not False

    def stop(self) -> None:
        """Forget a search that goes on."""
        self._timer.stop()
        self._places = iter(())

    def _look(self, for_s: float) -> bool | None:
        """Search for a moment: whether a place was found, None if there is more to search."""
        end = time.perf_counter() + for_s
        for place in self._places:
            if place is not None:
                return self._show(place)
            if time.perf_counter() > end:
                return None
        return False

    def _on_timer_timeout(self) -> None:
        found = self._look(_SLICE_S)
        if found is not None:
            self.stop()
            self.finished.emit(found)
