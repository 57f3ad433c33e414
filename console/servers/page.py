"""The servers of the program: kept as the disk says, their tools among all others, and the page about them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from console.engine import Engine
from console.file_poller import FilePoller
from console.language import tr
from console.lazy_page import LazyPage, load_in_pieces, load_libraries
from console.tasks import TaskScope
from console.widgets import ConfirmLoss, EmptyState
from tools.errors import ToolError

if TYPE_CHECKING:
    from console.notices import DesktopPresence
    from console.prompts.ports import PromptPort
    from console.servers.config_adapter import ServerConfigAdapter
    from console.servers.elicitation import ServerQuestions
    from console.servers.engine_servers import EngineServers
    from console.servers.presenter import ServersPresenter
    from console.servers.question_dialog import Asked, QuestionDialog
    from tools.mcp.config import ServerConfig, Target
    from tools.mcp.servers import Servers
    from tools.mcp.store import ServerStore
    from tools.registry import ToolRegistry


_CLIENT: Final = ("tools.mcp.servers", "tools.mcp.store", "tools.mcp.exports", "tools.mcp.poisoning")
"""What keeps servers; nothing of the SDK, which waits for the first server that is used."""

_PAUSE_MS: Final = 250
"""The shortest time between two looks at what happened to servers."""


class ServersPage(QObject):
    """Own the servers and their page.

    Args:
        window: What questions of servers stand over.
        presence: Tells a person who looks elsewhere that a server asks something.
        project: Gives the project folder, whose servers count besides the person's; None while none is open.
        folder: Gives the folder that programs start in.
        data: The folder of what was agreed to and approved.
        user_file: The person's servers; None is where they usually are.

    Attributes:
        widget: The page.

    Signals:
        noticed(str): A sentence for the person.
        api_requested(): An API is to be added.
        tool_opened(str): The page of the tool with this name is wanted.
        troubled(dict): Why servers are not connected, by name.
        waiting_changed(int): So many definitions wait for a decision.
        pictured(object): These icons of servers and tools are there, as `Pictures`.
        happened(): Something happened to a server, from any thread; internal.
        told(str): A sentence, from any thread; internal.
    """

    noticed = Signal(str)
    api_requested = Signal()
    tool_opened = Signal(str)
    troubled = Signal(dict)
    waiting_changed = Signal(int)
    pictured = Signal(object)
    happened = Signal()
    told = Signal(str)

    def __init__(
        self,
        window: QWidget,
        registry: ToolRegistry,
        engine: Engine,
        *,
        prompts: PromptPort,
        presence: DesktopPresence,
        project: Callable[[], Path | None],
        folder: Callable[[], Path],
        data: Path,
        user_file: Path | None,
        ask: ConfirmLoss,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._registry = registry
        self._engine = engine
        self._compute = engine.compute
        self._prompts = prompts
        self._presence = presence
        self._project = project
        self._folder = folder
        self._data = data
        self._user_file = user_file
        self._ask = ask
        self._scope = scope
        self._store: ServerStore | None = None
        self._running: Servers | None = None
        self._questions: ServerQuestions | None = None
        self._port: EngineServers | None = None
        self._desk: ServerConfigAdapter | None = None
        self._presenter: ServersPresenter | None = None
        self._wanted = ""
        self._wanted_call = ""
        self._is_adding = False
        self._removed = ""
        self._starting: asyncio.Task[bool] | None = None
        self._waiting: EmptyState | None = None
        self._is_making = False
        self._is_awake = False
        self._is_closed = False
        self._ready = asyncio.Event()
        self.widget = LazyPage(tr("Servers"))
        self.widget.wanted.connect(self._on_widget_wanted)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._on_pause_timeout)
        self.happened.connect(self._on_happened, Qt.ConnectionType.QueuedConnection)
        self.told.connect(self.noticed, Qt.ConnectionType.QueuedConnection)

    async def start(self, files: FilePoller) -> None:
        """Begin to keep servers, and start those that a person lets start; returns when they are known.

        Args:
            files: Tells when the files of servers change.
        """
        await self._compute(load_libraries, _CLIENT)
        await load_in_pieces("console.servers")
        if self._is_closed:
            return
        self._make()
        store = self._made_store
        store.set_project(self._project())
        await self._compute(store.refresh)
        await self._apply()
        self._ready.set()
        self._starting = self._scope.start(self._start_allowed(), "start servers")
        files.watch("the files of servers", store.refresh, self._follow_files)
        self.happened.emit()

    def _make(self) -> None:
        from console.servers.config_adapter import ServerConfigAdapter  # noqa: PLC0415 -- no window is shown later for it
        from console.servers.elicitation import ServerQuestions, SharedFolders  # noqa: PLC0415 -- as above
        from console.servers.engine_servers import EngineServers  # noqa: PLC0415 -- as above
        from tools.mcp.listed_cache import REMEMBERED_FILE, ListedCache  # noqa: PLC0415 -- as above
        from tools.mcp.servers import Servers  # noqa: PLC0415 -- as above
        from tools.mcp.store import ServerStore  # noqa: PLC0415 -- as above
        from tools.workbench import FOLDERS_FILE  # noqa: PLC0415 -- as above

        store = self._store = ServerStore(self._data, self._user_file)
        folders = SharedFolders(self._data / FOLDERS_FILE)
        self._questions = ServerQuestions(self._question_dialog, self._project, folders, self._presence, self)
        self._questions.noticed.connect(self.noticed)
        self._running = Servers(
            self._registry,
            resolve=self._resolve,
            pins=store.pins,
            consents=store.consents,
            questions=self._questions,
            remembered=ListedCache(self._data / REMEMBERED_FILE),
        )
        port = self._port = EngineServers(
            self._running,
            store,
            self._registry,
            engine=self._engine,
            compute=self._compute,
            again=self._wake,
            tell=self.told.emit,
        )
        self._desk = ServerConfigAdapter(
            store,
            resolve=self._resolve,
            apply=self._apply,
            connect=port.connect,
            engine=self._engine,
            compute=self._compute,
            folders=folders,
        )
        self._unwatch = self._running.watch(port.take)

    def _question_dialog(self, asked: Asked) -> QuestionDialog:
        from console.servers.question_dialog import question_dialog  # noqa: PLC0415 -- no window is shown later for it

        return question_dialog(asked, self._window)

    def close(self) -> None:
        """Ask nobody any more, and show nothing."""
        self._is_closed = True
        self._pause.stop()
        if self._questions is not None:
            self._questions.close()
        if self._presenter is not None:
            self._presenter.close()

    async def end(self) -> None:
        """End every server, and whatever they started."""
        if self._starting is not None:
            self._starting.cancel()
        if self._running is not None:
            self._unwatch()
            if self._port is not None:
                await self._engine.call(self._port.aclose)
            await self._engine.call(self._running.aclose)

    @Slot(object)
    def follow_project(self, _folder: Path) -> None:
        if self._store is not None:
            self._store.set_project(self._project())

    @property
    def names(self) -> tuple[str, ...]:
        """The servers that are configured, sorted; none before they are known."""
        return () if self._store is None else tuple(sorted(config.name for config in self._store.wanted))

    def show_server(self, name: str) -> None:
        """Choose a server on the page, which comes into sight."""
        self._wanted = name
        if self._presenter is not None:
            self._presenter.show_server(name)
            self._presenter.look_again()

    def show_messages(self, name: str, call_id: str) -> None:
        """Show what a server was sent for a call, and what it answered."""
        self._wanted_call = call_id
        self.show_server(name)
        if self._presenter is not None:
            self._presenter.show_messages(name, call_id)

    def restart(self, name: str) -> None:
        """End a server and start it again; say what came of it."""
        if self._port is not None:
            self._scope.start(self._restart(self._port, name), f"restart {name}")  # type: ignore[unused-awaitable]

    async def _restart(self, port: EngineServers, name: str) -> None:
        try:
            await port.restart(name)
        except (ToolError, OSError) as error:
            self.noticed.emit(tr("{name} is not connected: {error}", name=name, error=error))
        else:
            self.noticed.emit(tr("{name} is connected again", name=name))
        self.happened.emit()

    def add_server(self) -> None:
        """Ask for a new server on the page, which comes into sight; where there are some already, these are shown."""
        self._is_adding = True
        self._add_if_wanted()

    def _add_if_wanted(self) -> None:
        if self._presenter is not None and self._is_adding:
            self._is_adding = False
            if not self._made_store.wanted:
                self._presenter.configs.add()

    def _resolve(self, config: ServerConfig) -> Target:
        from tools.mcp.variables import resolve  # noqa: PLC0415 -- in a thread, when a server starts

        store = self._made_store
        return resolve(config, os.environ, store.secrets, self._folder())

    @property
    def _made_store(self) -> ServerStore:
        if self._store is None:
            raise RuntimeError("servers were asked for before they were started")
        return self._store

    async def _apply(self) -> None:
        if self._running is not None:
            await self._engine.call(self._running.apply, self._made_store.wanted)

    async def all_started(self) -> bool:
        """Wait for the servers that a person lets start, and return whether the tools of all are known."""
        starting = self._starting
        if starting is None:
            return False
        await asyncio.wait([starting])
        return not starting.cancelled() and starting.result()

    async def _start_allowed(self) -> bool:
        """Start what is enabled and allowed and not known yet; what fails says so on the page and in the tree.

        Returns:
            Whether none failed.
        """
        store, port = self._made_store, self._port
        if port is None:
            return False
        allowed: Mapping[str, bool] = await self._compute(store.may_start)
        # One whose tools are known from the last time is started by their first call.
        known = await self._engine.call(port.known)
        wanted = [config.name for config in store.wanted if config.enabled and allowed[config.name]]
        names = [name for name in wanted if name not in known]
        results = await asyncio.gather(*(port.connect(name) for name in names), return_exceptions=True)
        return not any(results)

    async def _follow_files(self) -> None:
        await self._apply()
        self.happened.emit()

    def _wake(self) -> None:
        """Take note, from any thread, that something happened; a flood is one."""
        if not self._is_awake and not self._is_closed:
            self._is_awake = True
            self.happened.emit()

    @Slot()
    def _on_happened(self) -> None:
        if not self._pause.isActive() and not self._is_closed:
            self._pause.start()

    @Slot()
    def _on_pause_timeout(self) -> None:
        self._is_awake = False
        if self._presenter is not None and self.widget.isVisible():
            self._presenter.look_again()
        self._scope.start(self._tell_news(), "look at servers for the window")  # type: ignore[unused-awaitable]

    async def _tell_news(self) -> None:
        if self._port is not None:
            news = await self._port.news()
            self.troubled.emit(news.troubles)
            self.waiting_changed.emit(news.waiting)
            self.pictured.emit(news.pictures)

    @Slot()
    def _on_widget_wanted(self) -> None:
        if self._is_making:
            return
        self._is_making = True
        if not self._ready.is_set():
            self._waiting = EmptyState(
                "server", tr("Looking for servers"), tr("They are shown when the tools are loaded.")
            )
            self.widget.fill(self._waiting)
        self._scope.start(self._make_page(), "make the Servers page")  # type: ignore[unused-awaitable]

    async def _make_page(self) -> None:
        await self._ready.wait()
        if self._port is None or self._desk is None:
            return
        from console.servers.detail_view import ServerModels  # noqa: PLC0415 -- made when wanted
        from console.servers.model import ServerModel  # noqa: PLC0415 -- as above
        from console.servers.presenter import ServersPresenter  # noqa: PLC0415 -- as above
        from console.servers.view import ServersView  # noqa: PLC0415 -- as above

        models = ServerModels()
        view = ServersView(ServerModel(self), models, in_pieces=True)
        view.api_requested.connect(self.api_requested)
        for _ in view.pieces:
            await asyncio.sleep(0)
        self._presenter = ServersPresenter(
            models,
            view,
            servers=self._port,
            offers=self._port,
            prompts=self._prompts,
            configs=self._desk,
            scope=self._scope,
            compute=self._compute,
            parent=self,
        )
        self._presenter.noticed.connect(self.noticed)
        self._presenter.tool_opened.connect(self.tool_opened)
        self._presenter.configs.removal_asked.connect(self._on_removal_asked)
        if self._wanted:
            self._presenter.show_server(self._wanted)
            if self._wanted_call:
                self._presenter.show_messages(self._wanted, self._wanted_call)
        if self._waiting is not None:
            self._waiting.deleteLater()
            self._waiting.hide()
        self.widget.fill(view)
        self._add_if_wanted()

    @Slot(str)
    def _on_removal_asked(self, name: str) -> None:
        self._removed = name
        self._ask(
            tr("Remove {name}?", name=name),
            tr("Its entry goes, with its secrets and what you approved of its tools. This cannot be undone."),
            tr("Remove"),
            self._remove,
        )

    def _remove(self) -> None:
        if self._presenter is not None:
            self._presenter.configs.remove(self._removed)
