"""What to do about a call that did not succeed: the words for models, the command line and the window, said once.

What only the place that failed knows, such as a name that was meant, is in `CallError.remedy` and comes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tools.calls import CallError, ErrorKind

BY_KIND: Final[Mapping[ErrorKind, str]] = MappingProxyType(
    {
        ErrorKind.NOT_FOUND: "List the tools to see their names.",
        ErrorKind.DISABLED: "Enable it first.",
        ErrorKind.NO_PROJECT: "Open a folder or the sample project, then run it again.",
        ErrorKind.RATE_LIMIT: "Wait until the next call is admitted, then run it again.",
        ErrorKind.TIMEOUT: "Run it with less to do, or raise its time limit.",
        ErrorKind.CRASHED: "Only this call is lost: everything else goes on, and the next call gets a new worker"
        " process.",
    }
)
"""For everybody, models too."""

FOR_PERSON: Final[Mapping[ErrorKind, str]] = MappingProxyType(
    {
        ErrorKind.DENIED: "Run it again and allow it, or change the arguments so that nobody need be asked.",
        ErrorKind.CALLER: "Ask whoever declared the tool to add this caller to those that are allowed.",
        ErrorKind.CONTRACT: "Change the arguments so that the condition holds, then run it again.",
        ErrorKind.UNAVAILABLE: "Wait until the tool is started again, or reset what holds it back.",
        ErrorKind.EXPIRED: "Let the agent call the tool again.",
        ErrorKind.CANCELLED: "Run it again when you want the whole result.",
        ErrorKind.TOOL: "Check the arguments, then run it again.",
        ErrorKind.CONFIGURATION: "Correct how the tool is declared or set up, then reload it.",
        ErrorKind.GUIDED: "Do what the reason asks for, then run it again.",
        ErrorKind.MAX_ITERATIONS: "Let the run go on for more turns, or give it less to do.",
        ErrorKind.ABORTED: "Run it again.",
    }
)
"""For the person at the window: a model is not told to run what somebody refused or stopped."""

WITH_LOG: Final = "Check the arguments, and read the log for what led to it."
"""For the person, when the tool that failed wrote a log."""


WITH_TRACEBACK: Final = "The traceback says where the tool's code failed. Correct the code, or change the arguments."
"""For the person, when the tool's code is wrong, as far as the exception tells."""

_CODE_ERRORS: Final = frozenset(
    {
        "AttributeError",
        "ImportError",
        "ModuleNotFoundError",
        "NameError",
        "NotImplementedError",
        "RecursionError",
        "SyntaxError",
        "TypeError",
        "UnboundLocalError",
    }
)


def remedy_of(error: CallError) -> str:
    """Return what a caller may do next; empty when nothing general can be said."""
    if error.kind is ErrorKind.ARGUMENTS and not error.remedy:
        names = ", ".join(dict.fromkeys(problem.path or "the arguments" for problem in error.problems))
        return f"Correct {names or 'the arguments'} and run again."
    return error.remedy or BY_KIND.get(error.kind, "")


def remedy_for_person(error: CallError, *, has_log: bool) -> str:
    """Return what the person who ran a call may do next.

    Args:
        error: Why it did not succeed.
    """
    if error.remedy:
        return error.remedy
    if error.kind is ErrorKind.TOOL and error.traceback and error.type_name in _CODE_ERRORS:
        return WITH_TRACEBACK
    if error.kind is ErrorKind.TOOL and has_log:
        return WITH_LOG
    return FOR_PERSON.get(error.kind) or remedy_of(error)
