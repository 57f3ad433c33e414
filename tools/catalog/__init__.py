"""The built-in tools, one toolkit class a module."""

from __future__ import annotations

from functools import cache
from typing import Final

from tools.card import SourceKind, ToolSource
from tools.catalog.agent import AgentMemory
from tools.catalog.archives import Archives
from tools.catalog.build import Build
from tools.catalog.calendar import Calendar
from tools.catalog.charts import Charts
from tools.catalog.code import Code
from tools.catalog.crypto import Crypto
from tools.catalog.data import Data
from tools.catalog.databases import Databases
from tools.catalog.documents import DocumentTools
from tools.catalog.editing import Editing
from tools.catalog.files import Files
from tools.catalog.finance import Finance
from tools.catalog.forges import Forges
from tools.catalog.git import Git
from tools.catalog.images import Images
from tools.catalog.knowledge import FolderKnowledge
from tools.catalog.logs import Logs
from tools.catalog.lookups import Lookups
from tools.catalog.mail import Mail
from tools.catalog.math import Math
from tools.catalog.media import Media
from tools.catalog.messaging import Messaging
from tools.catalog.network import Network
from tools.catalog.packages import Packages
from tools.catalog.ports import Ports
from tools.catalog.search import Search
from tools.catalog.system import System
from tools.catalog.text import Text
from tools.catalog.time import Time
from tools.catalog.utility import Utility
from tools.catalog.web import Web
from tools.declare import resolve_tools
from tools.tool import Tool

BUILT_IN: Final = ToolSource(SourceKind.BUILT_IN, "Built-in")
"""The source the built-in tools are listed under."""

TOOLKITS: Final[tuple[type, ...]] = (
    Files,
    Editing,
    Archives,
    Logs,
    Code,
    Build,
    Data,
    Databases,
    DocumentTools,
    Charts,
    Text,
    Web,
    Search,
    Lookups,
    Network,
    Packages,
    Git,
    Forges,
    Mail,
    Messaging,
    System,
    Ports,
    Time,
    Calendar,
    Math,
    Finance,
    Images,
    Media,
    FolderKnowledge,
    Crypto,
    AgentMemory,
    Utility,
)
"""The toolkit classes, in the order they are listed."""


def builtin_tools() -> list[Tool]:
    """Return all built-in tools, in the order they are listed; each time the same ones, as making them takes long."""
    return list(_made())


@cache
def _made() -> tuple[Tool, ...]:
    return tuple(resolve_tools(TOOLKITS, source=BUILT_IN))
