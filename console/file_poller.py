"""One thread that looks whether files changed that people and other programs may write while the window is open.

File systems of other computers tell nobody of a change, and those of this one tell it in as many ways as there are
systems; to ask for the state of a few files costs some microseconds. The window's thread and the engine's sleep
meanwhile, and are woken only by a change.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, Signal, Slot

from console.tasks import OwnTasks, TaskScope

LOOK_EVERY_S: Final = 1.0
"""Rules are promised to count within a second."""
_PATIENCE_S: Final = 1.0
"""How long a look that is under way may take when the program ends: a folder on another computer may hang."""

Take = Callable[[], Coroutine[Any, Any, None]]

_log = logging.getLogger(__name__)


class _Watched:
    """What is looked at.

    Attributes:
        look: Returns whether something changed; on the poller's thread.
        take: Takes the change in; on the window's loop. None when the look does it.
        is_taking: Whether a change is being taken in, and nothing is to be looked at meanwhile.
    """

    def __init__(self, name: str, look: Callable[[], object], take: Take | None) -> None:
        self.name = name
        self.look = look
        self.take = take
        self.is_taking = False


class FilePoller(QObject):
    """Look at files once a second, and have changes taken in.

    Args:
        scope: Owns the tasks that take changes in.
        every_s: The pause between two looks in seconds.

    Signals:
        found(object): Something changed; internal, crosses the threads.
    """

    found = Signal(object)

    def __init__(self, scope: TaskScope, *, every_s: float = LOOK_EVERY_S, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = OwnTasks(scope)
        self._every_s = every_s
        self._watched: tuple[_Watched, ...] = ()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._poll, name="file poller", daemon=True)
        self.found.connect(self._on_found, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        self._thread.start()

    def watch(self, name: str, look: Callable[[], object], take: Take | None = None) -> None:
        """Look at something from now on.

        Args:
            look: Returns whether it changed; called on the poller's thread. It is not looked at again after
                an exception, which is written to the log.
            take: Takes the change in, on the window's loop; nothing is looked for until it is done. None when the look
                does it.
        """
        self._watched = (*self._watched, _Watched(name, look, take))

    def end(self) -> None:
        """Look no more, and take nothing in; a look that hangs is left behind."""
        self._over.set()
        self._tasks.cancel()
        if self._thread.is_alive():
            self._thread.join(_PATIENCE_S)

    def _poll(self) -> None:
        while not self._over.wait(self._every_s):
            for watched in self._watched:
                if not (watched.is_taking or self._over.is_set()):
                    self._look(watched)

    def _look(self, watched: _Watched) -> None:
        try:
            has_changed = watched.look()
        except Exception:  # noqa: BLE001 -- it is told, and nothing else suffers
            # One that cannot be looked at must not keep the others from being seen, nor fill the log.
            self._watched = tuple(one for one in self._watched if one is not watched)
            _log.exception("%s cannot be looked at, and are left alone from now on", watched.name)
            return
        if has_changed and watched.take is not None:
            watched.is_taking = True
            with contextlib.suppress(RuntimeError):  # the Qt side is gone: the program ends
                self.found.emit(watched)

    @Slot(object)
    def _on_found(self, watched: _Watched) -> None:
        if not self._over.is_set() and watched.take is not None:
            self._tasks.start(self._take(watched, watched.take), f"take in {watched.name}")

    async def _take(self, watched: _Watched, take: Take) -> None:
        try:
            await take()
        finally:
            watched.is_taking = False
