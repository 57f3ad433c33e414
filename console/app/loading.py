"""Load what the window is shown without, piece by piece, while the person looks at it already.

Whatever makes classes of Qt's is imported on the window's thread, a module at a time: in another thread it changes
tables of types that Qt reads meanwhile, which ended the program once in a hundred starts or so. Other libraries load in
a thread.
"""

from __future__ import annotations

import asyncio
import pkgutil
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Final

from console.tasks import Compute

_LIBRARIES: Final = ("jsonschema", "jmespath", "regex", "charset_normalizer", "pygments.lexers")
_PAGES: Final = (
    "console.json_view",
    "console.schema_form",
    "console.comparison",
    "console.call_table",
    "console.viewers",
    "console.execution",
)
_CLIENT: Final = ("tools.mcp.servers", "tools.mcp.store", "tools.mcp.exports", "tools.mcp.poisoning")
_MORE_LIBRARIES: Final = ("ruamel.yaml", "tools.batch", "tools.batch.files", "tools.batch.forecast", "tools.batch.runs")
_REST: Final = ("console.approval", "console.history", "console.health", "console.batch")
_NUMBERS: Final = ("numpy",)
"""What keeps the curves of health, from the first call on."""


async def load_pages(compute: Compute) -> None:
    """Load what the pages of tools are made of.

    Args:
        compute: Runs something in another thread.
    """
    await compute(_load_libraries, _LIBRARIES)
    await load_in_pieces(_PAGES)
    import_module("console.history.tool_presenter")


async def load_servers(compute: Compute) -> None:
    """Load what keeps servers and shows them; nothing of the SDK, which waits for the first server that is used.

    Args:
        compute: Runs something in another thread.
    """
    await compute(_load_libraries, _CLIENT)
    await load_in_pieces(("console.servers",))


async def load_the_rest(compute: Compute) -> None:
    """Load what is needed sooner or later.

    Args:
        compute: Runs something in another thread.
    """
    from console.json_view import load_languages  # noqa: PLC0415 -- pages have loaded it

    await compute(load_languages)
    import_module("console.app.restoring")
    await compute(_load_libraries, _MORE_LIBRARIES)
    await load_in_pieces(_REST)
    await compute(_load_libraries, _NUMBERS)


def _load_libraries(names: Iterable[str]) -> None:
    for name in names:
        import_module(name)


async def load_in_pieces(packages: Iterable[str]) -> None:
    """Load all modules of some packages, and let the window paint after each that was not loaded already."""
    for package in packages:
        for module in pkgutil.iter_modules(import_module(package).__path__):
            name = f"{package}.{module.name}"
            if name not in sys.modules:
                import_module(name)
                await asyncio.sleep(0)
