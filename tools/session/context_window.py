"""What a model may do about its own context: tools that act upon the session their call belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.errors import CallStateError, ToolFailure
from tools.session.session import Session
from tools.spec import Param

if TYPE_CHECKING:
    from tools.session.parts import TurnPart


@toolkit("ContextWindow", description="See and shape what you still see of earlier calls.", turns_to_keep=0)
class ContextWindow:
    """Offer a model the say over its context; one object serves every session of a registry.

    Source: seed 4, §2.5.
    """

    @tool(isolation="inline", read_only=True)
    def list_context_parts(self, ctx: ToolContext) -> list[dict[str, Any]]:
        """List the calls you still see: their ids, and for how many further turns they stay (null is for ever)."""
        session = _session(ctx)
        return [_row(session, part) for part in session.visible_parts() if part.call is not ctx.call]

    @tool(isolation="inline")
    def set_turns_to_keep(
        self,
        part_id: Annotated[int, Param("The id of the call, from list_context_parts")],
        turns: Annotated[int, Param("How many turns it stays: 0 is gone next turn, negative is for ever")],
        ctx: ToolContext,
    ) -> str:
        """Decide how long you go on seeing a call and its result."""
        session = _session(ctx)
        try:
            session.set_turns_to_keep(part_id, turns)
        except CallStateError as error:
            raise ToolFailure(str(error)) from error
        return f"Part {part_id} stays {'for ever' if turns < 0 else f'{turns} turns'}."


def _session(ctx: ToolContext) -> Session:
    origin = ctx.call.origin
    if origin is None or not isinstance(origin.owner, Session):
        msg = "this call belongs to no session, so there is no context to shape"
        raise ToolFailure(msg)
    return origin.owner


def _row(session: Session, part: TurnPart) -> dict[str, Any]:
    return {
        "part_id": part.id,
        "turn": part.turn,
        "tool": part.call.name,
        "status": part.response.status.value,
        "turns_left": session.turns_left(part),
        "mark": part.mark.value,
    }
