"""What a conversation is made of, as far as tools go: turns, and in them calls with what came of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, runtime_checkable

from tools.retention import RetentionMark
from tools.session.wording import response_for_model

if TYPE_CHECKING:
    from tools.calls import ToolCall, ToolResponse
    from tools.spec import Concern

_AUTO: Final = RetentionMark.AUTO


class TurnPart:
    """One call of a turn together with its response; the two stay and leave together.

    Attributes:
        id: Unique within the session, from 1 on.
        calls: The call, and those that repeated it, oldest first.
        concerns: Why a person is asked before the newest of them runs; empty when nobody is.
        turns_to_keep: What the model or a person said about this part; None leaves it to the tool.
        mark: What a person decided about it.
    """

    def __init__(self, id_: int, turn: int, call: ToolCall) -> None:
        self.id = id_
        self.turn = turn
        self.calls = [call]
        self.concerns: tuple[Concern, ...] = ()
        self.turns_to_keep: int | None = None
        self.mark = _AUTO

    @property
    def call(self) -> ToolCall:
        """The newest call."""
        return self.calls[-1]

    @property
    def response(self) -> ToolResponse:
        """What came of the newest call."""
        return self.call.response

    @property
    def pending(self) -> bool:
        """Whether the newest call can still be looked at, changed, declined and started."""
        return self.call.pending

    def __repr__(self) -> str:
        """Return id, name and status."""
        return f"<Part {self.id} {self.call.name} {self.response.status.value}>"


class KeptPart(NamedTuple):
    """What a model may know of a part that it still sees.

    Attributes:
        status: How the call stands.
        turns_left: For how many further turns it stays; None is for ever.
        mark: What a person decided about it.
    """

    part_id: int
    turn: int
    tool: str
    status: str
    turns_left: int | None
    mark: str


@runtime_checkable
class PartsOwner(Protocol):
    """What has a context that a model can shape: a session, or the conversation around it."""

    def kept_parts(self, asking: ToolCall) -> list[KeptPart]:
        """Return the parts that the model still sees, besides the call that asks."""
        ...

    def set_turns_to_keep(self, part_id: int, turns: int | None) -> None:
        """Say how long a part stays: 0 is gone next turn, negative is for ever, None leaves it to its tool.

        Raises:
            CallStateError: When there is no such part.
        """
        ...


class Turn:
    """The calls that a model asked for at once.

    Attributes:
        number: From 1 on.
        parts: Its calls, in the order they were asked for.
        limit_reached: Whether one of them was refused because too many came before it.
        mark: What a person decided about all of it.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.parts: tuple[TurnPart, ...] = ()
        self.limit_reached = False
        self.mark = _AUTO

    @property
    def pending(self) -> tuple[TurnPart, ...]:
        """The parts that can still be looked at, changed, declined and started."""
        return tuple(part for part in self.parts if part.pending)

    @property
    def runs_by_itself(self) -> bool:
        """Whether nobody has to be asked about any of its calls."""
        return not any(part.concerns for part in self.pending)


class TurnResult(NamedTuple):
    """What came of a turn so far.

    Attributes:
        calls: Its calls, in the order they were asked for.
        waits: Whether it waits for a person, and nothing of it ran.
        limit_reached: Whether the model has no calls left and must answer now.
    """

    number: int
    calls: tuple[ToolCall, ...]
    waits: bool
    limit_reached: bool

    @property
    def responses(self) -> tuple[ToolResponse, ...]:
        return tuple(call.response for call in self.calls)

    @property
    def texts(self) -> tuple[str, ...]:
        """What the model reads of each call."""
        return tuple(response_for_model(call) for call in self.calls)
