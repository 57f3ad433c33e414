"""The command line, `tool-console` with one of the `COMMANDS` behind it, without Qt."""

from tools.cli.main import COMMANDS, main

__all__ = ["COMMANDS", "main"]
