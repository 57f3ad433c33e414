"""Which icon stands for which server, tool, resource and prompt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from console.assets import Picture
from console.servers.icons import IconOwner, ServerIcons
from tools.mcp.icons import IconSource, icons_in
from tools.mcp.offered import RemotePrompt, Resource, ResourceTemplate
from tools.mcp.pins import DefinitionJudgement
from tools.mcp.servers import Servers
from tools.mcp.state import ServerState, ServerStatus

OfferedIcons = Mapping[str, tuple[IconSource, ...]]
"""What resources and prompts name for themselves, by what they are in words; those that name none are left out."""


class Pictures(NamedTuple):
    """The icons that are there.

    Attributes:
        servers: Those of servers, by name.
        tools: Those of tools, by what they are called here.
    """

    servers: Mapping[str, Picture]
    tools: Mapping[str, Picture]


class ServerPictures:
    """Get the icons of servers and of what they offer.

    Args:
        servers: They.
        again: Is told, on the engine's thread, that there is more to show.
    """

    def __init__(self, servers: Servers, again: Callable[[], None]) -> None:
        self._servers = servers
        self._icons = ServerIcons(self._note, again)

    def want(self, state: ServerState, judgements: Iterable[DefinitionJudgement], offers: OfferedIcons) -> None:
        """Get what is not there yet of a server; on the engine's thread."""
        named = [IconOwner("the server", () if state.identity is None else state.identity.icons)]
        for judgement in judgements:
            raw = judgement.definition.raw
            if raw.get("icons"):
                named.append(IconOwner(f"the tool {judgement.definition.name!r}", icons_in(raw["icons"])))
        named += (IconOwner(what, icons) for what, icons in offers.items())
        is_connected = state.status is ServerStatus.CONNECTED
        self._icons.want(state.name, self._servers.url(state.name) if is_connected else None, named)

    def forget(self, server: str) -> None:
        """Keep nothing of a server any more; on the engine's thread."""
        self._icons.forget(server)

    async def aclose(self) -> None:
        """End whatever is under way; on the engine's thread."""
        await self._icons.aclose()

    def of_server(self, state: ServerState) -> Picture | None:
        """Return the icon of a server; None for ours. From any thread, as all that follow."""
        return None if state.identity is None else self._icons.known(state.name, state.identity.icons)

    def of_tool(self, server: str, judgement: DefinitionJudgement) -> Picture | None:
        """Return the icon of a tool; None for ours."""
        raw = judgement.definition.raw.get("icons")
        return self._icons.known(server, icons_in(raw)) if raw else None

    def of_resource(self, server: str, uri: str, offers: OfferedIcons) -> Picture | None:
        """Return the icon of a resource or a template of some; None for ours."""
        return self._icons.known(server, offers.get(_resource(uri), ()))

    def of_prompt(self, server: str, name: str, offers: OfferedIcons) -> Picture | None:
        """Return the icon of a prompt; None for ours."""
        return self._icons.known(server, offers.get(_prompt(name), ()))

    def of_tools(
        self, server: str, judgements: Collection[DefinitionJudgement], names: Mapping[str, str]
    ) -> dict[str, Picture]:
        """Return the icons of a server's tools by what they are called here.

        Args:
            server: Whose tools they are.
            judgements: They.
            names: What they are called here by the server's names.
        """
        called = ((names.get(one.definition.name), self.of_tool(server, one)) for one in judgements)
        return {name: picture for name, picture in called if name is not None and picture is not None}

    def _note(self, server: str, line: str) -> None:
        if any(state.name == server for state in self._servers.states):
            self._servers.log(server).note(line, "warning")


def icons_of_resources(resources: Iterable[Resource], templates: Iterable[ResourceTemplate]) -> OfferedIcons:
    """Return what resources and templates of them name for themselves."""
    found = {_resource(one.uri): icons_in(one.raw.get("icons")) for one in resources}
    found |= {_resource(one.uri_template): icons_in(one.raw.get("icons")) for one in templates}
    return {what: icons for what, icons in found.items() if icons}


def icons_of_prompts(prompts: Iterable[RemotePrompt]) -> OfferedIcons:
    """Return what prompts name for themselves."""
    found = {_prompt(one.name): icons_in(one.raw.get("icons")) for one in prompts}
    return {what: icons for what, icons in found.items() if icons}


def _resource(uri: str) -> str:
    return f"the resource {uri}"


def _prompt(name: str) -> str:
    return f"the prompt {name!r}"
