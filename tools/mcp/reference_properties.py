"""The reference's groups of properties: `MCP.…` names servers, `WebSearchTool.…` a provider's web search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from pydantic import JsonValue

from tools.java_properties import property_line
from tools.mcp.config import ServerConfig, Transport

DEFAULT_ALIAS: Final = "default"
DEFAULT_WEB_SEARCH: Final = "web_search_preview"
"""What the alias `default` means to the provider."""


class ServerProperties(NamedTuple):
    """One group that names a server.

    Attributes:
        prefix: The group, such as `MCP` or `MCP_2`.
        name: The server's label.
        url: Its address; None when the group has none.
        description: What it is for; None when it does not say.
        authorization: What is sent with each request, such as `Bearer …`; None when nothing is.
    """

    prefix: str
    name: str
    url: str | None = None
    description: str | None = None
    authorization: str | None = None

    def config(self) -> ServerConfig | None:
        """Return the server that the console itself can reach; None without an address."""
        if not self.url:
            return None
        return ServerConfig(
            name=self.name,
            transport=Transport.HTTP,
            url=self.url,
            headers={"Authorization": self.authorization} if self.authorization else {},
            description=self.description or "",
        )

    def provider_tool(self) -> dict[str, JsonValue]:
        """Return the tool by which a provider reaches the server itself.

        Source: seed 1, "MCP Servers" (name, url and description are the server's label, address and description).
        """
        said: dict[str, JsonValue] = {
            "server_url": self.url,
            "server_description": self.description,
            "authorization": self.authorization,
        }
        return {
            "type": "mcp",
            "server_label": self.name,
            **{name: value for name, value in said.items() if value is not None},
        }


class WebSearchProperties(NamedTuple):
    """A provider's own web search.

    Attributes:
        type: The provider's word for it.
        city: Roughly where the person is; None when nobody says.
    """

    type: str
    city: str | None = None
    country: str | None = None
    region: str | None = None

    def provider_tool(self) -> dict[str, JsonValue]:
        """Return the tool as the provider wants it: the place is always an approximate one.

        Source: seed 1, "Web Search".
        """
        place: dict[str, JsonValue] = {
            name: value
            for name, value in (("city", self.city), ("country", self.country), ("region", self.region))
            if value is not None
        }
        return {"type": self.type, "user_location": {"type": "approximate", **place}}


def server_groups(values: Mapping[str, str]) -> tuple[ServerProperties, ...]:
    """Return the groups that name a server: `MCP`, then `MCP_1` and so on, up to the first one without an address.

    Source: seed 1, "How MCP server loading works"; a group counts when it has a name, the last one even without an
    address.
    """
    return tuple(_named_groups(values))


def _named_groups(values: Mapping[str, str]) -> Iterator[ServerProperties]:
    number = 0
    while True:
        prefix = f"MCP_{number}" if number else "MCP"
        url, name = values.get(f"{prefix}.url"), values.get(f"{prefix}.name")
        if name is not None:
            described, authorization = values.get(f"{prefix}.description"), values.get(f"{prefix}.authorization")
            yield ServerProperties(prefix, name, url, described, authorization)
        if number and url is None:
            return
        number += 1


def web_search(values: Mapping[str, str]) -> WebSearchProperties | None:
    """Return the provider's web search; None when there is no `WebSearchTool.type`.

    Source: seed 1, "Web Search".
    """
    kind = values.get("WebSearchTool.type")
    if kind is None:
        return None
    city, country, region = (values.get(f"WebSearchTool.{name}") for name in ("city", "country", "region"))
    return WebSearchProperties(DEFAULT_WEB_SEARCH if kind == DEFAULT_ALIAS else kind, city, country, region)


def provider_tools(values: Mapping[str, str]) -> list[dict[str, JsonValue]]:
    """Return what properties say that a provider runs itself, as it wants it: its web search, and servers."""
    search = web_search(values)
    own = [] if search is None else [search.provider_tool()]
    return own + [group.provider_tool() for group in server_groups(values)]


def properties_text(groups: Iterable[ServerProperties]) -> str:
    """Return a properties file that names these servers, numbered anew so that none is left out when it is read."""
    lines: list[str] = []
    for number, group in enumerate(groups):
        prefix = f"MCP_{number}" if number else "MCP"
        said = (("url", group.url), ("name", group.name), ("description", group.description))
        lines += [property_line(f"{prefix}.{key}", value) for key, value in said if value]
        lines += [property_line(f"{prefix}.authorization", group.authorization)] if group.authorization else []
    return "".join(f"{line}\n" for line in lines)
