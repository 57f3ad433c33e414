"""Sets of servers for different kinds of work: one of them can be chosen, and the others stay off."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Annotated, Any, Final

from annotated_types import MaxLen
from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from tools.errors import ServerConfigError
from tools.mcp.config import LONGEST_NAME, ServerConfig

PROFILES_KEY: Final = "profiles"
"""Where profiles stand in the person's file, beside the servers."""

CHOSEN_KEY: Final = "profile"
"""Where the chosen one's name stands."""


class Profile(BaseModel):
    """Say which servers and tools belong to one kind of work.

    Attributes:
        servers: Names of servers, or patterns with `*` and `?`; what is disabled by itself stays so.
        without_tools: Tools that are refused beyond those that servers have switched off, as `server.tool`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: Annotated[str, MaxLen(LONGEST_NAME)]
    servers: tuple[str, ...] = ("*",)
    without_tools: tuple[str, ...] = ()

    def entry(self) -> dict[str, JsonValue]:
        """Return what stands in the file under its name."""
        entry: dict[str, JsonValue] = {"servers": list(self.servers)}
        return entry | ({"withoutTools": list(self.without_tools)} if self.without_tools else {})


def profile_of(name: str, entry: JsonValue) -> Profile:
    """Return what a profile's entry means.

    Raises:
        ServerConfigError: When it means nothing.
    """
    said: dict[str, Any] = dict(entry) if isinstance(entry, dict) else {"servers": entry}
    if "withoutTools" in said:
        said["without_tools"] = said.pop("withoutTools")
    try:
        return Profile.model_validate({**said, "name": name})
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(map(str, problem["loc"]))
        raise ServerConfigError(f"the profile {name!r}: {where}: {problem['msg']}") from error


def with_profile(configs: Iterable[ServerConfig], profile: Profile | None) -> tuple[ServerConfig, ...]:
    """Return servers as a profile wants them; None leaves them as they are."""
    if profile is None:
        return tuple(configs)
    return tuple(_as_wanted(config, profile) for config in configs)


def _as_wanted(config: ServerConfig, profile: Profile) -> ServerConfig:
    belongs = any(fnmatchcase(config.name, pattern) for pattern in profile.servers)
    named = (tool.partition(f"{config.name}.") for tool in profile.without_tools)
    refused = tuple(tool for before, dot, tool in named if dot and not before and tool not in config.disabled_tools)
    if belongs == config.enabled and not refused:
        return config
    update = {"enabled": config.enabled and belongs, "disabled_tools": (*config.disabled_tools, *refused)}
    return config.model_copy(update=update)
