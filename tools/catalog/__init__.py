"""The built-in tools, one toolkit class a module."""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from threading import Lock
from typing import Final

from tools.card import SourceKind, ToolSource
from tools.catalog._lazy_tool import LazyTool
from tools.catalog._snapshot import Snapshot, digest, read, toolkit_cards
from tools.declare import resolve_tools
from tools.tool import Tool

BUILT_IN: Final = ToolSource(SourceKind.BUILT_IN, "Built-in")
"""The source the built-in tools are listed under."""

TOOLKITS: Final = (
    "files.Files",
    "editing.Editing",
    "archives.Archives",
    "logs.Logs",
    "code.Code",
    "build.Build",
    "data.Data",
    "databases.Databases",
    "documents.DocumentTools",
    "charts.Charts",
    "text.Text",
    "web.Web",
    "search.Search",
    "lookups.Lookups",
    "network.Network",
    "packages.Packages",
    "git.Git",
    "forges.Forges",
    "mail.Mail",
    "messaging.Messaging",
    "system.System",
    "ports.Ports",
    "time.Time",
    "calendar.Calendar",
    "math.Math",
    "finance.Finance",
    "images.Images",
    "media.Media",
    "knowledge.FolderKnowledge",
    "crypto.Crypto",
    "agent.AgentMemory",
    "utility.Utility",
)
"""The toolkit classes as `module.Class`, in the order they are listed."""

_loading: Final = Lock()


def builtin_tools() -> list[Tool]:
    """Return all built-in tools, in the order they are listed; each time the same ones.

    The module of a toolkit is imported when one of its tools is first called, unless a source of the catalogue was
    changed since the cards were written down.
    """
    return list(_known())


def declared_tools() -> list[Tool]:
    """Return all built-in tools as their modules declare them, which are all imported."""
    return [tool for path in TOOLKITS for tool in _declared(path)]


def snapshot() -> Snapshot:
    """Return what is to be written down of the built-in tools as their modules declare them."""
    return Snapshot(digest(), tuple(toolkit_cards(path, _declared(path)) for path in TOOLKITS))


@cache
def _known() -> tuple[Tool, ...]:
    found = read()
    if digest() not in {"", found.sources}:
        return tuple(declared_tools())
    return tuple(
        LazyTool(card, toolkit.description, partial(_tool, toolkit.class_path, card.name))
        for toolkit in found.toolkits
        for card in toolkit.tools
    )


def _tool(class_path: str, name: str) -> Tool:
    return next(tool for tool in _declared(class_path) if tool.name == name)


def _declared(class_path: str) -> tuple[Tool, ...]:
    # Tools of a toolkit share its object, so two threads must not make it twice.
    with _loading:
        return _made(class_path)


@cache
def _made(class_path: str) -> tuple[Tool, ...]:
    module, _, name = class_path.partition(".")
    return tuple(resolve_tools([getattr(import_module(f"tools.catalog.{module}"), name)], source=BUILT_IN))
