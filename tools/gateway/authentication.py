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
        self._users: dict[str, tuple[Agent, AuthenticatedUser]] = {}

    def user(self, token: str) -> AuthenticatedUser | None:
        """Return the agent that a token belongs to, as the user of a request; None when the token is nobody's.

        Raises:
            GatewayError: The file of agents cannot be read.
        """
        agent = self._agents.with_token(token)
        if agent is None:
            return None
        known = self._users.get(agent.name)
        if known is None or known[0] is not agent:
            # There is nothing to check in what is our own; the token itself goes no further.
            told = _AgentToken.model_construct(token="", client_id=agent.name, scopes=[], agent=agent)
            known = self._users[agent.name] = agent, AuthenticatedUser(told)
        return known[1]

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return what the SDK is told of the agent; None when the token is nobody's."""
        user = self.user(token)
        return None if user is None else user.access_token


class _AgentToken(AccessToken):
    """What the SDK is told of an agent."""

    agent: Any


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
