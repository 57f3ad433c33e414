"""The APIs of the program: their tools among all others, and the dialog about one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from console.apis.rows import ApiDraft, ApiTask
from console.engine import Engine
from console.file_poller import FilePoller
from console.language import tr, tr_count, translated
from console.tasks import TaskScope
from console.widgets import ConfirmLoss
from tools.errors import ToolError
from tools.sentences import begin_sentence

if TYPE_CHECKING:
    from console.apis.dialog import ApiDialog
    from console.apis.engine_apis import EngineApis
    from tools.workbench import Workbench


class ApisPane(QObject):
    """Own the APIs.

    Args:
        window: What the dialog stands over.
        workbench: Has their tools among all others.
        project: Gives the project folder, whose APIs count besides the person's; None while none is open.
        data: The folder of the copies of documents.
        user_file: The person's APIs; None is where they usually are.
        ask: Asks the person before something is lost.

    Signals:
        noticed(str): A sentence for the person.
        troubled(dict): Why APIs have no tools, by name.
    """

    noticed = Signal(str)
    troubled = Signal(dict)

    def __init__(
        self,
        window: QWidget,
        workbench: Workbench,
        engine: Engine,
        *,
        project: Callable[[], Path | None],
        data: Path,
        user_file: Path | None,
        ask: ConfirmLoss,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._workbench = workbench
        self._engine = engine
        self._project = project
        self._data = data
        self._user_file = user_file
        self._ask = ask
        self._scope = scope
        self._port: EngineApis | None = None
        self._dialog: ApiDialog | None = None
        self._task = ApiTask.ADD
        self._name = ""
        self._looking: asyncio.Task[None] | None = None

    async def start(self, files: FilePoller) -> None:
        """Have the tools of all APIs; returns when they are there.

        Args:
            files: Tells when the files of APIs change.
        """
        port = await self._engine.compute(self._made)
        self._port = port
        await self._load(port)
        for problem in port.problems:
            self.noticed.emit(translated(problem))
        files.watch("the files of APIs", port.has_changed, partial(self._load, port))

    def _made(self) -> EngineApis:
        # Few people have any, so their code waits for the first one.
        from console.apis.engine_apis import EngineApis  # noqa: PLC0415 -- see above
        from tools.openapi.store import ApiStore  # noqa: PLC0415 -- see above

        return EngineApis(self._workbench, ApiStore(self._data, self._user_file, self._project()), self._engine)

    @Slot(object)
    def follow_project(self, _folder: Path) -> None:
        """Let the APIs of another project count."""
        if self._port is not None:
            self._port.follow_project(self._project())

    @Slot()
    def add(self) -> None:
        self._open(ApiTask.ADD, "")

    @Slot(object)
    def add_file(self, path: Path) -> None:
        """Ask for a new API, whose document is this file."""
        self._open(ApiTask.ADD, "", str(path))

    @Slot(str, str)
    def do(self, task: str, name: str) -> None:
        """Do something about an API.

        Args:
            task: "show" what it can do, to be changed, or to be allowed where nobody did; "refresh" it, which reads its
                document again; "remove" it, after a question; or "add" another one.
        """
        port = self._port
        if port is None:
            return
        match task:
            case "show":
                self._open(ApiTask.ALLOW if name in port.troubles else ApiTask.CHANGE, name)
            case "refresh":
                self._run(f"refresh {name}", self._refresh(port, name))
            case "remove":
                self._name = name
                text = tr("Its tools go, with the copy of its document and its keys. This cannot be undone.")
                self._ask(tr("Remove {name}?", name=name), text, tr("Remove {name}", name=name), self._remove_named)
            case _:
                self.add()

    def _open(self, task: ApiTask, name: str, source: str = "") -> None:
        from console.apis.dialog import ApiDialog  # noqa: PLC0415 -- made when wanted

        if self._dialog is not None or self._port is None:
            return
        self._task, self._name = task, name
        dialog = self._dialog = ApiDialog(task, name, self._window)
        dialog.preview_wanted.connect(self._on_dialog_preview_wanted)
        dialog.save_requested.connect(self._on_dialog_save_requested)
        dialog.finished.connect(self._on_dialog_finished)
        dialog.open()
        dialog.begin(source)

    def _run(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        self._scope.start(work, name, refused=self._tell)  # type: ignore[unused-awaitable]

    def _tell(self, words: str) -> None:
        tell = self.noticed.emit if self._dialog is None else self._dialog.show_problem
        tell(begin_sentence(words))

    async def _load(self, port: EngineApis) -> None:
        await port.load()
        self.troubled.emit(dict(port.troubles))

    async def _preview(self, port: EngineApis, source: str, base: str) -> None:
        dialog = self._dialog
        try:
            found = await (port.preview(source, base) if self._task is ApiTask.ADD else port.known(self._name))
        except ToolError:
            if dialog is not None and dialog is self._dialog:
                dialog.forget_preview()
            raise
        if dialog is not None and dialog is self._dialog:
            dialog.show_preview(found)

    async def _save(self, port: EngineApis, draft: ApiDraft) -> None:
        await (port.add(draft) if self._task is ApiTask.ADD else port.save(draft))
        self.troubled.emit(dict(port.troubles))
        count, name = len(draft.operations), draft.name
        self.noticed.emit(tr_count(count, "{name} has {count:,} tool now", "{name} has {count:,} tools now", name=name))
        if self._dialog is not None:
            self._dialog.accept()

    async def _refresh(self, port: EngineApis, name: str) -> None:
        self.noticed.emit(await port.refresh(name))
        self.troubled.emit(dict(port.troubles))

    async def _remove(self, port: EngineApis, name: str) -> None:
        await port.remove(name)
        self.troubled.emit(dict(port.troubles))
        self.noticed.emit(tr("Removed {name}", name=name))

    def _remove_named(self) -> None:
        if self._port is not None:
            self._run(f"remove {self._name}", self._remove(self._port, self._name))

    @Slot(str, str)
    def _on_dialog_preview_wanted(self, source: str, base: str) -> None:
        if self._looking is not None:
            # Only the newest is of use.
            self._looking.cancel()
        if self._port is not None:
            work = self._preview(self._port, source, base)
            self._looking = self._scope.start(work, "read a document", refused=self._tell)

    @Slot(object)
    def _on_dialog_save_requested(self, draft: ApiDraft) -> None:
        if self._port is not None:
            self._run(f"keep {draft.name}", self._save(self._port, draft))

    @Slot()
    def _on_dialog_finished(self) -> None:
        self._dialog = None
        if self._looking is not None:
            self._looking.cancel()
