"""Import what declares tools: entry points of installed packages, and plugin files by path."""

from __future__ import annotations

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.metadata import EntryPoint, entry_points
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

from tools.declare import AbstractTool, Bundle, ClassName, bundle_of, supports
from tools.declare.decorators import declaration_of
from tools.errors import DiscoveryError, ToolConfigurationError
from tools.spec import Isolation
from tools.tool import PluginFile, Prompt, SourceKind, Tool, ToolSource

GROUP: Final = "tool_console.tools"
"""The entry point group: an object, a class, a factory or a module for each name."""

_OURS: Final = (str(Path(__file__).parent), "<frozen importlib")
_loads: Final = count(1)


class SourceReport(NamedTuple):
    """What came of loading one source.

    Attributes:
        source: The source.
        tools: Its tools; after a failed reload those that still run from before.
        prompts: Its prompts.
        error: Why it did not load, in one line; empty when it did.
        traceback: Where it failed; empty when it did not.
        stamp: The plugin file's modification time in nanoseconds; 0 for anything else.
    """

    source: ToolSource
    tools: tuple[Tool, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    error: str = ""
    traceback: str = ""
    stamp: int = 0


def load_entry_points(application: type | None = None, found: Iterable[EntryPoint] | None = None) -> list[SourceReport]:
    """Load what installed packages offer, in the order it is found; a broken one is reported and stops nobody.

    Args:
        application: The class that `@supported_for` is compared with.
        found: The entry points; None looks for our group.
    """
    reports: list[SourceReport] = []
    for entry in entry_points(group=GROUP) if found is None else found:
        source = ToolSource(SourceKind.PLUGIN, entry.dist.name if entry.dist is not None else entry.name)
        reports.append(_report(source, lambda entry=entry: entry.load(), application))  # type: ignore[misc]
    return reports


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
        stamp = path.stat().st_mtime_ns
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
    report = report_of_plugin(plugin, application)
    return report._replace(stamp=opened.stamp, tools=tuple(replace(tool, origin=plugin) for tool in report.tools))


def report_of_plugin(plugin: PluginFile, application: type | Collection[ClassName] | None) -> SourceReport:
    """Import an opened plugin file into this process, and say what it declares.

    Args:
        plugin: The file.
        application: The class that `@supported_for` is compared with, or its names; see `supports`.
    """
    return _report(_source_of(plugin), lambda: _import_file(plugin), application)


@cache
def bundle_of_plugin(plugin: PluginFile) -> Bundle:
    """Return what a plugin file declares, whatever application it is for; its errors pass through.

    A worker process asks this. What is imported already is not imported again, and a toolkit's tools share one object.
    """
    module = sys.modules.get(_module_name(plugin.path)) or _import_file(plugin)
    return _contents(module, _source_of(plugin), None, for_all=True)


def _source_of(plugin: PluginFile) -> ToolSource:
    return ToolSource(SourceKind.PLUGIN, plugin.path.name, plugin.path)


def _report(
    source: ToolSource, load: Callable[[], object], application: type | Collection[ClassName] | None
) -> SourceReport:
    try:
        bundle = _contents(load(), source, application)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 -- a plugin is foreign code: whatever it raises is its report
        kind = type(error).__name__
        line = str(error) if isinstance(error, ToolConfigurationError) else f"{kind}: {error}".rstrip(": ")
        return SourceReport(source, error=(line.splitlines() or [kind])[0], traceback=_foreign_traceback(error))
    return SourceReport(source, bundle.tools, bundle.prompts)


def _foreign_traceback(error: BaseException) -> str:
    described = traceback.TracebackException.from_exception(error)
    frames = [frame for frame in described.stack if not frame.filename.startswith(_OURS)]
    described.stack = traceback.StackSummary.from_list(frames)
    return "".join(described.format())


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


def _contents(
    loaded: object, source: ToolSource, application: type | Collection[ClassName] | None, *, for_all: bool = False
) -> Bundle:
    if isinstance(loaded, ModuleType):
        targets: list[object] = list(_declared_in(loaded))
    elif isinstance(loaded, list | tuple):
        targets = list(loaded)
    elif inspect.isroutine(loaded) and declaration_of(loaded) is None:
        made: Any = loaded()
        targets = list(made) if isinstance(made, Iterable) else [made]
    else:
        targets = [loaded]
    tools: list[Tool] = []
    prompts: list[Prompt] = []
    for target in targets:
        if for_all or supports(target, application):
            bundle = bundle_of(target, source=source)
            tools += [tool if tool.source == source else tool.with_source(source) for tool in bundle.tools]
            prompts += bundle.prompts
    if not targets:
        msg = (
            f"{source.name} declares no tool; put @tool above a function, or @toolkit above a class with @tool methods"
        )
        raise DiscoveryError(msg)
    return Bundle(tuple(tools), tuple(prompts))


def _declared_in(module: ModuleType) -> Iterable[object]:
    """Return what a module declares itself, in order of definition; what it imports belongs to somebody else."""
    for name, value in vars(module).items():
        if name.startswith("_"):
            continue
        if isinstance(value, Tool | AbstractTool):
            yield value
        elif getattr(value, "__module__", None) == module.__name__:
            declared = declaration_of(value)
            said = () if declared is None else (declared.tool, declared.prompt, declared.toolkit)
            # A bare @tool says nothing more than that: its keywords are empty, not None.
            is_declared = any(keywords is not None for keywords in said)
            if is_declared or (isinstance(value, type) and issubclass(value, AbstractTool)):
                yield value
