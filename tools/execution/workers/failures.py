"""Exceptions, told across processes: never the objects, only what they are called, say and carry."""

from __future__ import annotations

import asyncio
import sys
import traceback
from pathlib import Path
from typing import Any, Final

from tools.declare import ClassName
from tools.errors import ArgumentProblem, ArgumentsError, RateLimitError, ToolFailure

OWN_FOLDER: Final = str(Path(__file__).parent.parent)
_LONGEST_TEXT: Final = 1_000_000
_MOST_CLASSES: Final = 50


class WorkerToolError(Exception):
    """Stand for an exception that a tool raised in a worker process.

    Where the program knows the exception's class as well, what it gets is of that class too, so that `retry_on` and
    `except` see no difference. The worker's object itself never comes here.

    Attributes:
        told_classes: Its class there and all bases, each by module and qualified name.
    """

    traceback_text: str = ""
    told_classes: frozenset[ClassName] = frozenset()

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class WorkerExit(SystemExit):
    """Stand for the wish of a tool in a worker process to end the program."""

    traceback_text: str = ""


def described(error: BaseException, *, no_json_form: bool = False) -> dict[str, Any]:
    """Return what travels of an exception."""
    known: dict[str, Any] = {}
    if isinstance(error, SystemExit):
        known["code"] = error.code if error.code is None or isinstance(error.code, int) else str(error.code)
    elif isinstance(error, RateLimitError):
        known["retry_after_s"] = error.retry_after_s
    elif isinstance(error, ArgumentsError):
        known["problems"] = [list(problem) for problem in error.problems]
    return {
        "name": type(error).__name__,
        "classes": [[kind.__module__, kind.__qualname__] for kind in type(error).__mro__ if kind is not object],
        "text": _said(error)[:_LONGEST_TEXT],
        "traceback": own_traceback(error)[-_LONGEST_TEXT:],
        "known": known,
        "no_json_form": no_json_form,
    }


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as second:  # noqa: BLE001 -- a class of the tool's own may fail to say what it is
        return f"(its text cannot be read: {type(second).__name__})"


def own_traceback(error: BaseException) -> str:
    """Return the traceback from the tool's own frames on; ours would only hide them."""
    if isinstance(error, WorkerToolError | WorkerExit):
        return error.traceback_text
    entries = traceback.TracebackException.from_exception(error)
    frames = [frame for frame in entries.stack if not frame.filename.startswith(OWN_FOLDER)]
    entries.stack = traceback.StackSummary.from_list(frames)
    return "".join(entries.format())


def without_json_form(error: TypeError) -> ToolFailure:
    """Return the failure of a call whose arguments cannot go to a worker process."""
    return ToolFailure(f"{error}; a tool in a worker process receives its arguments as JSON")


def restored(body: object) -> BaseException:
    """Return the exception to raise for one that a worker described; nothing in the description is believed."""
    told = body if isinstance(body, dict) else {}
    name, text, known = _text(told.get("name")), _text(told.get("text")), told.get("known")
    name = name if name.isidentifier() else "Exception"
    known = known if isinstance(known, dict) else {}
    classes = [
        (pair[0], pair[1])
        for pair in _list(told.get("classes"))[:_MOST_CLASSES]
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(word, str) for word in pair)  # noqa: PLR2004
    ]
    if ("builtins", "SystemExit") in classes:
        code = known.get("code")
        ending: WorkerExit = type(name, (WorkerExit,), {})(code if isinstance(code, int | str) else None)
        ending.traceback_text = _text(told.get("traceback"))
        return ending
    if ("asyncio.exceptions", "CancelledError") in classes:
        return asyncio.CancelledError()
    error = _made(name, text, classes)
    error.traceback_text = _text(told.get("traceback"))
    error.told_classes = frozenset(classes)
    if isinstance(error, RateLimitError):
        seconds = known.get("retry_after_s")
        error.retry_after_s = float(seconds) if isinstance(seconds, int | float) else 0.0
    elif isinstance(error, ArgumentsError):
        error.problems = tuple(
            ArgumentProblem(*map(str, fields))
            for fields in _list(known.get("problems"))
            if isinstance(fields, list) and len(fields) == len(ArgumentProblem._fields)
        )
    return error


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _made(name: str, text: str, classes: list[tuple[str, str]]) -> WorkerToolError:
    for module, qualname in classes:
        known = _known_class(module, qualname)
        if known is not None:
            try:
                kind = _told_class(name, known)
                error: WorkerToolError = kind.__new__(kind)
            except TypeError:  # a class that cannot be had so; its base will do
                continue
            error.args = (text,)
            return error
    return _told_class(name, Exception)(text)


def _known_class(module: str, qualname: str) -> type[Exception] | None:
    """Return an exception class that this program has loaded already, if something else can take its place."""
    found = _loaded_class(module, qualname)
    if found is None or not issubclass(found, Exception):
        return None
    return None if issubclass(found, StopIteration | StopAsyncIteration) else found


def _loaded_class(module: str, qualname: str) -> type | None:
    """Return a class that this program has loaded already; nothing is imported for it."""
    found: Any = sys.modules.get(module)
    for part in qualname.split("."):
        found = getattr(found, "__dict__", {}).get(part)
    return found if isinstance(found, type) else None


def _told_class(name: str, known: type[Exception]) -> type[WorkerToolError]:
    return type(name, (WorkerToolError, known), {"__module__": known.__module__})


class _KnownByName(type):
    """The class of stand-ins for exception classes: what is an instance of one is told by names."""

    place: ClassName = ("", "")

    def __instancecheck__(cls, instance: object) -> bool:
        """Return whether an exception of this process is of the class, or one of a worker was."""
        known = _loaded_class(*cls.place)
        told = isinstance(instance, WorkerToolError) and cls.place in instance.told_classes
        return told or (known is not None and isinstance(instance, known))


def exception_class(place: ClassName) -> type[BaseException]:
    """Return what stands for an exception class that a plugin file names, as `isinstance` and policies want it.

    The class itself may exist in worker processes only.
    """

    class StandIn(Exception, metaclass=_KnownByName):  # noqa: N818 -- it takes the name of what it stands for
        pass

    StandIn.place = place
    StandIn.__module__, StandIn.__qualname__ = place
    StandIn.__name__ = place[1].rpartition(".")[2]
    return StandIn
