"""Where tools come from besides the program: entry points of installed packages, and plugin files loaded by path."""

from __future__ import annotations

import importlib.util
import inspect
import json
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from importlib.metadata import EntryPoint, entry_points
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import platformdirs

from tools.declare import AbstractTool, Bundle, bundle_of, supports
from tools.declare.decorators import declaration_of
from tools.errors import DiscoveryError, ToolConfigurationError
from tools.registry import ToolRegistry, Unregister
from tools.spec import Isolation
from tools.tool import PluginFile, Prompt, SourceKind, Tool, ToolSource

GROUP: Final = "tool_console.tools"
"""The entry point group: an object, a class, a factory or a module for each name."""

APP_NAME: Final = "tool-console"

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


def load_plugin(path: Path, application: type | None = None, isolation: Isolation = Isolation.PROCESS) -> SourceReport:
    """Load one plugin file under a private module name; its folder never gets onto `sys.path`.

    Args:
        path: A Python file.
        application: The class that `@supported_for` is compared with.
        isolation: Where those of its tools run that do not say.

    Returns:
        The tools, or why there are none with the traceback.
    """
    path = path.absolute()
    source = ToolSource(SourceKind.PLUGIN, path.name, path)
    try:
        stamp = path.stat().st_mtime_ns
        plugin = PluginFile(path, path.read_bytes(), next(_loads), isolation)
    except OSError as error:
        return SourceReport(source, error=f"{path} cannot be read: {error.strerror}", traceback=traceback.format_exc())
    report = _report(source, lambda: _import_file(plugin), application)
    return report._replace(stamp=stamp, tools=tuple(replace(tool, origin=plugin) for tool in report.tools))


def tools_of_plugin(plugin: PluginFile) -> tuple[Tool, ...]:
    """Load a plugin file that another process chose, whatever application its tools are for; its errors pass through.

    A worker process does this. What is loaded already is not loaded again.
    """
    module = sys.modules.get(_module_name(plugin.path)) or _import_file(plugin)
    return _contents(module, ToolSource(SourceKind.PLUGIN, plugin.path.name, plugin.path), None, for_all=True).tools


def _report(source: ToolSource, load: Callable[[], object], application: type | None) -> SourceReport:
    try:
        bundle = _contents(load(), source, application)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 -- a plugin is foreign code: whatever it raises is its report
        kind = type(error).__name__
        line = str(error) if isinstance(error, ToolConfigurationError) else f"{kind}: {error}"
        return SourceReport(source, error=(line.splitlines() or [kind])[0], traceback=_foreign_traceback(error))
    return SourceReport(source, bundle.tools, bundle.prompts)


def _foreign_traceback(error: BaseException) -> str:
    described = traceback.TracebackException.from_exception(error)
    ours = (__file__, "<frozen importlib")
    frames = [frame for frame in described.stack if not frame.filename.startswith(ours)]
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


def _contents(loaded: object, source: ToolSource, application: type | None, *, for_all: bool = False) -> Bundle:
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


class Plugins:
    """Keep a registry in step with a list of plugin files.

    Args:
        registry: Where their tools go.
        application: The class that `@supported_for` is compared with.
    """

    def __init__(self, registry: ToolRegistry, application: type | None = None) -> None:
        self._registry = registry
        self._application = application
        self._report_by_path: dict[Path, SourceReport] = {}
        self._isolation_by_path: dict[Path, Isolation] = {}
        self._undo_by_path: dict[Path, Unregister] = {}

    @property
    def reports(self) -> tuple[SourceReport, ...]:
        """What came of each file, in order of addition."""
        return tuple(self._report_by_path.values())

    def add(self, path: Path, isolation: Isolation | None = None) -> SourceReport:
        """Load a file, or load it again, and register its tools.

        A file that worked before and is broken now keeps its former tools, and the report says what is wrong.

        Args:
            path: The file.
            isolation: Where those of its tools run that do not say; None is as before, at first a process.
        """
        path = path.absolute()
        if isolation is not None:
            self._isolation_by_path[path] = isolation
        report = load_plugin(path, self._application, self._isolation_by_path.get(path, Isolation.PROCESS))
        before = self._report_by_path.get(path)
        if not report.error:
            report = self._swap(path, report)
        if report.error and before is not None:
            report = report._replace(tools=before.tools, prompts=before.prompts)
        self._report_by_path[path] = report
        return report

    def _swap(self, path: Path, report: SourceReport) -> SourceReport:
        before = self._report_by_path.get(path)
        undo = self._undo_by_path.pop(path, None)
        if undo is not None:
            undo()
        try:
            self._undo_by_path[path] = self._registry.register_all(report.tools, report.prompts)
        except ToolConfigurationError as error:
            if before is not None and (before.tools or before.prompts):
                self._undo_by_path[path] = self._registry.register_all(before.tools, before.prompts)
            return report._replace(tools=(), prompts=(), error=str(error), traceback=str(error))
        return report

    def remove(self, path: Path) -> None:
        """Take a file's tools away."""
        path = path.absolute()
        self._report_by_path.pop(path, None)
        undo = self._undo_by_path.pop(path, None)
        if undo is not None:
            undo()

    def reload(self, *, everything: bool = False) -> list[SourceReport]:
        """Load changed files again.

        Args:
            everything: Whether unchanged ones are loaded again as well.

        Returns:
            The reports of those that were loaded.
        """
        return [
            self.add(path)
            for path, report in list(self._report_by_path.items())
            if everything or report.error or not path.exists() or path.stat().st_mtime_ns != report.stamp
        ]


class PluginList:
    """Remember which plugin files a person chose, for the window and the command line alike.

    The list is a JSON file: `{"files": ["/a/notes.py"], "isolation": {"/a": "thread"}}`. What it says of a file or a
    folder under `isolation` holds for the tools in it that do not say themselves where they run.

    Args:
        folder: The settings folder; None is the user's own.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or platformdirs.user_config_path(APP_NAME)

    @property
    def folder(self) -> Path:
        """Every Python file in this folder is a plugin."""
        return self._folder / "plugins"

    @property
    def _file(self) -> Path:
        return self._folder / "plugins.json"

    def paths(self) -> list[Path]:
        """Return the files of the plugin folder, then those chosen elsewhere.

        Raises:
            DiscoveryError: When the list cannot be read; it is left as it is.
        """
        inside = sorted(path for path in self.folder.glob("*.py") if not path.name.startswith("_"))
        return inside + [path for path in self._chosen() if path not in inside]

    def add(self, path: Path) -> None:
        """Remember a file."""
        chosen = self._chosen()
        if path.absolute() not in chosen:
            self._write([*chosen, path.absolute()])

    def remove(self, path: Path) -> None:
        """Forget a file."""
        self._write([item for item in self._chosen() if item != path.absolute()])

    def isolation_of(self, path: Path) -> Isolation:
        """Return where the tools of a file run that do not say: as its own entry or its nearest folder's says.

        Raises:
            DiscoveryError: When the list cannot be read.
        """
        said = self._read()[1]
        places = (path.absolute(), *path.absolute().parents)
        return next((said[place] for place in places if place in said), Isolation.PROCESS)

    def set_isolation(self, place: Path, isolation: Isolation | None) -> None:
        """Remember where the tools of a file or folder run that do not say; None forgets it."""
        paths, said = self._read()
        said.pop(place.absolute(), None)
        if isolation is not None:
            said[place.absolute()] = isolation
        self._write(paths, said)

    def _chosen(self) -> list[Path]:
        return self._read()[0]

    def _read(self) -> tuple[list[Path], dict[Path, Isolation]]:
        try:
            listed = json.loads(self._file.read_text("utf-8"))
            said = {Path(place): Isolation(word) for place, word in listed.get("isolation", {}).items()}
            return [Path(item) for item in listed["files"]], said
        except FileNotFoundError:
            return [], {}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            msg = f"the plugin list {self._file} cannot be read ({error}); mend or delete it"
            raise DiscoveryError(msg) from error

    def _write(self, paths: list[Path], isolation: Mapping[Path, Isolation] | None = None) -> None:
        said = self._read()[1] if isolation is None else isolation
        listed: dict[str, object] = {"files": [str(path) for path in paths]}
        if said:
            listed["isolation"] = {str(place): word.value for place, word in said.items()}
        self._folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(listed, indent=2)
        scratch = self._file.with_suffix(".tmp")
        scratch.write_text(text + "\n", "utf-8")
        scratch.replace(self._file)
