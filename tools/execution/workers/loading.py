"""Load plugin files: what they declare is learned from a worker process, which may hang or crash over it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tools.declare import class_name
from tools.discovery import LOADING_S, SourceReport, imported, open_plugin
from tools.errors import ToolCrashError
from tools.execution.workers.declaration_client import DeclarationMessageHandler
from tools.execution.workers.declarations import Declarations, declared, read_declarations
from tools.execution.workers.failures import OWN_FOLDER, WorkerExit, WorkerToolError
from tools.execution.workers.protocol import WorkerResult
from tools.execution.workers.references import RemotePart, ToolReference
from tools.programs import ending_of
from tools.schema import json_bytes
from tools.spec import Isolation

if TYPE_CHECKING:
    from collections.abc import Callable

    from tools.execution.threads import ToolThreads
    from tools.execution.workers.pool import WorkerPool
    from tools.tool import PluginFile

_OUR_FRAMES: Final = (f'File "{Path(OWN_FOLDER).parent}', 'File "<frozen importlib', 'File "<string>"')
"""Lines of a dying process that say where it was in our code, not in the file's."""


class PluginWorkers:
    """Load plugin files in worker processes; those that are to run in the program, in threads of the program.

    The worker that imported a file stays for the calls of its tools.

    Attributes:
        timeout_s: Seconds a file may take to be imported in a worker.
    """

    def __init__(self, pool: WorkerPool, threads: ToolThreads, *, timeout_s: float = LOADING_S) -> None:
        self.timeout_s = timeout_s
        self._pool = pool
        self._threads = threads

    async def load(self, path: Path, application: type | None, isolation: Isolation) -> SourceReport:
        """Return a file's tools, or why there are none; see `PluginLoader.load`."""
        plugin, opened = open_plugin(path, isolation)
        if plugin is None:
            return opened
        finish: Callable[..., SourceReport] = imported
        further: dict[str, object] = {"application": application}
        if isolation is Isolation.PROCESS:
            told = await self._told(plugin, application)
            if not told.at_home:
                finish, further = declared, {"told": told}
        # To import the file takes as long as it likes, and what checks arguments by their schema a tenth of a second.
        report: SourceReport = await self._threads.run(finish, {"plugin": plugin, "opened": opened, **further})
        return report

    async def _told(self, plugin: PluginFile, application: type | None) -> Declarations:
        bases = None if application is None else [class_name(kind) for kind in application.__mro__]
        question = json_bytes({"application": bases})
        reference = ToolReference("", plugin=plugin, part=RemotePart.DECLARATIONS)
        while True:
            try:
                worker = self._pool.take(reference) or await self._pool.wait_for_worker(reference)
            except ToolCrashError as error:
                return Declarations(error=str(error), traceback=str(error))
            is_new = not worker.calls
            try:
                async with asyncio.timeout(self.timeout_s):
                    return _read(await worker.call(reference, question, DeclarationMessageHandler()), plugin)
            except ToolCrashError as error:
                if is_new:
                    return _crashed(error)
                # Something that ran in it before may be what ended it, so the file gets a new worker to itself.
            except TimeoutError:
                return _too_late(self.timeout_s)
            except (Exception, SystemExit) as error:  # noqa: BLE001 -- a plugin is foreign code: that is its report
                return _raised(error)
            finally:
                self._pool.release(worker)


def _too_late(timeout_s: float) -> Declarations:
    error = (
        f"it was not loaded after {timeout_s:g} s, so its process was ended; move what takes long into a tool, or raise"
        " loading_s in plugins.json"
    )
    return Declarations(error=error, traceback=error)


def _read(told: Any, plugin: PluginFile) -> Declarations:
    value = told.value if isinstance(told, WorkerResult) else told
    try:
        return read_declarations(value, plugin)
    except ValueError as error:
        return Declarations(error="what its worker process told of it cannot be read", traceback=str(error))


def _crashed(error: ToolCrashError) -> Declarations:
    how = ending_of(error.exit_code) if error.exit_code is not None else str(error)
    lines = [line for line in error.output.splitlines() if not line.lstrip().startswith(_OUR_FRAMES)]
    return Declarations(error=f"the file ended its process: {how}", traceback="\n".join(lines) or str(error))


def _raised(error: BaseException) -> Declarations:
    kind = type(error).__name__
    where = error.traceback_text if isinstance(error, WorkerToolError | WorkerExit) else ""
    line = f"{kind}: {error}".rstrip(": ")
    return Declarations(error=(line.splitlines() or [kind])[0], traceback=where or line)
