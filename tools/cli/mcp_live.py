"""`mcp test | tools | approve | block | log`: what needs the server itself; and servers for other commands."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from tools.cli.exits import Exit
from tools.cli.streams import agrees, say, wants_json
from tools.errors import ToolError
from tools.mcp.confusable_letters import visible_text
from tools.mcp.differences import differences
from tools.mcp.elicitation import Accepted, DeclineAll
from tools.mcp.poisoning import suspicions
from tools.mcp.remote_tool import names_of
from tools.mcp.servers import Servers
from tools.mcp.state import FaultKind
from tools.mcp.variables import resolve
from tools.policy import hint_words
from tools.registry import ToolRegistry

if TYPE_CHECKING:
    from tools.mcp.config import ServerConfig, Target
    from tools.mcp.elicitation import Answer, Questions, UrlElicitation
    from tools.mcp.pins import DefinitionJudgement
    from tools.mcp.state import ServerState
    from tools.mcp.store import ServerStore


@asynccontextmanager
async def running(
    store: ServerStore, registry: ToolRegistry, questions: Questions | None = None
) -> AsyncIterator[Servers]:
    """Have the servers of a store at hand, none of them started; all end in the end."""

    def filled(config: ServerConfig) -> Target:
        return resolve(config, os.environ, store.secrets, store.project_dir)

    servers = Servers(registry, resolve=filled, pins=store.pins, consents=store.consents, questions=questions)
    try:
        await servers.apply(store.wanted)
        yield servers
    finally:
        await servers.aclose()


class _Terminal(DeclineAll):
    """Show the person at the terminal the address at which they sign in; everything else is declined."""

    async def visit(self, question: UrlElicitation) -> Answer:
        """Show the address, and wait for the person to come back from it."""
        say(f"{question.server}: open this address to sign in:\n{question.url}")
        return Accepted()


async def attach(store: ServerStore, servers: Servers, called: Collection[str] | None) -> None:
    """Start servers, so that their tools are there; one that does not start is told and stops nobody.

    Args:
        store: What the disk knows of them.
        called: The names of the only tools that are needed; None starts all that are enabled and allowed.
    """
    allowed = store.may_start()
    if called is None:
        names = [config.name for config in store.wanted if config.enabled and allowed[config.name]]
    else:
        # Names of tools begin with their server's.
        names = [
            config.name for config in store.wanted if any(name.startswith(_prefix(config.name)) for name in called)
        ]
    await asyncio.gather(*(_started(servers, name) for name in names))


def _prefix(server: str) -> str:
    (prefix,) = names_of(server, [""])
    return prefix


async def obey_live(options: argparse.Namespace, store: ServerStore) -> Exit:
    """Do what the part of `mcp` says that needs the server."""
    store.find(options.name)
    questions = _Terminal() if options.part == "sign-in" else None
    async with running(store, ToolRegistry(), questions) as servers:
        if options.part == "sign-in":
            from tools.mcp.sign_in import sign_in_at  # noqa: PLC0415 -- no other part needs it

            await sign_in_at(options.name, servers, store)
            return Exit.OK
        started = await _started(servers, options.name)
        if options.part == "log":
            _print_log(servers, options.name, as_json=wants_json(options))
            return Exit.OK if started else Exit.FAILED
        if not started:
            return Exit.FAILED
        judgements = servers.judgements(options.name)
        match options.part:
            case "tools":
                return _tools(judgements, as_json=wants_json(options))
            case "approve":
                return _approve(store, options, judgements)
            case "block":
                return _block(store, options, judgements)
            case _:
                latency_s = await servers.ping(options.name)
                return _print_state(servers.state(options.name), latency_s, as_json=wants_json(options))


async def _started(servers: Servers, name: str) -> bool:
    try:
        await servers.start(name)
    except ToolError as error:
        fault = servers.state(name).fault
        if fault is not None and fault.kind is FaultKind.NO_CONSENT:
            say(f"{fault.message}; look and allow it: tool-console mcp allow {name}")
            return False
        say(visible_text(str(error)))
        if fault is not None:
            for line in (*fault.last_words.strip().splitlines(), fault.remedy):
                say(f"  {visible_text(line)}")
        return False
    return True


def _print_state(state: ServerState, latency_s: float, *, as_json: bool) -> Exit:
    if as_json:
        print(json.dumps({**state.model_dump(mode="json"), "latency_s": latency_s}, indent=2, ensure_ascii=False))
        return Exit.OK
    identity = state.identity
    who = state.name if identity is None else f"{identity.title or identity.name} {identity.version}".strip()
    age = f"{state.protocol.value} " if state.protocol is not None else ""
    print(f"{state.name} answers: {visible_text(who)}, {age}protocol {state.protocol_version}")
    print(
        f"  {state.tool_count} tools, {latency_s * 1000:.0f} ms, process {state.pid}"
        if state.pid
        else f"  {state.tool_count} tools, {latency_s * 1000:.0f} ms"
    )
    return Exit.OK


def _tools(judgements: Collection[DefinitionJudgement], *, as_json: bool) -> Exit:
    if as_json:
        print(json.dumps([_document(judgement) for judgement in judgements], indent=2))
        return Exit.OK
    for judgement in judgements:
        definition = judgement.definition
        # What a server wrote must not move the terminal's cursor over what is said about it.
        print(f"{visible_text(definition.name)} ({judgement.verdict.value})")
        first = definition.description.strip().splitlines()
        if first:
            print(f"  {visible_text(first[0])}")
        print(f"  It {hint_words(definition.hints)}.")
        _print_troubles(judgement)
    return Exit.OK


def _print_troubles(judgement: DefinitionJudgement) -> None:
    if judgement.is_suspended and judgement.approved is not None:
        for change in differences(judgement.approved, judgement.definition):
            print(f"  {'!' if change.is_riskier else '~'} {visible_text(change.words)}")
    for found in suspicions(judgement.definition):
        print(visible_text(f"  ! {found.words} ({found.where}): {found.excerpt}"))


def _document(judgement: DefinitionJudgement) -> dict[str, Any]:
    changes = () if judgement.approved is None else differences(judgement.approved, judgement.definition)
    return {
        "definition": dict(judgement.definition.raw),
        "verdict": judgement.verdict.value,
        "digest": judgement.definition.digest,
        "changes": [change._asdict() for change in changes],
        "findings": [found._asdict() for found in suspicions(judgement.definition)],
    }


def _approve(store: ServerStore, options: argparse.Namespace, judgements: Collection[DefinitionJudgement]) -> Exit:
    waiting = [item for item in judgements if item.verdict.value != "same"]
    chosen = (
        [item for item in waiting if item.definition.name in options.tools]
        if options.tools
        else [item for item in waiting if item.verdict.value != "blocked"]
    )
    unknown = set(options.tools) - {item.definition.name for item in judgements}
    if unknown:
        return _unknown(options.name, unknown)
    if not chosen:
        (say if wants_json(options) else print)("nothing to approve")
        return Exit.OK
    _tools(chosen, as_json=wants_json(options))
    if not options.yes and not agrees("Let them run as they are now?"):
        say("nothing was approved")
        return Exit.DENIED
    store.approve(options.name, judgements, [item.definition.name for item in chosen])
    return Exit.OK


def _block(store: ServerStore, options: argparse.Namespace, judgements: Collection[DefinitionJudgement]) -> Exit:
    unknown = set(options.tools) - {item.definition.name for item in judgements}
    if unknown:
        return _unknown(options.name, unknown)
    for tool in options.tools:
        store.block(options.name, judgements, tool)
    return Exit.OK


def _unknown(server: str, tools: Collection[str]) -> Exit:
    say(f"{server} has no tool {', '.join(map(repr, sorted(tools)))}; look: tool-console mcp tools {server}")
    return Exit.USAGE


def _print_log(servers: Servers, name: str, *, as_json: bool) -> None:
    for line in servers.log(name).lines():
        if as_json:
            print(json.dumps({**line._asdict(), "at": line.at.isoformat(), "channel": line.channel.value}))
        else:
            said = visible_text(line.text.rstrip())
            print(f"{line.at.astimezone():%H:%M:%S.%f} {line.level:7} {line.channel.value:8} {said}")
