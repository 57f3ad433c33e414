"""Keep the tools dock in step with the registry and the plugin files."""

from __future__ import annotations

import json
import shlex
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, ParamSpec, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, QUrl, Signal, SignalInstance, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication

from console.browser.tool_tree import NAMED_FAMILIES, Family, Health, ToolRow, ToolSourceRow
from console.call_events import WindowEvent
from console.call_result.lint_words import lint_words
from console.language import tr, tr_count, translated
from console.tool_list import ToolList, toolkit_words
from tools.calls import GuardChanged, GuardKind, GuardState
from tools.card import SourceKind, ToolCard
from tools.errors import ToolConfigurationError
from tools.extras import missing_libraries
from tools.lint import Severity, ToolLint
from tools.policy import hint_words, taken_words
from tools.registry import CardsChange, Disabled
from tools.sentences import begin_sentence
from tools.spec import RiskHints

if TYPE_CHECKING:
    from pydantic import JsonValue

    from console.tasks import TaskScope
    from tools.card import ToolSource
    from tools.discovery import LoadReport


_Given = ParamSpec("_Given")

_FAMILIES: Final[Mapping[SourceKind, Family]] = {
    SourceKind.API: "api",
    SourceKind.BUILT_IN: "built-in",
    SourceKind.PLUGIN: "plugin",
    SourceKind.SERVER: "server",
    SourceKind.PROGRAM: "program",
}


class PluginPort(Protocol):
    """Loads plugin files away from the window's thread."""

    async def load(self, path: Path) -> LoadReport:
        """Load one file, for the first time or again."""
        ...

    async def reload_changed(self) -> Sequence[LoadReport]:
        """Load files again that changed or failed, and report on those."""
        ...

    async def load_saved(self, paths: Sequence[Path]) -> Sequence[LoadReport]: ...

    async def trust(self, place: Path, *, trusted: bool) -> Sequence[LoadReport]:
        """Let the code of a file, or of all files in a folder, run or not, and report on those."""
        ...


class BrowserPort(Protocol):
    """What the presenter needs of `BrowserView`."""

    copy_requested: SignalInstance
    reload_requested: SignalInstance
    plugin_reload_requested: SignalInstance
    file_requested: SignalInstance

    def set_rows(self, rows: Iterable[ToolRow]) -> None:
        """Show these tools."""

    def apply(self, added: Sequence[ToolRow], removed: Collection[str]) -> None:
        """Follow one change."""

    def set_failures(self, failures: Iterable[ToolSourceRow]) -> None:
        """Show these plugins as not loaded."""

    def set_runnable(self, names: Iterable[str]) -> None:
        """Say which tools have arguments they ran with last."""

    def set_loading(self, loading: bool) -> None:
        """Show that tools are being looked for."""


def untrusted_words() -> str:
    """Say why a plugin file is not loaded that a person does not trust."""
    return tr("its code may not run, as you do not trust it; trust it in the settings, under Plugins")


def _source_row(source: ToolSource, error: str = "", traceback: str = "") -> ToolSourceRow:
    path = str(source.path) if source.path is not None else ""
    return ToolSourceRow(_FAMILIES[source.kind], source.name, path, error, traceback)


SLICE: Final = 100
"""How many tools are shown again in one turn of the window's loop."""

MOST_NAMED: Final = 3
"""How many tools one message names."""


_COPIED: Final = {"name": tr("name"), "schema": tr("schema"), "command line": tr("command line")}


def tool_row(tool: ToolCard, disabled: Disabled | None = None) -> ToolRow:
    """Give the row of a tool.

    A plugin's tools stand under its file, those of a server or an API under its name, others under their toolkit or
    category.
    """
    spec = tool.spec
    source = _source_row(tool.source)
    group = source.name if source.family in NAMED_FAMILIES else toolkit_words(tool)
    return ToolRow(
        name=tool.name,
        source=source,
        group=group,
        label=tool.name.removeprefix(f"{source.name}.") if source.family in {"api", "server"} else "",
        title=spec.title,
        description=spec.description,
        keywords=spec.keywords,
        asks_first=tool.asks_first,
        risks=_risks(tool.hints),
        latency=spec.latency.value if spec.latency is not None else None,
        disabled="" if disabled is None else translated(disabled.why),
        lacks=_lacks(spec.extra),
    )


def _replaced_words(aside: Sequence[str]) -> str:
    """Say which built-in tools gave way, as the end of a sentence; empty when none did."""
    if not aside:
        return ""
    shown, more = ", ".join(aside[:MOST_NAMED]), len(aside) - MOST_NAMED
    return tr_count(
        len(aside),
        "; the built-in tool of the same name can be called as {names}",
        "; the built-in tools of the same name can be called as {names}",
        names=tr("{names} and {count:,} more", names=shown, count=more) if more > 0 else shown,
    )


def _lacks(extra: str) -> str:
    missing = ", ".join(library.module for library in missing_libraries(extra))
    return (
        tr("needs the extra {extra}, of which {missing} is not installed", extra=extra, missing=missing)
        if missing
        else ""
    )


def _risks(hints: RiskHints) -> tuple[str, ...]:
    """Name what a person should know of a tool's risk; what nobody said is told as that."""
    risks = [tr("May destroy something")] if hints.destructive else []
    risks += [tr("Reaches beyond this computer")] if hints.open_world else []
    if hints.says_nothing or taken_words(hints):
        words = hint_words(hints, translated)
        risks.append(begin_sentence(words))
    return tuple(risks)


class BrowserPresenter(QObject):
    """Turn what happens to the registry and the plugins into rows, and what the person asks for into work.

    Args:
        plugins: Loads plugin files.
        last_arguments: Gives the arguments a tool ran with last, as JSON; None when it has not run.

    Signals:
        succeeded(str): A sentence about what was done.
        failed(str): A sentence about what could not be done.
        reported(list): What came of loading plugin files.
        added(str): A plugin file that the person added was loaded, and this is its first tool.
        changed: Something waits to be shown; internal, crosses the threads.
    """

    succeeded = Signal(str)
    failed = Signal(str)
    reported = Signal(list)
    added = Signal(str)
    changed = Signal()

    def __init__(  # noqa: PLR0917 -- ports, passed by name
        self,
        view: BrowserPort,
        tools: ToolList,
        plugins: PluginPort,
        scope: TaskScope,
        last_arguments: Callable[[str], Mapping[str, JsonValue] | None] | None = None,
        show_url: Callable[[QUrl], bool] = QDesktopServices.openUrl,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._tools = tools
        self._plugins = plugins
        self._scope = scope
        self._last_arguments = last_arguments
        self._show_url = show_url
        self._failures: dict[tuple[str, str], LoadReport] = {}
        self._troubles: tuple[ToolSourceRow, ...] = ()
        self._waiting: deque[tuple[dict[str, ToolRow | None], Collection[str]]] = deque()
        self._holding: frozenset[tuple[str, GuardKind]] = frozenset()
        self._health: dict[str, tuple[Health, str]] = {}
        self._lints: dict[str, ToolLint] = {}
        self._outdated: dict[str, None] = {}
        self._slices = QTimer(self, singleShot=True, interval=0)
        self._slices.timeout.connect(self._on_slices_timeout)
        self._work = 0
        self._awaited: set[Path] = set()
        self.changed.connect(self._on_self_changed, Qt.ConnectionType.QueuedConnection)
        self._unwatch = tools.watch(self._receive)
        view.copy_requested.connect(self._on_view_copy_requested)
        view.reload_requested.connect(self.reload)
        view.plugin_reload_requested.connect(self._on_view_plugin_reload_requested)
        view.file_requested.connect(self._on_view_file_requested)
        rows = [self._row(tool, tools.refusal(tool.name)) for tool in tools]
        if rows:
            # What is shown before there are tools stays until they come.
            view.set_rows(rows)

    def close(self) -> None:
        """Stop following the tools."""
        self._unwatch()
        self._slices.stop()

    def set_reports(self, reports: Iterable[LoadReport]) -> None:
        """Take what came of looking for tools: who failed is shown with the reason, who did not no longer is."""
        for report in reports:
            key = (report.source.name, str(report.source.path or ""))
            if report.error:
                self._failures[key] = report
            else:
                self._failures.pop(key, None)
        self._show_failures()

    @property
    def broken(self) -> int:
        """How many plugins did not load, without those whose code a person does not let run."""
        return sum(not report.is_untrusted for report in self._failures.values())

    def set_servers(self, troubles: Mapping[str, str]) -> None:
        """Say which servers are in trouble, and why; of all others it is forgotten."""
        self._take_troubles("server", troubles)

    def set_apis(self, troubles: Mapping[str, str]) -> None:
        """Say which APIs have no tools, and why; of all others it is forgotten."""
        self._take_troubles("api", troubles)

    def _take_troubles(self, family: Family, troubles: Mapping[str, str]) -> None:
        others = tuple(row for row in self._troubles if row.family != family)
        rows = (ToolSourceRow(family, name, error=translated(error)) for name, error in sorted(troubles.items()))
        self._troubles = (*others, *rows)
        self._show_failures()

    def _show_failures(self) -> None:
        rows = (
            _source_row(report.source, untrusted_words() if report.is_untrusted else report.error, report.traceback)
            for report in self._failures.values()
        )
        self._view.set_failures((*rows, *self._troubles))

    def set_ran(self, names: Iterable[str]) -> None:
        """Say which tools have arguments they ran with last."""
        self._view.set_runnable(names)

    def on_events(self, events: Iterable[WindowEvent]) -> None:
        """Take a batch of events; those that say that a tool is held back, or no longer, change its glyph."""
        for event in events:
            if isinstance(event, GuardChanged):
                self._take_guard(event.tool_name, event.guard)

    def _take_guard(self, name: str, guard: GuardState) -> None:
        known = frozenset(tool for tool, _ in self._holding)
        holding = guard.refuses or guard.state == "half_open"
        pair = (name, guard.kind)
        self._holding = self._holding | {pair} if holding else self._holding - {pair}
        if (name in known) != (name in {tool for tool, _ in self._holding}):
            self.show_again([name])

    @Slot(dict)
    def set_health(self, healths: Mapping[str, tuple[Health, str]]) -> None:
        """Say how some tools do.

        Args:
            healths: Status and reason by name; of other tools it is as before.
        """
        self._health |= healths
        self.show_again(healths)

    @Slot(dict)
    def set_lints(self, lints: Mapping[str, ToolLint]) -> None:
        """Say what is wrong with how some tools are described; of other tools it is as before."""
        self._lints |= lints
        self.show_again(lints)

    def show_again(self, names: Iterable[str]) -> None:
        """Show tools as they stand now; those that came meanwhile are shown first, in their own order.

        Many are shown a slice at a time: the rows of thousands of tools take longer than a frame.
        """
        self._on_self_changed()
        self._outdated |= dict.fromkeys(names)
        self._on_slices_timeout()

    @Slot()
    def _on_slices_timeout(self) -> None:
        rows = self._rows([self._outdated.popitem()[0] for _ in range(min(len(self._outdated), SLICE))])
        if rows:
            self._view.apply(list(rows.values()), [])
        if self._outdated:
            self._slices.start()

    def row_of(self, name: str) -> ToolRow | None:
        """Return how a tool stands; None when there is none of exactly that name."""
        return self._rows([name]).get(name)

    def _rows(self, names: Iterable[str]) -> dict[str, ToolRow]:
        found = (self._tools.lookup(name) for name in names)
        return {tool.name: self._row(tool, self._tools.refusal(tool.name)) for tool in found if tool}

    @Slot(object)
    def add_plugin(self, path: Path) -> None:
        """Load a plugin file, or load it again, and say what came of it."""
        self.add_plugins((path,))

    def add_plugins(self, paths: Sequence[Path]) -> None:
        """Load plugin files that the person chose; the first tool is opened as soon as one of them loads."""
        self._awaited.update(path.absolute() for path in paths)
        for path in paths:
            self._start(self._load, path)

    async def load_saved(self, paths: Sequence[Path]) -> None:
        """Load plugin files that were saved, and say what came of it."""
        await self._with_rings(self._load_saved, paths)

    @Slot(object, bool)
    def trust(self, place: Path, trusted: bool) -> None:
        """Let the code of a plugin file, or of all in a folder, run or not, and say what came of it."""
        self._start(self._trust, place, trusted=trusted)

    async def _trust(self, place: Path, *, trusted: bool) -> None:
        reports = await self._plugins.trust(place, trusted=trusted)
        self.set_reports(reports)
        if reports:
            self._tell(reports)

    def _receive(self, change: CardsChange) -> None:
        # Made in the thread that brings the change: the rows of thousands of tools take longer than a frame.
        rows: dict[str, ToolRow | None] = dict.fromkeys(change.removed, None)
        rows |= {tool.name: self._row(tool, change.disabled[tool.name]) for tool in change.added}
        self._waiting.append((rows, change.disabled.keys() - rows.keys()))
        self.changed.emit()

    @Slot()
    def _on_self_changed(self) -> None:
        rows: dict[str, ToolRow | None] = {}
        switched: set[str] = set()
        while self._waiting:
            made, names = self._waiting.popleft()
            rows |= made
            switched.update(names)
        rows |= self._rows(switched)
        if rows:
            self._view.apply(
                [row for row in rows.values() if row is not None],
                [name for name, row in rows.items() if row is None],
            )

    def _row(self, tool: ToolCard, disabled: Disabled | None) -> ToolRow:
        row = tool_row(tool, disabled)
        health, reason = self._health.get(tool.name, ("unknown", ""))
        if any(name == tool.name for name, _ in self._holding):
            health = "down" if health == "down" else "degraded"
            reason = tr("{reason}; its calls are held back", reason=reason) if reason else tr("its calls are held back")
        lint = self._lints.get(tool.name)
        said = () if lint is None else tuple(one for one in lint.findings if one.severity is not Severity.HINT)
        return replace(
            row,
            health=health,
            health_reason=reason,
            findings=tuple(lint_words(one).message for one in said),
            is_misdescribed=any(one.severity is Severity.ERROR for one in said),
            tokens=0 if lint is None else lint.costs.total,
        )

    def _start(self, work: Callable[_Given, Awaitable[None]], *args: _Given.args, **kwargs: _Given.kwargs) -> None:
        self._scope.start(self._with_rings(work, *args, **kwargs), "plugins")  # type: ignore[unused-awaitable]

    async def _with_rings(
        self, work: Callable[_Given, Awaitable[None]], *args: _Given.args, **kwargs: _Given.kwargs
    ) -> None:
        self._work += 1
        self._view.set_loading(True)
        try:
            await work(*args, **kwargs)
        except (ToolConfigurationError, OSError) as error:
            self.failed.emit(tr("The plugins could not be loaded: {error}", error=error))
        finally:
            self._work -= 1
            self._view.set_loading(bool(self._work))

    async def _load(self, path: Path) -> None:
        report = await self._plugins.load(path)
        self.set_reports([report])
        self._tell([report])

    async def _reload(self) -> None:
        reports = await self._plugins.reload_changed()
        self.set_reports(reports)
        self._tell(reports)

    async def _load_saved(self, paths: Sequence[Path]) -> None:
        reports = await self._plugins.load_saved(paths)
        self.set_reports(reports)
        self._tell(reports)

    def _tell(self, reports: Sequence[LoadReport]) -> None:
        untrusted = [report for report in reports if report.is_untrusted]
        if untrusted:
            names = ", ".join(report.source.name for report in untrusted[:MOST_NAMED])
            more = len(untrusted) - MOST_NAMED
            self.succeeded.emit(
                tr(
                    "What is in {names} may not run, and its tools are not in the tree",
                    names=tr("{names} and {count:,} more", names=names, count=more) if more > 0 else names,
                )
            )
        broken = [report for report in reports if report.error and not report.is_untrusted]
        for report in broken:
            name, error = report.source.name, report.error.removesuffix(".")
            self.failed.emit(
                tr("{name} could not be loaded: {error}. Its former tools stay.", name=name, error=error)
                if report.tools
                else tr("{name} could not be loaded: {error}.", name=name, error=error)
            )
        loaded = [report for report in reports if not report.error]
        if loaded:
            count = sum(len(report.tools) for report in loaded)
            names = ", ".join(report.source.name for report in loaded)
            said = tr_count(count, "Loaded 1 tool from {names}", "Loaded {count:,} tools from {names}", names=names)
            self.succeeded.emit(said + _replaced_words([name for report in loaded for name in report.aside]))
        elif not broken and not untrusted:
            self.succeeded.emit(tr("No plugin file changed"))
        self.reported.emit(list(reports))
        self._show_added(loaded)

    def _show_added(self, loaded: Iterable[LoadReport]) -> None:
        """Tell the first tool of files that the person added, also when a file loads only after it was mended."""
        added = [report for report in loaded if report.source.path in self._awaited]
        self._awaited.difference_update(report.source.path for report in added if report.source.path is not None)
        first = next((report.tools[0] for report in added if report.tools), None)
        if first is not None:
            # Its row may still be on its way from the engine's thread.
            self._on_self_changed()
            self.added.emit(first)

    @Slot()
    def reload(self) -> None:
        """Load plugin files again that changed or failed, and new ones of the plugin folder."""
        self._start(self._reload)

    @Slot(str)
    def _on_view_plugin_reload_requested(self, path: str) -> None:
        self._start(self._load, Path(path))

    @Slot(str)
    def _on_view_file_requested(self, path: str) -> None:
        if not self._show_url(QUrl.fromLocalFile(str(Path(path).parent))):
            self.failed.emit(tr("No program shows folders here. The file is {path}", path=path))

    @Slot(str, str)
    def _on_view_copy_requested(self, kind: str, name: str) -> None:
        tool = self._tools.find(name)
        # A name is copied before its tool is there, too.
        if tool is None and kind != "name":
            self.failed.emit(tr("{name!r} is gone, so nothing was copied", name=name))
            return
        QGuiApplication.clipboard().setText(name if tool is None else self._copied(kind, tool))
        self.succeeded.emit(tr("Copied the {kind} of {name}", kind=_COPIED[kind], name=name))

    def _copied(self, kind: str, tool: ToolCard) -> str:
        if kind == "schema":
            return json.dumps(tool.input_schema, indent=2, ensure_ascii=False)
        return command_line(tool, self._arguments(tool)) if kind == "command line" else tool.name

    def _arguments(self, tool: ToolCard) -> Mapping[str, JsonValue]:
        """Give the arguments the tool ran with last, else those of its first good example, else none."""
        last = self._last_arguments(tool.name) if self._last_arguments is not None else None
        if last is not None:
            return last
        return next((example.input for example in tool.spec.good_examples), {})


def command_line(tool: ToolCard, arguments: Mapping[str, JsonValue]) -> str:
    """Write a call as it is typed into a terminal; arguments that are needed and not given stay empty."""
    required = tool.input_schema.get("required", [])
    needed = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    values: dict[str, JsonValue] = {**dict.fromkeys(needed, ""), **arguments}
    words = [f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in values.items()]
    return shlex.join(["tool-console", "call", tool.name, *words])
