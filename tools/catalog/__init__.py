"""The built-in tools, one toolkit class a module, and `human_input`, which programs register by itself as well."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from importlib import import_module
from threading import Lock
from typing import Final

from tools.card import BUILT_IN
from tools.catalog._lazy_tool import LazyTool
from tools.catalog._snapshot import Snapshot, ToolkitCards, digest, read, toolkit_cards
from tools.declare import resolve_tools
from tools.registry import ToolRegistry
from tools.tool import Tool

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

HELP_PAGE: Final = "built-in-tools.md"
"""The page of the help that `help_text` is written into."""

_SEARCH: Final = "of a registry"
"""Stands for the class of the tools that find tools: they are made for a registry."""

_ALONE: Final = "of the framework"
"""Stands for the class of `human_input`, which is no part of this package."""

_loading: Final = Lock()


def builtin_tools() -> list[Tool]:
    """Return all built-in tools, in the order they are listed; each time the same ones.

    The module of a toolkit is imported when one of its tools is first called, unless a source of the catalogue was
    changed since the cards were written down.
    """
    return list(_known())


def search_of(registry: ToolRegistry) -> list[Tool]:
    """Return the built-in tools that find the tools of a registry, which import their libraries at the first search."""
    made = cache(partial(_made_search, registry))
    found = _written()
    return made() if found is None else _lazy(found[_SEARCH], lambda name: _named(made(), name))


def declared_tools() -> list[Tool]:
    """Return all built-in tools as their modules declare them, which are all imported."""
    return [*(tool for path in TOOLKITS for tool in _declared(path)), *_made_alone()]


def snapshot() -> Snapshot:
    """Return what is to be written down of the built-in tools as their modules declare them."""
    made = {path: _declared(path) for path in TOOLKITS}
    made |= {_ALONE: _made_alone(), _SEARCH: tuple(_made_search(ToolRegistry()))}
    return Snapshot(digest(), tuple(toolkit_cards(path, tools) for path, tools in made.items()))


def help_text() -> str:
    """Return what the help is to say of the built-in tools, as their modules declare them."""
    from tools.catalog._help_page import help_page  # noqa: PLC0415 -- a start needs none of it

    return help_page(snapshot().toolkits)


@cache
def _written() -> dict[str, ToolkitCards] | None:
    """Return what is written down of the toolkits; None when the sources are others than those it was made of."""
    found = read()
    return {kit.class_path: kit for kit in found.toolkits} if digest() in {"", found.sources} else None


@cache
def _known() -> tuple[Tool, ...]:
    found = _written()
    if found is None:
        return tuple(declared_tools())
    alone = _lazy(found[_ALONE], lambda name: _named(_made_alone(), name))
    return (*(tool for path in TOOLKITS for tool in _lazy(found[path], partial(_tool, path))), *alone)


def _lazy(toolkit: ToolkitCards, load: Callable[[str], Tool]) -> list[Tool]:
    return [LazyTool(card, toolkit.description, partial(load, card.name)) for card in toolkit.tools]


@cache
def _made_alone() -> tuple[Tool, ...]:
    from tools.review.human_input import HumanInputTool  # noqa: PLC0415 -- a list of tools asks nobody

    return tuple(resolve_tools([HumanInputTool], source=BUILT_IN))


def _tool(class_path: str, name: str) -> Tool:
    return _named(_declared(class_path), name)


def _named(tools: Iterable[Tool], name: str) -> Tool:
    return next(tool for tool in tools if tool.name == name)


def _declared(class_path: str) -> tuple[Tool, ...]:
    # Tools of a toolkit share its object, so two threads must not make it twice.
    with _loading:
        return _made(class_path)


@cache
def _made(class_path: str) -> tuple[Tool, ...]:
    module, _, name = class_path.partition(".")
    return tuple(resolve_tools([getattr(import_module(f"tools.catalog.{module}"), name)], source=BUILT_IN))


def _made_search(registry: ToolRegistry) -> list[Tool]:
    # It brings numpy and the words of the language.
    from tools.search import ToolSearch  # noqa: PLC0415 -- see above

    return resolve_tools([ToolSearch(registry)], source=BUILT_IN)
