"""`agent`: which agents may call the tools through `tool-console serve`, and their tokens."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Final

from tools.cli.agent_profile import add_agent_profile, looks_at_tools, obey_agent_profile
from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.listing import print_rows
from tools.cli.streams import say
from tools.cli.times import age
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.paths import data_folder

if TYPE_CHECKING:
    from tools.gateway.agents import AddedAgent, Agent


def add_agent(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], with_tools: argparse.ArgumentParser
) -> None:
    """Add the command to the parser."""
    agent = commands.add_parser(
        "agent",
        help="let agents call the tools, and take that back",
        epilog="An agent sends its token to the address that tool-console serve prints. The token is shown once and"
        " kept nowhere. With --output json: `agents`, or `agent` and `token` of one that was added.",
    )
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("--output", choices=("text", "json"), help="how results are written")
    agent.set_defaults(part="list", output="text")
    parts = agent.add_subparsers(dest="part", metavar="list | add | change | profile | block | … | pause | resume")
    parts.add_parser("list", parents=[common], help="list the agents")
    adding = parts.add_parser("add", parents=[common], help="let a new agent in, and print its token")
    adding.add_argument("name", metavar="NAME")
    adding.add_argument(
        "--tools",
        action="append",
        default=[],
        metavar="PATTERN",
        help="only tools whose names fit, such as 'search_*' or 'github.*', as a profile of its name; may be repeated",
    )
    adding.add_argument("--profile", default="", metavar="PROFILE", help="what it is told of (default: all tools)")
    changing = parts.add_parser("change", parents=[common], help="give an agent another profile")
    changing.add_argument("name", metavar="NAME")
    changing.add_argument("--profile", required=True, metavar="PROFILE", help="what it is told of; - for all tools")
    add_agent_profile(parts, with_tools)
    renewing = parts.add_parser("renew", parents=[common], help="give an agent another token; the former one ends")
    renewing.add_argument("name", metavar="NAME")
    for parser in (adding, renewing):
        parser.add_argument("--valid-for", type=age, metavar="AGE", help="when the token ends, such as 30d")
    pausing = parts.add_parser("pause", parents=[common], help="hold the calls of all agents until you resume")
    pausing.add_argument("--stop", action="store_true", help="stop the calls that run as well")
    parts.add_parser("resume", parents=[common], help="let the calls of agents go on")
    for part, words in (
        ("block", "refuse what an agent asks for"),
        ("unblock", "refuse it no longer"),
        ("reset-hold", "hold its calls as long as anybody's again, whenever its program hung up"),
        ("remove", "forget an agent and its token"),
    ):
        parts.add_parser(part, parents=[common], help=words).add_argument("name", metavar="NAME")


def obey_agent(options: argparse.Namespace) -> Exit | None:
    """List the agents or their profiles, or change one; what looks at tools is left to others."""
    if looks_at_tools(options):
        return None
    if options.part == "profile":
        return obey_agent_profile(options)
    agents = Agents(data_folder() / AGENTS_FILE)
    match options.part:
        case "add":
            added = agents.add(options.name, options.tools, profile=options.profile, valid_for=options.valid_for)
            _print_token(added, options.output)
        case "change":
            agent = agents.give_profile(options.name, "" if options.profile == "-" else options.profile)
            say(f"{agent.name} has {_seen(agent)}")
        case "renew":
            _print_token(agents.renew(options.name, valid_for=options.valid_for), options.output)
        case "block" | "unblock":
            agents.block(options.name, blocked=options.part == "block")
            say(f"{options.name} is {options.part}ed")
        case "reset-hold":
            agents.forget_holds(options.name)
            say(f"calls of {options.name} are held as long as anybody's again")
        case "pause":
            agents.pause(stops_running=options.stop)
            running = "those that run are stopped" if options.stop else "those that run go on, --stop stops them"
            say(f"calls of agents wait until tool-console agent resume; {running}")
        case "resume":
            agents.resume()
            say("calls of agents go on")
        case "remove":
            agents.remove(options.name)
            say(f"{options.name} is removed; its token is good for nothing any more")
        case _:
            if agents.paused is not None:
                say(f"calls of agents are paused since {agents.paused.since.astimezone():%Y-%m-%d %H:%M}")
            _list(agents.all(), options.output)
    return Exit.OK


def _list(agents: tuple[Agent, ...], output: str) -> None:
    if output == "json":
        print(json.dumps({"agents": [_card(agent) for agent in agents]}, indent=2))
    elif agents:
        print_rows((agent.name, _line(agent)) for agent in agents)
    else:
        say("no agent may call the tools; tool-console agent add NAME lets one in")


def _line(agent: Agent) -> str:
    ends = "" if agent.expires_at is None else f", until {agent.expires_at.astimezone():%Y-%m-%d %H:%M}"
    blocked = "blocked, " if agent.is_blocked else ""
    holds = "".join(
        f", calls of {client or 'its program'} held {hold_s:g} s" for client, hold_s in agent.hold_s.items()
    )
    return f"{blocked}token …{agent.token_hint}{ends}, {_seen(agent)}{holds}"


def _seen(agent: Agent) -> str:
    return f"profile {agent.profile.name}" if agent.profile.name else "all tools"


def _card(agent: Agent) -> dict[str, object]:
    return agent.model_dump(mode="json", exclude={"token_digest", "former"})


def _print_token(added: AddedAgent, output: str) -> None:
    if output == "json":
        print(json.dumps({"agent": _card(added.agent), "token": added.token}, indent=2))
        return
    say(f"the token of {added.agent.name}, which is not shown again:")
    print(added.token)


COMMANDS: Final = {"agent": CliCommand(add_agent, obey_agent, obey_agent_profile)}
