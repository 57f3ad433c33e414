"""`agent profile`: what agents are told of, and as what."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from tools.cli.exits import Exit
from tools.cli.listing import print_rows
from tools.cli.streams import UsageError, say
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.profiles import META_KEY, AgentProfile, check_profile, profile_of
from tools.paths import data_folder

if TYPE_CHECKING:
    import asyncio

    from tools.gateway.served_tools import ServedTool, ShownTools
    from tools.workbench import Workbench

_WRITING: Final = ("add", "change")


def add_agent_profile(
    parts: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser
) -> None:
    """Add the part to the parser of `agent`."""
    profile = parts.add_parser(
        "profile",
        help="say what agents are told of, and as what",
        epilog="An agent gets a profile by agent add NAME --profile PROFILE, or agent change. --servers starts your MCP"
        " servers, so that their tools are counted and two of one name are told.",
    )
    profile.set_defaults(action="list", output="text")
    actions = profile.add_subparsers(dest="action", metavar="list | show | add | change | remove")
    actions.add_parser("list", parents=[common], help="list the profiles")
    showing = actions.add_parser("show", parents=[common], help="show what agents are told of, and its cost in tokens")
    showing.add_argument("profile", metavar="PROFILE", help="which; - for all tools")
    for action, words in (("add", "make a profile"), ("change", "change a profile; what is not named stays")):
        parser = actions.add_parser(action, parents=[common], help=words)
        parser.add_argument("profile", metavar="PROFILE")
        for option, metavar, said in (
            ("--tools", "PATTERN", "show tools and prompts whose names fit, such as 'search_*' or 'github.*'"),
            ("--without", "PATTERN", "but not those whose names fit this"),
            ("--prefix", "GROUP=PREFIX", "begin the names of a server's, an API's or a toolkit's tools with this"),
            ("--rename", "TOOL=NAME", "call a tool otherwise; TOOL= takes that back"),
            ("--describe", "TOOL=TEXT", "describe a tool otherwise; TOOL= takes that back"),
            ("--hint", "TOOL=HINT=true|false", "say otherwise what a tool risks, such as readOnlyHint"),
        ):
            parser.add_argument(option, action="append", metavar=metavar, help=f"{said}; may be repeated")
    actions.add_parser("remove", parents=[common], help="forget a profile").add_argument("profile", metavar="PROFILE")


def looks_at_tools(options: argparse.Namespace) -> bool:
    """Return whether a command about agents looks at the tools."""
    return options.part == "profile" and options.action in {"show", *_WRITING}


def obey_agent_profile(
    options: argparse.Namespace, bench: Workbench | None = None, _runner: asyncio.Runner | None = None
) -> Exit:
    """List the profiles, show or change one."""
    agents = Agents(data_folder() / AGENTS_FILE)
    if options.action == "remove":
        agents.remove_profile(options.profile)
        say(f"the profile {options.profile} is removed")
    elif bench is None:
        _list(agents, options.output)
    elif options.action == "show":
        _show(agents.profile("" if options.profile == "-" else options.profile), bench, options.output)
    else:
        _write(agents, bench, options)
    return Exit.OK


def _write(agents: Agents, bench: Workbench, options: argparse.Namespace) -> None:
    is_new = options.action == "add"
    former = AgentProfile(name=options.profile) if is_new else agents.profile(options.profile)
    profile = _changed(former, options)
    check_profile(profile, bench.registry, bench.registry.prompts)
    for name in sorted(profile.overrides.keys() - {tool.name for tool in bench.registry}):
        say(f"no tool is called {name!r} now; the profile keeps what it says of it")
    agents.keep_profile(profile, is_new=is_new)
    shown = _shown(profile, bench)
    say(f"{profile.name} shows {_count(len(shown.tools), 'tool')}, {_tokens(shown)}")


def _changed(profile: AgentProfile, options: argparse.Namespace) -> AgentProfile:
    prefixes = {**profile.prefixes, **dict(_pairs(options.prefix, "GROUP=PREFIX"))}
    overrides = {name: said.model_dump() for name, said in profile.overrides.items()}
    for field, given in (("name", options.rename), ("description", options.describe)):
        for tool, text in _pairs(given, "TOOL=NAME or TOOL=TEXT"):
            overrides.setdefault(tool, {})[field] = text
    for tool, hint in _pairs(options.hint, "TOOL=HINT=true|false"):
        name, _, said = hint.partition("=")
        overrides.setdefault(tool, {}).setdefault("annotations", {})[name] = said
    return profile_of(
        {
            "name": profile.name,
            "tools": options.tools or profile.tools,
            "without": profile.without if options.without is None else [each for each in options.without if each],
            "prefixes": prefixes,
            "overrides": overrides,
        }
    )


def _pairs(given: Sequence[str] | None, expected: str) -> list[tuple[str, str]]:
    pairs = [each.partition("=") for each in given or ()]
    for name, sign, text in pairs:
        if not name or not sign:
            raise UsageError(f"expected {expected}, got {name + sign + text!r}")
    return [(name, text) for name, _, text in pairs]


def _list(agents: Agents, output: str) -> None:
    profiles = agents.profiles()
    users = {
        profile.name: [one.name for one in agents.all() if one.profile.name == profile.name] for profile in profiles
    }
    if output == "json":
        cards = [{**_card(profile), "agents": users[profile.name]} for profile in profiles]
        print(json.dumps({"profiles": cards}, indent=2, ensure_ascii=False))
    elif profiles:
        print_rows((profile.name, _line(profile, users[profile.name])) for profile in profiles)
    else:
        say("there is no profile: agents see all tools; tool-console agent profile add NAME --tools PATTERN makes one")


def _line(profile: AgentProfile, users: list[str]) -> str:
    without = f", without {' '.join(profile.without)}" if profile.without else ""
    said = f", {_count(len(profile.overrides), 'tool')} told otherwise" if profile.overrides else ""
    return f"{' '.join(profile.tools)}{without}{said}, for {', '.join(users) or 'nobody'}"


def _card(profile: AgentProfile) -> dict[str, Any]:
    return profile.model_dump(mode="json")


def _shown(profile: AgentProfile, bench: Workbench) -> ShownTools:
    from tools.gateway.served_tools import shown_tools  # noqa: PLC0415 -- what knows of servers takes a while to import

    return shown_tools(profile, bench.registry)


def _show(profile: AgentProfile, bench: Workbench, output: str) -> None:
    shown = _shown(profile, bench)
    tools = shown.tools.values()
    if output == "json":
        served = [{"tool": tool.tool, "tokens": tool.tokens, "definition": tool.definition} for tool in tools]
        card = {"profile": _card(profile), "tokens": shown.tokens, "tools": served}
        print(json.dumps({**card, "collisions": [each._asdict() for each in shown.collisions]}, indent=2))
        return
    print_rows((tool.name, f"{tool.tokens:,} tokens{_marks(tool)}") for tool in tools)
    for collision in shown.collisions:
        say(f"neither is served: {collision}")
    print(f"{_count(len(tools), 'tool')}, {_tokens(shown)}")


def _marks(tool: ServedTool) -> str:
    mark: Any = tool.definition.get("_meta", {})
    changed = mark.get(META_KEY, {}).get("changed", ())
    ours = ", ".join(change.removeprefix("annotations.") for change in changed)
    return f", {tool.tool} with our {ours}" if ours else ""


def _tokens(shown: ShownTools) -> str:
    return f"≈ {shown.tokens:,} tokens in each request, estimated"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"
