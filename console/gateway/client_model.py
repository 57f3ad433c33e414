"""The programs of agents that can be connected, and what connecting one means: frozen values."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from console.language import tr
from console.widgets import Cell, Column, TableModel

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from console.comparison.lines import TextDifference

_UNREADABLE: Final = Cell(tr("Unreadable"), "warn", icon="triangle-alert")
_CONNECTED: Final = Cell(tr("Connected"), "ok", icon="circle-check")
_FOUND: Final = Cell(tr("Found"), "text2", icon="circle")
_NOT_FOUND: Final = Cell(tr("Not found"), "text3")
_COLUMNS: Final = (
    Column(tr("Program"), least=140),
    Column("", 116, samples=(_UNREADABLE, _CONNECTED, _FOUND, _NOT_FOUND)),
)


class ClientRow(NamedTuple):
    """A file in which a program can be told of the gateway.

    Attributes:
        words: What a person calls the program.
        in_project: Whether it is the project's, and may come to other people.
        is_found: Whether the program seems to be here.
        is_connected: Whether it knows the gateway.
        problem: Why it cannot be changed; empty for nothing.
    """

    key: str
    words: str
    path: str
    in_project: bool = False
    is_found: bool = False
    is_connected: bool = False
    problem: str = ""

    @property
    def title(self) -> str:
        """The program, and whether the file is the project's."""
        return tr("{program}, this project", program=self.words) if self.in_project else self.words


class ConnectionPreview(NamedTuple):
    """What connecting would change.

    Attributes:
        name: What its agent is called unless a person says otherwise.
        difference: The change of its file; None when it cannot be changed.
        needs_variable: Whether the token stays out of the file.
        can_undo: Whether something was written there from here.
        problem: Why it cannot be changed; empty for nothing.
        profiles: What can say which tools it sees.
        profile: The one that its agent has already; empty for all tools.
        over_bridge: Whether the program starts the bridge to reach the gateway.
        takes_http: Whether it could send requests to the address instead.
        agents: Who is let in already, and would get another token.
    """

    key: str
    name: str = ""
    difference: TextDifference | None = None
    needs_variable: bool = False
    can_undo: bool = False
    problem: str = ""
    profiles: tuple[str, ...] = ()
    profile: str = ""
    over_bridge: bool = False
    takes_http: bool = True
    agents: tuple[str, ...] = ()


class ConnectedClient(NamedTuple):
    """What connecting did.

    Attributes:
        agent: The agent's name.
        path: The file that was written.
        token: The agent's token where it is not in the file; empty where it is.
    """

    agent: str
    path: str
    next_step: str
    token: str = ""


class UndoneConnection(NamedTuple):
    """What undoing did beside the file.

    Attributes:
        removed: The agent that is let in no longer; empty for none.
        restored: The agent whose former token is good again; empty for none.
        ended: The agent whose former token stays ended; empty for none.
    """

    removed: str = ""
    restored: str = ""
    ended: str = ""

    @property
    def words(self) -> str:
        if self.removed:
            return tr("{removed} is let in no longer.", removed=self.removed)
        if self.restored:
            return tr("Taken back; the token that {restored} had before is good again.", restored=self.restored)
        if self.ended:
            return tr(
                "Taken back, but the token that {ended} had before has ended; give it a new one.", ended=self.ended
            )
        return tr("Taken back.")


class ClientModel(TableModel[ClientRow]):
    """List programs, those that are here first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_COLUMNS, _cells, attrgetter("key"), parent)


def _cells(row: ClientRow) -> tuple[Cell, ...]:
    return Cell(row.title, "text" if row.is_found else "text2", is_strong=True, tip=row.path), _state(row)


def _state(row: ClientRow) -> Cell:
    if row.problem:
        return _UNREADABLE._replace(tip=row.problem)
    if row.is_connected:
        return _CONNECTED
    return _FOUND if row.is_found else _NOT_FOUND
