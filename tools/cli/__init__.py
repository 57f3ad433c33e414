"""The command line, `tool-console list | info | call | search | history | health | audit`, without Qt."""

from tools.cli.main import COMMANDS, main

__all__ = ["COMMANDS", "main"]
