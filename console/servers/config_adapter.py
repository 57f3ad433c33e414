"""The settings of servers behind the Servers page: shown as a form, tried, kept, taken over and handed on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from console.engine import Engine
from console.servers.config_values import asked_of, config_from, form_value, paste_words, pasted_value
from console.servers.ports import Settings
from console.servers.rows import ConnectionTest, ImportRow, PastedServer, PasteResult, StartPartRow, StartRow
from console.servers.shared_folders import SharedFolders
from console.servers.state_rows import TRANSPORT_WORDS, trouble_of
from console.tasks import Compute
from tools.errors import ServerConfigError, ToolError
from tools.mcp.config import ServerConfig, Transport
from tools.mcp.consent import start_digest
from tools.mcp.exports import exported
from tools.mcp.imports import Importable, Program
from tools.mcp.locating import located
from tools.mcp.pasted import read_paste, unused_name
from tools.mcp.placeholders import blanks_of, filled_in
from tools.mcp.profiles import Profile
from tools.mcp.secrets import address_of
from tools.mcp.servers import Servers
from tools.mcp.start_preview import start_preview
from tools.mcp.store import ServerStore, shown_with
from tools.mcp.supervisor import Resolve
from tools.registry import ToolRegistry


class ServerConfigAdapter:
    """Be the port to the settings of servers.

    Args:
        store: What the disk knows of them.
        resolve: Fills entries in.
        apply: Lets the servers be as the disk says.
        connect: Starts a server.
        engine: Runs servers that are tried.
        compute: Runs what waits for a disk.
        folders: Keeps which folders servers may know of.
    """

    def __init__(
        self,
        store: ServerStore,
        *,
        resolve: Resolve,
        apply: Callable[[], Awaitable[None]],
        connect: Callable[[str], Awaitable[None]],
        engine: Engine,
        compute: Compute,
        folders: SharedFolders,
    ) -> None:
        self._store = store
        self._resolve = resolve
        self._apply = apply
        self._connect = connect
        self._engine = engine
        self._compute = compute
        self._folders = folders

    async def settings(self, name: str, /) -> Settings:
        """Return the settings of a server."""
        config = self._store.find(name)
        where = "" if config.origin is None else str(config.origin.path)
        return Settings(form_value(config), where)

    async def start_of(self, name: str, /) -> StartRow:
        """Return what runs when a server starts."""
        start: StartRow = await self._compute(self._start, self._store.find(name))
        return start

    async def preview(self, value: Mapping[str, Any], /) -> StartRow:
        """Return what would run with these settings."""
        start: StartRow = await self._compute(self._preview, value)
        return start

    def _preview(self, value: Mapping[str, Any]) -> StartRow:
        try:
            config = config_from(value)
        except ServerConfigError as error:
            return StartRow(problem=_sentence(error), is_program=value.get("transport") == Transport.STDIO)
        answers = value.get("answers", {})
        open_still = [blank for blank in blanks_of(config) if blank.is_needed and answers.get(blank.where) == ""]
        start = self._start(shown_with(config, answers))
        return start._replace(missing=tuple(blank.name for blank in open_still))

    def _start(self, config: ServerConfig) -> StartRow:
        """Return what runs when a server starts, and which program that is on this computer."""
        shown, found = start_preview(config), located(config, self._resolve)
        program = (("Program", found.path),) if found.path else ()
        missing = ". ".join(_upper(words) for words in (found.problem, found.advice) if words)
        return StartRow(
            tuple(StartPartRow(part.text, _upper(part.risk)) for part in shown.parts),
            (*program, *shown.facts),
            (*filter(None, (missing,)), *map(_upper, shown.notes)),
            digest=start_digest(config),
            is_program=config.transport is Transport.STDIO,
        )

    async def understand(self, text: str, /) -> PasteResult:
        """Return what a text means that somebody pasted."""
        understood: PasteResult = await self._compute(self._understand, text)
        return understood

    def _understand(self, text: str) -> PasteResult:
        paste = read_paste(text)
        taken = {config.name for config in self._store.configs}
        servers = []
        for config in paste.servers:
            name = unused_name(config.name, taken)
            taken.add(name)
            note = f"There is a server {config.name} already; this one is called {name}" if name != config.name else ""
            value = pasted_value(config.model_copy(update={"name": name}))
            asked = tuple(map(asked_of, blanks_of(config)))
            value |= {"answers": {one.where: "" for one in asked}} if asked else {}
            servers.append(PastedServer(value, asked, self._preview(value), note))
        words = paste_words(paste.kind, [str(server.value["name"]) for server in servers], paste.notes)
        return PasteResult(words if servers else "", ". ".join(map(_upper, paste.problems)), tuple(servers))

    async def trial(self, value: Mapping[str, Any], /) -> ConnectionTest:
        """Try to reach a server with these settings, which are not kept."""
        config = config_from(value, self._known(str(value.get("name", ""))))
        config = filled_in(config, value.get("answers", {}), _as_it_is)
        return await self._engine.call(self._try, config)

    async def _try(self, config: ServerConfig) -> ConnectionTest:
        # A table of its own: nobody can call what is only looked at.
        servers = Servers(ToolRegistry(), resolve=self._resolve, back_off_s=())
        try:
            await servers.apply([config])
            await servers.start(config.name)
            state = servers.state(config.name)
            identity = state.identity
            who = (
                f"{identity.title or identity.name} {identity.version}".strip() if identity is not None else config.name
            )
            tools = "1 tool" if state.tool_count == 1 else f"{state.tool_count:,} tools"
            return ConnectionTest(True, f"Connected: {who}, {tools}, protocol {state.protocol_version}")
        except ToolError as error:
            fault = servers.state(config.name).fault
            if fault is None:
                return ConnectionTest(False, _sentence(error))
            trouble = trouble_of(fault)
            return ConnectionTest(False, trouble.fact, (*trouble.details, *filter(None, (trouble.advice,))))
        finally:
            await servers.aclose()

    async def add(self, values: Sequence[Mapping[str, Any]], /) -> Sequence[str]:
        """Keep the settings of new servers, and start them; return what they are called."""
        configs = [(config_from(value), value.get("answers", {})) for value in values]
        names: list[str] = []
        try:
            for config, answers in configs:
                kept: ServerConfig = await self._compute(self._store.add, config, answers)
                names.append(kept.name)
        finally:
            # What was kept before one of them could not be is there all the same.
            await self._apply()
        await asyncio.gather(*map(self._begin, names))
        return names

    async def save(self, name: str, value: Mapping[str, Any], /) -> str:
        """Keep other settings of a server; return what it is called now."""
        config = config_from(value, self._store.find(name))
        kept: ServerConfig = await self._compute(self._store.replace, name, config)
        await self._apply()
        if kept.enabled:
            await self._begin(kept.name)
        return kept.name

    async def _begin(self, name: str) -> None:
        # It is kept whether or not it comes up; the page shows why it does not.
        try:
            await self._connect(name)
        except ToolError:
            return

    async def allow(self, name: str, digest: str, /, *, trusted: bool) -> None:
        """Let a server start from now on, if that is still the start with this digest, and start it."""
        await self._compute(self._store.allow, name, trusted, digest)
        await self._apply()
        await self._begin(name)

    async def remove(self, name: str, /) -> None:
        """Forget a server."""
        await self._compute(self._store.remove, name)
        await self._compute(self._folders.forget, name)
        await self._apply()

    async def forget_folders(self, name: str, /) -> None:
        """Ask again which folders a server may know of."""
        await self._compute(self._folders.forget, name)

    async def switch_server(self, name: str, /, *, is_on: bool) -> None:
        """Let a server be started, now and with the program, or not."""
        await self._compute(self._store.switch, name, is_on)
        await self._apply()
        if is_on and self._store.consents.may_start(self._store.find(name)):
            await self._begin(name)

    async def choose_profile(self, name: str, /) -> None:
        """Let a set of servers count, and start those of it that may start."""
        await self._compute(self._store.choose_profile, name)
        await self._apply()
        allowed = await self._compute(self._store.may_start)
        wanted = [config.name for config in self._store.wanted if config.enabled and allowed[config.name]]
        await asyncio.gather(*map(self._begin, wanted))

    async def keep_profile(self, name: str, servers: Collection[str], /) -> None:
        """Keep servers as a set."""
        try:
            profile = Profile(name=name, servers=tuple(servers))
        except ValidationError as error:
            raise ServerConfigError(f"{name!r} cannot name a profile: expected at most 128 letters") from error
        await self._compute(self._store.keep_profile, profile)

    async def remove_profile(self, name: str, /) -> None:
        """Forget a set of servers."""
        await self._compute(self._store.remove_profile, name)
        await self._apply()

    async def exported(self, name: str, /) -> str:
        """Return the entry of a server as other programs read it."""
        return exported([self._store.find(name)], Program.MCP_JSON).text

    async def found(self) -> Sequence[ImportRow]:
        """Return the servers that other programs know."""
        found, problems = await self._compute(self._store.importable)
        return [*self._rows(found), *_broken(problems, "")]

    async def found_in(self, path: str, /) -> Sequence[ImportRow]:
        """Return the servers that a file names."""
        found, problems = await self._compute(self._store.importable_in, Path(path))
        return [*self._rows(found), *_broken(problems, Path(path).name)]

    async def take(self, keys: Collection[str], /) -> str:
        """Take servers of other programs over; none of them starts by that."""
        names = await self._compute(self._store.take, keys)
        await self._apply()
        return f"Imported {', '.join(names)}. Look at what each starts, then allow it."

    def _rows(self, found: Sequence[tuple[str, str, Importable]]) -> list[ImportRow]:
        known = {config.name: config for config in self._store.configs}
        rows = []
        for key, origin, server in found:
            config = server.config
            here = known.get(config.name)
            note = "; ".join(server.notes)
            if here is not None:
                note = f"takes the place of yours{f'; {note}' if note else ''}"
            transport = TRANSPORT_WORDS[config.transport]
            rows.append(ImportRow(key, config.name, origin, transport, address_of(config), note, here is not None))
        return rows

    def _known(self, name: str) -> ServerConfig | None:
        return next((config for config in self._store.configs if config.name == name), None)


def _broken(problems: Sequence[str], origin: str) -> list[ImportRow]:
    return [ImportRow(problem, "", origin, "", "", problem=_upper(problem)) for problem in problems]


def _as_it_is(_where: str, value: str) -> str:
    """Leave a secret where it is: what is only tried is never kept."""
    return value


def _upper(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _sentence(error: Exception) -> str:
    return _upper(str(error))
