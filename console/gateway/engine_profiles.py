"""The profiles of agents, asked for and kept from the window, which gets values only."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from console.engine import Engine
from console.gateway.profile_model import ProfileDraft, ProfilePreview, ShownTool, ToolWords
from console.language import translated
from tools.chosen_tools import choose_tools
from tools.errors import GatewayError
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.profiles import META_KEY, AgentProfile, check_profile, profile_of

if TYPE_CHECKING:
    from tools.gateway.served_tools import ServedTool
    from tools.registry import ToolRegistry
    from tools.tool import Tool


class ProfilesPort(Protocol):
    """What the dialog of the profiles needs."""

    async def names(self) -> tuple[str, ...]:
        """Return what the profiles are called.

        Raises:
            GatewayError: The file cannot be read.
        """
        ...

    async def draft(self, name: str) -> ProfileDraft:
        """Return a profile to be edited.

        Raises:
            GatewayError: There is none of that name.
        """
        ...

    async def suited(self) -> tuple[str, ...]:
        """Return the built-in tools that suit the project folder."""
        ...

    async def preview(self, draft: ProfileDraft) -> ProfilePreview:
        """Return what a draft comes to, with the tools that there are now."""
        ...

    async def keep(self, draft: ProfileDraft) -> None:
        """Keep a draft; agents that have the profile are told at once.

        Raises:
            GatewayError: It cannot be kept.
        """
        ...

    async def remove(self, name: str) -> None:
        """Forget a profile.

        Raises:
            GatewayError: There is none of that name, or an agent has it.
        """
        ...


class EngineProfiles:
    """Be the `ProfilesPort`.

    Args:
        project: Gives the project folder; None is none.
    """

    def __init__(self, engine: Engine, registry: ToolRegistry, data: Path, project: Callable[[], Path | None]) -> None:
        self._engine = engine
        self._registry = registry
        self._project = project
        self._agents = Agents(data / AGENTS_FILE)

    async def names(self) -> tuple[str, ...]:
        profiles = await self._engine.compute(self._agents.profiles)
        return tuple(profile.name for profile in profiles)

    async def draft(self, name: str) -> ProfileDraft:
        return draft_of(await self._engine.compute(self._agents.profile, name))

    async def suited(self) -> tuple[str, ...]:
        return await self._engine.compute(choose_tools, self._project())

    async def preview(self, draft: ProfileDraft) -> ProfilePreview:
        return await self._engine.compute(preview_of, draft, self._registry)

    async def keep(self, draft: ProfileDraft) -> None:
        await self._engine.compute(self._kept, draft)

    async def remove(self, name: str) -> None:
        await self._engine.compute(self._agents.remove_profile, name)

    def _kept(self, draft: ProfileDraft) -> None:
        profile = _profile_of(draft)
        check_profile(profile, self._registry, self._registry.prompts)
        self._agents.keep_profile(profile, is_new=draft.is_new)


def draft_of(profile: AgentProfile) -> ProfileDraft:
    """Return a profile as a person edits it."""
    return ProfileDraft(
        profile.name,
        profile.tools,
        profile.without,
        tuple(profile.prefixes.items()),
        tuple(
            (tool, ToolWords(said.name, said.description, tuple(said.annotations.items())))
            for tool, said in sorted(profile.overrides.items())
        ),
    )


def _profile_of(draft: ProfileDraft) -> AgentProfile:
    overrides: dict[str, dict[str, Any]] = {
        tool: {"name": said.name, "description": said.description, "annotations": dict(said.hints)}
        for tool, said in draft.words
    }
    return profile_of(
        {
            "name": draft.name,
            "tools": draft.tools,
            "without": draft.without,
            "prefixes": dict(draft.prefixes),
            "overrides": overrides,
        }
    )


def preview_of(draft: ProfileDraft, registry: ToolRegistry) -> ProfilePreview:
    """Return what a draft comes to; a tool that agents do not see is shown as they would see it."""
    from tools.gateway.served_tools import shown_tools  # noqa: PLC0415 -- what knows of servers takes a while to import

    problem = ""
    try:
        profile = _profile_of(draft)
        check_profile(profile, registry, registry.prompts)
    except GatewayError as error:
        problem = translated(error)
        profile = _profile_of(draft._replace(prefixes=(), words=()))
    every = profile.model_copy(update={"tools": ("*",), "without": ()})
    # Of those that nobody sees, some may come to the name of another.
    served = {
        tool.tool: tool
        for each in (AgentProfile(), every, profile)
        for tool in shown_tools(each, registry).tools.values()
    }
    tools = sorted((tool for tool in registry if tool.name in served), key=lambda tool: tool.name)
    return ProfilePreview(
        tuple(_shown(tool, served[tool.name], is_seen=profile.sees(tool.name)) for tool in tools), problem
    )


def _shown(tool: Tool, served: ServedTool, *, is_seen: bool) -> ShownTool:
    definition: Any = served.definition
    changed = definition.get("_meta", {}).get(META_KEY, {}).get("changed", ())
    return ShownTool(
        tool.name,
        translated(tool.toolkit or tool.source.name),
        tool.description,
        is_seen,
        served.name,
        served.tokens,
        json.dumps(definition, indent=2, ensure_ascii=False),
        tuple(changed),
    )
