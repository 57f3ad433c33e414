"""One window for each data folder: a second program hands over what it was started with, and ends."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal

from console.crash_reports import CrashReport, CrashReports
from tools.atomic_write import write_whole
from tools.file_lock import claim
from tools.paths import is_folder

PATIENCE_S: Final = 30.0
"""How long a second program waits for the first one to take over: that may have been started a moment before."""
_PAUSE_S: Final = 0.05
_OLD_S: Final = 60.0
_TOKEN: Final = "XDG_ACTIVATION_TOKEN"  # noqa: S105 -- a variable's name
"""Where a Wayland desktop says that a window may come to the front, because the person asked for it."""


class Opening(NamedTuple):
    """What a program is started with.

    Attributes:
        project: The project folder; None when none was named.
        plugins: Further plugin files.
        plan: A plan to open; None when none was named.
        token: What lets a window come to the front on this desktop; empty where nothing does.
    """

    project: Path | None = None
    plugins: tuple[Path, ...] = ()
    plan: Path | None = None
    token: str = ""


class StartUp(NamedTuple):
    """How this start came about.

    Attributes:
        scratch: In safe mode, an empty folder in the place of that of the settings; otherwise None.
        reports: Keeps the reports of failures; None keeps none.
        last_end: How the last start ended, when it did not by itself.
        problems: What could not be read or written, one sentence each.
    """

    scratch: Path | None = None
    reports: CrashReports | None = None
    last_end: CrashReport | None = None
    problems: tuple[str, ...] = ()

    @property
    def safe_mode(self) -> bool:
        """Whether no plugins, servers and agents are started, and settings are default ones that are not kept."""
        return self.scratch is not None


USUAL: Final = StartUp()
"""A start of which there is nothing to say."""


class WindowEnd(NamedTuple):
    """How the window ended.

    Attributes:
        code: The exit code.
        is_clean: Whether every thread ended.
        restarts: Whether the program is to start again.
    """

    code: int = 0
    is_clean: bool = True
    restarts: bool = False


class FirstWindow:
    """Be the only program with a window on a data folder, or say that another one is.

    The system lets the lock go when the program dies, be it by `kill -9`. A folder that cannot be written keeps nobody
    from having a window: nothing is shared there.

    Args:
        folder: The data folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "window"
        self._descriptor = -1

    def claim(self) -> bool:
        """Become the only one; return whether no other program is it."""
        try:
            if self._descriptor < 0:
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._descriptor = os.open(self.folder / "window.lock", os.O_RDWR | os.O_CREAT, 0o600)
            return claim(self._descriptor)
        except OSError:
            return True

    def hand_over(self, opening: Opening, patience_s: float = PATIENCE_S) -> bool:
        """Give the program with the window what this one was started with.

        Returns:
            Whether it was taken; False when the other program ended instead, so that this one is the first now.

        Raises:
            TimeoutError: When the other program does not answer.
            OSError: When nothing can be written.
        """
        file = self.folder / f"{time.time_ns()}-{os.getpid()}.json"
        said = {
            "project": None if opening.project is None else str(opening.project),
            "plugins": [str(path) for path in opening.plugins],
            "plan": None if opening.plan is None else str(opening.plan),
            "token": opening.token,
        }
        write_whole(file, json.dumps(said))
        deadline = time.monotonic() + patience_s
        try:
            while file.exists():
                if self.claim():
                    return False
                if time.monotonic() > deadline:
                    msg = f"the program that has the window on {self.folder.parent} does not answer; end it"
                    raise TimeoutError(msg)
                time.sleep(_PAUSE_S)
        finally:
            file.unlink(missing_ok=True)
        return True

    def close(self) -> None:
        """Let another program be the first."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()


class Openings(QObject):
    """Tell what other programs hand over, as long as this one has the window.

    Args:
        folder: That of the `FirstWindow`.
        parent: Its owner.

    Signals:
        came(Opening): The window is to come to the front, with this.
    """

    came = Signal(object)

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(self._look)

    def start(self) -> None:
        """Begin to look, also at what came while the program started."""
        if is_folder(self._folder):
            self._watcher.addPath(str(self._folder))
            self._look()

    def _look(self) -> None:
        for file in sorted(self._folder.glob("[!.]*.json")):
            # A program that was killed while it waited left one behind, which nobody wants any more.
            opening = None
            with contextlib.suppress(OSError, ValueError):
                is_old = time.time() - file.stat().st_mtime > _OLD_S
                opening = None if is_old else _opening_of(json.loads(file.read_text("utf-8")))
            # That it is gone is the answer.
            with contextlib.suppress(OSError):
                file.unlink()
            if opening is not None:
                self.came.emit(opening)


def opening_of(project: Path | None, plugins: Sequence[Path], plan: Path | None) -> Opening:
    """Return what this program is started with, by paths that mean the same wherever another one runs."""
    return Opening(
        None if project is None else project.absolute(),
        tuple(path.absolute() for path in plugins),
        None if plan is None else plan.absolute(),
        os.environ.get(_TOKEN, "") if sys.platform == "linux" else "",
    )


def _opening_of(said: Any) -> Opening:
    """Return what a file says.

    Raises:
        ValueError: When it is none of ours.
    """
    match said:
        case {
            "project": str() | None as project,
            "plugins": [*plugins],
            "plan": str() | None as plan,
            "token": str() as token,
        } if all(isinstance(path, str) for path in plugins):
            return Opening(_path(project), tuple(map(Path, plugins)), _path(plan), token)
    raise ValueError("expected a project, plugins, a plan and a token")


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)


def use_token(opening: Opening) -> None:
    """Let the next window that asks come to the front as the person who started the other program wanted."""
    if opening.token:
        os.environ[_TOKEN] = opening.token
