"""Whose a request is: the agent of its token, as the SDK hands it on with the request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken

from tools.errors import GatewayError

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from tools.gateway.agents import Agent, Agents


class TokenVerifier:
    """Finds the agent that a token belongs to.

    Args:
        agents: Who may call.
    """

    def __init__(self, agents: Agents) -> None:
        self._agents = agents
        self._told: dict[str, _AgentToken] = {}

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return what the SDK is told of the agent; None when the token is nobody's."""
        agent = self._agents.with_token(token)
        if agent is None:
            return None
        told = self._told.get(agent.name)
        if told is None or told.agent is not agent:
            told = self._told[agent.name] = _token_of(agent)
        return told


class _AgentToken(AccessToken):
    """What the SDK is told of an agent; the token itself goes no further."""

    agent: Any


def _token_of(agent: Agent) -> _AgentToken:
    # There is nothing to check in what is our own.
    return _AgentToken.model_construct(token="", client_id=agent.name, scopes=[], agent=agent)


def user_of(agent: Agent) -> AuthenticatedUser:
    """Return an agent as the user of a request."""
    return AuthenticatedUser(_token_of(agent))


def agent_of(context: ServerRequestContext[Any, Any]) -> Agent:
    """Return whose request it is.

    Raises:
        GatewayError: It is nobody's.
    """
    user = context.request.user if context.request is not None else None
    if not isinstance(user, AuthenticatedUser) or not isinstance(user.access_token, _AgentToken):
        raise GatewayError("expected a request of an agent, got one of nobody")
    agent: Agent = user.access_token.agent
    return agent


def agent_here() -> Agent | None:
    """Return whose request over HTTP is read right now; None where it is nobody's."""
    token = get_access_token()
    return token.agent if isinstance(token, _AgentToken) else None
