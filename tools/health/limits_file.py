"""The limits a person set, kept in a file beside the other settings."""

from __future__ import annotations

import logging
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import platformdirs
import tomli_w
from pydantic import ValidationError

from tools.atomic_write import write_whole
from tools.card import ToolSource
from tools.health.limits import LOOK_BACK_S, HealthLimits, LimitsScope
from tools.health.registry import ToolHealthRegistry

APP_NAME: Final = "tool-console"
FILE_NAME: Final = "health.toml"
_DEFAULT: Final = "default"
_TOOLS: Final = "tools"
_SOURCES: Final = "sources"
_TABLES: Final = (_DEFAULT, _TOOLS, _SOURCES)
_log = logging.getLogger(__name__)


class LimitsFile:
    """Remember the limits of tools, of sources and of all, for the window and the command line alike.

    The file is TOML: `[default]`, `[tools.NAME]` and `[sources."NAME"]`, each with fields of `HealthLimits`; what a
    table leaves out is as in a fresh one. A file that cannot be read, and an entry that means nothing, count as if they
    were not there, and `problem` says so; the first change puts such a file aside.

    Args:
        folder: The settings folder; None is the user's own.

    Attributes:
        problem: What of the file does not count, why, and what to do, in one line; empty when all of it does.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or platformdirs.user_config_path(APP_NAME)) / FILE_NAME
        self.problem = ""
        self._limits: dict[tuple[str, str], HealthLimits] = {}
        self.load()

    def load(self) -> None:
        self.problem = ""
        self._limits = {}
        try:
            document = tomllib.loads(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            self._complain(f"{self.path.name} cannot be read ({error}); correct it, or save limits to begin a new one")
            return
        for table, name, fields in _entries(document):
            if table not in _TABLES:
                self._complain(f"{self.path.name}: [{table}] means nothing; write [default], [tools.…] or [sources.…]")
                continue
            try:
                self._limits[table, name] = HealthLimits.model_validate(fields)
            except ValidationError as error:
                first = error.errors()[0]
                place = ".".join(str(part) for part in (table, name, *first["loc"]) if part)
                said = first["msg"].removeprefix("Value error, ")
                self._complain(f"{self.path.name}: {place}: {said}; it does not count until it is corrected")

    def get(self, scope: LimitsScope) -> HealthLimits | None:
        """Return what is kept for a scope; None when nothing is."""
        return self._limits.get(_key(scope))

    @property
    def look_back_s(self) -> float:
        """Return how far back runs matter to somebody, in seconds."""
        return max((LOOK_BACK_S, *(limits.window_s for limits in self._limits.values())))

    @property
    def has_sources(self) -> bool:
        """Return whether limits of any source are kept, so that it matters where a tool comes from."""
        return any(table == _SOURCES for table, _ in self._limits)

    def set(self, scope: LimitsScope, limits: HealthLimits | None) -> HealthLimits | None:
        """Keep limits for a scope, or with None forget them; what others changed in the file meanwhile stays.

        Returns:
            What was kept before, with which it is undone.

        Raises:
            OSError: The file cannot be written; nothing is changed.
        """
        self.load()
        changed = dict(self._limits)
        before = changed.pop(_key(scope), None)
        if limits is not None:
            changed[_key(scope)] = limits
        self._write(changed)
        self._limits = changed
        return before

    def apply(self, registry: ToolHealthRegistry) -> None:
        """Let the kept limits hold for the registered tools, and nothing else.

        Args:
            registry: Its tools; to be done again when others come.
        """
        registry.set_own_limits(LimitsScope(), self._fitting(LimitsScope(), registry))
        for source in registry.sources:
            registry.set_own_limits(LimitsScope(source=source), self._fitting(LimitsScope(source=source), registry))
        for name in registry.names:
            registry.set_own_limits(LimitsScope(name), self._fitting(LimitsScope(name), registry))

    def _fitting(self, scope: LimitsScope, registry: ToolHealthRegistry) -> HealthLimits | None:
        """Return limits that look at no more runs than are kept here; another program may keep more."""
        limits, most = self.get(scope), registry.most_calls
        if limits is None or limits.window_calls <= most:
            return limits
        return limits.model_copy(update={"window_calls": most})

    def _write(self, limits: Mapping[tuple[str, str], HealthLimits]) -> None:
        document: dict[str, Any] = {}
        for (table, name), kept in sorted(limits.items()):
            fields = kept.model_dump()
            if name:
                document.setdefault(table, {})[name] = fields
            else:
                document[table] = fields
        if self.problem and self.path.exists():
            shutil.copyfile(self.path, self.path.with_suffix(".toml.bad"))
        write_whole(self.path, tomli_w.dumps(document))
        self.problem = ""

    def _complain(self, problem: str) -> None:
        _log.warning("%s", problem)
        self.problem = self.problem or problem


def source_key(source: ToolSource) -> str:
    """Return the name that a source has in the file: the path of a plugin file, else its kind and its name."""
    return str(source.path) if source.path is not None else f"{source.kind.value}: {source.name}"


def _key(scope: LimitsScope) -> tuple[str, str]:
    if scope.tool:
        return _TOOLS, scope.tool
    return (_DEFAULT, "") if scope.source is None else (_SOURCES, source_key(scope.source))


def _entries(document: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    found: list[tuple[str, str, Any]] = []
    for table, content in document.items():
        if table in {_TOOLS, _SOURCES} and isinstance(content, dict):
            found += ((table, name, fields) for name, fields in content.items())
        else:
            found.append((table, "", content))
    return found
