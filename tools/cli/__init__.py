"""The command line, `tool-console list | info | call | search | history | audit`: the window's core, without Qt."""

from tools.cli.main import COMMANDS, main

__all__ = ["COMMANDS", "main"]
