"""The command line: `tool-console list | info | call | search`. The same core as the window, without Qt."""

from tools.cli.main import COMMANDS, main

__all__ = ["COMMANDS", "main"]
