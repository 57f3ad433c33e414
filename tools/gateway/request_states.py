"""The sealed states with which clients of the newer era come back to a call that waits for a person."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mcp import MCPError
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity

from tools.gateway.held_calls import KEEP_S

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

LAST_ROUND: Final = 10
"""How often a call may be answered with a state: the SDKs for Python, TypeScript, C# and Go give up after that."""


class RequestState(NamedTuple):
    """What a client carries from one request of a call to the next, and cannot read.

    Attributes:
        round: How often the call was answered with a state, this one included.
    """

    held_id: str
    round: int

    def written(self) -> str:
        return json.dumps(self)

    @classmethod
    def read(cls, text: str) -> RequestState:
        return cls(*json.loads(text))


class SealedStates(RequestStateBoundary):
    """Seal the states that go out, and refuse those that come back unless they are of the same call of the same agent.

    Args:
        key: What seals them: 32 random bytes, which live as long as the calls that the states mean.
        audience: The name of the server.
        ttl_s: How long a state is good.
    """

    def __init__(
        self,
        key: bytes,
        agent_name: Callable[[ServerRequestContext[Any, Any]], str],
        audience: str,
        *,
        ttl_s: float = KEEP_S,
    ) -> None:
        security = RequestStateSecurity(keys=[key], ttl=ttl_s, bind_principal=agent_name)
        super().__init__(security, default_audience=audience)

    async def sealed(self, ctx: ServerRequestContext[Any, Any], answer: dict[str, Any]) -> HandlerResult:
        """Return the answer to a request without a state, with its own state sealed."""

        async def answered(_: ServerRequestContext[Any, Any]) -> HandlerResult:
            return answer

        return await self(ctx, answered)

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        try:
            return await super().__call__(ctx, call_next)
        except MCPError as error:
            if error.data != {"reason": "invalid_request_state"}:
                raise
            message = (
                "expected the requestState that was given for this tool and these arguments, at most"
                f" {KEEP_S / 60:g} minutes ago and since the gateway was started; nothing was run, so call the tool"
                " again without requestState"
            )
            raise MCPError(error.code, message, error.data) from error
