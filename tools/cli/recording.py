"""Record the calls of the command line where the window records its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.cli.streams import say
from tools.errors import HistoryError
from tools.workbench import AUDIT_FOLDER, HISTORY_FOLDER

if TYPE_CHECKING:
    from tools.audit import AuditLog
    from tools.history import History


class CallRecorders(NamedTuple):
    """What calls are recorded in.

    Attributes:
        history: Where they are found again; None when nothing is recorded there.
        audit: Where they are proved; None when nothing is.
    """

    history: History | None = None
    audit: AuditLog | None = None


@contextmanager
def recording(folder: Path) -> Iterator[CallRecorders]:
    """Open the history and the audit log, and write all they received at the end.

    What cannot be opened or written is told on standard error; the call runs without it.
    """
    # A tool that is only listed needs no database.
    from tools.audit import AuditLog  # noqa: PLC0415
    from tools.history import History  # noqa: PLC0415
    from tools.vault import KeyringVault  # noqa: PLC0415

    history = History(folder / HISTORY_FOLDER, vault=KeyringVault())
    audit = AuditLog(folder / AUDIT_FOLDER, run=history.run)
    opened: History | None = history
    try:
        if message := history.open().message:
            _warn(message)
    except HistoryError as error:
        _warn(f"this call will not be in the history: {error}")
        opened = None
    audit.open()
    try:
        yield CallRecorders(opened, audit)
    finally:
        _finish(opened, audit)


def _finish(history: History | None, audit: AuditLog) -> None:
    """Write what is left; a person who sees the result may rely on its record."""
    if history is not None:
        try:
            history.flush()
        except HistoryError as error:
            _warn(f"this call may be missing in the history: {error}")
        history.close()
    audit.close()
    if audit.problem:
        _warn(f"this call is not in the audit log: {audit.problem}")


def _warn(text: str) -> None:
    say(f"warning: {text}")
