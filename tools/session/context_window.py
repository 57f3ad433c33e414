"""What a model may do about its own context: tools that act upon the session their call belongs to."""

from __future__ import annotations

from typing import Annotated, Any

from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.errors import CallStateError, ToolFailure
from tools.session.turns import PartsOwner
from tools.spec import Param


@toolkit("ContextWindow", description="See and shape what you still see of earlier calls.", turns_to_keep=0)
class ContextWindow:
    """Offer a model the say over its context; one object serves every session of a registry.

    Source: seed 4, §2.5.
    """

    @tool(isolation="inline", read_only=True)
    def list_context_parts(self, ctx: ToolContext) -> list[dict[str, Any]]:
        """List the calls you still see: their ids, and for how many further turns they stay (null is for ever)."""
        return [part._asdict() for part in _owner(ctx).kept_parts(ctx.call)]

    # Nothing but what the model itself reads is changed, so there is nobody to ask.
    @tool(isolation="inline", read_only=True)
    def set_turns_to_keep(
        self,
        part_id: Annotated[int, Param("The id of the call, from list_context_parts")],
        turns: Annotated[int, Param("How many turns it stays: 0 is gone next turn, negative is for ever")],
        ctx: ToolContext,
    ) -> str:
        """Decide how long you go on seeing a call and its result."""
        try:
            _owner(ctx).set_turns_to_keep(part_id, turns)
        except CallStateError as error:
            raise ToolFailure(str(error)) from error
        return f"Part {part_id} stays {'for ever' if turns < 0 else f'{turns} turns'}."


def _owner(ctx: ToolContext) -> PartsOwner:
    origin = ctx.call.origin
    if origin is None or not isinstance(origin.owner, PartsOwner):
        msg = "this call belongs to no session, so there is no context to shape"
        raise ToolFailure(msg)
    return origin.owner
