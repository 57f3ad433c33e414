"""Prove a tool: run it with arguments made of its schema, and tell which calls show a fault.

A `ToolChecker` runs calls through an `Executor` of its own, in a folder of its own that it watches: the tool's
examples, arguments at the edges of its schema, and nonsense, which must be refused. A tool that changes things runs
only where a person named the folder. The smallest arguments that show a fault make a `CheckFinding`, and a file for
pytest.
"""

from tools.check.checker import CheckOptions, ToolChecker
from tools.check.findings import CheckFault, CheckFinding, CheckProgress, CheckReport, CheckSkip, SkipReason
from tools.check.pytest_file import pytest_file

__all__ = [
    "CheckFault",
    "CheckFinding",
    "CheckOptions",
    "CheckProgress",
    "CheckReport",
    "CheckSkip",
    "SkipReason",
    "ToolChecker",
    "pytest_file",
]
