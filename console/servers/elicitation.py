"""What servers ask a person, one question at a time, and which folders each may know of from then on."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from annotated_types import MaxLen
from pydantic import BaseModel, ConfigDict, Field
from PySide6.QtCore import QObject, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication

from console.language import tr
from console.notices import DesktopPresence
from console.servers.question_dialog import (
    AddressDialog,
    Asked,
    FoldersRequest,
    QuestionDialog,
    ServerAnswer,
    SharedPaths,
)
from tools.mcp.elicitation import (
    Accepted,
    Answer,
    Cancelled,
    Declined,
    FormElicitation,
    Root,
    RootsRequest,
    Sampled,
    SamplingRequest,
    UrlElicitation,
)
from tools.shared_file import SharedFile


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")

    servers: Annotated[dict[str, dict[str, list[str]]], MaxLen(10_000)] = Field(default_factory=dict)


class SharedFolders:
    """Keep what was said for each server and project; from any thread.

    Args:
        path: The file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self._file = SharedFile(path, _Document)

    def of(self, server: str, project: Path) -> tuple[Path, ...] | None:
        """Return the folders that a server may know of; None when nobody was asked.

        Raises:
            ServerConfigError: When the file cannot be read.
        """
        found = self._file.read().servers.get(server, {}).get(str(project))
        return None if found is None else tuple(map(Path, found))

    def keep(self, server: str, project: Path, folders: Sequence[Path]) -> None:
        """Remember what a person said.

        Raises:
            ServerConfigError: When that cannot be written.
        """
        with self._file.change() as document:
            document.servers.setdefault(server, {})[str(project)] = [str(folder) for folder in folders]

    def forget(self, server: str) -> None:
        """Ask again when the server wants to know.

        Raises:
            ServerConfigError: When that cannot be written.
        """
        with self._file.change() as document:
            document.servers.pop(server, None)


MOST_WAITING: Final = 50
"""So many open questions of one server; what it asks beyond is declined."""

_NOTICE: Final = "question of a server"


class _Waiting(NamedTuple):
    """A question that is open.

    Attributes:
        settle: Takes the answer; safe from any thread.
    """

    number: int
    asked: Asked
    settle: Callable[[ServerAnswer], None]


class ServerQuestions(QObject):
    """Be the person, for servers.

    Args:
        make_dialog: Makes the dialog of a question, over the window.
        project_dir: Gives the folder that is offered; None while no project is open.
        folders: Keeps which folders servers may know of.
        presence: Tells a person who looks elsewhere, as while an agent works.

    Signals:
        arrived(object): A question, from any thread; internal.
        withdrawn(int): Nobody needs the answer to this question any more, from any thread; internal.
        noticed(str): A sentence for the person.
    """

    arrived = Signal(object)
    withdrawn = Signal(int)
    noticed = Signal(str)

    def __init__(
        self,
        make_dialog: Callable[[Asked], QuestionDialog],
        project_dir: Callable[[], Path | None],
        folders: SharedFolders,
        presence: DesktopPresence,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._presence = presence
        self._make_dialog = make_dialog
        self._project_dir = project_dir
        self._folders = folders
        self._numbers = itertools.count(1)
        self._waiting: deque[_Waiting] = deque()
        self._shown: _Waiting | None = None
        self._dialog: QuestionDialog | None = None
        self._is_closed = False
        self.arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)
        self.withdrawn.connect(self._on_withdrawn, Qt.ConnectionType.QueuedConnection)
        presence.notices.chosen.connect(self._on_notices_chosen)

    async def fill_form(self, question: FormElicitation) -> Answer:
        return _agreed(await self._ask(question))

    async def visit(self, question: UrlElicitation) -> Answer:
        return _agreed(await self._ask(question))

    async def sample(self, question: SamplingRequest) -> Sampled | Declined:
        """Return what the person wrote in a model's place."""
        answer = await self._ask(question)
        return answer if isinstance(answer, Sampled) else Declined()

    async def roots(self, question: RootsRequest) -> tuple[Root, ...]:
        """Return the folders that the server may know of; what was said once for a project holds."""
        folder = self._project_dir()
        if folder is None:
            return ()
        known = await asyncio.to_thread(self._folders.of, question.server, folder)
        if known is not None:
            return tuple(map(_root, known))
        answer = await self._ask(FoldersRequest(question.server, (str(folder),)))
        paths = [Path(path) for path in answer.paths] if isinstance(answer, SharedPaths) else []
        if not isinstance(answer, Cancelled):
            await asyncio.to_thread(self._folders.keep, question.server, folder, paths)
        return tuple(map(_root, paths))

    async def _ask(self, asked: Asked) -> ServerAnswer:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[ServerAnswer] = loop.create_future()

        def settle(answer: ServerAnswer) -> None:
            with contextlib.suppress(RuntimeError):  # the engine ended meanwhile
                loop.call_soon_threadsafe(_set, future, answer)

        waiting = _Waiting(next(self._numbers), asked, settle)
        self.arrived.emit(waiting)
        try:
            return await future
        except asyncio.CancelledError:
            self.withdrawn.emit(waiting.number)
            raise

    def close(self) -> None:
        """Decline what is open, and whatever is asked from now on."""
        self._is_closed = True
        waiting, self._waiting = tuple(self._waiting), deque()
        for question in waiting:
            question.settle(Cancelled())
        if self._dialog is not None:
            self._dialog.reject()

    @Slot(object)
    def _on_arrived(self, waiting: _Waiting) -> None:
        if self._is_closed:
            waiting.settle(Cancelled())
        elif sum(other.asked.server == waiting.asked.server for other in self._waiting) >= MOST_WAITING:
            waiting.settle(Declined())
            self.noticed.emit(
                tr("{server} asks too much at once: further questions of it are declined", server=waiting.asked.server)
            )
        else:
            self._waiting.append(waiting)
            self._show_next()

    @Slot(int)
    def _on_withdrawn(self, number: int) -> None:
        self._waiting = deque(waiting for waiting in self._waiting if waiting.number != number)
        if self._shown is not None and self._shown.number == number and self._dialog is not None:
            self.noticed.emit(tr("{server} does not need the answer any more", server=self._shown.asked.server))
            self._dialog.withdraw()

    def _show_next(self) -> None:
        if self._dialog is not None or not self._waiting or self._is_closed:
            return
        self._shown = self._waiting.popleft()
        dialog = self._dialog = self._make_dialog(self._shown.asked)
        if isinstance(dialog, AddressDialog):
            dialog.open_requested.connect(self._on_dialog_open_requested)
            dialog.copy_requested.connect(self._on_dialog_copy_requested)
        dialog.answered.connect(self._on_dialog_answered)
        dialog.finished.connect(self._on_dialog_finished)
        dialog.open()
        if not self._presence.is_in_front():
            title = tr("{server} asks you something", server=self._shown.asked.server)
            self._presence.notices.post(_NOTICE, title, tr("It waits for your answer in the window."), urgent=True)

    @Slot(str, str)
    def _on_notices_chosen(self, key: str, _action: str) -> None:
        if key == _NOTICE:
            self._presence.come_to_front()

    @Slot(object)
    def _on_dialog_answered(self, answer: ServerAnswer) -> None:
        if self._shown is not None:
            self._shown.settle(answer)

    @Slot()
    def _on_dialog_finished(self) -> None:
        self._dialog = None
        self._shown = None
        self._presence.notices.withdraw(_NOTICE)
        self._show_next()

    @Slot(str)
    def _on_dialog_open_requested(self, url: str) -> None:
        if not QDesktopServices.openUrl(QUrl(url, QUrl.ParsingMode.StrictMode)):
            self.noticed.emit(tr("No program opens addresses here. It is {url}", url=url))

    @Slot(str)
    def _on_dialog_copy_requested(self, url: str) -> None:
        QGuiApplication.clipboard().setText(url)
        self.noticed.emit(tr("The address is on the clipboard"))


def _root(folder: Path) -> Root:
    return Root(folder.as_uri(), folder.name)


def _set(future: asyncio.Future[ServerAnswer], answer: ServerAnswer) -> None:
    if not future.done():
        future.set_result(answer)


def _agreed(answer: ServerAnswer) -> Answer:
    """Return an answer to a question that is agreed to or not; nothing else is an answer to it."""
    return answer if isinstance(answer, Accepted | Declined) else Cancelled()
