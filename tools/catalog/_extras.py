"""Libraries that not every installation has: a tool asks for one at its first call."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tools.errors import ToolFailure
from tools.extras import how_to_install, look_again


def optional(module: str, extra: str) -> Any:
    """Import a library of an extra, which a tool does at its first call.

    Args:
        module: What is imported, such as `PIL.Image`.

    Raises:
        ToolFailure: When it is not installed; the message names the extra and the command.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        look_again()
        raise ToolFailure(
            f"this tool needs the extra {extra!r}, and its library {error.name.partition('.')[0]!r} is not installed;"
            f" {how_to_install(extra)}"
        ) from error
