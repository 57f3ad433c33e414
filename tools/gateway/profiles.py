"""Profiles of agents: which tools and prompts an agent is told of, and what a person says otherwise about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, Literal, NamedTuple, TypeVar

from annotated_types import MaxLen
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from tools.card import SourceKind
from tools.errors import GatewayError
from tools.wire import wire_name
from tools.wire.names import LONGEST

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.tool import Prompt, Tool

ALL_TOOLS: Final = ("*",)
"""The patterns of every tool."""

META_KEY: Final = "tool-console/profile"
"""Where a definition's `_meta` says what a profile changed of it."""

Hint = Literal["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]
"""An annotation of MCP that a profile may set."""

_NAMED_BY_SOURCE: Final = frozenset({SourceKind.SERVER, SourceKind.API})
_WILD: Final = re.compile(r"[*?\[]")
_LONGEST_TEXT: Final = 20_000
_LONGEST_PREFIX: Final = 32
_WireName = Annotated[str, StringConstraints(pattern=rf"^[A-Za-z0-9_-]{{0,{LONGEST}}}$")]
_Prefix = Annotated[str, StringConstraints(pattern=rf"^[A-Za-z0-9_-]{{0,{_LONGEST_PREFIX}}}$")]

_Item = TypeVar("_Item", "Tool", "Prompt")


class ToolOverride(BaseModel):
    """Say otherwise what a tool says of itself; the tool and the rules about it stay as they are.

    Attributes:
        name: The name that agents call, of letters, digits, `_` and `-`, at most 64; empty for its own.
        description: What agents are told that it does; empty for its own.
        annotations: What agents are told of its risk; what is not named stays.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: _WireName = ""
    description: Annotated[str, MaxLen(_LONGEST_TEXT)] = ""
    annotations: dict[Hint, bool] = Field(default_factory=dict)


class AgentProfile(BaseModel):
    """Say what an agent is told of.

    Attributes:
        name: What the person calls it; empty for the one that shows everything.
        tools: Patterns of the names of tools and prompts that agents see, such as `search_*` or `github.*`.
        without: Patterns of names that they do not see all the same.
        prefixes: What names begin with, by the name of a server, an API, a toolkit or a plugin file; for a server and
            an API it takes the place of its own name.
        overrides: What is said otherwise, by the name of the tool.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: str = ""
    tools: Annotated[tuple[str, ...], MaxLen(10_000)] = ALL_TOOLS
    without: Annotated[tuple[str, ...], MaxLen(10_000)] = ()
    prefixes: Annotated[dict[str, _Prefix], MaxLen(1_000)] = Field(default_factory=dict)
    overrides: Annotated[dict[str, ToolOverride], MaxLen(10_000)] = Field(default_factory=dict)

    def sees(self, name: str) -> bool:
        """Return whether an agent is told of a tool or a prompt of this name."""
        return _fits(name, self.tools) and not _fits(name, self.without)

    def served_name(self, item: Tool | Prompt) -> str:
        """Return what agents call a tool or a prompt; others may come to the same name."""
        own = self.overrides.get(item.name)
        if own is not None and own.name:
            return own.name
        group = next((group for group in (item.toolkit, item.source.name) if group in self.prefixes), None)
        if group is None:
            return wire_name(item.name)
        rest = item.name.partition(".")[2]
        name = rest if rest and item.source.kind in _NAMED_BY_SOURCE else item.name
        return wire_name(f"{self.prefixes[group]}{name}")

    def written(self, item: Tool | Prompt, name: str, definition: Mapping[str, JsonValue]) -> dict[str, Any]:
        """Return a definition as agents get it; what is said otherwise is marked in its `_meta`.

        Args:
            name: What agents call it.
            definition: As it is without a profile; unknown fields stay.
        """
        changes: dict[str, Any] = {"name": name}
        changed = ["name"] if name != wire_name(item.name) else []
        said = self.overrides.get(item.name, ToolOverride())
        if said.description:
            changes["description"] = said.description
            changed.append("description")
        if said.annotations:
            own = definition.get("annotations")
            changes["annotations"] = {**(own if isinstance(own, Mapping) else {}), **said.annotations}
            changed += [f"annotations.{hint}" for hint in said.annotations]
        if changed:
            meta = definition.get("_meta")
            mark = {META_KEY: {"tool": item.name, "changed": changed}}
            changes["_meta"] = {**(meta if isinstance(meta, Mapping) else {}), **mark}
        return {**definition, **changes}


def profile_of(values: Mapping[str, Any]) -> AgentProfile:
    """Return a profile with these fields; what says nothing otherwise of a tool is left out.

    Raises:
        GatewayError: A field cannot be what it is.
    """
    said = {tool: each for tool, each in values.get("overrides", {}).items() if any(each.values())}
    try:
        return AgentProfile.model_validate({**values, "overrides": said})
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ", ".join(str(part) for part in problem["loc"] if part != "[key]")
        longest = _LONGEST_PREFIX if problem["loc"][0] == "prefixes" else LONGEST
        is_name = problem["type"] == "string_pattern_mismatch"
        expected = f"Expected letters, digits, _ and -, at most {longest}" if is_name else problem["msg"]
        raise GatewayError(f"{where}: {expected[0].lower()}{expected[1:]}, got {problem['input']!r:.80}") from error


class NameCollision(NamedTuple):
    """Two tools or prompts that come to one name.

    Attributes:
        name: What agents would call both.
    """

    name: str
    first: str
    first_owner: str
    second: str
    second_owner: str

    def __str__(self) -> str:
        return (
            f"{self.first!r} ({self.first_owner}) and {self.second!r} ({self.second_owner}) would both be called"
            f" {self.name!r}; rename one of them, or leave one out"
        )


class ServedNames(NamedTuple, Generic[_Item]):
    """What agents call tools or prompts.

    Attributes:
        items: Each by its name, in the order of their own names.
        collisions: Those that are not served because they would have the same name. One of them with a suffix would
            have another name as soon as the other is gone, and an agent would call what it was never told of.
    """

    items: dict[str, _Item]
    collisions: tuple[NameCollision, ...]


def served_names(profile: AgentProfile, items: Iterable[_Item]) -> ServedNames[_Item]:
    """Name what a profile shows of some tools or prompts."""
    named: dict[str, list[_Item]] = {}
    for item in sorted(items, key=lambda item: item.name):
        if profile.sees(item.name):
            named.setdefault(profile.served_name(item), []).append(item)
    return ServedNames(
        {name: alike[0] for name, alike in named.items() if len(alike) == 1},
        tuple(
            NameCollision(name, alike[0].name, alike[0].source.name, other.name, other.source.name)
            for name, alike in named.items()
            for other in alike[1:]
        ),
    )


def check_profile(profile: AgentProfile, tools: Iterable[Tool], prompts: Iterable[Prompt]) -> None:
    """Refuse a profile that gives two tools, or two prompts, the same name.

    Raises:
        GatewayError: It does; both owners are named.
    """
    collisions = (*served_names(profile, tools).collisions, *served_names(profile, prompts).collisions)
    if collisions:
        raise GatewayError(str(collisions[0]))


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    return name in patterns or any(fnmatchcase(name, pattern) for pattern in patterns if _WILD.search(pattern))
