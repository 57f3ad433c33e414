"""Import what declares tools: entry points of installed packages, and plugin files by path."""

from __future__ import annotations

import importlib.util
import inspect
import linecache
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.metadata import EntryPoint, entry_points
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

from tools.card import SourceKind, ToolSource
from tools.declare import AbstractTool, Bundle, ClassName, ToolMaker, bundle_of, supports
from tools.declare.abstract import is_langchain_tool
from tools.declare.decorators import declaration_of
from tools.errors import DiscoveryError, ToolConfigurationError
from tools.spec import Isolation
from tools.tool import PluginFile, Prompt, Tool

GROUP: Final = "tool_console.tools"
"""The entry point group: an object, a class, a factory or a module for each name."""

UNTRUSTED: Final = "its code may not run, as you do not trust it; trust it in the settings, under Plugins"
"""Why a plugin file is not loaded that may not run."""

_OURS: Final = (str(Path(__file__).parent), "<frozen importlib")
_loads: Final = count(1)


class SourcePlace(NamedTuple):
    """Where in a file something is wrong.

    Attributes:
        path: The file; not always the plugin file itself, which may import others.
        line: The number of the line, from 1.
        column: Where in the line, from 1; 0 when that is not known.
        text: The line; empty when it is not known.
    """

    path: Path
    line: int
    column: int = 0
    text: str = ""


class FileStamp(NamedTuple):
    """What tells one state of a file from another without reading it; also when another file took its place."""

    modified_ns: int
    size_bytes: int
    inode: int


def file_stamp(path: Path) -> FileStamp | None:
    """Return the state that a file is in; None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return FileStamp(found.st_mtime_ns, found.st_size, found.st_ino)


class LoadReport(NamedTuple):
    """What came of loading one source, as a value.

    Attributes:
        tools: The names of its tools; after a failed reload those that still run from before.
        error: Why it did not load, in one line; empty when it did.
        traceback: Where it failed; empty when it did not.
        place: Where it failed, when that is a line of a file.
        aside: What the built-in tools are called now whose names its tools took.
        is_untrusted: Whether it did not load because a person does not let its code run; `error` says so then.
    """

    source: ToolSource
    tools: tuple[str, ...] = ()
    error: str = ""
    traceback: str = ""
    place: SourcePlace | None = None
    aside: tuple[str, ...] = ()
    is_untrusted: bool = False


class SourceReport(NamedTuple):
    """What came of loading one source.

    Attributes:
        tools: Its tools; after a failed reload those that still run from before.
        error: Why it did not load, in one line; empty when it did.
        traceback: Where it failed; empty when it did not.
        stamp: The state that the plugin file was in; None for anything else, and for a file that cannot be read.
        place: Where it failed, when that is a line of a file.
        aside: What the built-in tools are called now whose names its tools took.
        is_untrusted: Whether it did not load because a person does not let its code run; `error` says so then.
    """

    source: ToolSource
    tools: tuple[Tool, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    error: str = ""
    traceback: str = ""
    stamp: FileStamp | None = None
    place: SourcePlace | None = None
    aside: tuple[str, ...] = ()
    is_untrusted: bool = False

    @property
    def told(self) -> LoadReport:
        """The same without what runs."""
        names = tuple(tool.name for tool in self.tools)
        return LoadReport(self.source, names, self.error, self.traceback, self.place, self.aside, self.is_untrusted)


def load_entry_points(application: type | None = None, found: Iterable[EntryPoint] | None = None) -> list[SourceReport]:
    """Load what installed packages offer, in the order it is found; a broken one is reported and stops nobody.

    Args:
        application: The class that `@supported_for` is compared with.
        found: The entry points; None looks for our group.
    """
    reports: list[SourceReport] = []
    entries = list(entry_points(group=GROUP) if found is None else found)
    offered = Counter(_distribution(entry) for entry in entries)
    for entry in entries:
        # Several of one distribution are told apart, or what becomes of one would be taken for what became of another.
        name = _distribution(entry)
        source = ToolSource(SourceKind.PLUGIN, name if offered[name] == 1 else f"{name} ({entry.name})")
        reports.append(_report(source, lambda entry=entry: entry.load(), application))  # type: ignore[misc]
    return reports


def _distribution(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.name


def untrusted_plugin(path: Path) -> SourceReport:
    """Report on a plugin file whose code a person does not let run; nothing of it is read."""
    source = ToolSource(SourceKind.PLUGIN, path.name, path)
    return SourceReport(source, error=UNTRUSTED, traceback=UNTRUSTED, stamp=file_stamp(path), is_untrusted=True)


def open_plugin(path: Path, isolation: Isolation = Isolation.PROCESS) -> tuple[PluginFile | None, SourceReport]:
    """Read a plugin file without running it.

    Args:
        path: A Python file.
        isolation: Where those of its tools run that do not say.

    Returns:
        The file, None when it cannot be read; and a report that has the reason then, and no tools yet in any case.
    """
    path = path.absolute()
    source = ToolSource(SourceKind.PLUGIN, path.name, path)
    try:
        # Asked first: a file that is saved in between is loaded once more, rather than never.
        stamp = file_stamp(path)
        plugin = PluginFile(path, path.read_bytes(), next(_loads), isolation)
    except OSError as error:
        reason = f"{path} cannot be read: {error.strerror}"
        return None, SourceReport(source, error=reason, traceback=traceback.format_exc())
    return plugin, SourceReport(source, stamp=stamp)


def load_plugin(path: Path, application: type | None = None, isolation: Isolation = Isolation.PROCESS) -> SourceReport:
    """Import one plugin file into this process, under a private module name; its folder never gets onto `sys.path`.

    This is for files that are trusted not to harm the process: `PluginWorkers` loads others.

    Args:
        path: A Python file.
        application: The class that `@supported_for` is compared with.
        isolation: Where those of its tools run that do not say.

    Returns:
        The tools, or why there are none with the traceback.
    """
    plugin, opened = open_plugin(path, isolation)
    return opened if plugin is None else imported(plugin, opened, application)


def imported(plugin: PluginFile, opened: SourceReport, application: type | None) -> SourceReport:
    """Complete the report on an opened plugin file by importing it into this process."""
    report = _report(opened.source, lambda: _import_file(plugin), application)
    return report._replace(stamp=opened.stamp, tools=tuple(replace(tool, origin=plugin) for tool in report.tools))


def report_of_plugin(plugin: PluginFile, application: Collection[ClassName] | None) -> SourceReport:
    """Say what a plugin file declares, in the worker process that imports it and runs its tools.

    Args:
        application: The names of the class that `@supported_for` is compared with, and of its bases.
    """
    return _reported(_source_of(plugin), lambda: _of_worker(plugin), application)


def bundles_of_plugin(plugin: PluginFile) -> Iterator[Bundle]:
    """Return what a plugin file declares, in a worker process; its errors pass through.

    What is imported already is not imported again, and what was made for the report is not made again: a toolkit's
    tools share one object. What is for another application is only made when nothing before it was meant.
    """
    return _of_worker(plugin).bundles()


@cache
def _of_worker(plugin: PluginFile) -> _Declarations:
    return _Declarations(_import_file(plugin), _source_of(plugin))


def _source_of(plugin: PluginFile) -> ToolSource:
    return ToolSource(SourceKind.PLUGIN, plugin.path.name, plugin.path)


def _report(source: ToolSource, load: Callable[[], object], application: type | None) -> SourceReport:
    return _reported(source, lambda: _Declarations(load(), source), application)


def _reported(
    source: ToolSource, declare: Callable[[], _Declarations], application: type | Collection[ClassName] | None
) -> SourceReport:
    try:
        bundle = declare().bundle(application)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 -- a plugin is foreign code: whatever it raises is its report
        kind = type(error).__name__
        line = str(error) if isinstance(error, ToolConfigurationError) else f"{kind}: {error}".rstrip(": ")
        return SourceReport(
            source,
            error=(line.splitlines() or [kind])[0],
            traceback=_foreign_traceback(error),
            place=_place_of(error, source.path),
        )
    return SourceReport(source, bundle.tools, bundle.prompts)


def _foreign_traceback(error: BaseException) -> str:
    described = traceback.TracebackException.from_exception(error)
    frames = [frame for frame in described.stack if not frame.filename.startswith(_OURS)]
    described.stack = traceback.StackSummary.from_list(frames)
    return "".join(described.format())


def _place_of(error: BaseException, own: Path | None) -> SourcePlace | None:
    """Return the line that failed: of the plugin file, if the error went through it, else of whatever it imported."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return SourcePlace(Path(error.filename), error.lineno, error.offset or 0, (error.text or "").rstrip())
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(_OURS)]
    in_file = [frame for frame in frames if own is not None and frame.filename == str(own)]
    frame = next(reversed(in_file or frames), None)
    if frame is None or not frame.lineno:
        return None
    text = linecache.getline(frame.filename, frame.lineno).rstrip()
    # Python counts the bytes before the place.
    before = text.encode()[: frame.colno] if frame.colno is not None else None
    column = 0 if before is None else len(before.decode(errors="ignore")) + 1
    return SourcePlace(Path(frame.filename), frame.lineno, column, text)


def _module_name(path: Path) -> str:
    return f"_tool_console_plugin_{path.stem}_{sha256(str(path).encode()).hexdigest()[:12]}"


def _import_file(plugin: PluginFile) -> ModuleType:
    path = plugin.path
    name = _module_name(path)
    # Compiled here rather than by the import system, whose byte-code cache misses edits within the same second.
    code = compile(plugin.text, str(path), "exec", dont_inherit=True)
    spec = importlib.util.spec_from_loader(name, loader=None, origin=str(path))
    if spec is None:
        msg = f"{path} is no Python file"
        raise DiscoveryError(msg)
    module = importlib.util.module_from_spec(spec)
    module.__file__ = str(path)
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        exec(code, module.__dict__)  # noqa: S102 -- running the person's own file is what a plugin is
    except BaseException:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        raise
    return module


class _Declarations:
    """What something that was imported declares; each object of it is made once.

    Args:
        loaded: A module, an object, a class, several of them, or a factory.

    Raises:
        DiscoveryError: It declares nothing.
    """

    def __init__(self, loaded: object, source: ToolSource) -> None:
        self._source = source
        self._targets = _targets(loaded)
        self._bundle_by_place: dict[int, Bundle] = {}
        if not self._targets:
            msg = (
                f"{source.name} declares no tool; put @tool above a function, or @toolkit above a class with @tool"
                " methods"
            )
            raise DiscoveryError(msg)

    def bundle(self, application: type | Collection[ClassName] | None) -> Bundle:
        found = [self._made(place) for place, target in enumerate(self._targets) if supports(target, application)]
        return Bundle(
            tuple(tool for bundle in found for tool in bundle.tools),
            tuple(prompt for bundle in found for prompt in bundle.prompts),
        )

    def bundles(self) -> Iterator[Bundle]:
        """Return the bundle of each object, those that are made already first."""
        made = tuple(self._bundle_by_place)
        for place in (*made, *(place for place in range(len(self._targets)) if place not in made)):
            yield self._made(place)

    def _made(self, place: int) -> Bundle:
        if place not in self._bundle_by_place:
            bundle = bundle_of(self._targets[place], source=self._source)
            tools = (tool if tool.source == self._source else tool.with_source(self._source) for tool in bundle.tools)
            self._bundle_by_place[place] = bundle._replace(tools=tuple(tools))
        return self._bundle_by_place[place]


def _targets(loaded: object) -> tuple[object, ...]:
    if isinstance(loaded, ModuleType):
        return tuple(_declared_in(loaded))
    if isinstance(loaded, list | tuple):
        return tuple(loaded)
    if inspect.isroutine(loaded) and declaration_of(loaded) is None:
        made: Any = loaded()
        return tuple(made) if isinstance(made, Iterable) else (made,)
    return (loaded,)


def _declared_in(module: ModuleType) -> Iterable[object]:
    """Return what a module declares itself, in order of definition; what it imports belongs to somebody else."""
    for name, value in vars(module).items():
        if name.startswith("_"):
            continue
        if isinstance(value, Tool | AbstractTool | ToolMaker) or is_langchain_tool(value):
            yield value
        elif getattr(value, "__module__", None) == module.__name__:
            declared = declaration_of(value)
            said = () if declared is None else (declared.tool, declared.prompt, declared.toolkit)
            # A bare @tool says nothing more than that: its keywords are empty, not None.
            is_declared = any(keywords is not None for keywords in said)
            if is_declared or (isinstance(value, type) and issubclass(value, AbstractTool)):
                yield value
