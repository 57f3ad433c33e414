"""What the command line has of each of its commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import argparse
    import asyncio
    from collections.abc import Callable

    from tools.workbench import Workbench


class CliCommand(NamedTuple):
    """A command.

    Attributes:
        add: Adds its words to the parser; given what all commands with tools take.
        alone: Does what needs no tools, and returns the exit code; None for everything else. None when nothing does.
        with_tools: Does the rest with the tools, in the loop that loaded them, and returns the exit code.
    """

    add: Callable[[argparse._SubParsersAction[argparse.ArgumentParser], argparse.ArgumentParser], None]
    alone: Callable[[argparse.Namespace], int | None] | None = None
    with_tools: Callable[[argparse.Namespace, Workbench, asyncio.Runner], int] | None = None
