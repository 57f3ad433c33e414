"""Load what the window is shown without, piece by piece, while the person looks at it already."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING, Final

from console.lazy_page import load_in_pieces, load_libraries

if TYPE_CHECKING:
    from console.startup.early_window import EarlyWindow
    from console.tasks import Compute

_ENGINE: Final = (
    "tools.execution.executor",
    "tools.workbench",
    "tools.history",
    "tools.health",
)
"""What the engine and the records are made of, and much else with them."""
_LIBRARIES: Final = ("jsonschema", "jmespath", "regex", "charset_normalizer", "pygments.lexers", "tools.check")
_PAGES: Final = (
    "console.json_view",
    "console.schema_form",
    "console.comparison",
    "console.viewers",
    "console.call_result",
    "console.tool_page",
    "console.definition",
    "console.check",
)
_MORE_LIBRARIES: Final = (
    "ruamel.yaml",
    "tools.batch",
    "tools.batch.files",
    "tools.batch.step_previews",
    "tools.batch.runs",
    "tools.models",
)
_REST: Final = (
    "console.palette",
    "console.history",
    "console.health",
    "console.batch",
    "console.prompts",
    "console.assistant",
    "console.settings",
)
_NUMBERS: Final = ("numpy",)
"""What keeps the curves of health, from the first call on."""


async def load_program(early: EarlyWindow) -> None:
    """Load what stands behind a window that a person looks at already.

    Args:
        early: The window, which is filled first.
    """
    # What was typed meanwhile is shown before.
    await asyncio.sleep(0)
    early.fill()
    await asyncio.to_thread(load_libraries, _ENGINE)
    await asyncio.sleep(0)
    import_module("console.app.console")


async def load_pages(compute: Compute) -> None:
    """Load what the pages of tools are made of.

    Args:
        compute: Runs something in another thread.
    """
    await compute(load_libraries, _LIBRARIES)
    await load_in_pieces(*_PAGES)
    import_module("console.history.presenter")


async def load_the_rest(compute: Compute) -> None:
    """Load what is needed sooner or later.

    Args:
        compute: Runs something in another thread.
    """
    from console.json_view import load_languages  # noqa: PLC0415 -- pages have loaded it

    await compute(load_languages)
    # Agents are served by now, and may ask at once.
    await load_in_pieces("console.approval")
    import_module("console.activity.restored")
    await compute(load_libraries, _MORE_LIBRARIES)
    await load_in_pieces(*_REST)
    await compute(load_libraries, _NUMBERS)
